"""Sends one request and returns its response: the only module that uses an HTTP library (httpx2).

The client follows no redirects, keeps no cookies, sends no credentials and ignores the environment; bodies
are stored as received. It uses a transport of our own, because that of httpx2 does not let us check IP
addresses.

A deadline limits every request, since timeouts of single reads never stop a server that sends a byte at a
time.
"""

import asyncio
import errno
import resource
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from http.cookiejar import CookieJar
from types import TracebackType
from typing import Any, NamedTuple, Protocol, Self
from zlib import crc32

import h2.exceptions
import httpcore2
import httpx2
from msgspec import Struct

from fcwseo.live.guards import ForbiddenAddress, GuardedBackend, UnknownHost, why_no_port, why_private
from fcwseo.pages import Failure, Why
from fcwseo.pages.bodies import unpacked
from fcwseo.pages.responses import LARGEST
from fcwseo.pages.urls import header_url
from fcwseo.webs.warc.exchange import Exchange

_POOLS = 256
_KEPT_ALIVE = 2  # idle connections of a pool;
_FEW = 1024  # with no more open files than this, none
_LARGEST_HEAD = 64 << 10
_LARGEST_OTHER = 256 << 10  # bytes read of the body of a response without a page
_LEAST_STATUS, _LARGEST_STATUS = 100, 999
_TIMEOUTS = httpx2.Timeout(connect=15.0, read=30.0, write=15.0, pool=60.0)
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.5,*/*;q=0.1"
_DEFAULT_PORTS = {"http": 80, "https": 443}


class Validators(NamedTuple):
    """The validators of a known version of a page, for a conditional request."""

    etag: str = ""
    last_modified: str = ""


class EarlierPages(Protocol):
    """The earlier versions of pages."""

    def validators(self, url: str) -> Validators | None: ...


class NoEarlierPages:
    """No earlier versions."""

    def validators(self, url: str) -> Validators | None:
        return None


def conditions_of(known: Validators | None) -> list[tuple[str, str]]:
    """The headers of a conditional request; none for a page that was never requested before."""
    if known is None:
        return []
    pairs = [("If-None-Match", known.etag), ("If-Modified-Since", known.last_modified)]
    return [(name, value) for name, value in pairs if value]


class OutOfFiles(Exception):
    """This process has too many open files to connect to a host."""


class Response(Struct, frozen=True):
    """A response: the exchange as received, and the decoded body. ``failure`` is the reason of a missing
    body.
    """

    exchange: Exchange
    body: bytes
    headers: dict[str, str]
    failure: Failure | None = None

    @property
    def status(self) -> int:
        return self.exchange.status

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "")

    @property
    def location(self) -> str:
        """The target of a redirect; empty if this is not a redirect."""
        moved = self.status in (301, 302, 303, 307, 308)
        return header_url(self.headers.get("location", "")) if moved else ""


class Client:
    """Sends requests, one per hop. A failed request returns a ``Failure`` and never raises.

    With ``plain``, https URLs are requested over http, for a local server that stands in for all hosts.
    Certificates are checked against the system's trusted ones, unless others are given. With ``proxy``, all
    requests go through an HTTP proxy: it resolves names, so only IP addresses in URLs can be refused here,
    which is done unless ``private``.
    """

    def __init__(
        self,
        backend: GuardedBackend,
        *,
        agent: str,
        largest: int = LARGEST,
        plain: bool = False,
        trusted: ssl.SSLContext | None = None,
        proxy: str = "",
        private: bool = True,
    ) -> None:
        self._largest = largest
        self._plain, self._proxy, self._private = plain, proxy, private
        self._transport = _Transport(
            backend, trusted or httpcore2.default_ssl_context(), plain=plain, proxy=proxy
        )
        self._http = httpx2.AsyncClient(
            transport=self._transport,
            headers={"User-Agent": agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip, deflate"},
            cookies=_NoCookies(),
            timeout=_TIMEOUTS,
            trust_env=False,
            follow_redirects=False,
        )
        self.bytes = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.aclose()

    async def get(
        self,
        url: str,
        *,
        link_url: str = "",
        deadline: float = 60.0,
        reads: Callable[[str], bool] = lambda content_type: True,
        conditions: Sequence[tuple[str, str]] = (),
        answered: Callable[[], None] = lambda: None,
    ) -> Response | Failure:
        """Request ``url``. The body is read only if ``reads`` accepts its content type; ``answered`` is
        called when the response begins.
        """
        if why := why_no_port(url) or (why_private(url) if self._proxy and not self._private else ""):
            return Failure(url, Why.REFUSED, why)
        try:
            async with asyncio.timeout(max(0.0, deadline)):
                return await self._get(url, link_url, reads, conditions, answered)
        except ForbiddenAddress as error:
            return Failure(url, Why.REFUSED, str(error))
        except UnknownHost as error:
            return Failure(url, Why.UNREACHABLE, str(error))
        except TimeoutError:
            return Failure(url, Why.TIMEOUT, f"no complete response within {deadline:.0f} s")
        except (httpcore2.TimeoutException, httpx2.TimeoutException) as error:
            return Failure(url, Why.TIMEOUT, type(error).__name__)
        except (*_BROKEN, OSError, ssl.SSLError) as error:
            if _is_out_of_files(error):
                raise OutOfFiles from error
            return Failure(url, Why.UNREACHABLE, _message(error))
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
            return Failure(url, Why.REFUSED, _message(error))

    async def close_idle(self) -> None:
        """Close the connections that are kept for later requests."""
        await self._transport.close_idle()

    async def _get(
        self,
        url: str,
        link_url: str,
        reads: Callable[[str], bool],
        conditions: Sequence[tuple[str, str]],
        answered: Callable[[], None],
    ) -> Response | Failure:
        started = datetime.now(UTC)
        path = "/" + url.split("/", 3)[3]
        extensions = {
            "target": path.encode()
        }  # as checked: httpx2 would change the spelling of some characters
        async with self._http.stream(
            "GET", url, headers=self._headers(url, conditions), extensions=extensions
        ) as response:
            answered()
            head = _head(response)
            if len(head) > _LARGEST_HEAD:
                return Failure(url, Why.UNREADABLE, f"headers of {len(head)} bytes")
            fields = _fields(response)
            status = response.status_code
            if not _LEAST_STATUS <= status <= _LARGEST_STATUS:
                return Failure(url, Why.UNREACHABLE, f"status {status}, which is no status of HTTP")
            is_page = 200 <= status < 300
            wanted = reads(fields.get("content-type", "")) if is_page else status != 304
            limit = self._largest if is_page else _LARGEST_OTHER
            body, whole = await _read(response, limit) if wanted else (b"", False)
            peer = response.extensions["network_stream"].get_extra_info("server_addr")
        self.bytes += len(head) + len(body)
        plain = await _unpacked(body, fields, limit) if whole else b""
        exchange = Exchange(
            link_url=link_url,
            url=url,
            request=_request(path, response.request.headers.raw),
            status=status,
            response=head,
            body=body,
            decoded=len(plain or b""),
            peer=str(peer[0]) if peer and not self._proxy else "",
            started=started,
            final=False,
            truncated="" if whole or status == 304 else "length",
        )
        failure = _failure_in(url, fields, plain, limit, wanted=wanted, whole=whole) if is_page else None
        return Response(exchange, b"" if failure else plain or b"", fields, failure)

    def _headers(self, url: str, conditions: Sequence[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
        pairs = list(conditions)
        if self._plain:  # tells the local server the original scheme
            pairs.append(("X-Forwarded-Proto", url.partition(":")[0]))
        return [(name.encode(), value.encode("latin-1", "replace")) for name, value in pairs]


_BROKEN = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpx2.NetworkError,
    httpx2.ProtocolError,
    h2.exceptions.H2Error,  # httpcore2 does not translate those that arise while it reads a body
)


class _NoCookies(CookieJar):
    """Ignores all cookies."""

    def extract_cookies(self, response: Any, request: Any) -> None:
        pass

    def add_cookie_header(self, request: Any) -> None:
        pass


class _Transport(httpx2.AsyncBaseTransport):
    """Connections made by the guard. A pool scans all its connections for each request, so there are many
    small pools.
    """

    def __init__(
        self, backend: GuardedBackend, context: ssl.SSLContext, *, plain: bool, proxy: str = ""
    ) -> None:
        self._pools = [_pool(backend, context, proxy) for _ in range(_POOLS)]
        self._plain = plain

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        assert isinstance(request.stream, httpx2.AsyncByteStream)
        url = request.url
        secure = url.scheme == "https"
        there = httpcore2.URL(
            scheme=b"http" if self._plain else url.raw_scheme,
            host=url.raw_host,
            port=url.port or (_DEFAULT_PORTS["https"] if secure and self._plain else None),
            target=url.raw_path,
        )
        outgoing = httpcore2.Request(
            request.method,
            there,
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        try:
            answer = await self._pools[crc32(url.raw_host) % _POOLS].handle_async_request(outgoing)
        except ValueError as error:  # httpcore2 reads the status of HTTP/2 with int()
            raise httpcore2.RemoteProtocolError(_message(error)) from error
        return httpx2.Response(
            answer.status, headers=answer.headers, stream=_Body(answer), extensions=answer.extensions
        )

    async def close_idle(self) -> None:
        for pool in self._pools:
            for connection in pool.connections:
                if connection.is_idle():
                    await connection.aclose()

    async def aclose(self) -> None:
        for pool in self._pools:
            await pool.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, answer: httpcore2.Response) -> None:
        self._answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._answer.aiter_stream():
            yield part

    async def aclose(self) -> None:
        await self._answer.aclose()


def _pool(backend: GuardedBackend, context: ssl.SSLContext, proxy: str = "") -> httpcore2.AsyncConnectionPool:
    kind = partial(httpcore2.AsyncHTTPProxy, proxy) if proxy else httpcore2.AsyncConnectionPool
    return kind(
        ssl_context=context,
        max_connections=None,  # limited by politeness and slots
        max_keepalive_connections=_KEPT_ALIVE if resource.getrlimit(resource.RLIMIT_NOFILE)[0] > _FEW else 0,
        keepalive_expiry=15.0,
        http2=True,
        network_backend=backend,
    )


def _head(response: httpx2.Response) -> bytes:
    version = response.extensions.get("http_version", b"HTTP/1.1")
    reason = response.extensions.get("reason_phrase", b"")
    lines = [b"%s %d %s" % (version, response.status_code, reason)]
    lines += [b"%s: %s" % pair for pair in response.headers.raw]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _fields(response: httpx2.Response) -> dict[str, str]:
    """Headers by name; repeated headers are joined like a list in one header."""
    fields: dict[str, str] = {}
    for name, value in response.headers.raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1").strip()
        fields[key] = f"{fields[key]}, {text}" if key in fields and key != "location" else text
    return fields


async def _read(response: httpx2.Response, largest: int) -> tuple[bytes, bool]:
    """The body as received, up to a largest length, and whether it is complete."""
    parts: list[bytes] = []
    length = 0
    async for part in response.aiter_raw():
        parts.append(part)
        length += len(part)
        if length > largest:
            return b"".join(parts)[:largest], False
    return b"".join(parts), True


async def _unpacked(body: bytes, fields: dict[str, str], largest: int) -> bytes | None:
    """The decoded body; a compressed one is decoded in a thread, since it may take a tenth of a second."""
    encoding = fields.get("content-encoding", "")
    if not encoding:
        return body
    return await asyncio.to_thread(unpacked, body, transfer="", content=encoding, largest=largest + 1)


def _failure_in(
    url: str, fields: dict[str, str], plain: bytes | None, largest: int, *, wanted: bool, whole: bool
) -> Failure | None:
    """The reason why a response that should contain a page does not."""
    if not wanted:
        return Failure(url, Why.NOT_HTML, fields.get("content-type", "")[:100])
    if plain is None:
        return Failure(url, Why.UNREADABLE, f"unknown encoding {fields.get('content-encoding', '')[:40]}")
    if not whole or len(plain) > largest:
        return Failure(url, Why.TOO_LARGE, f"more than {largest:,} bytes")
    return None


def _request(path: str, headers: Sequence[tuple[bytes, bytes]]) -> bytes:
    lines = [f"GET {path} HTTP/1.1".encode(), *(b"%s: %s" % pair for pair in headers)]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _is_out_of_files(error: BaseException | None) -> bool:
    """Whether an error, or the one behind it, is about too many open files."""
    while error is not None:
        if isinstance(error, BaseExceptionGroup) and any(map(_is_out_of_files, error.exceptions)):
            return True
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
            return True
        error = error.__cause__ or error.__context__
    return False


def _message(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200] if str(error) else type(error).__name__
