"""Which links a crawl follows: domains, patterns and depth, on closed webs and on the live one."""

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from helpers.commands import finish, run, start
from helpers.fakes import SmallWeb
from helpers.runs import lines, log, on_disk, small_run
from helpers.servers import answer, serving_apart

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.rehearsal import Rehearsal
from fcwseo.crawling.run_directory.status import State, summary, write_state
from fcwseo.crawling.run_rehearsed import run_rehearsed
from fcwseo.crawling.settings import LiveSettings, scope_of
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.files import lock
from fcwseo.live.scope import Scope, ScopedWeb
from fcwseo.uses.explain import explain
from fcwseo_ontology.topic import topic_of_words

A, B, SUB = "http://a.example/", "http://b.example/", "http://www.sub.a.example/"


def web() -> SmallWeb:
    return SmallWeb({A: f"{B} {SUB} {A}1", B: f"{B}1", f"{B}1": "", SUB: "", f"{A}1": f"{A}2", f"{A}2": ""})


def visited(out: Path) -> dict[str, str]:
    return {row["url"]: row["outcome"] for row in log(out)}


@pytest.mark.parametrize(
    ("scope", "excluded"),
    [
        (Scope(domains=["a.example"]), {B}),
        (Scope(domains=["B.example.", "a.example"]), set()),
        (Scope(domains=["sub.a.example"]), {A}),
        (Scope(exclude=["2$"]), {f"{A}2"}),
        (Scope(include=["example/$"]), {f"{A}1", f"{B}1"}),
    ],
)
def test_a_closed_web_within_a_scope(tmp_path: Path, scope: Scope, excluded: set[str]) -> None:
    small_run(tmp_path / "run", web=ScopedWeb(web(), scope), seeds=[A], strategy="bfs")
    found = visited(tmp_path / "run")
    assert {url for url, outcome in found.items() if outcome == "excluded"} == excluded
    small_run(tmp_path / "run", web=ScopedWeb(web(), scope), seeds=[A], strategy="bfs")
    assert visited(tmp_path / "run") == found


def test_a_redirect_out_of_the_scope_is_excluded(tmp_path: Path) -> None:
    moving = SmallWeb({A: f"{A}away", B: ""}, moved={f"{A}away": B})
    small_run(
        tmp_path / "run", web=ScopedWeb(moving, Scope(domains=["a.example"])), seeds=[A], strategy="bfs"
    )
    assert visited(tmp_path / "run") == {A: "page", f"{A}away": "excluded"}


def test_the_domains_of_the_seeds() -> None:
    scope = scope_of(LiveSettings(same_domain=True), ["http://www.a.example:8080/"])
    assert scope.why_not(SUB) == "" and scope.why_not(B) == "is outside of a.example"
    assert scope.why_not("http://nota.example/")
    assert not Scope() and scope


@pytest.mark.parametrize("name", ["", "http://a.example/", "a.example/x", "*.a.example"])
def test_what_is_no_domain_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="is not a domain"):
        Scope(domains=[name])


@pytest.mark.parametrize("strategy", ["bfs", "fcwseo", "best-first"])
@pytest.mark.parametrize(("depth", "count"), [(0, 1), (1, 4), (2, 6), (9, 6)])
def test_links_at_the_greatest_depth_are_not_followed(
    tmp_path: Path, strategy: str, depth: int, count: int
) -> None:
    small_run(tmp_path / "run", web=web(), seeds=[A], strategy=strategy, max_depth=depth)
    assert len(visited(tmp_path / "run")) == count
    before = on_disk(tmp_path / "run")
    small_run(tmp_path / "run", web=web(), seeds=[A], strategy=strategy, max_depth=depth)
    assert on_disk(tmp_path / "run") == before
    with pytest.raises(InvalidRun, match="a different max_depth"):
        small_run(tmp_path / "run", web=web(), seeds=[A], strategy=strategy, max_depth=depth + 1)


def test_a_run_is_continued_in_the_same_scope_only(tmp_path: Path) -> None:
    narrow, wide = Scope(domains=["a.example"]), Scope(exclude=["2$", "9$"])
    small_run(tmp_path / "run", web=ScopedWeb(web(), narrow), seeds=[A], strategy="bfs")
    for other in (web(), ScopedWeb(web(), wide)):
        with pytest.raises(InvalidRun, match="a different scope"):
            small_run(tmp_path / "run", web=other, seeds=[A], strategy="bfs")
    again = ScopedWeb(web(), Scope(domains=["A.example", "a.example."]))
    small_run(tmp_path / "run", web=again, seeds=[A], strategy="bfs")


def test_a_link_of_a_run_in_a_scope_is_explained_by_the_whole_web(tmp_path: Path) -> None:
    small_run(tmp_path / "run", web=ScopedWeb(web(), Scope(exclude=["2$"])), seeds=[A], strategy="fcwseo")
    found = explain(tmp_path / "run", B, web=web())
    assert found.visit is not None and found.explanation is not None


def test_a_scoped_web_has_the_pages_in_scope() -> None:
    moving = SmallWeb({A: "", f"{A}1": "", B: ""}, moved={f"{A}away": B, f"{A}home": f"{A}1"})
    scoped = ScopedWeb(moving, Scope(domains=["a.example"]))
    assert sorted(scoped.urls()) == [A, f"{A}1"] and len(scoped) == 2
    assert [scoped.resolve(url) for url in (A, f"{A}home", f"{A}away", B)] == [A, f"{A}1", None, None]


