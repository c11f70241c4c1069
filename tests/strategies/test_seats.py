"""Web space evolution drives FCWSEO: which hosts are served, by bank, pace, radius, fronts and NFCS."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from helpers.by_hand import OTHER, TOPIC, TOPICAL, Crawl, Hosts, page
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.columns import Floats
from fcwseo.crawling.engine import SEEDS
from fcwseo.evolution.fronts import fronts
from fcwseo.evolution.nfcs import nfcs
from fcwseo.evolution.seating import Rule
from fcwseo.links.frontier import Frontier
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.pages.urls import host
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies.explanation import Explanation
from fcwseo.strategies.fcwseo import FcwseoParameters
from fcwseo.strategies.greedy import Greedy
from fcwseo.strategies.protocol import AT_ONCE

NAMES = ("flood", "landslide", "rainstorm", "news")
FILLERS = ("minutes", "town", "museum", "meeting", "treasurer", "secretary", "committee")


def anchor(rng: Random) -> str:
    """Names of the topic among other words: no two are worth the same."""
    return " ".join((*rng.choices(NAMES, k=rng.randint(1, 3)), *rng.choices(FILLERS, k=rng.randint(0, 9))))


class Town(Crawl):
    """Two seeds on two hosts link to thirty other hosts, some with many links, whose anchors differ."""

    def __init__(
        self, *, parameters: FcwseoParameters | None = None, chance: int = 0, hosts: int = 30
    ) -> None:
        super().__init__("http://s.example/", "http://t.example/", parameters=parameters)
        rng = Random(chance)
        self.urls = [
            f"http://h{n}.example/{number}"
            for n in range(hosts)
            for number in range(rng.choice((3, 4, 5, 9)))
        ]
        first, second = self.strategy.next(2, AT_ONCE)
        links = [(url, anchor(rng)) for url in self.urls]
        self.tell(first, page(first.target, TOPICAL, *links))
        self.tell(second, page(second.target, TOPICAL[:3000] + OTHER, *rng.sample(links, len(links) // 2)))

    def told(self) -> dict[str, Explanation]:
        """The explanations of all links that wait."""
        is_open = self.strategy._table.known.frontier.is_open
        waiting = [url for url in self.urls if is_open(self.strategy._table.row(url))]
        found = {url: self.strategy.explain(url) for url in waiting}
        return {url: why for url, why in found.items() if why is not None}

    def best_of_hosts(self) -> list[tuple[str, Explanation]]:
        """The elites, best first."""
        elites = [(url, why) for url, why in self.told().items() if why.seat.is_elite]
        return sorted(elites, key=lambda elite: elite[1].seat.place)

    def serve(self, turns: Hosts, count: int, text: str = OTHER) -> list[Link]:
        """Follow links, one after another, to pages with a text and without links."""
        links = []
        for _ in range(count):
            (link,) = self.strategy.next(1, turns)
            self.tell(link, page(link.target, text))
            links.append(link)
        return links


def targets(links: Sequence[Link]) -> list[str]:
    return [link.target for link in links]


def served(make: Callable[[], Town], turns: Hosts) -> set[str]:
    """The elites of the seats that are served: those taken while all other hosts have to wait."""
    elites = [url for url, _ in make().best_of_hosts()]
    found: set[str] = set()
    for url in elites:
        others = {host(other): 1.0 for other in elites if other != url}
        found.update(targets(make().strategy.next(1, replace(turns, waits=others))))
    return found


# The bank


def test_a_seat_is_held_by_the_best_link_of_its_host() -> None:
    town = Town()
    told = town.told()
    for name in {host(url) for url in told}:
        own = {url: why.value for url, why in told.items() if host(url) == name}
        elites = [url for url in own if told[url].seat.is_elite]
        assert len(elites) == 1 and own[elites[0]] == max(own.values())
    places = [why.seat.place for _, why in town.best_of_hosts()]
    values = [why.value for _, why in town.best_of_hosts()]
    assert places == list(range(1, 31)) and values == sorted(values, reverse=True) and values[0] == 1


def test_a_host_is_asked_for_one_link_at_a_time_and_only_for_its_elite() -> None:
    town = Town(parameters=FcwseoParameters(patience=0.0))
    elites = [url for url, _ in town.best_of_hosts()]
    named = targets(town.strategy.next(32, Hosts()))
    assert len(named) == len({host(url) for url in named}) == 30
    assert set(named) == set(elites)


def test_on_a_web_of_one_host_the_seats_are_its_sections() -> None:
    crawl = Crawl("http://s.example/")
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    urls = [f"http://s.example/{section}/{n}" for section in "abcd" for n in range(3)]
    crawl.tell(seed, page(seed.target, TOPICAL, *((url, "flood") for url in urls)))
    found = [crawl.strategy.explain(url) for url in urls]
    assert {why.seat.size for why in found if why is not None} == {4}
    elsewhere = "http://other.example/a/1"
    (link,) = crawl.strategy.next(1, AT_ONCE)
    crawl.tell(link, page(link.target, TOPICAL, (elsewhere, "flood")))
    why = crawl.strategy.explain(elsewhere)
    assert why is not None and why.seat.size == 5  # as long as all pages are of one host
    while (link := crawl.strategy.next(1, AT_ONCE)[0]).target != elsewhere:
        crawl.tell(link, page(link.target, OTHER))
    crawl.tell(
        link, page(link.target, TOPICAL, ("http://other.example/b/1", "flood"), ("http://s.example/z", ""))
    )
    why = crawl.strategy.explain("http://other.example/b/1")
    assert why is not None and why.seat.size == 2


def test_all_sections_of_a_host_wait_for_it() -> None:
    crawl = Crawl("http://s.example/", parameters=FcwseoParameters(patience=0.0))
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    crawl.tell(seed, page(seed.target, TOPICAL, *((f"http://s.example/{n}/", "flood") for n in range(8))))
    assert len(crawl.strategy.next(8, Hosts())) == 1
    assert crawl.strategy.next(8, Hosts(waits={"s.example": 0.5})) == []


# Radius and patience


def test_only_the_best_link_will_do_for_the_patient() -> None:
    town = Town(parameters=FcwseoParameters(patience=1.0))
    best, _ = town.best_of_hosts()[0]
    assert town.strategy.next(32, Hosts(waits={host(best): 0.7})) == []
    assert targets(town.strategy.next(1, Hosts())) == [best]


@pytest.mark.parametrize("patience", [0.9, 0.8, 0.5, 0.3])
def test_hosts_beyond_the_radius_are_left_alone_however_ready_they_are(patience: float) -> None:
    def make() -> Town:
        return Town(parameters=FcwseoParameters(patience=patience))

    values = {url: why.value for url, why in make().best_of_hosts()}
    seats = sum(value >= 1 - (1 - patience) / (1 + patience) for value in values.values())
    named = served(make, Hosts())
    assert len(named) == seats >= 1
    assert min(values[url] for url in named) >= patience - 1e-9
    by_value = list(values)[: (seats + 1) // 2]
    assert set(by_value) <= named


def test_the_radius_widens_after_a_tenth_of_the_budget_without_a_kept_page_and_narrows_after_one() -> None:
    """The same pages of a crawl with a large and a small budget, then one that is kept."""

    def worst(budget: int, *texts: str) -> float:
        """The smallest value among the served hosts."""
        town = Town(chance=3)
        for text in texts:
            town.serve(Hosts(pages_left=budget - town.step), 1, text)
        links = town.strategy.next(32, Hosts(pages_left=budget - town.step))
        return min(why.value for link in links if (why := town.strategy.explain(link.target)))

    off = [OTHER] * 6
    assert worst(1000, *off) >= 0.8 > worst(30, *off) >= 0.8**3
    assert worst(30, *off, TOPICAL) >= 0.8


def test_full_patience_does_not_end_while_pages_are_not_kept() -> None:
    town = Town(parameters=FcwseoParameters(patience=1.0))
    town.serve(Hosts(pages_left=20), 14)
    best, _ = town.best_of_hosts()[0]
    assert targets(town.strategy.next(32, Hosts(pages_left=20))) == [best]


def test_a_crawl_on_a_closed_web_takes_the_best_link_and_one_that_is_worth_nearly_as_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    town = Town()
    sets: list[int] = []  # sizes of the sets from which fronts chose
    pick = town.strategy._pick

    def watched(points: Floats, count: int, rng: Random) -> list[int]:
        sets.append(len(points))
        return pick(points, count, rng)

    monkeypatch.setattr(town.strategy, "_pick", watched)
    for step in range(20):
        (link,) = town.strategy.next(1, AT_ONCE)
        why = town.strategy.explain(link.target)
        assert why is not None
        if step % 2 == 0:
            assert why.value == 1 and link.rule == Rule.VALUE
        else:
            assert why.value >= 0.95 and (link.rule == Rule.FRONTS or why.value == 1)
        if link.rule == Rule.FRONTS:  # explained by the set that it was chosen from, the best host included
            assert why.seat.front == 1 and why.seat.near == sets.pop() > 1
        town.tell(link, page(link.target, OTHER))
    assert not sets


# Pace


def test_of_two_seats_of_about_equal_value_either_may_be_taken_in_its_turn() -> None:
    """The first link is the best one; the next is chosen by fronts among the two hosts that are left."""
    rules = set()
    for chance in range(6):
        crawl = Crawl("http://s.example/", "http://t.example/", rng=Random(chance))
        urls = [f"http://h{n}.example/" for n in range(3)]
        for link in crawl.strategy.next(2, AT_ONCE):
            crawl.tell(link, page(link.target, TOPICAL, *((url, "flood") for url in urls)))
        named = crawl.strategy.next(3, AT_ONCE)
        rules.add(tuple(link.rule for link in named))
    assert rules == {("value", "fronts", "value")}


def seats_served(town: Town, turns: Hosts) -> int:
    (link,) = town.strategy.next(1, turns)
    assert link.seat is not None
    return link.seat[1]


def test_a_crawl_with_plenty_of_time_takes_only_the_best_link() -> None:
    assert seats_served(Town(), Hosts(pages_left=50, seconds_left=5000.0)) == 1


def test_the_less_time_is_left_the_more_hosts_are_served() -> None:
    served = [
        seats_served(Town(), Hosts(pages_left=50, seconds_left=left)) for left in (60.0, 20.0, 10.0, 1.0)
    ]
    assert served == [1, 3, 6, 30]  # pages left / time left x the 1.2 seconds of a turn, of 30 hosts


def test_slow_pages_make_the_crawl_serve_more_hosts() -> None:
    """Each page takes ten seconds of a seat, where a turn promised one."""
    town, turns = Town(), Hosts(turn=1.0, pages_left=100, seconds_left=200.0)
    assert len(town.strategy.next(1, turns)) == 1
    for _ in range(6):
        assert turns.seconds_left is not None
        turns.seconds_left -= 10.0
        turns.pages_left -= 1
        for link in town.strategy.next(1, turns):
            town.tell(link, page(link.target, OTHER))
    assert seats_served(Town(), turns) == 1 and seats_served(town, turns) > 3


def test_who_gives_too_little_time_is_told_once_how_many_pages_it_allows(
    caplog: pytest.LogCaptureFixture,
) -> None:
    town, turns = Town(), Hosts(pages_left=198, seconds_left=20.0)
    with caplog.at_level(logging.WARNING):
        for _ in range(28):
            for link in town.strategy.next(1, turns):
                town.tell(link, page(link.target, OTHER))
            turns.pages_left = 200 - town.step
            assert turns.seconds_left is not None
            turns.seconds_left -= 0.5
    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "the time is too short for 200 pages"
    ]


def test_who_gives_enough_time_is_told_nothing(caplog: pytest.LogCaptureFixture) -> None:
    town, turns = Town(), Hosts(pages_left=20, seconds_left=20.0)
    for _ in range(20):
        for link in town.strategy.next(1, turns):
            town.tell(link, page(link.target, OTHER))
    assert not caplog.records


# Fronts and NFCS


def expected_seats(town: Town, seats: int, pages: int) -> set[str]:
    """The served elites by the definition, from what each link says of itself."""
    elites = town.best_of_hosts()
    half = -(-seats // 2)
    last = elites[seats - 1][1].value
    others = [(url, why) for url, why in elites[half:] if why.value >= last - 0.05]
    points = np.array(
        [(why.value, np.log(1 + why.seat.good_links), 1 / np.sqrt(1 + why.seat.pages)) for _, why in others]
    )
    low, high = points.min(axis=0), points.max(axis=0)
    points = (points - low) / np.where(high > low, high - low, 1)
    rng = Random(f"{Random(0).getrandbits(64)} {pages}")
    chosen: list[int] = []
    for front in fronts(points):
        missing = seats - half - len(chosen)
        if len(front) > missing:
            chosen += front[nfcs(points[front], missing, rng)].tolist() if missing else []
            break
        chosen += front.tolist()
    return {url for url, _ in elites[:half]} | {others[index][0] for index in chosen}


@pytest.mark.slow
@settings(max_examples=4, deadline=None)
@given(st.integers(0, 999), st.sampled_from([2, 3, 6, 10]))
def test_half_of_the_seats_are_given_by_fronts_and_nfcs_among_the_hosts_near_the_last(
    chance: int, seats: int
) -> None:
    def make() -> Town:
        town = Town(chance=chance)
        town.serve(Hosts(pages_left=8, seconds_left=10.0), 6, TOPICAL if chance % 2 else OTHER)
        return town

    expected = expected_seats(make(), seats, pages=8)
    turns = Hosts(turn=2.2, pages_left=seats * 100, seconds_left=100.0)  # 2.2 = (6 + 5) pages / 5
    assert served(make, turns) == expected


def test_without_a_limit_of_time_seats_are_those_of_the_inner_radius() -> None:
    def make() -> Town:
        return Town(parameters=FcwseoParameters(patience=0.6), chance=5)

    seats = sum(why.value >= 0.75 for _, why in make().best_of_hosts())
    assert seats > 2
    assert served(make, Hosts()) == expected_seats(make(), seats, pages=2)


def test_rules_are_recorded() -> None:
    town = Town(parameters=FcwseoParameters(patience=0.6), chance=5)
    links = town.strategy.next(32, Hosts())
    assert links[0].rule == Rule.VALUE and links[0].seat is not None and links[0].seat[0] == 1
    assert {link.rule for link in links} == {Rule.VALUE, Rule.FRONTS}
    for link in links:
        why = town.strategy.explain(link.target)
        assert why is not None and why.rule == link.rule and link.seat == (why.seat.place, why.seat.seats)


def test_seeds_have_a_rule_of_their_own_and_wait_for_their_hosts_too() -> None:
    crawl = Crawl("http://s.example/", "http://s.example/b", "http://t.example/")
    links = crawl.strategy.next(3, Hosts(waits={"t.example": 1.0}))
    assert [(link.target, link.rule) for link in links] == [("http://s.example/", "seed")]
    assert targets(crawl.strategy.next(3, Hosts())) == ["http://s.example/b", "http://t.example/"]


def test_the_links_of_the_last_seed_are_scored_at_once() -> None:
    """Three seeds are an odd number of pages, and links are scored after every second one."""
    seeds = ["http://s.example/", "http://t.example/", "http://u.example/"]
    crawl = Crawl(*seeds)
    anchors = ("minutes", "minutes of the meeting", "flood and landslide")
    for number, link in enumerate(crawl.strategy.next(3, AT_ONCE)):
        crawl.tell(link, page(link.target, TOPICAL, (f"http://v{number}.example/", anchors[number])))
    assert targets(crawl.strategy.next(1, AT_ONCE)) == ["http://v2.example/"]


def test_the_first_seed_that_may_be_asked_is_taken_without_a_look_at_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    is_open = Frontier.is_open
    crawl = Crawl(*(f"http://s{n}.example/" for n in range(500)))

    def watched(self: Frontier, row: int) -> bool:
        looked.append(row)
        return is_open(self, row)

    monkeypatch.setattr(Frontier, "is_open", watched)
    (first,) = crawl.strategy.next(1, AT_ONCE)
    (third,) = crawl.strategy.next(1, Hosts(waits={"s1.example": 1.0}))
    assert targets([first, third]) == ["http://s0.example/", "http://s2.example/"]
    assert len(looked) == 3


def test_a_seed_that_a_redirect_reached_is_not_taken() -> None:
    crawl = Crawl("http://s.example/", "http://t.example/")
    (first,) = crawl.strategy.next(1, AT_ONCE)
    crawl.tell(first, page("http://t.example/", TOPICAL, ("http://u.example/", "flood")))
    assert targets(crawl.strategy.next(5, AT_ONCE)) == ["http://u.example/"]


def test_a_list_is_a_rule() -> None:
    crawl = Crawl("http://s.example/tag/", parameters=FcwseoParameters(alternate=0))
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    floods = [(f"http://s.example/flood/{n}", "flood and landslide") for n in range(12)]
    others = [(f"http://s.example/other/{n}", "minutes") for n in range(60)]
    crawl.tell(seed, page(seed.target, OTHER, *floods, *others, ("http://s.example/tag/page/2/", "2")))
    rules = {}
    for _ in range(40):
        (link,) = crawl.strategy.next(1, AT_ONCE)
        rules[link.target] = link.rule
        crawl.tell(link, page(link.target, TOPICAL if "flood" in link.target else OTHER))
    assert rules.pop("http://s.example/tag/page/2/") == Rule.LIST
    assert set(rules.values()) == {Rule.VALUE}


# Continuing


def state(town: Town) -> list[tuple[str, float, int]]:
    return [(url, why.predicted, why.seat.place) for url, why in town.told().items()]


def test_asking_changes_nothing() -> None:
    """A crawl on a clock asks whenever a host is ready; how often must not matter."""
    patient, restless = Town(), Town()
    turns = Hosts(pages_left=100, seconds_left=40.0)
    everyone = {host(url): 1.0 for url in patient.urls}
    for _ in range(12):
        for _ in range(3):
            assert restless.strategy.next(4, Hosts(waits=everyone)) == []
        one, other = patient.serve(turns, 1), restless.serve(turns, 1)
        assert one == other
    assert state(patient) == state(restless)


def test_a_crawl_is_continued_by_taking_its_links() -> None:
    """Several links at once, and answers in another order: the clock is not needed again."""
    first, second = Town(), Town()
    rng = Random(1)
    waiting: list[Link] = []
    for step in range(12):
        links = first.strategy.next(3, Hosts(pages_left=50, seconds_left=20.0))
        taken = [second.strategy.take(link.target) for link in links]
        assert [(link.target, link.predicted, link.objectives) for link in taken if link is not None] == [
            (link.target, link.predicted, link.objectives) for link in links
        ]
        waiting += links
        link = waiting.pop(rng.randrange(len(waiting)))
        answer = page(link.target, OTHER, (f"http://n{step}.example/", "flood"))
        first.tell(link, answer)
        second.tell(link, answer)
    turns = Hosts(pages_left=50)
    assert state(first) == state(second)
    assert [link.target for link in first.strategy.next(9, turns)] == targets(second.strategy.next(9, turns))


def test_a_link_of_a_log_says_so_and_the_rule_of_its_line_is_better() -> None:
    """In flight when the crawl was continued: its rule and its seat are not known."""
    town = Town()
    (url, _), (other, _) = town.best_of_hosts()[:2]
    link = town.strategy.take(url)
    assert link is not None and (link.rule, link.seat) == ("log", None)
    why = town.strategy.explain(url)
    assert why is not None and why.rule == Rule.LOG
    assert [*why.lines][1].startswith("taken as the log of an earlier session or the archive says")
    assert town.strategy.take(other) is not None
    why = town.strategy.recall(other, "value", 9)
    assert (
        why is not None and [*why.lines][1] == "taken as the elite of its host, seat 1 of 9; seated by value"
    )
    crawl = Crawl("http://s.example/")
    seed = crawl.strategy.take("http://s.example/")
    assert seed is not None and seed.rule == Rule.SEED


def test_a_continued_crawl_measures_its_pace_anew() -> None:
    """Forty pages of a log take no time; they must not make pages look free."""
    new, continued = Town(), Town(chance=4)
    for _ in range(40):
        url, _ = continued.best_of_hosts()[0]
        link = continued.strategy.take(url)
        assert link is not None
        continued.tell(link, page(url, OTHER))
    turns = Hosts(pages_left=50, seconds_left=10.0)
    assert seats_served(continued, turns) == seats_served(new, turns) == 6
    assert turns.seconds_left is not None
    turns.seconds_left -= 1.0
    assert seats_served(continued, turns) >= 6


def test_a_link_that_does_not_wait_is_not_taken() -> None:
    town = Town()
    (link,) = town.strategy.next(1, AT_ONCE)
    assert town.strategy.take(link.target) is None
    assert town.strategy.take("http://unknown.example/") is None


def test_dead_links_are_replaced_when_all_candidates_are_dead() -> None:
    crawl = Crawl("http://s.example/")
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    crawl.tell(
        seed, page(seed.target, TOPICAL, ("http://a.example/", "flood"), ("http://b.example/", "flood"))
    )
    named = []
    while links := crawl.strategy.next(1, AT_ONCE):
        named += targets(links)
        crawl.tell(links[0], Failure(links[0].target, Why.GONE))
    assert sorted(named) == ["http://a.example/", "http://b.example/"]


# The baseline


def test_greedy_takes_the_best_link_whose_host_may_be_asked() -> None:
    relevance = TopicalRelevance(TOPIC)
    strategy = Greedy(TOPIC, relevance, Random(0))
    strategy.observe(
        Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=(Link("http://s.example/", SEEDS),)))
    )
    (seed,) = strategy.next(1, AT_ONCE)
    links = [
        ("http://a.example/", "flood and landslide"),
        ("http://b.example/", "flood"),
        ("http://c.example/", "news"),
    ]
    strategy.observe(Visit(1, seed, page(seed.target, TOPICAL, *links), 0.5, eta=0.1))
    waits = {"a.example": 1.0}
    assert targets(strategy.next(1, Hosts(waits=waits, seconds_left=1e6))) == ["http://b.example/"]
    assert targets(strategy.next(3, Hosts(waits=waits))) == ["http://c.example/"]
    assert targets(strategy.next(3, Hosts())) == ["http://a.example/"]
