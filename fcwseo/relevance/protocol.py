"""What every relevance offers: the number that a page, or a text, gets for a topic."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fcwseo.pages import Page
from fcwseo.relevance.words import Matcher, Numbers


class Phrase(NamedTuple):
    """A short text, such as an anchor: its words, its relevance, and how much of the topic it names."""

    words: Sequence[int]
    """The words by the numbers of the matcher, in order."""
    relevance: float
    """What ``of_words`` returns for them."""
    names: float
    """What ``named_by`` returns for them."""


class PageRelevance(Protocol):
    """What a plugin makes of a topic: it judges pages.

    Each page is judged once, when it was fetched, and in the order of the visits. The number depends on
    nothing but the pages so far, so that a crawl can be repeated and continued.
    """

    def __call__(self, page: Page) -> float:
        """How relevant a page is, from 0 to 1."""
        ...


class Relevance(Protocol):
    """How much a page, or a text such as an anchor, is about the topic of a crawl: a number in [0, 1].

    A page is judged once, when it was fetched; a relevance may learn from it what is common on this web. All
    strategies of a comparison judge by the same one.
    """

    @property
    def matcher(self) -> Matcher:
        """Finds the words of the topic, and numbers all words."""
        ...

    @property
    def weights(self) -> NDArray[np.float64]:
        """Of the words of the topic, in its order."""
        ...

    def __call__(self, page: Page) -> float:
        """How relevant a page is, from 0 to 1."""
        ...

    def of_text(self, text: str, language: str = "") -> float:
        """``language``: the two-letter code of the page that the text stands on."""
        ...

    def of_words(self, words: Sequence[int]) -> float:
        """As ``of_text``, of a text by the numbers that the matcher has for its words."""
        ...

    def phrase(self, text: str, language: str = "") -> Phrase:
        """A short text read once: its words, ``of_words`` and ``named_by`` in one call."""
        ...

    def idf(self, numbers: Numbers) -> NDArray[np.float64]:
        """How rare words are on pages off the topic, by the numbers of the matcher."""
        ...

    def named_by(self, words: Sequence[int]) -> float:
        """How much of the topic some words name: the weights of feature words, the rarer the more."""
        ...
