"""The text models of paper 000: vector space, semantic similarity, both, and disambiguation."""

from itertools import product

import numpy as np
import pytest
from helpers.wordnets import small_wordnet
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.columns import Floats
from fcwseo.crawling.engine import SEEDS
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.models.sdg import (
    HIGH,
    LOW,
    RULES,
    Ambiguity,
    DisambiguationGraph,
    Node,
    build_graph,
    co_occurrence,
    disambiguation_terms,
    high,
    indicators,
    infer,
)
from fcwseo.relevance.models.sdvsm import FIRST_GRAPH, Sdvsm
from fcwseo.relevance.models.semantic import (
    PAGE_TERMS,
    PRINTED,
    SURE,
    SemanticModel,
    Similarities,
    TopicSenses,
)
from fcwseo.relevance.models.ssrm import ssrm
from fcwseo.relevance.models.svsm import svsm
from fcwseo.relevance.models.terms import TermWeights, Text
from fcwseo.relevance.models.vsm import Vsm, vsm, vsm_of
from fcwseo.strategies.protocol import AT_ONCE
from fcwseo.strategies.rivals.scored import Scored
from fcwseo.strategies.rivals.text_models import Priority
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.topic import Topic, topic_of_words

TOPIC = topic_of_words("storms", {"rainstorm": 1.0, "flood": 0.5})
WORDNET = small_wordnet()


# Weights and the vector space model


def test_a_term_weighs_by_frequency_and_rarity() -> None:
    weights = TermWeights(TOPIC)
    text = weights.of("rainstorm rainstorm flood and the and the and the and the")
    assert text.terms.tolist() == [0, 1]  # stop words are none
    rarity = weights.rarity(text.terms)
    assert text.weights.tolist() == pytest.approx([rarity[0], rarity[1] / 2])


def test_only_the_heaviest_words_of_a_topic_are_its_terms() -> None:
    topic = topic_of_words("many", {f"word{i}": 1.0 + i for i in range(60)})
    assert [word.word for word in TermWeights(topic, most=40).words] == [
        f"word{i}" for i in range(59, 19, -1)
    ]
    assert TermWeights(topic).size == 60


def test_the_heaviest_terms_of_a_text_and_all_topic_terms() -> None:
    text = Text(np.arange(5, dtype=np.int32), np.array([1.0, 5.0, 4.0, 3.0, 2.0]))
    assert text.heaviest(2, 1).terms.tolist() == [0, 1, 2]
    assert text.heaviest(9, 1) is text


def test_the_vector_space_model_knows_the_whole_topic() -> None:
    """A text of one of two topic terms has the cosine 0.5 / sqrt(1 + 0.25)."""
    assert Vsm(TOPIC).of_text("flood") == pytest.approx(0.5 / 1.25**0.5)
    assert Vsm(TOPIC).of_text("") == 0
    weights = TermWeights(TOPIC)
    text = Text(np.array([0, 1], np.int32), weights.topic)
    assert vsm_of(weights, text) == pytest.approx(1) == vsm(weights.topic, weights.topic)


# SSRM and SVSM

DSV = np.array([0.18, 0.13, 0.3, 0.24, 0.15, 0.03])
TSV = np.array([0.26, 0.16, 0.6, 0.52, 0.28, 0.19])


def test_the_example_of_the_paper() -> None:
    assert vsm(DSV, TSV) == pytest.approx(0.97768, abs=5e-6)


def matrices(rows: int, columns: int) -> st.SearchStrategy[Floats]:
    cells = st.lists(st.floats(0.01, 1), min_size=rows * columns, max_size=rows * columns)
    return cells.map(lambda values: np.array(values).reshape(rows, columns))


def semantic_vectors(sem: Floats, text: Floats, topic: Floats) -> tuple[Floats, Floats]:
    """DSV and TSV, written out: slow and obvious."""
    return (text[:, np.newaxis] * sem).ravel(), (topic[np.newaxis, :] * sem).ravel()


@given(matrices(3, 2), matrices(1, 3), matrices(1, 2))
def test_svsm_is_the_cosine_of_the_semantic_vectors(sem: Floats, text: Floats, topic: Floats) -> None:
    slow = vsm(*semantic_vectors(sem, text[0], topic[0]))
    assert svsm(sem, text[0], topic[0], level_correction=False) == pytest.approx(slow)


