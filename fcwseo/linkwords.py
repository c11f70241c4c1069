"""The words near links, and how the pages fared that such links led to."""

from array import array
from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from fcwseo.graph import Column
from fcwseo.outcomes import Floats, Outcomes

WORDS = 12  # of a link that are remembered, the rarest ones
LINKS = 8  # to a page whose words are remembered, the first ones
RAREST = 1e-4  # the share of ordinary pages below which words count as equally rare

_NONE = -1

Rows = NDArray[np.intp]


class LinkWords:
    """Rows are the numbers of pages that links lead to.

    The words of the links to a page are kept in a chain: from the row to the last link, from there to the one
    before. Word 0 stands for nothing; the others are those of the crawl, one higher.
    """

    def __init__(self, shares: "array[float]") -> None:
        """``shares``: of ordinary pages that have each word; it grows as words come up."""
        self._shares = shares
        self._words = Column(np.int32)
        self._weights = Column(np.float32)  # of all words of a link
        self._before = Column(np.int32)
        self._last = Column(np.int32)
        self._links = Column(np.int8)
        self._outcomes = Outcomes()

    def has_room(self, row: int) -> bool:
        """Whether the words of another link to a row would be remembered."""
        return row >= len(self._links) or bool(self._links.values[row] < LINKS)

    def add(self, rows: Sequence[int], words: Sequence[Sequence[int]]) -> None:
        """A page's links: the row that each leads to, and the words around it."""
        size = max(rows, default=-1) + 1
        self._last.fill(size, _NONE)
        self._links.fill(size, 0)
        last, links, count = self._last.values, self._links.values, len(self._before)
        before: list[int] = []
        remembered: list[int] = []
        weights: list[float] = []
        for row, near in zip(rows, words, strict=True):
            if links[row] < LINKS:
                before.append(last[row])
                last[row] = count + len(before) - 1
                links[row] += 1
                rarest, weight = self._rarest(near)
                remembered += rarest
                weights.append(weight)
        self._before.extend(before)
        self._words.extend(remembered)
        self._weights.extend(weights)

    def _rarest(self, words: Sequence[int]) -> tuple[list[int], float]:
        """The rarest words, and how much they weigh together."""
        shares = self._shares
        rarest = sorted((shares[word], word) for word in dict.fromkeys(words))[:WORDS]
        weight = sum(-log(min(max(share, RAREST), 1)) for share, _ in rarest)
        return [word + 1 for _, word in rarest] + [0] * (WORDS - len(rarest)), max(weight, 1e-6)

    def learn(self, row: int, relevance: float) -> None:
        """The page behind a row was fetched."""
        chain = [words for links in self._chain(np.array([row])) for words in self._of(links).ravel()]
        self._outcomes.add(np.unique(np.array(chain, np.intp)), relevance)

    def above(self, rows: Rows, mean: float) -> Floats:
        """By how much pages with links like the best one to each row are above the mean of all pages."""
        best = np.zeros(len(rows))
        values = self._values(mean)
        for depth, links in enumerate(self._chain(rows)):
            there = links != _NONE
            found = values[self._of(links[there])].sum(axis=1) / self._weights.values[links[there]]
            best[there] = np.maximum(best[there], found) if depth else found
        return best

    def _values(self, mean: float) -> NDArray[np.float32]:
        """What each word says, times its weight: the rarer, the more. Word 0 says nothing."""
        shares = np.clip(np.frombuffer(self._shares), RAREST, 1.0)
        above = self._outcomes.above(np.arange(len(shares) + 1), mean)
        return np.concatenate(([0.0], above[1:] * -np.log(shares))).astype(np.float32)

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
