"""A link classifier learned online from the words of URLs, anchors and contexts.

L. Barbosa and J. Freire: An adaptive crawler for locating hidden-Web entry points, 2007, and the open crawler
ACHE that followed it. Reimplemented from their description; the classifier is a logistic regression on binary
words. ACHE retrains after each thousand pages; here training begins with 20 pages and is repeated whenever
there are a fifth more. Until then links are ranked by a guess from the relevance of their page and their
anchor. The guess then remains as a second term beside the classifier's probability, which finds more on our
webs.

A page is relevant if it is nearly as relevant as the seeds. A followed link is an example of the class of its
page. There are no more negative examples than positive ones: the latest are used.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats
from fcwseo.links.frontier import Frontier
from fcwseo.links.ranking import Ranking
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.protocol import Relevance
from fcwseo.relevance.threshold import SeedLevel
from fcwseo.relevance.words import Matcher
from fcwseo.strategies.protocol import Turns
from fcwseo.strategies.rivals.logistic import Examples, Model, fit

SEED = 10.0  # the value of seeds
_FIELDS = 3  # address, anchor, context
_NEAR = 80  # characters of context on each side of an anchor


@dataclass(frozen=True, slots=True)
class AcheParameters:
    """The parameters of the link classifier."""

    first: int = 20  # pages before the first training
    growth: float = 1.2  # growth of the number of pages from one training to the next
    level: float = 0.4  # share of the seeds' relevance from which a page is relevant
    strength: float = 1.0  # of the regularisation
    most: int = 5000  # examples of each class
    guess: float = 1.0  # the weight of the guess beside the probability


class LinkWords:
    """The words of each seen link, by field, in columns. A page may have many links to it."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self.target = Column(np.int32)
        self.guess = Column(np.float64)
        self._features = Column(np.int32)
        self._ends = Column(np.int64)
        self._ends.extend([0])

    @property
    def size(self) -> int:
        """Number of features."""
        return _FIELDS * len(self._matcher.shares)

    def __len__(self) -> int:
        return len(self.target.values)

    def add(self, target: int, link: Link, language: str, guess: float) -> None:
        fields = (unquote(link.target.partition("://")[2]), link.anchor, _around(link))
        features = {
            _FIELDS * word + field: None
            for field, text in enumerate(fields)
            for word in self._matcher.words(text, language)
        }
        self._features.extend(list(features))
        self._ends.extend([len(self._features.values)])
        self.target.extend([target])
        self.guess.extend([guess])

    def examples(self, links: NDArray[np.intp]) -> Examples:
        """The features of some links, numbered from 0."""
        starts = self._ends.values[links]
        counts = self._ends.values[links + 1] - starts
        rows = np.repeat(np.arange(len(links)), counts)
        places = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts - starts, counts)
        return Examples(rows, self._features.values[places], len(links))


class LinkClassifier:
    """Links by the probability of a classifier trained on the pages so far."""

    def __init__(self, relevance: Relevance, *, parameters: AcheParameters | None = None) -> None:
        self._parameters = parameters or AcheParameters()
        self._relevance = relevance
        self._level = SeedLevel(self._parameters.level)
        self._frontier = Frontier()
        self._ranking = Ranking(self._frontier.is_open)
        self._links = LinkWords(relevance.matcher)
        self._known = Column(np.float64)  # relevance of pages, NaN if unknown
        self._model: Model | None = None
        self._seeds = 0  # smaller numbers are those of the seeds
        self._pages, self._learn_at = 0, self._parameters.first
        self._largest = 1e-9  # relevance of an anchor

    def observe(self, visit: Visit) -> None:
        self._level.observe(visit)
        seen = self._frontier.observe(visit)
        page = visit.outcome
        if not isinstance(page, Page):
            return
        self._known.fill(len(self._frontier), np.nan)
        if visit.step == 0:
            self._seeds = len(self._frontier)
            self._ranking.put(seen.open, [SEED] * len(seen.open))
            return
        self._pages += 1
        for url in (visit.link.target, page.url):
            self._known.values[self._frontier.number(url)] = visit.relevance
        first = len(self._links)
        self._take_in(page, visit.relevance)
        if self._pages < self._learn_at or not self._learn():
            self._raise(np.arange(first, len(self._links)))

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        return [self._frontier.follow(number) for number in self._ranking.top(n)]

    def _take_in(self, page: Page, relevance: float) -> None:
        own = min(1.0, relevance / (self._level.median or 1.0))
        for link in page.links:
            anchor = self._relevance.of_text(link.anchor)
            self._largest = max(self._largest, anchor)
            guess = 0.5 * own + 0.5 * anchor / self._largest
            self._links.add(self._frontier.number(link.target), link, page.language, guess)

    def _learn(self) -> bool:
        """Train a new classifier and rescore all links, if there are examples of both classes."""
        self._learn_at = int(self._parameters.growth * self._pages) + 1
        relevance = self._known.values[self._links.target.values]
        is_relevant = relevance >= max(self._parameters.level * self._level.median, 1e-9)
        positive, negative = np.flatnonzero(is_relevant), np.flatnonzero(~is_relevant & (relevance >= 0))
        count = min(len(positive), self._parameters.most)
        if not count or not len(negative):
            return False
        chosen = np.concatenate((positive[-count:], negative[-count:]))
        examples, strength = self._links.examples(chosen), self._parameters.strength
        self._model = fit(examples, is_relevant[chosen], size=self._links.size, strength=strength)
        self._judge_all()
        return True

    def _judge_all(self) -> None:
        best = np.full(len(self._frontier), -np.inf)
        np.maximum.at(best, self._links.target.values, self._values(np.arange(len(self._links))))
        best[: self._seeds] = SEED
        rows = np.flatnonzero(np.frombuffer(self._frontier.open_flags, np.bool_))
        self._ranking.replace(rows.tolist(), best[rows].tolist())

    def _raise(self, links: NDArray[np.intp]) -> None:
        """The best score of several links to one page."""
        targets = self._links.target.values[links].tolist()
        for number, value in zip(targets, self._values(links).tolist(), strict=True):
            if not self._ranking.value(number) >= value:
                self._ranking.put([number], [value])

    def _values(self, links: NDArray[np.intp]) -> Floats:
        guess: Floats = self._links.guess.values[links]
        if self._model is None:
            return guess
        weights = np.zeros(self._links.size)  # words seen since the training have no weight
        weights[: len(self._model.weights)] = self._model.weights
        sums = self._model.level + self._links.examples(links).products(weights)
        values: Floats = 1 / (1 + np.exp(-sums)) + self._parameters.guess * guess
        return values


def _around(link: Link) -> str:
    """The text around a link, without its anchor.

    >>> _around(Link("http://a.org/", "", anchor="floods", context="Rain may lead to floods in cities."))
    'Rain may lead to  in cities.'
    """
    before, anchor, after = link.context.partition(link.anchor or " ")
    if not anchor:
        return link.context[: 2 * _NEAR]
    return f"{before[-_NEAR:]}{after[:_NEAR]}"
