"""What ``benchmarks/ontology_quality.py`` measures, on small made data; real data is not needed."""

import csv
import gzip
import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from helpers.sources import IS_TREE, NO_TREE
from quality import builds, gold, keywords, pages, taxonomy
from quality.checkouts import HERE, Checkout, Failed, checkouts
from quality.data import Subject, subjects, without_keywords

from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation

pytestmark = pytest.mark.skipif(not IS_TREE, reason=NO_TREE)

NOW = Checkout("now", HERE)
DOCUMENTS = tuple(
    Document(
        f"d{number}",
        "Flash floods and storms",
        f"Storms cause flash floods in {river}. In {river} a flash flood is a flood. It rains in {river}.",
        keywords=("Flash flood", river),
    )
    for number, river in enumerate(("Rhine", "Main", "Neckar", "Danube"))
)
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
CLASS = "http://www.w3.org/2002/07/owl#Class"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = f"""
<http://x/1> <{TYPE}> <{CLASS}> .
<http://x/2> <{TYPE}> <{CLASS}> .
<http://x/3> <{TYPE}> <{CLASS}> .
<http://x/1> <{RDFS}label> "flooding" .
<http://x/2> <{RDFS}label> "flash flood" .
<http://x/3> <{RDFS}label> "tempest" .
<http://x/3> <http://www.geneontology.org/formats/oboInOwl#hasExactSynonym> "storm" .
<http://x/2> <{RDFS}subClassOf> <http://x/1> .
<http://x/3> <{RDFS}subClassOf> <http://x/4> .
"""


def test_gold_is_what_the_corpus_names(tmp_path: Path) -> None:
    path = tmp_path / "gold.nt.gz"
    path.write_bytes(gzip.compress(OWL.encode()))
    found = gold.found_in(gold.of_owl([path]), DOCUMENTS)
    assert [term.key for term in found.terms] == ["flash flood", "flood", "storm"]
    assert found.terms[0].forms == ("flash flood", "flash floods") and found.terms[0].documents == 0b1111
    assert found.pairs == {("flash flood", "flood")}


def test_kinds_are_found_between_given_terms() -> None:
    hierarchy = gold.Hierarchy({"1": ("flood",), "2": ("flash flood",)}, frozenset({("2", "1")}))
    found = gold.found_in(hierarchy, DOCUMENTS)
    assert taxonomy.kinds(NOW, found, DOCUMENTS) == {("flash flood", "flood")}


def test_hazards_lie_below_their_clusters(tmp_path: Path) -> None:
    node = {"id": "h", "label": "Flood", "altLabels": ["Deluge"], "clusterId": "c", "clusterName": "Water"}
    path = tmp_path / "hips.json"
    path.write_text(json.dumps({"nodes": [{**node, "typeId": "t", "typeName": "Natural"}]}), encoding="utf-8")
    found = gold.of_profiles([path])
    assert found.names == {"h": ("Flood", "Deluge"), "c": ("Water",), "t": ("Natural",)}
    assert found.parents == {("h", "c"), ("c", "t")}


def test_keywords_are_withheld() -> None:
    assert all(not document.keywords for document in without_keywords(DOCUMENTS))
    row = keywords.judge(NOW, [DOCUMENTS])
    assert row.recurring == 1.0  # flash flood
    assert row.terms * row.precision == row.recall * 5  # of flash flood and four rivers


def test_a_build_is_measured() -> None:
    built = builds.build(NOW, Subject("floods", "flash flood", DOCUMENTS), terms=10)
    assert built.ontology.topic == "Flash_Flood" and "Flash_Flood" not in built.chosen
    assert built.words and built.words[0][1] >= built.words[-1][1]
    assert built.cpu > 0
    assert builds.row(built).count("|") == 14


def test_a_concept_that_is_only_related_is_isolated() -> None:
    edges = (
        Edge("flood", "topic", Relation.RELATED),
        Edge("flash", "flood", Relation.IS_A),
        Edge("map", "topic", Relation.RELATED),
        Edge("atlas", "map", Relation.RELATED),
    )
    names = ("topic", "flood", "flash", "map", "atlas")
    whole = Ontology("topic", tuple(Concept(name, (Label(name),)) for name in names), edges)
    assert builds.isolated(whole) == {"map", "atlas"}


