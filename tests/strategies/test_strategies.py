"""What every strategy keeps to, and what each of them does."""

import os
import subprocess
import sys
from collections.abc import Sequence
from random import Random

import pytest
from helpers.fakes import (
    EVERY,
    KINDS,
    OF_EACH_SORT,
    TESTED,
    RememberedWeb,
    SmallWeb,
    as_past,
    crawled,
    folded,
    targets,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.crawling.engine import SEEDS, Stop, Window
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies.best_first import BestFirst
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.protocol import AT_ONCE, Strategy, Turns
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0})
every_strategy = pytest.mark.parametrize("name", EVERY)
RIVALS = ["ops", "fcsa", "on-its", "moaco", "fish", "shark", "ache"]
narrow_and_wide = pytest.mark.parametrize("width", [1, 4])


@pytest.fixture(scope="module")
def web() -> RememberedWeb:
    return RememberedWeb(400)


def visits_of(web: RememberedWeb, name: str, *, budget: int, width: int, seed: int = 0) -> list[Visit]:
    return crawled(web, web.window(name, budget=budget, width=width, seed=seed))[1]


# The contract


@every_strategy
@narrow_and_wide
@pytest.mark.parametrize("budget", [1, 2, 37, 150])
def test_the_budget_is_kept_exactly(web: RememberedWeb, name: str, width: int, budget: int) -> None:
    stop, visits = crawled(web, web.window(name, budget=budget, width=width))
    assert stop is Stop.BUDGET
    assert sum(isinstance(visit.outcome, Page) for visit in visits) == budget


@pytest.mark.slow
@every_strategy
@narrow_and_wide
def test_nothing_is_followed_twice(web: RememberedWeb, name: str, width: int) -> None:
    visits = visits_of(web, name, budget=300, width=width)
    followed = [visit.link.target for visit in visits]
    assert len(set(followed)) == len(followed)
    reached = [visit.outcome.url for visit in visits if isinstance(visit.outcome, Page)]
    assert len(set(reached)) == len(reached)


@every_strategy
def test_nothing_is_followed_that_a_redirect_led_to(name: str) -> None:
    """A web in which every page may be reached by a detour as well."""
    rng = Random(3)
    straight = [f"http://p{n}.example/" for n in range(60)]
    detours = {f"http://p{n}.example/old": url for n, url in enumerate(straight)}
    web = SmallWeb({url: " ".join(rng.sample([*straight, *detours], 6)) for url in straight}, moved=detours)
    strategy = TESTED[name](TOPIC, TopicalRelevance(TOPIC), Random(0))
    window = Window(strategy, straight[:1], relevance=lambda page: rng.random(), budget=40, width=1)
    reached: set[str] = set()
    by_detour = 0
    for visit in crawled(web, window)[1]:
        assert visit.link.target not in reached
        if isinstance(visit.outcome, Page):
            reached.add(visit.outcome.url)
            by_detour += visit.link.target in detours
    assert by_detour > 5  # else this shows nothing


@every_strategy
@narrow_and_wide
def test_only_links_that_were_observed_are_followed(web: RememberedWeb, name: str, width: int) -> None:
    known: dict[str, set[str]] = {SEEDS: set(web.seeds)}
    depths = {SEEDS: -1}
    for visit in visits_of(web, name, budget=200, width=width):
        link = visit.link
        assert link.target in known[link.source]
        assert link.depth == depths[link.source] + 1
        if isinstance(visit.outcome, Page):
            known[visit.outcome.url] = {there.target for there in visit.outcome.links}
            depths[visit.outcome.url] = link.depth


@every_strategy
@narrow_and_wide
def test_the_same_seed_gives_the_same_crawl(web: RememberedWeb, name: str, width: int) -> None:
    once = visits_of(web, name, budget=120, width=width, seed=5)
    assert visits_of(web, name, budget=120, width=width, seed=5) == once


PROGRAM = """
import sys
from helpers.fakes import KINDS, RememberedWeb, crawled, targets
web = RememberedWeb(400)
for name in KINDS:
    print(name, targets(crawled(web, web.window(name, budget=120, width=int(sys.argv[1])))[1]))
"""


