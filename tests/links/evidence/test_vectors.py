"""What links mean, by vectors of their words."""

from importlib.resources import files

import numpy as np
import pytest

from fcwseo.crawling.engine import SEEDS
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.links.evidence.table import LinkTable
from fcwseo.links.evidence.vectors import (
    ALIKE,
    FEWEST,
    NEARNESS,
    Blending,
    Meanings,
    unit,
    word_vectors,
)
from fcwseo.links.evidence.words import Rarities
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.8})
PLACES = ("France", "Germany", "Spain", "Portugal", "Italy", "Canada")
STORMS = ("hurricane", "typhoon", "tornado", "thunderstorm", "cyclone", "blizzard")


class Links:
    """Links by their anchors, in the order in which they came."""

    def __init__(self) -> None:
        self._relevance = TopicalRelevance(TOPIC)
        self.meanings = Meanings(self._relevance, Rarities(self._relevance.matcher.shares))
        self._count = 0

    def add(self, *anchors: str, near: str = "", address: str = "") -> np.ndarray:
        """Their rows."""
        rows = np.arange(self._count, self._count + len(anchors))
        self._count += len(anchors)
        words = [self._relevance.matcher.words(anchor) for anchor in anchors]
        others = ([self._relevance.matcher.words(text)] * len(anchors) for text in (near, address))
        self.meanings.add(rows.tolist(), words, *others)
        return rows


def test_what_means_nearly_the_topic_is_nearer_than_what_does_not() -> None:
    links = Links()
    hail, finance = links.meanings.near_topic(links.add("hailstorms", "the finance committee"))
    assert hail > finance + 0.3


def test_an_address_says_what_an_anchor_does_not() -> None:
    links = Links()
    (named,) = links.meanings.near_topic(links.add("Lenny", address="wp h Hurricane Lenny htm"))
    (plain,) = links.meanings.near_topic(links.add("Lenny"))
    assert named > plain


def test_a_feature_word_is_looked_up_by_its_labels() -> None:
    links = Links()
    (flood,) = links.meanings.near_topic(links.add("flood"))
    assert flood > 0.5


def test_links_of_similar_meaning_share_outcomes() -> None:
    """Neither Austria nor the monsoon was seen before."""
    links = Links()
    for row in links.add(*PLACES):
        links.meanings.learn(int(row), 0.0)
    for row in links.add(*STORMS):
        links.meanings.learn(int(row), 0.3)
    austria, monsoon = links.meanings.alike(links.add("Austria", "monsoon"))
    assert monsoon > austria + 0.03


def test_nothing_is_learned_from_a_few_links() -> None:
    links = Links()
    for row in links.add(*STORMS)[: FEWEST - 1]:
        links.meanings.learn(int(row), 0.3)
    assert links.meanings.alike(links.add("monsoon")).tolist() == [0.0]


def test_the_ridge_is_the_obvious_one() -> None:
    links, relevances = Links(), np.linspace(0.0, 1.0, len(PLACES + STORMS))
    rows = links.add(*PLACES, *STORMS)
    for row, relevance in zip(rows, relevances, strict=True):
        links.meanings.learn(int(row), float(relevance))
    vectors = links.meanings._vectors_of_links()[rows] / 127
    centred = vectors - vectors.mean(axis=0)
    weights = np.linalg.solve(
        centred.T @ centred + 20 * np.eye(centred.shape[1]), centred.T @ (relevances - relevances.mean())
    )
    assert links.meanings.alike(rows) == pytest.approx(centred @ weights, abs=1e-5)


def test_links_without_a_known_word_are_average() -> None:
    links = Links()
    storm, place, unknown = links.meanings.near_topic(links.add("tornado", "Portugal", "qzxv"))
    assert unknown == pytest.approx((storm + place) / 2)
    assert links.meanings.near_topic(np.array([2])).tolist() == [unknown]  # whatever else is asked for
    assert Links().meanings.near_topic(np.array([0, 5])).tolist() == [0.0, 0.0]


def test_the_words_around_an_anchor_count_less_than_the_anchor() -> None:
    links = Links()
    bare, around = (
        links.meanings.near_topic(links.add("Lisbon", near=near))[0] for near in ("", "hurricane")
    )
    (storm,) = links.meanings.near_topic(links.add("hurricane"))
    assert bare < around < storm


def test_the_first_link_to_a_page_says_what_is_meant() -> None:
    links = Links()
    matcher = TopicalRelevance(TOPIC).matcher
    (row,) = links.add("hurricane")
    (before,) = links.meanings.near_topic(np.array([row]))
    links.meanings.add([int(row)], [matcher.words("Portugal")], [[]], [[]])
    assert links.meanings.near_topic(np.array([row]))[0] == before


def test_of_two_links_on_a_page_the_first_says_what_is_meant() -> None:
    relevance = TopicalRelevance(TOPIC)
    meanings = Meanings(relevance, Rarities(relevance.matcher.shares))
    storm, place = (relevance.matcher.words(anchor) for anchor in ("hurricane", "Portugal"))
    meanings.add([0, 1, 0], [storm, storm, place], [[]] * 3, [[]] * 3)
    first, same = meanings.near_topic(np.array([0, 1]))
    assert first == same


