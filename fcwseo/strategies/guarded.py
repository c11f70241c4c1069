"""Strategies of users, checked against the protocol: an error names their file and line.

The crawl trusts what a built-in strategy returns, since tests check it. A user's strategy is checked at each
call, and the true depth of its links is set.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from fcwseo.pages import Link, Page, Visit
from fcwseo.plugins import Plugin
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.protocol import Factory, GivesReasons, Strategy, Tells, Turns
from fcwseo_ontology.topic import Topic

_METHODS = {"observe": "observe(visit)", "next": "next(n, turns)"}


class Guarded:
    """A strategy of a user whose calls are checked.

    Args:
        strategy: The object that the user's class or function returned.
        plugin: The class or function.

    Raises:
        InvalidStrategy: If a method is missing.
    """

    def __init__(self, strategy: Any, plugin: Plugin) -> None:
        for method, signature in _METHODS.items():
            if not callable(getattr(strategy, method, None)):
                raise plugin.refused(plugin.thing, "", f"has no method {signature}")
        self._strategy: Strategy = strategy
        self._plugin = plugin
        self._depths: dict[str, int] = {}  # of the links seen so far
        self._returned: set[str] = set()

    def observe(self, visit: Visit) -> None:
        if isinstance(visit.outcome, Page):
            for link in visit.outcome.links:
                self._depths.setdefault(link.target, visit.link.depth + 1)
        with self._plugin.blamed(self._strategy.observe, "observe"):
            self._strategy.observe(visit)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        with self._plugin.blamed(self._strategy.next, "next"):
            found: object = self._strategy.next(n, turns)
            links = list(found) if isinstance(found, Iterable) else [found]
        if why := self._why_not(links, n):
            raise self._plugin.refused(self._strategy.next, "next", why)
        return [self._taken(link) for link in links if isinstance(link, Link)]

    def reasons(self, url: str) -> Sequence[str]:
        if not isinstance(self._strategy, GivesReasons):
            return ()
        with self._plugin.blamed(self._strategy.reasons, "reasons"):
            return _lines(self._strategy.reasons(url))

    def tell(self, page: Page, link: Link) -> Sequence[str]:
        if not isinstance(self._strategy, Tells):
            return ()
        with self._plugin.blamed(self._strategy.tell, "tell"):
            return _lines(self._strategy.tell(page, link))

    def _why_not(self, links: Sequence[object], n: int) -> str:
        """The fault of the returned links; empty if they are correct."""
        if len(links) > n:
            return f"returned {len(links)} links, but at most {n} were requested"
        targets: set[str] = set()
        for link in links:
            if not isinstance(link, Link):
                return f"returned {_kind(link)} where a list of links is expected"
            if link.target not in self._depths:
                return f"returned {link.target!r}, which is not a link of an observed page"
            if link.target in self._returned or link.target in targets:
                return f"returned {link.target} twice: each link may be returned once"
            targets.add(link.target)
        return ""

    def _taken(self, link: Link) -> Link:
        self._returned.add(link.target)
        depth = self._depths[link.target]
        return link if link.depth == depth else msgspec.structs.replace(link, depth=depth)


class GuardedExplaining(Guarded):
    """A guarded strategy that also has ``explain``, like FCWSEO."""

    def explain(self, url: str) -> Any:
        with self._plugin.blamed(self._strategy, "explain"):
            return self._strategy.explain(url)  # type: ignore[attr-defined]


class GuardedTaking(Guarded):
    """A guarded strategy that also has ``take``."""

    def take(self, url: str) -> Link | None:
        taker = self._strategy.take  # type: ignore[attr-defined]
        with self._plugin.blamed(taker, "take"):
            link: object = taker(url)
        if link is None:
            return None
        if not isinstance(link, Link) or link.target != url:
            got = link.target if isinstance(link, Link) else _kind(link)
            raise self._plugin.refused(taker, "take", f"returned {got} for {url}")
        return self._taken(link)


class GuardedTakingExplaining(GuardedTaking, GuardedExplaining):
    """A guarded strategy that also has ``take`` and ``explain``."""


_GUARDS = {  # by whether the strategy has ``take``, and ``explain``
    (False, False): Guarded,
    (False, True): GuardedExplaining,
    (True, False): GuardedTaking,
    (True, True): GuardedTakingExplaining,
}


def guarded(plugin: Plugin) -> Factory:
    """A factory of guarded strategies of a plugin."""

    def make(topic: Topic, relevance: Relevance, rng: Random) -> Strategy:
        strategy = plugin.make(topic, relevance, rng)
        return _GUARDS[hasattr(strategy, "take"), hasattr(strategy, "explain")](strategy, plugin)

    return make


def _lines(found: object) -> Sequence[str]:
    """Lines of text; a single line or None is accepted as well."""
    if found is None:
        return ()
    return tuple(map(str, found)) if isinstance(found, list | tuple) else (str(found),)


def _kind(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
