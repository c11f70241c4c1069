"""Webs by name: what they hold, and how they are made and imported."""

import asyncio
import gzip
import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest
from helpers.webs import WarcResponse, frozen_web, warc_bytes, write_lines, write_wacz, write_warc, write_web

import fcwseo.webs.opening
from fcwseo.errors import FcwseoError, InvalidInput, InvalidWeb
from fcwseo.pages import Page
from fcwseo.pages.parse import parse
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import describe, import_web, make_web, open_web
from fcwseo.webs.protocol import ClosedWeb

A, B = "http://a.example/", "http://b.example/"


def fetch_page(web: ClosedWeb, url: str) -> Page:
    answer = asyncio.run(web.fetch(url))
    assert isinstance(answer, Page)
    return answer


def lines(path: Path) -> list[dict[str, object]]:
    with gzip.open(path / "pages.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


# --- what a web holds -------------------------------------------------------------------------------------


def test_links_are_distinct_pairs_of_pages_of_the_web(tmp_path: Path) -> None:
    web = frozen_web(
        tmp_path,
        {
            A: "<a href=x>1</a><a href=x#part>again</a><a href=/>self</a><a href=http://c.example/>outside</a>",
            f"{A}x": "<a href=old>by a redirect</a><a href=/>straight</a><a href=y>2</a><a href=gone>no</a>",
            f"{A}y": "<a href=loop>nowhere</a><a href=me>to myself by a redirect</a>",
            B: f"<a href={A}>1</a><a href={A}x>2</a><a href={A}y>3</a>",
        },
        redirects={f"{A}old": A, f"{A}loop": f"{A}loop", f"{A}me": f"{A}y"},
        gone={f"{A}gone": 404},
        labels={A: ["rain", "home"], f"{A}x": ["rain"], B: ["storm"]},
        name="counted",
    )
    assert describe(web) == {
        "name": "counted",
        "pages": 4,
        "hosts": 2,
        "links": 1 + 2 + 0 + 3,
        "labels": {"rain": 2, "home": 1, "storm": 1},
    }


def test_labels_stand_in_order_of_their_counts_and_names(tmp_path: Path) -> None:
    labels = {A: ["b", "a"], f"{A}x": ["c"], f"{A}y": ["c"]}
    web = frozen_web(tmp_path, dict.fromkeys(labels, ""), labels=labels)
    assert list(describe(web)["labels"].items()) == [("c", 2), ("a", 1), ("b", 1)]


def test_links_of_a_loose_web_are_counted_by_the_pages_that_they_find(tmp_path: Path) -> None:
    pages = {
        A: "<a href=/x/>1</a><a href=/x/index.html>the same</a><a href=/index.html>self</a>",
        f"{A}x": "",
    }
    assert describe(frozen_web(tmp_path / "loose", pages, loose_urls=True))["links"] == 1
    assert describe(frozen_web(tmp_path / "strict", pages))["links"] == 0


def test_progress_is_reported_page_by_page(tmp_path: Path) -> None:
    counts: list[int] = []
    describe(frozen_web(tmp_path, {A: "", f"{A}x": ""}), progress=counts.append)
    assert counts == [1, 2]


# --- webs by name -----------------------------------------------------------------------------------------


def test_a_generated_web_is_opened_by_its_name() -> None:
    web = open_web("generated-500-7")
    assert isinstance(web, GeneratedWeb)
    assert (len(web), web.identity) == (500, GeneratedWeb(7, 500).identity)


def test_folders_and_archives_are_opened_by_their_paths(tmp_path: Path) -> None:
    assert len(open_web(str(write_web(tmp_path / "generated-500", {A: ""})))) == 1
    assert len(open_web(str(write_warc(tmp_path / "a.warc", [WarcResponse(A)])))) == 1


@pytest.mark.parametrize("name", ["none", "", "generated-5-x", "generated--5-1", "generated-3-1"])
def test_what_is_no_web_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FcwseoError) as error:
        open_web(name)
    assert error.value.exit_code == 4


