"""A crawler by a multi-objective ant colony (MOACO), re-derived.

After Y. Dong, J. Liu, W. Liu 2020, and J. Liu and others, Expert Systems with Applications 2022. Only the
abstracts are available: the objectives are the relevance of the anchor, of the page that contains the link
and of the page behind it. Everything else is ours, with constants chosen in its favour.

Ants walk from page to page. An ant takes the link of its page with the most pheromone and expected relevance;
if no link is good enough, it starts again on another page. Pheromone is stored for hosts and for pages that
contain links: a link is followed only once, so its own pheromone could guide no other ant.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from fcwseo.columns import Column, Floats
from fcwseo.evolution.fronts import fronts
from fcwseo.evolution.nfcs import select
from fcwseo.evolution.paper_objectives import Lambdas
from fcwseo.pages import Link, Page, Visit
from fcwseo.pages.urls import host
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.protocol import Turns
from fcwseo.strategies.rivals.priority import SEED, Priorities

_NOWHERE = -1
_PARENTS = 8  # first parents of a link that are stored


@dataclass(frozen=True, slots=True)
class MoacoParameters:
    """The parameters of the ant colony."""

    ants: int = 10
    greedy: float = 0.8  # probability of the best link; else a link is drawn by the same weights
    good: int = 30  # number of best links that are good enough for an ant
    evaporation: float = 0.1  # evaporation of pheromone per round


class Pheromone:
    """Pheromone of hosts or pages, by number; 1 at first.

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

    def __init__(
        self, relevance: Relevance, rng: Random, *, parameters: MoacoParameters | None = None
    ) -> None:
        self._parameters = parameters or MoacoParameters()
        self._rng = rng
        self._priorities = Priorities(relevance, lambdas=Lambdas(1 / 3, 1 / 3, 1 / 3, 0.0))
        self._ants = deque([_NOWHERE] * self._parameters.ants)  # the current page of each ant
        self._away: dict[str, int] = {}  # the page that an ant left, by the URL of its next page
        self._links: dict[int, Sequence[int]] = {}
        self._parents: dict[int, list[int]] = {}
        self._hosts: dict[str, int] = {}
        self._on_hosts, self._on_pages = Pheromone(), Pheromone()
        self._round: list[tuple[int, int, float]] = []  # pages, their parents, and relevances
        self._largest = 0.0
        self._good_from = -np.inf  # the priority from which a link is good enough

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
            elif not self._links:  # no seed has been fetched yet
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
        if not (good := self._good_links(ant)):
            ant = self._restart()
            good = self._good_links(ant)
        weights = self._weights(good)
        if self._rng.random() < self._parameters.greedy:
            chosen = good[int(weights.argmax())]
        else:
            chosen = self._rng.choices(good, weights=weights.tolist())[0]
        link = self._priorities.follow(chosen)
        self._away[link.target] = ant
        return link

    def _good_links(self, page: int) -> list[int]:
        return [
            number
            for number in self._links.get(page, ())
            if self._priorities.is_open(number) and self._priorities.value(number) >= self._good_from
        ]

    def _restart(self) -> int:
        """A page with good links, chosen by NFCS from the first front of the best links."""
        good = self._priorities.top(self._parameters.good)
        self._good_from = self._priorities.value(good[-1])
        pages = list(dict.fromkeys(page for number in good for page in self._parents[number]))
        return pages[select(self._priorities.objectives(pages)[:, :3], 1, self._rng)[0]]

    def _weights(self, links: Sequence[int]) -> Floats:
        """Pheromone times squared expected relevance; of a link's pages, the one with the most pheromone
        counts.
        """
        on_pages = [self._on_pages.at(self._parents[number]).max() for number in links]
        on_hosts = self._on_hosts.at([self._host(number) for number in links])
        expected = (
            self._priorities.values(links) ** 2 + 1e-9
        )  # if all expected relevances are 0, pheromone decides
        weights: Floats = np.sqrt(on_hosts * np.array(on_pages)) * expected
        return weights

    def _update(self) -> None:
        """End a round: pheromone evaporates, and non-dominated pages deposit some."""
        for pheromone in (self._on_hosts, self._on_pages):
            pheromone.evaporate(self._parameters.evaporation)
        objectives = self._priorities.objectives([page for page, _, _ in self._round])[:, :3]
        for place in fronts(objectives)[0].tolist():
            page, parent, relevance = self._round[place]
            amount = relevance / self._largest if self._largest else 0.0
            self._on_hosts.deposit(self._host(page), amount)
            self._on_pages.deposit(parent, amount)
        self._round.clear()
        self._good_from = np.inf  # the next ant computes the good links again

    def _host(self, number: int) -> int:
        url = self._priorities.frontier.url(number)
        return self._hosts.setdefault(host(url) if "//" in url else "", len(self._hosts))
