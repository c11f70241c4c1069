"""Our own relevance: the cosine of a page and a topic, weighted by rarity on ordinary pages and on this web;
beside it the likeness of the page to the documents of the topic; and, as a factor, the form of the page.

It improves Eq. (4) and (5) of paper 001 in three ways. Frequencies count, damped by the logarithm. The norm
runs over all words of the page, so that a long page that mentions the topic once is not about it. Words are
weighted by rarity (idf): on ordinary pages, by a table per language, and on the pages of this crawl that are
off the topic. Frequencies on all fetched pages would remove the topic's own words, since a focused crawl
fetches pages that contain them; a page therefore has more weight the lower it ranks in relevance.

A topic with documents has a second part (``fcwseo.relevance.examples``), as soon as pages off the topic are
known: relevance is then the mean of both parts. Texts of links are judged by the cosine alone.

What is learned changes the scale of relevance, but the threshold of a crawl rests on pages judged before, the
seeds above all. ``scale`` is the factor by which the first pages would still be as relevant as they were.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column
from fcwseo.pages import Page
from fcwseo.relevance.examples import Examples
from fcwseo.relevance.form import form
from fcwseo.relevance.protocol import Phrase
from fcwseo.relevance.weights import judging_weights
from fcwseo.relevance.words import Matcher, Numbers, TokenCache
from fcwseo_ontology.topic import Topic

TABLE = 5.0  # weight of the table of ordinary language, as a number of pages
FIRST_FIT = 5  # pages
GROWTH = 1.5  # growth of the number of pages from one fit to the next
MOST_SCALED = 4.0  # largest factor by which the scale is corrected
NAMING = 3  # largest number of feature words of a text that name the topic
LAST_FIT = 3000  # pages after which the web is known well enough


class TopicalRelevance:
    """The relevance of pages and texts for a topic. It learns from each judged page which words are common on
    this web.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> relevance = TopicalRelevance(topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5}))
    >>> relevance.of_text("rainstorm warning") > relevance.of_text("a warning of floods") > 0
    True
    >>> relevance.of_text("the weather")
    0.0
    """

    def __init__(
        self,
        topic: Topic,
        token_cache: TokenCache | None = None,
        *,
        form: Callable[[Page], float] = form,
    ) -> None:
        weights = judging_weights(topic)
        weights = weights / weights.max()  # the scale cancels in a cosine, but squares may overflow
        self.matcher = Matcher(topic, token_cache)
        self.weights = weights / np.linalg.norm(weights)
        self.examples = Examples(topic.documents, self.matcher)
        self._level = 0.0  # mean cosine of the documents, the scale of relevance
        self._form = form
        self._first: list[tuple[Numbers, NDArray[np.float32], float, float]] = []  # with form and relevance
        self.scale = 1.0
        self._rarities = Column(np.float64)
        self._pages: list[tuple[Numbers, NDArray[np.float32]]] = []
        self._mass = 0.0
        self._fit_at = FIRST_FIT
        self.judged = np.empty(0)

    def __call__(self, page: Page) -> float:
        """The relevance of a page; its words are learned from."""
        numbers, counts = self.matcher.count_page(page)
        damped = np.log1p(counts).astype(np.float32)
        if self._fit_at <= LAST_FIT:
            self._pages.append((numbers, damped))
            if len(self._pages) >= self._fit_at:
                self._fit()
        form = self._form(page)
        relevance = self._relevance(numbers, damped, form)
        if len(self._first) < FIRST_FIT:
            self._first.append((numbers, damped, form, relevance))
        return relevance

    def of_page(self, page: Page) -> float:
        """The relevance of a page, by what is known now; nothing is learned from it."""
        numbers, counts = self.matcher.count_page(page)
        return self._relevance(numbers, np.log1p(counts).astype(np.float32), self._form(page))

    def of_documents(self) -> list[float]:
        """The cosines of the documents of the topic."""
        return self.examples.scores(self._cosine)

    def of_text(self, text: str, language: str = "") -> float:
        numbers, counts = self.matcher.count(text, language)
        return self._cosine(numbers, np.log1p(counts))

    def of_words(self, words: Sequence[int]) -> float:
        """Like ``of_text``, for a text that the matcher has read."""
        if min(words, default=self.matcher.size) >= self.matcher.size:  # most texts of links: no feature word
            return 0.0
        self._know_all()
        rarity, weight = self._rarities.values.item, self.weights.item
        squares = product = 0.0
        for word, count in Counter(words).items():  # for so few words columns would cost more
            value = math.log1p(count) * rarity(word)
            squares += value * value
            if word < self.matcher.size:
                product += value * weight(word)
        return min(1.0, product / math.sqrt(squares)) if squares else 0.0

    def phrase(self, text: str, language: str = "") -> Phrase:
        """Read a short text once: its words, ``of_words`` and ``named_by`` in one call.

        >>> from fcwseo_ontology.topic import topic_of_words
        >>> relevance = TopicalRelevance(topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5}))
        >>> phrase = relevance.phrase("the rainstorm")
        >>> len(phrase.words), phrase.relevance > 0, phrase.names > 0
        (2, True, True)
        >>> relevance.phrase("about us")[1:]
        (0.0, 0.0)
        """
        words = self.matcher.words(text, language)
        if min(words, default=self.matcher.size) >= self.matcher.size:  # most links: no feature word
            return Phrase(words, 0.0, 0.0)
        return Phrase(words, self.of_words(words), self.named_by(words))

    def idf(self, numbers: Numbers) -> NDArray[np.float64]:
        """The rarity of words: the negative logarithm of the share of off-topic pages that contain them."""
        self._know_all()
        rarities: NDArray[np.float64] = self._rarities.values.take(numbers)
        return rarities

    def named_by(self, words: Sequence[int]) -> float:
        """How much of the topic some words name: the weights of feature words times their rarity.

        Unlike the cosine it distinguishes a single rare word of the topic from a single common one. Only the
        heaviest words count, so that a long list of words does not exceed all other links.
        """
        features = np.array(sorted({word for word in words if word < self.matcher.size}), np.int32)
        if not features.size:
            return 0.0
        return float(np.sort(self.weights[features] * self.idf(features))[-NAMING:].sum())

    def _relevance(self, numbers: Numbers, damped: NDArray[np.floating], form: float) -> float:
        return min(1.0, form * self._of_words(numbers, damped))

    def _of_words(self, numbers: Numbers, damped: NDArray[np.floating]) -> float:
        """The mean of the ontology's cosine and of the likeness to the documents, both on one scale."""
        cosine = self._cosine(numbers, damped)
        if not self.examples.are_fitted:
            return cosine
        likeness = self.examples.likeness(numbers, damped, self.idf(numbers))
        return (cosine + self._level * likeness) / 2

    def _cosine(self, numbers: Numbers, damped: NDArray[np.floating]) -> float:
        features = int(np.searchsorted(numbers, self.matcher.size))
        if not features:
            return 0.0
        values = damped * self.idf(numbers)
        norm = math.sqrt(float(values @ values))
        if not norm:
            return 0.0
        return min(1.0, float(values[:features] @ self.weights[numbers[:features]]) / norm)

    def _know_all(self) -> None:
        """Give words found since the last fit their rarity in the table."""
        known, words = len(self._rarities.values), len(self.matcher.shares)
        if known < words:
            self._rarities.extend(_rarity(np.array(self.matcher.shares[known:]), 0.0, self._mass))

    def _fit(self) -> None:
        """Identify off-topic pages by rank, in two rounds, since ranks and rarities depend on each other."""
        words = np.concatenate([numbers for numbers, _ in self._pages])
        damped = np.concatenate([values for _, values in self._pages])
        page = np.repeat(np.arange(len(self._pages)), [len(numbers) for numbers, _ in self._pages])
        off_topic = np.full(len(self._pages), 0.5)
        shares = np.array(self.matcher.shares)
        for _ in range(2):
            seen = np.bincount(words, weights=off_topic[page], minlength=len(shares)).astype(np.float64)
            self._mass = float(off_topic.sum())
            self._rarities = Column(np.float64)
            self._rarities.extend(_rarity(shares, seen, self._mass))
            self.judged = self._cosines(words, damped, page)
            ranks = np.argsort(np.argsort(self.judged, kind="stable"), kind="stable")
            off_topic = 1 - (ranks + 0.5) / len(self._pages)
        self._fit_examples()
        self._fit_at = int(GROWTH * len(self._pages)) + FIRST_FIT
        if self._fit_at > LAST_FIT:
            self._pages.clear()

    def _fit_examples(self) -> None:
        """Learn to tell the documents from the pages that the cosine ranks low."""
        self._know_all()
        self.examples.fit(self._pages, self.judged, self.idf)
        if self.examples.are_fitted:
            self._level = float(np.mean(self.of_documents()))
        self._keep_scale()

    def _keep_scale(self) -> None:
        """Compare the first pages, mostly seeds, with what they were judged."""
        then = sum(relevance for *_, relevance in self._first)
        now = sum(form * self._of_words(numbers, damped) for numbers, damped, form, _ in self._first)
        if then > 0 and now > 0:
            self.scale = min(MOST_SCALED, max(1 / MOST_SCALED, then / now))

    def _cosines(
        self, words: Numbers, damped: NDArray[np.float32], page: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """The relevance of all pages at once."""
        values = damped * self._rarities.values[words]
        norms = np.sqrt(np.bincount(page, values * values, len(self._pages)))
        is_feature = words < self.matcher.size
        weights = self.weights[words[is_feature]]
        products = np.bincount(page[is_feature], values[is_feature] * weights, len(self._pages))
        return np.minimum(1.0, products / np.maximum(norms, 1e-12))


def _rarity(
    shares: NDArray[np.float64], seen: NDArray[np.float64] | float, mass: float
) -> NDArray[np.float64]:
    common = (seen + TABLE * shares + 0.1) / (mass + TABLE + 0.2)
    return np.asarray(np.maximum(0.0, -np.log(common)))
