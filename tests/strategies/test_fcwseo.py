"""FCWSEO: select before paying. Every rule of it, seen happening."""

from random import Random

import numpy as np
import pytest
from helpers.fakes import crawled

from fcwseo.columns import Floats, Rows
from fcwseo.crawling.engine import SEEDS, Window
from fcwseo.evolution.nfcs import select
from fcwseo.links.evidence.predictor import Predictor, Scale
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.threshold import RunningThreshold
from fcwseo.strategies import candidates, fcwseo
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo.strategies.protocol import AT_ONCE
from fcwseo.webs.generated import GeneratedWeb
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.8, "landslide": 0.6})
TOPICAL = "A rainstorm led to a flood and a landslide near the town. " * 300
OTHER = "The committee of the museum elected a treasurer and a secretary. " * 300


def page(url: str, text: str, *links: tuple[str, str]) -> Page:
    found = tuple(
        Link(target, url, anchor, anchor, position) for position, (target, anchor) in enumerate(links)
    )
    return Page(url, "", text, found, ("", "", "", text, ""), "en")


class Crawl:
    """Drives the strategy by hand over given pages."""

    def __init__(
        self, *seeds: str, parameters: FcwseoParameters | None = None, rng: Random | None = None
    ) -> None:
        self.relevance = TopicalRelevance(TOPIC)
        self.strategy = Fcwseo(TOPIC, self.relevance, rng or Random(0), parameters=parameters)
        links = tuple(Link(seed, SEEDS) for seed in seeds)
        self.strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=links)))
        self.threshold = RunningThreshold()
        self.step = 0

    def tell(self, link: Link, outcome: Page | Failure) -> None:
        self.step += 1
        relevance, eta = 0.0, 0.0
        if isinstance(outcome, Page):
            relevance = self.relevance(outcome)
            eta = self.threshold.add(relevance, is_seed=link.depth == 0)
        self.strategy.observe(Visit(self.step, link, outcome, relevance, eta=eta))


def test_the_seeds_come_first_and_all_of_them() -> None:
    seeds = [f"http://s{n}.example/" for n in range(12)]
    crawl = Crawl(*seeds)
    assert [link.target for link in crawl.strategy.next(20, AT_ONCE)] == seeds


@pytest.mark.usefixtures("all_counts")
def test_relevance_is_predicted_without_blending(monkeypatch: pytest.MonkeyPatch) -> None:
    learnt: list[float] = []
    monkeypatch.setattr(Predictor, "learn", lambda self, evidence, relevance: learnt.append(relevance))
    web, relevance = GeneratedWeb(0, 200), TopicalRelevance(TOPIC)
    strategy = Fcwseo(TOPIC, relevance, Random(0))
    _, visits = crawled(
        web, Window(strategy, web.seeds("rainstorm"), relevance=relevance, budget=30, width=1)
    )
    assert learnt == [visit.relevance for visit in visits if isinstance(visit.outcome, Page)]


def test_a_link_with_a_topical_anchor_on_a_topical_page_is_chosen_first() -> None:
    crawl = Crawl("http://s.example/")
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    links = [(f"http://s.example/{n}", "minutes of the meeting") for n in range(8)]
    crawl.tell(seed, page(seed.target, TOPICAL, *links, ("http://s.example/flood", "flood and landslide")))
    first = crawl.strategy.next(1, AT_ONCE)[0]
    assert first.target == "http://s.example/flood"
    assert first.predicted is not None and first.objectives is not None
    f1, f2, f3, f4 = first.objectives
    assert f1 == first.predicted and 0 < f2 < 1 and 0 < f3 <= 1 and 0 < f4 <= 1


def test_the_prediction_learns_what_evidence_is_worth() -> None:
    """Anchors lie on this web: pages behind topical ones are about something else."""
    crawl = Crawl("http://s.example/", parameters=FcwseoParameters(explore=0.0))
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    lies = [(f"http://s.example/lie/{n}", "flood") for n in range(30)]
    truths = [(f"http://s.example/true/{n}", "minutes") for n in range(30)]
    crawl.tell(seed, page(seed.target, TOPICAL, *lies, *truths))
    chosen = []
    for _ in range(50):
        (link,) = crawl.strategy.next(1, AT_ONCE)
        chosen.append("lie" in link.target)
        crawl.tell(link, page(link.target, OTHER if "lie" in link.target else TOPICAL))
    assert all(chosen[:2])
    assert sum(chosen[25:]) < 10


