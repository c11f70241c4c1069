"""``fcwseo ontology`` and ``fcwseo topic`` as a user runs them."""

import json
import re
from pathlib import Path

import pytest
from helpers.commands import run
from helpers.runs import small_run

from fcwseo_ontology.shipped import shipped_corpus

pytestmark = pytest.mark.slow

CORPUS = shipped_corpus("rainstorm")
PREFIXES = (
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
)
CYCLE = PREFIXES + (
    '<urn:a> a owl:Class; rdfs:label "a"; rdfs:subClassOf <urn:b> .\n'
    '<urn:b> a owl:Class; rdfs:label "b"; rdfs:subClassOf <urn:a> .\n'
)
IMPORTING = PREFIXES + (
    "<urn:o> a owl:Ontology; owl:imports <http://127.0.0.1:9/never.owl> .\n"
    '<urn:a> a owl:Class; rdfs:label "flood" .\n'
    '<urn:b> a owl:Class; rdfs:label "flash flood"; rdfs:subClassOf <urn:a> .\n'
)


def test_from_a_corpus_to_relevance(tmp_path: Path) -> None:
    owl, page = tmp_path / "rain.owl", tmp_path / "rain.html"
    build = ("ontology", "build", CORPUS, "--topic", "rainstorm", "--terms", "20", "--out", owl)
    assert run(*build)[0] == 0
    first = owl.read_bytes()
    review = ("--review", tmp_path / "terms.csv", "--relations", tmp_path / "edges.csv")
    for _ in range(2):  # the tables are written, then obeyed
        assert run(*build, *review)[0] == 0
        assert owl.read_bytes() == first
    assert run("ontology", "check", owl)[0] == 0
    code, shown, _ = run("ontology", "show", owl)
    assert (code, shown.splitlines()[0].partition("  keyness ")[0]) == (0, "rainstorm  1.000")
    assert run("ontology", "show", owl, "--html", page, "--corpus", CORPUS)[0] == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    words = json.loads(run("ontology", "weights", owl, "--json")[1])
    assert words[0]["word"] == "rainstorm"
    assert set(words[0]) == {"word", "weight", "labels", "level", "factors", "keyness"}
    assert list(words[0]["factors"]) == ["dis", "den", "dep", "coi", "rel"]
    assert all(word["keyness"] > 0 for word in words)
    assert {word["keyness"] for word in json.loads(run("ontology", "weights", "rainstorm", "--json")[1])} == {
        None
    }
    (tmp_path / "on.txt").write_text("A rainstorm, and the rainstorm brought floods.", encoding="utf-8")
    (tmp_path / "off.txt").write_text("A recipe for apple cake.", encoding="utf-8")
    on, off = json.loads(run("topic", "test", owl, tmp_path / "on.txt", tmp_path / "off.txt", "--json")[1])
    assert on["relevance"] > off["relevance"] == 0
    assert "rainstorm" in on["concepts"]
    assert (on["topicality"], off["topicality"]) == ("on topic", "off topic")
    assert (on["form"], on["percentile"]) == (1.0, None)
    assert all(nearness < 0.01 for _, nearness in off["nearest"])  # they share words off the topic only
    names = [json.loads(line)["title"] for line in CORPUS.read_text().splitlines()]
    assert on["nearest"][0][1] > 0.1 and {name for name, _ in on["nearest"]} <= {*names}


