"""The digests that crawls must have: those recorded first, and the changes since, each with its reason.

Run as a program: compares all crawls with them, and prints a section for ``CHANGES.md`` if some differ.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from golden import crawls

FOLDER = Path(__file__).parent
FIRST = FOLDER / "first.json"
CHANGES = FOLDER / "CHANGES.md"

_LINE = re.compile(r"`(?P<key>\S+)`: `(?P<digest>\S+ \S+)`")


def sections(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The changes: the reason of each section and its digests by crawl.

    >>> list(sections("# Changes\\n\\n## A day\\n\\nA reason.\\n\\n- `live/1/bfs`: `0 1`"))
    [('A reason.', {'live/1/bfs': '0 1'})]
    """
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        lines = [line for line in part.splitlines()[1:] if line.strip()]
        found = {match["key"]: match["digest"] for line in lines if (match := _LINE.search(line))}
        yield " ".join(line for line in lines if not _LINE.search(line)), found


def expected() -> dict[str, str]:
    """The digest of every crawl: the newest one recorded."""
    digests: dict[str, str] = json.loads(FIRST.read_text())
    for _, changed in sections(CHANGES.read_text()):
        digests |= changed
    return digests


def computed(group: str) -> dict[str, str]:
    """The digests of a group now, computed in a process of its own: BLAS in one thread, no cached pages."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), "1")
    command = [sys.executable, "-W", "ignore", "-m", "golden.crawls", group]
    with TemporaryDirectory() as cache:
        environment["FCWSEO_CACHE"] = cache
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    digests: dict[str, str] = json.loads(done.stdout)
    return digests


def differences(found: Mapping[str, str], wanted: Mapping[str, str]) -> list[str]:
    """Lines for ``CHANGES.md``: the crawls whose digests differ, or have none yet."""
    return [f"- `{key}`: `{value}`" for key, value in found.items() if wanted.get(key) != value]


if __name__ == "__main__":
    differing = [line for group in crawls.GROUPS for line in differences(computed(group), expected())]
    if differing:
        print("## DATE, COMMIT\n\nREASON: why these crawls may differ from those of before.\n")
        print("\n".join(differing))
