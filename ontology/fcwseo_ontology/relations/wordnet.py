"""The nouns of WordNet, and how alike two of them are.

G. A. Miller, WordNet: a lexical database for English, CACM 38 (1995). N. Seco, T. Veale, J. Hayes, An
intrinsic information content metric for semantic similarity in WordNet, ECAI 2004. D. Lin, An
information-theoretic definition of similarity, ICML 1998.

WordNet 3.0 comes with the package, so that every installation builds the same ontology of a corpus; another
one is taken from a ``dict`` folder that ``FCWSEO_WORDNET`` names. Its files may be packed by gzip.

The eight digits that name a synset are taken as a name, never as a place in the file, so that files with
CRLF line ends work as well. Loading only cuts the files into lines; a line is parsed when it is asked for.
"""

import gzip
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fcwseo_ontology.errors import InvalidInput

HOW_TO_GET = "set FCWSEO_WORDNET to a folder with data.noun and index.noun, or unset it for WordNet 3.0"

# The lexicographer files of nouns, 03 to 28, by their number in data.noun.
KINDS = (
    "tops",
    "act",
    "animal",
    "artifact",
    "attribute",
    "body",
    "cognition",
    "communication",
    "event",
    "feeling",
    "food",
    "group",
    "location",
    "motive",
    "object",
    "person",
    "phenomenon",
    "plant",
    "possession",
    "process",
    "quantity",
    "relation",
    "shape",
    "state",
    "substance",
    "time",
)

_SUFFIXES = (
    ("ches", "ch"),
    ("shes", "sh"),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ies", "y"),
    ("men", "man"),
    ("s", ""),
)


_DEEPEST = 64  # steps from a noun to the top, if WordNet is broken and they go in a circle
_HYPERNYM = re.compile(r" @i? (\d{8}) n ")


@dataclass(frozen=True, slots=True)
class Synset:
    """Words of one meaning. ``kind`` names the lexicographer's file: ``act``, ``phenomenon`` ..."""

    id: int
    kind: str
    words: tuple[str, ...]
    pointers: tuple[tuple[str, int], ...]
    gloss: str

    def linked(self, *symbols: str) -> tuple[int, ...]:
        """What the pointers of these kinds lead to, in the order of the file, nothing twice."""
        return tuple(dict.fromkeys(target for symbol, target in self.pointers if symbol in symbols))


