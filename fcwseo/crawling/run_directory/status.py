"""The status of a crawl, computed from its log."""

from array import array
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.run_directory.log import PAGE, Row, count_outcome, read_visits
from fcwseo.crawling.run_directory.rules import RULES
from fcwseo.crawling.run_directory.run_file import RunFile, check_length, read_run_file
from fcwseo.files import is_locked
from fcwseo.pages import Why
from fcwseo.pages.urls import host
from fcwseo.relevance.threshold import Calibration, threshold_of
from fcwseo.relevance.topicality import Scale

_MOST_HOSTS = 20  # failures listed in a summary
_STATE = ".state.json"
_QUIET, _INTERVALS = 30.0, 3.0  # seconds and mean intervals without a page after which a crawl waits
EXTRACTING = ".extracting"  # while the Markdown of kept pages is made by a library, or is left to be made


class State(Struct, frozen=True):
    """What a crawl says of itself while it runs: since when, from which page on, and what it waits for."""

    pid: int
    since: str
    pages: int
    waiting_for: str = ""


def write_state(path: Path, state: State) -> None:
    """Write the state of a running crawl; nothing depends on it."""
    with suppress(OSError):
        (path / f"{_STATE}.new").write_bytes(msgspec.json.encode(state))
        (path / f"{_STATE}.new").replace(path / _STATE)


def remove_state(path: Path) -> None:
    """Remove the state of a crawl that ends."""
    (path / _STATE).unlink(missing_ok=True)


def _running(path: Path, pages: int, budget: int, last: str | None) -> dict[str, Any] | None:
    """The state of a crawl that another process runs: also its pages a minute and its seconds left, unless
    it waits for pages now; ``last`` is when the last one came.
    """
    if not is_locked(path):
        return None
    try:
        state = msgspec.json.decode((path / _STATE).read_bytes(), type=State)
        since, now = datetime.fromisoformat(state.since), datetime.now(UTC)
        minutes = (now - since).total_seconds() / 60
        quiet = 0.0 if last is None else (now - max(since, datetime.fromisoformat(last))).total_seconds()
    except (OSError, ValueError, TypeError):
        return {"pid": None, "since": None, "pages_a_minute": None, "waiting_for": "", "seconds_left": None}
    rate = (pages - state.pages) / minutes if minutes > 0 else 0.0
    waits = quiet > max(_QUIET, _INTERVALS * (60 * minutes - quiet) / max(1, pages - state.pages))
    return {
        "pid": state.pid,
        "since": state.since,
        "pages_a_minute": round(rate, 1),
        "waiting_for": state.waiting_for,
        "seconds_left": round(60 * (budget - pages) / rate) if rate > 0 and not waits else None,
    }


