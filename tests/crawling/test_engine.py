"""The engine: one window for every strategy on every web."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random

import pytest
from helpers.fakes import LateWeb, Past, RememberedWeb, SmallWeb, as_past, crawled, folded, targets

from fcwseo.crawling.engine import SEEDS, Stop, Window, crawl
from fcwseo.errors import InvalidRun
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.protocol import Strategy, Turns
from fcwseo.webs.protocol import Web

# Two layers of four, with a dead link and a detour among them.
TREE = SmallWeb(
    {
        "s": "a b c d",
        "a": "e dead f",
        "b": "old-c g",
        "c": "",
        "d": "h",
        "e": "",
        "f": "",
        "g": "s a",
        "h": "",
    },
    moved={"old-c": "c"},
)


class Watched:
    """A strategy whose choices are written down."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.observed: list[Visit] = []
        self.named: list[str] = []

    def observe(self, visit: Visit) -> None:
        self.observed.append(visit)
        self._strategy.observe(visit)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links = self._strategy.next(n, turns)
        self.named += [link.target for link in links]
        return links


def window(
    *seeds: str,
    budget: int,
    width: int = 1,
    strategy: Strategy | None = None,
    relevance: Callable[[Page], float] = lambda page: 0.5,
) -> Window:
    return Window(strategy or BreadthFirst(), seeds, relevance=relevance, budget=budget, width=width)


def pages(visits: list[Visit]) -> list[str]:
    return [visit.outcome.url for visit in visits if isinstance(visit.outcome, Page)]


# The seeds


def test_the_seed_list_is_a_page() -> None:
    strategy = Watched(BreadthFirst())
    window("s", "t", budget=1, strategy=strategy)
    (visit,) = strategy.observed
    assert visit.step == 0 and visit.link.depth == -1
    assert isinstance(visit.outcome, Page) and visit.outcome.url == SEEDS
    assert [link.target for link in visit.outcome.links] == ["s", "t"]


def test_seeds_have_depth_0_and_their_links_1() -> None:
    _, visits = crawled(TREE, window("s", budget=3))
    assert [(visit.link.target, visit.link.source, visit.link.depth) for visit in visits] == [
        ("s", SEEDS, 0),
        ("a", "s", 1),
        ("b", "s", 1),
    ]


# Budget and end


@pytest.mark.parametrize("width", [1, 2, 4, 50])
@pytest.mark.parametrize("budget", range(1, 9))
def test_the_budget_is_kept_exactly_and_dead_links_cost_nothing(budget: int, width: int) -> None:
    stop, visits = crawled(TREE, window("s", budget=budget, width=width))
    assert stop is Stop.BUDGET and len(pages(visits)) == budget


def test_a_budget_of_exactly_all_pages_is_spent() -> None:
    assert crawled(TREE, window("s", budget=9))[0] is Stop.BUDGET
    assert crawled(TREE, window("s", budget=10))[0] is Stop.EXHAUSTED


def test_an_exhausted_crawl_has_seen_everything() -> None:
    stop, visits = crawled(TREE, window("s", budget=100, width=3))
    assert stop is Stop.EXHAUSTED
    assert sorted(pages(visits)) == list("abcdefghs")
    assert [visit.step for visit in visits] == list(range(1, len(visits) + 1))


def test_dead_seeds_are_an_end() -> None:
    stop, (visit,) = crawled(TREE, window("nowhere", budget=5))
    assert stop is Stop.EXHAUSTED and visit.outcome == Failure("nowhere", Why.GONE)


def test_failures_are_observed_like_pages() -> None:
    strategy = Watched(BreadthFirst())
    _, visits = crawled(TREE, window("s", budget=100, strategy=strategy))
    assert strategy.observed[1:] == visits
    (dead,) = [visit for visit in visits if visit.link.target == "dead"]
    assert dead.outcome == Failure("dead", Why.GONE) and dead.relevance == 0.0


def test_relevance_is_of_the_page() -> None:
    _, visits = crawled(TREE, window("s", budget=2, relevance=lambda page: {"s": 0.25, "a": 0.75}[page.url]))
    assert [visit.relevance for visit in visits] == [0.25, 0.75]


# Redirects