@pytest.mark.slow
@narrow_and_wide
def test_the_same_crawl_in_another_process(width: int) -> None:
    """Strings hash to something else there, so sets of them are walked in another order."""
    outputs = []
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(width)]
        outputs.append(
            subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        )
    assert outputs[0] == outputs[1]
    assert [line.split()[0] for line in outputs[0].splitlines()] == KINDS


@pytest.mark.slow
@every_strategy
@narrow_and_wide
def test_a_crawl_left_at_any_visit_goes_on_the_same_way(web: RememberedWeb, name: str, width: int) -> None:
    """Strategies outside ``OF_EACH_SORT`` are left at ten visits only: each is replayed from the start."""
    stop, whole = crawled(web, web.window(name, budget=40, width=width))
    assert any(isinstance(visit.outcome, Failure) for visit in whole)
    visits = len(whole) + 1
    for count in range(visits) if name in OF_EACH_SORT else sorted(Random(0).sample(range(visits), 10)):
        window = web.window(name, budget=40, width=width)
        assert folded(window, as_past(whole[:count], budget=40)) == whole[:count]
        assert crawled(web, window) == (stop, whole[count:])


class RandomTurns:
    """Turns of hosts that have to wait or not, by chance."""

    turn = 1.0

    def __init__(self, rng: Random) -> None:
        self._waits: dict[str, float] = {}
        self._rng = rng
        self.pages_left = rng.choice([None, 5])
        self.seconds_left = rng.choice([None, 9.0])

    def wait(self, host: str) -> float:
        return self._waits.setdefault(host, self._rng.choice([0.0, 0.7]))


class Driven:
    """A strategy on a random graph, asked for random numbers of links, its answers held to the contract."""

    def __init__(self, strategy: Strategy, graph: dict[int, list[int]], rng: Random) -> None:
        self._strategy, self._graph, self._rng = strategy, graph, rng
        self._open: list[Link] = []
        self.named: list[str] = []
        self._steps = 0
        seeds = tuple(Link(str(seed), SEEDS) for seed in list(graph)[:2])
        strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=seeds)))

    def ask(self, turns: Turns, *, at_least: int = 0) -> Sequence[Link]:
        wanted = self._rng.randint(at_least, 5)
        links = self._strategy.next(wanted, turns)
        assert len(links) <= wanted
        assert not {link.target for link in links} & set(self.named)
        assert len({link.target for link in links}) == len(links)
        self.named += [link.target for link in links]
        self._open += links
        return links

    def answer(self) -> None:
        link = self._open.pop(self._rng.randrange(len(self._open)))
        self._steps += 1
        self._strategy.observe(Visit(self._steps, link, self._outcome(link.target), self._rng.random()))

    def _outcome(self, url: str) -> Page | Failure:
        if int(url) not in self._graph:
            return Failure(url, Why.GONE)
        return Page(url, links=tuple(Link(str(there), url) for there in self._graph[int(url)]))

    def run(self) -> None:
        """Until the strategy has nothing to name while nothing is in flight and no host waits."""
        while self._open or self.ask(AT_ONCE, at_least=1):
            self.answer()
            self.ask(RandomTurns(self._rng))


def graphs() -> st.SearchStrategy[dict[int, list[int]]]:
    nodes = st.integers(0, 15)
    return st.dictionaries(nodes, st.lists(nodes, max_size=6), min_size=1, max_size=12)


@pytest.mark.slow
@every_strategy
@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(0, 2**32))
def test_never_more_than_asked_for(name: str, graph: dict[int, list[int]], chance: int) -> None:
    driven = Driven(TESTED[name](TOPIC, TopicalRelevance(TOPIC), Random(chance)), graph, Random(chance))
    driven.run()  # which counts what each call of next gives
    assert len(driven.named) == len(set(driven.named))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["bfs", "best-first", *RIVALS, "fcwseo-paper", "fcwse"])
@settings(max_examples=60, deadline=None)
@given(graphs(), st.integers(0, 2**32))
def test_in_the_end_everything_was_followed(name: str, graph: dict[int, list[int]], chance: int) -> None:
    driven = Driven(TESTED[name](TOPIC, TopicalRelevance(TOPIC), Random(chance)), graph, Random(chance))
    driven.run()
    found = dict.fromkeys(list(graph)[:2])
    for node in (queue := list(found)):
        new = [there for there in graph.get(node, []) if there not in found]
        found |= dict.fromkeys(new)
        queue += dict.fromkeys(new)
    assert sorted(driven.named) == sorted(map(str, found))


