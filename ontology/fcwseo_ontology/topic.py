"""A topic: feature words and their weights, W_FK of paper 001, Eq. (3). The simplest topic is a JSON file of
weighted words, or of a path in a taxonomy.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import Any

import msgspec

from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.model import DocumentCounts, Ontology

# Weights of the forms of a label in a URL: alpha 2 to 4 of paper 004. The full form has weight 1.
ADDRESSES = {"short": 0.5, "pinyin": 1.0, "initials": 0.2}

_LATER = ("intent", "keyness", "documents")  # fields added after release 0.2.0, omitted when empty

_WORDS = 'expected {"name": "...", "weights": {"word": 1.0, ...}}'
_PATH = 'expected {"name": "...", "path": ["root", "...", {"label": "topic", "labels": [], "short": []}]}'


@dataclass(frozen=True, slots=True)
class Factors:
    """The factors of a weight: distance, density, depth, coincidence and relation, each in [0, 1]."""

    dis: float
    den: float
    dep: float
    coi: float
    rel: float


@dataclass(frozen=True, slots=True)
class FeatureWord:
    """A feature word with its weight; ``labels`` are its spellings in all languages.

    ``name`` and ``factors`` are those of its concept in an ontology; a plain word has neither. ``addresses``
    are its known forms in URLs, with their weights. ``keyness`` is that of its concept; 0 if unknown.
    """

    word: str
    weight: float
    labels: tuple[str, ...]
    level: int = 1
    name: str = ""
    factors: Factors | None = None
    addresses: tuple[tuple[str, float], ...] = ()
    keyness: float = 0.0


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic of a crawl: feature words with weights. ``ontology`` is the source of the words, if there is
    one.

    >>> topic_of_words("rain", {"rainstorm": 1.0, "flash flood": 0.5}).weights
    {'rainstorm': 1.0, 'flash flood': 0.5}
    """

    name: str
    words: tuple[FeatureWord, ...]
    ontology: Ontology | None = field(default=None, repr=False, compare=False)  # a topic is its words

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each feature word."""
        return {word.word: word.weight for word in self.words}

    @property
    def documents(self) -> tuple[DocumentCounts, ...]:
        """The word counts of the documents that the ontology was built from."""
        return self.ontology.documents if self.ontology is not None else ()


def topic_of_words(name: str, weights: Mapping[str, float]) -> Topic:
    """Return a topic of plain words, without an ontology."""
    for word, weight in weights.items():
        if not isinstance(word, str) or not any(letter.isalnum() for letter in word):
            raise InvalidTopic(f"the word {word!r} has no letter or digit")
        if not _is_weight(weight):
            raise InvalidTopic(f"the weight of {word!r} is {weight!r}, but a number of 0 or more is needed")
    weighted = {word: float(weight) for word, weight in weights.items() if weight > 0}
    words = tuple(FeatureWord(word, weight, (word,)) for word, weight in weighted.items())
    if not words:
        raise InvalidTopic(f"topic {name!r} has no word with a positive weight: give it at least one")
    return Topic(name, words)


def encoded(topic: Topic) -> bytes:
    """The topic with its ontology as JSON; ``read_words`` reads it.

    Unknown keyness and missing documents are omitted, so that a topic without them has the bytes, and a run
    the topic hash, that they had before these fields existed.

    >>> encoded(topic_of_words("rain", {"rainstorm": 1.0}))[:40]
    b'{"name":"rain","words":[{"word":"rainsto'
    """
    plain = msgspec.to_builtins(topic)
    ontology = plain["ontology"] or {}
    for value in (*plain["words"], ontology, *ontology.get("concepts", ())):
        for name in _LATER:
            if not value.get(name, True):
                del value[name]
    return msgspec.json.encode(plain)


def read_words(path: Path) -> Topic:
    """Read the topic in a JSON file: weighted words, ``{"name": ..., "weights": {word: weight, ...}}``, a
    path in a taxonomy, ``{"name": ..., "path": [root, ..., topic]}``, or a saved topic.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
        json.dumps([path.stem, data], ensure_ascii=False).encode()
    except OSError as error:
        raise InvalidTopic(f"cannot read the topic {path}: {error.strerror}") from error
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        raise InvalidTopic(
            f"{path} contains an unpaired surrogate, {half}, which is not a character"
        ) from error
    except (ValueError, RecursionError) as error:
        reason = str(error).partition(";")[0]
        raise InvalidTopic(f"{path} is not JSON ({reason}); {_WORDS}") from error
    if isinstance(data, dict) and isinstance(data.get("words"), list):
        return _saved(path, data)
    if not isinstance(data, dict) or not ("path" in data or isinstance(data.get("weights"), dict)):
        raise InvalidTopic(f'{path} has no object "weights"; {_WORDS}')
    if "path" in data and "weights" in data:
        raise InvalidTopic(f'{path} has both "weights" and "path": remove one of them')
    name = data.get("name", path.stem)
    if not isinstance(name, str) or not name.strip():
        raise InvalidTopic(f"{path}: the name {name!r} is not text; {_WORDS}")
    try:
        return _of_path(name, data["path"]) if "path" in data else topic_of_words(name, data["weights"])
    except InvalidTopic as error:
        raise InvalidTopic(f"{path}: {error}") from error


def _saved(path: Path, data: dict[str, Any]) -> Topic:
    try:
        topic = msgspec.convert(data, Topic)
    except msgspec.ValidationError as error:
        raise InvalidTopic(f"{path} is not a topic saved by fcwseo: {error}") from error
    if not any(word.weight > 0 for word in topic.words):
        raise InvalidTopic(f"{path} has no word with a positive weight: give it at least one")
    return topic


def _of_path(name: str, steps: object) -> Topic:
    """Label i of D has the weight i / D: the topic itself 1, labels above it less (paper 004)."""
    if not isinstance(steps, list) or not steps:
        raise InvalidTopic(f'"path" is not a list of labels; {_PATH}')
    depth = len(steps)
    return Topic(name, tuple(_of_step(step, i, depth) for i, step in enumerate(steps, 1)))


def _of_step(step: object, place: int, depth: int) -> FeatureWord:
    entry = {"label": step} if isinstance(step, str) else step if isinstance(step, dict) else {}
    label, labels = entry.get("label"), entry.get("labels", [])
    known = {kind: entry.get(kind, []) for kind in ADDRESSES}
    if not isinstance(label, str) or not any(letter.isalnum() for letter in label):
        raise InvalidTopic(f"the step {step!r} has no label; {_PATH}")
    for forms in (labels, *known.values()):
        if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
            raise InvalidTopic(f"the labels and forms of {label!r} are not lists of texts; {_PATH}")
    addresses = tuple((form, ADDRESSES[kind]) for kind, forms in known.items() for form in forms)
    return FeatureWord(label, place / depth, (label, *labels), depth - place + 1, addresses=addresses)


def _is_weight(weight: object) -> bool:
    if isinstance(weight, bool) or not isinstance(weight, Real):
        return False
    try:
        return 0 <= float(weight) < math.inf
    except OverflowError:
        return False
