"""Objectives of the followed links: parallel coordinates, and the front of each stage of the crawl.

All of it is read from the log. The log has the objectives of links that were followed, so a front is the set
of followed links of a stage of which none dominates another; links that wait are not in the log.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from fcwseo.columns import Floats
from fcwseo.comparison.report.crawl.reading import Crawl, sample
from fcwseo.comparison.report.shell import key, section
from fcwseo.comparison.report.svg import LINE, Axes, drawing, number, tag, text, ticks
from fcwseo.crawling.run_directory.log import PAGE, Row
from fcwseo.evolution.fronts import best_fronts

NAMES = ("F1 page", "F2 parents", "F3 anchor", "F4 rank")
_MEANING = (
    "F1: relevance expected of the page. F2: mean relevance of its parents. F3: relevance of its anchor. F4: "
    "PageRank, as a share of the largest."
)
_LINES, _DOTS, _STAGES, _MOST_POINTS = 260, 350, 4, 2000
_WIDTH, _HEIGHT, _SMALL = 640, 340, (320, 286)


def objective_sections(crawl: Crawl) -> list[str]:
    """The pictures; a note if the strategy has no objectives."""
    rows = [row for row in crawl.rows if row.objectives and len(row.objectives) == len(NAMES)]
    if len(rows) < 2:
        return [section("Objectives", note="This strategy does not choose by several objectives.")]
    return [_coordinates_section(rows), _fronts_section(rows)]


def points_of(rows: Sequence[Row]) -> Floats:
    """The objectives, a row for each link."""
    return np.array([row.objectives for row in rows], np.float64).reshape(len(rows), len(NAMES))


# Parallel coordinates


def _coordinates_section(rows: Sequence[Row]) -> str:
    groups = {
        "kept": ("s0", [row for row in rows if row.kept]),
        "left out": ("s7", [row for row in rows if row.outcome == PAGE and not row.kept]),
        "chosen by fronts": ("s1", [row for row in rows if row.rule == "fronts" and row.outcome == PAGE]),
    }
    tops = [*points_of(rows).max(axis=0).tolist(), max(row.relevance for row in rows)]
    axes = [70 + (_WIDTH - 140) / (len(tops) - 1) * at for at in range(len(tops))]
    drawn = [tag("line", x1=x, x2=x, y1=40, y2=_HEIGHT - 40, stroke=LINE, class_="grid") for x in axes]
    for x, name, top in zip(axes, (*NAMES, "relevance"), tops, strict=True):
        drawn.append(text(name, x, 20, anchor="middle", font_weight=600, size=13))
        drawn.append(text(number(round(top, 2)), x, 35, anchor="middle", class_="soft"))
        drawn.append(text("0", x, _HEIGHT - 24, anchor="middle", class_="soft"))
    entries = []
    for name, (colour, chosen) in groups.items():
        if not chosen:
            continue
        if name != "chosen by fronts":
            drawn += [
                _polyline(_values(row), axes, tops, f"thread {colour}") for row in sample(chosen, _LINES // 2)
            ]
        entries.append((colour, f"{name} ({len(chosen):,})"))
    for colour, chosen in groups.values():
        if chosen:
            mean = np.mean([_values(row) for row in chosen], axis=0).tolist()
            drawn.append(_polyline(mean, axes, tops, f"hair {colour}", stroke_width=3.2))
    picture = drawing(
        *drawn, width=_WIDTH, height=_HEIGHT, title="Objectives of followed links, and relevance"
    )
    taken = sum(len(group) for name, (_, group) in groups.items() if name != "chosen by fronts")
    cut = f" At most {_LINES // 2} of each group are drawn." if taken > _LINES else ""
    note = (
        "A thin line is a page: its objectives before it was fetched, then its relevance. Thick: the mean of "
        f"a group. {_MEANING}{cut}"
    )
    return section("Objectives", key(entries), f'<div class="plot">{picture}</div>', note=note)


def _values(row: Row) -> list[float]:
    return [*(row.objectives or ()), row.relevance]


def _polyline(
    values: Sequence[float], axes: Sequence[float], tops: Sequence[float], kind: str, **more: object
) -> str:
    span = _HEIGHT - 80
    spots = (
        f"{x:.0f},{_HEIGHT - 40 - min(1.0, value / (top or 1.0)) * span:.1f}"
        for x, value, top in zip(axes, values, tops, strict=True)
    )
    return tag("polyline", points=" ".join(spots), fill="none", class_=kind, **more)


# Fronts


def _fronts_section(rows: Sequence[Row]) -> str:
    points = points_of(rows)
    other = against(points)
    tops = [max(float(points[:, axis].max()), 1e-6) for axis in (0, other)]
    cuts = [round(len(rows) * at / _STAGES) for at in range(_STAGES + 1)]
    stages = [rows[low:high] for low, high in pairwise(cuts) if high > low]
    pictures = "".join(_stage(stage, other, tops) for stage in stages)
    has_rules = any(row.rule for row in rows)
    entries = [("s0", "kept"), ("s7", "left out or no page"), ("ring s5", "in the front of its stage")]
    entries += [("ring s1", "chosen by fronts and NFCS")] if has_rules else []
    missing = (
        " Fronts and NFCS choose among hosts, by objectives of hosts that are not in the log."
        if has_rules
        else " This log does not record what fronts and NFCS chose."
    )
    cut = f" At most {_DOTS} links of a stage are drawn." if len(rows) > _DOTS * _STAGES else ""
    note = (
        "Followed links by two of their four objectives: F1, and the one that agrees with it least. No link "
        "of its stage dominates a link of the front, in all four. The log has no links that wait, so these "
        f"are fronts of what was taken.{missing}{cut}"
    )
    return section(
        "Fronts, stage by stage", key(entries), f'<div class="small">{pictures}</div>', note=note, wide=True
    )


def against(points: Floats) -> int:
    """The number of the objective that agrees least with F1.

    >>> against(np.array([[0.0, 0.0, 1.0, 0.5], [1.0, 1.0, 0.0, 0.5], [0.5, 0.5, 0.5, 0.5]]))
    2
    """
    first = points[:, 0] - points[:, 0].mean()
    found = []
    for column in range(1, points.shape[1]):
        other = points[:, column] - points[:, column].mean()
        size = float(np.linalg.norm(first) * np.linalg.norm(other))
        found.append(float(first @ other) / size if size > 1e-12 else 2.0)
    return 1 + int(np.argmin(found))


def _stage(stage: Sequence[Row], other: int, tops: Sequence[float]) -> str:
    taken = sample(stage, _MOST_POINTS)
    front = {taken[at].step for at in best_fronts(points_of(taken), 1)[0].tolist()}
    width, height = _SMALL
    axes = Axes(40, width - 12, 56, height - 40, ticks(0, tops[0], about=4), ticks(0, tops[1], about=4))
    shown = {row.step: row for row in sample(taken, _DOTS)}
    shown |= {row.step: row for row in sample([row for row in taken if row.step in front], 60)}
    dots = [_dot(row, axes, other, is_first=row.step in front) for _, row in sorted(shown.items())]
    by_fronts = sum(row.rule == "fronts" for row in stage)
    title = f"Visits {stage[0].step:,} to {stage[-1].step:,}"
    said = f"{len(stage):,} links" + (f", {by_fronts:,} by fronts" if by_fronts else "")
    of = f" of a sample of {len(taken):,}" if len(taken) < len(stage) else ""
    return drawing(
        text(title, 8, 14, font_weight=600, size=13),
        axes.drawn(NAMES[0], ""),
        text(said, 8, 29, class_="soft", size=11),
        text(NAMES[other], 8, 46, size=11),
        text(f"front: {len(front):,}{of}", width - 12, 46, anchor="end", class_="soft", size=11),
        *dots,
        width=width,
        height=height,
        title=f"{title}: {NAMES[0]} against {NAMES[other]}",
        class_="stage",
    )


def _dot(row: Row, axes: Axes, other: int, *, is_first: bool) -> str:
    assert row.objectives is not None
    x, y = axes.x(row.objectives[0]), axes.y(row.objectives[other])
    dot = tag("circle", cx=x, cy=y, r=2.6, fill_opacity=0.6, class_=f"dot {'s0' if row.kept else 's7'}")
    ring = ""
    if row.rule == "fronts":
        ring += tag("circle", cx=x, cy=y, r=4.2, fill="none", stroke_width=1.4, class_="hair s1")
    if is_first:
        diamond = f"{x:.1f},{y - 4.6:.1f} {x + 4.6:.1f},{y:.1f} {x:.1f},{y + 4.6:.1f} {x - 4.6:.1f},{y:.1f}"
        ring += tag("polygon", points=diamond, fill="none", stroke_width=1.4, class_="hair s5")
    return dot + ring
