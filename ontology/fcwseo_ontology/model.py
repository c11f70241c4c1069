"""The values of an ontology: concepts, typed edges, and one root, the topic."""

import re
import unicodedata
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count


class Relation(StrEnum):
    """The relation of a concept to its parent (paper 001, section 3). ``RELATED`` means co-occurrence,
    without order.
    """

    SYNONYM = "synonym"
    IS_A = "is-a"
    PART_OF = "part-of"
    ATTRIBUTE_OF = "attribute-of"
    INDUCE = "induce"
    RELATED = "related"


@dataclass(frozen=True, slots=True)
class Label:
    """A label of a concept in a language."""

    text: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept. ``name`` is a stable ASCII identifier; ``labels`` are the preferred labels, one per
    language, and the first is displayed.

    ``intent`` contains its own name and those of all concepts above it in the formal context of the ontology;
    it is empty for an ontology without a context. ``keyness`` is how much more frequent the concept is in the
    corpus than elsewhere, as log-odds; 0 if unknown.
    """

    name: str
    labels: tuple[Label, ...]
    synonyms: tuple[Label, ...] = ()
    source: str = ""
    frequency: int = 0
    intent: tuple[str, ...] = ()
    keyness: float = 0.0


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge from ``child`` to ``parent``, with its ``evidence`` as text, and a ``confidence`` in [0, 1]."""

    child: str
    parent: str
    relation: Relation
    evidence: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """How often each word occurs in a document, in lower case and unstemmed.

    ``counts`` also has phrases, with spaces between their words; the words of a phrase are counted as well.
    """

    name: str
    language: str
    counts: Mapping[str, int] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Ontology:
    """An ontology. ``topic`` is the name of the root concept. A concept may have several parents; there is no
    cycle. ``documents`` are the word counts of the documents that it was built from.
    """

    topic: str
    concepts: tuple[Concept, ...]
    edges: tuple[Edge, ...]
    documents: tuple[DocumentCounts, ...] = ()


def identifier(label: str, taken: Container[str] = ()) -> str:
    """Return an ASCII name for a label, different from all names in ``taken``.

    Chinese becomes pinyin if ``fcwseo[zh]`` is installed; other characters without an ASCII form become code
    points.

    >>> identifier("flash-flood"), identifier("flash flood", {"Flash_Flood"}), identifier("100-year flood")
    ('Flash_Flood', 'Flash_Flood_2', 'T_100_Year_Flood')
    >>> identifier("crue éclair"), identifier("вода")
    ('Crue_Eclair', 'u0432043e04340430')
    """
    pieces = re.split(r"[\W_]+", unicodedata.normalize("NFKC", label))
    name = "_".join(word for piece in pieces if piece for word in _ascii_words(piece))
    name = name or (_code_points(label.strip()) if label.strip() else "T")
    name = f"T_{name}" if name[0].isdigit() else name
    if name not in taken:
        return name
    return next(other for n in count(2) if (other := f"{name}_{n}") not in taken)


def _ascii_words(piece: str) -> list[str]:
    bare = "".join(char for char in unicodedata.normalize("NFKD", piece) if not unicodedata.combining(char))
    words = [bare] if bare.isascii() else _pinyin(bare)
    return [word[0].upper() + word[1:] if word.isascii() else _code_points(word) for word in words]


def _pinyin(text: str) -> list[str]:
    try:
        from pypinyin import lazy_pinyin
    except ImportError:
        return [text]
    return [syllable for syllable in lazy_pinyin(text) if syllable]


def _code_points(text: str) -> str:
    return "u" + "".join(f"{ord(char):04x}" for char in text)
