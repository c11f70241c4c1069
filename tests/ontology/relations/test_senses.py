"""What WordNet says about the terms of a corpus, and when it is not asked."""

from helpers.relations_examples import terms, weather_wordnet

from fcwseo_ontology.relations.senses import (
    alike,
    choose_senses,
    contradicts_head,
    hypernyms,
    may_cause,
    may_happen,
    may_have_parts,
    same_kind,
    wholes,
)
from fcwseo_ontology.relations.wordnet import load_wordnet

WORDNET = weather_wordnet()


def test_hypernyms_come_with_the_steps_to_them() -> None:
    (rain,) = WORDNET.synsets("rain")
    # Everything here is weather, so that says nothing.
    assert [(above.words, steps) for above, steps in hypernyms(rain, WORDNET)] == [(("precipitation",), 1)]


def test_heads_of_one_kind_or_unknown_may_be_the_same() -> None:
    assert same_kind("storm", "rain", WORDNET)
    assert same_kind("storm", "firewall", WORDNET)
    assert not same_kind("engine", "rain", WORDNET)
    # A name that WordNet has only as a common noun is unknown.
    assert same_kind("Rain", "engine", WORDNET)


def test_what_happens_causes_and_things_have_parts() -> None:
    assert may_happen("storm", WORDNET)
    assert may_cause("storm", WORDNET)
    assert not may_happen("engine", WORDNET)
    assert not may_cause("engine", WORDNET)
    assert may_have_parts("engine", WORDNET)
    assert may_have_parts("firewall", WORDNET)
    assert not may_have_parts("storm", WORDNET)


def test_words_of_one_meaning_are_alike() -> None:
    some = terms("rain", "storm", "rainfall")
    assert alike(choose_senses(some, WORDNET)) == [(2, 0)]


def test_abstract_words_are_not_believed_to_mean_the_same() -> None:
    assert alike(choose_senses(terms("query", "question"), WORDNET)) == []


def test_a_term_that_fits_in_a_rarer_sense_is_left_alone() -> None:
    among_storms = terms("landslide", "rain", "storm", "earth")
    assert 0 not in choose_senses(among_storms, WORDNET)
    assert choose_senses(terms("landslide", "election"), WORDNET)[0].gloss.endswith("election")


def test_parts_and_wholes() -> None:
    some = terms("river", "mouth")
    assert wholes(some, choose_senses(some, WORDNET), WORDNET) == [(1, 0)]


def test_abbreviations_are_not_looked_up() -> None:
    assert choose_senses(terms("RAIN"), WORDNET) == {}


def test_a_listed_compound_may_deny_its_head() -> None:
    assert contradicts_head("search engine", "engine", WORDNET)
    assert not contradicts_head("thunderstorm", "storm", WORDNET)
    assert not contradicts_head("steam engine", "engine", WORDNET)


def test_a_gloss_that_names_the_head_agrees_with_it() -> None:
    """WordNet puts a worker bee below "worker" and calls it a "sterile bee"."""
    included = load_wordnet()
    assert included is not None
    assert not contradicts_head("worker bee", "bee", included)
    assert contradicts_head("search engine", "engine", included)
