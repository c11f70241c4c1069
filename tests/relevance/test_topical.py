"""Our own relevance: what is rare counts, on ordinary pages and on this web."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.topical import FIRST_FIT, MOST_SCALED
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.8, "service": 0.8})


def page(text: str) -> Page:
    return Page("http://a.example/", "", text, (), ("", "", "", text, ""), "en")


def test_a_page_without_words_or_features_is_not_relevant() -> None:
    relevance = TopicalRelevance(TOPIC)
    assert relevance(page("")) == relevance(page("the committee met")) == relevance.of_text("") == 0


def test_one_mention_in_a_long_page_counts_less_than_in_a_short_one() -> None:
    relevance = TopicalRelevance(TOPIC)
    filler = " ".join(f"museum{n} treasurer{n}" for n in range(200))
    assert relevance(page("a flood came")) > 3 * relevance(page(f"a flood came {filler}"))


def test_a_common_feature_word_counts_less_than_a_rare_one() -> None:
    relevance = TopicalRelevance(TOPIC)
    assert relevance.of_text("flood report") > relevance.of_text("service report")


def test_what_off_topic_pages_of_this_web_have_in_common_counts_less() -> None:
    """Each page of this web says "flood", so the word has no weight here."""
    relevance = TopicalRelevance(TOPIC)
    before = relevance.of_text("flood report")
    for number in range(4 * FIRST_FIT):
        relevance(page(f"Flood Town Museum, room {number}: paintings of the treasurer and the secretary"))
    assert relevance.of_text("flood report") < before


def test_pages_are_judged_anew_with_each_fit() -> None:
    relevance = TopicalRelevance(TOPIC)
    for number in range(FIRST_FIT):
        relevance(page(f"a rainstorm in room {number}" if number % 2 else "the museum"))
    assert len(relevance.judged) == FIRST_FIT
    assert all(relevance.judged[1::2] > relevance.judged[::2].max())


@given(st.lists(st.text(max_size=80), max_size=12))
def test_relevance_lies_between_0_and_1(texts: list[str]) -> None:
    relevance = TopicalRelevance(TOPIC)
    assert all(0 <= relevance(page(f"{text} flood")) <= 1 for text in texts)


@given(st.lists(st.sampled_from(["flood", "rainstorm", "the", "museum", "Flood, 暴雨", "x"]), max_size=9))
def test_words_that_were_read_say_what_their_text_says(words: list[str]) -> None:
    relevance, text = TopicalRelevance(TOPIC), " ".join(words)
    read = relevance.matcher.words(text)
    assert relevance.of_words(read) == pytest.approx(relevance.of_text(text), abs=1e-12)


@pytest.mark.parametrize("text", ["flood warnings of the rainstorm service", "about us", "", "Flood, 暴雨"])
def test_a_phrase_has_the_words_of_a_text_and_their_scores(text: str) -> None:
    relevance = TopicalRelevance(TOPIC)
    words = relevance.matcher.words(text)
    assert relevance.phrase(text) == (words, relevance.of_words(words), relevance.named_by(words))


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_the_scale_of_weights_does_not_matter(scale: float) -> None:
    topic = topic_of_words("rain", {"rainstorm": scale, "flood": 0.5 * scale})
    same = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5})
    text = "a flood after the rainstorm"
    assert TopicalRelevance(topic).of_text(text) == pytest.approx(TopicalRelevance(same).of_text(text))


def test_the_scale_makes_relevance_comparable_with_that_of_the_first_pages() -> None:
    """Most pages of this web say "flood", so the word says less and less; the seeds say more than that."""
    relevance = TopicalRelevance(TOPIC)
    seeds = [page(f"a rainstorm and a flood in town{number}") for number in range(FIRST_FIT)]
    judged = [relevance(seed) for seed in seeds]
    for number in range(60):
        relevance(page(f"flood museum{number} treasurer{number} paintings"))
    now = sum(map(relevance.of_page, seeds))
    assert now != pytest.approx(sum(judged), rel=0.03)
    assert relevance.scale * now == pytest.approx(sum(judged))


def test_first_pages_off_the_topic_do_not_scale_the_others_without_bound() -> None:
    relevance = TopicalRelevance(TOPIC)
    for number in range(FIRST_FIT):
        relevance(page(f"flood {' '.join(f'museum{number}x{n}' for n in range(400))}"))
    for number in range(60):
        relevance(page(f"flood museum treasurer{number}"))
    assert relevance.scale == MOST_SCALED
