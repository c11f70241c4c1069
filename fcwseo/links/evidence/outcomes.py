"""How fetched pages fared, by groups: a host, a section of it, a place on its pages, a list."""

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats

SHRINK = 3.0  # pages by which a group is drawn to the mean of all

Groups = NDArray[np.integer]


class Outcomes:
    """The number and the sum of relevances of the pages of each group. Groups are numbers from 0.

    >>> outcomes = Outcomes()
    >>> outcomes.add(2, 0.8)
    >>> outcomes.above(np.array([0, 1, 2]), 0.4).tolist()
    [0.0, 0.0, 0.1]
    """

    def __init__(self) -> None:
        self._sums = Column(np.float64)
        self._counts = Column(np.float64)

    def add(self, group: int, relevance: float) -> None:
        """A page that belongs to this group."""
        self._know(group + 1)
        self._sums.values[group] += relevance
        self._counts.values[group] += 1

    def counts(self, groups: Groups) -> Floats:
        self._know(int(groups.max(initial=-1)) + 1)
        counts: Floats = self._counts.values[groups]
        return counts

    def above(self, groups: Groups, mean: float) -> Floats:
        """By how much the groups are above the mean of all pages; few pages say little."""
        counts = self.counts(groups)
        above: Floats = (self._sums.values[groups] - counts * mean) / (counts + SHRINK)
        return above

    def _know(self, size: int) -> None:
        self._sums.fill(size, 0.0)
        self._counts.fill(size, 0.0)
