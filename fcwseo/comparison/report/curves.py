"""Curves with bands over pages, as in figures 6 to 9 of paper 001, and harvest over time."""

from collections.abc import Mapping, Sequence
from html import escape
from statistics import fmean
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats
from fcwseo.comparison.report.marks import Marks
from fcwseo.comparison.report.names import colour, dash, label
from fcwseo.comparison.report.svg import Axes, drawing, spread, tag, text, ticks
from fcwseo.comparison.results import Results, RunResult
from fcwseo.comparison.statistics import Estimate, estimate, sample
from fcwseo.crawling.metrics import CHECKPOINTS

CURVES = {
    "harvest_rate": "Harvest rate",
    "average_relevance": "Average relevance",
    "sd": "Standard deviation of relevance",
    "recall": "Recall",
}
_WIDTH, _HEIGHT, _LABELS, _LONGEST = 680, 400, 184, 19
FEWEST = 5  # webs, tasks or seed sets from which a band is drawn; single runs are drawn if there are fewer
MOST_TASKS = 12  # small pictures
_MOST_RUNS, _MOST_LINES = 20, 400  # single runs of a strategy, and of a figure


class Spot(NamedTuple):
    """A point of a curve: after n pages, or seconds, the mean and its 95 % interval (none for a single
    run).
    """

    n: float
    mean: float
    low: float | None
    high: float | None


def curve(runs: Sequence[RunResult], measure: str, *, webs: Mapping[str, str]) -> list[Spot]:
    """The mean of a measure at each checkpoint, with its interval."""
    spots = []
    for at, point in enumerate(runs[0].checkpoints):
        values = {
            (run.task, run.seed_set, run.repeat): float(getattr(run.checkpoints[at], measure)) for run in runs
        }
        found = estimate(sample(values, webs).values.values(), limits=(0.0, 1.0))
        is_known = found.n >= FEWEST
        spots.append(
            Spot(point.n, found.mean, found.low if is_known else None, found.high if is_known else None)
        )
    return spots


def curves(results: Results, measure: str) -> dict[str, list[Spot]]:
    """The curves of all strategies, best first."""
    webs = {task.name: task.web for task in results.tasks}
    return {
        row.strategy: curve([run for run in results.runs if run.strategy == row.strategy], measure, webs=webs)
        for row in results.summary
    }


def single_runs(results: Results, measure: str, marks: Marks) -> dict[str, list[list[Spot]]]:
    """The single runs of each strategy that has too few for a band; of those at first in grey only if there
    are not too many.
    """
    found = {
        row.strategy: [
            [Spot(point.n, float(getattr(point, measure)), None, None) for point in run.checkpoints]
            for run in results.runs
            if run.strategy == row.strategy
        ][:_MOST_RUNS]
        for row in results.summary
        if row.independent < FEWEST and row.runs > 1
    }
    if sum(map(len, found.values())) <= _MOST_LINES:
        return found
    return {name: lines for name, lines in found.items() if marks.is_named(name)}


def draw_multiples(results: Results, marks: Marks) -> list[str]:
    """The harvest rate of each task in a small picture, all with the same axes; none for a single task."""
    if len(results.tasks) < 2:
        return []
    means: dict[str, dict[str, list[Spot]]] = {}
    for task in results.tasks[:MOST_TASKS]:
        for name in marks.numbers:
            runs = [run for run in results.runs if run.strategy == name and run.task == task.name]
            if runs:
                means.setdefault(task.name, {})[name] = [
                    Spot(point.n, fmean(run.checkpoints[at].harvest_rate for run in runs), None, None)
                    for at, point in enumerate(runs[0].checkpoints)
                ]
    top = max(spot.mean for lines in means.values() for spots in lines.values() for spot in spots)
    return [_small(task, lines, top, marks) for task, lines in means.items()]


def _small(task: str, lines: Mapping[str, Sequence[Spot]], top: float, marks: Marks) -> str:
    width, height = 320, 230
    end = next(iter(lines.values()))[-1].n
    axes = Axes(40, width - 12, 34, height - 44, ticks(0, end, about=3), ticks(0, top, about=3))
    order = sorted(lines, key=marks.is_named)
    return drawing(
        text(short(task) if len(task) > 36 else task, 8, 16, size=13, font_weight=600),
        axes.drawn("pages", ""),
        *(_line(axes, lines[name], name, marks) for name in order),
        width=width,
        height=height,
        title=f"Harvest rate against pages: {task}",
        class_="multiple",
    )


