"""The page of one crawl: its progress, hosts, pages, and the quality of its predictions."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from fcwseo.comparison.judged import page_url
from fcwseo.comparison.report.curves import Spot, draw_curves
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
from fcwseo.crawling.run_directory.log import PAGE, Row, read_visits
from fcwseo.crawling.run_directory.run_file import RunFile, check_length, read_run_file
from fcwseo.files import atomically
from fcwseo.pages.urls import host

_TOP, _HOSTS = 25, 12


def report_run(run: Path, out: Path | None = None) -> Path:
    """Write the report of a run, also while the crawl runs: to ``out``, or ``report.html`` in the run
    directory. Returns its path.
    """
    out = out or run / "report.html"
    file = read_run_file(run)
    rows = list(read_visits(run))
    check_length(run, file, visits=len(rows))
    atomically(out, run_page(file, rows, _titles(run)).encode("utf-8", "replace"))
    return out


def run_page(file: RunFile, rows: Sequence[Row], titles: dict[str, str]) -> str:
    """The page as text."""
    config, pages = file.config, [row for row in rows if row.outcome == PAGE]
    title = f"{config.strategy} crawls {config.web} for {config.topic}"
    found = _curves(pages) if pages else {}
    sections = [
        *(_curve_section(name, spots) for name, spots in found.items()),
        *_clock_section(pages),
        *_prediction_section(pages),
        _host_section(pages),
        _top_section(pages, titles),
        _outcome_section(rows),
    ]
    data = {
        name: [
            {"name": label, "number": at, "spots": [list(spot) for spot in spots]}
            for at, (label, spots) in enumerate(lines.items())
        ]
        for name, lines in found.items()
    }
    return page(title, _lead(file, pages), sections, {"curves": data})


def _eta(file: RunFile) -> str:
    found = file.calibration.eta if file.calibration else file.config.eta
    return "running threshold" if found is None else f"{found:.3g}"


def _lead(file: RunFile, pages: Sequence[Row]) -> str:
    kept = [int(row.kept) for row in pages]
    relevance = [row.relevance for row in pages]
    budget = file.budgets[-1][1]
    numbers = [
        ("pages", f"{len(pages):,} of {budget:,}"),
        (f"kept (relevance from {_eta(file)})", f"{sum(kept):,}"),
        ("harvest rate", f"{harvest_rate(kept):.3f}"),
        ("harvest area", f"{harvest_area(kept, budget=max(1, len(pages))):.3f}"),
        ("average relevance", f"{average_relevance(relevance):.3f}"),
        ("standard deviation", f"{standard_deviation(relevance):.3f}"),
        ("hosts", f"{len({host(page_url(row)) for row in pages}):,}"),
    ]
    if pages and pages[-1].clock is not None:
        numbers.append(("virtual seconds", f"{pages[-1].clock:,.1f}"))
    stop = f"It stopped: {file.stop}." if file.stop else "It has not stopped."
    return (
        f'<div class="lead"><p>{escape(stop)} Begun {escape(file.started)}, seed {file.config.seed}, width '
        f"{file.config.width}. A page counts as relevant here when the crawler itself says so: to compare "
        f'crawlers, let labels or a held-out topic judge.</p><div class="facts">{facts(numbers)}</div></div>'
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
    titles = {"harvest": "Harvest rate", "relevance": "Relevance of the pages"}
    numbers = {label: at for at, label in enumerate(lines)}
    drawn = draw_curves(lines, titles[name], numbers=numbers)
    return section(titles[name], f'<div data-measure="{name}">{drawn}</div>')


def _clock_section(pages: Sequence[Row]) -> list[str]:
    """Relevant pages over the virtual seconds of a rehearsed crawl."""
    times = [row.clock for row in pages if row.clock is not None]
    if not times:
        return []
    found = np.cumsum([row.kept for row in pages])
    spots = [
        Spot(0.0, 0.0, None, None),
        *(Spot(times[n - 1], float(found[n - 1]), None, None) for n in checkpoints(len(times))),
    ]
    drawn = draw_curves({"found": spots}, "Relevant pages", numbers={"found": 0}, across="virtual seconds")
    note = "The clock of a rehearsed crawl: pauses and response times, without the time of this machine."
    return [section("Harvest against virtual time", drawn, note=note)]


def _prediction_section(pages: Sequence[Row]) -> list[str]:
    pairs = [(row.predicted, row.relevance) for row in pages if row.predicted is not None]
    error = absolute_error([row.relevance for row in pages], [row.predicted for row in pages])
    if error is None:
        return [section("Predictions", note="This strategy does not predict the relevance of pages.")]
    bias = sum(guess - value for guess, value in pairs) / len(pairs)
    note = (
        f"What was predicted of a page before it was fetched, and what it turned out to be: {len(pairs):,} "
        f"pages, mean absolute error (AE) {error:.3f}, mean error {bias:+.3f}. Rings: means of tenths."
    )
    return [section("Predictions", draw_predictions(pairs), note=note)]


def _host_section(pages: Sequence[Row]) -> str:
    seen = Counter(host(page_url(row)) for row in pages)
    kept = Counter(host(page_url(row)) for row in pages if row.kept)
    order = sorted(seen, key=lambda where: (-kept[where], -seen[where], where))[:_HOSTS]
    rows = [
        [escape(where), f"{seen[where]:,}", f"{kept[where]:,}", f"{kept[where] / seen[where]:.3f}"]
        for where in order
    ]
    note = f"{len(seen):,} hosts; those with most relevant pages first." if len(seen) > len(rows) else ""
    return section("Hosts", table(("Host", "Pages", "Relevant", "Share"), rows), note=note)


def _top_section(pages: Sequence[Row], titles: dict[str, str]) -> str:
    best = sorted(pages, key=lambda row: (-row.relevance, row.step))[:_TOP]
    rows = [
        [
            f"{escape(titles.get(page_url(row)) or 'untitled')}<small>{_address(page_url(row))}</small>",
            f"{row.relevance:.3f}",
            "-" if row.predicted is None else f"{row.predicted:.3f}",
            f"{row.depth}",
            f"{row.step:,}",
        ]
        for row in best
    ]
    return section(
        "Most relevant pages",
        table(("Page", "Relevance", "Predicted", "Depth", "Visit"), rows, kind="pages"),
        wide=True,
    )


def _address(url: str) -> str:
    """A URL as an HTML link, if it is an http URL."""
    shown = escape(url)
    is_web = url.startswith(("http://", "https://"))
    return f'<a href="{shown}" rel="noreferrer">{shown}</a>' if is_web else shown


def _outcome_section(rows: Sequence[Row]) -> str:
    outcomes = Counter(row.outcome for row in rows)
    cells = [
        [escape(name), f"{count:,}"] for name, count in sorted(outcomes.items(), key=lambda entry: -entry[1])
    ]
    return section("Outcomes of the links", table(("Outcome", "Links"), cells))


def _titles(run: Path) -> dict[str, str]:
    """The titles of the kept pages; unreadable records are skipped."""
    file = run / "pages.jsonl"
    titles: dict[str, str] = {}
    for line in file.read_bytes().splitlines() if file.exists() else ():
        try:
            page: dict[str, Any] = msgspec.json.decode(line)
            titles[str(page["final_url"])] = str(page["title"])
        except (ValueError, RecursionError, KeyError, TypeError):
            continue
    return titles
