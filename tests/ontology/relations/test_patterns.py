"""What sentences say about terms, and what they do not say."""

import pytest
from helpers.relations_examples import corpus, terms

from fcwseo_ontology.relations import patterns_zh
from fcwseo_ontology.relations.patterns import Finding, mentioned, read_sentences

ENGLISH = (
    "flood",
    "flash flood",
    "landslide",
    "storm",
    "heavy rainfall",
    "natural hazard",
    "river",
    "river bed",
    "damage",
    "event",
    "intensity",
    "intrusion detection system",
    "IDS",
)


def said(text: str, *, title: str = "", labels: tuple[str, ...] = ENGLISH) -> set[tuple[str, str, str]]:
    some = terms(*labels)
    found: tuple[Finding, ...] = read_sentences(some, corpus(text, title=title)).all
    return {(some[one.child].label, one.relation.value, some[one.parent].label) for one in found}


@pytest.mark.parametrize(
    "text",
    [
        "Flash floods are often caused by heavy rainfall.",
        "Heavy rainfall may lead to sudden flash floods.",
        "Heavy rainfall triggers flash floods in the hills.",
        "Rainfall is measured; flash floods result from heavy rainfall events.",
        "A map of heavy rainfall-induced flash floods.",
        "Flash flood-producing heavy rainfall was seen.",
        "Flash floods are caused by various factors, including heavy rainfall.",
        "Heavy rainfall in the upper river has caused flash floods.",
    ],
)
def test_causes(text: str) -> None:
    assert said(text) == {("flash flood", "induce", "heavy rainfall")}


@pytest.mark.parametrize(
    "text",
    [
        "Floods are not caused by storms.",
        "Floods are caused by storm drain failures.",  # the head is "failures"
        "It rained in the river, causing floods.",  # the river only says where
        "Events cause floods.",  # what sort of events?
    ],
)
def test_no_causes(text: str) -> None:
    assert not [one for one in said(text) if one[1] == "induce"]


def test_the_last_word_before_a_verb_may_not_be_meant() -> None:
    some = terms(*ENGLISH)
    plain, owned = (
        read_sentences(some, corpus(text)).all[0].trust
        for text in ("The river caused damage.", "The course of the river caused damage.")
    )
    assert owned < plain


def test_parts_attributes_and_impacts() -> None:
    assert said("The river bed is an important part of the river.") == {("river bed", "related", "river")}
    assert said("A river consists of the river bed and more.") == {("river bed", "part-of", "river")}
    assert said("The intensity of the storm.") == {("intensity", "attribute-of", "storm")}
    assert said("The intensity of 300 storms.") == set()


def test_initials() -> None:
    assert said("An intrusion detection system (IDS) helps.") == {
        ("IDS", "synonym", "intrusion detection system")
    }
    assert said("An intrusion (IDS) helps.", labels=("intrusion", "IDS")) == set()


def test_a_glossary_entry_is_about_its_title() -> None:
    assert said("A mass of water caused by storms.", title="Flood (river)") == {("flood", "induce", "storm")}
    assert said("A mass of water caused by storms.", title="On floods") == set()


def test_names_side_by_side_and_aspects_are_counted() -> None:
    some = terms("storm", "flood")
    reading = read_sentences(
        some, corpus("Floods and storms. Forecasting of floods. The forecasting of a flood.")
    )
    assert reading.together == {(0, 1): 1}
    assert reading.aspects == {("forecast", 1): 2}


def test_the_longest_term_is_the_one_that_is_named() -> None:
    assert mentioned(terms("flood", "flash flood"), corpus("Flash flooding.", "Floods.")) == [[1], [0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("暴雨导致洪水。", ("洪水", "induce", "暴雨")),
        ("持续暴雨可能引发了严重的洪水\uff0c损失很大。", ("洪水", "induce", "暴雨")),
        ("洪水是由暴雨引起的。", ("洪水", "induce", "暴雨")),
        ("由暴雨造成的洪水。", ("洪水", "induce", "暴雨")),
        ("洪水是一种常见的灾害。", ("洪水", "is-a", "灾害")),
        ("洪水等灾害。", ("洪水", "is-a", "灾害")),
        ("灾害包括洪水。", ("洪水", "is-a", "灾害")),
        ("河流由河床和河岸组成。", ("河床", "part-of", "河流")),
        ("河床是河流的重要组成部分。", ("河床", "part-of", "河流")),
    ],
)
def test_chinese(text: str, expected: tuple[str, str, str]) -> None:
    some = terms("暴雨", "洪水", "灾害", "河流", "河床")
    found = patterns_zh.read_sentences(some, corpus(text))
    assert expected in {(some[one.child].label, one.relation.value, some[one.parent].label) for one in found}


def test_a_chinese_term_must_end_its_phrase() -> None:
    some = terms("暴雨", "洪水")
    assert patterns_zh.read_sentences(some, corpus("暴雨导致洪水预报失误。")) == ()
