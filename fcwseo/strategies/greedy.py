"""Best-first search on the predictor of FCWSEO."""

from random import Random

from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo_ontology.topic import Topic


def greedy(topic: Topic, relevance: Relevance, rng: Random) -> Fcwseo:
    """FCWSEO without exploring, bank and pagination: links are chosen by predicted relevance alone."""
    alone = FcwseoParameters(explore=0.0, radius=float("inf"), later=0.0)
    return Fcwseo(topic, relevance, rng, parameters=alone)
