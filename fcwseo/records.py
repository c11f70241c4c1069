"""What a frozen web is read from: records of a ``pages.jsonl.gz``, of a WARC, or of the WARCs in a WACZ."""

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from fastwarc.warc import ArchiveIterator, HeaderMap, WarcRecord, WarcRecordType
from msgspec import Struct

from fcwseo.bodies import unpacked
from fcwseo.errors import InvalidWeb
from fcwseo.urls import canonical

_LONGEST_LINE = 64 << 20


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
                    yield from _from_line(line, _clean(f"{path}, line {number}"), problems)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidWeb(
            f"{path} breaks off after line {number} ({error}): the file is damaged, copy it again"
        ) from error


def _from_line(line: bytes, where: str, problems: list[str]) -> Iterator[Record]:
    try:
        fields = json.loads(line)
        url = _address(fields["url"])
        redirect = _address(fields["redirect"], url) if fields.get("redirect") else ""
        body = fields.get("html") or ""
        record = Record(url, str(body), where, _labels(fields), "", _status(fields), redirect)
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError) as error:
        problems.append(f"{where}: not a page ({type(error).__name__}: {error})")
    else:
        yield record


def _address(text: str, base: str | None = None) -> str:
    url = canonical(text, base)
    if url is None:
        raise ValueError(f"{text!r} is no http address")
    return url


def _labels(fields: dict[str, Any]) -> tuple[str, ...]:
    labels = fields.get("labels") or ()
    if isinstance(labels, str):
        labels = (labels,)
    return tuple(_clean(str(label)) for label in labels)


def _status(fields: dict[str, Any]) -> int:
    status = int(fields.get("status") or 200)
    if not 100 <= status <= 999:
        raise ValueError(f"{status} is no status")
    return status


def _clean(text: str) -> str:
    """Without halves of surrogate pairs, which JSON and names of files may bring and nothing can write."""
    return text.encode("utf-8", "replace").decode()


def _from_wacz(path: Path, problems: list[str]) -> Iterator[Record]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if name.endswith((".warc", ".warc.gz"))]
            for name in names:
                with archive.open(name) as member:
                    yield from _from_stream(io.BytesIO(member.read()), f"{path}:{name}", problems)
    except (OSError, zipfile.BadZipFile, EOFError, zlib.error, RuntimeError) as error:
        # RuntimeError: a password or a compression that zipfile does not know
        raise InvalidWeb(f"{path} cannot be read as a WACZ: {error}") from error


def _from_warc(path: Path, problems: list[str]) -> Iterator[Record]:
    try:
        with path.open("rb") as file:
            yield from _from_stream(file, str(path), problems)
    except OSError as error:
        raise InvalidWeb(f"cannot read {path}: {error}") from error


def _from_stream(stream: BinaryIO, where: str, problems: list[str]) -> Iterator[Record]:
    count = 0
    try:
        for record in ArchiveIterator(_unzipped(stream)):
            count += 1
            is_answer = record.record_type in (WarcRecordType.response, WarcRecordType.resource)
            length = record.content_length
            body = record.reader.read() if is_answer else b""
            declared = (record.headers.get("Content-Length") or "").strip().isdigit()
            if not declared or len(body) + record.reader.consume() < length:
                raise EOFError("the last record is not whole")
            found = (
                _from_answer(record, body, _clean(f"{where}, record {count}"), problems)
                if is_answer
                else None
            )
            if found is not None:
                yield found
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidWeb(
            f"{where} breaks off ({error}; {count} records were read): the file is damaged, copy it again"
        ) from error


def _unzipped(stream: BinaryIO) -> BinaryIO:
    """By Python's gzip, which tells when a file was cut."""
    magic = stream.read(2)
    stream.seek(0)
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if magic == b"\x1f\x8b" else stream


def _from_answer(record: WarcRecord, body: bytes, where: str, problems: list[str]) -> Record | None:
    target = record.headers.get("WARC-Target-URI") or ""
    url = canonical(target.strip("<>"))
    if url is None:
        problems.append(f"{where}: {target!r} is no http address")
        return None
    http = record.http_headers if record.is_http_parsed else None
    status = (http.status_code if http is not None else None) or 200
    content_type = (http if http is not None else record.headers).get("Content-Type") or ""
    location = (http.get("Location") if http is not None else "") or ""
    if 300 <= status < 400 and location:
        redirect = canonical(location, url)
        if redirect is None:
            problems.append(f"{where}: it leads to {location!r}, which is no http address")
            return None
        return Record(url, b"", where, status=status, redirect=redirect)
    if status < 400 and "html" not in content_type.lower():
        return None
    plain = _plain(body, http)
    if plain is None:
        problems.append(f"{where}: {url} is packed in a way that cannot be read")
        return None
    return Record(url, plain, where, content_type=content_type, status=status)


def _plain(body: bytes, http: HeaderMap | None) -> bytes | None:
    if http is None:
        return body
    return unpacked(
        body, transfer=http.get("Transfer-Encoding") or "", content=http.get("Content-Encoding") or ""
    )
