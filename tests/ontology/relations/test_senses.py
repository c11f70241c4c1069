"""What WordNet says about the terms of a corpus, and when it is not asked."""

from dataclasses import replace

from helpers.relations_examples import terms, weather_wordnet

from fcwseo_ontology.relations.senses import (
    alike,
    choose_senses,
    contradicts_head,
    hypernyms,
    is_doing,
    may_cause,
    may_happen,
    may_have_parts,
    name_of,
    other_being,
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


def chain(kind: int, *, others: int = 40) -> WordNet:
    """a < b < c < d of one kind, of which d is all of it, among ``others`` that lie below nothing."""
    links = [("a", "@ 2"), ("b", "@ 3"), ("c", "@ 4"), ("d", "")]
    data = [
        f"{at:08d} {kind:02} n 01 {word} 0 {1 if link else 0:03} "
        + (f"@ {int(link.split()[1]):08d} n 0000 " if link else "")
        + f"| {word}"
        for at, (word, link) in enumerate(links, 1)
    ]
    data += [f"{number:08d} 11 n 01 x{number} 0 000 | x" for number in range(5, 5 + others)]
    return WordNet.of_lines([f"{word} n 1 0 1 0 {at:08d}" for at, (word, _) in enumerate(links, 1)], data)


def above(wordnet: WordNet, word: str, *known: int) -> list[str]:
    (meaning,) = wordnet.synsets(word)
    return [one.words[0] for one, _ in hypernyms(meaning, wordnet, known)]


def test_what_no_term_means_is_at_most_two_steps_above() -> None:
    things = chain(6)  # artifacts
    assert above(things, "a") == ["b", "c"]
    assert above(things, "a", 4) == ["b", "c", "d"]


def test_of_what_is_abstract_only_the_next_is_above_it() -> None:
    assert above(chain(10), "a") == ["b"]  # ways to communicate


def test_what_is_abstract_must_be_special_and_more_so_if_no_term_means_it() -> None:
    # b has the content .58 here, c .40 and d .28
    few = chain(10, others=1)
    contents = [few.information_content(few.synset(number)) for number in (2, 3, 4)]
    assert 0.5 < contents[0] < 0.65 and 0.3 < contents[1] < 0.5
    assert above(few, "a") == []
    assert above(few, "a", 2, 3) == ["b"]
    assert above(chain(6, others=1), "a", 2, 3) == ["b", "c"]


def test_a_name_is_what_wordnet_says_first() -> None:
    data = [
        "00000001 15 n 01 Chicago 0 002 @i 00000002 n 0000 @i 00000003 n 0000 | a place",
        *(f"{at:08d} 15 n 01 {word} 0 001 ~i 00000001 n 0000 | x" for at, word in ((2, "city"), (3, "port"))),
    ]
    few = WordNet.of_lines(["Chicago n 1 0 1 0 00000001"], data[:3])
    assert 0.3 < few.information_content(few.synset(3)) < 0.5  # too little for what no name is one of
    assert [one.words for one, _ in hypernyms(few.synset(1), few, known=())] == [("city",)]


def test_a_word_with_a_capital_inside_is_an_abbreviation() -> None:
    wordnet = WordNet.of_lines(
        ["genu n 1 0 1 0 00000001"], ["00000001 08 n 01 genu 0 000 | the joint of a leg"]
    )
    found = {one: choose_senses(terms(one), wordnet, {"joint": 4.0}) for one in ("genu", "Genu", "geNu")}
    assert {one for one, senses in found.items() if senses} == {"genu", "Genu"}


def test_a_name_that_ends_in_s_is_no_plural() -> None:
    data = [
        "00000001 15 n 01 Chester 0 001 @i 00000003 n 0000 | a joint in England",
        "00000002 15 n 01 Wales 0 001 @i 00000003 n 0000 | a joint in the west",
        "00000003 15 n 01 place 0 002 ~i 00000001 n 0000 ~i 00000002 n 0000 | where",
    ]
    wordnet = WordNet.of_lines(["chester n 1 0 1 0 00000001", "wales n 1 0 1 0 00000002"], data)
    found = {
        one: choose_senses(terms(one), wordnet, {"joint": 4.0}) for one in ("Chesters", "Chester", "Wales")
    }
    assert {one for one, senses in found.items() if senses} == {"Chester", "Wales"}


def test_what_ends_in_ing_is_a_doing_unless_it_is_a_thing() -> None:
    wordnet = load_wordnet()
    doings = ("answering", "filtering", "building", "painting", "storm")
    assert [word for word in doings if is_doing(word, wordnet)] == ["answering", "filtering"]


def test_a_being_is_no_other_being() -> None:
    wordnet = load_wordnet()
    pairs = (
        ("mollusc", "fish"),
        ("shark", "fish"),
        ("mite", "parasite"),
        ("spider", "predator"),
        ("oak", "fish"),
    )
    assert [pair for pair in pairs if other_being(*pair, wordnet)] == [("mollusc", "fish"), ("oak", "fish")]
    assert not other_being("fish", "engine", wordnet)
