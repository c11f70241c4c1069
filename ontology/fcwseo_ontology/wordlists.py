"""The words that relations are told by, a file for each language in ``data``."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from fcwseo_ontology.tokens import stem

LANGUAGES = ("en", "zh")


@cache
def tables(language: str) -> dict[str, Any]:
    """All lists of a language; none for a language that has no file."""
    if language not in LANGUAGES:
        return {}
    path = files("fcwseo_ontology") / "data" / f"relations-{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def stems_of(name: str, language: str = "en") -> frozenset[str]:
    """The stems of a list.

    >>> stem("tributaries") in stems_of("parts")
    True
    """
    return frozenset(stem(word, language) for word in tables(language).get(name, "").split())


@cache
def plain_words(name: str) -> frozenset[str]:
    """A list on how English sentences are cut, as it stands."""
    return frozenset(tables("en")["sentences"][name].split())
