"""The files of a new strategy: they run as they are, and nothing is overwritten."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.commands import run

import fcwseo as f
from fcwseo.errors import InvalidInput


@pytest.mark.slow
def test_a_new_strategy_passes_its_test_and_is_compared(tmp_path: Path) -> None:
    code, _, said = run("new", "strategy", "my-first", cwd=tmp_path)
    assert code == 0, said
    pytest_alone = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."]
    tested = subprocess.run([*pytest_alone, "."], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert tested.returncode == 0 and "2 passed" in tested.stdout, tested.stdout
    commands = [line.split()[1:] for line in said.splitlines() if line.startswith("  fcwseo ")]
    assert [command[0] for command in commands] == ["web", "compare"]
    for command in commands:
        fewer = ("--max-pages", "200") if command[0] == "compare" else ()
        code, _, said = run(*command, *fewer, cwd=tmp_path)
        assert code == 0, said
    results = json.loads((tmp_path / "comparison" / "results.json").read_text())
    areas = {row["strategy"]: row["harvest_area"] for row in results["summary"]}
    assert areas["my_first.py:MyFirst"] > areas["bfs"] > 0


@pytest.mark.slow
def test_its_test_fails_when_the_strategy_is_no_better(tmp_path: Path) -> None:
    made = f.new_strategy("my-first", tmp_path)
    source = made.path.read_text()
    assert "-visit.relevance" in source
    made.path.write_text(source.replace("-visit.relevance", "0.0"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", "."]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize(
    ("name", "file", "cls"),
    [
        ("my-first", "my_first.py", "MyFirst"),
        ("my_first", "my_first.py", "MyFirst"),
        ("MyFirst", "my_first.py", "MyFirst"),
        ("tabu2-wide", "tabu2_wide.py", "Tabu2Wide"),
        ("topic-first", "topic_first.py", "TopicFirst"),
    ],
)
def test_the_names_of_file_and_class(tmp_path: Path, name: str, file: str, cls: str) -> None:
    made = f.new_strategy(name, tmp_path)
    assert made == (tmp_path / file, tmp_path / f"test_{file}", f"{tmp_path / file}:{cls}")
    assert f"class {cls}:" in made.path.read_text()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((name, "is not a name") for name in ("", " ", "a b", "a/b", "..", "1a", "-a", "a-", "é")),
        *((name, "is not a name") for name in ("a.py", "a\0", "a\n", "a" * 61)),
        *((name, "a keyword of Python") for name in ("class", "None", "true", "lambda")),
        *((name, "would hide the installed module") for name in ("json", "numpy", "fcwseo")),
        (None, "text is needed"),
    ],
)
def test_a_name_that_cannot_be_used(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        f.new_strategy(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("existing", ["my_first.py", "test_my_first.py"])
def test_nothing_is_overwritten(tmp_path: Path, existing: str) -> None:
    (tmp_path / existing).write_text("mine")
    with pytest.raises(InvalidInput, match=f"{existing} exists"):
        f.new_strategy("my-first", tmp_path)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [(existing, "mine")]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot write"):
        f.new_strategy("my-first", tmp_path / "missing")


def test_the_command_quotes_a_folder_with_a_space(tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    code, _, said = run("new", "strategy", "my-first", "--folder", folder)
    assert code == 0
    words = shlex.split(said.splitlines()[-1])
    assert words[words.index("--strategy") + 1] == f"{folder}{os.sep}my_first.py:MyFirst"
