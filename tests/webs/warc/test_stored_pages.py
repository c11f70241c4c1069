"""Pages out of WARC files, as they were stored."""

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

import brotli
import pytest
import zstandard

from fcwseo.pages.bodies import unpacked
from fcwseo.webs.warc.read import read_records

HTML = b"<title>Rain</title><p>It rains.</p>"


def stored(path: Path, body: bytes, *headers: bytes, status: bytes = b"200 OK") -> Path:
    """A WARC with one answer."""
    http = b"\r\n".join((b"HTTP/1.1 " + status, b"Content-Type: text/html", *headers, b"", body))
    warc = (
        b"WARC/1.0",
        b"WARC-Type: response",
        b"WARC-Target-URI: http://example.com/a",
        b"Content-Type: application/http; msgtype=response",
        b"Content-Length: %d" % len(http),
    )
    path.write_bytes(gzip.compress(b"\r\n".join((*warc, b"", http, b"", b""))))
    return path


@pytest.mark.parametrize(
    ("body", "header"),
    [
        (HTML, b"X-Plain: yes"),
        (gzip.compress(HTML, mtime=0), b"Content-Encoding: gzip"),
        (zlib.compress(HTML), b"Content-Encoding: deflate"),
        (b"%x\r\n%b\r\n0\r\n\r\n" % (len(HTML), HTML), b"Transfer-Encoding: chunked"),
        (HTML, b"Content-Encoding: gzip"),
        (HTML, b"Content-Encoding: br"),
        (brotli.compress(HTML), b"Content-Encoding: br"),
        (zstandard.compress(HTML), b"Content-Encoding: zstd"),
        (brotli.compress(gzip.compress(HTML, mtime=0)), b"Content-Encoding: gzip, br"),
        (HTML, b"Transfer-Encoding: chunked"),
        (HTML, b"Content-Encoding: none"),
    ],
)
def test_bodies_are_unpacked_unless_they_were_before(tmp_path: Path, body: bytes, header: bytes) -> None:
    (record,) = read_records(stored(tmp_path / "one.warc.gz", body, header), [])
    assert record.body == HTML


@pytest.mark.parametrize("pack", [brotli.compress, zstandard.compress])
def test_of_a_body_that_was_cut_what_can_be_read_is_read(pack: Callable[[bytes], bytes]) -> None:
    text = Random(0).randbytes(300_000).hex().encode()
    packed = pack(text)
    name = "br" if pack is brotli.compress else "zstd"
    plain = unpacked(packed[: len(packed) * 3 // 4], transfer="", content=name)
    assert plain is not None and text.startswith(plain) and len(plain) > len(text) // 3


def test_a_redirect_out_of_the_web_is_no_page(tmp_path: Path) -> None:
    problems: list[str] = []
    moved = stored(tmp_path / "moved.warc.gz", b"", b"Location: mailto:ann@example.com", status=b"301 Moved")
    assert not list(read_records(moved, problems)) and "mailto" in problems[0]
    line = b'{"url": "http://example.com/a", "redirect": "mailto:ann@example.com"}\n'
    (tmp_path / "pages.jsonl.gz").write_bytes(gzip.compress(line))
    assert not list(read_records(tmp_path, problems)) and "mailto" in problems[1]


def test_a_status_without_end_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl.gz").write_bytes(
        gzip.compress(b'{"url": "http://a.example/", "status": 1e999}\n')
    )
    problems: list[str] = []
    assert not list(read_records(tmp_path, problems)) and len(problems) == 1
