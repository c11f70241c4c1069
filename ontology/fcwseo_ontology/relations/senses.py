"""Which meaning of WordNet a term of a corpus has, and what WordNet says about the terms then.

A word keeps one meaning within a corpus (W. Gale, K. Church, D. Yarowsky, One sense per discourse, 1992): the
one whose ancestors other terms share, and whose gloss speaks of what the corpus speaks of.
"""

import math
import re
from collections.abc import Container, Iterator, Mapping, Sequence

from fcwseo_ontology.corpus.background import Kind, background
from fcwseo_ontology.corpus.tokens import stem, words
from fcwseo_ontology.relations.wordnet import Synset, WordNet
from fcwseo_ontology.terms.extract import Term

# Kinds of things that a corpus and a dictionary mean alike. A query, a model or a score they do not.
CONCRETE = (
    "animal",
    "artifact",
    "body",
    "food",
    "location",
    "object",
    "person",
    "phenomenon",
    "plant",
    "substance",
)
PLACES = ("location", "object")
HAPPENING = ("event", "phenomenon", "process", "state")
THINGS = ("animal", "artifact", "body", "food", "group", "location", "object", "plant", "substance")
# Above this lies what everything is: events, states, instruments. What is abstract must be more special.
LEAST_CONTENT = 0.5
LEAST_CONTENT_OF_ABSTRACT = 0.65
LEAST_CONTENT_OF_KNOWN = 0.3
# Kinds between which WordNet draws a line that texts do not keep to.
ALIKE = (
    frozenset(("event", "phenomenon")),
    frozenset(("object", "location")),
    frozenset(("cognition", "communication")),
    frozenset(("process", "phenomenon")),
)
MEANINGS = 8  # of a word that are weighed, the commonest first
RARER = 0.5  # of itself that the fit of each rarer meaning must be better
LEAST_FIT = 1.5
LEAST_FIT_OF_ABSTRACT = 2.0, 3.0  # in the commonest meaning, in a rarer one
LEAST_FIT_OF_ONLY = 0.3  # of a word with a single meaning
LEAST_FIT_OF_NAME = 1.0  # the same for one with a capital
LEAST_COMPANY = 0.3  # of a rarer meaning
CLEARLY = 1.3  # times as well as the second must the best meaning fit
LEAST_SHARED = 0.3  # content of an ancestor that two terms share
LEAST_KEY, MOST_KEY = 1.2, 4.0  # keyness of a word in a gloss, to be counted, and counted as
OF_FIELD = 2.0  # for a gloss that names a field of the corpus
NO_PLURAL = ("ss", "us", "is")
LISTED = 3  # meanings of a term in which it may be a whole
BEINGS = (("animal", 0), ("plant", 1))  # words, and which of their meanings is all of them
FAR = 2  # steps upwards to what no term means


def choose_senses(terms: Sequence[Term], wordnet: WordNet, keyness: Mapping[str, float]) -> dict[int, Synset]:
    """For each term that WordNet knows, by position: the meaning that fits the others best.

    A word of several meanings is left alone where no meaning is clearly the best. Only a term may be meant in
    a sense that is not its commonest, and only in company. ``keyness``: how much commoner each stem is in the
    corpus than elsewhere.
    """
    candidates = {at: _candidates(term, wordnet) for at, term in enumerate(terms) if _may_be_asked(term)}
    company = _Company(candidates, wordnet)
    chosen = {}
    for at, synsets in candidates.items():
        fits = [_fit(at, synset, company, keyness) for synset in synsets]
        if len(synsets) == 1 and _may_mean(terms[at], synsets[0], fits[0]):
            chosen[at] = synsets[0]
        best = _clearly_best(synsets, fits) if len(synsets) > 1 else None
        is_term = not terms[at].key.startswith("~")
        if best == 0 or (best and is_term and company.of(at, synsets[best]) >= LEAST_COMPANY):
            chosen[at] = synsets[best]
    return chosen


def _may_mean(term: Term, synset: Synset, fit: float) -> bool:
    """Whether a term has the only meaning that is known; one word may be the name of something else."""
    if " " in term.label or (synset.kind in PLACES and synset.words[0].casefold() == term.label.casefold()):
        return True
    return fit >= (LEAST_FIT_OF_ONLY if term.label.islower() else LEAST_FIT_OF_NAME)


def _candidates(term: Term, wordnet: WordNet) -> Sequence[Synset]:
    """The commonest meanings of a term: of names where it is one, and else not of names."""
    known = wordnet.synsets(term.label)
    if term.label.endswith(NO_PLURAL):  # "genus" is no plural of the knee, "genu"
        lower = term.label.casefold()
        known = tuple(one for one in known if lower in map(str.casefold, one.words)) or known
    if term.label.isupper() or (" " not in term.label and not term.label[1:].islower()):
        return [one for one in known if term.label in one.words][:MEANINGS]
    if term.label.endswith("s") and not term.label.islower():  # nor "Chesters" one of the city, "Chester"
        lower = term.label.casefold()
        known = tuple(one for one in known if not one.linked("@i") or lower in map(str.casefold, one.words))
    name = bool(known and known[0].linked("@i")) and not term.label.islower()
    if name or term.label.islower():
        known = tuple(one for one in known if bool(one.linked("@i")) is name)
    return known[:MEANINGS]


