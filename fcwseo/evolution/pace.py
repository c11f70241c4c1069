"""The pace: pages left by time left, and how many seats of the bank it takes to keep it.

The paper has no counterpart: its crawler has a budget of pages and as much time as it takes. A polite crawl
with two budgets needs a number of hosts that are served at once: too few, and time runs out; too many, and
poor hosts are served while good ones are to be had. The number is the wanted pages per second times the
seconds that one page costs one seat: pause, latency, robots.txt and dead links. The cost is measured, in the
session that runs: the pages of a log have no cost.
"""

from math import ceil, exp

MEMORY = 20.0  # seconds after which a measurement has faded to 1 / e
PRIOR = 5.0  # pages, each at the cost of a turn, that the measurement starts with
LONGEST = 10.0  # turns: more time between two choices was an outage, in which no seat was served


class Pace:
    """Measures what a page costs a seat.

    >>> pace = Pace()
    >>> pace.seats(100, 50.0, turn=1.5)  # two pages a second, each a turn of 1.5 seconds
    3
    >>> for second in range(200):
    ...     pace.advance(float(second), seats=4, turn=1.5)
    ...     pace.add_page()
    >>> round(pace.cost(turn=1.5), 1), pace.seats(100, 50.0, turn=1.5)  # four seats gave a page a second
    (3.5, 8)
    """

    def __init__(self) -> None:
        self._now: float | None = None
        self._seat_seconds = self._pages = 0.0

    def advance(self, now: float, *, seats: int, turn: float) -> None:
        """Time has passed, in which this number of seats was served; at most ``LONGEST`` turns count."""
        before = now if self._now is None else self._now
        passed = min(max(0.0, now - before), LONGEST * turn)
        fading = exp(-passed / MEMORY)
        self._seat_seconds = self._seat_seconds * fading + passed * seats
        self._pages *= fading
        self._now = now

    def add_page(self) -> None:
        """A page was fetched. Before the first moment, it is a page of a log."""
        if self._now is not None:
            self._pages += 1

    def cost(self, *, turn: float) -> float:
        """The seconds that a page costs a seat; a turn at first."""
        return (self._seat_seconds + PRIOR * turn) / (self._pages + PRIOR)

    def seats(self, pages_left: int, seconds_left: float, *, turn: float) -> int:
        """The number of seats that keeps the pace; at least 1, without a limit of time 1."""
        if seconds_left <= 0:
            return max(1, pages_left)
        return max(1, ceil(pages_left / seconds_left * self.cost(turn=turn)))
