"""Optimal priority search: always the link with the largest comprehensive priority, Eq. (10) of paper 001.

The plain rival in J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution
and domain ontology, 2022. Links of low priority are not dropped; they wait.
"""

from collections.abc import Sequence

from fcwseo.pages import Link, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.protocol import Turns
from fcwseo.strategies.rivals.priority import Priorities


class OptimalPriority:
    """The link with the largest comprehensive priority first."""

    def __init__(self, relevance: Relevance) -> None:
        self._priorities = Priorities(relevance)

    def observe(self, visit: Visit) -> None:
        self._priorities.observe(visit)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        return [self._priorities.follow(number) for number in self._priorities.top(n)]
