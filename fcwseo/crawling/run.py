"""Crawl a closed web: a web, a topic and seeds in, a run directory out."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fcwseo.crawling.engine import LoggedVisit, Stop, Window, crawl, replay
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.rehearsal import Rehearsal
from fcwseo.crawling.run_directory.log import PAGE, another_page, logged
from fcwseo.crawling.run_directory.run_file import Config
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.errors import InvalidSeeds
from fcwseo.live.scope import ScopedWeb
from fcwseo.loops import run_async
from fcwseo.pages import Failure, Page, Visit, Why
from fcwseo.plugins import plugin_version
from fcwseo.relevance import load_relevance
from fcwseo.relevance.threshold import threshold_of
from fcwseo.relevance.words import TokenCache
from fcwseo.strategies import Factory
from fcwseo.strategies.loading import load_strategy
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic, encoded


class Result(NamedTuple):
    """The end of a crawl; all other results are in the run directory."""

    stop: Stop
    counts: dict[str, int]
    seconds: float


class Origin(NamedTuple):
    """The record of the crawled web in a run directory."""

    name: str
    identity: str


def run_crawl(
    web: ClosedWeb,
    topic: Topic,
    seeds: Sequence[str],
    out: Path,
    plan: Plan,
    *,
    max_time: float = 0.0,
    factory: Factory | None = None,
    token_cache: TokenCache | None = None,
    progress: Callable[[RunDirectory], None] = lambda run: None,
) -> Result:
    """Crawl a closed web into a run directory, or continue its crawl.

    Ctrl-C and SIGTERM end it cleanly.

    Args:
        web: The web to crawl.
        topic: The topic that pages are judged for.
        seeds: Where to start.
        out: The run directory.
        plan: How to crawl.
        max_time: Seconds after which the crawl stops (0: never).
        factory: Builds the strategy when a name is not enough.
        token_cache: A cache of tokenised pages, shared by crawls of one topic.
        progress: Called after each visit.

    Raises:
        InvalidSeeds: If no seed is a page of the web.
        InvalidRun: If ``out`` contains another crawl or is damaged.
    """
    check_seeds(web, seeds)
    config, window = prepare(web, topic, seeds, plan, factory=factory, token_cache=token_cache)
    with RunDirectory(
        out,
        config,
        topic,
        budget=plan.max_pages,
        obeys_noindex=web.obeyed,
        web_path=web.spec,
        token_cache=token_cache,
    ) as run:
        return run_to_the_end(run, window, _crawl(web, window, run, plan.max_pages, max_time, progress))


def check_seeds(web: ClosedWeb, seeds: Sequence[str]) -> None:
    """Refuse seeds of which none is a page of the web."""
    if seeds and not any(seed in web for seed in seeds):
        raise InvalidSeeds(f"no seed is a page of {web.name}; the first of {len(seeds)} is {seeds[0]}")


def prepare(
    origin: ClosedWeb | Origin,
    topic: Topic,
    seeds: Sequence[str],
    plan: Plan,
    *,
    factory: Factory | None = None,
    token_cache: TokenCache | None = None,
    rehearsal: Rehearsal | None = None,
) -> tuple[Config, Window]:
    """The configuration of a crawl, and its initial window."""
    factory = factory or load_strategy(plan.strategy, patience=plan.patience)
    if not seeds:
        raise InvalidSeeds("a crawl needs at least one seed")
    relevance = load_relevance(plan.relevance)(topic, token_cache)
    window = Window(
        factory(topic, relevance, Random(plan.seed)),
        seeds,
        relevance=relevance,
        budget=plan.max_pages,
        width=plan.width,
        threshold=threshold_of(plan.eta, lambda: relevance.scale),
        max_depth=plan.max_depth,
    )
    return crawl_config(origin, topic, seeds, plan, rehearsal=rehearsal), window


def run_to_the_end(run: RunDirectory, window: Window, crawl: Coroutine[Any, Any, Stop]) -> Result:
    """Run a crawl in a separate event loop, and record its stop reason."""
    return end(run, window, lambda: run_async(crawl))


def end(run: RunDirectory, window: Window, crawling: Callable[[], Stop]) -> Result:
    """Run a crawl to its end, and record its stop reason."""
    with restoring_interrupts():
        try:
            stop = crawling()
        except (asyncio.CancelledError, KeyboardInterrupt):
            stop = Stop.FORCED
        run.finish(stop, window.threshold.calibration())
        held = signal.getsignal(signal.SIGINT)
        if isinstance(held, _Held) and held.is_interrupted and stop is Stop.INTERRUPTED:
            stop = Stop.FORCED
            run.finish(stop, window.threshold.calibration())
    return Result(stop, run.file.counts, run.seconds)


@contextmanager
def restoring_interrupts() -> Iterator[None]:
    """Give Ctrl-C its handler back, which ``stop_on_signals`` replaces for good."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        with suppress(ValueError):  # in another thread
            signal.signal(signal.SIGINT, before)


