"""The circles around the bank of seeds, and how they widen as a crawl stagnates.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 6.3. There the radius follows a schedule (``fcwseo.evolution.paper_radius``); here it grows with the
stagnation of the crawl.
"""

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Rows
from fcwseo.evolution.paper_bank import SeedBank
from fcwseo.evolution.paper_radius import Near, Search, Surroundings
from fcwseo.links.graph import LinkGraph

WIDE = 8.0  # with this radius every link is in a circle


class Circles:
    """A circle around each seed of a bank; all have the same radius, a number of links.

    >>> from random import Random
    >>> circles = Circles(LinkGraph(), SeedBank(2, Random(0)), radius=2.0)
    >>> circles.widen(0.5)
    >>> circles.radius
    3.0
    """

    def __init__(self, graph: LinkGraph, bank: SeedBank, *, radius: float) -> None:
        self._graph, self._bank = graph, bank
        self._surroundings = Surroundings(graph, Search.PER_ROUND)
        self.radius = radius

    @property
    def hold_all(self) -> bool:
        """Whether the circles are so wide that every link is in one."""
        return self.radius >= WIDE

    def contain(self, rows: Rows) -> NDArray[np.bool_]:
        """Whether each of these links is in a circle; all are while the bank is empty."""
        if self.hold_all or not self._bank.seeds:
            return np.ones(len(rows), bool)
        inside: NDArray[np.bool_] = self._distances()[rows] >= 0
        return inside

    def nearest(self, row: int) -> Near:
        """The seed nearest to a link, by distances computed at the first call after ``widen``."""
        return self._surroundings.nearest(self._bank.numbers, row, radius=self.radius)

    def widen(self, stuck: float) -> None:
        """Widen the circles by the stagnation of the crawl, from 0 to 1."""
        self._surroundings.forget()
        self.radius = min(WIDE, self.radius * (1 + stuck))

    def _distances(self) -> NDArray[np.int32]:
        return self._graph.distances(self._bank.numbers, within=int(self.radius))
