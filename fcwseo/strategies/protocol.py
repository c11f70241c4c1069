"""The protocol of crawling strategies: they observe visits and return the links to follow next.

A strategy has the methods of ``Strategy``. Three more are optional: ``take`` (``Takes``) lets a strategy go
by the turns of hosts, and ``reasons`` (``GivesReasons``) and ``tell`` (``Tells``) return lines of text about
a link, which ``fcwseo explain`` shows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, runtime_checkable

from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo_ontology.topic import Topic


class Turns(Protocol):
    """When hosts accept requests, and what is left of the crawl, at the moment of the choice.

    A host is the value of ``fcwseo.pages.urls.host``. It takes one link at a time: the second link of a host
    that one call of ``next`` returns has to wait.
    """

    @property
    def turn(self) -> float:
        """Seconds from one request to the next of a host, smoothed over all hosts; 0 on a closed web."""
        ...

    @property
    def pages_left(self) -> int | None:
        """Pages left in the budget, with those in flight; None if unknown."""
        ...

    @property
    def seconds_left(self) -> float | None:
        """Seconds left of the time given to the crawl; None if it was given none."""
        ...

    def wait(self, host: str) -> float:
        """Seconds until a link of a host can be fetched; 0 if it can be fetched now. A host of unknown
        robots.txt can: the request of that file is its first turn.
        """
        ...


@dataclass(frozen=True, slots=True)
class AtOnce:
    """The turns of closed webs: every host accepts requests at any time.

    >>> AT_ONCE.turn, AT_ONCE.wait("a.example"), AtOnce(pages_left=7).pages_left
    (0.0, 0.0, 7)
    """

    turn: float = 0.0
    pages_left: int | None = None
    seconds_left: float | None = None

    def wait(self, host: str) -> float:
        """No time: the host may be asked now."""
        return 0.0


AT_ONCE = AtOnce()


class Strategy(Protocol):
    """A crawling strategy. Each link that ``next`` returns is followed and observed exactly once; but a link
    that failed may be asked again at the wish of the user, and is observed once more if it then gives a page.

    The first observed visit is virtual: its page links to the seeds. A strategy draws randomness only from
    the ``Random`` passed to its factory, so that a crawl can be repeated and continued.
    """

    def observe(self, visit: Visit) -> None:
        """Learn from a visit: a page with its relevance and links, or a failure."""
        ...

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        """Return at most ``n`` links, best first. No target is returned twice, and each is a link of an
        observed page.

        Fewer links, or none, mean: no more now. A place then stays idle until ``next`` is called again, after
        the next visit or when the turn of another host has come. An empty list ends the crawl if nothing is
        in flight and no host waits for its turn; on a closed web no host ever waits.

        A link whose host has to wait is fetched when its turn comes. Only a few such links are accepted at a
        time, so a strategy may ignore the turns. One that goes by them should have ``take``.

        Args:
            n: Maximum number of links. turns: When hosts accept requests; a strategy may ignore it.
        """
        ...


@runtime_checkable
class Takes(Protocol):
    """Optional: a strategy whose choices depend on the turns of hosts.

    A crawl is continued by its log, which has the links but not the turns. Such a strategy is then not asked:
    each link of the log is passed to ``take``. So what ``next`` does beyond returning links must follow from
    the visits alone: a choice may draw randomness from the seed and the number of pages, but not from a
    generator that runs on from call to call. What is measured of time is of one session, and begins anew.
    """

    def take(self, url: str) -> Link | None:
        """Return the waiting link to a URL, and be in the state as if ``next`` had returned it; None if no
        such link waits.
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
