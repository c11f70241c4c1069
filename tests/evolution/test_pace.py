"""The pace: how many seats it takes, by a steady crawl whose cost is known."""

from math import exp, isclose

import pytest

from fcwseo.evolution.pace import LONGEST, MEMORY, PRIOR, Pace


def steady(*, seats: int, every: float, seconds: float) -> Pace:
    """A crawl that served this number of seats and got a page every so many seconds."""
    pace = Pace()
    pace.advance(0.0, seats=seats, turn=every)
    for number in range(1, int(seconds / every) + 1):
        pace.advance(number * every, seats=seats, turn=every)
        pace.add_page()
    return pace


def test_at_first_a_page_costs_a_turn() -> None:
    pace = Pace()
    assert pace.cost(turn=1.2) == 1.2
    assert pace.seats(100, 60.0, turn=1.2) == 2
    assert pace.seats(101, 60.0, turn=1.2) == 3
    assert pace.seats(1, 60.0, turn=1.2) == 1


def test_the_first_moment_passes_no_time() -> None:
    pace = Pace()
    pace.advance(-500.0, seats=9, turn=1.0)
    assert pace.cost(turn=1.0) == 1.0


def test_pages_of_a_log_have_no_cost() -> None:
    """A continued crawl observes them before its clock runs: the measurement is that of a new crawl."""
    continued, new = Pace(), Pace()
    for _ in range(300):
        continued.add_page()
    assert continued.seats(100, 50.0, turn=1.5) == new.seats(100, 50.0, turn=1.5) == 3
    for pace in (continued, new):
        pace.advance(100.0, seats=3, turn=1.5)
        pace.add_page()
        pace.advance(104.0, seats=3, turn=1.5)
    assert continued.cost(turn=1.5) == new.cost(turn=1.5) > 1.5


def test_an_outage_is_no_cost_of_a_page() -> None:
    """Ten minutes without a choice count as ten turns."""
    pace, brief = steady(seats=4, every=1.0, seconds=100), steady(seats=4, every=1.0, seconds=100)
    pace.advance(700.0, seats=4, turn=1.0)
    brief.advance(100.0 + LONGEST, seats=4, turn=1.0)
    assert pace.cost(turn=1.0) == brief.cost(turn=1.0) < 10


@pytest.mark.parametrize(("seats", "every"), [(4, 1.0), (8, 0.25), (1, 3.0)])
def test_the_cost_is_measured(seats: int, every: float) -> None:
    """The measurement keeps the turn as a prior of five pages."""
    pages = 1 / (1 - exp(-every / MEMORY))  # of a steady crawl, fading
    expected = (seats * every * pages + PRIOR * 1.2) / (pages + PRIOR)
    assert isclose(steady(seats=seats, every=every, seconds=400).cost(turn=1.2), expected, rel_tol=0.01)


def test_old_measurements_fade() -> None:
    pace = steady(seats=10, every=1.0, seconds=200)
    dear = pace.cost(turn=1.0)
    for second in range(201, 400):
        pace.advance(float(second), seats=1, turn=1.0)
        pace.add_page()
    assert dear > 8 and pace.cost(turn=1.0) < 1.1


def test_a_clock_that_runs_back_takes_no_time_away() -> None:
    pace = steady(seats=2, every=1.0, seconds=50)
    before = pace.cost(turn=1.0)
    pace.advance(0.0, seats=2, turn=1.0)
    assert pace.cost(turn=1.0) == before


def test_behind_the_pace_more_seats_are_served_and_ahead_of_it_fewer() -> None:
    pace = steady(seats=3, every=1.0, seconds=60)
    on_time = pace.seats(60, 60.0, turn=1.0)
    assert pace.seats(60, 30.0, turn=1.0) > on_time > pace.seats(20, 60.0, turn=1.0) == 1


def test_when_no_time_is_left_every_seat_is_served() -> None:
    assert Pace().seats(7, 0.0, turn=1.0) == 7
    assert Pace().seats(0, 0.0, turn=1.0) == 1
    assert Pace().seats(0, 5.0, turn=1.0) == 1
