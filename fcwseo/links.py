"""The links known and not yet followed, with all evidence for them, in columns.

One row per known URL, numbered in the order of discovery. To observe a page costs what its own links cost;
whatever is asked of all rows is one operation on whole columns.
"""

import math
import re
from collections.abc import Mapping, Sequence
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from fcwseo.engine import SEEDS
from fcwseo.frontier import Frontier, Seen
from fcwseo.graph import Column, LinkGraph
from fcwseo.linkwords import LinkWords
from fcwseo.outcomes import Floats, Outcomes
from fcwseo.pagerank import PageRank
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance import Relevance
from fcwseo.urls import host

NEAR = 80  # characters on each side of an anchor that speak of its target

Rows = NDArray[np.intp]

EVIDENCE = (
    "parents' mean",  # F2: R of the pages that link there
    "best parent",
    "anchor",  # F3: R of the best anchor
    "context",  # R of the best surroundings of a link
    "address",  # R of the words of the URL
    "parents",  # how many
    "relevant parents",  # how many, by how far they are above the mean
    "words",  # how pages fared whose links had such words near them
    "host",  # how pages of this host fared
    "folder",  # how pages of this folder of the host fared
    "rank",  # F4: improved PageRank
)

_MOST_ANCHORS = 1 << 16  # whose relevance is remembered
_NOT_A_WORD = re.compile(r"[\W_]+")