@given(matrices(3, 2), matrices(1, 3), matrices(1, 2), st.floats(0.01, 1))
def test_svsm_does_not_see_the_scale_and_the_correction_does(
    sem: Floats, text: Floats, topic: Floats, scale: float
) -> None:
    whole, scaled = (svsm(s, text[0], topic[0], level_correction=False) for s in (sem, scale * sem))
    assert whole == pytest.approx(scaled)
    whole, scaled = (svsm(s, text[0], topic[0]) for s in (sem, scale * sem))
    assert scaled == pytest.approx(scale * whole)


@given(matrices(3, 2), matrices(1, 3), matrices(1, 2))
def test_ssrm_is_a_mean_of_similarities(sem: Floats, text: Floats, topic: Floats) -> None:
    pairs = list(product(range(3), range(2)))
    above = sum(sem[i, j] * text[0, i] * topic[0, j] for i, j in pairs)
    below = sum(text[0, i] * topic[0, j] for i, j in pairs)
    assert ssrm(sem, text[0], topic[0]) == pytest.approx(above / below)


def test_nothing_is_like_an_empty_text() -> None:
    none, topic = np.zeros(0), np.ones(2)
    assert ssrm(np.zeros((0, 2)), none, topic) == svsm(np.zeros((0, 2)), none, topic) == 0


# Similarity by WordNet


@pytest.mark.parametrize("noun", ["storm", "blizzard", "hammer", "entity", "flood", "unheard"])
def test_all_topic_terms_at_once_are_as_alike_as_one_by_one(noun: str) -> None:
    senses = TopicSenses(TOPIC.words, WORDNET, PRINTED)
    alone = [WORDNET.similarity(noun, word.word) for word in TOPIC.words]
    assert senses.alike([noun]).tolist() == pytest.approx(alone)


def test_a_term_is_found_by_its_stem_and_compared_by_its_noun() -> None:
    weights = TermWeights(TOPIC)
    alike = Similarities(weights, WORDNET, PRINTED)
    (blizzard,) = weights.matcher.words("blizzards")
    assert alike.rows([blizzard]).tolist() == [[0, 0]]  # no noun of it was seen so far
    alike.learn("Blizzards came.")
    assert alike.rows([blizzard, 0])[0, 0] == WORDNET.similarity("blizzard", "rainstorm") > 0.5
    assert alike.rows([0])[0, 0] == 1


def test_what_is_a_little_alike_counts_as_printed_but_not_in_our_crawlers() -> None:
    """The first meaning of storm is no weather here, and a blizzard is only half a rainstorm."""
    noun, about = "{} n {} 0 1 0 {}", "{:08d} 03 n 01 {} 0 {:03d} {} | a noun"
    up = "@ {:08d} n 0000"
    wordnet = WordNet.of_lines(
        [
            noun.format("rainstorm", 1, "00000003"),
            noun.format("downpour", 1, "00000003"),
            noun.format("storm", 2, "00000004 00000003"),
            noun.format("blizzard", 1, "00000005"),
        ],
        [
            about.format(1, "entity", 2, "~ 00000002 n 0000 ~ 00000004 n 0000"),
            about.format(2, "weather", 3, f"{up.format(1)} ~ 00000003 n 0000 ~ 00000005 n 0000"),
            about.format(3, "rainstorm", 1, up.format(2)),
            about.format(4, "assault", 1, up.format(1)),
            about.format(5, "blizzard", 1, up.format(2)),
        ],
    )
    printed, sure = (TopicSenses(TOPIC.words[:1], wordnet, how) for how in (PRINTED, SURE))
    assert [float(printed.alike([word])[0]) for word in ("downpour", "storm")] == [1, 1]
    assert 0 < float(printed.alike(["blizzard"])[0]) < SURE.least
    assert [float(sure.alike([word])[0]) for word in ("downpour", "storm", "blizzard")] == [1, 0, 0]


def test_words_of_another_language_are_no_english_nouns() -> None:
    weights = TermWeights(TOPIC)
    alike = Similarities(weights, WORDNET)
    alike.learn("Der Hammer", "de")
    assert not alike.rows(weights.matcher.words("hammer")).any()


def test_rows_stay_right_when_a_noun_comes_late() -> None:
    weights = TermWeights(TOPIC)
    alike = Similarities(weights, WORDNET, PRINTED)
    terms = weights.matcher.words("hammers blizzards saws")
    assert not alike.rows(terms).any()
    alike.learn("Hammers, blizzards, saws")
    alone = [[WORDNET.similarity(a, b.word) for b in TOPIC.words] for a in ("hammer", "blizzard", "saw")]
    assert alike.rows(terms).tolist() == alone
    assert alike.rows([*terms, 0, 1])[3:].diagonal().tolist() == [1, 1]


