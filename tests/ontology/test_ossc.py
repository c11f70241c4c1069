"""OSSC against the worked numbers of the paper's mini-ontology and against a slow, obvious twin."""

import heapq
import time
from dataclasses import astuple, replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo_ontology.errors import InvalidInput, InvalidTopic
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.ossc import (
    EVEN,
    VALUE,
    Adjustment,
    Density,
    Distance,
    Ossc,
    factors,
    matrix,
    similarity,
    topic_of,
    weights_of,
)
from fcwseo_ontology.relations.hierarchy import ORDERING, below, levels


def ontology(*edges: tuple[str, str, Relation], topic: str = "rainstorm") -> Ontology:
    """An ontology of these edges; each concept is labelled by its name with blanks."""
    names = dict.fromkeys([topic, *(name for child, parent, _ in edges for name in (child, parent))])
    concepts = tuple(Concept(name, (Label(name.replace("_", " ")),)) for name in names)
    return Ontology(topic, concepts, tuple(Edge(*edge) for edge in edges))


MINI = ontology(
    ("warning", "rainstorm", Relation.ATTRIBUTE_OF),
    ("level", "rainstorm", Relation.ATTRIBUTE_OF),
    ("impact", "rainstorm", Relation.INDUCE),
    ("flood", "impact", Relation.INDUCE),
    ("landslide", "impact", Relation.INDUCE),
    ("urban_flood", "flood", Relation.IS_A),
    ("flash_flood", "flood", Relation.IS_A),
    ("torrential_rain", "rainstorm", Relation.SYNONYM),
)


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    """Up to nine concepts, each hanging on one to three earlier ones: everything hangs on the first."""
    edges: dict[tuple[str, str, Relation], None] = {}
    for i in range(1, draw(st.integers(1, 9))):
        for parent in draw(st.lists(st.integers(0, i - 1), min_size=1, max_size=3, unique=True)):
            edges[f"c{i}", f"c{parent}", draw(st.sampled_from(Relation))] = None
    whole = ontology(*edges, topic="c0")
    sure = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
    return replace(whole, edges=tuple(replace(edge, confidence=draw(sure)) for edge in whole.edges))


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("rainstorm", "rainstorm", 1.0),
        ("rainstorm", "torrential_rain", 1.0),
        ("rainstorm", "impact", 0.6054),
        ("rainstorm", "warning", 0.5471),
        ("rainstorm", "flood", 0.4875),
        ("rainstorm", "landslide", 0.4625),
        ("rainstorm", "urban_flood", 0.3857),
        ("urban_flood", "flash_flood", 0.4950),
        ("warning", "urban_flood", 0.3007),
    ],
)
def test_the_similarities_of_the_mini_ontology(a: str, b: str, expected: float) -> None:
    assert round(similarity(MINI, a, b), 4) == expected
    assert similarity(MINI, b, a) == similarity(MINI, a, b)


def test_the_factors_of_rainstorm_and_flood() -> None:
    found = astuple(factors(MINI, "rainstorm", "flood"))
    assert [round(factor, 4) for factor in found] == [0.4444, 0.875, 0.5, 0.3333, 0.5]


def test_the_weights_fall_level_by_level() -> None:
    """Seven levels of is-a with IF_Den held at one half."""
    chain = ontology(*((f"c{d}", f"c{d - 1}", Relation.IS_A) for d in range(1, 7)), topic="c0")
    share = Adjustment()
    weights = []
    for d in range(7):
        parts = replace(factors(chain, "c0", f"c{d}"), den=0.5)
        pairs = zip(astuple(share), astuple(parts), strict=True)
        weights.append(1.0 if d == 0 else sum(a * b for a, b in pairs))
    assert [round(weight, 3) for weight in weights] == [1, 0.535, 0.417, 0.351, 0.309, 0.280, 0.258]


def test_without_the_identity_rule_a_synonym_is_one_step_away() -> None:
    plain = Ossc(synonym_is_identity=False)
    assert similarity(MINI, "rainstorm", "torrential_rain", ossc=plain) < 1
    assert similarity(MINI, "rainstorm", "rainstorm", ossc=plain) == 1


def test_linear_distance() -> None:
    linear = Ossc(distance=Distance.LINEAR)
    assert factors(MINI, "rainstorm", "flood", ossc=linear).dis == pytest.approx(1 - 2 / 6)
    assert factors(MINI, "urban_flood", "warning", ossc=linear).dis == pytest.approx(1 - 4 / 6)


def test_density_by_the_common_ancestor() -> None:
    by_ancestor = Ossc(density=Density.LCA)
    assert factors(MINI, "urban_flood", "flash_flood", ossc=by_ancestor).den == 2 / 4
    assert factors(MINI, "rainstorm", "flood", ossc=by_ancestor).den == 1
    assert factors(MINI, "rainstorm", "level", ossc=by_ancestor).den == 1


def test_even_weights_are_the_mean_of_the_factors() -> None:
    even = Ossc(adjustment=EVEN)
    parts = astuple(factors(MINI, "warning", "flood"))
    assert similarity(MINI, "warning", "flood", ossc=even) == pytest.approx(sum(parts) / 5)


