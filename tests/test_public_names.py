"""The public names: these and no others, each documented."""

import inspect
import types
from importlib import import_module
from typing import Any

import pytest
from helpers.sources import modules

import fcwseo
import fcwseo_ontology
from fcwseo.errors import FcwseoError

PUBLIC = [
    "AT_ONCE",
    "STRATEGIES",
    "Failure",
    "FcwseoError",
    "FrozenWeb",
    "GeneratedWeb",
    "Link",
    "LiveSettings",
    "Page",
    "Plan",
    "Result",
    "Stop",
    "Strategy",
    "Turns",
    "Visit",
    "Web",
    "Why",
    "Window",
    "crawl",
    "open_web",
    "read_visits",
    "replay",
    "run_crawl",
    "run_live",
]


ONTOLOGY = [
    "Ontology",
    "Topic",
    "build_ontology",
    "load_ontology",
    "load_topic",
    "read_corpus",
    "write_owl",
]


def test_the_public_names() -> None:
    assert fcwseo.__all__ == PUBLIC == [*fcwseo._WHERE]
    assert fcwseo_ontology.__all__ == ONTOLOGY == [*fcwseo_ontology._WHERE]


@pytest.mark.parametrize("package", [fcwseo, fcwseo_ontology])
def test_a_public_name_is_where_its_package_says(package: Any) -> None:
    for name, module in package._WHERE.items():
        assert getattr(package, name) is getattr(import_module(module), name)
        assert name in dir(package)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = package.no_such_name


def test_nothing_else_is_public_but_modules() -> None:
    names = {name for name in vars(fcwseo) if not name.startswith("_")}
    others = {name for name in names - set(PUBLIC) if not isinstance(vars(fcwseo)[name], types.ModuleType)}
    assert others == set()
    assert names - set(PUBLIC) <= {name.split(".")[1] for name in modules("fcwseo") if "." in name}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    thing = getattr(fcwseo, name)
    if isinstance(thing, dict):  # a dictionary has no docstring of its own: its module says what it is
        assert inspect.getdoc(fcwseo.strategies)
        return
    own = thing.__doc__
    assert own and own.strip()
    assert not own.startswith(f"{name}(")  # what dataclasses and tuples make up when nothing was written


def test_star_gives_the_public_names() -> None:
    names: dict[str, object] = {}
    exec("from fcwseo import *", names)
    assert sorted(names.keys() - {"__builtins__"}) == sorted(PUBLIC)


def everything_raised(base: type[FcwseoError]) -> list[type[FcwseoError]]:
    return [base, *(below for kind in base.__subclasses__() for below in everything_raised(kind))]


def test_every_error_stands_in_the_drawn_tree() -> None:
    drawn = inspect.getdoc(fcwseo.errors) or ""
    depth = {line.split()[0]: (len(line) - len(line.lstrip())) // 2 for line in drawn.splitlines() if line}
    for kind in everything_raised(FcwseoError):
        assert depth.get(kind.__name__) == kind.__mro__.index(FcwseoError), kind
        assert getattr(fcwseo.errors, kind.__name__) is kind
        assert kind.exit_code in (1, 3, 4)
