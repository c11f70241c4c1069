"""FCWSEO: select before paying. Every rule of it, seen happening."""

from random import Random

import pytest
from helpers.by_hand import OTHER, TOPIC, TOPICAL, Crawl, page
from helpers.fakes import crawled

from fcwseo.columns import Floats, Rows
from fcwseo.crawling.engine import Window
from fcwseo.links.evidence.predictor import Predictor, Scale
from fcwseo.pages import Failure, Page, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies import candidates
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo.strategies.protocol import AT_ONCE
from fcwseo.webs.generated import GeneratedWeb


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
    crawl = Crawl("http://s.example/")
    (seed,) = crawl.strategy.next(1, AT_ONCE)
    lies = [(f"http://s.example/lie/{n}", "flood") for n in range(30)]
    truths = [(f"http://s.example/true/{n}", "minutes") for n in range(30)]
    crawl.tell(seed, page(seed.target, TOPICAL, *lies, *truths))
    chosen = []
    for _ in range(50):
        (link,) = crawl.strategy.next(1, AT_ONCE)
        chosen.append("lie" in link.target)
        own = f"On day {len(chosen)}: {TOPICAL}"  # a copy of the seed would be worth nothing
        crawl.tell(link, page(link.target, OTHER if "lie" in link.target else own))
    assert chosen[0]
    assert sum(chosen[:30]) < 10  # of 30 lies and 30 truths


def test_a_list_that_led_to_relevant_pages_is_gone_on_with_before_other_links_give_out() -> None:
    """By predicted relevance alone the next page of the list, which is no document, would wait."""

    def taken_at(later: float) -> int:
        crawl = Crawl("http://s.example/tag/", parameters=FcwseoParameters(later=later))
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
        super().__init__("http://s.example/")
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
    assert len(pool) == 10
    assert set(new) < set(crawl.follow(*((url, "minutes") for url in new))) < {*pool, *new}
    crawl.follow()
    assert len(crawl.follow()) <= 10 + 3  # the best links of the new section


def test_the_three_best_links_of_each_host_stay_in_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    anchors = (
        "minutes",
        "flood minutes",
        "minutes of the meeting",
        "minutes of a flood",
        "landslide minutes",
    )
    crawl = Narrow(monkeypatch, *((f"http://other.example/{n}", anchors[n]) for n in range(5)))
    assert {url for url in crawl.pool if "other.example" in url} == {
        f"http://other.example/{n}" for n in (1, 3, 4)
    }


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
