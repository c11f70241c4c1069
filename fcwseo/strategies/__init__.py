"""The strategies by name: what ``--strategy`` takes. One small file each."""

from collections.abc import Callable
from random import Random

from fcwseo.strategies.best_first import BestFirst
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategy import Strategy
from fcwseo_ontology.topic import Topic

Factory = Callable[[Topic, Random], Strategy]

STRATEGIES: dict[str, Factory] = {
    "bfs": lambda topic, rng: BreadthFirst(),
    "best-first": lambda topic, rng: BestFirst(),
}
