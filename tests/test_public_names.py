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
    "Comparison",
    "Failure",
    "FcwseoError",
    "FrozenWeb",
    "GeneratedWeb",
    "Link",
    "Ontology",
    "Page",
    "Progress",
    "Rehearsal",
    "Relevance",
    "Run",
    "Strategy",
    "Table",
    "Topic",
    "Turns",
    "Visit",
    "Web",
    "Why",
    "acompare",
    "acrawl",
    "build_ontology",
    "calibrate",
    "check_ontology",
    "compare",
    "crawl",
    "describe_web",
    "import_web",
    "load_ontology",
    "load_topic",
    "make_web",
    "new_strategy",
    "open_comparison",
    "open_run",
    "open_web",
    "preview",
    "repair",
    "seeds",
    "serve_web",
    "settings",
    "strategies",
]

ONTOLOGY = [
    "Concept",
    "Corpus",
    "Document",
    "Edge",
    "FeatureWord",
    "Label",
    "Ontology",
    "Relation",
    "Topic",
    "build_ontology",
    "load_ontology",
    "load_topic",
    "read_corpus",
    "read_owl",
    "topic_of",
    "write_owl",
]


def test_the_public_names() -> None:
    assert fcwseo.__all__ == PUBLIC == [*fcwseo._WHERE]
    assert fcwseo_ontology.__all__ == ONTOLOGY == [*fcwseo_ontology._WHERE]


@pytest.mark.parametrize("package", [fcwseo, fcwseo_ontology])
def test_a_public_name_is_where_its_package_says(package: Any) -> None:
    for name, module in package._WHERE.items():
        there = import_module(module)
        assert getattr(package, name) is getattr(there, name, there)
        assert name == module.rpartition(".")[2] or hasattr(there, name)
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


FUNCTIONS = [name for name in PUBLIC if isinstance(getattr(fcwseo, name), types.FunctionType)]
METHODS = [
    (kind, name)
    for kind in ("Run", "Topic", "Ontology", "Comparison")
    for name, thing in vars(getattr(fcwseo, kind)).items()
    if isinstance(thing, types.FunctionType) and not name.startswith("_")
]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_takes_and_shows_it(name: str) -> None:
    function = getattr(fcwseo, name)
    said = inspect.getdoc(function) or ""
    assert len(said.splitlines()[0]) > 10
    if name not in ("acrawl", "acompare"):
        _check_arguments(function, said)
        assert "Returns:" in said or inspect.signature(function).return_annotation is not None
    if name not in ("make_web", "import_web"):  # which write folders
        assert ">>>" in said


@pytest.mark.parametrize(("kind", "name"), METHODS)
def test_a_method_says_what_it_takes(kind: str, name: str) -> None:
    method = getattr(getattr(fcwseo, kind), name)
    _check_arguments(method, inspect.getdoc(method) or "")


def _check_arguments(function: types.FunctionType, said: str) -> None:
    names = [name for name in inspect.signature(function).parameters if name != "self"]
    missing = [name for name in names if f"  {name}: " not in said]
    assert said and not missing, f"says nothing of {missing}"


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
