"""Rehearsed crawls: a closed web whose servers take their time, on a virtual clock."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from helpers.commands import finish, run, start
from helpers.runs import SEEDS, WEB, lines, plan_of, small_run

import fcwseo
from fcwseo.comparison.report import report_run
from fcwseo.crawling.engine import Stop
from fcwseo.crawling.rehearsal import Rehearsal, RehearsedWeb
from fcwseo.crawling.run import Result
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_rehearsed import run_rehearsed
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.live.slots import Slots
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.urls import host
from fcwseo.webs.clock import run_virtually

HOSTS = [f"h{number}.example" for number in range(4000)]
FILES = ("visits.jsonl", "metrics.jsonl", "pages.jsonl")


def rehearsed(out: Path, **choices: Any) -> Result:
    """A rehearsed crawl of 60 pages, or whatever the choices say."""
    given = {"max_pages": 60, "width": 8, "strategy": "bfs", "rehearsal": Rehearsal(), **choices}
    plan = plan_of(given)
    rehearsal = given.pop("rehearsal")
    return run_rehearsed(WEB, rehearsal, WEB.topic(), given.pop("seeds", SEEDS), out, plan, **given)


def written(run: Path) -> list[bytes]:
    return [(run / name).read_bytes() for name in FILES]


# The servers


def test_response_times_are_lognormal_around_the_latency() -> None:
    times = [Rehearsal(latency=0.2).seconds(f"http://{name}/") for name in HOSTS]
    assert 0.18 < median(times) < 0.22
    assert len(set(times)) == len(times) and min(times) > 0


def test_pages_of_a_host_are_more_alike_than_hosts() -> None:
    rehearsal = Rehearsal()
    of_hosts = [
        median(rehearsal.seconds(f"http://{name}/{page}") for page in range(15)) for name in HOSTS[:300]
    ]
    of_pages = [rehearsal.seconds(f"http://{HOSTS[0]}/{page}") for page in range(300)]
    assert sorted(of_hosts)[-30] / sorted(of_hosts)[30] > 3 > sorted(of_pages)[-30] / sorted(of_pages)[30] > 2


@pytest.mark.parametrize("share", [0.0, 0.1, 1.0])
def test_a_share_of_the_hosts_is_slow_fails_or_demands_a_delay(share: float) -> None:
    rehearsal = Rehearsal(slow_hosts=share, failing_hosts=share, crawl_delay_hosts=share)
    for found in (rehearsal.is_slow, rehearsal.fails, lambda name: rehearsal.demanded(name) == 30.0):
        assert abs(sum(map(found, HOSTS)) / len(HOSTS) - share) < 0.02


def fetched(rehearsal: Rehearsal, *urls: str) -> list[tuple[Page | Failure, float]]:
    """The outcomes of URLs fetched one after the other, and the virtual second of each."""

    async def main() -> list[tuple[Page | Failure, float]]:
        slots, loop = Slots(), asyncio.get_running_loop()
        slots.limit(1)
        web = RehearsedWeb(WEB, rehearsal, slots=slots)
        found = []
        for url in urls:
            found.append((await web.fetch(url), loop.time()))
            slots.finish(url)
        return found

    return run_virtually(main())


def test_robots_txt_is_a_turn_and_so_is_each_page() -> None:
    rehearsal = Rehearsal(latency=0.1, delay=2.0)
    one, two = [url for url in WEB.urls() if host(url) == host(SEEDS[0])][:2]
    robots, first, second = (rehearsal.seconds(url) for url in (f"http://{host(one)}/robots.txt", one, two))
    (_, at_first), (_, at_second) = fetched(rehearsal, one, two)
    assert at_first == pytest.approx(robots + 2.0 + first, abs=0.01)
    assert at_second == pytest.approx(at_first + 2.0 + second, abs=0.01)


def test_a_redirect_is_a_request_more() -> None:
    pages = (run_virtually(WEB.fetch(url)) for url in WEB.urls())
    links = (link.target for page in pages if isinstance(page, Page) for link in page.links)
    moved = next(url for url in links if WEB.redirect(url))
    rehearsal = Rehearsal(latency=0.0, delay=1.0)
    ((page, at),) = fetched(rehearsal, moved)
    assert isinstance(page, Page) and page.url == WEB.resolve(moved)
    assert at >= (2.0 if host(page.url) == host(moved) else 1.0)
    ((_, known), (_, again)) = fetched(rehearsal, page.url, moved)  # its end is a page that we have
    assert again - known <= 1.001


def test_links_out_of_the_web_cost_no_time() -> None:
    assert fetched(Rehearsal(), "http://elsewhere.example/")[0][1] == 0.0


def test_a_failing_host_is_given_up_once() -> None:
    one, two = [url for url in WEB.urls() if host(url) == host(SEEDS[0])][:2]
    (first, at), (second, then) = fetched(Rehearsal(failing_hosts=1.0, timeout=7.0), one, two)
    assert isinstance(first, Failure) and isinstance(second, Failure)
    assert (first.why, second.why, at, then) == (Why.ROBOTS, Why.ROBOTS, 7.0, 7.0)


def test_a_crawl_delay_is_kept_or_the_host_left_alone() -> None:
    one, two, three = [url for url in WEB.urls() if host(url) == host(SEEDS[0])][:3]
    rehearsal = Rehearsal(latency=0.0, crawl_delay_hosts=1.0, crawl_delay=30.0)
    times = [at for _, at in fetched(rehearsal, one, two, three)]
    assert [b - a for a, b in pairwise(times)] == [30.0, 30.0]
    ((found, _),) = fetched(Rehearsal(crawl_delay_hosts=1.0, crawl_delay=600.0), one)
    assert isinstance(found, Failure) and found.why is Why.DEFERRED


# Whole crawls


def test_hosts_are_asked_politely(tmp_path: Path) -> None:
    rehearsed(tmp_path / "run", width=32)
    asked = defaultdict[str, list[float]](list)
    for row in lines(tmp_path / "run" / "visits.jsonl"):
        if row["outcome"] != "outside":
            asked[host(row["url"])].append(row["clock"])
    gaps = [b - a for times in asked.values() for a, b in pairwise(times)]
    assert len(gaps) > 10 and min(gaps) >= 1.0


def test_a_wider_crawl_is_faster_and_a_longer_delay_slower(tmp_path: Path) -> None:
    narrow = rehearsed(tmp_path / "narrow", width=1).seconds
    wide = rehearsed(tmp_path / "wide", width=32).seconds
    patient = rehearsed(tmp_path / "patient", width=32, rehearsal=Rehearsal(delay=5.0)).seconds
    assert wide < 0.5 * narrow and patient > 2 * wide


PROGRAM = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from crawling.test_rehearsal import rehearsed
rehearsed(Path(sys.argv[1]), strategy="fcwseo", width=16)
"""


