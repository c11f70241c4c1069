"""Writes responses as received, and reads pages back: WARC 1.1 (ISO 28500:2017).

One write appends all records of a visit: the response with the page, its request, the redirects before it,
files such as robots.txt fetched since the visit before, and a metadata record with the outcome. The run log
stores the byte range of that write. Opening an archive truncates its files after the last byte range in the
log, so an archive contains exactly the visits of its log.

A body is stored once. Later responses with the same body become revisit records, which refer to it.
"""

import base64
import gzip
import io
import ipaddress
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b, sha1
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self
from uuid import UUID

import msgspec
from msgspec import Struct

from fcwseo.errors import InvalidRun, InvalidWeb
from fcwseo.files import append, io_error
from fcwseo.pages import Failure, Page, Why
from fcwseo.webs.frozen import page_of, with_sitemaps
from fcwseo.webs.warc.exchange import Exchange
from fcwseo.webs.warc.read import (
    ANSWER,
    DECODED,
    OBEYED,
    OUTCOME,
    PAGE,
    PLAN,
    SITEMAP,
    ArchivedOutcome,
    ArchivedPlan,
    Record,
    Revisit,
    Stored,
    archived,
    from_stream,
    parted,
    resolved,
    stored_in,
)

DAMAGE = (OSError, EOFError, zlib.error)  # what reading a damaged archive raises
_LARGEST = 1 << 30
_OFFSET = 40  # bits of an offset in a file
_MOST_BODIES = 200_000
_NAME = "fcwseo-{:05}.warc.gz"
_OURS = re.compile(r"fcwseo-(\d{5})\.warc\.gz")
_SAME_BODY = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_BREAK = re.compile(rb"[\r\n\0]+")
_CONTROL = re.compile(r"[\x00-\x20\x7f]+")
_LONGEST = 8000  # characters of an address in a header: readers give up at 32 KiB
_Headers = Sequence[tuple[str, str]]


class ByteRange(Struct, frozen=True, gc=False):
    """Where the records of a visit lie; the one at ``offset`` is the answer that has the page."""

    file: str
    offset: int
    length: int


class _Member(NamedTuple):
    """A record, zipped; ``digest`` is that of its body if later ones may refer to it."""

    id: str
    zipped: bytes
    digest: str = ""


class _Bodies:
    """Where the latest bodies of the archive lie, by a part of their digest: two numbers each."""

    def __init__(self) -> None:
        self._offsets: dict[int, int] = {}

    def add(self, digest: str, file: str, offset: int) -> None:
        """The first offset of a body counts."""
        match = _OURS.fullmatch(file)
        if match is not None:
            self._offsets.setdefault(_short(digest), int(match[1]) << _OFFSET | offset)
        if len(self._offsets) > _MOST_BODIES:
            del self._offsets[next(iter(self._offsets))]

    def find(self, digest: str) -> tuple[str, int] | None:
        """File and offset that probably has this body."""
        found = self._offsets.get(_short(digest))
        return None if found is None else (_NAME.format(found >> _OFFSET), found & (1 << _OFFSET) - 1)


def _short(digest: str) -> int:
    return int.from_bytes(base64.b32decode(digest.partition(":")[2])[:7])