class _Held:
    """Notes a Ctrl-C that comes after the crawl, while its end is written."""

    def __init__(self) -> None:
        self.is_interrupted = False

    def __call__(self, number: int, frame: object) -> None:
        self.is_interrupted = True


class Limit:
    """Stops a crawl before its budget is spent: after a number of seconds (0: never), or on request."""

    def __init__(self, stop: asyncio.Event, *, seconds: float) -> None:
        self._stop = stop
        self._reached: Stop | None = None
        self.ends: float | None = None  # the time of the loop at which the seconds are over
        if seconds:
            loop = asyncio.get_running_loop()
            self.ends = loop.time() + seconds
            loop.call_at(self.ends, self.reach, Stop.TIME)

    def reach(self, limit: Stop) -> None:
        """End the crawl because of a limit."""
        if not self._stop.is_set():
            self._reached = limit
            self._stop.set()

    @property
    def interrupted(self) -> bool:
        """Whether the crawl was stopped from outside."""
        return self._stop.is_set() and self._reached is None

    def reason(self, stop: Stop) -> Stop:
        """The stop reason, unless the limit stopped the crawl."""
        return self._reached if stop is Stop.INTERRUPTED and self._reached else stop


def crawl_config(
    origin: ClosedWeb | Origin,
    topic: Topic,
    seeds: Sequence[str],
    plan: Plan,
    *,
    rehearsal: Rehearsal | None = None,
) -> Config:
    """The configuration of a crawl: two crawls with the same configuration visit the same pages."""
    return Config(
        strategy=plan.strategy,
        topic=topic.name,
        topic_hash=blake2b(encoded(topic), digest_size=12).hexdigest(),
        web=origin.name,
        web_identity=origin.identity,
        seeds=tuple(seeds),
        seed=plan.seed,
        width=plan.width,
        eta=plan.eta,
        relevance=plan.relevance,
        relevance_hash=plugin_version(plan.relevance),
        patience=plan.patience,
        max_depth=plan.max_depth,
        rehearsal="" if rehearsal is None else rehearsal.identity,
        scope=origin.scope.identity if isinstance(origin, ScopedWeb) else "",
    )


async def _crawl(
    web: ClosedWeb,
    window: Window,
    run: RunDirectory,
    budget: int,
    max_time: float,
    progress: Callable[[RunDirectory], None],
) -> Stop:
    def record(visit: Visit) -> None:
        run.record(visit)
        progress(run)

    stop = stop_on_signals()
    limit = Limit(stop, seconds=max_time)
    await replay(window, past_visits(run, web, stop), observed=run.remember)
    if stop.is_set():
        return limit.reason(Stop.INTERRUPTED)
    window.budget = budget
    if web.archived_order.plan == run.file.config.plan:
        await _follow_archived_order(web, window, record, stop)
    return limit.reason(await crawl(web, window, record=record, stop=stop))


async def _follow_archived_order(
    web: ClosedWeb, window: Window, record: Callable[[Visit], None], stop: asyncio.Event
) -> None:
    """Repeat a live crawl on its archive in the archived order. On the live web, timing decided when links
    were requested, and which response came first.
    """
    for url, requested in web.archived_order.visits[window.step :]:
        await asyncio.sleep(0)
        if stop.is_set() or window.pages >= window.budget:
            return
        if requested is not None:
            window.ask_again(requested)
        if url not in window.in_flight:
            return
        duplicate = web.archived_order.duplicates.get(
            url
        )  # the page was already in flight, and arrived later
        found = Failure(url, Why.DUPLICATE, duplicate) if duplicate is not None else await web.fetch(url)
        record(window.settle(url, found))


def _hold_interrupts(loop: asyncio.AbstractEventLoop) -> None:
    """Let no Ctrl-C interrupt the end of the loop, which would remove the handler and go on."""
    with suppress(ValueError, RuntimeError):  # in another thread
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, _Held())


def stop_on_signals() -> asyncio.Event:
    """An event set by the first Ctrl-C or SIGTERM; the second cancels the crawl."""
    stop = asyncio.Event()
    task = asyncio.current_task()
    loop = asyncio.get_running_loop()

    def end() -> None:
        if stop.is_set() and task is not None and not task.cancelling():
            task.cancel()
        stop.set()

    with suppress(RuntimeError):  # signals are handled in the main thread only
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is not signal.SIG_IGN:  # as behind nohup
                loop.add_signal_handler(number, end)
        if task is not None:
            task.add_done_callback(lambda done: _hold_interrupts(loop))
    return stop


async def past_visits(
    run: RunDirectory, web: ClosedWeb, stop: asyncio.Event, *, until: int | None = None
) -> AsyncIterator[LoggedVisit]:
    """The outcomes of the first ``until`` visits of the log; the pages themselves are read from the web."""
    for budget, row in islice(run.past(), until):
        await asyncio.sleep(0)  # a closed web never waits: without this no signal would be handled
        if stop.is_set():
            return
        outcome = await web.fetch(row.url) if row.outcome == PAGE else row.failure
        digest = outcome.digest if isinstance(outcome, Page) else None
        if digest != row.digest:
            raise another_page(run.path, row)
        yield logged(budget, row, outcome)
