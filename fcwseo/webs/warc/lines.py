"""Reads the pages of a ``pages.jsonl.gz``: one JSON object per line."""

import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fcwseo.errors import InvalidWeb
from fcwseo.pages.urls import canonical
from fcwseo.webs.warc.records import Record
from fcwseo.webs.warc.stream import encodable

_LONGEST_LINE = 64 << 20


def read_lines(path: Path, problems: list[str]) -> Iterator[Record]:
    """The records of the file. Unusable lines are skipped and named in ``problems``.

    Raises ``InvalidWeb`` if the file is damaged.
    """
    number = 0
    try:
        with gzip.open(path, "rb") as lines:
            while line := lines.readline(_LONGEST_LINE):
                number += 1
                if line.strip():
                    yield from _from_line(line, encodable(f"{path}, line {number}"), problems)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidWeb(f"{path} is damaged after line {number} ({error}): copy the file again") from error


def _from_line(line: bytes, where: str, problems: list[str]) -> Iterator[Record]:
    try:
        fields = json.loads(line)
        url = _url(fields["url"])
        redirect = _url(fields["redirect"], url) if fields.get("redirect") else ""
        body = fields.get("html") or ""
        record = Record(url, str(body), where, _labels(fields), "", _status(fields), redirect)
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError) as error:
        problems.append(f"{where}: not a page ({type(error).__name__}: {error})")
    else:
        yield record


def _url(text: str, base: str | None = None) -> str:
    url = canonical(text, base)
    if url is None:
        raise ValueError(f"{text!r} is not an http URL")
    return url


def _labels(fields: dict[str, Any]) -> tuple[str, ...]:
    labels = fields.get("labels") or ()
    if isinstance(labels, str):
        labels = (labels,)
    return tuple(encodable(str(label)) for label in labels)


def _status(fields: dict[str, Any]) -> int:
    status = int(fields.get("status") or 200)
    if not 100 <= status <= 999:
        raise ValueError(f"{status} is not an HTTP status")
    return status
