"""A topic: feature words and their weights, W_FK of paper 001, Eq. (3). The simplest is a JSON file of
weighted words.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.model import Ontology


@dataclass(frozen=True, slots=True)
class Factors:
    """What a weight is made of: distance, density, depth, coincidence and relation, each in [0, 1]."""

    dis: float
    den: float
    dep: float
    coi: float
    rel: float


@dataclass(frozen=True, slots=True)
class FeatureWord:
    """A feature word with its weight; ``labels`` are all spellings and languages in which it may stand in a
    text.

    ``name`` and ``factors`` say which concept of an ontology it is and why it weighs what it does; a word
    that stands for itself has neither.
    """

    word: str
    weight: float
    labels: tuple[str, ...]
    level: int = 1
    name: str = ""
    factors: Factors | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """What a crawl looks for. ``ontology`` is what the words were taken from, if they were.

    >>> topic_of_words("rain", {"rainstorm": 1.0, "flash flood": 0.5}).weights
    {'rainstorm': 1.0, 'flash flood': 0.5}
    """

    name: str
    words: tuple[FeatureWord, ...]
    ontology: Ontology | None = field(default=None, repr=False, compare=False)  # a topic is its words

    @property
    def weights(self) -> dict[str, float]:
        return {word.word: word.weight for word in self.words}


def topic_of_words(name: str, weights: Mapping[str, float]) -> Topic:
    """A topic without an ontology behind it: the words stand for themselves."""
    words = tuple(FeatureWord(word, weight, (word,)) for word, weight in weights.items() if weight > 0)
    if not words:
        raise InvalidTopic(f"topic {name!r} has no word with a positive weight: give it at least one")
    return Topic(name, words)


def read_words(path: Path) -> Topic:
    """The topic in a JSON file of the form ``{"name": ..., "weights": {word: weight, ...}}``."""
    form = 'expected {"name": "...", "weights": {"word": 1.0, ...}}'
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidTopic(f"cannot read the topic {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        reason = str(error).partition(";")[0]
        raise InvalidTopic(f"{path} is not JSON ({reason}); {form}") from error
    weights = data.get("weights") if isinstance(data, dict) else None
    if not isinstance(weights, dict):
        raise InvalidTopic(f'{path} has no object "weights"; {form}')
    for word, weight in weights.items():
        if not any(letter.isalnum() for letter in word):
            raise InvalidTopic(f"{path}: the word {word!r} has no letter or digit")
        if not _is_weight(weight):
            raise InvalidTopic(f"{path}: the weight of {word!r} is not a number of 0 or more; {form}")
    name = data.get("name", path.stem)
    if not isinstance(name, str) or not name.strip():
        raise InvalidTopic(f"{path}: the name {name!r} is not a text; {form}")
    try:
        return topic_of_words(name, {word: float(weight) for word, weight in weights.items()})
    except InvalidTopic as error:
        raise InvalidTopic(f"{path}: {error}") from error


def _is_weight(weight: object) -> bool:
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        return False
    try:
        return 0 <= float(weight) < math.inf
    except OverflowError:
        return False