def clock_curves(results: Results) -> dict[str, list[Spot]]:
    """The relevant pages found by each strategy over virtual seconds; empty without rehearsed crawls.

    A crawl that has ended keeps its finds.
    """
    ends = [run.clock[-1][0] for run in results.runs if run.clock]
    if not ends:
        return {}
    webs = {task.name: task.web for task in results.tasks}
    grid = np.linspace(0.0, max(ends), CHECKPOINTS + 1)
    return {
        row.strategy: _over_time([run for run in results.runs if run.strategy == row.strategy], grid, webs)
        for row in results.summary
    }


def _over_time(runs: Sequence[RunResult], grid: Floats, webs: Mapping[str, str]) -> list[Spot]:
    found = {
        (run.task, run.seed_set, run.repeat): np.interp(
            grid, [0.0, *(at for at, _ in run.clock)], [0, *(finds for _, finds in run.clock)]
        )
        for run in runs
    }
    spots = []
    for number, at in enumerate(grid.tolist()):
        values = {name: float(line[number]) for name, line in found.items()}
        mean = estimate(sample(values, webs).values.values(), limits=(0.0, np.inf))
        is_known = mean.n >= FEWEST
        spots.append(Spot(at, mean.mean, mean.low if is_known else None, mean.high if is_known else None))
    return spots


def draw_curves(
    found: Mapping[str, Sequence[Spot]],
    title: str,
    *,
    marks: Marks,
    across: str = "pages",
    runs: Mapping[str, Sequence[Sequence[Spot]]] = MappingProxyType({}),
) -> str:
    """One line per strategy, with its band or its single ``runs``, and its name at its end."""
    highest = max(max(spot.mean for spot in spots) for spots in found.values())
    widest = max(max(spot.high or 0.0 for spot in spots) for spots in found.values())
    single = max((spot.mean for lines in runs.values() for spots in lines for spot in spots), default=0.0)
    top = max(min(max(widest, single), max(highest * 1.25, 0.02)), highest)
    end = next(iter(found.values()))[-1].n
    axes = Axes(52, _WIDTH - _LABELS, 34, _HEIGHT - 46, ticks(0, end), ticks(0, top))
    order = sorted(found, key=marks.is_named)  # the grey ones behind the others
    bands = [_band(axes, found[name], name, marks) for name in order]
    thin = [_line(axes, spots, name, marks, kind="run") for name in runs for spots in runs[name]]
    lines = [_line(axes, found[name], name, marks) for name in order]
    ends = {name: (axes.x(spots[-1].n), axes.y(spots[-1].mean)) for name, spots in found.items()}
    return drawing(
        axes.drawn(across, title),
        *bands,
        *thin,
        *lines,
        _names(axes, ends, marks),
        width=_WIDTH,
        height=_HEIGHT,
        title=f"{title} against {across}",
        class_="named-lines curves" if across == "pages" else "named-lines over-time",
        data_axes=f"{axes.left} {axes.right} {axes.top} {axes.bottom} {axes.x_ticks[-1]}",
    )


def _colour(name: str, marks: Marks) -> str:
    return marks.colour(name) or colour(marks.numbers[name])


def _band(axes: Axes, spots: Sequence[Spot], name: str, marks: Marks) -> str:
    edges = [
        (spot.n, spot.low, spot.high) for spot in spots if spot.low is not None and spot.high is not None
    ]
    highest = axes.y_ticks[-1]
    ahead = [f"{axes.x(n):.1f},{axes.y(min(high, highest)):.1f}" for n, _, high in edges]
    back = [f"{axes.x(n):.1f},{axes.y(min(low, highest)):.1f}" for n, low, _ in reversed(edges)]
    if not edges:
        return ""
    return tag(
        "polygon",
        points=" ".join(ahead + back),
        fill=_colour(name, marks),
        opacity=0.1,
        display=None if marks.is_named(name) else "none",
        class_=f"band {marks.classes(name)}",
    )


def _line(axes: Axes, spots: Sequence[Spot], name: str, marks: Marks, *, kind: str = "line") -> str:
    number, highest, is_thin = marks.numbers[name], axes.y_ticks[-1], kind == "run"
    own = dash(number) if marks.is_named(name) else ""
    dashes = "6 4" if name in marks.references else own or None
    return tag(
        "polyline",
        points=" ".join(f"{axes.x(spot.n):.1f},{axes.y(min(spot.mean, highest)):.1f}" for spot in spots),
        fill="none",
        stroke=_colour(name, marks),
        stroke_width=0.8 if is_thin else 2.2 if marks.is_named(name) else 1.2,
        stroke_linejoin="round",
        stroke_dasharray=None if is_thin else dashes,
        opacity=0.45 if is_thin else None,
        display="none" if is_thin and not marks.is_named(name) else None,
        class_=f"{kind} {marks.classes(name)}",
    )


