"""Broder, "On the resemblance and containment of documents" (1997); Indyk and Motwani, "Approximate nearest
neighbors" (1998): duplicates and near-duplicates of pages.

Duplicates have the same digest or canonical link. Near-duplicates are found by MinHash. The resemblance of
two texts is the share of their shingles (runs of words) that both contain. The share of equal minima under
random permutations estimates it. Texts with an equal band of minima are candidates.
"""

from collections import deque
from hashlib import shake_256
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from fcwseo.pages import Page

_ROWS, _BANDS = 6, 10
_WORDS, _CHARACTERS = 3, 5  # per shingle; characters in Chinese and Japanese
_FEWEST = 20  # shingles; shorter texts have no signature
_NEAR = 0.8  # resemblance of near-duplicates
_RECENT = 8  # pages that the next page is compared with
_BEGINNING = 4_000  # characters of a page that are compared then
_PLAUSIBLE = 0.5  # resemblance from which a canonical link is trusted

_Numbers = NDArray[np.uint64]


def _constants(name: str, count: int) -> _Numbers:
    """Pseudo-random odd numbers, the same on every machine."""
    return np.frombuffer(shake_256(name.encode()).digest(8 * count), "<u8").astype(np.uint64) | np.uint64(1)


_FACTORS = _constants("fcwseo factors", _ROWS * _BANDS)
_BAND = _constants("fcwseo bands", _BANDS)
_STEPS = _constants("fcwseo steps", max(_WORDS, _CHARACTERS))
_HALF = np.uint64(32)


def signature(text: str) -> NDArray[np.uint32] | None:
    """The MinHash signature of a text; None if the text is too short.

    The share of equal numbers in two signatures estimates the resemblance of the texts.

    >>> words = [f"word{n}" for n in range(200)]
    >>> one, two = signature(" ".join(words)), signature(" ".join(words[:190] + ["other"] * 10))
    >>> round(float((one == two).mean()), 1), signature("too short")
    (0.9, None)
    """
    hashes, size = _tokens(text.lower())
    if len(hashes) - size + 1 < _FEWEST:
        return None
    count = len(hashes) - size + 1
    shingles = np.zeros(count, np.uint64)
    for step in range(size):
        shingles += hashes[step : step + count] * _STEPS[step]
    shingles ^= shingles >> _HALF
    minima = np.array([(shingles * factor).min() for factor in _FACTORS])
    return (minima >> _HALF).astype(np.uint32)


def _tokens(text: str) -> tuple[_Numbers, int]:
    """The hashes of the tokens of a text, and the number of tokens per shingle.

    Tokens are words, or characters in languages without spaces between words.
    """
    if not text.isascii():
        codes = np.frombuffer("".join(text.split()).encode("utf-32-le", "replace"), "<u4")
        if 3 * np.count_nonzero((codes >= 0x3040) & (codes <= 0x9FFF)) > len(codes):
            return codes.astype(np.uint64) * _STEPS[0], _CHARACTERS
    words = text.encode("utf-8", "replace").split()
    return np.fromiter(map(crc32, words), np.uint64, len(words)), _WORDS


class Duplicates:
    """Finds the first page that a page is a duplicate or near-duplicate of.

    Only first pages are stored, with about a kilobyte each.
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._signatures: list[bytes] = []
        self._digests: dict[str, int] = {}
        self._urls: dict[str, int] = {}
        self._bands: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._names)

    def first(self, page: Page, name: str) -> str | None:
        """The name of the first page that ``page`` repeats.

        Returns None if it repeats none; then it is stored under ``name``.

        >>> pages = Duplicates()
        >>> [pages.first(Page(name, text="It rains.", digest="7f"), name) for name in ("a", "b", "c")]
        [None, 'a', 'a']
        """
        number = self._digests.get(page.digest)
        if number is None:
            minima = signature(page.text)
            number = None if minima is None else self._nearly_the_same(page, minima)
            if number is None:
                self._remember(page, name, minima)
                return None
        return self._names[number]

    def _nearly_the_same(self, page: Page, minima: NDArray[np.uint32]) -> int | None:
        named = self._urls.get(page.canonical) if page.canonical != page.url else None
        if named is not None and self._resemblance(named, minima) >= _PLAUSIBLE:
            return named
        near = dict.fromkeys(self._bands[key] for key in _keys(minima) if key in self._bands)
        best = max(near, key=lambda number: self._resemblance(number, minima), default=None)
        return best if best is not None and self._resemblance(best, minima) >= _NEAR else None

    def _resemblance(self, number: int, minima: NDArray[np.uint32]) -> float:
        stored = np.frombuffer(self._signatures[number], np.uint32)
        return float((stored == minima).mean()) if stored.size else 0.0

    def _remember(self, page: Page, name: str, minima: NDArray[np.uint32] | None) -> None:
        number = len(self._names)
        self._names.append(name)
        self._signatures.append(b"" if minima is None else minima.tobytes())
        self._urls.setdefault(page.url, number)
        if page.text:
            self._digests[page.digest] = number
        if minima is not None:
            for key in _keys(minima):
                self._bands.setdefault(key, number)


class RecentPages:
    """The last pages of a part of a site, to compare the next one with.

    >>> pages = RecentPages()
    >>> [pages.has(Page(name, digest=digest)) for name, digest in (("a", "1"), ("b", "2"), ("c", "1"))]
    [False, False, True]
    """

    def __init__(self) -> None:
        self._digests: deque[str] = deque(maxlen=_RECENT)
        self._signatures = np.zeros((_RECENT, _ROWS * _BANDS), np.uint32)
        self._next = 0

    def has(self, page: Page) -> bool:
        """Whether ``page`` is a near-duplicate of one of the last pages; it then becomes one of them.

        An exact duplicate of one of them is not stored again.
        """
        if page.digest in self._digests:
            return True
        self._digests.append(page.digest)
        minima = signature(page.text[:_BEGINNING])
        if minima is None:
            return False
        near = bool(((self._signatures == minima).mean(axis=1) >= _NEAR).any())
        self._signatures[self._next % _RECENT] = minima
        self._next += 1
        return near


def _keys(minima: NDArray[np.uint32]) -> list[int]:
    """A hash for each band of minima; equal bands at different positions have different hashes."""
    mixed = (minima.astype(np.uint64) * _FACTORS).reshape(_BANDS, _ROWS)
    keys: list[int] = (np.bitwise_xor.reduce(mixed, axis=1) ^ _BAND).tolist()
    return keys
