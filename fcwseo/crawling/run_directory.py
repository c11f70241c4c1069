"""A run directory: visits <-> disk. The log is the result; everything else can be made from it.

A visit is one line, written by one call, after the kept page that belongs to it. So a crawl that was killed
leaves whole lines (a torn last one is cut off on opening), and a kept page without its visit is cut off too.
"""

import json
import os
import time
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from platform import python_version
from types import TracebackType
from typing import Any, BinaryIO, Self

import msgspec
from msgspec import Struct

from fcwseo.crawling.engine import SEEDS, Stop
from fcwseo.crawling.metrics import Harvest, average_relevance, checkpoints, harvest_rate, standard_deviation
from fcwseo.errors import InvalidRun
from fcwseo.files import append, atomically, io_error, lock
from fcwseo.pages import Failure, Page, Visit, Why
from fcwseo.pages.duplicates import Duplicates
from fcwseo.pages.markdown import markdown
from fcwseo.pages.urls import host
from fcwseo.relevance.loading import TOPICAL
from fcwseo.relevance.threshold import Calibration, threshold_of
from fcwseo.relevance.words import Matcher, TokenCache
from fcwseo.webs.warc.ranges import ByteRange
from fcwseo_ontology.topic import Topic

PAGE = "page"  # the outcome of a visit that gave one
RECRAWL = "recrawl"  # stands instead of the name of a strategy where pages are asked for again
_MOST_HOSTS = 20  # that a summary names
OBJECTIVES = ("f1", "f2", "f3", "f4")
_OUTCOMES = frozenset((PAGE, *Why))

# Raise RULES when relevance, parsing or choice change so that a crawl with the same configuration may visit
# other pages or keep others (tests/golden shows it), and add the release to RELEASES.
RULES = 1
RELEASES = {0: "0.1.0", 1: "0.2.0"}  # rules -> the release that continues such runs


class Row(Struct, frozen=True, gc=False, omit_defaults=True):
    """A line of ``visits.jsonl``."""

    step: int
    url: str
    final_url: str | None
    parent: str | None
    anchor: str
    depth: int
    outcome: str
    detail: str
    status: int | None
    relevance: float
    predicted: float | None
    objectives: tuple[float, ...] | None
    kept: bool
    digest: str | None
    at: str
    asked: tuple[int, ...] | None = None
    warc: ByteRange | None = None
    eta: float | None = None  # the threshold in force; None in logs of fcwseo 0.1

    @property
    def failure(self) -> Failure:
        return Failure(self.url, Why(self.outcome), self.detail)


class Checkpoint(Struct, frozen=True):
    """A line of ``metrics.jsonl``."""

    n: int
    relevant: int
    harvest_rate: float
    average_relevance: float
    sd: float
    hosts: int
    seconds: float


class Config(Struct, frozen=True, omit_defaults=True):
    """Everything that decides which pages a crawl visits and keeps, and in which order.

    The default relevance is left out of the file and of the hash, as it was before there were others.
    """

    strategy: str
    topic: str
    topic_hash: str
    web: str
    web_identity: str
    seeds: tuple[str, ...]
    seed: int
    width: int
    eta: float | None  # None: found on the way
    relevance: str = TOPICAL
    relevance_hash: str = ""  # of the file of a plugin

    @property
    def hash(self) -> str:
        return blake2b(msgspec.json.encode(self, order="sorted"), digest_size=12).hexdigest()

    @property
    def plan(self) -> str:
        """A digest of what decides which pages a crawl visits, whatever web that is on."""
        deciding = [self.strategy, self.topic_hash, self.seeds, self.seed, self.width]
        if self.relevance != TOPICAL:
            deciding += [self.relevance, self.relevance_hash]
        return blake2b(msgspec.json.encode(deciding), digest_size=12).hexdigest()