@pytest.mark.parametrize("shares", [(1.0, 0.0, 0.0, 0.0, 0.1), (1.5, -0.5, 0.0, 0.0, 0.0)])
def test_adjustment_factors_sum_to_one(shares: tuple[float, ...]) -> None:
    with pytest.raises(InvalidInput, match="sum to 1"):
        Adjustment(*shares)


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'snow'"):
        similarity(MINI, "rainstorm", "snow")


def twin(whole: Ontology, a: str, b: str) -> tuple[float, ...]:
    """The five factors by definition: all shortest paths walked, all common ancestors compared."""
    near: dict[str, list[tuple[str, float]]] = {concept.name: [] for concept in whole.concepts}
    ups: dict[str, list[str]] = {name: [] for name in near}
    for edge in whole.edges:
        sure = edge.confidence if edge.relation is Relation.RELATED else 1
        near[edge.child].append((edge.parent, VALUE[edge.relation] * sure))
        near[edge.parent].append((edge.child, VALUE[edge.relation] * sure))
        if edge.relation in ORDERING:
            ups[edge.child].append(edge.parent)

    def depth(name: str) -> int:
        return max((depth(up) + 1 for up in ups[name]), default=1 if name == whole.topic else 2)

    def ancestors(name: str) -> set[str]:
        return {name}.union(*(ancestors(up) for up in ups[name]))

    paths = [(a, 0.0)]
    steps = 0
    while not any(end == b for end, _ in paths):
        paths = [(on, value + more) for end, value in set(paths) for on, more in near[end]]
        steps += 1
    best = max(value for end, value in paths if end == b)
    degree = {name: len(near[name]) for name in near}
    common = ancestors(a) & ancestors(b)
    return (
        1.6 / (1.6 + steps),
        (degree[a] + degree[b]) / max(2 * max(degree.values()), 1),
        2 * max(map(depth, common), default=0) / (depth(a) + depth(b)),
        len(common) / len(ancestors(a) | ancestors(b)),
        best / steps if steps else 1.0,
    )


@settings(deadline=None, max_examples=50)
@given(ontologies())
def test_the_factors_agree_with_the_obvious_twin(whole: Ontology) -> None:
    for a, b in product([concept.name for concept in whole.concepts], repeat=2):
        assert astuple(factors(whole, a, b)) == pytest.approx(twin(whole, a, b))


@settings(deadline=None, max_examples=50)
@given(ontologies(), st.sampled_from(Distance), st.sampled_from(Density))
def test_the_matrix_is_symmetric_and_in_the_unit_interval(
    whole: Ontology, distance: Distance, density: Density
) -> None:
    ossc = Ossc(distance=distance, density=density)
    found = matrix(whole, ossc=ossc)
    assert np.array_equal(found, found.T)
    assert found.min() >= 0
    assert found.max() <= 1
    assert np.array_equal(np.diag(found), np.ones(len(found)))
    names = [concept.name for concept in whole.concepts]
    assert found[0, -1] == similarity(whole, names[0], names[-1], ossc=ossc)


@settings(deadline=None, max_examples=50)
@given(ontologies())
def test_the_weights_of_one_concept_are_those_of_all_pairs(whole: Ontology) -> None:
    """To the last bit: one concept takes another algorithm than all of them."""
    names = [concept.name for concept in whole.concepts]
    assert [[similarity(whole, a, b) for b in names] for a in names] == matrix(whole).tolist()


def test_each_edge_of_a_long_chain_is_followed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pushed = 0

    def push(queue: list[tuple[float, int]], entry: tuple[float, int]) -> None:
        nonlocal pushed
        pushed += 1
        heapq.heappush(queue, entry)

    monkeypatch.setattr("fcwseo_ontology.ossc.heappush", push)
    chain = ontology(*((f"c{i}", f"c{i - 1}", Relation.IS_A) for i in range(1, 3000)), topic="c0")
    weights = weights_of(chain)
    assert list(weights.values()) == sorted(weights.values(), reverse=True) and pushed == 2999


def test_all_pairs_of_500_concepts_take_less_than_a_second() -> None:
    edges = [(f"c{i}", f"c{(i - 1) // 3}", Relation.IS_A) for i in range(1, 500)]
    extra = [(f"c{i}", f"c{i // 7}", Relation.INDUCE) for i in range(100, 500, 5)]
    whole = ontology(*edges, *extra, topic="c0")
    seconds = []
    for _ in range(3):
        start = time.process_time()  # others may be busy here
        matrix(whole)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 1


def test_a_topic_has_the_weights_and_factors_of_its_concepts() -> None:
    topic = topic_of(MINI)
    assert topic.name == "rainstorm"
    words = {word.name: word for word in topic.words}
    assert list(topic.weights)[:3] == ["rainstorm", "torrential rain", "impact"]
    assert {name: round(word.weight, 4) for name, word in words.items() if word.level == 3} == {
        "flood": 0.4875,
        "landslide": 0.4625,
    }
    assert words["flood"].factors == factors(MINI, "rainstorm", "flood")
    assert words["urban_flood"].level == 4


