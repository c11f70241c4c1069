"""The time that a run directory records: real, or that of a virtual clock."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

from fcwseo.crawling.run_directory.lines import now
from fcwseo.webs.clock import VirtualClock

_START = datetime(1970, 1, 1, tzinfo=UTC)


class RunTime(Protocol):
    """Where the times of a run come from."""

    @property
    def clock(self) -> float | None:
        """The virtual seconds of a rehearsed crawl; None in real time."""
        ...

    def seconds(self, before: float) -> float:
        """Duration of a crawl that took ``before`` seconds until it was continued."""
        ...

    def stamp(self) -> str:
        """The present time as text."""
        ...


class RealTime:
    """The time of this machine."""

    clock = None

    def __init__(self) -> None:
        self._began = time.monotonic()

    def seconds(self, before: float) -> float:
        """Those before, and those since."""
        return before + time.monotonic() - self._began

    def stamp(self) -> str:
        """The present time as text."""
        return now()


class VirtualTime:
    """The time of a virtual clock, which begins with the year 1970.

    >>> VirtualTime(VirtualClock(41.3)).stamp()
    '1970-01-01T00:00:41.300+00:00'
    """

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock

    @property
    def clock(self) -> float:
        """The virtual seconds."""
        return self._clock.time()

    def seconds(self, before: float) -> float:
        """The virtual seconds: the clock of a continued crawl begins at the end of its log."""
        return self._clock.time()

    def stamp(self) -> str:
        """The virtual time as text."""
        return (_START + timedelta(seconds=self._clock.time())).isoformat(timespec="milliseconds")
