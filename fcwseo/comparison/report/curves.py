"""Curves with bands over pages, as in figures 6 to 9 of paper 001, and harvest over time."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats
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
_WIDTH, _HEIGHT, _LABELS = 640, 400, 128


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
        is_known = found.n > 1
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
        is_known = mean.n > 1
        spots.append(Spot(at, mean.mean, mean.low if is_known else None, mean.high if is_known else None))
    return spots


def draw_curves(
    found: Mapping[str, Sequence[Spot]],
    title: str,
    *,
    numbers: Mapping[str, int],
    across: str = "pages",
) -> str:
    """One line per strategy, with its band, and its name at its end. ``numbers`` select the colours."""
    highest = max(max(spot.mean for spot in spots) for spots in found.values())
    widest = max(max(spot.high or 0.0 for spot in spots) for spots in found.values())
    top = min(widest, max(highest * 1.25, 0.02))
    end = next(iter(found.values()))[-1].n
    axes = Axes(52, _WIDTH - _LABELS, 34, _HEIGHT - 46, ticks(0, end), ticks(0, max(top, highest)))
    bands = [_band(axes, spots, numbers[name]) for name, spots in found.items()]
    lines = [_line(axes, spots, numbers[name]) for name, spots in found.items()]
    return drawing(
        axes.drawn(across, title),
        *bands,
        *reversed(lines),
        _names(axes, {name: spots[-1] for name, spots in found.items()}, numbers),
        width=_WIDTH,
        height=_HEIGHT,
        title=f"{title} against {across}",
        class_="curves" if across == "pages" else "over-time",
        data_axes=f"{axes.left} {axes.right} {axes.top} {axes.bottom} {axes.x_ticks[-1]}",
    )


def _band(axes: Axes, spots: Sequence[Spot], number: int) -> str:
    edges = [
        (spot.n, spot.low, spot.high) for spot in spots if spot.low is not None and spot.high is not None
    ]
    highest = axes.y_ticks[-1]
    ahead = [f"{axes.x(n):.1f},{axes.y(min(high, highest)):.1f}" for n, _, high in edges]
    back = [f"{axes.x(n):.1f},{axes.y(min(low, highest)):.1f}" for n, low, _ in reversed(edges)]
    if not edges:
        return ""
    return tag(
        "polygon", points=" ".join(ahead + back), fill=colour(number), opacity=0.1, class_=f"band s{number}"
    )


def _line(axes: Axes, spots: Sequence[Spot], number: int) -> str:
    return tag(
        "polyline",
        points=" ".join(f"{axes.x(spot.n):.1f},{axes.y(spot.mean):.1f}" for spot in spots),
        fill="none",
        stroke=colour(number),
        stroke_width=2.2,
        stroke_linejoin="round",
        stroke_dasharray=dash(number) or None,
        class_=f"line s{number}",
    )


def _names(axes: Axes, ends: Mapping[str, Spot], numbers: Mapping[str, int]) -> str:
    """The names at the ends of the lines, spread vertically, with a thin line to each."""
    wanted = [axes.y(spot.mean) for spot in ends.values()]
    places = spread(wanted, gap=15, low=axes.top, high=axes.bottom)
    parts = []
    for (name, spot), y in zip(ends.items(), places, strict=True):
        number, x = numbers[name], axes.x(spot.n)
        hair = tag(
            "polyline",
            points=f"{x + 2:.1f},{axes.y(spot.mean):.1f} {x + 9:.1f},{y:.1f} {x + 13:.1f},{y:.1f}",
            fill="none",
            stroke=colour(number),
            class_=f"hair s{number}",
        )
        written = text(
            label(name), x + 16, y + 4, fill=colour(number), class_=f"name s{number}", font_weight=600
        )
        parts.append(hair + written)
    return "".join(parts)


def draw_time(
    areas: Mapping[str, Estimate], seconds: Mapping[str, float], *, numbers: Mapping[str, int]
) -> str:
    """Processor time of a run against harvest area, each with its interval."""
    times = {name: max(seconds[name], 1e-3) for name in areas}
    axes = Axes(
        52,
        _WIDTH - 40,
        34,
        _HEIGHT - 46,
        _decades(list(times.values())),
        ticks(0, max(e.mean for e in areas.values()) * 1.1),
        log=True,
    )
    places = spread([axes.y(e.mean) - 7 for e in areas.values()], gap=15, low=axes.top, high=axes.bottom)
    marks = [
        _mark(axes, times[name], found, name, numbers[name], y)
        for (name, found), y in zip(areas.items(), places, strict=True)
    ]
    return drawing(
        axes.drawn("processor seconds of a crawl", "Harvest area"),
        *marks,
        width=_WIDTH,
        height=_HEIGHT,
        title="Harvest area against processor time",
        class_="time",
    )


def _decades(values: Sequence[float]) -> list[float]:
    """1, 2 and 5 times powers of ten around the values."""
    marks = [round(m * 10.0**power, 6) for power in range(-3, 7) for m in (1, 2, 5)]
    below = max((i for i, mark in enumerate(marks) if mark <= min(values)), default=0)
    above = min((i for i, mark in enumerate(marks) if mark >= max(values)), default=len(marks) - 1)
    return marks[below : max(above, below + 1) + 1]


def _mark(axes: Axes, seconds: float, found: Estimate, name: str, number: int, name_y: float) -> str:
    x, y = axes.x(seconds), axes.y(found.mean)
    highest = axes.y_ticks[-1]
    shown = f"{label(name)}: harvest area {found.mean:.3f}, {seconds:.2f} s"
    bar = tag(
        "line",
        x1=x,
        x2=x,
        y1=axes.y(max(0.0, found.low)),
        y2=axes.y(min(found.high, highest)),
        stroke=colour(number),
        stroke_width=1.5,
        opacity=0.5,
        class_=f"hair s{number}",
    )
    left = x > axes.right - 90
    side, anchor = (-1, "end") if left else (1, "start")
    hair = tag(
        "line",
        x1=x,
        y1=y,
        x2=x + 14 * side,
        y2=name_y,
        stroke=colour(number),
        class_=f"hair s{number}",
    )
    written = text(
        label(name),
        x + 17 * side,
        name_y + 4,
        anchor=anchor,
        fill=colour(number),
        class_=f"name s{number}",
        font_weight=600,
    )
    return tag(
        "g",
        tag("title", escape(shown)),
        bar if found.n > 1 else "",
        hair,
        tag("circle", cx=x, cy=y, r=5.5, fill=colour(number), class_=f"dot s{number}"),
        written,
    )
