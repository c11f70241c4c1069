"""Features from the words of a link: outcomes of pages whose links had the same words, and of pages that
contain them.
"""

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats, Rows
from fcwseo.links.evidence.outcomes import SHRINK, Groups
from fcwseo.relevance.protocol import Relevance
from fcwseo.relevance.words import Numbers

WORDS = 12  # words stored of a link, the rarest ones
LINKS = 8  # links to a page whose words are stored, the first ones
ROOM = 8  # words stored of all anchors of a page, the first ones, or of its URL
RAREST = 1e-4  # share of ordinary pages below which words are equally rare

_NONE = -1

Values = NDArray[np.float32]


class Rarities:
    """Weights of words by their rarity on ordinary pages. Word 0 stands for no word and has weight 0; other
    numbers are those of the crawl plus one.
    """

    def __init__(self, shares: "array[float]") -> None:
        """``shares``: the share of ordinary pages with each word; it grows as words are found."""
        self._shares = shares
        self._column = Column(np.float32)
        self._column.extend([0.0])

    @property
    def values(self) -> Values:
        known = len(self._column.values) - 1
        if known < len(self._shares):
            shares = np.array(self._shares[known:])
            self._column.extend(-np.log(np.clip(shares, RAREST, 1.0)))
        return self._column.values

    def rarest(self, words: Sequence[int]) -> list[int]:
        """The rarest of some words of the crawl; of equally rare words the first."""
        return [word + 1 for word in sorted(dict.fromkeys(words), key=self._shares.__getitem__)[:WORDS]]


class WordOutcomes:
    """Outcomes of pages by word, like ``Outcomes``, times the weight of the word.

    Both terms of the difference to the mean are stored, so a new mean costs one pass over the words.
    """

    def __init__(self, rarities: Rarities) -> None:
        self._rarities = rarities
        self._sums = Column(np.float32)
        self._counts = Column(np.float32)
        self._ups = Column(np.float32)
        self._parts = Column(np.float32)

    def add(self, words: Groups, relevance: float) -> None:
        """Add the outcome of a page to each of these words."""
        rarities = self._rarities.values
        for column in (self._sums, self._counts, self._ups, self._parts):
            column.fill(len(rarities), 0.0)
        self._sums.values[words] += relevance
        self._counts.values[words] += 1
        counts = self._counts.values[words]
        self._ups.values[words] = rarities[words] * self._sums.values[words] / (counts + SHRINK)
        self._parts.values[words] = rarities[words] * counts / (counts + SHRINK)

    def values(self, mean: float) -> Values:
        """The relevance of pages above the mean of all pages, times the weight of the word."""
        for column in (self._ups, self._parts):
            column.fill(len(self._rarities.values), 0.0)
        values: Values = self._ups.values - np.float32(mean) * self._parts.values
        return values


class LinkWords:
    """The words around links. Rows are the numbers of the targets of links.

    The words of the links to a page form a chain: from the row to the last link, and from each link to the
    one before.
    """

    def __init__(self, rarities: Rarities) -> None:
        self._rarities = rarities
        self._words = Column(np.int32)
        self._weights = Column(np.float32)  # words of all links
        self._before = Column(np.int32)
        self._last = Column(np.int32)
        self._links = Column(np.int8)

    def has_room(self, row: int) -> bool:
        """Whether the words of another link to a row would be stored."""
        return row >= len(self._links.values) or bool(self._links.values[row] < LINKS)

    def add(self, rows: Sequence[int], words: Sequence[Sequence[int]]) -> None:
        """Add the links of a page: the row of each target, and the words around the link."""
        size = max(rows, default=-1) + 1
        self._last.fill(size, _NONE)
        self._links.fill(size, 0)
        last, links, count = self._last.values, self._links.values, len(self._before.values)
        before: list[int] = []
        remembered: list[int] = []
        for row, near in zip(rows, words, strict=True):
            if links[row] < LINKS:
                before.append(last[row])
                last[row] = count + len(before) - 1
                links[row] += 1
                rarest = self._rarities.rarest(near)
                remembered += rarest + [0] * (WORDS - len(rarest))
        self._before.extend(before)
        self._words.extend(remembered)
        weights = self._rarities.values[np.array(remembered, np.intp)].reshape(-1, WORDS).sum(axis=1)
        self._weights.extend(np.maximum(weights, 1e-6))

    def of(self, row: int) -> Rows:
        """All words around the links to a row, each once."""
        links, _ = self._links_of(np.array([row]))
        return np.unique(self._of(links)).astype(np.intp)

    def best(self, rows: Rows, *values: Values) -> list[Floats]:
        """The value of the best link to each row, for each of several values of words."""
        links, places = self._links_of(rows)
        words, weights = self._of(links), self._weights.values[links]
        best = np.full((len(values), len(rows)), -np.inf)
        for most, value in zip(best, values, strict=True):
            found = np.einsum("ij->i", value.take(words)) / weights
            np.maximum.at(most, places, found.astype(np.float64))
        return [np.where(np.isinf(most), 0.0, most) for most in best]

    def _links_of(self, rows: Rows) -> tuple[NDArray[np.int32], Rows]:
        """All links to the rows, and for each the index of its row."""
        self._last.fill(int(rows.max(initial=-1)) + 1, _NONE)
        place, links = np.arange(len(rows)), self._last.values[rows]
        found, places = [np.empty(0, np.int32)], [np.empty(0, np.intp)]
        while (there := links != _NONE).any():
            place, links = place[there], links[there]
            found.append(links)
            places.append(place)
            links = self._before.values[links]
        return np.concatenate(found), np.concatenate(places)

    def _of(self, links: NDArray[np.int32]) -> NDArray[np.int32]:
        words: NDArray[np.int32] = self._words.values.reshape(-1, WORDS)[links]
        return words


