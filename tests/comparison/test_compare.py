"""Comparisons: the same numbers however they are come by, nothing done twice, nothing half-written."""

import csv
import json
import re
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import finish, run, start
from helpers.comparisons import (
    BUDGET,
    WEB,
    finished,
    small_comparison,
    small_experiment,
    timeless,
    write_seeds,
)
from helpers.runs import lines, log, small_run

from fcwseo.comparison.compare import compare
from fcwseo.comparison.experiment import TELLING, make_experiment, read_experiment, seed_sets
from fcwseo.comparison.judge import by_own_relevance
from fcwseo.comparison.measures import MEASURES, Measure
from fcwseo.comparison.report import report_run
from fcwseo.comparison.report.tables import headline
from fcwseo.comparison.results import read_results
from fcwseo.crawling.rehearsal import Rehearsal
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.status import summary
from fcwseo.errors import (
    FcwseoError,
    InvalidInput,
    InvalidRun,
    InvalidSeeds,
    InvalidStrategy,
    MissingExtra,
    RunLocked,
)
from fcwseo.files import lock
from fcwseo.strategies import STRATEGIES
from fcwseo.webs.cached import CachedWeb
from fcwseo.webs.opening import answer
from fcwseo_ontology.load import load_topic

pytestmark = pytest.mark.slow

SEEDS = [url for url in WEB.urls() if "rainstorm" in WEB.labels(url)][:6]  # of the two sets

