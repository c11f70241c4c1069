"""A run directory, opened for writing. The log is the result; everything else can be derived from it.

A visit is one line, written by one call, after its kept page. A killed crawl therefore leaves complete lines
(an incomplete last one is cut off on opening), and a kept page without its visit is cut off as well. After a
power cut the end of the log is cut back to its last whole visit.
"""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

import msgspec

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.metrics import Harvest
from fcwseo.crawling.run_directory import checkpoints, kept, log
from fcwseo.crawling.run_directory.checkpoints import Checkpoints
from fcwseo.crawling.run_directory.kept import KeptPages
from fcwseo.crawling.run_directory.lines import append_line, now, repair
from fcwseo.crawling.run_directory.log import PAGE, Row, count_outcome, read_visits, row_of
from fcwseo.crawling.run_directory.run_file import (
    NAME as RUN_FILE,
)
from fcwseo.crawling.run_directory.run_file import (
    Config,
    RunFile,
    check_continuable,
    check_length,
    contents,
    next_run_file,
    read_copy,
    read_past,
    read_run_file,
    run_file_if_any,
    write_copy,
    write_run_file,
)
from fcwseo.crawling.run_directory.soundness import END, sound_part
from fcwseo.crawling.run_directory.status import State, by_name, remove_state, summary, write_state
from fcwseo.crawling.run_directory.times import RealTime, RunTime
from fcwseo.crawling.run_directory.topic import write_topic
from fcwseo.errors import InvalidRun
from fcwseo.files import atomically, io_error, lock, sync
from fcwseo.pages import Failure, Visit
from fcwseo.relevance.threshold import Calibration
from fcwseo.relevance.words import TokenCache
from fcwseo.webs.warc.ranges import ByteRange
from fcwseo_ontology.topic import Topic

_LOG = logging.getLogger(__name__)
_EVERY = 2.0  # seconds between two texts of what a crawl waits for


