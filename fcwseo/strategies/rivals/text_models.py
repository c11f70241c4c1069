"""The four crawlers of paper 000, which differ in how they compare a text with the topic.

W. Liu and others: A focused crawler based on semantic disambiguation vector space model, Complex &
Intelligent Systems, 2022 (paper 000), equation 21: the priority of a link is the mean of the similarities of
its page (the whole text) and of its anchor (the paper does not give the shares).
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol, runtime_checkable

from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.models.sdg import Removal
from fcwseo.relevance.models.sdvsm import Sdvsm
from fcwseo.relevance.models.semantic import SemanticModel
from fcwseo.relevance.models.ssrm import ssrm
from fcwseo.relevance.models.svsm import svsm
from fcwseo.relevance.models.vsm import Vsm
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.rivals.scored import Scored
from fcwseo_ontology.topic import Topic

LAMBDA = 0.5


class TextModel(Protocol):
    """Sim(d, t) of a fetched page, and of its anchors."""

    def of_page(self, page: Page) -> float: ...

    def of_anchors(self, page: Page, anchors: Sequence[str]) -> list[float]: ...


@runtime_checkable
class Disambiguates(Protocol):
    """A text model that removes terms from pages, and can explain which and why."""

    def explain(self, page: Page) -> Sequence[Removal]: ...


class Priority:
    """Equation 21."""

    def __init__(self, model: TextModel, *, share: float = LAMBDA) -> None:
        self._model, self._share = model, share
        self._page = 0.0  # similarity of the last scored page

    def __call__(self, visit: Visit, page: Page, links: Sequence[Link]) -> list[float]:
        self._page = self._model.of_page(page)
        anchors = self._model.of_anchors(page, [link.anchor for link in links])
        return [self._of(anchor) for anchor in anchors]

    def tell(self, page: Page, link: Link) -> Sequence[str]:
        (anchor,) = self._model.of_anchors(page, [link.anchor])
        removed = self._model.explain(page) if isinstance(self._model, Disambiguates) else ()
        return [
            f"page {self._page:.4g}, anchor {anchor:.4g}: {self._of(anchor):.4g}",
            *(f"removed from page and anchor: {removal}" for removal in removed),
        ]

    def _of(self, anchor: float) -> float:
        return self._share * self._page + (1 - self._share) * anchor


def vsm_crawler(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    """The crawler that scores texts by the vector space model."""
    return Scored(Priority(Vsm(topic)))


def ssrm_crawler(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    """The crawler that scores texts by semantic similarity retrieval."""
    return Scored(Priority(SemanticModel(topic, ssrm)))


def svsm_crawler(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    """The crawler that scores texts by the semantic vector space model."""
    return Scored(Priority(SemanticModel(topic, svsm)))


def sdvsm_crawler(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    """The crawler that scores texts by the semantic model without ambiguous terms."""
    return Scored(Priority(Sdvsm(SemanticModel(topic, svsm))))
