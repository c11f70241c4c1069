"""One loop for every strategy on every web.

A sliding window: up to ``width`` fetches in flight, outcomes observed as they come, the budget never
exceeded. Frozen and generated webs answer at once, so there the outcomes come in the order asked and a
crawl is reproducible to the byte. The budget counts pages: a dead link costs nothing but time.

A crawl is continued by folding its log into a fresh strategy: after each outcome the window is filled, as
it was the first time, so that the strategy ends in the very state in which the crawl was left.
"""

import asyncio
from collections.abc import AsyncIterable, Callable, Sequence
from enum import StrEnum
from itertools import islice

from fcwseo.errors import InvalidRun
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.strategy import Strategy
from fcwseo.web import Web

SEEDS = "fcwseo:seeds"  # the address of the imaginary page that links to the seeds


class Stop(StrEnum):
    """Why a crawl ended."""

    BUDGET = "budget"
    EXHAUSTED = "exhausted"
    INTERRUPTED = "interrupted"  # once: what was in flight is finished
    FORCED = "forced"  # twice: what was in flight is dropped


class Window:
    """What is in flight: links that the strategy named and that have no outcome yet."""

    def __init__(
        self,
        strategy: Strategy,
        seeds: Sequence[str],
        *,
        relevance: Callable[[Page], float],
        budget: int,
        width: int,
    ) -> None:
        self._strategy = strategy
        self._relevance = relevance
        self._width = width
        self._reached: set[str] = set()
        self.budget = budget
        self.pages = 0
        self.step = 0
        self.in_flight: dict[str, Link] = {}
        links = tuple(Link(seed, SEEDS, position=i) for i, seed in enumerate(seeds))
        strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=links)))

    def fill(self) -> Sequence[Link]:
        """The links to fetch now, by the strategy's choice; as many as width and budget allow."""
        free = min(self._width, self.budget - self.pages) - len(self.in_flight)
        links = self._strategy.next(free) if free > 0 else ()
        self.in_flight |= {link.target: link for link in links}
        return links

    def due(self) -> list[str]:
        """What is in flight, as far as the budget goes: a log may leave more than a lowered budget allows."""
        return list(islice(self.in_flight, max(0, self.budget - self.pages)))

    def settle(self, url: str, outcome: Page | Failure) -> Visit:
        """Let the strategy observe what came of a link. A page that was reached before by another link is
        none.
        """
        link = self.in_flight.pop(url)
        if isinstance(outcome, Page):
            if outcome.url in self._reached:
                outcome = Failure(url, Why.DUPLICATE, outcome.url)
            else:
                self._reached.add(outcome.url)
                self.pages += 1
        self.step += 1
        relevance = self._relevance(outcome) if isinstance(outcome, Page) else 0.0
        visit = Visit(self.step, link, outcome, relevance)
        self._strategy.observe(visit)
        return visit


async def replay(
    window: Window,
    past: AsyncIterable[tuple[int, str, Page | Failure]],
    *,
    observed: Callable[[Visit], None] = lambda visit: None,
) -> None:
    """Bring a fresh window to where a log leaves it; the log gives budget, URL and outcome of each visit."""
    async for budget, url, outcome in past:
        window.budget = budget
        window.fill()
        if url not in window.in_flight:
            raise InvalidRun(
                f"visit {window.step + 1} of the log, to {url}, does not follow from this configuration: "
                "give the crawl another folder"
            )
        observed(window.settle(url, outcome))


async def crawl(
    web: Web, window: Window, *, record: Callable[[Visit], None], stop: asyncio.Event | None = None
) -> Stop:
    """Crawl until the budget is spent, nothing is left to follow, or ``stop`` is set; what is in flight is
    finished.
    """
    stop = stop or asyncio.Event()
    try:
        await _run(web, window, record, stop)
    except BaseExceptionGroup as group:  # of the task group; what went wrong first is what went wrong
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
