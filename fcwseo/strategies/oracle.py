"""An upper bound: a crawler that knows of each found link whether the page behind it is relevant.

It works only on closed webs with a judge. It follows relevant links first; without one, it follows the link
that FCWSEO ranks highest. It is greedy, so a luckier path may occasionally find a little more.
"""

from collections.abc import Callable, Sequence

import numpy as np

from fcwseo.columns import Floats
from fcwseo.links.evidence.lists import LATER
from fcwseo.links.evidence.predictor import Predictor
from fcwseo.links.evidence.table import LinkTable
from fcwseo.links.ranking import Ranking
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.candidates import worth
from fcwseo.strategies.protocol import Turns


class Oracle:
    """``judge`` returns for the URL of a link whether it leads to a relevant page, after redirects."""

    def __init__(self, judge: Callable[[str], bool], relevance: Relevance) -> None:
        self._judge = judge
        self._table = LinkTable(relevance)
        self._predictor = Predictor()
        self._relevant = Ranking(self._table.known.frontier.is_open)
        self._asked = 0
        self._in_flight: dict[str, Floats] = {}

    def observe(self, visit: Visit) -> None:
        self._table.observe(visit)
        evidence = self._in_flight.pop(visit.link.target, None)
        if evidence is not None and isinstance(visit.outcome, Page):
            self._predictor.learn(evidence, self._table.capped(visit.relevance))
        frontier = self._table.known.frontier
        new = range(self._asked, len(frontier))
        self._asked = len(frontier)
        relevant = [number for number in new if self._judge(frontier.url(number))]
        self._relevant.put(relevant, [1.0] * len(relevant))

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links = [self._follow(number) for number in self._relevant.top(n)]
        return links + [self._follow(number) for number in self._best_open(n - len(links))]

    def _best_open(self, n: int) -> Sequence[int]:
        rows = self._table.known.open
        if n <= 0 or not len(rows):
            return ()
        evidence = self._table.evidence(rows)
        self._predictor.refit(evidence)
        value = worth(self._predictor.fit.predict(evidence), LATER * self._table.pagination_value(rows))
        best: list[int] = rows[np.argsort(-value, kind="stable")[:n]].tolist()
        return best

    def _follow(self, row: int) -> Link:
        at = np.array([row])
        evidence = self._table.evidence(at)
        fit = self._predictor.fit
        f1 = float(fit.f1(fit.predict(evidence))[0])
        objectives = [f1, *(float(column[0]) for column in self._table.known.objectives(at))]
        link = self._table.follow(row, f1, objectives)
        self._in_flight[link.target] = evidence[0]
        return link
