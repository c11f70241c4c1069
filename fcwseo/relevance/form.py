"""The form of a page: a factor of its relevance, whatever its words are.

A page of a list that goes on ("2", "next") is not a document, even if it names the topic often: its factor
falls steeply with the share of its text in links. Menus hardly count against all other pages, since the share
of their links says more about the site, and about the length of the page, than about its subject. An article
that is split over several pages goes on, too, but nearly all of its text is outside links.
"""

import re
from functools import lru_cache

from fcwseo.pages import Page

ORDINARY = 0.5  # power of the share of the text outside links
OF_LIST = 8.0  # the same of a page whose list goes on
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


def form(page: Page) -> float:
    """The factor of a page, from 0 to 1.

    >>> from fcwseo.pages import Link
    >>> def factor(*targets: str) -> float:
    ...     links = tuple(Link(target, "http://a.org/", "2") for target in targets)
    ...     return round(form(Page("http://a.org/", links=links, groups=("word", "", "", "", ""))), 2)
    >>> factor(), factor("http://b.org/"), factor("http://a.org/2")
    (1.0, 0.87, 0.1)
    """
    power = OF_LIST if goes_on(page) else ORDINARY
    factor: float = prose(page) ** power
    return factor


def goes_on(page: Page) -> bool:
    """Whether a page links to another page of its list.

    >>> from fcwseo.pages import Link
    >>> links = (Link("http://a.org/tag?page=2", "http://a.org/tag", "next"),)
    >>> goes_on(Page("http://a.org/tag", links=links)), goes_on(Page("http://a.org/tag?page=2", links=links))
    (True, False)
    """
    onward = (link.target for link in page.links if leads_on(link.anchor) and link.target != page.url)
    own = list_of(page.url)
    return any(list_of(target) == own for target in onward)


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