def test_a_stuck_crawl_explores_new_hosts_and_a_successful_one_does_not() -> None:
    def share_of_new_hosts(text: str, explore: float) -> float:
        crawl = Crawl("http://s.example/", parameters=FcwseoParameters(explore=explore))
        (seed,) = crawl.strategy.next(1, AT_ONCE)
        here = [(f"http://s.example/{n}", "flood") for n in range(150)]
        away = [(f"http://h{n}.example/", "news") for n in range(40)]
        crawl.tell(seed, page(seed.target, TOPICAL, *here, *away))
        chosen = []
        for _ in range(120):
            (link,) = crawl.strategy.next(1, AT_ONCE)
            chosen.append("s.example" not in link.target)
            crawl.tell(link, page(link.target, text if "s.example" in link.target else OTHER))
        return float(np.mean(chosen))

    assert share_of_new_hosts(TOPICAL, 0.5) == 0
    assert share_of_new_hosts(OTHER, 0.5) > share_of_new_hosts(OTHER, 0.0)


def test_a_list_that_led_to_relevant_pages_is_gone_on_with_before_other_links_give_out() -> None:
    """By predicted relevance alone the next page of the list, which is no document, would wait."""

    def taken_at(later: float) -> int:
        crawl = Crawl("http://s.example/tag/", parameters=FcwseoParameters(explore=0.0, later=later))
        (seed,) = crawl.strategy.next(1, AT_ONCE)
        floods = [(f"http://s.example/flood/{n}", "flood and landslide") for n in range(12)]
        others = [(f"http://s.example/other/{n}", "landslide minutes") for n in range(60)]
        following = ("http://s.example/tag/page/2/", "2")
        crawl.tell(seed, page(seed.target, OTHER, *floods, *others, following))
        for step in range(70):
            (link,) = crawl.strategy.next(1, AT_ONCE)
            if link.target == following[0]:
                return step
            crawl.tell(link, page(link.target, TOPICAL if "flood" in link.target else OTHER))
        return 70

    assert taken_at(0.8) < taken_at(0.0)


def test_what_is_the_same_for_all_hosts_makes_none_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    """No list goes on here: to explore by that objective, too, would favour the link that was found first."""
    tables: list[np.ndarray] = []

    def spy(objectives: np.ndarray, q: int, rng: Random) -> list[int]:
        tables.append(objectives)
        return list(range(q))

    monkeypatch.setattr(fcwseo, "select", spy)
    crawl = Crawl("http://s.example/", parameters=FcwseoParameters(explore=1.0))
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    here = [(f"http://s.example/{n}", "flood") for n in range(100)]
    away = [(f"http://h{n}.example/", "flood" if n % 3 else "news") for n in range(40)]
    crawl.tell(seed, page(seed.target, TOPICAL, *here, *away))
    for _ in range(60):
        (link,) = crawl.strategy.next(1, AT_ONCE)
        crawl.tell(link, page(link.target, OTHER))
    assert tables and all((table.max(axis=0) > table.min(axis=0)).all() for table in tables)


class Unlucky(Random):
    """No seed gives way by chance, and nothing explores by chance."""

    def random(self) -> float:
        return 0.99


def bank_of_one(radius: float) -> Crawl:
    """The bank is the seed alone, with a circle of this radius. It has links to plain pages and to a hub,
    whose topical link lies two links away.
    """
    given = FcwseoParameters(k=1, p_t=0.0, radius=radius, explore=0.0, generation=1)
    crawl = Crawl("http://s.example/", parameters=given, rng=Unlucky())
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    plain = [(f"http://s.example/plain/{n}", "minutes of the meeting") for n in range(40)]
    crawl.tell(seed, page(seed.target, TOPICAL, ("http://s.example/hub", "flood"), *plain))
    (hub,) = crawl.strategy.next(1, AT_ONCE)
    assert hub.target == "http://s.example/hub"
    crawl.tell(hub, page(hub.target, OTHER, (FAR, "flood and landslide")))
    return crawl