def _clearly_best(synsets: Sequence[Synset], fits: Sequence[float]) -> int | None:
    """The rank of the meaning that fits best, rarer ones less, if no other fits nearly as well."""
    ranked = [fit / (1 + RARER * rank) for rank, fit in enumerate(fits)]
    first, second = sorted(ranked, reverse=True)[:2]
    best = ranked.index(first)
    least = LEAST_FIT if synsets[best].kind in CONCRETE else LEAST_FIT_OF_ABSTRACT[best > 0]
    return best if first >= max(least, CLEARLY * second) else None


class _Company:
    """The terms that share special ancestors with a meaning.

    P. Resnik, Disambiguating noun groupings with respect to WordNet senses, WVLC 1995.
    """

    def __init__(self, candidates: Mapping[int, Sequence[Synset]], wordnet: WordNet) -> None:
        self._wordnet = wordnet
        self._content: dict[int, float] = {}
        self._below: dict[int, dict[int, float]] = {}
        for at, synsets in candidates.items():
            for synset in synsets:
                for number in self.special(synset):
                    below = self._below.setdefault(number, {})
                    below[at] = max(1 / len(synsets), below.get(at, 0.0))

    def special(self, synset: Synset) -> list[int]:
        """The meaning and its ancestors that tell enough to be shared, the most special first."""
        for number in self._wordnet.ancestors(synset):
            if number not in self._content:
                self._content[number] = self._wordnet.information_content(self._wordnet.synset(number))
        special = [one for one in self._wordnet.ancestors(synset) if self._content[one] >= LEAST_SHARED]
        return sorted(special, key=lambda number: -self._content[number])

    def of(self, at: int, synset: Synset) -> float:
        """The content of what each other term shares with the meaning, squared; less if that has more."""
        met, found = {at}, 0.0
        for number in self.special(synset):
            new = [one for one in self._below.get(number, ()) if one not in met]
            found += self._content[number] ** 2 * sum(self._below[number][one] for one in new)
            met.update(new)
        return found


def _fit(at: int, synset: Synset, company: _Company, keyness: Mapping[str, float]) -> float:
    """The company that a meaning has, and how much its gloss speaks of what the corpus speaks of.

    A gloss may begin with a field: "(computer science) a computer that".
    """
    gloss = synset.gloss.partition('"')[0]
    field = _FIELD.match(gloss)
    own = {stem(word) for label in synset.words for word in words(label)}
    told = {stem(word) for word in words(gloss) if background("en").kind(word) is not Kind.STOP} - own
    told = {one for one in told if not one[0].isdigit()}
    key = sum(min(found, MOST_KEY) for one in told if (found := keyness.get(one, 0.0)) > LEAST_KEY)
    fit = company.of(at, synset) + key / math.sqrt(len(told) or 1)
    if field is None:
        return fit
    of_field = [keyness.get(stem(word), 0.0) for word in words(field[1])]
    return fit + OF_FIELD if max(of_field, default=0.0) > LEAST_KEY else fit / 2


_FIELD = re.compile(r"\(([^)]+)\)")


def hypernyms(synset: Synset, wordnet: WordNet, known: Container[int]) -> Iterator[tuple[Synset, int]]:
    """What is above a meaning and tells enough about it, with the number of steps.

    It is of the same kind, and the more special the more abstract that kind is: nearly all is an activity.
    What is ``known`` as a thing, since a term is called so, may be less special and farther, and so may what
    a name is one of. What is known as something abstract may be less special too, but not as much.
    """
    concrete = synset.kind in CONCRETE
    least, most = (LEAST_CONTENT, FAR) if concrete else (LEAST_CONTENT_OF_ABSTRACT, 1)
    named = synset.linked("@i")[:1]  # the first says it best: Chicago is a city, and a port
    for number, steps in wordnet.ancestors(synset).items():
        above = wordnet.synset(number)
        content = wordnet.information_content(above)
        if steps == 0 or above.kind not in (synset.kind, "tops"):
            continue
        if number in known or number in named:
            if content >= (LEAST_CONTENT_OF_KNOWN if concrete else LEAST_CONTENT):
                yield above, steps
        elif steps <= most and content >= least and above.kind == synset.kind:
            yield above, steps


def name_of(synset: Synset, wordnet: WordNet) -> str:
    """Its commonest word, if readers take that so: for what is abstract, in its commonest meaning."""
    word = synset.words[0]
    rank = wordnet.synsets(word).index(synset)
    return word if rank < (LISTED if synset.kind in CONCRETE else 1) else ""


def same_kind(one: str, other: str, wordnet: WordNet) -> bool:
    """Whether two nouns may be things of one kind, so far as WordNet knows both in the case as written."""
    kinds = [_kinds(word, wordnet) for word in (one, other)]
    if not all(kinds) or kinds[0] & kinds[1]:
        return True
    return any(kinds[0] & alike and kinds[1] & alike for alike in ALIKE)


