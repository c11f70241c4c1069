"""Shark-Search: fish that smell food in the text around links, and inherit a score from their parents.

M. Hersovici, M. Jacovi, Y. S. Maarek, D. Pelleg, M. Shtalhaim, S. Ur: The shark-search algorithm, 1998.

The potential of a link combines an inherited score and the score of its neighbourhood: its anchor and the
text around it. A relevant page passes on its own relevance, any other page its inherited score, both decayed.
Pages and texts are scaled before they are added: pages by the relevance of the seeds, texts by the most
relevant text so far. Links beyond their depth wait until no other link is left.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fcwseo.links.frontier import Frontier
from fcwseo.links.ranking import Ranking
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo.relevance.threshold import SeedLevel
from fcwseo.strategies.protocol import Turns

SEED = 2.0  # the potential of seeds
DEAD = -2.0  # added to the potential when the depth is used up


@dataclass(frozen=True, slots=True)
class SharkParameters:
    """The parameters of Shark-Search."""

    depth: int = 3  # number of links that may be followed without finding a relevant page
    fading: float = 0.5  # delta: decay of the inherited score
    anchor: float = 0.8  # beta: share of the anchor in the neighbourhood
    inherited: float = 0.5  # gamma: share of the inherited score in the potential
    level: float = 0.7  # share of the seeds' relevance from which a page is relevant


class SharkSearch:
    """Links by what they inherit from their page and by the text around them."""

    def __init__(self, relevance: Relevance, *, parameters: SharkParameters | None = None) -> None:
        self._parameters = parameters or SharkParameters()
        self._relevance = relevance
        self._level = SeedLevel(self._parameters.level)
        self._frontier = Frontier()
        self._ranking = Ranking(self._frontier.is_open)
        self._inherited: dict[int, float] = {}
        self._depths: dict[int, int] = {}
        self._largest = 1e-9  # relevance of a text

    def observe(self, visit: Visit) -> None:
        self._level.observe(visit)
        seen = self._frontier.observe(visit)
        if not isinstance(visit.outcome, Page):
            return
        if visit.step == 0:
            self._ranking.put(seen.open, [SEED] * len(seen.open))
            self._depths |= dict.fromkeys(seen.open, self._parameters.depth)
            return
        inherited, depth = self._passed_on(visit)
        for number, near in self._neighbourhoods(visit.outcome.links).items():
            share = self._parameters.inherited
            potential = share * inherited + (1 - share) * near + (DEAD if depth <= 0 else 0.0)
            self._inherited[number] = max(self._inherited.get(number, 0.0), inherited)
            self._depths[number] = max(self._depths.get(number, 0), depth)
            if not self._ranking.value(number) >= potential:  # found again, a link keeps its best
                self._ranking.put([number], [potential])

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        return [self._frontier.follow(number) for number in self._ranking.top(n)]

    def _passed_on(self, visit: Visit) -> tuple[float, int]:
        """The inherited score of the links of a page (a share of its relevance or inherited score), and their
        depth.
        """
        if self._level.is_relevant(visit.relevance):
            own = min(1.0, visit.relevance / self._level.median) if self._level.median else 1.0
            return self._parameters.fading * own, self._parameters.depth
        number = self._frontier.number(visit.link.target)
        return self._parameters.fading * self._inherited.get(number, 0.0), self._depths.get(number, 0) - 1

    def _neighbourhoods(self, links: Sequence[Link]) -> dict[int, float]:
        """The best neighbourhood score on this page of each open link."""
        best: dict[int, float] = {}
        for link in links:
            number = self._frontier.number(link.target)
            if self._frontier.is_open(number):
                best[number] = max(best.get(number, 0.0), self._neighbourhood(link))
        return best

    def _neighbourhood(self, link: Link) -> float:
        anchor = self._of_text(link.anchor)
        context = 1.0 if anchor > 0 else self._of_text(link.context)
        return self._parameters.anchor * anchor + (1 - self._parameters.anchor) * context

    def _of_text(self, text: str) -> float:
        relevance = self._relevance.of_text(text)
        self._largest = max(self._largest, relevance)
        return relevance / self._largest
