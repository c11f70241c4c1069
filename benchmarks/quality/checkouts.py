"""Checkouts of the project to measure: this one, and others beside it."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[2]
PROBE = Path(__file__).with_name("probe.py")
PACKAGES = ("", "ontology", "cli")


class Failed(Exception):
    """A version could not do a piece of work, and said why."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A folder with the sources of the project; ``name`` is printed in tables."""

    name: str
    folder: Path

    @property
    def python(self) -> Path:
        """Its own interpreter where it has one, else this one, which then imports from its folders."""
        own = self.folder / ".venv" / "bin" / "python"
        return own if own.exists() else Path(sys.executable)

    def ask(self, work: str, **job: object) -> Any:
        """The answer of ``probe.py``, run with this checkout in a new process. Raises Failed."""
        done = subprocess.run(
            [self.python, PROBE],
            input=json.dumps({"work": work, **job}),
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=self._environment(os.environ),
            check=False,
        )
        if done.returncode != 0:
            raise Failed(done.stderr.strip().rpartition("\n")[2])
        answer = json.loads(done.stdout)
        if "failed" in answer:
            raise Failed(answer["failed"])
        return answer["answer"]

    def _environment(self, given: Mapping[str, str]) -> dict[str, str]:
        path = os.pathsep.join(str(self.folder / package) for package in PACKAGES)
        return {**given, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


def checkouts(before: Sequence[Path]) -> list[Checkout]:
    """Older checkouts first, then this one."""
    for folder in before:
        if not (folder / "ontology" / "fcwseo_ontology").is_dir():
            raise SystemExit(f"{folder} is no checkout: it has no folder ontology/fcwseo_ontology")
    return [*(Checkout(commit(folder), folder.resolve()) for folder in before), Checkout(commit(HERE), HERE)]


def commit(folder: Path) -> str:
    """The short name of the commit that a folder has, or its own name outside of git."""
    git = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=7", "--exclude=*"]
    done = subprocess.run(git, capture_output=True, text=True, check=False)
    return done.stdout.strip() or folder.resolve().name
