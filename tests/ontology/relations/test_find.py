"""From terms and a corpus to typed relations with their evidence."""

from helpers.relations_examples import corpus, terms, triples, weather_wordnet

from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations.find import find_relations
from fcwseo_ontology.terms.extract import Term


def found(*labels: str, texts: tuple[str, ...] = ("Nothing.",)) -> set[tuple[str, str, str]]:
    where = corpus(*texts)
    some = terms(*labels, where=where)
    return triples(find_relations(some, where), some)


def test_a_measure_is_an_attribute_and_no_kind() -> None:
    edges = found("flood", "risk", "flood risk")
    assert edges == {("flood risk", "attribute-of", "flood"), ("flood risk", "is-a", "risk")}


def test_vulnerability_is_no_flood() -> None:
    texts = ("Vulnerability to floods.", "Vulnerability and floods.", "Floods.", "Other things.")
    edges = found("flood", "vulnerability", "vulnerability to floods", texts=texts)
    assert not [edge for edge in edges if edge[1] == "is-a" and edge[2] == "flood"]


def test_a_part_a_thing_done_and_an_empty_head() -> None:
    texts = ("Storms caused damage.",)
    labels = ("storm", "damage", "river", "river bed", "storm damage", "storm event", "river damage")
    edges = found(*labels, texts=texts)
    assert ("river bed", "part-of", "river") in edges
    assert ("storm damage", "induce", "storm") in edges
    assert ("storm event", "synonym", "storm") in edges
    # Nothing says that a river does anything.
    assert ("river damage", "related", "river") in edges


def test_an_activity_is_an_aspect_where_the_corpus_says_so() -> None:
    assert ("flood forecasting", "related", "flood") in found("flood", "flood forecasting")
    texts = ("The forecasting of floods.",)
    edges = found("flood", "flash flood", "flood forecasting", "flash flood forecasting", texts=texts)
    assert ("flood forecasting", "attribute-of", "flood") in edges
    assert ("flash flood forecasting", "attribute-of", "flash flood") in edges


def test_an_activity_alone_is_told_of_the_topic_only() -> None:
    where = corpus(
        "Forecasting of floods.",
        "The forecasting of floods.",
        "Forecasting of storms, forecasting of storms.",
    )
    some = terms("flood", "storm", "forecasting", where=where)
    edges = triples(find_relations(some, where, topic=some[0].key), some)
    assert {edge for edge in edges if edge[1] == "attribute-of"} == {("forecasting", "attribute-of", "flood")}


def test_one_sentence_is_not_enough_for_a_kind() -> None:
    once = "Hazards such as floods."
    assert ("flood", "is-a", "hazard") not in found("hazard", "flood", texts=(once,))
    assert ("flood", "is-a", "hazard") in found("hazard", "flood", texts=(once, once))


def test_roles_instruments_and_attributes_are_not_believed() -> None:
    texts = ("Factors such as slopes. Floods cause models. Hazards such as depths.",) * 3
    assert found("factor", "slope", "flood", "model", "hazard", "depth", texts=texts) <= {
        (child, "related", parent)
        for child in ("factor", "slope", "flood", "model", "hazard", "depth")
        for parent in ("factor", "slope", "flood", "model", "hazard", "depth")
    }


def test_a_sentence_cannot_turn_a_head_noun_round() -> None:
    texts = ("Flash floods such as floods.",) * 3
    assert ("flood", "is-a", "flash flood") not in found("flood", "flash flood", texts=texts)


def test_the_order_of_documents_only_says_related() -> None:
    texts = ("Radar and nowcasting.", "Nowcasting by radar.", "Radar.", *("Other things.",) * 5)
    assert found("radar", "nowcasting", texts=texts) == {("nowcasting", "related", "radar")}


def test_what_stands_everywhere_is_related_to_nothing() -> None:
    texts = ("Radar and nowcasting.", "Nowcasting by radar.", "Radar.")
    assert found("radar", "nowcasting", texts=texts) == set()


def test_synonyms_of_wordnet_unless_the_corpus_tells_them_apart() -> None:
    where = corpus("Rain. Rainfall.")
    some = terms("rain", "rainfall", where=where)
    wordnet = weather_wordnet()
    assert triples(find_relations(some, where, wordnet=wordnet), some) == {("rainfall", "synonym", "rain")}
    apart = corpus("Rain and rainfall. Rainfall or rain.")
    assert triples(find_relations(some, apart, wordnet=wordnet), some) == set()


def test_evidence_is_told_in_words_and_adds_up() -> None:
    where = corpus("Floods are caused by storms.", "Storms cause floods.", "Rain.")
    some = terms("flood", "storm", where=where)
    (edge,) = (one for one in find_relations(some, where) if one.relation is Relation.INDUCE)
    said = "sentences say: flood caused by storm (in 2 documents, such as 0)"
    assert edge == Edge("flood", "storm", Relation.INDUCE, said, 0.9)


def test_chinese() -> None:
    texts = ("暴雨引发洪水。",)
    edges = found("洪水", "暴雨", "洪水风险", "风险", "河流", "河流支流", texts=texts)
    assert {
        ("洪水", "induce", "暴雨"),
        ("洪水风险", "attribute-of", "洪水"),
        ("洪水风险", "is-a", "风险"),
        ("河流支流", "part-of", "河流"),
    } <= edges


def test_other_languages_have_no_rules_and_no_nonsense() -> None:
    where = corpus("Les inondations.")
    some = [
        Term("inondation", "inond", (), "fr", 1, 1.0),
        Term("risque d'inondation", "risqu inond", (), "fr", 1, 1.0),
    ]
    assert find_relations(some, where) == ()
