"""Naive best-first search: a link is as promising as the most relevant page that it was found on.

Chen, Ma, Lei, Chen and Dai, "An improved shark-search algorithm based on multi-information" and its kin
take it as the plain focused crawler; spec 2.2 calls it OPS with the relevance of the parent only.
"""

from collections.abc import Sequence
from heapq import heappop, heappush

from fcwseo.frontier import Frontier
from fcwseo.pages import Link, Visit


class BestFirst:
    """Ties fall to the link that was found first."""

    def __init__(self) -> None:
        self._frontier = Frontier()
        self._heap: list[tuple[float, int]] = []

    def observe(self, visit: Visit) -> None:
        seen = self._frontier.observe(visit)
        for number in seen.open:
            heappush(self._heap, (-visit.relevance, number))

    def next(self, n: int) -> Sequence[Link]:
        links: list[Link] = []
        while self._heap and len(links) < n:
            score, number = heappop(self._heap)
            if self._frontier.is_open(number):
                links.append(self._frontier.follow(number, predicted=-score))
        return links
