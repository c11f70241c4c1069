"""The protocol of crawling strategies: they observe visits and name the links to follow next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fcwseo.pages import Link, Visit


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
        return 0.0


AT_ONCE = AtOnce()


class Strategy(Protocol):
    """Each link named by ``next`` is followed and observed exactly once.

    The first visit observed is an imaginary one: its page links to the seeds.
    """

    def observe(self, visit: Visit) -> None: ...

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        """At most ``n`` links, best first. No link while nothing is in flight means the end.

        Args:
            n: How many links are wanted.
            turns: When hosts may be asked. A strategy that does not care ignores it.
        """
        ...