class Archive:
    """The WARC files of a crawl, opened for writing; a recorder of exchanges.

    ``committed`` are the places that the log mentions. ``plan`` is a digest of what decides which pages the
    crawl visits: the same crawl on its own archive takes the same course. ``obeyed`` says that
    the crawl leaves out the links that pages ask not to follow; so do then the pages that are read from it.
    Exchanges wait until ``commit`` is told what came of the URL that they were made for.
    """

    def __init__(
        self,
        folder: Path,
        committed: Iterable[ByteRange] = (),
        *,
        plan: str = "",
        obeyed: bool = False,
        largest: int = _LARGEST,
    ) -> None:
        self._folder = folder
        self._mark = OBEYED if obeyed else PAGE
        self._plan = ArchivedPlan(plan, obeyed)
        self._largest = largest
        self._waiting: dict[str, list[Exchange]] = {}
        self._bodies = _Bodies()
        self._file: BinaryIO | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._number, self._size = _cut_off(folder, committed)
        except OSError as error:
            raise io_error(error.filename or folder, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def record(self, exchange: Exchange) -> None:
        """Take an exchange; it is written when its URL is committed, or with the next one if it has none."""
        self._waiting.setdefault(exchange.link_url, []).append(exchange)

    def commit(
        self, url: str, outcome: Page | Failure, *, requested: tuple[int, ...] | None = None
    ) -> ByteRange:
        """Write the exchanges of a link and its outcome to the file, and return where they are.

        When this returns, a crash of the process loses nothing of them. ``requested`` is that of the visit.
        Raises ``NoSpace`` or ``InvalidInput`` if the file cannot be written.
        """
        exchanges = sorted(self._waiting.pop(url, ()), key=lambda exchange: not exchange.final)
        is_page = isinstance(outcome, Page) or outcome.why is Why.DUPLICATE
        members: list[_Member] = []
        for exchange in (*exchanges, *self._waiting.pop("", ())):
            members += self._members(exchange, is_page=is_page and exchange.final)
        members.append(_metadata(_answer(url, outcome, requested), members[0].id if members else ""))
        return self._append(members)

    def read(self, span: ByteRange) -> Page | Failure:
        """The outcome stored in a byte range; a page has exactly the links that were committed."""
        answer, records = self._read(span)
        if answer.outcome != PAGE:
            return Failure(answer.url, Why(answer.outcome), answer.final_url or answer.detail)
        page = next((page_of(record) for record in records if record.url == answer.final_url), None)
        if page is None:
            raise InvalidRun(f"{self._folder / span.file} has no page at {span.offset}: it is damaged")
        return with_sitemaps(page, answer.sitemaps)

    def _read(self, span: ByteRange) -> tuple[ArchivedOutcome, list[Record]]:
        where = f"{self._folder / span.file} at {span.offset}"
        answers: list[ArchivedOutcome] = []
        records: list[Record] = []
        try:
            data = read_bytes(self._folder, span)
            for found in from_stream(io.BytesIO(data), where, []):
                if isinstance(found, ArchivedOutcome):
                    answers.append(found)
                elif isinstance(found, Record):
                    records.append(found)
                elif isinstance(found, Revisit):
                    body = _stored_at(self._folder / found.file, found.offset).body
                    records += [record for record in (resolved(found, body, []),) if record]
            first = _first(io.BytesIO(data))
        except (*DAMAGE, InvalidWeb) as error:
            raise InvalidRun(f"{where} cannot be read ({error}): the archive is damaged") from error
        if not answers:
            raise InvalidRun(f"{where} does not say what the crawl was answered: the archive is damaged")
        if first.digest and first.body:
            self._bodies.add(first.digest, span.file, span.offset)
        return answers[-1], records

    def _members(self, exchange: Exchange, *, is_page: bool) -> Iterator[_Member]:
        """The records of an exchange: the answer, or that it was the same as before, and the request."""
        block = _http_head(exchange.response)
        digest = _digest(exchange.body)
        headers = [
            ("WARC-Target-URI", _CONTROL.sub("%20", exchange.url)),
            ("WARC-Date", _date(exchange.started)),
            *_address(exchange.peer),
        ]
        more = [("WARC-Payload-Digest", digest)]
        if is_page:
            more.append((OUTCOME, self._mark))
        if exchange.truncated:
            more += [("WARC-Truncated", exchange.truncated), (DECODED, str(exchange.decoded))]
        before = self._before(digest) if exchange.body else ()
        if before:
            more += before
            answer = _member("revisit", [*headers, *more], block, "application/http; msgtype=response")
        else:
            block += exchange.body
            kept = digest if exchange.body else ""
            answer = _member(
                "response", [*headers, *more], block, "application/http; msgtype=response", digest=kept
            )
        yield answer
        if exchange.request:
            concurrent = ("WARC-Concurrent-To", answer.id)
            yield _member(
                "request", [*headers, concurrent], exchange.request, "application/http; msgtype=request"
            )

    def _before(self, digest: str) -> _Headers:
        """The headers by which a revisit names the record that has this body; none if there is none."""
        found = self._bodies.find(digest)
        if found is None:
            return ()
        name, offset = found
        try:
            original = _stored_at(self._folder / name, offset)
        except DAMAGE:
            return ()  # then it is stored once more
        if original.digest != digest:
            return ()
        return (
            ("WARC-Profile", _SAME_BODY),
            ("WARC-Refers-To-Target-URI", original.url),
            ("WARC-Refers-To-Date", original.date),
            ("WARC-Refers-To-Filename", name),
            ("WARC-Refers-To-File-Offset", str(offset)),
        )

    def _append(self, members: Sequence[_Member]) -> ByteRange:
        data = b"".join(member.zipped for member in members)
        if self._size and self._size + len(data) > self._largest:
            self.close()
            self._number, self._size = self._number + 1, 0
        name = _NAME.format(self._number)
        start = b"" if self._size else warcinfo(name, self._plan)
        if self._file is None:
            path = self._folder / name
            try:
                self._file = path.open("ab", buffering=0)
            except OSError as error:
                raise io_error(path, error) from error
        append(self._file, start + data)
        span = ByteRange(name, self._size + len(start), len(data))
        self._size = span.offset + span.length
        offset = span.offset
        for member in members:
            if member.digest:
                self._bodies.add(member.digest, name, offset)
            offset += len(member.zipped)
        return span


def read_bytes(folder: Path, span: ByteRange) -> bytes:
    """The records in a byte range, as they lie there: whole WARC records, zipped one by one."""
    with (folder / span.file).open("rb") as file:
        file.seek(span.offset)
        data = file.read(span.length)
    if len(data) < span.length:
        raise OSError(f"it ends {span.length - len(data)} bytes too early")
    return data


def http_headers(folder: Path, span: ByteRange) -> dict[str, str]:
    """What the answer in a byte range said of itself, by names in lower case."""
    for record in archived(io.BytesIO(read_bytes(folder, span))):
        http, _ = parted(record, record.reader.read())
        return dict(http.fields) if http is not None else {}
    raise OSError("there is no record")


def whole_records(folder: Path, span: ByteRange) -> bytes:
    """The records in a byte range as complete bytes for another file: revisits get their bodies, and
    robots.txt is left out.
    """
    return b"".join(
        _with_body(folder, headers, block) if headers["WARC-Type"] == "revisit" else zipped
        for zipped, headers, block in _unzipped(read_bytes(folder, span))
        if not headers.get("WARC-Target-URI", "").endswith("/robots.txt")
    )


def _unzipped(data: bytes) -> Iterator[tuple[bytes, dict[str, str], bytes]]:
    """Records that were zipped one by one by ``_member``: zipped, and their headers and blocks."""
    while data:
        unzip = zlib.decompressobj(zlib.MAX_WBITS | 16)
        head, _, rest = unzip.decompress(data).partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")[1:]
        zipped = data[: len(data) - len(unzip.unused_data)]
        yield zipped, dict(line.split(": ", 1) for line in lines), rest[: -len(b"\r\n\r\n")]
        data = unzip.unused_data


def _with_body(folder: Path, headers: dict[str, str], block: bytes) -> bytes:
    """A revisit as the answer that it stands for."""
    file, offset = headers["WARC-Refers-To-Filename"], int(headers["WARC-Refers-To-File-Offset"])
    body = _stored_at(folder / file, offset).body
    made = ("WARC-Type", "WARC-Record-ID", "WARC-Block-Digest", "Content-Type", "Content-Length")
    of_revisit = ("WARC-Profile", "WARC-Refers-To")
    kept = [
        (name, value)
        for name, value in headers.items()
        if name not in made and not name.startswith(of_revisit)
    ]
    return _member("response", kept, block + body, headers["Content-Type"]).zipped


def _cut_off(folder: Path, committed: Iterable[ByteRange]) -> tuple[int, int]:
    """Leave in the files what was committed; the number of the last file, and how long it is."""
    ends: dict[str, int] = {}
    for span in committed:
        ends[span.file] = max(ends.get(span.file, 0), span.offset + span.length)
    for path in sorted(folder.iterdir()):
        if _OURS.fullmatch(path.name) and path.name not in ends:
            path.unlink()
    for name, end in ends.items():
        size = (folder / name).stat().st_size if (folder / name).is_file() else 0
        if size < end:
            raise InvalidRun(
                f"{folder / name} is shorter than the log says ({size} of {end} bytes): "
                "it was damaged, and the crawl cannot go on"
            )
        if size > end:
            with (folder / name).open("rb+") as file:
                file.truncate(end)
    last = max(ends, default="")
    match = _OURS.fullmatch(last)
    return (int(match[1]), ends[last]) if match else (0, 0)


def _stored_at(path: Path, offset: int) -> Stored:
    """The record that begins at an offset of a file."""
    with path.open("rb") as file:
        file.seek(offset)
        return _first(file)


def _first(stream: BinaryIO) -> Stored:
    for record in archived(stream):
        return stored_in(record, record.reader.read())
    raise OSError("there is no record")


def _answer(url: str, outcome: Page | Failure, requested: tuple[int, ...] | None) -> ArchivedOutcome:
    if isinstance(outcome, Page):
        sitemaps = tuple(link.target for link in outcome.links if link.tag_path == SITEMAP)
        return ArchivedOutcome(url, PAGE, final_url=outcome.url, sitemaps=sitemaps, requested=requested)
    if outcome.why is Why.DUPLICATE:
        return ArchivedOutcome(url, str(outcome.why), final_url=outcome.detail, requested=requested)
    return ArchivedOutcome(url, str(outcome.why), detail=outcome.detail, requested=requested)


def _metadata(answer: ArchivedOutcome, concurrent: str) -> _Member:
    """What the crawl was answered; the block has the whole address, however long a link that was refused."""
    headers = [
        ("WARC-Target-URI", _CONTROL.sub("%20", answer.url)[:_LONGEST]),
        ("WARC-Date", _date(datetime.now(UTC))),
        *([("WARC-Concurrent-To", concurrent)] if concurrent else []),
    ]
    fields = f"outcome: {answer.outcome}\r\n{ANSWER}: ".encode() + msgspec.json.encode(answer) + b"\r\n"
    return _member("metadata", headers, fields, "application/warc-fields")


def warcinfo(name: str, plan: ArchivedPlan | None = None) -> bytes:
    """The record that a file of this name begins with."""
    fields = f"software: fcwseo/{version('fcwseo')}\r\nformat: WARC file version 1.1\r\n"
    if plan is not None:
        fields += f"{PLAN}: {msgspec.json.encode(plan).decode()}\r\n"
    headers = [("WARC-Date", _date(datetime.now(UTC))), ("WARC-Filename", name)]
    return _member("warcinfo", headers, fields.encode(), "application/warc-fields").zipped


def _member(kind: str, headers: _Headers, block: bytes, content_type: str, *, digest: str = "") -> _Member:
    """A record: what is given, and what follows from it. Its name is made from what it says."""
    block_digest = _digest(block)
    said = f"{kind}\n{headers}\n{block_digest}".encode()
    name = f"<urn:uuid:{UUID(bytes=blake2b(said, digest_size=16).digest(), version=4)}>"
    lines = [
        "WARC/1.1",
        *(
            f"{key}: {value}"
            for key, value in (
                ("WARC-Type", kind),
                ("WARC-Record-ID", name),
                *headers,
                ("WARC-Block-Digest", block_digest),
                ("Content-Type", content_type),
                ("Content-Length", str(len(block))),
            )
        ),
    ]
    head = "\r\n".join(lines).encode("utf-8", "replace")
    return _Member(name, gzip.compress(head + b"\r\n\r\n" + block + b"\r\n\r\n", 6, mtime=0), digest)


def _http_head(head: bytes) -> bytes:
    """Status line and headers, one a line. The body is not chunked any more, so that header gets another
    name.
    """
    first, *rest = (_BREAK.sub(b" ", line) for line in head.split(b"\r\n"))
    protocol, _, status = first.partition(b" ")
    lines = [(protocol if protocol.startswith(b"HTTP/1") else b"HTTP/1.1") + b" " + status]
    for line in rest:
        name, colon, _ = line.partition(b":")
        is_chunked = name.strip().lower() == b"transfer-encoding"
        if colon and name.strip():
            lines.append(b"X-Archive-Orig-" + line.lstrip() if is_chunked else line)
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _address(peer: str) -> _Headers:
    try:
        return (("WARC-IP-Address", str(ipaddress.ip_address(peer))),)
    except ValueError:
        return ()


def _digest(data: bytes) -> str:
    return f"sha1:{base64.b32encode(sha1(data).digest()).decode()}"


def _date(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