class LinkTable:
    """``is_open``: links to follow; the page behind another row is fetched, or on its way.

    The first row is the imaginary page that links to the seeds.
    """

    def __init__(self, relevance: Relevance) -> None:
        self._judge = relevance
        self._frontier = Frontier()
        self._matcher = relevance.matcher
        self._words = LinkWords(self._matcher.shares)
        self.graph = LinkGraph()
        self.rank = PageRank(self.graph)
        self.relevance = Column(np.float64)  # of the page; NaN where there is none
        self.host = Column(np.int32)
        self._folder = Column(np.int32)
        self._hosts: dict[str, int] = {}
        self._folders: dict[str, int] = {}
        self._of_host = Outcomes()
        self._tried = Outcomes()  # links of each host, dead ones too
        self._of_folder = Outcomes()
        self._parents = Column(np.float64)
        self._sum = Column(np.float64)
        self._best = Column(np.float64)
        self._above = Column(np.float64)
        self._anchor = Column(np.float64)
        self._anchors: dict[tuple[str, str], float] = {}
        self._context = Column(np.float64)
        self._address = Column(np.float64)
        self.pages, self._total, self._squares = 0, 0.0, 0.0

    @property
    def mean(self) -> float:
        """Of the relevance of the fetched pages."""
        return self._total / self.pages if self.pages else 0.0

    @property
    def deviation(self) -> float:
        variance = self._squares / self.pages - self.mean**2 if self.pages else 0.0
        return math.sqrt(max(variance, 0.0)) or 1.0

    def __len__(self) -> int:
        return len(self.relevance)

    @property
    def open(self) -> Rows:
        """The links to follow."""
        return np.flatnonzero(np.frombuffer(self._frontier.open_flags, np.bool_))

    def observe(self, visit: Visit) -> list[int]:
        """Take in a page: how it fared, and its links. The rows that its links lead to."""
        page = visit.outcome
        if visit.step:
            self._tried.add(self.host.values[[self._frontier.number(visit.link.target)]], 0.0)
        if not isinstance(page, Page):
            return []
        seen = self._frontier.observe(visit)
        self._grow()
        if visit.step:
            self._learn(seen.page, visit)
        else:
            self.relevance.values[seen.page] = 0.0
        return self._take_in(seen, page, visit.relevance)

    def are_open(self, rows: Rows) -> NDArray[np.bool_]:
        flags: NDArray[np.bool_] = np.frombuffer(self._frontier.open_flags, np.bool_)[rows]
        return flags

    def is_open(self, row: int) -> bool:
        return self._frontier.is_open(row)

    def follow(self, row: int, predicted: float, objectives: Sequence[float]) -> Link:
        return self._frontier.follow(row, predicted, tuple(objectives))

    def row(self, url: str) -> int:
        return self._frontier.number(url)

    def objectives(self, rows: Rows) -> tuple[Floats, Floats, Floats]:
        """F2 to F4: the mean relevance of the parents, the best anchor, and PageRank."""
        f2 = self._sum.values[rows] / np.maximum(self._parents.values[rows], 1)
        return f2, self._anchor.values[rows], self.rank.values[rows] / self.rank.largest

    def novelty(self, rows: Rows) -> Floats:
        """How new the host of each row is: 1 if none of its links was followed, less with each that was."""
        novelty: Floats = 1 / np.sqrt(1 + self._tried.counts(self.host.values[rows]))
        return novelty

    def evidence(self, rows: Rows) -> Floats:
        """What speaks for the rows, a column for each of ``EVIDENCE``."""
        parents = self._parents.values[rows]
        mean = self.mean
        columns = (
            self._sum.values[rows] / np.maximum(parents, 1),
            self._best.values[rows],
            self._anchor.values[rows],
            self._context.values[rows],
            self._address.values[rows],
            np.log1p(parents),
            np.log1p(self._above.values[rows]),
            self._words.above(rows, mean),
            self._of_host.above(self.host.values[rows], mean),
            self._of_folder.above(self._folder.values[rows], mean),
            np.log(self.rank.values[rows]),
        )
        return np.column_stack(columns)

    def _grow(self) -> None:
        """Rows for the URLs that came up with this page."""
        new = range(len(self), len(self._frontier))
        urls = [self._frontier.url(number) for number in new]
        self.relevance.fill(len(self._frontier), math.nan)
        hosts = [host(url) if "//" in url else "" for url in urls]
        self.host.extend([self._hosts.setdefault(name, len(self._hosts)) for name in hosts])
        folders = [url.rpartition("/")[0] for url in urls]
        self._folder.extend([self._folders.setdefault(folder, len(self._folders)) for folder in folders])
        self._address.extend([self._of_text(_words_of(url)) for url in urls])
        for column in (self._parents, self._sum, self._best, self._above, self._anchor, self._context):
            column.fill(len(self._frontier), 0.0)

    def _learn(self, row: int, visit: Visit) -> None:
        relevance = visit.relevance
        link = self._frontier.number(visit.link.target)
        if link != row:
            self._redirect(link, row)
        self.pages += 1
        self._total += relevance
        self._squares += relevance**2
        self.relevance.values[row] = relevance
        self._of_host.add(self.host.values[[row]], relevance)
        self._of_folder.add(self._folder.values[[row]], relevance)
        self._words.learn(link, relevance)

    def _redirect(self, link: int, row: int) -> None:
        """What speaks for a link speaks for the page that it was redirected to; the redirect is a link."""
        for column in (self._parents, self._sum):
            column.values[row] += column.values[link]
        for column in (self._best, self._above, self._anchor, self._context):
            column.values[row] = max(column.values[row], column.values[link])
        self._join(link, {row: 0.0})

    def _join(self, row: int, anchors: Mapping[int, float]) -> None:
        """The links of a page into the graph; what redirects at one time may be a page at another."""
        if row not in self.graph:
            self.graph.add(row, list(anchors), list(anchors.values()))
            self.rank.observe()

    def _take_in(self, seen: Seen, page: Page, relevance: float) -> list[int]:
        rows = [self._frontier.number(link.target) for link in page.links]
        anchors = dict.fromkeys(seen.targets, 0.0)
        for row, link in zip(rows, page.links, strict=True):
            if row in anchors:
                anchors[row] = max(anchors[row], self._of_anchor(link.anchor, page.language))
        targets, once = list(anchors), np.array(list(anchors), np.intp)
        self._anchor.values[once] = np.maximum(self._anchor.values[once], list(anchors.values()))
        self._take_in_contexts(rows, page)
        self._join(seen.page, anchors)
        if page.url != SEEDS:
            self._parents.values[once] += 1
            self._sum.values[once] += relevance
            self._best.values[once] = np.maximum(self._best.values[once], relevance)
            self._above.values[once] += max(0.0, (relevance - self.mean) / self.deviation)
        return targets

    def _take_in_contexts(self, rows: list[int], page: Page) -> None:
        """What stands around links; not of those that were followed, or that are known well enough."""
        told = [
            (row, _near(link))
            for row, link in zip(rows, page.links, strict=True)
            if self._frontier.is_open(row) and self._words.has_room(row)
        ]
        words = [self._matcher.words(text, page.language) for _, text in told]
        relevance = [
            self._of_words(text, found, page.language) for (_, text), found in zip(told, words, strict=True)
        ]
        which = [row for row, _ in told]
        np.maximum.at(self._context.values, np.array(which, np.intp), relevance)
        self._words.add(which, words)

    def _of_anchor(self, anchor: str, language: str) -> float:
        relevance = self._anchors.get((anchor, language))
        if relevance is None:
            if len(self._anchors) == _MOST_ANCHORS:
                self._anchors.clear()
            relevance = self._anchors[anchor, language] = self._of_text(anchor, language)
        return relevance

    def _of_text(self, text: str, language: str = "") -> float:
        return self._of_words(text, self._matcher.words(text, language), language)

    def _of_words(self, text: str, words: Sequence[int], language: str) -> float:
        """R of a text; most texts near links have no feature word, and need no judge."""
        has_feature = min(words, default=self._matcher.size) < self._matcher.size
        return self._judge.of_text(text, language) if has_feature else 0.0


def _near(link: Link) -> str:
    """The surroundings of a link that speak of its target.

    >>> _near(Link("http://a.org/", "", anchor="floods", context="Heavy rain may lead to floods in cities."))
    'Heavy rain may lead to floods in cities.'
    """
    place = link.context.find(link.anchor)
    if place < 0:
        return f"{link.anchor} {link.context[: 2 * NEAR]}"
    return link.context[max(0, place - NEAR) : place + len(link.anchor) + NEAR]


def _words_of(url: str) -> str:
    """The words of a URL's path.

    >>> _words_of("http://a.org/wp/Flash_flood%20risk.htm?id=2")
    ' wp Flash flood risk htm id 2'
    """
    path = url.partition("://")[2].partition("/")[2]
    return _NOT_A_WORD.sub(" ", f"/{unquote(path)}")