def test_a_topic_is_tested_against_a_background(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    for number in range(12):
        (tmp_path / "other" / f"{number}.txt").write_text(f"A recipe for {number} cakes of plum and pear.")
    (tmp_path / "on.txt").write_text("A rainstorm, and the rainstorm brought floods.", encoding="utf-8")
    test = ("topic", "test", "rainstorm", "--background", tmp_path / "other")
    (on,) = json.loads(run(*test, tmp_path / "on.txt", "--json")[1])
    assert (on["percentile"], on["topicality"]) == (100, "on topic")
    code, out, said = run(*test, tmp_path / "other" / "1.txt")
    assert code == 0 and "off topic" in out and "no document is nearer to this topic" in said


def test_calibration_reads_the_median_document(tmp_path: Path) -> None:
    for name, text in (("on", "A rainstorm brought floods."), ("off", "A recipe for apple cake.")):
        (tmp_path / name).mkdir()
        for number in range(10):
            (tmp_path / name / f"{number}.txt").write_text(f"{text} Number {number}.")
    sides = ("--positive", tmp_path / "on", "--background", tmp_path / "off")
    code, out, said = run("topic", "calibrate", "rainstorm", *sides)
    assert code == 0 and "on topic, above 100 % of ordinary pages" in out and "no nearer" not in said
    same = ("--positive", tmp_path / "off", "--background", tmp_path / "off")
    assert "no nearer to this topic than the background" in run("topic", "calibrate", "rainstorm", *same)[2]


def test_a_build_reports_what_the_lattice_did(tmp_path: Path) -> None:
    build = (
        "ontology",
        "build",
        CORPUS,
        "--topic",
        "rainstorm",
        "--terms",
        "20",
        "--out",
        tmp_path / "r.owl",
    )
    code, printed, _ = run(*build, "--report")
    assert code == 0
    for row in ("engine: concepts", "is-a edges of the order", "redundant edges dropped"):
        assert row in printed
    report = json.loads(run(*build, "--report", "--json")[1])
    assert report["engine"] == "concepts"
    assert report["concepts"] - report["contracted"] > report["terms"] / 2
    code, printed, error = run(*build, "--json")
    assert (code, printed) == (4, "")
    assert "give --report too" in error


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.jsonl", "", "empty file"),
        ("a.jsonl", '{"title": "the of", "abstract": "and"}', "speaks of 'rainstorm'"),
        ("a.jsonl", '{"title": "' + "rainstorm " * 2_000_000 + '"}', "16 MB"),
    ],
    ids=["empty", "no term", "long line"],
)
def test_a_corpus_of_no_use_is_refused_in_one_line(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    out = tmp_path / "a.owl"
    code, printed, error = run("ontology", "build", tmp_path / name, "--topic", "rainstorm", "--out", out)
    assert (code, printed, error.count("\n")) == (4, "", 1)
    assert said in error
    assert not out.exists()


def test_an_unknown_suffix_is_refused_before_the_corpus_is_read(tmp_path: Path) -> None:
    build = ("ontology", "build", tmp_path / "missing", "--topic", "rain", "--out", tmp_path / "a.obo")
    code, printed, error = run(*build, "--review", tmp_path / "terms.csv")
    assert (code, printed, error.count("\n")) == (4, "", 1)
    assert "a.obo" in error and ".owl .rdf .xml (RDF/XML), .ttl (Turtle), .nt" in error
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "name", "said"),
    [
        ("--out", "none/a.owl", "there is no folder"),
        ("--out", "folder.owl", "it is a folder"),
        ("--review", "none/terms.csv", "there is no folder"),
        ("--relations", "folder.owl", "it is a folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_build(
    tmp_path: Path, option: str, name: str, said: str
) -> None:
    (tmp_path / "folder.owl").mkdir()
    options = {"--out": tmp_path / "a.owl"} | {option: tmp_path / name}
    given = [part for pair in options.items() for part in pair]
    code, printed, error = run("ontology", "build", tmp_path / "missing", "--topic", "rain", *given)
    assert (code, printed, error.count("\n")) == (4, "", 1)
    assert name in error and said in error


def test_an_ontology_grows_from_a_run(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    texts = (
        "Floods are caused by a rainstorm.",
        "A rainstorm causes floods.",
        "Floods follow the rainstorm.",
    )
    with (tmp_path / "run" / "pages.jsonl").open("a", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"url": f"http://b.example/{number}", "text": text, "relevance": 1}) + "\n")
    out = tmp_path / "grown.ttl"
    build = ("ontology", "build", tmp_path / "run", "--topic", "rainstorm", "--out", out)
    code, _, said = run(*build)
    assert code == 0
    assert f"{tmp_path / 'run'} is a run: took " in said
    shown = json.loads(run("ontology", "show", out, "--json")[1])
    cited = {url for edge in shown["edges"] for url in re.findall(r"http://[^\s)]+", edge["evidence"])}
    assert "http://b.example/0" in cited
    assert {concept["source"] for concept in shown["concepts"]} & {"corpus"}
    assert run("ontology", "check", out)[0] == 0


