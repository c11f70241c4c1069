"""The real command, killed, interrupted and run out of disk: it goes on as if nothing had happened."""

import json
import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from helpers.commands import FCWSEO, environment, finish, run, start, write_crawl
from helpers.runs import lines, log, whole

pytestmark = pytest.mark.slow

BUDGET = 300


@pytest.fixture(scope="module")
def arguments(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    folder = tmp_path_factory.mktemp("crash")
    return [*write_crawl(folder, pages=2000), "--max-pages", str(BUDGET), "--width", "4", "--out"]


@pytest.fixture(scope="module")
def uninterrupted(arguments: list[str | Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "run"
    code, _, err = run(*arguments, out)
    assert code == 0, err
    return out


def visited(out: Path) -> int:
    try:
        return (out / "visits.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def wait_for(process: "subprocess.Popen[str]", out: Path, visits: int) -> None:
    """Until the log has so many lines, or the command has ended."""
    while visited(out) < visits and process.poll() is None:
        time.sleep(0.002)


# Killed


class Reader:
    """Reads every file of a run again and again: every line that ends in a newline must be complete."""

    def __init__(self, out: Path) -> None:
        self._out = out
        self._end = threading.Event()
        self.rounds = 0
        self.problems: list[str] = []

    def read(self) -> None:
        while not self._end.is_set() and not self.problems:
            for name in ("run.json", "visits.jsonl", "pages.jsonl", "metrics.jsonl"):
                try:
                    self._parse(name, (self._out / name).read_bytes())
                except FileNotFoundError:
                    pass
                except ValueError as error:
                    self.problems.append(f"{name}: {error}")
            self.rounds += 1
            time.sleep(0.003)  # leaves the processor to what is being tested

    def _parse(self, name: str, content: bytes) -> None:
        if name == "run.json":
            json.loads(content)
        else:
            for line in content[-20_000:].split(b"\n")[1:-1]:
                json.loads(line)

    @contextmanager
    def reading(self) -> Iterator[None]:
        thread = threading.Thread(target=self.read)
        thread.start()
        try:
            yield
        finally:
            self._end.set()
            thread.join()


def test_killed_at_random_moments_it_goes_on_to_the_same_log(
    arguments: list[str | Path], uninterrupted: Path, tmp_path: Path
) -> None:
    out, rng = tmp_path / "run", Random(11)
    total = visited(uninterrupted)
    moments = sorted(rng.randrange(total - 30) for _ in range(10))
    reader = Reader(out)
    lengths = []
    with reader.reading():
        for moment in moments:
            process = start([*arguments, out])
            wait_for(process, out, moment)
            time.sleep(rng.uniform(0, 0.01))
            process.kill()
            finish(process)
            lengths.append(visited(out))
        assert run(*arguments, out)[0] == 0
    assert reader.problems == [] and reader.rounds > 10
    assert len([n for n in lengths if 0 < n < total]) >= 5  # it was killed in the midst of crawling
    assert whole(out) == whole(uninterrupted)
    urls = [row["url"] for row in log(out)]
    assert len(set(urls)) == len(urls)


def test_killed_while_it_starts(arguments: list[str | Path], uninterrupted: Path, tmp_path: Path) -> None:
    """Somewhere between making the folder and the first visit."""
    out = tmp_path / "run"
    process = start([*arguments, out])
    while not out.exists() and process.poll() is None:
        pass
    process.kill()
    finish(process)
    assert visited(out) < 20
    assert run(*arguments, out)[0] == 0
    assert whole(out) == whole(uninterrupted)


# Interrupted


def test_interrupted_it_ends_in_order_and_goes_on(
    arguments: list[str | Path], uninterrupted: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    process = start([*arguments, out, "--json"])
    wait_for(process, out, 100)
    process.send_signal(signal.SIGINT)
    code, printed, said = finish(process)
    assert code == 11
    facts = json.loads(printed)
    assert facts["stop"] == "interrupted" and facts["counts"]["visits"] == visited(out)
    assert facts["resume"] == f"continues with page {facts['counts']['pages'] + 1} of {BUDGET}"
    assert "stopped: interrupted" in said and "Traceback" not in said
    assert 100 <= visited(out) < visited(uninterrupted)
    assert run(*arguments, out)[0] == 0
    assert whole(out) == whole(uninterrupted)


# The real command on a web of which the page of the thirtieth visit takes long.
SLOW = """
import asyncio, sys
from pathlib import Path
import fcwseo_cli.crawl
from fcwseo.webs.generated import GeneratedWeb
from fcwseo_cli.main import main

visits = Path(sys.argv[-1], "visits.jsonl")

class Slow(GeneratedWeb):
    async def fetch(self, url):
        made = visits.read_bytes().count(b"\\n") if visits.exists() else 0
        await asyncio.sleep(600 if made == 29 else 0)
        return await super().fetch(url)

fcwseo_cli.crawl.open_web = lambda name, progress: Slow(0, 2000)
main()
"""


def test_interrupted_twice_it_drops_what_is_in_flight(
    arguments: list[str | Path], uninterrupted: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    python = FCWSEO.with_name("python")
    given = [*arguments[:-3], "--width", "1", "--out", out]
    command = [str(python), "-W", "ignore", "-c", SLOW, *map(str, given)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    )
    wait_for(process, out, 29)
    process.send_signal(signal.SIGINT)
    time.sleep(1)
    assert process.poll() is None  # it waits for the page in flight
    process.send_signal(signal.SIGINT)
    code, _, said = finish(process)
    assert code == 13 and "stopped: forced after" in said and "Traceback" not in said
    assert visited(out) == 29


# Out of disk


def limit_files_to(size: int) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.parametrize("size", [300, 60_000])
def test_without_space_it_says_so_and_goes_on_when_there_is_some(
    arguments: list[str | Path], uninterrupted: Path, tmp_path: Path, size: int
) -> None:
    """A limit on the size of files stands in for a full disk. The smallest does not even hold run.json."""
    out = tmp_path / "run"
    code, printed, said = run(*arguments, out, preexec_fn=lambda: limit_files_to(size))
    assert code == 3 and printed == ""
    (line,) = said.splitlines()
    assert line.startswith("error: no space left to write ") and "free some space" in line
    for file in out.glob("*.jsonl"):
        lines(file)  # whole ones
    assert size == 300 or 10 < visited(out) < visited(uninterrupted)
    assert run(*arguments, out)[0] == 0
    assert whole(out) == whole(uninterrupted)


def test_two_commands_cannot_write_to_one_folder(
    arguments: list[str | Path], uninterrupted: Path, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    first = start([*arguments, out])
    wait_for(first, out, 20)
    os.kill(first.pid, signal.SIGSTOP)
    try:
        code, _, said = run(*arguments, out)
    finally:
        os.kill(first.pid, signal.SIGCONT)
    assert code == 4 and said.startswith("error: another process is crawling into ")
    assert finish(first)[0] == 0
    assert whole(out) == whole(uninterrupted)
