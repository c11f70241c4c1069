"""The evidence of links in columns, against what can be counted by hand."""

from array import array
from random import Random

import numpy as np
import pytest
from helpers.fakes import crawled
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.engine import SEEDS, Window
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.links.evidence.outcomes import Outcomes
from fcwseo.links.evidence.predictor import SMALL, START, STRENGTH, STRENGTHS, Predictor
from fcwseo.links.evidence.siblings import PARENTS
from fcwseo.links.evidence.table import CAP, NAME, LinkTable
from fcwseo.links.evidence.vectors import NEAR_FULL, NEAR_NONE
from fcwseo.links.evidence.words import LINKS, LinkWords, Rarities, Theme
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.threshold import RunningThreshold, threshold_of
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.webs.generated import GeneratedWeb
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.8})


class Told:
    """A table after pages, each with its relevance and the anchors and targets of its links."""

    def __init__(self, *seeds: str) -> None:
        self.table = LinkTable(TopicalRelevance(TOPIC))
        self.threshold = RunningThreshold()
        self.step = 0
        self.tell(SEEDS, 0.0, *(("", seed) for seed in seeds))

    def tell(self, url: str, relevance: float, *links: tuple[str, str], text: str = "") -> None:
        found = tuple(Link(target, url, anchor, anchor) for anchor, target in links)
        page = Page(url, text=text, links=found)
        eta = self.threshold.add(relevance, is_seed=True) if self.step else 0.0
        self.table.observe(Visit(self.step, Link(url, SEEDS), page, relevance, eta=eta))
        self.step += 1

    def evidence(self, url: str) -> dict[str, float]:
        row = self.table.evidence(np.array([self.table.row(url)]))[0]
        return dict(zip(EVIDENCE, row.tolist(), strict=True))


@pytest.fixture
def told() -> Told:
    told = Told("http://a.example/", "http://b.example/")
    told.tell(
        "http://a.example/", 0.4, ("news", "http://c.example/x/flood.html"), ("news", "http://b.example/")
    )
    told.tell("http://b.example/", 0.2, ("flood", "http://c.example/x/flood.html"), ("", "http://d.example/"))
    return told


def test_parents_anchors_and_addresses(told: Told) -> None:
    evidence = told.evidence("http://c.example/x/flood.html")
    assert evidence["parents' mean"] == pytest.approx(0.3)
    assert evidence["best parent"] == 0.4
    assert evidence["anchor"] > 0 and evidence["context"] > 0 and evidence["address"] > 0
    assert evidence["parents"] == pytest.approx(np.log(3))
    plain = told.evidence("http://d.example/")
    assert plain["parents' mean"] == 0.2
    assert plain["anchor"] == plain["context"] == plain["address"] == 0


def test_a_page_that_links_twice_is_one_parent_with_its_best_anchor() -> None:
    told = Told("http://a.example/")
    told.tell("http://a.example/", 0.4, ("news", "http://c.example/"), ("flood", "http://c.example/"))
    assert told.evidence("http://c.example/")["parents"] == pytest.approx(np.log(2))
    assert told.evidence("http://c.example/")["anchor"] > 0


def test_what_was_fetched_is_not_open_and_failures_change_nothing(told: Told) -> None:
    urls = ("http://c.example/x/flood.html", "http://d.example/")
    assert [told.table.row(url) for url in urls] == told.table.known.open.tolist()
    before = told.evidence("http://d.example/")
    told.table.observe(Visit(9, Link("http://c.example/x/flood.html", ""), Failure("", Why.GONE)))
    assert told.evidence("http://d.example/") == before


def test_outcomes_of_hosts_and_sections_are_features() -> None:
    told = Told("http://a.example/")
    good = [("", f"http://good.example/x/{n}") for n in range(3)]
    bad = [("", f"http://bad.example/x/{n}") for n in range(3)]
    told.tell("http://a.example/", 0.4, *good, *bad)
    told.tell("http://good.example/x/0", 0.9)
    told.tell("http://bad.example/x/0", 0.0)
    for name in ("host", "section"):
        assert (
            told.evidence("http://good.example/x/1")[name] > 0 > told.evidence("http://bad.example/x/1")[name]
        )