THESAURUS = """
@prefix : <http://o.test/#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:deluge a skos:Concept ; skos:prefLabel "deluge"@en ; skos:altLabel "rainstorm"@en .
:gust a skos:Concept ; skos:prefLabel "squall gust"@en ; skos:broader :deluge .
"""


def test_a_built_ontology_is_joined_with_one_of_the_user(tmp_path: Path) -> None:
    own, out = tmp_path / "own.ttl", tmp_path / "both.jsonld"
    own.write_text(THESAURUS, encoding="utf-8")
    build = ("ontology", "build", CORPUS, "--terms", "20", "--out", out, "--with", own)
    tables = ("--review", tmp_path / "terms.csv", "--relations", tmp_path / "edges.csv")
    for topic in ("rainstorm", "deluge"):
        code, _, said = run(*build, "--topic", topic, *tables)
        assert code == 0
        assert (
            "joined own.ttl: 1 of its concepts are in the corpus, too, 1 are only in it, 0 were left" in said
        )
        shown = json.loads(run("ontology", "show", out, "--json")[1])
        assert shown["topic"] == "deluge"
        concepts = {concept["name"]: concept for concept in shown["concepts"]}
        assert concepts["deluge"]["source"] == "http://o.test/#deluge; corpus"
        assert [edge["relation"] for edge in shown["edges"] if edge["child"] == "gust"] == ["is-a"]
        assert len(concepts) > 15
    with (tmp_path / "edges.csv").open("a", encoding="utf-8") as table:
        table.write("squall gust,deluge,is-a,,,no\nwind gust,squall gust,synonym,,,yes\n")
    assert run(*build, "--topic", "deluge", *tables)[0] == 0
    shown = json.loads(run("ontology", "show", out, "--json")[1])
    assert [edge["relation"] for edge in shown["edges"] if edge["child"] == "gust"] == ["related"]
    (gust,) = [concept for concept in shown["concepts"] if concept["name"] == "gust"]
    assert gust["synonyms"] == [{"text": "wind gust", "language": "en"}]
    code, _, error = run(*build, "--topic", "rainstorm", "--with", "rainstrom")
    assert (code, error.count("\n")) == (4, 1)


@pytest.mark.parametrize("text", [b"<rdf:RDF", b"\0\1\2", b"", b"\xff\xfe\xff"])
@pytest.mark.parametrize("command", ["show", "weights", "check"])
def test_a_broken_ontology_is_refused_in_one_line(tmp_path: Path, command: str, text: bytes) -> None:
    (tmp_path / "a.owl").write_bytes(text)
    code, printed, error = run("ontology", command, tmp_path / "a.owl")
    assert (code, printed, error.count("\n")) == (4, "", 1)


def test_check_ends_with_4_only_if_the_ontology_is_broken(tmp_path: Path) -> None:
    (tmp_path / "cycle.ttl").write_text(CYCLE, encoding="utf-8")
    (tmp_path / "import.ttl").write_text(IMPORTING, encoding="utf-8")
    code, printed, _ = run("ontology", "check", tmp_path / "cycle.ttl")
    assert (code, printed.startswith("error: a cycle of 2")) == (4, True)
    code, printed, _ = run("ontology", "check", tmp_path / "import.ttl")
    assert (code, printed.startswith("warning: 1 imports are not followed")) == (0, True)


