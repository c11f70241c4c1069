"""FCWSEO with one part taken away, each a strategy for ``crawl_quality.py``.

python benchmarks/crawl_quality.py --strategies without-bank without-siblings ... fcwseo
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from fcwseo.columns import Floats, Rows
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.relevance import Relevance, TopicalRelevance
from fcwseo.strategies import Factory
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo.strategies.fcwseo_paper import without_ontology
from fcwseo_ontology.topic import Topic


class WithoutEvidence(Fcwseo):
    """What is the same for all links tells none from another."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random, *, names: Sequence[str]) -> None:
        super().__init__(topic, relevance, rng)
        places = [EVIDENCE.index(name) for name in names]
        evidence = self._table.evidence

        def masked(rows: Rows) -> Floats:
            columns = evidence(rows)
            columns[:, places] = 0.0
            return columns

        self._table.evidence = masked  # type: ignore[method-assign]


class WithoutLearning(Fcwseo):
    """The weights stay those of the start."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random) -> None:
        super().__init__(topic, relevance, rng)
        self._predictor.learn = lambda evidence, relevance: None  # type: ignore[method-assign]


class WithoutCap(Fcwseo):
    """All of the relevance of a page counts in what is learnt from it."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random) -> None:
        super().__init__(topic, relevance, rng)
        self._table.capped = lambda relevance: relevance  # type: ignore[method-assign]


class WithoutMending(Fcwseo):
    """What pages mean says nothing of their relevance."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random) -> None:
        super().__init__(topic, relevance, rng)
        self._table._meanings.of_page = lambda page: None  # type: ignore[method-assign]


class WithoutRepeats(Fcwseo):
    """Lists that repeat whole posts teach as much as the posts."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random) -> None:
        super().__init__(topic, relevance, rng)
        self._table._own_share = lambda visit, page, seen: 1.0  # type: ignore[method-assign]


class SeatsByValue(Fcwseo):
    """The seats that fronts and NFCS would give are given by value."""

    def _pick(self, points: Floats, count: int, rng: Random) -> list[int]:
        return list(range(min(count, len(points))))


class SeatsByChance(Fcwseo):
    """The seats that fronts and NFCS would give are given by chance, among the same hosts."""

    def _pick(self, points: Floats, count: int, rng: Random) -> list[int]:
        return rng.sample(range(len(points)), min(count, len(points)))


def flat(topic: Topic, relevance: Relevance, rng: Random) -> Fcwseo:
    """A bag of words: all weigh the same."""
    return Fcwseo(without_ontology(topic), relevance, rng)


def _with(**changed: float) -> Callable[[Topic, Relevance, Random], Fcwseo]:
    return partial(Fcwseo, parameters=FcwseoParameters(**changed))  # type: ignore[arg-type]


def by_one_form(topic: Topic) -> TopicalRelevance:
    """All pages as strictly as lists were before there were two forms."""
    from fcwseo.relevance.form import prose  # imported here: the code of an older commit has no such module

    return TopicalRelevance(topic, form=lambda page: prose(page) ** 4)


def by_ontology(topic: Topic) -> TopicalRelevance:
    """Without the documents as examples."""
    if topic.ontology is None:
        return TopicalRelevance(topic)
    return TopicalRelevance(replace(topic, ontology=replace(topic.ontology, documents=())))


def by_ossc(topic: Topic) -> TopicalRelevance:
    """Without keyness in the weights of words."""
    words = tuple(replace(word, keyness=0.0) for word in topic.words)
    return TopicalRelevance(replace(topic, words=words))


RELEVANCES: dict[str, Callable[[Topic], TopicalRelevance]] = {
    "without-ontology": lambda topic: TopicalRelevance(without_ontology(topic)),
    "without-form": by_one_form,
    "without-examples": by_ontology,
    "without-keyness": by_ossc,
}

EARLIER = "earlier-ontologies"  # the topics of ``earlier_topics.py``

ABLATIONS: dict[str, Factory] = {
    "without-lists": _with(later=0.0),
    "greedy-with-lists": _with(alternate=0),
    "alternating": _with(alternate=2),
    "alternating-by-value": partial(SeatsByValue, parameters=FcwseoParameters(alternate=2)),
    "alternating-by-chance": partial(SeatsByChance, parameters=FcwseoParameters(alternate=2)),
    "seats-by-value": SeatsByValue,
    "seats-by-chance": SeatsByChance,
    "generations-of-ten": _with(generation=10),
    "without-learning": WithoutLearning,
    "without-cap": WithoutCap,
    "without-blending": WithoutMending,
    "without-repeats": WithoutRepeats,
    "without-ontology": flat,
    EARLIER: Fcwseo,
    "without-form": Fcwseo,
    "without-examples": Fcwseo,
    "without-keyness": Fcwseo,
    **{
        f"without-{name.replace(' ', '-')}": partial(WithoutEvidence, names=names)
        for name, names in {
            "parents": ["parents' mean", "best parent", "parents"],
            "anchor": ["anchor", "topical anchor", "theme"],
            "context": ["context", "words", "topical words"],
            "address": ["address"],
            "address words": ["address words"],
            "words": ["words"],
            "topical words": ["topical words", "topical anchor"],
            "siblings": ["siblings"],
            "place": ["place"],
            "theme": ["theme"],
            "meaning": ["meaning", "alike"],
            "host and section": ["host", "section"],
            "rank": ["rank"],
        }.items()
    },
}


def relevance_for(strategy: str, topic: Topic) -> Relevance:
    """What pages are judged by: without the ontology, by the same words at equal weights."""
    return RELEVANCES.get(strategy, TopicalRelevance)(topic)
