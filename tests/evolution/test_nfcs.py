"""NFCS and the choice from fronts, against a naive twin."""

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from fcwseo.evolution.fronts import fronts
from fcwseo.evolution.nfcs import nfcs, select

Table = NDArray[np.float64]
Point = tuple[float, ...]

# Eighths have exact squares: what ties on paper ties here.
EIGHTHS = [number / 8 for number in range(9)]


def tables() -> st.SearchStrategy[Table]:
    shapes = st.tuples(st.integers(0, 14), st.integers(1, 4))
    elements = st.sampled_from([st.sampled_from(EIGHTHS), st.floats(0, 1)])
    return elements.flatmap(
        lambda values: shapes.flatmap(lambda shape: arrays.arrays(np.float64, shape, elements=values))
    )


def square(a: Point, b: Point) -> float:
    total = 0.0
    for x, y in zip(a, b, strict=True):
        total += (x - y) * (x - y)
    return total


def naive_farthest(points: list[Point], front: list[int], taken: list[int], q: int) -> list[int]:
    """Adds to ``taken`` from ``front`` until it holds ``q``, looking at all distances each time."""
    taken = list(taken)
    while len(taken) < q and set(front) - set(taken):
        left = [row for row in front if row not in taken]
        taken.append(max(left, key=lambda row: min(square(points[row], points[other]) for other in taken)))
    return taken


def naive_nfcs(points: list[Point], front: list[int], q: int, rng: random.Random) -> list[int]:
    if not front or q == 0:
        return []
    best = [max(front, key=lambda row, i=i: points[row][i]) for i in range(len(points[0]))]  # type: ignore[misc]
    extremes = list(dict.fromkeys(best))
    return rng.sample(extremes, q) if q <= len(extremes) else naive_farthest(points, front, extremes, q)


def naive_select(points: list[Point], q: int, rng: random.Random) -> list[int]:
    if len(points) <= q:
        return list(range(len(points)))
    taken: list[int] = []
    for front in (front.tolist() for front in fronts(np.array(points))):
        missing = q - len(taken)
        if len(front) <= missing:
            taken += front
        elif missing:
            return taken + naive_nfcs(points, front, missing, rng)
    return taken


def as_points(table: Table) -> list[Point]:
    return [tuple(row) for row in table.tolist()]


@given(tables(), st.integers(0, 15), st.integers(0, 3))
def test_nfcs_is_its_definition(table: Table, q: int, seed: int) -> None:
    expected = naive_nfcs(as_points(table), list(range(len(table))), q, random.Random(seed))
    assert nfcs(table, q, random.Random(seed)) == expected


@given(tables(), st.integers(0, 15), st.integers(0, 3))
def test_select_is_its_definition(table: Table, q: int, seed: int) -> None:
    expected = naive_select(as_points(table), q, random.Random(seed))
    assert select(table, q, random.Random(seed)) == expected


@given(tables(), st.integers(0, 15))
def test_no_point_is_chosen_twice(table: Table, q: int) -> None:
    for chosen in (nfcs(table, q, random.Random(0)), select(table, q, random.Random(0))):
        assert len(chosen) == len(set(chosen)) == min(q, len(table))


def test_an_arc_is_covered_from_its_ends() -> None:
    degrees = [0, 2, 4, 6, 10, 20, 35, 50, 65, 80, 86, 90]
    arc = np.array([(math.cos(math.radians(degree)), math.sin(math.radians(degree))) for degree in degrees])
    assert [degrees[row] for row in nfcs(arc, 4, random.Random(0))] == [0, 90, 50, 20]


def test_the_same_choice_in_half_the_precision() -> None:
    points = np.random.default_rng(0).random((20_000, 4))
    rng = random.Random(0)
    assert nfcs(points, 60, rng) == nfcs(points.astype(np.float32), 60, rng)


def test_one_point_best_in_all_objectives_counts_once() -> None:
    points = np.array([[1, 1, 1], [0, 0.5, 0], [0, 0, 0], [0.9, 0.9, 0.9]])
    assert nfcs(points, 3, random.Random(0)) == [0, 2, 1]


def test_chance_decides_among_the_extremes() -> None:
    points = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0.5]])
    chosen = {tuple(sorted(nfcs(points, 2, random.Random(seed)))) for seed in range(40)}
    assert chosen == {(0, 1), (0, 2), (1, 2)}


def test_ties_go_to_the_first() -> None:
    points = np.array([[0, 1], [0.5, 0.5], [0.5, 0.5], [1, 0], [1, 0.0]])
    assert nfcs(points, 5, random.Random(0)) == [3, 0, 1, 2, 4]


def test_equal_points_are_taken_in_their_order() -> None:
    assert nfcs(np.full((40_000, 3), 0.5), 4, random.Random(0)) == [0, 1, 2, 3]


def test_one_objective() -> None:
    assert select(np.array([[0.1], [0.9], [0.5], [0.9]]), 3, random.Random(0)) == [1, 3, 2]


def test_one_point() -> None:
    one = np.array([[0.1, 0.2]])
    assert nfcs(one, 3, random.Random(0)) == select(one, 3, random.Random(0)) == [0]
    assert nfcs(one, 0, random.Random(0)) == select(one, 0, random.Random(0)) == []


@pytest.mark.parametrize("q", [1, 5])
def test_what_is_missing_is_no_objective(q: int) -> None:
    for choose in (nfcs, select):
        with pytest.raises(ValueError, match="NaN"):
            choose(np.array([[0.5], [float("nan")]]), q, random.Random(0))