FAR = "http://s.example/far"


def test_a_link_outside_of_the_circles_waits_though_it_is_worth_more() -> None:
    assert bank_of_one(radius=2.0).strategy.next(1, AT_ONCE)[0].target == FAR
    assert "plain" in bank_of_one(radius=1.0).strategy.next(1, AT_ONCE)[0].target


def test_the_circles_widen_when_nothing_relevant_is_found_any_more() -> None:
    crawl = bank_of_one(radius=1.0)
    named = []
    for _ in range(41):
        (link,) = crawl.strategy.next(1, AT_ONCE)
        named.append(link.target)
        crawl.tell(link, page(link.target, OTHER))
    assert 5 < named.index(FAR) < 20


def test_the_links_that_explore_differ_most_with_all_objectives_on_one_scale() -> None:
    """A whole generation explores hosts of one link each; on some of them a link was dead."""
    given = FcwseoParameters(explore=100.0, generation=10)
    dead = [f"http://h{n}.example/dead" for n in range(12)]
    seeds = [f"http://s{n}.example/" for n in range(4)]
    crawl = Crawl(*dead, *seeds, parameters=given, rng=Unlucky())
    links = crawl.strategy.next(16, AT_ONCE)
    for link in links[:12]:
        crawl.tell(link, Failure(link.target, Why.GONE))
    urls = [f"http://h{n}.example/" for n in range(80)]
    anchors = ("flood", "landslide and minutes", "news", "rainstorm in the town", "minutes")
    for place, link in enumerate(links[12:]):
        found = [(url, anchors[(n + place) % 5]) for n, url in enumerate(urls) if n % (place + 1) == 0]
        own = f"{link.target} does not repeat the other pages that this crawl fetches. "
        crawl.tell(link, page(link.target, own + TOPICAL[: 900 * (place + 1)] + OTHER[:9000], *found))
    first = [crawl.strategy.next(1, AT_ONCE)[0] for _ in range(10)]
    for link in first:
        crawl.tell(link, page(link.target, OTHER))
    waiting = [url for url in urls if url not in {link.target for link in first}]
    told = [why for url in waiting if (why := crawl.strategy.explain(url)) is not None]
    points = np.array([[why.predicted, *list(why.objectives.values())[1:]] for why in told])
    points = points[:, np.ptp(points, axis=0) > 0]
    on_one_scale = (points - points.min(axis=0)) / np.ptp(points, axis=0)
    expected, unscaled = (
        {waiting[index] for index in select(table, 10, Unlucky())} for table in (on_one_scale, points)
    )
    assert {link.target for link in crawl.strategy.next(10, AT_ONCE)} == expected != unscaled


def test_links_near_the_bank_are_named_before_others_while_the_circles_are_small() -> None:
    """The bank has one place and a circle of one link: what is linked from other pages waits."""
    web = GeneratedWeb(1, 1500)
    relevance = TopicalRelevance(web.topic())
    given = FcwseoParameters(k=1, radius=1.0, explore=0.0)
    strategy = Fcwseo(web.topic(), relevance, Random(0), parameters=given)
    window = Window(strategy, web.seeds("rainstorm"), relevance=relevance, budget=12, width=1)
    visits = crawled(web, window)[1]
    waiting = [strategy.explain(link.target) for visit in visits for link in links_of(visit)]
    near = [why.rank for why in waiting if why is not None and why.near]
    far = [why.rank for why in waiting if why is not None and not why.near]
    assert near and far and max(near) < min(far)


def links_of(visit: Visit) -> tuple[Link, ...]:
    return visit.outcome.links if isinstance(visit.outcome, Page) else ()


def test_the_end_comes_when_no_link_is_left() -> None:
    crawl = Crawl("http://s.example/")
    (seed,) = crawl.strategy.next(3, AT_ONCE)
    crawl.tell(seed, page(seed.target, TOPICAL, ("http://s.example/a", "flood")))
    (link,) = crawl.strategy.next(3, AT_ONCE)
    crawl.tell(link, Failure(link.target, Why.GONE))
    assert crawl.strategy.next(3, AT_ONCE) == []


