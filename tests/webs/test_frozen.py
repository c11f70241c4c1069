"""Frozen webs: the same pages from folders and archives, parsed once and kept."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from helpers.webs import WarcResponse, frozen_web, warc_bytes, write_lines, write_wacz, write_warc, write_web

import fcwseo.webs.frozen
from fcwseo.errors import InvalidInput, InvalidWeb
from fcwseo.files import cache_folder
from fcwseo.pages import Failure, Page, Why
from fcwseo.webs.frozen import FrozenWeb

A = "http://a.example/"
PAGES = {
    A: "<title>Home</title><a href=b>to b</a><a href=none>to nowhere</a>",
    f"{A}b": "<title>B</title><p>Rain <a href='http://b.example/'>elsewhere</a>",
}


def fetch(web: FrozenWeb, url: str) -> Page | Failure:
    return asyncio.run(web.fetch(url))


def fetch_page(web: FrozenWeb, url: str) -> Page:
    answer = fetch(web, url)
    assert isinstance(answer, Page)
    return answer


def why(web: FrozenWeb, url: str) -> Why:
    answer = fetch(web, url)
    assert isinstance(answer, Failure) and answer.url == url
    return answer.why


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache that nobody has used yet."""
    monkeypatch.setenv("FCWSEO_CACHE", str(tmp_path / "own cache"))
    return tmp_path / "own cache"


def kept(cache: Path) -> list[Path]:
    return sorted((cache / "webs").iterdir())


# --- pages ------------------------------------------------------------------------------------------------


def test_pages_are_fetched_as_they_were_parsed(tmp_path: Path) -> None:
    web = frozen_web(tmp_path, PAGES, name="small")
    assert (web.name, len(web), list(web.urls()), web.problems) == ("small", 2, list(PAGES), ())
    page = fetch_page(web, A)
    assert (page.url, page.title, page.status) == (A, "Home", 200)
    assert [(link.target, link.anchor) for link in page.links] == [
        (f"{A}b", "to b"),
        (f"{A}none", "to nowhere"),
    ]
    assert [web.page(row).title for row in range(2)] == ["Home", "B"]


def test_a_web_without_a_name_is_called_like_its_folder(tmp_path: Path) -> None:
    assert frozen_web(tmp_path / "rainy", PAGES).name == "rainy"
    assert FrozenWeb(write_warc(tmp_path / "a.warc.gz", [WarcResponse(A)])).name == "a.warc.gz"


def test_links_to_what_is_not_there_are_dead(tmp_path: Path) -> None:
    web = frozen_web(tmp_path, PAGES)
    assert (
        why(web, f"{A}none") == why(web, "http://b.example/") == why(web, "https://a.example/") == Why.OUTSIDE
    )
    assert f"{A}none" not in web and web.resolve(f"{A}none") is None
    assert A in web and web.resolve(A) == A


def test_no_crawler_sees_labels(tmp_path: Path) -> None:
    web = frozen_web(tmp_path, PAGES, labels={A: ["rain", "home"]}, redirects={f"{A}old": A})
    assert web.labels(A) == ("rain", "home")
    assert web.labels(f"{A}b") == web.labels(f"{A}none") == ()
    assert "labels" not in Page.__struct_fields__
    unlabelled = frozen_web(tmp_path / "other", PAGES)
    assert fetch(web, A) == fetch(unlabelled, A)


def test_the_first_of_two_pages_with_one_address_counts(tmp_path: Path) -> None:
    web = frozen_web(tmp_path, {A: "<title>first</title>", f"{A}#x": "second", "HTTP://A.example": "third"})
    assert (len(web), fetch_page(web, A).title) == (1, "first")
    assert len(web.problems) == 2
    assert web.problems[0].endswith(f"line 2: a second page with the URL {A}; the first is used")


# --- redirects and failures -------------------------------------------------------------------------------


