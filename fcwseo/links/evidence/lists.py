"""Lists that go on over several pages: what one of their pages is worth, though it is no document itself.

The pages of a tag, a category or an archive are not relevant, and without them the articles that they list
are never found. A link that goes on with a list ("2", "next") is worth what the links of the list's other
pages have led to. A list whose last page brought no new link but to further pages of it is worth nothing.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats
from fcwseo.links.evidence.outcomes import Outcomes
from fcwseo.pages import Link

LATER = 0.8  # what counts of the relevance of what a list leads to: that is had later
LONGEST = 20  # characters of an anchor that leads on
LONGEST_ADDRESS = 2000  # characters of the address of a list

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
      | (?<=/)(?:index|page|list)(?=\.\w{1,8}$)                       # which the first page does without
    """,
    re.VERBOSE,
)


def list_of(url: str) -> str:
    """The address of a list: that of any of its pages, without the number of the page.

    >>> {list_of(f"http://a.org/tags/rain{end}") for end in ("/", "/page/2/", "/3", "?page=4")}
    {'a.org/tags/rain'}
    >>> list_of("http://a.org/forum?f=7&start=50"), list_of("http://a.org/news/index_2.html")
    ('a.org/forum?f=7', 'a.org/news/.html')
    """
    if len(url) > LONGEST_ADDRESS:
        return url
    return _NUMBER.sub("", url.partition("://")[2]).rstrip("/?&")


def leads_on(anchor: str) -> bool:
    """Whether an anchor may be that of another page of the same list.

    >>> [leads_on(anchor) for anchor in ("2", "»", "Next page", "下一页", "2 dead in flood", "")]
    [True, True, True, True, False, False]
    """
    return 0 < len(anchor) <= LONGEST and _leads_on(anchor.lower())


@lru_cache(maxsize=1 << 14)
def _leads_on(anchor: str) -> bool:
    words = _NOT_A_LETTER.sub(" ", anchor).split()
    return words[0] in _ONWARD if words else not anchor.isspace()


class Lists:
    """Rows are the numbers of known URLs. Every page is of a list, be it the only one of it."""

    def __init__(self) -> None:
        self._lists: dict[str, int] = {}
        self._of_page: dict[int, int] = {}
        self._next = Column(np.int32)  # the list that a row goes on with
        self._outcomes = Outcomes()  # of the pages that the pages of a list link to
        self._is_fresh = Column(np.bool_)  # whether the last page of a list brought anything new

    def link(self, page: int, url: str, links: Sequence[Link], rows: Sequence[int], new: range) -> None:
        """A page and its links, with the row that each leads to; those in ``new`` were not known before."""
        own = list_of(url)
        this = self._of_page[page] = self._lists.setdefault(own, len(self._lists))
        onward = [
            row
            for link, row in zip(links, rows, strict=True)
            if row != page and leads_on(link.anchor) and list_of(link.target) == own
        ]
        self._know(max(rows, default=page) + 1)
        self._next.values[onward] = this
        self._is_fresh.fill(this + 1, False)
        self._is_fresh.values[this] = len(new) > sum(row in new for row in set(onward))

    def learn(self, row: int, parents: Sequence[int], relevance: float) -> None:
        """The page behind a row was fetched, which pages ``parents`` link to. That a list goes on with a page
        that is not relevant says nothing against the list.
        """
        self._know(row + 1)
        if self._next.values[row] == _NONE:
            for this in dict.fromkeys(self._of_page[parent] for parent in parents if parent in self._of_page):
                self._outcomes.add(this, relevance)

    def led_to(self, rows: NDArray[np.intp], mean: float) -> Floats:
        """How relevant the pages are that the lists have led to which the rows go on with; 0 for other rows.

        ``mean`` is that of all fetched pages, which a list is drawn to as long as few are known of it.
        """
        self._know(int(rows.max(initial=-1)) + 1)
        lists = self._next.values[rows]
        led_to = np.zeros(len(rows))
        there = np.flatnonzero(lists != _NONE)
        known = lists[there]
        is_known = (self._outcomes.counts(known) > 0) & self._is_fresh.values[known]
        led_to[there] = np.where(is_known, mean + self._outcomes.above(known, mean), 0.0)
        return led_to

    def _know(self, size: int) -> None:
        self._next.fill(size, _NONE)