class WordNet:
    """The nouns of one WordNet.

    >>> tiny = WordNet.of_lines(
    ...     index=["rain n 1 0 1 0 00000002", "rainfall n 1 0 1 0 00000002", "rainstorm n 1 0 1 0 00000003"],
    ...     data=["00000001 19 n 01 weather 0 002 ~ 00000002 n 0000 ~ 00000004 n 0000 | what the sky does",
    ...           "00000002 19 n 02 rain 0 rainfall 0 002 @ 00000001 n 0000 ~ 00000003 n 0000 | drops",
    ...           "00000003 19 n 01 rainstorm 0 001 @ 00000002 n 0000 | a storm with rain",
    ...           "00000004 19 n 01 snow 0 001 @ 00000001 n 0000 | water in flakes"])
    >>> tiny.synsets("Rains")[0].words
    ('rain', 'rainfall')
    >>> tiny.lemmas("rainstorms"), tiny.lemmas("keyboard")
    (('rainstorm',), ())
    >>> tiny.similarity("rain", "rainfall"), round(tiny.similarity("rain", "rainstorm"), 3)
    (1.0, 0.667)
    """

    def __init__(self, index: dict[str, str], data: dict[int, str], exceptions: dict[str, str]) -> None:
        self._index = index
        self._data = data
        self._exceptions = exceptions
        self._parsed: dict[int, Synset] = {}
        self._above: dict[int, dict[int, int]] = {}
        self._below: dict[int, int] = {}

    @classmethod
    def load(cls, folder: Traversable) -> Self:
        """The WordNet in a folder with ``data.noun``, ``index.noun`` and, if there is one, ``noun.exc``."""
        try:
            names = ("index.noun", "data.noun", "noun.exc")
            index, data, exceptions = (_lines(folder, name) for name in names)
        except (OSError, EOFError) as error:
            raise InvalidInput(f"cannot read WordNet in {folder} ({error}): {HOW_TO_GET}") from error
        return cls.of_lines(index, data, exceptions, where=str(folder))

    @classmethod
    def of_lines(
        cls,
        index: Iterable[str],
        data: Iterable[str],
        exceptions: Iterable[str] = (),
        *,
        where: str = "memory",
    ) -> Self:
        """A WordNet from the lines of its files. Lines that begin with a blank are the licence."""
        lemmas = {line[: line.find(" ")]: line for line in index if line and line[0] != " "}
        try:
            synsets = {int(line[:8]): line for line in data if line and line[0] != " "}
        except ValueError as error:
            raise InvalidInput(
                f"WordNet in {where}: data.noun has a line without a number ({error})"
            ) from error
        if not lemmas or not synsets:
            raise InvalidInput(f"WordNet in {where} has no nouns: {HOW_TO_GET}")
        irregular = (line.split() for line in exceptions)
        return cls(lemmas, synsets, {forms[0]: forms[1] for forms in irregular if len(forms) > 1})

    def __len__(self) -> int:
        return len(self._data)

    def lemmas(self, word: str) -> tuple[str, ...]:
        """The forms under which a noun is listed: "conditions" and "condition"; none for an unknown word."""
        plain = "_".join(word.casefold().split())
        return tuple(dict.fromkeys(form for form in self._forms(plain) if form in self._index))

    def _forms(self, word: str) -> Iterator[str]:
        yield word
        if word in self._exceptions:
            yield self._exceptions[word]
        for suffix, instead in _SUFFIXES:
            if word.endswith(suffix) and not (suffix == "s" and word.endswith("ss")):
                yield word.removesuffix(suffix) + instead

    def synsets(self, word: str) -> tuple[Synset, ...]:
        """The meanings of a noun, the commonest first; none when WordNet does not know it."""
        numbers = (number for lemma in self.lemmas(word) for number in self._senses(lemma))
        return tuple(self.synset(number) for number in dict.fromkeys(numbers))

    def _senses(self, lemma: str) -> list[int]:
        fields = self._index[lemma].split()
        first = 6 + int(fields[3])
        return [int(field) for field in fields[first : first + int(fields[2])]]

    def synset(self, number: int) -> Synset:
        found = self._parsed.get(number)
        if found is None:
            found = self._parsed[number] = self._parse(number)
        return found

    def _parse(self, number: int) -> Synset:
        if number not in self._data:
            raise InvalidInput(
                f"WordNet is broken: a pointer leads to synset {number:08d}, which is not there"
            )
        try:
            return _parse(self._data[number])
        except (ValueError, IndexError) as error:
            raise InvalidInput(f"WordNet is broken: cannot read synset {number:08d} ({error})") from error

    def _linked(self, synset: Synset, *symbols: str) -> tuple[Synset, ...]:
        return tuple(self.synset(number) for number in synset.linked(*symbols))

    def parts(self, synset: Synset) -> tuple[Synset, ...]:
        """Its meronyms: parts, members and substances."""
        return self._linked(synset, "%p", "%m", "%s")

    def wholes(self, synset: Synset) -> tuple[Synset, ...]:
        """Its holonyms: what it is a part, a member or the substance of."""
        return self._linked(synset, "#p", "#m", "#s")

    def ancestors(self, synset: Synset) -> Mapping[int, int]:
        """Itself and everything above it, with the least number of steps; WordNet is no tree."""
        steps = self._above.get(synset.id)
        if steps is None:
            steps = self._above[synset.id] = {synset.id: 0}
            for number in (queue := [synset.id]):
                for above in self.synset(number).linked("@", "@i"):
                    if above not in steps:
                        steps[above] = steps[number] + 1
                        queue.append(above)
        return steps

    def hyponym_count(self, synset: Synset) -> int:
        """How many different synsets lie below it, instances included; those of all are counted at once."""
        if not self._below:
            places = {number: place for place, number in enumerate(self._data)}
            lines = (line.partition("|")[0] for line in self._data.values())
            ups = ([int(up) for up in _HYPERNYM.findall(line)] for line in lines)
            above = [[places[up] for up in some if up in places] for some in ups]
            below = _counts_below(above)
            self._below = {number: int(below[place]) for number, place in places.items()}
        return self._below[synset.id]

    def information_content(self, synset: Synset) -> float:
        """IC(c) = 1 - log(|hypo(c)| + 1) / log(max_nodes), Seco et al.: 1 for a leaf, 0 for the top."""
        if len(self) < 2:
            return 0.0
        return 1 - math.log(self.hyponym_count(synset) + 1) / math.log(len(self))

    def lin(self, first: Synset, second: Synset) -> float:
        """sim(c1, c2) = 2 IC(lso) / (IC(c1) + IC(c2)), lso the shared ancestor with the highest IC."""
        if first.id == second.id:
            return 1.0
        shared = self.ancestors(first).keys() & self.ancestors(second).keys()
        total = self.information_content(first) + self.information_content(second)
        if not shared or total <= 0:
            return 0.0
        return 2 * max(self.information_content(self.synset(number)) for number in shared) / total

    def similarity(self, first: str, second: str) -> float:
        """The greatest ``lin`` over all meanings of two words; 1 for equal words, 0 for unknown ones."""
        if first.casefold() == second.casefold():
            return 1.0
        pairs = ((one, two) for one in self.synsets(first) for two in self.synsets(second))
        return max((self.lin(one, two) for one, two in pairs), default=0.0)


