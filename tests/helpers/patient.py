"""A strategy that goes by the turns of hosts: it may leave a host alone that could be asked."""

from collections.abc import Sequence
from random import Random

from fcwseo.pages import Link, Page, Visit
from fcwseo.pages.urls import host
from fcwseo.relevance import Relevance
from fcwseo.strategies.protocol import Turns
from fcwseo_ontology.topic import Topic


class Patient:
    """The best links by the relevance of their page, of at most ``seats`` hosts, one of a host at a time.

    It keeps what it saw of the turns at each call.
    """

    def __init__(self, seats: int = 3) -> None:
        self._seats = seats
        self._worth: dict[str, tuple[float, Link]] = {}  # of the links that wait, in the order found
        self._seen: set[str] = set()
        self.calls: list[tuple[int, int | None, float | None, float]] = []  # n, pages, seconds, turn
        self.waits: list[float] = []  # of the links returned

    def observe(self, visit: Visit) -> None:
        if not isinstance(visit.outcome, Page):
            return
        for link in visit.outcome.links:
            if link.target not in self._seen:
                self._seen.add(link.target)
                self._worth[link.target] = (visit.relevance, link)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        self.calls.append((n, turns.pages_left, turns.seconds_left, turns.turn))
        best: dict[str, Link] = {}
        for _, link in sorted(self._worth.values(), key=lambda pair: -pair[0]):
            best.setdefault(host(link.target), link)
        seated = list(best.items())[: self._seats]
        chosen = [link for name, link in seated if turns.wait(name) == 0][:n]
        self.waits += [turns.wait(host(link.target)) for link in chosen]
        for link in chosen:
            del self._worth[link.target]
        return chosen

    def take(self, url: str) -> Link | None:
        _, link = self._worth.pop(url, (0.0, None))
        return link


class Mine(Patient):
    """The same, as a user's strategy: ``patient.py:Mine``."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random) -> None:
        super().__init__()
