"""Archives of somebody else: whatever is in them, they are read in bounded time and memory, or refused."""

import gzip
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.commands import run

from fcwseo.errors import InvalidRun, InvalidWeb
from fcwseo.webs.warc.ranges import ByteRange, read_bytes
from fcwseo.webs.warc.read import read_records
from fcwseo.webs.warc.records import DECODED, Record
from fcwseo.webs.warc.write import Archive

PAGE = b"<title>rain</title>"
HTML = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
OFFSET = "WARC-Refers-To-File-Offset"
HUGE = 300 << 20
ROOM = 120 << 20  # bytes of memory that reading may take
# Reads an archive with a limit of memory, and prints the pages and the problems.
READ = f"""
import re, resource, sys
from pathlib import Path
from fcwseo.webs.warc.read import read_records

size = int(re.search(r"VmSize:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) << 10
resource.setrlimit(resource.RLIMIT_AS, (size + {ROOM},) * 2)
problems = []
print(*[record.url for record in read_records(Path(sys.argv[1]), problems)], *problems)
"""


def record(
    url: str, http: bytes, *, length: int | None = None, more: str = "", kind: str = "response"
) -> bytes:
    """A record with the HTTP message ``http``, or the beginning of one of ``length`` bytes."""
    head = f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{len(url)}>\r\n"
    head += f"WARC-Target-URI: {url}\r\n"
    head += f"WARC-Date: 2026-01-01T00:00:00Z\r\n{more}Content-Type: application/http; msgtype=response\r\n"
    head += f"Content-Length: {len(http) if length is None else length}\r\n\r\n"
    return head.encode() + http + (b"\r\n\r\n" if length is None else b"")


def huge() -> Iterator[bytes]:
    """The pieces of a record of many megabytes."""
    start = HTML + b"\r\n"
    yield record("http://a.example/huge", start, length=len(start) + HUGE)
    for _ in range(HUGE >> 20):
        yield bytes(1 << 20)
    yield b"\r\n\r\n"


def packed() -> bytes:
    """The same, compressed, and a page behind it."""
    squeeze = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    whole = b"".join(map(squeeze.compress, huge())) + squeeze.flush()
    return whole + gzip.compress(GOOD)


GOOD = record("http://a.example/good", HTML + b"\r\n" + PAGE)


def read(path: Path) -> tuple[list[Record], list[str]]:
    problems: list[str] = []
    return list(read_records(path, problems)), problems


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.warc.gz", "packed.wacz", "plain.wacz"])
def test_a_record_of_any_length_takes_little_memory(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "a.warc.gz":
        path.write_bytes(packed())
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            is_plain = name == "plain.wacz"
            with archive.open("archive/a.warc" if is_plain else "archive/a.warc.gz", "w") as member:
                for piece in (*huge(), GOOD) if is_plain else (packed(),):
                    member.write(piece)
    done = subprocess.run([sys.executable, "-c", READ, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-500:]
    assert "http://a.example/good" in done.stdout
    assert "http://a.example/huge is longer than" in done.stdout


@pytest.mark.parametrize("number", ["\u00b2", "9" * 5000, "-1", "1_0"])
def test_numbers_in_headers_are_any_text(tmp_path: Path, number: str) -> None:
    same = record("http://a.example/same", HTML + b"\r\n", kind="revisit", more=f"{OFFSET}: {number}\r\n")
    decoded = record("http://a.example/", HTML + b"\r\n" + PAGE, more=f"{DECODED}: {number}\r\n")
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(decoded) + gzip.compress(same))
    found, problems = read(path)
    assert [(page.url, page.body) for page in found] == [("http://a.example/", PAGE)]
    assert len(problems) == 1 and "refers to" in problems[0]


def test_the_length_of_a_record_is_a_number(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(GOOD.replace(b"Content-Length: ", b"Content-Length: \xc2\xb2"))
    with pytest.raises(InvalidWeb, match="damaged"):
        read(path)


@pytest.mark.slow
def test_a_body_of_many_layers_is_named(tmp_path: Path) -> None:
    """The commands end at once, although each layer takes as long as a body of megabytes."""
    body = bytearray(gzip.compress(bytes(10 << 20)))
    body[-8] ^= 255
    head = HTML + b"Content-Encoding: " + b",".join([b"gzip"] * 6_000) + b"\r\n\r\n"
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(record("http://a.example/layers", head + body)) + gzip.compress(GOOD))
    code, _, said = run("web", "import", path, tmp_path / "web")
    assert code == 0 and "cannot be decoded" in said
    assert run("web", "info", tmp_path / "web")[0] == 0


# The files of an archive


@pytest.mark.parametrize(
    "span",
    [
        ByteRange("../secret.gz", 0, 10),
        ByteRange("/etc/hostname", 0, 1),
        ByteRange("fcwseo-00000.warc.gz\n", 0, 1),
        ByteRange("fcwseo-00000.warc.gz", -1, 1),
        ByteRange("fcwseo-00000.warc.gz", 0, 10**18),
        ByteRange("fcwseo-00000.warc.gz", 10**18, 10**18),
    ],
)
def test_only_bytes_of_the_archive_are_read(tmp_path: Path, span: ByteRange) -> None:
    for name in ("secret.gz", "warc/fcwseo-00000.warc.gz", "warc/fcwseo-00000.warc.gz\n"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(bytes(100))
    with pytest.raises(OSError, match=r"is not the name of|bytes are missing"):
        read_bytes(tmp_path / "warc", span)


def test_no_other_file_is_cut_off(tmp_path: Path) -> None:
    """Opening an archive truncates files behind the last byte of the log."""
    (tmp_path / "diary").write_text("It rained all day.")
    with pytest.raises(InvalidRun, match="diary"):
        Archive(tmp_path / "warc", [ByteRange("../diary", 0, 2)])
    assert (tmp_path / "diary").read_text() == "It rained all day."
