"""The run directory: what stands in it, and how it is continued, repaired or refused."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from helpers.fakes import SmallWeb
from helpers.runs import (
    BUDGET,
    SEEDS,
    WEB,
    copied,
    kept,
    left_at,
    lines,
    log,
    measures,
    on_disk,
    small_run,
    whole,
)
from helpers.webs import frozen_web

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.metrics import checkpoints
from fcwseo.crawling.repair import repair
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.errors import InvalidRun, RunLocked
from fcwseo.live.scope import Scope, ScopedWeb
from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.threshold import RunningThreshold
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import answer
from fcwseo_ontology.model import Concept, DocumentCounts, Label, Ontology
from fcwseo_ontology.topic import topic_of_words

narrow_and_wide = pytest.mark.parametrize("width", [1, 4])


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, to be looked at and copied only."""
    out = tmp_path_factory.mktemp("runs") / "done"
    assert small_run(out).stop is Stop.BUDGET
    return out


# What stands in it


def test_the_files(done: Path) -> None:
    assert sorted(on_disk(done)) == [
        ".run.json",
        "metrics.jsonl",
        "pages.jsonl",
        "run.json",
        "topic/topic.json",
        "topic/words.json",
        "visits.jsonl",
    ]


def test_the_fields_of_a_visit(done: Path) -> None:
    fields = {
        *("step", "url", "final_url", "parent", "anchor", "depth", "outcome", "detail", "status"),
        *("relevance", "predicted", "objectives", "kept", "digest", "at", "eta", "rule"),
    }
    rows = lines(done / "visits.jsonl")
    assert all(row.keys() - {"seat"} == fields for row in rows)
    assert all(("seat" in row) is (row["rule"] != "seed") for row in rows)
    assert [row["step"] for row in rows] == list(range(1, len(rows) + 1))


def test_what_a_visit_says(done: Path) -> None:
    rows = lines(done / "visits.jsonl")
    relevance, threshold = TopicalRelevance(WEB.topic()), RunningThreshold(lambda: relevance.scale)
    assert sorted(row["url"] for row in rows if row["parent"] is None) == sorted(SEEDS)
    for row in rows:
        if row["outcome"] == "page":
            assert row["status"] == 200 and row["digest"] and row["final_url"] == WEB.resolve(row["url"])
            page = answer(WEB, row["url"])
            assert isinstance(page, Page) and row["relevance"] == pytest.approx(relevance(page))
            threshold.add(row["relevance"], is_seed=row["parent"] is None)
            assert row["eta"] == pytest.approx(threshold.keep) and row["kept"] == (
                row["relevance"] >= row["eta"]
            )
        else:
            assert row["outcome"] in ("gone", "duplicate", "outside")
            assert row["final_url"] is row["status"] is row["digest"] is None
            assert not row["kept"] and row["relevance"] == 0.0
    assert {row["outcome"] for row in rows} >= {"page", "gone"}
    assert any(row["anchor"] for row in rows)


