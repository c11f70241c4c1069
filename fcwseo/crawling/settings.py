"""Settings: one TOML file, every key also an option and an environment variable (``FCWSEO_CRAWL__WIDTH``).

The command line takes precedence over the environment, the environment over the file, the file over the
defaults.
"""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from fcwseo.crawling.plan import MOST_PAGES, Plan
from fcwseo.crawling.rehearsal import Rehearsal
from fcwseo.errors import InvalidInput
from fcwseo.evolution.radius import PATIENCE
from fcwseo.live.scope import Scope, domains_of
from fcwseo.live.traps import Limits
from fcwseo.pages.extractors import EXTRACTORS, OWN
from fcwseo.relevance.loading import TOPICAL
from fcwseo.suggestions import nearest

POLITE_WIDTH = 32  # concurrent fetches of a polite crawl, unless given

_PREFIX = "FCWSEO_"
_NOT_SETTINGS = frozenset(("FCWSEO_CACHE", "FCWSEO_WORDNET"))

_Count = Annotated[int, Meta(ge=1)]
_Share = Annotated[float, Meta(ge=0, le=1)]
_Seconds = Annotated[float, Meta(ge=0)]
_Pause = Annotated[float, Meta(ge=0, le=86400)]  # a day, at most


class CrawlSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """How to crawl."""

    strategy: str = "fcwseo"
    max_pages: Annotated[int, Meta(ge=1, le=MOST_PAGES)] = 1000
    seed: int = 0
    seed_set: _Count = 1
    width: _Count | None = None  # None: that of the archived crawl, else POLITE_WIDTH if polite, else 1
    eta: _Share | None = None  # None: running threshold
    relevance: str = TOPICAL
    text_extractor: str = OWN
    patience: _Share = PATIENCE  # 1: only ever the best link; 0: any host that may be asked
    max_depth: Annotated[int, Meta(ge=0)] | None = None  # None: any

    def plan(self, *, polite: bool, archived_width: int = 0) -> Plan:
        """The plan of a crawl with these settings: of a polite one, live or rehearsed, or of a closed web.
        ``archived_width`` is that of the crawl of which a closed web is the archive.
        """
        return Plan(
            strategy=self.strategy,
            max_pages=self.max_pages,
            seed=self.seed,
            width=self.width or archived_width or (POLITE_WIDTH if polite else 1),
            eta=self.eta,
            relevance=self.relevance,
            patience=self.patience,
            max_depth=self.max_depth,
        )


class LiveSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the live web. ``contact`` is the user's mail address or a URL.

    ``proxy`` is the URL of an HTTP proxy for all requests; which IP addresses are reached rests with it then.
    ``delay`` is the pause between two requests to a host, ``address_delay`` between two to a machine with
    many hosts; a host that asks for more than ``ceiling`` seconds is not crawled. ``waiting`` links may be
    chosen before the turn of their host (0: as many as the width). A crawl stops after ``max_time`` or
    ``max_bytes`` (0: never), with units (``2h``, ``500M``), and when the disk has less than ``min_free``
    left. ``include`` to ``allowed_domain`` restrict closed webs as well.
    """

    contact: str = ""
    allow_private: bool = False
    connect_to: str = ""
    proxy: str = ""
    delay: _Pause = 1.0  # a day, at most
    address_delay: _Pause = 0.25  # a day, at most
    ceiling: _Seconds = 60.0
    deadline: Annotated[float, Meta(gt=0)] = 60.0
    waiting: Annotated[int, Meta(ge=0)] = 0
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    same_domain: bool = False
    allowed_domain: tuple[str, ...] = ()
    max_time: str = "0"
    max_bytes: str = "0"
    min_free: str = "200M"
    obey_meta: bool = True
    sitemaps: bool = False
    workers: _Count = 2


def scope_of(live: LiveSettings, seeds: Sequence[str]) -> Scope:
    """The scope of a crawl with these settings from these seeds."""
    return Scope(include=live.include, exclude=live.exclude, domains=scope_domains(live, seeds))


def scope_domains(live: LiveSettings, seeds: Sequence[str]) -> tuple[str, ...]:
    """The allowed domains of a crawl; none if all are allowed."""
    return (*live.allowed_domain, *(domains_of(seeds) if live.same_domain else ()))


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a crawl, in their sections."""

    crawl: CrawlSettings = CrawlSettings()
    live: LiveSettings = LiveSettings()
    traps: Limits = Limits()
    rehearsal: Rehearsal = Rehearsal()


