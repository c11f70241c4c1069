"""One loop for every strategy on every web.

A sliding window: up to ``width`` fetches are in flight, outcomes are observed in the order of arrival, and
the budget is never exceeded. Frozen and generated webs answer at once, so outcomes arrive in the order of
requests and a crawl is reproducible to the byte. The budget counts pages: a dead link costs only time.

A crawl is continued by replaying its log with a new strategy: after each outcome the window is filled as it
was the first time, so the strategy reaches the state in which the crawl stopped.

A polite crawl, of the live web or rehearsed, is run by ``polite``. There the links requested depend on
timing, so every visit records them; a replay then requests the same links.

A continued crawl may ask again for links that failed. The window then puts them in hand before the links of
the strategy, which observes a second outcome only if it is a page. Such a visit is a line of the log, which
says so: a replay settles it without the strategy.
"""

import asyncio
from collections.abc import AsyncIterable, Callable, Sequence
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from msgspec.structs import replace

from fcwseo.errors import InvalidRun, InvalidStrategy
from fcwseo.pages import Failure, Link, Page, Requested, Visit, Why
from fcwseo.pages.urls import host
from fcwseo.relevance.threshold import RunningThreshold, Threshold
from fcwseo.strategies.protocol import AT_ONCE, AtOnce, Strategy, Takes, Turns
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


