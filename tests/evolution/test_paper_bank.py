"""The banks: each case of the update by its name, on hand-made entries."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.evolution.fronts import fronts
from fcwseo.evolution.paper_bank import Entry, Outcome, Reserve, RetrievedBank, SeedBank, UpdateCase
from fcwseo.evolution.paper_objectives import Lambdas, Objectives, priority
from fcwseo.evolution.paper_radius import Near, Radius, Schedule, Search, Surroundings, mean_distance
from fcwseo.links.graph import LinkGraph


def entry(number: int, *values: float, is_exhausted: bool = False) -> Entry:
    row = Objectives(*(values if len(values) == 4 else values * 4))
    return Entry(number, row, float(priority(np.array([row]), Lambdas())[0]), is_exhausted)


def bank_of(*seeds: Entry, chance: float = 0.4, p_t: float = 0.3, size: int | None = None) -> SeedBank:
    class Fixed(Random):
        def random(self) -> float:
            return chance

    bank = SeedBank(size or len(seeds), Fixed(), p_t=p_t)
    bank.seeds = list(seeds)
    return bank


LOW, MIDDLE, HIGH = entry(1, 0.1), entry(2, 0.5), entry(3, 0.9)


def test_filled() -> None:
    bank = bank_of(LOW, size=2)
    assert bank.challenge(MIDDLE, Near(0, 1), radius=1) == Outcome(UpdateCase.FILLED)
    assert bank.numbers == [1, 2]


def test_exhausted_first() -> None:
    """Even by a test link that the seed dominates; of several the one of the smallest E."""
    bank = bank_of(HIGH, entry(7, 0.8, is_exhausted=True), entry(8, 0.7, is_exhausted=True))
    case, replaced = bank.challenge(LOW, Near(0, 1), radius=1)
    assert case is UpdateCase.EXHAUSTED_FIRST
    assert replaced is not None and replaced.number == 8
    assert bank.numbers == [3, 7, 1]


def test_far() -> None:
    """5 and 6 are the worst front, and 6 has the smaller E; the nearest seed is left alone."""
    bank = bank_of(HIGH, entry(5, 0.1, 0.5, 0.5, 0.5), entry(6, 0.5, 0.1, 0.1, 0.1))
    case, replaced = bank.challenge(LOW, Near(0, 2), radius=1)
    assert case is UpdateCase.FAR
    assert replaced is not None and replaced.number == 6
    assert bank.numbers == [3, 5, 1]


def test_at_the_radius_is_not_far() -> None:
    assert bank_of(LOW).challenge(HIGH, Near(0, 1.0), radius=1.0).case is UpdateCase.DOMINATES
    assert bank_of(LOW).challenge(HIGH, Near(0, 1.0), radius=0.99).case is UpdateCase.FAR
    assert bank_of(LOW).challenge(HIGH, Near(-1, float("inf")), radius=1e300).case is UpdateCase.FAR


def test_dominates() -> None:
    bank = bank_of(LOW, MIDDLE, chance=1.0)
    assert bank.challenge(HIGH, Near(1, 1), radius=1) == Outcome(UpdateCase.DOMINATES, MIDDLE)
    assert bank.numbers == [1, 3]


def test_dominated_lucky() -> None:
    bank = bank_of(LOW, HIGH, chance=0.29)
    assert bank.challenge(MIDDLE, Near(1, 1), radius=1) == Outcome(UpdateCase.DOMINATED_LUCKY, HIGH)
    assert bank.numbers == [1, 2]


def test_dominated_kept() -> None:
    bank = bank_of(LOW, HIGH, chance=0.3)
    assert bank.challenge(MIDDLE, Near(1, 1), radius=1) == Outcome(UpdateCase.DOMINATED_KEPT)
    assert bank.numbers == [1, 3]


def test_incomparable_lucky() -> None:
    bank = bank_of(LOW, MIDDLE, chance=0.49)
    other = entry(9, 0.0, 1.0, 0.0, 0.0)
    assert bank.challenge(other, Near(1, 1), radius=1) == Outcome(UpdateCase.INCOMPARABLE_LUCKY, MIDDLE)
    assert bank.numbers == [1, 9]


def test_incomparable_kept() -> None:
    bank = bank_of(LOW, MIDDLE, chance=0.5)
    assert bank.challenge(entry(9, 0.0, 1.0, 0.0, 0.0), Near(1, 1), radius=1) == Outcome(
        UpdateCase.INCOMPARABLE_KEPT
    )
    assert bank.numbers == [1, 2]


def test_equal_kept() -> None:
    bank = bank_of(LOW, MIDDLE, chance=0.0)
    assert bank.challenge(entry(9, 0.5), Near(1, 1), radius=1) == Outcome(UpdateCase.EQUAL_KEPT)
    assert bank.numbers == [1, 2]


def test_every_case_has_a_test() -> None:
    names = {name.removeprefix("test_").replace("_", "-") for name in globals() if name.startswith("test_")}
    assert {case.value for case in UpdateCase} <= names


@pytest.mark.parametrize("p_t", [0.0, 0.1, 0.3, 0.5])
def test_how_often_the_better_seed_gives_way(p_t: float) -> None:
    rng = Random(5)
    lucky = 0
    for _ in range(2000):
        bank = SeedBank(1, rng, p_t=p_t)
        bank.seeds = [HIGH]
        lucky += bank.challenge(LOW, Near(0, 1), radius=1).case is UpdateCase.DOMINATED_LUCKY
    assert lucky / 2000 == pytest.approx(p_t, abs=0.04)


def test_a_replaced_bank_does_not_shrink() -> None:
    bank = bank_of(LOW, HIGH, MIDDLE)
    bank.replace([entry(8, 0.2)])
    assert bank.numbers == [8, 3, 2]
    bank.replace([entry(number, 0.2) for number in (11, 12, 13)])
    assert bank.numbers == [11, 12, 13]


quarters = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
entries = st.tuples(quarters, quarters, quarters, quarters, st.booleans())


@given(
    st.lists(entries, min_size=1, max_size=6),
    entries,
    st.integers(0, 5),
    st.integers(0, 3),
    st.integers(0, 99),
)
def test_the_update_rule(
    rows: list[tuple[float, ...]], row: tuple[float, ...], place: int, distance: int, chance: int
) -> None:
    """The size of the bank stays, at most one seat changes, and which is what the case says."""
    seeds = [entry(number, *row[:4], is_exhausted=bool(row[4])) for number, row in enumerate(rows)]
    test = entry(100, *row[:4])
    rng = Random(chance)
    place, distance = rng.randrange(len(seeds)), rng.randint(0, 3)
    bank = SeedBank(len(seeds), rng)
    bank.seeds = list(seeds)
    case, replaced = bank.challenge(test, Near(place, distance), radius=1)
    changed = [before for before, after in zip(seeds, bank.seeds, strict=True) if before is not after]
    assert changed == ([] if replaced is None else [replaced])
    assert (replaced is None) == case.value.endswith("kept")
    if case is UpdateCase.EXHAUSTED_FIRST:
        assert replaced is not None and replaced.is_exhausted
        return
    assert not any(seed.is_exhausted for seed in seeds)
    assert (case is UpdateCase.FAR) == (distance > 1)
    if case is UpdateCase.FAR:
        worst = fronts(np.array([seed.objectives for seed in seeds]))[-1]
        assert replaced in [seeds[seat] for seat in worst]
    else:
        assert replaced in (None, seeds[place])
        better = test.objectives.dominates(seeds[place].objectives)
        assert (case is UpdateCase.DOMINATES) == better
        assert case.value.startswith("dominated") == seeds[place].objectives.dominates(test.objectives)


# The other banks


def test_losers_rest_for_a_round() -> None:
    """Rule 2."""
    bank = RetrievedBank()
    bank.add(range(5))
    bank.mark([0, 1])
    assert bank.rest([0]) == []
    assert bank.unmarked == [2, 3, 4]
    bank.mark([2])
    assert bank.rest([2]) == [0]
    assert bank.unmarked == [0, 3, 4]
    bank.expand([2])
    assert bank.rest([]) == []
    assert bank.all == [0, 1, 3, 4]


def test_all_that_wait_are_unmarked() -> None:
    """Rule 3."""
    bank = RetrievedBank()
    bank.add(range(4))
    bank.mark([0, 1, 3])
    bank.expand([3])
    bank.unmark()
    assert bank.unmarked == bank.all == [0, 1, 2]


def test_the_reserve_gives_the_best_that_are_open() -> None:
    reserve = Reserve()
    for number, score in enumerate([0.3, 0.5, 0.5, 0.1, 0.4]):
        reserve.put(number, score)
    reserve.put(3, 0.9)
    reserve.put(4, 0.2)  # less than what it had
    assert reserve.take(3, lambda number: number != 1) == [3, 2, 4]
    assert reserve.take(3, lambda number: True) == [0]
    reserve.put(3, 0.05)
    assert reserve.take(1, lambda number: True) == [3]


# Distances and radius


def chain(length: int) -> LinkGraph:
    graph = LinkGraph()
    for number in range(length):
        graph.add(number, [number + 1], [0.0])
    return graph


def test_the_nearest_seed_by_one_search() -> None:
    around = Surroundings(chain(10))
    assert around.nearest([0, 9], 3, radius=8) == Near(0, 3)
    assert around.nearest([0, 9], 6, radius=8) == Near(1, 3)
    assert Surroundings(chain(10)).nearest([0, 9], 4, radius=3) == Near(-1, float("inf"))


def test_distances_are_searched_for_after_each_replacement() -> None:
    around = Surroundings(chain(10), Search.PER_REPLACEMENT)
    assert around.nearest([0, 9], 2, radius=16) == Near(0, 2)
    assert around.nearest([5, 9], 2, radius=16) == Near(0, 3)


def test_distances_are_searched_for_once_in_a_round() -> None:
    around = Surroundings(chain(10), Search.PER_ROUND)
    assert around.nearest([0, 9], 2, radius=16) == Near(0, 2)
    assert around.nearest([5, 9], 2, radius=16) == Near(0, 2)
    around.forget()
    assert around.nearest([5, 9], 2, radius=16) == Near(0, 3)


def random_graph(rng: Random) -> LinkGraph:
    graph = LinkGraph()
    for number in range(16):
        targets = rng.sample(range(24), rng.randint(0, 3))
        graph.add(number, targets, [0.0] * len(targets))
    return graph


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.floats(0.3, 9), st.sampled_from(Search))
def test_the_nearest_seed_against_all_distances(chance: int, radius: float, search: Search) -> None:
    """The search stops early, and is used again for the next link: neither changes what it finds."""
    rng = Random(chance)
    graph = random_graph(rng)
    seeds = rng.sample(range(16), 4)
    around = Surroundings(graph, search)
    for test in rng.sample(range(16), 8):
        distances = [int(graph.distances([seed])[test]) for seed in seeds]
        in_reach = [distance for distance in distances if 0 <= distance <= radius]
        expected = Near(distances.index(min(in_reach)), min(in_reach)) if in_reach else Near(-1, float("inf"))
        assert around.nearest(seeds, test, radius=radius) == expected


@pytest.mark.parametrize(
    ("schedule", "values"),
    [
        (Schedule.PAPER, [1, 2, 4, 8]),
        (Schedule.SLOW, [1, 1.1, 1.21, 1.331]),
        (Schedule.RECOMPUTE, [1, 1.5, 2.5, 2.5]),
        (Schedule.CSA, [2, 1.8, 1.62, 1.458]),
    ],
)
def test_the_schedules_of_the_radius(schedule: Schedule, values: list[float]) -> None:
    radius = Radius(schedule, 2.0)
    found = [radius.value]
    for d_ave in (3.0, 5.0, 5.0):
        radius.advance(lambda d_ave=d_ave: d_ave)  # type: ignore[misc]
        found.append(radius.value)
    assert found == pytest.approx(values)


def test_doubling_for_ever_does_no_harm() -> None:
    radius = Radius(Schedule.PAPER, 2.0)
    for _ in range(2000):
        radius.advance(lambda: 2.0)
    assert Surroundings(chain(10)).nearest([0], 9, radius=radius.value) == Near(0, 9)
    lonely = chain(3)
    lonely.add(7, [], [])
    assert Surroundings(lonely).nearest([0], 7, radius=radius.value) == Near(-1, float("inf"))


def test_the_mean_distance_of_seeds() -> None:
    graph = LinkGraph()
    graph.add(0, [1, 2, 3], [0.0] * 3)
    assert mean_distance(graph, [1, 2, 3]) == 2.0
    graph.add(1, [2], [0.0])
    assert mean_distance(graph, [1, 2, 3]) == pytest.approx(5 / 3)
    assert mean_distance(graph, [1]) == 2.0
    graph.add(9, [], [])
    assert mean_distance(graph, [1, 9]) == float("inf")
