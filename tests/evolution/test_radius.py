"""The radius: when it widens, by how much, and when it narrows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.evolution.radius import Radius, inner


def after(*kept: bool, patience: float = 0.8, budget: int = 100) -> float:
    radius = Radius(patience=patience)
    for is_relevant in kept:
        radius.add(is_relevant=is_relevant)
    return radius.value(budget=budget)


def test_it_starts_at_the_impatience() -> None:
    assert after() == pytest.approx(0.2)
    assert after(patience=1.0) == 0.0
    assert after(patience=0.0) == 1.0
    assert Radius().value(budget=100) == pytest.approx(0.2)


def test_it_widens_after_each_tenth_of_the_budget_without_a_kept_page() -> None:
    assert after(*[False] * 9) == pytest.approx(0.2)
    assert after(*[False] * 10) == pytest.approx(0.36)
    assert after(*[False] * 19) == pytest.approx(0.36)
    assert after(*[False] * 20) == pytest.approx(0.488)
    assert after(*[False] * 20, budget=1000) == pytest.approx(0.2)


def test_a_kept_page_narrows_it() -> None:
    assert after(*[False] * 20, True) == pytest.approx(0.2)
    assert after(*[False] * 9, True, *[False] * 9) == pytest.approx(0.2)


def test_full_patience_never_ends() -> None:
    assert after(*[False] * 99, patience=1.0) == 0.0


def test_the_inner_part_is_half_of_a_small_radius_and_all_of_the_largest() -> None:
    assert [inner(radius) for radius in (0.0, 0.1, 0.2, 0.5, 1.0)] == pytest.approx(
        [0, 1 / 19, 1 / 9, 1 / 3, 1]
    )


def test_without_a_budget_it_stays() -> None:
    assert after(*[False] * 5, budget=0) == pytest.approx(0.2)


@given(st.lists(st.booleans(), max_size=60), st.floats(0, 1), st.integers(1, 100))
def test_a_page_that_is_not_kept_never_narrows_it(kept: list[bool], patience: float, budget: int) -> None:
    before = after(*kept, patience=patience, budget=budget)
    widened = after(*kept, False, patience=patience, budget=budget)
    narrowed = after(*kept, True, patience=patience, budget=budget)
    assert 0 <= narrowed <= before <= widened <= 1
