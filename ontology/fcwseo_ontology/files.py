"""Files that are written whole or not at all, and tables for an expert: CSV that spreadsheets open."""

import csv
import errno
import io
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from fcwseo_ontology.errors import InvalidInput


def write_bytes(path: Path, content: bytes) -> None:
    """Put the content in the file all at once: a reader sees the old file or the new one, never a part."""
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
        if error.errno == errno.ENOSPC:  # nothing is wrong with the input then
            raise
        raise InvalidInput(f"cannot write {path}: {error.strerror}") from error


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file that spreadsheets read as UTF-8."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(columns)
    table.writerows(rows)
    # The mark at the beginning tells spreadsheets that this is UTF-8.
    write_bytes(path, text.getvalue().encode("utf-8-sig"))
