"""Exports the kept pages of a run as JSON lines, Parquet, CSV, Markdown files, WARC or a dataset folder.

Output appears complete or not at all, and nothing is overwritten.
"""

import csv
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from fcwseo.crawling.run_directory.kept import OBJECTIVES
from fcwseo.crawling.run_directory.run_file import RunFile, read_run_file
from fcwseo.crawling.run_directory.status import scale_of
from fcwseo.errors import InvalidInput, InvalidRun, MissingExtra
from fcwseo.files import EndlessLine, io_error, whole_lines
from fcwseo.webs.warc.members import warcinfo
from fcwseo.webs.warc.ranges import DAMAGE, ByteRange, whole_records

Pages = Iterator[dict[str, Any]]

# The columns of tables, with their types in Parquet.
COLUMNS = {
    "id": "string",
    "url": "string",
    "final_url": "string",
    "title": "string",
    "text": "string",
    "markdown": "string",
    "lang": "string",
    "date": "string",
    "relevance": "double",
    "percentile": "double",
    "topicality": "string",
    "objectives": "map",
    "concepts": "list",
    "parent": "string",
    "anchor": "string",
    "depth": "int",
    "digest": "string",
    "near_dup_of": "string",
    "fetched_at": "string",
    "status": "int",
    "warc": "place",
    "author": "string",
    "site_name": "string",
    "license": "string",
    "text_extractor": "string",
}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # the first characters of what a spreadsheet runs
_ID = re.compile(r"[0-9a-f]{1,64}")
_BATCH = 1000  # pages per row group


class KeptPage(Struct, frozen=True):
    """A kept page: a line of ``pages.jsonl``."""

    id: str
    url: str
    final_url: str
    title: str | None
    text: str | None
    markdown: str | None
    lang: str | None
    date: str | None
    relevance: float
    percentile: float | None
    topicality: str
    objectives: dict[str, float] | None
    concepts: list[str] | None
    parent: str | None
    anchor: str | None
    depth: int | None
    digest: str | None
    near_dup_of: str | None
    fetched_at: str | None
    status: int | None
    warc: ByteRange | None
    author: str | None = None
    site_name: str | None = None
    license: str | None = None
    text_extractor: str | None = None

    def __repr__(self) -> str:
        return f"KeptPage({self.final_url!r}, title={self.title!r}, relevance={self.relevance:.3f})"


class Choice(NamedTuple):
    """Which of the kept pages to export."""

    min_relevance: float = 0.0
    skip_near_duplicates: bool = False

    def takes(self, page: Mapping[str, Any]) -> bool:
        """Whether a kept page is exported."""
        is_copy = self.skip_near_duplicates and page["near_dup_of"] is not None
        return page["relevance"] >= self.min_relevance and not is_copy


_ALL = Choice()
_RESTORE = "the run is damaged; the same crawl command again restores the file"


def kept_pages(run: Path, choice: Choice = _ALL) -> Pages:
    """The kept pages of a run, in the order of discovery; an incomplete last line is skipped.

    If pages are missing, an error is raised after the last one.
    """
    kept = read_run_file(run).counts.get("relevant", 0)
    file = run / "pages.jsonl"
    scale = scale_of(run)
    number = 0
    try:
        with file.open("rb") as lines:
            for number, line in enumerate(whole_lines(lines), start=1):
                page = _page(line, f"{file}, line {number}")
                reading = scale.of_kept(page["relevance"])
                page |= {"percentile": reading.percentile, "topicality": str(reading.topicality)}
                if choice.takes(page):
                    yield page
    except FileNotFoundError as error:
        if kept:
            raise InvalidRun(f"{file} is missing, but {kept} pages were kept: {_RESTORE}") from error
    except EndlessLine as error:
        raise InvalidRun(f"{file}, line {number + 1} is no page ({error}): {_RESTORE}") from error
    except OSError as error:
        raise InvalidRun(f"cannot read {file}: {error.strerror}") from error
    if number < kept:
        raise InvalidRun(f"{file} has {number} pages, but {kept} were kept: {_RESTORE}")


