"""A built ontology joined with one of the user's own."""

import logging
from pathlib import Path

import pytest
from helpers.relations_examples import corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo_ontology.build import build_ontology
from fcwseo_ontology.decisions import Decision
from fcwseo_ontology.errors import InvalidInput, InvalidTopic
from fcwseo_ontology.joining import Own, joined
from fcwseo_ontology.load import load_own
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.owl.ontologies import write_owl
from fcwseo_ontology.relations.hierarchy import below, first_cycle

IS_A, PART_OF, RELATED, INDUCE = Relation.IS_A, Relation.PART_OF, Relation.RELATED, Relation.INDUCE


def concept(label: str, *synonyms: str, name: str = "", language: str = "en", source: str = "") -> Concept:
    others = tuple(Label(text, language) for text in synonyms)
    return Concept(name or label.replace(" ", "_"), (Label(label, language),), others, source)


def built(*edges: tuple[str, Relation, str], topic: str = "bee") -> Ontology:
    labels = dict.fromkeys([topic, *(end for child, _, parent in edges for end in (child, parent))])
    concepts = tuple(concept(label, source="corpus") for label in labels)
    named = {one.labels[0].text: one.name for one in concepts}
    return Ontology(
        named[topic],
        concepts,
        tuple(
            Edge(named[child], named[parent], relation, "corpus", 0.5) for child, relation, parent in edges
        ),
    )


def own(
    *edges: tuple[str, Relation, str],
    concepts: tuple[Concept, ...] = (),
    topic: str = "",
    name: str = "own.ttl",
) -> Own:
    known = {one.labels[0].text: one for one in concepts}
    ends = dict.fromkeys([*known, *(end for child, _, parent in edges for end in (child, parent))])
    found = {label: known.get(label) or concept(label, name=label.title().replace(" ", "")) for label in ends}
    typed = (Edge(found[child].name, found[parent].name, relation) for child, relation, parent in edges)
    return Own(Ontology(found[topic].name if topic else "", tuple(found.values()), tuple(typed)), name)


def edges_of(ontology: Ontology) -> set[tuple[str, str, str]]:
    labels = {one.name: one.labels[0].text for one in ontology.concepts}
    return {(labels[edge.child], edge.relation.value, labels[edge.parent]) for edge in ontology.edges}


def test_a_concept_of_both_has_the_labels_of_both_and_says_where_from() -> None:
    mine = Concept(
        "Mite", (Label("varroa mite"), Label("Varroamilbe", "de")), (Label("varroa"),), "http://x/Mite"
    )
    ours = Concept("mites", (Label("Varroa"), Label("瓦螨", "zh")), (Label("varroas"),), "corpus", 7)
    ontology = Ontology("bee", (concept("bee", source="corpus"), ours), (Edge("mites", "bee", RELATED),))
    found = joined(ontology, own(concepts=(mine,)), topic="bee")
    assert [one.name for one in found.concepts] == ["bee", "Mite"]
    mite = found.concepts[1]
    assert mite.labels == (Label("varroa mite"), Label("Varroamilbe", "de"), Label("瓦螨", "zh"))
    assert mite.synonyms == (Label("varroa"), Label("varroas"))
    assert (mite.source, mite.frequency) == ("http://x/Mite; corpus", 7)
    assert edges_of(found) == {("varroa mite", "related", "bee")}


def test_a_label_without_a_language_is_the_preferred_one_in_any() -> None:
    file = own(concepts=(concept("hive", language=""),))
    found = joined(built(("hives", RELATED, "bee")), file, topic="bee")
    assert found.concepts[1].labels == (Label("hive", ""),)
    assert found.concepts[1].synonyms == (Label("hives"),)


def test_what_is_only_in_the_file_is_named_after_it() -> None:
    found = joined(built(("hive", RELATED, "bee")), own(("drone", IS_A, "bee")), topic="bee")
    (drone,) = [one for one in found.concepts if one.labels[0].text == "drone"]
    assert drone.source == "own.ttl"
    (edge,) = [edge for edge in found.edges if edge.child == drone.name]
    assert (edge.evidence, edge.confidence) == ("stated in own.ttl", 1.0)


