"""Measures of a crawl, as functions of its log. One entry a page, in the order of the visits.

Harvest rate, average relevance and SD as in section 7.2 of Liu, Li, Zhang and Zhong (2022).
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from fcwseo.urls import host

CHECKPOINTS = 20


@dataclass(slots=True)
class Harvest:
    """The pages of a crawl as columns: R(p), whether the judge calls it relevant, and its host."""

    relevance: "array[float]" = field(default_factory=lambda: array("d"))
    relevant: bytearray = field(default_factory=bytearray)
    hosts: dict[str, int] = field(default_factory=dict)

    def add(self, url: str, relevance: float, relevant: bool) -> None:
        self.relevance.append(relevance)
        self.relevant.append(relevant)
        self.hosts[host(url)] = self.hosts.get(host(url), 0) + 1

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


def recall(relevant: Sequence[int], *, total: int) -> float:
    """Relevant pages found / relevant pages of a closed web.

    >>> recall([1, 0, 1], total=8)
    0.25
    """
    return sum(relevant) / total if total else 0.0


def checkpoints(budget: int) -> list[int]:
    """The numbers of pages at which a crawl is measured: every 5 % of the budget.

    >>> checkpoints(10), checkpoints(400)[:3]
    ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [20, 40, 60])
    """
    return sorted({max(1, round(budget * i / CHECKPOINTS)) for i in range(1, CHECKPOINTS + 1)})


def harvest_area(relevant: Sequence[int], *, budget: int) -> float:
    """The mean harvest rate over 20 checkpoints: the whole curve, not its end.

    A crawl that ended early keeps its count: what was not fetched was not found.

    >>> harvest_area([1] * 20, budget=20), harvest_area([1] * 10, budget=20) < 1
    (1.0, True)
    """
    found = np.concatenate([[0], np.cumsum(np.asarray(relevant, dtype=np.int64))])
    at = [max(1, round(budget * i / CHECKPOINTS)) for i in range(1, CHECKPOINTS + 1)]
    return float(np.mean([found[min(n, len(found) - 1)] / n for n in at]))