def test_the_outcome_of_words_near_links_is_a_feature() -> None:
    told = Told("http://a.example/")
    good = [("hydraulics", f"http://g{n}.example/") for n in range(5)]
    bad = [("treasurer", f"http://b{n}.example/") for n in range(5)]
    told.tell("http://a.example/", 0.4, *good, *bad)
    for n in range(4):
        told.tell(f"http://g{n}.example/", 0.8)
        told.tell(f"http://b{n}.example/", 0.0)
    assert (
        told.evidence("http://g4.example/")["words"] > 0.1 > 0 > told.evidence("http://b4.example/")["words"]
    )


def test_the_outcome_of_the_words_of_urls_is_a_feature() -> None:
    told = Told("http://a.example/")
    good = [("", f"http://h{n}.example/hydraulics/{n}") for n in range(5)]
    bad = [("", f"http://h{n}.example/treasurer/{n}") for n in range(5)]
    told.tell("http://a.example/", 0.4, *good, *bad)
    for n in range(4):
        told.tell(good[n][1], 0.8)
        told.tell(bad[n][1], 0.0)
    found = [told.evidence(links[4][1])["address words"] for links in (good, bad)]
    assert found[0] > 0.05 > -0.05 > found[1]


def test_the_heading_and_the_title_of_a_link_are_of_its_context() -> None:
    told = Told("http://a.example/")
    links = [
        Link("http://a.example/1", "http://a.example/", "more", "more", heading="Flood in the valley"),
        Link("http://a.example/2", "http://a.example/", "more", "more", title="The rainstorm of May"),
        Link("http://a.example/3", "http://a.example/", "more", "more"),
    ]
    page = Page("http://a.example/", links=tuple(links))
    told.table.observe(Visit(1, Link(page.url, SEEDS), page, 0.4))
    assert [told.evidence(link.target)["context"] > 0 for link in links] == [True, True, False]


def test_a_link_is_topical_whose_words_stand_on_relevant_pages() -> None:
    """Though no link with such words was followed yet."""
    told = Told(*(f"http://{name}.example/" for name in "abcd"))
    for name, relevance, text in (("a", 0.6, "levee levee"), ("b", 0.5, "a levee"), ("c", 0.1, "chess")):
        told.tell(f"http://{name}.example/", relevance, text=text)
    seen = "http://d.example/"
    told.tell(seen, 0.4, ("the levee of chess", "http://e.example/"), ("chess", "http://f.example/"))
    topical, other = told.evidence("http://e.example/"), told.evidence("http://f.example/")
    assert topical["words"] == other["words"] == 0
    assert topical["topical words"] > 0 > other["topical words"]
    assert topical["topical anchor"] > topical["topical words"]  # the word that says most


def test_a_rare_word_of_the_topic_says_more_in_an_anchor_than_a_common_one() -> None:
    """A cosine takes two anchors of one word each for the same, whatever the word."""
    table = LinkTable(TopicalRelevance(topic_of_words("sport", {"game": 1.0, "wicket": 1.0})))
    table.observe(Visit(0, Link(SEEDS, SEEDS), Page(SEEDS, links=(Link("http://a.example/", SEEDS),))))
    anchors = {"game": "http://g.example/", "wicket": "http://w.example/", "more": "http://m.example/"}
    links = tuple(Link(target, "http://a.example/", anchor) for anchor, target in anchors.items())
    table.observe(Visit(1, Link("http://a.example/", SEEDS), Page("http://a.example/", links=links), 0.2))
    rows = np.array([table.row(target) for target in anchors.values()])
    common, rare, none = table.evidence(rows)[:, EVIDENCE.index("anchor")]
    assert rare > common > none == 0
    _, f3, _ = table.known.objectives(rows)
    assert f3[0] == pytest.approx(f3[1])


def test_a_heap_of_topic_words_names_little_more_than_three_of_them() -> None:
    relevance = TopicalRelevance(topic_of_words("rain", {f"word{n}": 1.0 for n in range(50)}))
    assert relevance.named_by(range(50)) == pytest.approx(relevance.named_by(range(3)))
    assert relevance.named_by([]) == 0


def test_the_theme_is_what_relevant_pages_say_often() -> None:
    told = Told("http://a.example/", "http://b.example/")
    told.tell("http://a.example/", 0.8, text="levee levee levee levee, and a treasurer")
    links = (
        ("levee", "http://c.example/"),
        ("treasurer", "http://d.example/"),
        ("chess", "http://e.example/"),
    )
    told.tell("http://b.example/", 0.0, *links, text="chess chess chess chess")
    often, once, elsewhere = (told.evidence(target)["theme"] for _, target in links)
    assert often > once > elsewhere == 0


