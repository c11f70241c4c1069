"""What each rival does: every rule of its algorithm shown happening."""

from collections.abc import Callable, Sequence
from math import exp
from random import Random

import numpy as np
import pytest
from helpers.fakes import RememberedWeb, SmallWeb, crawled, targets
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fcwseo.crawling.engine import SEEDS, Window
from fcwseo.crawling.metrics import harvest_area
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.threshold import SeedLevel
from fcwseo.strategies import RE_DERIVED, STRATEGIES, Factory
from fcwseo.strategies.oracle import Oracle
from fcwseo.strategies.protocol import AT_ONCE, Strategy
from fcwseo.strategies.rivals import ache, fcsa, fish, moaco, on_its, shark
from fcwseo.strategies.rivals.logistic import Examples, Model, fit
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 1.0})
FOCUSED = ("best-first", "ops", "fcsa", "on-its", "moaco", "fish", "shark", "ache", "fcwseo")
JUDGE = TopicalRelevance(TOPIC)


class Walk:
    """A strategy driven by hand: each step gives the page of the link that it returned."""

    def __init__(self, strategy: Strategy, seeds: str) -> None:
        self._strategy = strategy
        self._step = 0
        links = tuple(Link(seed, SEEDS) for seed in seeds.split())
        strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=links)))

    def ask(self, n: int = 1) -> list[Link]:
        return list(self._strategy.next(n, AT_ONCE))

    def tell(self, link: Link, relevance: float, *links: tuple[str, str] | str) -> None:
        """A page with these links, each an address, or an address and an anchor."""
        pairs = [(target, "") if isinstance(target, str) else target for target in links]
        page = Page(link.target, links=tuple(Link(there, link.target, anchor) for there, anchor in pairs))
        self._step += 1
        self._strategy.observe(Visit(self._step, link, page, relevance))

    def fail(self, link: Link) -> None:
        self._step += 1
        self._strategy.observe(Visit(self._step, link, Failure(link.target, Why.GONE)))

    def step(self, relevance: float, *links: tuple[str, str] | str) -> str:
        """Follows one link; its address."""
        (link,) = self.ask()
        self.tell(link, relevance, *links)
        return link.target

    def rest(self) -> str:
        """Where the strategy goes if nothing else is found: on pages without links and relevance."""
        names = []
        while links := self.ask():
            names.append(links[0].target)
            self.tell(links[0], 0.0)
        return " ".join(names)


def small_crawl(strategy: Strategy, web: SmallWeb, relevance: dict[str, float]) -> str:
    window = Window(strategy, ["s"], relevance=lambda page: relevance.get(page.url, 0.0), budget=99, width=1)
    return targets(crawled(web, window)[1])


class Certain(Random):
    """Chance that always falls out the same way."""

    def __init__(self, value: float) -> None:
        super().__init__(0)
        self._value = value

    def random(self) -> float:
        return self._value


def test_what_is_re_derived_is_there() -> None:
    assert STRATEGIES.keys() >= RE_DERIVED


# Optimal priority search


def test_ops_takes_the_best_anchor_on_the_best_page() -> None:
    walk = Walk(STRATEGIES["ops"](TOPIC, JUDGE, Random(0)), "s t")
    assert walk.step(0.9, ("a", "more"), ("b", "rainstorm")) == "s"
    assert walk.step(0.1, ("c", "more"), ("d", "rainstorm")) == "t"
    assert walk.rest() == "b d a c"


# Simulated annealing


def annealing(chance: float, **parameters: float) -> fcsa.Annealing:
    given = fcsa.FcsaParameters(**{"local": 0.0, **parameters})  # type: ignore[arg-type]
    return fcsa.Annealing(JUDGE, Certain(chance), parameters=given)


def fed(walk: Walk) -> None:
    """Three links, of which the first is the best."""
    walk.step(0.5, ("a", "rainstorm"), ("b", "rainstorm of words that"), ("c", "more"))


class Last(Certain):
    """Draws the last of a pool, the worst."""

    def choice(self, seq: Sequence[int]) -> int:  # type: ignore[override]
        return seq[-1]


def test_fcsa_takes_a_worse_link_while_it_is_hot() -> None:
    hot = fcsa.FcsaParameters(hottest=100.0, local=0.0)
    walk = Walk(fcsa.Annealing(JUDGE, Last(0.5), parameters=hot), "s")
    fed(walk)
    assert walk.rest() == "c b a"  # exp(change / T) is nearly 1, so that even a worse one is accepted


