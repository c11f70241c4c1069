"""Which seats are served: half by value, the others by fronts and NFCS near the last seat."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.bank import Bank
from fcwseo.evolution.fronts import fronts
from fcwseo.evolution.nfcs import nfcs
from fcwseo.evolution.seating import Rule, Seating, by_fronts, seating


def bank_of(*values: float) -> Bank:
    return Bank(np.arange(len(values)), np.arange(len(values)), np.array(values))


def seated(bank: Bank, seats: int, novelty: list[float]) -> Seating:
    """By value and novelty of the seats."""

    def points(places: Rows) -> Floats:
        return np.column_stack((bank.values[places], np.array(novelty)[places]))

    return seating(bank, seats, points, Random(0))


def test_half_of_the_seats_are_given_by_value_and_rounded_up() -> None:
    bank = bank_of(1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
    counts = [
        (len(found.by_value), len(found.by_fronts)) for found in (seated(bank, n, [0] * 6) for n in range(7))
    ]
    assert counts == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3)]


def test_a_novel_host_near_the_last_seat_takes_the_place_of_a_better_one() -> None:
    """The second host is dominated by the third, which is worth as much and more novel."""
    bank = bank_of(1.0, 0.8, 0.8, 0.76, 0.74)
    found = seated(bank, 2, [0.0, 0.0, 1.0, 0.5, 9.0])
    assert found.near.tolist() == [1, 2, 3]  # the last lies too far below the second
    assert found.order == [(0, Rule.VALUE), (2, Rule.FRONTS)]
    assert found.last == 0.8


def test_the_order_is_that_of_value() -> None:
    bank = bank_of(*np.linspace(1, 0.99, 10).tolist())
    places = [place for place, _ in seated(bank, 6, [float(n) for n in range(10)]).order]
    assert places == sorted(places) and places[:3] == [0, 1, 2] and len(places) == 6


def test_more_seats_than_hosts() -> None:
    bank = bank_of(1.0, 0.2, 0.1)
    found = seated(bank, 9, [0.0] * 3)
    assert [place for place, _ in found.order] == [0, 1, 2]
    assert seated(bank_of(), 3, []).order == []


def test_one_seat_asks_nothing_of_fronts() -> None:
    def points(places: Rows) -> Floats:
        raise AssertionError("objectives of a strict crawl")

    assert seating(bank_of(1.0, 1.0), 1, points, Random(0)).order == [(0, Rule.VALUE)]


def test_the_pick_is_exchangeable() -> None:
    found = seating(
        bank_of(1.0, 0.9, 0.9, 0.9),
        2,
        lambda places: np.zeros((len(places), 1)),
        Random(0),
        pick=lambda points, count, rng: [2],
    )
    assert found.order == [(0, Rule.VALUE), (3, Rule.FRONTS)]


tables = st.lists(st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0])] * 3), min_size=1, max_size=20)


@given(tables, st.integers(0, 12), st.integers(0, 99))
def test_whole_fronts_while_they_fit_and_nfcs_on_the_one_that_overflows(
    rows: list[tuple[float, ...]], count: int, chance: int
) -> None:
    """By the project's own sort, which has no code in common with the compiled one."""
    points = np.array(rows)
    expected: list[int] = []
    for front in fronts(points):
        missing = count - len(expected)
        if len(front) <= missing:
            expected += front.tolist()
        elif missing > 0:
            expected += front[nfcs(points[front], missing, Random(chance))].tolist()
            break
    found = by_fronts(points, count, Random(chance))
    assert sorted(found) == sorted(expected if count < len(rows) else range(len(rows)))


@pytest.mark.parametrize("rule", Rule)
def test_rules_are_words_of_the_log(rule: Rule) -> None:
    assert str(rule) in ("seed", "value", "fronts", "list", "log")
