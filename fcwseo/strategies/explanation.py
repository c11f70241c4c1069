"""Why a strategy named a link: what it knew, what it made of that, and where the link stood among others."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.fronts import fronts
from fcwseo.links.evidence.lists import worth
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.links.evidence.predictor import Predictor

OBJECTIVES = ("F1", "F2", "F3", "F4", "novelty", "list", "uncertainty")
LIST = OBJECTIVES.index("list")


class Look(NamedTuple):
    """The candidates at one moment: a line each of evidence and of the objectives but for uncertainty."""

    rows: Rows
    evidence: Floats
    near: NDArray[np.bool_]  # which lie near the bank of seeds
    known: Floats
    explore: frozenset[int]  # rows that were chosen to explore


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of evidence, and what it adds to the predicted relevance."""

    name: str
    value: float
    adds: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """``predicted`` is ``level`` and ``correction``, which all links have, and what the evidence adds; F1 is
    it, cut to [0, 1].

    ``rank`` is the place by what links are worth, those near the bank first; ``front`` the front by all seven
    objectives.
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
        """What decides how soon a link is taken."""
        if self.explores:
            return "chosen to explore"
        if self.objectives["list"] > max(self.predicted - self.correction, 0.0):
            return "judged by what its list has led to"
        return "judged by predicted relevance"


def explanation(row: int, look: Look, predictor: Predictor) -> Explanation | None:
    """What speaks for a row; None if it is not among the candidates."""
    places = np.flatnonzero(look.rows == row)
    if not len(places):
        return None
    place = int(places[0])
    evidence = look.evidence[[place]]
    expected, parts = float(predictor.predict(evidence)[0]), predictor.parts(evidence)[0].tolist()
    objectives = np.column_stack((look.known, predictor.uncertainty(look.evidence)))
    pieces = map(Piece, EVIDENCE, evidence[0].tolist(), parts)
    return Explanation(
        predicted=expected + predictor.correction,
        level=expected - sum(parts),
        correction=predictor.correction,
        evidence=tuple(pieces),
        objectives=dict(zip(OBJECTIVES, objectives[place].tolist(), strict=True)),
        near=bool(look.near[place]),
        explores=row in look.explore,
        rank=_rank(place, look, predictor),
        front=front_of(objectives, place),
        candidates=len(look.rows),
    )


def _rank(place: int, look: Look, predictor: Predictor) -> int:
    order = np.lexsort((-worth(predictor.predict(look.evidence), look.known[:, LIST]), ~look.near))
    return 1 + int(np.flatnonzero(order == place)[0])


def front_of(objectives: Floats, place: int) -> int:
    """The number of the front that a point is in. Only what dominates it matters.

    >>> front_of(np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, -1.0]]), 3)
    3
    """
    point = objectives[place]
    above = (objectives >= point).all(axis=1) & (objectives > point).any(axis=1)
    return 1 + len(fronts(objectives[above]))
