"""What a crawling strategy is: it observes visits and names the links to follow next."""

from collections.abc import Sequence
from typing import Protocol

from fcwseo.pages import Link, Visit


class Strategy(Protocol):
    """Each link named by ``next`` is followed and observed exactly once.

    The first visit observed is an imaginary one: its page links to the seeds.
    """

    def observe(self, visit: Visit) -> None: ...

    def next(self, n: int) -> Sequence[Link]:
        """At most ``n`` links, best first. None while nothing is in flight means the end."""
        ...
