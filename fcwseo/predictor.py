"""F1 of a link that is not followed yet: the relevance of the page behind it, predicted from its evidence.

A ridge regression, learnt online. It starts from fixed weights in the spirit of Eq. (10) of paper 001 and is
drawn to them: parents, anchor, context and address count, the rest only when it has proved its worth. Only
sums over the fetched pages are kept, so that a fit costs the same after ten pages and after a million.
"""

import numpy as np

from fcwseo.outcomes import Floats

START = np.array([0.3, 0.2, 0.3, 0.1, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])  # of the evidence of a link
STRENGTH = 20.0  # pages that the starting weights count for
FEWEST = 5  # pages from which anything is learnt


class Predictor:
    """Evidence is put on one scale by its mean and deviation over the links to choose from."""

    def __init__(self) -> None:
        size = len(START)
        self._start = START * 0.5 / np.linalg.norm(START)
        self._count = 0
        self._sum = np.zeros(size + 1)
        self._products = np.zeros((size + 1, size + 1))  # of evidence and relevance, which comes last
        self._weights = self._start
        self._mean, self._scale = np.zeros(size), np.ones(size)
        self._center = np.zeros(size)
        self._level, self._spread = 0.0, 0.0
        self._inverse = np.eye(size) / STRENGTH

    def learn(self, evidence: Floats, relevance: float) -> None:
        """What was known of a link when it was chosen, and how relevant the page behind it is."""
        row = np.append(evidence, relevance)
        self._count += 1
        self._sum += row
        self._products += np.outer(row, row)

    def fit(self, evidence: Floats) -> None:
        """Fit the weights, on the scale of the links to choose from."""
        self._mean, self._scale = evidence.mean(axis=0), evidence.std(axis=0)
        self._scale[self._scale < 1e-9] = np.inf  # what is the same for all links tells none from another
        if self._count < FEWEST:
            self._center, self._level, self._spread = np.zeros(len(self._mean)), 0.0, 1.0
            return
        average = self._sum / self._count
        covariance = self._products - self._count * np.outer(average, average)
        self._level = average[-1]
        self._spread = max(np.sqrt(max(covariance[-1, -1], 0.0) / self._count), 1e-9)
        self._center = (average[:-1] - self._mean) / self._scale
        within = covariance[:-1, :-1] / np.outer(self._scale, self._scale)
        across = covariance[:-1, -1] / self._scale / self._spread
        self._inverse = np.linalg.inv(within + STRENGTH * np.eye(len(within)))
        self._weights = self._start + self._inverse @ (across - within @ self._start)

    def predict(self, evidence: Floats) -> Floats:
        """The relevance to expect, before it is cut to [0, 1]."""
        scaled = (evidence - self._mean) / self._scale
        expected: Floats = self._level + self._spread * (scaled - self._center) @ self._weights
        return expected

    def uncertainty(self, evidence: Floats) -> Floats:
        """How far a link lies from what has been fetched: the deviation of the prediction, up to a factor."""
        scaled = (evidence - self._mean) / self._scale - self._center
        return np.sqrt(np.einsum("ij,jk,ik->i", scaled, self._inverse, scaled))
