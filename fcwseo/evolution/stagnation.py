"""Whether a crawl is stuck: how often it finds something relevant now, against its best times."""

from fcwseo.relevance.threshold import OnTheWay

MEMORY = 60  # pages over which the rate of success is averaged
FADING = 0.9995  # by which the best rate is forgotten with each page


class Stagnation:
    """A page is a success if it would be kept, by the threshold that a crawl finds on its way.

    >>> crawl = Stagnation()
    >>> crawl.add(0.5, is_seed=True)
    >>> for _ in range(100):
    ...     crawl.add(0.0)
    >>> crawl.stuck > 0.8
    True
    """

    def __init__(self) -> None:
        self._threshold = OnTheWay()
        self._rate, self._peak = 0.5, 0.5

    @property
    def stuck(self) -> float:
        """0 while the crawl is at its best, 1 if nothing is found any more."""
        return 1 - self._rate / self._peak

    def add(self, relevance: float, *, is_seed: bool = False, explores: bool = False) -> None:
        """A page; that seeds and pages of exploring links are not relevant says nothing of the others."""
        eta = self._threshold.add(relevance, is_seed=is_seed)
        if not is_seed and not explores:
            self._rate += ((relevance >= eta) - self._rate) / MEMORY
            self._peak = max(FADING * self._peak, self._rate, 1e-3)
