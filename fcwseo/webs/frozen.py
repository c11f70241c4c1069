"""A frozen web: pages that were fetched once and never change.

It is read from a folder with ``pages.jsonl.gz``, from a ``.warc`` or ``.warc.gz``, from a folder of these, or
from a ``.wacz``. An archive of our own crawler returns the same outcomes as the live web did, including
failures.

Every page is parsed once. The parsed pages are stored in the user's cache folder (or ``FCWSEO_CACHE``), in a
folder for each content and each version of the parser, which may be deleted at any time.
"""

import mmap
import shutil
import tempfile
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from fcwseo.errors import InvalidWeb
from fcwseo.files import cache_folder, io_error
from fcwseo.pages import Failure, Link, Page, Requested, Why
from fcwseo.pages.parse import PARSER_VERSION, parse
from fcwseo.pages.responses import obeying, read_page
from fcwseo.pages.urls import loose
from fcwseo.pages.values import requested
from fcwseo.webs.protocol import ArchivedOrder
from fcwseo.webs.warc.read import archive_files, is_archive, read_everything, read_meta
from fcwseo.webs.warc.records import OBEYED, PAGE, SITEMAP, ArchivedOutcome, ArchivedPlan, Record

PageCounter = Callable[[int], None]

_FORMAT = "5"  # version of the stored files
_MOST_REDIRECTS = 10
_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(Page)


class _Index(msgspec.Struct, frozen=True):
    """The index of the pages: one entry per page, in the order of the source."""

    urls: list[str]
    labels: list[tuple[str, ...]]
    redirects: dict[str, str]
    failures: dict[str, int]
    problems: list[str]
    answers: dict[str, tuple[str, str]]  # outcome, and the URL of the page or the reason of the failure
    sitemaps: dict[str, tuple[str, ...]]
    plans: list[ArchivedPlan]
    order: list[tuple[str, tuple[int, ...] | None]]
    took: list[tuple[str, ...] | None] = []  # aligned with order; absent in indexes written by release 0.2

    def archived_visits(self) -> list[tuple[str, Requested | None]]:
        """The visits of the archived crawl, with the links requested before each. They end before the first
        link that it asked again, which failed then and has its last outcome here.
        """
        took = self.took or [None] * len(self.order)
        times = Counter(url for url, _ in self.order)
        visits = zip(self.order, took, strict=True)
        once = takewhile(lambda visit: times[visit[0][0]] == 1, visits)
        return [(url, requested(asked, links)) for (url, asked), links in once]


