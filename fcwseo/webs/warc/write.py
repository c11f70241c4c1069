"""Writes responses as received, and reads pages back: WARC 1.1 (ISO 28500:2017).

One write appends all records of a visit: the response with the page, its request, the redirects before it,
files such as robots.txt fetched since the visit before, and a metadata record with the outcome. The run log
stores the byte range of that write. Opening an archive truncates its files after the last byte range in the
log, so an archive contains exactly the visits of its log.

A body is stored once. Later responses with the same body become revisit records, which refer to it.
"""

import base64
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from fcwseo.errors import InvalidRun, InvalidWeb
from fcwseo.files import append, io_error, sync, sync_folder
from fcwseo.pages import Failure, Page, Requested, Why
from fcwseo.webs.frozen import page_of, with_sitemaps
from fcwseo.webs.warc.exchange import Exchange
from fcwseo.webs.warc.members import (
    HTTP_REQUEST,
    HTTP_RESPONSE,
    Headers,
    Member,
    date,
    digest_of,
    header_safe,
    http_head,
    ip_header,
    make_member,
    metadata,
    warcinfo,
)
from fcwseo.webs.warc.ranges import DAMAGE, OURS, ByteRange, body_at, file_in, first_body, read_bytes
from fcwseo.webs.warc.records import (
    DECODED,
    OBEYED,
    OUTCOME,
    PAGE,
    SITEMAP,
    ArchivedOutcome,
    ArchivedPlan,
    Record,
    Revisit,
    StoredBody,
)
from fcwseo.webs.warc.stream import read_stream, with_body

_LARGEST = 1 << 30  # bytes of a file
_OFFSET = 40  # bits of an offset in a file
_MOST_BODIES = 200_000
_DAMAGED = "the archive is damaged ('fcwseo repair' saves the rest)"
_NAME = "fcwseo-{:05}.warc.gz"
_SAME_BODY = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"


class _Bodies:
    """The positions of the bodies in an archive, by a part of their digest: two integers for each body."""

    def __init__(self) -> None:
        self._offsets: dict[int, int] = {}

    def add(self, digest: str, file: str, offset: int) -> None:
        """Store the position of a body, unless an earlier one is known."""
        match = OURS.fullmatch(file)
        if match is not None:
            self._offsets.setdefault(_short(digest), int(match[1]) << _OFFSET | offset)
        if len(self._offsets) > _MOST_BODIES:
            del self._offsets[next(iter(self._offsets))]

    def find(self, digest: str) -> tuple[str, int] | None:
        """The file and offset of the record that probably has this body; None if there is none."""
        found = self._offsets.get(_short(digest))
        return None if found is None else (_NAME.format(found >> _OFFSET), found & (1 << _OFFSET) - 1)


def _short(digest: str) -> int:
    return int.from_bytes(base64.b32decode(digest.partition(":")[2])[:7])


class Archive:
    """The WARC files of a crawl, opened for writing. It records exchanges; ``commit`` writes them.

    ``committed`` are the byte ranges in the run log. ``plan`` is a digest of the settings that decide which
    pages the crawl visits: the same crawl of the archive visits the same pages in the same order, with the
    same ``width``, its number of concurrent fetches. ``obeyed``
    says that the crawl obeys nofollow and noindex; so do pages read from the archive. A file grows up to
    ``largest`` bytes.

    Raises ``InvalidRun`` if files are shorter than the log says, ``InvalidInput`` if they cannot be written.
    """

    def __init__(
        self,
        folder: Path,
        committed: Iterable[ByteRange] = (),
        *,
        plan: str = "",
        width: int = 0,
        obeyed: bool = False,
        largest: int = _LARGEST,
    ) -> None:
        self._folder = folder
        self._mark = OBEYED if obeyed else PAGE
        self._plan = ArchivedPlan(plan, obeyed, width)
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
        """Take an exchange, to be written by ``commit`` of its link, or by the next one if it has no link."""
        self._waiting.setdefault(exchange.link_url, []).append(exchange)

    def commit(self, url: str, outcome: Page | Failure, *, requested: Requested | None = None) -> ByteRange:
        """Write the exchanges of a link and its outcome to the file, and return where they are.

        When this returns, a crash of the process loses nothing of them. ``requested`` is that of the visit.
        Raises ``NoSpace`` or ``InvalidInput`` if the file cannot be written.
        """
        exchanges = sorted(self._waiting.pop(url, ()), key=lambda exchange: not exchange.final)
        is_page = isinstance(outcome, Page) or outcome.why is Why.DUPLICATE
        members: list[Member] = []
        for exchange in (*exchanges, *self._waiting.pop("", ())):
            members += self._members(exchange, is_page=is_page and exchange.final)
        members.append(metadata(_archived(url, outcome, requested), members[0].id if members else ""))
        return self._append(members)

    def sync(self) -> None:
        """Return when everything that was committed is on the disk."""
        if self._file is not None:
            sync(self._file)

    def read(self, span: ByteRange) -> Page | Failure:
        """The outcome stored in a byte range; a page has exactly the links that were committed.

        Raises ``InvalidRun`` if the archive is damaged.
        """
        first, outcome = _read(self._folder, span)
        if first.digest and first.body:
            self._bodies.add(first.digest, span.file, span.offset)
        return outcome

    def _members(self, exchange: Exchange, *, is_page: bool) -> Iterator[Member]:
        """The records of an exchange: response or revisit, and the request."""
        block = http_head(exchange.response)
        digest = digest_of(exchange.body)
        headers = [
            ("WARC-Target-URI", header_safe(exchange.url)),
            ("WARC-Date", date(exchange.started)),
            *ip_header(exchange.peer),
        ]
        more = [("WARC-Payload-Digest", digest)]
        if is_page:
            more.append((OUTCOME, self._mark))
        if exchange.truncated:
            more += [("WARC-Truncated", exchange.truncated), (DECODED, str(exchange.decoded))]
        before = self._before(digest) if exchange.body else ()
        if before:
            response = make_member("revisit", [*headers, *more, *before], block, HTTP_RESPONSE)
        else:
            block += exchange.body
            kept = digest if exchange.body else ""
            response = make_member("response", [*headers, *more], block, HTTP_RESPONSE, digest=kept)
        yield response
        if exchange.request:
            concurrent = ("WARC-Concurrent-To", response.id)
            yield make_member("request", [*headers, concurrent], exchange.request, HTTP_REQUEST)

    def _before(self, digest: str) -> Headers:
        """The headers of a revisit that refer to an earlier record with this body; () if there is none."""
        found = self._bodies.find(digest)
        if found is None:
            return ()
        name, offset = found
        try:
            original = body_at(self._folder / name, offset)
        except DAMAGE:
            return ()  # the body is stored again
        if original.digest != digest:
            return ()
        return (
            ("WARC-Profile", _SAME_BODY),
            ("WARC-Refers-To-Target-URI", original.url),
            ("WARC-Refers-To-Date", original.date),
            ("WARC-Refers-To-Filename", name),
            ("WARC-Refers-To-File-Offset", str(offset)),
        )

    def _append(self, members: Sequence[Member]) -> ByteRange:
        data = b"".join(member.zipped for member in members)
        if self._size and self._size + len(data) > self._largest:
            self.sync()
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
            sync_folder(self._folder)
        append(self._file, start + data)
        span = ByteRange(name, self._size + len(start), len(data))
        self._size = span.offset + span.length
        offset = span.offset
        for member in members:
            if member.digest:
                self._bodies.add(member.digest, name, offset)
            offset += len(member.zipped)
        return span