# --- generated webs, written down -------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_web_is_written_in_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make_web(GeneratedWeb(5, 200), tmp_path / name)
    for file in ("pages.jsonl.gz", "meta.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    make_web(GeneratedWeb(6, 200), tmp_path / "other")
    assert FrozenWeb(tmp_path / "one").identity != FrozenWeb(tmp_path / "other").identity


@pytest.mark.slow
def test_a_generated_web_and_its_copy_give_the_same_pages(tmp_path: Path) -> None:
    web = GeneratedWeb(5, 300)
    make_web(web, tmp_path / "copy")
    copy = FrozenWeb(tmp_path / "copy")
    assert list(copy.urls()) == list(web.urls())
    assert copy.problems == ()
    moved = 0
    for url in web.urls():
        page = fetch_page(web, url)
        assert fetch_page(copy, url) == page
        assert copy.labels(url) == web.labels(url)
        for link in page.links:
            if web.redirect(link.target):
                moved += 1
                assert copy.resolve(link.target) == web.resolve(link.target)
    assert moved > 0  # otherwise this shows little


@pytest.mark.slow
def test_the_copy_of_a_generated_web_leaves_out_its_endless_calendars(tmp_path: Path) -> None:
    web = GeneratedWeb(5, 300)
    make_web(web, tmp_path / "copy")
    copy = FrozenWeb(tmp_path / "copy")
    urls = set(web.urls())
    days = {link.target for url in urls for link in fetch_page(web, url).links if "/calendar/" in link.target}
    assert days and days.isdisjoint(urls)
    assert [day for day in days if day in copy] == []
    facts, copied = describe(web), describe(copy)
    assert facts["links"] > copied["links"]
    assert {**facts, "links": 0} == {**copied, "links": 0}


def test_progress_is_reported_while_a_web_is_written(tmp_path: Path) -> None:
    counts: list[int] = []
    make_web(GeneratedWeb(0, 50), tmp_path / "web", progress=counts.append)
    assert counts == list(range(1, 51))


# --- imports ----------------------------------------------------------------------------------------------


def write_files(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def test_a_folder_of_files_becomes_a_web(tmp_path: Path) -> None:
    source = write_files(
        tmp_path / "files",
        {
            "index.html": "<title>Home</title><a href=sub/b.htm>b</a><a href='sub/'>sub</a>",
            "sub/index.html": "<title>Sub</title>",
            "sub/b.htm": "<meta charset=latin-1><title>Überflutung</title>".encode("latin-1"),
            "sub/C D.XHTML": "<title>C</title><a href='../index.html'>home</a>",
            "style.css": "p {}",
            "picture.png": b"\x89PNG",
        },
    )
    assert import_web(source, tmp_path / "web") == []
    web = FrozenWeb(tmp_path / "web")
    local = "http://local.example/"
    assert list(web.urls()) == [
        f"{local}{name}" for name in ("index.html", "sub/C%20D.XHTML", "sub/b.htm", "sub/index.html")
    ]
    assert fetch_page(web, f"{local}sub/b.htm").title == "Überflutung"
    assert [web.resolve(link.target) for link in fetch_page(web, local).links] == [
        *(f"{local}sub/b.htm", f"{local}sub/index.html")
    ]
    assert web.meta == {"name": "web", "source": "files", "loose_urls": True, "records": 4}


@pytest.mark.parametrize("base", ["http://a.example/docs", "http://a.example/docs/"])
def test_files_lie_below_the_base(tmp_path: Path, base: str) -> None:
    source = write_files(tmp_path / "files", {"x.html": "x", "b.example/y.html": "y"})
    import_web(source, tmp_path / "web", base=base)
    assert list(FrozenWeb(tmp_path / "web").urls()) == [f"{A}docs/b.example/y.html", f"{A}docs/x.html"]


def test_the_folders_of_a_mirror_are_hosts(tmp_path: Path) -> None:
    """As wget leaves one behind: queries in names, pages without a suffix, files that are no pages."""
    source = write_files(
        tmp_path / "mirror",
        {
            "a.example/index.html": "<a href=wiki/Rain>1<a href=list.php?page=2>2</a><a href=//b.example>",
            "a.example/wiki/Rain": "<!DOCTYPE html><title>Rain</title><a href='/wiki/Talk:Rain'>talk</a>",
            "a.example/wiki/Talk:Rain": "\n<HTML><title>Talk</title>",
            "a.example/list.php?page=2": "<title>List</title>",
            "a.example/robots.txt": "User-agent: *",
            "a.example/data": b"\x00\x01 <html>",
            "b.example/index.html": "<title>B</title>",
            "notes.html": "<title>Notes</title>",
        },
    )
    assert import_web(source, tmp_path / "web") == []
    web = FrozenWeb(tmp_path / "web")
    assert len(web) == 6
    assert [web.resolve(link.target) for link in fetch_page(web, A).links] == [
        *(f"{A}wiki/Rain", f"{A}list.php%3Fpage=2", f"{B}index.html")
    ]
    assert [web.resolve(link.target) for link in fetch_page(web, f"{A}wiki/Rain").links] == [
        f"{A}wiki/Talk:Rain"
    ]
    assert "http://local.example/notes.html" in web


def test_symbolic_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    secret = write_files(tmp_path / "home", {"secret.html": "<title>secret</title>"})
    source = write_files(tmp_path / "files", {"a.html": "<title>A</title>"})
    (source / "inside.html").symlink_to(source / "a.html")
    (source / "outside.html").symlink_to(secret / "secret.html")
    (source / "folder").symlink_to(secret)
    (source / "beside.html").symlink_to("../home/secret.html")
    problems = import_web(source, tmp_path / "web")
    assert [problem.rpartition("/")[2] for problem in problems] == [
        "beside.html: a symbolic link out of the folder",
        "outside.html: a symbolic link out of the folder",
    ]
    titles = [
        fetch_page(FrozenWeb(tmp_path / "web"), url).title for url in FrozenWeb(tmp_path / "web").urls()
    ]
    assert titles == ["A", "A"]


def test_names_of_files_are_never_read_as_addresses(tmp_path: Path) -> None:
    names = ["http:x.html", "a%41.html", "b#c.html", "d?e.html", "f\\g.html", "h i.html", "ü.html", "C|.html"]
    source = write_files(tmp_path / "files", {name: f"<title>{name}</title>" for name in names})
    assert import_web(source, tmp_path / "web") == []
    web = FrozenWeb(tmp_path / "web")
    titles = {url: web.page(row).title for row, url in enumerate(web.urls())}
    assert sorted(titles.values()) == sorted(names)
    assert all(unquote(url) == f"http://local.example/{title}" for url, title in titles.items())


def test_a_folder_whose_name_makes_no_host_is_named(tmp_path: Path) -> None:
    source = write_files(tmp_path / "files", {"v1.2/x.html": "x", "y.html": "y"})
    (problem,) = import_web(source, tmp_path / "web")
    assert problem == f"{source / 'v1.2/x.html'}: its name is not usable in a URL"
    assert len(FrozenWeb(tmp_path / "web")) == 1


ANSWERS = [
    WarcResponse(
        A,
        "<title>Überflutung</title><a href=old>old</a>".encode("latin-1"),
        content_type="text/html; charset=latin-1",
    ),
    WarcResponse(f"{A}b", "<title>B</title>"),
    WarcResponse(f"{A}old", status="301 Moved", headers=(("Location", "/b"),)),
    WarcResponse(f"{A}gone", "no", "410 Gone"),
    WarcResponse("dns:a.example"),
]


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.wacz"])
def test_an_archive_becomes_a_web_with_the_same_answers(tmp_path: Path, name: str) -> None:
    if name == "a.wacz":
        source = write_wacz(tmp_path / name, {"1.warc.gz": warc_bytes(ANSWERS)})
    else:
        source = write_warc(tmp_path / name, ANSWERS)
    (problem,) = import_web(source, tmp_path / "web")
    assert "dns:a.example" in problem
    archive, web = FrozenWeb(source), FrozenWeb(tmp_path / "web")
    assert list(web.urls()) == list(archive.urls()) == [A, f"{A}b"]
    for url in (A, f"{A}b", f"{A}old", f"{A}gone", f"{A}none"):
        assert asyncio.run(web.fetch(url)) == asyncio.run(archive.fetch(url))
    assert web.meta["loose_urls"] is False


def test_a_frozen_web_stays_what_it_was(tmp_path: Path) -> None:
    for loose in (True, False):
        name = f"loose {loose}"
        source = write_web(tmp_path / name, {A: "", B: "<p>b"}, labels={A: ["rain"]}, loose_urls=loose)
        assert import_web(source, tmp_path / f"copy of {name}") == []
        copy = FrozenWeb(tmp_path / f"copy of {name}")
        assert (len(copy), copy.labels(A), copy.meta["loose_urls"]) == (2, ("rain",), loose)


def test_bad_lines_are_passed_over_and_named(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "source", [b'{"url": "http://a.example/", "html": "x"}', b"rubbish"])
    (problem,) = import_web(source, tmp_path / "web")
    assert "line 2: not a page" in problem
    assert len(lines(tmp_path / "web")) == 1


# --- whole or not at all ----------------------------------------------------------------------------------

Writing = Callable[[Path, Path], None]


def importing(folder: Path, out: Path) -> None:
    import_web(write_web(folder / "source", {A: "", B: ""}), out)


def making(_: Path, out: Path) -> None:
    make_web(GeneratedWeb(0, 50), out)


@pytest.fixture(params=[importing, making])
def write(request: pytest.FixtureRequest) -> Writing:
    writing: Writing = request.param
    return writing


@pytest.mark.parametrize("kind", ["file", "folder", "web"])
def test_nothing_is_overwritten(tmp_path: Path, write: Writing, kind: str) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine")
    else:
        out.mkdir()
        (out / ("pages.jsonl.gz" if kind == "web" else "notes")).write_text("mine")
    with pytest.raises(InvalidInput, match="already exists: name another folder"):
        write(tmp_path, out)
    assert (out if kind == "file" else next(out.iterdir())).read_text() == "mine"


def test_folders_on_the_way_are_made(tmp_path: Path, write: Writing) -> None:
    out = tmp_path / "some" / "where" / "web"
    write(tmp_path, out)
    assert {path.name for path in out.iterdir()} - {"seeds.txt"} == {"meta.json", "pages.jsonl.gz"}
    assert list(out.parent.iterdir()) == [out]
    assert out.stat().st_mode & 0o777 == 0o755


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, write: Writing) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match=f"cannot write {tmp_path / 'file' / 'out'}"):
        write(tmp_path, tmp_path / "file" / "out")


