"""Repairs a run directory that is damaged before its end: what is whole is saved, what is lost is named.

A crawl can be continued only from a log without a gap, so its log is cut back to the visit before the first
damage. The whole lines, kept pages and archived records behind it are first copied to a folder ``saved``
inside the run directory; its archive is a web (``fcwseo web info RUN/saved``).
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct

from fcwseo.crawling.run_directory import kept, log
from fcwseo.crawling.run_directory.lines import cut
from fcwseo.crawling.run_directory.run_file import (
    NAME as RUN_FILE,
)
from fcwseo.crawling.run_directory.run_file import (
    RunFile,
    read_copy,
    run_file_if_any,
    write_run_file,
)
from fcwseo.crawling.run_directory.soundness import damage_of, entries
from fcwseo.errors import InvalidRun
from fcwseo.files import EndlessLine, io_error, lock, whole_lines
from fcwseo.webs.warc.members import warcinfo
from fcwseo.webs.warc.ranges import DAMAGE, OURS, sound_members, whole_records

SAVED = "saved"
_ARCHIVE = "fcwseo-00000.warc.gz"
_MOST = 20  # damages and lost visits that are named


class Repaired(Struct, frozen=True):
    """What a repair found and did.

    Attributes:
        visits: Visits that remain in the log, from which the crawl goes on.
        of: Lines that the log had, or visits that it had when the crawl ended.
        damage: The first twenty damages, one for each file of the archive.
        saved: Copied to ``folder``: whole visits, kept pages and archived records behind the first damage.
        folder: The folder of copies; empty if there is nothing to copy.
        lost: Visits that are not whole: the URLs of the first twenty, or their lines.
        lost_visits: Number of these visits.
    """

    visits: int
    of: int
    damage: tuple[str, ...] = ()
    saved: dict[str, int] = {}
    folder: str = ""
    lost: tuple[str, ...] = ()
    lost_visits: int = 0


class _Damage(Struct):
    """The first damage of a file of the archive or of a line of the log, and the number of its visits."""

    first: str
    visits: int = 0

    def __str__(self) -> str:
        """One line.

        >>> str(_Damage("a.warc.gz is damaged", 3))
        'a.warc.gz is damaged; so are the records of 2 more visits in this file'
        """
        others = self.visits - 1
        return self.first + (f"; so are the records of {others} more visits in this file" if others else "")


class _Found(Struct):
    """The state of a log: its whole beginning, and what follows it."""

    visits: int = 0
    size: int = 0
    kept: int = 0
    of: int = 0
    ends: dict[str, int] = {}  # of the archive files
    damage: list[str] = []
    whole: list[tuple[int, int]] = []  # byte ranges of whole lines behind the first damage
    lost: list[str] = []


def repair(run: Path, *, dry_run: bool = False) -> Repaired:
    """Save what is whole of a damaged run, and make it continuable.

    Args:
        run: The run directory.
        dry_run: Whether only to say what would be done.

    Raises:
        InvalidRun: If it is not a run directory, or if ``run.json`` and its copy are lost.
        RunLocked: If another process is crawling into it.
    """
    if not run.is_dir():
        raise InvalidRun(f"{run} is not a run directory")
    with lock(run, "crawling"):
        file, damage = _run_file(run)
        found = _examined(run)
        found.damage[:0] = damage
        of = max(found.of, file.counts.get("visits", 0))
        if _pages_are_damaged(run):
            found.damage.append(f"{run / kept.NAME} has damaged lines; the same crawl command restores them")
        elif found.visits == of:
            if damage and not dry_run:
                write_run_file(run, file)
            return Repaired(found.visits, of, tuple(damage))
        saved = _copied(run, found, of, dry_run=dry_run)
        if not dry_run:
            _cut(run, file, found)
        return saved


def _run_file(run: Path) -> tuple[RunFile, list[str]]:
    """``run.json``, or its copy with the damage."""
    try:
        file = run_file_if_any(run)
    except InvalidRun as error:
        file, damage = None, str(error)
    else:
        damage = f"{run / RUN_FILE} is missing"
    if file is not None:
        return file, []
    file = read_copy(run)
    if file is None:
        raise InvalidRun(f"{damage}, and it has no copy: {run} is no run directory, or cannot be repaired")
    return file, [f"{damage}; it is restored from its copy"]


def _examined(run: Path) -> _Found:
    found = _Found()
    damages: dict[str, _Damage] = {}
    start = 0
    for number, entry in enumerate(entries(run), start=1):
        damage = entry.damage if entry.row is None else damage_of(run, entry.row)
        found.of = number
        if damage:
            in_file = entry.row is not None and entry.row.warc is not None and entry.row.warc.file
            where = in_file or f"line {number}"
            if where in damages or len(damages) < _MOST:
                damages.setdefault(where, _Damage(damage)).visits += 1
        is_sound = not damage and found.visits == number - 1
        if entry.row is not None and is_sound:
            found.visits, found.size = number, entry.end
            found.kept += entry.row.kept
            if (span := entry.row.warc) is not None:
                found.ends[span.file] = max(found.ends.get(span.file, 0), span.offset + span.length)
        elif entry.is_visit and not (entry.row is not None and damage):
            found.whole.append((start, entry.end))
        else:
            found.lost.append(f"line {number}" if entry.row is None else entry.row.url)
        start = entry.end
    found.damage = [str(damage) for damage in damages.values()]
    return found


def _copied(run: Path, found: _Found, of: int, *, dry_run: bool) -> Repaired:
    """Copy what is whole behind the first damage."""
    folder = _new_folder(run)
    files = {
        log.NAME: _Copy(_lines_in(run / log.NAME, found.whole)),
        kept.NAME: _Copy(_kept_behind(run / kept.NAME, found.kept)),
        _ARCHIVE: _Copy(_records_behind(run / "warc", found.ends)),
    }
    try:
        if not dry_run:
            folder.mkdir()
        for name, copy in files.items():
            copy.write(None if dry_run else folder / name)
    except OSError as error:
        raise io_error(folder, error) from error
    counts = dict(zip(("visits", "pages", "records"), (copy.count for copy in files.values()), strict=True))
    if not any(counts.values()) and not dry_run:
        folder.rmdir()
    return Repaired(
        found.visits,
        of,
        tuple(found.damage[:_MOST]),
        counts,
        str(folder) if any(counts.values()) else "",
        tuple(found.lost[:_MOST]),
        max(len(found.lost), of - found.visits - len(found.whole)),
    )


class _Copy:
    """Parts of a file, copied to another one; a file without parts is not written."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self.count = 0

    def write(self, path: Path | None) -> None:
        """Write the parts to a file, or only count them."""
        file = None
        try:
            for part in self._parts:
                if path is not None and file is None:
                    file = path.open("wb")
                    if path.name == _ARCHIVE:
                        file.write(warcinfo(_ARCHIVE))
                if file is not None:
                    file.write(part)
                self.count += 1
        finally:
            if file is not None:
                file.close()


