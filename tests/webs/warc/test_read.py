"""Records of folders and archives: read in order, and what cannot be read is named."""

import gzip
import io
import json
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pytest
from fastwarc.warc import WarcRecord, WarcRecordType
from helpers.webs import WarcResponse, warc_bytes, write_lines, write_wacz, write_warc
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.warcwriter import WARCWriter

from fcwseo.errors import InvalidWeb
from fcwseo.pages.bodies import unpacked
from fcwseo.webs.warc.read import read_meta, read_records
from fcwseo.webs.warc.records import Record

HOME = b'{"url": "http://a.example/", "html": "<p>home"}'
OTHER = b'{"url": "http://a.example/other", "html": "<p>other"}'


def read(path: Path) -> tuple[list[Record], list[str]]:
    problems: list[str] = []
    return list(read_records(path, problems)), problems


def read_line(folder: Path, line: bytes | dict[str, Any]) -> tuple[list[Record], list[str]]:
    """The result of a line between two good ones."""
    line = line if isinstance(line, bytes) else json.dumps(line).encode()
    records, problems = read(write_lines(folder, [HOME, line, OTHER]))
    assert [record.url for record in (records[0], records[-1])] == [
        "http://a.example/",
        "http://a.example/other",
    ]
    return records[1:-1], problems


# --- folders ----------------------------------------------------------------------------------------------


def test_a_line_is_a_record(tmp_path: Path) -> None:
    line = {
        "url": "HTTP://A.example:80/b#c",
        "html": "<p>é",
        "labels": ["x", 1],
        "status": 203,
        "more": "fields",
    }
    (record,), problems = read_line(tmp_path, line)
    assert (record.url, record.body, record.labels, record.status) == (
        "http://a.example/b",
        "<p>é",
        ("x", "1"),
        203,
    )
    assert record.where.endswith("pages.jsonl.gz, line 2")
    assert problems == []


def test_what_a_line_may_leave_out(tmp_path: Path) -> None:
    line = {"url": "http://a.example/b", "html": None, "labels": None, "status": None, "redirect": None}
    (record,), _ = read_line(tmp_path, line)
    assert (record.body, record.labels, record.status, record.redirect) == ("", (), 200, "")
    (record,), _ = read_line(tmp_path, {"url": "http://a.example/b"})
    assert (record.body, record.labels, record.status, record.redirect) == ("", (), 200, "")


def test_a_redirect_is_seen_from_its_address(tmp_path: Path) -> None:
    line = {"url": "http://a.example/b/c", "redirect": "../d?utm_source=x", "status": 302}
    (record,), _ = read_line(tmp_path, line)
    assert (record.redirect, record.status) == ("http://a.example/d", 302)


def test_one_label_may_stand_without_a_list(tmp_path: Path) -> None:
    (record,), _ = read_line(tmp_path, {"url": "http://a.example/b", "html": "", "labels": "rain"})
    assert record.labels == ("rain",)