@pytest.mark.parametrize(
    "command",
    ["ontology check", "ontology show", "ontology weights", "topic test", "topic calibrate --positive"],
)
def test_each_command_takes_the_name_of_a_shipped_topic(tmp_path: Path, command: str) -> None:
    (tmp_path / "on.txt").write_text("A rainstorm brought floods.", encoding="utf-8")
    words = command.split()
    documents = [tmp_path / "on.txt"] if words[0] == "topic" else []
    for name in ("rainstorm", "rainstorm#flood"):
        assert run(*words[:2], name, *words[2:], *documents)[0] == 0
    code, printed, error = run(*words[:2], "rainstrom", *words[2:], *documents)
    assert (code, printed, error.count("\n")) == (4, "", 1)
    assert "did you mean 'rainstorm'?" in error


def test_an_ontology_is_shown_as_json(tmp_path: Path) -> None:
    shown = json.loads(run("ontology", "show", "rainstorm", "--topic", "flood", "--json")[1])
    assert list(shown) == ["topic", "concepts", "edges"]
    flood = shown["concepts"][0]
    assert list(flood) == ["name", "labels", "synonyms", "source", "frequency", "keyness", "intent", "weight"]
    assert (flood["name"], flood["weight"]) == (shown["topic"], 1)
    assert flood["labels"] == [{"text": "flood", "language": "en"}, {"text": "洪水", "language": "zh"}]
    names = {concept["name"] for concept in shown["concepts"]}
    assert all({edge["child"], edge["parent"]} <= names for edge in shown["edges"])
    assert set(shown["edges"][0]) == {"child", "parent", "relation", "confidence", "evidence"}
    code, _, error = run("ontology", "show", "rainstorm", "--json", "--html", tmp_path / "a.html")
    assert (code, error.count("\n"), list(tmp_path.iterdir())) == (4, 1, [])


def test_a_topic_is_tested_by_a_part_of_an_ontology(tmp_path: Path) -> None:
    (tmp_path / "hail.txt").write_text("Hail, hail and nothing but hail.", encoding="utf-8")
    test = ("topic", "test", "rainstorm", tmp_path / "hail.txt", "--json")
    assert json.loads(run(*test)[1])[0]["relevance"] > 0
    assert json.loads(run(*test, "--topic", "flood")[1])[0]["relevance"] == 0


def test_an_unknown_label_is_refused_with_what_comes_near() -> None:
    code, _, error = run("ontology", "weights", "rainstorm", "--topic", "floood")
    assert (code, error.count("\n")) == (4, 1)
    assert "'flood'" in error


def test_it_is_said_how_the_terms_were_chosen_and_what_was_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(3):
        text = f"Bees number {number} live in a hive. Pests such as the wax moth eat the comb of bees."
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
    (folder / "latin.txt").write_bytes(
        "Bees at the caf\xe9 and the h\xf4tel; bees eat p\xe2t\xe9.".encode("latin-1")
    )
    (folder / "empty.txt").touch()
    build = ("ontology", "build", folder, "--topic", "bees", "--out", tmp_path / "a.owl")
    code, _, error = run(*build, "--terms", "300", "--min-df", "2")
    lines = error.splitlines()
    assert code == 0
    assert any(line.startswith("skipped: ") and line.endswith("empty.txt: empty file") for line in lines)
    assert any(line.startswith("read with care: ") and "latin.txt: not UTF-8" in line for line in lines)
    assert "read 4 documents; skipped 1 records or files" in lines
    assert "4 of the 4 documents name 'bees'; terms are taken from the whole corpus" in lines
    assert any(" terms instead of 300: no other noun phrase stands in 2 documents" in line for line in lines)


def test_the_whole_corpus_on_request(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The train leaves the station of the railway.", encoding="utf-8")
    build = ("ontology", "build", tmp_path / "a.txt", "--topic", "wine", "--out", tmp_path / "a.owl")
    code, _, error = run(*build)
    assert (code, "speaks of 'wine'" in error) == (4, True)
    code, _, error = run(*build, "--whole-corpus")
    assert (code, "the corpus is a single document" in error) == (0, True)
    assert "railway" in run("ontology", "show", tmp_path / "a.owl")[1]
