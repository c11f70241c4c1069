"""One loop for every strategy on every web.

A sliding window: up to ``width`` fetches are in flight, outcomes are observed in the order of arrival, and
the budget is never exceeded. Frozen and generated webs answer at once, so outcomes arrive in the order of
requests and a crawl is reproducible to the byte. The budget counts pages: a dead link costs only time.

A crawl is continued by replaying its log with a new strategy: after each outcome the window is filled as it
was the first time, so the strategy reaches the state in which the crawl stopped.

On the live web most links wait for their host's turn, and a waiting link does not occupy a slot (``Slots``).
The window is filled whenever a slot is free, up to a limit of waiting links. The number of links requested
depends on timing, so every visit records it; a replay then makes the same requests.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterable, Callable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from fcwseo.errors import InvalidRun, InvalidStrategy
from fcwseo.live.slots import Slots
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance.threshold import RunningThreshold, Threshold
from fcwseo.strategies.protocol import AT_ONCE, Strategy, Turns
from fcwseo.webs.protocol import Web

SEEDS = "fcwseo:seeds"  # the URL of the virtual page that links to the seeds


class Stop(StrEnum):
    """Why a crawl ended."""

    BUDGET = "budget"
    EXHAUSTED = "exhausted"
    INTERRUPTED = "interrupted"  # interrupted once: fetches in flight are finished
    FORCED = "forced"  # interrupted twice: fetches in flight are dropped
    TIME = "time"
    SIZE = "size"
    SPACE = "space"  # the disk is nearly full


class Window:
    """The links in flight: returned by the strategy, and without an outcome yet.

    It has the threshold of the crawl. The ``eta`` of a visit that the strategy observes fits relevance as it
    was judged; that of a recorded visit is the one from which its page is kept.
    """

    def __init__(
        self,
        strategy: Strategy,
        seeds: Sequence[str],
        *,
        relevance: Callable[[Page], float],
        budget: int,
        width: int,
        threshold: Threshold | None = None,
    ) -> None:
        self._strategy = strategy
        self._relevance = relevance
        self.threshold = threshold or RunningThreshold()
        self._eta = self._keep = 0.0
        self.width = width
        self._reached: set[str] = set()
        self._failed: set[str] = set()  # links without a new page
        self.budget = budget
        self.pages = 0
        self.step = 0
        self.in_flight: dict[str, Link] = {}
        self._asked: list[int] | None = None
        links = tuple(Link(seed, SEEDS, position=i) for i, seed in enumerate(seeds))
        strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=links)))

    def fill(self) -> Sequence[Link]:
        """Request links from the strategy, as many as width and budget allow."""
        free = min(self.width, self.budget - self.pages) - len(self.in_flight)
        links = self._strategy.next(free, AT_ONCE) if free > 0 else ()
        self.in_flight |= {link.target: link for link in links}
        return links

    def ask(self, count: int, turns: Turns = AT_ONCE) -> Sequence[Link]:
        """Request ``count`` links from the strategy regardless of width; the next visit records it."""
        links = self._strategy.next(count, turns)
        self._asked = [*(self._asked or ()), count]
        self.in_flight |= {link.target: link for link in links}
        return links

    def room(self) -> int:
        """Number of concurrent fetches."""
        return max(0, min(self.width, self.budget - self.pages))

    def due(self) -> list[str]:
        """The links in flight within the budget; a log may leave more than a lowered budget allows."""
        return list(islice(self.in_flight, max(0, self.budget - self.pages)))

    def settle(self, url: str, outcome: Page | Failure) -> Visit:
        """Let the strategy observe the outcome of a link. A page already reached through another link is
        recorded as a duplicate.
        """
        link = self.in_flight.pop(url)
        if isinstance(outcome, Page):
            if outcome.url in self._reached:
                outcome = Failure(url, Why.DUPLICATE, outcome.url)
            else:
                self._reached.add(
                    link.target if link.target == outcome.url else outcome.url
                )  # one string object
                self.pages += 1
        if isinstance(outcome, Failure):
            if url in self._failed:
                raise InvalidStrategy(f"the strategy returned {url} twice: each link may be returned once")
            self._failed.add(url)
        self.step += 1
        relevance = 0.0
        if isinstance(outcome, Page):
            relevance = self._relevance(outcome)
            self._eta = self.threshold.add(relevance, is_seed=link.depth == 0)
            self._keep = self.threshold.keep
        asked = None if self._asked is None else tuple(self._asked)
        visit = Visit(self.step, link, outcome, relevance, asked, self._eta)
        self._asked = None if asked is None else []
        self._strategy.observe(visit)
        return replace(visit, eta=self._keep)


class LoggedVisit(NamedTuple):
    """A visit in a log: the budget at that time, the URL, the outcome, and the number of links requested
    before it (None: as many as width and budget allowed).
    """

    budget: int
    url: str
    outcome: Page | Failure
    asked: tuple[int, ...] | None = None


async def replay(
    window: Window,
    past: AsyncIterable[LoggedVisit],
    *,
    observed: Callable[[Visit], None] = lambda visit: None,
) -> None:
    """Replay a log into a new window."""
    async for before in past:
        window.budget = before.budget
        if before.asked is None:
            window.fill()
        else:
            for count in before.asked:
                window.ask(count)
        if before.url not in window.in_flight:
            raise InvalidRun(
                f"visit {window.step + 1} of the log, to {before.url}, does not follow from this "
                "configuration: use another --out"
            )
        observed(window.settle(before.url, before.outcome))


async def crawl(
    web: Web,
    window: Window,
    *,
    record: Callable[[Visit], None],
    stop: asyncio.Event | None = None,
    slots: Slots | None = None,
    patience: int = 0,
    turns: Turns = AT_ONCE,
) -> Stop:
    """Crawl until the budget is spent, no link is left, or ``stop`` is set; fetches in flight are finished.

    A web whose fetches wait for their hosts takes a slot of ``slots`` for each active fetch; up to
    ``patience`` links may wait. ``turns`` gives the strategy the waiting time of each host.
    """
    stop = stop or asyncio.Event()
    try:
        if slots is None:
            await _run(web, window, record, stop)
        else:
            await _run_patiently(web, window, record, stop, slots, patience, turns)
    except BaseExceptionGroup as group:  # of the task group; the first error is the cause
        raise group.exceptions[0] from group
    if window.pages >= window.budget:
        return Stop.BUDGET
    return Stop.INTERRUPTED if stop.is_set() else Stop.EXHAUSTED


async def _run(web: Web, window: Window, record: Callable[[Visit], None], stop: asyncio.Event) -> None:
    async with asyncio.TaskGroup() as group:
        tasks: dict[str, asyncio.Task[Page | Failure]] = {}
        while True:
            if not stop.is_set():
                window.fill()
                tasks |= {url: group.create_task(web.fetch(url)) for url in window.due() if url not in tasks}
            if not tasks:
                return
            if not any(task.done() for task in tasks.values()):
                await asyncio.wait(tasks.values(), return_when=asyncio.FIRST_COMPLETED)
            url = next(url for url, task in tasks.items() if task.done())
            record(window.settle(url, tasks.pop(url).result()))


class _Patient:
    """A crawl of a web whose fetches wait for their hosts, with as many active fetches as slots."""

    def __init__(
        self,
        web: Web,
        window: Window,
        slots: Slots,
        group: asyncio.TaskGroup,
        *,
        turns: Turns,
        room: Callable[[], int],
    ) -> None:
        self._web, self._window, self._slots, self._group = web, window, slots, group
        self._turns, self._room = turns, room
        self._tasks: dict[str, asyncio.Task[Page | Failure]] = {}
        self._ended: deque[str] = deque()
        for link in window.in_flight.values():
            self._start(link)

    def __len__(self) -> int:
        """Number of links in hand."""
        return len(self._tasks)

    @property
    def waiting(self) -> int:
        return len(self._tasks) - len(self._slots)

    def ended(self) -> Iterator[Visit]:
        """Settle the finished fetches. A page among the last of the budget keeps its slot."""
        while self._ended:
            url = self._ended.popleft()
            task = self._tasks.pop(url)
            if not task.cancelled():
                yield self._window.settle(url, task.result())
                self._slots.limit(self._room())
            self._slots.finish(url)

    async def ask(self, count: int) -> bool:
        """Request this number of links from the strategy. Returns whether one of them need not wait."""
        links = self._window.ask(count, self._turns)
        for link in links:
            self._start(link)
        await asyncio.sleep(0)  # each checks for itself
        return any(link.target in self._slots or self._tasks[link.target].done() for link in links)

    def leave_waiting(self) -> None:
        """Cancel fetches that have not started."""
        for url, task in self._tasks.items():
            if url not in self._slots:
                task.cancel()

    def _start(self, link: Link) -> None:
        url = link.target

        def end(task: asyncio.Task[Page | Failure]) -> None:
            self._ended.append(url)
            self._slots.changed.set()

        self._slots.expect(url, link.predicted)
        self._tasks[url] = self._group.create_task(self._web.fetch(url))
        self._tasks[url].add_done_callback(end)


async def _run_patiently(
    web: Web,
    window: Window,
    record: Callable[[Visit], None],
    stop: asyncio.Event,
    slots: Slots,
    patience: int,
    turns: Turns,
) -> None:
    def room() -> int:
        return 0 if stop.is_set() else window.room()

    async with asyncio.TaskGroup() as group:
        watch = group.create_task(_pass_on(stop, slots.changed))
        crawl = _Patient(web, window, slots, group, turns=turns, room=room)
        may_ask = True
        while True:
            for visit in crawl.ended():
                record(visit)
                may_ask = True
            slots.limit(room())
            free = room() - len(slots)
            if room() == 0:
                crawl.leave_waiting()
            elif may_ask and free > 0 and crawl.waiting < patience:
                may_ask = await crawl.ask(free)
                continue
            if not crawl:
                break
            await slots.changed.wait()
            slots.changed.clear()
        watch.cancel()


async def _pass_on(stop: asyncio.Event, changed: asyncio.Event) -> None:
    await stop.wait()
    changed.set()
