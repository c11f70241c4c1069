"""A strategy driven by hand over pages that are written down, with hosts that accept requests when told."""

from dataclasses import dataclass, field
from random import Random

from fcwseo.crawling.engine import SEEDS
from fcwseo.pages import Failure, Link, Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.threshold import RunningThreshold
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.8, "landslide": 0.6})
TOPICAL = "A rainstorm led to a flood and a landslide near the town. " * 300
OTHER = "The committee of the museum elected a treasurer and a secretary. " * 300


def page(url: str, text: str, *links: tuple[str, str]) -> Page:
    found = tuple(
        Link(target, url, anchor, anchor, position) for position, (target, anchor) in enumerate(links)
    )
    return Page(url, "", text, found, ("", "", "", text, ""), "en")


class Crawl:
    """Drives the strategy by hand over given pages."""

    def __init__(
        self, *seeds: str, parameters: FcwseoParameters | None = None, rng: Random | None = None
    ) -> None:
        self.relevance = TopicalRelevance(TOPIC)
        self.strategy = Fcwseo(TOPIC, self.relevance, rng or Random(0), parameters=parameters)
        links = tuple(Link(seed, SEEDS) for seed in seeds)
        self.strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=links)))
        self.threshold = RunningThreshold()
        self.step = 0

    def tell(self, link: Link, outcome: Page | Failure) -> None:
        self.step += 1
        relevance, eta = 0.0, 0.0
        if isinstance(outcome, Page):
            relevance = self.relevance(outcome)
            eta = self.threshold.add(relevance, is_seed=link.depth == 0)
        self.strategy.observe(Visit(self.step, link, outcome, relevance, eta=eta))


@dataclass
class Hosts:
    """Turns: a host accepts a request unless ``waits`` names it."""

    turn: float = 1.2
    pages_left: int = 1000
    seconds_left: float | None = None
    waits: dict[str, float] = field(default_factory=dict)

    def wait(self, name: str) -> float:
        return self.waits.get(name, 0.0)
