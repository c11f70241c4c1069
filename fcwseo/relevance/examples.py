"""The documents of a topic as examples: a classifier of documents against pages off the topic.

An ontology names a topic in some eighty words. The documents that it was built from have many more. Words
that only the site of the documents uses would look typical, so the documents are compared with pages of the
same crawl. The classifier is a ridge regression in its dual form: C. Saunders, A. Gammerman, V. Vovk, "Ridge
regression learning algorithm in dual variables", 1998. Each example is left out in turn to find the scale
(G. C. Cawley, N. L. C. Talbot, "Fast exact leave-one-out cross-validation of sparse least-squares support
vector machines", 2004).

It cannot confirm itself: positives are the documents alone, and negatives are ranked by the ontology alone.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Floats
from fcwseo.relevance.words import Matcher, Numbers
from fcwseo_ontology.corpus.tokens import written_words
from fcwseo_ontology.model import DocumentCounts
from fcwseo_ontology.terms.counts import evenly

FEWEST_DOCUMENTS = 5
MOST_DOCUMENTS = 100  # evenly spaced
FEWEST_PAGES = 10
MOST_NEGATIVES = 400
RIDGE = 0.3
MASS = 20.0  # weight of all positives, and of all negatives
BIAS = 0.3  # the last feature of all examples
FEWEST_TO_LEARN = 2  # documents with a word that is no feature word
LEAST_GAP = 0.05  # between the mean scores of the two sides
MOST_LIKE = 1.5  # largest likeness; that of the mean document is 1
_DIGITS = 6  # digits: products differ in the last ones between machines, and crawls must repeat exactly

Words = tuple[Numbers, NDArray[np.floating]]
Rarity = Callable[[Numbers], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class _Classifier:
    """The weights of the columns, and the mean scores of negatives and positives."""

    weights: Floats
    down: float
    gap: float


class Examples:
    """The documents of a topic, and what tells them from pages off the topic."""

    def __init__(self, documents: Sequence[DocumentCounts], matcher: Matcher) -> None:
        """With fewer than five documents nothing is learned."""
        self.documents = evenly(documents, MOST_DOCUMENTS)
        self._matcher = matcher
        self._classifier: _Classifier | None = None

    @property
    def are_fitted(self) -> bool:
        """Whether likeness is known."""
        return self._classifier is not None

    def fit(self, pages: Sequence[Words], judged: Floats, rarity: Rarity) -> None:
        """Learn from the pages so far. ``judged`` is their relevance by the ontology alone."""
        if len(self.documents) < FEWEST_DOCUMENTS or len(pages) < FEWEST_PAGES:
            return
        negatives = [pages[row] for row in _off_topic(judged)]
        examples = np.stack([self._row(*words, rarity(words[0])) for words in (*self._words, *negatives)])
        self._classifier = _fitted(examples, len(self._words))

    def likeness(self, numbers: Numbers, damped: NDArray[np.floating], rarity: Floats) -> float:
        """How like the documents a text is: 0 for one off the topic, 1 for a document, at most 1.5."""
        classifier = self._classifier
        if classifier is None:
            return 0.0
        columns, values = self._values(numbers, damped, rarity)
        score = float((values * classifier.weights[columns]).sum()) + BIAS * float(classifier.weights[-1])
        return round(min(MOST_LIKE, max(0.0, (score - classifier.down) / classifier.gap)), _DIGITS)

    def scores(self, score: Callable[[Numbers, NDArray[np.floating]], float]) -> list[float]:
        """The score of each document."""
        return [score(*words) for words in self._words]

    def nearest(
        self, numbers: Numbers, damped: NDArray[np.floating], rarity: Rarity, *, count: int = 3
    ) -> list[tuple[str, float]]:
        """The documents most like a text, by name, with their cosine; only words of several documents and
        feature words can match.
        """
        if not self.documents:
            return []
        own = self._row(numbers, damped, rarity(numbers))[:-1]
        rows = [self._row(*words, rarity(words[0]))[:-1] for words in self._words]
        cosines = [round(float((own * row).sum()), _DIGITS) for row in rows]
        best = sorted(range(len(rows)), key=lambda at: (-cosines[at], at))[:count]
        return [(self.documents[at].name, cosines[at]) for at in best if cosines[at] > 0]

    @cached_property
    def _words(self) -> list[Words]:
        return [words_of(document, self._matcher) for document in self.documents]

    @cached_property
    def _columns(self) -> NDArray[np.intp]:
        """The column of each word by number, or -1: feature words, and words of several documents."""
        documents = Counter(number for numbers, _ in self._words for number in numbers.tolist())
        several = (number for number, often in documents.items() if often >= FEWEST_TO_LEARN)
        known = sorted({*range(self._matcher.size), *several})
        columns = np.full(known[-1] + 1, -1)
        columns[known] = np.arange(len(known))
        return columns

    def _values(
        self, numbers: Numbers, damped: NDArray[np.floating], rarity: Floats
    ) -> tuple[NDArray[np.intp], Floats]:
        """The columns of a text and their values; the length of a text is that of all its words."""
        values = np.asarray(damped * np.sqrt(rarity), np.float64)
        length = max(float(np.sqrt((values * values).sum())), 1e-12)
        within = int(np.searchsorted(numbers, len(self._columns)))
        columns = self._columns[numbers[:within]]
        is_known = columns >= 0
        return columns[is_known], values[:within][is_known] / length

    def _row(self, numbers: Numbers, damped: NDArray[np.floating], rarity: Floats) -> Floats:
        row = np.zeros(int(self._columns.max()) + 2)
        columns, row_values = self._values(numbers, damped, rarity)
        row[columns] = row_values
        row[-1] = BIAS
        return row


def words_of(document: DocumentCounts, matcher: Matcher) -> Words:
    """The words of a document by number, ascending, and their damped frequencies.

    Words inside a phrase that is a feature word are not counted again.
    """
    left = {tuple(written_words(entry)): count for entry, count in document.counts.items()}
    found: Counter[int] = Counter()
    for phrase in sorted(left, key=len, reverse=True):
        count = left[phrase]
        numbers = matcher.words(" ".join(phrase), document.language) if count > 0 else []
        if len(phrase) > 1 and len(numbers) != 1:
            continue  # a label that the topic no longer has
        found.update(dict.fromkeys(numbers, count))
        for part in _parts(phrase):
            if part in left:
                left[part] -= count
    numbers = sorted(found)
    counts = np.array([found[number] for number in numbers], np.float64)
    return np.array(numbers, np.int32), np.log1p(counts)


def _parts(phrase: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The shorter phrases in a phrase, as often as they occur.

    >>> _parts(("a", "b", "c"))
    [('a',), ('a', 'b'), ('b',), ('b', 'c'), ('c',)]
    """
    ends = range(1, len(phrase) + 1)
    parts = [phrase[start:end] for start in range(len(phrase)) for end in ends if end > start]
    return [part for part in parts if len(part) < len(phrase)]


def _off_topic(judged: Floats) -> list[int]:
    """The less relevant half of the pages; of more than 400 a random sample, in the order of the pages."""
    lower = np.sort(np.argsort(judged, kind="stable")[: len(judged) // 2]).tolist()
    return lower if len(lower) <= MOST_NEGATIVES else sorted(Random(0).sample(lower, MOST_NEGATIVES))


def _fitted(examples: Floats, positives: int) -> _Classifier:
    """The ridge regression of +1 for positives, the first rows, and -1 for negatives."""
    is_positive = np.arange(len(examples)) < positives
    target = np.where(is_positive, 1.0, -1.0)
    weight = MASS / np.where(is_positive, positives, len(examples) - positives)
    inverse = np.linalg.inv(examples @ examples.T + np.diag(RIDGE / weight))
    alpha = inverse @ target
    left_out = target - alpha / np.diag(inverse)
    up, down = float(left_out[is_positive].mean()), float(left_out[~is_positive].mean())
    return _Classifier(examples.T @ alpha, down, max(LEAST_GAP, up - down))
