"""Files of lines, and their repair after a crash."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import msgspec

from fcwseo.files import append


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


def cut(path: Path, lines: int) -> int:
    """Keep at most a number of complete lines of a file.

    Returns:
        The number of lines left.
    """
    if not path.exists():
        return 0
    kept = end = 0
    with path.open("rb+") as file:
        for row in file:
            if kept == lines or not row.endswith(b"\n"):
                break
            kept += 1
            end += len(row)
        file.truncate(end)
    return kept