class RunFile(Struct, frozen=True):
    """``run.json``. Each of ``budgets`` stands beside the number of visits at which it took effect.

    ``web_path`` says where the web lay, ``calibration`` which eta was in force when the crawl ended.
    ``rules`` is the value of ``RULES`` when the run was made; release 0.1.0 wrote none, which is 0.
    """

    config: Config
    config_hash: str
    versions: dict[str, str]
    budgets: tuple[tuple[int, int], ...]
    started: str
    stop: str | None = None
    counts: dict[str, int] = {}
    calibration: Calibration | None = None
    web_path: str = ""
    rules: int = 0

    @property
    def has_our_rules(self) -> bool:
        """Whether this version of fcwseo chooses pages as the one that made the run."""
        return self.rules == RULES

    def eta_in_force(self, recomputed: Calibration) -> Calibration:
        """The threshold at the end: ``recomputed`` from the log, unless other rules recorded another."""
        return recomputed if self.has_our_rules or self.calibration is None else self.calibration

    @property
    def release(self) -> str:
        """The release that can continue the run.

        >>> config = Config("bfs", "", "", "", "", (), 0, 1, None)
        >>> RunFile(config, "", {}, (), "").release, RunFile(config, "", {}, (), "", rules=10**6).release
        ('fcwseo 0.1.0', 'a newer version of fcwseo')
        """
        known = RELEASES.get(self.rules) or self.versions.get("fcwseo")
        return f"fcwseo {known}" if known else "a newer version of fcwseo"


class _Maker(Struct, frozen=True):
    """The part of ``run.json`` that every version can read."""

    rules: int = 0
    versions: dict[str, str] = {}


