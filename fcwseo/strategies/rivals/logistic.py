"""Logistic regression on sparse binary features."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Floats

Integers = NDArray[np.integer]

_STEPS = 6  # iterations of Newton's method
_DIRECTIONS = 20  # iterations of conjugate gradients per Newton step


class Examples(NamedTuple):
    """Pairs of the number of an example and one of its features, sorted by example."""

    rows: Integers
    features: Integers
    number: int  # of examples

    def products(self, weights: Floats) -> Floats:
        """The sum of the weights of the features of each example."""
        return np.bincount(self.rows, weights[self.features], self.number).astype(np.float64)

    def sums(self, values: Floats, size: int) -> Floats:
        """The sum of the values of the examples with each feature."""
        return np.bincount(self.features, values[self.rows], size).astype(np.float64)


class Model(NamedTuple):
    """A fitted logistic regression."""

    weights: Floats
    level: float  # of an example without features


def fit(examples: Examples, is_positive: NDArray[np.bool_], *, size: int, strength: float) -> Model:
    """The weights of ``size`` features, shrunk towards 0 by ``strength``.

    >>> examples = Examples(np.array([0, 0, 1, 1]), np.array([0, 1, 1, 2]), 2)
    >>> fit(examples, np.array([True, False]), size=3, strength=1.0).weights.round(1)
    array([ 0.4,  0. , -0.4])
    """
    used, features = np.unique(examples.features, return_inverse=True)
    known = Examples(examples.rows, features, examples.number)
    positive = is_positive.mean()
    level = float(np.log(positive / (1 - positive)))
    found = np.zeros(len(used))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-(level + known.products(found))))
        slope = known.sums(is_positive - chance, len(used)) - strength * found
        found = found + _newton(known, chance * (1 - chance), slope, strength)
    weights = np.zeros(size)
    weights[used] = found
    return Model(weights, level)


def _newton(examples: Examples, curvature: Floats, slope: Floats, strength: float) -> Floats:
    """The Newton step, by conjugate gradients."""
    step = np.zeros(len(slope))
    rest, direction = slope, slope
    square = float(rest @ rest)
    for _ in range(_DIRECTIONS):
        if square < 1e-12:
            break
        bent = strength * direction + examples.sums(curvature * examples.products(direction), len(slope))
        length = square / float(direction @ bent)
        step = step + length * direction
        rest = rest - length * bent
        before, square = square, float(rest @ rest)
        direction = rest + square / before * direction
    return step
