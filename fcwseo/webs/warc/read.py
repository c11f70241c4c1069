"""Reads stored pages: from a ``pages.jsonl.gz``, a WARC file, or the WARC files in a WACZ or a folder.

A WARC file written by fcwseo stores the outcome of each link (``ArchivedOutcome``) beside the responses. A
revisit record has no body. It refers to an earlier record with the same body, which is looked up after all
other records were read.
"""

import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import msgspec
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from msgspec import Struct

from fcwseo.errors import InvalidWeb
from fcwseo.pages.bodies import unpacked
from fcwseo.pages.urls import canonical, header_url

ANSWER = "fcwseo-answer"  # the field of a metadata record that holds an ``ArchivedOutcome``
PLAN = "fcwseo-plan"  # the field of the first record of a file that holds a ``ArchivedPlan``
OUTCOME = "Fcwseo-Outcome"  # the header that marks the answer that a crawl made a page of: one of
PAGE, OBEYED = "page", "obeyed"
SITEMAP = "sitemap"  # the tag path of links to the sitemaps of a host
DECODED = "Fcwseo-Decoded-Length"  # the header that says how much of a body the crawl read

_LONGEST_LINE = 64 << 20
_ARCHIVES = (".warc", ".warc.gz")
_STORED = (WarcRecordType.response, WarcRecordType.resource)


class Record(Struct, frozen=True):
    """A page as it was stored; ``where`` names its place for messages.

    ``robots`` is the header X-Robots-Tag. ``outcome`` says what the crawl that stored it made of it: a page
    (``PAGE``), or one whose wishes it obeyed (``OBEYED``).
    """

    url: str
    body: bytes | str
    where: str
    labels: tuple[str, ...] = ()
    content_type: str = ""
    status: int = 200
    redirect: str = ""
    robots: str = ""
    outcome: str = ""


class ArchivedOutcome(Struct, frozen=True, omit_defaults=True):
    """The outcome of following a link to ``url``, as a crawl stored it in its archive.

    ``outcome`` is ``PAGE`` or a ``Why``. A page was found at ``final_url``; links to ``sitemaps`` of its host
    were added to it. ``requested`` is that of the visit (stored as "asked").
    """

    url: str
    outcome: str
    final_url: str = ""
    detail: str = ""
    sitemaps: tuple[str, ...] = ()
    requested: tuple[int, ...] | None = msgspec.field(default=None, name="asked")


class ArchivedPlan(Struct, frozen=True):
    """What decided which pages the crawl that wrote an archive visited, as a digest, and whether it obeyed
    what pages say of following and keeping them.
    """

    digest: str
    obeyed: bool


_Said = TypeVar("_Said", ArchivedOutcome, ArchivedPlan)


class Revisit(Struct, frozen=True):
    """An answer whose body is the same as that of an earlier one, by its digest or address; ``file`` and
    ``offset`` are the place of that one, if the archive says so.
    """

    url: str
    head: "_Head"
    where: str
    digest: str
    original: str
    file: str = ""
    offset: int = -1


class _Head(Struct, frozen=True):
    """What the headers of an answer say of its body."""

    status: int = 200
    content_type: str = ""
    location: str = ""
    transfer: str = ""
    encoding: str = ""
    robots: str = ""
    decoded: int = -1
    outcome: str = ""


_Found = Record | ArchivedOutcome | ArchivedPlan | Revisit


def read_meta(path: Path) -> dict[str, Any]:
    """What ``meta.json`` says of a web, if it has one."""
    if not path.exists():
        raise InvalidWeb(
            f"there is no web at {path}: give a folder with pages.jsonl.gz, a .warc.gz or a .wacz"
        )
    if not path.is_dir():
        return {}
    if is_archive(path):
        return {"name": path.parent.name if path.name == "warc" else path.name}
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


def is_archive(folder: Path) -> bool:
    """Whether a folder is a web by the WARC files in it."""
    return not (folder / "pages.jsonl.gz").exists() and bool(archive_files(folder))


def archive_files(folder: Path) -> list[Path]:
    """The WARC files in a folder, in order."""
    return sorted(path for path in folder.glob("*.warc*") if path.name.endswith(_ARCHIVES))


def read_records(path: Path, problems: list[str]) -> Iterator[Record]:
    """The records of a web in their order. What cannot be used is named in ``problems`` and passed over;
    a file that breaks off raises ``InvalidWeb``.
    """
    return (found for found in read_everything(path, problems) if isinstance(found, Record))


def read_everything(path: Path, problems: list[str]) -> Iterator[Record | ArchivedOutcome | ArchivedPlan]:
    """The same, and what the crawl that wrote an archive planned and was answered."""
    if not path.is_dir():
        yield from _with_revisits((path,), problems)
    elif is_archive(path):
        yield from _with_revisits(archive_files(path), problems)
    else:
        yield from _from_jsonl(path / "pages.jsonl.gz", problems)


