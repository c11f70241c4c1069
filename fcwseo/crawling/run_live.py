"""Crawl the live web: settings, a topic and seeds in, a run directory out.

Every response is archived, so a crawl is continued from its log and archive without repeating a request.
"""

import asyncio
import ipaddress
import logging
import resource
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from pathlib import Path

import msgspec

from fcwseo.crawling.engine import LoggedVisit, Stop, Window, replay
from fcwseo.crawling.fit import UNFIT, SeedsWatch
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.polite import crawl_politely
from fcwseo.crawling.run import Limit, Origin, Result, prepare, run_to_the_end, stop_on_signals
from fcwseo.crawling.run_directory.log import PAGE, Row, logged, read_visits
from fcwseo.crawling.run_directory.soundness import lacks_page
from fcwseo.crawling.run_directory.syncing import GroupSync
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.crawling.settings import LiveSettings, scope_domains, scope_of, seconds, size
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.live.client import Client, EarlierPages
from fcwseo.live.guards import GuardedBackend, Resolver, is_loopback, why_private
from fcwseo.live.parsers import Workers
from fcwseo.live.politeness import Politeness
from fcwseo.live.robots import Robots
from fcwseo.live.slots import Slots
from fcwseo.live.traps import Limits
from fcwseo.live.unexpected import NAME as ERRORS
from fcwseo.live.unexpected import ErrorLog
from fcwseo.live.web import LiveWeb
from fcwseo.pages import Failure, Page, Visit
from fcwseo.pages.urls import canonical, host
from fcwseo.strategies import Factory
from fcwseo.webs.warc.exchange import Recorder
from fcwseo.webs.warc.write import Archive
from fcwseo_ontology.topic import Topic

Progress = Callable[[RunDirectory, LiveWeb], None]
_LOG = logging.getLogger(__name__)
_MOST_FILES = 10_240  # open files; more are not allowed on macOS
_EVERY = 0.2  # seconds between two checks of progress


def run_live(
    live: LiveSettings,
    topic: Topic,
    seeds: Sequence[str],
    out: Path,
    plan: Plan,
    *,
    limits: Limits | None = None,
    progress: Progress = lambda run, web: None,
    factory: Factory | None = None,
    earlier: EarlierPages | None = None,
    retry_failed: bool = False,
) -> Result:
    """Crawl the live web into a run directory, or continue its crawl.

    Ctrl-C and SIGTERM end it cleanly.

    Args:
        live: The settings of the live web.
        topic: The topic that pages are judged for.
        seeds: Where to start.
        out: The run directory.
        plan: How to crawl.
        limits: The limits from which a URL is treated as a trap.
        progress: Called several times a second.
        factory: Builds the strategy when a name is not enough.
        earlier: Earlier versions of pages, which are fetched only if changed since.
        retry_failed: Whether to ask again, before all other links, for those whose host did not answer.

    Raises:
        InvalidInput: If the settings cannot be used, such as a missing contact.
        InvalidRun: If ``out`` contains another crawl or is damaged.
    """
    check(live, seeds)
    live = msgspec.structs.replace(live, allowed_domain=scope_domains(live, seeds), same_domain=False)
    identity = f"obey_meta={live.obey_meta} sitemaps={live.sitemaps}"
    config, window = prepare(Origin("live", identity), topic, seeds, plan, factory=factory)
    with RunDirectory(out, config, topic, budget=plan.max_pages, obeys_noindex=live.obey_meta) as run:
        crawl = _crawl(live, limits or Limits(), window, run, plan.max_pages, progress, earlier, retry_failed)
        return run_to_the_end(run, window, crawl)


def check(live: LiveSettings, seeds: Sequence[str] = ()) -> None:
    """Refuse unusable settings before anything is written."""
    check_contact(live.contact)
    there = connect_to(live.connect_to)
    if not live.allow_private:
        names = [there[0]] if there else [host(seed) for seed in seeds]
        if names and all(map(is_loopback, names)):
            raise InvalidInput(
                f"{names[0]} is an address of this machine, which is not crawled unless it is allowed: "
                "add --allow-private (live.allow_private)"
            )
    through = live.proxy and not all(map(why_private, seeds))  # the proxy connects to any address
    if not live.contact and (through or not live.allow_private):
        raise InvalidInput(
            "crawling the public web needs a contact, so that operators of servers can reach you: "
            "give a mail address or a URL as contact (--contact)"
        )
    check_proxy(live)
    seconds(live.max_time), size(live.max_bytes), size(live.min_free), connect_to(live.connect_to)
    scope_of(live, seeds)


