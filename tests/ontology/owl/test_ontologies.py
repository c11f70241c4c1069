"""OWL written and read back, foreign ontologies read, broken ones refused, and never a connection opened."""

import base64
import gzip
import json
import logging
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import owlready2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import OWL, RDF, BNode, Graph
from rdflib.compare import isomorphic

from fcwseo_ontology.errors import InvalidInput, InvalidOntology, InvalidTopic
from fcwseo_ontology.model import Concept, DocumentCounts, Edge, Label, Ontology, Relation
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.owl.classes import VOCABULARY
from fcwseo_ontology.owl.documents import packed, unpacked
from fcwseo_ontology.owl.ontologies import Severity, check, read_owl, write_owl
from fcwseo_ontology.relations.hierarchy import first_cycle, levels

PREFIXES = """
@prefix : <http://o.test/#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix oio: <http://www.geneontology.org/formats/oboInOwl#> .
"""

RAINSTORM = Ontology(
    "rainstorm",
    (
        Concept("rainstorm", (Label("rainstorm"), Label("暴雨", "zh")), (Label("downpour"),), "ours", 12),
        Concept("flash_flood", (Label("flash flood"),), keyness=4.75),
        Concept(
            "flood", (Label("洪水", "zh"), Label("flood")), (Label('a "b" <c> & \\d'), Label("洪涝", "zh"))
        ),
        Concept("intensity", (Label("intensity", ""),), (Label("strength", ""),)),
        Concept("season", (Label("season"),)),
        Concept("torrent", (Label("torrent"),)),
        Concept("water", (Label("water"),)),
    ),
    (
        Edge("flash_flood", "flood", Relation.IS_A, "head noun: flood", 0.95),
        Edge("flash_flood", "rainstorm", Relation.INDUCE, "caused by\nheavy rain", 1e-7),
        Edge("flood", "rainstorm", Relation.INDUCE, "'triggers' in 3 documents", 0.1 + 0.2),
        Edge("intensity", "rainstorm", Relation.ATTRIBUTE_OF, "measure", 0.0),
        Edge("season", "rainstorm", Relation.RELATED, "occur together", 0.4),
        Edge("torrent", "rainstorm", Relation.SYNONYM, "", 1.0),
        Edge("water", "flood", Relation.PART_OF, "meronym", 1 / 3),
    ),
    (
        DocumentCounts("On <floods> & rain", "en", {"flash": 3, "flash floods": 2, "floods": 12}),
        DocumentCounts("洪水.txt", "zh", {"洪水": 1}),
    ),
)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in this file may open a connection."""

    def refuse(*_args: object, **_options: object) -> NoReturn:
        pytest.fail("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def turtle(folder: Path, text: str) -> Path:
    path = folder / "o.ttl"
    path.write_text(PREFIXES + text, encoding="utf-8")
    return path


def sorted_parts(ontology: Ontology) -> Ontology:
    """What comes back: concepts, edges, synonyms and the labels after the first, sorted."""
    concepts = (
        replace(
            concept,
            labels=(
                concept.labels[0],
                *sorted(concept.labels[1:], key=lambda one: (one.language != "en", one.language)),
            ),
            synonyms=tuple(sorted(set(concept.synonyms), key=lambda one: (one.language, one.text))),
        )
        for concept in ontology.concepts
    )
    edges = sorted(ontology.edges, key=lambda edge: (edge.child, edge.parent, edge.relation))
    ordered = tuple(sorted(concepts, key=lambda one: one.name))
    return Ontology(ontology.topic, ordered, tuple(edges), ontology.documents)


SUFFIXES = (".owl", ".rdf", ".xml", ".ttl", ".nt", ".jsonld")


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".TTL"])
def test_a_round_trip_loses_nothing(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rainstorm{suffix}"
    write_owl(RAINSTORM, path)
    assert read_owl(path) == sorted_parts(RAINSTORM)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")  # rdflib's own use of it
def test_the_suffix_is_the_syntax(tmp_path: Path) -> None:
    """Each file is what rdflib takes it for, and all say the same but for copies of a restriction."""
    syntaxes = dict(zip(SUFFIXES, ("xml", "xml", "xml", "turtle", "nt", "json-ld"), strict=True))
    graphs = {}
    for suffix, syntax in syntaxes.items():
        path = tmp_path / f"o{suffix}"
        write_owl(RAINSTORM, path)
        graphs[suffix] = Graph().parse(path, format=syntax)
    assert all(isomorphic(graphs[".nt"], graphs[suffix]) for suffix in (".ttl", ".jsonld"))
    assert all(isomorphic(graphs[".owl"], graphs[suffix]) for suffix in (".rdf", ".xml"))
    named = [
        {triple for triple in graph if not any(isinstance(node, BNode) for node in triple)}
        for graph in graphs.values()
    ]
    assert all(one == named[0] for one in named)


def test_a_restriction_and_its_evidence_are_one_node(tmp_path: Path) -> None:
    write_owl(RAINSTORM, tmp_path / "o.nt")
    graph = Graph().parse(tmp_path / "o.nt")
    restrictions = set(graph.subjects(RDF.type, OWL.Restriction))
    assert len(restrictions) == 4, "part-of, attribute-of and twice induce"
    assert restrictions <= set(graph.objects(None, OWL.annotatedTarget))


@pytest.mark.parametrize("name", ["o.obo", "o", "o.owl.gz", "o.json", "o.n3"])
def test_a_suffix_of_no_syntax_is_refused_with_the_list(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"\.owl \.rdf \.xml \(RDF/XML\), \.ttl .* \.nt .* \.jsonld"):
        write_owl(RAINSTORM, tmp_path / name)
    assert os.listdir(tmp_path) == []


texts = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), min_size=1, max_size=8
).filter(lambda text: bool(text.strip()) and "\ufffe" not in text and "\uffff" not in text)
languages = st.sampled_from(["en", "zh", "fr", "", "zh-Hans"])
labels = st.builds(Label, texts, languages)
word_counts = st.dictionaries(texts, st.integers(1, 99), max_size=4)


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    """Up to seven concepts with any labels, each hanging on earlier ones by any relations."""
    names = [f"C{i}" for i in range(draw(st.integers(1, 7)))]
    concepts = tuple(
        Concept(
            name,
            tuple(draw(st.lists(labels, min_size=1, max_size=3, unique_by=lambda one: one.language))),
            tuple(draw(st.lists(labels, max_size=2))),
            draw(st.sampled_from(["", "paper 001", "a & b"])),
            draw(st.integers(0, 9)),
            intent=tuple(sorted(draw(st.sets(st.sampled_from(names), max_size=3)))),
            keyness=draw(st.sampled_from([0.0, 0.05, 7.1234])),
        )
        for name in names
    )
    keys: dict[tuple[str, str, Relation], Edge] = {}
    for i, name in enumerate(names):
        for parent in draw(st.lists(st.sampled_from(names[:i]), max_size=3)) if i else ():
            relation = draw(st.sampled_from(Relation))
            keys[name, parent, relation] = Edge(name, parent, relation, draw(texts), draw(st.floats(0, 1)))
    documents = tuple(draw(st.lists(st.builds(DocumentCounts, texts, languages, word_counts), max_size=2)))
    return Ontology("C0", draw(st.permutations(concepts).map(tuple)), tuple(keys.values()), documents)


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(ontologies(), st.sampled_from(SUFFIXES))
def test_any_ontology_comes_back(
    tmp_path_factory: pytest.TempPathFactory, ontology: Ontology, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("owl") / f"o{suffix}"
    write_owl(ontology, path)
    again = read_owl(path)
    assert again == sorted_parts(ontology)
    first = path.read_bytes()
    write_owl(again, path)
    assert path.read_bytes() == first


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".owl", ".ttl", ".nt", ".jsonld"])
def test_the_same_input_gives_the_same_bytes_in_every_process(tmp_path: Path, suffix: str) -> None:
    program = (
        "import sys; from pathlib import Path;"
        "from fcwseo_ontology.owl.ontologies import read_owl, write_owl;"
        "write_owl(read_owl(Path(sys.argv[1])), Path(sys.argv[2]))"
    )
    source = tmp_path / f"source{suffix}"
    write_owl(RAINSTORM, source)
    for seed in ("1", "2"):
        target = tmp_path / f"{seed}{suffix}"
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", program, str(source), str(target)], env=environment, check=True)
        assert target.read_bytes() == source.read_bytes()


def test_owlready2_opens_it(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    write_owl(RAINSTORM, path)
    world = owlready2.World()
    try:
        loaded = world.get_ontology(path.as_uri()).load()
        classes = {one.name: one for one in loaded.classes()}
        assert set(classes) == {concept.name for concept in RAINSTORM.concepts}
        assert classes["flood"] in classes["flash_flood"].is_a
        assert classes["rainstorm"].label.en == ["rainstorm"]
        assert classes["torrent"].equivalent_to == [classes["rainstorm"]]
        restrictions = [
            one for one in classes["rainstorm"].is_a if not isinstance(one, type(owlready2.Thing))
        ]
        assert {one.property.name for one in restrictions} == {"induces", "has_attribute"}
    finally:
        world.close()


def test_the_documents_stand_at_the_head_of_the_file(tmp_path: Path) -> None:
    """One text, which any reader of RDF passes on and ten lines of Python read."""
    path = tmp_path / "o.owl"
    write_owl(RAINSTORM, path)
    graph = Graph().parse(path, format="xml")
    (head,) = graph.subjects(RDF.type, OWL.Ontology)
    (text,) = graph.objects(head, VOCABULARY.documents)
    assert json.loads(gzip.decompress(base64.b64decode(str(text)))) == [
        {"name": one.name, "language": one.language, "counts": one.counts} for one in RAINSTORM.documents
    ]
    graph.serialize(tmp_path / "o.ttl", format="turtle")
    assert read_owl(tmp_path / "o.ttl") == sorted_parts(RAINSTORM)


def test_an_ontology_without_documents_says_nothing_of_them(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    write_owl(replace(RAINSTORM, documents=()), path)
    assert "fcwseo:documents" not in path.read_text(encoding="utf-8")
    assert read_owl(path).documents == ()


@pytest.mark.parametrize(
    "text",
    ["", "no base64!", "AAAA", packed(RAINSTORM.documents)[:40], packed(RAINSTORM.documents)[:-8]]
    + [base64.b64encode(gzip.compress(raw, mtime=0)).decode() for raw in (b"[", b"[1]", b'[{"name": "a"}]')],
)
def test_damaged_documents_are_one_clear_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "o.owl"
    write_owl(RAINSTORM, path)
    whole = path.read_text(encoding="utf-8")
    assert packed(RAINSTORM.documents) in whole
    path.write_text(whole.replace(packed(RAINSTORM.documents), text), encoding="utf-8")
    if not text:
        assert read_owl(path).documents == () and check(path) == []
        return
    with pytest.raises(InvalidOntology) as caught:
        read_owl(path)
    assert [(found.kind, found.severity) for found in check(path)] == [("documents", Severity.ERROR)]
    assert str(caught.value).startswith(f"{path}: the word counts of its documents are damaged: ")
    assert str(caught.value).endswith("; remove fcwseo:documents from the file")
    assert "\n" not in str(caught.value)


def test_documents_that_unpack_to_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcwseo_ontology.owl.documents.MOST_BYTES", 50)
    with pytest.raises(InvalidOntology, match="exceed"):
        unpacked(packed(RAINSTORM.documents))


def test_only_the_topic_of_the_whole_has_the_documents(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    write_owl(RAINSTORM, path)
    assert read_owl(path, topic="rainstorm").documents == RAINSTORM.documents
    assert read_owl(path, topic="flood").documents == ()
    assert topic_of(RAINSTORM).documents == RAINSTORM.documents
    assert topic_of(RAINSTORM, label="flood").documents == ()


@pytest.mark.parametrize("said", ["much", "-1", "nan", "inf"])
def test_a_keyness_that_is_no_number_is_unknown(tmp_path: Path, said: str) -> None:
    path = tmp_path / "o.owl"
    write_owl(RAINSTORM, path)
    path.write_text(path.read_text(encoding="utf-8").replace(">4.75<", f">{said}<"), encoding="utf-8")
    assert {concept.keyness for concept in read_owl(path).concepts} == {0.0}


def test_related_is_no_subclass(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    write_owl(RAINSTORM, path)
    triples = Graph().parse(path)
    season = next(s for s in triples.subjects(RDF.type, OWL.Class) if str(s).endswith("#season"))
    predicates = {str(predicate).split("#")[-1] for predicate in triples.predicates(season)}
    assert predicates == {"type", "label", "related"}


def test_the_topic_of_a_file_is_the_topic_of_the_ontology(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    write_owl(RAINSTORM, path)
    assert topic_of(read_owl(path)) == topic_of(RAINSTORM)


def test_what_xml_cannot_hold_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    write_owl(Ontology("A", (Concept("A", (Label("a\x00b\ud800"),)),), ()), path)
    assert read_owl(path).concepts[0].labels[0].text == "a\ufffdb\ufffd"


A, B = Concept("A", (Label("a"),)), Concept("B", (Label("b"),))


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (Ontology("A", (A, A), ()), "same name"),
        (Ontology("C", (A, B), ()), "topic 'C'"),
        (Ontology("A", (A,), (Edge("B", "A", Relation.IS_A),)), "does not join"),
        (Ontology("A", (A,), (Edge("A", "A", Relation.RELATED),)), "does not join"),
        (Ontology("A", (A, B), (Edge("B", "A", Relation.IS_A, "", 2.0),)), "confidence"),
        (Ontology("A", (A, B), (Edge("B", "A", Relation.IS_A, "", float("nan")),)), "confidence"),
        (Ontology("A", (A, B), (Edge("B", "A", Relation.IS_A), Edge("A", "B", Relation.IS_A))), "cycle"),
        (Ontology("A", (A, B), (Edge("B", "A", Relation.IS_A), Edge("B", "A", Relation.IS_A, "x"))), "twice"),
        (Ontology("洪水", (Concept("洪水", (Label("x"),)),), ()), "not plain ASCII"),
        (Ontology("A", (Concept("A", ()),), ()), "needs at least one label"),
        (Ontology("A", (Concept("A", (Label("a"), Label("b"))),), ()), "one per language"),
        (Ontology("A", (Concept("A", (Label("a", "not a tag"),)),), ()), "without text or language"),
        (Ontology("A", (Concept("A", (Label(" "),)),), ()), "without text"),
        (Ontology("A", (Concept("A", (Label("a"),), intent=("B",)),), ()), "intent of A"),
    ],
)
def test_a_broken_ontology_is_not_written(tmp_path: Path, broken: Ontology, why: str) -> None:
    path = tmp_path / "o.owl"
    path.write_text("what was there")
    with pytest.raises(InvalidOntology, match=why):
        write_owl(broken, path)
    assert path.read_text() == "what was there"
    assert os.listdir(tmp_path) == ["o.owl"]


def test_a_place_that_cannot_be_written_is_said_and_left_clean(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot write"):
        write_owl(RAINSTORM, tmp_path / "no" / "o.owl")
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(InvalidInput, match="cannot write"):
        write_owl(RAINSTORM, folder)
    assert os.listdir(tmp_path) == ["folder"]


FLOOD = (
    PREFIXES
    + """
