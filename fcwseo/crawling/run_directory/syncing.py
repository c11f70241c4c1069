"""Brings the files of a live crawl to the disk in groups: a power cut costs no more than one group."""

import time
from collections.abc import Callable

_VISITS = 64  # of a group,
_SECONDS = 1.0  # and its duration


class GroupSync:
    """Calls ``sync`` once for a group of visits: those of a second, but at most 64.

    >>> times = iter([0.0, 0.5, 1.5])
    >>> group = GroupSync(lambda: print("synced"), now=lambda: next(times))
    >>> group.add(), group.look(), group.look()
    synced
    (None, None, None)
    """

    def __init__(self, sync: Callable[[], None], *, now: Callable[[], float] = time.monotonic) -> None:
        self._sync, self._now = sync, now
        self._visits = 0
        self._began = 0.0

    def add(self) -> None:
        """Count a visit that was written."""
        if not self._visits:
            self._began = self._now()
        self._visits += 1
        if self._visits >= _VISITS:
            self.finish()

    def look(self) -> None:
        """Sync the group if its time is up."""
        if self._visits and self._now() - self._began >= _SECONDS:
            self.finish()

    def finish(self) -> None:
        """Sync the group now."""
        if self._visits:
            self._visits = 0
            self._sync()
