"""The relevance of a crawl by name: ``topical``, ``path/to/file.py:Name``, ``module:Name``, or an entry point
in the group ``fcwseo.relevance``.

A plugin decides the relevance of pages. Anchors, other texts and the words of the topic are always judged by
``TopicalRelevance``, since strategies compare texts with each other and not with pages.
"""

import inspect
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from fcwseo.errors import InvalidRelevance
from fcwseo.pages import Page
from fcwseo.plugins import Kind, Plugin, load_plugin
from fcwseo.relevance.protocol import PageRelevance, Phrase, Relevance
from fcwseo.relevance.topical import TopicalRelevance
from fcwseo.relevance.words import Numbers, TokenCache
from fcwseo_ontology.topic import Topic

TOPICAL = "topical"
KIND = Kind("relevance", "fcwseo.relevance", InvalidRelevance)

RelevanceFactory = Callable[[Topic, TokenCache | None], Relevance]

RELEVANCES: dict[str, RelevanceFactory] = {TOPICAL: TopicalRelevance}
"""The built-in relevances, which ``--relevance`` accepts beside plugins."""

_ROUNDING = 1e-6  # tolerated rounding error below 0 and above 1


def load_relevance(name: str) -> RelevanceFactory:
    """The factory of a relevance.

    Raises:
        InvalidRelevance: If the relevance is unknown or cannot be imported.

    >>> load_relevance("topical") is TopicalRelevance
    True
    """
    if name in RELEVANCES:
        return RELEVANCES[name]
    plugin = load_plugin(name, KIND, RELEVANCES)
    return lambda topic, token_cache: PluginRelevance(plugin, topic, token_cache)


class PluginRelevance:
    """A relevance with checked calls of a user's plugin for pages, and fcwseo's own for texts.

    Raises:
        InvalidRelevance: If the plugin does not return a function of a page.
    """

    def __init__(self, plugin: Plugin, topic: Topic, token_cache: TokenCache | None = None) -> None:
        judge = plugin.make(topic)
        if not callable(judge):
            raise plugin.refused(plugin.thing, "", "does not return a function of a page")
        self._plugin = plugin
        self._judge: PageRelevance = judge
        self._is_function = inspect.isroutine(judge)
        self._texts = TopicalRelevance(topic, token_cache)
        self.matcher = self._texts.matcher
        self.weights = self._texts.weights
        self.scale = 1.0

    def __call__(self, page: Page) -> float:
        self._texts(page)  # it learns which words are common on this web
        code = self._judge if self._is_function else type(self._judge).__call__
        method = "" if self._is_function else "__call__"
        with self._plugin.blamed(code, method):
            found: object = self._judge(page)
        relevance = _as_relevance(found)
        if relevance is None:
            why = f"returned {found!r:.40} for {page.url} instead of a number from 0 to 1"
            raise self._plugin.refused(code, method, why)
        return relevance

    def of_text(self, text: str, language: str = "") -> float:
        return self._texts.of_text(text, language)

    def of_words(self, words: Sequence[int]) -> float:
        return self._texts.of_words(words)

    def phrase(self, text: str, language: str = "") -> Phrase:
        return self._texts.phrase(text, language)

    def idf(self, numbers: Numbers) -> NDArray[np.float64]:
        return self._texts.idf(numbers)

    def named_by(self, words: Sequence[int]) -> float:
        return self._texts.named_by(words)


def _as_relevance(found: object) -> float | None:
    """The relevance that a plugin returned; None if it is not a number from 0 to 1.

    >>> _as_relevance(np.float32(0.5)), _as_relevance(1 + 1e-9), _as_relevance(1.5), _as_relevance("0.5")
    (0.5, 1.0, None, None)
    """
    if not isinstance(found, int | float | np.integer | np.floating):
        return None
    number = float(found)
    return min(1.0, max(0.0, number)) if -_ROUNDING <= number <= 1 + _ROUNDING else None
