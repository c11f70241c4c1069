"""BSVSM: the relevance of a text by the similarity of its terms to those of the topic.

W. Huang et al.: A semantic and intelligent focused crawler based on BERT semantic vector space model and
hybrid algorithm, IEEE Access, 2024, equations 2 to 4. The word2vec and ELMo crawlers of that paper are the
same with other encoders.

The sums of equation 4 over the topic's terms depend only on the term, so they are computed once for each
term: a text then costs a few additions per word. Encoding is expensive, so a lexical gate limits it: only a
few new words of each page, those with the largest weights, are encoded. Words of general language, and texts
near links, are not encoded on their own.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import exp, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import AnyFloats
from fcwseo.errors import UnfitTopic
from fcwseo.pages import Page
from fcwseo.relevance.models.encoders import Encoder, Vector
from fcwseo.relevance.words import ORDINARY, RARE
from fcwseo_ontology.corpus.background import Kind, background
from fcwseo_ontology.topic import FeatureWord, Topic

TERMS = 40  # heaviest terms of a page that count
NEW = 6  # new terms encoded per page
NEW_OF_LINKS = 2  # further new terms, from the anchors of its links
LEAST_RARITY = 1.0  # smallest rarity; a word below it is on more than a third of ordinary pages

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[^\W\d_{_HAN}]{{2,}}")
_HAN_SIGN = re.compile(f"[{_HAN}]")


class Sums(NamedTuple):
    """The sums of a term over the terms j of the topic."""

    overlap: float  # wt_j sem_j^2
    text: float  # sem_j^2
    topic: float  # (wt_j sem_j)^2
    level: float  # wt_j sem_j, over the sum of wt_j


class Bsvsm:
    """SVSM with the cosines of an encoder. Learns the terms of the pages it judges.

    ``level_correction`` multiplies by the mean similarity; without it, the published model gives full
    relevance to a text whose words are all equally far from the topic.
    """

    def __init__(self, topic: Topic, encoder: Encoder, *, level_correction: bool = True) -> None:
        self._encoder = encoder
        self._corrects = level_correction
        labels = [(label, word.weight) for word in topic.words if (label := _label(word))]
        if not labels:
            raise UnfitTopic(
                f"{encoder.name} reads English, and the topic {topic.name!r} has no English word; "
                "give its concepts English labels, or use a strategy that reads Chinese, such as fcwseo"
            )
        vectors = [encoder(label) for label, _ in labels]
        self._topic = np.array(vectors)
        weights = np.array([weight for _, weight in labels])
        self._weights = weights / weights.max()
        self._sums: dict[str, Sums] = {}
        for (label, _), vector in zip(labels, vectors, strict=True):
            self._sums[label] = self._summed(vector)

    def __call__(self, page: Page) -> float:
        """The relevance of a page, after learning its terms and those of its anchors."""
        weights = term_weights(f"{page.title}\n{page.text}")
        terms = sorted(weights, key=lambda term: (-weights[term], term))[:TERMS]
        self.learn(terms, most=NEW)
        anchors = term_weights(" ".join(link.anchor for link in page.links))
        self.learn(sorted(anchors, key=lambda term: (-anchors[term], term))[:TERMS], most=NEW_OF_LINKS)
        return self.of_weights({term: weights[term] for term in terms})

    def of_text(self, text: str) -> float:
        """The relevance of an anchor, a title, or a context."""
        return self.of_weights(term_weights(text))

    def of_weights(self, weights: Mapping[str, float]) -> float:
        """Equation 4 for a text with these term weights; unlearned terms are ignored."""
        known = [(weight, self._sums[term]) for term, weight in weights.items() if term in self._sums]
        return similarity(known, level_correction=self._corrects)

    def learn(self, terms: Iterable[str], *, most: int) -> None:
        """Encode the first ``most`` new terms."""
        for term in terms:
            if most <= 0:
                return
            if term not in self._sums:
                self._sums[term] = self._summed(self._encoder(term))
                most -= 1

    def _summed(self, vector: Vector) -> Sums:
        return sums_of(similarities(self._topic, vector), self._weights)


def similarities(topic: NDArray[np.floating], vector: NDArray[np.floating]) -> AnyFloats:
    """Equation 2: the cosines of a vector and rows, all of length 1; negative cosines become 0."""
    return np.maximum(0.0, topic @ vector)


def sums_of(sem: AnyFloats, weights: AnyFloats) -> Sums:
    """The sums of a term with these similarities to the terms of the topic, and their weights."""
    squares = sem**2
    return Sums(
        float(weights @ squares),
        float(squares.sum()),
        float(weights**2 @ squares),
        float(weights @ sem / weights.sum()),
    )


def similarity(terms: Sequence[tuple[float, Sums]], *, level_correction: bool) -> float:
    """Equation 4 for a text with these term weights.

    >>> topic = np.array([0.84, 0.52])
    >>> sums = [sums_of(np.array(sem), topic) for sem in ([0.85, 0.40], [0.99, 0.84])]
    >>> round(similarity(list(zip((0.32, 1.18), sums)), level_correction=False), 5)
    0.86888
    """
    text = sum(weight * weight * sums.text for weight, sums in terms)
    norms = sqrt(text * sum(sums.topic for _, sums in terms))
    if not norms:
        return 0.0
    value = min(1.0, sum(weight * sums.overlap for weight, sums in terms) / norms)
    if not level_correction:
        return value
    level = sum(weight * sums.level for weight, sums in terms) / sum(weight for weight, _ in terms)
    return value * min(1.0, level)


def term_weights(text: str) -> dict[str, float]:
    """TF-IDF of the words of a text that are not on every other page; Han characters are skipped.

    >>> {term: round(weight, 2) for term, weight in term_weights("The flood was the flood of floods").items()}
    {'flood': 5.21, 'floods': 3.51}
    """
    counts = Counter(_WORD.findall(text.lower()))
    most = max(counts.values(), default=1)
    weights = {word: count / most * rarity(word) for word, count in counts.items()}
    return {word: weight for word, weight in weights.items() if weight}


@lru_cache(1 << 18)
def rarity(word: str) -> float:
    """The negative logarithm of the share of ordinary pages with a word; 0 for stop words."""
    table = background("en")
    if table.kind(word) is Kind.STOP:
        return 0.0
    rate = table.rates.get(word, (RARE, RARE))[0]
    found = -log(1 - exp(-max(rate, RARE) * ORDINARY))
    return found if found >= LEAST_RARITY else 0.0


def _label(word: FeatureWord) -> str:
    """The spelling of a feature word for an English encoder; empty if there is no English spelling."""
    labels = (word.word, *word.labels)
    return next((label.lower() for label in labels if not _HAN_SIGN.search(label)), "")
