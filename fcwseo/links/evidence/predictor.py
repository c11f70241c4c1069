"""F1 of a link before it is followed: the capped relevance of its page, predicted from its features.

An online ridge regression with a fixed prior. Its weights started from a regression over the waiting links of
many crawls, and were chosen by crawls of some thirty topics on six webs in four languages. A feature without
a prior weight starts at zero. Only sums over the fetched pages are stored, so a fit costs the same after ten
pages and after a million.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.links.evidence.vectors import meaning_weight
from fcwseo.relevance.threshold import LEAST

START = {
    "parents' mean": 0.07,
    "anchor": 0.17,
    "context": 0.10,
    "address": 0.12,
    "address words": 0.30,
    "words": 0.15,
    "topical words": 0.05,
    "topical anchor": 0.05,
    "theme": 0.10,
    "meaning": 0.50,
    "alike": 0.30,
    "siblings": 0.20,
    "place": 0.20,
    "host": 0.10,
    "section": 0.30,
}
OUTCOMES = (
    "words",
    "address words",
    "topical words",
    "topical anchor",
    "alike",
    "siblings",
    "place",
    "host",
    "section",
)
SMALL = 0.2  # smallest deviation of outcomes, as a share of that of relevance: smaller ones are not magnified
LENGTH = 0.6  # length of the vector of prior weights, for a relevance of deviation 1
STRENGTH = 1000.0  # strength of the prior, as a number of pages
STRENGTHS = {  # meaning helps on some webs only, and URLs speak on some only
    "address": 100.0,
    "address words": 100.0,
    "meaning": 100.0,
    "alike": 100.0,
}
FEWEST = 5  # pages from which weights are learned
STEP = 0.05  # step of the correction, as a share of the mean error

_TINY = 1e-9
_MEANING = EVIDENCE.index("meaning")
_OUTCOMES = [EVIDENCE.index(name) for name in OUTCOMES]


class Scale(NamedTuple):
    """The mean and deviation of each feature over the candidates."""

    mean: Floats
    deviation: Floats


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted ridge regression: predictions depend only on the features of a link."""

    scale: Scale
    weights: Floats
    center: Floats  # the mean features of the fetched pages, scaled
    level: float = 0.0  # the mean relevance of the fetched pages
    spread: float = 1.0  # and its deviation
    correction: float = 0.0  # added to predictions that are read as a relevance
    pages: int = 0  # number of pages learned from

    def predict(self, evidence: Floats) -> Floats:
        """The expected relevance, relative to the mean of all pages. It orders links; ``f1`` is a
        relevance.
        """
        expected: Floats = self.level + self.parts(evidence).sum(axis=1)
        return expected

    def f1(self, expected: Floats) -> Floats:
        """Predictions as a relevance, as often too high as too low. The order of links stays, except for ties
        at 0 and 1.
        """
        return np.clip(expected + self.correction, 0, 1)

    def parts(self, evidence: Floats) -> Floats:
        """The contribution of each feature, added to the level of all pages."""
        parts: Floats = self.spread * self.standardised(evidence) * self.weights
        return parts

    def standardised(self, evidence: Floats) -> Floats:
        """Features as deviations from those of the fetched pages."""
        mean, deviation = self.scale
        standard: Floats = (evidence - mean) / deviation - self.center
        return standard


class Predictor:
    """Learns from each fetched page; ``fit`` is the regression that scores links now.

    Features are scaled by their mean and deviation over the candidates, with two exceptions. Early in a crawl
    few outcomes are known, and groups differ little: such small differences are not magnified. On a web whose
    pages are all near the topic, such as a manual, differences in nearness carry little information, and
    their weight stays small.
    """

    def __init__(self) -> None:
        start = np.array([START.get(name, 0.0) for name in EVIDENCE])
        size = len(EVIDENCE)
        self._start = start * LENGTH / np.linalg.norm(start)
        self._strengths = np.array([STRENGTHS.get(name, STRENGTH) for name in EVIDENCE])
        self._count = 0
        self._sums = np.zeros(size + 1)
        self._products = np.zeros(
            (size + 1, size + 1)
        )  # sums of features and relevance, which is the last column
        self._bias = _Bias()
        self.fit = self.fitted(Scale(np.zeros(size), np.ones(size)))

    def learn(self, evidence: Floats, relevance: float) -> None:
        """Learn from the features of a link when it was chosen, and the capped relevance of its page."""
        if self.fit.pages >= FEWEST:
            self._bias.add(float(self.fit.predict(evidence[np.newaxis])[0]), relevance)
        row = np.append(evidence, relevance)
        self._count += 1
        self._sums += row
        self._products += np.outer(row, row)

    def refit(self, evidence: Floats | None = None) -> None:
        """Fit the regression to all pages so far, on the scale of these candidates if any are given."""
        self.fit = self.fitted(self.fit.scale if evidence is None else self.scale_of(evidence))

    def scale_of(self, evidence: Floats) -> Scale:
        """The scale of the candidates."""
        mean, deviation = evidence.mean(axis=0), evidence.std(axis=0)
        deviation[deviation < 1e-9] = np.inf  # constant over all candidates: it cannot order them
        deviation[_OUTCOMES] = np.maximum(deviation[_OUTCOMES], SMALL * self._deviation)
        deviation[_MEANING] /= max(meaning_weight(mean[_MEANING]), _TINY)
        return Scale(mean, deviation)

    def fitted(self, scale: Scale) -> Fit:
        """The regression on all pages so far; after a few pages only the level is learned."""
        if self._count < FEWEST:
            return self._untaught(scale)
        average = self._sums / self._count
        covariance = self._products - self._count * np.outer(average, average)
        spread = max(self._deviation, 1e-9)
        within = covariance[:-1, :-1] / np.outer(scale.deviation, scale.deviation)
        across = covariance[:-1, -1] / scale.deviation / spread
        inverse = np.linalg.inv(within + np.diag(self._strengths)).astype(np.float64)
        return Fit(
            scale,
            weights=self._start + inverse @ (across - within @ self._start),
            center=(average[:-1] - scale.mean) / scale.deviation,
            level=float(average[-1]),
            spread=spread,
            correction=self._bias.value,
            pages=self._count,
        )

    def _untaught(self, scale: Scale) -> Fit:
        fit = Fit(scale, self._start, np.zeros(len(self._start)))
        if not self._count:
            return fit
        level = float(self._sums[-1] / self._count)
        return replace(fit, level=level, spread=max(level, LEAST), pages=self._count)

    @property
    def _deviation(self) -> float:
        """The deviation of the relevance of the fetched pages."""
        if self._count < FEWEST:
            return 0.0
        mean = self._sums[-1] / self._count
        return float(np.sqrt(max(self._products[-1, -1] / self._count - mean * mean, 0.0)))


class _Bias:
    """The amount by which recent predictions were too low.

    The relevance of most pages is below the mean of all pages, more so late in a crawl.
    """

    def __init__(self) -> None:
        self.value = self._error = 0.0

    def add(self, expected: float, relevance: float) -> None:
        error = relevance - min(1.0, max(0.0, expected + self.value))
        self._error += STEP * (abs(error) - self._error)
        self.value += STEP * self._error * float(np.sign(error))