class RunDirectory:
    """A run directory opened for writing, by one process at a time.

    A directory that holds the same crawl is continued: ``past`` gives its visits, which are to be passed to
    ``remember`` before anything is passed to ``record``. One that
    ``obeys_noindex`` keeps no page that asks not to be kept.
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
    ) -> None:
        self.path = path
        self._web_path = web_path
        self._matcher, self._words = Matcher(topic, token_cache), topic.words
        self._obeys_noindex = obeys_noindex
        self._lock = _lock(path)
        try:
            self._open(config, topic, budget)
        except OSError as error:
            self._lock.close()
            raise io_error(error.filename or path, error) from error
        except BaseException:
            self._lock.close()
            raise

    def _open(self, config: Config, topic: Topic, budget: int) -> None:
        self.harvest = Harvest()
        self.failures: dict[str, int] = {}
        self._kept = self._taken_in = 0
        self._duplicates = Duplicates()
        self._began = time.monotonic()
        before = _read_run_file(self.path)
        if before is not None:
            check_continuable(self.path, before, config)
        _repair(self.path / "visits.jsonl")
        self.visits = pages = kept = 0
        for row in read_visits(self.path):
            self.visits += 1
            pages += row.outcome == PAGE
            kept += row.kept
        if before is not None:
            check_length(self.path, before, visits=self.visits)
        self._on_disk = _cut(self.path / "pages.jsonl", kept)
        metrics = [line for line in _read_metrics(self.path) if line.n <= pages]
        self._measured = max((line.n for line in metrics), default=0)
        self._seconds_before = max((line.seconds for line in metrics), default=0.0)
        following = _next_run_file(before, config, budget, visits=self.visits, pages=pages)
        self._passed_over = following is before
        self.file = msgspec.structs.replace(following, web_path=self._web_path)
        self._checkpoints = set(checkpoints(self.file.budgets[-1][1]))
        self._write_run_file()  # before anything else: without it this is no run directory
        atomically(self.path / "metrics.jsonl", b"".join(_line(line) for line in metrics))
        _write_topic(self.path / "topic", topic)
        self._visits = (self.path / "visits.jsonl").open("ab", buffering=0)
        self._pages = (self.path / "pages.jsonl").open("ab", buffering=0)
        self._metrics = (self.path / "metrics.jsonl").open("ab", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in (self._visits, self._pages, self._metrics, self._lock):
            file.close()

    @property
    def seconds(self) -> float:
        return self._seconds_before + time.monotonic() - self._began

    @property
    def counts(self) -> dict[str, int]:
        """Pages, relevant ones, hosts, and failures by reason."""
        harvest = self.harvest
        counts = {"visits": self.visits, "pages": len(harvest), "relevant": self._kept}
        return counts | {"hosts": len(harvest.hosts)} | _sorted(self.failures)

    def past(self) -> Iterator[tuple[int, Row]]:
        """The visits of the log, each with the budget of its time."""
        return read_past(self.path, self.file)

    def remember(self, visit: Visit, warc: ByteRange | None = None) -> None:
        """Take in a visit of the log again."""
        self._take_in(visit, warc)
        self._measure()

    def record(self, visit: Visit, warc: ByteRange | None = None) -> None:
        """Write a visit down, and where it is archived. When this returns, the visit outlives the process."""
        kept = self._take_in(visit, warc)
        append(self._visits, _line(_row(visit, warc, kept=kept)))
        self.visits += 1
        self._measure()

    def finish(self, stop: Stop, calibration: Calibration) -> None:
        """Write down why the crawl ended, and which threshold was in force. One that ended while it read its
        log has not counted all of it.
        """
        is_counted = self._taken_in == self.visits
        facts = {} if is_counted else summary(self.path)
        counts = self.counts if is_counted else facts["counts"]
        found = calibration if is_counted else facts["calibration"]
        ended = self.file.stop if self._passed_over else str(stop)
        self.file = msgspec.structs.replace(self.file, stop=ended, counts=counts, calibration=found)
        self._write_run_file()

    def _take_in(self, visit: Visit, warc: ByteRange | None) -> bool:
        """Count a visit, and write its page if that is kept and not on disk yet; whether it is kept."""
        self._taken_in += 1
        page = visit.outcome
        if isinstance(page, Failure):
            self.failures[page.why] = self.failures.get(page.why, 0) + 1
            return False
        kept = visit.is_relevant and not (self._obeys_noindex and page.noindex)
        self.harvest.add(page.url, visit.relevance, kept)
        if kept:
            self._kept += 1
            name = page_id(page.url)
            first = self._duplicates.first(page, name)
            if self._kept > self._on_disk:
                fields = _kept_page(visit, page, warc) | {"id": name, "near_dup_of": first}
                append(self._pages, _line(fields | {"concepts": self._concepts(page)}))
        return kept

    def _concepts(self, page: Page) -> list[str]:
        """The words of the topic that a page speaks of, those that it is most about first."""
        numbers, often = self._matcher.count_page(page)
        features = bisect_left(numbers, self._matcher.size)
        counts = dict(zip(numbers[:features].tolist(), often[:features].tolist(), strict=True))
        found = sorted(counts, key=lambda number: (-self._words[number].weight * counts[number], number))
        return [self._words[number].word for number in found]

    def _measure(self) -> None:
        harvest = self.harvest
        if len(harvest) not in self._checkpoints or len(harvest) <= self._measured:
            return
        self._measured = len(harvest)
        checkpoint = Checkpoint(
            n=len(harvest),
            relevant=self._kept,
            harvest_rate=harvest_rate(harvest.relevant),
            average_relevance=average_relevance(harvest.relevance),
            sd=standard_deviation(harvest.relevance),
            hosts=len(harvest.hosts),
            seconds=round(self.seconds, 3),
        )
        append(self._metrics, _line(checkpoint))

    def _write_run_file(self) -> None:
        text = msgspec.json.format(msgspec.json.encode(self.file), indent=2)
        atomically(self.path / "run.json", text + b"\n")


def summary(path: Path) -> dict[str, Any]:
    """How far a crawl is, from its log: also of one that runs, or was killed."""
    file = read_run_file(path)
    budget = file.budgets[-1][1]
    threshold = threshold_of(file.config.eta)
    outcomes: Counter[str] = Counter()
    left_alone: Counter[str] = Counter()
    relevant, total, last = 0, 0.0, None
    for row in read_visits(path):
        outcomes[row.outcome] += 1
        relevant += row.kept
        total += row.relevance
        last = row.at
        if row.outcome == Why.DEFERRED:
            left_alone[host(row.url)] += 1
        if row.outcome == PAGE:
            threshold.add(row.relevance, is_seed=row.depth == 0)
    pages = outcomes.pop(PAGE, 0)
    check_length(path, file, visits=pages + outcomes.total())
    return {
        "strategy": file.config.strategy,
        "topic": file.config.topic,
        "web": file.config.web,
        "counts": {
            "visits": pages + outcomes.total(),
            "pages": pages,
            "relevant": relevant,
            **_sorted(outcomes),
        },
        "max_pages": budget,
        "harvest_rate": relevant / pages if pages else 0.0,
        "average_relevance": total / pages if pages else 0.0,
        "calibration": file.eta_in_force(threshold.calibration()),
        "left_alone": dict(left_alone.most_common(_MOST_HOSTS)),
        "last_visit": last,
        "stop": file.stop,
        "rules": file.rules,
        "resume": _what_resume_does(file, pages, budget),
    }


def check_length(path: Path, file: RunFile, *, visits: int) -> None:
    """A log only grows. What would be lost if a shorter one were continued is the rest of the archive."""
    counted = file.counts.get("visits", 0)
    if visits < counted:
        raise InvalidRun(
            f"{path / 'visits.jsonl'} has {visits} visits, but there were {counted} when the crawl ended: "
            "the log is damaged; bring it back, or give the crawl another folder"
        )


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _what_resume_does(file: RunFile, pages: int, budget: int) -> str:
    if not file.has_our_rules:
        return f"refused: the run was made by rules {file.rules}, not {RULES}; {file.release} can continue it"
    if pages >= budget:
        return "nothing: the budget is spent (a larger --max-pages goes on)"
    if file.stop == Stop.EXHAUSTED:
        return "nothing: no link is left to follow"
    return f"goes on with page {pages + 1} of {budget}"


def read_visits(path: Path) -> Iterator[Row]:
    """The visits of a run directory, also while the crawl runs; a torn last line is passed over."""
    decoder = msgspec.json.Decoder(Row)
    file = path / "visits.jsonl"
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    return  # and not on: its rest may have been written by now
                yield _decoded(decoder, line, number, file)
    except FileNotFoundError:
        return


def read_past(path: Path, file: RunFile) -> Iterator[tuple[int, Row]]:
    """The visits of a run directory, each with the budget of its time."""
    budgets = deque(file.budgets)
    _, budget = budgets.popleft()
    for number, row in enumerate(read_visits(path)):
        while budgets and number >= budgets[0][0]:
            _, budget = budgets.popleft()
        yield budget, row


def _decoded(decoder: msgspec.json.Decoder[Row], line: bytes, number: int, file: Path) -> Row:
    try:
        row = decoder.decode(line)
    except msgspec.DecodeError as error:
        raise InvalidRun(f"{file}, line {number} is not a visit ({error}): the log is damaged") from error
    if row.step != number:
        raise InvalidRun(f"{file}, line {number} is visit {row.step}: the log is damaged")
    if row.outcome not in _OUTCOMES:
        raise InvalidRun(f"{file}, line {number} has an unknown outcome {row.outcome!r}: the log is damaged")
    return row


def read_run_file(path: Path) -> RunFile:
    """``run.json`` of a run directory."""
    found = _read_run_file(path) if path.is_dir() else None
    if found is None:
        raise InvalidRun(f"{path} is not a run directory: it has no run.json")
    return found


def _read_run_file(path: Path) -> RunFile | None:
    file = path / "run.json"
    try:
        return msgspec.json.decode(file.read_bytes(), type=RunFile)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise _unreadable(file, error) from error


def _unreadable(file: Path, error: Exception) -> InvalidRun:
    """The error about a damaged ``run.json``, or about one in the format of a newer version."""
    try:
        maker = msgspec.json.decode(file.read_bytes(), type=_Maker)
    except (OSError, msgspec.DecodeError):
        maker = _Maker()
    if maker.rules > RULES:
        made_by = maker.versions.get("fcwseo", "")
        return InvalidRun(
            f"{file} was written by a newer version of fcwseo{made_by and f' ({made_by})'}, in a format that "
            f"{version('fcwseo')} cannot read: use that version"
        )
    return InvalidRun(f"{file} cannot be read ({error}): give the crawl another folder")


def check_continuable(path: Path, file: RunFile, config: Config) -> None:
    """Check that the run in ``path`` is the crawl ``config``, chosen by the rules of this version.

    Raises:
        InvalidRun: If it is not.
    """
    if not file.has_our_rules:
        raise InvalidRun(
            f"{path} was made by rules {file.rules} and this version follows rules {RULES}: "
            f"continue it with {file.release}, or use another --out (all other commands read it)"
        )
    if file.config != config:
        raise InvalidRun(_what_differs(path, file.config, config))


def is_finished(path: Path, config: Config, *, budget: int) -> bool:
    """Whether a directory holds that crawl, and nothing is left to do for it. Another crawl is an error."""
    file = _read_run_file(path)
    if file is None:
        return False
    check_continuable(path, file, config)
    if file.budgets[-1][1] > budget:
        raise InvalidRun(
            f"{path} holds a longer crawl ({file.budgets[-1][1]} pages, now {budget}): name another folder"
        )
    check_length(path, file, visits=visits_in(path))
    return file.stop in (Stop.BUDGET, Stop.EXHAUSTED) and file.budgets[-1][1] == budget


def another_page(path: Path, row: Row) -> InvalidRun:
    """Where a page is not the one that the log speaks of."""
    return InvalidRun(
        f"{row.url} is not the page that {path} visited: "
        "the web has changed since, or this version of fcwseo reads it in another way"
    )


def visits_in(path: Path) -> int:
    """How many whole lines the log of a run directory has."""
    log = path / "visits.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


def _next_run_file(
    before: RunFile | None, config: Config, budget: int, *, visits: int, pages: int
) -> RunFile:
    """What follows; ``before`` itself if the budget, below the pages that there are, is passed over."""
    if before is None:
        versions = {"fcwseo": version("fcwseo"), "python": python_version()}
        return RunFile(config, config.hash, versions, ((0, budget),), _now(), rules=RULES)
    if budget < pages:
        return before
    budgets = before.budgets
    if budget != budgets[-1][1]:
        budgets = (*budgets, (visits, budget))
    return msgspec.structs.replace(before, budgets=budgets, stop=None)


def _what_differs(path: Path, before: Config, now: Config) -> str:
    names = [name for name in Config.__struct_fields__ if getattr(before, name) != getattr(now, name)]
    name = next((name for name in names if not name.endswith(("_hash", "_identity"))), names[0])
    was, given = (msgspec.json.encode(getattr(config, name)).decode() for config in (before, now))
    return (
        f"{path} holds a crawl with another {name.removesuffix('_hash').removesuffix('_identity')} "
        f"({was:.60}, now {given:.60}): give this one another folder, or repeat the command of that one"
    )


def _lock(path: Path) -> BinaryIO:
    """The directory, made if need be, for this process alone."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        names = [entry.name for entry in path.iterdir()]
        strangers = sorted(name for name in names if name[0] != ".")
        if strangers and "run.json" not in strangers:
            raise InvalidRun(
                f"{path} is not empty and not a run directory (it holds {strangers[0]}): name another folder"
            )
    except OSError as error:
        raise io_error(path, error) from error
    return lock(path, "crawling")