def outcome_at(folder: Path, span: ByteRange) -> Page | Failure:
    """The outcome stored in a byte range of the archive in a folder, without opening it for writing.

    Raises ``InvalidRun`` if the archive is damaged.
    """
    return _read(folder, span)[1]


def _read(folder: Path, span: ByteRange) -> tuple[StoredBody, Page | Failure]:
    """The first body in a byte range, and the outcome."""
    first, stored, records = _records(folder, span)
    if stored.outcome != PAGE:
        return first, Failure(stored.url, Why(stored.outcome), stored.final_url or stored.detail)
    page = next((page_of(record) for record in records if record.url == stored.final_url), None)
    if page is None:
        raise InvalidRun(f"{folder / span.file} has no page at byte {span.offset}: {_DAMAGED}")
    return first, with_sitemaps(page, stored.sitemaps)


def _records(folder: Path, span: ByteRange) -> tuple[StoredBody, ArchivedOutcome, list[Record]]:
    where = f"{folder / span.file} at byte {span.offset}"
    outcomes: list[ArchivedOutcome] = []
    records: list[Record] = []
    try:
        data = read_bytes(folder, span)
        for found in read_stream(io.BytesIO(data), where, []):
            if isinstance(found, ArchivedOutcome):
                outcomes.append(found)
            elif isinstance(found, Record):
                records.append(found)
            elif isinstance(found, Revisit):
                body = body_at(file_in(folder, found.file), found.offset).body
                records += [record for record in (with_body(found, body, []),) if record]
        first = first_body(io.BytesIO(data))
    except (*DAMAGE, InvalidWeb) as error:
        raise InvalidRun(f"cannot read {where} ({error}): {_DAMAGED}") from error
    if not outcomes:
        raise InvalidRun(f"{where} has no outcome: {_DAMAGED}")
    return first, outcomes[-1], records


def _cut_off(folder: Path, committed: Iterable[ByteRange]) -> tuple[int, int]:
    """Truncate the files after the committed ranges; the number of the last file, and its length.

    Files without a committed range are deleted.
    """
    ends: dict[str, int] = {}
    for span in committed:
        if not OURS.fullmatch(span.file):
            raise InvalidRun(f"the log names the archive file {span.file!r}, which is none of {folder}")
        ends[span.file] = max(ends.get(span.file, 0), span.offset + span.length)
    for path in sorted(folder.iterdir()):
        if OURS.fullmatch(path.name) and path.name not in ends:
            path.unlink()
    for name, end in ends.items():
        size = (folder / name).stat().st_size if (folder / name).is_file() else 0
        if size < end:
            raise InvalidRun(
                f"{folder / name} is shorter than the log says ({size} of {end} bytes): {_DAMAGED}"
            )
        if size > end:
            with (folder / name).open("rb+") as file:
                file.truncate(end)
    last = max(ends, default="")
    match = OURS.fullmatch(last)
    return (int(match[1]), ends[last]) if match else (0, 0)


def _archived(url: str, outcome: Page | Failure, requested: Requested | None) -> ArchivedOutcome:
    asked, took = (requested.counts, requested.took) if requested is not None else (None, None)
    if isinstance(outcome, Page):
        sitemaps = tuple(link.target for link in outcome.links if link.tag_path == SITEMAP)
        return ArchivedOutcome(url, PAGE, final_url=outcome.url, sitemaps=sitemaps, asked=asked, took=took)
    if outcome.why is Why.DUPLICATE:
        return ArchivedOutcome(url, str(outcome.why), final_url=outcome.detail, asked=asked, took=took)
    return ArchivedOutcome(url, str(outcome.why), detail=outcome.detail, asked=asked, took=took)
