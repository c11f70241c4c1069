"""How the siblings of a page fared: the pages that are linked from where it is linked.

A page whose followed links all led to relevant pages, such as the list of a topic's articles, speaks for its
other links, whatever it says itself.
"""

from collections.abc import Sequence

import numpy as np

from fcwseo.columns import Column, Floats, Rows
from fcwseo.links.evidence.outcomes import SHRINK
from fcwseo.links.graph import LinkGraph

PARENTS = 8  # of a page that its relevance speaks for or against, the first ones

_NONE = -1


class Siblings:
    """Rows are the numbers of the graph.

    For each page the relevances of the followed ones of its links are summed up, and what that says of a link
    is passed on to all its links at once, so that asking costs nothing.
    """

    def __init__(self, graph: LinkGraph) -> None:
        self._graph = graph
        self._parents = Column(np.int32)  # of each row PARENTS places, the taken ones first
        self._sums = Column(np.float64)  # of the relevances of the followed links of each page
        self._counts = Column(np.int32)
        self._ups = Column(np.float64)
        self._parts = Column(np.float64)

    def link(self, page: int, targets: Sequence[int]) -> None:
        """A page and where its links lead, each target once."""
        self._know(max(targets, default=-1) + 1)
        rows = np.array(targets, np.intp)
        places = self._parents.values.reshape(-1, PARENTS)
        taken = np.count_nonzero(places[rows] != _NONE, axis=1)
        has_room = taken < PARENTS
        places[rows[has_room], taken[has_room]] = page

    def parents(self, row: int) -> list[int]:
        """The first pages that link to a row that was not fetched."""
        self._know(max(self._graph.size, row + 1))
        place = self._parents.values[row * PARENTS : (row + 1) * PARENTS]
        parents: list[int] = place[place != _NONE].tolist()
        return parents

    def learn(self, row: int, relevance: float) -> None:
        """The page behind a row was fetched; what links to it later cannot have promised it."""
        parents = self.parents(row)
        self._parents.values[row * PARENTS : (row + 1) * PARENTS] = _NONE
        for parent in parents:
            total, count = float(self._sums.values[parent]), int(self._counts.values[parent])
            self._sums.values[parent] += relevance
            self._counts.values[parent] += 1
            targets = self._graph.links_of(parent)
            self._ups.values[targets] += (total + relevance) / (count + 1 + SHRINK) - total / (count + SHRINK)
            self._parts.values[targets] += (count + 1) / (count + 1 + SHRINK) - count / (count + SHRINK)

    def above(self, rows: Rows, mean: float, parents: Floats) -> Floats:
        """By how much siblings are above the mean of all pages, on the average over a row's parents."""
        self._know(int(rows.max(initial=-1)) + 1)
        above: Floats = self._ups.values[rows] - mean * self._parts.values[rows]
        return above / np.maximum(parents, 1)

    def _know(self, size: int) -> None:
        self._parents.fill(size * PARENTS, _NONE)
        self._sums.fill(size, 0.0)
        self._counts.fill(size, 0)
        self._ups.fill(size, 0.0)
        self._parts.fill(size, 0.0)
