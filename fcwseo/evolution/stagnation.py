"""Whether a crawl is stuck: how often it finds something relevant now, against its best times."""

MEMORY = 60  # pages over which the rate of success is averaged
FADING = 0.9995  # by which the best rate is forgotten with each page


class Stagnation:
    """A page is a success if its relevance reaches the threshold of the crawl.

    >>> crawl = Stagnation()
    >>> crawl.add(True, is_seed=True)
    >>> for _ in range(100):
    ...     crawl.add(False)
    >>> crawl.stuck > 0.8
    True
    """

    def __init__(self) -> None:
        self._rate, self._peak = 0.5, 0.5

    @property
    def stuck(self) -> float:
        """0 while the crawl is at its best, 1 if nothing is found any more."""
        return 1 - self._rate / self._peak

    def add(self, is_relevant: bool, *, is_seed: bool = False, explores: bool = False) -> None:
        """Count a page. Seeds and pages of exploring links say nothing of the others: they do not count."""
        if not is_seed and not explores:
            self._rate += (is_relevant - self._rate) / MEMORY
            self._peak = max(FADING * self._peak, self._rate, 1e-3)