:Flood a owl:Class ; rdfs:label "flood"@en .
:Flash a owl:Class ; rdfs:label "flash flood"@en ; rdfs:subClassOf :Flood .
"""
)
OWL_XML = """<?xml version="1.0"?>
<Ontology xmlns="http://www.w3.org/2002/07/owl#" xml:base="http://o.test/" ontologyIRI="http://o.test/">
  <Import>http://elsewhere.test/o.owl</Import>
  <Declaration><Class IRI="#Flood"/></Declaration>
  <Declaration><Class IRI="#Flash"/></Declaration>
  <SubClassOf><Class IRI="#Flash"/><Class IRI="#Flood"/></SubClassOf>
  <AnnotationAssertion>
    <AnnotationProperty IRI="http://www.w3.org/2000/01/rdf-schema#label"/>
    <IRI>#Flood</IRI><Literal xml:lang="en">flood</Literal>
  </AnnotationAssertion>
  <AnnotationAssertion>
    <AnnotationProperty IRI="http://www.w3.org/2000/01/rdf-schema#label"/>
    <IRI>#Flash</IRI><Literal xml:lang="en">flash flood</Literal>
  </AnnotationAssertion>
</Ontology>
"""


def flood_files(folder: Path) -> Iterator[Path]:
    graph = Graph().parse(data=FLOOD, format="turtle")
    kinds = {"o.ttl": "turtle", "o.nt": "nt", "o.rdf": "xml", "o.owl": "pretty-xml", "o.jsonld": "json-ld"}
    for name, kind in {**kinds, "turtle.owl": "turtle", "o.n3": "n3", "json.owl": "json-ld"}.items():
        path = folder / name
        path.write_text(graph.serialize(format=kind), encoding="utf-8")
        yield path
    (folder / "o.nt.gz").write_bytes(gzip.compress(graph.serialize(format="nt").encode()))
    yield folder / "o.nt.gz"
    text = graph.serialize(format="xml").replace('encoding="utf-8"', 'encoding="utf-16"')
    (folder / "wide.owl").write_bytes(text.encode("utf-16"))
    yield folder / "wide.owl"
    (folder / "xml.owl").write_text(OWL_XML)
    yield folder / "xml.owl"
    (folder / "bom.ttl").write_bytes(b"\xef\xbb\xbf" + FLOOD.encode())
    yield folder / "bom.ttl"


def test_every_syntax_says_the_same(tmp_path: Path) -> None:
    for path in flood_files(tmp_path):
        found = read_owl(path)
        assert found.topic == "Flood", path
        assert [(one.name, one.labels) for one in found.concepts] == [
            ("Flash", (Label("flash flood"),)),
            ("Flood", (Label("flood"),)),
        ], path
        assert found.edges == (Edge("Flash", "Flood", Relation.IS_A),), path


def test_labels_and_synonyms_of_three_vocabularies(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        obo:X_1 a owl:Class ; rdfs:label "flood"@en , "flood water"@en , "Flut"@de ;
          skos:prefLabel "洪水"@zh ;
          skos:altLabel "deluge"@en ; skos:hiddenLabel "flod" ; oio:hasExactSynonym "inundation" ;
          oio:hasRelatedSynonym "spate" ; oio:hasNarrowSynonym "flash  flood" ; oio:hasBroadSynonym "water" .
        """,
    )
    (concept,) = read_owl(path).concepts
    assert concept.name == "X_1"
    assert concept.labels == (Label("flood"), Label("Flut", "de"), Label("洪水", "zh"))
    assert [label.text for label in concept.synonyms] == [
        "flash flood", "flod", "inundation", "spate", "water", "deluge", "flood water",
    ]  # fmt: skip
    assert concept.source == "http://purl.obolibrary.org/obo/X_1"


