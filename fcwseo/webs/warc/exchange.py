"""One request and its response, as sent over the network and stored in an archive."""

from datetime import datetime
from typing import Protocol

from msgspec import Struct


class Exchange(Struct, frozen=True):
    """A request and its complete response. A page behind two redirects consists of three exchanges.

    ``request`` is the request line and its headers, ``response`` the status line and the headers as received,
    each with the empty line at its end. ``body`` is the rest, compressed according to its
    ``Content-Encoding``, but never chunked; ``Transfer-Encoding`` stays in the headers. ``decoded`` is the
    length of the decoded body. ``truncated`` is the reason of an incomplete ``body`` ("length", "time",
    "disconnect"), as in ``WARC-Truncated``.

    ``link_url`` is the URL requested by the crawl, ``url`` that of this hop; they differ behind a redirect.
    For files that the crawl needs itself (robots.txt, sitemaps) ``link_url`` is "". ``final`` is true for the
    last hop of a page: the one with the page, or with the reason of the failure.
    """

    link_url: str
    url: str
    request: bytes
    status: int
    response: bytes
    body: bytes
    decoded: int
    peer: str
    started: datetime
    final: bool
    truncated: str = ""

    @property
    def headers(self) -> list[tuple[str, str]]:
        """The headers of the response, in order, names in lower case.

        >>> when = datetime(2026, 1, 1)
        >>> head = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n"
        >>> Exchange("u", "u", b"", 200, head, b"", 0, "127.0.0.1", when, True).headers
        [('content-type', 'text/html')]
        """
        lines = self.response.decode("latin-1").split("\r\n")[1:]
        pairs = (line.partition(":") for line in lines if line)
        return [(name.strip().lower(), value.strip()) for name, _, value in pairs]


class Recorder(Protocol):
    """Receives every exchange of a crawl, in the order of completion. Archives are recorders.

    ``record`` is called from the event loop and must not block; when ``fetch`` of a URL returns, all
    exchanges of that URL have been recorded, the final one last.
    """

    def record(self, exchange: Exchange) -> None: ...


class NullRecorder:
    """A recorder that discards everything."""

    def record(self, exchange: Exchange) -> None:
        pass
