"""The page of a comparison: results, their uncertainty, and all figures."""

from collections.abc import Mapping, Sequence
from html import escape

from fcwseo.comparison.measures import MEASURES, written
from fcwseo.comparison.report.curves import CURVES, Spot
from fcwseo.comparison.report.names import label, mark_notes, marked
from fcwseo.comparison.report.shell import facts, page, section, table
from fcwseo.comparison.report.svg import tag
from fcwseo.comparison.report.tables import (
    Times,
    best_of,
    caption,
    headline,
    interval,
    leader,
    table_csv,
    table_tex,
    versus_first,
)
from fcwseo.comparison.results import Results, Summary, VersusResult

_SHOWN = [name for name, measure in MEASURES.items() if measure.head and name != "harvest_area"]
_OF_RUNS = ("harvest_area", "recall", "average_relevance", "hosts")
_NOTES = {
    "harvest_rate": "Relevant pages so far / pages so far. The band is the 95 % interval of the mean.",
    "average_relevance": "Mean of the crawler's own relevance R(p) over all pages so far.",
    "sd": "Spread of R(p) over all pages so far; low and a high average go together in a focused crawl.",
    "recall": "Relevant pages so far / relevant pages of the web.",
}


def comparison_page(
    results: Results,
    times: Times,
    figures: Mapping[str, str],
    curves: Mapping[str, Mapping[str, Sequence[Spot]]],
) -> str:
    """The page as text. ``figures`` are pictures by name, ``curves`` their values."""
    numbers = {row.strategy: at for at, row in enumerate(results.summary)}
    sections = [
        _summary_section(results, times, numbers),
        *_differences_section(results, numbers),
        _chips(numbers),
        *(_curve_section(measure, figures) for measure in CURVES),
        section(
            "Who beats whom",
            f'<div class="scroll">{figures["who-beats-whom"]}</div>',
            note="Harvest area of the row / that of the column. Blue: the row is better. Bold with *: p < "
            "0.05 after Holm's correction. Hover for the difference, its interval and the effect size.",
            wide=len(numbers) > 7,
        ),
        *_clock_section(figures),
        *_time_section(figures),
        _host_section(figures),
        _runs_section(results),
        _method_section(results, times),
    ]
    return page(_title(results), _lead(results), sections, {"curves": _values(curves, numbers)})


def _title(results: Results) -> str:
    return f"{len(results.summary)} crawlers compared: {results.topic} on {results.web}"


def _lead(results: Results) -> str:
    warnings = "".join(f'<p class="warning">{escape(note)}</p>' for note in results.notes)
    relevant = sum(task.relevant for task in results.tasks)
    pages = sum(task.pages for task in results.tasks)
    numbers = [
        ("crawls", f"{len(results.runs):,}"),
        ("pages a crawl", f"{results.max_pages:,}"),
        ("seed sets", f"{sum(task.seed_sets for task in results.tasks):,}"),
        ("repeats", f"{results.repeats:,}"),
        ("pages of the web", f"{pages:,}"),
        ("relevant pages", f"{relevant:,}"),
    ]
    return (
        f'<div class="lead"><p class="headline">{escape(headline(results))}</p>'
        f'<p>{escape(caption(results))}</p><div class="facts">{facts(numbers)}</div>{warnings}</div>'
    )


def _summary_section(results: Results, times: Times, numbers: Mapping[str, int]) -> str:
    heads = (
        "Strategy",
        "Area",
        "",
        "95 % interval",
        *(MEASURES[name].head for name in _SHOWN),
        "p",
        "CPU s",
    )
    best = best_of(results.summary)
    top = max(row.ci95[1] if row.independent > 1 else row.harvest_area for row in results.summary)
    rows = [_summary_row(row, results, times, best, at, top) for at, row in enumerate(results.summary)]
    note = (
        "Sorted by harvest area, the mean harvest rate over the whole crawl. Bold: best of its column. "
        "p: against the best crawler, corrected over all pairs; one task is not tested."
    )
    note = " ".join([note, *mark_notes(row.strategy for row in results.summary)])
    return section("Summary", table(heads, rows), note=note, wide=True)


def _summary_row(
    row: Summary, results: Results, times: Times, best: set[tuple[int, str]], at: int, top: float
) -> list[str]:
    def cell(name: str) -> str:
        value = written(name, row.measures.get(name))
        return f'<span class="best">{value}</span>' if (at, name) in best else value

    spent = times.get(row.strategy)
    return [
        f'<span class="s{at}">{escape(marked(row.strategy))}</span>',
        cell("harvest_area"),
        _bar(row, at, top),
        interval(row),
        *map(cell, _SHOWN),
        escape(versus_first(row, leader(results))),
        f"{spent.cpu_seconds:.2f}" if spent else "-",
    ]


def _differences_section(results: Results, numbers: Mapping[str, int]) -> list[str]:
    """The best crawler against each of the others."""
    first = leader(results)
    rows = [
        [
            f'<span class="s{at}">{escape(marked(name))}</span>',
            *map(escape, _difference(first.versus[name])),
            escape(versus_first(results.summary[at], first)),
        ]
        for name, at in numbers.items()
        if name in first.versus
    ]
    if not rows:
        return []
    heads = ("Against", "Difference", "95 % interval", "Over", "Detectable", "Without one", "Won", "p")
    note = (
        f"Harvest area of {label(first.strategy)} less that of the other. Detectable: the smallest true "
        "difference that would have been significant in four of five cases. Without one: the lowest and the "
        "highest difference when a web (or a task of the only web) is left out."
    )
    return [section("How sure it is", table(heads, rows), note=note, wide=True)]


