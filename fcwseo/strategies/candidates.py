"""Candidates: the open links among which FCWSEO chooses, with their evidence."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats, Rows
from fcwseo.links.evidence.predictor import Fit, Predictor
from fcwseo.links.evidence.table import LinkTable

POOL = 256  # number of best candidates that stay candidates of the next generation
FRESH = 250  # links per page read from the table; bounds the cost of a page
HOSTS = 300  # best hosts whose best links stay candidates
OF_HOST = 3  # number of these links

OBJECTIVES = ("F1", "F2", "F3", "F4", "pagination")


class Snapshot(NamedTuple):
    """Candidates at the moment of scoring. Arrays have an entry, or a row, for each candidate."""

    rows: Rows  # of the table of links, ascending
    hosts: Rows  # the number of the host, or section, whose seat the candidate competes for
    evidence: Floats
    fit: Fit  # features from which F1 was predicted
    objectives: Floats
    expected: Floats  # F1 before correction and clipping to [0, 1]
    worth: Floats

    def find(self, row: int) -> int | None:
        """The index of a row; None if it is not a candidate."""
        index = int(np.searchsorted(self.rows, row))
        return index if index < len(self.rows) and self.rows[index] == row else None

    def is_listed(self, index: int) -> bool:
        """Whether the worth of a candidate is the outcome of its pagination."""
        return bool(self.worth[index] > self.expected[index])


class Candidates:
    """All open links if they are few or have not been read recently; else a pool of them.

    The pool consists of the best candidates of the last scoring, the best links of each host, and the links
    of pages fetched since. ``one_host``, set by the strategy, says whether sections take the place of hosts.
    """

    def __init__(self, table: LinkTable, predictor: Predictor, *, later: float) -> None:
        self._table, self._predictor = table, predictor
        self._later = later
        self._pool: Rows = np.empty(0, np.intp)
        self._fresh: dict[int, None] = {}  # links of pages fetched since the last choice
        self._pages = 0  # pages since all open links were read
        self._read = 0  # links at that time
        self.one_host = True

    def add(self, links: Iterable[int]) -> None:
        """The links of a page."""
        self._fresh |= dict.fromkeys(links)
        self._pages += 1

    def current(self) -> Snapshot:
        """The candidates of the next generation, scored by a new fit of the predictor."""
        everything = self._table.open
        rows = self._pool_rows(everything) if self._pages * FRESH < self._read else everything
        evidence = self._table.evidence(rows)
        if rows is everything and len(rows):
            self._pages, self._read = 0, len(rows)
            self._predictor.refit(evidence)
        else:
            self._predictor.refit()
        found = self.snapshot(rows, evidence, self._predictor.fit)
        best = np.argsort(-found.worth, kind="stable")[:POOL]
        self._pool = np.union1d(rows[best], rows[self._best_of_hosts(found)])
        self._fresh.clear()
        return found

    def preview(self) -> Snapshot:
        """All open links, scored with current knowledge; changes nothing."""
        rows = self._table.open
        evidence = self._table.evidence(rows)
        return self.snapshot(rows, evidence, self._predictor.fitted(self._predictor.scale_of(evidence)))

    def snapshot(self, rows: Rows, evidence: Floats, fit: Fit) -> Snapshot:
        """These links, scored by a fit of the predictor."""
        expected = fit.predict(evidence)
        paged = self._later * self._table.pagination_value(rows)
        objectives = np.column_stack((fit.f1(expected), *self._table.known.objectives(rows), paged))
        hosts = self._table.sections(rows) if self.one_host else self._table.host.values[rows]
        return Snapshot(
            rows, hosts.astype(np.intp), evidence, fit, objectives, expected, worth(expected, paged)
        )

    def _best_of_hosts(self, found: Snapshot) -> Rows:
        """The indices of the best candidates of each of the best hosts."""
        order = np.lexsort((-found.worth, found.hosts))
        begins = np.flatnonzero(np.diff(found.hosts[order], prepend=-1))
        best = begins[np.argsort(-found.worth[order[begins]], kind="stable")[:HOSTS]]
        ends = np.append(begins, len(order))[np.searchsorted(begins, best) + 1]
        places = best[:, np.newaxis] + np.arange(OF_HOST)
        chosen: Rows = order[places[places < ends[:, np.newaxis]]]
        return chosen

    def _pool_rows(self, everything: Rows) -> Rows:
        """The open links of the pool and of fresh pages; all open links if there are none."""
        rows = np.union1d(self._pool, np.fromiter(self._fresh, np.intp))
        rows = rows[self._table.are_open(rows)]
        return rows if len(rows) else everything


def worth(expected: Floats, paged: Floats) -> Floats:
    """The worth of each link: its expected relevance or the value of its pagination, whichever is larger.

    >>> worth(np.array([-0.1, 0.3, 0.1]), np.array([0.0, 0.2, 0.2])).tolist()
    [-0.1, 0.3, 0.2]
    """
    return np.where(paged > 0, np.maximum(expected, paged), expected)