def test_a_pool_of_dead_links_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Failures are no pages, so they alone never bring a look at all links."""
    monkeypatch.setattr(candidates, "POOL", 4)
    monkeypatch.setattr(candidates, "FRESH", 1)
    crawl = Crawl("http://s.example/")
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    links = [(f"http://s.example/{n}", "flood") for n in range(40)]
    crawl.tell(seed, page(seed.target, TOPICAL, *links))
    named = 0
    while following := crawl.strategy.next(1, AT_ONCE):
        named += 1
        crawl.tell(following[0], Failure(following[0].target, Why.GONE))
    assert named == 40


def test_all_links_are_looked_at_however_many_each_page_brings(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []
    scale_of = Predictor.scale_of

    def spy(self: Predictor, evidence: Floats) -> Scale:
        looks.append(len(evidence))
        return scale_of(self, evidence)

    monkeypatch.setattr(Predictor, "scale_of", spy)
    crawl = Crawl("http://s.example/")
    for step in range(60):
        (link,) = crawl.strategy.next(1, AT_ONCE)
        links = [(f"http://s.example/{step}/{n}", "minutes") for n in range(300)]
        crawl.tell(link, page(link.target, OTHER, *links))
    assert len(looks) >= 5 and looks[-1] > 30 * 300


class Narrow(Crawl):
    """With a pool of ten of forty links, which all have been looked at."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *others: tuple[str, str]) -> None:
        monkeypatch.setattr(candidates, "POOL", 10)
        super().__init__("http://s.example/", parameters=FcwseoParameters(explore=0.0))
        (seed,) = self.strategy.next(1, AT_ONCE)
        links = [(f"http://s.example/{n}", "flood") for n in range(40)]
        self.tell(seed, page(seed.target, TOPICAL, *links, *others))
        self.follow()  # after a look at all
        monkeypatch.setattr(candidates, "FRESH", 0)  # and from now on none

    def follow(self, *links: tuple[str, str]) -> list[str]:
        """Follow a generation to pages that have these links; what was looked at for it."""
        for _ in range(2):
            (link,) = self.strategy.next(1, AT_ONCE)
            self.tell(link, page(link.target, TOPICAL, *links))
        assert self.strategy._snapshot is not None
        return self._urls(self.strategy._snapshot.rows)

    @property
    def pool(self) -> list[str]:
        return self._urls(self.strategy._candidates._pool)

    def _urls(self, rows: Rows) -> list[str]:
        return [self.strategy._table.known.frontier.url(row) for row in rows.tolist()]


def test_between_two_looks_the_pool_is_looked_at_and_what_pages_link_to_since(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    crawl = Narrow(monkeypatch)
    pool, new = crawl.pool, [f"http://s.example/new/{n}" for n in range(20)]
    assert len(pool) == 10 and set(crawl.follow(*((url, "minutes") for url in new))) < set(pool)
    assert set(new) < set(crawl.follow()) < {*pool, *new}
    assert len(crawl.follow()) <= 10


def test_the_best_link_of_each_host_stays_in_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    crawl = Narrow(monkeypatch, ("http://other.example/a", "minutes"), ("http://other.example/b", "minutes"))
    assert sum("other.example" in url for url in crawl.pool) == 1


@pytest.mark.slow
def test_a_small_pool_crawls_nearly_as_well_as_all_links(monkeypatch: pytest.MonkeyPatch) -> None:
    web = GeneratedWeb(1, 1500)

    def found() -> int:
        relevance = TopicalRelevance(web.topic())
        strategy = Fcwseo(web.topic(), relevance, Random(0))
        window = Window(strategy, web.seeds("rainstorm"), relevance=relevance, budget=200, width=1)
        visits = crawled(web, window)[1]
        return sum("rainstorm" in web.labels(v.outcome.url) for v in visits if isinstance(v.outcome, Page))

    every = found()
    monkeypatch.setattr(candidates, "POOL", 64)
    monkeypatch.setattr(candidates, "FRESH", 10)
    assert found() >= 0.8 * every
