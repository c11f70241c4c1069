"""The strategies by name: what ``--strategy`` takes. One small file each.

A strategy is made of the topic, the relevance by which the crawl judges pages, and its source of chance.
"""

from collections.abc import Callable
from functools import partial
from random import Random

from fcwseo.relevance import Relevance
from fcwseo.strategies.best_first import BestFirst
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.fcmrps import fcmrps
from fcwseo.strategies.fcwseo import Fcwseo
from fcwseo.strategies.fcwseo_paper import FcwseoPaper, without_ontology
from fcwseo.strategies.greedy import greedy
from fcwseo.strategies.text_models import sdvsm_crawler, ssrm_crawler, svsm_crawler, vsm_crawler
from fcwseo.strategy import Strategy
from fcwseo_ontology.topic import Topic

Factory = Callable[[Topic, Relevance, Random], Strategy]

STRATEGIES: dict[str, Factory] = {
    "bfs": lambda topic, relevance, rng: BreadthFirst(),
    "best-first": lambda topic, relevance, rng: BestFirst(),
    "fcwseo": Fcwseo,
    "greedy": greedy,
    "fcwseo-paper": lambda topic, relevance, rng: FcwseoPaper(topic, rng),
    "fcwse": lambda topic, relevance, rng: FcwseoPaper(without_ontology(topic), rng),
    "vsm": vsm_crawler,
    "ssrm": ssrm_crawler,
    "svsm": svsm_crawler,
    "sdvsm": sdvsm_crawler,
    "fcmrps": fcmrps,
    "fcmrps-1": partial(fcmrps, variant="fcmrps-1"),
    "fcmrps-2": partial(fcmrps, variant="fcmrps-2"),
    "fcmrps-3": partial(fcmrps, variant="fcmrps-3"),
    "fcmrps-13": partial(fcmrps, variant="fcmrps-13"),
    "fcmrps-124": partial(fcmrps, variant="fcmrps-124"),
}
