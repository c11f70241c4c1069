"""When a host may be asked again: one request at a time, and a pause after each.

The pause is what we were told to keep, what the host's robots.txt wants, and what the host's own slowness
asks for, whichever is longest. Machines that serve many hosts get a pause of their own, a shorter one.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

_SMOOTH = 0.3  # the weight of the newest answer in the mean
_SLOWEST = 10.0  # the longest pause that slowness alone brings


class _Clock:
    """When one host, or one machine, may be asked again."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.at = 0.0
        self.seconds = 0.0  # that an answer takes, smoothed
        self.wanted = 0.0  # by robots.txt
        self.troubles = 0  # one after the other


class LeftAlone(Exception):
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
    """Turns for requests, by host and by address; who asks first comes first."""

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
        self._hosts: dict[str, _Clock] = {}
        self._addresses: dict[str, _Clock] = {}

    def pause(self, host: str) -> float:
        """The seconds between two requests to a host."""
        clock = self._host(host)
        return max(self._delay, clock.wanted, min(clock.seconds, _SLOWEST))

    def wants(self, host: str, seconds: float) -> None:
        """The host's robots.txt asks for this pause."""
        self._host(host).wanted = seconds

    def too_slow(self, host: str) -> str:
        """Why a host is left alone; nothing if it is not."""
        clock = self._host(host)
        left = clock.at - self._now()
        if clock.wanted > self._ceiling:
            return f"{host} wants {clock.wanted:g} s between requests, more than {self._ceiling:g}"
        if left > self._ceiling:
            return f"{host} wants to be left alone for {left:.0f} s, more than {self._ceiling:g}"
        return ""

    def slow_down(self, host: str, seconds: float | None) -> None:
        """The host is overloaded: leave it alone for so long, or for a while that doubles each time."""
        clock = self._host(host)
        clock.troubles += 1
        own = max(self.pause(host), 1.0) * 2.0**clock.troubles
        clock.at = max(clock.at, self._now() + (min(own, self._ceiling) if seconds is None else seconds))

    def is_well(self, host: str) -> None:
        """The host answered as it should."""
        self._host(host).troubles = 0

    def waiting(self) -> dict[str, float]:
        """The hosts that somebody waits for, and for how many seconds more."""
        now = self._now()
        return {host: max(0.0, clock.at - now) for host, clock in self._hosts.items() if clock.lock.locked()}

    @asynccontextmanager
    async def turn(self, host: str, address: str = "") -> AsyncIterator[Turn]:
        """Wait for the turn of a request to this host at this address ("" if that does not matter).

        Raises ``LeftAlone`` if that would take too long.
        """
        clock = self._host(host)
        async with clock.lock:
            if why := self.too_slow(host):
                raise LeftAlone(why)
            await self._until(clock)
            if not address:
                async with self._request(host, clock) as turn:
                    yield turn
                return
            machine = self._addresses.setdefault(address, _Clock())
            async with machine.lock:
                await self._until(machine)
                async with self._request(host, clock) as turn:
                    yield turn
                machine.at = self._now() + min(self._address_delay, self.pause(host))

    @asynccontextmanager
    async def _request(self, host: str, clock: _Clock) -> AsyncIterator[Turn]:
        """The pause is counted from the moment at which the host surely had the request."""
        turn = Turn(self._now)
        try:
            yield turn
        finally:
            end = turn.answer or self._now()
            clock.seconds += _SMOOTH * (end - turn.began - clock.seconds)
            clock.at = max(clock.at, end + self.pause(host))

    async def _until(self, clock: _Clock) -> None:
        while (left := clock.at - self._now()) > 0:
            await asyncio.sleep(left)

    def _host(self, host: str) -> _Clock:
        return self._hosts.setdefault(host, _Clock())