@pytest.mark.parametrize(
    ("ours", "his"),
    [
        (("wing", IS_A, "drone"), ("wing", PART_OF, "drone")),
        (("drone", IS_A, "wing"), ("wing", PART_OF, "drone")),
        (("drone", RELATED, "wing"), ("wing", PART_OF, "drone")),
    ],
    ids=["another kind", "the other way round", "without order"],
)
def test_between_two_concepts_the_edge_of_the_user_wins(
    ours: tuple[str, Relation, str], his: tuple[str, Relation, str]
) -> None:
    ontology = built(("drone", IS_A, "bee"), ("wing", PART_OF, "bee"), ours)
    found = edges_of(joined(ontology, own(his, ("drone", IS_A, "bee")), topic="bee"))
    assert found & {(child, kind.value, parent) for child, kind, parent in (ours, his)} == {
        (his[0], his[1].value, his[2])
    }


def test_a_built_edge_that_would_close_a_cycle_goes() -> None:
    ontology = built(("a", IS_A, "c"), ("c", RELATED, "bee"))
    found = joined(ontology, own(("c", IS_A, "b"), ("b", PART_OF, "a"), ("a", IS_A, "bee")), topic="bee")
    assert ("a", "is-a", "c") not in edges_of(found)
    assert first_cycle(found.edges) == []


def test_a_built_kind_that_follows_from_the_file_goes_and_others_stay() -> None:
    ontology = built(("queen", IS_A, "bee"), ("queen", IS_A, "mother"), ("mother", RELATED, "bee"))
    found = edges_of(joined(ontology, own(("queen", IS_A, "female"), ("female", IS_A, "bee")), topic="bee"))
    assert ("queen", "is-a", "bee") not in found
    assert {("queen", "is-a", "female"), ("queen", "is-a", "mother")} <= found


def test_the_place_that_the_file_gives_replaces_the_default_below_the_topic() -> None:
    ontology = built(("drone", RELATED, "bee"), ("hive", RELATED, "bee"))
    found = edges_of(joined(ontology, own(("drone", IS_A, "male"), ("male", IS_A, "bee")), topic="bee"))
    assert found == {("drone", "is-a", "male"), ("male", "is-a", "bee"), ("hive", "related", "bee")}


def test_what_is_wider_than_the_topic_hangs_on_it_as_related() -> None:
    file = own(("bee", IS_A, "insect"), ("insect", IS_A, "animal"), ("drone", IS_A, "bee"))
    ontology = built(("insect", RELATED, "bee"))
    found = joined(ontology, file, topic="bee")
    assert edges_of(found) == {("insect", "related", "bee"), ("drone", "is-a", "bee")}
    assert "animal" not in {one.labels[0].text for one in found.concepts}, "nobody spoke of it"


def test_the_topic_may_be_in_the_corpus_alone() -> None:
    file = own(("drone", IS_A, "honey bee"), ("skep", IS_A, "hive"), topic="honey bee")
    found = joined(built(("drone", RELATED, "beekeeping"), topic="beekeeping"), file, topic="beekeeping")
    assert found.topic == "beekeeping"
    assert edges_of(found) == {("honey bee", "related", "beekeeping"), ("drone", "is-a", "honey bee")}


def test_of_a_large_file_only_what_the_corpus_has_and_what_lies_between_is_taken() -> None:
    file = own(
        ("rain", IS_A, "precipitation"),
        ("precipitation", IS_A, "process"),
        ("process", IS_A, "thing"),
        ("rock", IS_A, "thing"),
    )
    ontology = built(("rain", RELATED, "storm"), ("process", RELATED, "storm"), topic="storm")
    found = joined(ontology, file, topic="storm")
    assert {one.labels[0].text for one in found.concepts} == {"storm", "rain", "process", "precipitation"}
    assert edges_of(found) >= {("rain", "is-a", "precipitation"), ("precipitation", "is-a", "process")}


def test_homonyms_below_the_topic_come_first() -> None:
    stone, colour = concept("amber", name="Stone"), concept("amber", name="Colour")
    for other in (stone, colour):
        edges = (Edge(other.name, "Bee", IS_A),)
        file = Own(Ontology("", (concept("bee", name="Bee"), stone, colour), edges), "own.ttl")
        found = joined(built(("amber", RELATED, "bee")), file, topic="bee")
        assert {one.name for one in found.concepts} == {"Bee", other.name}


