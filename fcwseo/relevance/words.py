"""Find the feature words of a topic, and all other words, in a text.

A feature word is found in all its spellings and languages, by stems; the longest phrase matches, once. Han
characters are read in pairs, so that Chinese needs no segmentation; pairs that are not words are skipped.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from itertools import compress
from math import exp
from typing import NamedTuple

import numpy as np
import Stemmer
from numpy.typing import NDArray

from fcwseo.pages import Page
from fcwseo_ontology.corpus.background import background
from fcwseo_ontology.corpus.tokens import (
    FUNCTION_WORDS,
    LONGEST_WORD,
    SOFT_HYPHEN,
    STEMMERS,
    is_han,
    split_words,
    written_words,
)
from fcwseo_ontology.topic import Topic

ORDINARY = 400  # words of a typical page, to turn rates into shares of pages
RARE = 1e-7  # rate of a word missing in the tables
PHRASE = 0.2  # factor by which each further word makes a phrase rarer than its rarest word
LONGEST_TEXT = 1 << 18  # characters read of a text, about forty thousand words
MOST_WORDS = 1 << 20  # distinct words; later ones share one number

_BLANKS = bytes(code if code > 127 or chr(code).isalnum() else 32 for code in range(256))
_NO_WORD = -1  # skipped words
_SEVERAL = -2  # several words in one piece of text
_OTHER_HAN = ("ja", "ko")  # languages with Han characters that the Chinese table does not cover

Numbers = NDArray[np.int32]


class TokenCounts(NamedTuple):
    """A tokenised text, independent of the numbers of a matcher: the stems that are not feature words, in
    order of appearance, and the frequency of each word. Words from ``size`` on are indices of stems.
    """

    stems: tuple[str, ...]
    words: Numbers
    counts: NDArray[np.intp]


class TokenCache:
    """Caches the tokens of texts for one topic, so that many crawls of a web tokenise each page once.

    The least recently used text is dropped first.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> topic, cache = topic_of_words("rain", {"flood": 1.0}), TokenCache()
    >>> [Matcher(topic, cache).count("a flood, and a flood")[1].tolist() for _ in range(2)], len(cache)
    ([[2, 2, 1], [2, 2, 1]], 1)
    """

    def __init__(self, *, most: int = 10_000) -> None:
        self._most = most  # texts of about ten kilobytes
        self._entries: dict[bytes, TokenCounts] = {}
        self._stems: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, text: str, language: str) -> TokenCounts | None:
        key = _key(text, language)
        if (entry := self._entries.pop(key, None)) is not None:
            self._entries[key] = entry  # the most recently used is last
        return entry

    def keep(self, text: str, language: str, entry: TokenCounts) -> None:
        if len(self._stems) > MOST_WORDS:
            self._stems.clear()
        stems = tuple(self._stems.setdefault(stem, stem) for stem in entry.stems)
        self._entries[_key(text, language)] = entry._replace(stems=stems)
        if len(self._entries) > self._most:
            del self._entries[next(iter(self._entries))]


def _key(text: str, language: str) -> bytes:
    return blake2b(f"{language}\n{text}".encode("utf-8", "replace"), digest_size=16).digest()


class Matcher:
    """Converts texts to numbers. Numbers below ``size`` are the feature words of the topic, in its order;
    others are words in the order of appearance.

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> matcher = Matcher(topic_of_words("rain", {"flood": 1.0, "flash flood": 1.0, "暴雨": 1.0}))
    >>> matcher.features("Flash floods are floods; the flooding after 特大暴雨.")
    {1: 1, 0: 2, 2: 1}
    """

    def __init__(self, topic: Topic, token_cache: TokenCache | None = None) -> None:
        """``token_cache`` may be shared with other matchers of the same topic."""
        self._token_cache = token_cache
        self._last: tuple[Page, tuple[Numbers, NDArray[np.intp]]] | None = None
        self.size = len(topic.words)
        self.shares = array("d", [0.0] * self.size)  # share of ordinary pages with the word
        self._numbers: dict[str, int] = {}
        self._stems: list[str] = []  # by number, less size
        self._lexicons: dict[str, _Lexicon] = {}
        self._labels = [tuple(dict.fromkeys((word.word, *word.labels))) for word in topic.words]
        self._rate_features()

    def features(self, text: str, language: str = "") -> dict[int, int]:
        """The frequencies of the feature words in a text."""
        found: dict[int, int] = {}
        for number in self._read(text, language):
            if 0 <= number < self.size:
                found[number] = found.get(number, 0) + 1
        return found

    def count(self, text: str, language: str = "") -> tuple[Numbers, NDArray[np.intp]]:
        """The words of a text by number, ascending, and their frequencies."""
        if (
            self._token_cache is None or len(self._numbers) + len(text) > MOST_WORDS
        ):  # later words share one number
            return self._lexicon(language).count(text)
        entry = self._token_cache.get(text, language)
        if entry is None:
            return self._count_first(text, language, self._token_cache)
        lexicon = self._lexicon(language)
        others = [self._numbers.get(stem) or lexicon.number(stem) for stem in entry.stems]
        numbers = np.array([*range(self.size), *others], np.int32)[entry.words]
        order = numbers.argsort()
        return numbers[order], entry.counts[order]

    def _count_first(
        self, text: str, language: str, token_cache: TokenCache
    ) -> tuple[Numbers, NDArray[np.intp]]:
        """Tokenise a text, and cache the entry."""
        came_up: list[int] = []
        numbers, counts = self._lexicon(language).count(text, came_up)
        others = [number for number in dict.fromkeys(came_up) if number >= self.size]
        places = np.arange(len(self.shares), dtype=np.int32)
        places[others] = np.arange(self.size, self.size + len(others))
        stems = tuple(self._stems[number - self.size] for number in others)
        token_cache.keep(text, language, TokenCounts(stems, places[numbers], counts))
        return numbers, counts

    def count_page(self, page: Page) -> tuple[Numbers, NDArray[np.intp]]:
        """The words of a page's title and main text; the last page is cached, since several callers
        need it.
        """
        if self._last is None or self._last[0] is not page:
            self._last = (page, self.count(f"{page.title}\n{page.text}", page.language))
        return self._last[1]

    def words(self, text: str, language: str = "") -> list[int]:
        """The words of a text by number, in their order."""
        return [number for number in self._read(text, language) if number >= 0]

    def stems(self, number: int) -> list[str]:
        """The stem of a numbered word, or the stems of all labels of a feature word."""
        if number < self.size:
            return [stem for label in self._labels[number] for stem in _tokens(label, "en")]
        return [self._stems[number - self.size] if number - self.size < len(self._stems) else ""]

    def stems_since(self, number: int) -> list[str]:
        """The stems of all words from this number on; ``number`` is at least ``size``.

        >>> from fcwseo_ontology.topic import topic_of_words
        >>> matcher = Matcher(topic_of_words("rain", {"flood": 1.0}))
        >>> matcher.words("rivers and floods"), matcher.stems_since(2)
        ([1, 2, 0], ['and'])
        """
        stems = self._stems[number - self.size :]
        return stems + [""] * (len(self.shares) - number - len(stems))

    def _read(self, text: str, language: str) -> list[int]:
        return self._lexicon(language).read(text)

    def _lexicon(self, language: str) -> "_Lexicon":
        code = language[:2].lower()
        code = code if code in STEMMERS or code in _OTHER_HAN else "en"
        if code not in self._lexicons:
            self._lexicons[code] = _Lexicon(code, self._labels, self._number)
        return self._lexicons[code]

    def _number(self, stem: str, language: str) -> int:
        """The number of a word that is not a feature word by itself."""
        number = self._numbers.get(stem)
        if number is None:
            number = self.size + min(len(self._numbers), MOST_WORDS)
            if number < self.size + MOST_WORDS:
                self._numbers[stem] = number
                self._stems.append(stem)
            if number == len(self.shares):
                self.shares.append(_share(stem, language))
        return number

    def _rate_features(self) -> None:
        for feature, labels in enumerate(self._labels):
            phrases = dict.fromkeys(tuple(_tokens(label, "en")) for label in labels)
            rates = (_share_of_label(phrase) * PHRASE ** (len(phrase) - 1) for phrase in phrases if phrase)
            self.shares[feature] = min(1.0, sum(rates))


class _Lexicon(dict[bytes, int]):
    """Numbers of tokens (text between blanks) in texts of one language."""

    def __init__(
        self,
        language: str,
        labels: Sequence[Sequence[str]],
        number: Callable[[str, str], int],
    ) -> None:
        self._language = language
        self._number = number
        self._tokens: dict[str, int] = {}
        self._several: dict[bytes, list[int]] = {}
        self._long: dict[bytes, list[int]] = {}  # long tokens of the present text
        self._singles: dict[str, int] = {}
        self._parts: set[str] = set()
        self._phrases: dict[int, dict[int, list[tuple[list[int], int]]]] = {}  # by their first two words
        self._take_in([[_tokens(label, self._language) for label in variants] for variants in labels])

    def _take_in(self, labels: Sequence[Sequence[Sequence[str]]]) -> None:
        several = []
        for feature, variants in enumerate(labels):
            for stems in variants:
                if len(stems) == 1:
                    self._singles.setdefault(stems[0], feature)
                elif stems:
                    self._parts.update(stems)
                    several.append((stems, feature))
        for stems, feature in several:
            numbers = [self._of_stem(stem) for stem in stems]
            seconds = self._phrases.setdefault(numbers[0], {})
            seconds.setdefault(numbers[1], []).append((numbers, feature))
        for seconds in self._phrases.values():
            for phrases in seconds.values():
                phrases.sort(key=lambda phrase: -len(phrase[0]))
        beyond = max(self._phrases, default=0) + 1
        self._begins = np.zeros(beyond + 1, np.bool_)  # a phrase, by number; the last one is of all others
        self._begins[list(self._phrases)] = True

    def number(self, stem: str) -> int:
        """The number of a word that is not a feature word by itself."""
        return self._number(stem, self._language)

    def read(self, text: str) -> list[int]:
        """The words of a text by number; a phrase of several words is one."""
        numbers = self._single(text)
        if self._phrases.keys().isdisjoint(numbers):
            return numbers
        merged: list[int] = []
        end = 0
        begins = compress(range(len(numbers)), map(self._phrases.__contains__, numbers))
        for start, after, feature in self._found(numbers, begins):
            merged += [*numbers[end:start], feature]
            end = after
        return merged + numbers[end:]

    def count(self, text: str, came_up: list[int] | None = None) -> tuple[Numbers, NDArray[np.intp]]:
        """The words of ``read`` by number, ascending, and their frequencies.

        The single words are appended to ``came_up``.
        """
        numbers = self._single(text)
        if came_up is not None:
            came_up += numbers
        words = np.fromiter(numbers, np.int32, len(numbers))
        begins = self._begins.take(np.minimum(words, len(self._begins) - 1))
        for start, after, feature in self._found(numbers, np.flatnonzero(begins).tolist()):
            words[start:after] = _NO_WORD
            words[start] = feature
        return np.unique(words[words >= 0], return_counts=True)

    def _single(self, text: str) -> list[int]:
        text = text[:LONGEST_TEXT].lower().replace(SOFT_HYPHEN, "")
        pieces = text.encode("utf-8", "replace").translate(_BLANKS).split()
        numbers = list(map(self.__getitem__, pieces))
        if _SEVERAL in numbers:
            numbers = self._apart(pieces, numbers)
            self._long.clear()
        return numbers

    def _found(self, numbers: list[int], begins: Iterable[int]) -> Iterator[tuple[int, int, int]]:
        """The phrases in a text, given the indices of all words that begin a phrase: start, end and feature
        word of each. The longest phrase matches, and no phrase begins within another.
        """
        end = 0
        for start in begins:
            if start < end or start + 1 == len(numbers):
                continue
            for phrase, feature in self._phrases[numbers[start]].get(numbers[start + 1], ()):
                if numbers[start : start + len(phrase)] == phrase:
                    end = start + len(phrase)
                    yield start, end, feature
                    break

    def _apart(self, pieces: list[bytes], numbers: list[int]) -> list[int]:
        """Split tokens beyond ASCII, where signs and Han characters separate words too."""
        apart: list[int] = []
        end = 0
        for place in _places(numbers, _SEVERAL):
            apart += numbers[end:place]
            piece = pieces[place]
            apart += self._several[piece] if piece in self._several else self._long[piece]
            end = place + 1
        return apart + numbers[end:]

    def _of_piece(self, piece: bytes) -> list[int]:
        tokens = split_words(piece.decode())
        known = self._tokens
        numbers = [known[token] if token in known else self._of_token(token) for token in tokens]
        if len(numbers) != 1:
            is_kept = len(piece) <= LONGEST_WORD and len(self._several) < MOST_WORDS
            (self._several if is_kept else self._long)[piece] = numbers
        return numbers

    def __missing__(self, piece: bytes) -> int:
        if piece.isalnum():  # most tokens: a word in ASCII
            number = self._of_stem(_stem(piece.decode(), self._language))
        else:
            numbers = self._of_piece(piece)
            number = numbers[0] if len(numbers) == 1 else _SEVERAL
        if len(self) < MOST_WORDS and len(piece) <= LONGEST_WORD:
            self[piece] = number
        return number

    def _of_token(self, token: str) -> int:
        """The number of a new token."""
        number = self._of_stem(_stem(token, self._language))
        if len(self._tokens) < MOST_WORDS:
            self._tokens[token] = number
        return number

    def _of_stem(self, stem: str) -> int:
        if (feature := self._singles.get(stem)) is not None:
            return feature
        if not stem.isascii() and self._is_no_word(stem):
            return _NO_WORD
        return self.number(stem)

    def _is_no_word(self, stem: str) -> bool:
        """Number pairs of Han characters missing in the table."""
        return (
            is_han(stem)
            and self._language not in _OTHER_HAN
            and stem not in self._parts
            and stem not in background("zh").rates
        )


def _places(numbers: list[int], number: int) -> list[int]:
    """The indices of a number.

    >>> _places([7, 1, 7], 7)
    [0, 2]
    """
    places: list[int] = []
    place = -1
    for _ in range(numbers.count(number)):
        place = numbers.index(number, place + 1)
        places.append(place)
    return places


def _tokens(text: str, language: str) -> list[str]:
    return [_stem(token, language) for token in written_words(text)]


def _stem(token: str, language: str) -> str:
    if language not in STEMMERS or len(token) > LONGEST_WORD or is_han(token):
        return token[:LONGEST_WORD]
    stemmed: str = _stemmer(language).stemWord(token)
    return stemmed


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(STEMMERS[language].lower(), 0)  # no cache: a lexicon stores stems


def _share(stem: str, language: str = "en") -> float:
    """The share of ordinary pages with a word, by the tables of general language."""
    if is_han(stem):
        rate = 1.0 if language in _OTHER_HAN else background("zh").rates.get(stem, (1.0, 1.0))[0]
        return 1 - exp(-rate * ORDINARY)
    return 1 - exp(-_rates(language).get(stem, RARE) * ORDINARY)


def _share_of_label(phrase: Sequence[str]) -> float:
    """The share of ordinary pages with the rarest word of a label.

    Two Han characters missing in the table are not a word in a text, but a rare word in a label.
    """
    known = background("zh").rates
    rare = 1 - exp(-RARE * ORDINARY)
    return min(rare if is_han(stem) and stem not in known else _share(stem) for stem in phrase)


@cache
def _rates(language: str) -> Mapping[str, float]:
    """The rates of the stems of a language, per running word."""
    if language not in STEMMERS:
        return {}
    known = background(language).rates
    rates = dict.fromkeys(FUNCTION_WORDS.get(language, "").split(), 0.01)
    for stem, (rate, _) in zip(_stemmer(language).stemWords(list(known)), known.values(), strict=True):
        rates[stem] = rates.get(stem, RARE) + rate
    return rates