def test_fcsa_rejects_a_worse_link_while_it_is_cold_and_takes_the_best_after_ten() -> None:
    cold = fcsa.FcsaParameters(hottest=1e-3, coldest=1e-9, local=0.0)
    walk = Walk(fcsa.Annealing(JUDGE, Last(0.5), parameters=cold), "s")
    fed(walk)
    assert walk.rest() == "a b c"


def test_fcsa_accepts_by_the_rule_of_metropolis() -> None:
    better, worse = annealing(0.5, hottest=1.0), annealing(0.5, hottest=1.0)
    assert better._is_accepted(0.0)
    assert worse._is_accepted(-0.6) == (exp(-0.6) > 0.5)
    assert not worse._is_accepted(-0.8)  # exp(-0.8) = 0.45


def test_fcsa_cools_down_and_is_heated_again() -> None:
    strategy = annealing(0.5, hottest=1.0, coldest=0.2, cooling=0.5, pages=2)
    walk = Walk(strategy, " ".join("abcdefgh"))
    temperatures = []
    for _ in range(8):
        walk.step(0.5)
        temperatures.append(strategy._temperature)
    assert temperatures == [
        1.0,
        0.5,
        0.5,
        0.25,
        0.25,
        0.5,
        0.5,
        0.25,
    ]  # 0.125 is too cold: half of the hottest


def test_fcsa_prefers_the_current_page_with_chance() -> None:
    """The best link of all is on s; the current page is t."""
    here = fcsa.FcsaParameters(local=1.0, hottest=100.0)
    walk = Walk(fcsa.Annealing(JUDGE, Certain(0.5), parameters=here), "s t")
    walk.step(0.9, ("a", "rainstorm"), ("b", "rainstorm"))
    walk.step(0.1, ("c", "flood"))
    assert walk.step(0.0) == "c"


def test_a_dead_host_is_one_of_which_much_was_seen_and_little_was_relevant() -> None:
    hosts = fcsa.HostMemory(few=3)
    for _ in range(3):
        hosts.add("good.org", 0.9)
    for count in range(3):
        assert not hosts.is_dead("bad.org"), count
        hosts.add("bad.org", 0.1)
    assert hosts.is_dead("bad.org")
    assert not hosts.is_dead("good.org")


def test_a_crowded_host_had_too_large_a_part_of_the_last_visits() -> None:
    hosts = fcsa.HostMemory(few=3, share=0.3, last=10)
    for name in "abcdefgh":
        hosts.add(name, 0.5)
    for _ in range(5):
        hosts.add("a", 0.5)
    assert hosts.is_crowded("a")
    for name in "bcdefghij":
        hosts.add(name, 0.5)
    assert not hosts.is_crowded("a")  # that is long ago


def test_a_host_among_few_is_not_crowded() -> None:
    hosts = fcsa.HostMemory(few=3)
    for _ in range(50):
        hosts.add("a", 0.5)
    assert not hosts.is_crowded("a")


def test_fcsa_leaves_the_links_to_a_dead_host_for_the_end() -> None:
    strategy = annealing(0.5, hottest=1e-3, coldest=1e-9)
    strategy._hosts = fcsa.HostMemory(few=2)
    walk = Walk(strategy, "http://bad.org/1 http://bad.org/2 http://good.org/1")
    walk.step(0.0)
    walk.step(0.0)
    walk.step(0.9, ("http://bad.org/3", "rainstorm"), ("http://good.org/2", "more"))
    assert walk.rest() == "http://good.org/2 http://bad.org/3"


def test_fcsa_passes_over_a_dead_host_on_the_current_page_too() -> None:
    strategy = annealing(0.5, local=1.0, hottest=1e9, pool=1)
    strategy._hosts = fcsa.HostMemory(few=2)
    walk = Walk(strategy, "http://bad.org/1 http://bad.org/2 http://s.org/ http://t.org/")
    walk.step(0.0)
    walk.step(0.0)
    walk.step(0.9, ("http://best.org/", "rainstorm"))
    walk.step(0.1, ("http://bad.org/3", "rainstorm"), ("http://good.org/", "more"))
    assert walk.step(0.0) == "http://good.org/"


