"""The meaning of links and pages, by vectors of their words.

No page that names Costa Rica says that it is not a storm. In word vectors learned from much text, places are
near places and storms near storms. A link is therefore scored by the nearness of its words to those of the
topic, and by the outcome of pages whose links have a similar meaning.

The vectors are of English words (``data/README.md`` names their source). A link without a known word has the
mean value; on a web without known words the feature is constant.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats, Rows
from fcwseo.links.evidence.words import Rarities
from fcwseo.pages import Page
from fcwseo.relevance.protocol import Relevance

AROUND = 0.3  # weight of the context, relative to the words of the anchor
ADDRESS = 0.7  # weight of the last words of the URL
DOUBT = 20.0  # strength of shrinkage to 0, as a number of links
FEWEST = 5  # links, or pages, before anything is learned
LANGUAGES = ("", "en")  # languages of pages whose words are looked up; many pages do not declare one
NEAR_FULL = 0.15  # mean nearness of links to the topic up to which meaning has its full weight
NEAR_NONE = 0.4  # mean nearness from which it has no weight
KNOWN = 0.5  # share of a page's words, by weight, that must be known
NEARNESS = 1.5  # weight of the nearness of a page, relative to its relevance, both on one scale
ALIKE = 0.02  # smallest deviation of nearness; smaller differences are not magnified

Packed = NDArray[np.int8]

_LENGTH = 127  # bytes of a packed vector
_AT_ONCE = 1 << 16  # links unpacked at a time
_DIGITS = 6  # digits: products differ in the last ones between runs, and crawls must repeat exactly


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Packed vectors and the row of each stem. Row 0 stands for no word."""

    rows: dict[str, int]
    vectors: Packed

    def of(self, stems: Sequence[str]) -> Floats:
        """The direction of the sum of the vectors of stems; zeros if no stem is known.

        >>> storm, rain, city = (word_vectors().of([stem]) for stem in ("storm", "rain", "costa"))
        >>> bool(storm @ rain > 0.5 > storm @ city)
        True
        """
        return unit(self.vectors[[self.rows.get(stem, 0) for stem in stems]].sum(axis=0, dtype=np.float64))


@cache
def word_vectors() -> WordVectors:
    """The vectors of English words that the package includes."""
    packed = (files("fcwseo") / "data" / "vectors-en.npz").read_bytes()
    with np.load(BytesIO(packed)) as table:
        stems, vectors = bytes(table["stems"]).decode().split(), table["vectors"]
    nothing = np.zeros((1, vectors.shape[1]), np.int8)
    return WordVectors({stem: row for row, stem in enumerate(stems, 1)}, np.concatenate((nothing, vectors)))