def test_a_page_just_as_relevant_as_eta_is_kept(tmp_path: Path) -> None:
    small_run(tmp_path / "first", strategy="bfs")
    relevances = sorted(row["relevance"] for row in log(tmp_path / "first") if row["outcome"] == "page")
    eta = relevances[len(relevances) // 2]
    small_run(tmp_path / "second", strategy="bfs", eta=eta)
    pages = [row for row in log(tmp_path / "second") if row["outcome"] == "page"]
    assert eta in [row["relevance"] for row in pages]
    for row in pages:
        assert row["kept"] == (row["relevance"] >= eta)


def test_the_fields_of_a_kept_page(done: Path) -> None:
    fields = {
        *(
            "id",
            "url",
            "final_url",
            "title",
            "text",
            "markdown",
            "lang",
            "date",
            "relevance",
            "objectives",
            "concepts",
        ),
        *("parent", "anchor", "depth", "digest", "near_dup_of", "fetched_at", "status", "warc"),
        *("author", "site_name", "license", "text_extractor"),
    }
    visits = [row for row in lines(done / "visits.jsonl") if row["kept"]]
    pages = lines(done / "pages.jsonl")
    assert len(pages) == len(visits) > 5
    for page, visit in zip(pages, visits, strict=True):
        assert page.keys() == fields and page["title"] and page["text"] and page["lang"] == "en"
        shared = ("url", "final_url", "relevance", "parent", "anchor", "depth", "digest", "status")
        assert all(page[key] == visit[key] for key in shared)
        assert page["markdown"].startswith("# ") and page["concepts"]
    assert len({page["id"] for page in pages}) == len(pages)


def test_the_fields_of_run_json(done: Path) -> None:
    file = json.loads((done / "run.json").read_text())
    assert file.keys() == {
        *("config", "config_hash", "versions", "budgets", "started", "stop", "counts"),
        *("calibration", "web_path", "rules", "sessions"),
    }
    assert file["config"] == {
        "strategy": "fcwseo",
        "topic": "rainstorm",
        "web": WEB.name,
        "web_identity": WEB.identity,
        "seeds": SEEDS,
        "seed": 0,
        "width": 1,
        "eta": None,
        "topic_hash": file["config"]["topic_hash"],
    }
    assert file["versions"].keys() == {"fcwseo", "python"}
    assert file["budgets"] == [[0, BUDGET]] and file["stop"] == "budget"
    rows = log(done)
    assert file["counts"]["visits"] == len(rows) and file["counts"]["pages"] == BUDGET
    assert file["counts"]["relevant"] == sum(row["kept"] for row in rows)
    assert file["counts"]["gone"] == sum(row["outcome"] == "gone" for row in rows)
    assert file["web_path"] == WEB.name
    found = file["calibration"]
    assert found.keys() == {"eta", "method", "positives", "background", "separation"}
    assert found["positives"] == len(SEEDS) and found["method"] == "0.5 of the median of the seeds"


def test_the_topic_is_written_down(done: Path) -> None:
    words = json.loads((done / "topic" / "words.json").read_text())
    assert words == {"name": "rainstorm", "weights": WEB.topic().weights}


def test_a_run_keeps_the_word_counts_of_its_topic_and_is_told_apart_by_them(tmp_path: Path) -> None:
    documents = (DocumentCounts("Rain", "en", {"rain": 2, "rainstorm": 1}),)
    ontology = Ontology("rain", (Concept("rain", (Label("rain"),)),), (), documents)
    told = replace(WEB.topic(), ontology=ontology)
    small_run(tmp_path / "told", topic=told, max_pages=3)
    assert read_topic(tmp_path / "told").documents == documents
    silent = replace(told, ontology=replace(ontology, documents=()))
    small_run(tmp_path / "silent", topic=silent, max_pages=3)
    hashes = [read_run_file(tmp_path / name).config.topic_hash for name in ("told", "silent")]
    assert hashes[0] != hashes[1]
    with pytest.raises(InvalidRun):
        small_run(tmp_path / "told", topic=silent, max_pages=3)


def test_a_checkpoint_at_every_20th_of_the_budget(done: Path) -> None:
    rows = [row for row in log(done) if row["outcome"] == "page"]
    measured = lines(done / "metrics.jsonl")
    assert [line["n"] for line in measured] == checkpoints(BUDGET) == list(range(3, 61, 3))
    for line in measured:
        assert line.keys() == {
            *("n", "relevant", "harvest_rate", "average_relevance", "sd", "hosts", "seconds"),
        }
        so_far = rows[: line["n"]]
        assert line["relevant"] == sum(row["kept"] for row in so_far)
        assert line["harvest_rate"] == line["relevant"] / line["n"]
        assert line["average_relevance"] == pytest.approx(sum(row["relevance"] for row in so_far) / line["n"])
        assert line["hosts"] == len({row["final_url"].split("/")[2] for row in so_far})
    assert [line["seconds"] for line in measured] == sorted(line["seconds"] for line in measured)


def test_the_same_crawl_twice(done: Path, tmp_path: Path) -> None:
    small_run(tmp_path / "again")
    assert whole(tmp_path / "again") == whole(done)
    assert [row.url for row in read_visits(done)] == [row["url"] for row in log(done)]


# Going on


@narrow_and_wide
@pytest.mark.parametrize("strategy", ["bfs", "best-first"])
def test_a_killed_run_goes_on_to_the_same_end(tmp_path: Path, strategy: str, width: int) -> None:
    choices: dict[str, Any] = {"strategy": strategy, "width": width, "max_pages": 30}
    small_run(tmp_path / "done", **choices)
    count = len(log(tmp_path / "done"))
    for left in (0, 1, 2, count // 2, count - 1, count):
        run = left_at(tmp_path / "done", tmp_path / f"left {left}", left)
        assert small_run(run, **choices).stop is Stop.BUDGET
        assert whole(run) == whole(tmp_path / "done")
        assert read_run_file(run).counts == read_run_file(tmp_path / "done").counts


def test_a_finished_run_is_left_as_it_is(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    result = small_run(run)
    assert result.stop is Stop.BUDGET and result.counts["pages"] == BUDGET
    assert on_disk(run) == on_disk(done)


@pytest.mark.parametrize("rest", [b"{", b'{"step":', b"x" * 70_000, b"\xff\xfe"])
def test_a_torn_last_line_is_repaired(done: Path, tmp_path: Path, rest: bytes) -> None:
    run = left_at(done, tmp_path / "run", 20, rest=rest)
    assert len(list(read_visits(run))) == 20
    small_run(run)
    assert whole(run) == whole(done)


def test_a_log_that_is_nothing_but_a_torn_line_is_repaired(done: Path, tmp_path: Path) -> None:
    run = left_at(done, tmp_path / "run", 0, rest=b"y" * 200_000)
    small_run(run)
    assert whole(run) == whole(done)


def test_a_kept_page_without_its_visit_is_cut_off(done: Path, tmp_path: Path) -> None:
    run = left_at(done, tmp_path / "run", 20)
    (run / "pages.jsonl").write_bytes((done / "pages.jsonl").read_bytes())
    small_run(run)
    assert whole(run) == whole(done)


def test_a_torn_page_is_written_again(done: Path, tmp_path: Path) -> None:
    run = left_at(done, tmp_path / "run", 20)
    (run / "pages.jsonl").write_bytes((run / "pages.jsonl").read_bytes()[:-30])
    small_run(run)
    assert whole(run) == whole(done)


@pytest.mark.parametrize("left", [0, 3])
def test_missing_pages_are_written_again(done: Path, tmp_path: Path, left: int) -> None:
    run = copied(done, tmp_path / "run")
    (run / "pages.jsonl").write_bytes(
        b"".join((done / "pages.jsonl").read_bytes().splitlines(keepends=True)[:left])
    )
    small_run(run)
    assert kept(run) == kept(done)
    (run / "pages.jsonl").unlink()
    small_run(run)
    assert kept(run) == kept(done)


@pytest.mark.parametrize("cut", [-1, -30, -400])
def test_missing_and_torn_checkpoints_are_measured_again(done: Path, tmp_path: Path, cut: int) -> None:
    run = copied(done, tmp_path / "run")
    (run / "metrics.jsonl").write_bytes((done / "metrics.jsonl").read_bytes()[:cut])
    small_run(run)
    assert measures(run) == measures(done)


def test_checkpoints_beyond_the_log_are_measured_again(done: Path, tmp_path: Path) -> None:
    run = left_at(done, tmp_path / "run", 20)
    ahead = (done / "metrics.jsonl").read_bytes().replace(b'"relevant":', b'"relevant":9')
    (run / "metrics.jsonl").write_bytes(b"".join(ahead.splitlines(keepends=True)[15:]))
    small_run(run)
    assert measures(run)[-5:] == measures(done)[-5:]


def test_the_topic_is_written_again(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    shutil.rmtree(run / "topic")
    small_run(run)
    assert on_disk(run / "topic") == on_disk(done / "topic")
    assert read_topic(run) == WEB.topic()


# Another budget


@narrow_and_wide
def test_a_raised_budget_goes_on(tmp_path: Path, width: int) -> None:
    run = tmp_path / "run"
    for budget in (10, 25, 60):
        before = log(run) if run.exists() else []
        result = small_run(run, max_pages=budget, width=width)
        assert result.stop is Stop.BUDGET and result.counts["pages"] == budget
        assert log(run)[: len(before)] == before
    urls = [row["url"] for row in log(run)]
    assert len(set(urls)) == len(urls)
    assert [budget for _, budget in read_run_file(run).budgets] == [10, 25, 60]
    files = on_disk(run)
    small_run(run, max_pages=60, width=width)  # all of it can be folded again
    assert on_disk(run) == files


def test_a_budget_that_is_passed_already_changes_nothing(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    files = on_disk(run)
    small_run(run, max_pages=7)
    assert on_disk(run) == files


def test_a_budget_that_is_passed_already_ends_no_crawl(done: Path, tmp_path: Path) -> None:
    """One that was killed is not over yet, and one without a link left stays so."""
    killed = left_at(done, tmp_path / "killed", 40)
    small_run(killed, max_pages=7)
    assert read_run_file(killed).stop is None and "continues with" in summary(killed)["resume"]
    small_run(killed)
    assert log(killed) == log(done) and read_run_file(killed).stop == Stop.BUDGET
    seed = "http://a.example/"
    two = frozen_web(tmp_path / "web", {seed: "<a href=b>rain</a>", f"{seed}b": "<p>Rain</p>"}, name="two")
    small_run(tmp_path / "all", web=two, seeds=[seed])
    assert read_run_file(tmp_path / "all").stop == Stop.EXHAUSTED
    files = on_disk(tmp_path / "all")
    small_run(tmp_path / "all", web=two, seeds=[seed], max_pages=1)
    assert on_disk(tmp_path / "all") == files


def test_a_crawl_may_end_with_the_pages_that_there_are(done: Path, tmp_path: Path) -> None:
    """There are more visits than pages: a budget is held against pages."""
    run = left_at(done, tmp_path / "run", 40)
    pages = sum(row["outcome"] == "page" for row in log(run))
    assert pages < len(log(run))
    small_run(run, max_pages=pages)
    assert read_run_file(run).stop == Stop.BUDGET and read_run_file(run).budgets[-1] == (len(log(run)), pages)


def test_a_raised_budget_gives_the_crawl_of_that_budget(done: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    small_run(run, max_pages=17)
    small_run(run)
    assert log(run) == log(done) and kept(run) == kept(done)


@pytest.mark.slow
@narrow_and_wide
def test_a_run_killed_after_its_budget_was_raised_goes_on(tmp_path: Path, width: int) -> None:
    small_run(tmp_path / "run", max_pages=20, width=width)
    first = len(log(tmp_path / "run"))
    small_run(tmp_path / "run", width=width)
    for left in (first, first + 1, first + 9):
        again = left_at(tmp_path / "run", tmp_path / f"left {left}", left)
        small_run(again, width=width)
        assert whole(again) == whole(tmp_path / "run")


def test_checkpoints_stay_in_order_when_the_budget_is_raised(tmp_path: Path) -> None:
    run = tmp_path / "run"
    small_run(run, max_pages=40)
    small_run(run, max_pages=60)
    counts = [line["n"] for line in lines(run / "metrics.jsonl")]
    assert counts == [*range(2, 41, 2), *range(42, 61, 3)]


@narrow_and_wide
def test_a_lower_budget_does_nothing(tmp_path: Path, width: int) -> None:
    run = tmp_path / "run"
    small_run(run, width=width)
    before = on_disk(run)
    result = small_run(run, max_pages=20, width=width)
    assert result.stop is Stop.BUDGET and result.counts["pages"] == BUDGET
    changed = [name for name, content in on_disk(run).items() if content != before[name]]
    assert changed in ([], ["run.json"])
    small_run(run, max_pages=70, width=width)
    assert len([row for row in log(run) if row["outcome"] == "page"]) == 70


def test_an_exhausted_run_stays_so(tmp_path: Path) -> None:
    a, b, c = (f"http://{name}.example/" for name in "abc")
    web = SmallWeb({a: f"{b} {c}", b: a})
    result = small_run(tmp_path / "run", web=web, seeds=[a])
    assert result.stop is Stop.EXHAUSTED
    assert result.counts == {"visits": 3, "pages": 2, "relevant": 0, "hosts": 2, "gone": 1}
    before = on_disk(tmp_path / "run")
    assert small_run(tmp_path / "run", web=web, seeds=[a]).stop is Stop.EXHAUSTED
    assert on_disk(tmp_path / "run") == before
    assert small_run(tmp_path / "run", web=web, seeds=[a], max_pages=100).stop is Stop.EXHAUSTED
    assert summary(tmp_path / "run")["resume"] == "nothing: no link is left to follow"


# What is refused

ANOTHER_SEED = next(url for url in WEB.urls() if url not in SEEDS)
LIGHTER = {**WEB.topic().weights, "rainstorm": 0.5}

OTHER: dict[str, dict[str, Any]] = {
    "strategy": {"strategy": "bfs"},
    "topic": {"topic": topic_of_words("rainstorm", LIGHTER)},
    "web": {"web": GeneratedWeb(0, 401)},
    "seeds": {"seeds": SEEDS[:-1]},
    "seed": {"seed": 1},
    "width": {"width": 2},
    "eta": {"eta": 0.4},
    "scope": {"web": ScopedWeb(WEB, Scope(domains=["a.example"])), "max_pages": BUDGET + 20},
}


@pytest.mark.parametrize("what", OTHER)
@pytest.mark.parametrize("is_torn", [False, True])
def test_a_run_of_another_crawl_is_refused(done: Path, tmp_path: Path, what: str, is_torn: bool) -> None:
    run = left_at(done, tmp_path / "run", 30, rest=b'{"st') if is_torn else copied(done, tmp_path / "run")
    before = on_disk(run)
    with pytest.raises(InvalidRun, match=rf"contains a crawl with a different {what} \(") as caught:
        small_run(run, **OTHER[what])
    assert caught.value.exit_code == 4 and "\n" not in str(caught.value)
    assert on_disk(run) == before


def test_a_topic_of_another_name_is_named(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    with pytest.raises(InvalidRun, match=r'a different topic \("rainstorm", now "flood"\)'):
        small_run(run, topic=topic_of_words("flood", {"flood": 1.0}))


class ChangedWeb(GeneratedWeb):
    """A web of the same name, with other pages."""

    identity = "another"


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"seeds": SEEDS[:-1]}, rf"seeds \({len(SEEDS)} seeds, now {len(SEEDS) - 1}\)"),
        (
            {"seeds": [*SEEDS[:-1], ANOTHER_SEED]},
            rf'seeds \(seed {len(SEEDS)} is "{SEEDS[-1]}", now "{ANOTHER_SEED}"\)',
        ),
        ({"web": ChangedWeb(0, 400), "width": 2}, r"web \("),
    ],
)
def test_what_differs_is_named_shortly(
    done: Path, tmp_path: Path, choices: dict[str, Any], said: str
) -> None:
    """A web before a width, which may follow from it; of many seeds, the first that differs."""
    run = copied(done, tmp_path / "run")
    with pytest.raises(InvalidRun, match=f"with a different {said}"):
        small_run(run, **choices)


@pytest.mark.parametrize("name", ["notes.txt", "pages.jsonl", "visits.jsonl", "metrics.jsonl", "topic/a.owl"])
def test_a_folder_that_is_not_a_run_is_refused(tmp_path: Path, name: str) -> None:
    """Also when its files are named as those of a run are: they are someone's."""
    mine = tmp_path / "mine" / name
    mine.parent.mkdir(parents=True)
    mine.write_text("my own\n")
    with pytest.raises(InvalidRun, match=r"is not empty and not a run directory \(it contains "):
        small_run(tmp_path / "mine")
    assert on_disk(tmp_path / "mine") == {name: b"my own\n"}
    with pytest.raises(InvalidRun, match=r"is not a run directory: it has no run\.json"):
        read_run_file(tmp_path / "mine")


def test_a_run_without_run_json_is_sent_to_repair(done: Path, tmp_path: Path) -> None:
    """Its copy is there; a crawl must not take it for a folder of something else either."""
    run = copied(done, tmp_path / "run")
    (run / "run.json").unlink()
    before = on_disk(run)
    for use in (summary, read_run_file, small_run):
        with pytest.raises(
            InvalidRun, match=r"run\.json is missing: 'fcwseo repair' restores it from its copy"
        ):
            use(run)
    assert on_disk(run) == before
    repair(run)
    assert summary(run)["counts"]["pages"] == BUDGET


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    assert small_run(tmp_path / "run", max_pages=2).counts["pages"] == 2


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"\xff", b'{"config": 3}'])
def test_a_damaged_run_json_is_refused(done: Path, tmp_path: Path, content: bytes) -> None:
    run = copied(done, tmp_path / "run")
    (run / "run.json").write_bytes(content)
    before = on_disk(run)
    with pytest.raises(InvalidRun, match=r"run\.json cannot be read"):
        small_run(run)
    assert on_disk(run) == before


def damage(run: Path, change: Callable[[list[bytes]], None]) -> None:
    rows = (run / "visits.jsonl").read_bytes().splitlines(keepends=True)
    change(rows)
    (run / "visits.jsonl").write_bytes(b"".join(rows))


def cut_short(rows: list[bytes]) -> None:
    rows[6] = rows[6][:40] + b"\n"


def fill_with_zeros(rows: list[bytes]) -> None:
    rows[6] = b"\0" * len(rows[6][:-1]) + b"\n"


def leave_out(rows: list[bytes]) -> None:
    del rows[6]


def repeat(rows: list[bytes]) -> None:
    rows[6] = rows[5]


def rename_outcome(rows: list[bytes]) -> None:
    rows[6] = rows[6].replace(b'"outcome":"', b'"outcome":"un')


def no_utf_8(rows: list[bytes]) -> None:
    rows[6] = rows[6].replace(b'"detail":"', b'"detail":"\xff')


def nest(rows: list[bytes]) -> None:
    rows[6] = b'{"x":' + b"[" * 100_000 + b"\n"


DAMAGES = [cut_short, fill_with_zeros, leave_out, repeat, rename_outcome, no_utf_8, nest]


@pytest.mark.parametrize("change", DAMAGES)
@narrow_and_wide
def test_a_damaged_log_is_refused_by_line(
    tmp_path: Path, change: Callable[[list[bytes]], None], width: int
) -> None:
    run = tmp_path / "run"
    small_run(run, max_pages=20, width=width)
    damage(run, change)
    before = on_disk(run)
    with pytest.raises(InvalidRun, match=r"visits\.jsonl, line 7 .*the log is damaged"):
        small_run(run, max_pages=20, width=width)
    assert on_disk(run) == before


def test_a_page_that_has_changed_since_is_noticed(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    digest = log(run)[3]["digest"].encode()

    def change(rows: list[bytes]) -> None:
        rows[3] = rows[3].replace(digest, b"0" * len(digest))

    damage(run, change)
    before = on_disk(run)
    for budget in (BUDGET, BUDGET + 20):
        with pytest.raises(InvalidRun, match="the web has changed since"):
            small_run(run, max_pages=budget)
        assert on_disk(run) == before, "a refused crawl changes nothing"


# While it runs


def test_there_is_one_writer(tmp_path: Path) -> None:
    refused: list[str] = []

    def second(run: RunDirectory) -> None:
        with pytest.raises(RunLocked, match="another process is crawling into") as caught:
            small_run(run.path)
        refused.append(str(caught.value))

    small_run(tmp_path / "run", max_pages=3, progress=second)
    assert len(refused) >= 3
    small_run(tmp_path / "run", max_pages=4)  # and then the folder is free again


def test_a_refused_run_is_free_again(done: Path, tmp_path: Path) -> None:
    run = copied(done, tmp_path / "run")
    with pytest.raises(InvalidRun):
        small_run(run, strategy="bfs")
    small_run(run, max_pages=BUDGET + 1)


def test_it_can_be_read_while_the_crawl_runs(tmp_path: Path) -> None:
    seen: list[int] = []

    def look(run: RunDirectory) -> None:
        facts = summary(run.path)
        assert facts["counts"]["visits"] == len(list(read_visits(run.path))) == run.visits
        assert facts["counts"]["pages"] == run.counts["pages"]
        assert facts["stop"] is None
        assert len(lines(run.path / "pages.jsonl")) == run.counts["relevant"]
        seen.append(facts["counts"]["pages"])

    small_run(tmp_path / "run", max_pages=30, progress=look)
    assert seen == sorted(seen) and seen[-1] == 30


def test_what_was_recorded_outlives_an_error(done: Path, tmp_path: Path) -> None:
    def fail(run: RunDirectory) -> None:
        if run.visits == 25:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        small_run(tmp_path / "run", progress=fail)
    assert log(tmp_path / "run") == log(done)[:25]
    small_run(tmp_path / "run")
    assert whole(tmp_path / "run") == whole(done)


# What status says


def test_the_summary_of_a_finished_run(done: Path) -> None:
    facts = summary(done)
    rows = log(done)
    assert facts["strategy"] == "fcwseo" and facts["topic"] == "rainstorm" and facts["web"] == WEB.name
    assert facts["counts"]["pages"] == facts["max_pages"] == BUDGET
    assert facts["counts"]["relevant"] == sum(row["kept"] for row in rows)
    assert facts["harvest_rate"] == facts["counts"]["relevant"] / BUDGET
    assert facts["average_relevance"] == pytest.approx(sum(row["relevance"] for row in rows) / BUDGET)
    assert facts["stop"] == "budget" and facts["resume"].startswith("nothing: the budget is spent")


def test_the_summary_of_a_killed_run(done: Path, tmp_path: Path) -> None:
    run = left_at(done, tmp_path / "run", 10, rest=b'{"ste')
    facts = summary(run)
    pages = sum(row["outcome"] == "page" for row in log(done)[:10])
    assert facts["stop"] is None and facts["counts"]["visits"] == 10
    assert facts["resume"] == f"continues with page {pages + 1} of {BUDGET}"


def test_the_summary_of_a_run_that_has_only_begun(done: Path, tmp_path: Path) -> None:
    run = left_at(done, tmp_path / "run", 0)
    (run / "visits.jsonl").unlink()
    facts = summary(run)
    assert facts["counts"] == {"visits": 0, "pages": 0, "relevant": 0} and facts["harvest_rate"] == 0.0
    assert facts["resume"] == f"continues with page 1 of {BUDGET}"
