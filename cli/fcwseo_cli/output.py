"""Output of all commands: data to stdout, messages to stderr."""

import json
import logging
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

_LOG = logging.getLogger("fcwseo")
_LONGEST = 1000  # characters of an error message, which may quote its input
_DIRECTIONS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))  # controls of the writing direction
_ESCAPED = {
    code: f"\\u{code:04x}" for code in (*range(127, 160), *_DIRECTIONS)
}  # those that JSON does not escape
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"} | {
    code: f"\\u{code:04x}" for code in _DIRECTIONS
}


class LogFormat(StrEnum):
    """The format of messages on stderr."""

    TEXT = "text"
    JSON = "json"


class _Plain(logging.Formatter):
    """Formats each record as plain text."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


class _Lines(logging.Formatter):
    """Formats each record as a JSON object: time, level, message, and the facts it carries."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        facts = getattr(record, "facts", {"event": "message"})
        line = {"at": at, "level": record.levelname.lower(), "message": record.getMessage(), **facts}
        return escaped(json.dumps(line, ensure_ascii=False, default=str))


def visible(text: str) -> str:
    """Return the text with control characters escaped: a page or a file must not control the terminal.

    >>> visible("a \x1b[31mred\x9b name")
    'a \\\\x1b[31mred\\\\x9b name'
    """
    return text.translate(_CONTROLS)


def escaped(json_text: str) -> str:
    """Return equivalent JSON with control characters escaped.

    >>> escaped('"a\x9b"')
    '"a\\\\u009b"'
    """
    return json_text.translate(_ESCAPED)


def _shortened(text: str) -> str:
    half = _LONGEST // 2 - 3
    return text if len(text) <= _LONGEST else f"{text[:half]} ... {text[-half:]}"


def speak(level: int, form: LogFormat = LogFormat.TEXT) -> None:
    """Write the log of the library to stderr, from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Plain() if form is LogFormat.TEXT else _Lines())
    for log in (_LOG, logging.getLogger("fcwseo_ontology")):
        log.handlers[:] = [handler]
        log.setLevel(level)


def say(text: str, facts: Mapping[str, object] | None = None) -> None:
    """Print a message to stderr unless -q is given; ``facts`` are added to its JSON form."""
    _LOG.info(text, extra={"facts": facts} if facts else None)


def speaks_json() -> bool:
    """Whether messages are JSON objects."""
    return any(isinstance(handler.formatter, _Lines) for handler in _LOG.handlers)


def tell_error(text: str, error: BaseException | None = None) -> None:
    """Print an error, also with -q; with ``error`` its traceback comes first."""
    trace = "".join(traceback.format_exception(error)) if error else ""
    _tell(
        f"{trace}error: {_shortened(visible(text))}",
        _shortened(text),
        {"event": "error"} | ({"traceback": trace} if trace else {}),
    )


def tell_interrupted() -> None:
    """Print that the command was interrupted."""
    _tell("interrupted", "interrupted", {"event": "interrupted"})


def tell_help(text: str) -> None:
    """Print the help of a command that was called without arguments."""
    _tell(text, text, {"event": "help"})


def _tell(plain: str, message: str, facts: Mapping[str, object]) -> None:
    if speaks_json():
        _LOG.error(message, extra={"facts": facts})
    else:
        print(visible(plain), file=sys.stderr)


def say_skipped(problems: Sequence[str]) -> None:
    """Print the first twenty problems of reading a web, and the number of the others."""
    for problem in problems[:20]:
        say(f"skipped: {problem}")
    if len(problems) > 20:
        say(f"skipped: {len(problems) - 20:,} more")


def print_json(value: object) -> None:
    """Print a value as JSON on stdout."""
    sys.stdout.write(escaped(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")


def print_json_bytes(text: bytes) -> None:
    """Print JSON that is already encoded."""
    sys.stdout.write(escaped(text.decode()))


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table on stdout; numbers have three decimals."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for number, column in enumerate(columns):
        table.add_column(Text(visible(column)), justify="left" if number == 0 else "right", overflow="fold")
    for row in rows:
        # as Text: rich would read brackets in a plain string as a style
        table.add_row(
            *(Text(f"{cell:.3f}" if isinstance(cell, float) else visible(str(cell))) for cell in row)
        )
    Console().print(table)


class Ticker:
    """A progress line on stderr: updated in place on a terminal, every 30 s elsewhere, never with -q."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty() and not speaks_json()
        self._every = 0.2 if self._terminal else 30.0
        self._last = time.monotonic()
        self._wrote = False

    def __call__(self, text: Callable[[], str], facts: Callable[[], Mapping[str, object]] = dict) -> None:
        """Show a text if it is time for it; ``facts`` are its JSON form."""
        now = time.monotonic()
        if now - self._last < self._every or not _LOG.isEnabledFor(logging.INFO):
            return
        self._last = now
        if self._terminal:
            sys.stderr.write(f"\r\x1b[2K{visible(text())}")
            sys.stderr.flush()
            self._wrote = True
        else:
            say(text(), facts())

    def close(self) -> None:
        """End the line."""
        if self._wrote:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
