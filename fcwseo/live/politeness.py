"""Politeness: one request to a host at a time, and a pause after each.

The pause is the longest of three: the configured delay, the delay of the host's robots.txt, and one in
proportion to the host's response time. Machines that serve many hosts have a separate, shorter pause.

Of the links that wait for a host, the one with the highest expected relevance is next, whenever it was found.
Usually none waits: the crawl chooses a link when the turn of its host has come (``HostTurns``).
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from heapq import heappop, heappush

_SMOOTH = 0.3  # weight of the newest response in the mean of a host,
_SMOOTH_ALL = 0.05  # and of the newest turn in the mean of all hosts
_SLOW = 1.0  # seconds from which a response is slow and the pause equals its duration,
_SLOWEST = 10.0  # up to this limit
_MOST_DOUBLINGS = 64  # of a pause: 2.0**1024 is no number


class _Gate:
    """Admits one request at a time to one host or machine, and none before ``at``.

    The request with the highest expected relevance goes first; of equal ones, the earliest.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._came = 0
        self._timer: asyncio.TimerHandle | None = None
        self.is_open = True  # while no request is active
        self.at = 0.0

    def __len__(self) -> int:
        """Number of waiting requests."""
        return sum(not future.done() for _, _, future in self._waiting)

    def left(self, pause: float) -> float:
        """Seconds until it admits a request; if one is active, the pause after it."""
        return max(0.0, self.at - self._now()) if self.is_open else pause

    async def enter(self, priority: float) -> None:
        if self.is_open and self._now() >= self.at and not self._waiting:
            self.is_open = False
            return
        future = asyncio.get_running_loop().create_future()
        self._came += 1
        heappush(self._waiting, (-priority, self._came, future))
        self._look_again()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        self.is_open = True
        self._look_again()

    def let_go(self) -> None:
        """Admit the next request early, to find out that waiting is pointless."""
        self._let_in()

    def _look_again(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.is_open and self._waiting:
            left = max(0.0, self.at - self._now())
            self._timer = asyncio.get_running_loop().call_later(left, self._let_in_time)

    def _let_in_time(self) -> None:
        if self._now() < self.at:  # it was postponed in the meantime
            self._look_again()
        else:
            self._let_in()

    def _let_in(self) -> None:
        while self.is_open and self._waiting:
            _, _, future = heappop(self._waiting)
            if not future.done():
                self.is_open = False
                future.set_result(None)


class _Host:
    """A host: its gate, its response time, and its requested delays."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.gate = _Gate(now)
        self.seconds = 0.0  # response time, smoothed
        self.wanted = 0.0  # delay in robots.txt
        self.troubles = 0  # consecutive overloads
        self.machine: _Gate | None = None  # of its IP address, once known


class HostTooSlow(Exception):
    """A host that demands longer pauses than this crawl accepts."""


class Turn:
    """One request to a host: the times of its start and of its response."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.began = now()
        self.answer = 0.0

    @property
    def seconds(self) -> float:
        """Seconds since its start."""
        return self._now() - self.began

    def begins(self) -> None:
        self.began = self._now()

    def answered(self) -> None:
        self.answer = self._now()


class Politeness:
    """Turns of requests, by host and by IP address."""

    def __init__(
        self,
        *,
        delay: float = 1.0,
        address_delay: float = 0.25,
        ceiling: float = 60.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._delay = delay
        self._address_delay = address_delay
        self._ceiling = ceiling
        self._now = now
        self._hosts: dict[str, _Host] = {}
        self._addresses: dict[str, _Gate] = {}
        self._coming: list[tuple[float, str]] = []  # the turns to come, by time; some were postponed since
        self._turn = delay

    def pause(self, host: str) -> float:
        """Seconds between two requests to a host."""
        known = self._host(host)
        slowness = min(known.seconds, _SLOWEST) if known.seconds > _SLOW else 0.0
        return max(self._delay, known.wanted, slowness)

    def wants(self, host: str, seconds: float) -> None:
        """Set the pause that the host's robots.txt demands."""
        self._host(host).wanted = seconds

    def too_slow(self, host: str) -> str:
        """The reason why a host is not crawled; empty if it is crawled."""
        known = self._host(host)
        left = known.gate.at - self._now()
        if known.wanted > self._ceiling:
            return f"{host} demands {known.wanted:g} s between requests, more than {self._ceiling:g}"
        if left > self._ceiling:
            return f"{host} accepts no request for {left:.0f} s, more than {self._ceiling:g}"
        return ""

    def slow_down(self, host: str, seconds: float | None) -> None:
        """Pause an overloaded host for the given time, or for a time that doubles with each overload."""
        known = self._host(host)
        known.troubles += 1
        own = max(self.pause(host), 1.0) * 2.0 ** min(known.troubles, _MOST_DOUBLINGS)
        wait = min(own, self._ceiling) if seconds is None else seconds
        known.gate.at = max(known.gate.at, self._now() + wait)
        self._expect(host)
        if self.too_slow(host):
            known.gate.let_go()

    def is_well(self, host: str) -> None:
        """Record a normal response of the host."""
        self._host(host).troubles = 0

    def waiting(self) -> dict[str, float]:
        """The hosts with waiting requests, and the remaining seconds."""
        now = self._now()
        return {host: max(0.0, known.gate.at - now) for host, known in self._hosts.items() if len(known.gate)}

    @property
    def turn_seconds(self) -> float:
        """Seconds from one request to the next of a host, smoothed over all hosts."""
        return self._turn

    def wait(self, host: str) -> float:
        """Seconds until another request to a host could begin, after those already waiting. A host that is
        not crawled needs no waiting.
        """
        known = self._hosts.get(host)
        if known is None or self.too_slow(host):
            return 0.0
        pause = self.pause(host)
        left = known.gate.left(pause)
        if known.machine is not None:
            left = max(left, known.machine.left(min(self._address_delay, pause)))
        return left + len(known.gate) * pause

    def soonest(self) -> float | None:
        """Seconds until the turn of the next host that now has to pause; None if there is none."""
        now = self._now()
        while self._coming:
            at, host = self._coming[0]
            gate = self._host(host).gate
            is_next = gate.is_open and not len(gate) and at >= gate.at  # else a later entry is, or will be
            if self.too_slow(host):
                is_next = False  # nothing waits for it
            if is_next and at > now:
                return at - now
            heappop(self._coming)
            if is_next and (left := self.wait(host)) > 0:  # its machine is busy
                heappush(self._coming, (now + left, host))
        return None

    @asynccontextmanager
    async def turn(self, host: str, address: str = "", *, priority: float = 0.0) -> AsyncIterator[Turn]:
        """Wait for the turn of a request to this host at this IP address ("" if irrelevant). Requests of
        higher expected relevance come first.

        Raises ``HostTooSlow`` if the wait would be too long.
        """
        known = self._host(host)
        if why := self.too_slow(host):
            raise HostTooSlow(why)
        await known.gate.enter(priority)
        try:
            if why := self.too_slow(host):
                raise HostTooSlow(why)
            if not address:
                async with self._request(host, known) as turn:
                    yield turn
                return
            known.machine = machine = self._addresses.setdefault(address, _Gate(self._now))
            await machine.enter(priority)
            try:
                async with self._request(host, known) as turn:
                    yield turn
            finally:
                machine.at = self._now() + min(self._address_delay, self.pause(host))
                machine.leave()
        finally:
            if self.too_slow(host):
                known.gate.is_open = True
                known.gate.let_go()
            else:
                known.gate.leave()

    @asynccontextmanager
    async def _request(self, host: str, known: _Host) -> AsyncIterator[Turn]:
        """Start the pause at the time at which the host certainly had the request."""
        turn = Turn(self._now)
        try:
            yield turn
        finally:
            end = turn.answer or self._now()
            known.seconds += _SMOOTH * (end - turn.began - known.seconds)
            known.gate.at = max(known.gate.at, end + self.pause(host))
            self._expect(host)
            self._turn += _SMOOTH_ALL * (end + self.pause(host) - turn.began - self._turn)

    def _expect(self, host: str) -> None:
        """Note when the turn of a host comes."""
        self.soonest()  # forgets the turns that came
        heappush(self._coming, (self._hosts[host].gate.at, host))

    def _host(self, host: str) -> _Host:
        if host not in self._hosts:
            self._hosts[host] = _Host(self._now)
        return self._hosts[host]


class HostTurns:
    """When hosts accept requests: politeness as strategies see it.

    >>> HostTurns(Politeness(delay=2.0)).turn, HostTurns(Politeness()).soonest()
    (2.0, None)
    """

    def __init__(self, politeness: Politeness) -> None:
        self._politeness = politeness

    @property
    def turn(self) -> float:
        """Seconds from one request to the next of a host, smoothed over all hosts."""
        return self._politeness.turn_seconds

    def wait(self, host: str) -> float:
        """Seconds until another link of a host can be fetched; 0 if it can be fetched now."""
        return self._politeness.wait(host)

    def soonest(self) -> float | None:
        """Seconds until the turn of the next host that waits for it; None if no host waits."""
        return self._politeness.soonest()
