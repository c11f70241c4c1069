"""The installed command, as a user runs it."""

import json
import os
import subprocess
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fcwseo.webs.generated import GeneratedWeb

FCWSEO = Path(sysconfig.get_path("scripts")) / "fcwseo"


class Outcome(NamedTuple):
    """What a command in this process ended with."""

    code: int
    out: str
    err: str


Fcwseo = Callable[..., Outcome]
"""The command in this process: the fixture ``fcwseo`` of ``tests/cli``."""


def environment(**more: str) -> dict[str, str]:
    """Ours without what steers the command or colours its output."""
    steering = ("FCWSEO_CRAWL", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "_FCWSEO", "_TYPER")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(steering)}
    return clean | {"TERM": "dumb", "COLUMNS": "100"} | more


def start(arguments: Sequence[str | Path], **choices: Any) -> "subprocess.Popen[str]":
    command = [str(FCWSEO), *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment()}
    return subprocess.Popen(command, **{**pipes, **choices})


def finish(process: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Exit code, what it printed, what it said."""
    out, err = process.communicate(timeout=120)
    return process.returncode, out, err


def run(*arguments: str | Path, **choices: Any) -> tuple[int, str, str]:
    return finish(start(arguments, **choices))


def write_crawl(folder: Path, *, pages: int) -> list[str | Path]:
    """Files of a topic and of seeds, and the arguments that crawl a generated web with them."""
    web = GeneratedWeb(0, pages)
    words = {"name": "rainstorm", "weights": web.topic().weights}
    (folder / "words.json").write_text(json.dumps(words), encoding="utf-8")
    (folder / "seeds.txt").write_text("\n".join(web.seeds("rainstorm")) + "\n", encoding="utf-8")
    files: list[str | Path] = ["--topic", folder / "words.json", "--seeds", folder / "seeds.txt"]
    return ["crawl", "--web", web.name, *files]
