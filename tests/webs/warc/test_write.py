"""The archive of a crawl: valid at every moment, cut to what the log mentions, and a web again."""

import gzip
import io
import os
import shutil
import zlib
from pathlib import Path

import msgspec
import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from helpers.exchanges import HTML, NOON, OTHER, A, B, C, check, exchange, fetch, keep, moved
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.errors import InvalidRun, NoSpace
from fcwseo.pages import Failure, Link, Why
from fcwseo.pages.parse import parse
from fcwseo.pages.responses import obeying
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.opening import import_web, open_web
from fcwseo.webs.warc.exchange import Exchange
from fcwseo.webs.warc.ranges import ByteRange
from fcwseo.webs.warc.write import Archive


def kinds(folder: Path) -> list[str]:
    found = []
    for path in sorted(folder.glob("*.warc.gz")):
        found += [record.headers.get("WARC-Type") or "" for record in ArchiveIterator(str(path))]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "warc"


def test_what_is_kept_is_read_again(folder: Path) -> None:
    page, lost = parse(HTML, A, content_type="text/html"), Failure(C, Why.GONE, "status 404\nnot here")
    with Archive(folder) as archive:
        first = keep(archive, page, exchange(A))
        second = keep(archive, lost, exchange(C, status=404, body=b"<p>Not here"))
        assert archive.read(first) == page and archive.read(second) == lost
    check(folder)
    assert kinds(folder) == ["warcinfo", *("response", "request", "metadata") * 2]
    web = FrozenWeb(folder)
    assert (fetch(web, A), fetch(web, C)) == (page, lost)
    assert list(web.urls()) == [A] and web.problems == ()


def test_an_answer_with_long_headers_is_read_again_and_referred_to(folder: Path) -> None:
    """64 KiB of headers are taken from servers; other readers give up before that."""
    page, other = parse(HTML, A, content_type="text/html"), parse(HTML, B, content_type="text/html")
    cookies = [f"Set-Cookie: c{n}={'x' * 100}" for n in range(500)]
    with Archive(folder) as archive:
        first = keep(archive, page, exchange(A, headers=("Content-Type: text/html", *cookies)))
        second = keep(archive, other, exchange(B))
        assert archive.read(first) == page and archive.read(second) == other
    assert fetch(FrozenWeb(folder), A) == page
    with (folder / second.file).open("rb") as file:
        kept = [record.headers.get("WARC-Type") for record in ArchiveIterator(file, parse_http=False)]
    assert kept == ["warcinfo", "response", "request", "metadata", "revisit", "request", "metadata"]


def test_a_place_begins_with_the_answer_that_has_the_page(folder: Path) -> None:
    page = parse(HTML, B)
    with Archive(folder) as archive:
        archive.record(exchange("", "http://a.example/robots.txt", headers=("Content-Type: text/plain",)))
        place = keep(archive, page, moved(A, A, B), exchange(A, B), asked=A)
        assert archive.read(place) == page
    with (folder / place.file).open("rb") as file:
        file.seek(place.offset)
        records = list(ArchiveIterator(io.BytesIO(gzip.decompress(file.read(place.length)))))
    assert [record.headers.get("WARC-Target-URI") for record in records] == [
        *(B, B, A, A, "http://a.example/robots.txt", "http://a.example/robots.txt", A)
    ]
    assert records[0].record_type == WarcRecordType.response
    check(folder)


def test_redirects_and_failures_are_replayed(folder: Path) -> None:
    page = parse(HTML, B)
    refused = Failure("http://a.example/no", Why.REDIRECTS, "at http://a.example/x")
    with Archive(folder) as archive:
        keep(archive, page, moved(A, A, C), moved(A, C, B), exchange(A, B), asked=A)
        keep(archive, refused)
        keep(archive, Failure(C, Why.DUPLICATE, B), moved(C, C, B), exchange(C, B))
    web = FrozenWeb(folder)
    assert fetch(web, A) == fetch(web, B) == fetch(web, C) == page
    assert fetch(web, refused.url) == refused
    assert fetch(web, "http://a.example/unknown") == Failure("http://a.example/unknown", Why.OUTSIDE)
    assert web.problems == ()
    check(folder)