def test_a_label_makes_a_topic_of_what_hangs_on_it() -> None:
    topic = topic_of(MINI, label="Flood")
    assert topic.name == "flood"
    assert [(word.word, word.level) for word in topic.words] == [
        ("flood", 1),
        ("flash flood", 2),
        ("urban flood", 2),
    ]
    assert topic.words[0].weight == 1


def test_an_unknown_label_is_refused_with_what_comes_near() -> None:
    with pytest.raises(InvalidTopic, match="no concept is labelled 'flods'; near it: 'flood'"):
        topic_of(MINI, label="flods")


def test_the_depth_is_that_of_the_subtree() -> None:
    deep = ontology(*((f"c{d}", f"c{d - 1}", Relation.IS_A) for d in range(1, 9)), topic="c0")
    shallow = ontology(("c8", "c7", Relation.IS_A), topic="c7")
    assert topic_of(deep, label="c7").words == topic_of(shallow).words


def test_a_word_carries_all_its_labels_and_languages() -> None:
    concept = Concept(
        "Flood",
        (Label("flood"), Label("洪水", "zh")),
        (Label("inundation"), Label("Flood"), Label("洪涝", "zh")),
    )
    (word,) = topic_of(Ontology("Flood", (concept,), ())).words
    assert word.labels == ("flood", "洪水", "inundation", "洪涝")


def test_a_label_belongs_to_one_word_only() -> None:
    concepts = (
        Concept("Rain", (Label("rain"),), (Label("flood"), Label("wet"))),
        Concept("Flood", (Label("flood"),), (Label("wet"), Label("deluge"))),
        Concept("Flood_2", (Label("Flood"),), (Label("alluvion"),)),
    )
    edges = (Edge("Flood", "Rain", Relation.INDUCE), Edge("Flood_2", "Flood", Relation.IS_A))
    topic = topic_of(Ontology("Rain", concepts, edges))
    assert [(word.word, word.labels) for word in topic.words] == [
        ("rain", ("rain", "wet")),
        ("flood", ("flood", "deluge", "alluvion")),
    ]


def test_what_is_only_related_weighs_less_than_any_ordered_neighbour() -> None:
    for relation in ORDERING:
        whole = ontology(
            ("soil", "rainstorm", Relation.RELATED), ("other", "rainstorm", relation), topic="rainstorm"
        )
        weights = topic_of(whole).weights
        assert 0 < weights["soil"] < weights["other"]
    assert factors(whole, "rainstorm", "soil").dep == 0
    assert factors(whole, "rainstorm", "soil").coi == 0


def test_what_is_surely_related_weighs_more_than_a_guess() -> None:
    whole = ontology(("soil", "rainstorm", Relation.RELATED), ("china", "rainstorm", Relation.RELATED))
    sure, guess = whole.edges
    told = replace(whole, edges=(sure, replace(guess, confidence=0.2)))
    assert factors(told, "rainstorm", "soil").rel == 1 / 4
    assert factors(told, "rainstorm", "china").rel == pytest.approx(1 / 20)


def test_only_related_edges_count_as_they_are_sure() -> None:
    doubted = replace(MINI, edges=tuple(replace(edge, confidence=0.1) for edge in MINI.edges))
    assert np.array_equal(matrix(doubted), matrix(MINI))


def test_a_related_edge_shortens_the_way_and_orders_nothing() -> None:
    edges = [(edge.child, edge.parent, edge.relation) for edge in MINI.edges]
    more = ontology(*edges, ("flash_flood", "rainstorm", Relation.RELATED))
    assert factors(more, "rainstorm", "flash_flood").dis > factors(MINI, "rainstorm", "flash_flood").dis
    assert levels(more) == levels(MINI)


def test_several_parents_count_by_the_deepest_common_ancestor() -> None:
    whole = ontology(
        ("a", "t", Relation.IS_A),
        ("b", "a", Relation.IS_A),
        ("x", "b", Relation.IS_A),
        ("x", "t", Relation.IS_A),
        ("y", "b", Relation.IS_A),
        topic="t",
    )
    assert factors(whole, "x", "y").dep == 2 * 3 / (4 + 4)


@settings(deadline=None, max_examples=50)
@given(ontologies())
def test_every_concept_becomes_a_word(whole: Ontology) -> None:
    topic = topic_of(whole)
    assert {word.name for word in topic.words} == set(below(whole.edges, "c0"))
    weights = [word.weight for word in topic.words]
    assert weights == sorted(weights, reverse=True)
    assert all(0 < weight <= 1 for weight in weights)


def test_concepts_of_one_word_have_each_their_own_weight() -> None:
    concepts = (
        Concept("t", (Label("flood"),)),
        Concept("a", (Label("wave"),)),
        Concept("b", (Label("wave"),)),
    )
    whole = Ontology("t", concepts, (Edge("a", "t", Relation.IS_A), Edge("b", "a", Relation.IS_A)))
    assert weights_of(whole) == {name: similarity(whole, "t", name) for name in "tab"}
    assert topic_of(whole).weights == {"flood": 1.0, "wave": similarity(whole, "t", "a")}