OWN = """
import time
from collections import deque
from pathlib import Path

class Mine:
    def __init__(self, topic, relevance, rng):
        self.queue, self.seen = deque(), set()

    def observe(self, visit):
        for link in getattr(visit.outcome, "links", ()):
            if link.target not in self.seen:
                self.seen.add(link.target)
                self.queue.append(link)

    def next(self, n, turns):
        return [self.queue.popleft() for _ in range(min(n, len(self.queue)))]

class Fails(Mine):
    def next(self, n, turns):
        raise KeyError("lost")

BEGUN = Path(__file__).with_name("begun")

class Slow(Mine):
    def next(self, n, turns):
        BEGUN.touch()
        time.sleep(0.2)
        return super().next(n, turns)

class FailsLate(Mine):
    def next(self, n, turns):
        while not BEGUN.exists():
            time.sleep(0.1)
        raise KeyError("lost")

class Repeats(Mine):
    def next(self, n, turns):
        self.queue.append(self.queue[0])
        return [self.queue.popleft()]

class Lacks(Mine):
    def __init__(self, topic, relevance, rng):
        from fcwseo.errors import MissingExtra
        raise MissingExtra("pip install fcwseo[none]")

class Unfit(Mine):
    def __init__(self, topic, relevance, rng):
        from fcwseo.errors import UnfitTopic
        raise UnfitTopic("no English word")
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN)
    return path


def test_a_comparison_directory_holds_what_it_should(tmp_path: Path) -> None:
    small_comparison(tmp_path)
    names = {str(path.relative_to(tmp_path / "c")) for path in (tmp_path / "c").rglob("*") if path.is_file()}
    wanted = "results.json table.md table.csv table.tex report.html experiment.json figures/harvest-rate.svg"
    assert names >= set(wanted.split()) | {
        f"figures/{name}.svg" for name in ("average-relevance", "sd", "recall")
    }


def test_a_rehearsed_comparison_counts_virtual_seconds(tmp_path: Path) -> None:
    """All crawls are polite on a virtual clock, also the finished ones of the second call."""
    choices = {"rehearsal": {"latency": 0.1}, "width": 4}
    results = small_comparison(tmp_path, **choices)
    for found in results.runs:
        at, relevant = found.clock[-1]
        assert at <= found.seconds < at + 5 and relevant == found.relevant
        assert [at for at, _ in found.clock] == sorted(at for at, _ in found.clock) and found.seconds > 5
    assert (tmp_path / "c" / "figures" / "clock.svg").read_text().count("polyline") >= 4
    assert "Harvest against virtual time" in (tmp_path / "c" / "report.html").read_text()
    before = (tmp_path / "c" / "results.json").read_bytes()
    assert small_comparison(tmp_path, **choices) == results
    assert (tmp_path / "c" / "results.json").read_bytes() == before


def test_a_rehearsed_comparison_has_a_time(tmp_path: Path) -> None:
    short = small_comparison(tmp_path, rehearsal={}, max_time="3")
    assert all(run.seconds < 8 and run.pages < BUDGET for run in short.runs)
    assert any("no time left" in note for note in short.notes)
    longer = small_comparison(tmp_path, rehearsal={}, max_time="2m")  # beside the others
    assert sum(run.relevant for run in longer.runs) > sum(run.relevant for run in short.runs)
    with pytest.raises(InvalidInput, match="max_time, which only a rehearsal has"):
        small_experiment(tmp_path, max_time="3")


def test_results_have_the_documented_form(tmp_path: Path) -> None:
    small_comparison(tmp_path, repeats=2)
    results = json.loads((tmp_path / "c" / "results.json").read_text())
    assert results["web"] == WEB.name and results["max_pages"] == BUDGET and results["judge"] == "labels"
    assert len(results["runs"]) == 2 * 2 * 2
    first = results["runs"][0]
    assert {"strategy", "seed_set", "repeat", "pages", "seconds", "checkpoints"} <= first.keys()
    assert (first["strategy"], first["seed_set"], first["repeat"]) == ("bfs", 0, 0)
    assert [point["n"] for point in first["checkpoints"]] == list(range(2, 41, 2))
    fields = {"n", "relevant", "harvest_rate", "average_relevance", "sd", "recall"}
    assert set(first["checkpoints"][0]) == fields
    for row in results["summary"]:
        low, high = row["ci95"]
        assert low <= row["harvest_area"] <= high
        assert set(row["versus"]) == {"bfs", "best-first"} - {row["strategy"]}
        assert {"ratio", "p"} <= set(next(iter(row["versus"].values())))


def test_a_measure_named_in_the_table_of_measures_stands_in_every_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first_page = Measure(lambda run: float(run.relevant[0]), "1 if the first page is relevant", "First")
    monkeypatch.setitem(MEASURES, "first_page", first_page)
    results = small_comparison(tmp_path)
    assert {run.measures["first_page"] for run in results.runs} == {1.0}
    assert read_results(tmp_path / "c").summary[0].measures["first_page"] == 1.0
    table = csv.DictReader((tmp_path / "c" / "table.csv").read_text().splitlines())
    assert [row["first_page"] for row in table] == ["1.0", "1.0"]


def test_numbers_are_those_of_the_logs(tmp_path: Path) -> None:
    """Worked out once more, from the log, without any code of ours."""
    results = small_comparison(tmp_path)
    total = sum("rainstorm" in WEB.labels(url) for url in WEB.urls())
    for found in results.runs:
        folder = tmp_path / "c" / "runs" / found.task / found.strategy / f"{found.seed_set}-{found.repeat}"
        rows = [row for row in lines(folder / "visits.jsonl") if row["outcome"] == "page"]
        hits = ["rainstorm" in WEB.labels(row["final_url"]) for row in rows]
        at = [round(BUDGET * i / 20) for i in range(1, 21)]
        assert found.harvest_area == pytest.approx(sum(sum(hits[:n]) / n for n in at) / 20)
        assert found.measures["recall"] == pytest.approx(sum(hits) / total) and found.relevant == sum(hits)
        assert found.measures["average_relevance"] == pytest.approx(
            sum(row["relevance"] for row in rows) / len(rows)
        )
        assert found.measures["hosts"] == len({row["final_url"].split("/")[2] for row in rows})
        assert found.checkpoints[-1].relevant == sum(hits)


def test_the_number_of_workers_changes_no_number(tmp_path: Path) -> None:
    experiment = small_experiment(tmp_path)
    for workers in (1, 2):
        finished(compare(experiment, tmp_path / str(workers), workers=workers))
    assert timeless(tmp_path / "1") == timeless(tmp_path / "2")


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    small_comparison(tmp_path)
    before = timeless(tmp_path / "c")
    files = [*(tmp_path / "c" / "runs").rglob("*.json*")]
    times = [path.stat().st_mtime_ns for path in files]
    small_comparison(tmp_path)
    assert [path.stat().st_mtime_ns for path in files] == times
    assert timeless(tmp_path / "c") == before


def test_a_comparison_goes_on_where_it_was_left(tmp_path: Path) -> None:
    """One crawl is missing, another was killed; the results are the same."""
    small_comparison(tmp_path)
    before = timeless(tmp_path / "c")
    runs = tmp_path / "c" / "runs" / WEB.name
    whole = log(runs / "bfs" / "1-0")
    shutil.rmtree(runs / "best-first" / "0-0")
    visits = runs / "bfs" / "1-0" / "visits.jsonl"
    visits.write_bytes(b"".join(visits.read_bytes().splitlines(keepends=True)[:17]) + b'{"step": 18, "ur')
    file = json.loads((runs / "bfs" / "1-0" / "run.json").read_text())
    (runs / "bfs" / "1-0" / "run.json").write_text(json.dumps(file | {"stop": None, "counts": {}}))
    small_comparison(tmp_path)
    assert timeless(tmp_path / "c") == before and log(runs / "bfs" / "1-0") == whole


def test_a_line_says_which_results_are_replaced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    small_comparison(tmp_path)
    small_comparison(tmp_path)
    assert "replaced" not in caplog.text
    small_comparison(tmp_path, strategies=["bfs"], max_pages=50)
    assert caplog.text.count("with other strategies, max pages, are replaced; its crawls are kept") == 1


def test_results_that_are_not_there_are_not_replaced(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    small_comparison(tmp_path)
    (tmp_path / "c" / "results.json").unlink()
    small_comparison(tmp_path, strategies=["bfs"])
    assert "replaced" not in caplog.text


def test_more_strategies_and_repeats_are_added(tmp_path: Path) -> None:
    small_comparison(tmp_path, strategies=["bfs"])
    old = (tmp_path / "c" / "runs" / WEB.name / "bfs" / "0-0" / "visits.jsonl").stat().st_mtime_ns
    results = small_comparison(tmp_path, repeats=2)
    assert len(results.runs) == 8
    assert (tmp_path / "c" / "runs" / WEB.name / "bfs" / "0-0" / "visits.jsonl").stat().st_mtime_ns == old


def test_the_judge_may_change(tmp_path: Path) -> None:
    by_labels = small_comparison(tmp_path)
    held_out = tmp_path / "held-out.json"
    held_out.write_text(json.dumps({"name": "held out", "weights": {"rain": 1.0, "storm": 1.0}}))
    by_topic = small_comparison(
        tmp_path, task={"relevant": [], "judge_topic": str(held_out), "judge_eta": 0.1}
    )
    own = small_comparison(tmp_path, task={"relevant": []})
    assert [found.judge for found in (by_labels, by_topic, own)] == ["labels", "topic", "relevance"]
    assert not any("Circular" in note for note in by_labels.notes + by_topic.notes)
    assert any("Circular" in note for note in own.notes)
    (bar,) = own.tasks[0].judged_by
    eta = by_own_relevance(WEB, load_topic("rainstorm"), SEEDS, eta=None).eta
    assert (
        bar == f"rainstorm disaster, relevance from {eta:.4g}, 0.5 of the median of the seeds"
        and 0.01 < eta < 1
    )
    for found in own.runs:  # one threshold for all crawls
        folder = tmp_path / "c" / "runs" / found.task / found.strategy / f"{found.seed_set}-0"
        assert found.relevant == sum(row.relevance >= eta for row in read_visits(folder)) > 0


def test_a_judge_with_a_given_threshold() -> None:
    topic = load_topic("rainstorm")
    judge, strict = (by_own_relevance(WEB, topic, SEEDS, eta=eta) for eta in (0.02, 0.1))
    assert judge.goes_by == ("rainstorm disaster, relevance from 0.02",) and judge.pages > strict.pages


def test_the_oracle_is_an_upper_bound_and_called_so(tmp_path: Path) -> None:
    results = small_comparison(tmp_path, strategies=["bfs", "oracle", "ops", "fcsa"])
    assert results.summary[0].strategy == "oracle"
    table, page = ((tmp_path / "c" / name).read_text() for name in ("table.md", "report.html"))
    for text in (table, page):
        assert "oracle‡" in text and "upper bound: sees the labels" in text
        assert "fcsa†" in text and "re-derived" in text
    assert not headline(results).startswith("oracle")
    assert "| oracle‡ | **" not in table  # it competes for nothing
    other = small_comparison(tmp_path, strategies=["bfs", "oracle"], task={"relevant": ["music"]})
    (row,) = (row for row in other.summary if row.strategy == "oracle")
    assert (
        row.measures["relevant_hosts"]
        and len(list((tmp_path / "c" / "runs" / WEB.name).glob("oracle-*"))) == 2
    )


def test_an_oracle_needs_labels(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="oracle reads labels"):
        small_comparison(tmp_path, strategies=["bfs", "oracle"], task={"relevant": []})
    with pytest.raises(InvalidStrategy, match="only fcwseo compare"):
        small_run(tmp_path / "run", strategy="oracle")


def test_one_task_is_said_to_be_not_tested(tmp_path: Path) -> None:
    results = small_comparison(tmp_path)
    assert any(note.startswith("One task: not tested") and "Few seed sets" in note for note in results.notes)
    assert all(versus.p is None for row in results.summary for versus in row.versus.values())


def test_another_crawl_in_the_folder_is_refused(tmp_path: Path) -> None:
    small_comparison(tmp_path)
    for change in ({"eta": 0.9}, {"seed": 5}, {"max_pages": 20}, {"width": 2}):
        with pytest.raises(InvalidRun, match=r"name another folder|use another --out"):
            small_comparison(tmp_path, **change)
    assert len(small_comparison(tmp_path, max_pages=BUDGET + 5).runs) == 4  # longer crawls go on


def test_unexpected_files_in_the_folder_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "thesis.txt").write_text("precious")
    with pytest.raises(InvalidRun, match=r"contains thesis\.txt"):
        small_comparison(tmp_path)
    assert [path.name for path in (tmp_path / "c").iterdir()] == ["thesis.txt"]


def test_a_strategy_of_ones_own_is_compared_like_the_others(tmp_path: Path, own: Path) -> None:
    name = f"{own}:Mine"
    results = small_comparison(tmp_path, strategies=["bfs", name])
    assert [row.strategy for row in results.summary if row.strategy == name] == [name]
    areas = {run.strategy: run.harvest_area for run in results.runs if run.seed_set == 0}
    assert areas[name] > 0
    assert f">{own.stem}" not in (tmp_path / "c" / "report.html").read_text()  # it is called Mine there
    folders = [path.name for path in (tmp_path / "c" / "runs" / WEB.name).iterdir()]
    own.write_text(OWN + "\n# edited\n")
    small_comparison(tmp_path, strategies=["bfs", name])
    more = [path.name for path in (tmp_path / "c" / "runs" / WEB.name).iterdir()]
    assert len(more) == len(folders) + 1  # an edited strategy is another one


def test_a_strategy_that_lacks_an_extra_is_named_and_left_out(tmp_path: Path, own: Path) -> None:
    name = f"{own}:Lacks"
    results = small_comparison(tmp_path, strategies=["bfs", name])
    assert results.skipped == {name: "pip install fcwseo[none]"}
    assert [row.strategy for row in results.summary] == ["bfs"]
    assert any("was left out" in note for note in results.notes)
    with pytest.raises(MissingExtra):
        small_comparison(tmp_path, strategies=[name])


def test_a_strategy_that_cannot_read_the_topic_is_named_and_left_out(tmp_path: Path, own: Path) -> None:
    name = f"{own}:Unfit"
    results = small_comparison(tmp_path, strategies=["bfs", name])
    assert results.skipped == {name: "no English word"}
    assert [row.strategy for row in results.summary] == ["bfs"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_strategy_that_fails_is_named(tmp_path: Path, own: Path, workers: int) -> None:
    experiment = small_experiment(tmp_path, strategies=[f"{own}:Fails", "bfs"])
    with pytest.raises(FcwseoError, match=r"own.py:\d+: Fails.next raised KeyError: 'lost'"):
        compare(experiment, tmp_path / "c", workers=workers)


def test_a_strategy_that_fails_ends_the_others(tmp_path: Path, own: Path) -> None:
    """One worker waits for work, the other crawls when both are terminated."""
    strategies = f"{own}:Slow,{own}:FailsLate"
    process = start(arguments(tmp_path, seeds=SEEDS[0], strategies=strategies, workers=2))
    code, _, err = finish(process)
    assert code == 1 and "FailsLate.next raised KeyError" in err


def test_a_strategy_that_names_a_link_again_and_again_is_stopped(tmp_path: Path, own: Path) -> None:
    with pytest.raises(InvalidStrategy, match="twice"):
        small_comparison(tmp_path, strategies=[f"{own}:Repeats"])


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        ("none", "there is no strategy 'none'; there are: bfs"),
        ("bsf", "there is no strategy 'bsf': did you mean 'bfs'"),
        ("none.py:Mine", "cannot read the strategy none.py: No such file"),
        ("@:None", "own.py has no 'None'; it has: .*Mine, Fails, Slow"),
    ],
)
def test_strategies_that_are_not_there(tmp_path: Path, own: Path, strategy: str, said: str) -> None:
    with pytest.raises(InvalidStrategy, match=said):
        small_comparison(tmp_path, strategies=[strategy.replace("@", str(own))])


def test_a_strategy_that_fails_on_import(tmp_path: Path, own: Path) -> None:
    own.write_text("import json\nraise ValueError('no')\n")
    with pytest.raises(InvalidStrategy, match=r"own.py:2 cannot be imported: ValueError: no"):
        small_comparison(tmp_path, strategies=[f"{own}:Mine"])
    own.write_text("Mine = 3\n")
    with pytest.raises(InvalidStrategy, match=r"'Mine' of .*own.py is a int"):
        small_comparison(tmp_path, strategies=[f"{own}:Mine"])


def test_a_strategy_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="names the strategies 'bfs' twice"):
        small_comparison(tmp_path, strategies=["bfs", "bfs"])


def test_labels_that_no_page_carries(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="has the label 'rainstrom': did you mean 'rainstorm'"):
        small_comparison(tmp_path, task={"relevant": ["rainstrom"]})


def test_seeds_that_are_not_of_the_web(tmp_path: Path) -> None:
    seeds = tmp_path / "others.txt"
    seeds.write_text(f"{WEB.seeds('rainstorm')[0]}\n\nhttp://outside.example/\n")
    with pytest.raises(InvalidSeeds, match="no seed in set 2 of"):
        small_comparison(tmp_path, task={"seeds": [str(seeds)]})


def test_a_web_that_remembers_answers_as_it_did() -> None:
    web = CachedWeb(WEB, most=50)
    urls = [*list(WEB.urls())[:60], "http://outside.example/", *list(WEB.urls())[5:20]]
    for url in urls * 2:
        assert answer(web, url) == answer(WEB, url)
    assert answer(web, urls[-1]) is answer(web, urls[-1]) and len(web._answers) == 50
    assert (web.name, web.identity, len(web)) == (WEB.name, WEB.identity, len(WEB))
    assert urls[0] in web and web.resolve(urls[0]) == urls[0] and web.labels(urls[0]) == WEB.labels(urls[0])
    assert list(web.urls()) == list(WEB.urls())


# Descriptions in files


def write_experiment(folder: Path, text: str = "") -> Path:
    write_seeds(folder)
    path = folder / "experiment.toml"
    path.write_text(
        f"""strategies = ["bfs", "own.py:Mine"]