def _with_revisits(
    paths: Sequence[Path], problems: list[str]
) -> Iterator[Record | ArchivedOutcome | ArchivedPlan]:
    """Those whose body stands elsewhere come last: the files are read a second time for them."""
    seen: set[str] = set()
    revisits: list[Revisit] = []
    for path in paths:
        for found in _from_archive(path, problems):
            if isinstance(found, Revisit):
                revisits.append(found)
            else:
                if isinstance(found, Record):
                    seen.add(found.url)
                yield found
    wanted: dict[str, list[Revisit]] = {}
    for revisit in revisits:
        if revisit.url not in seen:
            wanted.setdefault(revisit.digest or revisit.original, []).append(revisit)
    if wanted:
        yield from _bodies_of(wanted, paths, problems)


def _bodies_of(
    wanted: dict[str, list[Revisit]], paths: Sequence[Path], problems: list[str]
) -> Iterator[Record]:
    for path in paths:
        for stored in _stored(path):
            for name in (stored.digest, stored.url):
                for revisit in wanted.pop(name, ()):
                    record = resolved(revisit, stored.body, problems)
                    if record is not None:
                        yield record
    for revisits in wanted.values():
        problems += [f"{revisit.where}: what it repeats is not in this archive" for revisit in revisits]


def resolved(revisit: Revisit, body: bytes, problems: list[str]) -> Record | None:
    """A revisit with the body that it stands for."""
    return _made(revisit.url, revisit.head, body, revisit.where, problems)


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


class Stored(Struct, frozen=True):
    """The body of an answer as it lies in an archive, and what it is called there."""

    url: str
    date: str
    digest: str
    body: bytes


def _stored(path: Path) -> Iterator[Stored]:
    for stream, where in _streams(path):
        for record, content in _whole_records(stream, where):
            if record.record_type in _STORED:
                yield stored_in(record, content)


def stored_in(record: WarcRecord, content: bytes) -> Stored:
    says = record.headers.get
    _, body = parted(record, content)
    return Stored(
        (says("WARC-Target-URI") or "").strip("<>"),
        says("WARC-Date") or "",
        says("WARC-Payload-Digest") or "",
        body,
    )


def _from_archive(path: Path, problems: list[str]) -> Iterator[_Found]:
    for stream, where in _streams(path):
        yield from from_stream(stream, where, problems)


def _streams(path: Path) -> Iterator[tuple[BinaryIO, str]]:
    """The WARC that a file is, or the WARCs in a WACZ, each with its name for messages."""
    if path.suffix != ".wacz":
        try:
            with path.open("rb") as file:
                yield file, str(path)
        except OSError as error:
            raise InvalidWeb(f"cannot read {path}: {error}") from error
        return
    try:
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith(_ARCHIVES):
                    with archive.open(name) as member:
                        yield io.BytesIO(member.read()), f"{path}:{name}"
    except (OSError, zipfile.BadZipFile, EOFError, zlib.error, RuntimeError) as error:
        # RuntimeError: a password or a compression that zipfile does not know
        raise InvalidWeb(f"{path} cannot be read as a WACZ: {error}") from error


def from_stream(stream: BinaryIO, where: str, problems: list[str]) -> Iterator[_Found]:
    """What stands in a WARC."""
    for count, (record, body) in enumerate(_whole_records(stream, where), start=1):
        found: _Found | None = None
        if record.record_type == WarcRecordType.metadata:
            found = _field(body, ANSWER, ArchivedOutcome)
        elif record.record_type == WarcRecordType.warcinfo:
            found = _field(body, PLAN, ArchivedPlan)
        elif record.record_type in (*_STORED, WarcRecordType.revisit):
            found = _from_answer(record, body, _clean(f"{where}, record {count}"), problems)
        if found is not None:
            yield found


class Http(Struct, frozen=True):
    """The head of an answer as it is stored. Reading it is left to nobody: fastwarc gives up at 32 KiB, and
    with it all of the file.
    """

    status: int
    fields: tuple[tuple[str, str], ...]

    def get(self, name: str) -> str:
        """The first field of that name."""
        return next((value for field, value in self.fields if field == name), "")

    def all(self, name: str) -> str:
        """All fields of that name, as a list in one."""
        return ", ".join(value for field, value in self.fields if field == name)


_BLANK = re.compile(rb"\r?\n\r?\n")
_FOLD = re.compile(r"\r?\n[ \t]+")
_LINE_END = re.compile(r"\r?\n")  # splitlines would also end lines inside of letters of UTF-8
_STATUS = re.compile(r"HTTP/\S+\s+(\d{3})")


