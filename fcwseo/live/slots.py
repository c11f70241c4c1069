"""The slots on the network: how many fetches may be at work at once.

A fetch that only waits for its host's turn has no slot, so that it keeps none from others. It takes one for
each request, and keeps the last one until what came of it is observed: so a crawl never has more answers on
their way than its budget has room for. Here the engine also says what each link promises, so that of those
that wait for one host the best goes first.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Slots:
    """Given out in the order in which they are asked for."""

    def __init__(self) -> None:
        self._limit = 0
        self._taken: dict[str, None] = {}
        self._asking: deque[tuple[str, asyncio.Future[None]]] = deque()
        self._expected: dict[str, float] = {}
        self.changed = asyncio.Event()

    def __len__(self) -> int:
        """How many are taken."""
        return len(self._taken)

    def __contains__(self, url: str) -> bool:
        return url in self._taken

    def limit(self, count: int) -> None:
        """At most so many from now on; who has a slot keeps it."""
        self._limit = count
        self._give_out()

    @asynccontextmanager
    async def slot(self, url: str) -> AsyncIterator[None]:
        """A slot for one request of the fetch of ``url``. It is kept until ``release`` or ``finish``."""
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
        """What the strategy expects of a link that is in hand."""
        if relevance is not None:
            self._expected[url] = relevance

    def expected(self, url: str) -> float:
        """What a link promises; nothing is as little as can be."""
        return self._expected.get(url, 0.0)

    def release(self, url: str) -> None:
        """Give a slot up, to ask for it again."""
        if url in self._taken:
            self._free(url)
            self.changed.set()

    def finish(self, url: str) -> None:
        """Give a slot up for good."""
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
