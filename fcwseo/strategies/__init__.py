"""The strategies by name: what ``--strategy`` takes. One small file each.

A strategy is made of the topic, the relevance by which the crawl judges pages, and its source of chance. The
``Oracle`` is not among them: it needs someone who judges all pages of a web. Only comparisons have one.
"""

from collections.abc import Callable
from functools import partial
from random import Random

from fcwseo.relevance.models.keyword_table import KeywordTable
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.best_first import BestFirst
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.fcwseo import Fcwseo
from fcwseo.strategies.fcwseo_paper import FcwseoPaper, without_ontology
from fcwseo.strategies.greedy import greedy
from fcwseo.strategies.protocol import Strategy
from fcwseo.strategies.rivals.ache import LinkClassifier
from fcwseo.strategies.rivals.fcmrps import fcmrps
from fcwseo.strategies.rivals.fcsa import Annealing
from fcwseo.strategies.rivals.fish import FishSearch
from fcwseo.strategies.rivals.keyword_table import KeywordTableFirst
from fcwseo.strategies.rivals.moaco import AntColony
from fcwseo.strategies.rivals.on_its import TabuSearch
from fcwseo.strategies.rivals.ops import OptimalPriority
from fcwseo.strategies.rivals.semantic import bsvsm, bsvsm_ha, elmo, word2vec
from fcwseo.strategies.rivals.shark import SharkSearch
from fcwseo.strategies.rivals.text_models import sdvsm_crawler, ssrm_crawler, svsm_crawler, vsm_crawler
from fcwseo_ontology.topic import Topic

Factory = Callable[[Topic, Relevance, Random], Strategy]

STRATEGIES: dict[str, Factory] = {
    "bfs": lambda topic, relevance, rng: BreadthFirst(),
    "best-first": lambda topic, relevance, rng: BestFirst(),
    "ops": lambda topic, relevance, rng: OptimalPriority(relevance),
    "fcsa": lambda topic, relevance, rng: Annealing(relevance, rng),
    "on-its": lambda topic, relevance, rng: TabuSearch(relevance, rng),
    "moaco": lambda topic, relevance, rng: AntColony(relevance, rng),
    "fish": lambda topic, relevance, rng: FishSearch(),
    "shark": lambda topic, relevance, rng: SharkSearch(relevance),
    "ache": lambda topic, relevance, rng: LinkClassifier(relevance),
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
    "keyword-table": lambda topic, relevance, rng: KeywordTableFirst(KeywordTable(topic)),
    "keyword-table-plain": lambda topic, relevance, rng: KeywordTableFirst(
        KeywordTable(topic), optimised=False
    ),
    "word2vec": word2vec,
    "elmo": elmo,
    "bsvsm": bsvsm,
    "bsvsm-ha": bsvsm_ha,
}

ORACLE = "oracle"
"""The name of the ``Oracle`` in comparisons. Every table of results says that it is an upper bound."""

RE_DERIVED = frozenset({"fcsa", "on-its", "moaco"})
"""Of these the sources that can be had give only an outline. Every table of results says so."""
