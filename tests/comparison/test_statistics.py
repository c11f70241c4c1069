"""The statistics: against numbers worked out by hand, by their laws, and by their coverage of 95 %."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.comparison.statistics import (
    Key,
    Unit,
    compare_all,
    compare_two,
    detectable,
    effect_size,
    estimate,
    holm,
    leave_one_out,
    sample,
)

WEBS = {"a1": "A", "a2": "A", "a3": "A", "b1": "B", "b2": "B", "c1": "C", "d1": "D", "e1": "E"}


def simulated(rng: np.random.Generator, *, share: float) -> dict[Key, float]:
    """Differences on the tasks of ``WEBS``, three seed sets each, around 0; ``share`` of their variance lies
    between webs.
    """
    web = {name: rng.normal(0, math.sqrt(share)) for name in sorted({*WEBS.values()})}
    task = {name: web[own] + rng.normal(0, math.sqrt(1 - share)) for name, own in WEBS.items()}
    return {(name, i, 0): task[name] + rng.normal(0, 0.5) for name in WEBS for i in range(3)}


def coverage(differences: list[list[float]]) -> float:
    """How often the interval of some values holds 0."""
    found = (estimate(values, limits=(-math.inf, math.inf)) for values in differences)
    return float(np.mean([low <= 0 <= high for _, low, high, _, _ in found]))


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_intervals_over_webs_hold_the_true_difference_as_often_as_they_say(share: float) -> None:
    """benchmarks/intervals.py has more cases, shapes and numbers of tasks."""
    rng = np.random.default_rng(0)
    cases = [simulated(rng, share=share) for _ in range(1500)]
    assert 0.93 <= coverage([[*sample(values, WEBS).values.values()] for values in cases]) <= 0.97


def test_intervals_over_tasks_or_pooled_runs_would_not() -> None:
    rng = np.random.default_rng(0)
    cases = [simulated(rng, share=0.5) for _ in range(500)]
    tasks = [[*sample(values, dict.fromkeys(WEBS, "one")).values.values()] for values in cases]
    assert coverage(tasks) < 0.92
    assert coverage([[*values.values()] for values in cases]) < 0.75


def test_a_p_value_is_small_as_often_as_it_says() -> None:
    rng = np.random.default_rng(3)
    p = [estimate(rng.normal(0, 0.1, 8)).p for _ in range(2000)]
    assert 0.04 <= float(np.mean([value < 0.05 for value in p])) <= 0.06


def test_p_and_interval_agree() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        found = estimate(rng.normal(0.05, 0.1, 7))
        assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


def test_students_interval_by_hand() -> None:
    low, high = 0.2 - 4.3027 * 0.1 / math.sqrt(3), 0.2 + 4.3027 * 0.1 / math.sqrt(3)
    found = estimate([0.1, 0.2, 0.3])
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-5)
    assert found.p == pytest.approx(0.0742, abs=1e-4)  # t = 3.4641 with two degrees of freedom
    two = estimate([0.1, 0.3])
    assert (two.low, two.high) == (-1.0, 1.0)  # 0.2 +- 1.27: as far as it can be
    assert two.p == pytest.approx(0.2952, abs=1e-4)  # t = 2 with one


def test_values_that_do_not_vary() -> None:
    assert estimate([0.0] * 6)[1:] == (0.0, 0.0, 1.0, 6)
    assert estimate([0.1] * 6).p == 2 / 64  # six heads or six tails
    assert detectable([0.1] * 6) is None


def test_the_detectable_difference_is_found_in_four_of_five_cases() -> None:
    """Of seven values of deviation 1."""
    spread = np.array([-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5])
    least = detectable(spread / np.std(spread, ddof=1))
    assert least is not None
    rng = np.random.default_rng(1)
    found = [estimate(rng.normal(least, 1, 7), limits=(-math.inf, math.inf)).p < 0.05 for _ in range(3000)]
    assert float(np.mean(found)) == pytest.approx(0.8, abs=0.025)


def test_the_unit_is_the_web_then_the_task_then_the_seed_set() -> None:
    values: dict[Key, float] = {("a1", 0, 0): 0.1, ("a1", 0, 1): 0.3, ("a1", 1, 0): 0.6, ("a2", 0, 0): 0.8}
    one = {key: value for key, value in values.items() if key[0] == "a1"}
    assert sample(one, WEBS).unit is Unit.SEED_SET
    assert [*sample(one, WEBS).values.values()] == pytest.approx([0.2, 0.6])
    tasks = sample(values, WEBS)
    assert tasks.unit is Unit.TASK and tasks.values == pytest.approx({"a1": 0.4, "a2": 0.8})
    webs = sample(values | {("b1", 0, 0): 1.0}, WEBS)
    assert webs.unit is Unit.WEB and webs.values == pytest.approx({"A": 0.6, "B": 1.0})


def test_a_finding_of_one_web_does_not_survive_its_leaving() -> None:
    found = leave_one_out({"A": 0.5, "B": 0.0, "C": 0.01, "D": -0.01})
    assert found["A"].mean == pytest.approx(0.0) and found["A"].p > 0.9
    assert found["B"].mean == pytest.approx(0.5 / 3) and leave_one_out({"A": 0.5}) == {}


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
    assert sample(runs(once), {}).values == pytest.approx(sample(runs(often), {}).values)
    same = sample(runs([[0.1, 0.1]]), {})
    assert same.unit is Unit.REPEAT and len(same.values) == 1


def test_one_task_is_not_tested() -> None:
    """However clear the difference on it is."""
    versus = compare_two(runs([[0.5], [0.6], [0.55]]), runs([[0.1], [0.2], [0.1]]), {})
    assert versus.p is None and versus.detectable is None and versus.unit is Unit.SEED_SET
    assert versus.without == {}
    assert versus.difference.mean == pytest.approx(0.4167, abs=1e-4) and versus.wins == 1.0


def of_tasks(values: list[float]) -> dict[Key, float]:
    return {(name, 0, 0): value for name, value in zip(WEBS, values, strict=False)}


def test_everyone_against_everyone() -> None:
    good = [0.5, 0.6, 0.55, 0.58, 0.52, 0.57]
    areas = {
        "good": of_tasks(good),
        "poor": of_tasks([0.2, 0.31, 0.24, 0.29, 0.2, 0.3]),
        "same": of_tasks(good),
    }
    table = compare_all(areas, {})
    assert set(table["good"]) == {"poor", "same"}
    versus = table["good"]["poor"]
    assert versus.difference.mean == pytest.approx(1.78 / 6) and versus.wins == 1.0
    assert versus.ratio == pytest.approx(3.32 / 1.54) and versus.p is not None
    assert versus.difference.p < versus.p < 0.05 and versus.unit is Unit.WEB
    assert table["good"]["same"].p == 1.0 and table["good"]["same"].wins == 0.5
    back = table["poor"]["good"]
    assert back.difference.mean == -versus.difference.mean and back.p == versus.p
    assert (back.difference.low, back.difference.high) == (-versus.difference.high, -versus.difference.low)
    assert versus.without["a1"].mean == pytest.approx((1.78 - 0.3) / 5)
    assert back.without["a1"].mean == -versus.without["a1"].mean and len(back.without) == 6


def test_only_common_runs_are_compared() -> None:
    table = compare_all({"a": runs([[0.5], [0.7]]), "b": {("t", 1, 0): 0.6}, "c": {("u", 0, 0): 1.0}}, {})
    assert table["a"]["b"].difference.mean == pytest.approx(0.1) and table["a"]["b"].difference.n == 1
    assert "c" not in table["a"] and table["c"] == {}
