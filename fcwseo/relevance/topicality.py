"""A relevance that people can read: its percentile among ordinary pages, and a word.

The scale of relevance differs from topic to topic: 0.1 may be much or little. Ordinary pages are those that a
crawl fetched and did not keep, seeds left out, or documents that a user names as background.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from enum import StrEnum
from statistics import median

from msgspec import Struct

FEWEST_ORDINARY = 10  # ordinary pages for a percentile
OF_ETA = 0.5  # share of eta from which a page is near the topic
SURE = 75.0  # percentile below which seeds do not stand out


class Topicality(StrEnum):
    """Whether a page is about the topic, in words."""

    OFF = "off topic"
    NEAR = "near topic"
    ON = "on topic"


class Reading(Struct, frozen=True):
    """A relevance with its percentile among ordinary pages (None while these are few) and its word."""

    relevance: float
    percentile: float | None
    topicality: Topicality

    def __str__(self) -> str:
        """
        >>> str(Reading(0.123456, 98.7, Topicality.ON)), str(Reading(0.0, None, Topicality.OFF))
        ('0.123, on topic, above 99 % of ordinary pages', '0.000, off topic')
        """
        above = "" if self.percentile is None else f", above {self.percentile:.0f} % of ordinary pages"
        return f"{self.relevance:.3f}, {self.topicality}{above}"


class Scale:
    """Turns relevance into readings.

    >>> scale = Scale(0.1, [0.01 * n for n in range(10)])
    >>> [str(scale.reading(relevance)) for relevance in (0.2, 0.055)]
    ['0.200, on topic, above 100 % of ordinary pages', '0.055, near topic, above 60 % of ordinary pages']
    """

    def __init__(self, eta: float, ordinary: Iterable[float] = ()) -> None:
        self.eta = eta
        self._ordinary = sorted(ordinary)

    def reading(self, relevance: float, eta: float | None = None) -> Reading:
        """The reading of a relevance, by the threshold of its visit if it is given."""
        return Reading(relevance, self.percentile(relevance), self.topicality(relevance, eta))

    def of_kept(self, relevance: float) -> Reading:
        """The reading of a kept page: it is on topic, by the threshold of its visit.

        >>> str(Scale(0.1).of_kept(0.07))
        '0.070, on topic'
        """
        return Reading(relevance, self.percentile(relevance), Topicality.ON)

    def percentile(self, relevance: float) -> float | None:
        """The share of ordinary pages below this relevance, from 0 to 100; ties count half."""
        if len(self._ordinary) < FEWEST_ORDINARY:
            return None
        upto = bisect_left(self._ordinary, relevance) + bisect_right(self._ordinary, relevance)
        return round(50 * upto / len(self._ordinary), 1)

    def topicality(self, relevance: float, eta: float | None = None) -> Topicality:
        """On topic from eta on, near the topic from half of it; a given ``eta`` replaces that of the scale.

        >>> [str(Scale(0.1).topicality(relevance)) for relevance in (0.1, 0.05, 0.04)]
        ['on topic', 'near topic', 'off topic']
        """
        least = self.eta if eta is None else eta
        if relevance > 0 and relevance >= least:
            return Topicality.ON
        return Topicality.NEAR if relevance > 0 and relevance >= OF_ETA * least else Topicality.OFF

    def of_median(self, relevance: Sequence[float]) -> Reading | None:
        """The reading of the median; None without pages."""
        return self.reading(median(relevance)) if relevance else None


def stands_out(seeds: Reading) -> bool:
    """Whether seeds are nearer to the topic than ordinary pages.

    >>> scale = Scale(0.1, [0.02] * 20)
    >>> [stands_out(scale.reading(relevance)) for relevance in (0.2, 0.05, 0.01)]
    [True, True, False]
    """
    is_above = seeds.percentile is not None and seeds.percentile >= SURE
    return seeds.topicality is Topicality.ON or (is_above and seeds.relevance > 0)
