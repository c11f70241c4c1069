"""The progress of a crawl, shown in a terminal or in a notebook."""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from fcwseo.door.arguments import unusable

_EVERY = 0.2  # seconds between two lines


class Counted(Protocol):
    """A run directory that is being written."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Visits, pages, relevant pages, hosts and failures."""
        ...

    @property
    def seconds(self) -> float:
        """Duration of the crawl."""
        ...


class Waiting(Protocol):
    """The live web, which describes what it waits for."""

    def why_waiting(self) -> str:
        """A line that describes what the crawl waits for."""
        ...

    def state(self) -> Mapping[str, object]:
        """Present counts by name."""
        ...


class Progress:
    """The progress of a crawl, passed to a callback after every visit. Its text is one line.

    >>> class Half:
    ...     counts, seconds = {"pages": 50, "relevant": 20}, 3.0
    >>> print(Progress(Half(), 100))
    50 of 100 pages, 20 relevant (0.400), about 3 s left
    """

    def __init__(
        self, run: Counted, max_pages: int, web: Waiting | None = None, *, seconds: str = "s"
    ) -> None:
        self._run, self._web, self._unit = run, web, seconds
        self.max_pages = max_pages

    @property
    def pages(self) -> int:
        """Number of pages visited so far."""
        return self._run.counts["pages"]

    @property
    def relevant(self) -> int:
        """Number of relevant pages found so far."""
        return self._run.counts["relevant"]

    @property
    def seconds(self) -> float:
        """Duration of the crawl so far."""
        return self._run.seconds

    def facts(self) -> dict[str, object]:
        """All counts by name."""
        facts = {"event": "progress", "max_pages": self.max_pages, "seconds": round(self.seconds, 1)}
        return facts | dict(self._run.counts) | dict(self._web.state() if self._web else {})

    def __str__(self) -> str:
        counts, seconds = self._run.counts, self.seconds
        pages, relevant = counts["pages"], counts["relevant"]
        left = seconds / pages * (self.max_pages - pages) if pages else 0.0
        rate = relevant / pages if pages else 0.0
        waiting = f"; {self._web.why_waiting()}" if self._web else ""
        return (
            f"{pages:,} of {self.max_pages:,} pages, {relevant:,} relevant ({rate:.3f}), "
            f"about {left:.0f} {self._unit} left{waiting}"
        )


Show = Callable[[Any], None]


@contextmanager
def shown(progress: "bool | Show") -> Iterator[Show]:
    """Where progress is shown: by the user's callback, in a notebook, in a terminal, or not at all."""
    if not callable(progress) and not isinstance(progress, bool):
        raise unusable("progress", progress, "True, False or a function is needed")
    if callable(progress):
        yield progress
    elif progress and _notebook():
        yield from _in_notebook()
    elif progress and sys.stderr.isatty():
        yield from _in_terminal()
    else:
        yield lambda text: None


def _in_terminal() -> Iterator[Show]:
    def write(text: object) -> None:
        sys.stderr.write(f"\r\x1b[2K{_plain(text)}")
        sys.stderr.flush()

    try:
        yield _now_and_then(write)
    finally:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()


def _in_notebook() -> Iterator[Show]:
    """One line below the cell, removed at the end of the crawl."""
    from IPython import display

    show: Any = display.display
    line = show({"text/plain": ""}, raw=True, display_id=True)
    try:
        yield _now_and_then(lambda text: line.update({"text/plain": _plain(text)}, raw=True))
    finally:
        line.update({"text/plain": ""}, raw=True)


def _notebook() -> bool:
    """Whether this is a Jupyter kernel, found without an import."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def _now_and_then(write: Callable[[object], None]) -> Show:
    last = time.monotonic() - _EVERY

    def show(text: object) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _EVERY:
            last = now
            write(text)

    return show


def _plain(text: object) -> str:
    """One line without control characters."""
    return "".join(char if char.isprintable() else " " for char in str(text))
