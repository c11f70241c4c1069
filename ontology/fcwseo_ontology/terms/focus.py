"""Which terms of a corpus belong to a topic: all, or, of a mixed corpus, those that keep company with it."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from fcwseo_ontology.bits import bits
from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.tokens import STEMMERS, key, language_of, words
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.terms.extract import Term, extract_terms

# A topic with one of its words in this share of the documents is what the corpus is about.
MAIN_SHARE = 0.2
# So many times commoner than elsewhere must a term be in the documents on a side issue.
LEAST_LIFT = 3.0
# On fewer documents than this a term may stand in a single one.
FEW = 10


def topical_terms(corpus: Corpus, topic: str, *, limit: int) -> list[Term]:
    """The topic, as the first term, and up to ``limit`` others, the best or closest first."""
    language = _language(corpus, topic)
    root = key(topic, language)
    found = occurrences(corpus, [root, *(key(word, language) for word in words(topic, language))], language)
    some = 0
    for documents in found.values():
        some |= documents
    if not some:
        raise InvalidInput(f"no document of the corpus speaks of {topic!r}: choose a topic that it names")
    if some.bit_count() >= MAIN_SHARE * len(corpus.documents):
        terms = extract_terms(corpus, limit=limit + 1)
    else:
        terms = _near(corpus, found[root] or some, language, limit=limit + 1)
    same = next(
        (term for term in terms if term.key == root), Term(topic, root, (), language, found[root], 0.0)
    )
    first = replace(same, label=topic, variants=tuple(dict.fromkeys((same.label, *same.variants))))
    return [first, *(term for term in terms if term.key != root)][: limit + 1]


def _language(corpus: Corpus, topic: str) -> str:
    """That of most documents that name the topic, or else of most: a word or two do not tell it."""
    told = language_of(topic)
    if told != "en":
        return told
    stemmed = [document for document in corpus.documents if document.language in STEMMERS]
    naming = [one for one in stemmed if topic.casefold() in f"{one.title}\n{one.text}".casefold()]
    votes = Counter(document.language for document in naming or stemmed)
    return max(votes, key=lambda language: votes[language], default=told)


def _near(corpus: Corpus, documents: int, language: str, *, limit: int) -> list[Term]:
    """The terms of the documents on the topic that are much rarer elsewhere, the closest first."""
    some = replace(corpus, documents=tuple(corpus.documents[number] for number in bits(documents)))
    terms = extract_terms(some, limit=4 * limit, minimum_df=2 if len(some.documents) >= FEW else 1)
    terms = [term for term in terms if term.language == language]
    everywhere = occurrences(corpus, [term.key for term in terms], language)
    scores = {one: closeness(mask, documents, len(corpus.documents)) for one, mask in everywhere.items()}
    near = [
        replace(term, documents=everywhere[term.key])
        for term in terms
        if scores[term.key] > 0 and everywhere[term.key].bit_count() > 1
    ]
    return sorted(near, key=lambda term: (-scores[term.key], term.key))[:limit]


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
