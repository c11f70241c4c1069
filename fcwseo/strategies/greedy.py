"""Best-first search on the predictor of FCWSEO."""

from collections import deque
from collections.abc import Sequence

import numpy as np

from fcwseo.links import LinkTable
from fcwseo.pages import Link, Page, Visit
from fcwseo.predictor import Predictor
from fcwseo.relevance import Relevance
from fcwseo_ontology.topic import Topic

BATCH = 5


class Greedy:
    def __init__(self, topic: Topic, relevance: Relevance) -> None:
        self._table = LinkTable(topic, relevance)
        self._predictor = Predictor()
        self._chosen: deque[Link] = deque()
        self._evidence = {}

    def observe(self, visit: Visit) -> None:
        self._table.observe(visit)
        evidence = self._evidence.pop(visit.link.target, None)
        if evidence is not None and isinstance(visit.outcome, Page):
            self._predictor.learn(evidence, visit.relevance)

    def next(self, n: int) -> Sequence[Link]:
        if not self._chosen:
            self._choose()
        return [self._chosen.popleft() for _ in range(min(n, len(self._chosen)))]

    def _choose(self) -> None:
        rows = self._table.open
        if not len(rows):
            return
        evidence = self._table.evidence(rows)
        self._predictor.fit(evidence)
        expected = self._predictor.predict(evidence)
        for place in np.argsort(-expected, kind="stable")[:BATCH]:
            row = int(rows[place])
            link = self._table.follow(row, float(np.clip(expected[place], 0, 1)), evidence[place, [0, 0, 2, 10]])
            self._evidence[link.target] = evidence[place]
            self._chosen.append(link)
