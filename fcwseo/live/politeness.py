"""When a host may be asked again: one request at a time, and a pause after each.

The pause is what we were told to keep, what the host's robots.txt wants, and what the host's own slowness
asks for, whichever is longest. Machines that serve many hosts get a pause of their own, a shorter one.

Of the links that wait for a host, the most promising one gets the turn: a link that was found late is not put
behind all that was found before.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from heapq import heappop, heappush

_SMOOTH = 0.3  # the weight of the newest answer in the mean
_SLOW = 1.0  # seconds from which on an answer is slow, and the pause as long as it took,
_SLOWEST = 10.0  # up to this


class _Gate:
    """Lets one request through at a time, to one host or one machine, and none before ``at``.

    Who promises most goes first, whenever it came; of equals, who came first.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._waiting: list[tuple[float, int, asyncio.Future[None]]] = []
        self._came = 0
        self._timer: asyncio.TimerHandle | None = None
        self.is_open = True  # while no request is on its way
        self.at = 0.0

    def __len__(self) -> int:
        """How many wait."""
        return sum(not future.done() for _, _, future in self._waiting)

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
        """Let the next one in before its time: to find out that it is not worth waiting."""
        self._let_in()

    def _look_again(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self.is_open and self._waiting:
            left = max(0.0, self.at - self._now())
            self._timer = asyncio.get_running_loop().call_later(left, self._let_in_time)

    def _let_in_time(self) -> None:
        if self._now() < self.at:  # it was put off in the meantime
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
    """What is known of a host: its gate, how fast it answers, and what it asked for."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.gate = _Gate(now)
        self.seconds = 0.0  # that an answer takes, smoothed
        self.wanted = 0.0  # by robots.txt
        self.troubles = 0  # one after the other


class HostTooSlow(Exception):
    """A host that wants to be asked more seldom than this crawl can wait for."""


class Turn:
    """One request to a host: when it began, and when its answer did."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.began = now()
        self.answer = 0.0

    @property
    def seconds(self) -> float:
        """That it has taken so far."""
        return self._now() - self.began

    def begins(self) -> None:
        self.began = self._now()

    def answered(self) -> None:
        self.answer = self._now()


class Politeness:
    """Turns for requests, by host and by address."""

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

    def pause(self, host: str) -> float:
        """The seconds between two requests to a host."""
        known = self._host(host)
        slowness = min(known.seconds, _SLOWEST) if known.seconds > _SLOW else 0.0
        return max(self._delay, known.wanted, slowness)

    def wants(self, host: str, seconds: float) -> None:
        """The host's robots.txt asks for this pause."""
        self._host(host).wanted = seconds

    def too_slow(self, host: str) -> str:
        """Why a host is left alone; nothing if it is not."""
        known = self._host(host)
        left = known.gate.at - self._now()
        if known.wanted > self._ceiling:
            return f"{host} wants {known.wanted:g} s between requests, more than {self._ceiling:g}"
        if left > self._ceiling:
            return f"{host} wants to be left alone for {left:.0f} s, more than {self._ceiling:g}"
        return ""

    def slow_down(self, host: str, seconds: float | None) -> None:
        """The host is overloaded: leave it alone for so long, or for a while that doubles each time."""
        known = self._host(host)
        known.troubles += 1
        own = max(self.pause(host), 1.0) * 2.0**known.troubles
        wait = min(own, self._ceiling) if seconds is None else seconds
        known.gate.at = max(known.gate.at, self._now() + wait)
        if self.too_slow(host):
            known.gate.let_go()

    def is_well(self, host: str) -> None:
        """The host answered as it should."""
        self._host(host).troubles = 0

    def waiting(self) -> dict[str, float]:
        """The hosts that somebody waits for, and for how many seconds more."""
        now = self._now()
        return {host: max(0.0, known.gate.at - now) for host, known in self._hosts.items() if len(known.gate)}

    @property
    def delay(self) -> float:
        """The pause that every host gets."""
        return self._delay

    def wait(self, host: str) -> float:
        """The seconds until one more request to a host could begin, after those that wait for it already."""
        known = self._hosts.get(host)
        if known is None:
            return 0.0
        pause = self.pause(host)
        left = max(0.0, known.gate.at - self._now()) if known.gate.is_open else pause
        return left + len(known.gate) * pause

    @asynccontextmanager
    async def turn(self, host: str, address: str = "", *, priority: float = 0.0) -> AsyncIterator[Turn]:
        """Wait for the turn of a request to this host at this address ("" if that does not matter). Who
        promises more comes first.

        Raises ``HostTooSlow`` if that would take too long.
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
            machine = self._addresses.setdefault(address, _Gate(self._now))
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
        """The pause is counted from the moment at which the host surely had the request."""
        turn = Turn(self._now)
        try:
            yield turn
        finally:
            end = turn.answer or self._now()
            known.seconds += _SMOOTH * (end - turn.began - known.seconds)
            known.gate.at = max(known.gate.at, end + self.pause(host))

    def _host(self, host: str) -> _Host:
        if host not in self._hosts:
            self._hosts[host] = _Host(self._now)
        return self._hosts[host]


class HostTurns:
    """When hosts may be asked: what a strategy sees of politeness.

    >>> HostTurns(Politeness(delay=2.0)).turn
    2.0
    """

    def __init__(self, politeness: Politeness) -> None:
        self._politeness = politeness

    @property
    def turn(self) -> float:
        """The seconds from one request to a host to the next, where the host asks for no more."""
        return self._politeness.delay

    def wait(self, host: str) -> float:
        """The seconds until a further link of a host could be fetched; 0 if it could be now."""
        return self._politeness.wait(host)