class FrozenWeb:
    """The pages of a folder or archive as a web.

    Links to other pages are dead. If ``meta.json`` sets ``loose_urls``, a link is looked up without regard to
    scheme, trailing slash, index file and percent-encoding. ``obeyed`` is true for the archive of a crawl
    that obeyed nofollow and noindex.
    """

    def __init__(self, path: str | Path, *, progress: PageCounter | None = None) -> None:
        self.path = path = Path(path)
        self.meta = read_meta(path)
        self.name = str(self.meta.get("name") or path.name)
        self.spec = str(path.resolve())
        digest = _digest(path)
        self.identity = f"{digest}-loose" if self.meta.get("loose_urls") else digest
        kept = _kept(path, f"{digest}-{PARSER_VERSION}-{_FORMAT}", progress)
        self._index, self._ends, self._pages = _read(kept)
        self.problems = tuple(self._index.problems)
        plan = self._index.plans[0] if self._index.plans else ArchivedPlan("", False)
        self.obeyed = plan.obeyed
        answers = self._index.answers.items()
        duplicates = {url: rest for url, (outcome, rest) in answers if outcome == Why.DUPLICATE}
        self.archived_order = ArchivedOrder(
            plan.digest, self._index.archived_visits(), duplicates, plan.width
        )
        self._rows = {url: row for row, url in enumerate(self._index.urls)}
        self._redirects = self._index.redirects
        self._loosely: dict[str, int] = {}
        if self.meta.get("loose_urls"):
            for url, row in self._rows.items():
                self._loosely.setdefault(loose(url), row)
            self._redirects = {loose(url): there for url, there in self._redirects.items()} | self._redirects

    def __repr__(self) -> str:
        return f"FrozenWeb {self.name!r}: {len(self):,} pages"

    def forget_order(self) -> None:
        """Forget the archived order, so that every crawl follows its own order."""
        self.archived_order = ArchivedOrder()

    def __len__(self) -> int:
        return len(self._index.urls)

    def __contains__(self, url: str) -> bool:
        return self.resolve(url) is not None

    def urls(self) -> Iterator[str]:
        """The URLs of all pages, in the order of the source."""
        return iter(self._index.urls)

    def labels(self, url: str) -> tuple[str, ...]:
        """The labels of a page, for the judge; empty for a missing page."""
        row = self._row(url)
        return () if row is None else tuple(self._index.labels[row])

    def page(self, row: int) -> Page:
        """The page in a row of the index."""
        start = self._ends[row - 1] if row else 0
        page = _DECODER.decode(zlib.decompress(self._pages[start : self._ends[row]]))
        return with_sitemaps(page, self._index.sitemaps.get(page.url, ()))

    async def fetch(self, url: str) -> Page | Failure:
        """The page at a URL, after redirects, or the stored failure; ``OUTSIDE`` for any other URL."""
        end = self._follow(url)
        return end if isinstance(end, Failure) else self.page(end)

    def resolve(self, url: str) -> str | None:
        """The URL of the page that a link leads to; None for a dead link."""
        end = self._follow(url)
        return None if isinstance(end, Failure) else self._index.urls[end]

    def _follow(self, url: str) -> int | Failure:
        """The row of the page at the end of the redirects."""
        if url in self._index.answers:
            outcome, rest = self._index.answers[url]
            if outcome in (PAGE, Why.DUPLICATE) and rest in self._rows:
                return self._rows[rest]
            if outcome != PAGE:
                return Failure(url, Why(outcome), rest)
        here, seen = url, {url}
        while (row := self._row(here)) is None:
            if status := self._index.failures.get(here):
                return Failure(url, Why.GONE, f"status {status}")
            there = self._redirects.get(here)
            if there is None and self._loosely:
                there = self._redirects.get(loose(here))
            if there is None:
                return Failure(url, Why.OUTSIDE, "" if here == url else f"redirected to {here}")
            if there in seen or len(seen) > _MOST_REDIRECTS:
                return Failure(url, Why.REDIRECTS, f"at {there}")
            seen.add(there)
            here = there
        return row

    def _row(self, url: str) -> int | None:
        row = self._rows.get(url)
        if row is None and self._loosely:
            row = self._loosely.get(loose(url))
        return row


def _digest(path: Path) -> str:
    """A digest of the source of the pages, independent of its location."""
    digest = blake2b(digest_size=16)
    for source in _sources(path):
        try:
            with source.open("rb") as file:
                while chunk := file.read(1 << 20):
                    digest.update(chunk)
        except OSError as error:
            raise InvalidWeb(f"cannot read the web {source}: {error.strerror}") from error
    return digest.hexdigest()


