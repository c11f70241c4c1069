"""Rehearse a polite crawl: a closed web on a virtual clock in, a run directory out."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from fcwseo.crawling.engine import Stop, Window, replay
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.polite import crawl_politely
from fcwseo.crawling.rehearsal import Rehearsal, RehearsedWeb
from fcwseo.crawling.run import Limit, Result, check_seeds, end, past_visits, prepare, stop_on_signals
from fcwseo.crawling.run_directory.times import VirtualTime
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.live.slots import Slots
from fcwseo.pages import Page, Visit
from fcwseo.relevance.words import TokenCache
from fcwseo.strategies import Factory
from fcwseo.webs.clock import VirtualClock, run_virtually
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic

Progress = Callable[[RunDirectory, RehearsedWeb], None]


def run_rehearsed(
    web: ClosedWeb,
    rehearsal: Rehearsal,
    topic: Topic,
    seeds: Sequence[str],
    out: Path,
    plan: Plan,
    *,
    max_time: float = 0.0,
    factory: Factory | None = None,
    token_cache: TokenCache | None = None,
    progress: Progress = lambda run, web: None,
) -> Result:
    """Crawl a closed web politely on a virtual clock, or continue such a crawl.

    The same arguments make the same run, to the byte.

    Args:
        web: The web to crawl.
        rehearsal: How its servers behave.
        topic: The topic that pages are judged for.
        seeds: Where to start.
        out: The run directory.
        plan: How to crawl.
        max_time: Virtual seconds after which the crawl stops (0: never).
        factory: Builds the strategy when a name is not enough.
        token_cache: A cache of tokenised pages, shared by crawls of one topic.
        progress: Called after each visit.

    Raises:
        InvalidSeeds: If no seed is a page of the web.
        InvalidRun: If ``out`` contains another crawl or is damaged.
    """
    check_seeds(web, seeds)
    config, window = prepare(web, topic, seeds, plan, factory=factory, token_cache=token_cache)
    config = msgspec.structs.replace(config, rehearsal=rehearsal.identity)
    clock = VirtualClock()
    with RunDirectory(
        out,
        config,
        topic,
        budget=plan.max_pages,
        obeys_noindex=web.obeyed,
        web_path=web.spec,
        token_cache=token_cache,
        time=VirtualTime(clock),
    ) as run:
        clock.begin_at(run.clock)
        crawling = _crawl(web, rehearsal, window, run, plan.max_pages, max_time, progress)
        return end(run, window, lambda: run_virtually(crawling, clock))


async def _crawl(
    web: ClosedWeb,
    rehearsal: Rehearsal,
    window: Window,
    run: RunDirectory,
    budget: int,
    max_time: float,
    progress: Progress,
) -> Stop:
    stop = stop_on_signals()
    limit = Limit(stop, seconds=max_time)
    slots = Slots()
    rehearsed = RehearsedWeb(web, rehearsal, slots=slots)

    def observed(visit: Visit) -> None:
        if isinstance(visit.outcome, Page):
            rehearsed.remember(visit.outcome.url)
        run.remember(visit)

    def record(visit: Visit) -> None:
        run.record(visit)
        progress(run, rehearsed)

    await replay(window, past_visits(run, web, stop), observed=observed)
    if stop.is_set():
        return limit.reason(Stop.INTERRUPTED)
    window.budget = budget
    crawled = crawl_politely(
        rehearsed, window, record=record, slots=slots, turns=rehearsed.turns, ends=limit.ends, stop=stop
    )
    return limit.reason(await crawled)
