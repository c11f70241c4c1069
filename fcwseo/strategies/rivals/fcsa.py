"""A crawler by simulated annealing, with comprehensive priorities and a memory of hosts (FCSA), re-derived.

After J. Liu, F. Li, T. Jiang 2019. Only the abstract is available: priorities are those of Eq. (10) of paper
001, annealing leaves local optima, and hosts are remembered. Everything else is ours, with constants chosen
in its favour.

A candidate is the best link of the current page, or is drawn from the best of all links. A candidate better
than the last link is followed; a worse one with a probability that falls with the temperature.
"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from random import Random

import numpy as np

from fcwseo.pages import Link, Page, Visit
from fcwseo.pages.urls import host
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.protocol import Turns
from fcwseo.strategies.rivals.priority import SEED, Priorities


@dataclass(frozen=True, slots=True)
class FcsaParameters:
    """The parameters of the simulated annealing."""

    hottest: float = 0.1  # temperature at first, in deviations of the priority
    coldest: float = 0.005  # from which it is reheated, to half of the initial temperature
    cooling: float = 0.95  # cooling factor
    pages: int = 10  # visits per cooling step
    local: float = 0.5  # probability that the candidate is from the current page
    pool: int = 50  # number of best links from which a candidate is drawn
    patience: int = 10  # consecutive rejections after which the best link is followed


class HostMemory:
    """Hosts not worth another visit now: those with many pages and few relevant ones, and those with too
    large a share of the last visits.
    """

    def __init__(self, *, few: int = 20, poor: float = 0.5, share: float = 0.3, last: int = 500) -> None:
        self._few, self._poor, self._share = few, poor, share
        self._last: deque[str] = deque(maxlen=last)
        self._recent: Counter[str] = Counter()
        self._pages: Counter[str] = Counter()
        self._sums: dict[str, float] = {}
        self._total = 0.0

    def add(self, name: str, relevance: float) -> None:
        if len(self._last) == self._last.maxlen:
            self._recent[self._last[0]] -= 1
        self._last.append(name)
        self._recent[name] += 1
        self._pages[name] += 1
        self._sums[name] = self._sums.get(name, 0.0) + relevance
        self._total += relevance

    def is_dead(self, name: str) -> bool:
        if self._pages[name] < self._few:
            return False
        mean = self._total / self._pages.total()
        return self._sums[name] / self._pages[name] < self._poor * mean

    def is_crowded(self, name: str) -> bool:
        """With few hosts, twice an equal share is not too much."""
        fair = max(self._share, 2 / max(len(self._pages), 1))
        return self._pages[name] >= self._few and self._recent[name] > fair * len(self._last)


class Annealing:
    """Simulated annealing: a worse link is followed with a probability that falls."""

    def __init__(
        self, relevance: Relevance, rng: Random, *, parameters: FcsaParameters | None = None
    ) -> None:
        self._parameters = parameters or FcsaParameters()
        self._rng = rng
        self._priorities = Priorities(relevance)
        self._hosts = HostMemory()
        self._children: Sequence[int] = ()  # of the current page
        self._current = np.zeros(4)  # its objectives at the time of the choice
        self._temperature = self._parameters.hottest
        self._pages = 0

    def observe(self, visit: Visit) -> None:
        children = self._priorities.observe(visit)
        if isinstance(visit.outcome, Page) and visit.step:
            self._children = children
            self._hosts.add(_host(visit.outcome.url), visit.relevance)
            self._pages += 1
            if self._pages % self._parameters.pages == 0:
                self._cool()

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while len(links) < n and (number := self._choose()) is not None:
            link = self._priorities.follow(number)
            self._current = np.array(link.objectives)
            links.append(link)
        return links

    def _cool(self) -> None:
        self._temperature *= self._parameters.cooling
        if self._temperature < self._parameters.coldest:
            self._temperature = self._parameters.hottest / 2

    def _choose(self) -> int | None:
        best = self._priorities.best()
        if best is None or self._priorities.value(best) == SEED:
            return best
        pool = self._worthwhile(self._priorities.top(self._parameters.pool))
        if not pool:
            return self._priorities.best()
        current = float(self._priorities.rate(self._current))
        for _ in range(self._parameters.patience):
            candidate = self._candidate(pool)
            if self._is_accepted(self._priorities.value(candidate) - current):
                return candidate
        return pool[0]

    def _worthwhile(self, pool: Sequence[int]) -> list[int]:
        """The links to hosts worth a visit; all other links go to the back, unless all would."""
        skipped = [number for number in pool if self._is_skipped(number)]
        if len(skipped) == len(pool):
            return []
        for number in skipped:
            self._priorities.put_back(number)
        return [number for number in pool if number not in skipped]

    def _is_skipped(self, number: int) -> bool:
        name = _host(self._priorities.frontier.url(number))
        return self._hosts.is_dead(name) or self._hosts.is_crowded(name)

    def _candidate(self, pool: Sequence[int]) -> int:
        if self._rng.random() < self._parameters.local:
            here = [number for number in self._children if self._priorities.is_open(number)]
            here = [number for number in here if not self._is_skipped(number)]
            if here:
                return max(here, key=self._priorities.value)
        return self._rng.choice(pool)

    def _is_accepted(self, change: float) -> bool:
        return change >= 0 or self._rng.random() < exp(change / self._temperature)


def _host(url: str) -> str:
    return host(url) if "//" in url else ""
