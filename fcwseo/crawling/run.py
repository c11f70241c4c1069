"""A crawl from the outside: a web, a topic and seeds in, a run directory out. What ``fcwseo crawl`` calls."""

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from fcwseo.crawling.engine import MOST_PAGES, Before, Stop, Window, crawl, replay
from fcwseo.crawling.run_directory import PAGE, Config, Run, another_page
from fcwseo.errors import InvalidInput, InvalidSeeds
from fcwseo.pages import Page, Visit
from fcwseo.relevance import crawl_relevance
from fcwseo.relevance.threshold import threshold_of
from fcwseo.relevance.words import Readings
from fcwseo.strategies import Factory
from fcwseo.strategies.loading import load_strategy
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic


class Result(NamedTuple):
    """How a crawl ended; everything else is in the run directory."""

    stop: Stop
    counts: dict[str, int]
    seconds: float


def run_crawl(
    web: ClosedWeb,
    topic: Topic,
    seeds: Sequence[str],
    out: Path,
    *,
    max_pages: int,
    strategy: str = "fcwseo",
    seed: int = 0,
    width: int = 1,
    eta: float | None = None,
    max_time: float = 0.0,
    factory: Factory | None = None,
    readings: Readings | None = None,
    progress: Callable[[Run], None] = lambda run: None,
) -> Result:
    """Crawl into ``out``, or go on with the crawl that lies there. Ctrl-C ends it in good order, and so does
    ``max_time``, in seconds, if there is one.

    Pages of a relevance of ``eta`` or more are kept; without it, the crawl finds one on the way. ``factory``
    makes the strategy where its name is not enough. ``readings`` are those of other crawls for this topic.
    """
    if seeds and not any(seed in web for seed in seeds):
        raise InvalidSeeds(f"none of the {len(seeds)} seeds is a page of {web.name}, not even {seeds[0]}")
    config, window = planned(
        web.name,
        web.identity,
        topic,
        seeds,
        max_pages=max_pages,
        strategy=strategy,
        seed=seed,
        width=width,
        eta=eta,
        factory=factory,
        readings=readings,
    )
    obeyed = isinstance(web, FrozenWeb) and web.obeyed

    def keeps(page: Page) -> bool:
        return not (obeyed and page.noindex)

    with Run(
        out, config, topic, budget=max_pages, keeps=keeps, web_path=_path_of(web), readings=readings
    ) as run:
        return carried_out(run, window, _crawl(web, window, run, max_pages, max_time, progress))


def planned(
    web: str,
    identity: str,
    topic: Topic,
    seeds: Sequence[str],
    *,
    max_pages: int,
    strategy: str,
    seed: int,
    width: int,
    eta: float | None,
    factory: Factory | None = None,
    readings: Readings | None = None,
) -> tuple[Config, Window]:
    """What is written down of a crawl, and the window that it begins with."""
    factory = factory or load_strategy(strategy)
    if max_pages < 1 or width < 1:
        raise InvalidInput("a crawl needs a budget (max_pages) and a width of at least 1")
    if max_pages > MOST_PAGES:
        raise InvalidInput(f"a crawl visits at most {MOST_PAGES:,} pages, and {max_pages:,} were asked for")
    if not seeds:
        raise InvalidSeeds("a crawl needs at least one seed")
    config = crawl_config(
        Origin(web, identity), topic, seeds, strategy=strategy, seed=seed, width=width, eta=eta
    )
    relevance = crawl_relevance(topic, readings)
    window = Window(
        factory(topic, relevance, Random(seed)),
        seeds,
        relevance=relevance,
        budget=max_pages,
        width=width,
        threshold=threshold_of(eta),
    )
    return config, window


def carried_out(run: Run, window: Window, crawl: Coroutine[Any, Any, Stop]) -> Result:
    """Crawl to the end, and write down how that came."""
    try:
        stop = asyncio.run(crawl)
    except asyncio.CancelledError:
        stop = Stop.FORCED
    run.finish(stop, window.threshold.calibration())
    return Result(stop, run.file.counts, run.seconds)


