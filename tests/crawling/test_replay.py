"""A crawl of real servers, and the same crawl again on what it archived."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from helpers.exchanges import check
from helpers.runs import copied, kept, left_at, lines, log, plan_of, small_run
from helpers.webs import frozen_web

import fcwseo as f
from fcwseo.comparison.experiment import Case, Order, Task
from fcwseo.comparison.workers import run_orders
from fcwseo.crawling.engine import Stop
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import Result, run_crawl
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.errors import InvalidWeb
from fcwseo.uses.explain import State, explain
from fcwseo.uses.export import export
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import ClosedWeb
from fcwseo.webs.serve import make_server
from fcwseo.webs.warc.ranges import ByteRange
from fcwseo.webs.warc.write import Archive
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.topic import topic_of_words

WEB = GeneratedWeb(0, 300)
TOPIC = WEB.topic()
MOVED, GONE = "http://starhub225.example/old/0", "http://portal.heavynews0.example/warning/39.html"
SEEDS = [*WEB.seeds("rainstorm"), MOVED, GONE]  # so that every crawl meets both
BUDGET = 40


@pytest.fixture(scope="module")
def server() -> Iterator[Callable[[FrozenWeb | GeneratedWeb], LiveSettings]]:
    """Serves webs until the end; gives the settings with which they are crawled."""
    running = []

    def serve(web: FrozenWeb | GeneratedWeb) -> LiveSettings:
        server = make_server(web, 0)
        running.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        there = f"127.0.0.1:{server.server_port}"
        return LiveSettings(allow_private=True, connect_to=there, delay=0, address_delay=0, workers=1)

    yield serve
    for one in running:
        one.shutdown()
        one.server_close()


@pytest.fixture(scope="module")
def live(
    server: Callable[[FrozenWeb | GeneratedWeb], LiveSettings], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A finished crawl of a served web, four fetches at once, to be looked at and copied only."""
    out = tmp_path_factory.mktemp("live") / "run"
    result = run_live(server(WEB), TOPIC, SEEDS, out, Plan(max_pages=BUDGET, width=4))
    assert result.stop is Stop.BUDGET
    return out


def replayed(web: ClosedWeb, out: Path, **choices: Any) -> Result:
    given = {"max_pages": BUDGET, "width": 4} | choices
    return run_crawl(web, TOPIC, SEEDS, out, plan_of(given), **given)


def visits(run: Path) -> list[dict[str, Any]]:
    """The log without times, byte ranges, and what only the clock of the first crawl decided."""
    left_out = ("warc", "rule", "seat")
    return [{name: value for name, value in row.items() if name not in left_out} for row in log(run)]


@pytest.mark.slow
@pytest.mark.parametrize("part", ["", "warc"])
def test_the_same_crawl_on_its_archive_gives_identical_visits(live: Path, tmp_path: Path, part: str) -> None:
    assert {row["outcome"] for row in log(live)} > {"page"}  # some links were dead
    assert any(row["url"] != row["final_url"] for row in log(live) if row["final_url"])
    replayed(open_web(str(live / part)), tmp_path / "again")
    assert visits(tmp_path / "again") == visits(live)
    again, first = kept(tmp_path / "again"), kept(live)
    assert [{**row, "warc": None} for row in first] == again and all(row["warc"] for row in first)


def test_without_a_width_the_same_crawl_has_that_of_the_archive(live: Path, tmp_path: Path) -> None:
    crawl: dict[str, Any] = {"web": str(live), "topic": TOPIC, "seeds": SEEDS, "max_pages": BUDGET}
    f.crawl(**crawl, out=tmp_path / "again", progress=False)
    assert visits(tmp_path / "again") == visits(live)
    f.crawl(**crawl, width=2, out=tmp_path / "given", progress=False)
    assert [read_run_file(tmp_path / name).config.width for name in ("again", "given")] == [4, 2]


def test_a_replay_is_continued_as_any_crawl(live: Path, tmp_path: Path) -> None:
    web = open_web(str(live))
    replayed(web, tmp_path / "whole")
    left_at(tmp_path / "whole", tmp_path / "torn", 17)
    replayed(web, tmp_path / "torn")
    assert visits(tmp_path / "torn") == visits(live)


def test_a_smaller_and_a_larger_budget(live: Path, tmp_path: Path) -> None:
    web = open_web(str(live))
    assert replayed(web, tmp_path / "less", max_pages=10).counts["pages"] == 10
    count = len(visits(tmp_path / "less"))
    assert visits(tmp_path / "less") == visits(live)[:count]
    more = replayed(web, tmp_path / "more", max_pages=999)
    assert more.stop is Stop.EXHAUSTED and visits(tmp_path / "more")[: len(visits(live))] == visits(live)


def test_another_crawl_takes_its_own_course(live: Path, tmp_path: Path) -> None:
    web = open_web(str(live))
    replayed(web, tmp_path / "one", strategy="bfs", width=1, max_pages=20)
    assert all(row.get("asked") is None for row in log(tmp_path / "one"))
    urls = [row["url"] for row in log(tmp_path / "one")]
    assert len(set(urls)) == len(urls) and urls != [row["url"] for row in log(live)][: len(urls)]