_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]?)b?\s*", re.IGNORECASE)


def seconds(text: str) -> float:
    """
    >>> seconds("90"), seconds("1.5h")
    (90.0, 5400.0)
    """
    return _amount(text, _UNITS, "a time such as 90, 10m or 2h")


def size(text: str) -> int:
    """
    >>> size("1000"), size("1.5 GB")
    (1000, 1500000000)
    """
    return int(_amount(text, _SIZES, "a size such as 500M or 2G"))


def _amount(text: str, units: Mapping[str, int], wanted: str) -> float:
    match = _AMOUNT.fullmatch(text)
    if match is None or match[2].lower() not in units:
        raise InvalidInput(f"{text!r} is not {wanted}")
    return float(match[1]) * units[match[2].lower()]


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] = os.environ,
    given: Mapping[str, Mapping[str, object]] | None = None,
    where: str = "the command line",
) -> Settings:
    """The settings in force; ``given`` are those of the command line or of a call (``where``), None if not
    given.

    >>> load_settings(None, {"FCWSEO_CRAWL__WIDTH": "4"}, {"crawl": {"seed": 7}}).crawl.width
    4
    """
    values: dict[str, dict[str, object]] = {}
    layers = [
        (str(file), _from_file(file) if file else {}),
        ("the environment", _from_environment(environment)),
        (where, given or {}),
    ]
    for origin, layer in layers:
        for section, keys in layer.items():
            _check(section, keys, origin)
            values.setdefault(section, {}).update(
                {key: value for key, value in keys.items() if value is not None}
            )
        settings = _settings(values, origin)
    return settings


def _settings(values: dict[str, dict[str, object]], where: str) -> Settings:
    live = values.get("live", {})
    for key in ("max_time", "max_bytes", "min_free"):
        if isinstance(live.get(key), int | float) and not isinstance(live[key], bool):
            live[key] = str(live[key])
    for key in ("include", "exclude", "allowed_domain"):  # an environment variable contains one pattern
        if isinstance(live.get(key), str):
            live[key] = [live[key]]
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidInput(
            f"{where} has a setting that cannot be used: {_at_fault(error, values)}"
        ) from error
    try:
        size(settings.live.min_free)
    except InvalidInput as error:
        raise InvalidInput(f"{where} has a live.min_free that cannot be used: {error}") from error
    if (extractor := settings.crawl.text_extractor) not in EXTRACTORS:
        raise InvalidInput(
            f"{where} has a crawl.text_extractor that cannot be used: "
            f"there is no text extractor {extractor!r}; there are: {', '.join(EXTRACTORS)}"
        )
    return settings


def _at_fault(error: msgspec.ValidationError, values: Mapping[str, Any]) -> str:
    """The setting at fault, with its expected type and its value.

    >>> error = msgspec.ValidationError("Expected `int` >= 1 - at `$.crawl.width`")
    >>> _at_fault(error, {"crawl": {"width": 0}})
    'Expected `int` >= 1 for crawl.width, not 0'
    """
    wanted, _, path = str(error).partition(" - at `$.")
    wanted = wanted.partition(", got ")[0].replace(" | null", "")
    section, _, key = path.rstrip("`").partition(".")
    given = values.get(section, {})
    return f"{wanted} for {section}.{key}, not {given[key]!r}" if key in given else str(error)


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
    """Raise an error for an unknown key, with the most similar known key."""
    sections = {
        "crawl": CrawlSettings.__struct_fields__,
        "live": LiveSettings.__struct_fields__,
        "traps": Limits.__struct_fields__,
        "rehearsal": Rehearsal.__struct_fields__,
    }
    if section not in sections:
        raise InvalidInput(f"{where} has an unknown section {section!r}{nearest(section, sections)}")
    if not isinstance(keys, Mapping):
        raise InvalidInput(f"{where} sets {section!r} to a value, but it is a section: write [{section}]")
    for key in keys:
        if key not in sections[section]:
            raise InvalidInput(f"{where} has an unknown key {section}.{key}{nearest(key, sections[section])}")