def test_two_built_concepts_of_one_own_are_one_also_if_it_is_the_topic() -> None:
    file = own(concepts=(concept("bee", "honey bee", "imme"), concept("drone", "male bee")))
    edges = (("honey bee", RELATED, "bee"), ("drone", IS_A, "honey bee"), ("male bees", IS_A, "drone"))
    found = joined(built(*edges), file, topic="bee")
    assert [one.labels[0].text for one in found.concepts] == ["bee", "drone"]
    assert edges_of(found) == {("drone", "is-a", "bee")}


def test_a_concept_with_the_very_label_comes_before_one_with_its_stem() -> None:
    file = own(("pollinator", IS_A, "animal"), ("pollination", IS_A, "process"))
    ontology = built(("pollination", RELATED, "bee"), ("pollinator", RELATED, "bee"))
    found = joined(ontology, file, topic="bee")
    assert {one.labels[0].text for one in found.concepts} == {"bee", "pollination", "pollinator"}


def test_names_of_different_concepts_stay_apart() -> None:
    file = own(("Drone", IS_A, "bee"), concepts=(concept("aircraft", name="hive"), concept("bee", name="b")))
    found = joined(built(("hive", RELATED, "bee")), file, topic="bee")
    assert len({one.name for one in found.concepts}) == len(found.concepts) == 3
    assert "aircraft" not in {one.labels[0].text for one in found.concepts}


def test_it_says_what_was_joined(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "fcwseo_ontology.joining")
    joined(built(("hive", RELATED, "bee")), own(("drone", IS_A, "bee"), ("rock", IS_A, "thing")), topic="bee")
    assert caplog.messages == [
        "joined own.ttl: 1 of its concepts are in the corpus, too, 1 are only in it, 2 were left out"
    ]


words = st.sampled_from(["bee", "a", "b", "c", "d", "e"])
triples = st.lists(st.tuples(words, st.sampled_from(Relation), words), max_size=9)


def acyclic(edges: list[tuple[str, Relation, str]], topic: str) -> list[tuple[str, Relation, str]]:
    """The edges that leave the topic on top and close no cycle, one for each pair."""
    kept: list[tuple[str, Relation, str]] = []
    for one in edges:
        pairs = [{child, parent} for child, _, parent in kept]
        typed = [Edge(child, parent, relation) for child, relation, parent in (*kept, one)]
        if one[0] not in (one[2], topic) and {one[0], one[2]} not in pairs and not first_cycle(typed):
            kept.append(one)
    return kept


@settings(max_examples=200)
@given(triples, triples, st.booleans())
def test_everything_hangs_nothing_is_circular_and_no_edge_of_the_user_is_lost(
    ours: list[tuple[str, Relation, str]], his: list[tuple[str, Relation, str]], named: bool
) -> None:
    file = own(
        *acyclic(his, "bee" if named else "e"), concepts=(concept("bee", name="Topic"),) if named else ()
    )
    ontology = built(*acyclic(ours, "bee"))
    found = joined(ontology, file, topic="bee")
    assert first_cycle(found.edges) == []
    assert len({(edge.child, edge.parent, edge.relation) for edge in found.edges}) == len(found.edges)
    assert all(edge.child not in (edge.parent, found.topic) for edge in found.edges)
    assert set(below(found.edges, found.topic)) == {one.name for one in found.concepts}
    labels = [label.text for one in found.concepts for label in one.labels]
    assert sorted(labels) == sorted(set(labels))
    assert {one.labels[0].text for one in ontology.concepts} <= set(labels)
    stated = {(child, relation, parent) for child, relation, parent in acyclic(his, "bee" if named else "e")}
    kept = {edge for edge in stated if {edge[0], edge[2]} <= set(labels) and edge[0] != "bee"}
    assert {(child, relation.value, parent) for child, relation, parent in kept} <= edges_of(found)


# Through the pipeline.

