"""Measures of ``benchmarks/ontology_quality.py``, against examples worked by hand and slow twins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quality.measures import Score, agreement, among, closure, cotopy_score, judgeable, percentile, wilson

# Gold:  hazard > flood > flash flood, urban flood;  hazard > storm
GOLD = closure([("flood", "hazard"), ("flash flood", "flood"), ("urban flood", "flood"), ("storm", "hazard")])
pairs = st.sets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=12)


def test_child_and_ancestor_count_whatever_lies_between() -> None:
    assert len(GOLD) == 6
    found = closure([("flash flood", "hazard"), ("storm", "flood")])
    assert Score.of(found, GOLD) == Score(2, 1, 0.5, 1 / 6)


@given(pairs)
def test_the_closure_is_what_repeated_joining_gives(some: set[tuple[str, str]]) -> None:
    joined = set(some)
    while more := {(a, d) for a, b in joined for c, d in joined if b == c} - joined:
        joined |= more
    assert closure(some) == {(a, b) for a, b in joined if a != b}
    assert among(some, set("abc")) == {pair for pair in closure(some) if set(pair) <= set("abc")}


def test_only_children_with_a_parent_in_the_gold_are_judged() -> None:
    found = {("flood", "water"), ("rain", "water"), ("storm", "hazard")}
    judged = judgeable(found, GOLD)
    assert judged == {("flood", "water"), ("storm", "hazard")}
    assert (Score.of(found, GOLD).precision, Score.of(judged, GOLD).precision) == (1 / 3, 1 / 2)


def test_the_common_semantic_cotopy_worked_by_hand() -> None:
    """Found: flash flood < flood and flash flood < storm, where the second is wrong.

    Found cotopies: flash flood {flood, storm}, flood {flash flood}, storm {flash flood}. In the gold: flash
    flood {flood, hazard}, urban flood the same, flood {hazard, both}, storm {hazard}, hazard all four. So
    precision is the mean of 1/2, 1 and 0, recall that of 1/2, 0, 1/3, 0 and 0.
    """
    found = closure([("flash flood", "flood"), ("flash flood", "storm")])
    precision, recall, f = cotopy_score(found, GOLD)
    assert (precision, recall) == pytest.approx((1 / 2, 1 / 6))
    assert f == pytest.approx(1 / 4)


@given(pairs)
def test_a_hierarchy_is_its_own_gold(some: set[tuple[str, str]]) -> None:
    whole = closure(some)
    assert cotopy_score(whole, whole) == ((1.0, 1.0, 1.0) if whole else (0.0, 0.0, 0.0))
    assert cotopy_score(whole, frozenset()) == (0.0, 0.0, 0.0)


def test_kappa_of_a_table_worked_by_hand() -> None:
    """Both right 20, first only 5, second only 10, none 15: 70 % agree, 50 % would by chance, kappa .4."""
    one = ["right"] * 25 + ["wrong"] * 25
    other = ["right"] * 20 + ["wrong"] * 5 + ["right"] * 10 + ["wrong"] * 15
    assert agreement(one, other) == pytest.approx((0.7, 0.4))
    assert agreement(one, one) == (1.0, 1.0)
    assert agreement(["right"], ["right"]) == (1.0, 1.0)
    assert agreement(["right", "wrong"], ["wrong", "right"])[1] == pytest.approx(-1)


def test_the_interval_of_a_share() -> None:
    """Wilson's for 113 of 132, as R's ``prop.test(113, 132, correct = FALSE)`` has it."""
    assert wilson(113, 132) == pytest.approx((0.786, 0.906), abs=0.001)
    assert wilson(5, 5)[1] == 1.0 and wilson(0, 5)[0] == 0.0


@given(st.lists(st.floats(0, 1), min_size=1), st.floats(0, 1))
def test_a_percentile_lies_among_the_values(values: list[float], part: float) -> None:
    assert min(values) <= percentile(values, part) <= max(values)
    assert percentile(values, 0) == min(values) and percentile(values, 1) == max(values)
