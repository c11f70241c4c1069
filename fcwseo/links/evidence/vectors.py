"""What links and pages mean, by vectors of their words.

That Costa Rica is no storm stands on none of the pages that name it. Vectors of words, learnt from much text,
have places near places and storms near storms: so a link is judged by how near its words are to those of the
topic, and by how pages fared whose links mean something alike.

The vectors are of English (``data/README.md`` says where they come from). A link without a known word is
taken for an average one; on a web without any, the evidence is the same for all links and tells nothing.
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

AROUND = 0.3  # how much the words around an anchor count against those of the anchor
ADDRESS = 0.7  # and the last words of the address
DOUBT = 20.0  # links by which what is learnt is drawn to nothing
FEWEST = 5  # links, or pages, from which anything is learnt
LANGUAGES = ("", "en")  # of pages whose words are looked up; many pages say nothing of their language
TELLS = 0.15  # how near links are to the topic on the whole, up to which meaning counts in full
TELLS_NOTHING = 0.4  # and from which on it does not count
KNOWN = 0.5  # the part of a page's words, by weight, that has to be known
MENDS = 1.5  # how much the nearness of a page counts against its relevance, both on one scale
ALIKE = 0.02  # the least deviation of nearness: pages that differ by less are told apart the less

Packed = NDArray[np.int8]

_LENGTH = 127  # of a packed vector
_AT_ONCE = 1 << 16  # links that are unpacked
_DIGITS = 6  # products differ in the last ones from run to run, and crawls are to be repeated exactly


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Packed vectors, and the row that has the one of a stem. The first row is that of no word."""

    rows: dict[str, int]
    vectors: Packed

    def of(self, stems: Sequence[str]) -> Floats:
        """The direction of the sum; zeros for stems that are not known.

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
    """Rows are the numbers of pages that links lead to. The first link to a page and its address say
    what is meant; of a fetched page its words do.
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
        self._of_word = Column(np.int32)  # the row of its vector
        self._of_word.extend(np.arange(len(self._table.vectors), len(self._vectors)))
        self._size = self._vectors.shape[1]
        self._near = Column(np.float64)  # the topic; NaN where no word of the link is known
        self._total, self._count = 0.0, 0  # of what is known to be near
        self._links = Column(np.int8)
        self._products = np.zeros((self._size + 1, self._size + 1))  # of links and, last, one
        self._sums = np.zeros(self._size + 1)
        self._weights: Floats | None = None

    def add(
        self,
        rows: Sequence[int],
        anchors: Sequence[Sequence[int]],
        near: Sequence[Sequence[int]],
        addresses: Sequence[Sequence[int]],
    ) -> None:
        """Links by the row that each leads to: the words of the anchor, those around it, and those of the
        address.
        """
        self._know(max(rows, default=-1) + 1)
        new = np.flatnonzero(np.isnan(self._near.values[list(rows)])).tolist()
        if new:
            new.reverse()  # of several links to a row the first is written last
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
        """The page behind a row was fetched."""
        self._know(row + 1)
        if not np.isnan(self._near.values[row]):
            known = np.append(self._vectors_of_links()[row] / _LENGTH, 1.0)
            self._products += np.outer(known, known)
            self._sums += relevance * known
            self._weights = None

    def near_topic(self, rows: Rows) -> Floats:
        """How near links are to the topic."""
        self._know(int(rows.max(initial=-1)) + 1)
        near = self._near.values[rows]
        return np.where(np.isnan(near), self._total / max(self._count, 1), near)

    def alike(self, rows: Rows) -> Floats:
        """By how much pages whose links mean something alike are above the mean of those fetched: a ridge
        regression on the vectors.
        """
        self._know(int(rows.max(initial=-1)) + 1)
        if self._products[-1, -1] < FEWEST:
            return np.zeros(len(rows))
        if self._weights is None:
            drawn = np.append(np.full(self._size, DOUBT), 1e-9)  # the level is not drawn to anything
            self._weights = np.linalg.solve(self._products + np.diag(drawn), self._sums)[:-1]
        level = self._products[-1, :-1] @ self._weights / self._products[-1, -1]
        links, weights = self._vectors_of_links(), self._weights / _LENGTH
        parts = np.array_split(rows, 1 + len(rows) // _AT_ONCE)
        values = np.concatenate([_products(links[part].astype(np.float64), weights) for part in parts])
        return np.where(np.isnan(self._near.values[rows]), 0.0, np.round(values - level, _DIGITS))

    def of_page(self, page: Page) -> float | None:
        """How near a page is to the topic; None where too few of its words are known."""
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
    def tells(self) -> float:
        """How much it tells that a page is nearer the topic than others, by all links that are known."""
        return told_by_meaning(self._total / self._count) if self._count else 0.0

    def _directions(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Of the sums of the vectors of the words of texts, the rarer a word the more it counts."""
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

    def _know(self, size: int) -> None:
        self._near.fill(size, np.nan)
        self._links.fill(size * self._size, 0)


class Mending:
    """Relevance, mended by how near pages are to the topic.

    A page may use words of the topic for something else, or speak of it in words that the topic does not
    have. What is learnt of links from pages is learnt better where both are asked.

    >>> mending = Mending()
    >>> pages = [(0.2, 0.6), (0.2, 0.1), (0.0, 0.6), (0.0, 0.1), (0.1, 0.5)]
    >>> [round(mending.add(relevance, near, 1.0), 2) for relevance, near in pages]
    [0.2, 0.2, 0.0, 0.0, 0.17]
    """

    def __init__(self) -> None:
        self._count = 0
        self._sums, self._squares = np.zeros(2), np.zeros(2)

    def add(self, relevance: float, nearness: float, tells: float) -> float:
        """The mended relevance of a page; of the first few as it is."""
        page = np.array((relevance, nearness))
        self._count += 1
        self._sums += page
        self._squares += page * page
        if self._count < FEWEST:
            return relevance
        mean = self._sums / self._count
        deviation, scale = np.sqrt(np.maximum(self._squares / self._count - mean * mean, 0.0))
        above = (nearness - mean[1]) / max(scale, ALIKE)
        return min(1.0, max(0.0, float(relevance + MENDS * tells * deviation * above)))


def told_by_meaning(nearness: float) -> float:
    """How much it tells that a link is nearer the topic than others, by how near links are on the whole.

    >>> [round(told_by_meaning(nearness), 2) for nearness in (0.1, 0.3, 0.5)]
    [1.0, 0.4, 0.0]
    """
    return float(np.clip((TELLS_NOTHING - nearness) / (TELLS_NOTHING - TELLS), 0.0, 1.0))


def unit(vectors: Floats) -> Floats:
    """Vectors of length 1; none stays none."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., np.newaxis]
    units: Floats = vectors / np.maximum(lengths, 1e-9)
    return units


def _products(vectors: Floats, vector: Floats) -> Floats:
    """Of many vectors with one. BLAS would share so few among threads, which takes more processor time than
    the products themselves.
    """
    products: Floats = np.einsum("ij,j->i", vectors, vector)
    return products


def _packed(units: Floats) -> Packed:
    return np.round(_LENGTH * units).astype(np.int8)
