"""What WordNet says about the terms of a corpus, and when it is not asked."""

from helpers.relations_examples import terms, weather_wordnet

from fcwseo_ontology.relations.senses import alike, choose_senses, contradicts_head, kinds, wholes

WORDNET = weather_wordnet()


def test_kinds_come_with_the_steps_to_them() -> None:
    some = terms("weather", "precipitation", "rainfall", "thunderstorm", "storm")
    # Everything here is weather, so that says nothing.
    assert kinds(some, choose_senses(some, WORDNET), WORDNET) == {2: {1: 1}, 3: {4: 1}}


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
