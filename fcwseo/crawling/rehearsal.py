"""A rehearsal: a closed web that answers like servers do, on a virtual clock.

Every host takes one request at a time with a pause after each, by the same ``Politeness`` as on the live web.
The first request to a host is its robots.txt. How long a response takes, and which hosts are slow, fail or
demand a Crawl-delay, is a function of the URL, so that every crawl of a web meets the same servers.
"""

import asyncio
from hashlib import blake2b
from math import exp
from statistics import NormalDist
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from fcwseo.errors import InvalidInput
from fcwseo.live.politeness import HostTooSlow, HostTurns, Politeness
from fcwseo.live.scope import ScopedWeb
from fcwseo.live.slots import Slots
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.urls import host
from fcwseo.webs.protocol import ClosedWeb

_Share = Annotated[float, Meta(ge=0, le=1)]
_Seconds = Annotated[float, Meta(ge=0, le=86400)]

_OF_HOSTS, _OF_PAGES = 0.6, 0.4  # standard deviations of the logarithm of the latency
_NORMAL = NormalDist()


class Rehearsal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the servers of a rehearsal behave. Slow and failing hosts and Crawl-delays are off unless given.

    ``delay`` is the pause between two requests to a host, and ``latency`` the median of the response times,
    in seconds. Of the hosts, a share ``slow_hosts`` takes ``slowness`` times as long; a share
    ``failing_hosts`` never answers, and a request to one is given up after ``timeout`` seconds; a share
    ``crawl_delay_hosts`` demands pauses of ``crawl_delay`` seconds. A host that demands more than ``ceiling``
    is not crawled.

    >>> Rehearsal().delay, Rehearsal().latency
    (1.0, 0.2)
    """

    delay: _Seconds = 1.0
    latency: _Seconds = 0.2
    slow_hosts: _Share = 0.0
    slowness: Annotated[float, Meta(ge=1, le=1000)] = 10.0
    failing_hosts: _Share = 0.0
    timeout: _Seconds = 10.0
    crawl_delay_hosts: _Share = 0.0
    crawl_delay: _Seconds = 30.0
    ceiling: _Seconds = 60.0

    @property
    def identity(self) -> str:
        """All settings as text: two rehearsals of the same text are the same."""
        return msgspec.json.encode(self).decode()

    def is_slow(self, name: str) -> bool:
        """Whether a host is one of the slow ones."""
        return _drawn("slow", name) < self.slow_hosts

    def fails(self, name: str) -> bool:
        """Whether a host never answers."""
        return _drawn("fails", name) < self.failing_hosts

    def demanded(self, name: str) -> float:
        """The Crawl-delay of a host; 0 if it demands none."""
        return self.crawl_delay if _drawn("crawl-delay", name) < self.crawl_delay_hosts else 0.0

    def seconds(self, url: str) -> float:
        """The response time of a URL: lognormal, by its host and by the URL itself.

        >>> Rehearsal(latency=0.0).seconds("http://a.example/")
        0.0
        >>> Rehearsal().seconds("http://a.example/") == Rehearsal().seconds("http://a.example/")
        True
        """
        name = host(url)
        spread = _OF_HOSTS * _normal("host", name) + _OF_PAGES * _normal("page", url)
        return self.latency * exp(spread) * (self.slowness if self.is_slow(name) else 1.0)


def times_of(*, delay: float | None, latency: float | None) -> dict[str, float]:
    """The given times of a rehearsal.

    >>> times_of(delay=2.0, latency=None)
    {'delay': 2.0}
    """
    return {name: value for name, value in (("delay", delay), ("latency", latency)) if value is not None}


def rehearsal_of(
    rehearse: "bool | Rehearsal", *, delay: float | None, latency: float | None
) -> dict[str, Any] | None:
    """The settings of a rehearsal as plain values; None without one.

    >>> rehearsal_of(True, delay=2.0, latency=None), rehearsal_of(False, delay=None, latency=None)
    ({'delay': 2.0}, None)
    """
    chosen = times_of(delay=delay, latency=latency)
    if isinstance(rehearse, Rehearsal):
        return {**msgspec.to_builtins(rehearse), **chosen}
    if rehearse:
        return chosen
    if latency is not None:
        raise InvalidInput("latency applies to a rehearsal only: omit it, or rehearse")
    return None


class RehearsedWeb:
    """A closed web whose hosts are asked politely on a virtual clock; create it on the loop of the crawl.

    A link out of the web is out of scope: it costs no time.
    """

    def __init__(self, web: ClosedWeb, rehearsal: Rehearsal, *, slots: Slots) -> None:
        self._web, self._rehearsal, self._slots = web, rehearsal, slots
        self._hosts = frozenset(map(host, web.urls()))
        self._reached: set[str] = set()
        self._robots: dict[str, asyncio.Lock] = {}
        self._met: set[str] = set()  # hosts whose robots.txt was requested
        self._politeness = Politeness(
            delay=rehearsal.delay,
            ceiling=max(rehearsal.ceiling, rehearsal.delay),
            now=asyncio.get_running_loop().time,
        )

    @property
    def turns(self) -> HostTurns:
        """When hosts accept requests."""
        return HostTurns(self._politeness)

    def state(self) -> dict[str, object]:
        """Counts of active requests, and hosts waited for."""
        return {"on_network": len(self._slots), "hosts_waited_for": self._politeness.waiting()}

    def why_waiting(self) -> str:
        """A line that describes what the crawl waits for."""
        waiting = len(self._politeness.waiting())
        return f"{len(self._slots)} requests active, links wait for {waiting} hosts"

    def remember(self, url: str) -> None:
        """Add a page of the log, which is not fetched again."""
        self._reached.add(url)

    async def fetch(self, url: str) -> Page | Failure:
        """The page at a URL, after its redirects, each in its host's turn."""
        if host(url) not in self._hosts or self._is_excluded(url):
            return await self._web.fetch(url)
        there = self._web.resolve(url)
        hops = [url] if there in (None, url) or there in self._reached else [url, str(there)]
        for hop in hops:
            if failure := await self._hop(hop, url):
                return failure
        outcome = await self._web.fetch(url)
        if isinstance(outcome, Page):
            self._reached.add(outcome.url)
        return outcome

    def _is_excluded(self, url: str) -> bool:
        return isinstance(self._web, ScopedWeb) and self._web.scope.why_not(url) != ""

    async def _hop(self, here: str, link_url: str) -> Failure | None:
        """Request one URL; robots.txt comes first on a host that the crawl has not met."""
        name = host(here)
        try:
            async with self._robots.setdefault(name, asyncio.Lock()):
                if name not in self._met:
                    await self._ask(f"http://{name}/robots.txt", link_url)
                    self._politeness.wants(name, self._rehearsal.demanded(name))
                    self._met.add(name)
            if self._rehearsal.fails(name):
                return Failure(link_url, Why.ROBOTS, f"{name} does not answer for its robots.txt")
            await self._ask(here, link_url)
        except HostTooSlow as error:
            return Failure(link_url, Why.DEFERRED, str(error))
        return None

    async def _ask(self, here: str, link_url: str) -> None:
        """Let the time of one request pass, in its host's turn and with a slot."""
        self._slots.release(link_url)
        name = host(here)
        fails = self._rehearsal.fails(name)
        priority = self._slots.expected(link_url)
        async with self._politeness.turn(name, priority=priority) as turn, self._slots.slot(link_url):
            turn.begins()
            await asyncio.sleep(self._rehearsal.timeout if fails else self._rehearsal.seconds(here))
            turn.answered()


def _drawn(kind: str, name: str) -> float:
    """A number in (0, 1), always the same for a kind and a name.

    >>> 0 < _drawn("host", "a.example") < 1
    True
    """
    digest = blake2b(f"{kind} {name}".encode(), digest_size=6).digest()
    return (int.from_bytes(digest) + 0.5) / 2**48


def _normal(kind: str, name: str) -> float:
    """A standard normal number, always the same for a kind and a name."""
    return _NORMAL.inv_cdf(_drawn(kind, name))