def _repair(path: Path) -> None:
    """Cut off a torn last line: its visit did not happen."""
    if path.exists():
        with path.open("rb+") as file:
            end = file.seek(0, os.SEEK_END)
            whole = end
            while whole > 0:
                start = max(0, whole - 65536)
                file.seek(start)
                newline = file.read(whole - start).rfind(b"\n")
                if newline >= 0:
                    whole = start + newline + 1
                    break
                whole = start
            if whole < end:
                file.truncate(whole)


def _cut(path: Path, lines: int) -> int:
    """Keep at most so many whole lines of a file; how many there are then."""
    if not path.exists():
        return 0
    kept = end = 0
    with path.open("rb+") as file:
        for line in file:
            if kept == lines or not line.endswith(b"\n"):
                break
            kept += 1
            end += len(line)
        file.truncate(end)
    return kept


def _read_metrics(path: Path) -> Iterator[Checkpoint]:
    """The checkpoints that can be read; they are only measures, so a damaged one is left out."""
    file = path / "metrics.jsonl"
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            yield msgspec.json.decode(line, type=Checkpoint)
        except msgspec.DecodeError:
            continue


def _write_topic(folder: Path, topic: Topic) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise io_error(folder, error) from error
    words = json.dumps({"name": topic.name, "weights": topic.weights}, ensure_ascii=False, indent=1)
    atomically(folder / "words.json", words.encode())
    atomically(folder / "topic.json", msgspec.json.encode(topic))