@pytest.mark.parametrize(("language", "is_read"), [("", True), ("en-GB", True), ("de", False)])
def test_only_pages_that_may_be_english_are_looked_up(language: str, is_read: bool) -> None:
    table = LinkTable(TopicalRelevance(TOPIC))
    seed = "http://a.example/"
    links = [Link(f"{seed}{name}", seed, name, name) for name in ("hurricane", "war")]
    table.observe(Visit(0, Link("", ""), Page(SEEDS, links=(Link(seed, SEEDS),))))
    table.observe(Visit(1, Link(seed, SEEDS), Page(seed, links=tuple(links), language=language), 0.2))
    rows = np.array([table.row(link.target) for link in links])
    storm, war = table.evidence(rows)[:, EVIDENCE.index("meaning")]
    assert (storm > war) == is_read
    assert is_read or storm == war == 0


def test_vectors_are_small_whole_and_of_length_one() -> None:
    table = word_vectors()
    assert len((files("fcwseo") / "data" / "vectors-en.npz").read_bytes()) < 4_000_000
    assert len(table.rows) + 1 == len(table.vectors) > 60_000
    assert not table.vectors[0].any()
    lengths = np.linalg.norm(table.vectors[1:] / 127, axis=1)
    assert lengths == pytest.approx(np.ones(len(lengths)), abs=0.03)
    assert unit(np.zeros(3)).tolist() == [0, 0, 0]


def _page(text: str, language: str = "en") -> Page:
    return Page("http://a.example/", groups=(text, "", "", "", ""), text=text, language=language)


def test_a_page_near_the_topic_need_not_have_its_words() -> None:
    meanings = Links().meanings
    near = meanings.of_page(_page("A hurricane brought thunder, hail and snow to the coast."))
    far = meanings.of_page(_page("The committee of the bank spoke about taxes and shares."))
    assert near is not None and far is not None and near > far + 0.3


@pytest.mark.parametrize(
    ("text", "language"),
    [("Ein Sturm brachte Hagel.", "de"), ("", "en"), ("brrx qwyz zzgt storm", "en")],
    ids=["another language", "no text", "hardly a word that is known"],
)
def test_of_other_pages_it_is_not_known_how_near_they_are(text: str, language: str) -> None:
    assert Links().meanings.of_page(_page(text, language)) is None


def test_relevance_is_blended_where_meaning_has_weight() -> None:
    rng = np.random.default_rng(0)
    asked, told_nothing = Blending(), Blending()
    for relevance, near in rng.random((50, 2)):
        asked.add(relevance, near, 1.0)
        assert told_nothing.add(relevance, near, 0.0) == relevance
    assert asked.add(0.5, 0.9, 1.0) > asked.add(0.5, 0.5, 1.0) > asked.add(0.5, 0.1, 1.0) >= 0


def test_equally_near_pages_are_not_changed() -> None:
    blending = Blending()
    mended = [blending.add(relevance, 0.3, 1.0) for relevance in (0.1, 0.2) * 10]
    assert mended == pytest.approx([0.1, 0.2] * 10)


def test_small_differences_of_nearness_have_small_effects() -> None:
    """Nearness deviates by a quarter of the least deviation, relevance by .05."""
    blending = Blending()
    *_, low, high = (
        blending.add(relevance, 0.3 + side * ALIKE / 4, 1.0)
        for relevance, side in ((0.1, -1), (0.2, 1)) * 500
    )
    assert (low, high) == pytest.approx((0.1 - NEARNESS * 0.05 / 4, 0.2 + NEARNESS * 0.05 / 4), abs=1e-3)


def test_blended_relevance_is_a_relevance() -> None:
    blending = Blending()
    mended = [blending.add(relevance, relevance, 1.0) for relevance in (0.0, 1.0) * 10]
    assert min(mended) == 0.0 and max(mended) == 1.0


def test_outcomes_are_blended_with_the_meaning_of_pages() -> None:
    """The pages of one host speak of storms, those of the other of taxes, and are a little more relevant."""
    table = LinkTable(TopicalRelevance(TOPIC))
    texts = {"storms": "hurricane thunder hail snow rain", "taxes": "bank shares taxes finance committee"}
    urls = [f"http://{host}.example/{number}" for number in range(FEWEST) for host in texts]
    seeds = tuple(Link(url, SEEDS, "a report") for url in urls)
    table.observe(Visit(0, Link(SEEDS, ""), Page(SEEDS, links=seeds), 0.0))
    for step, url in enumerate(urls[:-2], 1):
        text = texts[url.split("/")[2].partition(".")[0]]
        relevance = 0.1 + 0.01 * (step % 3)
        page = Page(url, text=text, groups=(text, "", "", "", ""))
        table.observe(Visit(step, Link(url, SEEDS), page, relevance))
    storms, taxes = table.evidence(np.array([table.row(url) for url in urls[-2:]]))
    assert storms[EVIDENCE.index("host")] > taxes[EVIDENCE.index("host")]
    assert table.known.relevance.values[table.row(urls[-3])] == relevance


def test_without_known_words_meaning_has_no_weight() -> None:
    links = Links()
    assert links.meanings.weight == 0.0
    links.add("the finance committee")
    assert links.meanings.weight > 0.0
