"""The links that a crawl would follow first, found without fetching."""

from collections.abc import Sequence
from dataclasses import dataclass

from fcwseo.crawling.run import Origin, prepare
from fcwseo.crawling.settings import Settings, scope_of
from fcwseo.live.traps import trap_in
from fcwseo_ontology.topic import Topic

_MOST = 20


@dataclass(frozen=True, slots=True)
class First:
    """A link that would be followed, and the reason if it would be refused."""

    url: str
    refused: str


def first_links(settings: Settings, topic: Topic, seeds: Sequence[str]) -> list[First]:
    """The first links that the strategy would return."""
    live = settings.live
    _, window = prepare(Origin("live", ""), topic, seeds, settings.crawl.plan(polite=True))
    scope = scope_of(live, seeds)
    urls = [link.target for link in window.ask(_MOST)]
    return [First(url, scope.why_not(url) or trap_in(url, settings.traps)) for url in urls]