class Theme:
    """The theme: the mean of the word vectors of fetched pages, weighted by their relevance.

    Words are numbered as in ``Rarities``. Rarity off the topic has its current value, except in the length of
    a page's vector, which is computed when the page is fetched.
    """

    def __init__(self, relevance: Relevance) -> None:
        self._relevance = relevance
        self._sums = Column(np.float64)
        self._sums.extend([0.0])
        self._total = 0.0

    def add(self, numbers: Numbers, counts: NDArray[np.intp], relevance: float) -> None:
        """Add a page: its words by the numbers of the matcher, their frequencies, and its relevance."""
        damped = np.log1p(counts)
        norm = float(np.linalg.norm(damped * self._relevance.idf(numbers)))
        if norm:
            self._grow_to(int(numbers.max()) + 2)
            self._sums.values[numbers + 1] += relevance * damped / norm
            self._total += relevance

    def of(self, words: NDArray[np.int32]) -> Floats:
        """The similarity of rows of words to the theme; 0 stands for no word."""
        self._grow_to(int(words.max(initial=0)) + 1)
        values = self._sums.values.take(words) * self._relevance.idf(words - 1)  # the sum of no word is 0
        several = np.sqrt(np.maximum(np.count_nonzero(words, axis=1), 1))
        shares: Floats = values.sum(axis=1) / several / max(self._total, 1e-9)
        return shares

    def _grow_to(self, size: int) -> None:
        self._sums.fill(size, 0.0)


class RowWords:
    """A few words of each row: of the anchors of all links to it together, or of its URL."""

    def __init__(self) -> None:
        self._words = Column(np.int32)

    def add(self, rows: Sequence[int], words: Sequence[Sequence[int]]) -> None:
        """Add words to rows, up to the room of each."""
        self._grow_to(max(rows, default=-1) + 1)
        places = self._words.values.reshape(-1, ROOM)
        for row, found in zip(rows, words, strict=True):
            known = [word for word in places[row].tolist() if word]
            new = [word + 1 for word in dict.fromkeys(found) if word + 1 not in known][: ROOM - len(known)]
            if new:
                places[row, len(known) : len(known) + len(new)] = new

    def of(self, rows: Rows) -> NDArray[np.int32]:
        """A row of words for each link, padded with 0."""
        self._grow_to(int(rows.max(initial=-1)) + 1)
        words: NDArray[np.int32] = self._words.values.reshape(-1, ROOM)[rows]
        return words

    def most(self, rows: Rows, values: Values) -> Floats:
        """The largest value of any word of each row."""
        return np.asarray(values.take(self.of(rows)).max(axis=1, initial=-np.inf), np.float64)

    def mean(self, rows: Rows, values: Values, weights: Values) -> Floats:
        """The sum of the values of the words of each row, divided by that of their weights."""
        words = self.of(rows)
        total = np.maximum(np.einsum("ij->i", weights.take(words)), 1e-6)
        return np.asarray(np.einsum("ij->i", values.take(words)) / total, np.float64)

    def _grow_to(self, size: int) -> None:
        self._words.fill(size * ROOM, 0)
