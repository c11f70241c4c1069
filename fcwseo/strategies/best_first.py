"""Naive best-first search: the score of a link is the relevance of the best page that contains it.

Menczer, Pant and Srinivasan, "Topical web crawlers: Evaluating adaptive algorithms", ACM Transactions on
Internet Technology 4(4), 2004.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

from fcwseo.links.frontier import Frontier
from fcwseo.pages import Link, Visit
from fcwseo.strategies.protocol import Turns


class BestFirst:
    """Of links with equal scores, the one found first is returned first."""

    def __init__(self) -> None:
        self._frontier = Frontier()
        self._best: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []

    def observe(self, visit: Visit) -> None:
        relevance = visit.relevance if visit.step else 1.0  # the seeds come first
        for number in self._frontier.observe(visit).open:
            if relevance > self._best.get(number, -1.0):
                self._best[number] = relevance
                heappush(self._heap, (-relevance, number))

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while self._heap and len(links) < n:
            score, number = heappop(self._heap)
            if self._frontier.is_open(number):
                links.append(self._frontier.follow(number, predicted=-score))
            self._best.pop(number, None)
        return links
