"""Runs made by earlier releases: every command reads them, and only their release continues them."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import Fcwseo
from helpers.runs import copied, lines, on_disk

import fcwseo as f
from fcwseo.crawling.run_directory.rules import RELEASES, RULES
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.errors import InvalidRun
from fcwseo.uses.explain import explain
from fcwseo.uses.export import COLUMNS
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.serve import make_server

DATA = Path(__file__).parents[1] / "data" / "runs"  # rules-NUMBER/closed and rules-NUMBER/live
WEB = GeneratedWeb(0, 40)  # all of them crawled it, or were served it
RUNS = sorted(DATA.glob("rules-*/*"))
NUMBER = {path: int(path.parent.name.removeprefix("rules-")) for path in RUNS}


def parameters(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("made", paths, ids=lambda path: f"{path.parent.name}-{path.name}")


every_run = parameters(RUNS)
older_runs = parameters([path for path in RUNS if NUMBER[path] != RULES])


@contextmanager
def served() -> Iterator[int]:
    """The web on a port of loopback."""
    server = make_server(WEB, 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def crawl_again(run: Path, port: int = 9) -> list[str | Path]:
    """The command that made a run, so to speak."""
    file = read_run_file(run)
    config, (_, budget) = file.config, file.budgets[-1]
    options = {"topic": run / "topic" / "ontology.owl", "out": run, "max-pages": budget}
    options |= {"width": config.width, "seed": config.seed, "strategy": config.strategy}
    where = ["--web", config.web] if config.web != "live" else live_options(port)
    given = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
    return ["crawl", *given, *where, *(part for seed in config.seeds for part in ("--seeds", seed))]


def live_options(port: int) -> list[str]:
    to = f"127.0.0.1:{port}"
    return ["--contact", "crawler@example.org", "--allow-private", "--connect-to", to, "--delay", "0"]


def set_rules(run: Path, rules: int, **more: Any) -> None:
    file = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(file | {"rules": rules} | more))


def test_every_number_of_rules_has_a_release_and_a_run() -> None:
    assert set(RELEASES) == set(NUMBER.values()) == set(range(RULES + 1))


@every_run
def test_a_run_says_by_which_rules_it_was_made(made: Path) -> None:
    assert read_run_file(made).rules == NUMBER[made]


@every_run
def test_no_command_that_reads_changes_a_file(made: Path, tmp_path: Path, fcwseo: Fcwseo) -> None:
    run = copied(made, tmp_path / "run")
    before = on_disk(run)
    url = lines(run / "pages.jsonl")[0]["url"]
    reading: list[list[str | Path]] = [
        ["status", run, "--json"],
        ["explain", run, url],
        ["export", run, "--format", "csv", "--out", tmp_path / "pages.csv"],
        ["search", run, "rainstorm"],
        ["report", run],
    ]
    if made.name == "live":
        reading.append(["web", "info", run, "--json"])
    for arguments in reading:
        outcome = fcwseo(*arguments)
        assert outcome.code == 0 and outcome.out + outcome.err, (arguments, outcome.err)
    assert {name: content for name, content in on_disk(run).items() if name in before} == before


@every_run
def test_status_shows_the_counts_of_the_crawl(made: Path, fcwseo: Fcwseo) -> None:
    file = read_run_file(made)
    facts = json.loads(fcwseo("status", made, "--json").out)
    assert facts["counts"] | {"hosts": file.counts["hosts"]} == file.counts
    assert facts["rules"] == NUMBER[made] and facts["stop"] == "budget"
    assert file.calibration is not None and facts["calibration"]["eta"] == file.calibration.eta
    assert facts["resume"].startswith("nothing: " if NUMBER[made] == RULES else "refused: ")


@older_runs
def test_status_names_the_release_that_can_continue(made: Path, fcwseo: Fcwseo) -> None:
    facts = json.loads(fcwseo("status", made, "--json").out)
    assert f"fcwseo {RELEASES[NUMBER[made]]} can continue it" in facts["resume"]


@every_run
def test_exports_have_the_kept_pages(made: Path, tmp_path: Path, fcwseo: Fcwseo) -> None:
    assert fcwseo("export", made, "--format", "jsonl", "--out", tmp_path / "pages.jsonl").code == 0
    exported = lines(tmp_path / "pages.jsonl")
    assert all(page.pop("topicality") and 0 <= (page.pop("percentile") or 0) <= 100 for page in exported)
    later = dict.fromkeys(COLUMNS)  # a run of an earlier version lacks some fields
    del later["percentile"], later["topicality"]  # made at the export
    assert exported == [later | page for page in lines(made / "pages.jsonl")]


@every_run
def test_the_archive_of_a_live_run_is_a_web(made: Path, fcwseo: Fcwseo) -> None:
    if made.name == "live":
        facts = json.loads(fcwseo("web", "info", made, "--json").out)
        assert facts["pages"] == read_run_file(made).counts["pages"]


@every_run
def test_python_reads_a_run(made: Path, tmp_path: Path) -> None:
    run = f.open_run(copied(made, tmp_path / "run"))
    counts = read_run_file(made).counts
    assert (len(run.visits), len(run.pages)) == (counts["visits"], counts["relevant"])
    assert len(run.metrics) and run.topic.name == "rainstorm"
    assert run.explain(run.pages[0].url).visit in list(run.visits)
    assert run.search("rainstorm") and run.export(tmp_path / "kept.csv").exists() and run.report().exists()


@every_run
@pytest.mark.slow
def test_a_run_is_crawled_again(made: Path, tmp_path: Path, fcwseo: Fcwseo) -> None:
    run = copied(made, tmp_path / "run")
    before = on_disk(run)
    with served() as port:
        outcome = fcwseo("recrawl", run, "--out", tmp_path / "again", *live_options(port), "--json")
    assert outcome.code == 0, outcome.err
    changes = json.loads(outcome.out)
    assert len(changes) == read_run_file(made).counts["relevant"]
    assert {change["change"] for change in changes} == {"unchanged"}
    assert on_disk(run) == before


@older_runs
def test_a_link_is_explained_from_the_log(made: Path, fcwseo: Fcwseo) -> None:
    rows = [row for row in lines(made / "visits.jsonl") if row["outcome"] == "page" and row["parent"]]
    row = max(rows, key=lambda row: bool(row["kept"]))
    account = explain(made, row["url"])
    assert account.visit is not None and account.visit.step == row["step"]
    assert [(parent.url, parent.anchor) for parent in account.parents] == [(row["parent"], row["anchor"])]
    assert bool(account.page_concepts) == row["kept"] and account.explanation is None
    assert re.search(r"from the log only: .* cannot be rebuilt", fcwseo("explain", made, row["url"]).out)


@older_runs
def test_a_link_that_was_not_followed_is_left_to_its_release(made: Path) -> None:
    with pytest.raises(InvalidRun, match=rf"explain it with fcwseo {RELEASES[NUMBER[made]]}"):
        explain(made, "http://nowhere.example/")


@older_runs
@pytest.mark.parametrize("more", [0, 5])
def test_an_older_run_is_not_continued(made: Path, tmp_path: Path, fcwseo: Fcwseo, more: int) -> None:
    run = copied(made, tmp_path / "run")
    before = on_disk(run)
    again = crawl_again(run)
    at = again.index("--max-pages") + 1
    again[at] = str(int(str(again[at])) + more)
    outcome = fcwseo(*again)
    assert outcome.code == 4
    assert outcome.err.count("\n") == 1 and f"fcwseo {RELEASES[NUMBER[made]]}" in outcome.err
    assert on_disk(run) == before


@parameters([path for path in RUNS if NUMBER[path] == RULES and path.name == "closed"])
def test_a_run_of_the_same_rules_is_continued(made: Path, tmp_path: Path, fcwseo: Fcwseo) -> None:
    """Replaying its log fails if visits have changed and RULES was not raised."""
    run = copied(made, tmp_path / "run")
    again = crawl_again(run)
    assert fcwseo(*again).code == 0
    assert lines(run / "visits.jsonl") == lines(made / "visits.jsonl")
    again[again.index("--max-pages") + 1] = "28"
    outcome = fcwseo(*again)
    assert outcome.code == 0, outcome.err
    rows = lines(run / "visits.jsonl")
    assert rows[: len(lines(made / "visits.jsonl"))] == lines(made / "visits.jsonl")
    assert sum(row["outcome"] == "page" for row in rows) == 28


@pytest.mark.parametrize(
    ("versions", "named"), [({"fcwseo": "9.1.0"}, "fcwseo 9.1.0"), ({}, "a newer version")]
)
def test_a_run_of_a_newer_version_is_not_continued(
    tmp_path: Path, fcwseo: Fcwseo, versions: dict[str, str], named: str
) -> None:
    run = copied(RUNS[-1], tmp_path / "run")
    set_rules(run, RULES + 1, versions=versions)
    outcome = fcwseo(*crawl_again(run))
    assert outcome.code == 4 and outcome.err.count("\n") == 1 and named in outcome.err
    assert fcwseo("status", run).code == 0


def test_a_run_file_in_a_newer_format_names_its_version(tmp_path: Path, fcwseo: Fcwseo) -> None:
    run = copied(RUNS[-1], tmp_path / "run")
    again = crawl_again(run)
    set_rules(run, RULES + 1, versions={"fcwseo": "9.1.0"}, config={"plan": "another"})
    for arguments in (["status", run], again):
        outcome = fcwseo(*arguments)
        assert outcome.code == 4 and re.search(r"newer version of fcwseo \(9\.1\.0\)", outcome.err)
