"""The plainest relevance: the cosine of the topic's weights and the counts of its words in a page."""

import math
import re

from fcwseo.pages import Page
from fcwseo_ontology.topic import Topic

# Words of letters and digits; a Chinese character stands for itself, so that phrases match without
# segmentation.
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")


def tokens(text: str) -> list[str]:
    """The words of a text, lower-cased.

    >>> tokens("Flash-flood warnings: 暴雨")
    ['flash', 'flood', 'warnings', '暴', '雨']
    """
    return _TOKEN.findall(text.lower())


class WordRelevance:
    """Counts the feature words of a topic in a text, in any of their spellings; the longest phrase counts,
    once.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> relevance = WordRelevance(topic_of_words("rain", {"flood": 1.0, "flash flood": 1.0}))
    >>> relevance.counts("A flash flood is a flood; a flood of words.")
    {'flash flood': 1, 'flood': 2}
    """

    def __init__(self, topic: Topic) -> None:
        largest = max(topic.weights.values())  # a cosine does not see the scale, but squares may overflow
        self._weights = {word: weight / largest for word, weight in topic.weights.items()}
        self._norm = math.hypot(*self._weights.values())
        self._phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for word in topic.words:
            for label in dict.fromkeys((word.word, *word.labels)):
                if phrase := tuple(tokens(label)):
                    self._phrases.setdefault(phrase[0], []).append((phrase, word.word))
        for phrases in self._phrases.values():
            phrases.sort(key=lambda entry: -len(entry[0]))

    def counts(self, text: str) -> dict[str, int]:
        found: dict[str, int] = {}
        words = tokens(text)
        position = 0
        while position < len(words):
            length = 1
            for phrase, word in self._phrases.get(words[position], ()):
                if len(phrase) == 1 or tuple(words[position : position + len(phrase)]) == phrase:
                    found[word] = found.get(word, 0) + 1
                    length = len(phrase)
                    break
            position += length
        return found

    def of_text(self, text: str) -> float:
        """The cosine: 0 where no word of the topic occurs."""
        counts = self.counts(text)
        if not counts:
            return 0.0
        product = sum(self._weights[word] * count for word, count in counts.items())
        return product / (self._norm * math.hypot(*counts.values()))

    def __call__(self, page: Page) -> float:
        return self.of_text(f"{page.title}\n{page.text}")
