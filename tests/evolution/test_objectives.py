"""The objectives of a seat."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from fcwseo.evolution.bank import Bank
from fcwseo.evolution.objectives import Served, good_links, objectives, scaled


def test_a_served_page_counts_by_its_relevance_from_a_fifth_to_one() -> None:
    served = Served()
    for host, relevance in [(1, 0.0), (2, 0.06), (3, 0.1), (4, 0.2), (5, 0.9)]:
        served.add(host, relevance=relevance, eta=0.1)
    assert [served.of(host) for host in (1, 2, 3, 4, 5, 6)] == pytest.approx([0.2, 0.3, 0.5, 1.0, 1.0, 0.0])
    served.add(2, relevance=0.2, eta=0.1)
    assert served.of(2) == pytest.approx(1.3)


def test_a_page_counts_fully_while_there_is_no_threshold() -> None:
    served = Served()
    served.add(1, relevance=0.0, eta=0.0)
    assert served.of(1) == 1.0


def test_links_are_good_from_half_the_value_of_the_best() -> None:
    hosts, values = np.array([1, 1, 2, 2, 3]), np.array([1.0, 0.5, 0.49, 0.6, 0.1])
    assert good_links(hosts, values) == {1: 2, 2: 1}


def test_each_objective_prefers_another_host() -> None:
    """The first host has the best link, the second most good links, the third served no page."""
    bank = Bank(np.array([7, 8, 9]), np.array([0, 1, 2]), np.array([1.0, 0.9, 0.8]))
    served = Served()
    for host in (7, 7, 8, 8, 8):
        served.add(host, relevance=1.0, eta=0.1)
    points = objectives(np.array([0, 1, 2]), bank, {7: 1, 8: 9}, served)
    assert points.argmax(axis=0).tolist() == [0, 1, 2]
    queue = (np.log(2) / np.log(10), 1.0, 0.0)
    assert points[:, 1].tolist() == pytest.approx(queue)
    novelty = np.array([3**-0.5, 4**-0.5, 1.0])
    assert points[:, 2].tolist() == pytest.approx(((novelty - 0.5) / 0.5).tolist())
    some = objectives(np.array([2]), bank, {}, served)
    assert some.tolist() == [[0.0, 0.0, 0.0]]


@given(arrays.arrays(np.float64, st.tuples(st.integers(1, 9), st.just(3)), elements=st.floats(-9, 9)))
def test_scaled_objectives_reach_from_0_to_1(points: np.ndarray) -> None:
    found = scaled(points)
    varied = np.ptp(points, axis=0) > 0
    assert (found.min(axis=0) == 0).all()
    assert (found.max(axis=0)[varied] == 1).all() and (found[:, ~varied] == 0).all()
    for before, after in zip(points.T, found.T, strict=True):
        assert (np.diff(after[np.argsort(before)]) >= 0).all()
