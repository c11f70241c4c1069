"""The crawler of paper 001 with the thresholds of its table 5, as strategies for ``fcwseo compare``.

Its cosine is the paper's: the norm goes over the words that the page has, so relevance is high, and a tau of
0.1 to 0.25 means what it means there.
"""

from random import Random

from fcwseo.relevance import Relevance
from fcwseo.relevance.paper import TopicNorm
from fcwseo.strategies.fcwseo_paper import FcwseoPaper, PaperParameters
from fcwseo_ontology.topic import Topic


def tau_10(topic: Topic, relevance: Relevance, rng: Random) -> FcwseoPaper:
    return _crawler(topic, rng, 0.10)


def tau_15(topic: Topic, relevance: Relevance, rng: Random) -> FcwseoPaper:
    return _crawler(topic, rng, 0.15)


def tau_20(topic: Topic, relevance: Relevance, rng: Random) -> FcwseoPaper:
    return _crawler(topic, rng, 0.20)


def tau_25(topic: Topic, relevance: Relevance, rng: Random) -> FcwseoPaper:
    return _crawler(topic, rng, 0.25)


def _crawler(topic: Topic, rng: Random, tau: float) -> FcwseoPaper:
    return FcwseoPaper(topic, rng, parameters=PaperParameters(tau=tau, norm=TopicNorm.SUPPORT))