max_pages = 20
{text}
[[tasks]]
name = "first"
web = "{WEB.name}"
topic = "rainstorm"
seeds = ["seeds.txt"]
relevant = ["rainstorm"]

[[tasks]]
name = "second"
web = "generated-200-1"
topic = "rainstorm"
seeds = ["{next(iter(WEB.__class__(1, 200).seeds("rainstorm")))}"]
relevant = ["rainstorm"]
"""
    )
    return path


def test_an_experiment_is_read_from_a_file(tmp_path: Path, own: Path) -> None:
    experiment = read_experiment(write_experiment(tmp_path), repeats=2, seed=None)
    assert experiment.strategies == ("bfs", str(own.with_name("own.py:Mine")))
    assert (experiment.max_pages, experiment.repeats, experiment.seed) == (20, 2, 0)
    assert [len(seed_sets(task)) for task in experiment.tasks] == [2, 1]
    results = finished(compare(experiment, tmp_path / "c", workers=1))
    assert [task.name for task in results.tasks] == ["first", "second"]
    assert len(results.runs) == 2 * 3 * 2 and {row.independent for row in results.summary} == {2}  # webs
    units = {(versus.unit, versus.p is None) for row in results.summary for versus in row.versus.values()}
    assert units == {("web", False)} and any("over 2 webs" in note for note in results.notes)
    without = [versus.without for row in results.summary for versus in row.versus.values()]
    assert all(set(own) == {WEB.name, "generated-200-1"} for own in without)
    report = (tmp_path / "c" / "report.html").read_text()
    assert "How sure it is" in report and "<td>webs</td>" in report


def test_the_rehearsal_of_a_file_is_completed_by_what_is_given(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    slow = {"slow_hosts": 0.5, "latency": 0.3}
    with pytest.raises(
        InvalidInput, match=r"delay applies to a rehearsal only, and .*experiment\.toml has none"
    ):
        read_experiment(path, {"delay": 2.0})
    assert read_experiment(path, {"delay": 2.0}, rehearsal={}).rehearsal == Rehearsal(delay=2.0)
    path.write_text(f"rehearsal = {{ slow_hosts = 0.5, latency = 0.3 }}\n{path.read_text()}")
    choices: tuple[dict[str, Any], ...] = ({}, {"rehearsal": {}})
    for given in choices:
        assert read_experiment(path, **given).rehearsal == Rehearsal(**slow)
        assert read_experiment(path, {"delay": 2.0}, **given).rehearsal == Rehearsal(delay=2.0, **slow)
    assert read_experiment(path, {"latency": 0.1}).rehearsal == Rehearsal(slow_hosts=0.5, latency=0.1)
    path.write_text(
        path.read_text().replace("rehearsal = { slow_hosts = 0.5, latency = 0.3 }", "rehearsal = 3")
    )
    with pytest.raises(InvalidInput, match="rehearsal: Expected"):
        read_experiment(path, rehearsal={})


@pytest.mark.parametrize("more", [(), ("--rehearse",)])
def test_the_command_crawls_with_the_rehearsal_of_the_file(
    tmp_path: Path, own: Path, more: tuple[str, ...]
) -> None:
    path = write_experiment(tmp_path)
    path.write_text(f"rehearsal = {{ slow_hosts = 0.5 }}\n{path.read_text()}")
    given = ("--delay", "2", "--max-pages", "3", "--workers", "1", "--strategies", "bfs", *more)
    code, _, said = run("compare", path, "--out", tmp_path / "c", *given)
    assert code == 0, said
    made = [file.parent for file in (tmp_path / "c").rglob("run.json")]
    told = [json.loads(read_run_file(path).config.rehearsal) for path in made]
    assert told and {(times["delay"], times["slow_hosts"]) for times in told} == {(2.0, 0.5)}


def test_a_part_of_an_ontology_beside_the_experiment_is_found(tmp_path: Path) -> None:
    (tmp_path / "own.ttl").write_text("")
    path = write_experiment(tmp_path)
    path.write_text(path.read_text().replace('topic = "rainstorm"', 'topic = "own.ttl#hail"', 1))
    experiment = read_experiment(path)
    assert [task.topic for task in experiment.tasks] == [f"{tmp_path / 'own.ttl'}#hail", "rainstorm"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("max_pages = 0", "experiment.toml is not an experiment: max_pages: Expected `int` >= 1"),
        ("max_page = 5", "experiment.toml has an unknown key 'max_page': did you mean 'max_pages'"),
        ("max_pages = 1_000_000_001", "max_pages: Expected `int` <= 1000000000"),
        ("max_pages = 99999999999999999999999", "max_pages: Expected `int` <= 1000000000"),
        ("repeats = 1001", "repeats: Expected `int` <= 1000"),
        ("seed = 'a'", "seed: Expected `int`, got `str`"),
        ("max_pages = 5\n[[tasks]]\nwbe = 'w'", "unknown key 'wbe' in task 1: did you mean 'web'"),
        ("= 3", "is not TOML"),
    ],
)
def test_files_that_describe_no_experiment(tmp_path: Path, text: str, said: str) -> None:
    path = write_experiment(tmp_path, text)
    path.write_text(path.read_text().replace("max_pages = 20\n", ""))
    with pytest.raises(InvalidInput, match=said):
        read_experiment(path)


def test_nothing_is_written_down_of_a_comparison_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        small_comparison(tmp_path, task={"relevant": ["none"]})
    assert [path.name for path in (tmp_path / "c").iterdir()] == [".lock"]


def test_a_run_that_lost_its_log_is_named(tmp_path: Path) -> None:
    """It would count as a crawl that found nothing."""
    small_comparison(tmp_path)
    (visits,) = (tmp_path / "c").glob("runs/*/bfs/0-0/visits.jsonl")
    visits.write_bytes(b"")
    for read in (summary, report_run):
        with pytest.raises(InvalidRun, match=r"bfs/0-0/visits.jsonl has 0 visits, but there were"):
            read(visits.parent)
    with pytest.raises(InvalidRun, match=r"bfs/0-0/visits.jsonl has 0 visits, but there were"):
        small_comparison(tmp_path)


def test_tasks_need_names_of_their_own(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    path.write_text(path.read_text().replace('"second"', '"first"'))
    with pytest.raises(InvalidInput, match="names the tasks 'first' twice"):
        read_experiment(path)


# The command


def arguments(folder: Path, **options: Any) -> list[str | Path]:
    given: dict[str, Any] = {
        "web": WEB.name,
        "topic": "rainstorm",
        "seeds": write_seeds(folder),
        "relevant": "rainstorm",
        "strategies": "bfs,best-first",
        "max-pages": 20,
        "workers": 1,
        "out": folder / "c",
    } | options
    return ["compare", *(str(part) for name, value in given.items() for part in (f"--{name}", value))]


def test_the_command_compares_and_reports(tmp_path: Path) -> None:
    code, out, err = run(*arguments(tmp_path), "--json", "--trec")
    assert code == 0, err
    assert json.loads(out) == json.loads((tmp_path / "c" / "results.json").read_text())
    assert "the report is" in err and "One task: not tested" in err
    qrels = (tmp_path / "c" / "trec" / "qrels.txt").read_text().splitlines()
    assert sum(line.endswith(" 1") for line in qrels) == 2 * json.loads(out)["tasks"][0]["relevant"]
    ranking = (tmp_path / "c" / "trec" / "bfs.run").read_text().splitlines()
    assert len(ranking) == 40 and ranking[0].split()[3:] == ["1", "20", "bfs"]
    before = (tmp_path / "c" / "report.html").read_bytes()
    (tmp_path / "c" / "report.html").unlink()
    code, out, err = run("report", tmp_path / "c")
    assert (code, out.strip()) == (0, str(tmp_path / "c" / "report.html"))
    assert (tmp_path / "c" / "report.html").read_bytes() == before


def test_where_all_runs_are_one_there_is_no_interval(tmp_path: Path) -> None:
    seed = write_seeds(tmp_path).read_text().split()[0]
    code, out, err = run(*arguments(tmp_path, strategies="bfs", seeds=seed, repeats=2))
    assert code == 0, err
    assert re.search(r"bfs +\d\.\d{3} +- ", out) and "0.000, 1.000" not in out
    assert "0.000, 1.000" not in (tmp_path / "c" / "table.md").read_text()


def test_measures_are_listed_and_chosen(tmp_path: Path) -> None:
    code, out, _ = run("compare", "--measures", "list")
    assert code == 0 and all(name in out for name in MEASURES)
    code, out, err = run(*arguments(tmp_path), "--measures", "requests,max_ndcg")
    assert code == 0, err
    assert "requests" in out and "max ndcg" in out and "recall" not in out
    code, _, err = run(*arguments(tmp_path), "--measures", "recal")
    assert code == 4 and "did you mean 'recall'" in err


def test_crawls_that_are_not_compared_any_more_are_counted(tmp_path: Path) -> None:
    assert "earlier comparisons" not in run(*arguments(tmp_path))[2]
    code, _, err = run(*arguments(tmp_path, strategies="bfs"))
    assert code == 0 and "2 crawls in" in err and "earlier comparisons" in err


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        ({"strategies": "bfs,none"}, 4, "there is no strategy 'none'"),
        ({"relevant": "none"}, 4, "has the label 'none'"),
        ({"out": "/dev/null/c"}, 4, "cannot write /dev/null/c"),
        ({"max-pages": 0}, 2, "--max-pages"),
        ({"max-pages": 10**23}, 2, "--max-pages"),
        ({"repeats": 10**12}, 2, "--repeats"),
    ],
)
def test_bad_comparisons_say_so_in_a_line(
    tmp_path: Path, options: dict[str, Any], code: int, said: str
) -> None:
    found, out, err = run(*arguments(tmp_path, **options))
    assert found == code and out == "" and len(err.splitlines()) == 1 and said in err


def test_two_comparisons_in_a_folder_are_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    with lock(tmp_path / "c", "comparing"):
        code, out, err = run(*arguments(tmp_path))
    assert (code, out) == (4, "") and err.startswith("error: another process is comparing into ")
    assert [path.name for path in (tmp_path / "c").iterdir()] == [".lock"]
    code, _, err = run(*arguments(tmp_path))
    assert code == 0, err


def test_a_comparison_is_locked_while_it_lasts(tmp_path: Path) -> None:
    def meanwhile(text: str) -> None:
        with pytest.raises(RunLocked):
            compare(experiment, tmp_path / "c", workers=1)
        said.append(text)

    said: list[str] = []
    experiment = small_experiment(tmp_path)
    finished(compare(experiment, tmp_path / "c", workers=1, progress=meanwhile))
    assert any("crawls done" in text for text in said)
    finished(compare(experiment, tmp_path / "c", workers=1))


def test_the_rankings_are_those_of_the_results(tmp_path: Path) -> None:
    both, trec = small_experiment(tmp_path, sets=1), tmp_path / "c" / "trec"
    compare(both, tmp_path / "c", workers=1, trec=True)
    assert {path.name for path in trec.iterdir()} == {"bfs.run", "best-first.run", "qrels.txt"}
    (trec / "mine.txt").touch()
    compare(small_experiment(tmp_path, sets=1, strategies=["bfs"]), tmp_path / "c", workers=1)
    assert [path.name for path in trec.iterdir()] == ["mine.txt"]


def test_a_comparison_needs_a_web(tmp_path: Path) -> None:
    code, _, err = run("compare", "--topic", "rainstorm", "--out", tmp_path / "c")
    assert code == 2 and "--web" in err
    code, _, err = run("compare", write_experiment(tmp_path), "--web", "x", "--out", tmp_path / "c")
    assert code == 4 and "--web conflicts" in err


def test_a_report_of_nothing(tmp_path: Path) -> None:
    code, out, err = run("report", tmp_path)
    assert (code, out) == (4, "") and "run.json" in err and "results.json" in err


@pytest.mark.parametrize("workers", [1, 2])
def test_interrupted_and_started_again_gives_the_same(tmp_path: Path, workers: int) -> None:
    many = {"max-pages": 60, "repeats": 4, "workers": workers}
    process = start(arguments(tmp_path, **many))
    runs = tmp_path / "c" / "runs"
    deadline = time.monotonic() + 60
    while len(list(runs.rglob("times.jsonl"))) < 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    code, out, err = finish(process)
    assert code == 11, err
    assert out == "" and "same command" in err and "Traceback" not in err
    assert not (tmp_path / "c" / "results.json").exists()
    experiment = small_experiment(tmp_path, max_pages=60, repeats=4)
    for folder in ("c", "d"):  # the first goes on
        compare(experiment, tmp_path / folder, workers=1)
    assert timeless(tmp_path / "c") == timeless(tmp_path / "d")


def test_interrupted_twice_in_a_row_it_ends_as_well(tmp_path: Path) -> None:
    """As ``timeout -s INT`` does, and people do."""
    process = start(arguments(tmp_path, **{"max-pages": 200, "repeats": 20, "workers": 2}))
    deadline = time.monotonic() + 60
    while not list((tmp_path / "c").rglob("times.jsonl")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)
    assert code == 11 and "same command" in err
    assert len(list((tmp_path / "c").rglob("times.jsonl"))) < 40


def test_a_comparison_that_names_no_strategy_takes_eight_and_all_takes_all(tmp_path: Path) -> None:
    default = small_experiment(tmp_path, strategies=list(TELLING))
    task = default.tasks[0]
    fields = {"tasks": [{"web": task.web, "topic": task.topic, "seeds": list(task.seeds)}]}
    assert make_experiment(fields, where="a test").strategies == TELLING
    assert len(set(TELLING)) == 8 and set(TELLING) <= set(STRATEGIES)
    every = make_experiment({**fields, "strategies": ["mine.py:Mine", "all", "ops"]}, where="a test")
    assert every.strategies == ("mine.py:Mine", *STRATEGIES)
