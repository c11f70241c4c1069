"""From which relevance on a page is about the topic (eta), and from which priority on a link is worth a visit
(tau): found from examples, since the scale of relevance differs from topic to topic.

Given documents about the topic and others, eta is the threshold that tells them apart with the largest F1. A
crawl that is given no eta finds it on the way, as half of what its seeds are; measurements are in
``docs/how-a-link-gets-its-score.md``.
"""

from array import array
from bisect import insort
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from msgspec import Struct

from fcwseo.columns import Floats
from fcwseo.evolution.objectives import Lambdas, estimate, priority
from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.paper import PaperRelevance
from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.topic import Topic

BACKGROUND_QUANTILE = 0.95  # of the background, where there are no positives
OF_MEDIAN = 0.7  # of the positives, where there is no background
TAU_QUANTILE = 0.5  # of the priority of links on positives

OF_SEEDS = 0.5  # of the median of the seeds
OF_BEST = 0.25  # of the median of the best pages, in case the seeds are off the topic
BEST = 10  # pages
LEAST = 0.01  # below this no page is about the topic, whatever the others are


class Separation(Struct, frozen=True):
    """How well a threshold tells positives from background."""

    auc: float  # how likely a positive is above one of the background
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
    """A threshold, how it was found, and from how many examples; no separation where one side is empty."""

    eta: float
    method: str
    positives: int
    background: int
    separation: Separation | None = None


class Proposal(Struct, frozen=True):
    """What ``fcwseo topic calibrate`` proposes; no tau where there are no positives."""

    calibration: Calibration
    tau: float | None


def calibrate(positives: Sequence[float], background: Sequence[float]) -> Calibration:
    """eta from the relevance of documents about the topic, and of others.

    >>> found = calibrate([0.2, 0.3, 0.5], [0.0, 0.1, 0.1])
    >>> round(found.eta, 3), found.separation.f1, found.separation.word
    (0.15, 1.0, 'well')
    >>> calibrate([], [0.0, 0.1]).method
    '95th percentile of the background'
    """
    ups, downs = np.array(positives, np.float64), np.array(background, np.float64)
    if not len(downs):
        eta = OF_MEDIAN * float(np.median(ups)) if len(ups) else 0.0
        return Calibration(eta, f"{OF_MEDIAN} of the median of the positives", len(ups), 0)
    if not len(ups):
        eta = float(np.quantile(downs, BACKGROUND_QUANTILE))
        return Calibration(eta, "95th percentile of the background", 0, len(downs))
    eta = _best_threshold(ups, downs)
    return Calibration(eta, "largest F1", len(ups), len(downs), separation(ups, downs, eta))


def separation(positives: Floats, background: Floats, eta: float) -> Separation:
    """How well ``eta`` separates two sides, neither of them empty."""
    found, wrong = int((positives >= eta).sum()), int((background >= eta).sum())
    return Separation(
        auc=_auc(positives, background),
        f1=2 * found / (found + wrong + len(positives)),
        precision=found / (found + wrong) if found else 0.0,
        recall=found / len(positives),
    )


def _best_threshold(positives: Floats, background: Floats) -> float:
    """Half way between the smallest value that passes and the largest that does not; of equals the highest.

    >>> _best_threshold(np.array([0.2, 0.4]), np.array([0.1, 0.3]))
    0.15000000000000002
    """
    values = np.unique(np.concatenate((positives, background)))
    found = len(positives) - np.searchsorted(np.sort(positives), values)
    wrong = len(background) - np.searchsorted(np.sort(background), values)
    f1 = 2 * found / (found + wrong + len(positives))
    best = len(values) - 1 - int(np.argmax(f1[::-1]))
    below = values[best - 1] if best else values[best]
    return float((below + values[best]) / 2)


def _auc(positives: Floats, background: Floats) -> float:
    """The chance that a positive is above one of the background, ties by half.

    >>> _auc(np.array([0.5, 0.9]), np.array([0.1, 0.5]))
    0.875
    """
    ordered = np.sort(background)
    below, upto = (np.searchsorted(ordered, positives, side) for side in ("left", "right"))
    return float((below + upto).sum() / (2 * len(positives) * len(background)))


