"""The four objectives of a link, and its comprehensive priority.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, sections 5.4 and 6.1, equations 10 to 14.
"""

from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats


class Objectives(NamedTuple):
    """All maximised, all in [0, 1]."""

    f1: float  # R(p), the relevance of the page that the link points to
    f2: float  # the mean relevance of the pages that contain the link
    f3: float  # R(a), the relevance of its anchor; of several anchors the largest
    f4: float  # PageRank, as a share of the largest

    def dominates(self, other: "Objectives") -> bool:
        """Whether one point dominates another: nowhere smaller and somewhere larger.

        >>> Objectives(1, 0, 0, 0).dominates(Objectives(0, 0, 0, 0))
        True
        >>> Objectives(1, 0, 0, 0).dominates(Objectives(1, 0, 0, 0))
        False
        """
        return self != other and all(mine >= its for mine, its in zip(self, other, strict=True))


@dataclass(frozen=True, slots=True)
class Lambdas:
    """The weights of the objectives in equation 10, found in the paper by grid search."""

    page: float = 0.30
    parents: float = 0.15
    anchor: float = 0.35
    rank: float = 0.20


def priority(rows: Floats, lambdas: Lambdas) -> Floats:
    """Equation 10: the comprehensive priority E of each row of objectives.

    >>> priority(np.array([[1, 1, 1, 1], [1, 0, 0, 0], [0, 0, 1, 0.5]]), Lambdas()).round(2)
    array([1.  , 0.3 , 0.45])
    """
    return weighted_sum(rows, np.array(astuple(lambdas)))


def weighted_sum(objectives: Floats, weights: Floats) -> Floats:
    """The weighted sum of each row of objectives.

    It is summed from left to right: the rounding of a matrix product depends on the CPU, and so would a
    crawl.

    >>> weighted_sum(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.5, 0.25])).tolist()
    [1.0, 2.5]
    """
    sums: Floats = np.sum(objectives * weights, axis=-1)
    return sums


class F1Mode(StrEnum):
    """The source of F1 before a page is fetched: equation 10 requires the relevance of the target itself."""

    PREDICTED = "predicted"  # estimated from the other objectives of the link
    CHARGED = "charged"  # fetched regardless of its priority, and counted as a page
    ORACLE = "oracle"  # looked up in a closed web at no cost: an upper bound, not comparable with the others