# Breadth first


def small_crawl(
    strategy: Strategy, web: SmallWeb, *, relevance: dict[str, float] | None = None, budget: int = 100
) -> str:
    scores = relevance or {}
    window = Window(strategy, ["s"], relevance=lambda page: scores.get(page.url, 0.0), budget=budget, width=1)
    return targets(crawled(web, window)[1])


def test_breadth_first_follows_links_in_the_order_of_their_discovery() -> None:
    web = SmallWeb({"s": "b a", "a": "c d", "b": "e a f", "c": "s g"} | dict.fromkeys("defg", ""))
    assert small_crawl(BreadthFirst(), web) == "s b a e f c d g"


def test_breadth_first_does_not_care_for_relevance() -> None:
    web = SmallWeb({"s": "a b", "a": "c", "b": "d", "c": "", "d": ""})
    assert small_crawl(BreadthFirst(), web, relevance={"b": 1.0}) == "s a b c d"


def test_breadth_first_passes_over_what_a_redirect_reached() -> None:
    web = SmallWeb({"s": "old p q", "p": "", "q": ""}, moved={"old": "p"})
    assert small_crawl(BreadthFirst(), web) == "s old q"


# Best first


def test_best_first_takes_the_links_of_the_better_parent_first() -> None:
    web = SmallWeb({"s": "a b", "a": "c", "b": "d", "c": "", "d": ""})
    assert small_crawl(BestFirst(), web, relevance={"a": 0.2, "b": 0.9, "s": 0.5}) == "s a b d c"
    assert small_crawl(BestFirst(), web, relevance={"a": 0.9, "b": 0.2, "s": 0.5}) == "s a c b d"


def test_best_first_breaks_ties_by_discovery() -> None:
    web = SmallWeb({"s": "b a", "a": "c", "b": "e d"} | dict.fromkeys("cde", ""))
    assert small_crawl(BestFirst(), web, relevance=dict.fromkeys("sabcde", 0.5)) == "s b a e d c"


def test_best_first_raises_a_link_that_a_better_parent_shows_again() -> None:
    """z is found on s first and then again on b, which is better than a: so it overtakes what a links to."""
    web = SmallWeb({"s": "a b z", "a": "c", "b": "z", "c": "", "z": ""})
    scores = {"s": 0.4, "a": 0.5, "b": 0.8}
    assert small_crawl(BestFirst(), web, relevance=scores) == "s a c b z"
    web = SmallWeb({"s": "b y z", "b": "z", "y": "", "z": ""})
    assert small_crawl(BestFirst(), web, relevance=scores) == "s b z y"


def test_best_first_does_not_lower_a_link_that_a_worse_parent_shows_again() -> None:
    web = SmallWeb({"s": "b y z", "b": "z", "y": "", "z": ""})
    assert small_crawl(BestFirst(), web, relevance={"s": 0.8, "b": 0.1}) == "s b y z"


def test_best_first_predicts_the_relevance_of_the_best_parent() -> None:
    web = SmallWeb({"s": "a b z", "a": "", "b": "z", "z": ""})
    scores = {"s": 0.4, "b": 0.8}
    window = Window(BestFirst(), ["s"], relevance=lambda page: scores.get(page.url, 0.0), budget=9, width=1)
    predicted = {visit.link.target: visit.link.predicted for visit in crawled(web, window)[1]}
    assert predicted == {"s": 1.0, "a": 0.4, "b": 0.4, "z": 0.8}


def test_best_first_follows_all_seeds_first() -> None:
    web = SmallWeb({"s": "a", "t": "", "a": ""})
    window = Window(BestFirst(), ["s", "t"], relevance=lambda page: 0.9, budget=9, width=1)
    assert targets(crawled(web, window)[1]) == "s t a"


def test_best_first_finds_more_than_breadth_first() -> None:
    web = RememberedWeb(2000)

    def relevant(name: str) -> int:
        return sum(visit.relevance > 0.3 for visit in visits_of(web, name, budget=200, width=1))

    assert relevant("best-first") > 1.2 * relevant("bfs")
