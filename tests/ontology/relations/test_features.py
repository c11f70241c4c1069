"""What a term is said to be: whom to believe, and what not."""

from dataclasses import replace

import pytest
from helpers.relations_examples import corpus, pair, terms, weather_wordnet

from fcwseo_ontology.relations.features import exemplified, of_heads, of_sentences, said_of
from fcwseo_ontology.relations.statements import Names, Source
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