def test_obsolete_classes_are_left_out(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        :A a owl:Class ; rdfs:label "a" .
        :B a owl:Class ; rdfs:label "b" ; owl:deprecated true ; rdfs:subClassOf :A .
        :C a owl:Class ; rdfs:label "obsolete c" ; rdfs:subClassOf :A .
        :D a owl:Class ; rdfs:label "d" ; rdfs:subClassOf :A , :B , owl:Thing .
        """,
    )
    found = read_owl(path)
    assert [one.name for one in found.concepts] == ["A", "D"]
    assert found.edges == (Edge("D", "A", Relation.IS_A),)
    assert check(path) == []


def test_restrictions_become_typed_edges(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        :partOf a owl:ObjectProperty . obo:RO_0000057 a owl:ObjectProperty ; rdfs:label "has participant" .
        :Rain a owl:Class ; rdfs:label "rain" ;
          rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :causes ; owl:someValuesFrom :Flood ] ,
            [ a owl:Restriction ; owl:onProperty :has_quality ; owl:allValuesFrom :Depth ] .
        :Flood a owl:Class ; rdfs:label "flood" .
        :Depth a owl:Class ; rdfs:label "depth" .
        :Drop a owl:Class ; rdfs:label "drop" ;
          rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :partOf ; owl:someValuesFrom :Rain ] .
        :Shower a owl:Class ; rdfs:label "shower" ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf (
            :Rain [ a owl:Restriction ; owl:onProperty obo:RO_0000057 ; owl:someValuesFrom :Drop ] ) ] .
        """,
    )
    assert read_owl(path).edges == (
        Edge("Depth", "Rain", Relation.ATTRIBUTE_OF, "has quality"),
        Edge("Drop", "Rain", Relation.PART_OF, "part of"),
        Edge("Flood", "Rain", Relation.INDUCE, "causes"),
        Edge("Shower", "Drop", Relation.RELATED, "has participant"),
        Edge("Shower", "Rain", Relation.IS_A),
    )