class RunDirectory:
    """A run directory opened for writing, by one process at a time.

    A directory with the same crawl is continued: ``past`` yields its visits, which must be passed to
    ``remember`` before the first call of ``record``.

    Args:
        path: The directory, created if missing.
        config: The crawl.
        topic: Its topic.
        budget: The budget, in pages.
        obeys_noindex: Whether pages with noindex are not kept.
        web_path: The path of the web.
        token_cache: A cache of tokenised pages, shared by crawls of one topic.
        time: Where its times come from, the time of this machine unless given.
        max_time: The virtual seconds given to a rehearsed crawl (0: no limit).

    Raises:
        InvalidRun: If the directory contains another crawl, a damaged one, or other files.
        RunLocked: If another process is crawling into it.
    """

    def __init__(
        self,
        path: Path,
        config: Config,
        topic: Topic,
        *,
        budget: int,
        obeys_noindex: bool = False,
        web_path: str = "",
        token_cache: TokenCache | None = None,
        time: RunTime | None = None,
        max_time: float = 0.0,
    ) -> None:
        self.path = path
        self._time = time or RealTime()
        self._obeys_noindex = obeys_noindex
        self.harvest = Harvest()
        self._outcomes: dict[str, int] = {}
        self._taken_in = 0
        self._before: dict[str, bytes] = {}  # the files about the crawl, until a visit is recorded
        with ExitStack() as files:
            files.enter_context(_lock(path))
            try:
                self._open(config, topic, budget, max_time, web_path, token_cache, files)
            except OSError as error:
                raise io_error(error.filename or path, error) from error
            self._files = files.pop_all()

    def _open(
        self,
        config: Config,
        topic: Topic,
        budget: int,
        max_time: float,
        web_path: str,
        token_cache: TokenCache | None,
        files: ExitStack,
    ) -> None:
        before = run_file_if_any(self.path)
        if before is not None and _may_begin_anew(self.path, before, config):
            _clear(self.path)
            before = None
        if before is not None:
            check_continuable(self.path, before, config)
        repair(self.path / log.NAME)
        self._cut_damaged_end(before)
        if before is not None:
            self._before = contents(self.path)
        self.visits = pages = kept = 0
        for row in read_visits(self.path):
            self.visits += 1
            pages += row.outcome == PAGE
            kept += row.kept
        following = next_run_file(before, config, budget, visits=self.visits, pages=pages, max_time=max_time)
        self._passed_over = following is before
        self.file = msgspec.structs.replace(following, web_path=web_path)
        write_run_file(self.path, self.file)  # written first: without it this is not a run directory
        write_copy(self.path, self.file)
        write_topic(self.path, topic)
        self._checkpoints = files.enter_context(
            closing(Checkpoints(self.path, budget=self.file.budget, logged=pages, time=self._time))
        )
        self._kept = files.enter_context(closing(KeptPages(self.path, topic, token_cache, logged=kept)))
        self._state = State(os.getpid(), now(), pages)
        self._told = 0.0
        write_state(self.path, self._state)
        files.callback(remove_state, self.path)
        self._log = files.enter_context((self.path / log.NAME).open("ab", buffering=0))

    def _cut_damaged_end(self, before: RunFile | None) -> None:
        """Cut the log after its last whole visit."""
        sound = sound_part(self.path)
        if before is not None:
            check_length(self.path, before, visits=sound.visits, may_lack=END)
        if sound.visits < sound.of:
            with (self.path / log.NAME).open("rb+") as file:
                file.truncate(sound.size)
            _LOG.warning(
                "%s is damaged at its end, the last %d visits are made again: %s",
                self.path,
                sound.of - sound.visits,
                sound.damage,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if isinstance(error, InvalidRun):  # found while the log was read again
                for name, content in self._before.items():
                    atomically(self.path / name, content)
        finally:
            self._files.close()

    @property
    def seconds(self) -> float:
        """Duration of the crawl, including the time before it was continued."""
        return self._checkpoints.seconds

    @property
    def failures(self) -> dict[str, int]:
        """The number of links without a page, by reason."""
        return {why: count for why, count in self._outcomes.items() if why != PAGE}

    @property
    def counts(self) -> dict[str, int]:
        """Counts of pages, relevant pages, hosts, and failures by reason."""
        harvest = self.harvest
        counts = {"visits": self.visits, "pages": len(harvest), "relevant": len(self._kept)}
        return counts | {"hosts": len(harvest.hosts)} | by_name(self.failures)

    def past(self) -> Iterator[tuple[int, Row]]:
        """The visits of the log, each with the budget at that time."""
        return read_past(self.path, self.file)

    def remember(self, visit: Visit, warc: ByteRange | None = None) -> None:
        """Add a visit of the log again."""
        self._take_in(visit, warc)
        self._measure()

    def record(self, visit: Visit, warc: ByteRange | None = None) -> None:
        """Write a visit and its position in the archive. After the return, a crash does not lose the
        visit.
        """
        append_line(self._log, self._take_in(visit, warc))
        self._before = {}
        self.visits += 1
        self._measure()

    def tell(self, waiting_for: str) -> None:
        """Say what the crawl waits for, for ``status`` in another process."""
        if time.monotonic() >= self._told + _EVERY:
            self._told = time.monotonic()
            self._state = msgspec.structs.replace(self._state, waiting_for=waiting_for)
            write_state(self.path, self._state)

    def sync(self) -> None:
        """Return when all recorded visits are on the disk, pages before the lines that speak of them."""
        self._kept.sync()
        sync(self._log)

    def finish(self, stop: Stop, calibration: Calibration) -> None:
        """Write the stop reason and the threshold in force. A crawl stopped while reading its log has counted
        only a part of it.
        """
        is_counted = self._taken_in == self.visits
        facts = {} if is_counted else summary(self.path)
        counts = self.counts if is_counted else facts["counts"]
        found = calibration if is_counted else facts["calibration"]
        ended = self.file.stop if self._passed_over else str(stop)
        self.file = msgspec.structs.replace(self.file, stop=ended, counts=counts, calibration=found)
        write_run_file(self.path, self.file)

    def _take_in(self, visit: Visit, warc: ByteRange | None) -> Row:
        """Count a visit, keep its page if it is relevant, and return its line of the log."""
        self._taken_in += 1
        page = visit.outcome
        if isinstance(page, Failure):
            row = self._row(visit, warc, kept=False)
            count_outcome(self._outcomes, row)
            return row
        row = self._row(visit, warc, kept=visit.is_relevant and not (self._obeys_noindex and page.noindex))
        count_outcome(self._outcomes, row)
        self.harvest.add(page.url, visit.relevance, row.kept)
        if row.kept:
            self._kept.add(row, page)
        return row

    def _row(self, visit: Visit, warc: ByteRange | None, *, kept: bool) -> Row:
        return row_of(visit, warc, kept=kept, at=self._time.stamp(), clock=self._time.clock)

    def _measure(self) -> None:
        self._checkpoints.measure(self.harvest, relevant=len(self._kept))


def _may_begin_anew(path: Path, before: RunFile, config: Config) -> bool:
    """Whether a directory has no page of its crawl, which is another one or has ended: a mistake in the first
    command must not cost its directory.
    """
    if before.counts.get("pages") or (before.config == config and before.stop != Stop.EXHAUSTED):
        return False
    return all(row.outcome != PAGE for row in read_visits(path))


def _clear(path: Path) -> None:
    """Remove the files of a crawl without a page."""
    names = (log.NAME, kept.NAME, checkpoints.NAME, "robots.jsonl", "errors.log", "topic/ontology.owl")
    for name in names:
        (path / name).unlink(missing_ok=True)
    for file in (path / "warc").glob("fcwseo-*.warc.gz"):
        file.unlink()


def _lock(path: Path) -> BinaryIO:
    """Create the directory if missing, and lock it for this process."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        names = [entry.name for entry in path.iterdir()]
        unexpected = sorted(name for name in names if name[0] != ".")
        if unexpected and RUN_FILE not in unexpected:
            if read_copy(path) is not None:
                read_run_file(path)  # which names the repair
            raise InvalidRun(
                f"{path} is not empty and not a run directory (it contains {unexpected[0]}): name another one"
            )
    except OSError as error:
        raise io_error(path, error) from error
    return lock(path, "crawling")
