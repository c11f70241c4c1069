"""Atomic writing of files, and tables for an expert: CSV for spreadsheets."""

import csv
import errno
import io
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from fcwseo_ontology.errors import InvalidInput


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file atomically: a reader sees the old content or the new one."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        if error.errno == errno.ENOSPC:  # the input is not at fault then
            raise
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from error


def creatable(path: Path) -> Path:
    """The path, if a file can be written there; else raises InvalidInput. Nothing is written."""
    if path.is_dir():
        raise InvalidInput(f"cannot write {path}: it is a folder; name a file")
    if not path.parent.is_dir():
        raise InvalidInput(f"cannot write {path}: there is no folder {path.parent}; make it first")
    if not os.access(path.parent, os.W_OK):
        raise InvalidInput(f"cannot write {path}: the folder {path.parent} may not be written to")
    return path


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file that spreadsheets read as UTF-8."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    table.writerows(rows)
    # Spreadsheets recognise UTF-8 by the byte order mark.
    write_bytes(path, text.getvalue().encode("utf-8-sig"))
