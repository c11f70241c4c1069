"""Fish-Search: relevant pages feed a school of fish that swims on; without food it dies out.

P. De Bra and R. Post: Information retrieval in the World-Wide Web: making client-based searching feasible,
1994.

A page is relevant if it is nearly as relevant as the seeds. Links of a relevant page may be followed
``depth`` links deep, the first of them before all others; each irrelevant page on the path reduces the depth
by one. Links beyond the depth are not dropped but wait until no other link is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fcwseo.links.frontier import Frontier
from fcwseo.links.ranking import Ranking
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.threshold import SeedLevel
from fcwseo.strategies.protocol import Turns

SEED, FED, HUNGRY, REST, DEAD = 2.0, 1.0, 0.5, 0.0, -1.0


@dataclass(frozen=True, slots=True)
class FishParameters:
    """The parameters of Fish-Search."""

    depth: int = 3  # number of links that may be followed without finding a relevant page
    width: int = 10  # leading links of an irrelevant page; a relevant page has half more
    level: float = 1.0  # share of the seeds' relevance from which a page is relevant


class FishSearch:
    """Links of relevant pages first, some steps deep."""

    def __init__(self, *, parameters: FishParameters | None = None) -> None:
        self._parameters = parameters or FishParameters()
        self._level = SeedLevel(self._parameters.level)
        self._frontier = Frontier()
        self._ranking = Ranking(self._frontier.is_open)
        self._depths: dict[int, int] = {}

    def observe(self, visit: Visit) -> None:
        self._level.observe(visit)
        seen = self._frontier.observe(visit)
        if not isinstance(visit.outcome, Page):
            return
        if visit.step == 0:
            self._ranking.put(seen.open, [SEED] * len(seen.open))
            self._depths |= dict.fromkeys(seen.open, self._parameters.depth)
            return
        first, value, depth = self._ranking_of(visit)
        for place, number in enumerate(seen.open):
            self._raise(number, DEAD if depth <= 0 else value if place < first else REST)
            self._depths[number] = max(self._depths.get(number, 0), depth)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        return [self._frontier.follow(number) for number in self._ranking.top(n)]

    def _ranking_of(self, visit: Visit) -> tuple[int, float, int]:
        """The number of leading links of a page, their value, and the depth of all its links."""
        if self._level.is_relevant(visit.relevance):
            return self._parameters.width * 3 // 2, FED, self._parameters.depth
        depth = self._depths.get(self._frontier.number(visit.link.target), 0)
        return self._parameters.width, HUNGRY, depth - 1

    def _raise(self, number: int, value: float) -> None:
        """A link found again keeps its best value."""
        if not self._ranking.value(number) >= value:
            self._ranking.put([number], [value])