@pytest.mark.slow
def test_two_processes_write_the_same_bytes(tmp_path: Path) -> None:
    for number in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": number}
        here = str(Path(__file__).parents[1])
        command = [sys.executable, "-c", PROGRAM, str(tmp_path / number), here]
        subprocess.run(command, env=environment, check=True, cwd=here)
    assert written(tmp_path / "1") == written(tmp_path / "2")
    assert all(written(tmp_path / "1"))


def test_times_are_virtual_everywhere(tmp_path: Path) -> None:
    result = rehearsed(tmp_path / "run")
    rows = lines(tmp_path / "run" / "visits.jsonl")
    clocks = [row["clock"] for row in rows]
    assert clocks == sorted(clocks) and clocks[-1] == result.seconds > 5
    assert all(row["at"].startswith("1970-01-01T00:0") for row in rows)
    assert summary(tmp_path / "run")["clock"] == clocks[-1]
    metrics = lines(tmp_path / "run" / "metrics.jsonl")
    assert metrics[-1]["clock"] == metrics[-1]["seconds"] == clocks[-1]
    assert all(line["fetched_at"].startswith("1970") for line in lines(tmp_path / "run" / "pages.jsonl"))


def test_the_time_of_a_rehearsal_is_virtual(tmp_path: Path) -> None:
    result = rehearsed(tmp_path / "run", max_time=6.0, max_pages=400)
    assert result.stop is Stop.TIME and 6.0 <= result.seconds < 9.0
    assert 0 < result.counts["pages"] < 400


def test_a_finished_rehearsal_that_is_repeated_took_no_longer(tmp_path: Path) -> None:
    first = rehearsed(tmp_path / "run", rehearsal=Rehearsal(delay=2.0))
    assert first.seconds > 10
    assert rehearsed(tmp_path / "run", rehearsal=Rehearsal(delay=2.0)) == first
    longer = rehearsed(tmp_path / "run", rehearsal=Rehearsal(delay=2.0), max_pages=70)
    assert longer.seconds > first.seconds + 2


def test_an_extended_rehearsal_goes_on_a_pause_later_and_always_the_same(tmp_path: Path) -> None:
    """Its further visits are not those of one session, but those of every rehearsal in the same parts."""
    for name in ("one", "two"):
        rehearsed(tmp_path / name, max_pages=50)
        first = lines(tmp_path / name / "visits.jsonl")
        rehearsed(tmp_path / name)
    rehearsed(tmp_path / "whole")
    one, whole = (lines(tmp_path / name / "visits.jsonl") for name in ("one", "whole"))
    assert one[: len(first)] == first and one != whole
    assert one[len(first)]["clock"] >= first[-1]["clock"] + Rehearsal().delay
    assert written(tmp_path / "one") == written(tmp_path / "two")


