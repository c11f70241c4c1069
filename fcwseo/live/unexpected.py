"""Unexpected errors of a fetch: each becomes a failure of its link, so that no response ends a crawl.

They are bugs of this program or of a library. ``errors.log`` in the run directory has the first traceback of
each kind and place.
"""

import logging
import traceback
from datetime import UTC, datetime
from pathlib import Path

from fcwseo.files import append
from fcwseo.pages import Failure, Why

NAME = "errors.log"
_MOST = 1000  # tracebacks of a log
_LOG = logging.getLogger(__name__)


class ParserError(Exception):
    """An error in a parser process: its place, and its traceback as text."""

    def __init__(self, place: str, trace: str) -> None:
        super().__init__(place)
        self.place = place
        self.add_note(trace)


class ErrorLog:
    """The file of tracebacks; without a path, errors are only turned into failures."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: set[str] = set()

    def failure(self, url: str, error: Exception) -> Failure:
        """The failure of a link whose fetch raised ``error``; the first error of its kind is logged.

        Raises ``NoSpace`` or ``InvalidInput`` if the file cannot be written.
        """
        what = place_of(error)
        if what not in self._known and len(self._known) < _MOST:
            self._known.add(what)
            self._write(url, what, error)
        return Failure(url, Why.INTERNAL, what)

    def _write(self, url: str, what: str, error: Exception) -> None:
        _LOG.warning("an unexpected error (%s) at %s; the crawl goes on", what, url)
        if self._path is None:
            return
        lines = "".join(traceback.format_exception(error))
        text = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {what}\n{url}\n{lines}\n"
        with self._path.open("ab", buffering=0) as file:
            append(file, text.encode("utf-8", "backslashreplace"))


def place_of(error: Exception) -> str:
    """The type of an error, and the module and line that raised it. Its message is left out, since it may be
    text of a server.

    >>> try:
    ...     int("many")
    ... except ValueError as error:
    ...     place_of(error).partition(",")[0]
    'ValueError in fcwseo.live.unexpected'
    """
    if isinstance(error, ParserError):
        return error.place
    place = "an unknown module"
    for frame, line in traceback.walk_tb(error.__traceback__):
        place = f"{frame.f_globals.get('__name__', '?')}, line {line}"
    return f"{type(error).__name__} in {place}"
