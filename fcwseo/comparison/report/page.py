"""The page of a comparison: results, their uncertainty, and all figures."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from fcwseo.comparison.measures import MEASURES, written
from fcwseo.comparison.report.curves import CURVES, MOST_TASKS, Spot
from fcwseo.comparison.report.marks import Marks, marks_of
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
_ALWAYS = ("Strategy", "Against", "Area", "", "Over", "HR", "Difference")  # columns that are never left out
_OF_RUNS = ("harvest_area", "recall", "average_relevance", "hosts")
_NOTES = {
    "harvest_rate": "Relevant pages so far / pages so far. Band: 95 % interval of the mean, from five seed "
    "sets, tasks or webs on; with fewer, each single run is a thin line. Grey and dashed: upper and lower "
    "bound.",
    "average_relevance": "Mean of the crawler's own relevance R(p) over all pages so far.",
    "sd": "Spread of R(p) over all pages so far; in a focused crawl it is low while the average is high.",
    "recall": "Relevant pages so far / relevant pages of the web.",
}


def comparison_page(
    results: Results,
    times: Times,
    figures: Mapping[str, str],
    curves: Mapping[str, Mapping[str, Sequence[Spot]]],
) -> str:
    """The page as text. ``figures`` are pictures by name, ``curves`` their values."""
    marks = marks_of(results)
    sections = [
        _summary_section(results, times, marks),
        *_differences_section(results, marks),
        _chips(marks),
        *(_curve_section(measure, figures) for measure in CURVES),
        *_multiples_section(results, figures),
        section(
            "Who beats whom",
            f'<div class="scroll">{figures["who-beats-whom"]}</div>',
            note="Harvest area of the row / that of the column. Blue: the row is better. Bold with *: p < "
            "0.05 after Holm's correction. Hover for the difference, its interval and the effect size. With "
            "many strategies a cell has no number: the stronger its colour, the larger the difference.",
            wide=len(marks.numbers) > 7,
        ),
        *_clock_section(figures),
        *_time_section(figures),
        _host_section(figures, marks),
        _runs_section(results),
        _method_section(results, times),
    ]
    return page(_title(results), _lead(results), sections, {"curves": _values(curves, marks)})


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


def _summary_section(results: Results, times: Times, marks: Marks) -> str:
    best = best_of(results.summary)
    top = max(row.ci95[1] if row.independent > 1 else row.harvest_area for row in results.summary)
    columns: dict[str, list[str]] = {
        "Strategy": [_name(row.strategy, marks) for row in results.summary],
        "Area": _column("harvest_area", results, best),
        "": [_bar(row, marks, top) for row in results.summary],
        "95 % interval": list(map(interval, results.summary)),
        **{MEASURES[name].head: _column(name, results, best) for name in _SHOWN},
        "p": [escape(versus_first(row, leader(results))) for row in results.summary],
        "CPU s": [_cpu(row, times) for row in results.summary],
    }
    silent = silent_columns(columns)
    shown = {head: cells for head, cells in columns.items() if head not in silent}
    rows = [list(cells) for cells in zip(*shown.values(), strict=True)]
    note = "Sorted by harvest area, the mean harvest rate over the whole crawl. Bold: best of its column."
    note += f" Left out, as they say nothing here: {', '.join(silent)}." if silent else ""
    note = " ".join([note, *mark_notes(row.strategy for row in results.summary)])
    return section("Summary", _key_of(shown), table(tuple(shown), rows, kind="strips"), note=note, wide=True)


def silent_columns(columns: Mapping[str, Sequence[str]]) -> list[str]:
    """The heads of columns that are empty, have one value in all rows, or repeat the harvest rate.

    >>> columns = {"HR": ["0.5", "0.4"], "Target recall": ["0.5", "0.4"], "p": ["-", "1.000"]}
    >>> silent_columns(columns | {"AR": ["1", "2"], "Hosts": ["1", "1"]})
    ['Target recall', 'p', 'Hosts']
    """
    rate = list(map(_bare, columns.get(MEASURES["harvest_rate"].head, ())))
    bare = {head: list(map(_bare, cells)) for head, cells in columns.items() if head not in _ALWAYS}
    return [
        head
        for head, cells in bare.items()
        if set(cells) <= ({"-", "1.000"} if head == "p" else {"-"})
        or (head != "p" and len(cells) > 1 and len(set(cells)) == 1)
        or (head == MEASURES["target_recall"].head and cells == rate)
    ]


def _bare(cell: str) -> str:
    return cell.removeprefix('<span class="best">').removesuffix("</span>")


def _key_of(shown: Iterable[str]) -> str:
    """What the heads of the columns mean."""
    meanings = {measure.head: measure.meaning for measure in MEASURES.values() if measure.head}
    meanings |= {
        "Area": MEASURES["harvest_area"].meaning,
        "p": "that the difference to the best crawler is random; corrected over all pairs",
        "CPU s": "processor seconds of a crawl",
        "95 % interval": "of the area, by Student's t",
    }
    entries = "".join(
        f"<div><dt>{escape(head)}</dt><dd>{escape(meanings[head])}</dd></div>"
        for head in shown
        if head in meanings
    )
    return f'<dl class="heads">{entries}</dl>'


def _name(strategy: str, marks: Marks) -> str:
    return f'<span class="{marks.classes(strategy)}">{escape(marked(strategy))}</span>'


def _column(name: str, results: Results, best: set[tuple[int, str]]) -> list[str]:
    cells = []
    for at, row in enumerate(results.summary):
        value = written(name, row.measures.get(name))
        cells.append(f'<span class="best">{value}</span>' if (at, name) in best and value != "-" else value)
    return cells


def _cpu(row: Summary, times: Times) -> str:
    spent = times.get(row.strategy)
    return f"{spent.cpu_seconds:.2f}" if spent else "-"


def _differences_section(results: Results, marks: Marks) -> list[str]:
    """The best crawler against each of the others."""
    first = leader(results)
    rows = [
        [
            _name(row.strategy, marks),
            *map(escape, _difference(first.versus[row.strategy])),
            escape(versus_first(row, first)),
        ]
        for row in results.summary
        if row.strategy in first.versus
    ]
    if not rows:
        return []
    heads = ("Against", "Difference", "95 % interval", "Over", "Detectable", "Without one", "Won", "p")
    columns = dict(zip(heads, zip(*rows, strict=True), strict=True))
    shown = [head for head in heads if head not in silent_columns(columns)]
    kept = [list(cells) for cells in zip(*(columns[head] for head in shown), strict=True)]
    note = (
        f"Harvest area of {label(first.strategy)} less that of the other. Detectable: the smallest true "
        "difference that would have been significant in four of five cases. Without one: the lowest and the "
        "highest difference when a web (or a task of the only web) is left out."
    )
    return [section("How sure it is", table(shown, kept), note=note, wide=True)]


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


def _bar(row: Summary, marks: Marks, top: float) -> str:
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
        class_=f"bar {marks.classes(row.strategy)}",
    )


def _chips(marks: Marks) -> str:
    chips = "".join(
        f'<button type="button" class="{marks.classes(name)}" data-number="{number}" '
        f'aria-pressed="{str(marks.is_named(name)).lower()}">{escape(label(name))}</button>'
        for name, number in marks.numbers.items()
    )
    said = "The default, the two best and the worst are in colour; click a name to show or hide it."
    note = f'<p class="note">{said}</p>' if marks.faint else ""
    return (
        f'<div class="chips" role="group" aria-label="Strategies shown in the figures">{note}'
        f'<div class="row">{chips}</div></div>'
    )


def _curve_section(measure: str, figures: Mapping[str, str]) -> str:
    drawn = f'<div class="plot" data-measure="{measure}">{figures[measure.replace("_", "-")]}</div>'
    return section(f"{CURVES[measure]} against pages", drawn, note=_NOTES[measure])


def _multiples_section(results: Results, figures: Mapping[str, str]) -> list[str]:
    pictures = [figures[f"task-{task.name}"] for task in results.tasks if f"task-{task.name}" in figures]
    if not pictures:
        return []
    cut = (
        f" The first {MOST_TASKS} of {len(results.tasks)} tasks."
        if len(results.tasks) > len(pictures)
        else ""
    )
    note = f"Mean harvest rate against pages, all with the same axes.{cut}"
    return [section("Task by task", f'<div class="small">{"".join(pictures)}</div>', note=note, wide=True)]


def _clock_section(figures: Mapping[str, str]) -> list[str]:
    if "clock" not in figures:
        return []
    note = (
        "Mean relevant pages of the rehearsed crawls over the seconds of their virtual clock, with the 95 % "
        "interval. A crawl that has ended keeps its finds."
    )
    return [section("Harvest against virtual time", f'<div class="plot">{figures["clock"]}</div>', note=note)]


def _time_section(figures: Mapping[str, str]) -> list[str]:
    if "time" not in figures:
        return []
    note = (
        "Mean processor time of a crawl, on a logarithmic scale, against harvest area, with its interval "
        "from five seed sets, tasks or webs on. "
        "A page is tokenised once for all crawls, at its first visit."
    )
    return [section("Time against harvest", f'<div class="plot">{figures["time"]}</div>', note=note)]


def _host_section(figures: Mapping[str, str], marks: Marks) -> str:
    if "hosts" not in figures:
        return section("Hosts", note="All pages of this web are on one host.")
    note = "Relevant pages / pages, mean of the runs, on the hosts with the most relevant pages found."
    note += " Only strategies that are named in the figures at first." if marks.faint else ""
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
    curves: Mapping[str, Mapping[str, Sequence[Spot]]], marks: Marks
) -> dict[str, list[dict[str, object]]]:
    """The data for the tooltips of the script."""
    return {
        measure: [
            {"name": label(name), "number": marks.numbers[name], "spots": [list(spot) for spot in spots]}
            for name, spots in lines.items()
        ]
        for measure, lines in curves.items()
    }
