"""Stagnation of a crawl: its present rate of success, compared with its best rate."""

MEMORY = 60  # pages over which the rate of success is averaged
FADING = 0.9995  # decay of the best rate per page


class Stagnation:
    """The stagnation of a crawl. A page is a success if its relevance reaches the threshold of the crawl.

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
        """0 while the crawl is at its best rate, 1 if it finds no relevant page any more."""
        return 1 - self._rate / self._peak

    def add(self, is_relevant: bool, *, is_seed: bool = False, explores: bool = False) -> None:
        """Add a page. Seeds and pages of exploring links are not representative and are ignored."""
        if not is_seed and not explores:
            self._rate += (is_relevant - self._rate) / MEMORY
            self._peak = max(FADING * self._peak, self._rate, 1e-3)
