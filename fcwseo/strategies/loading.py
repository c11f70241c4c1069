"""Strategies by name: built in, from a file of one's own (``path/to/file.py:Name``), or from a package that
names one in the entry point group ``fcwseo.strategies``. Those with an encoder may be given a model
(``bsvsm:MODEL``).

What the name stands for is a class or a function that is called as the built-in ones are.
"""

import sys
from collections.abc import Mapping
from hashlib import blake2b
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import cast

from fcwseo.errors import FcwseoError, InvalidStrategy
from fcwseo.strategies import ORACLE, STRATEGIES, Factory
from fcwseo.strategies.rivals.semantic import MODELLED, with_model
from fcwseo.suggestions import nearest

GROUP = "fcwseo.strategies"


def load_strategy(name: str) -> Factory:
    """The factory that ``name`` means.

    >>> load_strategy("bfs") is STRATEGIES["bfs"]
    True
    """
    if name in STRATEGIES:
        return STRATEGIES[name]
    if own := _own(name):
        return _from_file(*own)
    role, _, model = name.partition(":")
    if model and role in MODELLED:
        return with_model(role, model)
    if name == ORACLE:
        raise InvalidStrategy(
            f"{ORACLE} sees the labels of a web: only fcwseo compare, with --relevant, runs it"
        )
    points = _entry_points()
    if name not in points:
        meant = nearest(name, (*STRATEGIES, *points))
        raise InvalidStrategy(
            f"there is no strategy {name!r}{meant} (path/to/file.py:Name names one of your own)"
        )
    try:
        return _callable(points[name].load(), f"the entry point {name!r}")
    except FcwseoError:
        raise
    except Exception as error:
        raise InvalidStrategy(
            f"the strategy {name!r} of {points[name].value} cannot be loaded: {error!r}"
        ) from error


def strategy_version(name: str) -> str:
    """What tells two versions of a user's own strategy apart: a digest of its file. Empty for all others."""
    own = _own(name)
    return blake2b(_source(own[0]), digest_size=4).hexdigest() if own else ""


def _own(name: str) -> tuple[Path, str] | None:
    path, colon, thing = name.rpartition(":")
    return (Path(path), thing) if colon and path.endswith(".py") else None


def _source(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidStrategy(f"cannot read the strategy {path}: {error.strerror}") from error


def _from_file(path: Path, thing: str) -> Factory:
    module = _imported(path.resolve(), _source(path))
    if not hasattr(module, thing):
        own = [name for name, value in vars(module).items() if _is_own(value, module)]
        raise InvalidStrategy(f"{path} has no {thing!r}; it has: {', '.join(own) or 'nothing'}")
    return _callable(getattr(module, thing), f"{thing!r} of {path}")


def _is_own(value: object, module: ModuleType) -> bool:
    return getattr(value, "__module__", None) == module.__name__


def _imported(path: Path, source: bytes) -> ModuleType:
    """The file as a module under a name of its own, once for each process and content.

    Not by the import system: that takes a file for unchanged that was edited within a second.
    """
    name = f"fcwseo_own_{path.stem}_{blake2b(bytes(path) + source, digest_size=8).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    module = sys.modules[name] = ModuleType(name)  # dataclasses look their module up there
    module.__file__ = str(path)
    try:
        exec(compile(source, str(path), "exec"), vars(module))
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, FcwseoError | KeyboardInterrupt):
            raise
        raise InvalidStrategy(f"{path} fails when it is imported: {type(error).__name__}: {error}") from error
    return module


def _callable(thing: object, what: str) -> Factory:
    if not callable(thing):
        raise InvalidStrategy(
            f"{what} is a {type(thing).__name__}: give a class, or a function that makes one"
        )
    return cast(Factory, thing)


def _entry_points() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP))}
