"""The strategies by name: what ``--strategy`` takes. One small file each.

A strategy is made of the topic, the relevance by which the crawl judges pages, and its source of chance.
"""

from collections.abc import Callable
from random import Random

from fcwseo.relevance import Relevance
from fcwseo.relevance.keyword_table import KeywordTable
from fcwseo.strategies.best_first import BestFirst
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.fcwseo import Fcwseo
from fcwseo.strategies.fcwseo_paper import FcwseoPaper, without_ontology
from fcwseo.strategies.greedy import greedy
from fcwseo.strategies.keyword_table import KeywordTableFirst
from fcwseo.strategies.semantic import bsvsm, bsvsm_ha, elmo, word2vec
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
    "keyword-table": lambda topic, relevance, rng: KeywordTableFirst(KeywordTable(topic)),
    "keyword-table-plain": lambda topic, relevance, rng: KeywordTableFirst(
        KeywordTable(topic), optimised=False
    ),
    "word2vec": word2vec,
    "elmo": elmo,
    "bsvsm": bsvsm,
    "bsvsm-ha": bsvsm_ha,
}
