"""What a term is said to be: whom to believe, and what not."""

from dataclasses import replace

import pytest
from helpers.relations_examples import corpus, pair, terms, weather_wordnet

from fcwseo_ontology.relations.features import exemplified, of_heads, of_sentences, said_of
from fcwseo_ontology.relations.statements import Names, Source
from fcwseo_ontology.relations.wordnet import WordNet, load_wordnet
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.reading import SentencePair, read

LABELS = ("flood", "gale", "rain", "engine", "slope", "firewall", "depth")


def said(*pairs: SentencePair) -> list[tuple[str, str, float]]:
    names, wordnet = Names(terms(*LABELS)), weather_wordnet()
    found = of_sentences(pairs, names, wordnet)
    return [(names.labels[one.child], names.labels[one.parent], one.trust) for one in found]


def sentence(text: str) -> list[tuple[str, str, float]]:
    return said(*read(corpus(text)).pairs)


def test_a_parent_need_be_no_term_and_keeps_its_hyphens() -> None:
    assert said(pair("floods", "Geo-hydrological hazards")) == [("flood", "Geo-hydrological hazard", 0.75)]


def test_what_somebody_thinks_of_a_thing_is_no_kind_of_it() -> None:
    assert said(pair("gales", "most important natural hazards")) == [("gale", "natural hazard", 0.75)]
    assert said(pair("gales", "largest hazards")) == [("gale", "hazard", 0.75)]
    assert said(pair("gales", "important results")) == []


@pytest.mark.parametrize(
    ("child", "parent"),
    [
        ("comets", "hazards"),  # no term
        ("slopes", "conditioning factors"),  # a role
        ("depths", "hazards"),  # an attribute is no thing
        ("engines", "rains"),  # another kind in WordNet
        ("resisting floods", "hazards"),  # begins with a verb
        ("floods", "model using hazards"),
    ],
)
def test_what_is_not_believed(child: str, parent: str) -> None:
    names = Names(terms(*LABELS, "resisting flood"))
    assert list(of_sentences([pair(child, parent)], names, weather_wordnet())) == []


def test_examples_may_belong_to_an_earlier_word_or_be_parts() -> None:
    (plain,) = sentence("It stops attacks such as floods.")
    (earlier,) = sentence("There are means to stop attacks, such as floods.")
    assert (plain[2], earlier[2]) == (0.75, 0.5)
    (mass,) = sentence("They know weather such as rain.")
    (one,) = sentence("This is a weather such as rain.")
    assert (mass[2], one[2]) == (0.75, 0.5)


def test_a_name_is_no_common_noun() -> None:
    emacs = Term("Emacs", "emac", (), "en", 1, 1.0)
    some = [emacs, *terms("GNU Emacs", "engine", "Analytical Engine")]
    found = list(of_heads(some, Names(some), weather_wordnet()))
    assert [(one.child, one.parent) for one in found] == [("analyt engin", "engin")]
    assert Names([replace(emacs, variants=("emacs",))]).find(["emacs"]) == "emac"
    assert Names([emacs]).find(["emacs"]) == "~emac"


def test_what_stands_before_a_name_says_what_bears_it() -> None:
    labels = ("storm", "tropical storm", "storm Ivan", "tropical storm Ana", "storm Rain", "engine")
    some = terms(*labels, "thunderstorm Lothar", "mbar Odette", "storms Emma")
    found = list(of_heads(some, Names(some), weather_wordnet()))
    assert {(one.child, one.parent) for one in found if one.said.startswith("named after")} == {
        ("storm ivan", "storm"),
        ("tropic storm ana", "tropic storm"),
        ("thunderstorm lothar", "~thunderstorm"),
    }


def test_a_name_in_the_end_is_not_what_its_bearer_is() -> None:
    some = terms("tropical storm", "tropical storm Rain", "Rain", "making rain", "heavy rain")
    found = {(one.child, one.parent) for one in of_heads(some, Names(some), weather_wordnet())}
    assert ("tropic storm rain", "tropic storm") in found
    assert ("heavi rain", "~rain") in found  # in small letters it is no name
    assert not {one for one in found if one[1] == "rain" or one[0] == "make rain"}


def test_a_doing_is_a_class_only_as_a_term() -> None:
    for labels, expected in ((["answering"], {"answer"}), ([], set())):
        some = terms("question answering", *labels)
        assert {one.parent for one in of_heads(some, Names(some), weather_wordnet())} == expected


def test_the_past_tells_of_names_only() -> None:
    trust = {}
    for text in ("dried rain was a weather", "Rain was a weather", "dried rain is a weather"):
        child = text.split(" was ")[0].split(" is ")[0]
        one = replace(pair(child, "weather"), cue="was a" if "was" in text else "is a", quote=text)
        (trust[text],) = (said.trust for said in of_sentences([one], Names(terms(child)), None))
    past, named, present = trust.values()
    assert past < named == present