def summary(path: Path) -> dict[str, Any]:
    """The status of a crawl, also of one that runs or was killed.

    Raises:
        InvalidRun: If ``path`` is not a run directory, or is damaged.
    """
    file = read_run_file(path)
    threshold = threshold_of(file.config.eta)
    outcomes: Counter[str] = Counter()
    left_alone: Counter[str] = Counter()
    chosen: Counter[str] = Counter()  # pages by rule
    causes: Counter[str] = Counter()  # of failures before the first page
    visits, relevant, total, last, clock = 0, 0, 0.0, None, None
    last_page: str | None = None
    pages_by_kind = _Pages()
    for row in read_visits(path):
        visits += 1
        count_outcome(outcomes, row)
        relevant += row.kept
        total += row.relevance
        last, clock = row.at, row.clock
        if row.outcome == Why.DEFERRED:
            left_alone[host(row.url)] += 1
        if row.outcome != PAGE and not outcomes[PAGE]:
            causes[f"{row.outcome}: {row.detail}" if row.detail else row.outcome] += 1
        if row.outcome == PAGE:
            last_page = row.at if row.clock is None else None  # virtual times say nothing about now
            if row.rule:
                chosen[row.rule] += 1
            threshold.add(row.relevance, is_seed=row.depth == 0)
            pages_by_kind.add(row)
    pages = outcomes.pop(PAGE, 0)
    check_length(path, file, visits=visits)
    calibration = file.eta_in_force(pages_by_kind.in_force(threshold.calibration()))
    scale = Scale(calibration.eta, pages_by_kind.ordinary)
    return {
        "strategy": file.config.strategy,
        "topic": file.config.topic,
        "web": file.config.web,
        "counts": {
            "visits": visits,
            "pages": pages,
            "relevant": relevant,
            **by_name(outcomes),
        },
        "max_pages": file.budget,
        "harvest_rate": relevant / pages if pages else 0.0,
        "average_relevance": total / pages if pages else 0.0,
        "calibration": calibration,
        "seeds": scale.of_median(pages_by_kind.seeds),
        "kept": scale.of_kept(median(pages_by_kind.kept)) if pages_by_kind.kept else None,
        **({"chosen_by": by_name(chosen)} if chosen else {}),
        **({} if pages else _why_no_page(causes)),
        "left_alone": dict(left_alone.most_common(_MOST_HOSTS)),
        "last_visit": last,
        **({} if clock is None else {"clock": clock}),
        "stop": file.stop,
        "running": _running(path, pages, file.budget, last_page),
        "rules": file.rules,
        "resume": _what_resume_does(path, file, pages),
    }


def _why_no_page(causes: Counter[str]) -> dict[str, str]:
    """The most frequent cause of a crawl that has no page.

    >>> _why_no_page(Counter({"robots: unreachable": 4, "gone: status 404": 1}))
    {'no_page': 'robots: unreachable (4 of 5 visits)'}
    """
    if not causes:
        return {}
    ((why, count),) = causes.most_common(1)
    return {"no_page": f"{why} ({count} of {causes.total()} visits)"}


def scale_of(path: Path) -> Scale:
    """The scale on which the relevance of pages of a run is read."""
    file = read_run_file(path)
    threshold, pages = threshold_of(file.config.eta), _Pages()
    for row in read_visits(path):
        if row.outcome == PAGE:
            threshold.add(row.relevance, is_seed=row.depth == 0)
            pages.add(row)
    return Scale(file.eta_in_force(pages.in_force(threshold.calibration())).eta, pages.ordinary)


class _Pages:
    """The relevance of the pages of a run: seeds, kept pages, and ordinary pages, which are neither."""

    def __init__(self) -> None:
        self.seeds, self.kept, self.ordinary = array("d"), array("d"), array("d")
        self._eta: float | None = None

    def in_force(self, recomputed: Calibration) -> Calibration:
        """A calibration of the pages as they were judged, with the logged threshold."""
        return recomputed if self._eta is None else replace(recomputed, eta=self._eta)

    def add(self, row: Row) -> None:
        self._eta = row.eta
        if row.depth == 0:
            self.seeds.append(row.relevance)
        if row.kept:
            self.kept.append(row.relevance)
        elif row.depth:
            self.ordinary.append(row.relevance)


def by_name(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts, sorted by name.

    >>> by_name({"timeout": 1, "gone": 2})
    {'gone': 2, 'timeout': 1}
    """
    return dict(sorted(counts.items()))


def _what_resume_does(path: Path, file: RunFile, pages: int) -> str:
    if not file.has_our_rules:
        return f"refused: the run was made by rules {file.rules}, not {RULES}; {file.release} can continue it"
    is_crawled = pages >= file.budget or file.stop == Stop.EXHAUSTED
    if is_crawled and (path / EXTRACTING).exists():
        return "continues with the texts of kept pages, of which some are not yet made by --text-extractor"
    if pages >= file.budget:
        return "nothing: the budget is spent (a larger --max-pages continues)"
    if file.stop == Stop.EXHAUSTED:
        return "nothing: no link is left to follow"
    return f"continues with page {pages + 1} of {file.budget}"
