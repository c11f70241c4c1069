"""What a crawl is made of: links, pages, failures and visits. All frozen and slotted; facts are written once.

They are msgspec structs because a page of a hundred links is made, kept and read again in microseconds that
way.
"""

from enum import StrEnum

from msgspec import Struct


class Why(StrEnum):
    """Why a link gave no page. The value is what the run log says under ``outcome``."""

    OUTSIDE = "outside"  # not part of this web: a frozen web has no such page
    GONE = "gone"  # the web answered that there is no such page
    REDIRECTS = "redirects"  # redirected in a circle, or too often
    DUPLICATE = "duplicate"  # redirected to a page that was visited before
    UNREADABLE = "unreadable"  # an answer that is not a page
    EXCLUDED = "excluded"  # outside of what the user wants crawled
    REFUSED = "refused"  # not asked for: a trap, or an address that is none of the public web
    ROBOTS = "robots"  # the host's robots.txt forbids it, or cannot be had
    DEFERRED = "deferred"  # the host wants to be asked so seldom that this crawl leaves it alone
    UNREACHABLE = "unreachable"  # no such host, no connection, or one that broke
    TIMEOUT = "timeout"  # the answer took too long
    SERVER_ERROR = "server_error"  # the server failed, also when asked again
    TOO_LARGE = "too_large"  # more than is read of a page
    NOT_HTML = "not_html"  # of a content type that has no links
    UNCHANGED = "unchanged"  # as it was when it was fetched before
    PARSE_TIMEOUT = "parse_timeout"  # the parser took too long, or too much memory


class Link(Struct, frozen=True, gc=False):
    """A way to a page, with the evidence that stands around it.

    ``depth``, ``predicted`` and ``objectives`` are filled in by the crawl: how many links lie between it and
    a seed, and what the strategy expected of it when it chose it: its relevance, and F1 to F4 where it
    judges by several objectives.
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


class Page(Struct, frozen=True, gc=False):
    """A page as the parser saw it, once.

    ``groups`` holds the text of the five label groups of Table 2 (title, keywords, description and h1
    first, what belongs to none last); every piece of visible text stands in exactly one. ``text`` is the
    main text, without menus and footers; ``kinds`` has a letter for each of its lines: a heading of level 1
    to 6, an item of a list (l), a quotation (q), code (c), or a paragraph (p). ``date`` is the day on which
    the page says it was published, as in 2021-07-20.
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
    """An ordinary outcome: this link gave no page, and why."""

    url: str
    why: Why
    detail: str = ""


class Visit(Struct, frozen=True, gc=False):
    """A followed link and its outcome: one line of the run log.

    ``relevance`` is R(p), 0 for a failure. ``eta`` is the relevance threshold in force at this visit.
    ``requested`` lists the numbers of links requested from the strategy since the visit before, if they
    depended on timing; a replay requests the same numbers.

    >>> page = Page("http://a.org/")
    >>> [Visit(1, Link("http://a.org/", ""), page, 0.5, eta=eta).is_relevant for eta in (0.4, 0.5, 0.6)]
    [True, True, False]
    """

    step: int
    link: Link
    outcome: Page | Failure
    relevance: float = 0.0
    requested: tuple[int, ...] | None = None
    eta: float = 0.0

    @property
    def is_relevant(self) -> bool:
        """Whether it gave a page whose relevance reaches the threshold."""
        return isinstance(self.outcome, Page) and self.relevance >= self.eta