def test_a_link_that_was_refused_for_its_length_spoils_no_archive(folder: Path) -> None:
    page, refused = parse(HTML, A), Failure(f"{A}?q={'a' * 70_000}", Why.REFUSED, "70021 characters long")
    with Archive(folder) as archive:
        place = keep(archive, refused)
        keep(archive, page, exchange(A, A))
        assert archive.read(place) == refused
    web = FrozenWeb(folder)
    assert fetch(web, refused.url) == refused and fetch(web, A) == page
    check(folder)


def test_the_links_that_a_crawl_followed_are_those_of_its_archive(folder: Path) -> None:
    """Links to sitemaps were added, those that the page asks not to follow left out."""
    html = HTML + b"<a href=/x rel=nofollow>No</a>"
    with Archive(folder, obeyed=True) as archive:
        page = obeying(parse(html, A))
        sitemaps = (Link("http://a.example/sitemap.xml", A, tag_path="sitemap"),)
        page = msgspec.structs.replace(page, links=(*page.links, *sitemaps))
        assert [link.target for link in page.links] == [B, "http://a.example/sitemap.xml"]
        assert archive.read(keep(archive, page, exchange(A, body=html))) == page
    web = FrozenWeb(folder)
    assert fetch(web, A) == page and web.obeyed


def test_a_link_to_a_page_on_its_way_is_a_duplicate_again(folder: Path) -> None:
    """C led to B while B was in flight, and B failed."""
    gone, twice = Failure(B, Why.GONE, "status 410"), Failure(C, Why.DUPLICATE, B)
    with Archive(folder) as archive:
        keep(archive, parse(HTML, A), exchange(A))
        place = keep(archive, twice, moved(C, C, B))
        keep(archive, gone, exchange(B, status=410))
        assert archive.read(place) == twice
    web = FrozenWeb(folder)
    assert (fetch(web, B), fetch(web, C)) == (gone, twice)


def test_what_another_link_was_ahead_of_stays_so_for_the_same_crawl(folder: Path) -> None:
    """C led to B while B was being asked for, and B came later; another crawl may ask for C alone."""
    page, twice = parse(HTML, B), Failure(C, Why.DUPLICATE, B)
    with Archive(folder) as archive:
        keep(archive, twice, moved(C, C, B))
        keep(archive, page, exchange(B))
    web = FrozenWeb(folder)
    assert (fetch(web, C), fetch(web, B)) == (page, page)
    assert web.archived_order.duplicates == {C: B}


def test_an_answer_of_an_unknown_kind_is_named(folder: Path) -> None:
    with Archive(folder) as archive:
        keep(archive, parse(HTML, A), exchange(A))
        place = keep(archive, Failure(B, Why.GONE))
    path = folder / place.file
    last = gzip.decompress(path.read_bytes()[place.offset :]).replace(b'"gone"', b'"lost"')
    path.write_bytes(path.read_bytes()[: place.offset] + gzip.compress(last))
    web = FrozenWeb(folder)
    assert web.problems == (f"{B}: unknown outcome 'lost'",)
    assert fetch(web, B) == Failure(B, Why.OUTSIDE)


def test_an_address_answers_as_it_did_when_it_was_asked(folder: Path) -> None:
    """A moved to B first; later, reached from C, there was a page at A itself."""
    with Archive(folder) as archive:
        keep(archive, parse(HTML, B), moved(A, A, B), exchange(A, B), asked=A)
        keep(archive, parse(OTHER, A), moved(C, C, A), exchange(C, A, body=OTHER), asked=C)
    web = FrozenWeb(folder)
    assert fetch(web, A) == fetch(web, B) == parse(HTML, B)
    assert fetch(web, C) == parse(OTHER, A)


def test_a_body_that_came_before_is_not_stored_again(folder: Path) -> None:
    with Archive(folder) as archive:
        keep(archive, parse(HTML, A), exchange(A))
        place = keep(archive, parse(HTML, B), exchange(B))
        assert archive.read(place) == parse(HTML, B)
    assert kinds(folder) == ["warcinfo", "response", "request", "metadata", "revisit", "request", "metadata"]
    check(folder)
    web = FrozenWeb(folder)
    assert fetch(web, A) == parse(HTML, A) and fetch(web, B) == parse(HTML, B)
    assert web.problems == ()