def parted(record: WarcRecord, content: bytes) -> tuple[Http | None, bytes]:
    """The content of a record as head and body; one that is no HTTP has no head."""
    if not record.is_http:
        return None, content
    blank = _BLANK.search(content)
    head, body = (content[: blank.start()], content[blank.end() :]) if blank else (content, b"")
    first, *lines = _LINE_END.split(_FOLD.sub(" ", head.decode("latin-1")))
    status = _STATUS.match(first)
    pairs = (line.partition(":") for line in lines)
    fields = tuple((name.strip().lower(), value.strip()) for name, colon, value in pairs if colon)
    return Http(int(status[1]) if status else 200, fields), body


def archived(stream: BinaryIO) -> Iterator[WarcRecord]:
    """The records of an archive, zipped or not, nothing of them read yet."""
    return ArchiveIterator(_unzipped(stream), parse_http=False)


def _whole_records(stream: BinaryIO, where: str) -> Iterator[tuple[WarcRecord, bytes]]:
    """Every record with its content (none for those that are not of interest); a torn one is an error."""
    telling = (*_STORED, WarcRecordType.revisit, WarcRecordType.metadata, WarcRecordType.warcinfo)
    count = 0
    try:
        for record in archived(stream):
            count += 1
            length = record.content_length
            body = record.reader.read() if record.record_type in telling else b""
            declared = (record.headers.get("Content-Length") or "").strip().isdigit()
            if not declared or len(body) + record.reader.consume() < length:
                raise EOFError("the last record is not whole")
            yield record, body
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidWeb(
            f"{where} breaks off ({error}; {count} records were read): the file is damaged, copy it again"
        ) from error


def _unzipped(stream: BinaryIO) -> BinaryIO:
    """By Python's gzip, which tells when a file was cut."""
    magic = stream.read(2)
    stream.seek(-len(magic), io.SEEK_CUR)
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream)) if magic == b"\x1f\x8b" else stream


def _field(body: bytes, wanted: str, kind: type[_Said]) -> _Said | None:
    """What a field of a record of fields says, if it is one of ours."""
    for line in body.splitlines():
        name, _, value = line.partition(b":")
        if name.decode("latin-1").strip().lower() == wanted:
            try:
                return msgspec.json.decode(value, type=kind)
            except msgspec.DecodeError:
                return None
    return None


def _from_answer(
    record: WarcRecord, content: bytes, where: str, problems: list[str]
) -> Record | Revisit | None:
    says = record.headers.get
    target = says("WARC-Target-URI") or ""
    url = canonical(target.strip("<>"))
    if url is None:
        problems.append(f"{where}: {target!r} is no http address")
        return None
    http, body = parted(record, content)
    head = _head(record, http)
    if record.record_type != WarcRecordType.revisit:
        return _made(url, head, body, where, problems)
    if head.location and 300 <= head.status < 400:
        return _made(url, head, b"", where, problems)
    offset = says("WARC-Refers-To-File-Offset") or ""
    return Revisit(
        url,
        head,
        where,
        says("WARC-Payload-Digest") or "",
        (says("WARC-Refers-To-Target-URI") or target).strip("<>"),
        says("WARC-Refers-To-Filename") or "",
        int(offset) if offset.isdigit() else -1,
    )


def _head(record: WarcRecord, http: Http | None) -> _Head:
    decoded = record.headers.get(DECODED) or ""
    if http is None:
        return _Head(content_type=record.headers.get("Content-Type") or "")
    return _Head(
        http.status,
        http.get("content-type"),
        header_url(http.get("location")),
        http.get("transfer-encoding"),
        http.get("content-encoding"),
        http.all("x-robots-tag"),
        int(decoded) if decoded.isdigit() else -1,
        record.headers.get(OUTCOME) or "",
    )


def _made(url: str, head: _Head, body: bytes, where: str, problems: list[str]) -> Record | None:
    status = head.status
    if 300 <= status < 400 and head.location:
        redirect = canonical(head.location, url)
        if redirect is None:
            problems.append(f"{where}: it leads to {head.location!r}, which is no http address")
            return None
        return Record(url, b"", where, status=status, redirect=redirect)
    if status < 400 and "html" not in head.content_type.lower() and not head.outcome:
        return None
    plain = unpacked(body, transfer=head.transfer, content=head.encoding)
    if plain is None:
        problems.append(f"{where}: {url} is packed in a way that cannot be read")
        return None
    if head.decoded >= 0:
        plain = plain[: head.decoded]
    return Record(
        url,
        plain,
        where,
        content_type=head.content_type,
        status=status,
        robots=head.robots,
        outcome=head.outcome,
    )
