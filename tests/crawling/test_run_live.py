"""Whole crawls of real servers: as on the web itself, continued without asking twice, and offline again."""

import json
import os
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from helpers import patient
from helpers.commands import finish, run, start
from helpers.runs import SEEDS, WEB, log, plan_of, small_run
from helpers.servers import Server, answer, moved, serving_apart

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import Result, run_crawl
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.live.traps import Limits
from fcwseo.live.web import LiveWeb
from fcwseo.pages import Link
from fcwseo.pages.urls import host
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.protocol import Turns
from fcwseo.webs.frozen import FrozenWeb

pytestmark = pytest.mark.slow

NO_LIMITS = Limits(same_text=0.0)
PATIENT = f"{patient.__file__}:Mine"


class Generated(dict[str, Any]):
    """The generated web, and what is put in its place."""

    def get(self, url: str, default: Any = None) -> Any:
        if url in self:
            return self[url]
        if there := WEB.redirect(url):
            return moved(there, "301 Moved")
        html = WEB.html(url)
        return default if html is None else answer(html)


@pytest.fixture
def server() -> Iterator[Server]:
    with serving_apart({}) as server:
        server.answers = Generated()
        yield server


def crawled(server: Server, out: Path, *, live: LiveSettings | None = None, **choices: Any) -> Result:
    """A crawl of 60 pages of the server, as polite as a test can be."""
    base = {"allow_private": True, "connect_to": f"127.0.0.1:{server.port}", "delay": 0.0, "workers": 1}
    settings = live or LiveSettings(**{**base, "obey_meta": False, **choices.pop("live_choices", {})})
    given = {"max_pages": 60, "limits": NO_LIMITS, **choices}
    plan = plan_of(given)
    return run_live(settings, WEB.topic(), given.pop("seeds", SEEDS), out, plan, **given)


def names(run: Path) -> list[str]:
    return [row["url"] for row in log(run)]


def test_one_by_one_it_is_the_crawl_of_the_closed_web(server: Server, tmp_path: Path) -> None:
    """By a strategy that does not choose by the turns of hosts, as fcwseo does."""
    result = crawled(server, tmp_path / "live", live_choices={"waiting": 1}, strategy="best-first")
    small_run(tmp_path / "closed", strategy="best-first")
    assert result.stop is Stop.BUDGET and result.counts["pages"] == 60
    assert names(tmp_path / "live") == names(tmp_path / "closed")
    for here, there in zip(log(tmp_path / "live"), log(tmp_path / "closed"), strict=True):
        assert (here["relevance"], here["digest"], here["kept"]) == (
            there["relevance"],
            there["digest"],
            there["kept"],
        )


def test_every_page_is_asked_for_once_also_when_many_are_at_once(server: Server, tmp_path: Path) -> None:
    crawled(server, tmp_path / "live", width=8, max_pages=150)
    assert Counter(server.asked(robots=True)).most_common(1)[0][1] == 1


