"""The vector space model: relevance is the cosine of the term weights of the text and the topic.

G. Salton, A. Wong, C. S. Yang: A vector space model for automatic indexing, 1975; as the crawler VSM of paper
000, equation 17. The norm runs over all terms of the text: over the common terms only, a single shared term
would make any text fully relevant.
"""

import math
from collections.abc import Sequence

from fcwseo.columns import Floats
from fcwseo.pages import Page
from fcwseo.relevance.models.terms import TermWeights, Text
from fcwseo_ontology.topic import Topic

_MOST_ANCHORS = 1 << 16  # texts with cached similarities


def vsm(text: Floats, topic: Floats) -> float:
    """Equation 17, of two vectors over the same terms.

    >>> import numpy as np
    >>> vsm(np.array([3.0, 4.0]), np.array([3.0, 4.0])), vsm(np.array([1.0, 0.0]), np.array([0.0, 1.0]))
    (1.0, 0.0)
    """
    norms = math.sqrt(float(text @ text)) * math.sqrt(float(topic @ topic))
    return min(1.0, float(text @ topic) / norms) if norms else 0.0


class Vsm:
    """
    >>> from fcwseo_ontology.topic import topic_of_words
    >>> model = Vsm(topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5}))
    >>> model.of_text("rainstorm warning") > model.of_text("a warning of floods") > model.of_text("sun") == 0
    True
    """

    def __init__(self, topic: Topic) -> None:
        self._weights = TermWeights(topic)
        self._remembered: dict[str, float] = {}

    def of_page(self, page: Page) -> float:
        return self.of_text(f"{page.title}\n{page.text}", page.language)

    def of_anchors(self, page: Page, anchors: Sequence[str]) -> list[float]:
        if len(self._remembered) > _MOST_ANCHORS:
            self._remembered.clear()
        for anchor in anchors:
            if anchor not in self._remembered:
                has_topic = self._weights.matcher.features(anchor)  # most texts contain no topic term
                self._remembered[anchor] = self.of_text(anchor) if has_topic else 0.0
        return [self._remembered[anchor] for anchor in anchors]

    def of_text(self, text: str, language: str = "") -> float:
        return vsm_of(self._weights, self._weights.of(text, language))


def vsm_of(weights: TermWeights, text: Text) -> float:
    """Equation 17, for a text with few topic terms."""
    if not len(text.terms) or text.terms[0] >= weights.size:
        return 0.0
    topic = 0 * text.weights
    shared = text.terms[text.terms < weights.size]
    topic[: len(shared)] = weights.topic[shared]
    found = vsm(text.weights, topic)
    # The topic's norm runs over all its terms, including those missing in the text.
    return found * math.sqrt(float(topic @ topic) / float(weights.topic @ weights.topic))