def test_equivalent_classes_are_one_concept(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        :Rain a owl:Class ; rdfs:label "rain" .
        :Flood a owl:Class ; rdfs:label "flood" ; rdfs:subClassOf :Rain ; owl:equivalentClass :Deluge .
        :Deluge a owl:Class ; rdfs:label "deluge" ; owl:equivalentClass :Flood .
        :Flash a owl:Class ; rdfs:label "flash flood" ; rdfs:subClassOf :Deluge .
        """,
    )
    found = read_owl(path, topic="flood")
    assert found.topic == "Deluge"
    assert found.concepts[0].labels + found.concepts[0].synonyms == (Label("deluge", ""), Label("flood", ""))
    assert found.edges == (Edge("Flash", "Deluge", Relation.IS_A),)


def test_a_thesaurus_is_an_ontology_too(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        :a a skos:Concept ; skos:prefLabel "water"@en ; skos:narrower :c .
        :b a skos:Concept ; skos:prefLabel "rain"@en ; skos:broader :a ; skos:related :c .
        :c a skos:Concept ; skos:prefLabel "ice"@en .
        """,
    )
    assert read_owl(path).edges == (
        Edge("b", "a", Relation.IS_A),
        Edge("b", "c", Relation.RELATED),
        Edge("c", "a", Relation.IS_A),
    )