def test_a_rehearsal_pays_for_no_link_out_of_scope(tmp_path: Path) -> None:
    scoped = ScopedWeb(web(), Scope(domains=["a.example"], exclude=["1$"]))
    plan = Plan(strategy="bfs", max_pages=9)
    run_rehearsed(scoped, Rehearsal(delay=5.0), topic_of_words("x", {"x": 1.0}), [A], tmp_path / "run", plan)
    rows = log(tmp_path / "run")
    clock = {row["url"]: row["clock"] for row in rows}
    assert {row["url"] for row in rows if row["outcome"] == "excluded"} == {B, f"{A}1"}
    assert clock[B] - clock[A] < 1 and clock[f"{A}1"] - clock[A] < 1


def test_a_domain_with_letters_beyond_ascii() -> None:
    scope = Scope(domains=["bücher.example"])
    assert scope.why_not("http://www.xn--bcher-kva.example/") == "" and scope.why_not(A)


# A mistake in the first command


def test_a_directory_without_a_page_is_used_again(tmp_path: Path) -> None:
    """Whether a seed was wrong, or a server was down."""
    down = SmallWeb({B: ""})
    small_run(tmp_path / "run", web=down, seeds=[B], strategy="bfs", max_pages=1)
    with pytest.raises(InvalidRun, match="a different"):
        small_run(tmp_path / "run", web=web(), seeds=[A], strategy="bfs")
    with serving_apart({}) as server:
        topic = ("--topic", "rainstorm", "--out", tmp_path / "live", "--strategy", "bfs", "--width", "1")
        where = ("--connect-to", f"127.0.0.1:{server.port}", "--delay", "0")
        seeds = ("--seeds", A)
        code, _, said = run("crawl", *topic, *where, *seeds)
        assert code == 4 and "--allow-private" in said and "contact" not in said, said
        assert not (tmp_path / "live").exists()
        code, _, said = run("crawl", *topic, *where, *seeds, "--allow-private")
        assert code == 1 and "correct the command and give it again" in said
        server.answers = {A: answer("<p>rainstorm")}
        code, _, said = run("crawl", *topic, *where, *seeds, "--allow-private")
        assert code == 0, said
        assert visited(tmp_path / "live") == {A: "page"}
        code, _, said = run("crawl", *topic, *where, *seeds, "--allow-private", "--seed", "3")
        assert code == 4 and "a different seed" in said


def test_loopback_seeds_need_no_contact_but_leave(tmp_path: Path) -> None:
    code, _, said = run(
        "crawl", "--topic", "rainstorm", "--seeds", "http://localhost:1/", "--out", tmp_path / "r"
    )
    assert code == 4 and "--allow-private" in said and "contact" not in said


# Status


@pytest.mark.slow
def test_status_of_a_running_crawl_says_so(tmp_path: Path) -> None:
    out = tmp_path / "run"
    pages = {f"{A}{n}": answer(f"<p>rainstorm {n} <a href=/{n + 1}>next</a>") for n in range(200)}
    with serving_apart(pages) as server:
        where = ("--connect-to", f"127.0.0.1:{server.port}", "--allow-private", "--delay", "0.3")
        process = start(["crawl", "--topic", "rainstorm", "--seeds", f"{A}0", "--out", out, *where])
        while not (out / "visits.jsonl").exists() or len(log(out)) < 4:
            assert process.poll() is None
            time.sleep(0.05)
        running = summary(out)["running"]
        code, said, _ = run("status", out)
        process.terminate()
        finish(process)
    assert running["pid"] == process.pid and running["pages_a_minute"] > 0 and running["seconds_left"] > 0
    said = " ".join(said.split())
    assert code == 0 and "not yet: running since" in said and "pages a minute" in said
    assert "requests active" in said
    assert summary(out)["running"] is None
    code, said, _ = run("status", out, "--json")
    assert json.loads(said)["running"] is None


@pytest.mark.parametrize(
    ("seconds_ago", "every", "is_estimated", "clock"),
    [
        *((1, 1, True, None), (25, 1, True, None), (40, 1, False, None), (40, 20, True, None)),
        *((600, 20, False, None), (600, 20, True, 5.0)),  # a rehearsed crawl tells virtual times
    ],
)
def test_no_time_is_estimated_while_no_page_comes(
    tmp_path: Path, seconds_ago: float, every: float, is_estimated: bool, clock: float | None
) -> None:
    """The last page came some seconds ago, the earlier ones at regular intervals; the budget is not spent."""
    out = tmp_path / "run"
    small_run(out, max_pages=20)
    last = datetime.now(UTC) - timedelta(seconds=seconds_ago)
    rows = lines(out / "visits.jsonl")
    at = {"at": last.isoformat(timespec="milliseconds"), "clock": clock}
    (out / "visits.jsonl").write_text("".join(json.dumps(row | at) + "\n" for row in rows))
    file = json.loads((out / "run.json").read_text())
    (out / "run.json").write_text(json.dumps(file | {"stop": None, "budgets": [[0, 100]]}))
    with lock(out, "crawling"):
        write_state(out, State(1, (last - timedelta(seconds=20 * every)).isoformat(), 0))
        running = summary(out)["running"]
    assert running["pages_a_minute"] > 0 and (running["seconds_left"] is not None) is is_estimated