def _difference(versus: VersusResult) -> list[str]:
    low, high = versus.ci95
    tested = versus.p is not None
    without = sorted(versus.without.values())
    return [
        f"{versus.difference:+.3f}",
        f"[{low:+.3f}, {high:+.3f}]",
        versus.unit + "s" if tested else "one task: not tested",
        "-" if versus.detectable is None else f"{versus.detectable:.3f}",
        f"{without[0]:+.3f} to {without[-1]:+.3f}" if without else "-",
        f"{versus.wins:.0%}",
    ]


def _bar(row: Summary, number: int, top: float) -> str:
    """The harvest area as a bar, its interval as a line on it."""
    scale = 120 / (top or 1.0)
    low, high = (value * scale for value in row.ci95)
    line = tag("line", x1=low, x2=high, y1=7, y2=7) if row.independent > 1 else ""
    return tag(
        "svg",
        tag("rect", x=0, y=2, width=120, height=10, rx=2, class_="track"),
        tag("rect", x=0, y=2, width=row.harvest_area * scale, height=10, rx=2),
        line,
        viewBox="0 0 120 14",
        width=120,
        height=14,
        aria_hidden="true",
        class_=f"bar s{number}",
    )


def _chips(numbers: Mapping[str, int]) -> str:
    chips = "".join(
        f'<button type="button" class="s{number}" data-number="{number}" aria-pressed="true">'
        f"{escape(label(name))}</button>"
        for name, number in numbers.items()
    )
    return f'<div class="chips" role="group" aria-label="Strategies shown in the figures">{chips}</div>'


def _curve_section(measure: str, figures: Mapping[str, str]) -> str:
    drawn = f'<div data-measure="{measure}">{figures[measure.replace("_", "-")]}</div>'
    return section(f"{CURVES[measure]} against pages", drawn, note=_NOTES[measure])


def _clock_section(figures: Mapping[str, str]) -> list[str]:
    if "clock" not in figures:
        return []
    note = (
        "Mean relevant pages of the rehearsed crawls over the seconds of their virtual clock, with the 95 % "
        "interval. A crawl that has ended keeps its finds."
    )
    return [section("Harvest against virtual time", figures["clock"], note=note)]


def _time_section(figures: Mapping[str, str]) -> list[str]:
    if "time" not in figures:
        return []
    note = (
        "Mean processor time of a crawl, on a logarithmic scale, against harvest area with its interval. "
        "A page is tokenised once for all crawls, at its first visit."
    )
    return [section("Time against harvest", figures["time"], note=note)]


def _host_section(figures: Mapping[str, str]) -> str:
    if "hosts" not in figures:
        return section("Hosts", note="All pages of this web are on one host.")
    note = "Relevant pages / pages, mean of the runs, on the hosts with the most relevant pages found."
    return section(
        "Where it was found", f'<div class="scroll">{figures["hosts"]}</div>', note=note, wide=True
    )


def _runs_section(results: Results) -> str:
    rows = [
        [
            escape(marked(run.strategy)),
            escape(run.task),
            str(run.seed_set),
            str(run.repeat),
            f"{run.pages:,}",
            f"{run.relevant:,}",
            *(written(name, run.measures.get(name)) for name in _OF_RUNS),
            f"{run.seconds:.2f}",
        ]
        for run in results.runs
    ]
    heads = (
        "Strategy",
        "Task",
        "Seed set",
        "Repeat",
        "Pages",
        "Relevant",
        *(MEASURES[name].head for name in _OF_RUNS),
        "Seconds",
    )
    inside = f"<details><summary>All {len(rows):,} crawls</summary>{table(heads, rows)}</details>"
    return section("Single crawls", inside, wide=True)


def _method_section(results: Results, times: Times) -> str:
    tasks = "".join(
        f"<dt>{escape(task.name)}</dt><dd>{escape(task.topic)} on {escape(task.web)}: {task.relevant:,} of "
        f"{task.pages:,} pages are relevant, judged by {task.judge} "
        f"({escape(', '.join(task.judged_by))})</dd>"
        for task in results.tasks
    )
    method = (
        "<dt>budget</dt><dd>counts pages, seeds included; a crawl that ends early keeps its count</dd>"
        "<dt>intervals</dt><dd>95 %, by Student's t over webs, or over the tasks if there is one web; means "
        "over repeats, seed sets and tasks come first. Of a single task: over its seed sets, which says "
        "nothing of other tasks</dd>"
        "<dt>p</dt><dd>paired by task, seed set and repeat; Holm's correction over all pairs; one task is "
        "not tested</dd>"
        f"<dt>seed</dt><dd>{results.seed}, and one more for each repeat</dd>"
        "<dt>AS, AE, Info</dt><dd>mean R(p) of the relevant pages; mean distance of R(p) from what was "
        "predicted; sum of R(p)</dd>"
        "<dt>target recall</dt><dd>relevant pages found / the largest number within the budget</dd>"
    )
    tex, rows = escape(table_tex(results, times)), escape(table_csv(results, times))
    copies = "".join(
        f'<details><summary>{name}</summary><p><button type="button" class="copy" data-of="{name}">Copy'
        f'</button></p><pre id="{name}">{text}</pre></details>'
        for name, text in (("LaTeX", tex), ("CSV", rows))
    )
    return section("Method, and the table for a paper", f"<dl>{tasks}{method}</dl>", copies, wide=True)


def _values(
    curves: Mapping[str, Mapping[str, Sequence[Spot]]], numbers: Mapping[str, int]
) -> dict[str, list[dict[str, object]]]:
    """The data for the tooltips of the script."""
    return {
        measure: [
            {"name": label(name), "number": numbers[name], "spots": [list(spot) for spot in spots]}
            for name, spots in lines.items()
        ]
        for measure, lines in curves.items()
    }
