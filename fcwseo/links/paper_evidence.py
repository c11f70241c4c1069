"""The evidence for the objectives of followed and open links, as in the paper.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, equations 11 to 13.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats
from fcwseo.relevance.paper import PaperRelevance

_REFRESH = 200  # downloads after which the relevance of all anchors is recomputed; earlier at first
_MOST_ANCHORS = 1 << 16  # anchors with cached feature words


class Evidence:
    """The evidence of each link, in columns by the number of its target.

    F2 is the mean over the distinct pages that contain the link, F3 the largest relevance of its anchors. The
    rarity of feature words changes with every page; F3 is updated every 200 pages.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> evidence = Evidence(PaperRelevance(topic_of_words("rain", {"rainstorm": 0.8, "flood": 0.6})))
    >>> evidence.link(1, 0.5, "A flood")
    0.6
    >>> evidence.link(1, 0.1, "more")
    0.0
    >>> evidence.rows([1], np.array([0.25]))
    array([[0.45, 0.3 , 0.6 , 0.25]])
    """

    def __init__(self, relevance: PaperRelevance) -> None:
        self._relevance = relevance
        self._f1 = Column(np.float64)  # NaN if not visited
        self._sum = Column(np.float64)
        self._parents = Column(np.int32)
        self._anchors = _Anchors(relevance)

    def link(self, target: int, parent: float, *anchors: str) -> float:
        """Add the anchors of links to ``target`` on a page of relevance ``parent``. Returns the
        largest R(a).
        """
        self._grow(target + 1)
        self._sum.values[target] += parent
        self._parents.values[target] += 1
        return max((self._anchors.add(target, anchor) for anchor in anchors), default=0.0)

    def visit(self, link: int, page: int, relevance: float) -> None:
        """Record that a link led to a page of this relevance, with another number after a redirect."""
        self._grow(max(link, page) + 1)
        self._f1.values[page] = relevance
        if link != page:
            self._sum.values[page] += self._sum.values[link]
            self._parents.values[page] += self._parents.values[link]
            self._anchors.copy(link, page)

    def refresh(self) -> None:
        """Recompute the relevance of anchors if it is outdated."""
        self._anchors.refresh()

    def rows(self, numbers: Sequence[int] | NDArray[np.int64], f4: Floats) -> Floats:
        """F1 to F4, one row each. F1 of an unvisited link is the mean of F2 and F3."""
        at = np.asarray(numbers, np.int64)
        self._grow(int(at.max(initial=-1)) + 1)
        f1 = self._f1.values[at]
        f2 = self._sum.values[at] / np.maximum(self._parents.values[at], 1)
        f3 = self._anchors.best(at)
        return np.column_stack([np.where(np.isnan(f1), estimate(f2, f3), f1), f2, f3, f4])

    def _grow(self, size: int) -> None:
        self._f1.fill(size, np.nan)
        self._sum.fill(size, 0)
        self._parents.fill(size, 0)
        self._anchors.grow(size)


class _Anchors:
    """F3 of each number. Anchors with the same feature words form one kind, which is scored once."""

    def __init__(self, relevance: PaperRelevance) -> None:
        self._relevance = relevance
        self._read: dict[str, int] = {}
        self._kinds: dict[tuple[tuple[int, int], ...], int] = {(): 0}
        self._values = Column(np.float64)
        self._values.extend([0.0])
        self._f3 = Column(np.float64)
        self._kinds_of: dict[
            int, dict[int, None]
        ] = {}  # only for numbers whose anchors contain feature words
        self._judged = 0

    def grow(self, size: int) -> None:
        self._f3.fill(size, 0)

    def best(self, numbers: NDArray[np.int64]) -> Floats:
        f3: Floats = self._f3.values[numbers]
        return f3

    def add(self, number: int, anchor: str) -> float:
        kind = self._kind(anchor)
        if kind:
            self._pair(number, kind)
        return float(self._values.values[kind])

    def copy(self, here: int, there: int) -> None:
        for kind in self._kinds_of.get(here, ()):
            self._pair(there, kind)

    def refresh(self) -> None:
        if self._relevance.pages < min(2 * self._judged, self._judged + _REFRESH):
            return
        self._judged = self._relevance.pages
        self._values.values[:] = [self._relevance.of_features(dict(kind)) for kind in self._kinds]
        self._f3.values[:] = 0
        pairs = [(number, kind) for number, kinds in self._kinds_of.items() for kind in kinds]
        numbers, kinds = np.array(pairs, np.int64).reshape(-1, 2).T
        np.maximum.at(self._f3.values, numbers, self._values.values[kinds])

    def _pair(self, number: int, kind: int) -> None:
        self._kinds_of.setdefault(number, {})[kind] = None
        f3 = self._f3.values
        f3[number] = max(f3[number], self._values.values[kind])

    def _kind(self, anchor: str) -> int:
        kind = self._read.get(anchor)
        if kind is None:
            counts = self._relevance.features(anchor)
            kind = self._kinds.setdefault(tuple(sorted(counts.items())), len(self._kinds))
            if kind == len(self._values.values):
                self._values.extend([self._relevance.of_features(counts)])
            if len(self._read) < _MOST_ANCHORS:
                self._read[anchor] = kind
        return kind


def estimate(f2: Floats, f3: Floats) -> Floats:
    """The estimate of F1 of an unvisited link: the mean of F2 and F3.

    >>> estimate(np.array([1.0]), np.array([0.5]))
    array([0.75])
    """
    return 0.5 * f2 + 0.5 * f3
