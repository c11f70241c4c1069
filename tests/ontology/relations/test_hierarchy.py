"""Walks over an ontology, and the names of concepts."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation, identifier
from fcwseo_ontology.relations.hierarchy import below, find, first_cycle, levels, subtree, without_cycles


def is_a(child: str, parent: str, confidence: float = 1.0) -> Edge:
    return Edge(child, parent, Relation.IS_A, "", confidence)


def concept(name: str, *labels: str, synonyms: tuple[str, ...] = ()) -> Concept:
    return Concept(name, tuple(map(Label, labels or (name,))), tuple(map(Label, synonyms)))


def test_a_cycle_of_seven_loses_its_weakest_edge() -> None:
    ring = [is_a(f"c{i}", f"c{(i + 1) % 7}", 0.9 if i != 3 else 0.5) for i in range(7)]
    kept, dropped = without_cycles(ring)
    assert [edge for edge, _ in dropped] == [ring[3]]
    assert len(dropped[0][1]) == 8
    assert kept == [edge for edge in ring if edge is not ring[3]]


def test_among_equals_the_relation_that_says_least_goes() -> None:
    edges = [is_a("a", "b"), Edge("b", "a", Relation.INDUCE)]
    assert without_cycles(edges)[0] == [edges[0]]


def test_related_edges_make_no_cycle() -> None:
    edges = [is_a("a", "b"), Edge("b", "a", Relation.RELATED)]
    assert without_cycles(edges) == (edges, [])


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.5, 1.0]))))
def test_what_is_left_has_no_cycle_and_nothing_else_is_lost(pairs: list[tuple[int, int, float]]) -> None:
    edges = [is_a(f"c{a}", f"c{b}", confidence) for a, b, confidence in pairs]
    kept, dropped = without_cycles(edges)
    assert first_cycle(kept) == []
    assert set(kept) | {edge for edge, _ in dropped} == set(edges)
    for edge, _ in dropped:
        assert edge.parent in below([*edges], edge.child)
        assert edge.child in below([*edges], edge.parent)


def test_levels_count_the_longest_way_down() -> None:
    edges = (is_a("b", "a"), is_a("c", "b"), is_a("c", "a"))
    whole = Ontology("a", tuple(map(concept, "abc")), edges)
    assert levels(whole) == {"a": 1, "b": 2, "c": 3}


def test_what_has_no_parent_counts_as_hanging_on_the_topic() -> None:
    edges = (Edge("b", "a", Relation.RELATED), is_a("c", "b"))
    assert levels(Ontology("a", tuple(map(concept, "abc")), edges)) == {"a": 1, "b": 2, "c": 3}


def test_a_subtree_keeps_what_hangs_on_its_topic_and_drops_what_stands_above() -> None:
    edges = (is_a("b", "a"), is_a("c", "b"), is_a("d", "a"), Edge("e", "b", Relation.RELATED), is_a("b", "e"))
    part = subtree(Ontology("a", tuple(map(concept, "abcde")), edges), "b")
    assert part.topic == "b"
    assert [one.name for one in part.concepts] == ["b", "c", "e"]
    assert part.edges == (is_a("c", "b"), Edge("e", "b", Relation.RELATED))


def test_a_concept_is_found_by_label_then_synonym_then_name() -> None:
    concepts = (
        concept("Flood", "flood"),
        concept("Deluge", "deluge", synonyms=("flood", "Flash-Flood")),
        concept("X_1", "other"),
    )
    whole = Ontology("Flood", concepts, ())
    assert find(whole, "FLOOD") == ["Flood"]
    assert find(whole, "flash flood") == ["Deluge"]
    assert find(whole, "x 1") == ["X_1"]


def test_among_concepts_of_one_label_the_larger_comes_first() -> None:
    concepts = (concept("A", "rain"), concept("B", "rain"), concept("C", "shower"))
    assert find(Ontology("A", concepts, (is_a("C", "B"),)), "rain") == ["B", "A"]


@pytest.mark.parametrize("wanted", ["floding", "flood", "urban flooding"])
def test_what_comes_near_is_suggested(wanted: str) -> None:
    whole = Ontology("A", (concept("A", "flooding"), concept("B", "big flood")), ())
    with pytest.raises(InvalidTopic, match=r"near it: .*flood"):
        find(whole, wanted)


def test_nothing_near_suggests_nothing() -> None:
    with pytest.raises(InvalidTopic, match=r"labelled 'xyz'$"):
        find(Ontology("A", (concept("A", "flooding"),), ()), "xyz")


@settings(deadline=None, max_examples=50)
@given(st.text(), st.sets(st.sampled_from(["T", "A", "A_2"])))
def test_identifiers_are_safe_and_new(label: str, taken: set[str]) -> None:
    name = identifier(label, taken)
    assert name.isascii()
    assert name.replace("_", "a").isalnum()
    assert not name[0].isdigit()
    assert name not in taken


@pytest.mark.extra
def test_chinese_is_spelt_in_pinyin() -> None:
    pytest.importorskip("pypinyin")
    assert identifier("城市内涝") == "Cheng_Shi_Nei_Lao"


def test_without_pinyin_chinese_is_named_by_code_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypinyin", None)
    assert identifier("洪水") == "u6d2a6c34"
    assert identifier("C++") == "C"
    assert identifier("++") == "u002b002b"
