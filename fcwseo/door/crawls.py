"""Public functions: crawl closed webs and the live web; also used by ``fcwseo crawl``."""

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.fit import UNFIT, seeds_fit
from fcwseo.crawling.rehearsal import Rehearsal, rehearsal_of
from fcwseo.crawling.run import Result, run_crawl
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_directory.topic import write_ontology
from fcwseo.crawling.run_rehearsed import run_rehearsed
from fcwseo.crawling.settings import Settings, load_settings, scope_of, seconds
from fcwseo.door.arguments import AnyPath, AnySeeds, AnyWeb, path_of, seeds_of, web_of
from fcwseo.door.progress import Progress, Show, shown
from fcwseo.door.runs import Run
from fcwseo.door.topics import AnyTopic, topic_of
from fcwseo.errors import InvalidInput, NothingFound
from fcwseo.live.scope import ScopedWeb
from fcwseo.loops import awaitable
from fcwseo.pages.extractors import OWN, check_extractor
from fcwseo.relevance.loading import TOPICAL
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic

_LOG = logging.getLogger(__name__)

LIVE_ONLY = ("delay", "max_bytes", "proxy", "connect_to", "contact", "allow_private")
"""Settings without effect on a closed web."""


def crawl(
    *,
    topic: AnyTopic,
    seeds: AnySeeds,
    out: AnyPath,
    web: AnyWeb | None = None,
    max_pages: int | None = None,
    strategy: str | None = None,
    seed: int | None = None,
    seed_set: int | None = None,
    width: int | None = None,
    patience: float | None = None,
    eta: float | None = None,
    relevance: str | None = None,
    text_extractor: str | None = None,
    max_time: str | float | None = None,
    contact: str | None = None,
    allow_private: bool | None = None,
    connect_to: str | None = None,
    proxy: str | None = None,
    delay: float | None = None,
    rehearse: bool | Rehearsal = False,
    latency: float | None = None,
    same_domain: bool | None = None,
    allowed_domain: Sequence[str] | None = None,
    max_depth: int | None = None,
    include: Sequence[str] | None = None,
    exclude: Sequence[str] | None = None,
    max_bytes: str | int | None = None,
    retry_failed: bool = False,
    config: AnyPath | None = None,
    progress: bool | Callable[[Progress], None] = True,
) -> Run:
    """Crawl a web for a topic. The same call again continues the crawl; a larger budget extends it.

    It works in scripts and in notebooks. Ctrl-C ends the crawl cleanly: the run is returned, its ``stop`` is
    ``"interrupted"``, and the same call continues it.

    Args:
        topic: A ``Topic``, an ``Ontology``, a file, a dictionary of weighted words, or a shipped name.
        seeds: Where to start: a file, a URL, or a list of them.
        out: The run directory; an existing run is continued.
        web: A web, a folder, an archive, or ``generated-PAGES-SEED``; without it, the live web.
        max_pages: Number of pages to visit (1000).
        strategy: How to choose links (``"fcwseo"``).
        seed: Seed of the random numbers (0).
        seed_set: Number of the seed set, if a file has several (1).
        width: Number of concurrent fetches (32 on the live web and in a rehearsal; on the archive of a crawl
            the same as there; else 1).
        patience: From 0 (any ready host) to 1 (only ever the best link); without ``max_time`` (.8).
        eta: Relevance from which a page is kept; without it, the crawl uses a running threshold.
        relevance: How pages are judged (``"topical"``); ``"mine.py:Mine"`` is your own.
        text_extractor: What makes the Markdown of kept pages: ``"own"``, or ``"trafilatura"``, which keeps
            tables, links and emphasis and adds author, site name and licence.
        max_time: Stop after this time: seconds, or text such as ``"10m"``; virtual in a rehearsal.
        contact: Your mail address or a URL, sent to servers. Required for the public web.
        allow_private: Whether to connect to private IP addresses as well.
        proxy: The URL of an HTTP proxy for all requests, such as ``"http://proxy.example:3128"``.
        connect_to: Connect to this address for every host, such as ``"127.0.0.1:8000"``.
        delay: Seconds between requests to a host (1).
        rehearse: Whether to crawl the web politely, on a virtual clock; a ``Rehearsal`` describes servers.
        latency: Median of the response times of a rehearsal, in seconds (0.2).
        same_domain: Whether to fetch only pages of the domains of the seeds, and of their subdomains.
        allowed_domain: Fetch only pages of these domains and their subdomains.
        max_depth: Follow no links of pages at this depth; seeds are at depth 0.
        include: Fetch only URLs that match one of these regular expressions.
        exclude: Fetch no URL that matches one of these regular expressions.
        max_bytes: Stop after this many bytes, such as ``"500M"``.
        retry_failed: Whether a continued live crawl first asks again for links whose hosts did not answer.
        config: A TOML file of settings; arguments take precedence.
        progress: True shows a line in a terminal or notebook; a function is called with a ``Progress`` after
            every visit.

    Returns:
        The run.

    Raises:
        InvalidInput: If a topic, a seed, a web or a setting cannot be used.
        NothingFound: If no seed returned a page.

    >>> import fcwseo as f
    >>> from tempfile import mkdtemp
    >>> web = f.open_web("generated-500-0")
    >>> run = f.crawl(web=web, topic="rainstorm", seeds=web.seeds("rainstorm"), max_pages=50, out=mkdtemp())
    >>> run.stop, len(run.visits) >= 50, run.harvest_rate > 0.1
    ('budget', True, True)
    """
    live = {
        "contact": contact,
        "allow_private": allow_private,
        "connect_to": connect_to,
        "proxy": proxy,
        "delay": delay if rehearse is False else None,
        "same_domain": same_domain,
        "allowed_domain": allowed_domain,
        "include": include,
        "exclude": exclude,
        "max_time": None if max_time is None else str(max_time),
        "max_bytes": None if max_bytes is None else str(max_bytes),
    }
    how = {"strategy": strategy, "max_pages": max_pages, "seed": seed, "seed_set": seed_set, "width": width}
    settings = load_settings(
        None if config is None else path_of(config, "config"),
        given={
            "crawl": how
            | {"patience": patience, "eta": eta, "relevance": relevance}
            | {"text_extractor": text_extractor, "max_depth": max_depth},
            "live": live,
            "rehearsal": rehearsal_of(rehearse, delay=delay, latency=latency) or {},
        },
        where="the call",
    )
    if rehearse is not False and web is None:
        raise InvalidInput("a rehearsal needs a closed web: give web, or leave out rehearse")
    if web is not None and (idle := live_only(live)):
        more = ", or rehearse" if idle == "delay" else ""
        raise InvalidInput(f"{idle} is a setting of the live web: leave out either it or the web{more}")
    folder = path_of(out, "out")
    words = topic_of(topic)
    start = seeds_of(seeds, seed_set=settings.crawl.seed_set)
    closed = None if web is None else web_of(web)
    with shown(progress) as show:
        result = carry_out(
            closed,
            settings,
            words,
            start,
            folder,
            rehearse=rehearse is not False,
            retry_failed=retry_failed,
            progress=show,
        )
    refuse_nothing(result, start, folder)
    return Run(folder)


