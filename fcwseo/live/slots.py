"""Slots: the number of concurrent requests.

A fetch that waits for its host's turn has no slot. It takes a slot for each request, and keeps the last one
until its outcome is observed, so a crawl never has more responses in flight than its budget allows. The
engine also stores the expected relevance of each link here, so that the best of the links waiting for a host
goes first.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Slots:
    """Slots, granted in the order of requests."""

    def __init__(self) -> None:
        self._limit = 0
        self._taken: dict[str, None] = {}
        self._asking: deque[tuple[str, asyncio.Future[None]]] = deque()
        self._expected: dict[str, float] = {}
        self.changed = asyncio.Event()

    def __len__(self) -> int:
        """Number of occupied slots."""
        return len(self._taken)

    def __contains__(self, url: str) -> bool:
        return url in self._taken

    def limit(self, count: int) -> None:
        """Set the number of slots; occupied ones stay occupied."""
        self._limit = count
        self._give_out()

    @asynccontextmanager
    async def slot(self, url: str) -> AsyncIterator[None]:
        """Take a slot for one request of the fetch of ``url``, until ``release`` or ``finish``."""
        if url not in self._taken:
            future = asyncio.get_running_loop().create_future()
            self._asking.append((url, future))
            self._give_out()
            try:
                await future
            except asyncio.CancelledError:
                if future.done() and not future.cancelled():
                    self._free(url)
                raise
        yield

    def expect(self, url: str, relevance: float | None) -> None:
        """Store the expected relevance of a link."""
        if relevance is not None:
            self._expected[url] = relevance

    def expected(self, url: str) -> float:
        """The expected relevance of a link; minus infinity if unknown."""
        return self._expected.get(url, 0.0)

    def release(self, url: str) -> None:
        """Return a slot before the next request of the same fetch."""
        if url in self._taken:
            self._free(url)
            self.changed.set()

    def finish(self, url: str) -> None:
        """Return a slot at the end of a fetch."""
        self._expected.pop(url, None)
        self._free(url)

    def _free(self, url: str) -> None:
        self._taken.pop(url, None)
        self._give_out()

    def _give_out(self) -> None:
        while self._asking and (self._asking[0][1].done() or len(self._taken) < self._limit):
            url, future = self._asking.popleft()
            if not future.done():
                self._taken[url] = None
                future.set_result(None)
