"""The seam to the outside world: a ``Web`` answers a URL with a page or a failure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from fcwseo.pages import Failure, Page


class Web(Protocol):
    """Anything that can be crawled. ``fetch`` never raises for a page that cannot be had: that is a
    ``Failure``.
    """

    async def fetch(self, url: str) -> Page | Failure:
        """The page behind a URL, or why there is none."""
        ...


class ArchivedOrder(NamedTuple):
    """The course of the crawl that a web is the archive of; empty for any other web.

    ``plan`` is a digest of the crawl's configuration. ``visits`` are the links that it followed, in order,
    each with the numbers of links that the strategy was asked for before it. ``duplicates`` are the links
    that led to a page already reached, with the address of that page.
    """

    plan: str = ""
    visits: Sequence[tuple[str, tuple[int, ...] | None]] = ()
    duplicates: Mapping[str, str] = {}


class ClosedWeb(Web, Protocol):
    """A web that knows all of its pages: frozen or generated.

    Outcomes come in the order asked, at once, and always the same. ``labels`` are the judge's: no crawler
    sees them.
    """

    @property
    def name(self) -> str:
        """What the web is called."""
        ...

    @property
    def spec(self) -> str:
        """What ``open_web`` finds this web by."""
        ...

    @property
    def obeyed(self) -> bool:
        """Whether it is the archive of a crawl that honoured noindex and nofollow."""
        ...

    @property
    def archived_order(self) -> ArchivedOrder:
        """Empty unless it is the archive of a live crawl."""
        ...

    @property
    def problems(self) -> Sequence[str]:
        """What of its source could not be read."""
        ...

    @property
    def identity(self) -> str:
        """What tells this web from any other: two webs with the same identity give the same pages."""
        ...

    def __len__(self) -> int: ...
    def __contains__(self, url: str) -> bool: ...
    def urls(self) -> Iterator[str]:
        """The addresses of its pages."""
        ...

    def resolve(self, url: str) -> str | None:
        """The address of the page that a link leads to, redirects followed; None if it leads nowhere."""
        ...

    def labels(self, url: str) -> tuple[str, ...]:
        """The labels of a page; none if there is no such page."""
        ...
