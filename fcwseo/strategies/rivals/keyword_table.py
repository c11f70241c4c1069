"""The keyword-table crawler, and the earlier crawler of the same paper.

An improved architecture of a focused crawler by content and link analysis (paper 002).

Links wait in a queue by their score; links below a threshold are set aside until another page raises their
score. Links of irrelevant pages are collected as well. A page whose text was seen before (MD5) is dropped.
The best words of relevant pages enter the table.

The paper gives no thresholds: they are the lower quartile of the scores of the seeds' links, and of the
seeds' own scores. Links found earlier wait with the others, and are compared with the threshold once it is
known. Since the threshold is our guess, a crawl does not end because of it: links set aside are followed when
no other link is left. With ``discards`` they are dropped, as published.
"""

from collections import deque
from collections.abc import Sequence
from hashlib import md5
from heapq import heappop, heappush
from math import inf
from typing import Protocol

import msgspec
import numpy as np

from fcwseo.links.frontier import Frontier
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.models.keyword_table import KeywordTable, LinkScore
from fcwseo.strategies.protocol import Turns

QUARTILE = 25
EXPAND_EVERY = 100  # new relevant pages
MOST_NEW = 10  # keywords per expansion


class _Queue(Protocol):
    def push(self, score: float, number: int) -> None: ...

    def pop(self) -> tuple[float, int]: ...

    def __len__(self) -> int: ...


class _ByScore:
    def __init__(self) -> None:
        self._heap: list[tuple[float, int]] = []

    def push(self, score: float, number: int) -> None:
        heappush(self._heap, (-score, number))

    def pop(self) -> tuple[float, int]:
        score, number = heappop(self._heap)
        return -score, number

    def __len__(self) -> int:
        return len(self._heap)


class _InOrder:
    def __init__(self) -> None:
        self._queue: deque[tuple[float, int]] = deque()

    def push(self, score: float, number: int) -> None:
        self._queue.append((score, number))

    def pop(self) -> tuple[float, int]:
        return self._queue.popleft()

    def __len__(self) -> int:
        return len(self._queue)


class _Thresholds:
    """Both thresholds, known once all seeds have an outcome; until then no link is below them."""

    def __init__(self) -> None:
        self._seeds: dict[str, None] = {}
        self._pages: list[float] = []
        self._links: list[float] = []
        self.page = self.link = 0.0

    def begin(self, seeds: Sequence[str]) -> None:
        self._seeds = dict.fromkeys(seeds)

    def settle(self, target: str, page: float | None, links: Sequence[float]) -> None:
        """Record the outcome of a link; it matters only for seeds."""
        if target not in self._seeds:
            return
        del self._seeds[target]
        self._pages += [] if page is None else [page]
        self._links += links
        if not self._seeds:
            self.page = float(np.percentile(self._pages, QUARTILE)) if self._pages else 0.0
            self.link = float(np.percentile(self._links, QUARTILE)) if self._links else 0.0


class KeywordTableFirst:
    """``optimised``: queue by score, no duplicate pages, growing table. The earlier crawler has none of
    these.
    """

    def __init__(self, table: KeywordTable, *, optimised: bool = True, discards: bool = False) -> None:
        self.table = table
        self.thresholds = _Thresholds()
        self.relevant = 0
        self.copies = 0
        self._optimised = optimised
        self._discards = discards
        self._queue: _Queue = _ByScore() if optimised else _InOrder()
        self._aside: _Queue = _ByScore() if optimised else _InOrder()
        self._frontier = Frontier()
        self._best: dict[int, float] = {}
        self._bodies: set[bytes] = set()
        self._scores: list[LinkScore] = []  # scores of the links of the last page; empty for a copy

    def observe(self, visit: Visit) -> None:
        page = visit.outcome
        if not isinstance(page, Page):
            self.thresholds.settle(visit.link.target, None, ())
            return
        if visit.step == 0:
            self.thresholds.begin([link.target for link in page.links])
            for number in self._frontier.observe(visit).open:
                self._queue.push(inf, number)
        elif self._optimised and self._is_copy(page):
            self.copies += 1
            self._scores = []
            self._frontier.observe(msgspec.structs.replace(visit, outcome=_without_links(page)))
            self.thresholds.settle(visit.link.target, None, ())
        else:
            self._frontier.observe(visit)
            self._take_in(visit.link.target, page)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while len(links) < n and (found := self._pop()):
            score, number = found
            links.append(self._frontier.follow(number, predicted=min(score, 4.0) / 4))
        return links

    def tell(self, page: Page, link: Link) -> Sequence[str]:
        if not self._scores:
            return ["not added: the page was dropped, since its text was seen before"]
        found = self._scores[page.links.index(link)]
        parts = ", ".join(f"{name} {part:.4f}" for name, part in found._asdict().items())
        lines = [f"{parts}: {found.total:.4f}"]
        if found.total < self.thresholds.link:
            lines.append(f"set aside: below the threshold {self.thresholds.link:.4f}")
        return lines

    def _pop(self) -> tuple[float, int] | None:
        while len(self._queue):
            score, number = self._queue.pop()
            if score >= self.thresholds.link and self._frontier.is_open(number):
                return score, number
            self._aside.push(score, number)
        while len(self._aside) and not self._discards:
            score, number = self._aside.pop()
            if self._frontier.is_open(number):
                return score, number
        return None

    def _is_copy(self, page: Page) -> bool:
        body = " ".join(page.text.split())
        digest = md5(body.encode("utf-8", "replace"), usedforsecurity=False).digest()
        seen = digest in self._bodies
        self._bodies.add(digest)
        return seen and bool(body)

    def _take_in(self, target: str, page: Page) -> None:
        text = f"{page.title}\n{page.text}"
        score = self.table.score(text, page.language)
        self._scores = [
            self.table.link_score(link.target, link.anchor, score, link.context, page.language)
            for link in page.links
        ]
        scores = [found.total for found in self._scores]
        for link, found in zip(page.links, scores, strict=True):
            self._push(self._frontier.number(link.target), found)
        self.thresholds.settle(target, score, scores)
        self._learn(text, page.language, relevant=score > 0 and score >= self.thresholds.page)

    def _push(self, number: int, score: float) -> None:
        if self._frontier.is_open(number) and score > self._best.get(number, -1.0):
            self._best[number] = score
            queue = self._queue if score >= self.thresholds.link else self._aside
            queue.push(score, number)

    def _learn(self, text: str, language: str, *, relevant: bool) -> None:
        self.relevant += relevant
        if self._optimised:
            self.table.learn(text, language, relevant=relevant)
            if relevant and self.relevant % EXPAND_EVERY == 0:
                self.table.expand(most=MOST_NEW)


def _without_links(page: Page) -> Page:
    return msgspec.structs.replace(page, links=())