def test_a_phrase_that_wordnet_does_not_know_is_like_itself_only() -> None:
    weights = TermWeights(topic_of_words("x", {"urban flood": 1.0}))
    alike = Similarities(weights, WORDNET)
    alike.learn("flood")
    assert alike.rows([0, *weights.matcher.words("flood")]).tolist() == [[1], [0]]


def test_a_semantic_model_knows_related_words() -> None:
    for formula in (ssrm, svsm):
        model = SemanticModel(TOPIC, formula, match=PRINTED, wordnet=WORDNET)
        texts = ["a rainstorm", "a blizzard", "a hammer"]
        scores = [model.of_text(text) for text in texts]
        assert scores[0] > scores[1] > scores[2] >= 0
    assert Vsm(TOPIC).of_text("a blizzard") == 0


def test_a_long_page_is_scored_by_its_heaviest_terms() -> None:
    model = SemanticModel(TOPIC, ssrm, wordnet=WORDNET)
    words = " ".join(f"word{i}" for i in range(3 * PAGE_TERMS))
    assert 0 < model.of_page(Page("p", text=f"rainstorm rainstorm {words}")) < 1


# The semantic disambiguation graph


def test_the_ambiguity_of_the_paper() -> None:
    ambiguity = Ambiguity(low=0.3, high=0.575)
    assert ambiguity.value_low == pytest.approx(17)
    assert ambiguity.value_high == pytest.approx(15.75)
    assert ambiguity.value == pytest.approx(16.375)
    assert ambiguity.is_ambiguous


def test_the_indicators_of_the_paper_give_its_ambiguity() -> None:
    """TR 7.1, TP 3.4 and TI 5.7 with ranges that fit, which the paper does not print."""
    found = infer(high(7.1, 2.5, 10.5), high(3.4, 1, 9), high(5.7, 3, 12))
    assert [found.low, found.high] == pytest.approx([0.3, 0.575])


@pytest.mark.parametrize("conditions", RULES)
def test_every_rule_decides_where_it_holds(conditions: tuple[str, str, str]) -> None:
    found = infer(*(float(condition == HIGH) for condition in conditions))
    assert (found.low, found.high) == ((1, 0) if RULES[conditions] == LOW else (0, 1))
    assert found.is_ambiguous == (conditions.count(LOW) >= 2)


def test_there_are_eight_rules() -> None:
    assert set(RULES) == set(product((LOW, HIGH), repeat=3))


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_term_is_ambiguous_when_high_holds_at_least_as_far_as_low(low: float, other: float) -> None:
    if abs(low - other) > 1e-9:
        assert Ambiguity(low, other).is_ambiguous == (other > low)


DEGREES = {1: 0.36, 3: 0.35, 4: 0.86, 5: 0.61}


@pytest.mark.parametrize("threshold", [0.4, None])
def test_the_disambiguation_terms_of_the_paper(threshold: float | None) -> None:
    assert disambiguation_terms(DEGREES, threshold=threshold) == {4: 0.86, 5: 0.61}


def test_a_page_keeps_an_ambiguous_term_where_others_tell_its_meaning() -> None:
    clear = Node("clear", (1, 1, 1), Ambiguity(1, 0), {})
    second = Node("k2", (0, 0, 0), Ambiguity(0, 1), disambiguation_terms(DEGREES))
    graph = DisambiguationGraph((clear, clear, second, clear, clear, clear))
    assert second.popularity == pytest.approx(0.735)
    assert graph.removed([2, 4]) == {}  # .86 is more
    assert graph.removed([2, 4, 5]) == {}  # and so is the mean
    removal = graph.removed([2, 5])[2]  # .61 is less
    assert removal.term == "k2"
    assert [removal.degree, removal.least] == pytest.approx([0.61, 0.735])
    assert "'k2' is ambiguous" in str(removal) and "0.610 of 0.735" in str(removal)
    assert graph.removed([2])[2].beside == ()
    assert "contains none" in str(graph.removed([2])[2])
    assert graph.removed([0, 1]) == {}