class _Unanswered:
    """The links whose last outcome may pass, in the order of these outcomes, and those asked again."""

    def __init__(self) -> None:
        self._links: dict[str, tuple[Link, Why]] = {}
        self._waiting: dict[str, None] = {}
        self._in_flight: dict[str, Why] = {}  # with the outcome before

    def all_wait(self) -> int:
        """Let all links wait to be asked again, once each; their number."""
        self._waiting = dict.fromkeys(self._links)
        return len(self._waiting)

    def next(self, n: int, turns: Turns) -> list[Link]:
        """At most ``n`` waiting links whose hosts may be asked now, one of a host."""
        chosen: dict[str, str] = {}  # by host, if hosts have turns
        for url in self._waiting:
            if len(chosen) >= n:
                break
            name = host(url) if turns.turn > 0 else url
            if name not in chosen and turns.wait(name) <= 0:
                chosen[name] = url
        return [self.take(url) for url in chosen.values()]

    def __contains__(self, url: str) -> bool:
        return url in self._links

    def take(self, url: str) -> Link:
        """Ask again for a link."""
        self._waiting.pop(url, None)
        link, why = self._links.pop(url)
        self._in_flight[url] = why
        return link

    def settle(self, link: Link, outcome: Page | Failure) -> Why | None:
        """Take in the outcome of a link. Returns why it failed before, if it was asked again."""
        if isinstance(outcome, Failure) and outcome.may_pass:
            self._links[link.target] = link, outcome.why
        return self._in_flight.pop(link.target, None)


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
        max_depth: int | None = None,
    ) -> None:
        self._strategy = strategy
        self._relevance = relevance
        self.threshold = threshold or RunningThreshold()
        self._eta = self._keep = 0.0
        self._max_depth = max_depth
        self.width = width
        self._reached: set[str] = set()
        self._failed: set[str] = set()  # links without a new page
        self._unanswered = _Unanswered()
        self.budget = budget
        self.pages = 0
        self.step = 0
        self.in_flight: dict[str, Link] = {}
        self._counts: list[int] = []  # numbers of links requested since the last visit
        self._took: list[str] | None = None  # links returned since then; None if no timing decided
        links = tuple(Link(seed, SEEDS, position=i) for i, seed in enumerate(seeds))
        strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=links)))

    def fill(self) -> Sequence[Link]:
        """Request links from the strategy, as many as width and budget allow."""
        free = min(self.width, self.budget - self.pages) - len(self.in_flight)
        if free <= 0:
            return ()
        turns = AtOnce(pages_left=self.budget - self.pages)
        if self._took is not None:  # the log of an archived crawl, which goes on here
            return self.ask(free, turns)
        links = self._strategy.next(free, turns)
        self.in_flight |= {link.target: link for link in links}
        return links

    def ask(self, count: int, turns: Turns = AT_ONCE) -> Sequence[Link]:
        """Request ``count`` links regardless of width: first those to be asked again, then links of the
        strategy, which the next visit records.
        """
        again = self._unanswered.next(count, turns)
        self.in_flight |= {link.target: link for link in again}
        if len(again) == count:
            return again
        links = self._strategy.next(count - len(again), turns)
        self._counts.append(count - len(again))
        self._note(links)
        return [*again, *links]

    def retry_failed(self) -> int:
        """Ask again, once and before other links, for those that failed for a reason that may have passed.
        Returns their number. From now on every visit records the links requested before it.
        """
        self._note(())
        return self._unanswered.all_wait()

    def retry(self, url: str) -> None:
        """Ask again for a link, as a log says.

        Raises:
            InvalidRun: If its last outcome is not one that may pass.
        """
        if url not in self._unanswered:
            raise InvalidRun(_does_not_follow(self.step + 1, url))
        self.in_flight[url] = self._unanswered.take(url)

    def ask_again(self, requested: Requested) -> None:
        """Request the links that a log recorded.

        Raises:
            InvalidRun: If the strategy knows no such link.
        """
        if requested.counts is not None:
            self._note(())  # there may be no count
            for count in requested.counts:
                self.ask(count)
        elif isinstance(self._strategy, Takes):
            taken = {url: self._strategy.take(url) for url in requested.took}
            if unknown := [url for url, link in taken.items() if link is None]:
                raise InvalidRun(_does_not_follow(self.step + 1, unknown[0]))
            self._note([link for link in taken.values() if link is not None])
        else:
            raise InvalidRun(
                f"visit {self.step + 1} of the log was chosen by a strategy with a method take, "
                "which this one lacks: use another --out"
            )

    def _note(self, links: Sequence[Link]) -> None:
        self._took = [*(self._took or ()), *(link.target for link in links)]
        self.in_flight |= {link.target: link for link in links}

    def room(self) -> int:
        """Number of concurrent fetches."""
        return max(0, min(self.width, self.budget - self.pages))

    def due(self) -> list[str]:
        """The links in flight within the budget; a log may leave more than a lowered budget allows."""
        return list(islice(self.in_flight, max(0, self.budget - self.pages)))

    def settle(self, url: str, outcome: Page | Failure) -> Visit:
        """Let the strategy observe the outcome of a link. A page already reached through another link is
        recorded as a duplicate. The second failure of a link is not observed.
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
        before = self._unanswered.settle(link, outcome)
        if isinstance(outcome, Failure):
            if url in self._failed and before is None:
                raise InvalidStrategy(f"the strategy returned {url} twice: each link may be returned once")
            self._failed.add(url)
        self.step += 1
        relevance = 0.0
        if isinstance(outcome, Page):
            relevance = self._relevance(outcome)
            self._eta = self.threshold.add(relevance, is_seed=link.depth == 0)
            self._keep = self.threshold.keep
        visit = Visit(self.step, link, outcome, relevance, self._requested(), self._eta, before)
        if before is None or isinstance(outcome, Page):
            self._strategy.observe(self._as_followed(visit))
        return replace(visit, eta=self._keep)

    def _as_followed(self, visit: Visit) -> Visit:
        """A visit as the strategy sees it: a page at the greatest depth has no links."""
        page, most = visit.outcome, self._max_depth
        if most is None or visit.link.depth < most or not isinstance(page, Page):
            return visit
        return replace(visit, outcome=replace(page, links=()))

    def _requested(self) -> Requested | None:
        """The links requested since the last visit; None if no timing decided about them."""
        if self._took is None:
            return None
        counts = None if isinstance(self._strategy, Takes) else tuple(self._counts)
        found = Requested(tuple(self._took), counts)
        self._took, self._counts = [], []
        return found


class LoggedVisit(NamedTuple):
    """A visit in a log: the budget at that time, the URL, the outcome, the links requested before it
    (None: as many as width and budget allowed), whether the link was asked again, and the rule and the seat
    of its choice, which a strategy that only takes the links of a log does not know.
    """

    budget: int
    url: str
    outcome: Page | Failure
    requested: Requested | None = None
    is_retry: bool = False
    rule: str = ""
    seat: tuple[int, int] | None = None


async def replay(
    window: Window,
    past: AsyncIterable[LoggedVisit],
    *,
    observed: Callable[[Visit], None] = lambda visit: None,
) -> None:
    """Replay a log into a new window."""
    async for before in past:
        window.budget = before.budget
        if before.requested is None:
            window.fill()
        else:
            window.ask_again(before.requested)
        if before.is_retry:
            window.retry(before.url)
        if before.url not in window.in_flight:
            raise InvalidRun(_does_not_follow(window.step + 1, before.url))
        link = window.in_flight[before.url]
        window.in_flight[before.url] = replace(link, rule=before.rule, seat=before.seat)
        observed(window.settle(before.url, before.outcome))


def _does_not_follow(step: int, url: str) -> str:
    return f"visit {step} of the log, to {url}, does not follow from this configuration: use another --out"


async def crawl(
    web: Web, window: Window, *, record: Callable[[Visit], None], stop: asyncio.Event | None = None
) -> Stop:
    """Crawl until the budget is spent, no link is left, or ``stop`` is set; then fetches in flight are
    finished.
    """
    stop = stop or asyncio.Event()
    try:
        await _run(web, window, record, stop)
    except BaseExceptionGroup as group:  # of the task group; the first error is the cause
        raise group.exceptions[0] from group
    return stop_of(window, stop)


def stop_of(window: Window, stop: asyncio.Event) -> Stop:
    """Why a crawl that came to its end did."""
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
