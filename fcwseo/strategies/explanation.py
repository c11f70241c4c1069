"""Why FCWSEO chose a link, or has not chosen it yet: evidence, objectives, and rank among the candidates."""

from collections.abc import Container
from dataclasses import dataclass

import numpy as np

from fcwseo.columns import Floats
from fcwseo.evolution.fronts import fronts
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.strategies.candidates import OBJECTIVES, Snapshot


@dataclass(frozen=True, slots=True)
class Piece:
    """A feature of a link and its contribution to the predicted relevance."""

    name: str
    value: float
    adds: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a link was chosen when it was, or waits.

    ``predicted`` is the sum of ``level``, ``correction`` (both the same for all links) and the contributions
    of the features; F1 is ``predicted``, clipped to [0, 1]. ``rank`` is the position in the order of
    selection, links near the bank first; ``front`` is the number of the front by all seven objectives.
    """

    predicted: float
    level: float
    correction: float
    evidence: tuple[Piece, ...]
    objectives: dict[str, float]
    near: bool
    explores: bool
    rank: int
    front: int
    candidates: int

    @property
    def judged_by(self) -> str:
        """The rule that decides when the link is chosen."""
        if self.explores:
            return "chosen to explore"
        if self.objectives["pagination"] > max(self.predicted - self.correction, 0.0):
            return "ranked by the outcome of its pagination"
        return "ranked by predicted relevance"


def explanation(row: int, snapshot: Snapshot, exploring: Container[int]) -> Explanation | None:
    """Explain the choice of a link; None if it is not a candidate. ``exploring`` are the rows chosen to
    explore.
    """
    found = np.flatnonzero(snapshot.rows == row)
    if not len(found):
        return None
    index, fit = int(found[0]), snapshot.fit
    evidence = snapshot.evidence[[index]]
    expected, parts = float(fit.predict(evidence)[0]), fit.parts(evidence)[0].tolist()
    objectives = (*snapshot.objectives[index].tolist(), float(snapshot.uncertainty(found[:1])[0]))
    return Explanation(
        predicted=expected + fit.correction,
        level=expected - sum(parts),
        correction=fit.correction,
        evidence=tuple(map(Piece, EVIDENCE, evidence[0].tolist(), parts)),
        objectives=dict(zip(OBJECTIVES, objectives, strict=True)),
        near=bool(snapshot.near[index]),
        explores=row in exploring,
        rank=1 + int(np.flatnonzero(snapshot.order == index)[0]),
        front=front_of(snapshot.points(np.arange(len(snapshot.rows))), index),
        candidates=len(snapshot.rows),
    )


def front_of(objectives: Floats, index: int) -> int:
    """The number of the front of a point, from 1; it depends only on the points that dominate it.

    >>> front_of(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, -1.0]]), 3)
    3
    """
    point = objectives[index]
    above = (objectives >= point).all(axis=1) & (objectives > point).any(axis=1)
    return 1 + len(fronts(objectives[above]))