def test_fcsa_takes_the_best_if_all_would_be_skipped() -> None:
    strategy = annealing(0.5)
    strategy._hosts = fcsa.HostMemory(few=2)
    walk = Walk(strategy, "http://bad.org/1 http://bad.org/2 http://good.org/1")
    walk.step(0.0)
    walk.step(0.0)
    walk.step(0.9, ("http://bad.org/3", "more"), ("http://bad.org/4", "rainstorm"))
    assert walk.rest() == "http://bad.org/4 http://bad.org/3"


# Tabu search


def tabu(chance: float = 0.0, **parameters: float) -> on_its.TabuSearch:
    given = on_its.OnItsParameters(**{"tenure": 20, **parameters})  # type: ignore[arg-type]
    return on_its.TabuSearch(JUDGE, Certain(chance), parameters=given)


NEWS = [("http://a.org/news/1", "rainstorm"), ("http://a.org/news/2", "rainstorm")]
BLOG = [("http://a.org/blog/1", "more")]


def test_on_its_turns_from_the_corner_it_came_from() -> None:
    walk = Walk(tabu(), "http://s.org/")
    walk.step(0.5, *NEWS, *BLOG)
    assert walk.rest() == "http://a.org/news/1 http://a.org/blog/1 http://a.org/news/2"


def test_on_its_forgets_what_was_tabu_long_ago() -> None:
    walk = Walk(tabu(tenure=1), "http://s.org/")
    walk.step(0.5, *NEWS, *BLOG, ("http://a.org/blog/2", "more"))
    assert walk.rest().split() == [NEWS[0][0], BLOG[0][0], NEWS[1][0], "http://a.org/blog/2"]


def test_on_its_goes_to_a_tabu_corner_for_the_best_link_so_far() -> None:
    """Aspiration: the better link of the same corner is better than all that was followed."""
    walk = Walk(tabu(), "http://s.org/")
    walk.step(0.5, ("http://a.org/news/1", "flood of many"), *BLOG)
    assert walk.step(0.9, ("http://a.org/news/2", "rainstorm flood")) == "http://a.org/news/1"
    assert walk.rest() == "http://a.org/news/2 http://a.org/blog/1"


def test_on_its_releases_the_oldest_where_all_is_tabu() -> None:
    strategy = tabu()
    walk = Walk(strategy, "http://s.org/")
    walk.step(0.5, *NEWS, *BLOG, ("http://a.org/blog/2", "more"))
    walk.step(0.0)
    walk.step(0.0)
    assert list(strategy._tabu) == [("a.org", "news"), ("a.org", "blog")]
    assert walk.step(0.0) == NEWS[1][0]
    assert list(strategy._tabu) == [("a.org", "blog"), ("a.org", "news")]


def test_on_its_does_not_always_take_the_best() -> None:
    walk = Walk(tabu(0.999), "http://s.org/")  # beyond the chance of the best: drawn, and by this the last
    walk.step(0.5, *NEWS, *BLOG)
    assert walk.step(0.0) == BLOG[0][0]


# Ants


def colony(chance: float = 0.0, **parameters: float) -> moaco.AntColony:
    given = moaco.MoacoParameters(**{"ants": 1, **parameters})  # type: ignore[arg-type]
    return moaco.AntColony(JUDGE, Certain(chance), parameters=given)


def test_an_ant_walks_on_from_the_page_it_reached() -> None:
    walk = Walk(colony(), "s")
    walk.step(0.5, ("a", "rainstorm"), ("b", "flood"))
    assert walk.step(0.5, ("c", "more")) == "a"
    assert walk.step(0.5) == "c"  # though b is better: but it is on another page
    assert walk.step(0.5) == "b"  # c leads nowhere: the ant begins again


def test_an_ant_restarts_where_no_link_is_good_enough() -> None:
    walk = Walk(colony(good=1), "s")
    walk.step(0.5, ("a", "rainstorm"), ("b", "flood"))
    assert walk.step(0.5, ("c", "more")) == "a"
    assert walk.step(0.5) == "b"


def test_an_ant_that_finds_no_page_stays_where_it_is() -> None:
    strategy = colony()
    walk = Walk(strategy, "s")
    walk.step(0.5, ("a", "rainstorm"), ("b", "more"))
    (link,) = walk.ask()
    assert link.target == "a"
    walk.fail(link)
    assert list(strategy._ants) == [strategy._priorities.frontier.number("s")]
    assert walk.step(0.0) == "b"