class Threshold(Protocol):
    """From which relevance on a page is kept: a function of the pages seen so far, and of nothing else."""

    def add(self, relevance: float, *, is_seed: bool) -> float:
        """A page; the threshold in force for it."""
        ...

    def calibration(self) -> Calibration: ...


class Given:
    """A threshold that was given."""

    def __init__(self, eta: float) -> None:
        self._eta = eta

    def add(self, relevance: float, *, is_seed: bool) -> float:
        return self._eta

    def calibration(self) -> Calibration:
        return Calibration(self._eta, "given", 0, 0)


class OnTheWay:
    """Half of the median of the seeds. Seeds that are off the topic are outdone by the best pages found.

    >>> threshold = OnTheWay()
    >>> [threshold.add(relevance, is_seed=True) for relevance in (0.4, 0.2)]
    [0.2, 0.15000000000000002]
    >>> threshold.add(0.1, is_seed=False)
    0.15000000000000002
    """

    def __init__(self) -> None:
        self._seeds: list[float] = []
        self._best: list[float] = []
        self._others = array("d")

    def add(self, relevance: float, *, is_seed: bool) -> float:
        if is_seed:
            insort(self._seeds, relevance)
        else:
            self._others.append(relevance)
        insort(self._best, relevance)
        del self._best[:-BEST]
        return self._eta

    @property
    def _eta(self) -> float:
        return max(OF_SEEDS * _median(self._seeds), OF_BEST * _median(self._best), LEAST)

    def calibration(self) -> Calibration:
        """How well the seeds stand out is measured against the least relevant quarter of the other pages."""
        eta = self._eta
        low = np.sort(np.array(self._others, np.float64))[: -(-len(self._others) // 4)]
        seeds = np.array(self._seeds, np.float64)
        found = separation(seeds, low, eta) if len(seeds) and len(low) else None
        return Calibration(eta, self._method(eta), len(seeds), len(low), found)

    def _method(self, eta: float) -> str:
        if eta == OF_SEEDS * _median(self._seeds):
            return f"{OF_SEEDS} of the median of the seeds"
        if eta == OF_BEST * _median(self._best):
            return f"{OF_BEST} of the median of the {BEST} most relevant pages"
        return "the least there is"


def _median(ordered: Sequence[float]) -> float:
    """
    >>> _median([]), _median([0.5]), _median([0.25, 0.75])
    (0.0, 0.5, 0.5)
    """
    if not ordered:
        return 0.0
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def threshold_of(eta: float | None) -> Threshold:
    """The threshold of a crawl that was given ``eta``, or none."""
    return OnTheWay() if eta is None else Given(eta)


def propose(topic: Topic, positives: Sequence[Document], background: Sequence[Document]) -> Proposal:
    """eta and tau for a topic. Each document is judged as a page without links, when all have been seen.

    tau is the median priority of links on positives whose anchors say nothing, as most anchors do, by the
    equations that the strategies with a tau crawl by.
    """
    relevance = TopicalRelevance(topic)
    for document in (*positives, *background):
        relevance(_page(document))
    ups, downs = (
        [relevance.of_text(f"{document.title}\n{document.text}", document.language) for document in side]
        for side in (positives, background)
    )
    return Proposal(calibrate(ups, downs), _tau(topic, positives))


def _tau(topic: Topic, positives: Sequence[Document]) -> float | None:
    if not positives:
        return None
    paper = PaperRelevance(topic)
    f2 = np.array([paper.of_page(_page(document)) for document in positives])
    nothing = np.zeros(len(f2))
    links = np.column_stack((estimate(f2, nothing), f2, nothing, nothing))
    return float(np.quantile(priority(links, Lambdas()), TAU_QUANTILE))


def _page(document: Document) -> Page:
    groups = (document.title, "", "", document.text, "")
    return Page(document.id, document.title, document.text, groups=groups, language=document.language)
