"""The Robots Exclusion Protocol, RFC 9309: what a host allows, from its robots.txt.

A missing file (status 4xx) allows everything. A file that cannot be fetched (5xx, 429, no connection, no
response) forbids everything, and is requested again later. Rules are cached for a day, also on disk.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct
from protego import Protego

from fcwseo.files import EndlessLine, append, whole_lines
from fcwseo.live.client import Response
from fcwseo.pages import Failure, Why
from fcwseo.pages.bodies import unpacked
from fcwseo.pages.urls import canonical

TOKEN = "fcwseo"
LARGEST = 500 << 10  # bytes read of a robots.txt
_MOST_REDIRECTS = 10
_DAY = 24 * 3600.0
_AGAIN = 300.0  # seconds after which a failed request of robots.txt is repeated
_MOST_HOSTS = 20_000

Get = Callable[[str], Awaitable[Response | Failure]]


class Rules(Struct, frozen=True):
    """The rules of a robots.txt for this crawler. ``why`` is set if everything is forbidden because it could
    not be fetched.
    """

    robots: Protego
    expires: float
    why: Failure | None = None

    def allows(self, url: str, *, token: str = TOKEN) -> bool:
        return self.why is None and self.robots.can_fetch(url, token)

    @property
    def delay(self) -> float:
        """The pause between requests that it demands, in seconds."""
        rate = self.robots.request_rate(TOKEN)
        return max(self.robots.crawl_delay(TOKEN) or 0.0, rate.seconds / rate.requests if rate else 0.0)

    @property
    def sitemaps(self) -> list[str]:
        found = (canonical(url) for url in self.robots.sitemaps)
        return list(dict.fromkeys(url for url in found if url is not None))


class _Line(Struct, frozen=True):
    """A line of the cache file: the text of an origin at a time."""

    origin: str
    at: float
    text: str


def _text(body: bytes) -> str:
    """The text without a byte order mark, or a part of one."""
    return body[:LARGEST].decode("utf-8-sig", "replace").lstrip("\ufffd")


def _beginning(response: Response) -> bytes:
    """The text of a file; of a file that is too long, its beginning."""
    if response.failure is None:
        return response.body
    packed = response.headers.get("content-encoding", "")
    return unpacked(response.exchange.body, transfer="", content=packed, largest=LARGEST) or b""


def origin(url: str) -> str:
    """
    >>> origin("http://a.example:8080/b/c")
    'http://a.example:8080'
    """
    return "/".join(url.split("/", 3)[:3])


class Robots:
    """The rules of each origin, fetched when first needed, and cached in a file."""

    def __init__(self, path: Path | None = None, *, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._rules: dict[str, Rules] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._sitemaps: dict[str, list[str]] = {}
        if path is not None and path.exists():
            self._load(path)
        self._file = path.open("ab", buffering=0) if path is not None else None

    async def rules(self, url: str, get: Get) -> Rules:
        """The rules for ``url``; ``get`` fetches missing files."""
        where = origin(url)
        async with self._locks.setdefault(where, asyncio.Lock()):
            rules = self._rules.get(where)
            if rules is None or rules.expires < self._now():
                rules = await self._ask(where, get)
                self._rules.pop(where, None)
                self._rules[where] = rules
                self._forget()
        return rules

    def sitemaps(self, url: str) -> list[str]:
        """The sitemaps in the first robots.txt that this crawl read of the host; the same after a resume."""
        return self._sitemaps.get(origin(url), [])

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    async def _ask(self, where: str, get: Get) -> Rules:
        response = await self._follow(f"{where}/robots.txt", get)
        if isinstance(response, Failure):
            return Rules(Protego.parse(""), self._now() + _AGAIN, response)
        line = _Line(where, self._now(), "" if response is None else _text(_beginning(response)))
        rules = self._take_in(line)  # before it is stored: only a file that can be parsed is
        if self._file is not None:
            append(self._file, msgspec.json.encode(line) + b"\n")
        return rules

    async def _follow(self, url: str, get: Get) -> Response | Failure | None:
        """The response with the file, None if there is no file, or the reason why it cannot be fetched."""
        here = url
        for _ in range(_MOST_REDIRECTS + 1):
            response = await get(here)
            if isinstance(response, Failure):
                return _cannot(url, response)
            if response.location:
                there = canonical(response.location, here)
                if there is None:
                    return None
                here = there
            elif response.status >= 500 or response.status == 429:
                return Failure(url, Why.ROBOTS, f"robots.txt: status {response.status}")
            elif 200 <= response.status < 300:
                if response.failure is not None and response.failure.why is not Why.TOO_LARGE:
                    return _cannot(url, response.failure)
                return response
            else:
                return None
        return None

    def _take_in(self, line: _Line) -> Rules:
        rules = Rules(Protego.parse(line.text), line.at + _DAY)
        self._sitemaps.setdefault(line.origin, rules.sitemaps)
        return rules

    def _load(self, path: Path) -> None:
        """A line of the cache; a damaged line is ignored, and its file is fetched again."""
        decoder = msgspec.json.Decoder(_Line)
        whole = 0
        with path.open("rb+") as file:
            with suppress(EndlessLine):
                for raw in whole_lines(file):
                    whole += len(raw)
                    try:
                        line = decoder.decode(raw)
                    except (ValueError, RecursionError):
                        continue
                    self._rules[line.origin] = self._take_in(line)
            file.truncate(whole)

    def _forget(self) -> None:
        """Whether to request the file again, from the host whose rules were read first."""
        while len(self._rules) > _MOST_HOSTS:
            first = next(iter(self._rules))
            del self._rules[first]
            if not self._locks[first].locked():
                del self._locks[first]


def _cannot(url: str, failure: Failure) -> Failure:
    """Whether a failure means that the host does not exist or is forbidden, so that rules do not matter."""
    if failure.why in (Why.REFUSED, Why.DEFERRED) or "has no IP address" in failure.detail:
        return failure
    return Failure(url, Why.ROBOTS, f"robots.txt: {failure.why}: {failure.detail}")