def write_ontology(path: Path, topic: Topic) -> None:
    """Write the ontology of a run as OWL beside its topic, if there is one; once, since it takes a while."""
    file = path / "topic" / "ontology.owl"
    if topic.ontology is not None and not file.exists():
        from fcwseo_ontology.owl.ontologies import write_owl  # it takes a while to load, too

        write_owl(topic.ontology, file)


def read_topic(path: Path) -> Topic:
    """The topic of a run, with its ontology if it has one."""
    file = path / "topic" / "topic.json"
    try:
        return msgspec.json.decode(file.read_bytes(), type=Topic)
    except (OSError, msgspec.DecodeError) as error:
        raise InvalidRun(f"{file} cannot be read ({error}): the same crawl again writes it again") from error


def page_id(url: str) -> str:
    """What a page is called in ``pages.jsonl``: always the same for the same address."""
    return blake2b(url.encode(), digest_size=12).hexdigest()


def _kept_page(visit: Visit, page: Page, warc: ByteRange | None) -> dict[str, object]:
    return {
        "id": "",
        "url": visit.link.target,
        "final_url": page.url,
        "title": page.title,
        "text": page.text,
        "markdown": markdown(page),
        "lang": page.language,
        "date": page.date or None,
        "relevance": visit.relevance,
        "objectives": visit.link.objectives and dict(zip(OBJECTIVES, visit.link.objectives, strict=False)),
        "concepts": [],
        "parent": _parent(visit),
        "anchor": visit.link.anchor,
        "depth": visit.link.depth,
        "digest": page.digest,
        "near_dup_of": None,
        "fetched_at": _now(),
        "status": page.status,
        "warc": warc,
    }


def _row(visit: Visit, warc: ByteRange | None, *, kept: bool) -> Row:
    outcome, link = visit.outcome, visit.link
    page = outcome if isinstance(outcome, Page) else None
    return Row(
        step=visit.step,
        url=link.target,
        final_url=page.url if page else None,
        parent=_parent(visit),
        anchor=link.anchor,
        depth=link.depth,
        outcome=PAGE if isinstance(outcome, Page) else str(outcome.why),
        detail="" if isinstance(outcome, Page) else outcome.detail,
        status=page.status if page else None,
        relevance=visit.relevance,
        predicted=link.predicted,
        objectives=link.objectives,
        kept=kept,
        digest=page.digest if page else None,
        at=_now(),
        asked=visit.requested,
        warc=warc,
        eta=visit.eta,
    )


def _parent(visit: Visit) -> str | None:
    return None if visit.link.source == SEEDS else visit.link.source


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _line(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"