def test_the_theme_by_hand() -> None:
    """One page of relevance 0.5 with the words 0 and 2, twice and once: its vector has the length 1."""
    relevance = TopicalRelevance(TOPIC)
    relevance.of_text("flood levee")
    theme = Theme(relevance)
    numbers = np.array([0, 2], np.int32)
    theme.add(numbers, np.array([2, 1]), 0.5)
    vector = np.log1p([2, 1]) * relevance.idf(numbers)
    vector /= np.linalg.norm(vector)
    found = theme.of(np.array([[1, 0], [3, 0], [1, 3], [0, 0], [2, 0]], np.int32))
    assert found == pytest.approx([vector[0], vector[1], vector.sum() / np.sqrt(2), 0, 0])


def placed(*links: tuple[str, str]) -> Page:
    """A page with links at places of it."""
    url = "http://a.example/"
    return Page(url, links=tuple(Link(target, url, tag_path=path) for path, target in links))


@pytest.mark.usefixtures("all_counts")
def test_the_outcome_of_a_position_is_a_feature() -> None:
    told = Told("http://a.example/")
    menu = [("nav/a", f"http://m{n}.example/") for n in range(3)]
    text = [("p/a", f"http://t{n}.example/") for n in range(3)]
    both = [("p/a", "http://both.example/"), ("nav/a", "http://both.example/")]
    told.table.observe(Visit(1, Link("http://a.example/", SEEDS), placed(*menu, *text, *both), 0.4))
    for n in range(2):
        told.tell(f"http://m{n}.example/", 0.0)
        told.tell(f"http://t{n}.example/", 0.7)
    mean = told.table.mean
    assert told.evidence("http://t2.example/")["place"] == pytest.approx((1.4 - 2 * mean) / (2 + 3))
    assert told.evidence("http://m2.example/")["place"] == pytest.approx(-2 * mean / (2 + 3))
    assert told.evidence("http://both.example/")["place"] > 0, "the first link counts"


def test_the_same_tags_on_another_host_are_another_place() -> None:
    told = Told("http://a.example/", "http://b.example/")
    told.table.observe(Visit(1, Link("http://a.example/", SEEDS), placed(("p/a", "http://x.example/")), 0.4))
    page = Page("http://b.example/", links=(Link("http://y.example/", "http://b.example/", tag_path="p/a"),))
    told.table.observe(Visit(2, Link("http://b.example/", SEEDS), page, 0.4))
    told.step = 3
    told.tell("http://x.example/", 0.9)
    assert told.evidence("http://y.example/")["place"] == 0


@pytest.mark.usefixtures("all_counts")
def test_siblings_by_hand() -> None:
    told = Told("http://good.example/", "http://bad.example/")
    for name in ("good", "bad"):
        links = [("", f"http://{name}{i}.example/") for i in range(3)]
        told.tell(f"http://{name}.example/", 0.3, *links)
    told.tell("http://good0.example/", 0.8)
    told.tell("http://bad0.example/", 0.0)
    told.tell("http://good1.example/", 0.6)
    mean = (0.3 + 0.3 + 0.8 + 0.0 + 0.6) / 5
    good, bad = (told.evidence(f"http://{name}2.example/")["siblings"] for name in ("good", "bad"))
    assert good == pytest.approx((0.8 + 0.6 - 2 * mean) / (2 + 3))
    assert bad == pytest.approx((0.0 - mean) / (1 + 3))


@pytest.mark.usefixtures("all_counts")
def test_a_link_that_two_pages_have_has_the_siblings_of_both() -> None:
    told = Told("http://a.example/", "http://b.example/")
    told.tell("http://a.example/", 0.0, ("", "http://c.example/"), ("", "http://d.example/"))
    told.tell("http://b.example/", 0.0, ("", "http://c.example/"))
    told.tell("http://d.example/", 0.9)
    both = told.evidence("http://c.example/")["siblings"]
    assert both == pytest.approx((0.9 - 0.3) / 4 / 2)


@pytest.mark.usefixtures("all_counts")
def test_a_page_speaks_for_or_against_the_siblings_on_the_first_so_many_pages_that_link_to_it() -> None:
    told = Told(*(f"http://{number}.example/" for number in range(PARENTS + 1)))
    for number in range(PARENTS + 1):
        told.tell(
            f"http://{number}.example/", 0.0, ("", "http://a.example/"), ("", f"http://b{number}.example/")
        )
    told.tell("http://a.example/", 0.9)
    above = [told.evidence(f"http://b{number}.example/")["siblings"] for number in range(PARENTS + 1)]
    assert above == pytest.approx([(0.9 - told.table.mean) / (1 + 3)] * PARENTS + [0.0])


