"""What a frozen web is read from: records of a ``pages.jsonl.gz``, of a WARC, or of the WARCs in a WACZ."""

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from fastwarc.stream_io import BrotliReader, ChunkedReader, FastWARCError, GzipReader, ZstdReader
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from msgspec import Struct

from fcwseo.errors import InvalidWeb
from fcwseo.urls import canonical

_LONGEST_LINE = 64 << 20
_PAGES = WarcRecordType.response | WarcRecordType.resource
_UNPACK: dict[str, Callable[[io.BytesIO], Any]] = {
    "br": BrotliReader,
    "chunked": ChunkedReader,
    "deflate": lambda body: GzipReader(body, zlib=True),
    "gzip": GzipReader,
    "x-gzip": GzipReader,
    "zstd": ZstdReader,
}


class Record(Struct, frozen=True):
    """A page as it was stored; ``where`` names its place for messages."""

    url: str
    body: bytes | str
    where: str
    labels: tuple[str, ...] = ()
    content_type: str = ""
    status: int = 200
    redirect: str = ""


def read_meta(path: Path) -> dict[str, Any]:
    """What ``meta.json`` says of a web, if it has one."""
    if not path.exists():
        raise InvalidWeb(
            f"there is no web at {path}: give a folder with pages.jsonl.gz, a .warc.gz or a .wacz"
        )
    if not path.is_dir():
        return {}
    if not (path / "pages.jsonl.gz").is_file():
        raise InvalidWeb(
            f"the folder {path} has no pages.jsonl.gz; 'fcwseo web import' makes a web of other files"
        )
    file = path / "meta.json"
    if not file.is_file():
        return {}
    try:
        meta = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidWeb(f"{file} cannot be read as JSON: {error}") from error
    if not isinstance(meta, dict):
        raise InvalidWeb(f"{file} holds no JSON object")
    return meta


def read_records(path: Path, problems: list[str]) -> Iterator[Record]:
    """The records of a web in their order. What cannot be used is named in ``problems`` and passed over;
    a file that breaks off raises ``InvalidWeb``.
    """
    if path.is_dir():
        yield from _from_jsonl(path / "pages.jsonl.gz", problems)
    elif path.suffix == ".wacz":
        yield from _from_wacz(path, problems)
    else:
        yield from _from_warc(path, problems)


def _from_jsonl(path: Path, problems: list[str]) -> Iterator[Record]:
    number = 0
    try:
        with gzip.open(path, "rb") as lines:
            while line := lines.readline(_LONGEST_LINE):
                number += 1
                if line.strip():
                    yield from _from_line(line, f"{path}, line {number}", problems)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidWeb(
            f"{path} breaks off after line {number} ({error}): the file is damaged, copy it again"
        ) from error


def _from_line(line: bytes, where: str, problems: list[str]) -> Iterator[Record]:
    try:
        fields = json.loads(line)
        url = canonical(fields["url"])
        if url is None:
            raise ValueError(f"{fields['url']!r} is no http address")
        redirect = canonical(fields["redirect"], url) if fields.get("redirect") else ""
        if redirect is None:
            raise ValueError(f"it leads to {fields['redirect']!r}, which is no http address")
        body = fields.get("html") or ""
        labels = tuple(str(label) for label in fields.get("labels") or ())
        record = Record(str(url), str(body), where, labels, "", int(fields.get("status") or 200), redirect)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        problems.append(f"{where}: not a page ({type(error).__name__}: {error})")
    else:
        yield record


def _from_wacz(path: Path, problems: list[str]) -> Iterator[Record]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith((".warc", ".warc.gz"))]
            for name in names:
                with archive.open(name) as member:
                    yield from _from_stream(io.BytesIO(member.read()), f"{path}:{name}", problems)
    except (OSError, zipfile.BadZipFile, EOFError, zlib.error) as error:
        raise InvalidWeb(f"{path} cannot be read as a WACZ: {error}") from error


def _from_warc(path: Path, problems: list[str]) -> Iterator[Record]:
    try:
        with path.open("rb") as file:
            yield from _from_stream(file, str(path), problems)
    except OSError as error:
        raise InvalidWeb(f"cannot read {path}: {error}") from error


def _from_stream(stream: Any, where: str, problems: list[str]) -> Iterator[Record]:
    count = 0
    try:
        for record in ArchiveIterator(stream, record_types=_PAGES):
            count += 1
            found = _from_response(record, f"{where}, record {count}", problems)
            if found is not None:
                yield found
    except FastWARCError as error:
        raise InvalidWeb(f"{where} breaks off after record {count}: {error}") from error


def _from_response(record: WarcRecord, where: str, problems: list[str]) -> Record | None:
    target = record.headers.get("WARC-Target-URI") or ""
    url = canonical(target.strip("<>"))
    if url is None:
        problems.append(f"{where}: {target!r} is no http address")
        return None
    http = record.http_headers
    status = (http.status_code if http is not None else None) or 200
    content_type = record.http_content_type or record.headers.get("Content-Type") or ""
    location = (http.get("Location") if http is not None else "") or ""
    if 300 <= status < 400 and location:
        redirect = canonical(location, url)
        if redirect is None:
            problems.append(f"{where}: it leads to {location!r}, which is no http address")
            return None
        return Record(url, b"", where, status=status, redirect=redirect)
    if status < 400 and "html" not in content_type.lower():
        return None
    body = record.reader.read()
    if http is not None:
        for name in ("Transfer-Encoding", "Content-Encoding"):
            body = _unpacked(body, http.get(name) or "")
    return Record(url, body, where, content_type=content_type, status=status)


def _unpacked(body: bytes, encodings: str) -> bytes:
    """A body without these encodings, the last one first. Some archives hold bodies that were unpacked
    before, under the headers of packed ones: those stay as they are.
    """
    for encoding in reversed(encodings.lower().replace(" ", "").split(",")):
        if unpack := _UNPACK.get(encoding):
            try:
                body = unpack(io.BytesIO(body)).read()
            except OSError:
                return body
    return body
