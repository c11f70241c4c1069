"""Reads the records of one WARC file.

Record headers are read by fastwarc, HTTP headers here: fastwarc stops reading a file at HTTP headers of more
than 32 KiB.
"""

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO, TypeVar, cast

import msgspec
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from msgspec import Struct

from fcwseo.errors import InvalidWeb
from fcwseo.pages.bodies import unpacked
from fcwseo.pages.numbers import whole_number
from fcwseo.pages.responses import LARGEST
from fcwseo.pages.urls import canonical, header_url
from fcwseo.webs.warc.records import (
    DECODED,
    OUTCOME,
    OUTCOME_FIELD,
    PLAN_FIELD,
    ArchivedOutcome,
    ArchivedPlan,
    BodyInfo,
    Found,
    Record,
    Revisit,
    StoredBody,
)

_WITH_BODY = (WarcRecordType.response, WarcRecordType.resource)
_READ = (*_WITH_BODY, WarcRecordType.revisit, WarcRecordType.metadata, WarcRecordType.warcinfo)
LARGEST_RECORD = LARGEST + (1 << 20)  # bytes of a record that can have a page: its body and HTTP headers
_BLANK = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(r"\r?\n[ \t]+")
_LINE_END = re.compile(r"\r?\n")  # splitlines would also split at bytes inside UTF-8 letters
_STATUS = re.compile(r"HTTP/\S+\s+(\d{3})")

_Stored = TypeVar("_Stored", ArchivedOutcome, ArchivedPlan)


class HttpHead(Struct, frozen=True):
    """The status and headers of a stored response; header names are in lower case."""

    status: int
    fields: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        """The first header of that name, or ""."""
        return next((value for field, value in self.fields if field == name), "")

    def all(self, name: str) -> str:
        """All headers of that name, joined by commas.

        >>> HttpHead(200, (("a", "1"), ("b", "2"), ("a", "3"))).all("a")
        '1, 3'
        """
        return ", ".join(value for field, value in self.fields if field == name)


def read_stream(stream: BinaryIO, where: str, problems: list[str]) -> Iterator[Found]:
    """The pages, revisits, outcomes and plan in a WARC file.

    ``where`` names the file in messages. Unusable records are skipped and named in ``problems``. Raises
    ``InvalidWeb`` if the file is damaged.
    """
    for count, (record, body) in enumerate(_complete_records(stream, where), start=1):
        found: Found | None = None
        if record.record_type == WarcRecordType.metadata:
            found = _field(body, OUTCOME_FIELD, ArchivedOutcome)
        elif record.record_type == WarcRecordType.warcinfo:
            found = _field(body, PLAN_FIELD, ArchivedPlan)
        elif record.record_type in (*_WITH_BODY, WarcRecordType.revisit):
            found = _from_response(record, body, encodable(f"{where}, record {count}"), problems)
        if found is not None:
            yield found


def stored_bodies(stream: BinaryIO, where: str) -> Iterator[StoredBody]:
    """The body of each response in a WARC file. Raises ``InvalidWeb`` if the file is damaged."""
    for record, content in _complete_records(stream, where):
        if record.record_type in _WITH_BODY and record.content_length <= LARGEST_RECORD:
            yield stored_body(record, content)


def warc_records(stream: BinaryIO) -> Iterator[WarcRecord]:
    """The records of a WARC file, gzipped or not, with unread content."""
    return ArchiveIterator(_unzipped(stream), parse_http=False)


def content_of(record: WarcRecord) -> bytes:
    """The content of a record, or its beginning if it is too long for one with a page."""
    return record.reader.read(max(0, min(record.content_length, LARGEST_RECORD)))


def split_http(record: WarcRecord, content: bytes) -> tuple[HttpHead | None, bytes]:
    """The HTTP head and the body in the content of a record; no head if the record contains no HTTP."""
    if not record.is_http:
        return None, content
    blank = _BLANK.search(content)
    head, body = (content[: blank.start()], content[blank.end() :]) if blank else (content, b"")
    first, *lines = _LINE_END.split(_FOLD.sub(" ", head.decode("latin-1")))
    status = _STATUS.match(first)
    pairs = (line.partition(":") for line in lines)
    fields = tuple((name.strip().lower(), value.strip()) for name, colon, value in pairs if colon)
    return HttpHead(int(status[1]) if status else 200, fields), body


def stored_body(record: WarcRecord, content: bytes) -> StoredBody:
    """The body in the content of a response record."""
    header = record.headers.get
    _, body = split_http(record, content)
    return StoredBody(
        (header("WARC-Target-URI") or "").strip("<>"),
        header("WARC-Date") or "",
        header("WARC-Payload-Digest") or "",
        body,
    )