def test_redirects_are_followed_to_their_end(tmp_path: Path) -> None:
    chain = {f"{A}{i}": f"{A}{i + 1}" for i in range(9)} | {f"{A}9": A}
    web = frozen_web(tmp_path, PAGES, redirects=chain)
    assert fetch_page(web, f"{A}0").url == A
    assert web.resolve(f"{A}0") == A and f"{A}0" in web
    assert len(web) == 2


def test_redirects_without_end_and_to_nowhere_are_failures(tmp_path: Path) -> None:
    redirects = {f"{A}x": f"{A}y", f"{A}y": f"{A}x", f"{A}self": f"{A}self", f"{A}out": "http://c.example/"}
    redirects |= {f"{A}{i}": f"{A}{i + 1}" for i in range(30)} | {f"{A}30": A} | {f"{A}lost": f"{A}404"}
    web = frozen_web(tmp_path, PAGES, redirects=redirects, gone={f"{A}404": 404})
    assert why(web, f"{A}x") == why(web, f"{A}self") == why(web, f"{A}0") == Why.REDIRECTS
    assert why(web, f"{A}lost") == Why.GONE
    assert fetch(web, f"{A}out") == Failure(f"{A}out", Why.OUTSIDE, "redirected to http://c.example/")
    assert fetch_page(web, f"{A}25").url == A


def test_a_page_counts_more_than_a_redirect_from_its_address(tmp_path: Path) -> None:
    web = frozen_web(tmp_path, PAGES, redirects={f"{A}?sessionid=1": f"{A}b"})  # canonically the same
    assert fetch_page(web, A).title == "Home"


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503, 304])
def test_what_was_answered_with_an_error_is_gone(tmp_path: Path, status: int) -> None:
    web = frozen_web(tmp_path, PAGES, gone={f"{A}x": status})
    assert fetch(web, f"{A}x") == Failure(f"{A}x", Why.GONE, f"status {status}")
    assert len(web) == 2


def test_a_redirect_needs_no_status(tmp_path: Path) -> None:
    lines = [{"url": A, "html": "home"}, {"url": f"{A}old", "redirect": "/"}]
    web = FrozenWeb(write_lines(tmp_path, [json.dumps(line).encode() for line in lines]))
    assert web.resolve(f"{A}old") == A


# --- loose addresses --------------------------------------------------------------------------------------

LOOSE = {"https://a.example/~ann/": "ann", f"{A}dir/index.html": "dir", f"{A}caf%C3%A9.html": "café"}
SPELLINGS = {
    "http://a.example/%7Eann": 0,
    "http://a.example/~ann/index.html": 0,
    "https://a.example/dir": 1,
    "http://a.example/dir/home.php": 1,
    "https://a.example/caf%c3%a9.html": 2,
}


@pytest.mark.parametrize(("url", "row"), SPELLINGS.items())
def test_a_loose_web_finds_other_spellings(tmp_path: Path, url: str, row: int) -> None:
    web = frozen_web(tmp_path, LOOSE, labels={page: [page] for page in LOOSE}, loose_urls=True)
    page = list(LOOSE)[row]
    assert web.resolve(url) == fetch_page(web, url).url == page
    assert web.labels(url) == (page,)
    assert web.resolve("http://a.example/other") is None


@pytest.mark.parametrize("url", SPELLINGS)
def test_a_strict_web_does_not(tmp_path: Path, url: str) -> None:
    assert frozen_web(tmp_path, LOOSE, loose_urls=False).resolve(url) is None


def test_redirects_are_found_loosely_too(tmp_path: Path) -> None:
    web = frozen_web(tmp_path, LOOSE, redirects={f"{A}old/": f"{A}dir"}, loose_urls=True)
    assert web.resolve("https://a.example/old/index.html") == f"{A}dir/index.html"


