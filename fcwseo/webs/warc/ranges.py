"""Reads the records of one visit from an archive, given their byte range."""

import io
import os
import re
import zlib
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from fcwseo.pages.numbers import whole_number
from fcwseo.webs.warc.members import make_member
from fcwseo.webs.warc.records import StoredBody
from fcwseo.webs.warc.stream import LARGEST_RECORD, content_of, split_http, stored_body, warc_records

OURS = re.compile(r"fcwseo-(\d{5})\.warc\.gz")  # the names of the files of an archive
_GZIP = b"\x1f\x8b\x08"
_WARC = b"WARC/1."
_CHUNK = 1 << 16
DAMAGE = (OSError, EOFError, zlib.error)  # the errors of reading a damaged archive


class ByteRange(Struct, frozen=True, gc=False):
    """The position of the records of a visit; the response with the page is first.

    Run directories store it under these names.
    """

    file: str
    offset: int
    length: int


def read_bytes(folder: Path, span: ByteRange) -> bytes:
    """The bytes of a range: whole WARC records, each gzipped by itself. Raises ``OSError``."""
    with file_in(folder, span.file).open("rb") as file:
        missing = span.offset + span.length - os.fstat(file.fileno()).st_size
        if min(span.offset, span.length) < 0 or missing > 0:
            raise OSError(f"{missing} bytes are missing")
        file.seek(span.offset)
        return file.read(span.length)


def file_in(folder: Path, name: str) -> Path:
    """The file of an archive with a name that its log or a record states. Raises ``OSError`` for any other
    name: an archive of somebody else could name any file of this machine.
    """
    if not OURS.fullmatch(name):
        raise OSError(f"{name!r} is not the name of a file of an archive")
    return folder / name


def http_headers(folder: Path, span: ByteRange) -> dict[str, str]:
    """The headers of the response in a range, by names in lower case. Raises one of ``DAMAGE``."""
    for record in warc_records(io.BytesIO(read_bytes(folder, span))):
        http, _ = split_http(record, content_of(record))
        return dict(http.fields) if http is not None else {}
    raise OSError("there is no record")


def whole_records(folder: Path, span: ByteRange) -> bytes:
    """The records in a range, for use in another file: revisits get their bodies, robots.txt is left out."""
    return b"".join(
        _with_body(folder, headers, block) if headers["WARC-Type"] == "revisit" else zipped
        for zipped, headers, block in _members(read_bytes(folder, span))
        if not headers.get("WARC-Target-URI", "").endswith("/robots.txt")
    )


def sound_members(folder: Path, name: str, start: int = 0) -> Iterator[ByteRange]:
    """Each record of a file of an archive from an offset on that can be unpacked; damaged ones are skipped.

    Raises ``OSError``.
    """
    with file_in(folder, name).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if start >= size:
            return
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            while 0 <= start < size:
                if length := _length_of_member(data, start):
                    yield ByteRange(name, start, length)
                start = data.find(_GZIP, start + max(length, 1)) if not length else start + length


def _length_of_member(data: mmap, start: int) -> int:
    """The length of the gzipped record at an offset; 0 if there is none."""
    unzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
    at, plain, beginning = start, 0, b""
    try:
        while not unzip.eof and at < len(data):
            part = unzip.decompress(data[at : at + _CHUNK], LARGEST_RECORD)
            at += _CHUNK
            plain += len(part)
            beginning = (beginning + part)[: len(_WARC)] if len(beginning) < len(_WARC) else beginning
            if unzip.unconsumed_tail or plain > LARGEST_RECORD:
                return 0
    except zlib.error:
        return 0
    if not unzip.eof or beginning != _WARC:
        return 0
    return min(at, len(data)) - len(unzip.unused_data) - start


def body_at(path: Path, offset: int) -> StoredBody:
    """The body of the record that begins at an offset of a file; what follows it may be damaged.

    Raises one of ``DAMAGE``.
    """
    unzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
    parts: list[bytes] = []
    with path.open("rb") as file:
        file.seek(offset)
        while not unzip.eof:
            chunk = file.read(_CHUNK)
            if not chunk:
                raise EOFError("the record is incomplete")
            parts.append(unzip.decompress(chunk, LARGEST_RECORD))
            if unzip.unconsumed_tail or sum(map(len, parts)) > LARGEST_RECORD + _CHUNK:
                raise OSError("a record is longer than one of a page")
    return first_body(io.BytesIO(b"".join(parts)))


def first_body(stream: BinaryIO) -> StoredBody:
    """The body of the first record in a stream. Raises one of ``DAMAGE``."""
    for record in warc_records(stream):
        return stored_body(record, content_of(record))
    raise OSError("there is no record")


def _members(data: bytes) -> Iterator[tuple[bytes, dict[str, str], bytes]]:
    """Each record of a range: gzipped, its headers, and its block."""
    while data:
        unzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
        plain = unzip.decompress(data, LARGEST_RECORD)
        if unzip.unconsumed_tail:
            raise OSError("a record is longer than one of a page")
        if not unzip.eof:
            raise EOFError("a record is incomplete")
        head, _, rest = plain.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")[1:]
        zipped = data[: len(data) - len(unzip.unused_data)]
        yield zipped, dict(line.split(": ", 1) for line in lines), rest[: -len(b"\r\n\r\n")]
        data = unzip.unused_data


def _with_body(folder: Path, headers: dict[str, str], block: bytes) -> bytes:
    """The response record that a revisit stands for."""
    offset = whole_number(headers["WARC-Refers-To-File-Offset"])
    if offset is None:
        raise OSError("a record refers to no offset")
    body = body_at(file_in(folder, headers["WARC-Refers-To-Filename"]), offset).body
    made = ("WARC-Type", "WARC-Record-ID", "WARC-Block-Digest", "Content-Type", "Content-Length")
    of_revisit = ("WARC-Profile", "WARC-Refers-To")
    kept = [
        (name, value)
        for name, value in headers.items()
        if name not in made and not name.startswith(of_revisit)
    ]
    return make_member("response", kept, block + body, headers["Content-Type"]).zipped
