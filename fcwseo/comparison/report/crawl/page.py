"""The page of one crawl, put together: progress, choices, concepts, hosts, pages, predictions and records."""

import shlex
from collections.abc import Sequence
from html import escape
from pathlib import Path

import numpy as np

from fcwseo.comparison.report.crawl.cards import settings_section, topic_section
from fcwseo.comparison.report.crawl.choices import rule_section, seat_section
from fcwseo.comparison.report.crawl.coverage import coverage_section
from fcwseo.comparison.report.crawl.hosts import by_host, host_section, pace_section, shown_hosts
from fcwseo.comparison.report.crawl.left import left_section, outcome_section
from fcwseo.comparison.report.crawl.objectives import objective_sections
from fcwseo.comparison.report.crawl.reading import Crawl, page_url, read_kept, read_lines, seconds, where
from fcwseo.comparison.report.crawl.records import Records, address, moment
from fcwseo.comparison.report.curves import Spot, draw_curves
from fcwseo.comparison.report.marks import plain
from fcwseo.comparison.report.scatter import draw_predictions
from fcwseo.comparison.report.shell import facts, page, section, table
from fcwseo.crawling.metrics import (
    absolute_error,
    average_relevance,
    checkpoints,
    harvest_area,
    harvest_rate,
    standard_deviation,
)
from fcwseo.crawling.run_directory.log import Row
from fcwseo.crawling.run_directory.run_file import RunFile, check_length, read_run_file
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.errors import InvalidRun
from fcwseo.files import atomically
from fcwseo_ontology.topic import Topic

_TOP = 25


def report_run(run: Path, out: Path | None = None) -> Path:
    """Write the report of a run, also while the crawl runs: to ``out``, or ``report.html`` in the run
    directory. Returns its path.
    """
    out = out or run / "report.html"
    file = read_run_file(run)
    rows = read_lines(run)
    check_length(run, file, visits=len(rows))
    crawl = Crawl(rows, read_kept(run), _topic(run), f"fcwseo explain {shlex.quote(str(run))}")
    atomically(out, run_page(file, crawl).encode("utf-8", "replace"))
    return out


def _topic(run: Path) -> Topic | None:
    try:
        return read_topic(run)
    except InvalidRun:
        return None


def run_page(file: RunFile, crawl: Crawl) -> str:
    """The page as text."""
    pages, times = crawl.pages, seconds(crawl.rows)
    hosts = by_host(crawl.rows, times)
    records = Records(crawl, frozenset(shown_hosts(hosts)))
    found = _curves(pages) if pages else {}
    concepts = coverage_section(crawl, records)  # first: it says which concepts have a row
    sections = [
        *(_curve_section(name, spots) for name, spots in found.items()),
        concepts,
        rule_section(crawl),
        seat_section(crawl),
        *objective_sections(crawl),
        *_prediction_section(pages),
        _clock_section(pages),
        pace_section(crawl, times),
        host_section(crawl, hosts, records),
        _top_section(crawl, pages, records),
        left_section(crawl),
        outcome_section(crawl),
        topic_section(crawl, records),
        settings_section(file),
        records.section(),
    ]
    config = file.config
    data = {
        name: [
            {"name": label, "number": at, "spots": [list(spot) for spot in spots]}
            for at, (label, spots) in enumerate(lines.items())
        ]
        for name, lines in found.items()
    }
    title = f"{config.strategy} crawls {config.web} for {config.topic}"
    return page(title, _lead(file, crawl, pages), [part for part in sections if part], {"curves": data})


def _eta(file: RunFile) -> str:
    found = file.calibration.eta if file.calibration else file.config.eta
    if found is None:
        return "running threshold"
    return f"{found:.3g} at the end" if file.config.eta is None else f"{found:.3g}"