class Limit:
    """Ends a crawl before its budget of pages does: after so many seconds (0: never), or when told to."""

    def __init__(self, stop: asyncio.Event, *, seconds: float) -> None:
        self._stop = stop
        self._reached: Stop | None = None
        if seconds:
            asyncio.get_running_loop().call_later(seconds, self.reach, Stop.TIME)

    def reach(self, limit: Stop) -> None:
        if not self._stop.is_set():
            self._reached = limit
            self._stop.set()

    def reason(self, stop: Stop) -> Stop:
        """Why a crawl ended that ended so."""
        return self._reached if stop is Stop.INTERRUPTED and self._reached else stop


def _path_of(web: ClosedWeb) -> str:
    """What ``open_web`` finds a web by."""
    return str(web.path.resolve()) if isinstance(web, FrozenWeb) else web.name


class Origin(NamedTuple):
    """What a run directory says of the web that it came from."""

    name: str
    identity: str


def crawl_config(
    web: ClosedWeb | Origin,
    topic: Topic,
    seeds: Sequence[str],
    *,
    strategy: str,
    seed: int,
    width: int,
    eta: float | None,
) -> Config:
    """What a run directory says of such a crawl: two crawls with the same are the same."""
    return Config(
        strategy=strategy,
        topic=topic.name,
        topic_hash=blake2b(msgspec.json.encode(topic), digest_size=12).hexdigest(),
        web=web.name,
        web_identity=web.identity,
        seeds=tuple(seeds),
        seed=seed,
        width=width,
        eta=eta,
    )


async def _crawl(
    web: ClosedWeb,
    window: Window,
    run: Run,
    budget: int,
    max_time: float,
    progress: Callable[[Run], None],
) -> Stop:
    def record(visit: Visit) -> None:
        run.record(visit)
        progress(run)

    stop = stop_on_signals()
    limit = Limit(stop, seconds=max_time)
    await replay(window, _past(run, web, stop), observed=run.remember)
    if stop.is_set():
        return limit.reason(Stop.INTERRUPTED)
    window.budget = budget
    if isinstance(web, FrozenWeb) and web.course.plan == run.file.config.plan:
        await _as_it_went(web, window, record, stop)
    return limit.reason(await crawl(web, window, record=record, stop=stop))


async def _as_it_went(
    web: FrozenWeb, window: Window, record: Callable[[Visit], None], stop: asyncio.Event
) -> None:
    """Let the same crawl take the same course on its archive that it took on the live web, where the clock
    decided when the strategy was asked for links, and which answer came first.
    """
    for url, asked in web.course.visits[window.step :]:
        await asyncio.sleep(0)
        if stop.is_set() or window.pages >= window.budget:
            return
        for count in asked or ():
            window.ask(count)
        if url not in window.in_flight:
            return
        record(window.settle(url, await web.answered(url)))


def stop_on_signals() -> asyncio.Event:
    """Set by the first Ctrl-C or SIGTERM; the second cancels the crawl."""
    stop = asyncio.Event()
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()

    def end() -> None:
        if stop.is_set() and task is not None:
            task.cancel()
        stop.set()

    if threading.current_thread() is threading.main_thread():  # elsewhere signals are not ours to handle
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, end)
    return stop


async def _past(run: Run, web: ClosedWeb, stop: asyncio.Event) -> AsyncIterator[Before]:
    """What the log says came of each link; the pages themselves are in the web still."""
    for budget, row in run.past():
        await asyncio.sleep(0)  # a closed web answers at once: without this no signal would be heard
        if stop.is_set():
            return
        outcome = await web.fetch(row.url) if row.outcome == PAGE else row.failure
        digest = outcome.digest if isinstance(outcome, Page) else None
        if digest != row.digest:
            raise another_page(run.path, row)
        yield Before(budget, row.url, outcome, row.asked)