def test_wordnet_goes_on_above_what_it_adds() -> None:
    some, wordnet = terms("rain", "snow", "weather"), weather_wordnet()
    found = said_of(some, [], corpus("Rain and snow."), wordnet, keyness={})
    assert {
        (found.names.labels[one.child], found.names.labels[one.parent], one.source)
        for one in found.statements
    } == {("rain", "precipitation", Source.WORDNET), ("snow", "precipitation", Source.WORDNET)}
    assert sorted(found.meanings) == [0, 1]


def test_two_kinds_make_an_example_though_they_are_no_terms() -> None:
    where = corpus("Parasites such as the varroa mite and the tracheal mite do harm. A flood is an event.")
    assert exemplified(read(where).pairs, Names(terms(*LABELS))) == {"~parasite"}


def test_a_person_is_no_kind_of_person_and_a_bearer_may_be_common() -> None:
    people = WordNet.of_lines(
        ["rod_laver n 1 0 1 0 00000001", "laver n 1 0 1 0 00000003", "champion n 1 0 1 0 00000002"],
        [
            "00000001 18 n 01 Rod_Laver 0 001 @i 00000002 n 0000 | who played",
            "00000002 18 n 01 champion 0 001 ~i 00000001 n 0000 | who won",
            "00000003 20 n 01 laver 0 000 | a seaweed",
        ],
    )
    some = terms("champion Rod Laver", "champion")
    found = {
        names_of.labels[one.parent] for names_of in [Names(some)] for one in of_heads(some, names_of, people)
    }
    assert not [label for label in found if "laver" in label.lower()]
    more = terms("tropical storm", "tropical storm Rain", "storm Rain")
    named = [one for one in of_heads(more, Names(more), weather_wordnet()) if one.said.startswith("named")]
    # Rain is a common noun, but where a term of two words stands before it, it is a name.
    assert [(one.child, one.parent) for one in named] == [("tropic storm rain", "tropic storm")]


def test_what_is_done_has_no_things_as_kinds() -> None:
    names = Names(terms("firewall", "filtering"))
    pairs = [pair("firewalls", "packet forwarding"), pair("filtering", "packet forwarding")]
    found = of_sentences(pairs, names, weather_wordnet())
    assert [one.child for one in found] == ["filter"]


def test_no_being_is_another_being() -> None:
    names, wordnet = Names(terms("mollusc", "shark")), load_wordnet()
    pairs = [pair("molluscs", "fish"), pair("sharks", "predatory fish")]
    assert [one.child for one in of_sentences(pairs, names, wordnet)] == ["shark"]


def test_examples_behind_a_comma_may_belong_to_what_is_before_a_preposition() -> None:
    (plain,) = sentence("It is used for bad weather such as rain.")
    (comma,) = sentence("It is used for bad weather, such as rain.")
    (free,) = sentence("Bad weather, such as rain, came.")
    assert (plain[2], comma[2], free[2]) == (0.75, 0.5, 0.75)


def test_a_compound_with_a_hyphen_is_told_whole() -> None:
    assert said(pair("floods", "third-rate hazards")) == [("flood", "third-rate hazard", 0.75)]
    assert said(pair("floods", "third hazards")) == [("flood", "hazard", 0.75)]


def test_what_wordnet_puts_above_a_head_is_no_class() -> None:
    """Of a node that is no term only what others are called is taken, else each head would bring its own."""
    wordnet = weather_wordnet()
    for labels, expected in (
        (("snow", "rain"), {("snow", "precipitation"), ("rain", "precipitation")}),
        (("heavy snow", "wet snow", "heavy rain", "wet rain"), set()),
    ):
        some = terms(*labels)
        found = said_of(some, [], corpus("Snow."), wordnet, keyness={})
        above = {
            (found.names.labels[one.child], found.names.labels[one.parent])
            for one in found.statements
            if one.source is Source.WORDNET
        }
        assert above == expected


def test_a_term_makes_a_wide_meaning_known_only_by_its_commonest_word() -> None:
    """ "Atmospheric condition" may be what a term is called; "conditions" is not what the synset is."""
    lines = [
        "00000001 19 n 02 weather 0 conditions 0 001 ~ 00000002 n 0000 | the sky",
        "00000002 19 n 01 squall 0 001 @ 00000001 n 0000 | wind",
        *(f"{number:08d} 11 n 01 x{number} 0 000 | x" for number in range(3, 4)),
    ]
    index = ["weather n 1 0 1 0 00000001", "conditions n 1 0 1 0 00000001", "squall n 1 0 1 0 00000002"]
    wordnet = WordNet.of_lines(index, lines)
    for label, expected in (("weather", True), ("conditions", False)):
        some = terms("squall", label)
        found = said_of(some, [], corpus("A squall."), wordnet, keyness={"wind": 4.0, "sky": 4.0})
        assert len(found.meanings) == 2
        assert any(one.source is Source.WORDNET for one in found.statements) is expected
