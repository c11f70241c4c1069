"""The shape of the project, read from its sources: which way imports point, and what every module has."""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
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

# The rooms of each package. A room imports only rooms that stand in its line or in a line before it.
ROOMS = {
    "fcwseo_ontology": (
        "errors bits files model", "corpus", "terms", "fca", "relations", "owl",
        "topic ossc shipped load decisions joining report build", "draw",
    ),
    "fcwseo": (
        "errors files columns suggestions loops tables plugins", "pages", "relevance", "webs", "live",
        "links", "evolution", "strategies", "crawling", "comparison", "uses", "door",
    ),
}  # fmt: skip
LONGEST_CHAIN = 18  # modules of fcwseo, each of which imports the next
MOST_LINES = 450
MOST_FILES = 12
FAMILIES = {"fcwseo.strategies.rivals"}  # rooms of any number of files, each of the same kind

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


def floor(name: str) -> int:
    """The line of ``ROOMS`` in which the room of a module stands; a package itself is above its rooms.

    >>> floor("fcwseo.errors"), floor("fcwseo.pages.urls"), floor("fcwseo")
    (0, 1, 12)
    """
    package, _, rest = name.partition(".")
    room = rest.partition(".")[0]
    (found,) = [i for i, line in enumerate((*ROOMS[package], "")) if room in (line.split() or [""])]
    return found


def upward(source: str, name: str, package: str) -> list[str]:
    """What a module imports of rooms that stand above its own."""
    own = name.partition(".")[0]
    found = (there for there in imports(source, package) if there.partition(".")[0] == own)
    return [there for there in found if floor(there) > floor(name)]


def needed(name: str) -> set[str]:
    """The modules of its package that a module imports."""
    nodes = (node for node in ast.walk(ast.parse(ALL[name].read_text())) if isinstance(node, ast.ImportFrom))
    found = {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
    found |= {*imports(ALL[name].read_text(), package_of(name, ALL[name]))}
    return {there for there in found & ALL.keys() if there.split(".")[0] == name.split(".")[0]} - {name}


@cache
def chain(name: str) -> tuple[str, ...]:
    """The longest chain of imports that begins with a module."""
    return (name, *max(map(chain, sorted(needed(name))), key=len, default=()))


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


@pytest.mark.parametrize("name", [name for name in ALL if name.partition(".")[0] in ROOMS])
def test_a_room_imports_only_rooms_before_it(name: str) -> None:
    assert upward(ALL[name].read_text(), name, package_of(name, ALL[name])) == []


def test_the_rooms_that_are_named_are_there() -> None:
    for package, lines in ROOMS.items():
        named = {room for line in lines for room in line.split()}
        assert named == {name.split(".")[1] for name in ALL if name.startswith(f"{package}.")}


def test_no_chain_of_imports_is_long() -> None:
    longest = max((chain(name) for name in ALL if name.startswith("fcwseo.")), key=len)
    assert len(longest) <= LONGEST_CHAIN, " imports ".join(longest)


def test_no_file_is_long() -> None:
    lengths = {name: len(path.read_text().splitlines()) for name, path in ALL.items()}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


@pytest.mark.skipif(not IS_TREE, reason=NO_TREE)
def test_every_room_is_on_the_page_of_the_architecture() -> None:
    page = (TREE / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = [room for lines in ROOMS.values() for line in lines for room in line.split()]
    assert [room for room in rooms if f"`{room}`" not in page and f"{room}/" not in page] == []


def test_no_room_is_crowded() -> None:
    rooms = Counter(name.rpartition(".")[0] for name, path in ALL.items() if path.name != "__init__.py")
    assert {room for room, files in rooms.items() if files > MOST_FILES} <= FAMILIES


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
    assert upward("from fcwseo.pages.urls import host", "fcwseo.links.graph", "fcwseo.links") == []
    turned = "def f():\n    from fcwseo.links.graph import LinkGraph\n    from fcwseo import crawl"
    assert upward(turned, "fcwseo.pages.urls", "fcwseo.pages") == ["fcwseo.links.graph", "fcwseo"]
    assert calls("x = [print(1)]\n\nlogger.print(2)", "print") == [1]


@pytest.mark.skipif(not IS_TREE, reason=NO_TREE)
def test_the_folders_of_the_project() -> None:
    for name in ("fcwseo", "ontology/fcwseo_ontology", "cli/fcwseo_cli", "tests"):
        assert (TREE / name).is_dir()
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "Makefile", "LICENSE", ".ci/run"):
        assert (TREE / name).is_file()
    for name in ("ontology", "cli"):  # folders that hold a package, no packages themselves
        assert not (TREE / name / "__init__.py").exists()
