"""Taxonomies, addresses and link types, and the crawler of paper 004 that uses them."""

import importlib.util
import json
import sys
from pathlib import Path
from random import Random

import pytest

from fcwseo.crawling.engine import SEEDS
from fcwseo.errors import InvalidTopic
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models import taxonomy
from fcwseo.relevance.models.taxonomy import (
    GAMMAS,
    LinkType,
    Taxonomy,
    link_type,
    of_link_type,
    taxonomy_of,
    url_tokens,
)
from fcwseo.strategies.protocol import AT_ONCE
from fcwseo.strategies.rivals.fcmrps import VARIANTS, Fcmrps, FcmrpsParameters, TermCosine, fcmrps, is_content
from fcwseo.strategies.rivals.scored import Scored
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.topic import FeatureWord, Topic, topic_of_words

needs_pinyin = pytest.mark.skipif(
    importlib.util.find_spec("pypinyin") is None, reason="pypinyin is not installed: fcwseo[zh]"
)


def written(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture
def basketball(tmp_path: Path) -> Taxonomy:
    steps = [
        {"label": "sports", "labels": ["体育"], "pinyin": ["tiyu"]},
        {"label": "basketball", "labels": ["篮球"], "pinyin": ["lanqiu"], "initials": ["lq"]},
    ]
    return taxonomy_of(
        load_topic(str(written(tmp_path / "path.json", {"name": "basketball", "path": steps})))
    )


def test_a_path_weighs_the_more_the_deeper(basketball: Taxonomy) -> None:
    assert basketball.topic.weights == {"sports": 0.5, "basketball": 1.0}


def test_the_address_of_the_paper(basketball: Taxonomy) -> None:
    """(1/2 * 1 + 1 * 1) * 2/3 = 1."""
    assert url_tokens("http://sports.sohu.com/lanqiu.shtml") == ["sports", "sohu", "lanqiu"]
    assert basketball.of_url("http://sports.sohu.com/lanqiu.shtml") == pytest.approx(1)


@pytest.mark.parametrize(
    ("url", "relevance"),
    [
        ("http://a.com/LanQiu/", 2 / 3),
        ("http://a.com/sports/", 1 / 3),
        ("http://a.com/tiyu_lq/", 1 / 3 + 0.2 * 2 / 3),
        ("http://a.com/motorsports", 1 / 3),  # part of a token is enough
        ("http://a.com/chess", 0),
    ],
)
def test_forms_in_addresses(basketball: Taxonomy, url: str, relevance: float) -> None:
    assert basketball.of_url(url) == pytest.approx(relevance)


def test_a_short_form_counts_half(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", {"path": ["software", {"label": "weather", "short": ["wx"]}]})
    found = taxonomy_of(load_topic(str(path)))
    assert found.name == "x"
    assert found.of_url("http://a.com/soft") == pytest.approx(0.5 / 3)
    assert found.of_url("http://a.com/wx/") == pytest.approx(0.5 * 2 / 3)


@pytest.mark.extra
@needs_pinyin
def test_pinyin_of_chinese_labels() -> None:
    word = FeatureWord("容器云", 1.0, ("容器云",))
    found = taxonomy_of(Topic("容器云", (word,)))
    assert found.of_url("http://a.com/rongqiyun/1") == 1
    assert found.of_url("http://a.com/rqy/1") == pytest.approx(0.2)
    assert found.of_url("http://a.com/%E5%AE%B9%E5%99%A8%E4%BA%91") == 1


def test_without_pypinyin_chinese_labels_have_no_pinyin(monkeypatch: pytest.MonkeyPatch) -> None:
    taxonomy.pinyin_forms.cache_clear()
    monkeypatch.setitem(sys.modules, "pypinyin", None)
    word = FeatureWord("容器云", 1.0, ("容器云", "container cloud"))
    found = taxonomy_of(Topic("容器云", (word,)))
    taxonomy.pinyin_forms.cache_clear()
    assert found.of_url("http://a.com/rongqiyun/1") == 0
    assert found.of_url("http://a.com/container-cloud/1") == 1


def test_the_levels_of_an_ontology_are_the_path_with_the_topic_last() -> None:
    words = [FeatureWord(w, 1.0, (w,), level) for w, level in (("rain", 1), ("storm", 2), ("hail", 3))]
    found = taxonomy_of(Topic("rain", tuple(words)))
    assert found.topic.weights == pytest.approx({"hail": 1 / 3, "storm": 2 / 3, "rain": 1.0})
    assert taxonomy_of(topic_of_words("x", {"one": 1.0, "two": 0.5})).topic.weights == {"one": 1, "two": 1}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ("[]", 'no object "weights"'),
        ('{"path": []}', '"path" is not a list'),
        ('{"path": ["a"], "weights": {"b": 1}}', 'both "weights" and "path"'),
        ('{"path": [3]}', "has no label"),
        ('{"path": [{"label": "-"}]}', "has no label"),
        ('{"path": [{"label": "a", "short": "b"}]}', "not lists of texts"),
    ],
)
def test_a_broken_taxonomy_is_one_clear_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(InvalidTopic, match=says):
        load_topic(str(path))


