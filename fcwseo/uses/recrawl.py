"""Fetches the kept pages of a crawl again, and lists the changes.

Conditional requests name the known version (``ETag``, ``Last-Modified``), so servers need not send it again.
A page that was sent has changed if the digest of its main text has: a new menu or advertisement is not a
change.
"""

import io
from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import Result
from fcwseo.crawling.run_directory.log import PAGE, Row, read_visits
from fcwseo.crawling.run_directory.run_file import RECRAWL, read_run_file
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.crawling.run_live import Progress, run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.errors import InvalidRun
from fcwseo.live.client import Validators
from fcwseo.live.traps import Limits
from fcwseo.pages import Link, Page, Visit, Why
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.protocol import Turns
from fcwseo.webs.frozen import page_of
from fcwseo.webs.warc.ranges import DAMAGE, ByteRange, http_headers, read_bytes
from fcwseo.webs.warc.records import Record
from fcwseo.webs.warc.stream import read_stream
from fcwseo_ontology.topic import Topic

CHANGED = "changed"


class Change(NamedTuple):
    """The change of the kept page of ``url`` since ``before``: ``CHANGED``, or the reason why there is no new
    version (unchanged, gone ...).
    """

    url: str
    change: str
    before: str
    at: str


class SeedsOnly:
    """A strategy that follows only the seeds, in their order."""

    def __init__(self) -> None:
        self._links: deque[Link] = deque()

    def observe(self, visit: Visit) -> None:
        if visit.step == 0 and isinstance(visit.outcome, Page):
            self._links.extend(visit.outcome.links)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        return [self._links.popleft() for _ in range(min(n, len(self._links)))]


class EarlierRun:
    """The earlier versions of the pages of a run."""

    def __init__(self, run: Path, places: dict[str, ByteRange]) -> None:
        self._folder = run / "warc"
        self._places = places

    def validators(self, url: str) -> Validators | None:
        place = self._places.get(url)
        if place is None:
            return None
        try:
            said = http_headers(self._folder, place)
        except DAMAGE:
            return None  # without validators the whole page is requested
        return Validators(said.get("etag", ""), said.get("last-modified", ""))


def recrawl(
    run: Path,
    out: Path,
    live: LiveSettings,
    *,
    width: int = 1,
    limits: Limits | None = None,
    progress: Progress = lambda run, web: None,
) -> Result:
    """Fetch the kept pages of ``run`` again, into a new run directory."""
    rows = _kept(run)
    if not rows:
        raise InvalidRun(f"{run} kept no page, so there is no page to fetch again")
    config = read_run_file(run).config
    known = EarlierRun(run, {row.final_url: row.warc for row in rows if row.final_url and row.warc})

    def factory(topic: Topic, relevance: Relevance, rng: Random) -> SeedsOnly:
        return SeedsOnly()

    return run_live(
        live,
        read_topic(run),
        [row.final_url or row.url for row in rows],
        out,
        Plan(
            strategy=RECRAWL,
            max_pages=len(rows),
            width=width,
            eta=config.eta,  # the final one of a running threshold is on the scale of what that crawl learnt
            relevance=config.relevance,
        ),
        limits=limits,
        progress=progress,
        factory=factory,
        earlier=known,
    )


def changes(run: Path, again: Path) -> list[Change]:
    """The changes of the kept pages of a run, from the log of its recrawl."""
    if read_run_file(again).config.strategy != RECRAWL:
        raise InvalidRun(f"{again} is not a recrawl: 'fcwseo recrawl {run} --out OUT' makes one")
    before = {row.final_url or row.url: row for row in _kept(run)}
    if not read_run_file(run).has_our_rules:  # another parser made the digests
        before = {url: msgspec.structs.replace(row, digest=_digest(run, row)) for url, row in before.items()}
    rows = [row for row in read_visits(again) if row.url in before]
    return [Change(row.url, _change(before[row.url], row), before[row.url].at, row.at) for row in rows]


def counted(found: Sequence[Change]) -> dict[str, int]:
    """The number of each kind of change."""
    return dict(Counter(change.change for change in found).most_common())


def _kept(run: Path) -> list[Row]:
    read_run_file(run)
    return [row for row in read_visits(run) if row.kept]


def _digest(run: Path, row: Row) -> str | None:
    """The digest of a page by the parser of this version; that of the log if the archive does not have it."""
    if row.warc is None:
        return row.digest
    try:
        records = read_stream(io.BytesIO(read_bytes(run / "warc", row.warc)), str(run), [])
        pages = [page_of(found) for found in records if isinstance(found, Record)]
    except DAMAGE:
        return row.digest
    return next((page.digest for page in pages if page.url == row.final_url), row.digest)


def _change(before: Row, now: Row) -> str:
    if now.outcome != PAGE:
        return now.outcome
    return str(Why.UNCHANGED) if now.digest == before.digest else CHANGED