def _kinds(word: str, wordnet: WordNet) -> set[str]:
    """The kinds of the two commonest meanings. A name is no common noun, even if one is written like it."""
    named = word[:1].isupper()
    known = [one for one in wordnet.synsets(word) if not named or any(word in form for form in one.words)]
    return {synset.kind for synset in known[:2]}


def other_being(one: str, other: str, wordnet: WordNet) -> bool:
    """Whether WordNet has both as animals or plants, but not one below the other: a mollusc is no fish.

    Its tree of living beings is complete. What lies directly below animal may be a role, such as predator.
    """
    beings = {wordnet.synsets(word)[at].id for word, at in BEINGS if len(wordnet.synsets(word)) > at}

    def living(word: str, least: int) -> list[Synset]:
        above = [(synset, wordnet.ancestors(synset)) for synset in wordnet.synsets(word)]
        return [synset for synset, all_of in above if any(all_of.get(one, 0) >= least for one in beings)]

    wide = {synset.id for synset in living(other, 2)}
    narrow = living(one, 1)
    return bool(wide and narrow) and all(wide.isdisjoint(wordnet.ancestors(synset)) for synset in narrow)


def is_common(word: str, wordnet: WordNet) -> bool:
    """Whether WordNet has a word as a common noun, however it is written here."""
    return any(form.islower() for synset in wordnet.synsets(word) for form in synset.words)


def is_doing(word: str, wordnet: WordNet | None) -> bool:
    """Whether a word ends like a verb that became a noun, and means no thing: answering, but not building.

    >>> is_doing("answering", None), is_doing("rivers", None)
    (True, False)
    """
    known = wordnet.synsets(word)[:1] if wordnet is not None else ()
    return word.endswith("ing") and all(synset.kind not in CONCRETE for synset in known)


def may_happen(noun: str, wordnet: WordNet) -> bool:
    """Whether one of the two commonest meanings is an event, a phenomenon, a process or a state.

    Of "flooding" those of "flood" count too.
    """
    forms = dict.fromkeys((noun, noun.removesuffix("ing")))
    return any(synset.kind in HAPPENING for form in forms for synset in wordnet.synsets(form)[:2])


def may_cause(noun: str, wordnet: WordNet) -> bool:
    """The same, or the commonest meaning is an act or a substance."""
    first = wordnet.synsets(noun)[:1]
    return may_happen(noun, wordnet) or any(synset.kind in ("act", "substance") for synset in first)


def may_have_parts(noun: str, wordnet: WordNet) -> bool:
    """Whether one of the two commonest meanings is a thing, or WordNet does not know the noun."""
    known = wordnet.synsets(noun)[:2]
    return not known or any(synset.kind in THINGS for synset in known)


def alike(senses: Mapping[int, Synset]) -> list[tuple[int, int]]:
    """Pairs of terms that mean the same thing."""
    first: dict[int, int] = {}
    return [
        (position, first[synset.id])
        for position, synset in senses.items()
        if synset.kind in CONCRETE and first.setdefault(synset.id, position) != position
    ]


def wholes(terms: Sequence[Term], senses: Mapping[int, Synset], wordnet: WordNet) -> list[tuple[int, int]]:
    """Pairs (part, whole) of terms. Members are none: Hindus are no part of Hinduism."""
    listed = _listed(terms, wordnet)
    return [
        (part, whole)
        for part, synset in senses.items()
        if synset.kind in CONCRETE
        for found in synset.linked("#p")
        for whole in listed.get(found, ())
        if whole != part
    ]


def contradicts_head(label: str, head: str, wordnet: WordNet) -> bool:
    """Whether WordNet lists a compound, but not as a kind of its head: a search engine is no engine there.

    A gloss that names the head agrees with it: a worker bee stands below worker, and is a "sterile bee".
    """
    heads = {synset.id for synset in wordnet.synsets(head)}
    compounds = wordnet.synsets(label)
    known = (heads & wordnet.ancestors(synset).keys() or _names(synset, head) for synset in compounds)
    return bool(compounds) and not any(known)


def _names(synset: Synset, word: str) -> bool:
    return stem(word.lower()) in {stem(one) for one in words(synset.gloss.partition('"')[0])}


def _listed(terms: Sequence[Term], wordnet: WordNet) -> dict[int, list[int]]:
    """The terms under each synset that they may mean; whoever names one of these has chosen it."""
    listed: dict[int, list[int]] = {}
    for position, term in enumerate(terms):
        synsets = wordnet.synsets(term.label) if _may_be_asked(term) else ()
        for synset in synsets[:LISTED] if len(synsets) <= 2 * LISTED else ():
            listed.setdefault(synset.id, []).append(position)
    return listed


def _may_be_asked(term: Term) -> bool:
    # A short word is often an abbreviation that WordNet takes for something else.
    return term.language == "en" and len(term.label) > 2 and (len(term.label) > 3 or term.label.isupper())
