"""Texts as vectors of terms with TF-IDF weights.

W. Liu and others: A focused crawler based on semantic disambiguation vector space model, Complex &
Intelligent Systems, 2022 (paper 000), equation 9:
``w = (f / f_max) log(NS / N_i)``.

The paper counts ``N_i`` in the 20 pages from which the topic is learned. Terms on all of them, the words of
the topic itself, then have weight 0. Here ordinary pages are counted instead, by the tables of general
language. The paper's topic has 40 terms, two from each of those pages; ours has the 400 heaviest feature
words, with the weights of the topic: an anchor is short, and rarely contains one of the 40 heaviest.
"""

from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats
from fcwseo.relevance.words import Matcher, Numbers
from fcwseo_ontology.topic import Topic

TOPIC_TERMS = 400  # terms of a topic, the heaviest; each costs time on every page
STOP = 0.5  # a word on more than this share of ordinary pages is a stop word


class Text(NamedTuple):
    """The terms of a text by number, ascending, topic terms first, and their weights."""

    terms: Numbers
    weights: Floats

    def without(self, removed: Numbers) -> "Text":
        kept = ~np.isin(self.terms, removed)
        return Text(self.terms[kept], self.weights[kept])

    def heaviest(self, most: int, topic_terms: int) -> "Text":
        """The ``most`` heaviest terms, and all topic terms."""
        if len(self.terms) <= most:
            return self
        ranked = np.argsort(-self.weights, kind="stable")
        kept = np.union1d(ranked[:most], np.arange(np.searchsorted(self.terms, topic_terms)))
        return Text(self.terms[kept], self.weights[kept])


class TermWeights:
    """Converts texts to weighted terms.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> weights = TermWeights(topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5}))
    >>> text = weights.of("The floods, and once more: the floods of Paris")
    >>> [number for number in text.terms.tolist() if number < weights.size]
    [1]
    >>> float(text.weights[0]) == float(weights.rarity(text.terms)[0])  # f / f_max is 1
    True
    """

    def __init__(self, topic: Topic, *, most: int = TOPIC_TERMS) -> None:
        self.words = tuple(sorted(topic.words, key=lambda word: -word.weight)[:most])
        self.size = len(self.words)
        largest = self.words[0].weight  # the scale cancels in all formulas, but squares may overflow
        self.topic: Floats = np.array([word.weight / largest for word in self.words])
        self.matcher = Matcher(Topic(topic.name, self.words))

    def of(self, text: str, language: str = "") -> Text:
        numbers, counts = self.matcher.count(text, language)
        rarity = self.rarity(numbers)
        kept = (numbers < self.size) | (rarity > -np.log(STOP))
        numbers, counts, rarity = numbers[kept], counts[kept], rarity[kept]
        return Text(numbers, counts / max(counts.max(initial=0), 1) * rarity)

    def rarity(self, numbers: Numbers) -> Floats:
        """``log(NS / N_i)``, above 0."""
        shares = np.frombuffer(self.matcher.shares)[numbers]
        return np.asarray(-np.log(np.clip(shares, 1e-9, 0.99)))
