"""The seam to the outside world: a ``Web`` answers a URL with a page or a failure."""

from collections.abc import Iterator
from typing import Protocol

from fcwseo.pages import Failure, Page


class Web(Protocol):
    """Anything that can be crawled. ``fetch`` never raises for a page that cannot be had: that is a
    ``Failure``.
    """

    async def fetch(self, url: str) -> Page | Failure: ...


class ClosedWeb(Web, Protocol):
    """A web that knows all of its pages: frozen or generated.

    Outcomes come in the order asked, at once, and always the same. ``labels`` are the judge's: no crawler
    sees them.
    """

    @property
    def name(self) -> str: ...
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

    def labels(self, url: str) -> tuple[str, ...]: ...
