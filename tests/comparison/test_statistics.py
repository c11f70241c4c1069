"""The statistics: against numbers worked out by hand, by their laws, and by what they promise: 95 %."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.comparison.statistics import Key, compare_all, effect_size, estimate, holm, independent

Draw = Callable[[np.random.Generator, int], list[float]]

# What differences between crawlers may look like, and their true means.
POPULATIONS: dict[str, tuple[Draw, float]] = {
    "bell": (lambda rng, n: list(rng.normal(0.05, 0.05, n)), 0.05),
    "bounded": (lambda rng, n: list(rng.beta(2, 5, n) - rng.beta(2, 3, n)), 2 / 7 - 2 / 5),
    "skewed": (lambda rng, n: list(rng.gamma(4, 0.02, n)), 0.08),
}


def coverage(draw: Draw, mean: float, n: int, *, cases: int) -> float:
    """How often the interval of n values holds the true mean."""
    rng = np.random.default_rng(n)
    found = (estimate(draw(rng, n), seed=case, resamples=999) for case in range(cases))
    return float(np.mean([low <= mean <= high for _, low, high, _, _ in found]))


@pytest.mark.slow
@pytest.mark.parametrize("n", [5, 10, 20])
def test_intervals_hold_the_true_difference_as_often_as_they_say(n: int) -> None:
    """Over 900 simulated comparisons; benchmarks/intervals.py does more of them."""
    rates = [coverage(draw, mean, n, cases=300) for draw, mean in POPULATIONS.values()]
    assert 0.93 <= float(np.mean(rates)) <= 0.97
    assert all(0.91 <= rate <= 0.985 for rate in rates)


def test_percentile_intervals_would_not() -> None:
    """What the studentised bootstrap is for: of five values, the plain one is far too narrow."""
    rng, inside = np.random.default_rng(0), 0
    for _ in range(300):
        data = rng.normal(0, 1, 5)
        means = data[rng.integers(0, 5, (999, 5))].mean(axis=1)
        inside += np.quantile(means, 0.025) <= 0 <= np.quantile(means, 0.975)
    assert inside / 300 < 0.9


def test_a_p_value_is_small_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    p = [estimate(list(rng.normal(0, 0.1, 8)), seed=case, resamples=999).p for case in range(400)]
    assert 0.03 <= float(np.mean([value < 0.05 for value in p])) <= 0.07


def test_a_clear_difference_has_a_p_that_survives_the_correction_for_many_pairs() -> None:
    """Of ten thousand resamples the smallest p there is would be .0002, of 55 pairs .011."""
    rng = np.random.default_rng(5)
    found = estimate(list(rng.normal(0.1, 0.02, 20)), seed=0)
    assert found.p * 55 < 0.01
    unclear = list(rng.normal(0.01, 0.1, 20))
    assert estimate(unclear, seed=0).p == pytest.approx(estimate(unclear, seed=1).p, abs=0.02)


def test_p_and_interval_agree() -> None:
    rng = np.random.default_rng(4)
    for case in range(200):
        found = estimate(list(rng.normal(0.05, 0.1, 7)), seed=case)
        if abs(found.p - 0.05) > 0.002:
            assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


def test_two_and_three_values_have_students_interval() -> None:
    low, high = 0.2 - 4.303 * 0.1 / math.sqrt(3), 0.2 + 4.303 * 0.1 / math.sqrt(3)
    found = estimate([0.1, 0.2, 0.3], seed=0)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert found.p == pytest.approx(0.0742, abs=1e-4)  # t = 3.4641 with two degrees of freedom
    two = estimate([0.1, 0.3], seed=0)
    assert (two.low, two.high) == (-1.0, 1.0)  # 0.2 +- 1.27: as far as it can be
    assert two.p == pytest.approx(0.2952, abs=1e-4)  # t = 2 with one


def test_values_that_do_not_vary() -> None:
    assert estimate([0.0] * 6, seed=0)[1:] == (0.0, 0.0, 1.0, 6)
    assert estimate([0.1] * 6, seed=0).p == 2 / 64  # six heads or six tails


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [0.1, 0.4, 0.2, 0.3, 0.5]
    assert estimate(values, seed=1) == estimate(values, seed=1) != estimate(values, seed=2)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.02, 0.03, 0.005]) == pytest.approx([0.03, 0.04, 0.04, 0.02])
    assert holm([]) == [] and holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1)))
def test_holm_only_makes_p_larger_and_keeps_the_order(p: list[float]) -> None:
    corrected = holm(p)
    assert all(after >= before for before, after in zip(p, corrected, strict=True))
    order = sorted(range(len(p)), key=p.__getitem__)
    assert [corrected[i] for i in order] == sorted(corrected)


def test_the_effect_size_by_hand() -> None:
    """Mean 0.2, deviation 0.1, so 2; of three values 0.5642 of it is left: gamma(1) / gamma(1/2)."""
    assert effect_size([0.1, 0.2, 0.3]) == pytest.approx(2 / math.sqrt(math.pi))
    assert effect_size([0.2, 0.2]) == effect_size([0.2]) == 0.0


def runs(values: list[list[float]]) -> dict[Key, float]:
    """Of one task: a list a seed set, a number a repeat."""
    return {("t", i, j): value for i, repeats in enumerate(values) for j, value in enumerate(repeats)}


def test_repeats_of_a_seed_set_count_once() -> None:
    """Ten repeats of the same crawl are no more evidence than one."""
    once, often = ([[a] * times for a in (0.1, 0.2, 0.4, 0.3, 0.25)] for times in (1, 10))
    assert independent(runs(once)) == pytest.approx(independent(runs(often)))


def test_everyone_against_everyone() -> None:
    areas = {
        "good": runs([[0.5], [0.6], [0.55], [0.58], [0.52]]),
        "poor": runs([[0.2], [0.31], [0.24], [0.29], [0.2]]),
        "same": runs([[0.5], [0.6], [0.55], [0.58], [0.52]]),
    }
    table = compare_all(areas, seed=0)
    assert set(table["good"]) == {"poor", "same"}
    versus = table["good"]["poor"]
    assert versus.difference.mean == pytest.approx(0.302) and versus.wins == 1.0
    assert versus.ratio == pytest.approx(2.75 / 1.24)
    assert versus.difference.p <= versus.p < 0.05
    assert table["good"]["same"].p == 1.0 and table["good"]["same"].wins == 0.5
    back = table["poor"]["good"]
    assert back.difference.mean == -versus.difference.mean and back.p == versus.p
    assert (back.difference.low, back.difference.high) == (-versus.difference.high, -versus.difference.low)


def test_only_common_runs_are_compared() -> None:
    table = compare_all({"a": runs([[0.5], [0.7]]), "b": {("t", 1, 0): 0.6}, "c": {("u", 0, 0): 1.0}}, seed=0)
    assert table["a"]["b"].difference.mean == pytest.approx(0.1) and table["a"]["b"].difference.n == 1
    assert "c" not in table["a"] and table["c"] == {}
