"""The words that relations are told by, a file for each language in ``data``."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en", "zh")


@cache
def tables(language: str) -> dict[str, Any]:
    """All lists of a language; none for a language that has no file."""
    if language not in LANGUAGES:
        return {}
    path = files("fcwseo_ontology") / "data" / f"relations-{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def is_listed(word: str, name: str, language: str = "en") -> bool:
    """Whether a word, in the singular or in the plural, is in a list.

    >>> is_listed("tributaries", "parts"), is_listed("seasons", "attributes")
    (True, False)
    """
    return not _words(name, language).isdisjoint(singulars(word.casefold()) if language == "en" else (word,))


def singulars(word: str) -> tuple[str, ...]:
    """The forms of which a word may be the plural, itself among them."""
    return (word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word))


@cache
def _words(name: str, language: str) -> frozenset[str]:
    return frozenset(tables(language).get(name, "").split())


@cache
def plain_words(name: str) -> frozenset[str]:
    """A list on how English sentences are cut, as it stands."""
    return frozenset(tables("en")["sentences"][name].split())
