"""Webs for the tests of the engine and the strategies: written down in a line, late, or remembered."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from random import Random
from zlib import crc32

import numpy as np
import pytest

from fcwseo.crawling.engine import LoggedVisit, Stop, Window, crawl, replay
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models.bsvsm import Bsvsm
from fcwseo.relevance.models.encoders import Vector
from fcwseo.strategies import STRATEGIES, Factory
from fcwseo.strategies.rivals.four_texts import FourTexts
from fcwseo.strategies.rivals.semantic import bsvsm_ha
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.protocol import ArchivedOrder, Web

Past = list[LoggedVisit]


class TinyEncoder:
    """Takes words for similar that share letters: three in a row."""

    name = "tiny"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, term: str) -> Vector:
        self.asked.append(term)
        vector = np.zeros(64, np.float32)
        for start in range(len(term) - 2):
            vector[crc32(term[start : start + 3].encode()) % 64] += 1
        return vector / max(float(np.linalg.norm(vector)), 1e-9)


ENCODED = frozenset(("word2vec", "elmo", "bsvsm", "bsvsm-ha"))  # strategies that need fcwseo[embeddings]

# Every strategy, also without the extras: those with an encoder have a tiny one.
TESTED: dict[str, Factory] = {
    **STRATEGIES,
    **dict.fromkeys(
        sorted(ENCODED),
        lambda topic, relevance, rng: FourTexts(Bsvsm(topic, TinyEncoder())),
    ),
    "bsvsm-ha": lambda topic, relevance, rng: bsvsm_ha(topic, relevance, rng, encoder=TinyEncoder()),
}

ALIKE = frozenset(
    (
        "fcmrps-1",
        "fcmrps-2",
        "fcmrps-3",
        "fcmrps-13",
        "fcmrps-124",
        "ssrm",
        "svsm",
        "word2vec",
        "elmo",
        "bsvsm",
    )
)
"""Strategies that differ from another one only in weights, a formula or an encoder."""

KINDS = [name for name in STRATEGIES if name not in ALIKE]
"""Of the strategies that are alike, one."""


OF_EACH_SORT = ("fcwseo", "fcwseo-paper", "best-first", "ache", "keyword-table")
"""These are tested most: at every visit, and in every run of the tests, however short."""

EVERY = [pytest.param(name, marks=() if name in OF_EACH_SORT else pytest.mark.slow) for name in KINDS]
"""The kinds of strategies, as parameters of a test."""


class SmallWeb:
    """Pages by name, each with the names that it links to; other linked pages are gone.

    >>> web = SmallWeb({"a": "b c", "b": ""}, moved={"c": "a"})
    >>> [link.target for link in asyncio.run(web.fetch("c")).links]
    ['b', 'c']
    """

    def __init__(self, links: Mapping[str, str], *, moved: Mapping[str, str] | None = None) -> None:
        self.links = links
        self.moved = moved or {}

    async def fetch(self, url: str) -> Page | Failure:
        end = self.moved.get(url, url)
        if end not in self.links:
            return Failure(url, Why.GONE)
        targets = self.links[end].split()
        return Page(end, links=tuple(Link(there, end, position=i) for i, there in enumerate(targets)))

    name = identity = spec = "small"
    obeyed, archived_order, problems = False, ArchivedOrder(), ()

    def __len__(self) -> int:
        return len(self.links)

    def __contains__(self, url: str) -> bool:
        return self.resolve(url) is not None

    def urls(self) -> Iterator[str]:
        return iter(self.links)

    def resolve(self, url: str) -> str | None:
        end = self.moved.get(url, url)
        return end if end in self.links else None

    def labels(self, url: str) -> tuple[str, ...]:
        return ()


class LateWeb:
    """A web whose answers take a while, each another; it counts how many are awaited at once."""

    def __init__(self, web: Web, rng: Random, *, longest: int = 6) -> None:
        self._web, self._rng, self._longest = web, rng, longest
        self.asked: list[str] = []
        self.answered: list[str] = []
        self.most_at_once = 0

    async def fetch(self, url: str) -> Page | Failure:
        self.asked.append(url)
        self.most_at_once = max(self.most_at_once, len(self.asked) - len(self.answered))
        for _ in range(self._rng.randint(1, self._longest)):
            await asyncio.sleep(0)
        self.answered.append(url)
        return await self._web.fetch(url)


class RememberedWeb:
    """A generated web that makes each page once, to be crawled for rainstorms."""

    def __init__(self, pages: int) -> None:
        self.web = GeneratedWeb(0, pages)
        self.topic = self.web.topic()
        self.seeds = self.web.seeds("rainstorm")
        self._answers: dict[str, Page | Failure] = {}

    async def fetch(self, url: str) -> Page | Failure:
        if url not in self._answers:
            self._answers[url] = await self.web.fetch(url)
        return self._answers[url]

    def window(self, strategy: str, *, budget: int, width: int, seed: int = 0) -> Window:
        relevance = TopicalRelevance(self.topic)
        chosen = TESTED[strategy](self.topic, relevance, Random(seed))
        return Window(chosen, self.seeds, relevance=relevance, budget=budget, width=width)


async def _logged(past: Past) -> AsyncIterator[LoggedVisit]:
    for entry in past:
        yield entry


def folded(window: Window, past: Past) -> list[Visit]:
    """The visits of a log, taken in again by a fresh window."""
    visits: list[Visit] = []
    asyncio.run(replay(window, _logged(past), observed=visits.append))
    return visits


def crawled(web: Web, window: Window) -> tuple[Stop, list[Visit]]:
    """How a crawl ends, and its visits."""
    visits: list[Visit] = []
    stop = asyncio.run(crawl(web, window, record=visits.append))
    return stop, visits


def as_past(visits: list[Visit], *, budget: int) -> Past:
    """The visits as a log gives them back."""
    return [
        LoggedVisit(
            budget,
            visit.link.target,
            visit.outcome,
            visit.requested,
            visit.retry is not None,
            visit.link.rule,
            visit.link.seat,
        )
        for visit in visits
    ]


def targets(visits: list[Visit]) -> str:
    """The names that were followed, in order, in a line."""
    return " ".join(visit.link.target for visit in visits)


class TextWeb:
    """Pages with a text, and links with an anchor: ``"a": ("text", {"b": "anchor"})``."""

    def __init__(self, pages: dict[str, tuple[str, dict[str, str]]]) -> None:
        self._pages = pages

    async def fetch(self, url: str) -> Page | Failure:
        if url not in self._pages:
            return Failure(url, Why.GONE)
        text, links = self._pages[url]
        return Page(url, text=text, links=tuple(Link(there, url, anchor) for there, anchor in links.items()))
