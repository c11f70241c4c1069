"""What WordNet says about the terms of a corpus, and when it is not asked."""

from dataclasses import replace

from helpers.relations_examples import terms, weather_wordnet

from fcwseo_ontology.relations.senses import (
    alike,
    choose_senses,
    contradicts_head,
    hypernyms,
    may_cause,
    may_happen,
    may_have_parts,
    name_of,
    same_kind,
    wholes,
)
from fcwseo_ontology.relations.wordnet import WordNet, load_wordnet

WORDNET = weather_wordnet()


def test_hypernyms_come_with_the_steps_to_them() -> None:
    (rain,) = WORDNET.synsets("rain")
    # Everything here is weather, so that says nothing.
    found = hypernyms(rain, WORDNET, known=())
    assert [(above.words, steps) for above, steps in found] == [(("precipitation",), 1)]


def test_what_the_corpus_speaks_of_may_be_general() -> None:
    data = [
        "00000001 03 n 01 thing 0 001 ~ 00000002 n 0000 | all",
        "00000002 15 n 01 place 0 003 @ 00000001 n 0000 ~ 00000003 n 0000 ~i 00000004 n 0000 | where",
        "00000003 15 n 01 corner 0 001 @ 00000002 n 0000 | an end",
        "00000004 15 n 01 Rome 0 001 @i 00000002 n 0000 | a place in Italy",
        *(f"{number:08d} 11 n 01 x{number} 0 000 | x" for number in range(5, 20)),
    ]
    index = ["corner n 1 0 1 0 00000003", "Rome n 1 0 1 0 00000004", "place n 1 0 1 0 00000002"]
    wordnet = WordNet.of_lines(index, data)
    corner, rome, place = (wordnet.synset(number) for number in (3, 4, 2))
    assert 0.3 < wordnet.information_content(place) < 0.7
    abstract = replace(corner, kind="relation")
    assert [one.words for one, _ in hypernyms(rome, wordnet, known=())] == [("place",)]
    assert [one.words for one, _ in hypernyms(corner, wordnet, known=())] == [("place",)]
    assert list(hypernyms(abstract, wordnet, known={2})) == []  # of another kind


def test_a_class_is_named_by_a_word_that_readers_take_so() -> None:
    lines = ["a n 3 0 3 0 00000001 00000002 00000003"]
    data = [f"{number:08d} {kind} n 01 a 0 000 | x" for number, kind in ((1, 19), (2, 19), (3, 9))]
    wordnet = WordNet.of_lines(lines, data)
    assert [name_of(wordnet.synset(number), wordnet) for number in (1, 2, 3)] == ["a", "a", ""]


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
    assert alike(choose_senses(some, WORDNET, {})) == [(2, 0)]


def test_abstract_words_are_not_believed_to_mean_the_same() -> None:
    assert alike(choose_senses(terms("query", "question"), WORDNET, {})) == []


def test_a_term_that_fits_in_a_rarer_sense_is_left_alone() -> None:
    among_storms = terms("landslide", "rain", "storm", "earth")
    assert 0 not in choose_senses(among_storms, WORDNET, {})
    of_politics = choose_senses(terms("landslide"), WORDNET, {"elect": 4.0, "victori": 4.0})
    assert of_politics[0].gloss.endswith("election")
    assert choose_senses(terms("landslide"), WORDNET, {}) == {}


def test_a_rarer_sense_needs_company_and_a_field_speaks_for_one() -> None:
    data = [
        "00000001 06 n 01 machine 0 002 ~ 00000002 n 0000 ~ 00000003 n 0000 | a device",
        "00000002 06 n 01 server 0 001 @ 00000001 n 0000 | (computing) what gives files to clients",
        "00000003 06 n 01 router 0 001 @ 00000001 n 0000 | what forwards packets",
        "00000004 18 n 01 server 0 000 | who serves at table",
        *(f"{number:08d} 11 n 01 x{number} 0 000 | x" for number in range(5, 40)),
    ]
    index = ["server n 2 0 2 0 00000004 00000002", "router n 1 0 1 0 00000003", "machine n 1 0 1 0 00000001"]
    wordnet = WordNet.of_lines(index, data)
    keyness = {"comput": 4.0, "file": 4.0, "client": 4.0, "packet": 4.0}
    assert choose_senses(terms("server", "router"), wordnet, keyness)[0].id == 2
    assert 0 not in choose_senses(terms("server"), wordnet, keyness)
    assert 0 not in choose_senses(terms("server", "router"), wordnet, {})


def test_what_only_looks_like_a_plural_is_none() -> None:
    data = [
        "00000001 08 n 01 genu 0 000 | the joint of the leg",
        "00000002 14 n 01 genus 0 000 | a group of species",
    ]
    wordnet = WordNet.of_lines(["genu n 1 0 1 0 00000001", "genus n 1 0 1 0 00000002"], data)
    (found,) = choose_senses(terms("genus"), wordnet, {"speci": 4.0}).values()
    assert found.words == ("genus",)


def test_parts_and_wholes() -> None:
    some = terms("river", "mouth")
    assert wholes(some, choose_senses(some, WORDNET, {}), WORDNET) == [(1, 0)]


def test_abbreviations_are_not_looked_up() -> None:
    assert choose_senses(terms("RAIN"), WORDNET, {}) == {}


def test_abbreviations_that_wordnet_writes_so_are_looked_up() -> None:
    wordnet = WordNet.of_lines(
        ["gnu n 1 0 1 0 00000001", "dvd n 1 0 1 0 00000002"],
        [
            "00000001 05 n 01 gnu 0 000 | an antelope of Africa",
            "00000002 06 n 02 videodisk 0 DVD 0 000 | a disk with a film",
        ],
    )
    keyness = {"antelop": 4.0, "film": 4.0}
    assert [*choose_senses(terms("GNU", "DVD"), wordnet, keyness)] == [1]


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


def test_members_are_no_parts() -> None:
    """WordNet has Hindus as members of Hinduism, and Rome as a part of Italy."""
    included = load_wordnet()
    assert included is not None
    believer, religion = included.synsets("Hindu")[1], included.synsets("Hinduism")[0]
    assert ("#m", religion.id) in believer.pointers
    assert wholes(terms("Hindu", "Hinduism"), {0: believer, 1: religion}, included) == []
    city, country = included.synsets("Rome")[0], included.synsets("Italy")[0]
    assert wholes(terms("Rome", "Italy"), {0: city, 1: country}, included) == [(0, 1)]
