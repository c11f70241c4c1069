"""SDVSM: the semantic vector space model of a text without its ambiguous terms.

W. Liu and others: A focused crawler based on semantic disambiguation vector space model, Complex &
Intelligent Systems, 2022 (paper 000).

The paper starts with 20 pages of the topic and queries a search engine for more. Here the graph is made of
the pages of the crawl, from the twentieth page on, and again whenever their number has grown by half. A page
is relevant if its similarity in the vector space model is above the mean. An anchor is part of its page: a
term removed from the page is removed from its anchors.
"""

from collections.abc import Sequence

import numpy as np

from fcwseo.pages import Page
from fcwseo.relevance.models.sdg import DisambiguationGraph, Removal, build_graph
from fcwseo.relevance.models.semantic import SemanticModel
from fcwseo.relevance.models.terms import Text
from fcwseo.relevance.models.vsm import vsm_of

FIRST_GRAPH = 20  # pages
GROWTH = 1.5
LAST_GRAPH = 3000


class Sdvsm:
    """``model`` is the semantic vector space model of the topic."""

    def __init__(self, model: SemanticModel) -> None:
        self._model = model
        self._weights = model.weights
        self._graph = DisambiguationGraph(())
        self._counts: list[list[int]] = []
        self._relevance: list[float] = []
        self._build_at = FIRST_GRAPH
        self._last = (Page(""), Text(np.empty(0, np.int32), np.empty(0)))

    def of_page(self, page: Page) -> float:
        """Sim(p, t). The page is added to the sample of the graph."""
        text = self._read(page)
        if self._build_at <= LAST_GRAPH:
            self._learn(page, text)
        return self._model.score(self._clear(text, self._removed(text)))

    def of_anchors(self, page: Page, anchors: Sequence[str]) -> list[float]:
        removed = self._removed(self._read(page))
        return [self._of_anchor(anchor, removed) for anchor in anchors]

    def explain(self, page: Page) -> list[Removal]:
        """The terms removed from a page, and why."""
        return list(self._removed(self._read(page)).values())

    def _read(self, page: Page) -> Text:
        """The terms of a page; the last page is cached for the scores of its anchors."""
        if self._last[0] is not page:
            self._last = page, self._model.read(f"{page.title}\n{page.text}", page.language)
        return self._last[1]

    def _of_anchor(self, anchor: str, removed: dict[int, Removal]) -> float:
        features = self._weights.matcher.features(anchor) if removed else {}
        if removed.keys().isdisjoint(features):
            return self._model.of_text(anchor)
        return self._model.score(self._clear(self._model.read(anchor), removed))

    def _removed(self, text: Text) -> dict[int, Removal]:
        if not self._graph.nodes:
            return {}
        return self._graph.removed(dict.fromkeys(text.terms[text.terms < self._weights.size].tolist()))

    def _clear(self, text: Text, removed: dict[int, Removal]) -> Text:
        return text.without(np.fromiter(removed, np.int32)) if removed else text

    def _learn(self, page: Page, text: Text) -> None:
        found = self._weights.matcher.features(f"{page.title}\n{page.text}", page.language)
        self._counts.append([found.get(number, 0) for number in range(self._weights.size)])
        self._relevance.append(vsm_of(self._weights, text))
        if len(self._counts) >= self._build_at:
            self._build()

    def _build(self) -> None:
        relevance = np.array(self._relevance)
        terms = [word.word for word in self._weights.words]
        self._graph = build_graph(terms, np.array(self._counts), relevance > relevance.mean())
        self._build_at = int(GROWTH * len(self._counts)) + 1
        if self._build_at > LAST_GRAPH:
            self._counts.clear()
            self._relevance.clear()
