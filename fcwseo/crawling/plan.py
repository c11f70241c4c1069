"""The plan of a crawl: what is decided before it starts."""

from dataclasses import dataclass

from fcwseo.errors import InvalidInput
from fcwseo.relevance.loading import TOPICAL

MOST_PAGES = 10**9  # a larger budget is a typing error


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a web is to be crawled.

    Args:
        strategy: A name, or ``FILE.py:CLASS``.
        relevance: What judges pages: ``topical``, or ``FILE.py:CLASS``.
        max_pages: The budget, in pages.
        seed: Of the random numbers that the strategy draws.
        width: How many pages may be fetched at once.
        eta: Pages of this relevance or more are kept; without it the crawl estimates a threshold.

    >>> Plan(max_pages=100).strategy
    'fcwseo'
    """

    strategy: str = "fcwseo"
    max_pages: int
    seed: int = 0
    width: int = 1
    eta: float | None = None
    relevance: str = TOPICAL

    def __post_init__(self) -> None:
        if self.max_pages < 1 or self.width < 1:
            raise InvalidInput(
                f"a crawl needs max_pages and width of at least 1, not {self.max_pages} and {self.width}"
            )
        if self.max_pages > MOST_PAGES:
            raise InvalidInput(f"a crawl visits at most {MOST_PAGES:,} pages, not {self.max_pages:,}")