def _page(line: bytes, where: str) -> dict[str, Any]:
    try:
        page = msgspec.json.decode(line, type=dict[str, Any])
        whole = dict.fromkeys(COLUMNS) | page
        whole["relevance"] = float(page["relevance"])
        return whole
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise InvalidRun(f"{where} is not a kept page ({error}): {_RESTORE}") from error


def export(run: Path, form: str, out: Path, *, choice: Choice = _ALL) -> int:
    """Write the kept pages of a run to ``out`` in one of ``FORMATS``, and return their number."""
    if form not in FORMATS:
        raise InvalidInput(f"there is no format {form!r}; there are: {', '.join(FORMATS)}")
    pages = _Counted(kept_pages(run, choice))
    with _whole(out) as making:
        FORMATS[form](pages, making, run)
    return pages.count


class _Counted:
    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self.count = 0

    def __iter__(self) -> Pages:
        for page in self._pages:
            self.count += 1
            yield page


@contextmanager
def _whole(out: Path) -> Iterator[Path]:
    """A temporary path beside ``out``, renamed to ``out`` at the end."""
    if out.exists():
        raise InvalidInput(f"{out} already exists: name another path")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        try:
            making = beside / out.name
            yield making
            making.rename(out)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise io_error(out, error) from error


# --- files ------------------------------------------------------------------------------------------------


def _write_jsonl(pages: "_Counted", out: Path, run: Path) -> None:
    with out.open("wb") as file:
        for page in pages:
            file.write(msgspec.json.encode(page) + b"\n")


def _write_csv(pages: "_Counted", out: Path, run: Path) -> None:
    """A value of a CSV cell; lists and objects as JSON."""
    with out.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for page in pages:
            table.writerow([_cell(page[name]) for name in COLUMNS])