acrawl = awaitable(crawl)
acrawl.__name__ = acrawl.__qualname__ = "acrawl"
acrawl.__doc__ = """Awaitable ``crawl``, with the same arguments: ``run = await f.acrawl(...)``.

Cancelling it ends the crawl cleanly; the same call continues it.

>>> import asyncio, fcwseo as f
>>> from tempfile import mkdtemp
>>> web = f.open_web("generated-500-0")
>>> seeds = web.seeds("rainstorm")
>>> asyncio.run(f.acrawl(web=web, topic="rainstorm", seeds=seeds, max_pages=20, out=mkdtemp())).stop
'budget'
"""


def live_only(given: Mapping[str, object]) -> str:
    """The first given setting without effect on a closed web; empty if there is no such setting.

    >>> live_only({"allow_private": False, "max_time": "2h"}), live_only({"delay": 0})
    ('', 'delay')
    """
    absent = (None, False)  # a delay of 0 is given
    return next((name for name in LIVE_ONLY if not any(given.get(name) is no for no in absent)), "")


def carry_out(
    web: ClosedWeb | None,
    settings: Settings,
    topic: Topic,
    seeds: Sequence[str],
    out: Path,
    *,
    rehearse: bool = False,
    retry_failed: bool = False,
    progress: Show,
) -> Result:
    """Crawl a closed web or the live web with these settings; ``progress`` is called with a ``Progress``.

    Seeds that do not fit the topic are reported before the first page of a closed web is fetched.
    """
    if web is not None and retry_failed:
        raise InvalidInput(
            "there is nothing to ask again, since a closed web always answers the same: omit --retry-failed "
            "(retry_failed), or omit the web"
        )
    check_extractor(settings.crawl.text_extractor)
    can_tell = settings.crawl.relevance == TOPICAL and not (out / "run.json").exists()
    if web is not None and can_tell and not seeds_fit(web, topic, seeds):
        _LOG.warning(UNFIT)
    if settings.crawl.text_extractor == OWN:
        return _carry_out(web, settings, topic, seeds, out, rehearse, retry_failed, progress)
    from fcwseo.live.parsers import Workers
    from fcwseo.uses.extraction import extract_kept, stored_html

    html = stored_html(web, out)
    result = _carry_out(web, settings, topic, seeds, out, rehearse, retry_failed, progress)
    if result.stop in (Stop.INTERRUPTED, Stop.FORCED):
        return result
    stop = extract_kept(out, html, Workers(settings.live.workers))
    return result if stop is None else result._replace(stop=stop)


