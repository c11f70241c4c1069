"""Reads the records of a frozen web.

A frozen web is a folder with ``pages.jsonl.gz``, a WARC file, a folder of WARC files, or a WACZ.

A revisit record has no body but refers to an earlier record with the same body. Such bodies are looked up
after all other records were read.
"""

import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

from fcwseo.errors import InvalidWeb
from fcwseo.webs.warc.lines import read_lines
from fcwseo.webs.warc.records import ArchivedOutcome, ArchivedPlan, Record, Revisit
from fcwseo.webs.warc.stream import read_stream, stored_bodies, with_body

_ARCHIVES = (".warc", ".warc.gz")


def read_meta(path: Path) -> dict[str, Any]:
    """The contents of ``meta.json`` of a web; {} if it has none. Raises ``InvalidWeb`` if there is no web."""
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
            f"the folder {path} has no pages.jsonl.gz: make a web of other files with 'fcwseo web import'"
        )
    file = path / "meta.json"
    if not file.is_file():
        return {}
    try:
        meta = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidWeb(f"cannot read {file} as JSON: {error}") from error
    if not isinstance(meta, dict):
        raise InvalidWeb(f"{file} does not contain a JSON object")
    return meta


def is_archive(folder: Path) -> bool:
    """Whether the web in a folder consists of WARC files."""
    return not (folder / "pages.jsonl.gz").exists() and bool(archive_files(folder))


def archive_files(folder: Path) -> list[Path]:
    """The WARC files in a folder, sorted by name."""
    return sorted(path for path in folder.glob("*.warc*") if path.name.endswith(_ARCHIVES))


def read_records(path: Path, problems: list[str]) -> Iterator[Record]:
    """The stored pages, redirects and errors of a web, in order.

    Unusable records are skipped and named in ``problems``. Raises ``InvalidWeb`` if a file is damaged.
    """
    return (found for found in read_everything(path, problems) if isinstance(found, Record))


def read_everything(path: Path, problems: list[str]) -> Iterator[Record | ArchivedOutcome | ArchivedPlan]:
    """As ``read_records``, with the outcomes and the plan of the crawl that wrote the archive."""
    if not path.is_dir():
        yield from _with_revisits((path,), problems)
    elif is_archive(path):
        yield from _with_revisits(archive_files(path), problems)
    else:
        yield from read_lines(path / "pages.jsonl.gz", problems)


def _with_revisits(
    paths: Sequence[Path], problems: list[str]
) -> Iterator[Record | ArchivedOutcome | ArchivedPlan]:
    """All records, revisits last: their bodies need a second pass over the files."""
    seen: set[str] = set()
    revisits: list[Revisit] = []
    for path in paths:
        for stream, where in _streams(path):
            for found in read_stream(stream, where, problems):
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
        yield from _records_of(wanted, paths, problems)


def _records_of(
    wanted: dict[str, list[Revisit]], paths: Sequence[Path], problems: list[str]
) -> Iterator[Record]:
    """The records of revisits, which are given by the digest or URL of their body."""
    for path in paths:
        for stream, where in _streams(path):
            for stored in stored_bodies(stream, where):
                for name in (stored.digest, stored.url):
                    for revisit in wanted.pop(name, ()):
                        record = with_body(revisit, stored.body, problems)
                        if record is not None:
                            yield record
    for revisits in wanted.values():
        problems += [
            f"{revisit.where}: the record that it refers to is not in this archive" for revisit in revisits
        ]


def _streams(path: Path) -> Iterator[tuple[BinaryIO, str]]:
    """The WARC file, or each WARC file in a WACZ, with its name for messages."""
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
                        yield cast(BinaryIO, member), f"{path}:{name}"
    except (OSError, zipfile.BadZipFile, EOFError, zlib.error, RuntimeError) as error:
        # RuntimeError: zipfile does not know the compression, or the file needs a password
        raise InvalidWeb(f"cannot read {path} as a WACZ: {error}") from error