def _cell(value: object) -> object:
    """Text without zero bytes, at which readers of CSV stop, and after "'" where a spreadsheet would run it.

    >>> _cell("=1+1"), _cell("rain"), _cell(-1.5)
    ("'=1+1", 'rain', -1.5)
    """
    if isinstance(value, str):
        text = value.replace("\0", "")
        return f"'{text}" if text.startswith(_FORMULA) else text
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _write_parquet(pages: "_Counted", out: Path, run: Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingExtra("Parquet needs pyarrow: pip install 'fcwseo[parquet]'") from None
    kinds = {
        "string": pyarrow.string(),
        "double": pyarrow.float64(),
        "int": pyarrow.int64(),
        "list": pyarrow.list_(pyarrow.string()),
        "map": pyarrow.struct([(name, pyarrow.float64()) for name in OBJECTIVES]),
        "place": pyarrow.struct(
            [("file", pyarrow.string()), ("offset", pyarrow.int64()), ("length", pyarrow.int64())]
        ),
    }
    schema = pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for batch in _batches(pages):
            writer.write_table(pyarrow.Table.from_pylist(batch, schema))


def _batches(pages: "_Counted") -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for page in pages:
        batch.append(page)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _write_warc(pages: "_Counted", out: Path, run: Path) -> None:
    """The records of the pages, each with its body."""
    with out.open("wb") as file:
        file.write(warcinfo(out.name))
        for page in pages:
            if page["warc"] is None:
                raise InvalidInput(
                    f"{run} has no archive: only a crawl of the live web can be exported as WARC"
                )
            try:
                file.write(whole_records(run / "warc", msgspec.convert(page["warc"], ByteRange)))
            except (*DAMAGE, ValueError, KeyError) as error:
                raise InvalidRun(f"the archive of {run} is damaged: {error}") from error


# --- folders ----------------------------------------------------------------------------------------------


def _write_markdown(pages: "_Counted", out: Path, run: Path) -> None:
    """A file for each page, named after its title and id, with the other fields as front matter."""
    out.mkdir()
    for page in pages:
        (out / f"{_file_name(page)}.md").write_text(_document(page), encoding="utf-8")


def _document(page: Mapping[str, Any]) -> str:
    """A field of the front matter; JSON is valid YAML."""
    names = [name for name in COLUMNS if name not in ("text", "markdown") and page[name] is not None]
    lines = [f"{name}: {_scalar(page[name])}" for name in names]
    return "\n".join(("---", *lines, "---", "", page["markdown"] or page["text"] or "", ""))


def _scalar(value: object) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f").replace("\x85", "\\u0085")


def _file_name(page: Mapping[str, Any]) -> str:
    """A unique file name: the safe characters of the title, and the id.

    Raises ``InvalidRun`` if the id is none of ours: it could lead out of the folder.

    >>> _file_name({"title": "../Flash floods: 山洪?", "id": "7f00"})
    'flash-floods-山洪-7f00'
    """
    if not _ID.fullmatch(str(page["id"])):
        raise InvalidRun(f"{page['id']!r} is not the id of a page: pages.jsonl is damaged")
    words = "".join(c if c.isalnum() else " " for c in (page["title"] or "").lower()).split()
    start = "-".join(words)[:60].encode()[:120].decode("utf-8", "ignore").rstrip("-")
    return f"{start}-{page['id']}" if start else str(page["id"])


def _write_dataset(pages: "_Counted", out: Path, run: Path) -> None:
    """A folder in the form of a Hugging Face dataset: a card, and the pages below ``data``."""
    (out / "data").mkdir(parents=True)
    try:
        _write_parquet(pages, out / "data" / "train-00000.parquet", run)
    except MissingExtra:
        _write_jsonl(pages, out / "data" / "train-00000.jsonl", run)
    (out / "README.md").write_text(_card(read_run_file(run), run, pages.count), encoding="utf-8")


def _card(file: RunFile, run: Path, count: int) -> str:
    config = file.config
    size = next(name for least, name in _SIZES if count >= least)
    return f"""---
pretty_name: {_scalar(f"Pages about {config.topic}")}
task_categories:
- text-retrieval
size_categories:
- {size}
configs:
- config_name: default
  data_files:
  - split: train
    path: data/*
---

# Pages about {config.topic}

{count:,} pages that a focused crawl found and kept: the strategy `{config.strategy}` on `{config.web}`, from
{len(config.seeds):,} seeds, begun {file.started[:10]}, seed {config.seed}, relevance from {config.eta} on.
Made by fcwseo {file.versions.get("fcwseo", "")} (configuration {file.config_hash}).

| field | meaning |
| --- | --- |
| id | of the page; always the same for the same address |
| url, final_url | the link that was followed, and where it led |
| title, text, markdown, lang, date | what the page says: main text without menus |
| percentile, topicality | the relevance among ordinary pages (fetched, but not kept), and in words |
| relevance, objectives, concepts | to the topic, from 0 to 1; as predicted; the words of the topic in it |
| parent, anchor, depth | where the link stood, its text, links from a seed |
| digest, near_dup_of | of the text; the id of an earlier page that says nearly the same |
| fetched_at, status, warc | when, with which HTTP status, and where it is archived |
| author, site_name, license | what the page says of itself, if a text extractor was set |
| text_extractor | what made the Markdown, if it was not fcwseo |

The rights of the pages are those of their authors.
"""


_SIZES = ((10**6, "n>1M"), (10**5, "100K<n<1M"), (10**4, "10K<n<100K"), (10**3, "1K<n<10K"), (0, "n<1K"))

FORMATS: dict[str, Callable[["_Counted", Path, Path], None]] = {
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
    "markdown": _write_markdown,
    "csv": _write_csv,
    "warc": _write_warc,
    "hf": _write_dataset,
}

SUFFIXES = {
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".csv": "csv",
    ".warc": "warc",
    ".warc.gz": "warc",
}


def format_of(out: Path) -> str:
    """The format of a file suffix.

    >>> format_of(Path("bees.parquet")), format_of(Path("bees.warc.gz"))
    ('parquet', 'warc')
    """
    form = SUFFIXES.get("".join(out.suffixes[-2:]).lower()) or SUFFIXES.get(out.suffix.lower())
    if form is None:
        raise InvalidInput(
            f"the suffix of {out} names no format: use one of {' '.join(SUFFIXES)}, or name a format "
            f"({', '.join(FORMATS)})"
        )
    return form
