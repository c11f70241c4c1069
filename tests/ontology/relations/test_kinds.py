"""Is-a from the formal context of terms and features."""

from dataclasses import replace

from helpers.relations_examples import corpus, terms, triples, weather_wordnet

from fcwseo_ontology.relations import senses
from fcwseo_ontology.relations.kinds import features_of, kinds, shown_like_heads

NONE = corpus("Nothing.")


def found(*labels: str, text: str = "Nothing.") -> set[tuple[str, str]]:
    some = terms(*labels)
    features = features_of(some, corpus(text), above={})
    return {(child, parent) for child, _, parent in triples(kinds(some, features, {}), some)}


def test_a_compound_is_a_kind_of_its_head() -> None:
    assert found("flood", "flash flood", "urban flood") == {
        ("flash flood", "flood"),
        ("urban flood", "flood"),
    }


def test_modifiers_need_not_stand_side_by_side() -> None:
    assert found("urban flood", "flash flood", "urban flash flood") == {
        ("urban flash flood", "flash flood"),
        ("urban flash flood", "urban flood"),
    }


def test_what_follows_is_left_out() -> None:
    assert ("flash flood forecast", "forecast") not in found(
        "forecast", "flood forecast", "flash flood forecast"
    )


def test_the_modifier_is_no_kind() -> None:
    assert found("flood", "flood risk", "vulnerability to floods") == set()
    assert ("vulnerability to floods", "vulnerability") in found("vulnerability", "vulnerability to floods")


def test_figures_of_speech_and_denials_are_no_kinds() -> None:
    assert found("forest", "random forest", "alarm", "false alarm") == set()


def test_a_figure_of_speech_has_kinds_of_its_own() -> None:
    assert found("network", "neural network", "deep neural network") == {
        ("deep neural network", "neural network")
    }


def test_two_nouns_with_a_dash_are_only_named_together() -> None:
    dashed = "The rainfall-runoff process. A rainfall\u2013runoff model. Rainfall runoff."
    assert found("rainfall", "runoff", "rainfall runoff", text=dashed) == set()
    assert found("rainfall", "runoff", "rainfall runoff") == {("rainfall runoff", "runoff")}


def test_heads_that_share_only_a_stem_are_different_things() -> None:
    assert found("cluster", "document clustering") == set()


def test_a_region_is_a_part_and_no_kind() -> None:
    some = terms("Italy", "southern Italy", "region", "southern region")
    edges = triples(kinds(some, features_of(some, NONE, above={}), {}), some)
    assert edges == {("southern Italy", "part-of", "Italy"), ("southern region", "is-a", "region")}


def test_compounds_are_shown_in_the_form_of_their_head() -> None:
    model, hydraulic = terms("model", "hydraulic modelling")
    merged = replace(hydraulic, key="hydraul model", variants=("hydraulic modelling", "hydraulic model"))
    shown = shown_like_heads([model, merged])
    assert [term.label for term in shown] == ["model", "hydraulic model"]
    assert "hydraulic modelling" in shown[1].variants
    assert [term.label for term in shown_like_heads([merged])] == ["hydraulic modelling"]


def test_wordnet_adds_features() -> None:
    wordnet = weather_wordnet()
    some = terms("precipitation", "rainfall", "heavy rainfall", "heavy precipitation")
    above = senses.kinds(some, senses.choose_senses(some, wordnet), wordnet)
    edges = list(kinds(some, features_of(some, NONE, above=above, wordnet=wordnet), above))
    assert triples(edges, some) == {
        ("rainfall", "is-a", "precipitation"),
        ("heavy precipitation", "is-a", "precipitation"),
        ("heavy rainfall", "is-a", "rainfall"),
        ("heavy rainfall", "is-a", "heavy precipitation"),
    }
    assert "WordNet: a kind of precipitation" in {edge.evidence for edge in edges}


def test_wordnet_denies_a_head() -> None:
    some = terms("engine", "search engine")
    features = features_of(some, NONE, above={}, wordnet=weather_wordnet())
    assert list(kinds(some, features, {})) == []


def test_chinese_heads_stand_last() -> None:
    assert found("灾害", "地质灾害", "山洪灾害", "确定性", "不确定性", "网络", "神经网络") == {
        ("地质灾害", "灾害"),
        ("山洪灾害", "灾害"),
    }
