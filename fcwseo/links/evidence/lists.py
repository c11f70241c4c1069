"""Paginated lists: the value of their pages, which are not documents themselves.

The pages of a tag, a category or an archive are not relevant, but without them the articles that they list
are never found. A pagination link ("2", "next") has the mean relevance of the pages reached from the other
pages of its list. A list whose last page had no new links, except to further pages of it, has the value 0.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats
from fcwseo.links.evidence.outcomes import Outcomes
from fcwseo.pages import Link
from fcwseo.relevance.form import leads_on, list_of

LATER = 0.8  # weight of the relevance of pages reached through a list, since they are fetched later

_NONE = -1


class Lists:
    """Lists by row, the number of a known URL. Every page belongs to a list, possibly as its only page."""

    def __init__(self) -> None:
        self._lists: dict[str, int] = {}
        self._of_page: dict[int, int] = {}
        self._next = Column(np.int32)  # the list that a row continues
        self._outcomes = Outcomes()  # outcomes of pages linked from the pages of a list
        self._is_fresh = Column(np.bool_)  # whether the last page of a list had new links

    def link(self, page: int, url: str, links: Sequence[Link], rows: Sequence[int], new: range) -> None:
        """Add a page and its links, with the row of each target; rows in ``new`` were unknown before."""
        own = list_of(url)
        this = self._of_page[page] = self._lists.setdefault(own, len(self._lists))
        onward = [
            row
            for link, row in zip(links, rows, strict=True)
            if row != page and leads_on(link.anchor) and list_of(link.target) == own
        ]
        self._grow_to(max(rows, default=page) + 1)
        self._next.values[onward] = this
        self._is_fresh.fill(this + 1, False)
        self._is_fresh.values[this] = len(new) > sum(row in new for row in set(onward))

    def learn(self, row: int, parents: Sequence[int], relevance: float) -> None:
        """Add the outcome of a fetched page to the lists of its ``parents``. An irrelevant page of the list
        itself does not lower the value of the list.
        """
        self._grow_to(row + 1)
        if self._next.values[row] == _NONE:
            for this in dict.fromkeys(self._of_page[parent] for parent in parents if parent in self._of_page):
                self._outcomes.add(this, relevance)

    def pagination_value(self, rows: NDArray[np.intp], mean: float) -> Floats:
        """Mean relevance of pages found through the list that each row continues; 0 if it continues no list.

        It is shrunk towards ``mean``, the mean of all fetched pages, while few pages of the list are known.
        """
        self._grow_to(int(rows.max(initial=-1)) + 1)
        lists = self._next.values[rows]
        pagination_value = np.zeros(len(rows))
        there = np.flatnonzero(lists != _NONE)
        known = lists[there]
        is_known = (self._outcomes.counts(known) > 0) & self._is_fresh.values[known]
        pagination_value[there] = np.where(is_known, mean + self._outcomes.above(known, mean), 0.0)
        return pagination_value

    def _grow_to(self, size: int) -> None:
        self._next.fill(size, _NONE)