def test_the_words_of_so_many_links_to_a_page_are_remembered() -> None:
    words = LinkWords(Rarities(TopicalRelevance(TOPIC).matcher.shares))
    for _ in range(LINKS):
        assert words.has_room(3)
        words.add([3], [[0]])
    assert not words.has_room(3)


def test_of_equally_rare_words_the_first_are_remembered() -> None:
    rarities = Rarities(array("d", [0.5, *[0.1] * 20]))
    assert rarities.rarest([0, *range(20, 0, -1), 20]) == [word + 1 for word in range(20, 8, -1)]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.lists(st.integers(0, 30), max_size=15)), max_size=40),
    st.lists(st.integers(0, 7), unique=True),
)
def test_the_best_link_to_a_row_is_that_whose_words_say_most(
    links: list[tuple[int, list[int]]], rows: list[int]
) -> None:
    rarities = Rarities(array("d", [(word + 1) / 40 for word in range(31)]))
    values = np.array([0.0, *np.sin(np.arange(31))], np.float32)
    words = LinkWords(rarities)
    expected: dict[int, list[float]] = {}
    for row, near in links:
        words.add([row], [near])
        known = rarities.rarest(near)
        weight = max(sum(rarities.values[known].tolist()), 1e-6)
        if len(said := expected.setdefault(row, [])) < LINKS:
            said.append(sum(values[known].tolist()) / weight)
    (best,) = words.best(np.array(rows, np.intp), values)
    assert best.tolist() == pytest.approx([max(expected.get(row, [0.0])) for row in rows], abs=1e-5)


def test_groups_are_drawn_to_the_mean_the_more_the_fewer_their_pages() -> None:
    outcomes = Outcomes()
    for _ in range(3):
        outcomes.add(0, 1.0)
    outcomes.add(1, 1.0)
    assert outcomes.above(np.array([0, 1, 2]), 0.0).tolist() == [0.5, 0.25, 0.0]


