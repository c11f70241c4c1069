"""The comprehensive priority of all known links, Eq. (10) of paper 001, with terms on one scale.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 5.4. The rivals of that paper rank links by it.

Relevance values are small, and PageRank as a share of the largest is not: without scaling, popularity would
outweigh the topic. Each objective is therefore divided by its standard deviation over all known links. F1 of
a link that was not followed is the mean of F2 and F3.
"""

from collections.abc import Sequence
from dataclasses import astuple

import numpy as np

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.paper_objectives import Lambdas, weighted_sum
from fcwseo.links.objective_table import KnownLinks
from fcwseo.links.paper_evidence import estimate
from fcwseo.links.ranking import Ranking
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance

SEED = 1e6  # the priority of seeds: they come before all other links
_GROWTH = 0.1  # growth of the number of pages after which the scale and all priorities are recomputed


class Priorities:
    """Links by their numbers in the frontier, with objectives in columns; open links are ranked by E.

    Observing a page costs time in proportion to its links. All links are rescored whenever the number of
    pages has grown by a tenth, so that the cost of a page hardly depends on the number of known links.
    """

    def __init__(self, relevance: Relevance, *, lambdas: Lambdas | None = None) -> None:
        self._lambdas = np.array(astuple(lambdas or Lambdas()))
        self._known = KnownLinks(relevance)
        self.frontier = self._known.frontier
        self._ranking = Ranking(self.frontier.is_open)
        self._scale: Floats = np.ones(4)
        self._seeds = 0  # smaller numbers are those of the seeds, and of the page that links to them
        self._pages, self._next_scale = 0, 1

    def observe(self, visit: Visit) -> Sequence[int]:
        """Add a page. Returns its links, each once."""
        seen = self._known.observe(visit)
        if not isinstance(visit.outcome, Page):
            return ()
        if visit.step == 0:
            self._seeds = len(self.frontier)
            self._ranking.put(seen.open, [SEED] * len(seen.open))
            return ()
        self._pages += 1
        if self._pages >= self._next_scale:
            self._rescale()
            rows = self._known.open
            self._ranking.replace(rows.tolist(), self._ranked(rows).tolist())
        else:
            self._ranking.put(seen.open, self._ranked(np.array(seen.open, np.intp)).tolist())
        return seen.targets

    def objectives(self, numbers: Sequence[int] | Rows) -> Floats:
        """A row of F1 to F4 for each link; F1 is estimated if the page is unknown."""
        at = np.asarray(numbers, np.intp)
        f2, f3, f4 = self._known.objectives(at)
        own = self._known.relevance.values[at]
        return np.column_stack((np.where(np.isnan(own), estimate(f2, f3), own), f2, f3, f4))

    def values(self, numbers: Sequence[int] | Rows) -> Floats:
        """E of each link."""
        return self.rate(self.objectives(numbers))

    def rate(self, objectives: Floats) -> Floats:
        """E of rows of objectives, each divided by its current deviation over the known links."""
        return weighted_sum(objectives / self._scale, self._lambdas)

    def top(self, n: int) -> list[int]:
        """The open links with the largest E, best first."""
        return self._ranking.top(n)

    def best(self) -> int | None:
        return self._ranking.best()

    def value(self, number: int) -> float:
        """E of an open link, as ranked."""
        return self._ranking.value(number)

    def put_back(self, number: int) -> None:
        """Rank a link behind all others until another page links to it."""
        self._ranking.put([number], [-SEED])

    def is_open(self, number: int) -> bool:
        return self.frontier.is_open(number)

    def follow(self, number: int) -> Link:
        objectives = tuple(self.objectives([number])[0].tolist())
        return self.frontier.follow(number, min(1.0, objectives[0]), objectives)

    def _rescale(self) -> None:
        self._next_scale = self._pages + 1 + int(_GROWTH * self._pages)
        every = np.arange(len(self.frontier))
        linked = every[self._known.parents(every) > 0]
        deviation = self.objectives(linked).std(axis=0) if len(linked) else np.zeros(4)
        self._scale = np.where(deviation > 1e-9, deviation, np.inf)

    def _ranked(self, rows: Rows) -> Floats:
        """The key by which open links are ranked."""
        return np.where(rows < self._seeds, SEED, self.values(rows))
