"""Breadth-first search: links are followed in the order in which they were found."""

from collections import deque
from collections.abc import Sequence

from fcwseo.links.frontier import Frontier
from fcwseo.pages import Link, Visit
from fcwseo.strategies.protocol import Turns


class BreadthFirst:
    """Links in the order in which they were found."""

    def __init__(self) -> None:
        self._frontier = Frontier()
        self._queue: deque[range] = deque()

    def observe(self, visit: Visit) -> None:
        new = self._frontier.observe(visit).new
        if new:
            self._queue.append(new)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while self._queue and len(links) < n:
            numbers = self._queue.popleft()
            if self._frontier.is_open(numbers[0]):
                links.append(self._frontier.follow(numbers[0]))
            if len(numbers) > 1:
                self._queue.appendleft(numbers[1:])
        return links