def _lines_in(path: Path, ranges: list[tuple[int, int]]) -> Iterator[bytes]:
    if not ranges:
        return
    with path.open("rb") as file:
        for start, end in ranges:
            file.seek(start)
            yield file.read(end - start)


def _kept_behind(path: Path, count: int) -> Iterator[bytes]:
    """The whole lines of kept pages behind the first ``count``; the crawl itself writes those again."""
    if not path.exists():
        return
    with path.open("rb") as file:
        try:
            for number, line in enumerate(whole_lines(file)):
                if number >= count and kept.is_kept_page(line):
                    yield line
        except EndlessLine:
            return


def _records_behind(folder: Path, ends: dict[str, int]) -> Iterator[bytes]:
    """The whole records of an archive behind the ends of its files, revisits with their bodies."""
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    for name in names:
        if OURS.fullmatch(name):
            for span in sound_members(folder, name, ends.get(name, 0)):
                try:
                    yield whole_records(folder, span)
                except (*DAMAGE, ValueError, KeyError):
                    continue


def _pages_are_damaged(run: Path) -> bool:
    path = run / kept.NAME
    if not path.exists():
        return False
    with path.open("rb") as file:
        try:
            return not all(map(kept.is_kept_page, whole_lines(file)))
        except EndlessLine:
            return True


def _cut(run: Path, file: RunFile, found: _Found) -> None:
    """Cut the log and the kept pages back to the whole beginning; the crawl cuts the other files itself."""
    write_run_file(run, msgspec.structs.replace(file, stop=None, counts={}))
    try:
        if (run / log.NAME).exists():
            with (run / log.NAME).open("rb+") as lines:
                lines.truncate(found.size)
        cut(run / kept.NAME, found.kept, is_whole=kept.is_kept_page)
    except OSError as error:
        raise io_error(run, error) from error


def _new_folder(run: Path) -> Path:
    folder, number = run / SAVED, 1
    while folder.exists():
        number += 1
        folder = run / f"{SAVED}-{number}"
    return folder
