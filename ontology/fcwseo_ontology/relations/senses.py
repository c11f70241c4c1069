"""Which meaning of WordNet a term of a corpus has, and what WordNet says about the terms then.

A word keeps one meaning within a corpus (W. Gale, K. Church, D. Yarowsky, One sense per discourse, 1992): the
one whose ancestors and gloss have most in common with the other terms.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

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
# Above this lies what everything is: events, states, instruments.
LEAST_CONTENT = 0.5
# So many of its meanings a term may have, and so many steps of ancestors count as company.
MEANINGS = 3
NEAR = 3


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
            if all(fits[0] >= fit / (1 + rank / 2) for rank, fit in enumerate(fits)):
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


def kinds(terms: Sequence[Term], senses: Mapping[int, Synset], wordnet: WordNet) -> dict[int, dict[int, int]]:
    """``{child: {parent: steps}}`` of terms that WordNet calls a kind of another, near and telling enough."""
    listed = _listed(terms, wordnet)
    found: dict[int, dict[int, int]] = {}
    for child, synset in senses.items():
        for number, steps in wordnet.ancestors(synset).items() if synset.kind in CONCRETE else ():
            above = wordnet.synset(number)
            telling = above.kind == synset.kind and wordnet.information_content(above) >= LEAST_CONTENT
            for parent in listed.get(number, ()) if 0 < steps < NEAR and telling else ():
                found.setdefault(child, {}).setdefault(parent, steps)
    return found


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
    """Whether WordNet lists a compound, but not as a kind of its head: a search engine is no engine there."""
    heads = {synset.id for synset in wordnet.synsets(head)}
    compounds = wordnet.synsets(label)
    return bool(compounds) and not any(heads & wordnet.ancestors(synset).keys() for synset in compounds)


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