@pytest.mark.parametrize(
    "line",
    [
        OTHER[:30],
        b"not JSON",
        b"\xff\xfe\x00",
        b"[]",
        b"17",
        b"null",
        b'"text"',
        b"{}",
        b"[" * 100_000,
        b'{"html": "no address"}',
        b'{"url": "mailto:a@b.example", "html": ""}',
        b'{"url": "/relative", "html": ""}',
        b'{"url": 17, "html": ""}',
        b'{"url": null, "html": ""}',
        b'{"url": ["http://a.example/b"], "html": ""}',
        b'{"url": "http://a.example/\\ud800", "html": ""}',
        b'{"url": "http://a.example/b", "labels": 17}',
        b'{"url": "http://a.example/b", "status": "rain"}',
        b'{"url": "http://a.example/b", "status": 1e999}',
        b'{"url": "http://a.example/b", "status": 1000000000000000000000000}',
        b'{"url": "http://a.example/b", "status": -1}',
        b'{"url": "http://a.example/b", "redirect": "mailto:a@b.example"}',
        b'{"url": "http://a.example/b", "redirect": 17}',
    ],
    ids=lambda line: repr(line[:60]),
)
def test_a_line_that_is_no_page_is_named_and_passed_over(tmp_path: Path, line: bytes) -> None:
    records, problems = read_line(tmp_path, line)
    assert records == []
    (problem,) = problems
    assert problem.startswith(f"{tmp_path / 'pages.jsonl.gz'}, line 2: not a page")


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["url", "html", "labels", "status", "redirect"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
            ),
            max_leaves=4,
        ),
    )
)
def test_any_line_is_a_record_or_a_problem(
    tmp_path_factory: pytest.TempPathFactory, fields: dict[str, Any]
) -> None:
    fields.setdefault("url", "http://a.example/b")
    records, problems = read_line(tmp_path_factory.mktemp("web"), fields)
    assert len(records) + len(problems) == 1


def test_empty_lines_are_nothing(tmp_path: Path) -> None:
    assert read_line(tmp_path, b"  ") == ([], [])


def test_halves_of_surrogate_pairs_can_be_written_afterwards(tmp_path: Path) -> None:
    (record,), _ = read_line(tmp_path, b'{"url": "http://a.example/b", "html": "", "labels": ["\\ud800"]}')
    assert record.labels[0].encode() == b"?"


@pytest.mark.parametrize("cut", [1, 30, 100])
def test_a_file_that_was_cut_is_an_error_that_says_so(tmp_path: Path, cut: int) -> None:
    source = write_lines(tmp_path, [HOME, OTHER]) / "pages.jsonl.gz"
    source.write_bytes(source.read_bytes()[:-cut] if cut < 100 else b"\x1f\x8b")
    with pytest.raises(InvalidWeb, match=r"pages\.jsonl\.gz is damaged after line \d"):
        read(tmp_path)


@pytest.mark.parametrize("content", [b"not gzip", HOME, b"\x1f\x8b\x08\x00garbage that is no gzip"])
def test_a_file_that_is_not_gzip_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "pages.jsonl.gz").write_bytes(content)
    with pytest.raises(InvalidWeb, match="damaged"):
        read(tmp_path)


def test_a_flipped_bit_is_found(tmp_path: Path) -> None:
    source = write_lines(tmp_path, [HOME] * 50) / "pages.jsonl.gz"
    content = bytearray(source.read_bytes())
    content[-6] ^= 1  # of the checksum
    source.write_bytes(content)
    with pytest.raises(InvalidWeb, match="CRC"):
        read(tmp_path)


# --- what a web says of itself ----------------------------------------------------------------------------


def test_a_web_may_say_nothing_of_itself(tmp_path: Path) -> None:
    assert read_meta(write_lines(tmp_path, [HOME])) == {}
    assert read_meta(write_warc(tmp_path / "a.warc", [])) == {}


def test_a_web_says_its_name(tmp_path: Path) -> None:
    assert read_meta(write_lines(tmp_path, [], meta='\ufeff{"name": "rain"}')) == {"name": "rain"}


@pytest.mark.parametrize("meta", ["", "{", "[]", "17", "null", "[" * 100_000])
def test_a_broken_meta_file_is_an_error_that_names_it(tmp_path: Path, meta: str) -> None:
    with pytest.raises(InvalidWeb, match=r"meta\.json"):
        read_meta(write_lines(tmp_path, [HOME], meta=meta))


def test_a_meta_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    write_lines(tmp_path, [HOME])
    (tmp_path / "meta.json").write_bytes(b'{"name": "\xff"}')
    with pytest.raises(InvalidWeb, match=r"meta\.json"):
        read_meta(tmp_path)


