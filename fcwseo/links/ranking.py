"""Links by their value, best first; values may change, and links may be followed elsewhere."""

from array import array
from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from math import nan


class Ranking:
    """The numbers of links with a value each. Of equal values, the link found first comes first.

    A heap in which a changed value is a new entry. Outdated entries, and entries of closed links, are dropped
    when they reach the top.

    >>> ranking = Ranking(lambda number: number != 3)
    >>> ranking.put([1, 2, 3], [0.5, 0.1, 0.9])
    >>> ranking.put([2], [0.7])
    >>> ranking.top(5), ranking.best()
    ([2, 1], 2)
    """

    def __init__(self, is_open: Callable[[int], bool]) -> None:
        self._is_open = is_open
        self._values = array("d")
        self._heap: list[tuple[float, int]] = []

    def put(self, numbers: Iterable[int], values: Iterable[float]) -> None:
        """Set the value of new or known links."""
        for number, value in zip(numbers, values, strict=True):
            self._grow(number + 1)
            if self._values[number] != value:
                self._values[number] = value
                heappush(self._heap, (-value, number))

    def replace(self, numbers: Iterable[int], values: Iterable[float]) -> None:
        """Forget all links except these; each may occur once."""
        self._heap = [(-value, number) for number, value in zip(numbers, values, strict=True)]
        heapify(self._heap)
        self._values = array("d")
        for value, number in self._heap:
            self._grow(number + 1)
            self._values[number] = -value

    def value(self, number: int) -> float:
        """The value of a link; NaN if it has none."""
        return self._values[number] if number < len(self._values) else nan

    def best(self) -> int | None:
        """The open link with the largest value, which stays."""
        return next(iter(self.top(1)), None)

    def top(self, n: int) -> list[int]:
        """The ``n`` best open links, best first. They stay."""
        found: dict[int, float] = {}
        while self._heap and len(found) < n:
            negative, number = heappop(self._heap)
            if self._is_open(number) and self._values[number] == -negative:
                found[number] = negative
        for number, negative in found.items():
            heappush(self._heap, (negative, number))
        return list(found)

    def _grow(self, size: int) -> None:
        if size > len(self._values):
            self._values.extend([nan] * max(size - len(self._values), len(self._values)))