def test_pheromone_evaporates_and_is_bounded() -> None:
    pheromone = moaco.Pheromone()
    pheromone.deposit(0, 100.0)
    assert pheromone.at([0]) == [10.0]
    pheromone.evaporate(0.1)
    assert pheromone.at([0, 1]).tolist() == [9.0, 1.0]  # nothing was known of the second before
    for _ in range(100):
        pheromone.evaporate(0.1)
    assert pheromone.at([0, 1]) == pytest.approx([0.1, 0.1])


def test_the_best_pages_of_a_round_leave_pheromone_on_their_host_and_on_the_page_before() -> None:
    strategy = colony(ants=2)
    walk = Walk(strategy, "http://s.org/")
    walk.step(0.8, ("http://good.org/", "rainstorm"), ("http://bad.org/", "rainstorm"), ("http://x.org/", ""))
    links = walk.ask(2)
    assert sorted(link.target for link in links) == ["http://bad.org/", "http://good.org/"]
    for link in links:
        walk.tell(link, 0.8 if "good" in link.target else 0.2)
    number = strategy._priorities.frontier.number
    good, bad = (strategy._host(number(f"http://{name}.org/")) for name in ("good", "bad"))
    assert strategy._on_hosts.at([good, bad]) == pytest.approx([1.9, 0.9])  # the good one dominates the other
    assert strategy._on_pages.at([number("http://s.org/")]) == pytest.approx([1.9])


def test_pheromone_draws_ants_to_a_host() -> None:
    strategy = colony()
    walk = Walk(strategy, "http://s.org/")
    walk.step(0.5, ("http://a.org/", "rainstorm"), ("http://b.org/", "rainstorm"))
    strategy._on_hosts.deposit(strategy._host(strategy._priorities.frontier.number("http://b.org/")), 5.0)
    assert walk.step(0.0) == "http://b.org/"


def test_a_single_ant_is_sent_once_at_a_time() -> None:
    walk = Walk(colony(), "s")
    walk.step(0.5, "a", "b", "c")
    assert len(walk.ask(3)) == 1
    assert walk.ask(3) == []


# Fish and sharks


def test_a_page_is_relevant_by_the_median_of_the_seeds() -> None:
    level = SeedLevel(0.5)
    for step, relevance in enumerate((0.1, 0.6, 0.8)):
        level.observe(Visit(step, Link("s", "", depth=0), Page("s"), relevance))
    level.observe(Visit(9, Link("a", "", depth=1), Page("a"), 0.0))
    assert level.is_relevant(0.3)
    assert not level.is_relevant(0.29)


def test_nothing_is_relevant_to_no_extent() -> None:
    assert not SeedLevel(0.5).is_relevant(0.0)


def school(**parameters: float) -> fish.FishSearch:
    return fish.FishSearch(parameters=fish.FishParameters(**parameters))  # type: ignore[arg-type]


def test_fish_follow_the_first_links_of_relevant_pages_first() -> None:
    walk = Walk(school(width=2), "s t")
    walk.step(0.9, "a", "b", "c", "d")  # 1.5 times the width come first
    walk.step(0.1, "e", "f", "g")  # half of the seeds' median is 0.5: irrelevant, so the width
    assert walk.rest() == "a b c e f d g"


def test_fish_die_out_without_food_and_are_only_taken_in_the_end() -> None:
    """Without a width all live links are equal: only the depth distinguishes them."""
    web = SmallWeb({"s": "a q", "a": "b", "b": "c", "c": "", "q": "r", "r": "t", "t": ""})
    assert small_crawl(school(depth=2, width=0), web, {"s": 1.0, "r": 1.0}) == "s a q b r t c"
    assert small_crawl(school(depth=3, width=0), web, {"s": 1.0, "r": 1.0}) == "s a q b r c t"


def test_a_fish_found_again_keeps_the_best() -> None:
    walk = Walk(school(width=1), "s t u")
    walk.step(0.9, "a", "z")  # of s the first link is fed, z is not
    walk.step(0.9, "z")
    walk.step(0.0, "z", "a")
    assert walk.rest() == "a z"