def test_an_exact_address_counts_more_than_a_loose_one(tmp_path: Path) -> None:
    pages = {f"{A}x": "<title>x</title>", f"{A}x/": "<title>x/</title>"}
    web = frozen_web(tmp_path, pages, loose_urls=True)
    assert [fetch_page(web, url).title for url in (f"{A}x", f"{A}x/", f"{A}x/index.html")] == ["x", "x/", "x"]


# --- archives ---------------------------------------------------------------------------------------------


def test_an_archive_gives_the_same_pages_as_a_folder(tmp_path: Path) -> None:
    answers = [WarcResponse(url, html) for url, html in PAGES.items()]
    answers += [
        WarcResponse(f"{A}old", status="301 Moved", headers=(("Location", "/b"),)),
        WarcResponse(f"{A}x", "no", "404 Not Found"),
    ]
    folder = frozen_web(tmp_path / "folder", PAGES, redirects={f"{A}old": f"{A}b"}, gone={f"{A}x": 404})
    plain = FrozenWeb(write_warc(tmp_path / "a.warc", answers))
    zipped = FrozenWeb(write_warc(tmp_path / "a.warc.gz", answers))
    wacz = FrozenWeb(write_wacz(tmp_path / "a.wacz", {"1.warc.gz": warc_bytes(answers)}))
    for web in (plain, zipped, wacz):
        assert list(web.urls()) == list(folder.urls())
        for url in (*PAGES, f"{A}old", f"{A}x", f"{A}none"):
            assert fetch(web, url) == fetch(folder, url)


def test_the_bytes_of_an_archive_are_read_in_their_encoding(tmp_path: Path) -> None:
    answers = [
        WarcResponse(
            A, "<title>Überflutung</title>".encode("cp1252"), content_type="text/html; charset=latin-1"
        ),
        WarcResponse(
            f"{A}meta", "<meta charset=gb2312><title>暴雨</title>".encode("gb2312"), content_type="text/html"
        ),
    ]
    web = FrozenWeb(write_warc(tmp_path / "a.warc.gz", answers))
    assert [web.page(row).title for row in range(2)] == ["Überflutung", "暴雨"]


# --- what is damaged --------------------------------------------------------------------------------------


def test_bad_lines_are_named_and_the_other_pages_are_there(tmp_path: Path) -> None:
    good = [json.dumps({"url": url, "html": html}).encode() for url, html in PAGES.items()]
    web = FrozenWeb(write_lines(tmp_path, [good[0], good[1][:40], b"{}", good[1]]))
    assert list(web.urls()) == list(PAGES)
    assert ["line 2: not a page" in web.problems[0], "line 3: not a page" in web.problems[1]] == [True, True]


@pytest.mark.parametrize("lines", [[], [b""], [b"rubbish"], [b'{"url": "http://a.example/", "status": 404}']])
def test_a_folder_without_a_single_page_is_an_error(
    tmp_path: Path, own_cache: Path, lines: list[bytes]
) -> None:
    with pytest.raises(InvalidWeb, match="has no pages"):
        FrozenWeb(write_lines(tmp_path / "web", lines))
    assert kept(own_cache) == []


def test_the_error_says_what_is_wrong_with_the_first_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidWeb, match=r"has no pages: .*line 1: not a page"):
        FrozenWeb(write_lines(tmp_path, [b"rubbish"] * 3))


def test_a_damaged_file_leaves_nothing_behind(tmp_path: Path, own_cache: Path) -> None:
    source = write_web(tmp_path / "web", PAGES) / "pages.jsonl.gz"
    source.write_bytes(source.read_bytes()[:-20])
    with pytest.raises(InvalidWeb, match="damaged"):
        FrozenWeb(tmp_path / "web")
    assert kept(own_cache) == []


@pytest.mark.parametrize("what", ["missing", "empty", "a file"])
def test_what_is_no_web_is_an_error_that_names_it(tmp_path: Path, what: str) -> None:
    path = tmp_path / "web"
    if what == "empty":
        path.mkdir()
    elif what == "a file":
        path.write_text("rain")
    with pytest.raises(InvalidWeb, match=str(path)) as error:
        FrozenWeb(path)
    assert "\n" not in str(error.value)


