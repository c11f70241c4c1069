"""A virtual clock: an event loop on it never waits, so an hour of pauses passes in the time of the computing.

The selector of such a loop adds the time that it would have waited to the clock. Nothing on it may wait for
the real world: no thread, no socket. Time passes in whole milliseconds, so the same program reads the same
times in every process.
"""

import selectors
from collections.abc import Coroutine
from math import ceil
from typing import Any, TypeVar

from fcwseo.errors import FcwseoError
from fcwseo.loops import Clock, run_async

T = TypeVar("T")

_NOISE = 1e-6  # milliseconds that a difference of two times may be off


class VirtualClock(Clock):
    """A selector that passes its waiting time to a clock instead of waiting."""

    def __init__(self, start: float = 0.0) -> None:
        super().__init__()
        self.begin_at(start)

    def begin_at(self, start: float) -> None:
        """Set the clock, before its loop runs."""
        self._milliseconds = round(start * 1000)

    def time(self) -> float:
        """Virtual seconds.

        >>> VirtualClock(2.5).time()
        2.5
        """
        return self._milliseconds / 1000

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """The events of the moment, which are signals; without one, the timeout has passed."""
        events = super().select(0)
        if events or timeout == 0:
            return events
        if timeout is None:
            raise FcwseoError("a rehearsed crawl waits for something that never comes on its virtual clock")
        self._milliseconds += max(1, ceil(timeout * 1000 - _NOISE))
        return events


def run_virtually(main: Coroutine[Any, Any, T], clock: VirtualClock | None = None) -> T:
    """Run a coroutine to its end on a virtual clock, a new one or the given one.

    >>> import asyncio
    >>> async def sleeper() -> float:
    ...     await asyncio.sleep(3600)
    ...     return asyncio.get_running_loop().time()
    >>> run_virtually(sleeper())
    3600.0
    """
    return run_async(main, clock=lambda: clock or VirtualClock())