def sharks(**parameters: float) -> shark.SharkSearch:
    return shark.SharkSearch(JUDGE, parameters=shark.SharkParameters(**parameters))  # type: ignore[arg-type]


def test_sharks_inherit_half_of_a_relevant_page_and_of_what_another_inherited() -> None:
    strategy = sharks(inherited=1.0, depth=9)
    walk = Walk(strategy, "s")
    walk.step(0.8, "a", "b")
    assert walk.step(0.1, "c") == "a"
    assert walk.step(0.6, "d") == "b"
    number = strategy._frontier.number
    inherited = [strategy._inherited[number(name)] for name in "abcd"]
    assert inherited == pytest.approx([0.5, 0.5, 0.25, 0.375])
    assert walk.rest() == "d c"


def test_sharks_smell_the_anchor_and_else_the_text_around_it() -> None:
    strategy = sharks(inherited=0.0)
    walk = Walk(strategy, "s")
    (seed,) = walk.ask()
    links = (
        Link("none", "s", "more", "of this and that"),
        Link("around", "s", "more", "of the rainstorm"),
        Link("anchor", "s", "rainstorm", "of this and that"),
    )
    strategy.observe(Visit(1, seed, Page("s", links=links), 0.5))
    potentials = [strategy._ranking.value(strategy._frontier.number(link.target)) for link in links]
    assert potentials == pytest.approx(
        [0.0, 0.2, 1.0]
    )  # an anchor that says something stands for its context
    assert walk.rest() == "anchor around none"


def test_sharks_die_out_as_fish_do() -> None:
    web = SmallWeb({"s": "a q", "a": "b", "b": "c", "c": "", "q": "r", "r": "t", "t": ""})
    assert small_crawl(sharks(depth=2, inherited=0.0), web, {"s": 1.0, "r": 1.0}) == "s a q b r t c"
    assert small_crawl(sharks(depth=3, inherited=0.0), web, {"s": 1.0, "r": 1.0}) == "s a q b r c t"


# The link classifier


@given(st.lists(st.sets(st.integers(0, 5)), min_size=2, max_size=9), st.randoms(use_true_random=False))
def test_the_weights_have_no_slope(sets: list[set[int]], rng: Random) -> None:
    """At the best weights the derivative of the likelihood is what draws them to 0."""
    labels = np.array([True, False, *(rng.random() < 0.5 for _ in sets[2:])])
    matrix = np.array([[float(feature in found) for feature in range(6)] for found in sets])
    rows, features = np.nonzero(matrix)
    model = fit(Examples(rows, features, len(sets)), labels, size=6, strength=0.5)
    chance = 1 / (1 + np.exp(-(model.level + matrix @ model.weights)))
    assert matrix.T @ (labels - chance) == pytest.approx(0.5 * model.weights, abs=1e-4)


Field = Callable[[str, str, str], Link]
FIELDS: dict[str, Field] = {
    "address": lambda name, word, source: Link(f"http://a.org/{word}/{name}", source),
    "anchor": lambda name, word, source: Link(f"http://a.org/{name}", source, word),
    "context": lambda name, word, source: Link(
        f"http://a.org/{name}", source, "go", f"here you go to {word}"
    ),
}


def taught(strategy: Strategy, field: Field) -> Walk:
    """Links with one word led to relevant pages, links with another did not; x and y are not followed yet."""
    walk = Walk(strategy, "s t")
    hub, other = walk.ask(2)
    words = ["zebra", "apple"] * 4
    links = [field(f"p{place}", word, "s") for place, word in enumerate(words)]
    strategy.observe(Visit(1, hub, Page("s", links=tuple(links)), 0.9))
    for step in range(8):
        (link,) = walk.ask()
        relevance = 0.9 if words[int(link.target[-1])] == "zebra" else 0.1
        strategy.observe(Visit(step + 2, link, Page(link.target), relevance))
    last = Page("t", links=(field("x", "apple", "t"), field("y", "zebra", "t")))
    strategy.observe(Visit(10, other, last, 0.9))
    return walk


@pytest.mark.parametrize("field", FIELDS)
def test_ache_learns_which_words_pay_off(field: str) -> None:
    parameters = ache.AcheParameters(first=9)
    walk = taught(ache.LinkClassifier(JUDGE, parameters=parameters), FIELDS[field])
    assert [link.target[-1] for link in walk.ask(2)] == ["y", "x"]