def _counts_below(above: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """How many nodes lie below each, given those right above each. All paths go up at once, by steps."""
    size = len(above)
    ends = np.cumsum([0, *map(len, above)])
    parents = np.array([parent for parents in above for parent in parents], np.int64)
    lower = upper = np.arange(size)
    steps = [np.empty(0, np.int64)]
    while len(lower) and len(steps) < _DEEPEST:
        counts = ends[upper + 1] - ends[upper]
        first = np.repeat(ends[upper] - np.cumsum(counts) + counts, counts)
        steps.append(_distinct(np.repeat(lower, counts) * size + parents[first + np.arange(len(first))]))
        lower, upper = steps[-1] // size, steps[-1] % size
    pairs = _distinct(np.concatenate(steps))
    return np.bincount(pairs[pairs // size != pairs % size] % size, minlength=size)


def _distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """As ``np.unique``, and faster where much is sorted already."""
    ordered = np.sort(numbers, kind="stable")
    return ordered[np.diff(ordered, prepend=-1) > 0]


def find_wordnet() -> Traversable:
    """The folder of the WordNet that is used: the one in ``FCWSEO_WORDNET``, else that of the package."""
    told = os.environ.get("FCWSEO_WORDNET")
    if not told:
        return files("fcwseo_ontology") / "data" / "wordnet"
    if not all(_file(Path(told), name) for name in ("data.noun", "index.noun")):
        raise InvalidInput(
            f"FCWSEO_WORDNET is {told}, but data.noun and index.noun are not there: {HOW_TO_GET}"
        )
    return Path(told)


def load_wordnet() -> WordNet:
    """The WordNet that is used; it takes a tenth of a second to load."""
    return WordNet.load(find_wordnet())


def _file(folder: Traversable, name: str) -> Traversable | None:
    return next((file for file in (folder / name, folder / f"{name}.gz") if file.is_file()), None)


def _lines(folder: Traversable, name: str) -> list[str]:
    """The lines of a file, packed or not; none of an optional file that is not there."""
    file = _file(folder, name)
    if file is None and name == "noun.exc":
        return []
    packed = (file or folder / name).read_bytes()
    if file is not None and file.name.endswith(".gz"):
        packed = gzip.decompress(packed)
    return packed.decode("utf-8", errors="replace").splitlines()


def _parse(line: str) -> Synset:
    """One line of data.noun: number, file, ``n``, words (counted in hexadecimal), pointers, gloss."""
    head, _, gloss = line.partition("|")
    fields = head.split()
    pointers_at = 4 + 2 * int(fields[3], 16)
    first = pointers_at + 1
    last = first + 4 * int(fields[pointers_at])
    if len(fields) < last:
        raise ValueError("the line is too short")
    kind = int(fields[1]) - 3
    return Synset(
        id=int(fields[0]),
        kind=KINDS[kind] if 0 <= kind < len(KINDS) else "tops",
        words=tuple(word.replace("_", " ") for word in fields[4:pointers_at:2]),
        pointers=tuple(
            (fields[at], int(fields[at + 1])) for at in range(first, last, 4) if fields[at + 2] == "n"
        ),
        gloss=gloss.strip(),
    )
