"""Serves a frozen or generated web over HTTP on loopback; the Host header selects the host."""

import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from fcwseo.errors import InvalidInput
from fcwseo.files import append, io_error
from fcwseo.pages.charset import decode
from fcwseo.pages.urls import canonical
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.warc.read import read_records
from fcwseo.webs.warc.records import Record

_SCHEMES = ("http", "https")
_Served = tuple[int, bytes, str]  # status, body, target of a redirect


class _Frozen:
    """The stored pages of a frozen web, packed, by URL."""

    def __init__(self, path: Path) -> None:
        self._web = FrozenWeb(path)
        self._answers: dict[str, _Served] = {}
        others: dict[str, _Served] = {}
        for record in read_records(path, []):
            is_page = not record.redirect and record.status < 300
            (self._answers if is_page else others).setdefault(record.url, _packed(record))
        self._answers = others | self._answers  # a page takes precedence over a redirect

    def __call__(self, url: str) -> _Served | None:
        found = self._answers.get(url)
        if found is not None:
            return found[0], zlib.decompress(found[1]), found[2]
        there = self._web.resolve(url)
        return (301, b"", there) if there else None


def _packed(record: Record) -> _Served:
    """A page in UTF-8, whatever its original encoding."""
    html = record.body if isinstance(record.body, str) else decode(record.body, record.content_type)
    status = 301 if record.redirect and record.status < 300 else record.status
    return status, zlib.compress(html.encode("utf-8", "replace"), 1), record.redirect


class _Generated:
    def __init__(self, web: GeneratedWeb) -> None:
        self._web = web

    def __call__(self, url: str) -> _Served | None:
        if there := self._web.redirect(url):
            return 301, b"", there
        html = self._web.html(url)
        return (200, html.encode(), "") if html is not None else None


class ServedRequest(Struct, frozen=True):
    """A line of the server's log: the time of a request, in seconds since 1970, and the response."""

    at: float
    scheme: str
    host: str
    path: str
    status: int
    agent: str


def make_server(
    web: FrozenWeb | GeneratedWeb, port: int, *, log: Callable[[ServedRequest], None] = lambda asked: None
) -> ThreadingHTTPServer:
    """A server on 127.0.0.1, ready for ``serve_forever``; port 0 picks a free port."""
    answer = _Frozen(web.path) if isinstance(web, FrozenWeb) else _Generated(web)
    handler = type("Handler", (_Handler,), {"answer": staticmethod(answer), "log": staticmethod(log)})
    try:
        return _Server(("127.0.0.1", port), handler)
    except (OSError, OverflowError) as error:
        raise InvalidInput(f"cannot listen on port {port} of 127.0.0.1: {error}; choose another") from error


@contextmanager
def logged(path: Path | None) -> Iterator[Callable[[ServedRequest], None]]:
    """A function that appends a line of JSON to a file for each request; without a file it does nothing."""
    if path is None:
        yield lambda asked: None
        return
    try:
        file = path.open("ab", buffering=0)
    except OSError as error:
        raise io_error(path, error) from error
    turn = threading.Lock()  # each request has a thread; an incomplete line is removed

    def tell(asked: ServedRequest) -> None:
        with turn:
            append(file, msgspec.json.encode(asked) + b"\n")

    with file:
        yield tell


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore disconnected clients."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "fcwseo"
    sys_version = ""
    wbufsize = (
        -1
    )  # head and body are sent together: separately, the body waits 40 ms for the acknowledgement of the head
    answer: Callable[[str], _Served | None]
    log: Callable[[ServedRequest], None]

    def do_GET(self) -> None:
        at = time.time()
        status, body, location = self._find()
        says = self.headers.get
        scheme, agent = says("X-Forwarded-Proto", "http"), says("User-Agent", "")
        type(self).log(ServedRequest(at, scheme, says("Host", ""), self.path, status, agent))
        self.send_response(status if HTTPStatus.OK <= status < 600 else 500)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "sandbox")  # no script runs as one of this origin
        self.send_header("X-Content-Type-Options", "nosniff")
        if location:
            self.send_header("Location", location)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def _find(self) -> _Served:
        """The response stored for a URL of either scheme, unless the request names its scheme.

        A page with several URLs is at one of them; the others redirect to it.
        """
        host = self.headers.get("Host", "localhost")
        said = self.headers.get("X-Forwarded-Proto")
        schemes = (said,) if said in _SCHEMES else _SCHEMES
        urls = [url for scheme in schemes if (url := canonical(f"{scheme}://{host}{self.path}"))]
        found = [answer for url in urls if (answer := type(self).answer(url))]
        elsewhere = [answer for answer in found if answer[2] not in urls]
        status, body, location = next(iter(elsewhere or found), (404, b"no such page", ""))
        if said is None and location.startswith("https:"):
            location = f"http:{location.removeprefix('https:')}"
        return status, body, location

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing: output would slow down the server."""
