"""Settings: one TOML file, every key also an option and an environment variable (``FCWSEO_CRAWL__WIDTH``).

The command line counts more than the environment, the environment more than the file, the file more than the
defaults.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from fcwseo.errors import InvalidInput

_PREFIX = "FCWSEO_"
_NOT_SETTINGS = frozenset(("FCWSEO_CACHE", "FCWSEO_WORDNET"))

_Count = Annotated[int, Meta(ge=1)]
_Share = Annotated[float, Meta(ge=0, le=1)]


class CrawlSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How to crawl."""

    strategy: str = "fcwseo"
    max_pages: _Count = 1000
    seed: int = 0
    seed_set: _Count = 1
    width: _Count = 1
    eta: _Share | None = None  # found on the way


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    crawl: CrawlSettings = CrawlSettings()


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    given: Mapping[str, Mapping[str, object]] | None = None,
) -> Settings:
    """The settings in force; ``given`` are those of the command line, None where nothing was given.

    >>> load_settings(None, {"FCWSEO_CRAWL__WIDTH": "4"}, {"crawl": {"seed": 7}}).crawl.width
    4
    """
    values: dict[str, dict[str, object]] = {}
    layers = [
        (str(file), _from_file(file) if file else {}),
        ("the environment", _from_environment(environment)),
        ("the command line", given or {}),
    ]
    for where, layer in layers:
        for section, keys in layer.items():
            _check(section, keys, where)
            values.setdefault(section, {}).update(
                {key: value for key, value in keys.items() if value is not None}
            )
        settings = _settings(values, where)
    return settings


def _settings(values: dict[str, dict[str, object]], where: str) -> Settings:
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidInput(f"{where} has a setting that cannot be used: {error}") from error


def _from_file(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidInput(f"cannot read the configuration {path}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInput(f"{path} is not TOML: {error}") from error


def _from_environment(environment: Mapping[str, str]) -> dict[str, dict[str, object]]:
    values: dict[str, dict[str, object]] = {}
    for name, value in sorted(environment.items()):
        if name.startswith(_PREFIX) and name not in _NOT_SETTINGS:
            section, _, key = name.removeprefix(_PREFIX).lower().partition("__")
            values.setdefault(section, {})[key] = value
    return values


def _check(section: str, keys: object, where: str) -> None:
    """An unknown key is an error, with the nearest known one beside it."""
    sections = {"crawl": CrawlSettings.__struct_fields__}
    if section not in sections:
        raise InvalidInput(f"{where} has an unknown section {section!r}{_nearest(section, list(sections))}")
    if not isinstance(keys, Mapping):
        raise InvalidInput(f"{where} gives {section!r} a value: it is a section, write [{section}]")
    for key in keys:
        if key not in sections[section]:
            raise InvalidInput(
                f"{where} has an unknown key {section}.{key}{_nearest(key, list(sections[section]))}"
            )


def _nearest(word: str, known: list[str]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f": did you mean {near[0]!r}?" if near else f"; there are: {', '.join(known)}"