def with_body(revisit: Revisit, body: bytes, problems: list[str]) -> Record | None:
    """The record of a revisit, given the body that it refers to; None if that cannot be decoded."""
    return _decoded(revisit.url, revisit.info, body, revisit.where, problems)


def encodable(text: str) -> str:
    """The text without lone surrogates, which JSON and file names may contain and no file can store."""
    return text.encode("utf-8", "replace").decode()


def _complete_records(stream: BinaryIO, where: str) -> Iterator[tuple[WarcRecord, bytes]]:
    """Every record with its content (b"" for types that are not read). An incomplete record raises."""
    count = 0
    try:
        for record in warc_records(stream):
            count += 1
            length = record.content_length
            body = content_of(record) if record.record_type in _READ else b""
            declared = whole_number((record.headers.get("Content-Length") or "").strip())
            if declared is None or len(body) + record.reader.consume() < length:
                raise EOFError("the last record is incomplete")
            yield record, body
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile) as error:
        raise InvalidWeb(
            f"{where} is damaged after {count} records ({error}): copy the file again"
        ) from error


def _unzipped(stream: BinaryIO) -> BinaryIO:
    """The stream decompressed by Python's gzip, which raises if a file is truncated."""
    magic = stream.read(2)
    stream.seek(-len(magic), io.SEEK_CUR)
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if magic == b"\x1f\x8b" else stream


def _field(body: bytes, wanted: str, kind: type[_Stored]) -> _Stored | None:
    """The value of a field in a record of ``name: value`` lines; None if it is missing or invalid."""
    for line in body.splitlines():
        name, _, value = line.partition(b":")
        if name.decode("latin-1").strip().lower() == wanted:
            try:
                return msgspec.json.decode(value, type=kind)
            except (ValueError, RecursionError):
                return None
    return None


def _from_response(
    record: WarcRecord, content: bytes, where: str, problems: list[str]
) -> Record | Revisit | None:
    header = record.headers.get
    target = header("WARC-Target-URI") or ""
    url = canonical(target.strip("<>"))
    if url is None:
        problems.append(f"{where}: {target!r} is not an http URL")
        return None
    http, body = split_http(record, content)
    info = _body_info(record, http)
    if record.content_length > LARGEST_RECORD:
        if "html" in info.content_type.lower():
            problems.append(f"{where}: {url} is longer than {LARGEST:,} bytes, the most that a page may have")
        return None
    if record.record_type != WarcRecordType.revisit:
        return _decoded(url, info, body, where, problems)
    if info.location and 300 <= info.status < 400:
        return _decoded(url, info, b"", where, problems)
    offset = whole_number(header("WARC-Refers-To-File-Offset") or "")
    return Revisit(
        url,
        info,
        where,
        header("WARC-Payload-Digest") or "",
        (header("WARC-Refers-To-Target-URI") or target).strip("<>"),
        header("WARC-Refers-To-Filename") or "",
        -1 if offset is None else offset,
    )


def _body_info(record: WarcRecord, http: HttpHead | None) -> BodyInfo:
    decoded = whole_number(record.headers.get(DECODED) or "")
    if http is None:
        return BodyInfo(content_type=record.headers.get("Content-Type") or "")
    return BodyInfo(
        http.status,
        http.get("content-type"),
        header_url(http.get("location")),
        http.get("transfer-encoding"),
        http.get("content-encoding"),
        http.all("x-robots-tag"),
        -1 if decoded is None else decoded,
        record.headers.get(OUTCOME) or "",
    )


def _decoded(url: str, info: BodyInfo, body: bytes, where: str, problems: list[str]) -> Record | None:
    """The record of a response; None if it contains no HTML or cannot be used."""
    status = info.status
    if 300 <= status < 400 and info.location:
        redirect = canonical(info.location, url)
        if redirect is None:
            problems.append(f"{where}: it redirects to {info.location!r}, which is not an http URL")
            return None
        return Record(url, b"", where, status=status, redirect=redirect)
    if status < 400 and "html" not in info.content_type.lower() and not info.outcome:
        return None
    plain = unpacked(body, transfer=info.transfer, content=info.encoding)
    if plain is None:
        problems.append(f"{where}: the encoding {info.encoding!r} of {url} cannot be decoded")
        return None
    if info.decoded >= 0:
        plain = plain[: info.decoded]
    return Record(
        url,
        plain,
        where,
        content_type=info.content_type,
        status=status,
        robots=info.robots,
        outcome=info.outcome,
    )
