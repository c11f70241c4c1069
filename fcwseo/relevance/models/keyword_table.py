"""The topic keyword weight table, and the scores of pages and links by it.

An improved architecture of a focused crawler by content and link analysis (paper 002), equations 1 to 6.

A table is made from the words of a topic, or from example pages. Keywords are stems; a phrase of the topic is
one keyword. Rarity (IDF) is counted in the example pages and the pages learned since; a table without
examples takes it from the tables of general language. When a table grows, rarity is always counted in the
pages, so that a word of every page is not added.

Equation 5 computes the length of a text over the keywords of the table only, so a long page that mentions one
keyword scores like an anchor that consists of it. Here the length runs over all words of the text;
``TextNorm.TABLE`` is the paper's version.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from math import log10, sqrt
from typing import NamedTuple
from urllib.parse import unquote

from fcwseo.errors import InvalidInput
from fcwseo.relevance.words import Matcher
from fcwseo_ontology.topic import Topic

KEYWORDS = 300  # size of a table from example pages
STOP = 0.3  # a word on a larger share of ordinary pages is a stop word

_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")


class Merge(StrEnum):
    """The weight of a word in several pages."""

    MAX = "max"
    MEAN = "mean"


class TextNorm(StrEnum):
    """The words in the length of a text."""

    TEXT = "text"
    TABLE = "table"


class LinkScore(NamedTuple):
    """The four parts of equation 6, each in [0, 1]."""

    url: float  # alpha
    anchor: float  # beta
    parent: float  # gamma
    surroundings: float  # omega

    @property
    def total(self) -> float:
        return sum(self)


class KeywordTable:
    """Keywords by the numbers of ``matcher``, with their weights; the largest is 1.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> table = KeywordTable(topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5}))
    >>> table.score("rainstorm") > table.score("a flood") > table.score("the sun")
    True
    >>> table.link_score("http://a.org/FloodNews", "rainstorm", 0.5).anchor == table.score("rainstorm")
    True
    """

    def __init__(
        self,
        topic: Topic,
        *,
        examples: Sequence[str] = (),
        merge: Merge = Merge.MAX,
        norm: TextNorm = TextNorm.TEXT,
    ) -> None:
        self.matcher = Matcher(topic)
        self._norm = norm
        self._pages = _Pages()
        self._examples = [self._counted(text) for text in examples]
        for counts in self._examples:
            self._pages.add(counts)
        if examples:
            self._take_from_examples(merge)
        else:
            self._set(dict(enumerate(word.weight for word in topic.words)))

    def _take_from_examples(self, merge: Merge) -> None:
        weights = merged([self._weighed(counts) for counts in self._examples], merge)
        best = sorted(weights, key=lambda number: (-weights[number], number))[:KEYWORDS]
        found = {number: weights[number] for number in best if weights[number]}
        if not found:
            raise InvalidInput("the example pages have no distinguishing word: give more and longer pages")
        self._set(found)

    def _set(self, weights: Mapping[int, float]) -> None:
        """Equation 4."""
        largest = max(weights.values())
        self.weights = {number: weight / largest for number, weight in weights.items()}
        self._length = sqrt(sum(weight * weight for weight in self.weights.values()))

    def __len__(self) -> int:
        return len(self.weights)

    def idf(self, number: int) -> float:
        """Equation 2, with logarithms to the base 10."""
        if self._examples:
            return self._pages.idf(number)
        return idf(1.0, max(self.matcher.shares[number], 1e-9))

    def score(self, text: str, language: str = "") -> float:
        """Equation 5: the cosine of the table and a text."""
        words = self.matcher.words(text, language)
        if self.weights.keys().isdisjoint(words):  # most texts near links have no keyword
            return 0.0
        counts = Counter(filter(self._counts, words))
        found = {number: count * self.idf(number) for number, count in counts.items()}
        length = sqrt(sum(weight * weight for weight in found.values()))
        if not length:
            return 0.0
        product = sum(weight * self.weights.get(number, 0.0) for number, weight in found.items())
        return min(1.0, product / (self._length * length))

    def _counts(self, number: int) -> bool:
        """Whether a word is part of the length of a text."""
        return number in self.weights or (self._norm is TextNorm.TEXT and self._is_content_word(number))

    def _is_content_word(self, number: int) -> bool:
        """Whether a word is not a stop word."""
        shares = self.matcher.shares
        return number < self.matcher.size or (number < len(shares) and shares[number] < STOP)

    def link_score(
        self, url: str, anchor: str, parent: float, surroundings: str = "", language: str = ""
    ) -> LinkScore:
        """Equation 6; ``parent`` is the score of the page that contains the link."""
        return LinkScore(
            self.score(url_words(url)),
            self.score(anchor, language),
            parent,
            self.score(surroundings, language),
        )

    def learn(self, text: str, language: str = "", *, relevant: bool) -> None:
        """Add a page for the next expansion: relevant pages supply keywords, all pages supply rarity."""
        self._pages.add(self._counted(text, language), relevant=relevant)

    def expand(self, *, most: int) -> int:
        """Expand the table by the best words of the added pages; return their number.

        Words are ranked by their mean over the pages: by the largest value, names on a single page would be
        added.
        """
        weights = {number: tf * self._pages.idf(number) for number, tf in self._pages.mean().items()}
        new = [number for number in weights if number not in self.weights and weights[number]]
        best = sorted(new, key=lambda number: (-weights[number], number))[:most]
        largest = max(weights.values(), default=0.0)
        self._set(self.weights | {number: weights[number] / largest for number in best})
        return len(best)

    def _counted(self, text: str, language: str = "") -> dict[int, float]:
        """Equation 1, for words that are not stop words."""
        words = self.matcher.words(text, language)
        counts = Counter(filter(self._is_content_word, words))
        return {number: count / len(words) for number, count in counts.items()}

    def _weighed(self, counts: Mapping[int, float]) -> dict[int, float]:
        """Equation 3."""
        return {number: tf * self.idf(number) for number, tf in counts.items()}


class _Pages:
    """The number of added pages with each word, and the sum of its frequencies on relevant pages."""

    def __init__(self) -> None:
        self._count = self._relevant = 0
        self._having: dict[int, int] = {}
        self._sums: dict[int, float] = {}

    def add(self, counts: Mapping[int, float], *, relevant: bool = True) -> None:
        self._count += 1
        self._relevant += relevant
        for number, tf in counts.items():
            self._having[number] = self._having.get(number, 0) + 1
            if relevant:
                self._sums[number] = self._sums.get(number, 0.0) + tf

    def idf(self, number: int) -> float:
        return idf(self._count, self._having.get(number, 1))

    def mean(self) -> dict[int, float]:
        return {number: total / self._relevant for number, total in self._sums.items()}


def idf(pages: float, having: float) -> float:
    """Equation 2. The paper's example, 1000 pages of which 100 have the word, gives 1, not 2.

    >>> round(0.14 * idf(1000, 100), 3)
    0.14
    """
    return max(0.0, log10(pages / having))


def merged(weights: Sequence[Mapping[int, float]], merge: Merge) -> dict[int, float]:
    """The weights of words in all pages.

    >>> merged([{1: 0.5, 2: 0.2}, {1: 0.1}], Merge.MAX), merged([{1: 0.5, 2: 0.2}, {1: 0.1}], Merge.MEAN)
    ({1: 0.5, 2: 0.2}, {1: 0.3, 2: 0.1})
    """
    found: dict[int, float] = {}
    for page in weights:
        for number, weight in page.items():
            before = found.get(number, 0.0)
            found[number] = max(before, weight) if merge is Merge.MAX else before + weight / len(weights)
    return found


def url_words(url: str) -> str:
    """The words of a URL, split at signs and at changes of case.

    >>> url_words("http://www.a.org/flashFlood/HTMLGuide_2%20rain.html")
    'www a org flash Flood HTML Guide rain html'
    """
    return " ".join(_PART.findall(unquote(url.partition("://")[2])))
