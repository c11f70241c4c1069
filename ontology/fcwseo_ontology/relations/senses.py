"""Which meaning of WordNet a term of a corpus has, and what WordNet says about the terms then.

A word keeps one meaning within a corpus (W. Gale, K. Church, D. Yarowsky, One sense per discourse, 1992): the
one whose ancestors and gloss have most in common with the other terms.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

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
HAPPENING = ("event", "phenomenon", "process", "state")
THINGS = ("animal", "artifact", "body", "food", "group", "location", "object", "plant", "substance")
# Above this lies what everything is: events, states, instruments. What is abstract must be more special.
LEAST_CONTENT = 0.5
LEAST_CONTENT_OF_ABSTRACT = 0.65
# Kinds between which WordNet draws a line that texts do not keep to.
ALIKE = (
    frozenset(("event", "phenomenon")),
    frozenset(("object", "location")),
    frozenset(("cognition", "communication")),
    frozenset(("process", "phenomenon")),
)
# So many of its meanings a term may have, and so many steps of ancestors count as company.
MEANINGS = 3
NEAR = 3
FAR = 3


def choose_senses(terms: Sequence[Term], wordnet: WordNet) -> dict[int, Synset]:
    """For each term that WordNet knows, by position: the meaning that fits the others best.

    Words of many meanings are left alone, and so are those that seem to be meant in a rarer sense than the
    first: too often that is a guess.
    """
    candidates = {
        position: wordnet.synsets(term.label) for position, term in enumerate(terms) if _may_be_asked(term)
    }
    shared = _terms_near(candidates, wordnet)
    vocabulary = frozenset(stem(word) for term in terms for word in words(term.label, term.language))
    chosen = {}
    for position, synsets in candidates.items():
        if 0 < len(synsets) <= 2 * MEANINGS:
            fits = [_fit(synset, wordnet, shared, vocabulary) for synset in synsets[:MEANINGS]]
            alone = len(synsets) > 1 and fits[0] <= 1
            if not alone and all(fits[0] >= fit / (1 + rank / 2) for rank, fit in enumerate(fits)):
                chosen[position] = synsets[0]
    return chosen


def _terms_near(candidates: Mapping[int, Sequence[Synset]], wordnet: WordNet) -> Counter[int]:
    """How many terms have some meaning within a few steps below each synset."""
    near: Counter[int] = Counter()
    for synsets in candidates.values():
        near.update({number for synset in synsets for number in _near(synset, wordnet)})
    return near


def _near(synset: Synset, wordnet: WordNet) -> dict[int, int]:
    return {number: steps for number, steps in wordnet.ancestors(synset).items() if steps <= NEAR}


def _fit(synset: Synset, wordnet: WordNet, shared: Counter[int], vocabulary: frozenset[str]) -> float:
    """The company that a meaning has among its ancestors and in its gloss."""
    company = sum((shared[number] - 1) / (1 + steps) for number, steps in _near(synset, wordnet).items())
    gloss = {stem(word) for word in words(synset.gloss.partition('"')[0])}
    return 1 + company + len(gloss & vocabulary)


def hypernyms(synset: Synset, wordnet: WordNet) -> Iterator[tuple[Synset, int]]:
    """What is above a meaning and tells enough about it, with the number of steps.

    It is of the same kind, and the more special the more abstract that kind is: nearly all is an activity.
    """
    concrete = synset.kind in CONCRETE
    least, most = (LEAST_CONTENT, FAR) if concrete else (LEAST_CONTENT_OF_ABSTRACT, 1)
    for number, steps in wordnet.ancestors(synset).items():
        above = wordnet.synset(number)
        if 0 < steps <= most and above.kind == synset.kind and wordnet.information_content(above) >= least:
            yield above, steps


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


def is_common(word: str, wordnet: WordNet) -> bool:
    """Whether WordNet has a word as a common noun, however it is written here."""
    return any(form.islower() for synset in wordnet.synsets(word) for form in synset.words)


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
    """Pairs (part, whole) of terms."""
    listed = _listed(terms, wordnet)
    return [
        (part, whole)
        for part, synset in senses.items()
        if synset.kind in CONCRETE
        for found in wordnet.wholes(synset)
        for whole in listed.get(found.id, ())
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
        for synset in synsets[:MEANINGS] if len(synsets) <= 2 * MEANINGS else ():
            listed.setdefault(synset.id, []).append(position)
    return listed


def _may_be_asked(term: Term) -> bool:
    # A short word is often an abbreviation that WordNet takes for something else.
    return term.language == "en" and len(term.label) > 3 and not term.label.isupper()
