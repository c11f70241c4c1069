"""From which relevance on a page counts as relevant, where a crawler needs a yes or no."""

from statistics import median

from fcwseo.pages import Page, Visit


class SeedLevel:
    """A page is relevant if it is nearly as relevant as the seeds, which are known to be.

    >>> from fcwseo.pages import Link
    >>> level = SeedLevel(0.5)
    >>> level.observe(Visit(1, Link("a", "", depth=0), Page("a"), 0.4))
    >>> level.is_relevant(0.2), level.is_relevant(0.1)
    (True, False)
    """

    def __init__(self, share: float) -> None:
        self._share = share  # of the median of the seeds' relevance
        self._seeds: list[float] = []
        self.median = 0.0

    def observe(self, visit: Visit) -> None:
        if visit.link.depth == 0 and isinstance(visit.outcome, Page):
            self._seeds.append(visit.relevance)
            self.median = median(self._seeds)

    def is_relevant(self, relevance: float) -> bool:
        return relevance > 0 and relevance >= self._share * self.median
