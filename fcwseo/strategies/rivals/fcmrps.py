"""FCMRPS: best-first search by four predictions of a link's relevance.

Z. Chen and others, Computers and Mathematics with Applications 57, 2009, pages 1057 to 1072 (paper 004):
by the page that contains the link, by its anchor or the text around it, by the tokens of its URL, and by the
relation of its URL to that of the page. The score is their weighted sum (equation 8).

As in Shark-Search, links of an irrelevant page may only be followed to a limited depth. Links beyond that
depth are not dropped but wait until no other link is left.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.models.taxonomy import Taxonomy, link_type, of_link_type, taxonomy_of
from fcwseo.relevance.protocol import Relevance
from fcwseo.relevance.words import Matcher
from fcwseo.strategies.rivals.scored import Scored
from fcwseo_ontology.topic import Topic

DEAD = -2.0  # added to the score when the depth is used up

_STOP = 0.5  # a word on more than this share of ordinary pages is a stop word
_MOST_TEXTS = 1 << 16  # cached relevances


@dataclass(frozen=True, slots=True)
class FcmrpsParameters:
    """The parameters of FCMRPS."""

    weights: tuple[float, float, float, float] = (0.25, 0.25, 0.25, 0.25)  # page, anchor, address, link type
    depth: int = 3  # number of links that may be followed without finding a relevant page
    relevant: float = 0.1  # delta: relevance of its text from which a page is relevant


VARIANTS = {
    "fcmrps": FcmrpsParameters(),
    "fcmrps-1": FcmrpsParameters((1, 0, 0, 0)),
    "fcmrps-2": FcmrpsParameters((0, 1, 0, 0)),
    "fcmrps-3": FcmrpsParameters((0, 0, 1, 0)),
    "fcmrps-13": FcmrpsParameters((1 / 2, 0, 1 / 2, 0)),
    "fcmrps-124": FcmrpsParameters((1 / 3, 1 / 3, 0, 1 / 3)),
}


def fcmrps(topic: Topic, relevance: Relevance, rng: Random, *, variant: str = "fcmrps") -> Scored:
    """The crawler FCMRPS, or one of its variants."""
    return Scored(Fcmrps(taxonomy_of(topic), parameters=VARIANTS[variant]))


class Predictions(NamedTuple):
    """R_PC, R_AT, R_url and R_LT."""

    page: float
    anchor: float
    address: float
    place: float


class Fcmrps:
    """The score of equation 8, and the remaining depth."""

    def __init__(self, taxonomy: Taxonomy, *, parameters: FcmrpsParameters | None = None) -> None:
        self._parameters = parameters or FcmrpsParameters()
        self._taxonomy = taxonomy
        self._cosine = TermCosine(taxonomy.topic)
        self._depths: dict[str, int] = {}
        self._addresses: dict[str, float] = {}

    def __call__(self, visit: Visit, page: Page, links: Sequence[Link]) -> list[float]:
        text = self._of_page(page)
        left = self._parameters.depth
        if text < self._parameters.relevant:
            left = self._depths.get(visit.link.target, left) - 1
        self._depths.pop(visit.link.target, None)
        self._addresses.pop(visit.link.target, None)
        content = is_content(page)
        return [self._score(link, page.url, text, content) + self._penalty(link, left) for link in links]

    def tell(self, page: Page, link: Link) -> Sequence[str]:
        text = self._of_page(page)
        found = self._predictions(link, page.url, text, is_content(page))
        weights = ", ".join(f"{weight:.3g}" for weight in self._parameters.weights)
        kind = link_type(page.url, link.target, content=is_content(page))
        lines = [
            f"page {found.page:.4f}, anchor {found.anchor:.4f}, URL {found.address:.4f}, "
            f"link type {found.place:.4f} ({kind}); weights {weights}: {self._sum(found):.4f}"
        ]
        if self._depths.get(link.target, 1) <= 0:
            lines.append(
                f"none of the last {self._parameters.depth} pages on its path was relevant: it comes last"
            )
        return lines

    def _score(self, link: Link, page: str, text: float, content: bool) -> float:
        return self._sum(self._predictions(link, page, text, content))

    def _predictions(self, link: Link, page: str, text: float, content: bool) -> "Predictions":
        anchor = self._cosine.of_anchor(link.anchor) or self._cosine.of_anchor(link.context)
        kind = link_type(page, link.target, content=content)
        place = of_link_type(kind, anchor=anchor, page=text)
        return Predictions(text, anchor, self._of_url(link.target), place)

    def _sum(self, predictions: "Predictions") -> float:
        """Equation 8."""
        return sum(w * value for w, value in zip(self._parameters.weights, predictions, strict=True))

    def _of_page(self, page: Page) -> float:
        return self._cosine.of(f"{page.title}\n{page.text}", page.language)

    def _penalty(self, link: Link, left: int) -> float:
        best = self._depths[link.target] = max(left, self._depths.get(link.target, left))
        return 0.0 if best > 0 else DEAD

    def _of_url(self, url: str) -> float:
        if url not in self._addresses:
            self._addresses[url] = self._taxonomy.of_url(url)
        return self._addresses[url]


class TermCosine:
    """R_PC and R_AT, equations 1 to 4: the cosine of the terms' frequencies and the labels' weights."""

    def __init__(self, topic: Topic) -> None:
        self._matcher = Matcher(topic)
        weights = np.array([word.weight for word in topic.words])
        self._weights = weights / np.linalg.norm(weights)
        self._remembered: dict[str, float] = {}

    def of(self, text: str, language: str = "") -> float:
        words = self._matcher.words(text, language)
        if min(words, default=self._matcher.size) >= self._matcher.size:
            return 0.0  # most texts near links contain no label
        numbers, counts = np.unique(np.array(words, np.int32), return_counts=True)
        labels = int(np.searchsorted(numbers, self._matcher.size))
        shares = np.frombuffer(self._matcher.shares)[numbers]
        counts = counts[(numbers < self._matcher.size) | (shares < _STOP)]
        product = float(counts[:labels] @ self._weights[numbers[:labels]])
        return product / math.sqrt(float(counts @ counts))

    def of_anchor(self, text: str) -> float:
        value = self._remembered.get(text)
        if value is None:
            if len(self._remembered) == _MOST_TEXTS:
                self._remembered.clear()
            value = self._remembered[text] = self.of(text)
        return value


def is_content(page: Page) -> bool:
    """Whether a page has text of its own besides the text of its links."""
    return len(page.text) > 2 * sum(len(link.anchor) for link in page.links)
