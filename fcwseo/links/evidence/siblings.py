"""Outcomes of the siblings of a page: the pages linked from its parents.

If all followed links of a page led to relevant pages, as on a list of a topic's articles, its other links are
expected to be relevant too, whatever the page's own relevance.
"""

from collections.abc import Sequence

import numpy as np

from fcwseo.columns import Column, Floats, Rows
from fcwseo.links.evidence.outcomes import SHRINK
from fcwseo.links.graph import LinkGraph

PARENTS = 8  # first parents of a page that learn from its outcome

_NONE = -1


class Siblings:
    """Siblings by row, the number of a page in the graph.

    For each page the relevances of its followed links are summed, and the mean is passed on to all its links
    at once, so that a query costs nothing.
    """

    def __init__(self, graph: LinkGraph) -> None:
        self._graph = graph
        self._parents = Column(np.int32)  # PARENTS slots per row, the occupied ones first
        self._sums = Column(np.float64)  # sums of the relevances of the followed links of each page
        self._counts = Column(np.int32)
        self._ups = Column(np.float64)
        self._parts = Column(np.float64)

    def link(self, page: int, targets: Sequence[int]) -> None:
        """Add a page and the targets of its links, each once."""
        self._grow_to(max(targets, default=-1) + 1)
        rows = np.array(targets, np.intp)
        places = self._parents.values.reshape(-1, PARENTS)
        taken = np.count_nonzero(places[rows] != _NONE, axis=1)
        has_room = taken < PARENTS
        places[rows[has_room], taken[has_room]] = page

    def parents(self, row: int) -> list[int]:
        """Add a page to the first parents of its targets that are not fetched."""
        self._grow_to(max(self._graph.size, row + 1))
        place = self._parents.values[row * PARENTS : (row + 1) * PARENTS]
        parents: list[int] = place[place != _NONE].tolist()
        return parents

    def learn(self, row: int, relevance: float) -> None:
        """Record that the page of a row was fetched; pages that link to it later learn nothing from it."""
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
        """The mean relevance of siblings above the mean of all pages, averaged over the parents of a row."""
        self._grow_to(int(rows.max(initial=-1)) + 1)
        above: Floats = self._ups.values[rows] - mean * self._parts.values[rows]
        return above / np.maximum(parents, 1)

    def _grow_to(self, size: int) -> None:
        self._parents.fill(size * PARENTS, _NONE)
        self._sums.fill(size, 0.0)
        self._counts.fill(size, 0)
        self._ups.fill(size, 0.0)
        self._parts.fill(size, 0.0)