def test_in_a_comparison_also_the_same_crawl_takes_its_own_course(live: Path, tmp_path: Path) -> None:
    """The archived course is what one strategy was lucky to meet: the others have none to follow."""
    topic = tmp_path / "topic.json"
    topic.write_text(json.dumps({"name": TOPIC.name, "weights": TOPIC.weights}))
    assert load_topic(str(topic)) == TOPIC
    case = Case(Task(str(live), str(topic), tuple(SEEDS), name="live"), "fcwseo", 0, 0, tuple(SEEDS))
    order = Order(case, tmp_path / "run", Plan(max_pages=20, width=4))
    with closing(run_orders([order], workers=1)) as endings:
        assert [ended.stop for ended in endings] == [Stop.BUDGET]
    assert any(row.get("took") for row in log(live))
    assert not any(row.get("took") for row in log(tmp_path / "run"))


def test_the_archive_holds_every_visit_of_the_log(live: Path) -> None:
    check(live / "warc")
    rows = lines(live / "visits.jsonl")
    places = [ByteRange(**row["warc"]) for row in rows]
    ends = [place.offset + place.length for place in places]
    assert [place.offset for place in places[1:]] == ends[:-1]
    size = (live / "warc" / places[-1].file).stat().st_size
    with Archive(live / "warc", places) as archive:
        for row, place in zip(rows, places, strict=True):
            assert getattr(archive.read(place), "digest", None) == row["digest"]
            assert getattr(archive.read(place), "why", "page") == row["outcome"]
    assert size == ends[-1] == (live / "warc" / places[-1].file).stat().st_size


@pytest.mark.slow
def test_killed_between_archive_and_log_it_goes_on(
    live: Path, server: Callable[[FrozenWeb | GeneratedWeb], LiveSettings], tmp_path: Path
) -> None:
    """The archive has more than the log, and a torn record; afterwards it has what the log has."""
    torn = left_at(live, tmp_path / "run", 20)
    (file,) = (torn / "warc").iterdir()
    file.write_bytes(file.read_bytes()[:-7])
    run_live(server(WEB), TOPIC, SEEDS, torn, Plan(max_pages=BUDGET, width=4))
    check(torn / "warc")
    rows = log(torn)
    assert rows[:20] == log(live)[:20]
    urls = [row["url"] for row in rows]
    assert len(set(urls)) == len(urls) and sum(row["outcome"] == "page" for row in rows) == BUDGET
    replayed(open_web(str(torn)), tmp_path / "again")
    assert visits(tmp_path / "again") == visits(torn)


def test_the_kept_pages_as_a_warc(live: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    count = export(live, "warc", tmp_path / "out" / "kept.warc.gz")
    check(tmp_path / "out")
    web = FrozenWeb(tmp_path / "out" / "kept.warc.gz")
    pages = lines(live / "pages.jsonl")
    assert count == len(pages) == len(web) and set(web.urls()) == {page["final_url"] for page in pages}


def test_what_pages_ask_for_is_obeyed_again(
    server: Callable[[FrozenWeb | GeneratedWeb], LiveSettings], tmp_path: Path
) -> None:
    home, *others = (f"http://a.example/{name}" for name in ("", "seen", "unseen", "hidden"))
    rain = "Rain and rain again, until the rivers rose and all the fields were full of water."
    web = frozen_web(
        tmp_path / "web",
        {
            home: f"<p>{rain} <a href=seen>one</a> <a href=unseen rel=nofollow>two</a> <a href=hidden>3</a>",
            others[0]: f"<p>{rain} <a href=unseen rel=nofollow>again</a>",
            others[1]: f"<p>{rain}",
            others[2]: f"<meta name=robots content=noindex><p>{rain}",
        },
        name="asking",
    )
    topic = topic_of_words("rain", {"rain": 1.0})
    run_live(server(web), topic, [home], tmp_path / "run", Plan(max_pages=9))
    kept_of = {row["url"]: row["kept"] for row in log(tmp_path / "run")}
    assert kept_of == {home: True, others[0]: True, others[2]: False}
    run_crawl(open_web(str(tmp_path / "run")), topic, [home], tmp_path / "again", Plan(max_pages=9))
    assert visits(tmp_path / "again") == visits(tmp_path / "run")


def test_a_run_that_archived_nothing_is_no_web(tmp_path: Path) -> None:
    small_run(tmp_path / "run", max_pages=3)
    with pytest.raises(InvalidWeb, match="no pages"):
        open_web(str(copied(tmp_path / "run", tmp_path / "copy")))


def test_links_of_a_live_crawl_are_explained_from_its_archive(live: Path) -> None:
    for row in log(live)[::9]:
        account = explain(live, row["url"])
        assert account.state is State.TAKEN and account.visit is not None and account.explanation is not None
        assert account.visit.step == row["step"]
        assert list(account.explanation.objectives.values())[:4] == row["objectives"]
