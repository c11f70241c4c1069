"""Whether a crawl is stuck: how often it finds something relevant now, against its best times."""

from statistics import median

MEMORY = 60  # pages over which the rate of success is averaged
FADING = 0.9995  # by which the best rate is forgotten with each page
HIT = 0.7  # of the relevance of the seeds, from which a page is a success


class Stagnation:
    """
    >>> crawl = Stagnation()
    >>> crawl.seed(0.5)
    >>> for _ in range(100):
    ...     crawl.add(0.0)
    >>> crawl.stuck > 0.8
    True
    """

    def __init__(self) -> None:
        self._seeds: list[float] = []
        self._rate, self._peak = 0.5, 0.5

    @property
    def stuck(self) -> float:
        """0 while the crawl is at its best, 1 if nothing is found any more."""
        return 1 - self._rate / self._peak

    def seed(self, relevance: float) -> None:
        """A page to begin with: what is nearly as relevant is a success."""
        self._seeds.append(relevance)

    def add(self, relevance: float) -> None:
        """A page that was expected to be relevant."""
        hit = bool(self._seeds) and relevance >= HIT * median(self._seeds)
        self._rate += (hit - self._rate) / MEMORY
        self._peak = max(FADING * self._peak, self._rate, 1e-3)