def test_a_page_reached_twice_counts_once() -> None:
    _, visits = crawled(TREE, window("s", budget=100))
    (detour,) = [visit for visit in visits if visit.link.target == "old-c"]
    assert detour.outcome == Failure("old-c", Why.DUPLICATE, "c")
    assert pages(visits).count("c") == 1


@pytest.mark.parametrize("width", [1, 2, 3])
def test_two_ways_to_a_page_in_flight_at_once(width: int) -> None:
    web = SmallWeb({"s": "x y p q", "p": "", "q": ""}, moved={"x": "p", "y": "p"})
    stop, visits = crawled(web, window("s", budget=3, width=width))
    assert stop is Stop.BUDGET and pages(visits) == ["s", "p", "q"]
    assert visits[2].outcome == Failure("y", Why.DUPLICATE, "p")


# Width and order


@pytest.mark.parametrize("width", [1, 2, 5])
def test_the_width_is_kept_and_used(width: int) -> None:
    web = LateWeb(RememberedWeb(200), Random(1))
    crawled(web, RememberedWeb(200).window("bfs", budget=60, width=width))
    assert web.most_at_once == width


@pytest.mark.parametrize("width", [1, 3, 8])
def test_closed_webs_answer_in_the_order_asked(width: int) -> None:
    strategy = Watched(BreadthFirst())
    web = RememberedWeb(200)
    start = Window(strategy, web.seeds, relevance=TopicalRelevance(web.topic), budget=80, width=width)
    _, visits = crawled(web, start)
    assert targets(visits) == " ".join(strategy.named)


def test_no_more_is_asked_of_the_web_than_the_budget_needs() -> None:
    web = LateWeb(SmallWeb({"s": "a b c d e f", **dict.fromkeys("abcdef", "")}), Random(0))
    crawled(web, window("s", budget=3, width=4))
    assert sorted(web.asked) == ["a", "b", "s"]


def test_late_outcomes_are_observed_as_they_come() -> None:
    web = LateWeb(RememberedWeb(300), Random(2))
    _, visits = crawled(web, RememberedWeb(300).window("bfs", budget=80, width=4))
    assert sorted(web.answered) == sorted(visit.link.target for visit in visits)
    assert targets(visits).split() != web.asked
    late = [abs(web.answered.index(visit.link.target) - n) for n, visit in enumerate(visits)]
    assert max(late) < 4  # only what came at the same time may change places


# Stopping


def stop_after(count: int, web: Web, start: Window) -> tuple[Stop, list[Visit]]:
    async def run() -> tuple[Stop, list[Visit]]:
        stop, visits = asyncio.Event(), list[Visit]()

        def record(visit: Visit) -> None:
            visits.append(visit)
            if len(visits) == count:
                stop.set()

        return await crawl(web, start, record=record, stop=stop), visits

    return asyncio.run(run())


@pytest.mark.parametrize("late", [False, True])
def test_stopping_finishes_what_is_in_flight(late: bool) -> None:
    remembered = RememberedWeb(200)
    web = LateWeb(remembered, Random(3)) if late else remembered
    start = remembered.window("bfs", budget=100, width=4)
    stop, visits = stop_after(10, web, start)
    assert stop is Stop.INTERRUPTED
    assert len(visits) == 13 and not start.in_flight  # three were in flight beside the tenth


def test_a_crawl_that_is_stopped_at_its_last_page_is_done() -> None:
    stop, visits = stop_after(2, TREE, window("s", budget=2))
    assert stop is Stop.BUDGET and len(visits) == 2


def test_a_crawl_may_be_stopped_before_it_begins() -> None:
    async def run() -> Stop:
        stop = asyncio.Event()
        stop.set()
        return await crawl(TREE, window("s", budget=5), record=lambda visit: None, stop=stop)

    assert asyncio.run(run()) is Stop.INTERRUPTED


class FullDisk(Exception):
    pass


def test_what_goes_wrong_in_writing_is_raised_as_itself() -> None:
    def record(visit: Visit) -> None:
        if visit.step == 3:
            raise FullDisk

    web = LateWeb(TREE, Random(0))
    with pytest.raises(FullDisk):
        asyncio.run(crawl(web, window("s", budget=9, width=3), record=record))