def check_contact(contact: str) -> None:
    """Refuse a contact that is neither a mail address nor a URL; an empty one is allowed here."""
    if contact and not ("@" in contact or contact.startswith(("http://", "https://"))):
        raise InvalidInput(f"the contact {contact!r} is neither a mail address nor a URL")
    if not contact.isprintable():
        raise InvalidInput("the contact must be one line of plain characters")


def check_proxy(live: LiveSettings) -> None:
    """Refuse what is no URL of a proxy."""
    if not live.proxy:
        return
    if live.connect_to:
        raise InvalidInput("--connect-to connects to one address and --proxy to a proxy: omit one of them")
    if not live.proxy.startswith("http://") or canonical(live.proxy) is None:
        raise InvalidInput(f"{live.proxy!r} is not the URL of an HTTP proxy, as in http://proxy.example:3128")


def raise_file_limit() -> None:
    """Allow this process as many open files as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def connect_to(text: str) -> tuple[str, int] | None:
    """
    >>> connect_to("127.0.0.1:8000"), connect_to("[::1]:80"), connect_to("")
    (('127.0.0.1', 8000), ('::1', 80), None)
    """
    if not text:
        return None
    name, _, port = text.rpartition(":")
    try:
        address = str(ipaddress.ip_address(name.strip("[]")))
        number = int(port)
        if not 0 < number < 65536:
            raise ValueError
    except ValueError:
        raise InvalidInput(f"{text!r} is not ADDR:PORT, as in 127.0.0.1:8000") from None
    return address, number


def agent(contact: str) -> str:
    """The User-Agent of a crawl.

    >>> agent("ann@example.com").endswith(" (+ann@example.com)")
    True
    """
    name = f"fcwseo/{version('fcwseo')}"
    return f"{name} (+{contact})" if contact else name


def live_web(
    live: LiveSettings,
    limits: Limits,
    *,
    slots: Slots,
    robots: Robots,
    recorder: Recorder | None = None,
    earlier: EarlierPages | None = None,
    errors: ErrorLog | None = None,
) -> LiveWeb:
    """The live web by its settings. Without a contact, it connects to no public IP address."""
    there = connect_to(live.connect_to)
    through = bool(live.proxy)  # only the proxy is connected to, wherever it is
    resolver = Resolver(public=through or bool(live.contact), private=through or live.allow_private)
    client = Client(
        GuardedBackend(resolver, connect_to=there),
        agent=agent(live.contact),
        plain=there is not None,
        proxy=live.proxy,
        private=live.allow_private,
    )
    return LiveWeb(
        client,
        resolver,
        slots=slots,
        politeness=Politeness(
            delay=live.delay, address_delay=live.address_delay, ceiling=max(live.ceiling, live.delay)
        ),
        robots=robots,
        workers=Workers(live.workers),
        recorder=recorder,
        scope=scope_of(live, ()),
        limits=limits,
        earlier=earlier,
        errors=errors,
        obey_meta=live.obey_meta,
        sitemaps=live.sitemaps,
        one_address=there is not None or through,
        deadline=live.deadline,
    )


async def _crawl(
    live: LiveSettings,
    limits: Limits,
    window: Window,
    run: RunDirectory,
    budget: int,
    progress: Progress,
    earlier: EarlierPages | None,
    retry_failed: bool,
) -> Stop:
    raise_file_limit()
    if live.proxy:
        _LOG.warning(
            "all requests go through a proxy: which IP addresses are reached, and pauses by IP address, "
            "rest with it; IP addresses in URLs are still checked"
        )
    stop = stop_on_signals()
    limit = Limit(stop, seconds=seconds(live.max_time))
    slots = Slots()
    committed = (row.warc for row in read_visits(run.path) if row.warc is not None)
    config, obeyed = run.file.config, live.obey_meta
    with Archive(
        run.path / "warc", committed, plan=config.plan, width=config.width, obeyed=obeyed
    ) as archive:
        robots = Robots(run.path / "robots.jsonl")
        errors = ErrorLog(run.path / ERRORS)
        web = live_web(
            live, limits, slots=slots, robots=robots, recorder=archive, earlier=earlier, errors=errors
        )
        async with web:
            seeds = SeedsWatch(run.file.config.seeds)
            await _resume(run, window, web, archive, seeds, stop)
            if stop.is_set():
                return limit.reason(Stop.INTERRUPTED)
            window.budget = budget
            if retry_failed:
                _retry_failed(window)
            max_bytes = size(live.max_bytes)

            def sync() -> None:
                archive.sync()
                run.sync()

            group = GroupSync(sync)

            def record(visit: Visit) -> None:
                place = archive.commit(visit.link.target, visit.outcome, requested=visit.requested)
                run.record(visit, place)
                web.learn(visit)
                group.add()
                _tell(visit)
                if seeds.are_off(visit):
                    _LOG.warning(UNFIT)
                if web.bytes >= max_bytes > 0:
                    limit.reach(Stop.SIZE)

            least = size(live.min_free)

            def look() -> None:
                if shutil.disk_usage(run.path).free < least:
                    limit.reach(Stop.SPACE)
                group.look()
                run.tell(web.why_waiting())
                progress(run, web)

            look()
            try:
                async with _repeatedly(look):
                    crawled = crawl_politely(
                        web,
                        window,
                        record=record,
                        slots=slots,
                        turns=web.turns,
                        waiting=live.waiting,
                        ends=limit.ends,
                        stop=stop,
                    )
                    return limit.reason(await crawled)
            finally:
                group.finish()


def _retry_failed(window: Window) -> None:
    count = window.retry_failed()
    if count and not window.room():
        _LOG.warning("the budget is spent, so no link is asked again: raise --max-pages")
    else:
        _LOG.warning("links that are asked again, since no answer had come: %d", count)


def _tell(visit: Visit) -> None:
    """Log a line for each visit, for ``-v``."""
    if _LOG.isEnabledFor(logging.DEBUG):
        url, outcome = visit.link.target, visit.outcome
        came = PAGE if isinstance(outcome, Page) else str(outcome.why)
        detail = "" if isinstance(outcome, Page) else outcome.detail
        facts = {"event": "visit", "step": visit.step, "url": url, "host": host(url), "outcome": came}
        facts |= {"relevance": visit.relevance, "detail": detail}
        _LOG.debug("visit %d: %s: %s %s", visit.step, url, came, detail, extra={"facts": facts})


@asynccontextmanager
async def _repeatedly(look: Callable[[], None]) -> AsyncIterator[None]:
    """Report progress at intervals, also while all fetches wait; an error in it is raised at the end."""

    async def looking() -> None:
        while True:
            await asyncio.sleep(_EVERY)
            look()

    task = asyncio.create_task(looking())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _resume(
    run: RunDirectory, window: Window, web: LiveWeb, archive: Archive, seeds: SeedsWatch, stop: asyncio.Event
) -> None:
    """Replay the log into window, run, web and the watch of the seeds, which then warned already."""
    rows: list[Row] = []

    async def past() -> AsyncIterator[LoggedVisit]:
        for budget, row in run.past():
            await asyncio.sleep(0)
            if stop.is_set():
                return
            rows[:] = [row]
            yield logged(budget, row, _outcome(run, row, archive))

    def observed(visit: Visit) -> None:
        web.remember(visit)
        run.remember(visit, rows[0].warc)
        seeds.are_off(visit)

    await replay(window, past(), observed=observed)


def _outcome(run: RunDirectory, row: Row, archive: Archive) -> Page | Failure:
    if row.outcome != PAGE:
        return row.failure
    found = archive.read(row.warc) if row.warc is not None else None
    if not isinstance(found, Page) or found.digest != row.digest:
        raise InvalidRun(lacks_page(run.path, row))
    return found