def _carry_out(
    web: ClosedWeb | None,
    settings: Settings,
    topic: Topic,
    seeds: Sequence[str],
    out: Path,
    rehearse: bool,
    retry_failed: bool,
    progress: Show,
) -> Result:
    if web is not None and (scope := scope_of(settings.live, seeds)):
        web = ScopedWeb(web, scope)
    if web is None:
        result = _carry_out_live(settings, topic, seeds, out, retry_failed, progress)
    elif rehearse:
        result = _rehearse(web, settings, topic, seeds, out, progress)
    else:
        result = _carry_out_closed(web, settings, topic, seeds, out, progress)
    write_ontology(out, topic)
    return result


def _carry_out_closed(
    web: ClosedWeb, settings: Settings, topic: Topic, seeds: Sequence[str], out: Path, progress: Show
) -> Result:
    return run_crawl(
        web,
        topic,
        seeds,
        out,
        settings.crawl.plan(polite=False, archived_width=web.archived_order.width),
        max_time=seconds(settings.live.max_time),
        progress=lambda run: progress(Progress(run, settings.crawl.max_pages)),
    )


def _rehearse(
    web: ClosedWeb, settings: Settings, topic: Topic, seeds: Sequence[str], out: Path, progress: Show
) -> Result:
    return run_rehearsed(
        web,
        settings.rehearsal,
        topic,
        seeds,
        out,
        settings.crawl.plan(polite=True),
        max_time=seconds(settings.live.max_time),
        progress=lambda run, rehearsed: progress(
            Progress(run, settings.crawl.max_pages, rehearsed, seconds="virtual s")
        ),
    )


def _carry_out_live(
    settings: Settings, topic: Topic, seeds: Sequence[str], out: Path, retry_failed: bool, progress: Show
) -> Result:
    from fcwseo.crawling.run_live import run_live  # closed webs need no network client

    return run_live(
        settings.live,
        topic,
        seeds,
        out,
        settings.crawl.plan(polite=True),
        limits=settings.traps,
        progress=lambda run, web: progress(Progress(run, settings.crawl.max_pages, web)),
        retry_failed=retry_failed,
    )


def refuse_nothing(result: Result, seeds: Sequence[str], out: Path) -> None:
    """Raise ``NothingFound``, with the outcome of the first seed, if the crawl found no page."""
    if result.stop is Stop.EXHAUSTED and not result.counts["pages"]:
        row = next(read_visits(out))
        raise NothingFound(
            f"no seed returned a page; the first of {len(seeds)}, {row.url}: {row.outcome} ({row.detail}); "
            "correct the command and give it again"
        )
