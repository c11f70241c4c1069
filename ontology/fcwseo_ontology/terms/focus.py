"""Which terms of a corpus belong to a topic: all, or, of a mixed corpus, those that keep company with it."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from fcwseo_ontology.bits import bits
from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.tokens import STEMMERS, key, language_of, words
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.terms.cleaning import merged, nouns_only
from fcwseo_ontology.terms.extract import Term, extract_terms
from fcwseo_ontology.terms.likeness import likeness, vectors_of
from fcwseo_ontology.terms.reading import Reading, read

SMALL = 100  # documents: a corpus of so few was gathered for its topic
MAIN_SHARE = 0.8  # of the documents: a topic that so many name is what the corpus is about
LIKE = 1.5  # times as alike as to the others are documents on a side issue
LEAST_LIFT = 3.0  # so many times commoner than elsewhere must a term be in the documents on a side issue
FEW = 10  # documents: on fewer than this a term may stand in a single one
RESERVE = 1.25  # times as many candidates as terms are wanted, since some are none
LONGEST_TOPIC = 200  # characters; far longer ones take all memory


@dataclass(frozen=True, slots=True)
class Topical:
    """The topic as first term, then the others, the best or closest first.

    ``naming``: the documents that name the topic or a word of it. ``apart``: the documents on a side issue,
    whose terms these are; 0 if they are those of the whole corpus.
    """

    terms: tuple[Term, ...]
    naming: int
    apart: int

    @property
    def side_issue(self) -> bool:
        """Whether the topic is a side issue of the corpus."""
        return bool(self.apart)


def topical_terms(
    corpus: Corpus,
    topic: str,
    *,
    limit: int,
    minimum_df: int | None = None,
    whole_corpus: bool = False,
    reading: Reading | None = None,
) -> Topical:
    """The topic, and up to ``limit`` terms: of the whole corpus, or near the topic if it is a side issue."""
    if not 0 < len(topic.strip()) <= LONGEST_TOPIC:
        raise InvalidInput(
            f"the topic has {len(topic.strip())} characters: give a label of 1 to {LONGEST_TOPIC} characters"
        )
    reading = reading or read(corpus)
    language = _language(corpus, topic)
    root = key(topic, language)
    found = occurrences(corpus, [root, *(key(word, language) for word in words(topic, language))], language)
    naming = 0
    for documents in found.values():
        naming |= documents
    if not naming and not whole_corpus:
        raise InvalidInput(
            f"no document of the corpus speaks of {topic!r}: "
            "choose a topic that it names, or give --whole-corpus"
        )
    apart = 0 if whole_corpus else _apart(corpus, naming, found[root])
    if apart:
        terms = _near(corpus, reading, apart, language, limit=limit + 1, minimum_df=minimum_df)
    else:
        terms = best_terms(corpus, limit=limit + 1, minimum_df=minimum_df, reading=reading)
    same = next(
        (term for term in terms if term.key == root), Term(topic, root, (), language, found[root], 0.0)
    )
    first = replace(same, label=topic, variants=tuple(dict.fromkeys((same.label, *same.variants))))
    others = [term for term in terms if term.key != root][:limit]
    return Topical((first, *others), naming, apart)


def _apart(corpus: Corpus, naming: int, whole_name: int) -> int:
    """The documents on a side issue: those with a word of it or with its whole name, whichever stand apart.

    None of a small corpus, and none where nearly all name it.
    """
    total = len(corpus.documents)
    if total <= SMALL or naming.bit_count() >= MAIN_SHARE * total:
        return 0
    vectors = vectors_of(corpus)
    if likeness(vectors, naming) < LIKE:
        return 0
    return max((naming, whole_name), key=lambda documents: likeness(vectors, documents))


def best_terms(
    corpus: Corpus, *, limit: int, minimum_df: int | None = None, reading: Reading | None = None
) -> list[Term]:
    """The best terms of a corpus, no verbs, and none twice in two spellings."""
    reading = reading or read(corpus)
    more = int(RESERVE * limit) + 10
    candidates = extract_terms(corpus, limit=more, minimum_df=minimum_df, reading=reading)
    return merged(nouns_only(candidates, reading))[:limit]


def _language(corpus: Corpus, topic: str) -> str:
    """That of most documents that name the topic, or else of most: a word or two do not tell it."""
    told = language_of(topic)
    if told != "en":
        return told
    stemmed = [document for document in corpus.documents if document.language in STEMMERS]
    naming = [one for one in stemmed if topic.casefold() in f"{one.title}\n{one.text}".casefold()]
    votes = Counter(document.language for document in naming or stemmed)
    return max(votes, key=lambda language: votes[language], default=told)


def _near(
    corpus: Corpus, reading: Reading, documents: int, language: str, *, limit: int, minimum_df: int | None
) -> list[Term]:
    """The terms of the documents on the topic that are much rarer elsewhere, the closest first."""
    some = replace(corpus, documents=tuple(corpus.documents[number] for number in bits(documents)))
    least = minimum_df or (2 if len(some.documents) >= FEW else 1)
    terms = extract_terms(some, limit=4 * limit, minimum_df=least, reading=reading)
    terms = [term for term in merged(nouns_only(terms, reading)) if term.language == language]
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

    Documents that are a large part of the corpus cannot have a term three times as often as all; then it must
    be halfway to that.

    >>> round(closeness(0b0011, 0b0111, 30), 2), closeness(0b1111, 0b1111, 4), closeness(0b1011, 0b0011, 4)
    (4.61, 0.0, 0.0)
    """
    both = (one & other).bit_count()
    expected = one.bit_count() * other.bit_count() / documents
    least = min(LEAST_LIFT, math.sqrt(documents / max(1, other.bit_count())))
    return both * math.log(both / expected) if both and expected < both >= least * expected else 0.0


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
