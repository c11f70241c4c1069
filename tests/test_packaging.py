"""The wheel: what it installs, and what it must not."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

import pytest
from helpers.commands import run
from helpers.sources import IS_TREE, NO_TREE, PACKAGES, TREE, folder

pytestmark = pytest.mark.slow

SOURCES = {"fcwseo": "fcwseo", "fcwseo_ontology": "ontology/fcwseo_ontology", "fcwseo_cli": "cli/fcwseo_cli"}


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """The wheel that these tests run on, or one that is built for them."""
    given = os.environ.get("WHEEL_UNDER_TEST")
    if given:
        path = Path(given)
    elif IS_TREE:
        out = tmp_path_factory.mktemp("wheel")
        command = [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            str(out),
            str(TREE),
        ]
        subprocess.run(command, check=True, capture_output=True)
        (path,) = out.glob("*.whl")
    else:
        pytest.skip(NO_TREE)
    with zipfile.ZipFile(path) as opened:
        yield opened


def files(wheel: zipfile.ZipFile) -> set[str]:
    return {name for name in wheel.namelist() if not name.endswith("/")}


def metadata(wheel: zipfile.ZipFile, name: str) -> str:
    (path,) = (path for path in files(wheel) if path.endswith(f".dist-info/{name}"))
    return wheel.read(path).decode()


def test_the_top_level_is_our_three_packages(wheel: zipfile.ZipFile) -> None:
    top = {name.split("/")[0] for name in files(wheel)}
    (info,) = (name for name in top if name.endswith(".dist-info"))
    assert top - {info} == set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_typed(wheel: zipfile.ZipFile, package: str) -> None:
    assert f"{package}/py.typed" in files(wheel)
    assert (folder(package) / "py.typed").is_file()


@pytest.mark.skipif(not IS_TREE, reason=NO_TREE)
@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_of_a_package_is_in_the_wheel(wheel: zipfile.ZipFile, package: str) -> None:
    """Code and data; git knows what belongs to the project."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", SOURCES[package]],
        cwd=TREE, capture_output=True, text=True,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("needs the repository, and this is a copy of its files")
    names = [Path(line).relative_to(SOURCES[package]).as_posix() for line in listed.stdout.splitlines()]
    assert "__init__.py" in names
    assert {f"{package}/{name}" for name in names} <= files(wheel)


def test_nothing_but_our_files_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    assert not [name for name in files(wheel) if "__pycache__" in name or "/test" in name]


def test_the_wheel_brings_the_command_and_the_licence(wheel: zipfile.ZipFile) -> None:
    assert "fcwseo = fcwseo_cli.main:main" in metadata(wheel, "entry_points.txt").splitlines()
    assert any(name.endswith("LICENSE") for name in files(wheel))


def test_the_version_is_that_of_the_command(wheel: zipfile.ZipFile) -> None:
    facts = Parser().parsestr(metadata(wheel, "METADATA"))
    code, out, _ = run("--version")
    assert code == 0 and out == f"fcwseo {facts['Version']}\n"
    assert facts["Name"] == "fcwseo" and facts["Requires-Python"] == ">=3.11"
    assert facts["License-Expression"] == "MIT AND CC-BY-SA-4.0"


def test_what_is_imported_is_what_is_under_test() -> None:
    """In the source tree the sources, on the wheel what was installed."""
    for package in PACKAGES:
        assert ("site-packages" not in folder(package).parts) == IS_TREE