def _sources(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return archive_files(path) if is_archive(path) else [path / "pages.jsonl.gz"]


def _read(kept: Path) -> tuple[_Index, "array[int]", Any]:
    try:
        index = msgspec.msgpack.decode((kept / "index").read_bytes(), type=_Index)
        ends = array("Q", (kept / "ends").read_bytes())
        pages = _map(kept / "pages")
        if len(ends) != len(index.urls) or ends[-1] != len(pages):
            raise ValueError("its length has changed")
    except (OSError, ValueError) as error:
        raise InvalidWeb(f"the parsed pages in {kept} are damaged ({error}): delete that folder") from error
    return index, ends, pages


def _map(path: Path) -> Any:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if path.stat().st_size else b""


def _kept(path: Path, key: str, progress: PageCounter | None) -> Path:
    """The folder of the parsed pages, created if missing.

    It is written under another name and renamed when complete, so a reader never sees a part of it. If two
    processes write it at once, both write the same content, and the second discards its copy.
    """
    folder = cache_folder() / "webs" / key
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(prefix=f"{key}.", dir=folder.parent))
    except OSError as error:
        raise InvalidWeb(
            f"cannot store parsed pages in {folder.parent} ({error.strerror}): set FCWSEO_CACHE"
        ) from error
    try:
        _parse_all(path, making, progress)
        try:
            making.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    except OSError as error:
        raise io_error(folder, error) from error
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return folder


def _parse_all(path: Path, folder: Path, progress: PageCounter | None) -> None:
    rows: dict[str, tuple[str, ...]] = {}
    index = _Index([], [], {}, {}, [], {}, {}, [], [], [])
    ends = array("Q")
    with (folder / "pages").open("wb") as pages:
        for record in read_everything(path, index.problems):
            if isinstance(record, ArchivedPlan):
                index.plans.append(record)
            elif isinstance(record, ArchivedOutcome):
                _take_in(record, index)
            elif record.redirect:
                index.redirects.setdefault(record.url, record.redirect)
            elif record.status >= 300:
                index.failures.setdefault(record.url, record.status)
            elif record.url in rows:
                index.problems.append(
                    f"{record.where}: a second page with the URL {record.url}; the first is used"
                )
            else:
                rows[record.url] = record.labels
                pages.write(_packed(record))
                ends.append(pages.tell())
                if progress is not None:
                    progress(len(rows))
    if not rows:
        raise InvalidWeb(f"{path} has no pages{_first(index.problems)}")
    index.urls.extend(rows)
    index.labels.extend(rows.values())
    (folder / "ends").write_bytes(ends.tobytes())
    (folder / "index").write_bytes(_ENCODER.encode(index))


def _take_in(answer: ArchivedOutcome, index: _Index) -> None:
    """A stored outcome as a page or failure. A duplicate is a page here: each crawl finds duplicates
    itself.
    """
    if answer.outcome != PAGE and answer.outcome not in set(Why):
        index.problems.append(f"{answer.url}: unknown outcome {answer.outcome!r}")
        return
    index.order.append((answer.url, answer.asked))
    index.took.append(answer.took)
    before = index.answers.get(answer.url)
    if before is None or (before[0] != PAGE and Failure(answer.url, Why(before[0]), before[1]).may_pass):
        index.answers[answer.url] = (answer.outcome, answer.final_url or answer.detail)
    if answer.sitemaps:
        index.sitemaps.setdefault(answer.final_url, answer.sitemaps)


def page_of(record: Record) -> Page:
    """Parse a stored response, in the same way as the crawl that stored it if it was ours."""
    if record.outcome and isinstance(record.body, bytes):
        page = read_page(
            record.body,
            record.url,
            content_type=record.content_type,
            status=record.status,
            robots_tag=record.robots,
        )
        if page is not None:
            return obeying(page) if record.outcome == OBEYED else page
    return parse(record.body, record.url, content_type=record.content_type, status=record.status)


def with_sitemaps(page: Page, sitemaps: Sequence[str]) -> Page:
    """A page with added links to the sitemaps of its host, as the crawl followed them."""
    if not sitemaps:
        return page
    links = (Link(there, page.url, tag_path=SITEMAP) for there in sitemaps)
    return msgspec.structs.replace(page, links=(*page.links, *links))


def _packed(record: Record) -> bytes:
    page = page_of(record)
    return zlib.compress(_ENCODER.encode(page), 1)


def _first(problems: list[str]) -> str:
    return f": {problems[0]}" if problems else ""
