"""Best-first search under a scorer: the crawlers of papers 000 and 004.

A link has its largest score on any page; seeds come first. Of equal links, the one found first comes first.
"""

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Protocol, runtime_checkable

from fcwseo.links.frontier import Frontier
from fcwseo.pages import Link, Page, Visit
from fcwseo.strategies.protocol import Turns

SEED = 1.0


class Scorer(Protocol):
    """Scores the links of a page."""

    def __call__(self, visit: Visit, page: Page, links: Sequence[Link]) -> Sequence[float]:
        """A score for each of these links of a visited page."""
        ...


@runtime_checkable
class Explaining(Protocol):
    """A scorer that can explain the score of a link on the page that it scored last."""

    def tell(self, page: Page, link: Link) -> Sequence[str]: ...


class Scored:
    """Links by their best score, which is given when they are found."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._frontier = Frontier()
        self._best: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []

    def observe(self, visit: Visit) -> None:
        self._frontier.observe(visit)
        if not isinstance(visit.outcome, Page):
            return
        links = [link for link in visit.outcome.links if self._frontier.is_open(self._number(link))]
        scores = self._scorer(visit, visit.outcome, links) if visit.step else [SEED] * len(links)
        for link, score in zip(links, scores, strict=True):
            number = self._number(link)
            if number not in self._best or score > self._best[number]:
                self._best[number] = score
                heappush(self._heap, (-score, number))

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while self._heap and len(links) < n:
            score, number = heappop(self._heap)
            if self._frontier.is_open(number):
                links.append(self._frontier.follow(number, predicted=min(1.0, max(0.0, -score))))
            self._best.pop(number, None)
        return links

    def tell(self, page: Page, link: Link) -> Sequence[str]:
        return self._scorer.tell(page, link) if isinstance(self._scorer, Explaining) else ()

    def _number(self, link: Link) -> int:
        return self._frontier.number(link.target)