def test_co_occurrence_counts_relevant_pages_with_both_among_pages_with_either() -> None:
    has = np.array([[1, 1], [1, 1], [1, 0], [0, 1], [1, 1], [0, 0]], bool)
    relevant = np.array([1, 1, 1, 1, 0, 1], bool)
    assert co_occurrence(has, relevant)[0, 1] == pytest.approx(2 / 5)


def test_indicators_compare_relevant_and_irrelevant_pages() -> None:
    counts = np.array([[3, 1], [2, 0], [1, 4]])
    values = indicators(counts, np.array([True, True, False]))
    assert values[0].tolist() == pytest.approx([5 / 2, 2 / 2, np.log(1 / 5)])
    assert values[1].tolist() == pytest.approx([1 / 5, 1 / 2, np.log(5 / 1)])


def amazon_pages() -> list[Page]:
    """Shops sell; a river flows. Both are called Amazon."""
    shop = "shop shop price amazon order order delivery"
    river = "amazon amazon river jungle water fish"
    return [Page(f"http://a.example/{i}", text=shop if i % 2 else river) for i in range(FIRST_GRAPH)]


SHOPS = topic_of_words("shops", {"shop": 1.0, "price": 0.9, "order": 0.8, "delivery": 0.7, "amazon": 0.6})


def test_a_word_of_two_meanings_is_taken_from_the_pages_of_the_other_one() -> None:
    model = Sdvsm(SemanticModel(SHOPS, svsm, wordnet=WORDNET))
    river, shop = amazon_pages()[:2]
    before = model.of_page(river)
    assert before > 0
    assert model.explain(river) == []
    for page in amazon_pages()[1:]:
        model.of_page(page)
    assert [removal.term for removal in model.explain(river)] == ["amazon"]
    assert model.explain(shop) == []
    assert model.of_page(river) == 0 < model.of_page(shop)
    assert model.of_anchors(river, ["amazon", "shop"])[0] == 0 < model.of_anchors(shop, ["amazon"])[0]


def test_the_graph_of_a_sample_says_which_terms_are_ambiguous() -> None:
    counts = np.array([[2, 1, 1], [2, 1, 1], [0, 0, 3], [0, 0, 2], [0, 0, 2]])
    graph = build_graph(["shop", "price", "amazon"], counts, np.array([1, 1, 0, 0, 0], bool))
    assert [node.ambiguity.is_ambiguous for node in graph.nodes][2]
    assert not graph.nodes[0].ambiguity.is_ambiguous


def test_a_sample_without_any_term_makes_a_graph_that_removes_nothing() -> None:
    graph = build_graph(["a", "b"], np.zeros((3, 2), np.int64), np.zeros(3, bool))
    assert graph.removed([0, 1]) == {}


# The crawlers


class Fixed:
    """A text model that reads numbers."""

    def of_page(self, page: Page) -> float:
        return float(page.text)

    def of_anchors(self, page: Page, anchors: list[str]) -> list[float]:
        return [float(anchor) for anchor in anchors]


def observed(text: str, *links: tuple[str, str], step: int = 1, url: str = "p") -> Visit:
    found = tuple(Link(target, url, anchor=anchor) for target, anchor in links)
    return Visit(step, Link(url, SEEDS), Page(url, text=text, links=found))


def test_a_priority_is_half_the_page_and_half_the_anchor_and_the_best_page_counts() -> None:
    strategy = Scored(Priority(Fixed()))  # type: ignore[arg-type]
    strategy.observe(observed("", ("p", ""), ("q", ""), step=0, url=SEEDS))
    assert [link.target for link in strategy.next(9, AT_ONCE)] == ["p", "q"]
    strategy.observe(observed("0.4", ("a", "0.2"), ("b", "0.6"), ("a", "0.1")))
    strategy.observe(observed("0.8", ("a", "0.4"), ("b", "0"), url="q"))
    links = strategy.next(9, AT_ONCE)
    assert [link.target for link in links] == ["a", "b"]
    assert [link.predicted for link in links] == pytest.approx([0.6, 0.5])


@settings(max_examples=20)
@given(st.lists(st.sampled_from("rainstorm flood storm hammer saw the warning".split()), max_size=12))
def test_all_models_stay_within_0_and_1(words: list[str]) -> None:
    topic = Topic("t", TOPIC.words)
    page = Page("p", text=" ".join(words))
    semantic_models = [SemanticModel(topic, formula, wordnet=WORDNET) for formula in (ssrm, svsm)]
    for model in (Vsm(topic), semantic_models[0], Sdvsm(semantic_models[1])):
        assert 0 <= model.of_page(page) <= 1
