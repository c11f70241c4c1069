"""Measures of a crawl, as functions of its log, with one entry per page in the order of visits.

Harvest rate, average relevance and SD as in section 7.2 of Liu, Li, Zhang and Zhong (2022).
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fcwseo.pages.urls import host

CHECKPOINTS = 20


@dataclass(slots=True)
class Harvest:
    """The pages of a crawl as columns: R(p), whether the judge calls it relevant, and its host."""

    relevance: "array[float]" = field(default_factory=lambda: array("d"))
    relevant: bytearray = field(default_factory=bytearray)
    hosts: dict[str, int] = field(default_factory=dict)

    def add(self, url: str, relevance: float, relevant: bool) -> None:
        """Add a page."""
        self.relevance.append(relevance)
        self.relevant.append(relevant)
        name = host(url)
        self.hosts[name] = self.hosts.get(name, 0) + 1

    def __len__(self) -> int:
        return len(self.relevant)


def harvest_rate(relevant: Sequence[int]) -> float:
    """Relevant pages / pages.

    >>> harvest_rate([1, 0, 0, 1])
    0.5
    """
    return float(np.mean(relevant)) if len(relevant) else 0.0


def average_relevance(relevance: Sequence[float]) -> float:
    """AR: the mean of R(p) over all pages."""
    return float(np.mean(relevance)) if len(relevance) else 0.0


def standard_deviation(relevance: Sequence[float]) -> float:
    """SD: the population standard deviation of R(p) over all pages.

    >>> standard_deviation([0.0, 1.0])
    0.5
    """
    return float(np.std(relevance)) if len(relevance) else 0.0


def average_similarity(relevance: Sequence[float], relevant: Sequence[int]) -> float:
    """AS: the mean of R(p) over the relevant pages only (paper 000).

    >>> average_similarity([0.9, 0.1, 0.5], [1, 0, 1])
    0.7
    """
    chosen = [value for value, is_relevant in zip(relevance, relevant, strict=True) if is_relevant]
    return float(np.mean(chosen)) if chosen else 0.0


def absolute_error(relevance: Sequence[float], predicted: Sequence[float | None]) -> float | None:
    """AE: the mean absolute error of the predicted R(p) (paper 000); None without predictions.

    >>> absolute_error([0.5, 1.0, 0.0], [0.25, 0.75, None])
    0.25
    """
    pairs = zip(relevance, predicted, strict=True)
    errors = [abs(value - guess) for value, guess in pairs if guess is not None]
    return float(np.mean(errors)) if errors else None


def sum_of_information(relevance: Sequence[float]) -> float:
    """The sum of R(p) over all pages (paper 004).

    >>> sum_of_information([0.5, 0.25])
    0.75
    """
    return float(np.sum(relevance))


def target_recall(relevant: Sequence[int], *, total: int, budget: int) -> float:
    """Relevant pages found / the largest number within the budget: 1 for a perfect crawl.

    >>> target_recall([1, 0, 1, 1], total=100, budget=4), target_recall([1, 0, 1, 1], total=3, budget=4)
    (0.75, 1.0)
    """
    return recall(relevant, total=min(total, budget))


def recall(relevant: Sequence[int], *, total: int) -> float:
    """Relevant pages found / relevant pages of a closed web.

    >>> recall([1, 0, 1], total=8)
    0.25
    """
    return sum(relevant) / total if total else 0.0


def checkpoints(budget: int) -> list[int]:
    """The page counts at which a crawl is measured: every 5 % of the budget.

    >>> checkpoints(10), checkpoints(400)[:3]
    ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [20, 40, 60])
    """
    return sorted({max(1, round(budget * i / CHECKPOINTS)) for i in range(1, CHECKPOINTS + 1)})


def harvest_area(relevant: Sequence[int], *, budget: int) -> float:
    """The mean harvest rate over 20 checkpoints: the whole curve, not its end.

    A crawl that ended early keeps its count: pages not fetched are not found.

    >>> harvest_area([1] * 20, budget=20), harvest_area([1] * 10, budget=20) < 1
    (1.0, True)
    """
    found = np.concatenate([[0], np.cumsum(np.asarray(relevant, dtype=np.int64))])
    at = [max(1, round(budget * i / CHECKPOINTS)) for i in range(1, CHECKPOINTS + 1)]
    return float(np.mean([found[min(n, len(found) - 1)] / n for n in at]))
