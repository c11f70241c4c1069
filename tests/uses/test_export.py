"""Exports: other programs open them, they say what was kept, and they appear whole or not at all."""

import csv
import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest
from helpers.exchanges import HTML, OTHER, A, B, C, check, exchange, fetch, keep, moved
from helpers.runs import lines, small_run
from helpers.webs import frozen_web
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from fcwseo.crawling.plan import Plan
from fcwseo.errors import InvalidInput, InvalidRun, MissingExtra
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.parse import parse
from fcwseo.uses.export import COLUMNS, FORMATS, Choice, export, kept_pages
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.warc.write import Archive

Row = dict[str, Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run with a page that repeats another, to be looked at only."""
    out = tmp_path_factory.mktemp("export") / "run"
    small_run(out)
    rows = lines(out / "pages.jsonl")
    rows[3]["near_dup_of"] = rows[0]["id"]
    rows[4] |= {
        "title": 'Rain,\n"floods" \0; 暴雨',
        "objectives": {"f1": 0.5, "f2": 0.25, "f3": 0.0, "f4": 1.0},
    }
    write(out, rows)
    return out


def write(run: Path, rows: list[Row]) -> None:
    """Let these be the kept pages of a run."""
    facts = json.loads((run / "run.json").read_bytes())
    facts["counts"]["relevant"] = len(rows)
    (run / "run.json").write_bytes(msgspec.json.encode(facts))
    (run / "pages.jsonl").write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def asked(query: str) -> list[tuple[Any, ...]]:
    """What DuckDB answers."""
    return duckdb.execute(query).fetchall()


READ = ("percentile", "topicality")  # of the relevance, when it is exported


def test_json_lines_are_the_pages(run: Path, tmp_path: Path) -> None:
    count = export(run, "jsonl", tmp_path / "out.jsonl")
    exported = lines(tmp_path / "out.jsonl")
    assert exported == list(kept_pages(run))
    assert [{name: page[name] for name in page if name not in READ} for page in exported] == lines(
        run / "pages.jsonl"
    )
    assert count == len(lines(run / "pages.jsonl")) > 8


def test_parquet_opens_in_pyarrow_and_duckdb(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    export(run, "parquet", out)
    table = parquet.read_table(out)
    rows = list(kept_pages(run))
    assert table.column_names == list(COLUMNS) and table.to_pylist() == rows
    best = max(rows, key=lambda row: row["relevance"])
    (first,) = asked(f"SELECT id, relevance, len(concepts) FROM '{out}' ORDER BY relevance DESC LIMIT 1")
    assert first == (best["id"], best["relevance"], len(best["concepts"]))


def test_csv_opens_in_duckdb_and_python(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    export(run, "csv", out)
    rows = lines(run / "pages.jsonl")
    with out.open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["id"] for row in table] == [row["id"] for row in rows]
    assert table[4]["title"] == 'Rain,\n"floods" ; 暴雨' and json.loads(table[4]["objectives"])["f2"] == 0.25
    assert [json.loads(row["concepts"]) for row in table] == [row["concepts"] for row in rows]
    assert [float(row["relevance"]) for row in table] == [row["relevance"] for row in rows]
    assert asked(f"SELECT count(*) FROM read_csv('{out}')") == [(len(rows),)]


def test_markdown_files_have_front_matter(run: Path, tmp_path: Path) -> None:
    export(run, "markdown", tmp_path / "notes")
    rows = {row["id"]: row for row in kept_pages(run)}
    files = sorted((tmp_path / "notes").iterdir())
    assert len(files) == len(rows)
    for file in files:
        _, front, body = file.read_text(encoding="utf-8").split("---\n", 2)
        fields = {name: json.loads(value) for name, value in (x.split(": ", 1) for x in front.splitlines())}
        row = rows[fields["id"]]
        assert file.stem.endswith(row["id"]) and body.strip() == row["markdown"]
        told = {name: row[name] for name in row if name not in ("text", "markdown") and row[name] is not None}
        assert fields == told


@pytest.mark.parametrize("has_pyarrow", [True, False])
def test_a_dataset_folder(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_pyarrow: bool
) -> None:
    if not has_pyarrow:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    export(run, "hf", tmp_path / "data set")
    (data,) = (tmp_path / "data set" / "data").iterdir()
    assert data.name == f"train-00000.{'parquet' if has_pyarrow else 'jsonl'}"
    monkeypatch.undo()
    rows = parquet.read_table(data).to_pylist() if has_pyarrow else lines(data)
    assert rows == list(kept_pages(run))
    card = (tmp_path / "data set" / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\n") and "n<1K" in card and f"{len(rows)} pages" in card
    assert "path: data/*" in card


def test_parquet_without_pyarrow_says_what_to_install(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"fcwseo\[parquet\]"):
        export(run, "parquet", tmp_path / "out.parquet")
    assert list(tmp_path.iterdir()) == []


def test_choices(run: Path, tmp_path: Path) -> None:
    rows = list(kept_pages(run))
    middle = sorted(row["relevance"] for row in rows)[len(rows) // 2]
    choice = Choice(middle, skip_near_duplicates=True)
    export(run, "jsonl", tmp_path / "out.jsonl", choice=choice)
    wanted = [row for row in rows if row["relevance"] >= middle and row["near_dup_of"] is None]
    assert lines(tmp_path / "out.jsonl") == wanted != rows
    assert rows[3] not in list(kept_pages(run, Choice(skip_near_duplicates=True)))


# WARC


def archived(run: Path, visits: list[tuple[Page, bytes]]) -> None:
    """A run directory of a crawl that archived these pages, the first of them not kept."""
    rows = []
    with Archive(run / "warc") as archive:
        archive.record(exchange("", "http://a.example/robots.txt", body=b"Disallow:"))
        for page, body in visits:
            before = moved(page.url, "http://m.example/", page.url)
            place = keep(archive, page, before, exchange(page.url, body=body))
            rows.append({"id": page.url, "relevance": 1.0, "near_dup_of": None, "warc": place})
        keep(archive, Failure("http://a.example/no", Why.GONE, "status 404"))
    write(run, rows[1:])


def test_a_warc_has_the_kept_pages_only_and_all_of_them(run: Path, tmp_path: Path) -> None:
    """C repeats the body of A, which was not kept: it is written out."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_bytes((run / "run.json").read_bytes())
    archived(tmp_path / "run", [(parse(HTML, A), HTML), (parse(OTHER, B), OTHER), (parse(HTML, C), HTML)])
    (tmp_path / "out").mkdir()
    assert export(tmp_path / "run", "warc", tmp_path / "out" / "kept.warc.gz") == 2
    check(tmp_path / "out")
    web = FrozenWeb(tmp_path / "out" / "kept.warc.gz")
    assert list(web.urls()) == [B, C] and web.problems == ()
    assert (fetch(web, B), fetch(web, C)) == (parse(OTHER, B), parse(HTML, C))


@pytest.mark.parametrize("name", ["../../out", "/nowhere/out", "", ".", "7F", "a/b", "a" * 65, 3.5, None])
def test_markdown_files_never_lie_outside_of_the_folder(run: Path, tmp_path: Path, name: object) -> None:
    """A run directory of somebody else may say anything."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_bytes((run / "run.json").read_bytes())
    write(tmp_path / "run", [lines(run / "pages.jsonl")[0] | {"id": name, "title": ""}])
    with pytest.raises(InvalidRun, match="is not the id of a page"):
        export(tmp_path / "run", "markdown", tmp_path / "a" / "b" / "notes")
    assert not list(tmp_path.rglob("*.md")) and not list((tmp_path / "a").rglob("notes"))


@pytest.mark.parametrize(
    "file", ["../../secret.gz", "/etc/hostname", "fcwseo-00000.warc.gz/../../../secret.gz"]
)
def test_bytes_of_other_files_are_not_exported(run: Path, tmp_path: Path, file: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_bytes((run / "run.json").read_bytes())
    archived(tmp_path / "run", [(parse(HTML, A), HTML), (parse(OTHER, B), OTHER)])
    secret = (tmp_path / "run" / "warc" / "fcwseo-00000.warc.gz").read_bytes()
    (tmp_path / "secret.gz").write_bytes(secret)
    (row,) = lines(tmp_path / "run" / "pages.jsonl")
    write(tmp_path / "run", [row | {"warc": {"file": file, "offset": 0, "length": len(secret)}}])
    with pytest.raises(InvalidRun, match="not the name of a file of an archive"):
        export(tmp_path / "run", "warc", tmp_path / "out.warc.gz")
    assert not (tmp_path / "out.warc.gz").exists()


def records_of(path: Path) -> list[bytes]:
    """The records of an archive behind its first, which names the file."""
    return gzip.decompress(path.read_bytes()).split(b"WARC/1.1\r\n")[2:]


@pytest.mark.parametrize("what", ["zeros", "ones", "noise"])
def test_no_damaged_record_is_exported(run: Path, tmp_path: Path, what: str) -> None:
    """Wherever some bytes of a page are overwritten: an error, or just the records of the whole archive."""
    copy = tmp_path / "run"
    copy.mkdir()
    (copy / "run.json").write_bytes((run / "run.json").read_bytes())
    long = HTML + b"".join(b"<p>%d rains</p>" % (n * n * 7919) for n in range(400))
    archived(copy, [(parse(OTHER, A), OTHER), (parse(long, B), long), (parse(HTML, C), HTML)])
    file = copy / "warc" / "fcwseo-00000.warc.gz"
    data = file.read_bytes()
    span = lines(copy / "pages.jsonl")[0]["warc"]
    export(copy, "warc", tmp_path / "whole.warc.gz")
    refused: dict[int, str] = {}
    for at in range(span["offset"], span["offset"] + span["length"] - 100, 97):
        bad = {"zeros": bytes(100), "ones": b"\xff" * 100, "noise": random.Random(at).randbytes(100)}[what]
        file.write_bytes(data[:at] + bad + data[at + 100 :])
        out = tmp_path / f"{at}.warc.gz"
        try:
            export(copy, "warc", out)
        except InvalidRun as error:
            refused[at] = str(error)
        assert out.exists() is (at not in refused)
        assert at in refused or records_of(out) == records_of(tmp_path / "whole.warc.gz"), at
    assert len(refused) > 10 and all("is damaged" in said for said in refused.values())


FORMULAS = ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "\0=1"]


def test_a_spreadsheet_runs_no_title(run: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_bytes((run / "run.json").read_bytes())
    rows = lines(run / "pages.jsonl")
    write(tmp_path / "run", [rows[0] | {"title": title, "anchor": title} for title in (*FORMULAS, "rain")])
    export(tmp_path / "run", "csv", tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["title"] for row in table] == [*(f"'{title}".replace("\0", "") for title in FORMULAS), "rain"]
    assert not any(
        cell.startswith(("=", "+", "-", "@", "\t", "\r")) for row in table for cell in row.values()
    )


def test_a_run_that_archived_nothing(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="has no archive"):
        export(run, "warc", tmp_path / "out.warc.gz")
    assert list(tmp_path.iterdir()) == []


# Bad input


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_is_overwritten(run: Path, tmp_path: Path, form: str) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(InvalidInput, match="already exists"):
        export(run, form, tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "warc"])
def test_what_breaks_off_leaves_nothing_behind(run: Path, tmp_path: Path, form: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_bytes((run / "run.json").read_bytes())
    good = (run / "pages.jsonl").read_bytes()
    (tmp_path / "run" / "pages.jsonl").write_bytes(good + b'{"title": "no page"}\n' + good)
    (tmp_path / "there").mkdir()
    with pytest.raises(InvalidRun, match="is not a kept page"):
        export(tmp_path / "run", form, tmp_path / "there" / "out")
    assert list((tmp_path / "there").iterdir()) == []


def test_a_torn_last_line_of_a_crawl_that_runs_is_passed_over(run: Path, tmp_path: Path) -> None:
    facts = json.loads((run / "run.json").read_bytes())
    (tmp_path / "run.json").write_bytes(msgspec.json.encode(facts | {"stop": None, "counts": {}}))
    (tmp_path / "pages.jsonl").write_bytes((run / "pages.jsonl").read_bytes()[:-5])
    (tmp_path / "visits.jsonl").write_bytes((run / "visits.jsonl").read_bytes())
    assert list(kept_pages(tmp_path)) == list(kept_pages(run))[:-1]


def test_pages_that_were_lost_are_an_error_and_come_back(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    file = tmp_path / "run" / "pages.jsonl"
    whole = list(kept_pages(tmp_path / "run"))
    for content in (b"", file.read_bytes()[:-100]):
        file.write_bytes(content)
        with pytest.raises(InvalidRun, match=f"but {len(whole)} were kept: .* restores the file") as caught:
            export(tmp_path / "run", "jsonl", tmp_path / "out")
        assert caught.value.exit_code == 4 and not (tmp_path / "out").exists()
        small_run(tmp_path / "run")
        assert [page["id"] for page in kept_pages(tmp_path / "run")] == [page["id"] for page in whole]


def test_what_is_no_run_and_no_format(run: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidRun, match="not a run directory"):
        export(tmp_path, "jsonl", tmp_path / "out")
    with pytest.raises(InvalidInput, match="jsonl, parquet"):
        export(run, "xml", tmp_path / "out")


def test_a_place_that_cannot_be_written(run: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot write"):
        export(run, "jsonl", Path("/proc/none/out"))


texts = st.text(max_size=40)
page_fields = st.fixed_dictionaries(
    {
        "id": st.uuids().map(lambda name: name.hex),
        "url": texts,
        "title": st.none() | texts,
        "text": texts,
        "markdown": texts,
        "relevance": st.floats(0, 1),
        "concepts": st.lists(texts, max_size=3),
        "depth": st.integers(0, 99),
        "near_dup_of": st.none() | texts,
    }
)


@settings(max_examples=40, deadline=None)
@given(st.lists(page_fields, max_size=5, unique_by=lambda page: str(page["id"])))
def test_any_pages_come_back(run: Path, tmp_path_factory: pytest.TempPathFactory, pages: list[Row]) -> None:
    here = tmp_path_factory.mktemp("any")
    (here / "run.json").write_bytes((run / "run.json").read_bytes())
    write(here, pages)
    read = {"percentile": None, "topicality": "on topic"}  # a run without visits
    whole = [dict.fromkeys(COLUMNS) | page | read for page in pages]
    for page in whole:
        page["topicality"] = "on topic"
    for form in FORMATS:
        if form != "warc":
            assert export(here, form, here / "out" / form) == len(pages)
    assert (
        lines_of(here / "out" / "jsonl") == parquet.read_table(here / "out" / "parquet").to_pylist() == whole
    )
    with (here / "out" / "csv").open(encoding="utf-8", newline="") as file:
        assert [row["id"] for row in csv.DictReader(file)] == [page["id"] for page in pages]
    assert len(list((here / "out" / "markdown").iterdir())) == len(pages)


def lines_of(path: Path) -> list[Row]:
    """Split at newlines only: other breaks may stand inside of a line."""
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def test_the_fields_of_a_page_that_says_much_of_itself(tmp_path: Path) -> None:
    from fcwseo.crawling.run import run_crawl
    from fcwseo_ontology.load import load_topic

    html = """<html lang="en"><meta property="article:published_time" content="2021-07-20T08:00:00+08:00">
    <title>Flash floods</title><h1>Flash floods after heavy rain</h1>
    <p>A flash flood rose within hours after the heavy rain of the evening, and the river broke its dike.</p>
    <ul><li>Inundation of all the cellars along the river, and of the lower town with its market</ul>"""
    web = frozen_web(tmp_path / "web", {A: html}, name="one")
    run_crawl(web, load_topic("rainstorm"), [A], tmp_path / "run", Plan(max_pages=1, eta=0.01))
    (page,) = kept_pages(tmp_path / "run")
    assert (page["date"], page["lang"], page["title"]) == ("2021-07-20", "en", "Flash floods")
    assert {"flash flood", "heavy rain", "inundation"} <= set(page["concepts"])
    assert page["markdown"].splitlines()[0] == "# Flash floods after heavy rain"
    assert page["markdown"].splitlines()[-1].startswith("- Inundation of all")


def test_kept_pages_stand_above_the_others(run: Path) -> None:
    """Ordinary pages are those that were fetched and not kept, seeds left out."""
    visits = [row for row in lines(run / "visits.jsonl") if row["outcome"] == "page"]
    ordinary = [row["relevance"] for row in visits if not row["kept"] and row["depth"]]
    assert len(ordinary) > 10
    for page in kept_pages(run):
        below = sum(other < page["relevance"] for other in ordinary)
        ties = sum(other == page["relevance"] for other in ordinary)
        assert page["percentile"] == round(100 * (below + ties / 2) / len(ordinary), 1) > 50
        assert page["topicality"] == "on topic"  # by the threshold of its visit
