"""Fronts, against the definition written out."""

import subprocess
import sys
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from fcwseo.evolution import fronts as pareto
from fcwseo.evolution.fronts import best_fronts, compiled_fronts, fronts

Table = NDArray[np.float64]


def tables(*, rows: int = 24) -> st.SearchStrategy[Table]:
    """Objectives, mostly with ties: few values, or any."""
    shapes = st.tuples(st.integers(0, rows), st.integers(1, 5))
    few = st.sampled_from([0.0, -0.0, 0.25, 0.5, 1.0])
    many = st.floats(allow_nan=False)
    return st.sampled_from([few, many]).flatmap(
        lambda values: shapes.flatmap(lambda shape: arrays.arrays(np.float64, shape, elements=values))
    )


def dominators(objectives: Table) -> NDArray[np.bool_]:
    """Who dominates whom: at [a, b] whether b dominates a."""
    a, b = objectives[:, None, :], objectives[None, :, :]
    return np.asarray((b >= a).all(axis=2) & (b > a).any(axis=2))


def by_definition(objectives: Table) -> list[list[int]]:
    dominated_by = dominators(objectives)
    left = np.ones(len(objectives), bool)
    found = []
    while left.any():
        front = left & ~dominated_by[:, left].any(axis=1)
        found.append(np.flatnonzero(front).tolist())
        left &= ~front
    return found


def as_lists(found: list[NDArray[np.intp]]) -> list[list[int]]:
    return [front.tolist() for front in found]


def until(found: list[list[int]], q: int) -> list[list[int]]:
    held = np.cumsum([0, *map(len, found)])
    return [front for front, before in zip(found, held, strict=False) if before < q]


def link_like(n: int, seed: int) -> Table:
    """Skewed, with many ties: siblings share a parent, most anchors say nothing, most pages have one link."""
    chance = np.random.default_rng(seed)
    parent = chance.beta(0.6, 3, n // 20 + 1).round(2)[chance.integers(0, n // 20 + 1, n)]
    anchor = np.where(chance.random(n) < 0.8, 0, chance.choice([0.1, 0.25, 0.5, 0.7], n))
    page = np.clip(0.5 * parent + 0.4 * anchor + chance.normal(0, 0.08, n), 0, 1).round(2)
    rank = np.where(chance.random(n) < 0.5, 0.01, chance.beta(0.3, 5, n).round(3))
    return np.column_stack([page, parent, anchor, rank])


@given(tables())
@example(np.array([[0, np.inf, np.inf, np.inf], [np.inf] * 4]))
def test_fronts_are_those_of_the_definition(objectives: Table) -> None:
    assert as_lists(fronts(objectives)) == by_definition(objectives)


@settings(deadline=None)  # pymoo is imported at the first call
@given(tables())
def test_the_compiled_fronts_agree_with_the_definition(objectives: Table) -> None:
    assert as_lists(compiled_fronts(objectives)) == by_definition(objectives)


@given(tables(), st.integers(0, 30))
def test_the_best_fronts_are_the_first_of_all(objectives: Table, q: int) -> None:
    assert as_lists(best_fronts(objectives, q)) == until(by_definition(objectives), q)


@given(tables(rows=60), st.integers(1, 12))
def test_dropping_dominated_points_changes_nothing(objectives: Table, q: int) -> None:
    """Also in small tables, where it is not done otherwise."""
    with mock.patch.object(pareto, "_FEW", 2), mock.patch.object(pareto, "_SAMPLE", 20):
        found = as_lists(best_fronts(objectives, q))
    assert found == until(by_definition(objectives), q)


@pytest.mark.parametrize("q", [1, 60, 400])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_best_fronts_of_many_links(seed: int, q: int) -> None:
    objectives = link_like(4000, seed)
    assert as_lists(best_fronts(objectives, q)) == until(as_lists(fronts(objectives)), q)


@pytest.mark.parametrize("seed", [0, 1])
def test_fronts_of_many_links(seed: int) -> None:
    objectives = link_like(1200, seed)
    assert as_lists(fronts(objectives)) == by_definition(objectives)


def test_dominated_points_are_dropped() -> None:
    """Few of many points are left to be compared, or the filter does not earn its place."""
    columns = np.ascontiguousarray(np.random.default_rng(0).random((20_000, 4)).T)
    rows, left = pareto._without_dominated(np.arange(20_000), columns, 1)
    assert len(rows) < 4000
    assert (columns[:, rows] == left).all()


def test_small_numbers_keep_their_differences() -> None:
    single = np.array([[0.1, 1], [np.nextafter(np.float32(0.1), np.float32(1)), 1]], np.float32)
    assert as_lists(best_fronts(single, 1)) == as_lists(fronts(single))[:1] == [[1]]


def test_one_point() -> None:
    assert (
        as_lists(fronts(np.array([[0.5, 0.5]]))) == as_lists(best_fronts(np.array([[0.5, 0.5]]), 9)) == [[0]]
    )


def test_one_objective() -> None:
    objectives = np.array([[1.0], [3.0], [2.0], [3.0]])
    assert as_lists(fronts(objectives)) == as_lists(best_fronts(objectives, 4)) == [[1, 3], [2], [0]]


def test_equal_points_share_a_front() -> None:
    objectives = np.full((5000, 3), 0.5)
    assert as_lists(fronts(objectives)) == as_lists(best_fronts(objectives, 1)) == [list(range(5000))]


def test_none_is_wanted() -> None:
    assert best_fronts(np.array([[0.5, 0.5]]), 0) == []


def test_no_points() -> None:
    assert fronts(np.empty((0, 4))) == best_fronts(np.empty((0, 4)), 3) == []


@pytest.mark.parametrize("table", [[[0.5, float("nan")]], [0.5, 0.5], [[], []], [[1, 2]]])
def test_what_is_no_table_of_objectives(table: list[object]) -> None:
    for function in (fronts, lambda objectives: best_fronts(objectives, 1)):
        with pytest.raises(ValueError, match="objectives must"):
            function(np.array(table))


def test_importing_is_cheap() -> None:
    """The sorting libraries, and what they bring along, are loaded when something is sorted."""
    code = "import sys, fcwseo.evolution.nfcs, fcwseo.links.pagerank\n"
    code += "print({'pymoo', 'moocore', 'scipy'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
