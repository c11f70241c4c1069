"""The graph of the known web: links between pages, and distances between pages.

Pages and link targets are numbered from 0 in the order of discovery. Only downloaded pages have links.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column

# The index of incoming links is rebuilt when this share of the links is missing in it.
_UNINDEXED = 0.25


class Nearest(NamedTuple):
    """The distance of each page from the nearest source, in links, and the index of that source.

    Both are -1 if no path leads to a source.
    """

    distance: NDArray[np.int32]
    source: NDArray[np.int32]


class LinkGraph:
    """Links from downloaded pages to numbered pages.

    >>> graph = LinkGraph()
    >>> graph.add(0, [1, 2], [0.5, 0.0])
    >>> graph.add(2, [3, 4], [0.0, 1.0])
    >>> graph.size, graph.distances([1]).tolist()
    (5, [1, 0, 2, 3, 3])
    """

    def __init__(self) -> None:
        self.size = 0
        self._pages = Column(np.int32)
        self._ends = Column(np.int64)
        self._ends.extend([0])
        self._targets = Column(np.int32)
        self._shares = Column(np.float32)
        self._place = Column(np.int32)  # index of each number among the pages, -1 if it is not downloaded
        self._incoming = _Incoming.over(self)

    def add(self, source: int, targets: Sequence[int], shares: Sequence[float]) -> None:
        """Add the distinct targets of a downloaded page's links, each with the relevance R(a) of its
        anchor.
        """
        there, relevance = np.asarray(targets, np.int32), np.asarray(shares, np.float32)
        _check(source, there, relevance)
        if source in self:
            raise ValueError(f"page {source} is already in the graph")
        self.size = max(self.size, source + 1, int(there.max(initial=-1)) + 1)
        self._place.fill(self.size, -1)
        self._place.values[source] = len(self._pages.values)
        self._pages.extend([source])
        self._targets.extend(there)
        self._shares.extend(relevance)
        self._ends.extend([len(self._targets.values)])

    def __contains__(self, page: int) -> bool:
        """Whether the graph has the links of a page."""
        return page < self.size and bool(self._place.values[page] >= 0)

    @property
    def pages(self) -> NDArray[np.int32]:
        """The downloaded pages, in the order of addition."""
        return self._pages.values

    @property
    def ends(self) -> NDArray[np.int64]:
        """Offsets: the links of the i-th page are those from ``ends[i]`` to ``ends[i + 1]``."""
        return self._ends.values

    @property
    def targets(self) -> NDArray[np.int32]:
        """The target of each link."""
        return self._targets.values

    def links_of(self, page: int) -> NDArray[np.int32]:
        """The targets of the links of a downloaded page."""
        place = self._place.values[page]
        return self.targets[self.ends[place] : self.ends[place + 1]]

    @property
    def shares(self) -> NDArray[np.float32]:
        """R(a) of each link."""
        return self._shares.values

    def distances(self, sources: Sequence[int], *, within: int | None = None) -> NDArray[np.int32]:
        """The number of links between each page and the nearest source, in either direction."""
        return self.nearest(sources, within=within).distance

    def nearest(self, sources: Sequence[int], *, within: int | None = None) -> Nearest:
        """The nearest source of each page by one breadth-first search; of equally near sources the first.

        With ``within``, pages farther away are treated as unreachable and not searched.

        >>> graph = LinkGraph()
        >>> graph.add(0, [1, 2], [0, 0])
        >>> graph.nearest([2, 1])
        Nearest(distance=array([1, 0, 0], dtype=int32), source=array([0, 1, 0], dtype=int32))
        """
        found = Nearest(np.full(self.size, -1, np.int32), np.full(self.size, len(sources), np.int32))
        start = np.asarray(sources, np.int64)
        if start.size and (start.min() < 0 or start.max() >= self.size):
            raise ValueError(f"sources must be numbers of pages, from 0 to {self.size - 1}")
        unindexed = self._unindexed()
        reached, label = start, np.arange(len(sources), dtype=np.int32)
        distance = 0
        while reached.size:
            found.distance[reached] = distance
            np.minimum.at(found.source, reached, label)
            if distance == within:
                break
            pages = np.flatnonzero(found.distance == distance)
            late = unindexed.only(found.distance[unindexed.here] == distance)
            pairs = (self._outgoing(pages), self._incoming.of(pages), late)
            here, there = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
            new = found.distance[there] < 0
            reached, label = there[new], found.source[here[new]]
            distance += 1
        found.source[found.distance < 0] = -1
        return found

    def _outgoing(self, pages: NDArray[np.intp]) -> "_Pairs":
        place = self._place.values[pages]
        pages, place = pages[place >= 0], place[place >= 0]
        return _pairs(pages, self.ends[place], self.ends[place + 1], self.targets)

    def _unindexed(self) -> "_Pairs":
        """The links added after the index of incoming links was built, reversed.

        Building the index costs time in proportion to all links; rebuilt at each growth by a quarter, it
        costs little per link.
        """
        first = self.ends[self._incoming.pages]
        if len(self.targets) - first > _UNINDEXED * first:
            self._incoming = _Incoming.over(self)
        counts = np.diff(self.ends[self._incoming.pages :])
        sources = np.repeat(self.pages[self._incoming.pages :], counts)
        return _Pairs(self.targets[len(self.targets) - len(sources) :], sources)


class _Pairs(NamedTuple):
    """Pairs of a page and a page that it is linked with."""

    here: NDArray[np.integer[Any]]
    there: NDArray[np.integer[Any]]

    def only(self, which: NDArray[np.bool_]) -> "_Pairs":
        return _Pairs(self.here[which], self.there[which])


class _Incoming(NamedTuple):
    """The sources of the links to each page, for the pages added first."""

    pages: int
    ends: NDArray[np.int64]
    sources: NDArray[np.int32]

    @classmethod
    def over(cls, graph: LinkGraph) -> "_Incoming":
        sources = np.repeat(graph.pages, np.diff(graph.ends))
        counts = np.bincount(graph.targets, minlength=graph.size)
        ends = np.concatenate([[0], np.cumsum(counts)])
        return cls(len(graph.pages), ends, sources[np.argsort(graph.targets)])

    def of(self, pages: NDArray[np.intp]) -> _Pairs:
        pages = pages[pages < len(self.ends) - 1]
        return _pairs(pages, self.ends[pages], self.ends[pages + 1], self.sources)


def _pairs(
    here: NDArray[np.intp], start: NDArray[np.int64], end: NDArray[np.int64], there: NDArray[np.int32]
) -> _Pairs:
    """Pairs of each page and its entries in ``there``, from ``start`` to ``end``."""
    counts = end - start
    before = np.cumsum(counts) - counts
    places = np.arange(counts.sum()) + np.repeat(start - before, counts)
    return _Pairs(np.repeat(here, counts), there[places])


def _check(source: int, targets: NDArray[np.int32], shares: NDArray[np.float32]) -> None:
    if targets.shape != shares.shape or targets.ndim != 1:
        raise ValueError(f"page {source} has {targets.size} links and {shares.size} relevances of anchors")
    if source < 0 or (targets < 0).any():
        raise ValueError(f"page {source} and its targets must be numbered from 0")
    if not ((shares >= 0) & (shares <= 1)).all():
        raise ValueError(f"page {source} has an anchor with a relevance outside 0 to 1")
    if len(set(targets.tolist())) < targets.size:
        raise ValueError(f"page {source} links twice to the same target: pass each target once")
