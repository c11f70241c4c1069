"""The plan of a crawl: the choices made before it starts."""

from dataclasses import dataclass

from fcwseo.errors import InvalidInput
from fcwseo.evolution.radius import PATIENCE
from fcwseo.relevance.loading import TOPICAL

MOST_PAGES = 10**9  # a larger budget is probably a typing error


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How to crawl a web.

    Args:
        strategy: A name, or ``FILE.py:CLASS``.
        relevance: How pages are judged: ``topical``, or ``FILE.py:CLASS``.
        patience: From 0 (FCWSEO asks any host that may be asked) to 1 (only ever for the best link).
        max_pages: The budget, in pages.
        seed: The seed of the strategy's random numbers.
        width: Number of concurrent fetches.
        max_depth: Links of pages at this depth are not followed; seeds are at depth 0.
        eta: Pages of at least this relevance are kept; without it the crawl uses a running threshold.

    >>> Plan(max_pages=100).strategy
    'fcwseo'
    """

    strategy: str = "fcwseo"
    max_pages: int
    seed: int = 0
    width: int = 1
    eta: float | None = None
    relevance: str = TOPICAL
    patience: float = PATIENCE
    max_depth: int | None = None

    def __post_init__(self) -> None:
        if self.max_pages < 1 or self.width < 1:
            raise InvalidInput(
                f"a crawl needs max_pages and width of at least 1, not {self.max_pages} and {self.width}"
            )
        if not 0 <= self.patience <= 1:
            raise InvalidInput(f"patience lies between 0 and 1: {self.patience:g} does not")
        if self.max_pages > MOST_PAGES:
            raise InvalidInput(f"a crawl visits at most {MOST_PAGES:,} pages, not {self.max_pages:,}")
