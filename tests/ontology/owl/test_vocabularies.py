"""Files that others wrote, in the vocabularies of thesauri, are topics as they are."""

from pathlib import Path

import pytest
from helpers.sources import TREE

from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.load import load_ontology, load_topic
from fcwseo_ontology.model import Edge, Label, Relation
from fcwseo_ontology.owl.ontologies import check, read_owl, write_owl

PREFIXES = """
@prefix : <http://o.test/#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix iso: <http://purl.org/iso25964/skos-thes#> .
"""
BEES = """
:scheme a skos:ConceptScheme ; skos:prefLabel "Bees, a thesaurus"@en ; skos:hasTopConcept :bee .
:bee a skos:Concept ; skos:prefLabel "Biene"@de , "bee"@en , "蜜蜂"@zh ; skos:topConceptOf :scheme .
:worker a skos:Concept ; skos:prefLabel "worker bee"@en , "Arbeiterin"@de ; skos:altLabel "worker"@en ;
  skos:broader :bee .
:drone skos:prefLabel "drone"@en ; skos:broader :bee ; skos:related :worker .
:wing a skos:Concept ; skos:prefLabel "wing"@en ; iso:broaderPartitive :bee .
:honey a skos:Concept ; skos:prefLabel "honey"@en .
"""
SHARED = TREE.parent / "shared" / "ontologies"


def thesaurus(folder: Path, text: str) -> Path:
    path = folder / "bees.ttl"
    path.write_text(PREFIXES + text, encoding="utf-8")
    return path


def test_the_only_top_concept_of_a_thesaurus_is_the_topic(tmp_path: Path) -> None:
    found = read_owl(thesaurus(tmp_path, BEES))
    assert found.topic == "bee"
    assert found.edges == (
        Edge("drone", "bee", Relation.IS_A),
        Edge("drone", "worker", Relation.RELATED),
        Edge("wing", "bee", Relation.PART_OF),
        Edge("worker", "bee", Relation.IS_A),
    )
    concepts = {concept.name: concept for concept in found.concepts}
    assert concepts["bee"].labels == (Label("bee"), Label("Biene", "de"), Label("蜜蜂", "zh"))
    assert concepts["worker"].synonyms == (Label("worker"),)
    assert "scheme" not in concepts


def test_a_thesaurus_weighs_words_of_all_its_languages(tmp_path: Path) -> None:
    words = {word.word: word for word in load_topic(str(thesaurus(tmp_path, BEES))).words}
    assert words["bee"].weight == 1
    assert {"bee", "Biene", "蜜蜂"} <= set(words["bee"].labels)
    assert 0 < words["drone"].weight < 1


def test_a_thesaurus_comes_back_from_our_own_file(tmp_path: Path) -> None:
    found = read_owl(thesaurus(tmp_path, BEES))
    write_owl(found, tmp_path / "ours.nt")
    assert read_owl(tmp_path / "ours.nt") == found


def test_labels_that_are_nodes_are_read(tmp_path: Path) -> None:
    text = """
    :bee a skos:Concept ; xl:prefLabel :l1 ; xl:altLabel [ xl:literalForm "honey bee"@en ] .
    :l1 a xl:Label ; xl:literalForm "bee"@en .
    """
    path = thesaurus(tmp_path, text)
    (concept,) = read_owl(path).concepts
    assert (concept.labels, concept.synonyms) == ((Label("bee"),), (Label("honey bee"),))
    assert check(path) == []


def test_kinds_of_narrower_are_told_apart(tmp_path: Path) -> None:
    text = """
    :bee a skos:Concept ; skos:prefLabel "bee" ; iso:narrowerGeneric :drone ; iso:narrowerPartitive :wing .
    :drone a skos:Concept ; skos:prefLabel "drone" . :wing a skos:Concept ; skos:prefLabel "wing" .
    """
    assert read_owl(thesaurus(tmp_path, text)).edges == (
        Edge("drone", "bee", Relation.IS_A),
        Edge("wing", "bee", Relation.PART_OF),
    )


def test_a_broader_concept_that_is_elsewhere_is_no_concept(tmp_path: Path) -> None:
    path = thesaurus(tmp_path, BEES + ":bee skos:broader <http://elsewhere.test/insect> .")
    assert "insect" not in {concept.name for concept in read_owl(path).concepts}
    assert ("dangling parent", "bee") in {(one.kind, one.concept) for one in check(path)}


def test_of_several_top_concepts_one_is_to_be_chosen(tmp_path: Path) -> None:
    path = thesaurus(tmp_path, BEES + ":honey skos:topConceptOf :scheme .")
    with pytest.raises(InvalidTopic, match=r"2 concepts without a parent: .*'bee', 'honey'"):
        read_owl(path)
    assert load_ontology(f"{path}#worker").topic == "worker"
    assert load_ontology(f"{path}#Biene").topic == "bee"


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="the ontologies of others are not beside the project")
@pytest.mark.parametrize(
    ("file", "label", "word"),
    [
        ("beaware.owl", "Vulnerable Object", "animal"),
        ("envo-environmental_hazards.owl", "environmental material", "soil"),
        ("envo-process-hierarchy.owl", "", "hydrological process"),
        ("sweet_all.nt.gz", "precipitation", "hail"),
    ],
)
def test_ontologies_of_others_are_topics(file: str, label: str, word: str, tmp_path: Path) -> None:
    name = f"{SHARED / file}#{label}" if label else str(SHARED / file)
    topic = load_topic(name)
    assert topic.words[0].weight == 1
    texts = {text.lower(): one.weight for one in topic.words for text in (one.word, *one.labels)}
    assert 0 < texts[word] < 1
    assert topic.ontology is not None
    write_owl(topic.ontology, tmp_path / "own.ttl")
    assert load_topic(str(tmp_path / "own.ttl")) == topic
