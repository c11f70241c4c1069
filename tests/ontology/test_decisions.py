"""What an expert decides on edges: the table, and carrying the decisions out."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo_ontology.decisions import (
    Decision,
    decided,
    hanging,
    read_relations,
    same,
    without,
    write_relations,
)
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.relations.hierarchy import below, first_cycle

BEES = Ontology(
    "bee",
    (
        Concept("bee", (Label("bee"), Label("蜜蜂", "zh")), (Label("bees"),)),
        Concept("worker", (Label("worker bee"),), (Label("worker"),)),
        Concept("drone", (Label("drone"),)),
        Concept("wing", (Label("wing"),)),
    ),
    (
        Edge("drone", "bee", Relation.RELATED, "3 documents", 0.3),
        Edge("wing", "drone", Relation.PART_OF, "'has'", 0.7),
        Edge("worker", "bee", Relation.IS_A, "head noun", 0.9),
    ),
)


def said(*rows: str) -> list[Decision]:
    """Decisions such as "+drone is-a bee"."""
    parts = [row[1:].split("|") for row in rows]
    return [
        Decision(child, parent, Relation(relation), row[0] == "+")
        for row, (child, relation, parent) in zip(rows, parts, strict=True)
    ]


def edges_of(ontology: Ontology) -> set[tuple[str, str, str]]:
    return {(edge.child, edge.relation.value, edge.parent) for edge in ontology.edges}


def test_a_wanted_edge_is_the_only_one_between_its_ends() -> None:
    found = decided(BEES, said("+drones|is-a|bees"))
    assert edges_of(found) == {
        ("drone", "is-a", "bee"),
        ("wing", "part-of", "drone"),
        ("worker", "is-a", "bee"),
    }
    (edge,) = [edge for edge in found.edges if edge.child == "drone"]
    assert (edge.evidence, edge.confidence) == ("decided by an expert", 1.0)
    turned = decided(BEES, said("+drone|part-of|wing"))
    assert edges_of(turned) == {
        ("drone", "part-of", "wing"),
        ("drone", "related", "bee"),
        ("wing", "related", "bee"),
        ("worker", "is-a", "bee"),
    }


def test_a_dropped_concept_hangs_below_the_topic_and_then_nowhere() -> None:
    once = decided(BEES, said("-worker bee|is-a|bee"))
    assert ("worker", "related", "bee") in edges_of(once)
    twice = decided(BEES, said("-worker|is-a|bee", "-worker|related|bee"))
    assert {concept.name for concept in twice.concepts} == {"bee", "drone", "wing"}


def test_what_hung_on_a_dropped_concept_stays() -> None:
    found = decided(BEES, said("-drone|related|bee"))
    assert {concept.name for concept in found.concepts} == {"bee", "worker", "wing"}
    assert ("wing", "related", "bee") in edges_of(found)


def test_a_new_label_becomes_a_synonym_in_its_language() -> None:
    rows = said(
        "+imme|synonym|bee",
        "+中华蜜蜂|synonym|bee",
        "+worker bees|synonym|worker",
        "-worker|synonym|worker bee",
    )
    concepts = {concept.name: concept for concept in decided(BEES, rows).concepts}
    assert concepts["bee"].synonyms == (Label("bees"), Label("imme"), Label("中华蜜蜂", "zh"))
    assert concepts["worker"].synonyms == ()
    assert concepts["worker"].labels == (Label("worker bee"),)


def test_a_new_label_may_stand_in_either_column() -> None:
    assert decided(BEES, said("+drone|synonym|male bee")) == decided(BEES, said("+male bee|synonym|drone"))


def test_of_two_labels_with_one_stem_the_very_one_is_meant() -> None:
    pollination, pollinator = (Concept(name, (Label(name),)) for name in ("pollination", "pollinator"))
    edges = (Edge("pollination", "bee", Relation.RELATED), Edge("pollinator", "bee", Relation.RELATED))
    whole = Ontology("bee", (*BEES.concepts, pollination, pollinator), (*BEES.edges, *edges))
    found = edges_of(decided(whole, said("+worker|is-a|pollinator", "-pollinator|related|bee")))
    assert ("pollination", "related", "bee") in found
    assert {child for child, _, parent in found if parent == "pollination"} == set()


def test_a_known_label_as_synonym_is_an_edge() -> None:
    assert ("drone", "synonym", "worker") in edges_of(decided(BEES, said("+drone|synonym|worker bee")))


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("+bee|is-a|drone", "'bee' cannot hang on 'drone'"),
        ("+bee|is-a|bees", "'bee' cannot hang on 'bees'"),
        ("+glacier|is-a|bee", "no term is 'glacier'"),
        ("+drone|is-a|glacier", "no term is 'glacier'"),
        ("+glacier|synonym|iceberg", "no term is 'iceberg'"),
    ],
)
def test_what_cannot_be_is_refused(row: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        decided(BEES, said(row))


def test_the_context_follows_the_kinds() -> None:
    """A synonym is what its concept is, both ways; what merely belongs to it says nothing."""
    rows = said("+drone|is-a|worker", "+wing|synonym|worker", "-drone|related|bee")
    contextual = replace(BEES, concepts=tuple(replace(one, intent=(one.name,)) for one in BEES.concepts))
    assert {one.name: one.intent for one in decided(contextual, rows).concepts} == {
        "bee": ("bee",),
        "worker": ("bee", "wing", "worker"),
        "drone": ("bee", "drone", "wing", "worker"),
        "wing": ("bee", "wing", "worker"),
    }
    assert not any(one.intent for one in decided(BEES, rows).concepts), "there was none"
    gone = without(contextual, ["drones"])
    assert {one.name: one.intent for one in gone.concepts} == {
        "bee": ("bee",),
        "worker": ("bee", "worker"),
        "wing": ("wing",),
    }


def test_a_decision_against_what_is_not_there_changes_nothing() -> None:
    assert decided(BEES, said("-glacier|is-a|bee", "-drone|is-a|worker", "-x|synonym|drone")) == BEES


names = st.sampled_from(["bee", "worker", "drone", "wing", "imme"])


@given(st.lists(st.builds(Decision, names, names, st.sampled_from(Relation), st.booleans()), max_size=8))
def test_whatever_is_decided_everything_hangs_and_nothing_is_circular(decisions: list[Decision]) -> None:
    found = BEES
    for decision in decisions:
        try:
            found = decided(found, [decision])
        except InvalidInput:
            continue
        names = {concept.name for concept in found.concepts}
        assert set(below(found.edges, "bee")) == names
        assert {end for edge in found.edges for end in (edge.child, edge.parent)} <= names
        assert first_cycle(found.edges) == []
        assert len({(edge.child, edge.parent, edge.relation) for edge in found.edges}) == len(found.edges)


def test_of_what_hangs_nowhere_only_the_top_is_hung_up() -> None:
    concepts = tuple(Concept(name, (Label(name),)) for name in "abcd")
    found = hanging(
        concepts, [Edge("c", "b", Relation.IS_A), Edge("d", "c", Relation.IS_A)], topic="a", said="so"
    )
    assert {(edge.child, edge.parent) for edge in found} == {("b", "a"), ("c", "b"), ("d", "c")}


def test_labels_are_the_same_in_their_own_language() -> None:
    assert same(Label("Bienen", "de")) == same(Label("Biene", "de"))
    assert same(Label("water-mites", "en-GB")) == same(Label("Water mite", "en"))
    assert same(Label("蜜 蜂", "zh-Hans")) == same(Label("蜜蜂", ""))


def test_spreadsheets_part_columns_as_they_like(tmp_path: Path) -> None:
    path = tmp_path / "relations.csv"
    path.write_text("Child;Parent; Relation;Keep\n洪水;灾害;is-a;是\n", encoding="utf-8-sig")
    assert read_relations(path) == (Decision("洪水", "灾害", Relation.IS_A, True),)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("child,parent,keep\n", "no column 'relation'"),
        ("", "no column 'child'"),
        ("child,parent,relation,keep\na,b,is-a,perhaps\n", "line 2: keep is 'perhaps'"),
        ("child,parent,relation,keep\na,b,is,yes\n", "line 2: 'is' is no relation"),
        ("child,parent,relation,keep\n,b,is-a,yes\n", "needs a child and a parent"),
        ("child,parent,relation,keep\na,1.5,synonym,yes\n", "line 2: '1.5' has no letter"),
        (
            "child,parent,relation,keep\na,b,is-a,yes\nc,b,is-a,no\nA,b,is-a,no\n",
            "line 4: 'A' is-a 'b' is both kept and dropped",
        ),
        pytest.param("c" * 200_000, "field larger than field limit", id="no table at all"),
        ("child,parent,relation,keep\na\n", None),
    ],
)
def test_bad_tables_are_one_clear_line(tmp_path: Path, text: str, why: str | None) -> None:
    path = tmp_path / "relations.csv"
    path.write_text(text, encoding="utf-8")
    if why is None:
        assert read_relations(path) == ()
        return
    with pytest.raises(InvalidInput, match=why):
        read_relations(path)


def test_tables_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot read"):
        read_relations(tmp_path / "none.csv")
    (tmp_path / "bytes.csv").write_bytes(b"child\xff\xfe")
    with pytest.raises(InvalidInput, match="UTF-8"):
        read_relations(tmp_path / "bytes.csv")
    with pytest.raises(InvalidInput, match="cannot write"):
        write_relations(BEES, tmp_path / "no" / "folder.csv")