def test_classes_of_one_local_name_stay_apart(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        <http://o.test/a/Rain> a owl:Class ; rdfs:label "rain" .
        <http://o.test/b/Rain> rdfs:label "rain of ash" ; rdfs:subClassOf <http://o.test/a/Rain> .
        <http://o.test/b/%E6%B4%AA%E6%B0%B4> a owl:Class ; rdfs:subClassOf <http://o.test/a/Rain> .
        """,
    )
    found = read_owl(path)
    assert [one.labels[0].text for one in found.concepts if one.name in ("Rain", "Rain_2")] == [
        "rain",
        "rain of ash",
    ]
    assert all(one.name.isascii() for one in found.concepts)
    assert "洪水" in [one.labels[0].text for one in found.concepts]


def ring(size: int) -> str:
    return "".join(
        f':C{i} a owl:Class ; rdfs:label "c{i}" ; rdfs:subClassOf :C{(i + 1) % size} .' for i in range(size)
    )


def test_a_cycle_is_broken_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = turtle(tmp_path, ring(7))
    with caplog.at_level(logging.WARNING):
        found = read_owl(path, topic="c3")
    assert first_cycle(found.edges) == []
    assert "of the cycle" in caplog.text
    assert max(levels(found).values()) <= 7
    (finding,) = [one for one in check(path) if one.kind == "cycle"]
    assert finding.severity is Severity.ERROR
    assert finding.text.startswith("a cycle of 7: ")


def test_nonsense_inside_valid_rdf_is_survived(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        @prefix f: <urn:fcwseo:vocabulary#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        @prefix dcterms: <http://purl.org/dc/terms/> .
        <http://o.test/> a owl:Ontology ; dcterms:subject :Nowhere , "flood" .
        :A a owl:Class ; rdfs:label "a" , :A ; f:frequency "many" , 3 ; owl:deprecated "?" ;
          owl:equivalentClass _:x .
        _:x owl:intersectionOf _:l . _:l rdf:first :B ; rdf:rest _:l .
        :B a owl:Class ; rdfs:label "b" ; rdfs:subClassOf :A , "A" , [] , [ owl:onProperty :p ] .
        [] a owl:Axiom ; owl:annotatedSource :B ; owl:annotatedProperty rdfs:subClassOf ;
          owl:annotatedTarget :A ; f:confidence "NaN" .
        """,
    )
    found = read_owl(path)
    assert found.edges == (Edge("B", "A", Relation.IS_A),)
    assert found.concepts[0] == Concept("A", (Label("a", ""),), (), "http://o.test/#A", 3)


