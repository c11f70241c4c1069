"""The semantic disambiguation graph: which topic terms mean something else as well, and when they do.

W. Liu and others: A focused crawler based on semantic disambiguation vector space model, Complex &
Intelligent Systems, 2022 (paper 000), equations 10 to 16 and 20.

"Amazon" is a term of a topic of shops, and also a river; on a page it is about the topic if other terms of
the topic stand beside it that often do.

The paper asks a search engine for pages with each topic term. Here the pages are a local sample, such as
those that a crawl has fetched; each is relevant to the topic or not.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Floats

LOW, HIGH = "L", "H"

# Table 2: what topic relevance, popularity and importance are, and what the ambiguity is then.
RULES = {
    (LOW, LOW, LOW): HIGH,
    (LOW, LOW, HIGH): HIGH,
    (LOW, HIGH, LOW): HIGH,
    (HIGH, LOW, LOW): HIGH,
    (LOW, HIGH, HIGH): LOW,
    (HIGH, LOW, HIGH): LOW,
    (HIGH, HIGH, LOW): LOW,
    (HIGH, HIGH, HIGH): LOW,
}
AMBIGUITY = (10.0, 20.0)  # a and b of the output: they follow from the paper's example, and decide nothing
RANGE = (10, 90)  # percentiles of an indicator between which it goes from low to high; the paper has none

_NAMED = 4  # terms beside a removed one

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Equations 13 to 15: how far the rules say low and high, the value of each, and their mean."""

    low: float
    high: float

    @property
    def value_low(self) -> float:
        start, end = AMBIGUITY
        return end - self.low * (end - start)

    @property
    def value_high(self) -> float:
        start, end = AMBIGUITY
        return start + self.high * (end - start)

    @property
    def value(self) -> float:
        return (self.value_low + self.value_high) / 2

    @property
    def is_ambiguous(self) -> bool:
        return self.value >= sum(AMBIGUITY) / 2


@dataclass(frozen=True, slots=True)
class Node:
    """A topic term: its indicators TR, TP and TI, its ambiguity, and the terms that tell what it means.

    ``told_by`` has the co-occurrence degree of each disambiguation term; terms that are clear have none.
    """

    term: str
    indicators: tuple[float, float, float]
    ambiguity: Ambiguity
    told_by: Mapping[int, float]

    @property
    def popularity(self) -> float:
        """The mean degree over all disambiguation terms: what those on a page must reach."""
        return sum(self.told_by.values()) / len(self.told_by) if self.told_by else 0.0


@dataclass(frozen=True, slots=True)
class Removal:
    """A term that is taken from a page since it seems to mean something else there."""

    term: str
    beside: tuple[str, ...]
    degree: float
    least: float

    def __str__(self) -> str:
        """
        >>> print(Removal("amazon", ("shop",), 0.61, 0.735))
        'amazon' is ambiguous, and of what tells its meaning only 'shop' is there: 0.610 of 0.735
        """
        named = ", ".join(map(repr, self.beside[:_NAMED]))
        more = len(self.beside) - _NAMED
        beside = (
            f"only {named}{f' and {more} more' if more > 0 else ''} is there" if named else "nothing is there"
        )
        return (
            f"{self.term!r} is ambiguous, and of what tells its meaning {beside}: "
            f"{self.degree:.3f} of {self.least:.3f}"
        )


@dataclass(frozen=True, slots=True)
class DisambiguationGraph:
    """The semantic disambiguation graph: a node for each topic term."""

    nodes: tuple[Node, ...]

    def removed(self, present: Collection[int]) -> dict[int, Removal]:
        """Equation 20: which of the topic terms on a page are taken from it, and why."""
        found = {}
        for number in present:
            node = self.nodes[number]
            beside = [other for other in node.told_by if other in present]
            degree = sum(node.told_by[other] for other in beside) / len(beside) if beside else 0.0
            if degree < node.popularity:
                terms = tuple(self.nodes[other].term for other in beside)
                found[number] = Removal(node.term, terms, degree, node.popularity)
        return found


def build_graph(terms: Sequence[str], counts: Counts, relevant: Flags) -> DisambiguationGraph:
    """The graph of a sample. ``counts``: how often each term, a column, stands on each page, a row."""
    degrees = co_occurrence(counts > 0, relevant)
    values = indicators(counts, relevant)
    occur = counts.any(axis=0)
    starts, ends = np.percentile(values[occur] if occur.any() else values, RANGE, axis=0)
    nodes = []
    for number, term in enumerate(terms):
        ambiguity = infer(*(high(*x) for x in zip(values[number], starts, ends, strict=True)))
        others = {other: float(degrees[number, other]) for other in range(len(terms)) if other != number}
        told_by = disambiguation_terms(others) if ambiguity.is_ambiguous else {}
        tr, tp, ti = values[number].tolist()
        nodes.append(Node(term, (tr, tp, ti), ambiguity, told_by))
    return DisambiguationGraph(tuple(nodes))


def co_occurrence(has: Flags, relevant: Flags) -> Floats:
    """Equation 10: of the pages with either of two terms, the share that is relevant and has both."""
    present = has.astype(np.float64)
    pages = present.sum(axis=0)
    either = pages[:, np.newaxis] + pages - present.T @ present
    both = present[relevant].T @ present[relevant]
    return np.asarray(both / np.maximum(either, 1))


def indicators(counts: Counts, relevant: Flags, *, smooth: float = 1.0) -> Floats:
    """Equation 11: a row of TR, TP and TI for each term. The relevant pages are those of the topic graph."""
    inside, outside = counts[relevant], counts[~relevant]
    tr = inside.sum(axis=0) / (smooth + outside.sum(axis=0))
    tp = (inside > 0).sum(axis=0) / (smooth + (outside > 0).sum(axis=0))
    own = inside.sum(axis=0)
    ti = np.log(np.maximum(own.sum() - own, 1) / np.maximum(own, 1))
    return np.column_stack((tr, tp, ti))


def high(value: float, start: float, end: float) -> float:
    """Equation 12: how far an indicator is high. It is low by what is missing to 1.

    >>> high(7.1, 2.5, 10.5), high(11, 2.5, 10.5)
    (0.575, 1.0)
    """
    if end <= start:
        return float(value >= start)
    return float(min(1.0, max(0.0, (value - start) / (end - start))))


def infer(*highs: float) -> Ambiguity:
    """Equation 13: a rule holds as far as its weakest condition, a result as far as its strongest rule."""
    results = {LOW: 0.0, HIGH: 0.0}
    for conditions, result in RULES.items():
        pairs = zip(conditions, highs, strict=True)
        holds = min(degree if condition == HIGH else 1 - degree for condition, degree in pairs)
        results[result] = max(results[result], holds)
    return Ambiguity(results[LOW], results[HIGH])


def disambiguation_terms(degrees: Mapping[int, float], *, threshold: float | None = None) -> dict[int, float]:
    """Equation 16: the terms that stand beside an ambiguous one most. The threshold is the mean if not given.

    >>> list(disambiguation_terms({1: 0.36, 3: 0.35, 4: 0.86, 5: 0.61}))
    [4, 5]
    """
    if threshold is None:
        threshold = sum(degrees.values()) / max(len(degrees), 1)
    return {term: degree for term, degree in degrees.items() if degree >= threshold}
