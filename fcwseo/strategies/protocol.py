"""The protocol of crawling strategies: they observe visits and return the links to follow next.

A strategy has the methods of ``Strategy``. Two more are optional: ``reasons`` (``GivesReasons``) and ``tell``
(``Tells``) return lines of text about a link, which ``fcwseo explain`` shows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, runtime_checkable

from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo_ontology.topic import Topic


class Turns(Protocol):
    """When hosts accept requests. A host is the value of ``fcwseo.pages.urls.host``."""

    @property
    def turn(self) -> float:
        """Seconds between requests to a host that does not ask for a longer delay."""
        ...

    @property
    def pages_left(self) -> int:
        """Pages left of the budget."""
        ...

    @property
    def seconds_left(self) -> float | None:
        """Seconds left; None without a limit of time."""
        ...

    def wait(self, host: str) -> float:
        """Seconds until another link of a host can be fetched; 0 if it can be fetched now."""
        ...


@dataclass(frozen=True, slots=True)
class AtOnce:
    """The turns of closed webs: every host accepts requests at any time.

    >>> AT_ONCE.turn, AT_ONCE.wait("a.example")
    (0.0, 0.0)
    """

    turn: float = 0.0
    pages_left: int = 0
    seconds_left: float | None = None

    def wait(self, host: str) -> float:
        """No time: the host may be asked now."""
        return 0.0


AT_ONCE = AtOnce()


class Strategy(Protocol):
    """A crawling strategy. Each link that ``next`` returns is followed and observed exactly once.

    The first observed visit is virtual: its page links to the seeds. A strategy draws randomness only from
    the ``Random`` passed to its factory, so that a crawl can be repeated and continued.
    """

    def observe(self, visit: Visit) -> None:
        """Learn from a visit: a page with its relevance and links, or a failure."""
        ...

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        """Return at most ``n`` links, best first. An empty list while nothing is in flight ends the crawl.

        No target is returned twice, and each is a link of an observed page.

        Args:
            n: Maximum number of links. turns: When hosts accept requests; a strategy may ignore it.
        """
        ...


@runtime_checkable
class GivesReasons(Protocol):
    """Optional: a strategy that explains why it returned a link, or why the link waits."""

    def reasons(self, url: str) -> Sequence[str]:
        """Return lines about a link that ``next`` just returned, or that waits, without side effects."""
        ...


@runtime_checkable
class Tells(Protocol):
    """Optional: a strategy that describes the score of a link on the last observed page."""

    def tell(self, page: Page, link: Link) -> Sequence[str]:
        """Return lines about a link of the last observed page, without side effects."""
        ...


Factory = Callable[[Topic, Relevance, Random], Strategy]
"""Returns a strategy for a topic, the relevance of the crawl and a source of randomness."""
