"""The protocol of webs: a ``Web`` returns a page or a failure for a URL."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from fcwseo.pages import Failure, Page, Requested


class Web(Protocol):
    """Anything that can be crawled. ``fetch`` never raises for a missing page: it returns a ``Failure``."""

    async def fetch(self, url: str) -> Page | Failure:
        """Return the page at a URL, or a failure."""
        ...


class ArchivedOrder(NamedTuple):
    """The course of the crawl that a web is the archive of; empty for any other web.

    ``plan`` is a digest of the crawl's configuration. ``visits`` are the links that it followed, in order,
    each with the links requested from the strategy before it. ``duplicates`` are the links that
    led to a page already reached, with the URL of that page. ``width`` is the number of concurrent fetches;
    0 if it is not known.
    """

    plan: str = ""
    visits: Sequence[tuple[str, Requested | None]] = ()
    duplicates: Mapping[str, str] = {}
    width: int = 0


class ClosedWeb(Web, Protocol):
    """A web with a known set of pages: frozen or generated.

    Outcomes are returned at once, in the order of requests, and are always the same. ``labels`` are for the
    judge: no crawler sees them.
    """

    @property
    def name(self) -> str:
        """The name of the web."""
        ...

    @property
    def spec(self) -> str:
        """The argument of ``open_web`` for this web."""
        ...

    @property
    def obeyed(self) -> bool:
        """Whether it is the archive of a crawl that honoured noindex and nofollow."""
        ...

    @property
    def archived_order(self) -> ArchivedOrder:
        """The archived order; empty unless this is the archive of a live crawl."""
        ...

    @property
    def problems(self) -> Sequence[str]:
        """The unreadable records of its source."""
        ...

    @property
    def identity(self) -> str:
        """The identity of this web: two webs with the same identity return the same pages."""
        ...

    def __len__(self) -> int: ...
    def __contains__(self, url: str) -> bool: ...
    def urls(self) -> Iterator[str]:
        """The URLs of its pages."""
        ...

    def resolve(self, url: str) -> str | None:
        """The URL of the page that a link leads to, after redirects; None for a dead link."""
        ...

    def labels(self, url: str) -> tuple[str, ...]:
        """The labels of a page; empty if there is no such page."""
        ...
