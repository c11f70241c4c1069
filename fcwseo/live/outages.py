"""Outages of our own network, which are no fault of the hosts that do not answer.

A host that cannot be reached is at fault if any other host has answered since the request began. If none has,
a host that answered before is probed. If it answers, our network works. If it does not, the crawl stops
asking, probes one host after the other with growing pauses, and goes on when one answers; what failed in the
meantime is requested again, and is no visit. A host that fails after several outages in a row is at fault.

Name servers fail by themselves: there is one object for connections, and one for names.

A process that was stopped (SIGSTOP, a laptop that sleeps) finds its deadlines passed when it goes on. That is
no fault of the hosts either.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable

Probe = Callable[[str], Awaitable[bool]]
"""Whether a host answers, with whatever status; or whether its name can be resolved."""

_LOG = logging.getLogger(__name__)
_BEAT = 0.5  # seconds between two looks at the clock,
_STOPPED = 2.0  # and the delay of a look from which the process was stopped
_GOOD = 64  # hosts that answered last
_EXCUSED = 3  # outages in succession after which a host that still does not answer is at fault
_SEVERAL = 3  # hosts from which an outage is waited for however long it lasts


class Outages:
    """Whether our network works.

    Args:
        probe: Sends a request to an origin, or resolves a name.
        what: What happens while the network works.
        first: Seconds before the second probe; each further pause is twice as long,
        longest: up to this limit.
        patience: Seconds for which fewer than three hosts are waited for.
        now: The clock.
    """

    def __init__(
        self,
        probe: Probe,
        *,
        what: str = "host answers",
        first: float = 1.0,
        longest: float = 15.0,
        patience: float = 120.0,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._probe, self._what, self._now = probe, what, now
        self._first, self._longest, self._patience = first, longest, patience
        self._good: dict[str, None] = {}  # origins that answered, the last one last
        self._suspects: dict[str, None] = {}  # origins that failed since an answer
        self._excused: Counter[str] = Counter()  # outages in succession for each origin that failed
        self._answered_at = self._went_on_at = float("-inf")
        self._last_beat = now()
        self._news = asyncio.Event()  # an answer
        self._over = asyncio.Event()
        self._over.set()
        self._began: float | None = None
        self._check: asyncio.Task[bool] | None = None
        self._watch: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to watch the clock."""
        self._last_beat = self._now()
        self._watch = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """End all probes."""
        tasks = [task for task in (self._check, self._watch) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def seconds(self) -> float:
        """Seconds for which no host has answered; 0 if there is no outage."""
        return 0.0 if self._began is None else self._now() - self._began

    def is_good(self, origin: str) -> None:
        """Note a host that can be probed: it answered with all that was asked for."""
        self._excused.pop(origin, None)
        self._good.pop(origin, None)
        self._good[origin] = None
        if len(self._good) > _GOOD:
            del self._good[next(iter(self._good))]

    def answered(self) -> None:
        """Note an answer of any host, if only its beginning."""
        self._suspects.clear()
        self._answered_at = self._now()
        self._news.set()

    @property
    def why(self) -> str:
        """A line about the outage; empty if there is none."""
        return (
            f"no {self._what} for {self.seconds:.0f} s, waiting until our network works"
            if self.seconds
            else ""
        )

    async def over(self) -> None:
        """Wait while an outage lasts."""
        await self._over.wait()

    def was_stopped_since(self, began: float) -> bool:
        """Whether this process was stopped since a time."""
        self._look_at_clock()
        return self._went_on_at >= began

    async def is_ours(self, origin: str, began: float) -> bool:
        """Whether a request that began then failed because of our network, or because we were stopped. If so,
        this returns when the network works again.
        """
        if self.was_stopped_since(began):
            return True
        if self._answered_at > began:
            return False
        self._suspects[origin] = None
        if self._check is None or self._check.done():
            self._check = asyncio.create_task(self._find_out())
        is_ours = await asyncio.shield(self._check)
        self._excused[origin] += 1
        if is_ours and self._excused[origin] <= _EXCUSED:
            return True
        del self._excused[origin]
        return False

    async def _find_out(self) -> bool:
        """Whether there was an outage, which is over when this returns."""
        began, pause = self._now(), self._first
        self._news.clear()
        if not self._good and len(self._suspects) < _SEVERAL:
            await self._wait_for_news(pause)  # for other hosts, which were asked at the same time
            if not self._news.is_set() and len(self._suspects) < _SEVERAL:
                return False
        try:
            number = 0
            while not self._news.is_set():
                hosts = [*self._suspects, *(name for name in self._good if name not in self._suspects)]
                if await self._answers(hosts[-1 - number % len(hosts)]):
                    break
                number += 1
                if self._began is None:
                    self._begin(began)
                if len(hosts) < _SEVERAL and self._now() - began > self._patience:
                    self._good.clear()
                    return False
                await self._wait_for_news(pause)
                pause = min(2 * pause, self._longest)
            return self._began is not None
        finally:
            self._end()

    async def _answers(self, origin: str) -> bool:
        if await self._probe(origin):
            self.answered()
        return self._news.is_set()

    async def _wait_for_news(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            pass

    def _begin(self, began: float) -> None:
        self._began = began
        self._over.clear()
        _LOG.warning("no %s: our network seems to be down; the crawl waits", self._what)

    def _end(self) -> None:
        if self._began is not None:
            _LOG.warning("the network works again after %.0f s: the crawl goes on", self.seconds)
        self._began = None
        self._over.set()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(_BEAT)
            self._look_at_clock()

    def _look_at_clock(self) -> None:
        now = self._now()
        if self._watch is not None and now - self._last_beat > _BEAT + _STOPPED:
            self._went_on_at = now
        self._last_beat = now