def _lead(file: RunFile, crawl: Crawl, pages: Sequence[Row]) -> str:
    kept = [int(row.kept) for row in pages]
    relevance = [row.relevance for row in pages]
    numbers = [
        ("pages", f"{len(pages):,} of {file.budget:,}"),
        (f"kept (relevance from {_eta(file)})", f"{sum(kept):,}"),
        ("harvest rate", f"{harvest_rate(kept):.3f}"),
        ("harvest area", f"{harvest_area(kept, budget=max(1, len(pages))):.3f}"),
        ("average relevance", f"{average_relevance(relevance):.3f}"),
        ("standard deviation", f"{standard_deviation(relevance):.3f}"),
        ("hosts", f"{len({where(row) for row in pages}):,}"),
    ]
    if pages and pages[-1].clock is not None:
        numbers.append(("virtual seconds", f"{pages[-1].clock:,.1f}"))
    stop = f"It stopped because of {file.stop}." if file.stop else "It has not stopped."
    return (
        f'<div class="lead"><p>Begun {escape(moment(file.started))}. {escape(stop)} A page counts as '
        "relevant here when the crawler itself says so: to compare crawlers, let labels or a held-out topic "
        "judge."
        f'</p><div class="facts">{facts(numbers)}</div></div>'
    )


def _curves(pages: Sequence[Row]) -> dict[str, dict[str, list[Spot]]]:
    """Harvest rate, overall and recent, and the relevance of the pages."""
    kept, relevance = [int(row.kept) for row in pages], [row.relevance for row in pages]
    at = checkpoints(len(pages))
    late = max(10, len(pages) // 20)
    return {
        "harvest": {
            "so far": [Spot(n, harvest_rate(kept[:n]), None, None) for n in at],
            f"last {late}": [Spot(n, harvest_rate(kept[max(0, n - late) : n]), None, None) for n in at],
        },
        "relevance": {
            "average": [Spot(n, average_relevance(relevance[:n]), None, None) for n in at],
            "deviation": [Spot(n, standard_deviation(relevance[:n]), None, None) for n in at],
        },
    }


def _curve_section(name: str, lines: dict[str, list[Spot]]) -> str:
    title, axis = {
        "harvest": ("Harvest rate", "Kept pages / pages"),
        "relevance": ("Relevance of the pages", "Relevance R(p)"),
    }[name]
    drawn = draw_curves(lines, axis, marks=plain(lines))
    return section(title, f'<div class="plot" data-measure="{name}">{drawn}</div>')


def _clock_section(pages: Sequence[Row]) -> str:
    """Relevant pages over the virtual seconds of a rehearsed crawl."""
    times = [row.clock for row in pages if row.clock is not None]
    if not times:
        return ""
    found = np.cumsum([row.kept for row in pages])
    spots = [
        Spot(0.0, 0.0, None, None),
        *(Spot(times[n - 1], float(found[n - 1]), None, None) for n in checkpoints(len(times))),
    ]
    drawn = draw_curves({"found": spots}, "Kept pages", marks=plain(["found"]), across="virtual seconds")
    note = "The clock of a rehearsed crawl: pauses and response times, without the time of this machine."
    return section("Harvest against virtual time", f'<div class="plot">{drawn}</div>', note=note)


def _prediction_section(pages: Sequence[Row]) -> list[str]:
    pairs = [(row.predicted, row.relevance) for row in pages if row.predicted is not None]
    error = absolute_error([row.relevance for row in pages], [row.predicted for row in pages])
    if error is None:
        return [section("Predictions", note="This strategy does not predict the relevance of pages.")]
    bias = sum(guess - value for guess, value in pairs) / len(pairs)
    note = (
        f"Relevance predicted of a page before it was fetched, and its relevance: {len(pairs):,} pages, mean "
        f"absolute error {error:.3f}, mean error {bias:+.3f}. Rings: means of tenths. Line: prediction and "
        "relevance are the same."
    )
    return [section("Predictions", f'<div class="plot">{draw_predictions(pairs)}</div>', note=note)]


def _top_section(crawl: Crawl, pages: Sequence[Row], records: Records) -> str:
    best = sorted(pages, key=lambda row: (-row.relevance, row.step))[:_TOP]
    rows = [
        [
            f"{records.link(row, crawl.title(row))}<small>{address(page_url(row))}</small>",
            records.host(where(row)),
            f"{row.relevance:.3f}",
            "-" if row.predicted is None else f"{row.predicted:.3f}",
            f"{row.depth}",
            f"{row.step:,}",
        ]
        for row in best
    ]
    return section(
        "Most relevant pages",
        table(("Page", "Host", "Relevance", "Predicted", "Depth", "Visit"), rows, kind="pages"),
        wide=True,
    )
