"""The tagger, on sentences whose words can be more than one thing."""

import pytest

from fcwseo_ontology.corpus.tagging import Tagger, sentences, uses


def phrases(text: str) -> list[str]:
    sentence = Tagger().tag(text)
    return [" ".join(sentence.tokens[start:end]) for start, end in sentence.phrases()]


def tag_of(word: str, text: str) -> str:
    sentence = Tagger().tag(text)
    return sentence.tags[sentence.lower.index(word)]


@pytest.mark.parametrize(
    ("word", "as_noun", "as_verb"),
    [
        ("flood", "The flood reached the town.", "Rivers can flood the town."),
        ("causes", "The causes of floods are known.", "A storm causes the flood."),
        ("models", "These models are new.", "It models the flow."),
        ("control", "Their control of the valve failed.", "Valves that control the flow failed."),
        ("study", "This study is new.", "We study floods."),
        ("drives", "The drives are full.", "Rainfall intensity drives the runoff."),
    ],
)
def test_its_neighbours_say_whether_a_word_is_a_noun_or_a_verb(word: str, as_noun: str, as_verb: str) -> None:
    assert (tag_of(word, as_noun), tag_of(word, as_verb)) == ("N", "V")


def test_a_sentence_has_a_verb_and_a_title_may_have_none() -> None:
    assert tag_of("harm", "Foulbrood and chalkbrood harm larvae.") == "V"
    assert tag_of("harm", "Foulbrood and chalkbrood harm larvae") == "N"


def test_the_plural_of_a_compound_is_no_verb() -> None:
    assert phrases("Flash floods and rain gauges over the hills.") == ["Flash floods", "rain gauges", "hills"]


def test_words_in_ing_and_ed_are_told_apart() -> None:
    assert phrases("Swarming is the reproduction.") == ["Swarming", "reproduction"]
    assert phrases("A factor affecting bloom dynamics is light.")[:2] == ["factor", "bloom dynamics"]
    assert phrases("A distributed model was calibrated by experts.") == ["distributed model", "experts"]


def test_acronyms_and_compounds_with_hyphens_are_no_verbs_and_no_pronouns() -> None:
    assert phrases("The US and a space-time model of COVID-19") == ["US", "space-time model", "COVID-19"]


def test_there_is_a_tag_for_each_token() -> None:
    for text in ("", "!", "\u00e9t\u00e9 \u2014 \u6d2a\u6c34 3.5 %", "a" * 200):
        sentence = Tagger().tag(text)
        assert len(sentence.tags) == len(sentence.tokens) == len(sentence.lower)


def test_counts_of_regular_and_irregular_forms() -> None:
    assert uses("stopped")[1] == uses("stop")[1] > 0
    assert uses("caught")[1] == uses("catch")[1] > 0
    assert uses("bees")[1] == 0  # no form of "be"


def test_a_line_that_goes_on_in_lower_case_is_no_sentence_of_its_own() -> None:
    assert sentences("A hive is\na box. Menu\nHome \u00b7 News") == [
        "A hive is\na box.",
        "Menu",
        "Home",
        "News",
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A drum roaster heats green coffee in a drum.", ["drum roaster", "green coffee", "drum"]),
        ("As a colony lives, it grows.", ["colony"]),
        ("Cracks let carbon dioxide escape from the bean.", ["Cracks", "carbon dioxide", "bean"]),
        ("Wax moth larvae tunnel through combs.", ["Wax moth larvae", "combs"]),
        ("The colony lives of a queen are short.", ["colony lives", "queen"]),
    ],
)
def test_a_verb_ends_the_phrase_of_its_subject(text: str, found: list[str]) -> None:
    assert phrases(text) == found
