"""A crawler by improved tabu search on an ontology's topic (On-ITS), re-derived.

After J. Liu, Y. Gu, W. Liu 2020. Only the abstract is available: an ontology describes the topic, and tabu
search with an aspiration criterion keeps the crawl from going round in circles. Everything else is ours, with
constants chosen in its favour.

The candidates are the best known links, including those of the current page. Sections of the web (a host and
the first part of a path) that were visited recently are tabu, unless a link there is better than every
followed link.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from fcwseo.pages import Link, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.protocol import Turns
from fcwseo.strategies.rivals.priority import SEED, Priorities


@dataclass(frozen=True, slots=True)
class OnItsParameters:
    """The parameters of the tabu search."""

    tenure: int = 1  # visits for which a section is tabu; more would keep it from good hosts
    candidates: int = 20  # number of candidates
    greedy: float = 0.8  # probability of the best candidate


class TabuSearch:
    """Tabu search: the best of some candidates that are not tabu."""

    def __init__(
        self, relevance: Relevance, rng: Random, *, parameters: OnItsParameters | None = None
    ) -> None:
        self._parameters = parameters or OnItsParameters()
        self._rng = rng
        self._priorities = Priorities(relevance)
        self._best = np.zeros(4)  # objectives of the best followed link
        self._tabu: deque[tuple[str, str]] = deque(maxlen=self._parameters.tenure)

    def observe(self, visit: Visit) -> None:
        self._priorities.observe(visit)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while len(links) < n and (number := self._choose()) is not None:
            link = self._priorities.follow(number)
            self._best = max(self._best, np.array(link.objectives), key=self._priorities.rate)
            links.append(link)
        return links

    def _choose(self) -> int | None:
        best = self._priorities.best()
        if best is None or self._priorities.value(best) == SEED:
            return best
        candidates = self._priorities.top(self._parameters.candidates)
        while not (admissible := [number for number in candidates if self._is_admissible(number)]):
            self._tabu.popleft()  # the oldest is released
        chosen = self._drawn(admissible)
        self._tabu.append(corner(self._priorities.frontier.url(chosen)))
        return chosen

    def _is_admissible(self, number: int) -> bool:
        is_tabu = corner(self._priorities.frontier.url(number)) in self._tabu
        best = float(self._priorities.rate(self._best))
        return not is_tabu or self._priorities.value(number) > best  # aspiration

    def _drawn(self, ranked: Sequence[int]) -> int:
        """Usually the best candidate; else a random one, weighted by rank."""
        if self._rng.random() < self._parameters.greedy:
            return ranked[0]
        return self._rng.choices(ranked, weights=range(len(ranked), 0, -1))[0]


def corner(url: str) -> tuple[str, str]:
    """The section of a URL: its host and the first part of its path.

    >>> corner("http://a.org/news/2020/x.html"), corner("http://a.org/")
    (('a.org', 'news'), ('a.org', ''))
    """
    name, _, path = url.partition("://")[2].partition("/")
    return name, path.partition("/")[0]
