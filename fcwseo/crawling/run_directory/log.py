"""``visits.jsonl``, the log of a crawl: a line for each visit."""

from collections.abc import Iterator, MutableMapping
from pathlib import Path

import msgspec
from msgspec import Struct

from fcwseo.crawling.engine import SEEDS, LoggedVisit
from fcwseo.errors import InvalidRun
from fcwseo.files import EndlessLine, whole_lines
from fcwseo.pages import Failure, Page, Requested, Visit, Why
from fcwseo.pages.values import requested
from fcwseo.webs.warc.ranges import ByteRange

NAME = "visits.jsonl"
PAGE = "page"  # the outcome of a visit with a page
DAMAGED = "the log is damaged ('fcwseo repair' saves the rest)"
_OUTCOMES = frozenset((PAGE, *Why))


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
    took: tuple[str, ...] | None = None  # links that the strategy returned since the visit before
    asked: tuple[int, ...] | None = None  # numbers of links that it was asked for, if it has no ``take``
    warc: ByteRange | None = None
    eta: float | None = None  # the threshold in force; None in logs of fcwseo 0.1
    clock: float | None = None  # virtual seconds, of a rehearsed crawl
    rule: str = ""  # why the strategy chose the link
    seat: tuple[int, int] | None = None  # the place of its host by value, and the number of served hosts
    retry: str = ""  # the outcome before, if the link failed and was asked again

    @property
    def requested(self) -> Requested | None:
        """The links requested from the strategy before the visit, if they depended on timing."""
        return requested(self.asked, self.took)

    @property
    def failure(self) -> Failure:
        """The failure of the visit."""
        return Failure(self.url, Why(self.outcome), self.detail)


def row_of(visit: Visit, warc: ByteRange | None, *, kept: bool, at: str, clock: float | None = None) -> Row:
    """The line of a visit.

    Args:
        visit: The visit.
        warc: Where its page is archived.
        kept: Whether its page is kept.
        at: The time as text.
        clock: The virtual seconds of a rehearsed crawl.
    """
    outcome, link = visit.outcome, visit.link
    page = outcome if isinstance(outcome, Page) else None
    return Row(
        step=visit.step,
        url=link.target,
        final_url=page.url if page else None,
        parent=None if link.source == SEEDS else link.source,
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
        at=at,
        took=visit.requested and visit.requested.took,
        asked=visit.requested and visit.requested.counts,
        warc=warc,
        eta=visit.eta,
        clock=clock,
        rule=link.rule,
        seat=link.seat,
        retry="" if visit.retry is None else str(visit.retry),
    )


def logged(budget: int, row: Row, outcome: Page | Failure) -> LoggedVisit:
    """A line as a replay takes it, with the budget at that time and the outcome."""
    return LoggedVisit(budget, row.url, outcome, row.requested, bool(row.retry), row.rule, row.seat)


def count_outcome(counts: MutableMapping[str, int], row: Row) -> None:
    """Count a visit by its outcome. A link that was asked again counts by its last outcome only."""
    counts[row.outcome] = counts.get(row.outcome, 0) + 1
    if row.retry:
        counts[row.retry] -= 1
        if not counts[row.retry]:
            del counts[row.retry]


def read_visits(path: Path) -> Iterator[Row]:
    """The visits of a run directory, also while the crawl runs; an incomplete last line is skipped.

    Raises:
        InvalidRun: If the log is damaged.
    """
    decoder = msgspec.json.Decoder(Row)
    file = path / NAME
    number = 0
    try:
        with file.open("rb") as lines:
            for number, text in enumerate(whole_lines(lines), start=1):
                yield decoded(decoder, text, number, file)
    except FileNotFoundError:
        return
    except EndlessLine as error:
        raise InvalidRun(f"{file}, line {number + 1} is not a visit ({error}): {DAMAGED}") from error


def visits_in(path: Path) -> int:
    """Number of complete lines in the log of a run directory."""
    log = path / NAME
    if not log.exists():
        return 0
    with log.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def another_page(path: Path, row: Row) -> InvalidRun:
    """The error about a page that differs from the log."""
    return InvalidRun(
        f"{row.url} is not the page that {path} visited: "
        "the web has changed since, or this version of fcwseo parses it differently"
    )


def decoded(decoder: msgspec.json.Decoder[Row], text: bytes, number: int, file: Path) -> Row:
    """The visit in a line of the log.

    Raises:
        InvalidRun: If the line is damaged.
    """
    try:
        row = decoder.decode(text)
    except (ValueError, RecursionError) as error:  # ValueError: also bytes that are not UTF-8
        raise InvalidRun(f"{file}, line {number} is not a visit ({error}): {DAMAGED}") from error
    if row.step != number:
        raise InvalidRun(f"{file}, line {number} is visit {row.step}: {DAMAGED}")
    if row.outcome not in _OUTCOMES:
        raise InvalidRun(f"{file}, line {number} has an unknown outcome {row.outcome!r}: {DAMAGED}")
    return row
