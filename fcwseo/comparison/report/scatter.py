"""Predicted against true relevance."""

from collections.abc import Sequence
from itertools import pairwise

from fcwseo.comparison.report.names import colour
from fcwseo.comparison.report.svg import LINE, Axes, drawing, tag, ticks

_WIDTH, _HEIGHT, _MOST = 640, 400, 1500


def draw_predictions(pairs: Sequence[tuple[float, float]]) -> str:
    """A dot per page, the diagonal of perfect predictions, and the mean of each tenth of the predictions."""
    widest, highest = (max(pair[at] for pair in pairs) or 1.0 for at in (0, 1))
    axes = Axes(52, _WIDTH - 24, 34, _HEIGHT - 46, ticks(0, widest), ticks(0, highest))
    end = min(axes.x_ticks[-1], axes.y_ticks[-1])
    step = max(1, -(-len(pairs) // _MOST))
    dots = [
        tag(
            "circle",
            cx=axes.x(guess),
            cy=axes.y(value),
            r=3,
            fill=colour(0),
            fill_opacity=0.3,
            class_="dot s0",
        )
        for guess, value in pairs[::step]
    ]
    rings = [
        tag(
            "circle",
            cx=axes.x(guess),
            cy=axes.y(value),
            r=6,
            fill="none",
            stroke=colour(1),
            stroke_width=2.5,
            class_="hair s1",
        )
        for guess, value in tenths(pairs)
    ]
    diagonal = tag(
        "line",
        x1=axes.x(0),
        y1=axes.y(0),
        x2=axes.x(end),
        y2=axes.y(end),
        stroke=LINE,
        stroke_width=1.5,
        class_="grid",
    )
    return drawing(
        axes.drawn("predicted relevance", "Relevance"),
        diagonal,
        *dots,
        *rings,
        width=_WIDTH,
        height=_HEIGHT,
        title="Relevance against prediction",
    )


def tenths(pairs: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The means of ten groups of similar predictions.

    >>> tenths([(0.1, 0.2), (0.3, 0.2)])
    [(0.1, 0.2), (0.3, 0.2)]
    """
    ordered = sorted(pairs)
    cuts = [round(len(ordered) * i / 10) for i in range(11)]
    groups = [ordered[a:b] for a, b in pairwise(cuts) if b > a]
    return [
        (sum(g for g, _ in group) / len(group), sum(v for _, v in group) / len(group)) for group in groups
    ]
