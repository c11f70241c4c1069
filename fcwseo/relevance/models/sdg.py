"""The semantic disambiguation graph: ambiguous topic terms, and how to recognise their other meaning.

W. Liu and others: A focused crawler based on semantic disambiguation vector space model, Complex &
Intelligent Systems, 2022 (paper 000), equations 10 to 16 and 20.

"Amazon" is a term of a topic of shops, and also a river; a page with it is about the topic if it also
contains terms of the topic that often occur beside it.

The paper queries a search engine for pages with each topic term. Here the pages are a local sample, such as
the pages of a crawl; each is relevant to the topic or not.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Floats

LOW, HIGH = "L", "H"

# Table 2: levels of topic relevance, popularity and importance, and the resulting ambiguity.
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
AMBIGUITY = (
    10.0,
    20.0,
)  # a and b of the output; they follow from the paper's example, without effect on decisions
RANGE = (10, 90)  # percentiles between which an indicator changes from low to high; not given in the paper

_NAMED = 4  # other terms listed for a removed one

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Equations 13 to 15: the strength of the results low and high, the value of each, and their mean."""

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
    """A topic term: its indicators TR, TP and TI, its ambiguity, and its disambiguation terms.

    ``disambiguated_by`` has the co-occurrence degree of each; it is empty for an unambiguous term.
    """

    term: str
    indicators: tuple[float, float, float]
    ambiguity: Ambiguity
    disambiguated_by: Mapping[int, float]

    @property
    def popularity(self) -> float:
        """The mean degree over all disambiguation terms, which those on a page must reach."""
        return (
            sum(self.disambiguated_by.values()) / len(self.disambiguated_by) if self.disambiguated_by else 0.0
        )


@dataclass(frozen=True, slots=True)
class Removal:
    """A term removed from a page because it seems to have another meaning there."""

    term: str
    beside: tuple[str, ...]
    degree: float
    least: float

    def __str__(self) -> str:
        """
        >>> print(Removal("amazon", ("shop",), 0.61, 0.735))
        'amazon' is ambiguous, and of its disambiguation terms the page contains only 'shop': 0.610 of 0.735
        """
        named = ", ".join(map(repr, self.beside[:_NAMED]))
        more = len(self.beside) - _NAMED
        beside = f"only {named}{f' and {more} more' if more > 0 else ''}" if named else "none"
        return (
            f"{self.term!r} is ambiguous, and of its disambiguation terms the page contains {beside}: "
            f"{self.degree:.3f} of {self.least:.3f}"
        )


@dataclass(frozen=True, slots=True)
class DisambiguationGraph:
    """The semantic disambiguation graph: a node for each topic term."""

    nodes: tuple[Node, ...]

    def removed(self, present: Collection[int]) -> dict[int, Removal]:
        """Equation 20: the topic terms to remove from a page, and why."""
        found = {}
        for number in present:
            node = self.nodes[number]
            beside = [other for other in node.disambiguated_by if other in present]
            degree = sum(node.disambiguated_by[other] for other in beside) / len(beside) if beside else 0.0
            if degree < node.popularity:
                terms = tuple(self.nodes[other].term for other in beside)
                found[number] = Removal(node.term, terms, degree, node.popularity)
        return found


def build_graph(terms: Sequence[str], counts: Counts, relevant: Flags) -> DisambiguationGraph:
    """The graph of a sample. ``counts`` is the frequency of each term (column) on each page (row)."""
    degrees = co_occurrence(counts > 0, relevant)
    values = indicators(counts, relevant)
    occur = counts.any(axis=0)
    starts, ends = np.percentile(values[occur] if occur.any() else values, RANGE, axis=0)
    nodes = []
    for number, term in enumerate(terms):
        ambiguity = infer(*(high(*x) for x in zip(values[number], starts, ends, strict=True)))
        others = {other: float(degrees[number, other]) for other in range(len(terms)) if other != number}
        disambiguated_by = disambiguation_terms(others) if ambiguity.is_ambiguous else {}
        tr, tp, ti = values[number].tolist()
        nodes.append(Node(term, (tr, tp, ti), ambiguity, disambiguated_by))
    return DisambiguationGraph(tuple(nodes))


def co_occurrence(has: Flags, relevant: Flags) -> Floats:
    """Equation 10: among the pages with either of two terms, the share of relevant pages with both."""
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
    """Equation 12: the degree to which an indicator is high; the degree of low is the rest to 1.

    >>> high(7.1, 2.5, 10.5), high(11, 2.5, 10.5)
    (0.575, 1.0)
    """
    if end <= start:
        return float(value >= start)
    return float(min(1.0, max(0.0, (value - start) / (end - start))))


def infer(*highs: float) -> Ambiguity:
    """Equation 13: a rule is as strong as its weakest condition, a result as its strongest rule."""
    results = {LOW: 0.0, HIGH: 0.0}
    for conditions, result in RULES.items():
        pairs = zip(conditions, highs, strict=True)
        holds = min(degree if condition == HIGH else 1 - degree for condition, degree in pairs)
        results[result] = max(results[result], holds)
    return Ambiguity(results[LOW], results[HIGH])


def disambiguation_terms(degrees: Mapping[int, float], *, threshold: float | None = None) -> dict[int, float]:
    """Equation 16: the terms most often beside an ambiguous one. The default threshold is the mean.

    >>> list(disambiguation_terms({1: 0.36, 3: 0.35, 4: 0.86, 5: 0.61}))
    [4, 5]
    """
    if threshold is None:
        threshold = sum(degrees.values()) / max(len(degrees), 1)
    return {term: degree for term, degree in degrees.items() if degree >= threshold}
