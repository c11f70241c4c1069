"""The form of a page: the share of its text outside links, and whether it is a page of a list that goes on.

A paginated list ("2", "next") is continued by links to the same URL, except for the number of the page.
"""

import re
from functools import lru_cache

from fcwseo.pages import Page

LONGEST = 20  # characters of a pagination anchor
LONGEST_ADDRESS = 2000  # characters of the URL of a list

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


def prose(page: Page) -> float:
    """The share of a page's text outside links.

    >>> from fcwseo.pages import Link
    >>> links = (Link("http://a.org/b", "http://a.org/", anchor="ten signs!"),)
    >>> prose(Page("http://a.org/", links=links, groups=("s" * 40, "", "", "", "")))
    0.75
    """
    links = sum(len(link.anchor) for link in page.links)
    return 1 - min(1.0, links / max(1, len(page.text), sum(map(len, page.groups))))


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