def test_a_missing_taxonomy(tmp_path: Path) -> None:
    with pytest.raises(InvalidTopic, match="cannot read"):
        load_topic(str(tmp_path / "none.json"))


@pytest.mark.parametrize(
    ("page", "target", "kind"),
    [
        ("http://a.org/x/1.html", "http://a.org/x/y/2.html", LinkType.DOWNWARD),
        ("http://a.org", "http://a.org/x/", LinkType.DOWNWARD),
        ("http://a.org/x/1.html", "http://a.org/x/2.html?a=/b/", LinkType.SIBLING),
        ("http://a.org/x/1.html", "http://a.org/2.html", LinkType.UPWARD),
        ("http://a.org/x/1.html", "http://a.org/xy/2.html", LinkType.CROSSWISE),
        ("http://a.org/x/1.html", "http://b.org/x/2.html", LinkType.OUTWARD),
    ],
)
def test_link_types(page: str, target: str, kind: LinkType) -> None:
    assert link_type(page, target, content=True) is kind


@pytest.mark.parametrize("kind", LinkType)
def test_the_gammas(kind: LinkType) -> None:
    assert of_link_type(kind, anchor=0.1, page=0.0) == GAMMAS[kind][0]
    assert of_link_type(kind, anchor=0.0, page=0.1) == GAMMAS[kind][1]
    assert of_link_type(kind, anchor=0.0, page=0.0) == 0


def test_a_page_of_links_has_no_content() -> None:
    links = (Link("a", "p", anchor="one link"), Link("b", "p", anchor="another"))
    assert is_content(Page("p", text="A long story. " * 9, links=links))
    assert not is_content(Page("p", text="one link another", links=links))


def test_a_cosine_of_frequencies_and_weights() -> None:
    cosine = TermCosine(topic_of_words("x", {"rainstorm": 3.0, "flood": 4.0}))
    assert cosine.of("the rainstorm") == pytest.approx(0.6)
    assert cosine.of("flood") == pytest.approx(0.8)
    assert cosine.of("rainstorm hammer") == pytest.approx(0.6 / 2**0.5)
    assert cosine.of("hammer") == cosine.of("") == 0


TOPIC = topic_of_words("storms", {"rainstorm": 1.0})


def visited(url: str, text: str, *links: Link, step: int = 1) -> Visit:
    page = Page(url, text=text, links=links)
    return Visit(step, Link(url, SEEDS), page)


def scores(weights: tuple[float, float, float, float], link: Link, text: str) -> float:
    scorer = Fcmrps(taxonomy_of(TOPIC), parameters=FcmrpsParameters(weights))
    visit = visited("http://a.org/x/", text, link)
    assert isinstance(visit.outcome, Page)
    return scorer(visit, visit.outcome, visit.outcome.links)[0]


LINK = Link("http://a.org/x/y/rainstorm.html", "http://a.org/x/", anchor="more", context="a rainstorm: more")


def test_the_four_predictions() -> None:
    assert scores((1, 0, 0, 0), LINK, "rainstorm hammer") == pytest.approx(2**-0.5)
    by_context = scores((0, 1, 0, 0), LINK, "rainstorm hammer")
    assert 0 < by_context <= 1
    assert scores((0, 0, 1, 0), LINK, "rainstorm hammer") == 1
    assert scores((0, 0, 0, 1), LINK, "rainstorm hammer") == 0.4
    together = scores((0.25, 0.25, 0.25, 0.25), LINK, "rainstorm hammer")
    assert together == pytest.approx((2**-0.5 + by_context + 1 + 0.4) / 4)


def test_links_of_irrelevant_pages_come_last_when_the_depth_is_used_up() -> None:
    strategy = Scored(Fcmrps(taxonomy_of(TOPIC), parameters=FcmrpsParameters((0, 0, 1, 0), depth=2)))
    root = "http://a.org/"
    strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=(Link(f"{root}1", SEEDS),))))
    (first,) = strategy.next(1, AT_ONCE)
    strategy.observe(Visit(1, first, Page(first.target, text="x", links=(Link(f"{root}2", root),))))
    (second,) = strategy.next(1, AT_ONCE)
    links = (Link(f"{root}rainstorm", root), Link(f"{root}late", root))
    strategy.observe(Visit(2, second, Page(second.target, text="x", links=links)))  # two without relevance
    (third,) = strategy.next(1, AT_ONCE)
    assert third.target == f"{root}rainstorm"
    relevant = Page(third.target, text="rainstorm", links=(Link(f"{root}new", root),))
    strategy.observe(Visit(3, third, relevant))
    assert [link.target for link in strategy.next(9, AT_ONCE)] == [f"{root}new", f"{root}late"]


def test_the_variants_weigh_the_predictions() -> None:
    for name, parameters in VARIANTS.items():
        assert sum(parameters.weights) == pytest.approx(1)
        used = {str(i) for i, weight in enumerate(parameters.weights, 1) if weight}
        assert used == set(name.partition("-")[2] or "1234")
        strategy = fcmrps(TOPIC, TopicalRelevance(TOPIC), Random(0), variant=name)
        strategy.observe(visited("http://a.org/", "rainstorm", LINK))
        assert [link.target for link in strategy.next(2, AT_ONCE)] == [LINK.target]
