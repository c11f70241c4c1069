"""A crawler by a multi-objective ant colony (MOACO), re-derived.

After Y. Dong, J. Liu, W. Liu 2020, and J. Liu and others, Expert Systems with Applications 2022. Only the
abstracts are to be had: the objectives are the relevance of the anchor, of the page that contains the link
and of the page behind it. All else is ours, and its constants were chosen in its favour.

Ants walk from page to page. An ant takes the link of its page with the most pheromone and promise; where no
link promises enough, it begins again on another page. Pheromone lies on hosts and on pages that contain
links: a single link is walked once only, so that pheromone there could guide nobody.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from fcwseo.columns import Column, Floats
from fcwseo.evolution.fronts import fronts
from fcwseo.evolution.nfcs import select
from fcwseo.evolution.objectives import Lambdas
from fcwseo.pages import Link, Page, Visit
from fcwseo.pages.urls import host
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.protocol import Turns
from fcwseo.strategies.rivals.priority import SEED, Priorities

_NOWHERE = -1
_PARENTS = 8  # of a link that are remembered, the first ones


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the ant colony."""

    ants: int = 10
    greedy: float = 0.8  # how likely an ant takes the best link, else one drawn by the same weights
    promising: int = 30  # links, the best of all, that are good enough for an ant
    evaporation: float = 0.1  # of the pheromone, each round


class Pheromone:
    """On hosts, or on pages, by their numbers; 1 at first.

    >>> pheromone = Pheromone()
    >>> pheromone.deposit(1, 0.5)
    >>> pheromone.evaporate(0.1)
    >>> pheromone.at([0, 1]).round(2).tolist()
    [0.9, 1.35]
    """

    LEAST, MOST = 0.1, 10.0

    def __init__(self) -> None:
        self._values = Column(np.float64)

    def at(self, numbers: Sequence[int]) -> Floats:
        self._values.fill(max(numbers, default=0) + 1, 1.0)
        values: Floats = self._values.values[np.asarray(numbers, np.intp)]
        return values

    def deposit(self, number: int, amount: float) -> None:
        self._values.fill(number + 1, 1.0)
        self._values.values[number] = min(self._values.values[number] + amount, self.MOST)

    def evaporate(self, part: float) -> None:
        self._values.values[:] = np.maximum((1 - part) * self._values.values, self.LEAST)


class AntColony:
    """Ants walk from page to page; their pheromone marks links that led to relevant pages."""

    def __init__(self, relevance: Relevance, rng: Random, *, parameters: Parameters | None = None) -> None:
        self._parameters = parameters or Parameters()
        self._rng = rng
        self._priorities = Priorities(relevance, lambdas=Lambdas(1 / 3, 1 / 3, 1 / 3, 0.0))
        self._ants = deque([_NOWHERE] * self._parameters.ants)  # the page that each stands on
        self._away: dict[str, int] = {}  # the page that an ant left, by the address it is going to
        self._links: dict[int, Sequence[int]] = {}
        self._parents: dict[int, list[int]] = {}
        self._hosts: dict[str, int] = {}
        self._on_hosts, self._on_pages = Pheromone(), Pheromone()
        self._round: list[tuple[int, int, float]] = []  # pages, the pages they were found on, and relevances
        self._largest = 0.0
        self._enough = -np.inf  # the priority from which a link is good enough

    def observe(self, visit: Visit) -> None:
        links = self._priorities.observe(visit)
        left = self._away.pop(visit.link.target, None)
        page = left
        if isinstance(visit.outcome, Page) and visit.step:
            page = self._priorities.frontier.number(visit.outcome.url)
            self._take_in(page, links)
            self._largest = max(self._largest, visit.relevance)
            if left is not None:
                self._round.append((page, left, visit.relevance))
        if left is not None and page is not None:
            self._ants.append(page)
        if len(self._round) >= self._parameters.ants:
            self._update()

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while len(links) < n and self._ants and (best := self._priorities.best()) is not None:
            if self._priorities.value(best) == SEED:
                links.append(self._priorities.follow(best))
            elif not self._links:  # no seed has come in yet
                break
            else:
                links.append(self._move(self._ants.popleft()))
        return links

    def _take_in(self, page: int, links: Sequence[int]) -> None:
        self._links[page] = links
        for number in links:
            parents = self._parents.setdefault(number, [])
            if len(parents) < _PARENTS:
                parents.append(page)

    def _move(self, ant: int) -> Link:
        if not (promising := self._promising(ant)):
            ant = self._restart()
            promising = self._promising(ant)
        weights = self._weights(promising)
        if self._rng.random() < self._parameters.greedy:
            chosen = promising[int(weights.argmax())]
        else:
            chosen = self._rng.choices(promising, weights=weights.tolist())[0]
        link = self._priorities.follow(chosen)
        self._away[link.target] = ant
        return link

    def _promising(self, page: int) -> list[int]:
        return [
            number
            for number in self._links.get(page, ())
            if self._priorities.is_open(number) and self._priorities.value(number) >= self._enough
        ]

    def _restart(self) -> int:
        """A page with promising links, chosen by NFCS from the front of the best."""
        promising = self._priorities.top(self._parameters.promising)
        self._enough = self._priorities.value(promising[-1])
        pages = list(dict.fromkeys(page for number in promising for page in self._parents[number]))
        return pages[select(self._priorities.objectives(pages)[:, :3], 1, self._rng)[0]]

    def _weights(self, links: Sequence[int]) -> Floats:
        """Pheromone times squared promise; of the pages that have a link the one with the most counts."""
        on_pages = [self._on_pages.at(self._parents[number]).max() for number in links]
        on_hosts = self._on_hosts.at([self._host(number) for number in links])
        promise = self._priorities.values(links) ** 2 + 1e-9  # where none promises anything, pheromone counts
        weights: Floats = np.sqrt(on_hosts * np.array(on_pages)) * promise
        return weights

    def _update(self) -> None:
        """A round is over: pheromone evaporates, and the pages that no other dominates leave some."""
        for pheromone in (self._on_hosts, self._on_pages):
            pheromone.evaporate(self._parameters.evaporation)
        objectives = self._priorities.objectives([page for page, _, _ in self._round])[:, :3]
        for place in fronts(objectives)[0].tolist():
            page, parent, relevance = self._round[place]
            amount = relevance / self._largest if self._largest else 0.0
            self._on_hosts.deposit(self._host(page), amount)
            self._on_pages.deposit(parent, amount)
        self._round.clear()
        self._enough = np.inf  # the next ant asks anew what is promising

    def _host(self, number: int) -> int:
        url = self._priorities.frontier.url(number)
        return self._hosts.setdefault(host(url) if "//" in url else "", len(self._hosts))
