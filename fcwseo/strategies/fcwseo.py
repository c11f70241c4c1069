"""FCWSEO as it should be: select before paying.

After J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain
ontology, 2022. What differs from Algorithm 1 (``fcwseo_paper``): links are judged before they are followed,
by objectives that are predicted from their evidence, and the prediction learns from every page.

A generation is a handful of links. Most are worth most among the links near the bank of seeds: by predicted
relevance (F1), or by what the list has led to that they go on with. When the crawl gets stuck, a part of them
explores: of the best link of each host, those that fronts and NFCS choose by seven objectives (F1 to F4, how
new the host is, what its list leads to, and how uncertain F1 is). The pages fetched then fight for the bank
with their true objectives, and the circles around the bank widen as the crawl stagnates.
"""

from collections import deque
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.bank import Entry, SeedBank
from fcwseo.evolution.nfcs import select
from fcwseo.evolution.objectives import Lambdas, Objectives, priority
from fcwseo.evolution.radius import Search, Surroundings
from fcwseo.evolution.stagnation import Stagnation
from fcwseo.links.evidence.lists import LATER, worth
from fcwseo.links.evidence.predictor import Predictor
from fcwseo.links.evidence.table import LinkTable
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.explanation import LIST, Explanation, Look, explanation
from fcwseo.strategies.protocol import Turns
from fcwseo_ontology.topic import Topic

POOL = 256  # the best of the links looked at, which are looked at again
FRESH = 250  # links per page that may be looked at anew: bounds the cost of a page, however many links wait
RESERVE = 10  # times as many links as a generation has pages stand by: a dead link gives way to the next
WIDE = 8.0  # a radius that no link lies beyond


@dataclass(frozen=True, slots=True)
class Parameters:
    """With the paper's values where it gives them."""

    k: int = 30  # seeds in the bank
    p_t: float = 0.3  # how likely a seed gives way to a page that it dominates
    generation: int = 2  # pages until links are judged anew
    explore: float = 0.5  # the part of a generation that explores when nothing relevant is found any more
    hosts: int = 100  # of which the best link may explore, the best by F1
    radius: float = 2.0  # of the circles around the bank at first, in links
    later: float = LATER  # what counts of the relevance of what a list leads to


class Choice(NamedTuple):
    row: int
    objectives: tuple[float, ...]
    evidence: Floats
    explores: bool


