"""Pages are judged by OSSC times keyness where it is known, and by the published models as published."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models.vsm import Vsm
from fcwseo.relevance.paper import PaperRelevance
from fcwseo.relevance.weights import CAP, judging_weights
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.topic import FeatureWord, Topic, topic_of_words


def topic(*words: tuple[str, float, float]) -> Topic:
    return Topic("t", tuple(FeatureWord(word, weight, (word,), keyness=key) for word, weight, key in words))


RAIN = topic(("rain", 1.0, 2.0), ("downpour", 1.0, 9.0), ("hail", 0.2, 6.0), ("area", 0.2, 2.0))


def test_weights_are_ossc_times_keyness_by_its_mean() -> None:
    assert judging_weights(RAIN) == pytest.approx([1, 1, 0.2 * 6 / 4, 0.2 * 2 / 4])


def test_the_topic_and_its_synonyms_weigh_1_and_do_not_count_for_the_mean() -> None:
    others = topic(("rain", 1.0, 0.1), ("downpour", 1.0, 0.1), ("hail", 0.2, 6.0), ("area", 0.2, 2.0))
    assert (judging_weights(others) == judging_weights(RAIN)).all()


def test_a_word_weighs_at_most_the_cap_by_its_keyness() -> None:
    weights = judging_weights(topic(("rain", 1.0, 1.0), ("hail", 0.5, 9.0), ("area", 0.5, 1.0)))
    assert weights.tolist() == [1, CAP, 0.1]


def test_a_word_of_unknown_keyness_weighs_its_ossc() -> None:
    mixed = topic(("rain", 1.0, 0.0), ("hail", 0.8, 0.0), ("sleet", 0.2, 6.0), ("area", 0.2, 2.0))
    assert judging_weights(mixed) == pytest.approx([1, 0.8, 0.3, 0.1])


def test_where_no_keyness_is_known_nothing_changes() -> None:
    for one in (load_topic("rainstorm"), topic_of_words("t", {"rain": 5.0, "hail": 0.5})):
        assert judging_weights(one).tolist() == [word.weight for word in one.words]


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(0.05, 20)), min_size=1, max_size=20))
def test_weights_lie_between_0_and_the_cap(drawn: list[tuple[float, float]]) -> None:
    words = [(f"word{n}", weight, key) for n, (weight, key) in enumerate(drawn)]
    weights = judging_weights(topic(("rain", 1.0, 3.0), *words))
    assert weights[0] == 1 and (weights > 0).all() and (weights[1:] <= CAP).all()


def page(text: str) -> Page:
    return Page("http://a.example/", "", text, (), ("", "", "", text, ""), "en")


def test_a_page_is_the_more_about_the_topic_the_keyer_its_words() -> None:
    relevance = TopicalRelevance(topic(("rain", 1.0, 2.0), ("zoetrope", 0.2, 9.0), ("zither", 0.2, 1.0)))
    plain = TopicalRelevance(topic(("rain", 1.0, 0.0), ("zoetrope", 0.2, 0.0), ("zither", 0.2, 0.0)))
    key, other = page("a zoetrope"), page("a zither")
    assert plain.weights[1] == plain.weights[2]
    assert relevance(key) > 5 * relevance(other) > 0
    assert relevance.named_by([1]) > relevance.named_by([2])


@pytest.mark.parametrize("model", [PaperRelevance, lambda topic: Vsm(topic).of_page])
def test_published_models_take_ossc_as_it_is(model: object) -> None:
    unknown = replace(RAIN, words=tuple(replace(word, keyness=0.0) for word in RAIN.words))
    text = page("hail and rain in this area, and hail")
    assert callable(model)
    assert model(RAIN)(text) == model(unknown)(text) > 0
