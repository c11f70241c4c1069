"""The commands and the Python of the README run as they are written."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.commands import FCWSEO, environment
from helpers.sources import IS_TREE, NO_TREE, TREE

import fcwseo_ontology

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not IS_TREE, reason=NO_TREE)]

# These need the public web, a search engine, or a server that runs until it is stopped.
ELSEWHERE = ("you@example.org", "seeds search", "web serve", "--connect-to", "import served")


def blocks(language: str = "") -> list[str]:
    """The code blocks of the README in a language."""
    readme = (TREE / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    return [text for name, text in found if name == language]


def commands() -> list[list[str]]:
    lines = [line for block in blocks() for line in block.splitlines()]
    here = [
        line for line in lines if line.startswith("fcwseo ") and not any(text in line for text in ELSEWHERE)
    ]
    return [shlex.split(line, comments=True) for line in here]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the commands of the README have run; texts and rankings are the reader's own."""
    folder = tmp_path_factory.mktemp("readme")
    corpus = Path(fcwseo_ontology.__file__).parent / "data" / "rainstorm_corpus.jsonl"
    (folder / "papers").mkdir()
    shutil.copy(corpus, folder / "papers")
    (folder / "other").mkdir()
    (folder / "other" / "cooking.txt").write_text("Boil the pasta, and stir the sauce.")
    for name, urls in (("one", "ab"), ("two", "b"), ("three", "cb")):
        (folder / f"{name}.txt").write_text("".join(f"http://{url}.example/\n" for url in urls))
    for command in commands():
        ran = subprocess.run(
            [FCWSEO, *command[1:]], cwd=folder, capture_output=True, text=True, env=environment()
        )
        assert ran.returncode == 0, f"{shlex.join(command)}: {ran.stderr}"
    return folder


def test_the_commands_run(folder: Path) -> None:
    assert len(commands()) > 15
    for name in (
        "flood.owl",
        "flood.html",
        "run/report.html",
        "rain.jsonl",
        "comparison/report.html",
        "seeds.txt",
    ):
        assert (folder / name).is_file()


def test_the_python_runs(folder: Path) -> None:
    (script,) = blocks("python")
    ran = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert (folder / "flood-run" / "report.html").is_file() and (folder / "cmp" / "results.json").is_file()
