"""From terms and a corpus to typed relations with their evidence."""

import pytest
from helpers.relations_examples import corpus, kinds, relations, terms, triples, weather_wordnet

from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.terms.extract import Term


def found(
    *labels: str, texts: tuple[str, ...] = ("Nothing.",), wordnet: WordNet | None = None
) -> set[tuple[str, str, str]]:
    where = corpus(*texts)
    some = terms(*labels, where=where)
    return triples(relations(some, where, wordnet=wordnet), some)


def test_a_measure_is_an_attribute() -> None:
    assert found("flood", "risk", "flood risk") == {("flood risk", "attribute-of", "flood")}


def test_a_part_a_thing_done_and_an_empty_head() -> None:
    texts = ("Storms caused damage.",)
    labels = ("storm", "damage", "river", "river bed", "storm damage", "storm event", "river damage")
    edges = found(*labels, texts=texts)
    assert ("river bed", "part-of", "river") in edges
    assert ("storm damage", "induce", "storm") in edges
    assert ("storm event", "synonym", "storm") in kinds(*labels, texts=texts)
    # Nothing says that a river does anything.
    assert ("river damage", "related", "river") in edges


def test_an_activity_is_only_about_something() -> None:
    texts = ("The forecasting of floods.",)
    edges = found("flood", "flash flood", "flood forecasting", "flash flood forecasting", texts=texts)
    assert {
        ("flood forecasting", "related", "flood"),
        ("flash flood forecasting", "related", "flash flood"),
    } <= edges
    assert not [edge for edge in edges if edge[1] == "attribute-of"]


def test_an_activity_alone_is_told_of_the_topic_only() -> None:
    where = corpus(
        "Forecasting of floods.",
        "The forecasting of floods.",
        "Forecasting of storms, forecasting of storms.",
    )
    some = terms("flood", "storm", "forecasting", where=where)
    (edge,) = (one for one in relations(some, where, topic=some[0].key) if one.child == some[2].key)
    assert (edge.relation, edge.parent) == (Relation.RELATED, some[0].key)
    assert edge.evidence == "sentences speak of the forecasting of flood (2)"


def test_instruments_and_attributes_cause_nothing() -> None:
    edges = found("flood", "model", "depth", texts=("Floods cause models. Floods cause depths.",) * 3)
    assert {edge for edge in edges if edge[1] == "induce"} == set()


def test_only_what_happens_is_caused_and_causes() -> None:
    wordnet = weather_wordnet()
    texts = ("Storms cause thunderstorms. Engines cause storms. Storms cause engines.",)
    edges = found("storm", "thunderstorm", "engine", texts=texts, wordnet=wordnet)
    assert {edge for edge in edges if edge[1] == "induce"} == set()  # a thunderstorm is a storm
    texts = ("Rain causes storms. Engines cause storms. Rain causes engines.",)
    edges = found("rain", "storm", "engine", texts=texts, wordnet=wordnet)
    assert edges == {
        ("storm", "induce", "rain"),
        ("storm", "related", "engine"),
        ("engine", "related", "rain"),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A river consists of mouths.", {("mouth", "part-of", "river")}),
        ("The mouth is part of the river.", {("mouth", "related", "river")}),
        ("The storm consists of rain.", {("rain", "related", "storm")}),
    ],
)
def test_parts_are_named_after_the_whole_and_are_things(
    text: str, expected: set[tuple[str, str, str]]
) -> None:
    labels = ("river", "mouth", "storm", "rain")
    edges = found(*labels, texts=(text, text), wordnet=weather_wordnet())
    assert {edge for edge in edges if edge[0] in ("mouth", "rain")} == expected


def test_wordnet_knows_parts_of_what_has_a_name() -> None:
    assert found("River", "Mouth", wordnet=weather_wordnet()) == {("Mouth", "part-of", "River")}
    assert found("river", "mouth", wordnet=weather_wordnet()) == set()


def test_a_region_is_a_part() -> None:
    assert found("Italy", "southern Italy") == {("southern Italy", "part-of", "Italy")}


def test_the_order_of_documents_only_says_related() -> None:
    texts = ("Radar and nowcasting.", "Nowcasting by radar.", "Radar.", *("Other things.",) * 5)
    assert found("radar", "nowcasting", texts=texts) == {("nowcasting", "related", "radar")}


def test_what_stands_everywhere_is_related_to_nothing() -> None:
    texts = ("Radar and nowcasting.", "Nowcasting by radar.", "Radar.")
    assert found("radar", "nowcasting", texts=texts) == set()


def test_synonyms_of_wordnet_unless_the_corpus_tells_them_apart() -> None:
    wordnet = weather_wordnet()
    assert kinds("rain", "rainfall", texts=["Rain. Rainfall."], wordnet=wordnet) == {
        ("rainfall", "synonym", "rain")
    }
    assert kinds("rain", "rainfall", texts=["Rain and rainfall. Rainfall or rain."], wordnet=wordnet) == set()


def test_evidence_is_told_in_words_and_adds_up() -> None:
    where = corpus("Floods are caused by storms.", "Storms cause floods.", "Rain.")
    some = terms("flood", "storm", where=where)
    (edge,) = (one for one in relations(some, where) if one.relation is Relation.INDUCE)
    said = "sentences say: flood caused by storm (in 2 documents, such as 0)"
    assert edge == Edge("flood", "storm", Relation.INDUCE, said, 0.9)


def test_chinese() -> None:
    texts = ("暴雨引发洪水。",)
    labels = ("洪水", "暴雨", "洪水风险", "风险", "河流", "河流支流")
    assert {
        ("洪水", "induce", "暴雨"),
        ("洪水风险", "attribute-of", "洪水"),
        ("河流支流", "part-of", "河流"),
    } <= found(*labels, texts=texts)
    assert ("洪水风险", "is-a", "风险") in kinds(*labels, texts=texts)
    twice = ("洪水等灾害。",) * 2
    assert kinds("洪水", "灾害", texts=twice) == {("洪水", "is-a", "灾害")}


def test_other_languages_have_no_rules_and_no_nonsense() -> None:
    where = corpus("Les inondations.")
    some = [
        Term("inondation", "inond", (), "fr", 1, 1.0),
        Term("risque d'inondation", "risqu inond", (), "fr", 1, 1.0),
    ]
    assert relations(some, where) == ()