def test_no_web_and_an_empty_folder_are_errors_that_say_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(InvalidWeb, match=r"there is no web at .*/none: give a folder"):
        read_meta(tmp_path / "none")
    with pytest.raises(InvalidWeb, match=r"has no pages\.jsonl\.gz.*'fcwseo web import'"):
        read_meta(tmp_path)


# --- archives ---------------------------------------------------------------------------------------------

ANSWERS = [
    WarcResponse("http://a.example/", "<title>Überflutung</title>"),
    WarcResponse(
        "HTTP://A.example/latin",
        "<p>Überflutung".encode("latin-1"),
        content_type="text/html; charset=latin-1",
    ),
    WarcResponse("http://a.example/x", "<html/>", content_type="application/xhtml+xml"),
    WarcResponse("http://a.example/image", b"\x89PNG", content_type="image/png"),
    WarcResponse("http://a.example/old", "moved", "301 Moved", headers=(("Location", "/new?utm_source=a"),)),
    WarcResponse("http://a.example/none", "<p>not found", "404 Not Found"),
    WarcResponse("http://a.example/broken", "no type", "500 Error", content_type="text/plain"),
]


@pytest.fixture(params=["a.warc", "a.warc.gz", "a.wacz", "zipped.wacz", "two.wacz"])
def archive(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / request.param
    if path.suffix != ".wacz":
        return write_warc(path, ANSWERS)
    if path.name == "two.wacz":
        return write_wacz(path, {"1.warc.gz": warc_bytes(ANSWERS[:3]), "2.warc.gz": warc_bytes(ANSWERS[3:])})
    zipped = path.name == "zipped.wacz"
    return write_wacz(path, {f"1.warc{'.gz' if zipped else ''}": warc_bytes(ANSWERS, zipped=zipped)})


def test_the_answers_of_an_archive_are_records(archive: Path) -> None:
    records, problems = read(archive)
    assert problems == []
    assert [(record.url.removeprefix("http://a.example"), record.status) for record in records] == [
        *(("/", 200), ("/latin", 200), ("/x", 200), ("/old", 301), ("/none", 404), ("/broken", 500))
    ]
    assert records[0].body == "<title>Überflutung</title>".encode()
    assert records[1].content_type == "text/html; charset=latin-1"
    assert records[3].redirect == "http://a.example/new"
    assert str(archive) in records[0].where


@pytest.mark.parametrize(
    ("location", "leads"),
    [
        ("/b?q=Åx".encode(), "/b?q=%C3%85x"),  # Å ends with a byte that Latin-1 takes for the end of a line
        ("/b?q=Åx".encode("latin-1"), "/b?q=%C3%85x"),
        (b"/b?q=1\x0c2", "/b?q=1%0C2"),
    ],
)
def test_a_redirect_with_any_bytes_is_read(tmp_path: Path, location: bytes, leads: str) -> None:
    head = b"HTTP/1.1 302 Found\r\nLocation: " + location + b"\r\nX-After: 1\r\n\r\n"
    record = WarcRecord()
    record.init_headers(WarcRecordType.response)
    record.headers["WARC-Target-URI"] = "<http://a.example/>"
    record.headers["Content-Type"] = "application/http; msgtype=response"
    record.set_bytes_content(head)
    with (tmp_path / "a.warc").open("wb") as file:
        record.write(file)
    ((found,), problems) = read(tmp_path / "a.warc")
    assert (found.redirect, problems) == (f"http://a.example{leads}", [])


def test_an_archive_by_fastwarc_is_read_too(tmp_path: Path) -> None:
    record = WarcRecord()
    record.init_headers(WarcRecordType.response)
    record.headers["WARC-Target-URI"] = "<http://a.example/>"
    record.headers["Content-Type"] = "application/http; msgtype=response"
    record.set_bytes_content(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>rain")
    path = tmp_path / "a.warc"
    with path.open("wb") as file:
        record.write(file)
    ((found,), problems) = read(path)
    assert (found.url, found.body, problems) == ("http://a.example/", b"<p>rain", [])


def test_a_resource_is_a_page_without_an_answer_around_it(tmp_path: Path) -> None:
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=True)
    for kind in ("text/html", "image/png"):
        writer.write_record(
            writer.create_warc_record(
                f"http://a.example/{kind}",
                "resource",
                payload=io.BytesIO(b"<p>rain"),
                length=7,
                warc_content_type=kind,
            )
        )
    path = tmp_path / "a.warc.gz"
    path.write_bytes(file.getvalue())
    ((record,), problems) = read(path)
    assert (record.url, record.body, record.status) == ("http://a.example/text/html", b"<p>rain", 200)
    assert problems == []


def test_addresses_that_are_not_of_the_web_are_named(tmp_path: Path) -> None:
    answers = [
        WarcResponse("dns:a.example"),
        WarcResponse("http://a.example/", "rain"),
        WarcResponse("urn:x:1"),
    ]
    records, problems = read(write_warc(tmp_path / "a.warc.gz", answers))
    assert [record.url for record in records] == ["http://a.example/"]
    assert ["dns:a.example" in problems[0], "urn:x:1" in problems[1]] == [True, True]


def test_a_redirect_to_nowhere_is_named(tmp_path: Path) -> None:
    answers = [
        WarcResponse("http://a.example/", "", "302 Found", headers=(("Location", "mailto:a@b.example"),))
    ]
    (records, (problem,)) = read(write_warc(tmp_path / "a.warc.gz", answers))
    assert not records
    assert "mailto:a@b.example" in problem


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.wacz"])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9, 0.99])
def test_an_archive_that_was_cut_is_an_error_that_says_so(tmp_path: Path, name: str, share: float) -> None:
    answers = [WarcResponse(f"http://a.example/{i}", f"<p>{'rain' * 50}{i}") for i in range(20)]
    path = tmp_path / name
    whole = warc_bytes(answers, zipped=name != "a.warc")
    if name == "a.wacz":
        write_wacz(path, {"1.warc.gz": whole})
        whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(InvalidWeb, match=f"{name}.* damaged|cannot read .*{name}"):
        read(path)


def starts(archive: bytes) -> list[int]:
    """Where the records of an archive begin, and where the last one ends."""
    if not archive.startswith(b"\x1f\x8b"):
        return [*(match.start() for match in re.finditer(rb"WARC/1\.[01]\r\n", archive)), len(archive)]
    found, rest = [0], archive
    while rest:
        member = zlib.decompressobj(zlib.MAX_WBITS + 16)
        member.decompress(rest)
        rest = member.unused_data
        found.append(len(archive) - len(rest))
    return found


@settings(max_examples=60, deadline=None)
@given(zipped=st.booleans(), share=st.floats(0.01, 1, exclude_max=True))
def test_a_cut_archive_never_passes_for_a_whole_one(
    tmp_path_factory: pytest.TempPathFactory, zipped: bool, share: float
) -> None:
    whole = warc_bytes(
        [WarcResponse(f"http://a.example/{i}", f"<p>rain {i}") for i in range(4)], zipped=zipped
    )
    cut = int(len(whole) * share)
    newlines = len(whole[cut:]) - len(whole[cut:].lstrip(b"\r\n"))
    path = tmp_path_factory.mktemp("web") / "a.warc"
    path.write_bytes(whole[:cut])
    if {cut, cut + newlines}.isdisjoint(starts(whole)):  # between two records nobody can tell
        with pytest.raises(InvalidWeb, match="damaged"):
            read(path)


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.wacz"])
@pytest.mark.parametrize(
    "content", [b"garbage " * 99, b"\x1f\x8b\x08\x00" + b"garbage " * 99, b"WARC/1.0\r\n", b"PK\x03\x04"]
)
def test_garbage_is_no_archive(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InvalidWeb, match=name):
        read(path)


def test_a_flipped_bit_in_an_archive_is_found(tmp_path: Path) -> None:
    content = bytearray(warc_bytes([WarcResponse("http://a.example/", "rain " * 99)]))
    content[len(content) // 2] ^= 0xFF
    path = tmp_path / "a.warc.gz"
    path.write_bytes(content)
    with pytest.raises(InvalidWeb, match="damaged"):
        read(path)


def test_a_wacz_with_a_password_or_without_archives(tmp_path: Path) -> None:
    assert read(write_wacz(tmp_path / "none.wacz", {})) == ([], [])
    path = write_wacz(tmp_path / "locked.wacz", {"1.warc.gz": b"x"})
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("archive/1.warc.gz").header_offset
    content[start + 6] |= 1  # says: encrypted
    content[content.rfind(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    with pytest.raises(InvalidWeb, match="as a WACZ"):
        read(path)


# --- bodies -----------------------------------------------------------------------------------------------

PAGE = b"<title>Rain</title>" * 20
CHUNKED = (
    b"5;ext=1\r\n" + PAGE[:5] + b"\r\n" + f"{len(PAGE) - 5:X}\r\n".encode() + PAGE[5:] + b"\r\n0\r\n\r\n"
)
RAW_DEFLATE = zlib.compress(PAGE)[2:-4]


@pytest.mark.parametrize(
    ("body", "transfer", "content"),
    [
        (PAGE, "", ""),
        (PAGE, "identity", "identity"),
        (CHUNKED, "chunked", ""),
        (CHUNKED[:-5], "Chunked", ""),
        (gzip.compress(PAGE, mtime=0), "", "gzip"),
        (gzip.compress(PAGE, mtime=0), "", "X-GZip"),
        (zlib.compress(PAGE), "", "deflate"),
        (RAW_DEFLATE, "", "deflate"),
        (zlib.compress(gzip.compress(PAGE, mtime=0))[2:-4], "", "gzip, deflate"),
        (PAGE, "chunked", "gzip"),  # archives that keep what the body meant
        (PAGE, "", "br"),
        (PAGE, "", "deflate"),
    ],
)
def test_a_body_is_unpacked_as_it_was_packed(body: bytes, transfer: str, content: str) -> None:
    assert unpacked(body, transfer=transfer, content=content) == PAGE


def test_a_body_packed_twice_is_unpacked_twice(tmp_path: Path) -> None:
    packed = gzip.compress(PAGE)
    chunked = f"{len(packed):x}\r\n".encode() + packed + b"\r\n0\r\n\r\n"
    headers = (("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"))
    path = write_warc(tmp_path / "a.warc.gz", [WarcResponse("http://a.example/", chunked, headers=headers)])
    assert [record.body for record in read(path)[0]] == [PAGE]


def test_a_body_that_cannot_be_unpacked_is_named(tmp_path: Path) -> None:
    answers = [
        WarcResponse("http://a.example/br", b"\x8b\x06\x80packed\x03", headers=(("Content-Encoding", "br"),)),
        WarcResponse("http://a.example/", "rain"),
    ]
    records, (problem,) = read(write_warc(tmp_path / "a.warc.gz", answers))
    assert [record.url for record in records] == ["http://a.example/"]
    assert "'br' of http://a.example/br" in problem


def test_a_small_body_does_not_swell_without_end() -> None:
    bomb = gzip.compress(bytes(100 << 20), 1)
    swollen = unpacked(bomb, transfer="", content="gzip")
    assert swollen is not None and len(swollen) <= 64 << 20


@given(
    st.binary(max_size=200), st.sampled_from(["", "chunked"]), st.sampled_from(["", "gzip", "deflate", "br"])
)
def test_any_body_can_be_unpacked(body: bytes, transfer: str, content: str) -> None:
    plain = unpacked(body, transfer=transfer, content=content)
    assert isinstance(plain, bytes) or content == "br"
