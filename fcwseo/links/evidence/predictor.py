"""F1 of a link that is not followed yet: what counts of the relevance of the page behind it, predicted from
its evidence.

A ridge regression, learnt online. It starts from fixed weights and is drawn to them. They were chosen by
crawls of some thirty topics of six webs in four languages, beginning with what a regression over the waiting
links of many crawls gave. Evidence without one starts at nothing, and counts when it has proved its worth.
Only sums over the fetched pages are kept, so that a fit costs the same after ten pages and after a million.
"""

import numpy as np

from fcwseo.columns import Floats
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.links.evidence.vectors import told_by_meaning
from fcwseo.relevance.threshold import LEAST

START = {
    "parents' mean": 0.07,
    "anchor": 0.17,
    "context": 0.10,
    "address": 0.12,
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
OUTCOMES = ("words", "topical words", "topical anchor", "alike", "siblings", "place", "host", "section")
LITTLE = 0.2  # of the deviation of relevance: outcomes that differ by less tell links apart the less
LENGTH = 0.6  # of the starting weights, for a relevance of deviation 1
STRENGTH = 1000.0  # pages that the starting weights count for
STRENGTHS = {"meaning": 100.0, "alike": 100.0}  # of these: what links say means something on some webs only
FEWEST = 5  # pages from which anything is learnt
STEP = 0.05  # of the usual error: how far the prediction moves with each page that it was wrong about

_NOTHING = 1e-9
_MEANING = EVIDENCE.index("meaning")
_OUTCOMES = [EVIDENCE.index(name) for name in OUTCOMES]


class Predictor:
    """Evidence is put on one scale by its mean and deviation over the links to choose from.

    With two exceptions. How pages fared is known of few of them at first, and all groups differ little: they
    are not blown up to differences that nothing speaks for. And on a web that is all about things near the
    topic, as a manual is, to be a little nearer says little, and is hardly learnt to say more.
    """

    def __init__(self) -> None:
        start = np.array([START.get(name, 0.0) for name in EVIDENCE])
        size = len(EVIDENCE)
        self._start = start * LENGTH / np.linalg.norm(start)
        self._weights = self._start
        self._strengths = np.array([STRENGTHS.get(name, STRENGTH) for name in EVIDENCE])
        self._inverse: Floats = np.diag(1 / self._strengths)
        self._mean, self._scale = np.zeros(size), np.ones(size)
        self._count = 0
        self._sums = np.zeros(size + 1)
        self._products = np.zeros((size + 1, size + 1))  # of evidence and relevance, which comes last
        self._center, self._level, self._spread = np.zeros(size), 0.0, 1.0
        self._is_fit = False
        self._error, self._off, self.correction = 0.0, 0.0, 0.0

    def learn(self, evidence: Floats, relevance: float) -> None:
        """What was known of a link when it was chosen, and what counts of the relevance of the page."""
        if self._is_fit:
            expected = float(self.predict(evidence[np.newaxis])[0]) + self._off
            self._correct(relevance - min(1.0, max(0.0, expected)))
        row = np.append(evidence, relevance)
        self._count += 1
        self._sums += row
        self._products += np.outer(row, row)

    def scale(self, evidence: Floats) -> None:
        """Take the scale from the evidence of the links to choose from."""
        self._mean, self._scale = evidence.mean(axis=0), evidence.std(axis=0)
        self._scale[self._scale < 1e-9] = np.inf  # what is the same for all links tells none from another
        self._scale[_OUTCOMES] = np.maximum(self._scale[_OUTCOMES], LITTLE * self._deviation)
        self._scale[_MEANING] /= max(told_by_meaning(self._mean[_MEANING]), _NOTHING)

    @property
    def _deviation(self) -> float:
        """Of what was learnt of the relevance of the fetched pages."""
        if self._count < FEWEST:
            return 0.0
        mean = self._sums[-1] / self._count
        return float(np.sqrt(max(self._products[-1, -1] / self._count - mean * mean, 0.0)))

    def fit(self) -> None:
        """Fit the weights to what was learnt, on the present scale; of few pages only the level is learnt."""
        if 0 < self._count < FEWEST:
            self._level = float(self._sums[-1] / self._count)
            self._spread = max(self._level, LEAST)
        if self._count < FEWEST:
            return
        self._is_fit, self.correction = True, self._off
        average = self._sums / self._count
        covariance = self._products - self._count * np.outer(average, average)
        self._level = float(average[-1])
        self._spread = max(self._deviation, 1e-9)
        self._center = (average[:-1] - self._mean) / self._scale
        within = covariance[:-1, :-1] / np.outer(self._scale, self._scale)
        across = covariance[:-1, -1] / self._scale / self._spread
        self._inverse = np.linalg.inv(within + np.diag(self._strengths)).astype(np.float64)
        self._weights = self._start + self._inverse @ (across - within @ self._start)

    def predict(self, evidence: Floats) -> Floats:
        """The relevance to expect, by the mean of all pages. It orders links; as a relevance see ``f1``."""
        expected: Floats = self._level + self.parts(evidence).sum(axis=1)
        return expected

    def f1(self, expected: Floats) -> Floats:
        """Predictions as a relevance, as often too high as too low. The order of links stays, but for ties at
        0 and 1.
        """
        return np.clip(expected + self.correction, 0, 1)

    def parts(self, evidence: Floats) -> Floats:
        """What each piece of evidence adds to the level of all pages."""
        parts: Floats = self._spread * self._standard(evidence) * self._weights
        return parts

    def uncertainty(self, evidence: Floats) -> Floats:
        """How far a link lies from what was fetched: the deviation of the prediction, up to a factor."""
        standard = self._standard(evidence)
        squares = np.einsum("ij,jk,ik->i", standard, self._inverse, standard)
        uncertainty: Floats = np.sqrt(np.maximum(squares, 0.0))
        return uncertainty

    def _correct(self, error: float) -> None:
        """Relevance is small on most pages, and smaller as a crawl goes on, than the mean of all says."""
        self._error += STEP * (abs(error) - self._error)
        self._off += STEP * self._error * float(np.sign(error))

    def _standard(self, evidence: Floats) -> Floats:
        standard: Floats = (evidence - self._mean) / self._scale - self._center
        return standard
