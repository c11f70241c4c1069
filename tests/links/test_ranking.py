"""Links by their value: what comes first when values change and links are closed."""

from math import isnan

from hypothesis import given
from hypothesis import strategies as st

from fcwseo.links.ranking import Ranking

VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@given(st.lists(st.tuples(st.integers(0, 8), VALUES)), st.sets(st.integers(0, 8)), st.integers(0, 10))
def test_the_best_open_links_by_their_last_value(
    puts: list[tuple[int, float]], closed: set[int], n: int
) -> None:
    ranking = Ranking(lambda number: number not in closed)
    for number, value in puts:
        ranking.put([number], [value])
    values = dict(puts)
    expected = sorted((number for number in values if number not in closed), key=lambda x: (-values[x], x))
    assert ranking.top(n) == expected[:n]
    assert ranking.top(n) == expected[:n]  # they stay
    assert ranking.best() == next(iter(expected), None)


def test_a_link_closed_behind_its_back_is_passed_over() -> None:
    is_open = dict.fromkeys(range(3), True)
    ranking = Ranking(is_open.__getitem__)
    ranking.put([0, 1, 2], [0.1, 0.9, 0.5])
    is_open[1] = False
    assert ranking.top(2) == [2, 0]


def test_all_links_may_be_valued_anew() -> None:
    ranking = Ranking(lambda number: True)
    ranking.put([0, 1, 2], [0.1, 0.9, 0.5])
    ranking.replace([0, 2], [0.7, 0.8])
    assert ranking.top(3) == [2, 0]
    assert isnan(ranking.value(1))
    assert ranking.value(0) == 0.7
    ranking.put([1], [0.75])
    assert ranking.top(3) == [2, 1, 0]