def test_a_folder_in_place_of_the_pages_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl.gz").mkdir()
    with pytest.raises(InvalidWeb, match=r"pages\.jsonl\.gz"):
        FrozenWeb(tmp_path)


@pytest.mark.skipif(sys.platform == "darwin", reason="names of files are text there")
def test_names_that_are_no_text(tmp_path: Path) -> None:
    """A folder may be called anything; what is kept of it is text."""
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9"))
    good = [json.dumps({"url": A, "html": "\ud800", "labels": ["\ud800"]}).encode()]
    web = FrozenWeb(write_lines(folder, [*good, b"rubbish"]))
    assert "caf?" in web.problems[0]


# --- what is kept -----------------------------------------------------------------------------------------


def no_parsing(*_: Any, **__: Any) -> Page:
    raise AssertionError("a page was parsed again")


def test_pages_are_parsed_once(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = frozen_web(
        tmp_path / "web", PAGES, labels={A: ["x"]}, redirects={f"{A}old": A}, gone={f"{A}x": 404}
    )
    monkeypatch.setattr(fcwseo.webs.frozen, "parse", no_parsing)
    second = FrozenWeb(tmp_path / "web")
    for url in (*PAGES, f"{A}old", f"{A}x", f"{A}none"):
        assert fetch(second, url) == fetch(first, url)
    assert (second.labels(A), second.identity) == (("x",), first.identity)
    assert len(kept(own_cache)) == 1


def test_the_same_content_elsewhere_is_not_parsed_again(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = frozen_web(tmp_path / "web", PAGES, name="one")
    shutil.copytree(tmp_path / "web", tmp_path / "copy")
    (tmp_path / "copy" / "meta.json").write_text('{"name": "two"}')
    monkeypatch.setattr(fcwseo.webs.frozen, "parse", no_parsing)
    copy = FrozenWeb(tmp_path / "copy")
    assert (copy.name, copy.identity) == ("two", first.identity)


def test_other_content_and_another_parser_are_kept_apart(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = frozen_web(tmp_path / "web", PAGES)
    changed = frozen_web(tmp_path / "web", PAGES | {A: "<title>changed</title>"})
    assert (fetch_page(first, A).title, fetch_page(changed, A).title) == ("Home", "changed")
    assert first.identity != changed.identity
    monkeypatch.setattr(fcwseo.webs.frozen, "PARSER_VERSION", "of tomorrow")
    monkeypatch.setattr(fcwseo.webs.frozen, "parse", lambda _, url, **__: Page(url, "by tomorrow's parser"))
    assert fetch_page(FrozenWeb(tmp_path / "web"), A).title == "by tomorrow's parser"
    assert len(kept(own_cache)) == 3


def test_progress_is_reported_while_pages_are_parsed(tmp_path: Path, own_cache: Path) -> None:
    counts: list[int] = []
    FrozenWeb(write_web(tmp_path / "web", PAGES), progress=counts.append)
    FrozenWeb(tmp_path / "web", progress=counts.append)
    assert counts == [1, 2]


def test_the_cache_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    assert cache_folder() == cache
    monkeypatch.setenv("FCWSEO_CACHE", "")
    assert cache_folder().name == "fcwseo"


def test_the_cache_may_be_deleted_at_any_time(tmp_path: Path, own_cache: Path) -> None:
    web = frozen_web(tmp_path / "web", PAGES)
    shutil.rmtree(own_cache)
    assert fetch_page(web, A).title == "Home"
    assert fetch_page(FrozenWeb(tmp_path / "web"), A).title == "Home"


@pytest.mark.parametrize("file", ["index", "ends", "pages"])
@pytest.mark.parametrize("damage", ["removed", "emptied", "cut"])
def test_a_damaged_cache_is_an_error_that_says_what_to_delete(
    tmp_path: Path, own_cache: Path, file: str, damage: str
) -> None:
    frozen_web(tmp_path / "web", PAGES)
    (folder,) = kept(own_cache)
    content = (folder / file).read_bytes()
    (folder / file).unlink()
    if damage != "removed":
        (folder / file).write_bytes(content[:-3] if damage == "cut" else b"")
    with pytest.raises(InvalidWeb, match=f"{folder.name} are damaged .*: delete that folder"):
        FrozenWeb(tmp_path / "web")


def test_a_cache_that_cannot_be_made_is_an_error_that_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a file").write_text("")
    monkeypatch.setenv("FCWSEO_CACHE", str(tmp_path / "a file" / "cache"))
    with pytest.raises(InvalidInput, match=r"a file.*: set FCWSEO_CACHE"):
        frozen_web(tmp_path / "web", PAGES)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_cache_that_may_not_be_written_is_an_error(tmp_path: Path, own_cache: Path) -> None:
    own_cache.mkdir(mode=0o500)
    with pytest.raises(InvalidInput, match="set FCWSEO_CACHE"):
        frozen_web(tmp_path / "web", PAGES)


def test_a_source_that_may_only_be_read_is_fine(tmp_path: Path, own_cache: Path) -> None:
    path = write_web(tmp_path / "web", PAGES)
    before = sorted(file.name for file in path.iterdir())
    (path / "pages.jsonl.gz").chmod(0o400)
    path.chmod(0o500)
    try:
        assert len(FrozenWeb(path)) == 2
    finally:
        path.chmod(0o700)
    assert sorted(file.name for file in path.iterdir()) == before


@pytest.mark.slow
def test_a_full_disk_is_said_and_leaves_nothing_behind(tmp_path: Path, own_cache: Path) -> None:
    path = write_web(tmp_path / "web", {f"{A}{i}": f"<p>{os.urandom(500).hex()}" for i in range(50)})
    program = """
import resource, sys
from pathlib import Path
from fcwseo.errors import NoSpace
from fcwseo.webs.frozen import FrozenWeb
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    FrozenWeb(Path(sys.argv[1]))
except NoSpace as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("no space left to write")
    assert kept(own_cache) == []
    assert len(FrozenWeb(path)) == 50


COUNT = """
import asyncio, sys
from pathlib import Path
from fcwseo.webs.frozen import FrozenWeb
print("ready", flush=True)
sys.stdin.readline()
web = FrozenWeb(Path(sys.argv[1]))
print(len(web), sum(len(asyncio.run(web.fetch(url)).links) for url in web.urls()))
"""


@pytest.mark.slow
def test_processes_that_parse_the_same_web_at_once_do_not_meet(tmp_path: Path, own_cache: Path) -> None:
    pages = {f"{A}{i}": "".join(f"<a href={j}>{j}</a>" for j in range(40)) for i in range(300)}
    path = write_web(tmp_path / "web", pages)
    command = [sys.executable, "-c", COUNT, str(path)]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in started:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate()[0] for process in started] == ["300 12000\n"] * 3
    assert [process.returncode for process in started] == [0, 0, 0]
    assert len(kept(own_cache)) == 1


def test_a_process_that_is_killed_leaves_no_half_web(tmp_path: Path, own_cache: Path) -> None:
    program = COUNT.replace("web = ", "import os; web = ").replace(
        "Path(sys.argv[1]))", "Path(sys.argv[1]), progress=lambda n: n < 2 or os.kill(os.getpid(), 9))"
    )
    path = write_web(tmp_path / "web", PAGES)
    killed = subprocess.run(
        [sys.executable, "-c", program, str(path)], input="go\n", capture_output=True, text=True
    )
    assert killed.returncode == -9
    assert [folder for folder in kept(own_cache) if (folder / "index").exists()] == []
    assert len(FrozenWeb(path)) == 2
