"""The comprehensive priority of all known links, Eq. (10) of paper 001, with its terms on one scale.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 5.4. What the rivals of FCWSEO rank links by.

Relevances are small numbers and PageRank, as a part of the largest, is not: added as they are, popularity
would swamp the topic. So each objective is divided by its deviation over all known links. F1 of a link that
was not followed is the plain estimate, the mean of F2 and F3.
"""

from collections.abc import Sequence
from dataclasses import astuple

import numpy as np
from numpy.typing import NDArray

from fcwseo.frontier import Frontier
from fcwseo.graph import Column, LinkGraph
from fcwseo.objectives import Lambdas, estimate
from fcwseo.pagerank import PageRank
from fcwseo.pages import Link, Page, Visit
from fcwseo.ranking import Ranking
from fcwseo.relevance import Relevance

SEED = 1e6  # the priority of seeds: they come before whatever else is known
_GROWTH = 0.1  # the scale is taken anew, and all links with it, when there are so many more pages

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


class Priorities:
    """Links by the numbers of the frontier, their objectives in columns, and the open ones ranked by E.

    To observe a page costs what its own links cost. All links are looked at again whenever the pages have
    grown by a tenth, so that a page costs about the same however many links are known.
    """

    def __init__(self, relevance: Relevance, *, lambdas: Lambdas | None = None) -> None:
        self._relevance = relevance
        self._lambdas = np.array(astuple(lambdas or Lambdas()))
        self.frontier = Frontier()
        self._graph = LinkGraph()
        self._rank = PageRank(self._graph)
        self._ranking = Ranking(self.frontier.is_open)
        self._own = Column(np.float64)  # R of the page, NaN where it is not known
        self._sum = Column(np.float64)
        self._parents = Column(np.float64)
        self._anchor = Column(np.float64)
        self._scale: Floats = np.ones(4)
        self._seeds = 0  # the numbers below are those of the seeds, and of the page that links to them
        self._pages, self._next_scale = 0, 1

    def observe(self, visit: Visit) -> Sequence[int]:
        """Take in a page. The links that it has, each once."""
        seen = self.frontier.observe(visit)
        if not isinstance(visit.outcome, Page):
            return ()
        self._grow()
        if visit.step == 0:
            self._seeds = len(self.frontier)
            self._join(seen.page, seen.targets)
            self._ranking.put(seen.open, [SEED] * len(seen.open))
            return ()
        self._pages += 1
        self._own.values[seen.page] = visit.relevance
        self._take_in(visit.outcome, visit.relevance, seen.targets)
        self._join(seen.page, seen.targets)
        if self._pages >= self._next_scale:
            self._rescale()
            rows = np.flatnonzero(np.frombuffer(self.frontier.open_flags, np.bool_))
            self._ranking.replace(rows.tolist(), self._ranked(rows).tolist())
        else:
            self._ranking.put(seen.open, self._ranked(np.array(seen.open, np.intp)).tolist())
        return seen.targets

    def objectives(self, numbers: Sequence[int] | Rows) -> Floats:
        """F1 to F4 of each, a row; F1 estimated where the page is not known."""
        at = np.asarray(numbers, np.intp)
        f2 = self._sum.values[at] / np.maximum(self._parents.values[at], 1)
        f3 = self._anchor.values[at]
        own = self._own.values[at]
        f1 = np.where(np.isnan(own), estimate(f2, f3), own)
        return np.column_stack((f1, f2, f3, self._rank.values[at] / self._rank.largest))

    def values(self, numbers: Sequence[int] | Rows) -> Floats:
        """E of each."""
        return self.rate(self.objectives(numbers))

    def rate(self, objectives: Floats) -> Floats:
        """E of rows of objectives, on the present scale: each by its deviation over the known links."""
        values: Floats = objectives / self._scale @ self._lambdas
        return values

    def top(self, n: int) -> list[int]:
        """The open links of the largest E, best first."""
        return self._ranking.top(n)

    def best(self) -> int | None:
        return self._ranking.best()

    def value(self, number: int) -> float:
        """E of an open link, as it is ranked."""
        return self._ranking.value(number)

    def put_back(self, number: int) -> None:
        """Behind all others, until there is news of it."""
        self._ranking.put([number], [-SEED])

    def is_open(self, number: int) -> bool:
        return self.frontier.is_open(number)

    def follow(self, number: int) -> Link:
        objectives = tuple(self.objectives([number])[0].tolist())
        return self.frontier.follow(number, min(1.0, objectives[0]), objectives)

    def _grow(self) -> None:
        self._own.fill(len(self.frontier), np.nan)
        for column in (self._sum, self._parents, self._anchor):
            column.fill(len(self.frontier), 0.0)

    def _take_in(self, page: Page, relevance: float, targets: Sequence[int]) -> None:
        """F2 is the mean over the distinct pages that have the link, F3 the largest of all its anchors."""
        numbers = np.array([self.frontier.number(link.target) for link in page.links], np.intp)
        anchors = [self._relevance.of_text(link.anchor) for link in page.links]
        np.maximum.at(self._anchor.values, numbers, anchors)
        self._sum.values[targets] += relevance
        self._parents.values[targets] += 1

    def _join(self, page: int, targets: Sequence[int]) -> None:
        self._graph.add(page, targets, self._anchor.values[np.array(targets, np.intp)].tolist())
        self._rank.observe()

    def _rescale(self) -> None:
        self._next_scale = self._pages + 1 + int(_GROWTH * self._pages)
        linked = np.flatnonzero(self._parents.values > 0)
        deviation = self.objectives(linked).std(axis=0) if len(linked) else np.zeros(4)
        self._scale = np.where(deviation > 1e-9, deviation, np.inf)

    def _ranked(self, rows: Rows) -> Floats:
        """What open links are ranked by."""
        return np.where(rows < self._seeds, SEED, self.values(rows))
