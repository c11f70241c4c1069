"""FCWSEO: choose links by predicted objectives before fetching them.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022. Unlike Algorithm 1 (``fcwseo_paper``), it scores links before following them. Their objectives are
predicted from their evidence, and the predictor learns from every page.

A generation is a handful of links. Most are the best links near the bank of seeds, by expected relevance (F1)
or by the outcome of their pagination. When the crawl gets stuck, a part of the generation explores: fronts
and NFCS select among the best link of each host by seven objectives (F1 to F4, novelty of the host, value of
the pagination, uncertainty of F1). The fetched pages then challenge the bank with their true objectives, and
the circles around the bank widen as the crawl stagnates.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.circles import Circles
from fcwseo.evolution.nfcs import select
from fcwseo.evolution.paper_bank import SeedBank, entries
from fcwseo.evolution.paper_objectives import Lambdas
from fcwseo.evolution.stagnation import Stagnation
from fcwseo.links.evidence.lists import LATER
from fcwseo.links.evidence.predictor import Predictor
from fcwseo.links.evidence.table import LinkTable
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.candidates import Candidates, Snapshot
from fcwseo.strategies.explanation import Explanation, explanation
from fcwseo.strategies.protocol import Turns
from fcwseo_ontology.topic import Topic

RESERVE = 10  # generations of links in reserve, which replace links without a page


@dataclass(frozen=True, slots=True)
class FcwseoParameters:
    """Parameters, with the paper's values if it gives any."""

    k: int = 30  # seeds in the bank
    p_t: float = 0.3  # probability that a seed yields to a page that it dominates
    generation: int = 2  # pages until links are scored again
    explore: float = 0.5  # largest share of exploring links, reached when no page is relevant any more
    radius: float = 2.0  # initial radius of the circles around the bank, in links
    later: float = LATER  # weight of the relevance reached through a pagination


class Choice(NamedTuple):
    """A link of a generation, with its objectives at the time of the choice."""

    row: int
    objectives: tuple[float, ...]
    evidence: Floats
    explores: bool


class Fcwseo:
    """Chooses links generation by generation.

    ``observe`` learns from a visit. ``next`` returns links of the current generation; once these are used up,
    it breeds a new one.
    """

    def __init__(
        self, topic: Topic, relevance: Relevance, rng: Random, *, parameters: FcwseoParameters | None = None
    ) -> None:
        self._parameters = parameters or FcwseoParameters()
        self._rng = rng
        self._table = LinkTable(relevance)
        self._predictor = Predictor()
        self._stagnation = Stagnation()
        self._bank = SeedBank(self._parameters.k, rng, p_t=self._parameters.p_t)
        self._circles = Circles(self._table.known.graph, self._bank, radius=self._parameters.radius)
        self._candidates = Candidates(
            self._table, self._predictor, self._circles, later=self._parameters.later
        )
        self._generation: deque[Choice] = deque()
        self._missing = 0  # links of the generation still to be returned as pages
        self._snapshot: Snapshot | None = None  # candidates of this generation
        self._exploring: frozenset[int] = frozenset()  # rows of its exploring links
        self._in_flight: dict[str, Choice] = {}
        self._fetched: list[int] = []  # pages since the generation was bred

    def observe(self, visit: Visit) -> None:
        """Learn from a page and add its links; replace a link without a page from the reserve."""
        links = self._table.observe(visit)
        choice = self._in_flight.pop(visit.link.target, None)
        if not isinstance(visit.outcome, Page):
            self._missing += 1
            return
        self._candidates.add(links)
        if choice is None:  # the virtual page that links to the seeds
            return
        self._fetched.append(self._table.row(visit.outcome.url))
        self._predictor.learn(choice.evidence, self._table.capped(visit.relevance))
        is_seed = visit.link.depth == 0
        self._stagnation.add(visit.is_relevant, is_seed=is_seed, explores=choice.explores)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        """Up to ``n`` links of this generation, and of further ones if it is too small."""
        links: list[Link] = []
        while len(links) < n and ((self._generation and self._missing > 0) or self._breed()):
            choice = self._generation.popleft()
            if self._table.known.frontier.is_open(choice.row):  # a redirect may have reached it since
                self._missing -= 1
                link = self._table.follow(choice.row, choice.objectives[0], choice.objectives)
                self._in_flight[link.target] = choice
                links.append(link)
        return links

    def explain(self, url: str) -> Explanation | None:
        """Why a link was just returned, or its present rank if it waits; None for other links."""
        row = self._table.row(url)
        if self._table.known.frontier.is_open(row):
            return explanation(row, self._candidates.preview(), self._waiting_to_explore())
        return explanation(row, self._snapshot, self._exploring) if self._snapshot is not None else None

    def _waiting_to_explore(self) -> frozenset[int]:
        return frozenset(choice.row for choice in self._generation if choice.explores)

    def _breed(self) -> bool:
        """Breed a new generation: the best links and, if the crawl is stuck, exploring links. False if no
        link is left.
        """
        self._evolve()
        found = self._candidates.current()
        size = self._parameters.generation if self._table.pages else len(found.rows)  # all seeds at once
        exploring = self._exploring_part(size) if size else 0
        best, reserve = np.split(found.order[: RESERVE * size], [size - exploring])
        novel = self._novel(found, best, exploring)
        self._missing, self._snapshot = size, found
        self._exploring = frozenset(found.rows[novel].tolist())
        chosen = dict.fromkeys((*best, *novel, *reserve))
        self._generation = deque(self._choice(found, index) for index in chosen)
        return bool(self._generation)

    def _exploring_part(self, size: int) -> int:
        """The number of exploring links of a generation, which grows with the stagnation."""
        share = self._parameters.explore * self._stagnation.stuck
        return min(int(size * share + self._rng.random()), size)

    def _novel(self, found: Snapshot, best: Rows, count: int) -> Rows:
        """Exploring links: fronts and NFCS select among the best link of each host by seven objectives."""
        others = np.setdiff1d(self._candidates.best_of_hosts(found), best)
        if not 0 < count < len(others):
            return others[:count]
        return others[self._select(found.points(others), count)]

    def _select(self, points: Floats, count: int) -> Sequence[int]:
        varied = points[:, np.ptp(points, axis=0) > 0]  # a constant objective does not order candidates
        return select(scaled(varied), count, self._rng) if varied.size else range(count)

    def _choice(self, found: Snapshot, index: int) -> Choice:
        row, objectives = int(found.rows[index]), tuple(found.objectives[index, :4].tolist())
        return Choice(row, objectives, found.evidence[index].copy(), row in self._exploring)

    def _evolve(self) -> None:
        """Web space evolution: the pages of the last generation challenge the bank, and the circles widen."""
        if not self._circles.hold_all:
            objectives = self._table.true_objectives(self._fetched)
            for test in entries(self._fetched, objectives, Lambdas()):
                near = self._circles.nearest(test.number)
                self._bank.challenge(test, near, radius=self._circles.radius)
        self._fetched.clear()
        self._circles.widen(self._stagnation.stuck)


def scaled(objectives: Floats) -> Floats:
    """Scale each objective to [0, 1].

    >>> scaled(np.array([[1.0, 0.5], [3.0, 0.5], [2.0, 0.5]])).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]
    """
    low, high = objectives.min(axis=0, initial=np.inf), objectives.max(axis=0, initial=-np.inf)
    shares: Floats = (objectives - low) / np.where(high > low, high - low, 1.0)
    return shares
