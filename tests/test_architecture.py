"""The shape of the project, read from its sources: which way imports point, and what every module has."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.sources import IS_TREE, NO_TREE, PACKAGES, TREE, modules

# What each package may import of ours.
BELOW = {
    "fcwseo_ontology": {"fcwseo_ontology"},
    "fcwseo": {"fcwseo", "fcwseo_ontology"},
    "fcwseo_cli": {"fcwseo_cli", "fcwseo", "fcwseo_ontology"},
}
NOT_PACKAGES = {"ontology", "cli", "tests", "benchmarks", "examples"}

ALL = {name: path for package in PACKAGES for name, path in modules(package).items()}
every_module = pytest.mark.parametrize("name", ALL)


def imports(source: str, package: str) -> Iterator[str]:
    """The full names of what a module imports, wherever in it; ``package`` is the one it lies in.

    >>> list(imports("import a.b, c", "p")), list(imports("def f():\\n from . import d", "p.q"))
    (['a.b', 'c'], ['p.q'])
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - (node.level - 1)] if node.level else []
            yield ".".join([*above, *([node.module] if node.module else [])])


def package_of(name: str, path: Path) -> str:
    return name if path.name == "__init__.py" else name.rpartition(".")[0]


def calls(source: str, function: str) -> list[int]:
    """The lines in which a function is called by its bare name."""
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [node.lineno for node in nodes if isinstance(node.func, ast.Name) and node.func.id == function]


def test_all_packages_are_looked_at() -> None:
    assert {
        "fcwseo.crawling.engine",
        "fcwseo.strategies.bfs",
        "fcwseo_ontology.topic",
        "fcwseo_cli.main",
    } <= ALL.keys()


@every_module
def test_imports_point_one_way(name: str) -> None:
    found = {there.split(".")[0] for there in imports(ALL[name].read_text(), package_of(name, ALL[name]))}
    assert found & (set(PACKAGES) | NOT_PACKAGES) <= BELOW[name.split(".")[0]]


@every_module
def test_every_module_says_what_it_is(name: str) -> None:
    docstring = ast.get_docstring(ast.parse(ALL[name].read_text()))
    assert docstring and docstring.splitlines()[0].strip()


@every_module
def test_only_the_command_line_prints(name: str) -> None:
    if not name.startswith("fcwseo_cli"):
        assert calls(ALL[name].read_text(), "print") == []


@every_module
def test_chance_is_a_parameter(name: str) -> None:
    """No module draws from the generator that all share."""
    for node in ast.walk(ast.parse(ALL[name].read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random":
            assert node.attr in ("Random", "SystemRandom")


def test_the_tests_see_a_wrong_import() -> None:
    """What the first test looks for is found where it stands, also inside of a function."""
    source = "def f():\n    from fcwseo.crawling.engine import crawl\n    from .. import x"
    assert list(imports(source, "fcwseo_ontology.data")) == ["fcwseo.crawling.engine", "fcwseo_ontology"]
    assert calls("x = [print(1)]\n\nlogger.print(2)", "print") == [1]


@pytest.mark.skipif(not IS_TREE, reason=NO_TREE)
def test_the_folders_of_the_project() -> None:
    for name in ("fcwseo", "ontology/fcwseo_ontology", "cli/fcwseo_cli", "tests"):
        assert (TREE / name).is_dir()
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "Makefile", "LICENSE", ".ci/run"):
        assert (TREE / name).is_file()
    for name in ("ontology", "cli"):  # folders that hold a package, no packages themselves
        assert not (TREE / name / "__init__.py").exists()