FLOODS = (
    "Flash floods are caused by heavy rainfall. Flash flood risk grows in the valley.",
    "Heavy rainfall triggers flash floods and landslides. Flood risk assessment for the valley.",
    "Natural hazards such as floods and landslides. The risk of flash floods.",
    "Flood risk assessment in cities: urban floods, rainfall and the risk of flash floods.",
)
TURTLE = """
@prefix : <http://o.test/#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:torrent a skos:Concept ; skos:prefLabel "torrential flood"@en ; skos:altLabel "flash flood"@en .
:debris a skos:Concept ; skos:prefLabel "debris flow"@en ; skos:broader :torrent .
:slide a skos:Concept ; skos:prefLabel "landslide"@en ; skos:broader :debris .
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "floods.ttl").write_text(TURTLE, encoding="utf-8")
    return tmp_path / "floods.ttl"


@pytest.mark.parametrize("topic", ["flash flood", "torrential flood"])
def test_a_topic_of_either_is_built_and_joined(file: Path, topic: str) -> None:
    found = build_ontology(corpus(*FLOODS), topic=topic, own=load_own(str(file)))
    assert found.topic == "torrent"
    assert {("debris flow", "is-a", "torrential flood"), ("landslide", "is-a", "debris flow")} <= edges_of(
        found
    )
    (slide,) = [one for one in found.concepts if one.name == "slide"]
    assert slide.source == "http://o.test/#slide; corpus"
    assert slide.frequency == 2
    assert "heavy rainfall" in {one.labels[0].text.lower() for one in found.concepts}
    with pytest.raises(InvalidInput, match="'glacier'"):
        build_ontology(corpus(*FLOODS), topic="glacier", own=load_own(str(file)))


def test_an_expert_decides_on_the_concepts_of_both(file: Path) -> None:
    decisions = [
        Decision("debris flow", "torrential flood", IS_A, False),
        Decision("valley", "debris flow", PART_OF, True),
        Decision("mudflow", "debris flow", Relation.SYNONYM, True),
    ]
    found = build_ontology(
        corpus(*FLOODS),
        topic="flash flood",
        own=load_own(str(file)),
        relations=decisions,
        keep={"landslides": False},
    )
    edges = edges_of(found)
    assert ("debris flow", "is-a", "torrential flood") not in edges
    assert {("valley", "part-of", "debris flow"), ("debris flow", "related", "torrential flood")} <= edges
    assert "landslide" not in {one.labels[0].text for one in found.concepts}
    (debris,) = [one for one in found.concepts if one.name == "debris"]
    assert debris.synonyms == (Label("mudflow"),)


def test_the_file_may_be_a_shipped_name_a_part_or_have_many_tops(file: Path, tmp_path: Path) -> None:
    assert load_own("rainstorm").ontology.topic == "rainstorm_disaster"
    assert load_own("rainstorm#flood").ontology.topic == "flood"
    assert load_own(f"{file}#debris flow").ontology.topic == "debris"
    assert load_own(str(file)).ontology.topic == "torrent"
    file.write_text(TURTLE.replace("skos:broader :torrent", 'skos:hiddenLabel "x"'), encoding="utf-8")
    assert load_own(str(file)).ontology.topic == ""
    with pytest.raises(InvalidTopic, match="did you mean 'rainstorm'"):
        load_own("rainstrom")


@pytest.mark.parametrize("suffix", ["owl", "ttl", "nt", "jsonld"])
def test_a_joined_ontology_is_written_with_context_keyness_and_counts(
    file: Path, tmp_path: Path, suffix: str
) -> None:
    found = build_ontology(corpus(*FLOODS), topic="flash flood", own=load_own(str(file)))
    write_owl(found, tmp_path / f"joined.{suffix}")
    again = load_own(str(tmp_path / f"joined.{suffix}")).ontology
    assert again.topic == "torrent"
    assert again.documents == found.documents
    assert len(found.documents) == len(FLOODS)
    concepts = {one.name: one for one in again.concepts}
    assert {one.name: (one.intent, one.keyness) for one in found.concepts} == {
        name: (one.intent, one.keyness) for name, one in concepts.items()
    }
    assert {"debris", "slide", "torrent"} <= {*concepts["slide"].intent}, "by the edges of the file"
    assert concepts["slide"].keyness > 0, "the corpus has it"
    assert concepts["debris"].keyness == 0, "the corpus does not"


def test_of_a_built_ontology_with_a_context_only_what_is_joined_is_named(tmp_path: Path) -> None:
    first = build_ontology(corpus(*FLOODS), topic="flash flood")
    ours = built(("flood", RELATED, "flash flood"), topic="flash flood")
    found = joined(ours, Own(first, "first.owl"), topic="flood")
    names = {one.name for one in found.concepts}
    assert all(one.name in one.intent and names.issuperset(one.intent) for one in found.concepts)
    write_owl(found, tmp_path / "both.ttl")
