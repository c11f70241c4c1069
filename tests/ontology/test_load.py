"""Ontologies and topics by name: shipped ones, files, and parts of them."""

import json
import shutil
from pathlib import Path

import pytest

from fcwseo_ontology.errors import InvalidOntology, InvalidTopic
from fcwseo_ontology.load import findings_of, load_ontology, load_topic
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.owl.ontologies import Severity, check, check_ontology, write_owl
from fcwseo_ontology.shipped import shipped_ontology
from fcwseo_ontology.topic import encoded


def test_a_part_is_named_behind_the_name(tmp_path: Path) -> None:
    part = load_ontology("rainstorm#flood")
    assert part.topic == "flood"
    assert 1 < len(part.concepts) < len(load_ontology("rainstorm").concepts)
    write_owl(load_ontology("rainstorm"), tmp_path / "rain.ttl")
    assert load_ontology(f"{tmp_path / 'rain.ttl'}#洪水").topic == "flood"
    assert load_topic("rainstorm#flood").words[0].word == "flood"


def test_a_hash_sign_in_the_name_of_a_file_is_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "c#flood.owl"
    write_owl(load_ontology("rainstorm"), path)
    assert load_ontology(str(path)).topic == "rainstorm_disaster"
    assert load_ontology(f"{path}#flood").topic == "flood"
    shutil.copy(path, tmp_path / "c")
    assert load_ontology(str(path)).topic == "rainstorm_disaster"


def test_a_part_of_a_topic_in_json_needs_its_ontology(tmp_path: Path) -> None:
    (tmp_path / "rain.json").write_bytes(encoded(load_topic("rainstorm")))
    assert load_topic(f"{tmp_path / 'rain.json'}#flood") == load_topic("rainstorm", label="flood")
    (tmp_path / "words.json").write_text(json.dumps({"name": "rain", "weights": {"rain": 1.0}}))
    with pytest.raises(InvalidTopic, match="has no ontology to look for 'flood' in"):
        load_topic(str(tmp_path / "words.json"), label="flood")


def test_a_shipped_name_and_an_ontology_are_checked_as_their_file_is(tmp_path: Path) -> None:
    write_owl(shipped_ontology("rainstorm"), tmp_path / "rain.owl")
    assert findings_of("rainstorm") == check(tmp_path / "rain.owl") == []
    double = Ontology(
        "a",
        tuple(Concept(name, (Label("bee"),)) for name in "abc"),
        (Edge("b", "a", Relation.IS_A),),
    )
    write_owl(double, tmp_path / "double.owl")
    found = check_ontology(double)
    assert found == findings_of(str(tmp_path / "double.owl"))
    assert [(one.severity, one.kind) for one in found] == [
        (Severity.ERROR, "unreachable"),
        (Severity.WARNING, "duplicate label"),
    ]
    with pytest.raises(InvalidOntology, match="topic 'z'"):
        check_ontology(Ontology("z", double.concepts, ()))


@pytest.mark.parametrize("load", [load_ontology, load_topic, findings_of])
def test_a_misspelt_name_is_told_what_it_may_mean(load: object) -> None:
    assert callable(load)
    with pytest.raises(InvalidTopic, match="did you mean 'rainstorm'"):
        load("rainstrom")
    with pytest.raises(InvalidTopic, match="shipped topics: rainstorm"):
        load("bees")
