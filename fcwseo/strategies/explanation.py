"""Why FCWSEO chose a link, or has not chosen it yet: evidence, value, and the seat of its host."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.bank import Bank
from fcwseo.evolution.fronts import compiled_fronts
from fcwseo.evolution.objectives import Served, objectives
from fcwseo.evolution.radius import NEAR
from fcwseo.evolution.seating import Rule
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.strategies.candidates import OBJECTIVES, Snapshot


class Space(NamedTuple):
    """The web space at the moment of a choice: the waiting links, their bank, and its hosts."""

    snapshot: Snapshot
    waiting: Rows  # indices of the candidates that are still open
    values: Floats  # of these: worth as a share of that of the best link known, waiting or being fetched
    bank: Bank
    queues: Mapping[int, int]  # good links waiting at each host
    served: Served

    def points(self, seats: Rows) -> Floats:
        """The objectives of some seats."""
        return objectives(seats, self.bank, self.queues, self.served)

    def place(self, host: int) -> int:
        """The number of the seat of a host, from 1; 0 if the bank has none for it."""
        places = np.flatnonzero(self.bank.hosts == host)
        return 1 + int(places[0]) if len(places) else 0

    def row(self, place: int) -> int:
        """The row of the elite of a seat."""
        return int(self.snapshot.rows[self.waiting[self.bank.elites[place]]])


@dataclass(frozen=True, slots=True)
class Piece:
    """A feature of a link and its contribution to the predicted relevance."""

    name: str
    value: float
    adds: float


@dataclass(frozen=True, slots=True)
class Seat:
    """The seat of the host of a link, or of its section on a web of one host.

    ``place`` is its number by the value of its elite, of ``size`` seats in the bank; 0 if the bank has none
    for it. ``seats`` were served, the last of them with the value ``last``; 0 if that is not known. ``near``
    hosts were close enough to be chosen by fronts; the host was in front number ``front`` of them.
    """

    place: int
    size: int
    seats: int
    last: float
    is_elite: bool
    good_links: int
    pages: float
    near: int
    front: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a link was chosen when it was, or waits.

    ``predicted`` is the sum of ``level``, ``correction`` (both the same for all links) and the contributions
    of the features; F1 is ``predicted``, clipped to [0, 1]. ``value`` is the worth of the link (the larger of
    prediction and pagination) as a share of that of the best link known. ``rank`` is the position of the link
    by value among all candidates. ``rule`` is why it was taken; None while it waits.
    """

    predicted: float
    level: float
    correction: float
    evidence: tuple[Piece, ...]
    objectives: dict[str, float]
    value: float
    rule: Rule | None
    seat: Seat
    rank: int
    candidates: int

    @property
    def judged_by(self) -> str:
        """The measure of the worth of the link."""
        if self.objectives["pagination"] > max(self.predicted - self.correction, 0.0):
            return "ranked by the outcome of its pagination"
        return "ranked by predicted relevance"

    @property
    def lines(self) -> Iterator[str]:
        """The explanation of the choice, in sentences."""
        seat = self.seat
        rank = f"rank {self.rank:,} of {self.candidates:,}"
        yield f"value {self.value:.2f} of the best link's, {self.judged_by}: {rank}"
        if self.rule is Rule.SEED:
            yield "taken as a seed: seeds come first"
        elif self.rule is Rule.FRONTS:
            yield (
                f"taken as the elite of its host; seated by fronts: front {seat.front} among {seat.near} "
                f"hosts near the last seat ({seat.good_links} good links wait there, "
                f"{seat.pages:.1f} pages served)"
            )
        elif self.rule is Rule.LOG:
            yield "taken as the log of an earlier session or the archive says; rule and seat are not known"
        elif self.rule is not None:
            number = f"seat {seat.place} of {max(seat.seats, 1)}"
            yield f"taken as the elite of its host, {number}; seated by value"
        elif not seat.is_elite:
            place = f"place {seat.place} of {seat.size} in the bank"
            yield f"waits behind the elite of its host, which has {place}"
        elif seat.seats and seat.place > seat.seats:
            yield f"not seated: the last of {seat.seats} seats has {seat.last:.2f}"
        else:
            yield f"waits as the elite of its host, place {seat.place} of {seat.size} in the bank"


def explanation(row: int, space: Space, rule: Rule | None, seats: int) -> Explanation | None:
    """Explain the choice of a link; None if it is not a candidate.

    Args:
        row: The link. space: The web space at that time. rule: Why it was taken, None if it waits. seats: The
            number of served seats, 0 if that is not known.
    """
    snapshot = space.snapshot
    index = snapshot.find(row)
    if index is None:
        return None
    fit, evidence = snapshot.fit, snapshot.evidence[[index]]
    expected, parts = float(fit.predict(evidence)[0]), fit.parts(evidence)[0].tolist()
    worth = snapshot.worth[space.waiting]
    return Explanation(
        predicted=expected + fit.correction,
        level=expected - sum(parts),
        correction=fit.correction,
        evidence=tuple(map(Piece, EVIDENCE, evidence[0].tolist(), parts)),
        objectives=dict(zip(OBJECTIVES, snapshot.objectives[index].tolist(), strict=True)),
        value=float(space.values[np.searchsorted(space.waiting, index)]),
        rule=rule,
        seat=_seat(int(snapshot.hosts[index]), row, space, seats),
        rank=1 + int(np.count_nonzero(worth > snapshot.worth[index])),
        candidates=len(space.waiting),
    )


def _seat(host: int, row: int, space: Space, seats: int) -> Seat:
    bank = space.bank
    place = space.place(host) - 1
    served = min(max(seats, 1), bank.size)
    last = float(bank.values[served - 1]) if served else 0.0
    by_value = (served + 1) // 2 if served > 1 else 0  # of one seat, fronts may choose the best host, too
    near = np.arange(by_value, bank.size)
    near = near[bank.values[near] >= last - NEAR]
    return Seat(
        place=place + 1,
        size=bank.size,
        seats=seats,
        last=last,
        is_elite=place >= 0 and space.row(place) == row,
        good_links=space.queues.get(host, 0),
        pages=space.served.of(host),
        near=len(near),
        front=_front_of(place, near, space),
    )


def _front_of(place: int, near: Rows, space: Space) -> int:
    """The number of the front of a seat, from 1; 0 if it is not near the last one."""
    if place not in near:
        return 0
    fronts = compiled_fronts(space.points(near))
    return next(number for number, front in enumerate(fronts, start=1) if place in near[front])
