"""How the siblings of a page fared: the pages that are linked from where it is linked.

A page whose followed links all led to relevant pages, such as the list of a topic's articles, speaks for its
other links, whatever it says itself.
"""

from collections.abc import Sequence

import numpy as np

from fcwseo.graph import Column, LinkGraph
from fcwseo.known_links import Rows
from fcwseo.outcomes import SHRINK, Floats

PARENTS = 8  # of a page that its relevance speaks for or against, the first ones


class Siblings:
    """Rows are the numbers of the graph.

    For each page the relevances of the followed ones of its links are summed up, and what that says of a link
    is passed on to all its links at once, so that asking costs nothing.
    """

    def __init__(self, graph: LinkGraph) -> None:
        self._graph = graph
        self._parents: dict[int, list[int]] = {}
        self._fared: dict[int, tuple[float, int]] = {}  # of each page: sum and number
        self._ups = Column(np.float64)
        self._parts = Column(np.float64)

    def link(self, page: int, targets: Sequence[int]) -> None:
        """A page and where its links lead."""
        for target in targets:
            parents = self._parents.setdefault(target, [])
            if len(parents) < PARENTS:
                parents.append(page)

    def learn(self, row: int, relevance: float) -> None:
        """The page behind a row was fetched; what links to it later cannot have promised it."""
        self._know(self._graph.size)
        for parent in self._parents.pop(row, ()):
            total, count = self._fared.get(parent, (0.0, 0))
            self._fared[parent] = (total + relevance, count + 1)
            targets = self._graph.links_of(parent)
            self._ups.values[targets] += (total + relevance) / (count + 1 + SHRINK) - total / (count + SHRINK)
            self._parts.values[targets] += (count + 1) / (count + 1 + SHRINK) - count / (count + SHRINK)

    def above(self, rows: Rows, mean: float, parents: Floats) -> Floats:
        """By how much siblings are above the mean of all pages, on the average over a row's parents."""
        self._know(int(rows.max(initial=-1)) + 1)
        above: Floats = self._ups.values[rows] - mean * self._parts.values[rows]
        return above / np.maximum(parents, 1)

    def _know(self, size: int) -> None:
        self._ups.fill(size, 0.0)
        self._parts.fill(size, 0.0)
