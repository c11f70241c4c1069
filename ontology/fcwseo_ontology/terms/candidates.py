"""Where terms may stand in a text: runs of nouns and their modifiers, between stop words and punctuation."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fcwseo_ontology.corpus.background import Background, Kind
from fcwseo_ontology.corpus.tokens import HAN, LONGEST_WORD, WORD, normal, segments, stem

LONGEST = 5  # words in a candidate
COMPOUND = re.compile(rf"{WORD.pattern}(?:[-\u2010\u2011\u2013]{WORD.pattern})*|[^\w\s]|\n\s*\n")
HAN_COMPOUND = re.compile(
    rf"{HAN.pattern}|(?:(?!{HAN.pattern})[^\W_]|(?<=[^\W_])-(?=[^\W_])|(?<=\d)\.(?=\d))+|[^\w\s]|\n\s*\n"
)

Key = tuple[str, ...]  # the stems of a phrase


@dataclass(frozen=True, slots=True)
class Unit:
    """A word, a punctuation mark (without words), or a compound with hyphens.

    No term begins or ends inside a compound, so a "rainfall-runoff model" is no "runoff model".
    """

    text: str
    words: tuple[str, ...]
    stems: Key
    kind: Kind


class Units:
    """Reads texts of one language as units."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._seen: dict[str, Unit] = {}  # a corpus has far fewer different words than words

    def read(self, text: str) -> list[Unit]:
        """
        >>> from fcwseo_ontology.corpus.background import background
        >>> [unit.text for unit in Units(background("en")).read("A rainfall-runoff model, COVID-19")]
        ['A', 'rainfall-runoff', 'model', ',', 'COVID-19']
        """
        parts = self._parts(normal(text, self._background.language))
        return [self._seen.get(part) or self._unit(part) for part in parts]

    def _parts(self, text: str) -> Iterator[str]:
        if self._background.language != "zh":
            yield from COMPOUND.findall(text)
            return
        for part in HAN_COMPOUND.findall(text):
            if HAN.match(part):
                yield from segments(part)
            else:
                yield part

    def _unit(self, part: str) -> Unit:
        words = tuple(word.lower() for word in WORD.findall(part))
        stems = tuple(stem(word, self._background.language) for word in words)
        unit = self._seen[part] = Unit(part, words, stems, self._kind(words))
        return unit

    def _kind(self, words: Sequence[str]) -> Kind:
        if not words or max(map(len, words)) > LONGEST_WORD:
            return Kind.STOP
        if len(words) == 1:
            return self._background.kind(words[0])
        # "SARS-CoV-2", "T-cell": digits and single letters are stop words only where they stand alone
        kinds = [self._background.kind(word) for word in words if len(word) > 1 and not word.isdigit()]
        if not kinds or Kind.STOP in kinds or not words[0][0].isalpha():
            return Kind.STOP
        return Kind.HEAD if words[-1].isdigit() else kinds[-1]


def chunks(units: Iterable[Unit]) -> Iterator[tuple[list[Unit], list[Unit]]]:
    """The longest runs without a stop word or punctuation mark, and the two units before each."""
    chunk: list[Unit] = []
    before: list[Unit] = []
    for unit in units:
        if unit.kind is not Kind.STOP:
            chunk.append(unit)
        else:
            if chunk:
                yield chunk, before
                chunk, before = [], []
            before = [*before[-1:], unit]
    if chunk:
        yield chunk, before


def candidates(units: Iterable[Unit]) -> Iterator[tuple[Key, Sequence[Unit]]]:
    """Each part of a chunk that may be a term: it ends in a noun, and not all of it is generic.

    >>> from fcwseo_ontology.corpus.background import background
    >>> units = Units(background("en")).read("The results show a distributed hydrological model.")
    >>> [" ".join(unit.text for unit in part) for _, part in candidates(units)]
    ['distributed hydrological model', 'hydrological model', 'model']
    """
    for chunk, _ in chunks(units):
        for start in range(len(chunk)):
            yield from candidates_from(chunk, start)


def candidates_from(chunk: Sequence[Unit], start: int) -> Iterator[tuple[Key, Sequence[Unit]]]:
    """The candidates that begin at a place of a chunk."""
    key: Key = ()
    specific = False
    for end in range(start, len(chunk)):
        unit = chunk[end]
        key += unit.stems
        if len(key) > LONGEST:
            break
        specific = specific or unit.kind is not Kind.GENERIC
        if specific and unit.kind in (Kind.HEAD, Kind.GENERIC):
            yield key, chunk[start : end + 1]
