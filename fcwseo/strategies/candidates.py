"""Candidates: the open links from which a generation is selected, with their evidence."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.circles import Circles
from fcwseo.links.evidence.predictor import Fit, Predictor
from fcwseo.links.evidence.table import LinkTable

POOL = 256  # number of best candidates that stay candidates of the next choice
FRESH = 250  # links per page read from the table; bounds the cost of a page
HOSTS = 100  # hosts whose best link may explore

OBJECTIVES = ("F1", "F2", "F3", "F4", "novelty", "pagination", "uncertainty")
PAGINATION = OBJECTIVES.index("pagination")


class Snapshot(NamedTuple):
    """Candidates at the moment of a choice. Arrays have an entry, or a row, for each candidate."""

    rows: Rows  # of the table of links
    evidence: Floats
    fit: Fit  # features from which F1 was predicted
    objectives: Floats  # all objectives except uncertainty
    near: NDArray[np.bool_]  # whether the candidate is in a circle around the bank of seeds
    expected: Floats  # F1 before correction and clipping to [0, 1]
    worth: Floats
    order: Rows  # indices of the candidates in the order of selection

    def uncertainty(self, indices: Rows) -> Floats:
        return self.fit.uncertainty(self.evidence[indices])

    def points(self, indices: Rows) -> Floats:
        """The seven objectives of the fronts. F1 is not clipped, so there are no ties at 0 and 1."""
        others = self.objectives[indices, 1:]
        return np.column_stack((self.expected[indices], others, self.uncertainty(indices)))


class Candidates:
    """All open links if they are few or have not been read recently; else a pool of them.

    The pool consists of the best candidates of the last choice, the best link of each host, and the links of
    pages fetched since.
    """

    def __init__(self, table: LinkTable, predictor: Predictor, circles: Circles, *, later: float) -> None:
        self._table, self._predictor, self._circles = table, predictor, circles
        self._later = later
        self._pool: Rows = np.empty(0, np.intp)
        self._fresh: dict[int, None] = {}  # links of pages fetched since the last choice
        self._pages = 0  # pages since all open links were read
        self._read = 0  # links at that time

    def add(self, links: Iterable[int]) -> None:
        """The links of a page."""
        self._fresh |= dict.fromkeys(links)
        self._pages += 1

    def current(self) -> Snapshot:
        """The candidates of the next choice, scored by a new fit of the predictor."""
        everything = self._table.open
        rows = self._pool_rows(everything) if self._pages * FRESH < self._read else everything
        evidence = self._table.evidence(rows)
        if rows is everything and len(rows):
            self._pages, self._read = 0, len(rows)
            self._predictor.refit(evidence)
        else:
            self._predictor.refit()
        found = self._snapshot(rows, evidence, self._predictor.fit)
        self._pool = np.union1d(rows[found.order[:POOL]], rows[self.best_of_hosts(found)])
        self._fresh.clear()
        return found

    def preview(self) -> Snapshot:
        """All open links, scored with current knowledge; changes nothing."""
        rows = self._table.open
        evidence = self._table.evidence(rows)
        return self._snapshot(rows, evidence, self._predictor.fitted(self._predictor.scale_of(evidence)))

    def best_of_hosts(self, found: Snapshot) -> Rows:
        """The indices of the best candidate of each of the best hosts."""
        hosts = self._table.host.values[found.rows]
        order = np.lexsort((-found.worth, hosts))
        first = order[np.diff(hosts[order], prepend=-1) > 0]
        return np.sort(first[np.argsort(-found.worth[first], kind="stable")[:HOSTS]])

    def _pool_rows(self, everything: Rows) -> Rows:
        """The open links of the pool and of fresh pages; all open links if there are none."""
        rows = np.union1d(self._pool, np.fromiter(self._fresh, np.intp))
        rows = rows[self._table.are_open(rows)]
        return rows if len(rows) else everything

    def _snapshot(self, rows: Rows, evidence: Floats, fit: Fit) -> Snapshot:
        expected = fit.predict(evidence)
        objectives = np.column_stack((fit.f1(expected), self._objectives(rows)))
        near = self._circles.contain(rows)
        value = worth(expected, objectives[:, PAGINATION])
        order = np.lexsort((-value, ~near))  # near links first
        return Snapshot(rows, evidence, fit, objectives, near, expected, value, order)

    def _objectives(self, rows: Rows) -> Floats:
        """F2 to F4, the novelty of the host, and the value of the link's pagination."""
        paged = self._later * self._table.pagination_value(rows)
        return np.column_stack((*self._table.known.objectives(rows), self._table.novelty(rows), paged))


def worth(expected: Floats, paged: Floats) -> Floats:
    """The worth of each link: its expected relevance or the value of its pagination, whichever is larger.

    >>> worth(np.array([-0.1, 0.3, 0.1]), np.array([0.0, 0.2, 0.2])).tolist()
    [-0.1, 0.3, 0.2]
    """
    return np.where(paged > 0, np.maximum(expected, paged), expected)
