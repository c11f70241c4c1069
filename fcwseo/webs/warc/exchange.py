"""One request and its answer, as they went over the wire: what an archive keeps of a crawl."""

from datetime import datetime
from typing import Protocol

from msgspec import Struct


class Exchange(Struct, frozen=True):
    """A request and the answer to it, whole. A page behind two redirects is three of them.

    ``request`` is the request line and its headers, ``response`` the status line and the headers as
    received, each with the empty line at its end. ``body`` is what came after, still compressed as its
    ``Content-Encoding`` says, but never chunked; ``Transfer-Encoding`` stands in the headers all the same.
    ``decoded`` is the length of the body once decoded. ``truncated`` says why ``body`` is not all of it
    ("length", "time", "disconnect"), as ``WARC-Truncated`` has it.

    ``link_url`` is the URL that the crawl asked for, ``url`` that of this hop; they differ behind a redirect,
    and for what the crawl fetches for itself (robots.txt, sitemaps) ``link_url`` is "". ``final`` is true for
    the last hop of a page: the one that has the page, or says why there is none.
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
        """The headers of the answer, in order, names in lower case.

        >>> when = datetime(2026, 1, 1)
        >>> head = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n"
        >>> Exchange("u", "u", b"", 200, head, b"", 0, "127.0.0.1", when, True).headers
        [('content-type', 'text/html')]
        """
        lines = self.response.decode("latin-1").split("\r\n")[1:]
        pairs = (line.partition(":") for line in lines if line)
        return [(name.strip().lower(), value.strip()) for name, _, value in pairs]


class Recorder(Protocol):
    """Takes every exchange of a crawl, in the order in which they end. Archives are recorders.

    ``record`` is called from the event loop and is not to be waited for; when ``fetch`` of a URL returns,
    all exchanges of that URL have been recorded, the final one last.
    """

    def record(self, exchange: Exchange) -> None: ...


class NullRecorder:
    """A recorder that keeps nothing."""

    def record(self, exchange: Exchange) -> None:
        pass
