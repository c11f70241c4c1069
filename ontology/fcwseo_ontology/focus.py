"""Which terms of a corpus belong to a topic: all, or those that keep company with it when it is a side issue."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from fcwseo_ontology.context import bits
from fcwseo_ontology.corpus import Corpus, Document
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.terms import Term, extract_terms
from fcwseo_ontology.tokens import key, language_of, words

# A topic with one of its words in this share of the documents is what the corpus is about.
MAIN_SHARE = 0.2
# So many times commoner than elsewhere must a term be in the documents on a side issue.
LEAST_LIFT = 3.0
# On fewer documents than this a term may stand in a single one.
FEW = 10


def topical_terms(corpus: Corpus, topic: str, *, limit: int) -> list[Term]:
    """The topic, as the first term, and up to ``limit`` others, the best or closest first."""
    language = language_of(topic)
    parts = words(topic, language)
    found = occurrences(corpus, [key(topic, language), *(key(part, language) for part in parts)], language)
    whole, *single = (found[one] for one in dict.fromkeys((key(topic, language), *(key(part, language) for part in parts))))
    some = whole
    for mask in single:
        some |= mask
    if not some:
        raise InvalidInput(f"no document of the corpus speaks of {topic!r}: choose a topic that it names")
    root = Term(topic, key(topic, language), (), language, whole, 0.0)
    if some.bit_count() >= MAIN_SHARE * len(corpus.documents):
        terms = extract_terms(corpus, limit=limit + 1)
    else:
        terms = _near(corpus, root, whole or some, limit)
    for term in terms:
        if term.key == root.key:
            root = replace(term, label=topic, variants=(term.label, *term.variants))
    return [root, *(term for term in terms if term.key != root.key)][: limit + 1]


def _near(corpus: Corpus, topic: Term, documents: int, limit: int) -> list[Term]:
    """The terms of the documents on the topic that are much rarer elsewhere, the closest first."""
    some = replace(corpus, documents=tuple(corpus.documents[number] for number in bits(documents)))
    terms = extract_terms(some, limit=4 * limit, minimum_df=2 if len(some.documents) >= FEW else 1)
    terms = [term for term in terms if term.language == topic.language]
    everywhere = occurrences(corpus, [term.key for term in terms], topic.language)
    placed = [replace(term, documents=everywhere[term.key]) for term in terms]
    placed = [term for term in placed if term.documents.bit_count() > 1]
    scores = {term.key: closeness(term.documents, documents, len(corpus.documents)) for term in placed}
    near = (term for term in placed if scores[term.key] > 0)
    return sorted(near, key=lambda term: (-scores[term.key], term.key))


def closeness(one: int, other: int, documents: int) -> float:
    """Shared documents, times the logarithm of how many more they are than chance would have it.

    >>> round(closeness(0b0011, 0b0111, 30), 2), closeness(0b1111, 0b1111, 4)
    (4.61, 0.0)
    """
    both = (one & other).bit_count()
    expected = one.bit_count() * other.bit_count() / documents
    return both * math.log(both / expected) if both and both >= LEAST_LIFT * expected else 0.0


def occurrences(corpus: Corpus, keys: Iterable[str], language: str) -> dict[str, int]:
    """The documents in which each of the keys stands, as bit masks. Chinese keys are found as they stand."""
    masks = dict.fromkeys(keys, 0)
    pad = "" if language == "zh" else " "
    sought = {one: pad + (one.replace(" ", "") if language == "zh" else one) + pad for one in masks}
    for number, document in enumerate(corpus.documents):
        text = _text(document, language)
        for one, phrase in sought.items():
            if phrase in text:
                masks[one] |= 1 << number
    return masks


def _text(document: Document, language: str) -> str:
    text = "\n".join((document.title, document.text, *document.keywords))
    return text.lower() if language == "zh" else f" {key(text, language)} "
