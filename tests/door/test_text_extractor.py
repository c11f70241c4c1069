"""The Markdown of kept pages by trafilatura. Most tests have a library of their own in its place."""

import asyncio
import gzip
import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import finish, run, start
from helpers.fakes import SmallWeb
from helpers.runs import SEEDS, WEB, kept, lines, small_run
from helpers.servers import answer, serving_apart

import fcwseo as f
from fcwseo.crawling.run_directory.status import summary
from fcwseo.errors import InvalidInput, MissingExtra
from fcwseo.live.parsers import TextJob, Workers
from fcwseo.pages import Failure, Why
from fcwseo.pages.extractors import Extracted
from fcwseo.uses.extraction import extract_kept, stored_html

LIBRARY = """
import os, time
from types import SimpleNamespace

def extract_with_metadata(html, url, **settings):
    said = dict(part.split("=") for part in os.environ.get("FAKE", "").split(",") if part)
    kind = said.get(url.rpartition("/")[2])
    if kind == "slow":
        while True:
            pass
    if kind == "large":
        bytearray(1 << 40)
    if kind == "broken":
        raise KeyError("tree")
    if kind == "empty":
        return None
    time.sleep(float(said.get("pause", 0)))
    text = f"---\\ntitle: x\\n---\\n# {url}"
    return SimpleNamespace(text=text, author="Ann", sitename="Site", license="CC BY 4.0")
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "trafilatura.py").write_text(LIBRARY)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    yield folder
    sys.modules.pop("trafilatura", None)


def crawled(out: Path, extractor: str = "trafilatura", **choices: Any) -> list[dict[str, Any]]:
    given: dict[str, Any] = {"web": WEB, "topic": WEB.topic(), "seeds": SEEDS, "max_pages": 40} | choices
    f.crawl(**given, out=out, text_extractor=extractor, progress=False)
    return lines(out / "pages.jsonl")


def test_kept_pages_have_the_markdown_of_the_library(library: Path, tmp_path: Path) -> None:
    ours = crawled(tmp_path / "ours", "own")
    pages = crawled(tmp_path / "run")
    assert len(pages) == len(ours) > 5
    for page, our in zip(pages, ours, strict=True):
        assert page["markdown"] == f"# {page['final_url']}" != our["markdown"]
        assert (page["author"], page["site_name"], page["license"]) == ("Ann", "Site", "CC BY 4.0")
        assert page["text_extractor"] == "trafilatura" and our["text_extractor"] is None
        rest = page.keys() - {"markdown", "fetched_at", "author", "site_name", "license", "text_extractor"}
        assert {name: page[name] for name in rest} == {name: our[name] for name in rest}


def test_visits_do_not_depend_on_it_and_a_run_may_change_it(library: Path, tmp_path: Path) -> None:
    first = crawled(tmp_path / "run", "own", max_pages=20)
    half = crawled(tmp_path / "run", max_pages=20)
    more = crawled(tmp_path / "run", "own", max_pages=40)
    whole = crawled(tmp_path / "run", max_pages=40)
    made = [[page["text_extractor"] for page in pages] for pages in (first, half, more, whole)]
    library_made = ["trafilatura"] * len(first)
    assert made[0] == [None] * len(first) and made[1] == library_made
    assert made[2] == library_made + [None] * (len(more) - len(first))
    assert made[3] == ["trafilatura"] * len(more)
    assert [page["id"] for page in whole] == [page["id"] for page in crawled(tmp_path / "other", "own")]


def test_an_export_names_author_site_and_licence(library: Path, tmp_path: Path) -> None:
    crawled(tmp_path / "run")
    run = f.open_run(tmp_path / "run")
    assert (run.pages[0].author, run.pages[0].license) == ("Ann", "CC BY 4.0")
    run.export(tmp_path / "notes", format="markdown")
    text = next((tmp_path / "notes").iterdir()).read_text()
    assert '\nauthor: "Ann"\n' in text and "\n# http://" in text


def test_a_frozen_web_and_its_redirects(library: Path, tmp_path: Path) -> None:
    rain = "<title>Rain</title><p>" + "Rain and flood and rain again. " * 9 + "<a href=b>b</a>"
    rows = [
        {"url": "http://a.example/", "html": rain},
        {"url": "http://a.example/b", "html": "", "status": 301, "redirect": "http://a.example/c"},
        {"url": "http://a.example/c", "html": rain.replace("again", "once more")},
    ]
    (tmp_path / "web").mkdir()
    with gzip.open(tmp_path / "web" / "pages.jsonl.gz", "wt") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows))
    topic = {"rain": 1.0, "flood": 0.5}
    pages = crawled(
        tmp_path / "run", web=tmp_path / "web", topic=topic, seeds=["http://a.example/"], eta=0.01
    )
    assert [page["markdown"] for page in pages] == ["# http://a.example/", "# http://a.example/c"]


def test_a_live_crawl_extracts_from_its_archive(library: Path, tmp_path: Path) -> None:
    body = "<title>Rain</title><p>" + "Rain and flood and rain again. " * 9
    with serving_apart({"http://a.example/": answer(body)}) as server:
        pages = crawled(
            tmp_path / "run",
            web=None,
            topic={"rain": 1.0},
            seeds=["http://a.example/"],
            eta=0.01,
            contact="a@b.example",
            allow_private=True,
            connect_to=f"127.0.0.1:{server.port}",
            delay=0,
        )
    assert [page["markdown"] for page in pages] == ["# http://a.example/"]
    assert pages[0]["warc"] is not None


@pytest.mark.parametrize("kind", ["slow", "large", "broken", "empty"])
def test_a_page_that_the_library_cannot_read_keeps_our_markdown(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    small_run(tmp_path / "run")
    before = kept(tmp_path / "run")
    bad = before[1]["final_url"]
    monkeypatch.setenv("FAKE", f"{bad.rpartition('/')[2]}={kind}")
    workers = Workers(1, seconds=0.5, memory=1 << 30)
    assert extract_kept(tmp_path / "run", stored_html(WEB, tmp_path), workers) is None
    same_name = [page for page in before if page["final_url"].rpartition("/")[2] == bad.rpartition("/")[2]]
    after = kept(tmp_path / "run")
    assert after[1] == before[1]
    assert sum(page["text_extractor"] is None for page in after) == len(same_name) < len(after)


def test_a_worker_says_why(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE", "b=broken,e=empty")

    async def main() -> list[Extracted | Failure]:
        async with Workers(1) as workers:
            urls = ("http://a.example/b", "http://a.example/e", "http://a.example/")
            return [await workers.extract(TextJob(b"<p>x", url, "text/html")) for url in urls]

    broken, empty, good = asyncio.run(main())
    assert isinstance(broken, Failure) and broken.why is Why.INTERNAL and "KeyError" in broken.detail
    assert isinstance(empty, Failure) and empty.why is Why.NOT_HTML
    assert isinstance(good, Extracted) and good.markdown == "# http://a.example/"


def test_an_interrupted_extraction_is_continued(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE", "pause=0.5")
    command = ("crawl", "--web", "generated-400-0", "--topic", "rainstorm", "--seeds", SEEDS[0])
    more = ("--max-pages", "40", "--out", tmp_path / "run", "--text-extractor", "trafilatura")
    process = start((*command, *more))
    while not (tmp_path / "run" / ".extracted").exists():
        assert process.poll() is None
    process.terminate()
    assert finish(process)[0] == 11
    assert not (tmp_path / "run" / ".extracted").exists()
    assert summary(tmp_path / "run")["resume"].startswith("continues with the texts of kept pages")
    before = lines(tmp_path / "run" / "pages.jsonl")
    assert not all(page["text_extractor"] for page in before)
    monkeypatch.setenv("FAKE", "")
    assert run(*command, *more)[0] == 0
    after = lines(tmp_path / "run" / "pages.jsonl")
    assert len(after) == len(before) and all(page["text_extractor"] for page in after)
    assert summary(tmp_path / "run")["resume"].startswith("nothing: the budget is spent")


def test_interrupted_twice_it_drops_the_texts(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE", "pause=60")
    command = ("crawl", "--web", "generated-400-0", "--topic", "rainstorm", "--seeds", SEEDS[0])
    process = start(
        (*command, "--max-pages", "9", "--out", tmp_path / "run", "--text-extractor", "trafilatura")
    )
    while not (tmp_path / "run" / ".extracted").exists():
        assert process.poll() is None
    for _ in range(2):
        process.send_signal(signal.SIGINT)
        time.sleep(1)  # two at once would be one
    code, _, said = finish(process)
    assert code == 13 and "Traceback" not in said
    assert not (tmp_path / "run" / ".extracted").exists()
    assert not any(page["text_extractor"] for page in lines(tmp_path / "run" / "pages.jsonl"))


def test_ctrl_c_is_that_of_the_program_again(library: Path, tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    crawled(tmp_path / "run")
    assert signal.getsignal(signal.SIGINT) is before


def test_a_line_that_a_crash_cut_off_is_not_read(library: Path, tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    before = kept(tmp_path / "run")
    with (tmp_path / "run" / "pages.jsonl").open("ab") as file:
        file.write(b'{"id": "cut')
    assert extract_kept(tmp_path / "run", stored_html(WEB, tmp_path), Workers(1)) is None
    after = kept(tmp_path / "run")
    assert len(after) == len(before) and all(page["text_extractor"] for page in after)


def test_without_the_library_nothing_is_crawled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcwseo.pages.extractors.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'fcwseo\[text\]'"):
        crawled(tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "fault",
    ["raise ImportError('lxml.html.clean is\\na project of its own.')", "import nowhere_at_all", "1 / 0"],
)
def test_a_library_that_cannot_be_imported_ends_the_command_before_the_crawl(
    library: Path, tmp_path: Path, fault: str
) -> None:
    (library / "trafilatura.py").write_text(fault)
    command = ("crawl", "--web", "generated-400-0", "--topic", "rainstorm", "--seeds", SEEDS[0])
    code, _, said = run(*command, "--out", tmp_path / "run", "--text-extractor", "trafilatura")
    cause = {"r": "clean is a project of its own; ", "i": "nowhere_at_all", "1": "division by zero"}[fault[0]]
    assert code == 1 and not (tmp_path / "run").exists()
    assert len(said.splitlines()) == 1 and "'trafilatura' cannot be imported: " in said and cause in said


def test_a_line_says_how_many_pages_keep_our_markdown(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    crawled(tmp_path / "ours", "own")
    bad = kept(tmp_path / "ours")[1]["final_url"].rpartition("/")[2]
    monkeypatch.setenv("FAKE", f"{bad}=empty")
    pages = crawled(tmp_path / "run")
    ours = sum(page["text_extractor"] is None for page in pages)
    assert 0 < ours < len(pages)
    assert f"{ours} of {len(pages)} pages keep our own Markdown" in caplog.text
    assert "has no main text" in caplog.text


def test_nothing_is_said_if_all_pages_are_read(
    library: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    crawled(tmp_path / "run")
    assert "our own Markdown" not in caplog.text


def test_another_name_is_refused(tmp_path: Path) -> None:
    said = (
        r"^the call has a crawl.text_extractor .* no text extractor 'justext'; there are: own, trafilatura$"
    )
    with pytest.raises(InvalidInput, match=said):
        crawled(tmp_path / "run", "justext")


def test_a_web_without_html_is_refused(library: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="stores no HTML"):
        stored_html(SmallWeb({}), tmp_path)


@pytest.mark.extra
def test_the_library_itself(tmp_path: Path) -> None:
    pytest.importorskip("trafilatura")
    sentence = "The river rose by two metres in one night and flooded the <a href=/town>old town</a> again."
    html = (
        "<html><head><title>Rain</title><meta name=author content='Ann Lee'>"
        "<meta property='og:site_name' content='The Courier'></head><body><article><h1>Rain</h1>"
        f"<p>{sentence} {sentence}</p><p>{sentence} <b>Forty houses</b> stood in water.</p>"
        "<table><tr><th>Day</th><th>mm</th></tr><tr><td>Monday</td><td>80</td></tr></table></article>"
        "<footer><a rel=license href='https://creativecommons.org/licenses/by/4.0/'>CC BY</a></footer>"
    )

    async def main() -> Extracted | Failure:
        async with Workers(1) as workers:
            return await workers.extract(TextJob(html.encode(), "http://a.example/x", "text/html"))

    found = asyncio.run(main())
    assert isinstance(found, Extracted)
    assert (found.author, found.site_name, found.license) == ("Ann Lee", "The Courier", "CC BY 4.0")
    assert "[old town](http://a.example/town)" in found.markdown and "| Monday | 80 |" in found.markdown
    assert not found.markdown.startswith("---")