def test_revisits_refer_across_files_and_restarts(folder: Path) -> None:
    with Archive(folder, largest=1) as archive:
        places = [
            keep(archive, parse(HTML, A), exchange(A)),
            keep(archive, parse(OTHER, C), exchange(C, body=OTHER)),
        ]
    with Archive(folder, places, largest=1) as archive:
        assert [archive.read(place) for place in places] == [parse(HTML, A), parse(OTHER, C)]
        places.append(keep(archive, parse(HTML, B), exchange(B)))
        assert archive.read(places[-1]) == parse(HTML, B)
    assert [place.file for place in places] == [f"fcwseo-0000{n}.warc.gz" for n in range(3)]
    assert kinds(folder)[-4:] == ["warcinfo", "revisit", "request", "metadata"]
    check(folder)
    assert fetch(FrozenWeb(folder), B) == parse(HTML, B)


def test_a_revisit_of_what_is_not_there_is_named(folder: Path) -> None:
    with Archive(folder, largest=1) as archive:
        keep(archive, parse(HTML, A), exchange(A))
        keep(archive, parse(OTHER, C), exchange(C, body=OTHER))
        keep(archive, parse(HTML, B), exchange(B))
    (folder / "fcwseo-00000.warc.gz").unlink()
    web = FrozenWeb(folder)
    assert list(web.urls()) == [C] and "is not in this archive" in web.problems[0]


@pytest.mark.parametrize("name", ["gzip", "deflate"])
def test_packed_and_dechunked_bodies(folder: Path, name: str) -> None:
    body = gzip.compress(HTML, mtime=0) if name == "gzip" else zlib.compress(HTML)
    headers = ("Content-Type: text/html", f"Content-Encoding: {name}", "Transfer-Encoding: chunked")
    with Archive(folder) as archive:
        place = keep(archive, parse(HTML, A), exchange(A, body=body, headers=headers))
        assert archive.read(place) == parse(HTML, A)
    check(folder)
    assert fetch(FrozenWeb(folder), A) == parse(HTML, A)


def test_of_a_cut_body_as_much_counts_as_the_crawl_read(folder: Path) -> None:
    page = parse(HTML[:50], A)
    with Archive(folder) as archive:
        place = keep(archive, page, exchange(A, truncated="length", decoded=50))
        assert archive.read(place) == page
    assert fetch(FrozenWeb(folder), A) == page


def test_a_page_without_a_content_type(folder: Path) -> None:
    with Archive(folder) as archive:
        place = keep(archive, parse(HTML, A), exchange(A, headers=()))
        assert archive.read(place) == parse(HTML, A)
    assert fetch(FrozenWeb(folder), A) == parse(HTML, A)


def test_a_run_is_a_web(tmp_path: Path) -> None:
    with Archive(tmp_path / "run" / "warc") as archive:
        keep(archive, parse(HTML, A), exchange(A))
    (tmp_path / "run" / "run.json").write_text("{}")
    web = open_web(str(tmp_path / "run"))
    assert web.name == "run" and fetch(open_web(str(tmp_path / "run" / "warc")), A) == parse(HTML, A)  # type: ignore[arg-type]
    assert import_web(tmp_path / "run", tmp_path / "copy") == []
    assert fetch(FrozenWeb(tmp_path / "copy"), A) == parse(HTML, A)


# After a crash


@pytest.mark.slow
def test_cut_at_every_byte_of_the_last_record(folder: Path, tmp_path: Path) -> None:
    with Archive(folder) as archive:
        first = keep(archive, parse(HTML, A), exchange(A))
        second = keep(archive, parse(OTHER, C), exchange(C, body=OTHER))
    path = folder / first.file
    whole = path.read_bytes()
    assert len(whole) == second.offset + second.length
    for end in range(second.offset, len(whole) + 1):
        path.write_bytes(whole[:end])
        with Archive(folder, [first]):
            pass
        assert path.read_bytes() == whole[: second.offset]
    with Archive(folder, [first]) as archive:
        assert archive.read(first) == parse(HTML, A)
        assert keep(archive, parse(OTHER, C), exchange(C, body=OTHER)).offset == second.offset
    check(folder)


