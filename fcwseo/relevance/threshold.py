"""The relevance from which a page is about the topic (eta): its scale differs from topic to topic.

Without a given eta, a crawl uses a running threshold, half of the median relevance of its seeds; measurements
are in ``docs/how-a-link-gets-its-score.md``. ``fcwseo.uses.calibrate`` proposes a threshold from documents.
"""

from array import array
from bisect import insort
from collections.abc import Callable, Sequence
from statistics import median
from typing import Protocol

import numpy as np
from msgspec import Struct

from fcwseo.columns import Floats
from fcwseo.pages import Page, Visit

OF_SEEDS = 0.5  # of the median of the seeds
OF_BEST = 0.25  # share of the median of the best pages, in case the seeds are off the topic
BEST = 10  # number of best pages
LEAST = 0.01  # below this no page is about the topic


class Separation(Struct, frozen=True):
    """How well a threshold separates positives from background."""

    auc: float  # probability that a positive is above a background document
    f1: float
    precision: float
    recall: float

    @property
    def word(self) -> str:
        """
        >>> Separation(auc=0.97, f1=0.9, precision=0.9, recall=0.9).word
        'well'
        """
        return "well" if self.auc >= 0.95 else "fairly" if self.auc >= 0.8 else "poorly"


class Calibration(Struct, frozen=True):
    """A threshold, its method, and its number of examples; without separation if one side is empty."""

    eta: float
    method: str
    positives: int
    background: int
    separation: Separation | None = None


def separation(positives: Floats, background: Floats, eta: float) -> Separation:
    """How well ``eta`` separates two sides; neither may be empty."""
    found, wrong = int((positives >= eta).sum()), int((background >= eta).sum())
    return Separation(
        auc=_auc(positives, background),
        f1=2 * found / (found + wrong + len(positives)),
        precision=found / (found + wrong) if found else 0.0,
        recall=found / len(positives),
    )


def _auc(positives: Floats, background: Floats) -> float:
    """The probability that a positive is above a background document; ties count half.

    >>> _auc(np.array([0.5, 0.9]), np.array([0.1, 0.5]))
    0.875
    """
    ordered = np.sort(background)
    below, upto = (np.searchsorted(ordered, positives, side) for side in ("left", "right"))
    return float((below + upto).sum() / (2 * len(positives) * len(background)))


class Threshold(Protocol):
    """The relevance from which a page is kept, as a function of the pages seen so far."""

    def add(self, relevance: float, *, is_seed: bool) -> float:
        """Add a page. Returns the threshold for strategies, which learn from relevance as it was judged."""
        ...

    @property
    def keep(self) -> float:
        """The threshold from which the page added last is kept."""
        ...

    def calibration(self) -> Calibration: ...


class FixedThreshold:
    """A fixed threshold, given by the user. It decides which pages are kept; strategies go by a running one.

    >>> threshold = FixedThreshold(0.9)
    >>> threshold.add(0.4, is_seed=True), threshold.keep
    (0.2, 0.9)
    """

    def __init__(self, eta: float) -> None:
        self._eta = eta
        self._judged = _Medians()

    def add(self, relevance: float, *, is_seed: bool) -> float:
        self._judged.add(relevance, is_seed=is_seed)
        return self._judged.eta

    @property
    def keep(self) -> float:
        return self._eta

    def calibration(self) -> Calibration:
        return Calibration(self._eta, "given", 0, 0)


class RunningThreshold:
    """A running threshold: half the median of the seeds. If the seeds are off the topic, the best pages raise
    it.

    >>> threshold = RunningThreshold()
    >>> [threshold.add(relevance, is_seed=True) for relevance in (0.4, 0.2)]
    [0.2, 0.15000000000000002]
    >>> threshold.add(0.1, is_seed=False)
    0.15000000000000002
    """

    def __init__(self, scale: Callable[[], float] = lambda: 1.0) -> None:
        """``scale`` is the factor by which the relevance of the present page is comparable with that of the
        first ones; pages are kept by comparable relevance.
        """
        self._scale = scale
        self._present = 1.0
        self._judged, self._comparable = _Medians(), _Medians()

    def add(self, relevance: float, *, is_seed: bool) -> float:
        self._present = self._scale()
        self._judged.add(relevance, is_seed=is_seed)
        self._comparable.add(relevance * self._present, is_seed=is_seed)
        return self._judged.eta

    @property
    def keep(self) -> float:
        """
        >>> threshold = RunningThreshold(iter([1.0, 4.0]).__next__)
        >>> [threshold.add(relevance, is_seed=True) for relevance in (0.4, 0.1)], threshold.keep
        ([0.2, 0.125], 0.05)
        """
        return self._comparable.eta / self._present

    def calibration(self) -> Calibration:
        """The calibration; separation compares the seeds with the least relevant quarter of the other
        pages.
        """
        eta, pages = self._comparable.eta, self._comparable
        low = np.sort(np.array(pages.others, np.float64))[: -(-len(pages.others) // 4)]
        seeds = np.array(pages.seeds, np.float64)
        found = separation(seeds, low, eta) if len(seeds) and len(low) else None
        return Calibration(self.keep, pages.method, len(seeds), len(low), found)


class _Medians:
    """The relevance of seeds, of the best pages, and of all but seeds."""

    def __init__(self) -> None:
        self.seeds: list[float] = []
        self.others = array("d")
        self._best: list[float] = []

    def add(self, relevance: float, *, is_seed: bool) -> None:
        if is_seed:
            insort(self.seeds, relevance)
        else:
            self.others.append(relevance)
        insort(self._best, relevance)
        del self._best[:-BEST]

    @property
    def eta(self) -> float:
        return max(OF_SEEDS * _median(self.seeds), OF_BEST * _median(self._best), LEAST)

    @property
    def method(self) -> str:
        if self.eta == OF_SEEDS * _median(self.seeds):
            return f"{OF_SEEDS} of the median of the seeds"
        if self.eta == OF_BEST * _median(self._best):
            return f"{OF_BEST} of the median of the {BEST} most relevant pages"
        return "the smallest allowed"


def _median(ordered: Sequence[float]) -> float:
    """
    >>> _median([]), _median([0.5]), _median([0.25, 0.75])
    (0.0, 0.5, 0.5)
    """
    if not ordered:
        return 0.0
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def threshold_of(eta: float | None, scale: Callable[[], float] = lambda: 1.0) -> Threshold:
    """The threshold of a crawl: fixed if ``eta`` is given, else running."""
    return RunningThreshold(scale) if eta is None else FixedThreshold(eta)


class SeedLevel:
    """A page is relevant if it is nearly as relevant as the seeds, which are assumed to be relevant.

    >>> from fcwseo.pages import Link
    >>> level = SeedLevel(0.5)
    >>> level.observe(Visit(1, Link("a", "", depth=0), Page("a"), 0.4))
    >>> level.is_relevant(0.2), level.is_relevant(0.1)
    (True, False)
    """

    def __init__(self, share: float) -> None:
        self._share = share  # share of the median of the seeds' relevance
        self._seeds: list[float] = []
        self.median = 0.0

    def observe(self, visit: Visit) -> None:
        if visit.link.depth == 0 and isinstance(visit.outcome, Page):
            self._seeds.append(visit.relevance)
            self.median = median(self._seeds)

    def is_relevant(self, relevance: float) -> bool:
        return relevance > 0 and relevance >= self._share * self.median
