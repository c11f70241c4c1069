"""Known links with the parts of their objectives: parents, anchors, and PageRank.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, equations 9 and 11 to 14, for any relevance.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Column, Floats, Rows
from fcwseo.links.frontier import Frontier, Seen
from fcwseo.links.graph import LinkGraph
from fcwseo.links.pagerank import PageRank
from fcwseo.pages import Page, Visit
from fcwseo.relevance.protocol import Relevance

_MOST_ANCHORS = 1 << 16  # cached anchors


class KnownLinks:
    """A row per known URL, by the numbers of the frontier. The first is the virtual page with the seeds.

    A redirect is a link: the evidence of the link also applies to the page that it led to.
    """

    def __init__(self, relevance: Relevance) -> None:
        self.anchors = Anchors(relevance)
        self.frontier = Frontier()
        self.graph = LinkGraph()
        self.rank = PageRank(self.graph)
        self.relevance = Column(np.float64)  # relevance of the page; NaN if unknown
        self._parents = Column(np.float64)
        self._sum = Column(np.float64)
        self._anchor = Column(np.float64)

    def observe(self, visit: Visit) -> Seen:
        """Add a page and its links; a failure adds nothing."""
        seen = self.frontier.observe(visit)
        page = visit.outcome
        if isinstance(page, Page):
            self._grow()
            if visit.step:
                self._fetched(self.frontier.number(visit.link.target), seen.page, visit.relevance)
            anchors = self._best_anchors(page, seen.targets)
            self._join(seen.page, anchors)
            self._link(anchors, visit)
        return seen

    @property
    def open(self) -> Rows:
        """The links to follow."""
        return np.flatnonzero(np.frombuffer(self.frontier.open_flags, np.bool_))

    def parents(self, rows: Rows) -> Floats:
        """The number of parents of each row."""
        parents: Floats = self._parents.values[rows]
        return parents

    def objectives(self, rows: Rows) -> tuple[Floats, Floats, Floats]:
        """F2 to F4: the mean relevance of the parents, the best anchor, and PageRank."""
        f2 = self._sum.values[rows] / np.maximum(self._parents.values[rows], 1)
        return f2, self._anchor.values[rows], self.rank.values[rows] / self.rank.largest

    def _grow(self) -> None:
        self.relevance.fill(len(self.frontier), math.nan)
        for column in (self._parents, self._sum, self._anchor):
            column.fill(len(self.frontier), 0.0)

    def _fetched(self, link: int, row: int, relevance: float) -> None:
        self.relevance.values[row] = relevance
        if link != row:
            self._parents.values[row] += self._parents.values[link]
            self._sum.values[row] += self._sum.values[link]
            self._anchor.values[row] = max(self._anchor.values[row], self._anchor.values[link])
            self._join(link, {row: 0.0})

    def _best_anchors(self, page: Page, targets: Sequence[int]) -> dict[int, float]:
        """R(a) of the links of a page; the largest of several links to one target."""
        anchors = dict.fromkeys(targets, 0.0)
        for link in page.links:
            row = self.frontier.number(link.target)
            if row in anchors:
                anchors[row] = max(anchors[row], self.anchors.of(link.anchor, page.language).relevance)
        return anchors

    def _join(self, row: int, anchors: Mapping[int, float]) -> None:
        """Add the links of a page to the graph; a URL that once redirected may later be a page."""
        if row not in self.graph:
            self.graph.add(row, list(anchors), list(anchors.values()))
            self.rank.observe()

    def _link(self, anchors: Mapping[int, float], visit: Visit) -> None:
        rows = np.array(list(anchors), np.intp)
        self._anchor.values[rows] = np.maximum(self._anchor.values[rows], list(anchors.values()))
        if visit.step:  # the seeds have no parents
            self._parents.values[rows] += 1
            self._sum.values[rows] += visit.relevance


class Anchor(NamedTuple):
    """The topic words and relevance of an anchor text."""

    relevance: float  # R(a)
    names: float  # weights of the topic words that it names
    words: Sequence[int]


class Anchors:
    """Anchors, each read once, since they recur."""

    def __init__(self, relevance: Relevance) -> None:
        self._relevance = relevance
        self._known: dict[tuple[str, str], Anchor] = {}

    def of(self, anchor: str, language: str) -> Anchor:
        known = self._known.get((anchor, language))
        if known is None:
            if len(self._known) == _MOST_ANCHORS:
                self._known.clear()
            words = self._relevance.matcher.words(anchor, language)
            known = Anchor(self._relevance.of_words(words), self._relevance.named_by(words), words)
            self._known[anchor, language] = known
        return known
