"""The values of a crawl: links, pages, failures and visits. All are immutable.

They are msgspec structs, which create, store and read a page with a hundred links in microseconds.
"""

from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct


class Why(StrEnum):
    """Why a link returned no page. The run log stores the value as ``outcome``."""

    OUTSIDE = "outside"  # the frozen or generated web does not contain the URL
    GONE = "gone"  # the server says that there is no such page (most of status 4xx)
    REDIRECTS = "redirects"  # a redirect loop, or too many redirects
    DUPLICATE = "duplicate"  # the link leads to a page that the crawl already has
    UNREADABLE = "unreadable"  # the response cannot be decoded, or its headers are too long
    EXCLUDED = "excluded"  # excluded by the include and exclude patterns of the user
    REFUSED = "refused"  # not requested: a crawler trap, or a private IP address
    ROBOTS = "robots"  # robots.txt disallows the URL, or cannot be fetched
    DEFERRED = "deferred"  # the host demands longer pauses than this crawl accepts
    UNREACHABLE = "unreachable"  # unknown host, no connection, or a broken one
    TIMEOUT = "timeout"  # the response took too long
    SERVER_ERROR = "server_error"  # status 5xx, also after retries
    TOO_LARGE = "too_large"  # the body is larger than the limit
    NOT_HTML = "not_html"  # the content type is not HTML
    UNCHANGED = "unchanged"  # the server says that the page has not changed since an earlier crawl
    PARSE_TIMEOUT = "parse_timeout"  # parsing exceeded its limit of time or memory
    KILLED = "killed"  # the parser process was killed from outside, twice
    INTERNAL = "internal"  # an unexpected error of this program; errors.log has its traceback


class Link(Struct, frozen=True, gc=False):
    """A link from ``source`` to ``target``, with its anchor and the text around it.

    ``position`` is its number among the links of the page; ``tag_path`` names the tags around it, with a
    class or id. ``heading`` is the section heading above it, and ``title`` the title or image text that the
    anchor lacks.

    The crawl fills in the other fields: ``depth``, the number of links between a seed and the target;
    ``predicted``, the relevance that the strategy expected; ``objectives``, F1 to F4, if the strategy uses
    several objectives; ``rule``, why the strategy chose it, in a word; and ``seat``, the place of its host by
    value and the number of hosts that were served, if the strategy chooses among hosts.
    """

    target: str
    source: str
    anchor: str = ""
    context: str = ""
    position: int = 0
    tag_path: str = ""
    nofollow: bool = False
    depth: int = 0
    predicted: float | None = None
    objectives: tuple[float, ...] | None = None
    rule: str = ""
    seat: tuple[int, int] | None = None
    heading: str = ""
    title: str = ""


class Page(Struct, frozen=True, gc=False):
    """A parsed page.

    ``groups`` holds the text of the five label groups of Table 2 of paper 001. The first group is title,
    keywords, description and h1; the last is all text outside the other groups. Every piece of visible text
    is in exactly one group. ``text`` is the main text, without menus and footers. ``kinds`` has a letter for
    each line of ``text``: a heading (1 to 6), a list item (l), a quotation (q), code (c) or a paragraph (p).
    ``date`` is the publication day that the page states, such as 2021-07-20.
    """

    url: str
    title: str = ""
    text: str = ""
    links: tuple[Link, ...] = ()
    groups: tuple[str, str, str, str, str] = ("", "", "", "", "")
    language: str = ""
    canonical: str = ""
    nofollow: bool = False
    noindex: bool = False
    digest: str = ""
    status: int = 200
    date: str = ""
    kinds: str = ""


class Failure(Struct, frozen=True, gc=False):
    """The outcome of a link that returned no page: why, and details for a person to read."""

    url: str
    why: Why
    detail: str = ""

    @property
    def may_pass(self) -> bool:
        """Whether the link may give a page at another time: its host, or its robots.txt, did not answer.

        >>> Failure("u", Why.TIMEOUT).may_pass, Failure("u", Why.ROBOTS, "robots.txt: status 503").may_pass
        (True, True)
        >>> Failure("u", Why.ROBOTS, "forbidden by robots.txt").may_pass, Failure("u", Why.GONE).may_pass
        (False, False)
        """
        has_no_rules = self.why is Why.ROBOTS and self.detail.startswith("robots.txt: ")
        return self.why in (Why.UNREACHABLE, Why.TIMEOUT) or has_no_rules


class Requested(NamedTuple):
    """The links that a strategy returned between two visits of a polite crawl, where they depend on timing.

    ``took`` are their URLs, in order. ``counts`` are the numbers of links that it was asked for; None if it
    has ``take``, which needs only the URLs.
    """

    took: tuple[str, ...] = ()
    counts: tuple[int, ...] | None = None


def requested(asked: tuple[int, ...] | None, took: tuple[str, ...] | None) -> Requested | None:
    """The links requested before a visit, by the fields of a log. Release 0.2 stored only the numbers.

    >>> requested(None, ("http://a.org/",)), requested((2,), None), requested(None, None)
    (Requested(took=('http://a.org/',), counts=None), Requested(took=(), counts=(2,)), None)
    """
    return None if asked is None and took is None else Requested(took or (), asked)


class Visit(Struct, frozen=True, gc=False):
    """A followed link and its outcome: one line of the run log.

    ``relevance`` is R(p), 0 for a failure. ``eta`` is the relevance threshold in force at this visit.
    ``requested`` are the links requested from the strategy since the visit before, if they depended on
    timing; a replay requests the same links. ``retry`` is why the link failed before, if it was asked again.

    >>> page = Page("http://a.org/")
    >>> [Visit(1, Link("http://a.org/", ""), page, 0.5, eta=eta).is_relevant for eta in (0.4, 0.5, 0.6)]
    [True, True, False]
    """

    step: int
    link: Link
    outcome: Page | Failure
    relevance: float = 0.0
    requested: Requested | None = None
    eta: float = 0.0
    retry: Why | None = None

    @property
    def is_relevant(self) -> bool:
        """Whether the outcome is a page with a relevance of at least ``eta``."""
        return isinstance(self.outcome, Page) and self.relevance >= self.eta
