"""Best-first search by four texts of the page that contains a link: its full text, the link's anchor, the
title, and the context of the link.

W. Huang et al.: A semantic and intelligent focused crawler based on BERT semantic vector space model and
hybrid algorithm, IEEE Access, 2024, equation 10. The crawlers of that paper differ in their similarity and in
the weights: 0.25 each, or fitted. Weights are fitted during the crawl, to the links that it has followed.
"""

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from typing import Protocol

from fcwseo.links.frontier import Frontier
from fcwseo.pages import Link, Page, Visit
from fcwseo.strategies.protocol import Turns
from fcwseo.strategies.rivals.fitting import EQUAL, TEXTS, Pairs, Weights, pairs_of

FIRST_FIT = 50  # links followed
NEXT_FIT = 100

Texts = tuple[float, float, float, float]
Fit = Callable[[Pairs], Weights]


class TextRelevance(Protocol):
    """The similarity of pages and texts to a topic; it may learn from pages."""

    def __call__(self, page: Page) -> float: ...

    def of_text(self, text: str) -> float: ...


class FourTexts:
    """A link has the largest score of any parent; of equal links, the one found first comes first.

    After every batch of followed links, ``fit`` returns new weights, and all links are scored again.
    """

    def __init__(self, relevance: TextRelevance, *, weights: Weights = EQUAL, fit: Fit | None = None) -> None:
        self._relevance = relevance
        self.weights = weights
        self._fit = fit
        self._fit_at = FIRST_FIT
        self._full = 0.0  # relevance of the last observed page
        self._frontier = Frontier()
        self._texts: dict[int, Texts] = {}
        self._best: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []
        self._followed: dict[str, Texts] = {}
        self._pairs: list[tuple[Texts, float]] = []

    def observe(self, visit: Visit) -> None:
        seen = self._frontier.observe(visit)
        texts = self._followed.pop(visit.link.target, None)
        if not isinstance(visit.outcome, Page):
            return
        if visit.step == 0:
            self._heap = [(-1.0, number) for number in seen.open]
            return
        full = self._full = self._relevance(visit.outcome)
        if self._fit is not None and texts is not None:
            self._pairs.append((texts, full))
        self._take_in(visit.outcome, full)
        if self._fit is not None and len(self._pairs) >= self._fit_at:
            self._refit(self._fit)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while self._heap and len(links) < n:
            priority, number = heappop(self._heap)
            if self._frontier.is_open(number):
                link = self._frontier.follow(number, predicted=min(1.0, -priority))
                links.append(link)
                if number in self._texts:
                    self._followed[link.target] = self._texts[number]
            self._texts.pop(number, None)
            self._best.pop(number, None)
        return links

    def tell(self, page: Page, link: Link) -> Sequence[str]:
        full = self._full
        title = self._relevance.of_text(page.title)
        texts = (full, self._relevance.of_text(link.anchor), title, self._relevance.of_text(link.context))
        parts = zip(TEXTS, texts, self.weights, strict=True)
        terms = ", ".join(f"{name} {text:.4f} x {weight:.3f}" for name, text, weight in parts)
        return [f"{terms}: {self._priority(texts):.4f}"]

    def _take_in(self, page: Page, full: float) -> None:
        title = self._relevance.of_text(page.title)
        for link in page.links:
            number = self._frontier.number(link.target)
            if not self._frontier.is_open(number):
                continue
            anchor, context = self._relevance.of_text(link.anchor), self._relevance.of_text(link.context)
            texts = (full, anchor, title, context)
            priority = self._priority(texts)
            if priority > self._best.get(number, -1.0):
                self._best[number], self._texts[number] = priority, texts
                heappush(self._heap, (-priority, number))

    def _priority(self, texts: Texts) -> float:
        """Equation 10."""
        return sum(weight * text for weight, text in zip(self.weights, texts, strict=True))

    def _refit(self, fit: Fit) -> None:
        texts, truth = zip(*self._pairs, strict=True)
        self.weights = fit(pairs_of(texts, truth))
        self._fit_at = len(self._pairs) + NEXT_FIT
        self._best = {number: self._priority(texts) for number, texts in self._texts.items()}
        seeds = [(score, number) for score, number in self._heap if number not in self._texts]
        self._heap = [*seeds, *((-score, number) for number, score in self._best.items())]
        heapify(self._heap)
