"""Which seats of the bank are served: half of them by value, the others by fronts and NFCS.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 6.

In the paper fronts and NFCS choose, among fetched pages, those that challenge the bank. Here they choose,
among hosts whose elites are worth nearly as much as the last seat's, those that are served. The bank knows
which host is best; what it does not know is which of many about equal hosts is: there, objectives
that differ from value cost nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random

import numpy as np

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.bank import Bank
from fcwseo.evolution.fronts import compiled_fronts
from fcwseo.evolution.nfcs import select
from fcwseo.evolution.radius import NEAR

Pick = Callable[[Floats, int, Random], list[int]]
"""Chooses a number of rows of objectives."""


class Rule(StrEnum):
    """Why a link was chosen. A line of the log has it as ``rule``."""

    SEED = "seed"
    VALUE = "value"  # the elite of a seat that was given by value
    FRONTS = "fronts"  # the elite of a seat that was given by fronts and NFCS
    LIST = "list"  # the same as ``VALUE``, and its value is the outcome of its pagination
    LOG = "log"  # as a log says: in flight when the crawl was continued, or next in the order of an archive


@dataclass(frozen=True, slots=True)
class Seating:
    """Seats that are served, as places in the bank, from 0: the best value first."""

    by_value: Rows
    by_fronts: Rows
    near: Rows  # the seats among which fronts and NFCS chose
    last: float  # the value of the last seat, had all been given by value

    @property
    def order(self) -> list[tuple[int, Rule]]:
        """The seats in the order in which they are served, each with its rule."""
        seats = [(place, Rule.VALUE) for place in self.by_value.tolist()]
        return seats + [(place, Rule.FRONTS) for place in sorted(self.by_fronts.tolist())]


def by_fronts(points: Floats, count: int, rng: Random) -> list[int]:
    """Whole fronts while they fit, NFCS on the front that overflows.

    >>> by_fronts(np.array([[1.0, 0.0], [0.9, 0.0], [0.0, 1.0]]), 2, Random(0))
    [0, 2]
    """
    return select(points, count, rng, sort=compiled_fronts)


def seating(
    bank: Bank,
    seats: int,
    points: Callable[[Rows], Floats],
    rng: Random,
    *,
    pick: Pick = by_fronts,
) -> Seating:
    """Give the seats of a bank, half of them by fronts and NFCS among hosts that lie at most ``NEAR`` below
    the last. ``points`` are the objectives of some seats of the bank.

    >>> bank = Bank(np.arange(5), np.arange(5), np.array([1.0, 0.7, 0.65, 0.6, 0.3]))
    >>> novel = np.array([0.0, 0.0, 1.0, 1.0, 1.0])
    >>> found = seating(bank, 2, lambda seats: novel[seats, np.newaxis], Random(0))
    >>> found.by_value.tolist(), found.near.tolist(), found.by_fronts.tolist()
    ([0], [1, 2], [2])
    """
    seats = min(seats, bank.size)
    half = (seats + 1) // 2
    last = float(bank.values[seats - 1]) if seats else 0.0
    near = np.arange(half, bank.size)[bank.values[half:] >= last - NEAR]
    if seats == half:
        return Seating(np.arange(half), near[:0], near[:0], last)
    return Seating(np.arange(half), near[pick(points(near), seats - half, rng)], near, last)