def test_a_file_that_the_log_does_not_mention_is_deleted(folder: Path) -> None:
    with Archive(folder, largest=1) as archive:
        first = keep(archive, parse(HTML, A), exchange(A))
        keep(archive, parse(OTHER, C), exchange(C, body=OTHER))
    (folder / "notes.txt").write_text("not ours")
    with Archive(folder, [first], largest=1) as archive:
        assert sorted(os.listdir(folder)) == ["fcwseo-00000.warc.gz", "notes.txt"]
        again = keep(archive, parse(OTHER, C), exchange(C, body=OTHER))
    assert again.file == "fcwseo-00001.warc.gz"
    check(folder)


def test_files_that_the_log_knows_longer_or_not_at_all(folder: Path) -> None:
    with Archive(folder) as archive:
        place = keep(archive, parse(HTML, A), exchange(A))
    path = folder / place.file
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InvalidRun, match="is shorter than"):
        Archive(folder, [place])
    path.unlink()
    with pytest.raises(InvalidRun, match="is shorter than"):
        Archive(folder, [place])


@pytest.mark.parametrize(
    "damage", [ByteRange("fcwseo-00000.warc.gz", 3, 50), ByteRange("fcwseo-00007.warc.gz", 0, 9)]
)
def test_a_place_that_holds_nothing(folder: Path, damage: ByteRange) -> None:
    with Archive(folder) as archive:
        keep(archive, parse(HTML, A), exchange(A))
        with pytest.raises(InvalidRun):
            archive.read(damage)


def test_without_space_nothing_is_half_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive(folder) as archive:
        place = keep(archive, parse(HTML, A), exchange(A))
        write, calls = os.write, []

        def writes(number: int, data: bytes) -> int:
            calls.append(number)
            if len(calls) > 1:
                raise OSError(28, "No space left on device")
            return write(number, data[:100])

        monkeypatch.setattr(os, "write", writes)
        with pytest.raises(NoSpace):
            keep(archive, parse(OTHER, C), exchange(C, body=OTHER))
        monkeypatch.undo()
    assert (folder / place.file).stat().st_size == place.offset + place.length
    check(folder)


# Whatever servers say

headers = st.lists(
    st.one_of(
        st.sampled_from(
            ["Content-Type: text/html", "Transfer-Encoding: chunked", "X: y\nZ: w", "no colon", ": x"]
        ),
        st.text(st.characters(max_codepoint=255), max_size=30),
    ),
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.binary(max_size=80), headers, st.integers(100, 599)), min_size=1, max_size=4),
    st.text(max_size=20),
)
def test_any_answer_makes_a_valid_archive(
    tmp_path_factory: pytest.TempPathFactory, answers: list[tuple[bytes, list[str], int]], detail: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    with Archive(folder) as archive:
        for number, (body, lines, status) in enumerate(answers):
            url = f"http://a.example/{number}"
            failure = Failure(url, Why.UNREADABLE, detail)
            head = "\r\n".join((f"HTTP/2 {status}", *lines, "", "")).encode("latin-1")
            one = Exchange(url, url, b"GET / HTTP/1.1\r\n\r\n", status, head, body, 0, "?", NOON, True)
            assert archive.read(keep(archive, failure, one)) == failure
    check(folder)
    shutil.rmtree(folder)


def test_an_archive_holds_exactly_the_visits_of_its_log(folder: Path) -> None:
    """Cut off visit by visit, it is at every moment valid and a web of the visits that are left."""
    bodies = {f"http://a.example/{n}": HTML.replace(b"day", b"day %d" % (n // 2)) for n in range(5)}
    with Archive(folder) as archive:
        places = [keep(archive, parse(body, url), exchange(url, body=body)) for url, body in bodies.items()]
    for count in range(len(places), 0, -1):
        left = list(bodies)[:count]
        with Archive(folder, places[:count]) as archive:
            assert [archive.read(place).url for place in places[:count]] == left
        check(folder)
        assert sorted(FrozenWeb(folder).urls()) == left
