"""Writes the report of a comparison beside ``results.json``: tables, figures, and one page with
everything.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from fcwseo.comparison.report.curves import CURVES, Spot, clock_curves, curves, draw_curves, draw_time
from fcwseo.comparison.report.grids import draw_hosts, draw_matrix
from fcwseo.comparison.report.page import comparison_page
from fcwseo.comparison.report.tables import Spent, table_csv, table_md, table_tex
from fcwseo.comparison.results import Results, encode_results, read_results
from fcwseo.comparison.statistics import Estimate
from fcwseo.errors import InvalidRun
from fcwseo.files import atomically, io_error


def write_comparison(results: Results, times: Mapping[str, Spent], out: Path) -> Path:
    """Write everything; return the path of the page."""
    found = {measure: curves(results, measure) for measure in CURVES}
    figures = draw_figures(results, times, found)
    try:
        (out / "figures").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise io_error(out, error) from error
    for name, figure in figures.items():
        atomically(out / "figures" / f"{name}.svg", f"{figure}\n".encode())
    atomically(out / "table.md", table_md(results, times).encode())
    atomically(out / "table.csv", table_csv(results, times).encode())
    atomically(out / "table.tex", table_tex(results, times).encode())
    atomically(out / "times.json", _pretty(times))
    atomically(out / "results.json", encode_results(results))
    atomically(
        out / "report.html", comparison_page(results, times, figures, found).encode("utf-8", "replace")
    )
    return out / "report.html"


def report_comparison(out: Path) -> Path:
    """Write the tables, figures and the page of a comparison again, from its results."""
    results = read_results(out)
    file = out / "times.json"
    try:
        times = msgspec.json.decode(file.read_bytes(), type=dict[str, Spent]) if file.exists() else {}
    except (ValueError, RecursionError) as error:
        raise InvalidRun(f"{file} cannot be read ({error}): delete it to omit times") from error
    return write_comparison(results, times, out)


def draw_figures(
    results: Results, times: Mapping[str, Spent], found: Mapping[str, Mapping[str, list[Spot]]]
) -> dict[str, str]:
    """All pictures by name."""
    numbers = {row.strategy: at for at, row in enumerate(results.summary)}
    names = list(numbers)
    figures = {
        measure.replace("_", "-"): draw_curves(found[measure], title, numbers=numbers)
        for measure, title in CURVES.items()
    }
    if over_time := clock_curves(results):
        figures["clock"] = draw_curves(over_time, "Relevant pages", numbers=numbers, across="virtual seconds")
    figures["who-beats-whom"] = draw_matrix(results.summary)
    if all(name in times for name in names):
        areas = {
            row.strategy: Estimate(row.harvest_area, *row.ci95, p=1.0, n=row.independent)
            for row in results.summary
        }
        seconds = {name: times[name].cpu_seconds for name in names}
        figures["time"] = draw_time(areas, seconds, numbers=numbers)
    if len(results.hosts[names[0]]) > 1:
        runs = {row.strategy: row.runs for row in results.summary}
        figures["hosts"] = draw_hosts(results.hosts, names, runs=runs)
    return figures


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
