"""Text models with the similarity of terms by WordNet.

Concept similarity is that of Lin with the information content of Seco (paper 000, equations 6 and 7). WordNet
is English: a Chinese label of a topic term has the senses of its English labels; any other word missing in
WordNet is similar only to itself.

In the paper the similarity of two terms is that of their most similar senses. Any two nouns then have some
similarity, and since a text has hundreds of pairs of terms, these small similarities outweigh the few large
ones: pages are separated worse than by the plain vector space model. ``SURE`` compares only the most common
sense of each word, and ignores weak similarities. Our crawlers use it; ``PRINTED`` is the paper's version.

Only the heaviest terms of a page, and all topic terms, are compared: the others would change little.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from fcwseo.columns import Floats
from fcwseo.pages import Page
from fcwseo.relevance.models.terms import TermWeights, Text
from fcwseo_ontology.relations.wordnet import Synset, WordNet, load_wordnet
from fcwseo_ontology.topic import FeatureWord, Topic

PAGE_TERMS = 100
_MOST_TEXTS = 1 << 16  # texts with cached scores
_MOST_TOKENS = 1 << 18

_WORD = re.compile(r"[^\W\d_]+")

Formula = Callable[[Floats, Floats, Floats], float]


class SenseMatch(NamedTuple):
    """The smallest similarity that counts, and the number of most common senses that are compared."""

    least: float
    meanings: int | None


SURE = SenseMatch(least=0.9, meanings=1)
PRINTED = SenseMatch(least=0.0, meanings=None)


@cache
def the_wordnet() -> WordNet:
    """The WordNet that is used, loaded once."""
    return load_wordnet()


class SemanticModel:
    """A page or text scored by ``formula``: ``ssrm`` or ``svsm``."""

    def __init__(
        self,
        topic: Topic,
        formula: Formula,
        *,
        match: SenseMatch = SURE,
        wordnet: WordNet | None = None,
    ) -> None:
        self.weights = TermWeights(topic)
        self._formula = formula
        self._alike = Similarities(self.weights, wordnet or the_wordnet(), match)
        self._remembered: dict[str, float] = {}

    def of_page(self, page: Page) -> float:
        return self.score(self.read(f"{page.title}\n{page.text}", page.language))

    def of_anchors(self, page: Page, anchors: Sequence[str]) -> list[float]:
        return [self.of_text(anchor) for anchor in anchors]

    def of_text(self, text: str) -> float:
        score = self._remembered.get(text)
        if score is None:
            if len(self._remembered) == _MOST_TEXTS:
                self._remembered.clear()
            score = self._remembered[text] = self.score(self.read(text))
        return score

    def read(self, text: str, language: str = "") -> Text:
        self._alike.learn(text, language)
        return self.weights.of(text, language)

    def score(self, text: Text) -> float:
        text = text.heaviest(PAGE_TERMS, self.weights.size)
        if not len(text.terms):
            return 0.0
        return self._formula(self._alike.rows(text.terms.tolist()), text.weights, self.weights.topic)


class Similarities:
    """The similarities of terms to the topic terms: a row for each term, computed when first needed."""

    def __init__(self, weights: TermWeights, wordnet: WordNet, match: SenseMatch = SURE) -> None:
        self._weights, self._wordnet = weights, wordnet
        self._senses = topic_senses(weights.words, wordnet, match)
        self._tokens: set[str] = set()
        self._nouns: dict[int, str] = {}
        self._places: dict[int, int] = {}
        self._values = np.zeros((64, weights.size))
        self._used = 0

    def learn(self, text: str, language: str = "") -> None:
        """Find nouns for the numbers of the terms in a text: a number stands for a stem."""
        if language[:2].lower() not in ("", "en") or len(self._tokens) > _MOST_TOKENS:
            return
        for token in dict.fromkeys(_WORD.findall(text.lower())):
            if token not in self._tokens:
                self._tokens.add(token)
                if self._wordnet.lemmas(token):
                    self._take_in(token)

    def _take_in(self, noun: str) -> None:
        for number in self._weights.matcher.words(noun):
            if number not in self._nouns:
                self._nouns[number] = noun
                self._places.pop(number, None)

    def rows(self, terms: Iterable[int]) -> Floats:
        places = [self._places[term] if term in self._places else self._add(term) for term in terms]
        return self._values[places]

    def _add(self, term: int) -> int:
        place = self._places[term] = self._used
        self._used += 1
        if place == len(self._values):
            self._values = np.concatenate((self._values, np.zeros_like(self._values)))
        self._values[place] = self._row(term)
        return place

    def _row(self, term: int) -> Floats:
        if term >= self._weights.size:
            return self._senses.alike([self._nouns[term]] if term in self._nouns else [])
        word = self._weights.words[term]
        row = self._senses.alike((word.word, *word.labels))
        row[term] = 1.0
        return row


@lru_cache(maxsize=4)
def topic_senses(words: tuple[FeatureWord, ...], wordnet: WordNet, match: SenseMatch) -> "TopicSenses":
    """Shared by all crawls of a topic in a process."""
    return TopicSenses(words, wordnet, match)


class TopicSenses:
    """The senses of all topic terms, and the similarities of any noun to each of these terms."""

    def __init__(self, words: Sequence[FeatureWord], wordnet: WordNet, match: SenseMatch = SURE) -> None:
        self._wordnet = wordnet
        self._match = match
        self._terms = len(words)
        labels = [(word.word, *word.labels) for word in words]
        senses = [(term, sense) for term, own in enumerate(labels) for sense in self._meanings(own)]
        terms = np.array([term for term, _ in senses], np.intp)
        self._known, self._first = np.unique(
            terms, return_index=True
        )  # terms with a sense, and the offsets of their senses
        self._id = np.array([sense.id for _, sense in senses], np.int64)
        self._content = np.array([wordnet.information_content(sense) for _, sense in senses])
        above = [wordnet.ancestors(sense) for _, sense in senses]
        self._above = {number: row for row, number in enumerate(dict.fromkeys(n for ns in above for n in ns))}
        self._shared = np.zeros((len(self._above), len(senses)))
        for column, numbers in enumerate(above):
            for number in numbers:
                content = wordnet.information_content(wordnet.synset(number))
                self._shared[self._above[number], column] = content

    def alike(self, words: Sequence[str]) -> Floats:
        """The largest similarity of a sense of any of the words to a sense of each topic term."""
        best = np.zeros(self._terms)
        senses = self._meanings(words)
        if senses and len(self._known):
            of_senses = np.maximum.reduce([self._lin(sense) for sense in senses])
            best[self._known] = np.maximum.reduceat(of_senses, self._first)
        return np.where(best < self._match.least, 0.0, best)

    def _meanings(self, words: Sequence[str]) -> list[Synset]:
        most = self._match.meanings
        found = (sense for word in words for sense in self._wordnet.synsets(word)[:most])
        return list({sense.id: sense for sense in found}.values())

    def _lin(self, sense: Synset) -> Floats:
        """Like ``WordNet.lin``, of one sense and each sense of the topic."""
        shared = [self._above[number] for number in self._wordnet.ancestors(sense) if number in self._above]
        if not shared:
            return np.zeros(len(self._id))
        total = self._content + self._wordnet.information_content(sense)
        lin = 2 * self._shared[shared].max(axis=0) / np.maximum(total, 1e-12)
        return np.where(self._id == sense.id, 1.0, lin)
