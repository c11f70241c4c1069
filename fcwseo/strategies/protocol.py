"""The protocol of crawling strategies: they observe visits and name the links to follow next.

A strategy of one's own has the methods of ``Strategy``. Two more are optional: ``reasons`` (``GivesReasons``)
and ``tell`` (``Tells``) say in lines what the strategy makes of a link; ``fcwseo explain`` shows them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol, runtime_checkable

from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo_ontology.topic import Topic


class Turns(Protocol):
    """When hosts may be asked. Hosts are those of ``fcwseo.pages.urls.host``."""

    @property
    def turn(self) -> float:
        """The seconds from one request to a host to the next, where the host asks for no more."""
        ...

    def wait(self, host: str) -> float:
        """The seconds until a further link of a host could be fetched; 0 if it could be now."""
        ...


@dataclass(frozen=True, slots=True)
class AtOnce:
    """The turns of closed webs: every host may be asked at any time.

    >>> AT_ONCE.turn, AT_ONCE.wait("a.example")
    (0.0, 0.0)
    """

    turn: float = 0.0

    def wait(self, host: str) -> float:
        """No time: the host may be asked now."""
        return 0.0


AT_ONCE = AtOnce()


class Strategy(Protocol):
    """Each link that ``next`` returns is followed and observed exactly once.

    The first visit observed is an imaginary one: its page links to the seeds. A strategy draws randomness
    only from the ``Random`` that it was given, so that a crawl can be repeated and continued.
    """

    def observe(self, visit: Visit) -> None:
        """Learn from a visit: a page with its relevance and links, or a failure."""
        ...

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        """At most ``n`` links, best first. No link while nothing is in flight means the end.

        No target is returned twice, and each one was a link of a page that was observed.

        Args:
            n: How many links are wanted.
            turns: When hosts may be asked. A strategy that does not care ignores it.
        """
        ...


@runtime_checkable
class GivesReasons(Protocol):
    """Optional: a strategy that says why it returned a link, or why the link waits."""

    def reasons(self, url: str) -> Sequence[str]:
        """Lines about a link that ``next`` has just returned, or that waits. Asking changes nothing."""
        ...


@runtime_checkable
class Tells(Protocol):
    """Optional: a strategy that says what a link is worth on the page that was observed last."""

    def tell(self, page: Page, link: Link) -> Sequence[str]:
        """Lines about a link of the page that ``observe`` was just given. Asking changes nothing."""
        ...


Factory = Callable[[Topic, Relevance, Random], Strategy]
"""Makes a strategy from the topic, the relevance of the crawl and its source of randomness."""
