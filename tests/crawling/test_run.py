"""A crawl from the outside: what it refuses, and how signals end it."""

import asyncio
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from helpers.fakes import ENCODED, KINDS
from helpers.runs import BUDGET, RememberedWeb, left_at, log, on_disk, small_run, whole

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.run import Result
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.errors import InvalidInput, InvalidSeeds
from fcwseo.pages import Failure, Page


@pytest.mark.parametrize(
    ("choices", "error", "message"),
    [
        ({"strategy": "beast-first"}, InvalidInput, "no strategy 'beast-first': did you mean 'best-first'"),
        ({"max_pages": 0}, InvalidInput, "at least 1"),
        ({"width": 0}, InvalidInput, "at least 1"),
        ({"seeds": []}, InvalidSeeds, "at least one seed"),
        ({"seeds": ["http://a.example/"]}, InvalidSeeds, "no seed is a page of generated-400-0"),
    ],
)
def test_what_cannot_be_crawled_is_refused_and_nothing_written(
    tmp_path: Path, choices: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        small_run(tmp_path / "run", **choices)
    assert list(tmp_path.iterdir()) == []


def test_a_seed_outside_of_the_web_is_a_dead_link(tmp_path: Path) -> None:
    web = RememberedWeb(0, 400)
    small_run(
        tmp_path / "run", seeds=["http://a.example/", *web.seeds("rainstorm")], strategy="bfs", max_pages=5
    )
    assert [row["outcome"] for row in log(tmp_path / "run")][:2] == ["outside", "page"]


@pytest.mark.parametrize("strategy", [name for name in KINDS if name not in ENCODED])
def test_the_result_says_what_the_run_holds(tmp_path: Path, strategy: str) -> None:
    result = small_run(tmp_path / "run", strategy=strategy)
    assert result.stop is Stop.BUDGET and result.seconds > 0
    assert result.counts == read_run_file(tmp_path / "run").counts
    assert result.counts["pages"] == BUDGET and result.counts["visits"] == len(log(tmp_path / "run"))


def test_a_crawl_runs_in_any_thread(tmp_path: Path) -> None:
    results: list[Result] = []
    thread = threading.Thread(target=lambda: results.append(small_run(tmp_path / "run", max_pages=3)))
    thread.start()
    thread.join()
    assert results[0].stop is Stop.BUDGET


# Signals


class Struck(RememberedWeb):
    """While it is asked for the page of a number, this process gets one signal or two."""

    def __init__(self, *, at: int, times: int = 1, number: signal.Signals = signal.SIGINT) -> None:
        super().__init__(0, 400)
        self._at, self._times, self._number = at, times, number
        self._asked = 0

    async def fetch(self, url: str) -> Page | Failure:
        self._asked += 1
        if self._asked == self._at:
            os.kill(os.getpid(), self._number)
            if self._times == 2:
                await asyncio.sleep(0.01)  # two signals at once would be one
                os.kill(os.getpid(), self._number)
                await asyncio.sleep(10)
        return await super().fetch(url)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Finished runs, by width."""
    folder = tmp_path_factory.mktemp("runs")
    for width in (1, 4):
        small_run(folder / str(width), width=width)
    return {width: folder / str(width) for width in (1, 4)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("width", [1, 4])
def test_one_signal_finishes_what_is_in_flight(
    done: dict[int, Path], tmp_path: Path, number: signal.Signals, width: int
) -> None:
    run = tmp_path / "run"
    result = small_run(run, web=Struck(at=20, number=number), width=width)
    assert result.stop is Stop.INTERRUPTED and read_run_file(run).stop == "interrupted"
    assert 20 <= len(log(run)) <= 20 + 2 * width  # a turn of the loop passes before it is heard
    assert log(run) == log(done[width])[: len(log(run))]
    assert small_run(run, width=width).stop is Stop.BUDGET
    assert whole(run) == whole(done[width])


def test_two_signals_drop_what_is_in_flight(done: dict[int, Path], tmp_path: Path) -> None:
    run = tmp_path / "run"
    result = small_run(run, web=Struck(at=20, times=2))
    assert result.stop is Stop.FORCED and read_run_file(run).stop == "forced"
    assert len(log(run)) == 19
    small_run(run)
    assert whole(run) == whole(done[1])


@pytest.mark.parametrize(("times", "stop"), [(1, Stop.INTERRUPTED), (2, Stop.FORCED)])
def test_a_signal_is_heard_while_the_log_is_read(
    done: dict[int, Path], tmp_path: Path, times: int, stop: Stop
) -> None:
    run = left_at(done[1], tmp_path / "run", 40)
    before = on_disk(run)
    result = small_run(run, web=Struck(at=10, times=times))
    assert result.stop is stop
    assert result.counts["visits"] == 40  # of the whole log, not of what was read
    assert {name for name, content in on_disk(run).items() if content != before[name]} == {"run.json"}
    small_run(run)
    assert whole(run) == whole(done[1])


def test_signals_are_as_before_afterwards(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    small_run(tmp_path / "run", max_pages=2)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
