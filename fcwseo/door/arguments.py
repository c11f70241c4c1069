"""Arguments of the public functions: checked first, and converted to values of the rooms below.

An unusable argument raises an ``InvalidInput`` that names the argument, its value, and the accepted values.
"""

import os
import reprlib
from collections.abc import Iterable, Sequence, Set
from pathlib import Path
from typing import Any

from fcwseo.crawling.seeds import RankedSeed, gather_seeds
from fcwseo.errors import InvalidInput, InvalidSeeds, InvalidWeb
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import ClosedWeb

AnyPath = str | Path
AnySeeds = str | Path | RankedSeed | Sequence[str | Path | RankedSeed]
AnyWeb = ClosedWeb | str | Path


def path_of(given: Any, name: str) -> Path:
    """The path in the argument ``name``.

    >>> path_of("runs/one", "out").name
    'one'
    >>> path_of(None, "out")
    Traceback (most recent call last):
    fcwseo_ontology.errors.InvalidInput: out is None, but a path is needed: give text or a Path
    """
    if not isinstance(given, str | os.PathLike):
        raise unusable(name, given, "a path is needed: give text or a Path")
    text = os.fsdecode(given)
    if not text.strip() or "\0" in text:
        raise unusable(name, text, "that is not a path: give the name of a file or folder")
    return Path(text)


def text_of(given: Any, name: str) -> str:
    """The text in the argument ``name``."""
    if not isinstance(given, str):
        raise unusable(name, given, "text is needed")
    return given


def count_of(given: Any, name: str, *, least: int = 1) -> int:
    """The whole number in the argument ``name``.

    >>> count_of(1e3, "pages")
    1000
    >>> count_of(0, "pages")
    Traceback (most recent call last):
    fcwseo_ontology.errors.InvalidInput: pages is 0, but a whole number of 1 or more is needed
    """
    wanted = f"a whole number of {least} or more is needed"
    if isinstance(given, bool) or not hasattr(given, "__int__"):  # text has no __int__
        raise unusable(name, given, wanted)
    try:
        number = int(given)
    except (OverflowError, ValueError):  # infinite, or not a number
        raise unusable(name, given, wanted) from None
    if number != given or number < least:
        raise unusable(name, given, wanted)
    return number


def share_of(given: Any, name: str) -> float:
    """The number in [0, 1] in the argument ``name``."""
    if isinstance(given, bool | str) or not hasattr(given, "__float__") or not 0 <= float(given) <= 1:
        raise unusable(name, given, "a number from 0 to 1 is needed")
    return float(given)


def items_of(given: Any, name: str, wanted: str) -> list[Any]:
    """The items of the list in the argument ``name``; a set is refused, since its order is not repeatable."""
    if isinstance(given, Set) or not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise unusable(name, given, f"{wanted} is needed")
    return list(given)


def unusable(name: str, given: object, wanted: str) -> InvalidInput:
    """The error for an argument of the wrong kind or value."""
    return InvalidInput(f"{name} is {reprlib.repr(given)}, but {wanted}")


def seed_names(given: AnySeeds) -> list[str]:
    """Seeds as the command line gives them: files and URLs.

    >>> seed_names("http://a.example/"), seed_names([Path("seeds.txt")])
    (['http://a.example/'], ['seeds.txt'])
    """
    if isinstance(given, str | os.PathLike | RankedSeed):
        return [_seed_name(given, "seeds")]
    seeds = items_of(given, "seeds", "a file, a URL or a list of them")
    if not seeds:
        raise InvalidSeeds("seeds is an empty list: give a file, a URL or a list of them")
    return [_seed_name(seed, f"seeds[{number}]") for number, seed in enumerate(seeds)]


def _seed_name(given: Any, name: str) -> str:
    if isinstance(given, RankedSeed):
        return given.url
    if not isinstance(given, str | os.PathLike):
        raise InvalidSeeds(f"{name} is {reprlib.repr(given)}, but a file or a URL is needed")
    text = os.fspath(given).strip()
    if not text or "\0" in text or "\n" in text:
        raise InvalidSeeds(f"{name} is {reprlib.repr(given)}: give a file, a URL or a list of them")
    return text


def seeds_of(given: AnySeeds, *, seed_set: int = 1) -> list[str]:
    """The URLs to start from."""
    return gather_seeds(seed_names(given), seed_set=seed_set)


def web_of(given: AnyWeb) -> ClosedWeb:
    """The closed web in an argument, opened if it is a name."""
    if isinstance(given, str | os.PathLike):
        return open_web(_web_name(given))
    _check_web(given)
    return given


def spec_of(given: AnyWeb) -> str:
    """The name with which other processes open a web.

    >>> spec_of(open_web("generated-500-0")), spec_of("webs/bees")
    ('generated-500-0', 'webs/bees')
    """
    if isinstance(given, str | os.PathLike):
        return _web_name(given)
    _check_web(given)
    return given.spec


def _web_name(given: str | os.PathLike[str]) -> str:
    name = str(path_of(given, "web"))
    if "://" in os.fspath(given):
        raise InvalidWeb(
            f"web is {str(given)!r}, a URL: leave web out to crawl the live web, and give the URL as seeds"
        )
    return name


def _check_web(given: object) -> None:
    if isinstance(given, type) or not all(hasattr(given, name) for name in ("fetch", "identity", "spec")):
        raise unusable("web", given, "a folder, an archive, generated-PAGES-SEED or a web is needed")
