"""The four crawlers of paper 000, which differ in how they compare a text with the topic.

W. Liu and others: A focused crawler based on semantic disambiguation vector space model, Complex &
Intelligent Systems, 2022 (paper 000), equation 21: the priority of a link is made of the similarity of its
page, the whole text, and of its anchor, half each (the paper does not tell the shares).
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance import Relevance
from fcwseo.relevance.sdvsm import Sdvsm
from fcwseo.relevance.semantic import SemanticModel
from fcwseo.relevance.ssrm import ssrm
from fcwseo.relevance.svsm import svsm
from fcwseo.relevance.vsm import Vsm
from fcwseo.strategies.scored import Scored
from fcwseo_ontology.topic import Topic

LAMBDA = 0.5


class TextModel(Protocol):
    """Sim(d, t) of a page that was just fetched, and of its anchors."""

    def of_page(self, page: Page) -> float: ...

    def of_anchors(self, page: Page, anchors: Sequence[str]) -> list[float]: ...


class Priority:
    """Equation 21."""

    def __init__(self, model: TextModel, *, share: float = LAMBDA) -> None:
        self._model, self._share = model, share

    def __call__(self, visit: Visit, page: Page, links: Sequence[Link]) -> list[float]:
        parent = self._share * self._model.of_page(page)
        anchors = self._model.of_anchors(page, [link.anchor for link in links])
        return [parent + (1 - self._share) * anchor for anchor in anchors]


def vsm_crawler(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    return Scored(Priority(Vsm(topic)))


def ssrm_crawler(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    return Scored(Priority(SemanticModel(topic, ssrm)))


def svsm_crawler(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    return Scored(Priority(SemanticModel(topic, svsm)))


def sdvsm_crawler(topic: Topic, relevance: Relevance, rng: Random) -> Scored:
    return Scored(Priority(Sdvsm(topic)))