class Meanings:
    """Meanings by row, the number of the target of a link. The meaning of an unfetched page comes from the
    first link to it and its URL; that of a fetched page from its words.
    """

    def __init__(self, relevance: Relevance, rarities: Rarities) -> None:
        self._relevance = relevance
        self._matcher = relevance.matcher
        self._rarities = rarities
        self._table = word_vectors()
        features = np.array([self._table.of(self._matcher.stems(word)) for word in range(self._matcher.size)])
        self._topic = unit(relevance.weights @ features)
        self._vectors = np.concatenate((self._table.vectors, _packed(features)))
        self._has_vector = self._vectors.any(axis=1)
        self._of_word = Column(np.int32)  # row of its vector
        self._of_word.extend(np.arange(len(self._table.vectors), len(self._vectors)))
        self._size = self._vectors.shape[1]
        self._near = Column(np.float64)  # nearness to the topic; NaN if no word of the link is known
        self._total, self._count = 0.0, 0  # sum of known nearness
        self._links = Column(np.int8)
        self._products = np.zeros(
            (self._size + 1, self._size + 1)
        )  # products of link vectors, with a constant last
        self._sums = np.zeros(self._size + 1)
        self._weights: Floats | None = None

    def add(
        self,
        rows: Sequence[int],
        anchors: Sequence[Sequence[int]],
        near: Sequence[Sequence[int]],
        addresses: Sequence[Sequence[int]],
    ) -> None:
        """Add links by the row of their target: the words of the anchor, of the context, and of the URL."""
        self._grow_to(max(rows, default=-1) + 1)
        new = np.flatnonzero(np.isnan(self._near.values[list(rows)])).tolist()
        if new:
            new.reverse()  # of several links to a row, the first is written last
            texts = [text[place] for text in (anchors, near, addresses) for place in new]
            parts = self._directions(texts).reshape(3, len(new), self._size)
            meant = unit(parts[0] + AROUND * parts[1] + ADDRESS * parts[2])
            known = np.flatnonzero(meant.any(axis=1))
            at = np.array(rows, np.intp)[new][known]
            self._near.values[at] = np.round(_products(meant[known], self._topic), _DIGITS)
            self._vectors_of_links()[at] = _packed(meant[known])
            first = self._near.values[np.unique(at)]
            self._total += float(first.sum())
            self._count += len(first)

    def learn(self, row: int, relevance: float) -> None:
        """Learn from the fetched page of a row."""
        self._grow_to(row + 1)
        if not np.isnan(self._near.values[row]):
            known = np.append(self._vectors_of_links()[row] / _LENGTH, 1.0)
            self._products += np.outer(known, known)
            self._sums += relevance * known
            self._weights = None

    def near_topic(self, rows: Rows) -> Floats:
        """The nearness of links to the topic."""
        self._grow_to(int(rows.max(initial=-1)) + 1)
        near = self._near.values[rows]
        return np.where(np.isnan(near), self._total / max(self._count, 1), near)

    def alike(self, rows: Rows) -> Floats:
        """The relevance of pages with links of similar meaning, above the mean of fetched pages: a ridge
        regression on the vectors.
        """
        self._grow_to(int(rows.max(initial=-1)) + 1)
        if self._products[-1, -1] < FEWEST:
            return np.zeros(len(rows))
        if self._weights is None:
            drawn = np.append(np.full(self._size, DOUBT), 1e-9)  # the level is not shrunk
            self._weights = np.linalg.solve(self._products + np.diag(drawn), self._sums)[:-1]
        level = self._products[-1, :-1] @ self._weights / self._products[-1, -1]
        links, weights = self._vectors_of_links(), self._weights / _LENGTH
        parts = np.array_split(rows, 1 + len(rows) // _AT_ONCE)
        values = np.concatenate([_products(links[part].astype(np.float64), weights) for part in parts])
        return np.where(np.isnan(self._near.values[rows]), 0.0, np.round(values - level, _DIGITS))

    def of_page(self, page: Page) -> float | None:
        """The nearness of a page to the topic; None if too few of its words are known."""
        if page.language[:2] not in LANGUAGES:
            return None
        numbers, counts = self._matcher.count_page(page)
        weights = np.log1p(counts) * self._relevance.idf(numbers)
        rows = self._rows_of_words().take(numbers)
        known = self._has_vector.take(rows)
        if not weights[known].sum() > KNOWN * weights.sum():
            return None
        vectors = self._vectors.take(rows, axis=0).astype(np.float64)
        return round(float(unit(_products(vectors.T, weights)) @ self._topic), _DIGITS)

    @property
    def weight(self) -> float:
        """The weight of the nearness of pages, from all known links."""
        return meaning_weight(self._total / self._count) if self._count else 0.0

    def _directions(self, texts: Sequence[Sequence[int]]) -> Floats:
        """The directions of the sums of word vectors of texts, weighted by rarity."""
        words = np.fromiter(chain.from_iterable(texts), np.intp)
        rarities = self._rarities.values[words + 1, np.newaxis]
        vectors = self._vectors.take(self._rows_of_words()[words], axis=0) * rarities
        lengths = np.fromiter(map(len, texts), np.intp, len(texts))
        filled = np.flatnonzero(lengths)
        sums = np.zeros((len(texts), self._size))
        if len(filled):
            starts = (np.cumsum(lengths) - lengths)[filled]
            sums[filled] = np.add.reduceat(vectors, starts, axis=0)
        return unit(sums)

    def _rows_of_words(self) -> NDArray[np.int32]:
        known, words = len(self._of_word.values), len(self._matcher.shares)
        if known < words:
            rows, stems = self._table.rows, self._matcher.stems
            self._of_word.extend([rows.get(stems(word)[0], 0) for word in range(known, words)])
        return self._of_word.values

    def _vectors_of_links(self) -> Packed:
        return self._links.values.reshape(-1, self._size)

    def _grow_to(self, size: int) -> None:
        self._near.fill(size, np.nan)
        self._links.fill(size * self._size, 0)


class Blending:
    """Relevance blended with the nearness of pages to the topic.

    A page may use words of the topic for something else, or describe the topic in words that the topic lacks.
    Learning about links works better with both values.

    >>> blending = Blending()
    >>> pages = [(0.2, 0.6), (0.2, 0.1), (0.0, 0.6), (0.0, 0.1), (0.1, 0.5)]
    >>> [round(blending.add(relevance, near, 1.0), 2) for relevance, near in pages]
    [0.2, 0.2, 0.0, 0.0, 0.17]
    """

    def __init__(self) -> None:
        self._count = 0
        self._sums, self._squares = np.zeros(2), np.zeros(2)

    def add(self, relevance: float, nearness: float, weight: float) -> float:
        """The blended relevance of a page; the first few pages are not blended."""
        page = np.array((relevance, nearness))
        self._count += 1
        self._sums += page
        self._squares += page * page
        if self._count < FEWEST:
            return relevance
        mean = self._sums / self._count
        deviation, scale = np.sqrt(np.maximum(self._squares / self._count - mean * mean, 0.0))
        above = (nearness - mean[1]) / max(scale, ALIKE)
        return min(1.0, max(0.0, float(relevance + NEARNESS * weight * deviation * above)))


def meaning_weight(nearness: float) -> float:
    """The weight of nearness, which falls with the mean nearness of links.

    >>> [round(meaning_weight(nearness), 2) for nearness in (0.1, 0.3, 0.5)]
    [1.0, 0.4, 0.0]
    """
    return float(np.clip((NEAR_NONE - nearness) / (NEAR_NONE - NEAR_FULL), 0.0, 1.0))


def unit(vectors: Floats) -> Floats:
    """Vectors scaled to length 1; zero vectors stay zero."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., np.newaxis]
    units: Floats = vectors / np.maximum(lengths, 1e-9)
    return units


def _products(vectors: Floats, vector: Floats) -> Floats:
    """Products of many vectors with one. BLAS would split these small products among threads, at more
    processor time than the products themselves.
    """
    products: Floats = np.einsum("ij,j->i", vectors, vector)
    return products


def _packed(units: Floats) -> Packed:
    return np.round(_LENGTH * units).astype(np.int8)