def test_another_rehearsal_is_another_crawl(tmp_path: Path) -> None:
    rehearsed(tmp_path / "run")
    with pytest.raises(InvalidRun, match=r"different rehearsal \(latency 0\.2, now 0\.3\)"):
        rehearsed(tmp_path / "run", rehearsal=Rehearsal(latency=0.3))


def test_an_ordinary_crawl_and_a_rehearsal_are_told_apart_by_that(tmp_path: Path) -> None:
    """Though their width differs as well."""
    small_run(tmp_path / "ordinary")
    with pytest.raises(InvalidRun, match=r"different rehearsal \(none, now one\)"):
        rehearsed(tmp_path / "ordinary")
    rehearsed(tmp_path / "rehearsed")
    with pytest.raises(InvalidRun, match=r"different rehearsal \(one, now none\)"):
        small_run(tmp_path / "rehearsed")


# The public door, and the command


def test_a_rehearsal_in_python(tmp_path: Path) -> None:
    given: dict[str, Any] = {"web": WEB, "topic": "rainstorm", "seeds": SEEDS, "max_pages": 40}
    one = fcwseo.crawl(**given, out=tmp_path / "one", rehearse=True, delay=2.0, latency=0.1, max_time="1h")
    two = fcwseo.crawl(**given, out=tmp_path / "two", rehearse=True)
    servers = fcwseo.Rehearsal(delay=2.0, latency=0.1)
    same = fcwseo.crawl(**given, out=tmp_path / "same", rehearse=servers, max_time="1h")
    assert written(same.path) == written(one.path)
    assert one.stop == two.stop == "budget" and one.status()["clock"] != two.status()["clock"]
    assert read_run_file(tmp_path / "two").config.width == 32
    with pytest.raises(InvalidInput, match="a rehearsal needs a closed web"):
        fcwseo.crawl(topic="rainstorm", seeds=SEEDS, out=tmp_path / "three", rehearse=True)
    with pytest.raises(InvalidInput, match="latency applies to a rehearsal only"):
        fcwseo.crawl(**given, out=tmp_path / "three", latency=0.1)


def test_the_command_rehearses(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("\n".join(SEEDS))
    (tmp_path / "conf.toml").write_text("[rehearsal]\nfailing_hosts = 0.1\n")
    base: list[str | Path] = [
        "crawl",
        "--topic",
        "rainstorm",
        "--seeds",
        tmp_path / "seeds.txt",
        "--max-pages",
        "30",
    ]
    web: list[str | Path] = ["--web", WEB.name, "--rehearse", "--config", tmp_path / "conf.toml"]
    code, out, said = run(*base, *web, "--width", "4", "--out", tmp_path / "a", "--json")
    facts = json.loads(out)
    assert code == 0 and facts["clock"] > 3 and f"{facts['clock']:.1f} virtual s" in said
    code, _, said = run(*base, *web, "--max-time", "2", "--out", tmp_path / "b")
    assert code == 15 and "stopped: time" in said
    code, _, said = run(*base, "--rehearse", "--out", tmp_path / "c")
    assert code == 4 and said.startswith("error: --rehearse needs a closed web")
    code, _, said = run(*base, "--web", WEB.name, "--latency", "1", "--out", tmp_path / "c")
    assert code == 4 and "latency applies to a rehearsal only" in said
    code, _, said = run(*base, "--web", WEB.name, "--delay", "1", "--out", tmp_path / "c")
    assert code == 4 and "--delay applies to the live web only" in said and "--rehearse" in said


@pytest.mark.slow
def test_the_command_is_killed_and_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("\n".join(SEEDS))
    base: list[str | Path] = [
        "crawl",
        "--web",
        WEB.name,
        "--topic",
        "rainstorm",
        "--seeds",
        tmp_path / "seeds.txt",
    ]
    command: list[str | Path] = [*base, "--rehearse", "--max-pages", "200", "--width", "8"]
    assert run(*command, "--out", tmp_path / "whole")[0] == 0
    process = start([*command, "--out", tmp_path / "killed"])
    while not (log := tmp_path / "killed" / "visits.jsonl").exists() or log.stat().st_size < 20_000:
        assert process.poll() is None, finish(process)
        time.sleep(0.002)
    os.kill(process.pid, signal.SIGKILL)
    finish(process)
    assert run(*command, "--out", tmp_path / "killed")[0] == 0
    assert written(tmp_path / "killed") == written(tmp_path / "whole")


def test_its_report_counts_virtual_seconds(tmp_path: Path) -> None:
    result = rehearsed(tmp_path / "run")
    page = report_run(tmp_path / "run").read_text()
    assert "Harvest against virtual time" in page and f"{result.seconds:,.1f}" in page
