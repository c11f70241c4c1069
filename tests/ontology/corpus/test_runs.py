"""A run directory as a corpus."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from fcwseo_ontology.build import build_ontology
from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.corpus.runs import is_run, run_documents
from fcwseo_ontology.errors import InvalidCorpus
from fcwseo_ontology.model import Relation

WORDS = ("hive", "queen", "drone", "honey", "wax", "swarm", "brood", "nectar")


def page(number: int, relevance: float, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"x{number}",
        "url": f"http://a.example/{number}",
        "title": f"The {WORDS[number % 8]} {number}",
        "text": f"The {WORDS[number % 8]} number {number} of the bees.",
        "markdown": "# Not read",
        "lang": "en",
        "relevance": relevance,
        "near_dup_of": None,
        **fields,
    }


def run_of(folder: Path, *pages: dict[str, Any] | str, rest: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "run.json").write_text("{}")
    (folder / "visits.jsonl").write_text('{"title": "a visit is no document", "url": "http://a.example/"}\n')
    lines = (one if isinstance(one, str) else json.dumps(one) for one in pages)
    (folder / "pages.jsonl").write_text("".join(f"{line}\n" for line in lines) + rest, encoding="utf-8")
    return folder


def test_kept_pages_are_documents_named_by_their_urls(tmp_path: Path) -> None:
    corpus = read_corpus([run_of(tmp_path / "run", page(1, 0.2), page(2, 0.4, lang="de", title=None))])
    assert corpus.problems == ()
    assert corpus.documents == (
        Document("http://a.example/1", "The queen 1", "The queen number 1 of the bees."),
        Document("http://a.example/2", "", "The drone number 2 of the bees.", (), "de"),
    )


def test_the_most_relevant_pages_are_taken_in_the_order_of_the_crawl(tmp_path: Path) -> None:
    relevances = [0.5, 0.1, 0.9, 0.5, 0.5, 0.2, 0.8]
    run = run_of(tmp_path, *(page(number, relevance) for number, relevance in enumerate(relevances)))
    for most in range(1, 9):
        found = [one.id for one in run_documents(run, most=most) if isinstance(one, Document)]
        best = sorted(range(7), key=lambda number: (-relevances[number], number))[:most]
        assert found == [f"http://a.example/{number}" for number in sorted(best)]


def test_how_many_pages_were_taken_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "fcwseo_ontology")
    run = run_of(tmp_path, page(1, 0.2), page(2, 0.4), page(3, 0.3, near_dup_of="x1"))
    list(run_documents(run, most=1))
    list(run_documents(run, most=2))
    assert caplog.messages == [
        f"{run} is a run: took 1 of the 3 pages that it kept, the most relevant",
        f"{run} is a run: took 2 of the 3 pages that it kept",
    ]


def test_near_duplicates_and_what_is_torn_or_damaged_are_left_out(tmp_path: Path) -> None:
    run = run_of(
        tmp_path,
        page(1, 0.2),
        page(2, 0.4, near_dup_of="x1"),
        "{broken",
        "[1]",
        json.dumps({"url": "http://a.example/"}),
        page(5, 10**400),
        page(6, 0.1, title="", text="--"),
        page(7, 0.1),
        rest='{"url": "http://a.example/torn", "relev',
    )
    corpus = read_corpus([run])
    assert [one.id for one in corpus.documents] == ["http://a.example/1", "http://a.example/7"]
    file = run / "pages.jsonl"
    assert [(one.where, one.message) for one in corpus.problems] == [
        (f"{file}:3", "not a kept page; skipped"),
        (f"{file}:4", "not a kept page; skipped"),
        (f"{file}:5", "not a kept page; skipped"),
        (f"{file}:6", "not a kept page; skipped"),
        (f"{file}:7", "no title, abstract or text; skipped"),
    ]


def test_kinds_and_word_counts_name_the_pages(tmp_path: Path) -> None:
    texts = ("Bees fly. The hive has pests such as the wax moth.", "Bees have pests such as the wax moth.")
    pages = (page(at, 0.5, text=text, title="") for at, text in enumerate(texts))
    ontology = build_ontology(read_corpus([run_of(tmp_path / "run", *pages)]), topic="bees")
    (edge,) = (one for one in ontology.edges if one.child == "Wax_Moth" and one.relation is Relation.IS_A)
    assert "(in 2 documents, such as http://a.example/0)" in edge.evidence
    assert [one.name for one in ontology.documents] == ["http://a.example/0", "http://a.example/1"]


def test_a_run_without_pages_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidCorpus, match="the run kept no page"):
        read_corpus([run_of(tmp_path / "run")])


def test_documents_and_runs_are_joined_wherever_a_run_lies(tmp_path: Path) -> None:
    run_of(tmp_path / "all" / "run", page(1, 0.2))
    (tmp_path / "all" / "note.txt").write_text("A note on bees.")
    (tmp_path / "all" / "run" / "report.html").write_text("<p>No document of a corpus</p>")
    corpus = read_corpus([tmp_path / "all", run_of(tmp_path / "second", page(1, 0.2), page(2, 0.2))])
    assert [one.id for one in corpus.documents] == [
        str(tmp_path / "all" / "note.txt"),
        "http://a.example/1",
        "http://a.example/2",
    ]
    assert [one.message for one in corpus.problems] == ["duplicate of http://a.example/1; skipped"]


def test_only_both_files_make_a_run(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run", page(1, 0.2))
    assert is_run(run)
    (run / "run.json").unlink()
    assert not is_run(run)
    assert "x1" in {one.id for one in read_corpus([run]).documents}, "a folder of JSON lines"
