"""Web space evolution: the bank of seeds that guides a crawl, and how test links compete for its seats.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 6.3.

Each seed is the centre of a circle. A test link outside all circles takes the seat of a seed of the worst
front; one inside competes with the nearest seed.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from math import inf
from random import Random
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats
from fcwseo.evolution.fronts import fronts
from fcwseo.evolution.paper_objectives import Lambdas, Objectives, priority
from fcwseo.evolution.paper_radius import Near


class UpdateCase(StrEnum):
    """The cases in which a test link T gets a seat in the bank, or does not; C is the seed nearest to it."""

    FILLED = "filled"  # a seat was free
    EXHAUSTED_FIRST = "exhausted-first"  # dry rule 1: a seed without an open link is replaced first
    FAR = "far"  # T is outside of all circles: it replaces a seed of the worst front
    EQUAL_KEPT = "equal-kept"  # T and C are equal in all objectives
    DOMINATES = "dominates"  # T is better than C
    DOMINATED_LUCKY = "dominated-lucky"  # C is better, but yields with probability P_t
    DOMINATED_KEPT = "dominated-kept"
    INCOMPARABLE_LUCKY = "incomparable-lucky"  # neither is better: C yields with probability one half
    INCOMPARABLE_KEPT = "incomparable-kept"


class Rule(StrEnum):
    """The rules for banks that run dry, after rule 1, which is a case of the update."""

    LOSERS_UNMARKED = "losers-unmarked"  # 2: test links without a seat may try again after a round
    ALL_UNMARKED = (
        "all-unmarked"  # 3: fewer than k unmarked links: all are taken, and all waiting links are unmarked
    )
    BANK_REPLACED = "bank-replaced"  # 4: a round without a page: the k best waiting links become the bank
    RESERVE_RELEASED = "reserve-released"  # 5: still no page: the k best links of the reserve are followed
    OVER = "over"  # 6: the reserve is empty


@dataclass(frozen=True, slots=True)
class Entry:
    """A downloaded link, in the bank or testing it."""

    number: int
    objectives: Objectives
    priority: float
    is_exhausted: bool = False


def entries(
    numbers: Sequence[int], objectives: Floats, lambdas: Lambdas, exhausted: Container[int] = ()
) -> list[Entry]:
    """Downloaded links with a row of objectives each; ``exhausted`` are those without an open link.

    >>> (entry,) = entries([7], np.array([[1.0, 0.0, 0.0, 0.0]]), Lambdas())
    >>> entry.number, entry.objectives.f1, entry.priority
    (7, 1.0, 0.3)
    """
    scores = priority(objectives, lambdas).tolist()
    return [
        Entry(number, Objectives(*row), score, number in exhausted)
        for number, row, score in zip(numbers, objectives.tolist(), scores, strict=True)
    ]


class Outcome(NamedTuple):
    """The outcome of a challenge: its case, and the replaced seed."""

    case: UpdateCase
    replaced: Entry | None = None


class SeedBank:
    """S_seed: at most ``size`` seeds, each with its seat."""

    def __init__(self, size: int, rng: Random, *, p_t: float = 0.3) -> None:
        self.size = size
        self.seeds: list[Entry] = []
        self._rng = rng
        self._p_t = p_t

    @property
    def numbers(self) -> list[int]:
        return [seed.number for seed in self.seeds]

    def replace(self, seeds: Sequence[Entry]) -> None:
        """Give all seats to these links. If they are too few, the best former seeds stay: the bank never
        shrinks.
        """
        former = sorted(self.seeds, key=lambda seed: (-seed.priority, seed.number))
        self.seeds = [*seeds, *former][: self.size]

    def challenge(self, test: Entry, near: Near, *, radius: float) -> Outcome:
        """Let a test link compete for a seat."""
        if len(self.seeds) < self.size:
            self.seeds.append(test)
            return Outcome(UpdateCase.FILLED)
        case, seat = self._decide(test, near, radius)
        if seat is None:
            return Outcome(case)
        replaced, self.seeds[seat] = self.seeds[seat], test
        return Outcome(case, replaced)

    def _decide(self, test: Entry, near: Near, radius: float) -> tuple[UpdateCase, int | None]:
        exhausted = [seat for seat, seed in enumerate(self.seeds) if seed.is_exhausted]
        if exhausted:
            return UpdateCase.EXHAUSTED_FIRST, self._worst(exhausted)
        if near.distance > radius:
            rows = np.array([seed.objectives for seed in self.seeds])
            return UpdateCase.FAR, self._worst(fronts(rows)[-1].tolist())
        return self._duel(test, near.seat)

    def _duel(self, test: Entry, seat: int) -> tuple[UpdateCase, int | None]:
        here = self.seeds[seat].objectives
        if test.objectives == here:
            return UpdateCase.EQUAL_KEPT, None
        if test.objectives.dominates(here):
            return UpdateCase.DOMINATES, seat
        if here.dominates(test.objectives):
            lucky = self._rng.random() < self._p_t
            return (UpdateCase.DOMINATED_LUCKY, seat) if lucky else (UpdateCase.DOMINATED_KEPT, None)
        lucky = self._rng.random() < 0.5
        return (UpdateCase.INCOMPARABLE_LUCKY, seat) if lucky else (UpdateCase.INCOMPARABLE_KEPT, None)

    def _worst(self, seats: Sequence[int]) -> int:
        """The seat with the smallest E; of equal seats the first."""
        return min(seats, key=lambda seat: (self.seeds[seat].priority, seat))


class RetrievedBank:
    """S_retrieve: downloaded links, without expanded ones. Former test links are marked.

    >>> bank = RetrievedBank()
    >>> bank.add([4, 5, 6])
    >>> bank.mark([5])
    >>> bank.expand([4])
    >>> bank.all, bank.unmarked
    ([5, 6], [6])
    """

    def __init__(self) -> None:
        self._is_marked: dict[int, bool] = {}
        self._resting: list[int] = []

    @property
    def all(self) -> list[int]:
        return list(self._is_marked)

    @property
    def unmarked(self) -> list[int]:
        return [number for number, is_marked in self._is_marked.items() if not is_marked]

    def add(self, numbers: Iterable[int]) -> None:
        self._is_marked |= dict.fromkeys(numbers, False)

    def mark(self, numbers: Iterable[int]) -> None:
        self._is_marked |= dict.fromkeys(numbers, True)

    def expand(self, numbers: Iterable[int]) -> None:
        """Remove links that became seeds; they are never test links again."""
        for number in numbers:
            self._is_marked.pop(number, None)

    def rest(self, losers: Sequence[int]) -> list[int]:
        """Rule 2: test links without a seat rest for a round; those that have rested are unmarked."""
        rested = [number for number in self._resting if self._is_marked.get(number)]
        self._is_marked |= dict.fromkeys(rested, False)
        self._resting = list(losers)
        return rested

    def unmark(self) -> None:
        """Rule 3."""
        self._is_marked = dict.fromkeys(self._is_marked, False)


class Reserve:
    """Links that did not pass tau, with their largest E.

    >>> reserve = Reserve()
    >>> for number, priority in [(1, 0.1), (2, 0.2), (3, 0.15), (1, 0.3)]:
    ...     reserve.put(number, priority)
    >>> reserve.take(2, lambda number: True), reserve.take(2, lambda number: True)
    ([1, 2], [3])
    """

    def __init__(self) -> None:
        self._priority: dict[int, float] = {}
        self._heap: list[tuple[float, int]] = []

    def put(self, number: int, priority: float) -> None:
        if priority > self._priority.get(number, -inf):
            self._priority[number] = priority
            heappush(self._heap, (-priority, number))

    def take(self, count: int, is_open: Callable[[int], bool]) -> list[int]:
        """Remove and return the best links that are still open; of equal links, those found first."""
        taken: list[int] = []
        while self._heap and len(taken) < count:
            priority, number = heappop(self._heap)
            if self._priority.get(number) == -priority:
                del self._priority[number]
                if is_open(number):
                    taken.append(number)
        return taken
