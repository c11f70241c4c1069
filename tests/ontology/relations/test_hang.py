"""Of contradicting relations a hierarchy: one root, no cycle, everything hangs, every edge typed."""

import pytest
from helpers.relations_examples import corpus, terms, triples
from hypothesis import given
from hypothesis import strategies as st

from fcwseo_ontology.corpus.tokens import key
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations.hang import hang
from fcwseo_ontology.relations.statements import Decisions
from fcwseo_ontology.terms.extract import Term

LABELS = ("flash flood", "flood", "hazard", "storm", "inundation", "risk", "flood risk")


def edge(child: str, relation: str, parent: str, confidence: float = 0.8) -> Edge:
    return Edge(key(child), key(parent), Relation(relation), "because", confidence)


def hung(
    *edges: Edge, labels: tuple[str, ...] = LABELS, decided: Decisions | None = None
) -> set[tuple[str, str, str]]:
    some = terms(*labels)
    return triples(hang(some, edges, decided=decided or {}), some)


def test_what_hangs_nowhere_is_related_to_the_topic() -> None:
    where = corpus("Flash flood and storm.", "Storm.")
    some = terms("flash flood", "storm", where=where)
    (only,) = hang(some, [], decided={})
    assert only == Edge(
        "storm", "flash flood", Relation.RELATED, "1 of its 2 documents speak of flash flood", 0.15
    )


def test_what_is_wider_than_the_topic_hangs_below_it_as_related() -> None:
    found = hung(edge("flash flood", "is-a", "flood"), edge("flood", "is-a", "hazard"))
    assert ("flood", "related", "flash flood") in found
    assert ("flood", "is-a", "hazard") in found
    assert not [one for one in found if one[0] == "flash flood"]


def test_only_the_nearest_of_what_is_wider_is_told() -> None:
    edges = (
        edge("flash flood", "is-a", "flood"),
        edge("flash flood", "is-a", "hazard", 0.9),
        edge("flood", "is-a", "hazard"),
    )
    (said,) = (one for one in hang(terms(*LABELS), edges, decided={}) if one.child == "hazard")
    assert "wider" not in said.evidence


def test_a_cause_of_the_topic_says_so() -> None:
    (said,) = (
        one
        for one in hang(terms(*LABELS), [edge("flash flood", "induce", "storm")], decided={})
        if one.child == "storm"
    )
    assert said.evidence == "a cause of the topic: because"


def test_of_a_cycle_the_weakest_edge_goes() -> None:
    found = hung(edge("flood", "is-a", "hazard", 0.9), edge("hazard", "is-a", "flood", 0.6))
    assert ("flood", "is-a", "hazard") in found
    assert ("hazard", "is-a", "flood") not in found
    found = hung(edge("flood", "is-a", "hazard", 0.6), edge("hazard", "induce", "flood", 0.9))
    assert ("hazard", "induce", "flood") not in found


def test_what_is_said_of_a_synonym_moves_to_what_it_means() -> None:
    found = hung(edge("inundation", "synonym", "flood"), edge("inundation", "is-a", "hazard"))
    assert {("inundation", "synonym", "flood"), ("flood", "is-a", "hazard")} <= found
    assert ("inundation", "is-a", "hazard") not in found


def test_a_synonym_of_the_topic_hangs_below_it() -> None:
    found = hung(edge("flash flood", "synonym", "inundation"))
    assert ("inundation", "synonym", "flash flood") in found


def test_chains_of_synonyms_end_at_one_concept() -> None:
    found = hung(edge("inundation", "synonym", "storm"), edge("storm", "synonym", "flood", 0.7))
    assert {("inundation", "synonym", "flood"), ("storm", "synonym", "flood")} <= found


def test_what_is_inherited_is_not_said_again() -> None:
    found = hung(
        edge("flood risk", "is-a", "risk"),
        edge("risk", "attribute-of", "flood"),
        edge("flood risk", "attribute-of", "flood", 0.7),
    )
    assert ("flood risk", "attribute-of", "flood") not in found


def test_an_attribute_of_the_topic_is_told_of_the_topic() -> None:
    found = hung(edge("risk", "attribute-of", "flood", 0.9), edge("risk", "attribute-of", "flash flood", 0.6))
    assert {one for one in found if one[0] == "risk"} == {("risk", "attribute-of", "flash flood")}


def test_the_order_of_documents_counts_where_nothing_else_is_known() -> None:
    found = hung(
        edge("risk", "related", "flood", 0.3),
        edge("storm", "related", "flood", 0.3),
        edge("storm", "is-a", "hazard"),
    )
    assert ("risk", "related", "flood") in found
    assert ("storm", "related", "flood") not in found


def test_an_expert_puts_in_and_takes_out() -> None:
    decided = {("flood", "hazard", Relation.IS_A): False, ("flood", "storm", Relation.INDUCE): True}
    found = hung(edge("flood", "is-a", "hazard"), edge("flood", "related", "storm", 0.6), decided=decided)
    assert {one for one in found if one[0] == "flood"} == {("flood", "induce", "storm")}


def test_what_an_expert_lets_hang_nowhere_is_left_out() -> None:
    decided = {("storm", "flash flood", Relation.RELATED): False}
    found = hung(edge("risk", "related", "storm", 0.5), decided=decided)
    assert not [one for one in found if "storm" in one]
    assert ("risk", "related", "flash flood") in found


@pytest.mark.parametrize(
    "decided",
    [
        {("flash flood", "flood", Relation.IS_A): True},
        {("flood", "hazard", Relation.IS_A): True, ("hazard", "flood", Relation.PART_OF): True},
    ],
)
def test_an_expert_cannot_close_a_cycle(decided: Decisions) -> None:
    with pytest.raises(InvalidInput, match="cannot hang on"):
        hung(decided=decided)


SOME = [term.key for term in terms(*LABELS)]
EDGES = st.lists(
    st.builds(
        Edge,
        st.sampled_from(SOME),
        st.sampled_from(SOME),
        st.sampled_from(list(Relation)),
        st.just("because"),
        st.floats(0.1, 0.99).map(lambda confidence: round(confidence, 3)),
    ).filter(lambda edge: edge.child != edge.parent),
    max_size=25,
)


@given(EDGES)
def test_whatever_is_claimed_everything_hangs_on_the_topic_and_nothing_on_itself(edges: list[Edge]) -> None:
    some: list[Term] = terms(*LABELS)
    found = hang(some, edges, decided={})
    parents: dict[str, list[str]] = {}
    for one in found:
        parents.setdefault(one.child, []).append(one.parent)
    assert parents.keys() == {term.key for term in some[1:]}
    for start in parents:
        above, queue = set(), [start]
        for name in queue:
            new = [parent for parent in parents.get(name, ()) if parent not in above]
            above.update(new)
            queue += new
        assert some[0].key in above
        assert start not in above