def _names(axes: Axes, ends: Mapping[str, tuple[float, float]], marks: Marks) -> str:
    """The names beside the plot, spread vertically, with a thin line to the end of each curve.

    They get smaller when there are too many, and never collide. The script places them again when a reader
    chooses others.
    """
    named = [name for name in ends if marks.is_named(name)]
    gap = min(15.0, (axes.bottom - axes.top) / max(1, len(named) - 1))
    places = spread([ends[name][1] for name in named], gap=gap, low=axes.top, high=axes.bottom)
    at = dict(zip(named, places, strict=True))
    size = min(12.0, gap / 1.25)
    parts = []
    for name, (x, y) in ends.items():
        place, hidden = at.get(name, y), None if name in at else "none"
        start = f"{x + 2:.1f},{y:.1f} {axes.right + 9:.1f},{place:.1f} {axes.right + 13:.1f},{place:.1f}"
        hair = tag(
            "polyline",
            points=start,
            fill="none",
            stroke=_colour(name, marks),
            display=hidden,
            class_=f"hair {marks.classes(name)}",
            data_from=f"{x + 2:.1f} {y:.1f}",
        )
        written = tag(
            "text",
            tag("title", escape(label(name))),
            escape(short(label(name))),
            x=axes.right + 16.0,
            y=float(place + size * 0.35),
            font_size=size,
            font_weight=600,
            fill=_colour(name, marks),
            display=hidden,
            class_=f"name {marks.classes(name)}",
        )
        parts.append(hair + written)
    return "".join(parts)


def short(name: str) -> str:
    """A name that fits beside a plot.

    >>> short("keyword-table-plain"), short("A" * 30)
    ('keyword-table-plain', 'AAAAAAAAA…AAAAAAAAA')
    """
    return name if len(name) <= _LONGEST else f"{name[:9]}…{name[-9:]}"


def draw_time(areas: Mapping[str, Estimate], seconds: Mapping[str, float], *, marks: Marks) -> str:
    """Processor time of a run against harvest area, each with its interval."""
    times = {name: max(seconds[name], 1e-3) for name in areas}
    highest = min(1.0, max(e.mean for e in areas.values()) * 1.1)
    axes = Axes(
        52,
        _WIDTH - _LABELS,
        34,
        _HEIGHT - 46,
        _decades(list(times.values())),
        ticks(0, highest),
        log=True,
    )
    order = sorted(areas, key=marks.is_named)
    dots = [_mark(axes, times[name], areas[name], name, marks) for name in order]
    ends = {name: (axes.x(times[name]) + 4, axes.y(found.mean)) for name, found in areas.items()}
    return drawing(
        axes.drawn("processor seconds of a crawl", "Harvest area"),
        *dots,
        _names(axes, ends, marks),
        width=_WIDTH,
        height=_HEIGHT,
        title="Harvest area against processor time",
        class_="named-lines time",
        data_axes=f"{axes.left} {axes.right} {axes.top} {axes.bottom} {axes.x_ticks[-1]}",
    )


def _decades(values: Sequence[float]) -> list[float]:
    """1, 2 and 5 times powers of ten around the values."""
    marks = [round(m * 10.0**power, 6) for power in range(-3, 7) for m in (1, 2, 5)]
    below = max((i for i, mark in enumerate(marks) if mark <= min(values)), default=0)
    above = min((i for i, mark in enumerate(marks) if mark >= max(values)), default=len(marks) - 1)
    return marks[below : max(above, below + 1) + 1]


def _mark(axes: Axes, seconds: float, found: Estimate, name: str, marks: Marks) -> str:
    x, y = axes.x(seconds), axes.y(found.mean)
    highest = axes.y_ticks[-1]
    shown = f"{label(name)}: harvest area {found.mean:.3f}, {seconds:.2f} s"
    bar = tag(
        "line",
        x1=x,
        x2=x,
        y1=axes.y(max(0.0, found.low)),
        y2=axes.y(min(found.high, highest)),
        stroke=_colour(name, marks),
        stroke_width=1.5,
        opacity=0.5,
        class_=f"bar-line {marks.classes(name)}",
    )
    return tag(
        "g",
        tag("title", escape(shown)),
        bar if found.n >= FEWEST else "",
        tag("circle", cx=x, cy=y, r=5.5, fill=_colour(name, marks), class_=f"dot {marks.classes(name)}"),
    )
