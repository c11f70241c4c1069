"""The protocol of relevances: a number in [0, 1] for a page, or a text, and a topic."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from fcwseo.pages import Page
from fcwseo.relevance.words import Matcher, Numbers


class Phrase(NamedTuple):
    """A short text such as an anchor: its words, its relevance, and the weight of the topic words that it
    names.
    """

    words: Sequence[int]
    """The words by the numbers of the matcher, in order."""
    relevance: float
    """The result of ``of_words``."""
    names: float
    """The result of ``named_by``."""


class PageRelevance(Protocol):
    """A judge of pages, which a plugin returns for a topic.

    Each page is judged once, after it was fetched, in the order of the visits. The result must depend only on
    the pages so far, so that a crawl can be repeated and continued.
    """

    def __call__(self, page: Page) -> float:
        """Return the relevance of a page, from 0 to 1."""
        ...


class Relevance(Protocol):
    """The relevance of pages, and of texts such as anchors, for the topic of a crawl: a number in [0, 1].

    A page is judged once, after it was fetched; a relevance may learn from it which words are common on this
    web. All strategies of a comparison use the same relevance.
    """

    @property
    def matcher(self) -> Matcher:
        """The matcher, which finds the words of the topic and numbers all words."""
        ...

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of the words of the topic, in its order."""
        ...

    @property
    def scale(self) -> float:
        """The factor by which relevance judged now is comparable with that of the first pages."""
        ...

    def __call__(self, page: Page) -> float:
        """How relevant a page is, from 0 to 1."""
        ...

    def of_text(self, text: str, language: str = "") -> float:
        """Return the relevance of a text. ``language`` is the two-letter code of the page that
        contains it.
        """
        ...

    def of_words(self, words: Sequence[int]) -> float:
        """Like ``of_text``, for a text given by the matcher's numbers of its words."""
        ...

    def phrase(self, text: str, language: str = "") -> Phrase:
        """Read a short text once: its words, ``of_words`` and ``named_by`` in one call."""
        ...

    def idf(self, numbers: Numbers) -> NDArray[np.float64]:
        """Return the rarity of words on pages off the topic, by the matcher's numbers."""
        ...

    def named_by(self, words: Sequence[int]) -> float:
        """Return how much of the topic some words name: the weights of feature words times their rarity."""
        ...