def ridge(x: np.ndarray, y: np.ndarray, strengths: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The obvious way: weights that minimise the squared error and the distance to the start."""
    x, y = x - x.mean(axis=0), (y - y.mean()) / y.std()
    return np.linalg.solve(x.T @ x + np.diag(strengths), x.T @ y + strengths * start)


def test_the_predictor_is_a_ridge_regression_drawn_to_its_start() -> None:
    rng = np.random.default_rng(0)
    evidence, relevance = rng.random((40, len(EVIDENCE))), rng.random(40)
    evidence[:, EVIDENCE.index("meaning")] *= NEAR_FULL  # so far that it tells
    predictor = Predictor()
    predictor.refit(evidence)
    start = predictor._start
    for row, value in zip(evidence, relevance, strict=True):
        predictor.learn(row, float(value))
    predictor.refit()
    scaled = (evidence - evidence.mean(axis=0)) / evidence.std(axis=0)
    strengths = np.array([STRENGTHS.get(name, STRENGTH) for name in EVIDENCE])
    weights = ridge(scaled, relevance, strengths, start)
    expected = relevance.mean() + relevance.std() * (scaled - scaled.mean(axis=0)) @ weights
    assert predictor.fit.predict(evidence) == pytest.approx(expected)
    assert predictor.fit.parts(evidence).sum(axis=1) + relevance.mean() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("nearness", "part"),
    [
        (NEAR_FULL / 2, 1.0),
        ((NEAR_FULL + NEAR_NONE) / 2, 0.5),
        (NEAR_NONE + 0.1, 0.0),
    ],
)
def test_meaning_has_less_weight_where_all_links_are_near_the_topic(nearness: float, part: float) -> None:
    predictor, evidence = Predictor(), np.zeros((2, len(EVIDENCE)))
    place = EVIDENCE.index("meaning")
    evidence[:, place] = (nearness - 0.05, nearness + 0.05)
    predictor.refit(evidence)
    adds = predictor.fit.parts(evidence)[:, place]
    assert adds[1] - adds[0] == pytest.approx(2 * part * predictor._start[place], abs=1e-6)


def test_outcomes_that_hardly_differ_are_not_blown_up() -> None:
    """Relevance has a deviation of 0.5: a hundredth of it is little, all of it is not."""
    predictor, evidence = Predictor(), np.zeros((2, len(EVIDENCE)))
    little, much = EVIDENCE.index("place"), EVIDENCE.index("host")
    evidence[1, [little, much]] = (0.01, 1.0)
    for relevance in (0.0, 1.0) * 50:
        predictor.learn(np.zeros(len(EVIDENCE)), relevance)
    predictor.refit(evidence)
    lower, upper = predictor.fit.standardised(evidence)[:, [little, much]]
    assert upper - lower == pytest.approx([0.01 / (SMALL * 0.5), 2.0])


def test_a_page_that_is_more_than_relevant_enough_counts_as_one_that_is() -> None:
    """The seed has 0.4, which is twice the threshold."""
    told = Told("http://a.example/")
    told.tell("http://a.example/", 0.4, *(("news", f"http://{name}.example/") for name in "bcd"))
    assert told.table.capped(0.9) == told.table.capped(0.4) == 0.4
    assert told.table.capped(0.3) == 0.3
    link, page = Link("http://b.example/", "", depth=1), Page("http://b.example/")
    told.table.observe(Visit(2, link, page, 0.9, eta=0.2))
    assert told.table.mean == pytest.approx(0.4)
    assert told.table.known.relevance.values[told.table.row("http://b.example/")] == 0.9


def test_relevance_is_not_capped_by_the_eta_that_a_crawl_is_given() -> None:
    web, relevance = GeneratedWeb(0, 200), TopicalRelevance(TOPIC)
    table = LinkTable(relevance)

    class Observing(BreadthFirst):
        def observe(self, visit: Visit) -> None:
            super().observe(visit)
            table.observe(visit)

    seeds = web.seeds("rainstorm")
    threshold = threshold_of(0.03)
    window = Window(Observing(), seeds, relevance=lambda page: 0.5, budget=9, width=1, threshold=threshold)
    _, visits = crawled(web, window)
    assert {visit.eta for visit in visits} == {0.03}
    assert table.capped(0.9) == pytest.approx(CAP * 0.25)  # half of the median of the seeds


def test_after_seeds_that_are_off_the_topic_a_good_page_counts_in_full() -> None:
    told = Told("http://a.example/")
    told.tell("http://a.example/", 0.0)
    assert told.table.capped(0.4) == 0.4


def test_the_address_of_a_link_that_says_nothing_says_what_is_meant() -> None:
    told, base = Told("http://a.example/"), "http://b.example/w/"
    told.tell("http://a.example/", 0.4, ("", f"{base}Tropical_storm.htm"), ("", f"{base}Costa_Rica.htm"))
    storm, place = (
        told.evidence(f"{base}{name}.htm")["meaning"] for name in ("Tropical_storm", "Costa_Rica")
    )
    assert storm > place + 0.3


def test_only_the_last_words_of_an_address_say_what_is_meant() -> None:
    told = Told("http://a.example/")
    urls = [f"http://b.example/{folders}/{'x/' * NAME}Costa_Rica" for folders in ("storm", "flood")]
    told.tell("http://a.example/", 0.4, *(("", url) for url in urls))
    assert told.evidence(urls[0])["meaning"] == told.evidence(urls[1])["meaning"]


def test_what_an_address_asks_for_says_nothing_of_what_is_meant() -> None:
    told = Told("http://a.example/")
    urls = [f"http://b.example/Costa_Rica.htm{query}" for query in ("", "?flood=flood&view=flood")]
    told.tell("http://a.example/", 0.4, *(("", url) for url in urls))
    plain, asked = map(told.evidence, urls)
    assert plain["meaning"] == asked["meaning"] and plain["address"] == 0 < asked["address"]


def test_the_predictor_starts_with_its_prior() -> None:
    predictor = Predictor()
    evidence = np.eye(len(EVIDENCE))
    predictor.refit(evidence)
    order = [EVIDENCE[place] for place in np.argsort(-predictor.fit.predict(evidence), kind="stable")]
    assert [START[name] for name in order[: len(START)]] == sorted(START.values(), reverse=True)


def test_the_first_predictions_are_of_the_size_of_the_first_relevances() -> None:
    predictor, evidence = Predictor(), np.eye(len(EVIDENCE))
    predictor.refit(evidence)
    predictor.learn(evidence[0], 0.08)
    predictor.refit()
    assert predictor.fit.f1(predictor.fit.predict(evidence)).max() < 0.4


def test_the_predictor_learns_which_features_are_informative() -> None:
    rng = Random(0)
    predictor = Predictor()
    rows = np.array([[rng.random() for _ in EVIDENCE] for _ in range(4000)])
    place = EVIDENCE.index("host")
    for row in rows:
        predictor.learn(row, float(row[place]))
    predictor.refit(rows)
    assert np.corrcoef(predictor.fit.predict(rows), rows[:, place])[0, 1] > 0.9


def test_f1_is_as_often_too_high_as_too_low() -> None:
    """Three pages of four say 0.1, the fourth 0.5: the mean is wrong about each, the median about one."""
    predictor, evidence = Predictor(), np.zeros((1, len(EVIDENCE)))
    predictor.refit(evidence)
    for relevance in (0.1, 0.1, 0.1, 0.5) * 50:
        predictor.learn(evidence[0], relevance)
        predictor.refit()
    expected = predictor.fit.predict(evidence)
    assert expected[0] == pytest.approx(0.2)
    assert predictor.fit.f1(expected)[0] == pytest.approx(0.1, abs=0.02)


def test_pages_before_the_first_fit_correct_nothing() -> None:
    """Many seeds are fetched before anything is predicted."""
    predictor, evidence = Predictor(), np.zeros((1, len(EVIDENCE)))
    predictor.refit(evidence)
    for _ in range(100):
        predictor.learn(evidence[0], 0.2)
    predictor.refit()
    for _ in range(100):
        predictor.learn(evidence[0], 0.2)
    predictor.refit()
    assert predictor.fit.f1(predictor.fit.predict(evidence)).tolist() == pytest.approx([0.2])


def test_a_page_is_not_its_own_parent() -> None:
    told = Told("http://a.example/")
    told.tell("http://a.example/", 0.4, ("flood", "http://a.example/"), ("news", "http://c.example/"))
    assert told.evidence("http://a.example/")["parents"] == 0


def test_what_speaks_for_a_link_speaks_for_the_page_it_is_redirected_to() -> None:
    told = Told("http://a.example/")
    told.tell("http://a.example/", 0.4, ("flood", "http://old.example/"))
    page = Page("http://new.example/", links=(Link("http://c.example/", "http://new.example/"),))
    told.table.observe(Visit(2, Link("http://old.example/", "http://a.example/"), page, 0.3))
    evidence = told.evidence("http://new.example/")
    assert evidence["parents' mean"] == 0.4 and evidence["anchor"] > 0
    rows = [told.table.row(f"http://{name}.example/") for name in ("a", "old", "new", "c")]
    assert told.table.known.graph.distances([rows[0]])[rows].tolist() == [0, 1, 2, 3]


def test_an_address_that_redirected_may_be_a_page_later() -> None:
    told = Told("http://a.example/", "http://b.example/")
    told.table.observe(Visit(1, Link("http://a.example/", SEEDS), Page("http://x.example/"), 0.1))
    told.table.observe(Visit(2, Link("http://b.example/", SEEDS), Page("http://a.example/"), 0.2))
    assert told.table.pages == 2


def test_the_relevance_of_an_anchor_is_that_of_this_page_in_pagerank() -> None:
    """Equation 9: a link "more" passes on no more because another page says "flood"."""
    told = Told("http://a.example/", "http://b.example/")
    told.tell("http://a.example/", 0.4, ("flood", "http://c.example/"))
    told.tell("http://b.example/", 0.4, ("more", "http://c.example/"))
    assert told.table.known.graph.shares[-1] == 0 < told.table.known.graph.shares[-2]


def test_anchors_are_read_in_the_language_of_their_page() -> None:
    topic = topic_of_words("regen", {"überschwemmung": 1.0})
    table = LinkTable(TopicalRelevance(topic))
    seeds = (Link("http://a.example/", SEEDS),)
    table.observe(Visit(0, Link(SEEDS, SEEDS), Page(SEEDS, links=seeds)))
    links = (Link("http://b.example/", "", "schwere Überschwemmungen"),)
    table.observe(Visit(1, seeds[0], Page("http://a.example/", links=links, language="de"), 0.2))
    assert table.evidence(np.array([table.row("http://b.example/")]))[0, EVIDENCE.index("anchor")] > 0