def test_ache_has_no_classifier_before_training() -> None:
    walk = taught(ache.LinkClassifier(JUDGE, parameters=ache.AcheParameters(first=99)), FIELDS["anchor"])
    assert [link.target[-1] for link in walk.ask(2)] == ["x", "y"]


def test_ache_begins_with_the_best_page_and_anchor() -> None:
    walk = Walk(STRATEGIES["ache"](TOPIC, JUDGE, Random(0)), "s t")
    walk.step(0.9, ("a", "more"), ("b", "rainstorm"))
    walk.step(0.1, ("c", "more"), ("d", "rainstorm"))
    assert walk.rest() == "b d a c"


def test_ache_learns_from_no_more_negatives_than_positives(monkeypatch: pytest.MonkeyPatch) -> None:
    learnt: list[list[bool]] = []

    def remembering(examples: Examples, labels: NDArray[np.bool_], *, size: int, strength: float) -> Model:
        learnt.append(labels.tolist())
        return fit(examples, labels, size=size, strength=strength)

    monkeypatch.setattr(ache, "fit", remembering)
    walk = Walk(ache.LinkClassifier(JUDGE, parameters=ache.AcheParameters(first=8)), "s")
    walk.step(0.9, *"abcdefg")
    for _ in range(2):
        walk.step(0.9)
    for _ in range(5):
        walk.step(0.0)
    assert learnt == [[True, True, False, False]]


def test_ache_learns_again_as_pages_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[int] = []
    strategy = ache.LinkClassifier(JUDGE, parameters=ache.AcheParameters(first=10, growth=1.2))

    def remembering(examples: Examples, labels: NDArray[np.bool_], *, size: int, strength: float) -> Model:
        pages.append(strategy._pages)
        return fit(examples, labels, size=size, strength=strength)

    monkeypatch.setattr(ache, "fit", remembering)
    walk = Walk(strategy, "s")
    walk.step(0.9, *(f"p{n}" for n in range(40)))
    for n in range(29):
        walk.step(0.9 * (n % 2))
    assert pages == [10, 13, 16, 20, 25]


def test_ache_does_not_learn_without_examples_of_both_classes() -> None:
    strategy = ache.LinkClassifier(JUDGE, parameters=ache.AcheParameters(first=2))
    walk = Walk(strategy, "s")
    walk.step(0.9, *"abc")
    walk.step(0.9)
    walk.step(0.9)
    assert strategy._model is None
    walk.step(0.0)
    assert strategy._model is not None


# The oracle


def test_the_oracle_follows_what_is_relevant_and_then_what_is_best_known() -> None:
    walk = Walk(Oracle(lambda url: url in ("c", "e"), JUDGE), "s")
    walk.step(0.5, ("a", "more"), ("b", "rainstorm"), ("c", "more"))
    assert walk.step(0.0, ("d", ""), ("e", "")) == "c"
    assert walk.rest().split()[:2] == ["e", "b"]  # and then the best anchor


@pytest.fixture(scope="module")
def areas() -> dict[str, float]:
    """The harvest areas of strategies on a generated web, judged by its labels."""
    web = RememberedWeb(600)

    def judge(url: str) -> bool:
        return "rainstorm" in web.web.labels(web.web.resolve(url) or url)

    def area(make: Factory) -> float:
        relevance = TopicalRelevance(web.topic)
        strategy = make(web.topic, relevance, Random(0))
        window = Window(strategy, web.seeds, relevance=relevance, budget=60, width=1)
        pages = [visit.outcome for visit in crawled(web, window)[1]]
        return harvest_area([judge(page.url) for page in pages if isinstance(page, Page)], budget=60)

    found = {name: area(STRATEGIES[name]) for name in ("bfs", *FOCUSED)}
    return found | {"oracle": area(lambda topic, relevance, rng: Oracle(judge, relevance))}


def test_the_oracle_is_never_beaten_by_more_than_noise(areas: dict[str, float]) -> None:
    assert max(areas.values()) <= areas["oracle"] + 0.01


@pytest.mark.parametrize("name", FOCUSED)
def test_every_rival_finds_more_than_breadth_first(areas: dict[str, float], name: str) -> None:
    assert areas[name] > areas["bfs"]
