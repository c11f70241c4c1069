"""Which meaning of WordNet a term of a corpus has, and what WordNet says about the terms then.

A word of a corpus keeps one meaning (W. Gale, K. Church, D. Yarowsky, One sense per discourse, 1992). It is the one
whose ancestors and gloss have most in common with the other terms; "landslide" among floods is no election.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from fcwseo_ontology.terms import Term
from fcwseo_ontology.tokens import stem, words
from fcwseo_ontology.wordnet import Synset, WordNet

# Kinds of things that a corpus and a dictionary mean alike. What they call a query, a model or a score, they do not.
CONCRETE = frozenset("animal artifact body food location object person phenomenon plant substance".split())
# Above this lies what everything is: events, states, instruments.
LEAST_CONTENT = 0.5
# Of so many meanings the term may have, and so many steps of ancestors count as company.
MEANINGS = 3
NEAR = 3


def choose_senses(terms: Sequence[Term], wordnet: WordNet) -> dict[int, Synset]:
    """For each term that WordNet knows, by position: the meaning that fits the others best.

    Words of many meanings are left alone, and so are words that are meant in another than their commonest sense:
    too often that is a guess.
    """
    candidates = {
        position: wordnet.synsets(term.label) for position, term in enumerate(terms) if _may_be_asked(term)
    }
    shared = _terms_near(candidates, wordnet)
    vocabulary = frozenset(stem(word) for term in terms for word in words(term.label))
    best = {
        position: max(synsets[:MEANINGS], key=lambda one: _fit(one, synsets, wordnet, shared, vocabulary))
        for position, synsets in candidates.items()
        if 0 < len(synsets) <= 2 * MEANINGS
    }
    return {position: synset for position, synset in best.items() if synset.id == candidates[position][0].id}


def _terms_near(candidates: Mapping[int, Sequence[Synset]], wordnet: WordNet) -> Counter[int]:
    """How many terms have some meaning within a few steps below each synset."""
    near: Counter[int] = Counter()
    for synsets in candidates.values():
        near.update({number for synset in synsets for number in _near(synset, wordnet)})
    return near


def _near(synset: Synset, wordnet: WordNet) -> dict[int, int]:
    return {number: steps for number, steps in wordnet.ancestors(synset).items() if steps <= NEAR}


def _fit(
    synset: Synset,
    synsets: Sequence[Synset],
    wordnet: WordNet,
    shared: Counter[int],
    vocabulary: frozenset[str],
) -> float:
    """Its company among the ancestors and in the gloss, divided by its place in the list of meanings."""
    company = sum((shared[number] - 1) / (1 + steps) for number, steps in _near(synset, wordnet).items())
    gloss = {stem(word) for word in words(synset.gloss.partition('"')[0])}
    return (1 + company + len(gloss & vocabulary)) / (1 + synsets.index(synset) / 2)


def kinds(terms: Sequence[Term], senses: Mapping[int, Synset], wordnet: WordNet) -> dict[int, dict[int, int]]:
    """``{child: {parent: steps}}`` for terms that WordNet calls a kind of another, near and telling enough."""
    listed = _listed(terms, wordnet)
    found: dict[int, dict[int, int]] = {}
    for child, synset in senses.items():
        if synset.kind in CONCRETE:
            for number, steps in wordnet.ancestors(synset).items():
                if 0 < steps < NEAR and wordnet.information_content(wordnet.synset(number)) >= LEAST_CONTENT:
                    for parent in listed.get(number, ()):
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
    ]


def contradicts_head(label: str, head: str, wordnet: WordNet) -> bool:
    """Whether WordNet lists a compound, but not as a kind of its head: a neural network is no network there."""
    heads = {synset.id for synset in wordnet.synsets(head)}
    compounds = wordnet.synsets(label)
    return bool(compounds) and not any(heads & wordnet.ancestors(synset).keys() for synset in compounds)


def _listed(terms: Sequence[Term], wordnet: WordNet) -> dict[int, list[int]]:
    """The terms under each of the synsets that may be meant; a child that names one of them has chosen it."""
    listed: dict[int, list[int]] = {}
    for position, term in enumerate(terms):
        if _may_be_asked(term):
            synsets = wordnet.synsets(term.label)
            for synset in synsets[:MEANINGS] if len(synsets) <= 2 * MEANINGS else ():
                listed.setdefault(synset.id, []).append(position)
    return listed


def _may_be_asked(term: Term) -> bool:
    # A short word is often an abbreviation that WordNet takes for something else.
    return term.language == "en" and len(term.label) > 3 and not term.label.isupper()
