"""The relevance of pages and anchors as vectors of feature words.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, sections 5.1 and 5.2, equations 4 to 7.

The weight of a feature word in a page depends on its label groups, its weight in an anchor on its rarity
among the pages seen. Relevance is the cosine of these weights and those of the topic. The base of the
logarithm in equation 6 and the length of the anchor cancel in the cosine, so neither is a parameter.
"""

from collections.abc import Mapping
from enum import StrEnum
from math import hypot, log

from fcwseo.pages import Page
from fcwseo.relevance.words import Matcher
from fcwseo_ontology.topic import Topic

GROUP_WEIGHTS = (2.0, 1.5, 1.2, 1.0, 0.2)  # Table 2


class TopicNorm(StrEnum):
    """The feature words in the length of the topic's vector.

    With ``FULL`` few pages come near 1: thresholds are calibrated. ``SUPPORT`` gives the scale of the
    published figures, with thresholds of 0.7 and 0.2, but a single feature word makes a page fully relevant.
    """

    FULL = "full"  # all of the topic
    SUPPORT = "support"  # those that occur in the text


class PaperRelevance:
    """R(p) and R(a). Judging a page adds it to the pages seen.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> relevance = PaperRelevance(topic_of_words("rain", {"rainstorm": 0.8, "flood": 0.6}))
    >>> round(relevance(Page("a", groups=("Flood", "", "", "The flood.", ""))), 3)
    0.6
    >>> round(relevance.of_text("rainstorm"), 3), relevance.of_text("snow")
    (0.8, 0.0)
    """

    def __init__(self, topic: Topic, *, norm: TopicNorm = TopicNorm.FULL) -> None:
        largest = max(
            word.weight for word in topic.words
        )  # the scale cancels in a cosine, but squares may overflow
        self._weights = [word.weight / largest for word in topic.words]
        self._length = hypot(*self._weights)
        self._norm = norm
        self.matcher = Matcher(topic)
        self.pages = 0  # N
        self.pages_with = [0] * len(topic.words)  # N_i

    def __call__(self, page: Page) -> float:
        weights = self.weights(page)
        self.pages += 1
        for feature in weights:
            self.pages_with[feature] += 1
        return self._cosine(weights)

    def of_page(self, page: Page) -> float:
        """R(p), equation 5, without adding the page to those seen."""
        return self._cosine(self.weights(page))

    def weights(self, page: Page) -> dict[int, float]:
        """Equation 4: the weights of the feature words of a page."""
        groups = [self.matcher.features(text, page.language) for text in page.groups]
        most: dict[int, int] = {}
        for counts in groups:
            for feature, count in counts.items():
                most[feature] = max(count, most.get(feature, 0))
        weights = dict.fromkeys(most, 0.0)
        for weight, counts in zip(GROUP_WEIGHTS, groups, strict=True):
            for feature, count in counts.items():
                weights[feature] += weight * count / most[feature]
        return weights

    def of_text(self, text: str, language: str = "") -> float:
        """R(a) of an anchor."""
        return self.of_features(self.features(text, language))

    def features(self, text: str, language: str = "") -> dict[int, int]:
        """The frequencies of the feature words of an anchor."""
        return self.matcher.features(text, language)

    def of_features(self, counts: Mapping[int, int]) -> float:
        """R(a), equations 6 and 7, of an anchor with these feature words."""
        return self._cosine({feature: count * self._rarity(feature) for feature, count in counts.items()})

    def _rarity(self, feature: int) -> float:
        return log(max(self.pages, 1) / max(self.pages_with[feature], 1) + 0.01)

    def _cosine(self, weights: Mapping[int, float]) -> float:
        product = sum(self._weights[feature] * weight for feature, weight in weights.items())
        if product <= 0:
            return 0.0
        topic = hypot(*(self._weights[feature] for feature in weights))
        length = self._length if self._norm is TopicNorm.FULL else topic
        return min(1.0, product / (length * hypot(*weights.values())))
