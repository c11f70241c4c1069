"""The space of web space evolution: distances of links from the bank of seeds, and the radius of its circles.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 6.3.

A distance is a number of links, in either direction. A virtual page links to the first seeds, so that there
is a path between any two pages.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from math import inf, isinf
from typing import NamedTuple

from fcwseo.links.graph import LinkGraph, Nearest


class Near(NamedTuple):
    """The seat of the seed nearest to a link, and its distance; infinite if no seed is in reach."""

    seat: int
    distance: float


class Search(StrEnum):
    """How often the distances to the bank are computed.

    The paper computes them after each replacement. Once per round is cheaper: a test link then competes for
    the seat that was nearest at the end of the round. Most links of a round are links of the bank's own
    pages, at distance 1, so few are far.
    """

    PER_REPLACEMENT = "per-replacement"
    PER_ROUND = "per-round"


class Surroundings:
    """The nearest seed of each link: one search from all seeds at once serves all test links.

    A search ends as soon as possible, and never passes the radius.
    """

    def __init__(self, graph: LinkGraph, search: Search = Search.PER_REPLACEMENT) -> None:
        self._graph = graph
        self._search = search
        self._sources: list[int] = []
        self._found: Nearest | None = None
        self._within: float = -1

    def forget(self) -> None:
        """Start a new round: the graph has grown."""
        self._found, self._within = None, -1

    def nearest(self, seeds: Sequence[int], test: int, *, radius: float) -> Near:
        if self._found is None or (self._search is Search.PER_REPLACEMENT and self._sources != seeds):
            self.forget()
            self._sources = list(seeds)
        while True:
            if self._found is not None and self._found.distance[test] >= 0:
                return Near(int(self._found.source[test]), float(self._found.distance[test]))
            if self._within >= min(radius, self._graph.size):
                return Near(-1, inf)
            self._within = min(max(1, 2 * self._within), max(radius, 0))
            limit = None if isinf(self._within) else int(self._within)
            self._found = self._graph.nearest(self._sources, within=limit)


class Schedule(StrEnum):
    """How the radius changes after each update. All except ``CSA`` begin with half the mean distance."""

    PAPER = "paper"  # doubled: after two rounds every link is near
    SLOW = "slow"  # times 1.1
    RECOMPUTE = "recompute"  # half of the present mean distance of the bank
    CSA = "csa"  # starts at the mean distance, then times 0.9, as in conformational space annealing


_FACTORS = {Schedule.PAPER: 2.0, Schedule.SLOW: 1.1, Schedule.CSA: 0.9}


class Radius:
    """d_space.

    >>> radius = Radius(Schedule.PAPER, 2.0)
    >>> radius.advance(lambda: 3.0)
    >>> radius.value
    2.0
    """

    def __init__(self, schedule: Schedule, d_ave: float) -> None:
        self._schedule = schedule
        self.value = d_ave if schedule is Schedule.CSA else d_ave / 2

    def advance(self, d_ave: Callable[[], float]) -> None:
        """Change the radius after an update; ``d_ave`` is called only if needed."""
        if self._schedule is Schedule.RECOMPUTE:
            self.value = d_ave() / 2
        else:
            self.value *= _FACTORS[self._schedule]


def mean_distance(graph: LinkGraph, numbers: Sequence[int]) -> float:
    """d_ave: the mean distance between two of these pages; 2 (through the virtual page) if there are fewer
    than two.

    >>> graph = LinkGraph()
    >>> graph.add(0, [1, 2, 3], [0, 0, 0])
    >>> mean_distance(graph, [1, 2, 3]), mean_distance(graph, [0, 1, 2])
    (2.0, 1.3333333333333333)
    """
    if len(numbers) < 2:
        return 2.0
    total = 0.0
    for place, here in enumerate(numbers):
        distances = graph.distances([here])[numbers[place + 1 :]]
        total += float(distances.sum()) if (distances >= 0).all() else inf
    return 2 * total / (len(numbers) * (len(numbers) - 1))