def test_a_version_with_its_modules_elsewhere_is_measured_too(tmp_path: Path) -> None:
    package = tmp_path / "ontology" / "fcwseo_ontology"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "corpus.py").write_text(
        "class Document:\n def __init__(self, id, title, text, *, keywords, language): self.title = title\n"
        "class Corpus:\n def __init__(self, documents): self.documents = documents\n"
    )
    (package / "wordnet.py").write_text("def load_wordnet(): return None\n")
    (package / "ossc.py").write_text("class topic_of:\n def __init__(self, ontology): self.words = []\n")
    (package / "build.py").write_text(
        "from types import SimpleNamespace as S\n"
        "def build_ontology(corpus, *, topic, terms):\n"
        " one = S(name='R', labels=[S(text=corpus.documents[0].title)], synonyms=[], source='corpus')\n"
        " return S(topic=topic, concepts=[one], edges=[])\n"
    )
    built = builds.build(Checkout("old", tmp_path), Subject("floods", "flood", DOCUMENTS), keep=["rain"])
    assert built.ontology.concepts == (Concept("R", (Label("Flash floods and storms"),), source="corpus"),)
    (package / "wordnet.py").unlink()
    with pytest.raises(Failed, match=r"none of the modules relations\.wordnet, wordnet"):
        builds.build(Checkout("old", tmp_path), Subject("floods", "flood", DOCUMENTS))


def test_what_a_version_raises_is_reported() -> None:
    with pytest.raises(Failed, match="InvalidInput: no document of the corpus speaks of 'bees'"):
        builds.build(NOW, Subject("floods", "bees", DOCUMENTS))


def test_a_folder_that_is_no_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="is no checkout"):
        checkouts([tmp_path])


def test_a_corpus_that_is_not_there_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert subjects([tmp_path], ["floods"]) == []
    assert "left out: there is no corpora/flash_floods_ccby.jsonl" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="'flods' is no corpus"):
        subjects([tmp_path], ["flods"])
    with pytest.raises(SystemExit, match="'flods' is no task"):
        subjects([tmp_path], ["task:flods"])
    assert subjects([tmp_path], ["task:medicine"]) == []


def test_a_corpus_can_be_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "rivers.txt"
    path.write_text("The Rhine\n\nThe river rose.", encoding="utf-8")
    (found,) = subjects([], [f"{path}=river"])
    assert (found.name, found.topic, len(found.documents)) == ("rivers", "river", 1)


def test_all_text_of_a_page_is_taken_but_for_what_a_browser_hides() -> None:
    html = "<nav><ul><li>Home<li>News</ul></nav><p>Heavy <b>rain</b>&amp;hail<style>p{}</style> fell.</p>Foot"
    assert pages.shown(html) == "Home\nNews\nHeavy rain&hail fell.\nFoot"


def test_words_of_all_versions_are_mixed(tmp_path: Path) -> None:
    site = pages.SITES[0]
    found = [(site, "old", ["rain", "menu"]), (site, "new", ["rain", "hail"])]
    sheet, answers = pages.write_words(tmp_path, "try", found, Random(1))
    rows, key = (list(csv.DictReader(path.read_text("utf-8-sig").splitlines())) for path in (sheet, answers))
    words = {row["id"]: row["word"] for row in rows}
    assert sorted(words.values()) == ["hail", "menu", "rain"]
    assert sorted((words[row["id"]], row["source"]) for row in key) == [
        ("hail", "new"),
        ("menu", "old"),
        ("rain", "new"),
        ("rain", "old"),
    ]


def test_pages_with_a_label_are_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "webs" / "web"
    folder.mkdir(parents=True)
    lines = [
        json.dumps({"url": f"http://x/{number}", "html": f"<p>Rain {number}", "labels": [f"l{number % 2}"]})
        for number in range(60)
    ]
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    site = pages.Site("s", "en", "web", frozenset(("l1",)), "rain")
    found = pages.subject_of([tmp_path], site)
    assert found is not None and len({document.id for document in found.documents}) == pages.PAGES
    assert all(int(document.text.removeprefix("Rain ")) % 2 for document in found.documents)


@pytest.mark.slow
def test_the_commands_say_what_is_missing(tmp_path: Path) -> None:
    program = HERE / "benchmarks" / "ontology_quality.py"
    for command in (["keywords"], ["taxonomy"], ["builds", "floods"], ["speed"]):
        done = subprocess.run(
            [sys.executable, program, *command, "--data", tmp_path],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "left out: there is no" in done.stderr and "|---|" in done.stdout
