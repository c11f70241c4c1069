"""Ontologies in Python: all that the commands do."""

import json
from pathlib import Path

import pytest

import fcwseo as f
from fcwseo.errors import InvalidInput
from fcwseo_ontology.model import Relation

TEXTS = ["A queen bee is a bee. Bees live in a hive.", "A worker bee is a bee, as a queen bee is."]
OWN = """
@prefix : <http://o.test/#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:apis a skos:Concept ; skos:prefLabel "honey bee"@en ; skos:altLabel "bee"@en .
:drone a skos:Concept ; skos:prefLabel "drone"@en ; skos:broader :apis .
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> f.Run:
    web = f.GeneratedWeb(seed=0, pages=400)
    out = tmp_path_factory.mktemp("runs") / "run"
    return f.crawl(web=web, topic="rainstorm", seeds=web.seeds("rainstorm"), max_pages=60, out=out)


def test_an_ontology_is_joined_with_a_file_or_with_another(tmp_path: Path) -> None:
    (tmp_path / "own.ttl").write_text(OWN, encoding="utf-8")
    for own in (tmp_path / "own.ttl", str(tmp_path / "own.ttl"), f.load_ontology(tmp_path / "own.ttl")):
        found = f.build_ontology(TEXTS, topic="bee", own=own)
        assert found.root == "honey bee"
        assert [edge.relation for edge in found.edges if edge.child == "drone"] == [Relation.IS_A]
        assert len(found.concepts) > 2


@pytest.mark.slow
def test_an_ontology_is_built_from_a_run_and_more(run: f.Run, tmp_path: Path) -> None:
    alone = f.build_ontology(run, topic="rainstorm")
    assert f.build_ontology(str(run.path), topic="rainstorm").model == alone.model
    (tmp_path / "note.txt").write_text("A rainstorm brings hail and hail.")
    both = f.build_ontology([run, tmp_path / "note.txt"], topic="rainstorm", own="rainstorm#hail")
    assert "hail" in {label.text for concept in both.concepts for label in concept.labels}


@pytest.mark.parametrize("suffix", [".owl", ".rdf", ".xml", ".ttl", ".nt", ".jsonld"])
def test_an_ontology_is_saved_in_the_syntax_of_its_suffix(tmp_path: Path, suffix: str) -> None:
    flood = f.load_ontology("rainstorm#flood")
    again = f.load_ontology(flood.save(tmp_path / f"flood{suffix}"))
    assert again.topic().weights == flood.topic().weights
    with pytest.raises(InvalidInput, match=r"an ontology is written as \.owl"):
        flood.save(tmp_path / "flood.obo")


def test_an_ontology_is_checked_by_name_file_or_itself(tmp_path: Path) -> None:
    flood = f.load_ontology("rainstorm", topic="flood")
    for one in ("rainstorm", flood, flood.save(tmp_path / "flood.ttl")):
        assert list(f.check_ontology(one)) == []


def test_an_ontology_is_plain_values() -> None:
    shown = f.load_ontology("rainstorm#flood").to_dict()
    assert json.loads(json.dumps(shown)) == shown
    assert shown["topic"] == "flood"
    assert {concept["name"] for concept in shown["concepts"]} >= {edge["child"] for edge in shown["edges"]}
