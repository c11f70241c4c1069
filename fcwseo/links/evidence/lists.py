"""Paginated lists: the value of their pages, which are not documents themselves.

The pages of a tag, a category or an archive are not relevant, but without them the articles that they list
are never found. A pagination link ("2", "next") has the mean relevance of the pages reached from the other
pages of its list. A list whose last page had no new links, except to further pages of it, has the value 0.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats
from fcwseo.links.evidence.outcomes import Outcomes
from fcwseo.pages import Link

LATER = 0.8  # weight of the relevance of pages reached through a list, since they are fetched later
LONGEST = 20  # characters of a pagination anchor
LONGEST_ADDRESS = 2000  # characters of the URL of a list

_NONE = -1
_ONWARD = frozenset(
    "next older weiter nächste suivant siguiente próxima successiva".split()
    + "далее следующая 下一页 下页 次へ 다음".split()
)
_NOT_A_LETTER = re.compile(r"[\W\d_]+")
_NUMBER = re.compile(
    r"""(?<=[?&])(?:page|paged|pg|pn|start|offset|from)=\d++(?:&|$)  # of the page, as a parameter
      | (?:/(?:page|seite|pagina)/\d++|/\d{1,3})/?$                  # as the end of the path: a small one
      | (?:(?<=/)(?:index|page|list))?[-_]?(?<!\d)\d{1,3}(?=\.\w{1,8}$)  # in the name of the file
      | (?<=/)(?:index|page|list)(?=\.\w{1,8}$)                       # missing on the first page
    """,
    re.VERBOSE,
)


def list_of(url: str) -> str:
    """The URL of a list: the URL of any of its pages without the page number.

    >>> {list_of(f"http://a.org/tags/rain{end}") for end in ("/", "/page/2/", "/3", "?page=4")}
    {'a.org/tags/rain'}
    >>> list_of("http://a.org/forum?f=7&start=50"), list_of("http://a.org/news/index_2.html")
    ('a.org/forum?f=7', 'a.org/news/.html')
    """
    if len(url) > LONGEST_ADDRESS:
        return url
    return _NUMBER.sub("", url.partition("://")[2]).rstrip("/?&")


def leads_on(anchor: str) -> bool:
    """Whether an anchor may point to another page of the same list.

    >>> [leads_on(anchor) for anchor in ("2", "»", "Next page", "下一页", "2 dead in flood", "")]
    [True, True, True, True, False, False]
    """
    return 0 < len(anchor) <= LONGEST and _leads_on(anchor.lower())


@lru_cache(maxsize=1 << 14)
def _leads_on(anchor: str) -> bool:
    words = _NOT_A_LETTER.sub(" ", anchor).split()
    return words[0] in _ONWARD if words else not anchor.isspace()


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
