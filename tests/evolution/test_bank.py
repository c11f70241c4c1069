"""The bank of seats, against its definition written out."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.evolution.bank import bank, relative

few_values = st.sampled_from([0.0, 0.25, 0.5, 1.0])
links = st.lists(st.tuples(st.integers(0, 6), few_values), max_size=30)


def by_definition(hosts: list[int], values: list[float], size: int) -> list[tuple[int, int]]:
    """Host and elite of each seat: of equal links the first."""
    elites: dict[int, int] = {}
    for index, there in enumerate(hosts):
        if there not in elites or values[index] > values[elites[there]]:
            elites[there] = index
    best = sorted(elites.items(), key=lambda seat: (-values[seat[1]], seat[1]))
    return best[:size]


@given(links, st.integers(1, 8))
def test_each_host_has_one_seat_held_by_its_best_link(found: list[tuple[int, float]], size: int) -> None:
    hosts, values = [there for there, _ in found], [value for _, value in found]
    seats = bank(np.array(hosts, np.intp), np.array(values), size=size)
    expected = by_definition(hosts, values, size)
    assert list(zip(seats.hosts.tolist(), seats.elites.tolist(), strict=True)) == expected
    assert seats.values.tolist() == [values[elite] for _, elite in expected]
    assert seats.size == len(expected)


def test_a_bank_has_256_seats_at_most() -> None:
    rng = Random(0)
    assert bank(np.arange(300), np.array([rng.random() for _ in range(300)])).size == 256


@given(st.lists(st.floats(-2, 2), min_size=1, max_size=10))
def test_values_lie_between_0_and_1_in_the_order_of_worth(worth: list[float]) -> None:
    values = relative(worth)
    assert values.max() == 1 and values.min() >= 0
    assert (np.diff(values[np.argsort(worth)]) >= 0).all()


def test_worth_below_0_is_shifted_and_worth_above_0_is_not() -> None:
    assert relative([0.2, 0.4]).tolist() == [0.5, 1.0]
    assert relative([-0.2, 0.2]).tolist() == [0.0, 1.0]
    assert relative([-0.2, 0.0, 0.2]).tolist() == [0.0, 0.5, 1.0]
    assert relative([-0.2, -0.2]).tolist() == [1.0, 1.0] == relative([0.0, 0.0]).tolist()
    assert relative([]).tolist() == []
