"""Which visits of a run directory are whole, after a power cut or a damaged disk.

A visit is whole if its line of the log can be read and the archive has its outcome. A crawl goes on from its
last whole visit if only the end of its files is damaged: what a power cut leaves may be short, zeroed or
garbled there, and is no more than a group of visits (``syncing``). Any other damage is left to
``fcwseo repair``, since more would be lost.
"""

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from fcwseo.crawling.run_directory.log import DAMAGED, NAME, PAGE, Row, decoded
from fcwseo.errors import InvalidRun
from fcwseo.files import EndlessLine, whole_lines
from fcwseo.pages import Page
from fcwseo.webs.warc.write import outcome_at

END = 64  # visits at the end of a log that may be lost without a question


class Entry(NamedTuple):
    """A line of the log: where it ends in the file, and its visit, or the reason why it is none.

    ``is_visit`` is also true for a visit with another number than that of its line.
    """

    end: int
    row: Row | None
    damage: str
    is_visit: bool


class SoundPart(NamedTuple):
    """The beginning of a log that is whole: its visits and bytes, and those of the whole log.

    ``damage`` is the first damage behind it.
    """

    visits: int
    size: int
    of: int
    damage: str


def entries(path: Path) -> Iterator[Entry]:
    """The lines of the log of a run directory, damaged ones included."""
    decoder = msgspec.json.Decoder(Row)
    file = path / NAME
    if not file.exists():
        return
    end = number = 0
    with file.open("rb") as lines:
        try:
            for number, text in enumerate(whole_lines(lines), start=1):
                end += len(text)
                try:
                    yield Entry(end, decoded(decoder, text, number, file), "", True)
                except InvalidRun as error:
                    yield Entry(end, None, str(error), _is_visit(decoder, text))
        except EndlessLine as error:
            where = f"{file}, line {number + 1} is not a visit ({error}): {DAMAGED}"
            yield Entry(file.stat().st_size, None, where, False)


def damage_of(path: Path, row: Row) -> str:
    """The damage of a visit in the archive; empty if it is whole, or needs no archive."""
    if row.warc is None:
        return ""
    try:
        found = outcome_at(path / "warc", row.warc)
    except InvalidRun as error:
        return str(error)
    digest = found.digest if isinstance(found, Page) else None
    if (row.outcome == PAGE) != isinstance(found, Page) or digest != row.digest:
        return lacks_page(path, row)
    return ""


def lacks_page(path: Path, row: Row) -> str:
    """The damage of an archive without the page of a visit."""
    return (
        f"the archive of {path} lacks the page of visit {row.step}: "
        "it is damaged ('fcwseo repair' saves the rest)"
    )


def sound_part(path: Path) -> SoundPart:
    """The whole part of the log, if it ends near the end of the log.

    Raises:
        InvalidRun: If the log is damaged before its end, or if no visit is whole.
    """
    ends, damage, goes_on = _lines(path)
    whole = count = len(ends)
    if damage is not None:
        whole = damage[0]
    why = damage[1] if damage is not None else ""
    file, is_whole = path / NAME, False
    for number in range(whole, 0, -1):
        if reason := damage_of(path, _row_at(file, ends, number)):
            whole, why, goes_on = number - 1, reason, goes_on or is_whole
        else:
            is_whole = True
            if number <= count - end_of(count):
                break
        if whole < count - END:
            break
    if whole < count - (end_of(count) if goes_on else END) or (count and not whole):
        raise InvalidRun(why)
    return SoundPart(whole, ends[whole - 1] if whole else 0, count, why)


def _lines(path: Path) -> tuple["array[int]", tuple[int, str] | None, bool]:
    """Where the lines of the log end; the number of lines before the first damaged one, and its damage; and
    whether visits follow it.
    """
    ends = array("Q")
    damage: tuple[int, str] | None = None
    goes_on = False
    for entry in entries(path):
        if damage is not None:
            goes_on |= entry.is_visit
        elif entry.row is None:
            damage = (len(ends), entry.damage)
        ends.append(entry.end)
    return ends, damage, goes_on


def _row_at(file: Path, ends: "array[int]", number: int) -> Row:
    start = ends[number - 2] if number > 1 else 0
    with file.open("rb") as lines:
        lines.seek(start)
        return msgspec.json.decode(lines.read(ends[number - 1] - start), type=Row)


def end_of(count: int) -> int:
    """Number of visits at the end of a log of this length, which may be lost without a question though some
    of them are whole.

    >>> end_of(1000), end_of(56), end_of(2)
    (64, 14, 1)
    """
    return min(END, -(-count // 4))


def _is_visit(decoder: msgspec.json.Decoder[Row], text: bytes) -> bool:
    try:
        decoder.decode(text)
    except (ValueError, RecursionError):
        return False
    return True