class Interrupted(BaseException):
    pass


@pytest.mark.parametrize(
    "error", [Interrupted(), OSError(28, "No space left on device"), InvalidWeb("damaged")]
)
def test_what_breaks_off_leaves_nothing_behind(
    tmp_path: Path, write: Writing, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """Whatever happens after the first record."""
    whole = fcwseo.webs.opening._write_records

    def broken(path: Path, records: object) -> tuple[int, int]:
        whole(path, iter([{"url": A, "html": ""}]))
        raise error

    monkeypatch.setattr(fcwseo.webs.opening, "_write_records", broken)
    out = tmp_path / "folder" / "out"
    with pytest.raises((Interrupted, FcwseoError)):
        write(tmp_path, out)
    assert list(out.parent.iterdir()) == []


def test_the_folder_is_not_there_before_it_is_whole(tmp_path: Path) -> None:
    out = tmp_path / "out"
    seen: list[bool] = []
    make_web(GeneratedWeb(0, 30), out, progress=lambda _: seen.append(out.exists()))
    assert seen == [False] * 30
    assert out.is_dir()


@pytest.mark.parametrize("source", ["missing", "empty", "no pages", "only errors", "cut archive"])
def test_what_cannot_be_imported_is_an_error_and_writes_nothing(tmp_path: Path, source: str) -> None:
    path = tmp_path / "source"
    if source in ("empty", "no pages"):
        path.mkdir()
    if source == "no pages":
        (path / "picture.png").write_bytes(b"\x89PNG")
    elif source == "only errors":
        path = write_warc(tmp_path / "a.warc.gz", ANSWERS[2:])
    elif source == "cut archive":
        path = tmp_path / "a.warc.gz"
        path.write_bytes(warc_bytes(ANSWERS)[:-50])
    before = set(tmp_path.iterdir())
    with pytest.raises(InvalidWeb):
        import_web(path, tmp_path / "out")
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("base", ["a.example", "mailto:a@b.example", "", "/docs"])
def test_a_base_that_is_no_address_is_an_error(tmp_path: Path, base: str) -> None:
    source = write_files(tmp_path / "files", {"x.html": "x"})
    with pytest.raises(InvalidInput, match="is not an http URL"):
        import_web(source, tmp_path / "web", base=base)


def test_halves_of_surrogate_pairs_do_not_stop_an_import(tmp_path: Path) -> None:
    source = write_lines(tmp_path / "source", [b'{"url": "http://a.example/", "html": "ra\\ud800in"}'])
    import_web(source, tmp_path / "web")
    assert fetch_page(FrozenWeb(tmp_path / "web"), A).text == parse("ra?in", A).text
