"""Files of lines, and their repair after a crash."""

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from fcwseo.files import EndlessLine, append, whole_lines


def now() -> str:
    """The present time as text."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def line_of(value: object) -> bytes:
    """A value as a line of JSON."""
    return msgspec.json.encode(value) + b"\n"


def append_line(file: BinaryIO, value: object) -> None:
    """Append a value as a line of JSON to an unbuffered file: all of it, or nothing if this raises."""
    append(file, line_of(value))


def repair(path: Path) -> None:
    """Cut off an incomplete last line."""
    if path.exists():
        with path.open("rb+") as file:
            end = file.seek(0, os.SEEK_END)
            whole = end
            while whole > 0:
                start = max(0, whole - 65536)
                file.seek(start)
                newline = file.read(whole - start).rfind(b"\n")
                if newline >= 0:
                    whole = start + newline + 1
                    break
                whole = start
            if whole < end:
                file.truncate(whole)


def cut(path: Path, lines: int, *, is_whole: Callable[[bytes], bool] = lambda line: True) -> int:
    """Keep at most a number of lines of a file, and none from the first one on that is not whole.

    Returns:
        The number of lines left.
    """
    if not path.exists():
        return 0
    kept = end = 0
    with path.open("rb+") as file:
        with suppress(EndlessLine):
            for line in whole_lines(file):
                if kept == lines or not is_whole(line):
                    break
                kept += 1
                end += len(line)
        file.truncate(end)
    return kept
