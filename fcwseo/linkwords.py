"""The words near links, and how the pages fared that such links led to."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fcwseo.graph import Column
from fcwseo.outcomes import Floats, Outcomes
from fcwseo.relevance.matching import Matcher

WORDS = 12  # of a link that are remembered, the rarest ones
LINKS = 8  # to a page whose words are remembered, the first ones
RAREST = 1e-4  # the share of ordinary pages below which words count as equally rare

_NONE = -1

Rows = NDArray[np.intp]


class LinkWords:
    """Rows are the numbers of pages that links lead to.

    The words of the links to a page are kept in a chain: from the row to the last link, from there to the one
    before. Word 0 stands for nothing; the others are those of the matcher, one higher.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._words = Column(np.int32)
        self._before = Column(np.int32)
        self._last = Column(np.int32)
        self._links = Column(np.int8)
        self._outcomes = Outcomes()

    def add(self, rows: Sequence[int], texts: Sequence[str], language: str) -> None:
        """A page's links: the row that each leads to, and the text around it."""
        size = max(rows, default=-1) + 1
        self._last.fill(size, _NONE)
        self._links.fill(size, 0)
        for row, text in zip(rows, texts, strict=True):
            if self._links.values[row] < LINKS:
                self._before.extend([self._last.values[row]])
                self._last.values[row] = len(self._before) - 1
                self._links.values[row] += 1
                self._words.extend(self._rarest(text, language))

    def learn(self, row: int, relevance: float) -> None:
        """The page behind a row was fetched."""
        chain = [words for links in self._chain(np.array([row])) for words in self._of(links).ravel()]
        self._outcomes.add(np.unique(np.array(chain, np.intp)), relevance)

    def above(self, rows: Rows, mean: float) -> Floats:
        """By how much pages with links like the best one to each row are above the mean of all pages."""
        best = np.zeros(len(rows))
        weights = self._weights()
        values = self._outcomes.above(np.arange(len(weights)), mean) * weights
        for depth, links in enumerate(self._chain(rows)):
            there = links != _NONE
            words = self._of(links[there])
            found = values[words].sum(axis=1) / np.maximum(weights[words].sum(axis=1), 1e-9)
            best[there] = np.maximum(best[there], found) if depth else found
        return best

    def _chain(self, rows: Rows) -> list[NDArray[np.int32]]:
        """The links of the rows: the last of each, the one before each, and so on, as long as there are."""
        self._last.fill(int(rows.max(initial=-1)) + 1, _NONE)
        links, chain = self._last.values[rows], []
        while (links != _NONE).any():
            chain.append(links)
            links = np.where(links == _NONE, _NONE, self._before.values[links])
        return chain

    def _of(self, links: NDArray[np.int32]) -> NDArray[np.int32]:
        words: NDArray[np.int32] = self._words.values.reshape(-1, WORDS)[links]
        return words

    def _rarest(self, text: str, language: str) -> list[int]:
        shares = self._matcher.shares
        words = sorted(dict.fromkeys(self._matcher.words(text, language)), key=lambda word: shares[word])
        words = [word + 1 for word in words[:WORDS]]
        return words + [0] * (WORDS - len(words))

    def _weights(self) -> Floats:
        """How much each word says: the rarer, the more; word 0 nothing."""
        shares = np.maximum(np.frombuffer(self._matcher.shares), RAREST)
        return np.concatenate(([0.0], -np.log(np.minimum(shares, 1.0))))
