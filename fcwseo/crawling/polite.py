"""The crawl of a web whose hosts are asked politely: the live web, or a rehearsed one.

A link is chosen late: when a slot is free and its host may be asked. A link in hand does not occupy a slot
while it waits, so the slot goes to another host. Links wait in three cases: the host's robots.txt comes
first, a redirect or a retry needs another turn, or the strategy returned a link before its host's turn. Of
the last kind only a few are accepted at a time.

The strategy may leave a slot idle. It is asked again after the next visit, or when a host's turn has come.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Iterator
from typing import Protocol

from fcwseo.crawling.engine import Stop, Window, stop_of
from fcwseo.live.slots import Slots
from fcwseo.pages import Failure, Link, Page, Visit
from fcwseo.pages.urls import host
from fcwseo.webs.protocol import Web

_MOST_IN_HAND = 16  # links that may wait in all, for each slot
_SOON = 0.001  # seconds: the least wait of a host that is busy


class HostTurns(Protocol):
    """When the hosts of a web accept requests."""

    @property
    def turn(self) -> float:
        """Seconds from one request to the next of a host, smoothed over all hosts."""
        ...

    def wait(self, host: str) -> float:
        """Seconds until a host accepts a request."""
        ...

    def soonest(self) -> float | None:
        """Seconds until the turn of the next host that waits for it; None if no host waits."""
        ...


async def crawl_politely(
    web: Web,
    window: Window,
    *,
    record: Callable[[Visit], None],
    slots: Slots,
    turns: HostTurns,
    waiting: int = 0,
    ends: float | None = None,
    stop: asyncio.Event | None = None,
) -> Stop:
    """Crawl until the budget is spent, no link is left, or ``stop`` is set; then fetches in flight are
    finished.

    Args:
        web: The web, whose fetches take a slot for each request.
        window: The links in flight.
        record: Called with each visit.
        slots: The slots.
        turns: When hosts accept requests.
        waiting: Number of links that may be in hand before the turn of their host (0: the width).
        ends: The time of the loop at which the crawl is to end, which the strategy may take into account.
        stop: Ends the crawl when it is set.
    """
    stop = stop or asyncio.Event()
    try:
        async with asyncio.TaskGroup() as group:
            watch = group.create_task(_pass_on(stop, slots.changed))
            early = waiting or window.width
            crawl = _Polite(web, window, slots, turns, group, early=early, ends=ends, stop=stop)
            await crawl.run(record)
            watch.cancel()
    except BaseExceptionGroup as errors:  # of the task group; the first error is the cause
        raise errors.exceptions[0] from errors
    return stop_of(window, stop)


class _TurnsNow:
    """The turns as the strategy sees them: a host with a link in hand has to wait."""

    def __init__(self, turns: HostTurns, window: Window, ends: float | None) -> None:
        self._turns, self._window, self._ends = turns, window, ends
        self.in_hand: Counter[str] = Counter()  # links by host

    @property
    def turn(self) -> float:
        return self._turns.turn

    @property
    def pages_left(self) -> int | None:
        return self._window.budget - self._window.pages

    @property
    def seconds_left(self) -> float | None:
        return None if self._ends is None else max(0.0, self._ends - asyncio.get_running_loop().time())

    def wait(self, host: str) -> float:
        wait = self._turns.wait(host)
        return max(wait, self._turns.turn, _SOON) if self.in_hand[host] and not wait else wait


class _Polite:
    """A polite crawl: its links in hand, and the choice of the next ones."""

    def __init__(
        self,
        web: Web,
        window: Window,
        slots: Slots,
        turns: HostTurns,
        group: asyncio.TaskGroup,
        *,
        early: int,
        ends: float | None,
        stop: asyncio.Event,
    ) -> None:
        self._web, self._window, self._slots, self._group = web, window, slots, group
        self._stop = stop
        self._turns, self._now = turns, _TurnsNow(turns, window, ends)
        self._most_early = early
        self._early: set[str] = set()  # links that were returned before the turn of their host
        self._tasks: dict[str, asyncio.Task[Page | Failure]] = {}
        self._ended: deque[str] = deque()
        self._may_ask = True
        for link in window.in_flight.values():
            self._start(link)

    async def run(self, record: Callable[[Visit], None]) -> None:
        """Crawl to the end."""
        while True:
            for visit in self._settled():
                record(visit)
                self._may_ask = True
            self._slots.limit(self._room())
            if self._room() == 0:
                self._leave_waiting()
            elif self._may_ask and (wanted := self._wanted()) > 0:
                self._may_ask = await self._ask(wanted)
                continue
            if not self._tasks and (self._room() == 0 or self._turns.soonest() is None):
                return
            await self._wait()

    def _room(self) -> int:
        """Number of concurrent requests."""
        return 0 if self._stop.is_set() else self._window.room()

    def _wanted(self) -> int:
        """Number of links to request: as many as slots are free, and may wait if they have to."""
        waiting = len(self._tasks) - len(self._slots)
        early = sum(url not in self._slots for url in self._early)
        most = min(self._most_early - early, _MOST_IN_HAND * self._window.width - waiting)
        return min(self._room() - len(self._slots), most)

    async def _ask(self, count: int) -> bool:
        """Request this number of links from the strategy. Returns whether there may be more."""
        links = self._window.ask(count, self._now)
        for link in links:
            if self._now.wait(_host(link)) > 0:
                self._early.add(link.target)
            self._start(link)
        await asyncio.sleep(0)  # each takes a slot, or waits
        return bool(links)

    async def _wait(self) -> None:
        """Wait for the end of a fetch, a stop, or the turn of a host that the strategy may wait for."""
        soonest = None if self._may_ask else self._turns.soonest()
        timer = None
        if soonest is not None:
            timer = asyncio.get_running_loop().call_later(soonest, self._host_is_ready)
        await self._slots.changed.wait()
        self._slots.changed.clear()
        if timer is not None:
            timer.cancel()

    def _host_is_ready(self) -> None:
        self._may_ask = True
        self._slots.changed.set()

    def _settled(self) -> Iterator[Visit]:
        """Settle the finished fetches. A page among the last of the budget keeps its slot."""
        while self._ended:
            url = self._ended.popleft()
            task = self._tasks.pop(url)
            self._early.discard(url)
            if not task.cancelled():
                link = self._window.in_flight[url]
                self._now.in_hand[_host(link)] -= 1
                yield self._window.settle(url, task.result())
                self._slots.limit(self._room())
            self._slots.finish(url)

    def _leave_waiting(self) -> None:
        """Cancel fetches that have not started."""
        for url, task in self._tasks.items():
            if url not in self._slots:
                task.cancel()

    def _start(self, link: Link) -> None:
        url = link.target

        def end(task: asyncio.Task[Page | Failure]) -> None:
            self._ended.append(url)
            self._slots.changed.set()

        self._now.in_hand[_host(link)] += 1
        self._slots.expect(url, link.predicted)
        self._tasks[url] = self._group.create_task(self._web.fetch(url))
        self._tasks[url].add_done_callback(end)


def _host(link: Link) -> str:
    return host(link.target)


async def _pass_on(stop: asyncio.Event, changed: asyncio.Event) -> None:
    await stop.wait()
    changed.set()