def test_a_crawl_is_continued_without_asking_again(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "live"
    assert crawled(server, out, max_pages=25, width=4).counts["pages"] == 25
    before = log(out)
    assert crawled(server, out, max_pages=60, width=4).counts["pages"] == 60
    assert log(out)[: len(before)] == before
    asked = Counter(server.asked(robots=True))
    assert sum(asked.values()) - len(asked) <= 4, asked  # what was in flight when the budget was spent
    assert len(set(names(out))) == len(names(out))


class Asking(BreadthFirst):
    """Breadth first; it looks at the turns of two hosts whenever it is asked for links."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[tuple[float, float]] = []
        self.turn = 0.0

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        self.turn = turns.turn
        self.waits.append((turns.wait(host(SEEDS[0])), turns.wait("fresh.example")))
        return super().next(n, turns)


def test_a_strategy_sees_how_long_each_host_has_to_be_waited_for(server: Server, tmp_path: Path) -> None:
    strategy = Asking()
    crawled(
        server,
        tmp_path / "run",
        seeds=SEEDS[:1],
        max_pages=2,
        live_choices={"delay": 0.2},
        factory=lambda topic, relevance, rng: strategy,
    )
    first, *later = strategy.waits
    assert first == (0.0, 0.0), "no host was asked before the first link"
    assert strategy.turn >= 0.2
    assert later and later[0][0] > 0, "the host was asked just now"
    assert {fresh for _, fresh in strategy.waits} == {0.0}


def test_its_archive_is_the_same_web(server: Server, tmp_path: Path) -> None:
    crawled(server, tmp_path / "live", live_choices={"waiting": 1, "obey_meta": True})
    web = FrozenWeb(tmp_path / "live" / "warc")
    run_crawl(web, WEB.topic(), SEEDS, tmp_path / "again", Plan(max_pages=60))
    assert names(tmp_path / "again") == names(tmp_path / "live")


def test_its_archive_repeats_what_a_strategy_took_in_turns(server: Server, tmp_path: Path) -> None:
    choices: dict[str, Any] = {"strategy": PATIENT, "width": 8}
    crawled(server, tmp_path / "live", **choices)
    small_run(tmp_path / "again", web=FrozenWeb(tmp_path / "live" / "warc"), **choices)
    live, again = log(tmp_path / "live"), log(tmp_path / "again")
    assert [(row["url"], row["took"]) for row in again] == [(row["url"], row["took"]) for row in live]


def test_a_log_that_lost_visits_is_not_continued_and_its_archive_not_cut(
    server: Server, tmp_path: Path
) -> None:
    crawled(server, tmp_path / "run", max_pages=5)
    (archive,) = (tmp_path / "run" / "warc").iterdir()
    before = archive.read_bytes()
    (tmp_path / "run" / "visits.jsonl").write_bytes(b"")
    for use in (lambda: crawled(server, tmp_path / "run", max_pages=9), lambda: summary(tmp_path / "run")):
        with pytest.raises(InvalidRun, match="has 0 visits, but there were"):
            use()
    assert archive.read_bytes() == before


def test_a_damaged_archive_is_not_continued(server: Server, tmp_path: Path) -> None:
    crawled(server, tmp_path / "run", max_pages=5)
    (archive,) = (tmp_path / "run" / "warc").iterdir()
    data = bytearray(archive.read_bytes())
    for place in range(1000, len(data), 500):
        data[place] ^= 0xFF
    archive.write_bytes(data)
    with pytest.raises(InvalidRun, match="damaged"):
        crawled(server, tmp_path / "run", max_pages=9)


def test_a_crawl_without_its_archive_is_not_continued(server: Server, tmp_path: Path) -> None:
    crawled(server, tmp_path / "live", max_pages=5)
    for file in (tmp_path / "live" / "warc").iterdir():
        file.unlink()
    with pytest.raises(InvalidRun, match="damaged"):
        crawled(server, tmp_path / "live", max_pages=9)


def test_what_is_not_to_be_indexed_is_not_kept(server: Server, tmp_path: Path) -> None:
    page = WEB.html(SEEDS[0]) or ""
    server.answers[SEEDS[0]] = answer(page.replace("<head>", "<head><meta name=robots content=noindex>"))
    assert "noindex" in server.answers[SEEDS[0]].decode()
    for obey in (True, False):
        out = tmp_path / str(obey)
        crawled(server, out, seeds=SEEDS[:1], max_pages=1, live_choices={"obey_meta": obey}, eta=0.0)
        assert log(out)[0]["outcome"] == "page" and log(out)[0]["kept"] is not obey


def test_sitemaps_are_pages_that_link(server: Server, tmp_path: Path) -> None:
    root = "http://map.example/"
    urls = "".join(f"<url><loc>{root}{n}</loc></url>" for n in range(3))
    server.answers |= {
        f"{root}robots.txt": answer(f"Sitemap: {root}index.xml", "Content-Type: text/plain"),
        f"{root}index.xml": answer(
            f"<sitemapindex><sitemap><loc>{root}map.xml</loc></sitemap></sitemapindex>",
            "Content-Type: text/xml",
        ),
        f"{root}map.xml": answer(f"<?xml version='1.0'?><urlset>{urls}</urlset>", "Content-Type: text/xml"),
        **{f"{root}{n}": answer(f"<p>rain {n}") for n in ("", 0, 1, 2)},
    }
    with_maps, without = tmp_path / "with", tmp_path / "without"
    crawled(server, with_maps, seeds=[root], max_pages=9, live_choices={"sitemaps": True})
    assert names(with_maps) == [f"{root}{n}" for n in ("", "index.xml", "map.xml", 0, 1, 2)]
    crawled(server, without, seeds=[root], max_pages=9)
    assert names(without) == [root]
    asked = len(server.requests)
    crawled(server, with_maps, seeds=[root], max_pages=10, live_choices={"sitemaps": True})
    assert len(server.requests) == asked


def test_time_and_bytes_have_their_limits(server: Server, tmp_path: Path) -> None:
    began = time.monotonic()
    slow = crawled(server, tmp_path / "time", live_choices={"delay": 5.0, "max_time": "1"})
    assert slow.stop is Stop.TIME and time.monotonic() - began < 4
    assert crawled(server, tmp_path / "size", live_choices={"max_bytes": "20k"}).stop is Stop.SIZE
    assert crawled(server, tmp_path / "size").stop is Stop.BUDGET  # and goes on


def test_a_disk_that_is_nearly_full_ends_a_crawl_that_goes_on_later(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert crawled(server, out, live_choices={"min_free": "1000T"}).stop is Stop.SPACE
    assert summary(out)["stop"] == "space"
    assert crawled(server, out).stop is Stop.BUDGET


def test_hosts_that_were_left_alone_are_named(tmp_path: Path) -> None:
    rules = answer("User-agent: *\nCrawl-delay: 3600", "Content-Type: text/plain")
    seeds = ["http://slow.example/", "http://slow.example/b"]
    with serving_apart({"http://slow.example/robots.txt": rules}) as server:
        crawled(server, tmp_path / "run", seeds=seeds)
    assert summary(tmp_path / "run")["left_alone"] == {"slow.example": 2}


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"contact": ""}, "needs a contact"),
        ({"contact": "me"}, "neither a mail address nor a URL"),
        ({"contact": "a@b.example\r\nX: y"}, "one line"),
        ({"contact": "a@b.example", "connect_to": "somewhere"}, "not ADDR:PORT"),
        ({"contact": "a@b.example", "connect_to": "127.0.0.1:99999"}, "not ADDR:PORT"),
        ({"contact": "a@b.example", "max_time": "soon"}, "not a time"),
        ({"contact": "a@b.example", "max_bytes": "much"}, "not a size"),
        ({"contact": "a@b.example", "include": ("(",)}, "not a regular expression"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_done(
    tmp_path: Path, choices: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        run_live(LiveSettings(**choices), WEB.topic(), SEEDS, tmp_path / "run", Plan(max_pages=1))
    assert not (tmp_path / "run").exists()


def test_without_a_contact_only_private_addresses_are_connected_to(tmp_path: Path) -> None:
    live = LiveSettings(allow_private=True, delay=0.0)
    run_live(live, WEB.topic(), ["http://8.8.8.8/"], tmp_path / "run", Plan(max_pages=1))
    (row,) = log(tmp_path / "run")
    assert row["outcome"] == "refused" and "without a contact" in row["detail"]


# The command


def arguments(server: Server, out: Path, *more: str) -> list[str | Path]:
    seeds = out.parent / "seeds.txt"
    seeds.write_text("\n".join(SEEDS))
    topic = out.parent / "topic.json"
    topic.write_text(json.dumps({"name": "rainstorm", "weights": WEB.topic().weights}))
    where = ("--allow-private", "--connect-to", f"127.0.0.1:{server.port}")
    return ["crawl", "--topic", topic, "--seeds", seeds, "--out", out, *where, *more]


def wait_for(out: Path, visits: int, process: "subprocess.Popen[str]") -> None:
    """Until a crawl has made so many visits."""
    while len(list(read_visits(out))) < visits:
        assert process.poll() is None, finish(process)
        time.sleep(0.01)


def test_what_goes_wrong_while_looking_is_not_lost(server: Server, tmp_path: Path) -> None:
    looks: list[int] = []

    def look(run: RunDirectory, web: LiveWeb) -> None:
        looks.append(run.visits)
        if len(looks) > 1:
            raise OSError("no such disk")

    with pytest.raises(OSError, match="no such disk"):
        crawled(server, tmp_path / "run", max_pages=3, live_choices={"delay": 0.3}, progress=look)


def test_the_command_is_killed_and_continued(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = arguments(server, out, "--delay", "0.02", "--max-pages", "60", "--width", "8")
    process = start(command)
    wait_for(out, 20, process)
    os.kill(process.pid, signal.SIGKILL)
    finish(process)
    code, _, said = run(*command)
    assert code == 0, said
    assert len(set(names(out))) == len(names(out))
    assert sum(row["outcome"] == "page" for row in log(out)) == 60
    asked = Counter(url for url in server.asked() if not WEB.redirect(url))
    again = {url: count for url, count in asked.items() if count > 1}
    assert sum(again.values()) - len(again) <= 16, again  # what was in flight, both times


def test_a_strategy_that_goes_by_turns_is_killed_and_continued(server: Server, tmp_path: Path) -> None:
    """The log says which links were taken, so the strategy is where it was, and asks for none again."""
    out = tmp_path / "run"
    command = arguments(server, out, "--delay", "0.05", "--max-pages", "60", "--strategy", PATIENT)
    process = start(command)
    wait_for(out, 20, process)
    os.kill(process.pid, signal.SIGKILL)
    finish(process)
    before = log(out)
    code, _, said = run(*command)
    assert code == 0, said
    after = log(out)
    taken = [url for row in after for url in row["took"]]
    assert after[: len(before)] == before and all("asked" not in row for row in after)
    assert len(set(names(out))) == len(after) and len(set(taken)) == len(taken)
    assert set(names(out)) <= set(taken)
    in_hand = {url for row in before for url in row["took"]} - {row["url"] for row in before}
    assert in_hand <= set(names(out)) and sum(row["outcome"] == "page" for row in after) == 60
    code, _, said = run("explain", out, before[10]["url"])
    assert code == 0, said


def test_the_command_says_when_its_time_is_up(server: Server, tmp_path: Path) -> None:
    code, _, said = run(*arguments(server, tmp_path / "run", "--max-time", "1", "--delay", "9"))
    assert (code, "stopped: time" in said) == (15, True)


def test_the_command_says_in_json_what_it_does(server: Server, tmp_path: Path) -> None:
    command = arguments(server, tmp_path / "run", "--max-pages", "3", "--delay", "0")
    code, _, said = run("-v", "--log-format", "json", *command)
    lines = [json.loads(line) for line in said.splitlines()]
    visits = [line for line in lines if line["event"] == "visit"]
    assert code == 0 and [line["url"] for line in visits] == names(tmp_path / "run")
    assert lines[-1]["event"] == "stop" and (lines[-1]["stop"], lines[-1]["pages"]) == ("budget", 3)
    code, _, said = run("--log-format", "json", "status", tmp_path / "none")
    assert (code, json.loads(said)["event"]) == (4, "error")


@pytest.mark.parametrize(
    ("arguments", "event", "message"),
    [
        (["status"], "error", "RUN"),
        (["nonsense"], "error", "nonsense"),
        (["seeds"], "help", "Usage"),
    ],
)
def test_errors_are_logged_as_json(arguments: list[str], event: str, message: str) -> None:
    code, out, said = run("--log-format", "json", *arguments)
    line = json.loads(said)
    assert (code, out, line["event"]) == (2, "", event) and message in line["message"]


def test_where_an_error_arose_is_a_part_of_its_line(tmp_path: Path) -> None:
    _, _, said = run("-v", "--log-format", "json", "status", tmp_path / "none")
    assert json.loads(said)["traceback"].startswith("Traceback") and said.count("\n") == 1
    _, _, said = run("-v", "status", tmp_path / "none")
    assert said.startswith("Traceback") and said.splitlines()[-1].startswith("error: ")


def test_the_command_says_that_no_seed_gave_a_page(tmp_path: Path) -> None:
    dead = ("--seeds", "http://127.0.0.1:2/", "--out", tmp_path / "r", "--allow-private", "--delay", "0")
    code, out, said = run("crawl", "--topic", "rainstorm", *dead)
    assert code == 1 and "no seed returned a page" in said and "http://127.0.0.1:2/: robots" in said
    assert re.search(r"no_page +robots: ", out)
    cause = json.loads(run("status", tmp_path / "r", "--json")[1])["no_page"]
    assert cause.startswith("robots: ") and cause.endswith("(1 of 1 visits)")


def test_the_command_needs_a_contact(tmp_path: Path) -> None:
    code, out, said = run(
        "crawl", "--topic", "rainstorm", "--seeds", "http://a.example/", "--out", tmp_path / "r"
    )
    assert (code, out) == (4, "") and said.startswith("error: crawling the public web needs a contact")
    assert not (tmp_path / "r").exists()


def test_a_dry_run_shows_what_would_be_fetched(server: Server, tmp_path: Path) -> None:
    more = ("--dry-run", "--strategy", "bfs", "--json", "--exclude", "heavy")
    code, out, _ = run(*arguments(server, tmp_path / "run", *more))
    rows = json.loads(out)
    assert code == 0 and [row["url"] for row in rows] == SEEDS[:20]
    assert all(("heavy" in row["url"]) is bool(row["refused"]) for row in rows)
    assert not (tmp_path / "run").exists() and server.requests == []


def test_ctrl_c_leaves_a_crawl_that_goes_on(server: Server, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = arguments(server, out, "--delay", "0.3", "--max-pages", "20", "--width", "4")
    process = start(command)
    wait_for(out, 1, process)
    process.send_signal(signal.SIGINT)
    code, _, said = finish(process)
    assert code == 11 and "stopped: interrupted" in said
    code, _, said = run(*arguments(server, out, "--delay", "0", "--max-pages", "20", "--width", "4"))
    assert code == 0 and len(set(names(out))) == len(names(out))
