"""Rehearse a polite crawl: a closed web on a virtual clock in, a run directory out."""

from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from fcwseo.crawling.engine import Stop, Window, replay
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.polite import crawl_politely
from fcwseo.crawling.rehearsal import Rehearsal, RehearsedWeb
from fcwseo.crawling.run import Limit, Result, check_seeds, end, past_visits, prepare, stop_on_signals
from fcwseo.crawling.run_directory.log import PAGE, Row, another_page
from fcwseo.crawling.run_directory.times import VirtualTime
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.errors import InvalidRun
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

    The same arguments make the same log and the same pages, to the byte.

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
    config, window = prepare(
        web, topic, seeds, plan, factory=factory, token_cache=token_cache, rehearsal=rehearsal
    )
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
        max_time=max_time,
    ) as run:
        begun = run.file.sessions[-1][0] if run.file.budget == plan.max_pages else run.visits
        ended = 0.0
        if begun:  # a continued crawl begins a pause later, so that no host is asked too soon
            _, last = next(islice(run.past(), begun - 1, None))
            ended = last.clock or 0.0
            clock.begin_at(ended + rehearsal.delay)
        crawling = _crawl(web, rehearsal, window, run, plan.max_pages, begun, max_time, progress)
        result = end(run, window, lambda: run_virtually(crawling, clock))
        return result if run.visits > begun else result._replace(seconds=ended)


async def _crawl(
    web: ClosedWeb,
    rehearsal: Rehearsal,
    window: Window,
    run: RunDirectory,
    budget: int,
    begun: int,
    max_time: float,
    progress: Progress,
) -> Stop:
    """Replay the log up to the last session, which began after ``begun`` visits, and run that session.

    What a killed session logged is not replayed but repeated: on its clock the web then is where it was left,
    so the crawl goes on as if it had not been killed.
    """
    stop = stop_on_signals()
    limit = Limit(stop, seconds=max_time)
    slots = Slots()
    rehearsed = RehearsedWeb(web, rehearsal, slots=slots)
    repeated = deque(row for _, row in islice(run.past(), begun, None))

    def observed(visit: Visit) -> None:
        if isinstance(visit.outcome, Page):
            rehearsed.remember(visit.outcome.url)
        run.remember(visit)

    def record(visit: Visit) -> None:
        if not repeated:
            run.record(visit)
            progress(run, rehearsed)
        elif not limit.interrupted:
            _check(run.path, visit, repeated.popleft())
            run.remember(visit)

    await replay(window, past_visits(run, web, stop, until=begun), observed=observed)
    if stop.is_set():
        return limit.reason(Stop.INTERRUPTED)
    window.budget = budget
    crawled = crawl_politely(
        rehearsed, window, record=record, slots=slots, turns=rehearsed.turns, ends=limit.ends, stop=stop
    )
    return limit.reason(await crawled)


def _check(path: Path, visit: Visit, row: Row) -> None:
    """Refuse a repeated visit that is not that of the log."""
    outcome = visit.outcome
    found = (visit.link.target, PAGE if isinstance(outcome, Page) else str(outcome.why))
    if found != (row.url, row.outcome):
        raise InvalidRun(
            f"visit {row.step} of {path}, to {row.url}, does not follow from this configuration: "
            "use another --out"
        )
    if isinstance(outcome, Page) and outcome.digest != row.digest:
        raise another_page(path, row)