class Fcwseo:
    def __init__(
        self, topic: Topic, relevance: Relevance, rng: Random, *, parameters: Parameters | None = None
    ) -> None:
        self._parameters = parameters or Parameters()
        self._rng = rng
        self._table = LinkTable(relevance)
        self._predictor = Predictor()
        self._stagnation = Stagnation()
        self._bank = SeedBank(self._parameters.k, rng, p_t=self._parameters.p_t)
        self._surroundings = Surroundings(self._table.known.graph, Search.PER_ROUND)
        self._radius = self._parameters.radius
        self._generation: deque[Choice] = deque()
        self._missing = 0  # links to name until the generation is whole
        self._look: Look | None = None  # what the generation was chosen from
        self._in_flight: dict[str, Choice] = {}
        self._tests: list[int] = []  # pages fetched since the last generation
        self._pool: Rows = np.empty(0, np.intp)
        self._touched: dict[int, None] = {}
        self._pages = 0  # since the last look at all links
        self._waited = 0  # links at that look

    def observe(self, visit: Visit) -> None:
        self._touched |= dict.fromkeys(self._table.observe(visit))
        choice = self._in_flight.pop(visit.link.target, None)
        if choice is None:
            return
        if not isinstance(visit.outcome, Page):
            self._missing += 1
            return
        self._pages += 1
        self._tests.append(self._table.row(visit.outcome.url))
        self._predictor.learn(choice.evidence, self._table.what_counts(visit.relevance))
        is_seed = visit.link.depth == 0
        self._stagnation.add(visit.is_relevant, is_seed=is_seed, explores=choice.explores)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while len(links) < n and ((self._generation and self._missing > 0) or self._breed()):
            choice = self._generation.popleft()
            if self._table.known.frontier.is_open(choice.row):  # a redirect may have led there since
                self._missing -= 1
                link = self._table.follow(choice.row, choice.objectives[0], choice.objectives)
                self._in_flight[link.target] = choice
                links.append(link)
        return links

    def explain(self, url: str) -> Explanation | None:
        """Why a link was named just now, or what speaks for it if it waits; None for any other."""
        row = self._table.row(url)
        if self._table.known.frontier.is_open(row):
            return self._explain_now(row)
        return explanation(row, self._look, self._predictor) if self._look is not None else None

    def _explain_now(self, row: int) -> Explanation | None:
        """By what is known now; the predictor of the crawl stays as it was."""
        rows, predictor = self._table.known.open, copy(self._predictor)
        evidence = self._table.evidence(rows)
        predictor.scale(evidence)
        predictor.fit()
        known = self._known(rows, predictor.f1(predictor.predict(evidence)))
        explore = frozenset(choice.row for choice in self._generation if choice.explores)
        return explanation(row, Look(rows, evidence, self._is_near(rows), known, explore), predictor)

    def _breed(self) -> bool:
        """A new generation; False if there is no link left."""
        self._generation.clear()
        self._evolve()
        self._choose()
        return bool(self._generation)

    def _choose(self) -> None:
        """A generation: what promises most, and as far as the crawl is stuck, what promises something new."""
        rows, evidence = self._candidates()
        if not len(rows):
            return
        expected = self._predictor.predict(evidence)
        known = self._known(rows, self._predictor.f1(expected))
        values = worth(expected, known[:, LIST])
        near = self._is_near(rows)
        order = np.lexsort((-values, ~near))  # what is near comes first
        hosts = self._of_hosts(rows, values)
        self._keep_promising(rows, order, hosts)
        size = self._parameters.generation if self._table.pages else len(rows)  # the seeds all at once
        share = self._parameters.explore * self._stagnation.stuck
        exploring = min(int(size * share + self._rng.random()), size)
        best, reserve = np.split(order[: RESERVE * size], [size - exploring])
        others = np.setdiff1d(hosts, best)
        novel = others[self._explore(rows[others], evidence[others], expected[others], exploring)]
        self._missing = size
        self._look = Look(rows, evidence, near, known, frozenset(rows[novel].tolist()))
        for place in dict.fromkeys((*best, *novel, *reserve)):
            objectives = tuple(known[place, :4].tolist())
            choice = Choice(int(rows[place]), objectives, evidence[place].copy(), place in novel)
            self._generation.append(choice)

    def _explore(self, rows: Rows, evidence: Floats, expected: Floats, count: int) -> Sequence[int]:
        """Of the best links of hosts the places of those that fronts and NFCS choose, by seven objectives."""
        if not 0 < count < len(rows):
            return range(min(count, len(rows)))
        objectives = self._objectives(rows, evidence, expected)
        telling = objectives[:, np.ptp(objectives, axis=0) > 0]  # where all are the same, none is the best
        return select(_scaled(telling), count, self._rng) if telling.size else range(count)

    def _candidates(self) -> tuple[Rows, Floats]:
        """The links to look at, with their evidence: all where they are few, or have not been for long."""
        every = self._table.known.open
        rows = self._promising(every) if self._pages * FRESH < self._waited else every
        evidence = self._table.evidence(rows)
        if rows is every and len(rows):
            self._pages, self._waited = 0, len(rows)
            self._predictor.scale(evidence)
        self._predictor.fit()
        return rows, evidence

    def _promising(self, every: Rows) -> Rows:
        """Those of the pool, and what pages have linked to since; all, if none of them is open any more."""
        touched = np.fromiter(self._touched, np.intp)
        rows = np.union1d(self._pool, touched)
        rows = rows[self._table.are_open(rows)]
        return rows if len(rows) else every

    def _keep_promising(self, rows: Rows, order: Rows, hosts: Rows) -> None:
        """The first in order of the links looked at are the pool, and so is the best link of each host."""
        self._pool = np.union1d(rows[order[:POOL]], rows[hosts])
        self._touched.clear()

    def _of_hosts(self, rows: Rows, values: Floats) -> Rows:
        """The places of the best link of each host, of the best hosts."""
        order = np.lexsort((-values, self._table.host.values[rows]))
        hosts = self._table.host.values[rows[order]]
        first = order[np.concatenate(([True], hosts[1:] != hosts[:-1]))]
        return np.sort(first[np.argsort(-values[first], kind="stable")[: self._parameters.hosts]])

    def _objectives(self, rows: Rows, evidence: Floats, f1: Floats) -> Floats:
        """F1 to F4, how new the host is, what the list leads to, and how uncertain F1 is."""
        return np.column_stack((self._known(rows, f1), self._predictor.uncertainty(evidence)))

    def _known(self, rows: Rows, f1: Floats) -> Floats:
        """The objectives but for the last."""
        f2, f3, f4 = self._table.known.objectives(rows)
        return np.column_stack((f1, f2, f3, f4, self._table.novelty(rows), self._lists(rows)))

    def _lists(self, rows: Rows) -> Floats:
        """What the lists lead to that the rows go on with, as far as that counts now."""
        return self._parameters.later * self._table.leads_to(rows)

    def _is_near(self, rows: Rows) -> NDArray[np.bool_]:
        """Which links lie in a circle around the bank; all, once the circles are wide."""
        if self._radius >= WIDE or not self._bank.seeds:
            return np.ones(len(rows), bool)
        near: NDArray[np.bool_] = self._distances()[rows] >= 0
        return near

    def _distances(self) -> NDArray[np.int32]:
        return self._table.known.graph.distances(self._bank.numbers, within=int(self._radius))

    def _evolve(self) -> None:
        """Web space evolution: the new pages fight for the bank; the more stuck, the wider the circles."""
        if self._radius < WIDE:
            self._surroundings.forget()
            for test in self._entries(self._tests):
                near = self._surroundings.nearest(self._bank.numbers, test.number, radius=self._radius)
                self._bank.challenge(test, near, radius=self._radius)
        self._tests.clear()
        self._radius = min(WIDE, self._radius * (1 + self._stagnation.stuck))

    def _entries(self, rows: Sequence[int]) -> list[Entry]:
        at = np.array(rows, np.intp)
        table = np.column_stack((self._table.known.relevance.values[at], *self._table.known.objectives(at)))
        values = priority(table, Lambdas()).tolist()
        return [
            Entry(row, Objectives(*line), value)
            for row, line, value in zip(rows, table.tolist(), values, strict=True)
        ]


def _scaled(objectives: Floats) -> Floats:
    """Each objective to [0, 1]."""
    low, high = objectives.min(axis=0, initial=np.inf), objectives.max(axis=0, initial=-np.inf)
    scaled: Floats = (objectives - low) / np.where(high > low, high - low, 1.0)
    return scaled
