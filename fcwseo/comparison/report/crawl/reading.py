"""What the page of a crawl is made of: the log and the kept pages, each read once, line by line."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from fcwseo.crawling.run_directory.kept import NAME as KEPT
from fcwseo.crawling.run_directory.log import PAGE, Row, read_visits
from fcwseo.files import EndlessLine, whole_lines
from fcwseo.pages.urls import host
from fcwseo_ontology.topic import Topic

T = TypeVar("T")

BINS = 24  # parts of a crawl in the small pictures
LONG_PAUSE = 600.0  # seconds without a visit, from which a crawl counts as interrupted


class KeptPage(Struct, frozen=True, gc=False):
    """The fields of a kept page that the report shows."""

    url: str
    title: str = ""
    lang: str | None = None
    date: str | None = None
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Crawl:
    """A crawl as the page shows it.

    Attributes:
        rows: The visits, in their order.
        kept: The kept pages, by the URL that was followed.
        topic: The topic with its ontology; None if the run directory has lost it.
        command: The beginning of the command that explains a link of this run.
    """

    rows: Sequence[Row]
    kept: dict[str, KeptPage]
    topic: Topic | None
    command: str

    @property
    def pages(self) -> list[Row]:
        """The visits with a page."""
        return [row for row in self.rows if row.outcome == PAGE]

    def title(self, row: Row) -> str:
        """The title of a page; its URL if it has none, or was not kept."""
        kept = self.kept.get(row.url)
        return (kept.title if kept else "") or page_url(row)


def read_lines(run: Path) -> list[Row]:
    """The visits of a run directory."""
    return list(read_visits(run))


def read_kept(run: Path) -> dict[str, KeptPage]:
    """The kept pages by the URL that was followed; records that cannot be read are left out."""
    return {page.url: page for page in _kept(run / KEPT)}


def _kept(file: Path) -> Iterator[KeptPage]:
    decoder = msgspec.json.Decoder(KeptPage)
    if not file.exists():
        return
    with suppress(EndlessLine), file.open("rb") as lines:
        for line in whole_lines(lines):
            try:
                yield decoder.decode(line)
            except (ValueError, RecursionError):
                continue


def page_url(row: Row) -> str:
    """The URL of a page, after redirects."""
    return row.final_url or row.url


def where(row: Row) -> str:
    """The host of a visit.

    For a page it is the host of the page, which may differ from that of the link.
    """
    return host(page_url(row))


def seconds(rows: Sequence[Row]) -> list[float]:
    """The seconds of each visit since the first one, by the virtual clock of a rehearsal if there is one.

    Of real time, long pauses between two visits are left out: the crawl was not running then.
    The log of a crawl without any time has the numbers of the visits instead.
    """
    clock = [row.clock for row in rows if row.clock is not None]
    if clock and len(clock) == len(rows):
        return [value - clock[0] for value in clock]
    try:
        times = [datetime.fromisoformat(row.at).timestamp() for row in rows]
    except ValueError:
        return [float(row.step) for row in rows]
    steps = (after - before for before, after in pairwise(times))
    passed = accumulate((step if 0 < step <= LONG_PAUSE else 0.0 for step in steps), initial=0.0)
    return list(passed) if rows else []


def sample(values: Sequence[T], most: int) -> Sequence[T]:
    """At most so many values, evenly spaced.

    >>> sample([1, 2, 3, 4, 5, 6], 3), sample([1, 2], 3)
    ([1, 3, 5], [1, 2])
    """
    return values if len(values) <= most else [values[i * len(values) // most] for i in range(most)]


def sort_of(row: Row) -> str:
    """Whether a visit gave a kept page, a page left out, or none.

    The three parts of every bar of the page.
    """
    if row.outcome != PAGE:
        return "none"
    return "kept" if row.kept else "left"
