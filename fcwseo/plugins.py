"""Plugins: strategies and relevances that users write. They are loaded by name; errors name their file and
line.

The name of a plugin is ``path/to/file.py:Name``, ``module:Name``, or that of an entry point of an installed
package. It names a class, or a function that returns an object.
"""

import sys
import traceback
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import getfile, getsourcelines, unwrap
from pathlib import Path
from types import ModuleType
from typing import Any

from fcwseo.errors import FcwseoError, InvalidInput, PluginFailed
from fcwseo.suggestions import nearest


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of plugin: its word in messages, its entry point group, and the error for unusable plugins."""

    word: str
    group: str
    error: type[InvalidInput]


@dataclass(frozen=True, slots=True)
class Plugin:
    """A class or function of a user. ``path`` is its file, as messages name it."""

    name: str
    kind: Kind
    thing: Any
    path: str

    def make(self, *given: object) -> Any:
        """The object that the class or function returns."""
        with self.blamed(self.thing, "", error=self.kind.error):
            return self.thing(*given)

    @contextmanager
    def blamed(self, code: object, method: str, *, error: type[FcwseoError] = PluginFailed) -> Iterator[None]:
        """Turn any error that the user's code raises into one line with file and line number.

        Args:
            code: The function or class that is called; its position is named if the call itself failed.
            method: The name of the method, for the message.
            error: The error to raise.
        """
        try:
            yield
        except FcwseoError:
            raise
        except (Exception, SystemExit) as raised:
            line = _line_of(raised, self.path) or _first_line(code)
            raise error(f"{self._at(line)}: {self._called(method)} raised {_message(raised)}") from raised

    def refused(self, code: object, method: str, why: str) -> InvalidInput:
        """The error for a method that is missing, or that returned an unusable value."""
        return self.kind.error(f"{self._at(_first_line(code))}: {self._called(method)} {why}")

    def _at(self, line: int | None) -> str:
        return f"{self.path}:{line}" if line else self.path

    def _called(self, method: str) -> str:
        name = getattr(self.thing, "__qualname__", self.name)
        return f"{name}.{method}" if method else name


def load_plugin(name: str, kind: Kind, built_in: Collection[str]) -> Plugin:
    """The plugin with a name. ``built_in`` are the names that the user may have meant.

    Raises:
        InvalidInput: If there is no such plugin, or if it cannot be imported; the error of its kind.
    """
    if own := _own_file(name):
        return _from_file(*own, name, kind)
    points = entry_points_of(kind)
    if name in points:
        return _from_entry_point(points[name], kind)
    module, colon, thing = name.partition(":")
    if colon and thing.isidentifier() and all(part.isidentifier() for part in module.split(".")):
        return _from_module(module, thing, name, kind)
    meant = nearest(name, (*built_in, *points))
    raise kind.error(f"there is no {kind.word} {name!r}{meant} (for your own, use path/to/file.py:Name)")


def plugin_version(name: str) -> str:
    """A digest of the file of ``path/to/file.py:Name``, identifying its version; empty for others."""
    own = _own_file(name)
    if own is None:
        return ""
    try:
        return blake2b(own[0].read_bytes(), digest_size=4).hexdigest()
    except OSError as error:
        raise InvalidInput(f"cannot read {own[0]}: {error.strerror}") from error


def entry_points_of(kind: Kind) -> Mapping[str, EntryPoint]:
    """The plugins of installed packages by name."""
    return {point.name: point for point in sorted(entry_points(group=kind.group))}


def _own_file(name: str) -> tuple[Path, str] | None:
    path, colon, thing = name.rpartition(":")
    return (Path(path), thing) if colon and path.endswith(".py") else None


def _from_file(path: Path, thing: str, name: str, kind: Kind) -> Plugin:
    try:
        source = path.read_bytes()
    except OSError as error:
        raise kind.error(f"cannot read the {kind.word} {path}: {error.strerror}") from error
    module = _imported(path, source, kind)
    if not hasattr(module, thing):
        own = [name for name, value in vars(module).items() if _is_own(value, module)]
        raise kind.error(f"{path} has no {thing!r}; it has: {', '.join(own) or 'nothing'}")
    return Plugin(name, kind, _callable(getattr(module, thing), f"{thing!r} of {path}", kind), str(path))


def _is_own(value: object, module: ModuleType) -> bool:
    return getattr(value, "__module__", None) == module.__name__


def _imported(path: Path, source: bytes, kind: Kind) -> ModuleType:
    """The file as a module with a unique name, loaded once for each process and content.

    The import system is not used: it misses an edit within a second.
    """
    digest = blake2b(bytes(path) + b"\n" + source, digest_size=8).hexdigest()
    name = f"fcwseo_own_{path.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    module = sys.modules[name] = ModuleType(name)  # dataclasses look their module up there
    module.__file__ = str(path.resolve())
    try:
        exec(compile(source, str(path), "exec"), vars(module))
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, FcwseoError | KeyboardInterrupt):
            raise
        line = _line_of(error, str(path))
        at = f"{path}:{line}" if line else str(path)
        raise kind.error(f"{at} cannot be imported: {_message(error)}") from error
    return module


def _from_entry_point(point: EntryPoint, kind: Kind) -> Plugin:
    try:
        thing = point.load()
    except FcwseoError:
        raise
    except Exception as error:
        raise kind.error(
            f"the {kind.word} {point.name!r} of {point.value} cannot be loaded: {_message(error)}"
        ) from error
    return Plugin(
        point.name, kind, _callable(thing, f"the entry point {point.name!r}", kind), _path_of(thing)
    )


def _from_module(module: str, thing: str, name: str, kind: Kind) -> Plugin:
    try:
        found = import_module(module)
    except FcwseoError:
        raise
    except Exception as error:
        raise kind.error(
            f"the {kind.word} {name} cannot be imported: {_message(error)} (a file is path/to/file.py:Name)"
        ) from error
    if not hasattr(found, thing):
        raise kind.error(f"the module {module} has no {thing!r}")
    made = getattr(found, thing)
    return Plugin(name, kind, _callable(made, f"{thing!r} of {module}", kind), _path_of(made))


def _callable(thing: object, what: str, kind: Kind) -> object:
    if not callable(thing):
        raise kind.error(
            f"{what} is a {type(thing).__name__}: give a class, or a function that returns an object"
        )
    return thing


def _path_of(thing: Any) -> str:
    try:
        return getfile(unwrap(thing))
    except (OSError, TypeError):
        return str(getattr(thing, "__module__", None) or type(thing).__name__)


def _line_of(error: BaseException, path: str) -> int | None:
    """The last line of a file that an error passed through."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__) if _file_of(frame) == path]
    return lines[-1] if lines else None


def _file_of(frame: Any) -> str:
    return str(frame.f_code.co_filename)


def _first_line(code: Any) -> int | None:
    """Where a function or class begins."""
    try:
        return getsourcelines(unwrap(code))[1] or None
    except (OSError, TypeError):
        return None


def _message(error: BaseException) -> str:
    name = type(error).__name__
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{name}: {text}" if text else name
