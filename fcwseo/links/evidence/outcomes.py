"""Outcomes of fetched pages by group: a host, a section of it, a position on its pages, a list."""

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats

SHRINK = 3.0  # strength of shrinkage to the mean of all pages, as a number of pages

Groups = NDArray[np.integer]


class Outcomes:
    """The number of pages and the sum of their relevances for each group. Groups are numbered from 0.

    >>> outcomes = Outcomes()
    >>> outcomes.add(2, 0.8)
    >>> outcomes.above(np.array([0, 1, 2]), 0.4).tolist()
    [0.0, 0.0, 0.1]
    """

    def __init__(self) -> None:
        self._sums = Column(np.float64)
        self._counts = Column(np.float64)

    def add(self, group: int, relevance: float) -> None:
        """Add a page of this group."""
        self._grow_to(group + 1)
        self._sums.values[group] += relevance
        self._counts.values[group] += 1

    def counts(self, groups: Groups) -> Floats:
        self._grow_to(int(groups.max(initial=-1)) + 1)
        counts: Floats = self._counts.values[groups]
        return counts

    def above(self, groups: Groups, mean: float) -> Floats:
        """The mean relevance of groups above the mean of all pages, shrunk towards 0 for groups of
        few pages.
        """
        counts = self.counts(groups)
        above: Floats = (self._sums.values[groups] - counts * mean) / (counts + SHRINK)
        return above

    def _grow_to(self, size: int) -> None:
        self._sums.fill(size, 0.0)
        self._counts.fill(size, 0.0)
