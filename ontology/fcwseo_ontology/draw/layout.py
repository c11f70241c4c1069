"""Positions on the page, by pure arithmetic: the same ontology always gives the same drawing."""

from math import cos, pi, sin

from fcwseo_ontology.draw.hasse import Hasse, levels, neighbours
from fcwseo_ontology.draw.spanning import Spanning

Point = tuple[float, float]

RING = 150.0
"""Distance of levels in the radial drawing; larger if the outer rings would be crowded."""
PITCH = 16.0
"""Room for a line of text."""
HUB = 0.6
"""Additional distance of the first level from the centre, as a share of a ring."""
COLUMNS = (230.0, 480.0)
"""The smallest and largest distance of columns; between them the tree is as wide as high."""
ROW = 22.0
STEP = 120.0
"""Distance of formal concepts on a line, and smallest distance of lines."""


def radial(tree: Spanning) -> dict[str, Point]:
    """The radial drawing: the root in the centre, each level on a ring, each concept with its arc.

    Arcs do not overlap, and no two concepts on a ring are nearer than a line of text.
    """
    arc = _arcs(tree)
    total = sum(arc[name] for name in tree.children[tree.root])
    ring = RING * max(1.0, total / (2 * pi))
    turn = 2 * pi / total if total else 0.0
    places = {tree.root: (0.0, 0.0)}
    begin = {tree.root: -pi / 2}
    for name in tree.order:
        angle = begin[name]
        room = arc[name] * turn if name != tree.root else 2 * pi
        wanted = sum(arc[child] for child in tree.children[name])
        for child in tree.children[name]:
            begin[child] = angle
            share = room * arc[child] / wanted
            radius = ring * (tree.level[child] - 1 + HUB)
            places[child] = _round(radius * cos(angle + share / 2), radius * sin(angle + share / 2))
            arc[child] = share / turn
            angle += share
    return places


def _arcs(tree: Spanning) -> dict[str, float]:
    """The angle that each concept needs at the smallest ring, computed from the leaves inwards."""
    arc = dict.fromkeys(tree.order, 0.0)
    for name in reversed(tree.order[1:]):
        own = PITCH / (RING * (tree.level[name] - 1 + HUB))
        arc[name] = max(own, sum(arc[child] for child in tree.children[name]))
    return arc


def layered(tree: Spanning) -> dict[str, Point]:
    """The tree: the root on the left, a column per level, a row per leaf, each parent centred on its
    children.
    """
    row: dict[str, float] = {}
    rows = 0
    stack = [tree.root]
    while stack:
        name = stack.pop()
        if not tree.children[name]:
            row[name] = float(rows)
            rows += 1
        stack.extend(reversed(tree.children[name]))
    for name in reversed(tree.order):
        below = tree.children[name]
        if below:
            row[name] = (row[below[0]] + row[below[-1]]) / 2
    least, most = COLUMNS
    column = min(most, max(least, ROW * rows / max(tree.level.values())))
    return {name: _round(column * (tree.level[name] - 1), ROW * row[name]) for name in tree.order}


def hasse_places(hasse: Hasse, *, sweeps: int = 24) -> list[Point]:
    """The lattice: the top concept above, each level on a line, ordered for few crossings.

    Concepts on a line are sorted by the mean position of their neighbours, swept down and up in turn:
    Sugiyama, Tagawa, Toda, *Methods for visual understanding of hierarchical system structures*, 1981.
    """
    level = levels(hasse)
    lines: list[list[int]] = [[] for _ in range(max(level, default=-1) + 1)]
    for node, depth in enumerate(level):
        lines[depth].append(node)
    up = neighbours(len(level), hasse.covers)
    down = neighbours(len(level), [(upper, lower) for lower, upper in hasse.covers])
    place = _spread(lines)
    for sweep in range(sweeps):
        near, walk = (up, lines) if sweep % 2 == 0 else (down, lines[::-1])
        for line in walk:
            wish = {node: _mean([place[other] for other in near[node]], place[node]) for node in line}
            line.sort(key=wish.__getitem__)
            place |= _spread([line])
    width = STEP * (max((len(line) for line in lines), default=1) - 1)
    drop = max(STEP, 0.6 * width / max(1, len(lines) - 1))
    return [_round(place[node] * STEP, level[node] * drop) for node in range(len(level))]


def _spread(lines: list[list[int]]) -> dict[int, float]:
    return {node: at - (len(line) - 1) / 2 for line in lines for at, node in enumerate(line)}


def _mean(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise


def _round(x: float, y: float) -> Point:
    return (round(x, 1) + 0.0, round(y, 1) + 0.0)
