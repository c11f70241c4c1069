"""Non-dominated sorting.

K. Deb, A. Pratap, S. Agarwal, T. Meyarivan: A fast and elitist multiobjective genetic algorithm: NSGA-II.
IEEE Transactions on Evolutionary Computation 6(2), 2002.

Objectives are an array with one row per point and one column per objective, and all of them are maximised.
A point dominates another if it is nowhere smaller and somewhere larger. The first front holds the points that
none dominates, the next front those that none dominates once the first is taken away. Equal points share a
front. Inside a front the points stand in ascending order.
"""

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import AnyFloats

# Below this number of rows, searching for rows to drop costs more than it saves.
_FEW = 2000
# Among this many points there is one nearly as good as the best of all.
_SAMPLE = 20_000


def fronts(objectives: AnyFloats) -> list[NDArray[np.intp]]:
    """All fronts, best first.

    >>> [front.tolist() for front in fronts(np.array([[0, 1], [1, 0], [0, 0], [1, 0.0]]))]
    [[0, 1, 3], [2]]
    """
    return best_fronts(objectives, len(objectives))


def compiled_fronts(objectives: AnyFloats, q: int | None = None) -> list[NDArray[np.intp]]:
    """The fronts by pymoo, in compiled code: whole fronts, best first, until they hold at least ``q`` points.

    It takes quadratic time, so it is for some hundred points; pymoo is imported by the first call. Its own
    sorting is selected by name: the default of pymoo, moocore's ranking, crashed on small tables with ties.

    >>> [front.tolist() for front in compiled_fronts(np.array([[0, 1], [1, 0], [0, 0], [1, 0.0]]), 2)]
    [[0, 1, 3]]
    """
    from pymoo.functions import load_function

    values = checked(objectives).astype(np.float64)
    found = load_function("fast_non_dominated_sort")(-values) if len(values) else []
    kept: list[NDArray[np.intp]] = []
    held = 0
    for front in found:
        if q is not None and held >= q:
            break
        kept.append(np.sort(np.asarray(front, np.intp)))
        held += len(front)
    return kept


def best_fronts(objectives: AnyFloats, q: int) -> list[NDArray[np.intp]]:
    """Whole fronts, best first, until they hold at least ``q`` points: the beginning of ``fronts``.

    >>> [front.tolist() for front in best_fronts(np.array([[0, 1], [1, 0], [0, 0], [1, 0.0]]), 2)]
    [[0, 1, 3]]
    """
    values = checked(objectives)
    rows: NDArray[np.intp] = np.arange(len(values))
    columns = np.ascontiguousarray(values.T)
    found: list[NDArray[np.intp]] = []
    wanted = q
    while wanted > 0 and rows.size:
        front = _first_front(columns)
        found.append(rows[front])
        wanted -= front.size
        if wanted > 0:
            rest = np.ones(rows.size, bool)
            rest[front] = False
            rows, columns = _without_dominated(rows[rest], columns[:, rest], wanted)
    return found


def checked(objectives: AnyFloats) -> AnyFloats:
    """Check that the objectives are a table without NaN, and return them.

    >>> checked(np.array([[0.5, np.nan]]))
    Traceback (most recent call last):
        ...
    ValueError: objectives must not be NaN (row 0, column 1)
    """
    if objectives.ndim != 2 or objectives.shape[1] == 0:
        raise ValueError("objectives must be a table of one row per point and at least one column")
    if not np.issubdtype(objectives.dtype, np.floating):
        raise ValueError(f"objectives must be floats, not {objectives.dtype}")
    for column in range(objectives.shape[1]):
        holes = np.isnan(objectives[:, column])
        if holes.any():
            raise ValueError(f"objectives must not be NaN (row {holes.argmax()}, column {column})")
    return objectives


def _first_front(columns: AnyFloats) -> NDArray[np.intp]:
    """The indices of the non-dominated points."""
    from moocore import is_nondominated

    rows, left = _without_dominated(np.arange(columns.shape[1]), columns, 1)
    if not np.isfinite(left).all():  # moocore treats an infinite point as equal to a lesser one
        left = np.array([np.unique(column, return_inverse=True)[1] for column in left], np.float64)
    front: NDArray[np.intp] = rows[is_nondominated(left.T, maximise=True, keep_weakly=True)]
    return front


def _without_dominated(
    rows: NDArray[np.intp], columns: AnyFloats, q: int
) -> tuple[NDArray[np.intp], AnyFloats]:
    """Cheaply drop most of the points that are dominated by at least ``q`` others.

    Such a point is in none of the first fronts with ``q`` points, since all points that dominate it are in
    earlier fronts. The points that it dominates are dropped as well, so the other fronts stay the same.

    Take any ``q`` points and the smallest of their values in each column: a point that this corner dominates
    is dominated by all of them. Points good in all objectives, or in all except one, have high corners.
    """
    without_one = range(len(columns)) if len(columns) > 1 else ()
    for left_out in (None, *without_one, None):
        if rows.size < max(_FEW, 2 * q):
            break
        sample = columns[:, :: max(1, rows.size // max(_SAMPLE, 2 * q))]
        score = _worst_value(sample, left_out)
        best = [int(score.argmax())] if q == 1 else np.argpartition(score, -q)[-q:]
        keep = np.flatnonzero(_undominated(columns, sample[:, best].min(axis=1)))
        if keep.size < 0.9 * rows.size:  # copying what is left would cost more than it saves
            rows, columns = rows[keep], columns.take(keep, axis=1)
    return rows, columns


def _worst_value(columns: AnyFloats, left_out: int | None) -> AnyFloats:
    """The smallest value of each point, as a share of the range, leaving out one objective."""
    scaled = (_scaled(column) for number, column in enumerate(columns) if number != left_out)
    score = next(scaled)
    for column in scaled:
        np.minimum(score, column, out=score)
    return score


def _scaled(column: AnyFloats) -> AnyFloats:
    low, high = column.min(), column.max()
    with np.errstate(over="ignore", invalid="ignore"):
        reach = high - low
    if not 0 < reach < np.inf:  # also where both ends are infinite, and there is no number between
        return np.zeros_like(column)
    share: AnyFloats = (column - low) / reach
    return share


def _undominated(columns: AnyFloats, corner: AnyFloats) -> NDArray[np.bool_]:
    larger, equal = np.zeros(columns.shape[1], bool), np.ones(columns.shape[1], bool)
    for column, value in zip(columns, corner, strict=True):
        larger |= column > value
        equal &= column == value
    return larger | equal
