"""The strategies by name: what ``--strategy`` accepts, one entry each.

``fcwseo.strategies()`` lists them, with those of installed packages. The ``Oracle`` is not in ``STRATEGIES``:
it needs a judge for all pages of a web, which only comparisons have.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from random import Random
from types import ModuleType

from fcwseo.errors import InvalidStrategy
from fcwseo.relevance.models.keyword_table import KeywordTable
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.best_first import BestFirst
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo.strategies.fcwseo_paper import FcwseoPaper, without_ontology
from fcwseo.strategies.greedy import Greedy
from fcwseo.strategies.protocol import Factory, Strategy
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

__all__ = ["ORACLE", "ORACLE_ENTRY", "RE_DERIVED", "STRATEGIES", "Entry", "Factory"]

_LIU = "J. Liu, X. Li, Q. Zhang, G. Zhong 2022, web space evolution and domain ontology (paper 001)"
_W_LIU = "W. Liu and others 2022, semantic disambiguation vector space model (paper 000)"
_TABLE = "An improved architecture of a focused crawler by content and link analysis (paper 002)"
_HUANG = "W. Huang and others 2024, BERT semantic vector space model and hybrid algorithm (paper 003)"
_CHEN = "Z. Chen and others 2009, Computers and Mathematics with Applications 57 (paper 004)"
_ENCODER = "fcwseo[embeddings], a topic with English words"


@dataclass(frozen=True, slots=True)
class Entry:
    """A built-in strategy: its factory and its description.

    Attributes:
        make: Returns the strategy for a topic, the relevance of the crawl and a ``Random``.
        summary: What it does, in one line.
        reference: The paper that describes it.
        needs: An extra, labels, or a kind of topic that it requires.
        patient: Returns the factory of the strategy with another patience, if it has one.
        re_derived: Whether the available sources give only an outline; every table of results says so.
    """

    make: Factory
    summary: str
    reference: str = ""
    needs: str = ""
    re_derived: bool = False
    patient: Callable[[float], Factory] | None = None

    def __call__(self, topic: Topic, relevance: Relevance, rng: Random) -> Strategy:
        """Make the strategy."""
        return self.make(topic, relevance, rng)


STRATEGIES: dict[str, Entry] = {
    "bfs": Entry(
        lambda topic, relevance, rng: BreadthFirst(),
        "Breadth-first: links in the order in which they were found.",
    ),
    "best-first": Entry(
        lambda topic, relevance, rng: BestFirst(),
        "Links of the most relevant page first.",
        "F. Menczer, G. Pant, P. Srinivasan 2004, Topical web crawlers",
    ),
    "ops": Entry(
        lambda topic, relevance, rng: OptimalPriority(relevance),
        "Links of the largest comprehensive priority first.",
        _LIU,
    ),
    "fcsa": Entry(
        lambda topic, relevance, rng: Annealing(relevance, rng),
        "Simulated annealing on comprehensive priorities, with a memory of hosts.",
        "J. Liu, F. Li, T. Jiang 2019",
        re_derived=True,
    ),
    "on-its": Entry(
        lambda topic, relevance, rng: TabuSearch(relevance, rng),
        "Tabu search on comprehensive priorities.",
        "J. Liu, Y. Gu, W. Liu 2020",
        re_derived=True,
    ),
    "moaco": Entry(
        lambda topic, relevance, rng: AntColony(relevance, rng),
        "A multi-objective ant colony.",
        "Y. Dong, J. Liu, W. Liu 2020",
        re_derived=True,
    ),
    "fish": Entry(
        lambda topic, relevance, rng: FishSearch(),
        "Fish-Search: links of relevant pages, some steps deep.",
        "P. De Bra, R. Post 1994",
    ),
    "shark": Entry(
        lambda topic, relevance, rng: SharkSearch(relevance),
        "Shark-Search: Fish-Search that also scores anchors and the text around them.",
        "M. Hersovici and others 1998",
    ),
    "ache": Entry(
        lambda topic, relevance, rng: LinkClassifier(relevance),
        "A link classifier that learns online from URLs, anchors and contexts.",
        "L. Barbosa, J. Freire 2007, and the crawler ACHE",
    ),
    "fcwseo": Entry(
        Fcwseo,
        "Predicts relevance; chooses among hosts by bank, pace, radius, fronts and NFCS.",
        _LIU,
        patient=lambda patience: partial(Fcwseo, parameters=FcwseoParameters(patience=patience)),
    ),
    "greedy": Entry(
        Greedy,
        "Links of the highest expected relevance first, by the predictor of fcwseo.",
    ),
    "fcwseo-paper": Entry(
        lambda topic, relevance, rng: FcwseoPaper(topic, rng),
        "Algorithm 1 made executable.",
        _LIU,
    ),
    "fcwse": Entry(
        lambda topic, relevance, rng: FcwseoPaper(without_ontology(topic), rng),
        "Algorithm 1 without the ontology.",
        _LIU,
    ),
    "vsm": Entry(vsm_crawler, "Best-first by the vector space model.", _W_LIU),
    "ssrm": Entry(ssrm_crawler, "Best-first by the semantic similarity retrieval model.", _W_LIU),
    "svsm": Entry(svsm_crawler, "Best-first by the semantic vector space model.", _W_LIU),
    "sdvsm": Entry(sdvsm_crawler, "Best-first by the semantic model with ambiguous terms removed.", _W_LIU),
    "fcmrps": Entry(fcmrps, "Best-first by page, anchor, URL and link type.", _CHEN),
    "fcmrps-1": Entry(partial(fcmrps, variant="fcmrps-1"), "fcmrps by the page alone.", _CHEN),
    "fcmrps-2": Entry(partial(fcmrps, variant="fcmrps-2"), "fcmrps by the anchor alone.", _CHEN),
    "fcmrps-3": Entry(partial(fcmrps, variant="fcmrps-3"), "fcmrps by the URL alone.", _CHEN),
    "fcmrps-13": Entry(partial(fcmrps, variant="fcmrps-13"), "fcmrps by page and URL.", _CHEN),
    "fcmrps-124": Entry(
        partial(fcmrps, variant="fcmrps-124"), "fcmrps by page, anchor and link type.", _CHEN
    ),
    "keyword-table": Entry(
        lambda topic, relevance, rng: KeywordTableFirst(KeywordTable(topic)),
        "Links by a table of keywords that grows with relevant pages.",
        _TABLE,
    ),
    "keyword-table-plain": Entry(
        lambda topic, relevance, rng: KeywordTableFirst(KeywordTable(topic), optimised=False),
        "The earlier crawler that paper 002 compares its keyword table with.",
        _TABLE,
    ),
    "word2vec": Entry(word2vec, "Best-first by four texts, compared by word vectors.", _HUANG, _ENCODER),
    "elmo": Entry(
        elmo, "Best-first by four texts, compared by mixed layers of an encoder.", _HUANG, _ENCODER
    ),
    "bsvsm": Entry(bsvsm, "Best-first by four texts, compared by an encoder.", _HUANG, _ENCODER),
    "bsvsm-ha": Entry(bsvsm_ha, "bsvsm with fitted weights of the four texts.", _HUANG, _ENCODER),
}

ORACLE = "oracle"
"""The name of the ``Oracle`` in comparisons. Every table of results says that it is an upper bound."""


def _refuse_oracle(topic: Topic, relevance: Relevance, rng: Random) -> Strategy:
    raise InvalidStrategy(f"{ORACLE} sees the labels of a web: only fcwseo compare, with --relevant, runs it")


ORACLE_ENTRY = Entry(
    _refuse_oracle,
    "Relevant links first, by the labels of the pages behind them: an upper bound.",
    needs="labels of the web, in fcwseo compare --relevant",
)
"""The description of the oracle. Comparisons construct it."""

RE_DERIVED = frozenset(name for name, entry in STRATEGIES.items() if entry.re_derived)
"""The strategies whose available sources give only an outline."""


class _Callable(ModuleType):
    """This module, which lists its strategies when it is called.

    ``fcwseo.strategies`` is the name of the module and of the public function: importing one would hide the
    other.
    """

    def __call__(self) -> object:
        return import_module("fcwseo.strategies.loading").strategies()


sys.modules[__name__].__class__ = _Callable
