"""Nearest and farthest candidate selection (NFCS): a few points that represent a front.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 6.2.

The best point in each objective is chosen first, then repeatedly the point farthest from its nearest chosen
point. The paper chooses q - m more points for m objectives; we choose as many as are missing, since one point
may be best in several objectives. Objectives are maximised and scaled to [0, 1].
"""

import random
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import AnyFloats
from fcwseo.evolution.fronts import best_fronts, checked

_BLOCK = 1 << 14


def nfcs(points: AnyFloats, q: int, rng: random.Random) -> list[int]:
    """The rows of ``q`` points, in the order of their choice; all points if there are fewer.

    If ``q`` is at most the number of points that are best in some objective, these are drawn at random. Of
    equally good rows the first is taken.

    >>> nfcs(np.array([[0, 1], [0.1, 0.9], [0.4, 0.6], [1, 0]]), 3, random.Random(0))
    [3, 0, 2]
    """
    columns = np.ascontiguousarray(checked(points).T)
    if q <= 0 or not len(points):
        return []
    extremes = list(dict.fromkeys(int(column.argmax()) for column in columns))
    if q <= len(extremes):
        return rng.sample(extremes, q)
    near = _to_nearest(columns, columns[:, extremes])
    near[extremes] = -1
    return extremes + _farthest(columns, near, min(q, len(points)) - len(extremes))


def select(
    objectives: AnyFloats,
    q: int,
    rng: random.Random,
    *,
    sort: Callable[[AnyFloats, int], list[NDArray[np.intp]]] = best_fronts,
) -> list[int]:
    """The rows of ``q`` points: whole fronts while they fit, NFCS on the one that overflows.

    At most ``q`` rows are all returned, in their order. The points of the last front are chosen far from each
    other. ``sort`` finds the fronts.

    >>> select(np.array([[0, 1], [0.1, 0.8], [0.1, 0.9], [1, 0]]), 3, random.Random(0))
    [0, 2, 3]
    """
    if len(objectives) <= q:
        return list(range(len(checked(objectives))))
    taken: list[int] = []
    for front in sort(objectives, q):
        missing = q - len(taken)
        if len(front) <= missing:
            taken += front.tolist()
        else:
            taken += front[nfcs(objectives[front], missing, rng)].tolist()
    return taken


def _farthest(columns: AnyFloats, near: AnyFloats, count: int) -> list[int]:
    """Choose ``count`` more points, each the farthest from its nearest; ``near`` is negative for chosen
    points.
    """
    chosen: list[int] = []
    while len(chosen) < count:
        far = int(near.argmax())
        if near[far] == 0:  # only duplicates of chosen points are left; choosing one changes no distance
            return [*chosen, *np.flatnonzero(near == 0)[: count - len(chosen)].tolist()]
        chosen.append(far)
        _approach(near, columns, columns[:, far])
        near[far] = -1
    return chosen


def _to_nearest(columns: AnyFloats, chosen: AnyFloats) -> AnyFloats:
    """The squared distance of each point to the nearest chosen one."""
    near = np.full(columns.shape[1], np.inf, columns.dtype)
    for point in chosen.T:
        _approach(near, columns, point)
    return near


def _approach(near: AnyFloats, columns: AnyFloats, point: AnyFloats) -> None:
    """Lower ``near`` to the squared distance to ``point``, block by block to stay in the cache."""
    for start in range(0, near.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        squares = columns[0, block] - point[0]
        squares *= squares
        for column, value in zip(columns[1:, block], point[1:], strict=True):
            difference = column - value
            difference *= difference
            squares += difference
        np.minimum(near[block], squares, out=near[block])