def test_a_class_below_itself_is_no_obstacle(tmp_path: Path) -> None:
    assert read_owl(turtle(tmp_path, ring(1))).edges == ()


def test_several_parents_are_kept(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        :A a owl:Class ; rdfs:label "a" . :B a owl:Class ; rdfs:label "b" ; rdfs:subClassOf :A .
        :C a owl:Class ; rdfs:label "c" ; rdfs:subClassOf :A , :B .
        """,
    )
    assert len(read_owl(path).edges) == 3


def test_imports_are_never_fetched(tmp_path: Path) -> None:
    path = turtle(
        tmp_path,
        """
        <http://o.test/> a owl:Ontology ; owl:imports <http://elsewhere.test/x.owl> , <file:///etc/passwd> .
        :A a owl:Class ; rdfs:label "a" .
        """,
    )
    assert read_owl(path).topic == "A"
    (finding,) = check(path)
    assert (finding.severity, finding.kind) == (Severity.WARNING, "import")


def test_a_subtree_keeps_the_intents_that_lie_in_it(tmp_path: Path) -> None:
    names = ("bee", "drone", "hive", "thing")
    intents = {
        "bee": ("bee", "thing"),
        "drone": ("bee", "drone", "thing"),
        "hive": ("hive",),
        "thing": ("thing",),
    }
    concepts = tuple(Concept(name, (Label(name),), intent=intents[name]) for name in names)
    edges = (
        Edge("bee", "hive", Relation.RELATED),
        Edge("drone", "bee", Relation.IS_A),
        Edge("thing", "hive", Relation.RELATED),
    )
    write_owl(Ontology("hive", concepts, edges), tmp_path / "o.owl")
    found = read_owl(tmp_path / "o.owl", topic="bee")
    assert {one.name: one.intent for one in found.concepts} == {"bee": ("bee",), "drone": ("bee", "drone")}


def test_a_subtree_is_chosen_by_any_label(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = turtle(
        tmp_path,
        """
        :A a owl:Class ; rdfs:label "water"@en , "水"@zh . :B a owl:Class ; rdfs:label "rain"@en .
        :C a owl:Class ; rdfs:label "snow"@en ; rdfs:subClassOf :A .
        :D a owl:Class ; rdfs:label "Snow"@en ; rdfs:subClassOf :B .
        :E a owl:Class ; rdfs:label "x" ; rdfs:subClassOf :D .
        """,
    )
    assert [one.name for one in read_owl(path, topic="水").concepts] == ["A", "C"]
    assert read_owl(path, topic="snow").topic == "D"
    assert "D and C" in caplog.text
    with pytest.raises(InvalidTopic, match=r"o.ttl: no concept is labelled 'snwo'; near it: '[Ss]now'"):
        read_owl(path, topic="snwo")
    with pytest.raises(InvalidTopic, match=r"2 concepts without a parent.* 'rain', 'water'") as error:
        read_owl(path)
    assert f"as in {f'{path}#rain'!r}" in str(error.value)


def test_findings(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    write_owl(RAINSTORM, path)
    assert check(path) == []
    graph = Graph().parse(path)
    graph.parse(
        data=PREFIXES
        + """
        :Lost a owl:Class ; rdfs:label "flood"@en . :Mute a owl:Class ; rdfs:subClassOf :Nowhere .
        """,
        format="turtle",
    )
    graph.serialize(path, format="xml")
    found = [(one.severity.value, one.kind, one.concept) for one in check(path)]
    assert found == [
        ("error", "dangling parent", "Mute"),
        ("error", "unlabelled", "Mute"),
        ("error", "unreachable", "Lost"),
        ("error", "unreachable", "Mute"),
        ("warning", "duplicate label", "Lost"),
    ]


def test_several_roots_without_a_topic_are_worth_a_warning(tmp_path: Path) -> None:
    path = turtle(tmp_path, ':A a owl:Class ; rdfs:label "a" . :B a owl:Class ; rdfs:label "b" .')
    assert [(one.severity, one.kind) for one in check(path)] == [(Severity.WARNING, "topic")]


def test_a_file_without_classes(tmp_path: Path) -> None:
    path = turtle(tmp_path, ':A rdfs:label "a" .')
    with pytest.raises(InvalidOntology, match="contains no class"):
        read_owl(path)
    assert [one.kind for one in check(path)] == ["empty"]


RDF_XML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [{entities}]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
  xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
  <owl:Class rdf:about="http://o.test/#A"><rdfs:label>{label}</rdfs:label></owl:Class>
</rdf:RDF>
"""
LAUGHS = "".join(
    f'<!ENTITY l{i} "{"&l" + str(i - 1) + ";" if i else "ha"}{"&l" + str(i - 1) + ";" if i else "ha"}">'
    for i in range(40)
)


def xml(entities: str, label: str) -> bytes:
    return RDF_XML.format(entities=entities, label=label).encode()


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("o.owl", b"", "is empty"),
        ("o.owl", b" \n\n", "is empty"),
        ("o.owl", b"<?xml version='1.0'?><rdf:RDF", "is not valid RDF/XML"),
        ("o.owl", xml("", "a")[:-40], "is not valid RDF/XML"),
        ("o.owl", b"<html><body>not found</body>", "is not valid RDF/XML"),
        ("o.owl", OWL_XML[:200].encode(), "valid OWL/XML"),
        ("o.ttl", b"this is not turtle", "is not valid Turtle"),
        ("o.nt", b"<a> <b> .", "is not valid N-Triples"),
        ("o.ttl", "# crue \xe9clair".encode("latin-1"), "is not UTF-8 at byte 7"),
        ("o.rdf", "<?xml version='1.0'?><a>\xe9</a>".encode("latin-1"), "is not valid RDF/XML"),
        ("o.jsonld", b'{"@context": "http://elsewhere.test/c.jsonld"}', "not fetched"),
        ("o.jsonld", b'[{"a": {"@context": [{}, "c.jsonld"]}}]', "not fetched"),
        ("o.jsonld", b'{"@context": {"@import": "c"}}', "not fetched"),
        ("o.jsonld", b"{", "is not valid JSON-LD"),
        ("o.jsonld", b"[" * 100_000, "is not valid JSON-LD"),
        ("o.ttl", b"<a:a> <b:b> " + b"[ <c:c> " * 5000, "is not valid Turtle"),
        ("o.nt.gz", gzip.compress(b"<a:a> <b:b> <c:c> .", mtime=0)[:-9], "damaged gzip"),
        ("o.nt.gz", b"\x1f\x8bxx", "damaged gzip"),
        ("o.ofn", b"Prefix(:=<http://o.test/>)", "OWL functional syntax"),
        ("o.obo", b"format-version: 1.2", "OBO"),
        ("o.omn", b"Prefix: : <http://o.test/>", "Manchester"),
        ("o.owl", xml(LAUGHS, "&l39;"), "XML entity 'l1'"),
        ("o.owl", xml(f'<!ENTITY a "{"x" * 2000}">', "&a;" * 99), "entity 'a'"),
        ("o.owl", xml('<!ENTITY a SYSTEM "/etc/passwd">', "&a;"), "entity 'a'"),
        ("o.owl", xml('<!ENTITY a SYSTEM "http://x.test">', ""), "entity 'a'"),
    ],
)  # fmt: skip
def test_bad_files_are_refused_in_one_line(tmp_path: Path, name: str, content: bytes, why: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for reader in (read_owl, check):
        with pytest.raises(InvalidOntology, match=why) as caught:
            reader(path)
        assert "\n" not in str(caught.value)
        assert name in str(caught.value)


def test_xml_is_read_in_the_encoding_it_names(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    text = xml("", "crue éclair").decode().replace('"1.0"', '"1.0" encoding="iso-8859-1"', 1)
    path.write_bytes(text.encode("latin-1"))
    assert read_owl(path).concepts[0].labels[0].text == "crue éclair"


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidOntology, match="cannot read"):
        read_owl(tmp_path / "none.owl")
    with pytest.raises(InvalidOntology, match="cannot read"):
        read_owl(tmp_path)


def test_entities_that_abbreviate_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "o.owl"
    path.write_bytes(xml('<!ENTITY w "http://o.test/">', "a &w; b"))
    assert read_owl(path).concepts[0].labels[0].text == "a http://o.test/ b"
