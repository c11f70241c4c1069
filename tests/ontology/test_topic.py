"""A topic as JSON: with its ontology, keyness and documents, and as earlier releases wrote it."""

import json
from dataclasses import replace
from pathlib import Path

import msgspec
from helpers.relations_examples import corpus

from fcwseo_ontology.build import build_ontology
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.owl.ontologies import read_owl, write_owl
from fcwseo_ontology.topic import Topic, encoded, read_words

TEXTS = (
    "Flash floods follow heavy rain.",
    "Heavy rain, a flash flood, and the valley.",
    "Rain in the valley.",
)


def built() -> Topic:
    return topic_of(build_ontology(corpus(*TEXTS), topic="flash flood", terms=5))


def test_a_built_topic_has_its_documents_and_keyness() -> None:
    topic = built()
    assert [one.language for one in topic.documents] == ["en"] * len(TEXTS)
    assert topic.documents[1].counts["flash flood"] == 1
    assert all(word.keyness > 0 for word in topic.words)
    assert topic.ontology is not None
    concepts = {concept.name: concept.keyness for concept in topic.ontology.concepts}
    assert {word.name: word.keyness for word in topic.words} == concepts


def test_a_saved_topic_comes_back_whole(tmp_path: Path) -> None:
    (tmp_path / "topic.json").write_bytes(encoded(built()))
    again = read_words(tmp_path / "topic.json")
    assert again == built()
    assert again.ontology == built().ontology
    assert again.documents == built().documents


def test_a_topic_through_owl_judges_as_the_one_that_was_built(tmp_path: Path) -> None:
    ontology = build_ontology(corpus(*TEXTS), topic="flash flood", terms=5)
    write_owl(ontology, tmp_path / "o.owl")
    again = topic_of(read_owl(tmp_path / "o.owl"))
    assert again == topic_of(ontology)
    assert again.documents == ontology.documents


def test_what_a_topic_does_not_have_is_not_written() -> None:
    """Runs are told apart by these bytes, so a part of a shipped topic keeps those of earlier releases."""
    topic = load_topic("rainstorm", label="flood")
    plain = msgspec.to_builtins(topic)
    for value in (*plain["words"], *plain["ontology"]["concepts"]):
        assert value.pop("keyness") == 0
    for concept in plain["ontology"]["concepts"]:
        assert concept.pop("intent") == ()
    assert plain["ontology"].pop("documents") == ()
    assert encoded(topic) == msgspec.json.encode(plain)


def test_a_topic_of_an_earlier_release_is_read(tmp_path: Path) -> None:
    topic = load_topic("rainstorm", label="flood")
    data = json.loads(encoded(topic))
    assert "documents" not in data["ontology"] and "keyness" not in data["words"][0]
    (tmp_path / "topic.json").write_text(json.dumps(data))
    again = read_words(tmp_path / "topic.json")
    assert again == topic
    assert again.documents == () and again.words[0].keyness == 0


def test_keyness_and_documents_tell_topics_apart() -> None:
    topic = built()
    assert topic.ontology is not None
    bare = replace(topic, ontology=replace(topic.ontology, documents=()))
    plain = replace(topic, words=tuple(replace(word, keyness=0.0) for word in topic.words))
    assert len({encoded(topic), encoded(bare), encoded(plain)}) == 3