def test_what_goes_wrong_in_a_web_is_raised_as_itself() -> None:
    class Broken:
        async def fetch(self, url: str) -> Page | Failure:
            raise FullDisk

    with pytest.raises(FullDisk):
        asyncio.run(crawl(Broken(), window("s", budget=9), record=lambda visit: None))


# Going on


@pytest.mark.parametrize("width", [1, 4])
def test_an_interrupted_crawl_goes_on_to_the_same_end(width: int) -> None:
    web = RememberedWeb(200)
    whole = crawled(web, web.window("bfs", budget=40, width=width))
    for count in (1, 7, 20):
        _, first = stop_after(count, web, web.window("bfs", budget=40, width=width))
        again = web.window("bfs", budget=40, width=width)
        assert folded(again, as_past(first, budget=40)) == first
        stop, rest = crawled(web, again)
        assert (stop, first + rest) == whole


@pytest.mark.slow
def test_a_late_crawl_is_resumed_to_the_very_state_in_which_it_was_left() -> None:
    """Left at any visit, with outcomes in any order: what is in flight and what comes next are the same."""
    web = RememberedWeb(300)

    def left_at(count: int) -> tuple[Window, list[Visit]]:
        visits: list[Visit] = []

        def record(visit: Visit) -> None:
            visits.append(visit)
            if len(visits) == count:
                raise FullDisk

        start = web.window("best-first", budget=50, width=4)
        with pytest.raises(FullDisk):
            asyncio.run(crawl(LateWeb(web, Random(5)), start, record=record))
        return start, visits

    for count in range(1, 50):
        left, visits = left_at(count)
        resumed = web.window("best-first", budget=50, width=4)
        folded(resumed, as_past(visits, budget=50))
        assert list(resumed.in_flight.items()) == list(left.in_flight.items())
        assert (resumed.step, resumed.pages) == (left.step, left.pages) == (count, len(pages(visits)))
        assert crawled(web, resumed) == crawled(web, left)


@pytest.mark.parametrize("width", [1, 4])
def test_a_log_that_does_not_follow_is_refused(width: int) -> None:
    web = RememberedWeb(200)
    _, visits = crawled(web, web.window("bfs", budget=30, width=width))
    past = as_past(visits, budget=30)
    stranger = [*past[:9], past[9]._replace(url="http://elsewhere.example/"), *past[10:]]
    with pytest.raises(InvalidRun, match=r"visit 10 of the log, to http://elsewhere\.example/, does"):
        folded(web.window("bfs", budget=30, width=width), stranger)
    with pytest.raises(InvalidRun, match="visit 4 of the log"):
        folded(web.window("bfs", budget=30, width=width), [*past[:3], past[0]])


def test_the_log_of_another_strategy_is_refused() -> None:
    web = RememberedWeb(200)
    _, visits = crawled(web, web.window("bfs", budget=30, width=1))
    with pytest.raises(InvalidRun, match="use another --out"):
        folded(web.window("best-first", budget=30, width=1), as_past(visits, budget=30))


@pytest.mark.parametrize("width", [1, 4])
def test_a_raised_budget_is_replayed_as_it_was(width: int) -> None:
    """The log of a crawl that was extended says which budget counted when: near an end the window narrows."""
    web = RememberedWeb(300)
    past: Past = []
    for budget in (10, 17, 40):
        start = web.window("bfs", budget=10, width=width)
        folded(start, past)
        start.budget = budget
        stop, visits = crawled(web, start)
        assert stop is Stop.BUDGET and start.pages == budget
        past += as_past(visits, budget=budget)
    again = web.window("bfs", budget=10, width=width)
    folded(again, past)
    assert again.pages == 40 and not again.in_flight


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_a_budget_lowered_below_what_is_in_flight_is_kept(budget: int) -> None:
    _, visits = crawled(TREE, window("s", budget=9, width=4))
    resumed = window("s", budget=9, width=4)
    folded(resumed, as_past(visits[:2], budget=9))
    resumed.budget = budget
    assert crawled(TREE, resumed)[0] is Stop.BUDGET
    assert resumed.pages == max(2, budget)
