"""Equations 4 to 7, by worked numbers and by properties."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.pages import Page
from fcwseo.relevance.paper import GROUP_WEIGHTS, PaperRelevance, TopicNorm
from fcwseo_ontology.topic import FeatureWord, Topic, topic_of_words

WORDS = ("rainstorm", "flood", "snow", "hail")
TOPIC = topic_of_words("rain", {"rainstorm": 0.8, "flood": 0.6})


def page(*groups: str) -> Page:
    one, two, three, four, five = groups + ("",) * (5 - len(groups))
    return Page("p", groups=(one, two, three, four, five))


def test_the_weights_of_a_page_by_hand() -> None:
    """flood: 1 of 2 in group 1, 2 of 2 in group 4; rainstorm: 1 of 2 in group 4, 2 of 2 in group 5."""
    relevance = PaperRelevance(TOPIC)
    shown = page("Flood", "", "", "flood, flood and rainstorm", "rainstorm rainstorm")
    assert relevance.weights(shown) == pytest.approx({1: 0.5 * 2 + 1, 0: 0.5 + 0.2})
    assert relevance(shown) == pytest.approx((0.8 * 0.7 + 0.6 * 2) / math.sqrt(0.7**2 + 2**2))
    assert relevance.of_page(shown) == pytest.approx(0.8306, abs=1e-4)


def test_how_often_a_word_stands_in_one_group_does_not_count() -> None:
    relevance = PaperRelevance(TOPIC)
    assert relevance.weights(page("", "", "", "flood")) == relevance.weights(page("", "", "", "flood " * 50))


def test_a_word_in_every_group_weighs_most() -> None:
    assert PaperRelevance(TOPIC).weights(page(*["flood"] * 5)) == pytest.approx({1: sum(GROUP_WEIGHTS)})
    assert sum(GROUP_WEIGHTS) == pytest.approx(5.9)


def test_an_anchor_by_hand() -> None:
    """Of 4 pages 2 have rainstorm and 1 has flood: log(2.01) and log(4.01)."""
    relevance = PaperRelevance(TOPIC)
    for text in ("rainstorm", "rainstorm flood", "", "nothing of this"):
        relevance(page(text))
    assert (relevance.pages, relevance.pages_with) == (4, [2, 1])
    rain, flood = math.log(2.01), 2 * math.log(4.01)
    expected = (0.8 * rain + 0.6 * flood) / math.hypot(rain, flood)
    assert relevance.of_text("Flood after flood after rainstorm") == pytest.approx(expected)
    assert expected == pytest.approx(0.7769, abs=1e-4)


def test_before_any_page_all_words_are_equally_rare() -> None:
    relevance = PaperRelevance(TOPIC)
    assert relevance.of_text("rainstorm flood") == pytest.approx(1.4 / math.sqrt(2))


def test_a_word_on_no_page_counts_as_on_one() -> None:
    relevance = PaperRelevance(TOPIC)
    for _ in range(3):
        relevance(page("rainstorm"))
    rain, flood = math.log(1.01), math.log(3.01)
    expected = (0.8 * rain + 0.6 * flood) / math.hypot(rain, flood)
    assert relevance.of_text("rainstorm flood") == pytest.approx(expected)


def test_only_pages_that_are_judged_are_counted() -> None:
    relevance = PaperRelevance(TOPIC)
    relevance.of_page(page("flood"))
    relevance.of_text("flood")
    assert (relevance.pages, relevance.pages_with) == (0, [0, 0])


def test_the_norms() -> None:
    full, support = PaperRelevance(TOPIC), PaperRelevance(TOPIC, norm=TopicNorm.SUPPORT)
    assert full(page("flood")) == pytest.approx(0.6)
    assert support(page("flood")) == pytest.approx(1.0)
    both = page("rainstorm flood")
    assert full(both) == pytest.approx(support(both)) == pytest.approx(1.4 / math.sqrt(2))
    assert full(page("fog")) == support(page("fog")) == 0.0
    assert full.of_text("flood") == pytest.approx(0.6)
    assert support.of_text("flood") == pytest.approx(1.0)


def test_how_many_words_a_page_needs_with_the_full_norm() -> None:
    """Of 71 words of the same weight 35 bring a page to .7, and 34 do not."""
    words = [f"word{number}x" for number in range(71)]
    relevance = PaperRelevance(topic_of_words("many", dict.fromkeys(words, 1.0)))
    assert relevance(page(" ".join(words[:34]))) < 0.7 < relevance(page(" ".join(words[:35])))


def test_other_names_of_a_word_count_as_the_word() -> None:
    topic = Topic("rain", (FeatureWord("rainstorm", 1.0, ("rainstorm", "cloudburst")),))
    assert PaperRelevance(topic)(page("Cloudburst")) == pytest.approx(1.0)


texts = st.lists(st.sampled_from((*WORDS, "other")), max_size=8).map(" ".join)
topics = st.tuples(*[st.floats(0.01, 1)] * 4).map(lambda weights: dict(zip(WORDS, weights, strict=True)))


def equation_7(anchor: str, pages: list[str], topic: dict[str, float], base: float) -> float:
    """The slow twin, with the base of the logarithm and the length of the anchor."""
    words = [word for word in anchor.split() if word in topic]
    if not words:
        return 0.0
    weights = [
        words.count(word)
        / len(words)
        * math.log(max(len(pages), 1) / max(sum(word in page.split() for page in pages), 1) + 0.01, base)
        for word in topic
    ]
    product = sum(weight * topic[word] for weight, word in zip(weights, topic, strict=True))
    return product / (math.hypot(*weights) * math.hypot(*topic.values()))


@given(texts, st.lists(texts, max_size=6), topics, st.floats(1.5, 100))
def test_the_relevance_of_an_anchor_does_not_depend_on_the_base(
    anchor: str, pages: list[str], topic: dict[str, float], base: float
) -> None:
    relevance = PaperRelevance(topic_of_words("rain", topic))
    for text in pages:
        relevance(page(text))
    assert relevance.of_text(anchor) == pytest.approx(equation_7(anchor, pages, topic, base))


@given(st.lists(texts, min_size=5, max_size=5), texts, topics, st.sampled_from(TopicNorm))
def test_relevance_lies_between_0_and_1(
    groups: list[str], anchor: str, topic: dict[str, float], norm: TopicNorm
) -> None:
    relevance = PaperRelevance(topic_of_words("rain", topic), norm=norm)
    assert 0 <= relevance(page(*groups)) <= 1
    assert 0 <= relevance.of_text(anchor) <= 1
    has_words = any(word in " ".join(groups) for word in topic)
    assert (relevance.of_page(page(*groups)) > 0) == has_words


@given(st.lists(texts, min_size=5, max_size=5), topics)
def test_the_norm_over_fewer_words_never_gives_less(groups: list[str], topic: dict[str, float]) -> None:
    words = topic_of_words("rain", topic)
    full, support = PaperRelevance(words), PaperRelevance(words, norm=TopicNorm.SUPPORT)
    assert support(page(*groups)) >= full(page(*groups)) - 1e-12
