"""The threshold of a crawl: fixed or running."""

import json
from pathlib import Path

import pytest
from helpers.runs import SEEDS, left_at, log, small_run, whole

from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.status import summary
from fcwseo.relevance.threshold import LEAST, FixedThreshold, RunningThreshold, threshold_of


def etas(seeds: list[float], others: list[float]) -> list[float]:
    threshold = RunningThreshold()
    return [threshold.add(value, is_seed=i < len(seeds)) for i, value in enumerate([*seeds, *others])]


def test_a_page_half_as_relevant_as_the_seeds_is_kept() -> None:
    assert etas([0.4, 0.2, 0.3], [0.1, 0.0])[-1] == pytest.approx(0.15)


def test_one_seed() -> None:
    assert etas([0.4], []) == [0.2]


def test_seeds_off_the_topic_are_outdone_by_the_best_pages() -> None:
    assert etas([0.0, 0.01], [0.4] * 10)[-1] == pytest.approx(0.1)


def test_all_pages_relevant_are_all_kept() -> None:
    assert max(etas([0.3] * 5, [0.3] * 50)) < 0.3


def test_where_nothing_is_relevant_nothing_is_kept() -> None:
    assert set(etas([0.0], [0.001] * 20)) == {LEAST}


def test_how_it_was_found_is_said() -> None:
    threshold = RunningThreshold()
    assert threshold.calibration().method == "the smallest allowed"
    threshold.add(0.01, is_seed=True)
    for _ in range(10):
        threshold.add(0.4, is_seed=False)
    assert threshold.calibration().method == "0.25 of the median of the 10 most relevant pages"
    for _ in range(20):
        threshold.add(0.002, is_seed=False)
    found = threshold.calibration()
    assert (found.positives, found.background) == (1, 8)
    assert found.separation is not None and found.separation.auc == 1.0 and found.separation.recall == 0.0


def test_a_threshold_that_is_given_stays() -> None:
    threshold = threshold_of(0.25)
    assert isinstance(threshold, FixedThreshold) and isinstance(threshold_of(None), RunningThreshold)
    for value in (0.9, 0.1):
        threshold.add(value, is_seed=True)
        assert threshold.keep == 0.25
    assert threshold.calibration().method == "given" and threshold.calibration().eta == 0.25


@pytest.mark.parametrize("eta", [0.0, 0.3, 1.0])
def test_a_given_threshold_never_decides_where_the_crawl_goes(tmp_path: Path, eta: float) -> None:
    small_run(tmp_path / "running")
    small_run(tmp_path / "given", eta=eta)
    running, given = ([row["url"] for row in log(tmp_path / name)] for name in ("running", "given"))
    assert running == given


def test_the_pages_kept_are_those_of_the_eta_that_was_given(tmp_path: Path) -> None:
    small_run(tmp_path / "run", eta=0.2)
    rows = [row for row in log(tmp_path / "run") if row["outcome"] == "page"]
    assert {row["eta"] for row in rows} == {0.2}
    assert [row["kept"] for row in rows] == [row["relevance"] >= 0.2 for row in rows]
    assert 0 < sum(row["kept"] for row in rows) < len(rows)


@pytest.mark.parametrize("count", [3, 20, 45])
def test_a_killed_crawl_goes_on_with_the_same_threshold(tmp_path: Path, count: int) -> None:
    small_run(tmp_path / "done")
    run = left_at(tmp_path / "done", tmp_path / "run", count)
    small_run(run)
    assert whole(run) == whole(tmp_path / "done")
    assert read_run_file(run).calibration == read_run_file(tmp_path / "done").calibration


def test_the_log_says_the_threshold_of_a_crawl_that_was_killed(tmp_path: Path) -> None:
    small_run(tmp_path / "done")
    run = left_at(tmp_path / "done", tmp_path / "run", len(log(tmp_path / "done")))
    found = summary(run)["calibration"]
    assert found == read_run_file(tmp_path / "done").calibration and found.positives == len(SEEDS)


def test_a_crawl_keeps_some_and_not_all(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    kept = [row["kept"] for row in log(tmp_path / "run")]
    assert 5 < sum(kept) < len(kept)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["config"]["eta"] is None


def test_pages_are_kept_by_relevance_on_the_scale_of_the_seeds() -> None:
    """From the second page on, relevance is half of what it would have been before."""
    scales = iter([1.0, 2.0, 2.0])
    threshold = RunningThreshold(scales.__next__)
    assert [threshold.add(0.4, is_seed=True), threshold.keep] == [0.2, 0.2]
    assert [threshold.add(0.1, is_seed=False), threshold.keep] == [0.2, 0.1]
    threshold.add(0.09, is_seed=False)
    found = threshold.calibration()
    assert found.eta == threshold.keep == 0.1 and found.method == "0.5 of the median of the seeds"
    assert found.separation is not None and found.separation.recall == 1


def test_a_strategy_observes_the_threshold_of_relevance_as_it_was_judged(tmp_path: Path) -> None:
    """And the log has the one from which pages are kept; so has the status."""
    small_run(tmp_path, strategy="bfs")
    rows = [row for row in log(tmp_path) if row["outcome"] == "page"]
    assert all(row["kept"] == (row["relevance"] >= row["eta"]) for row in rows)
    plain = etas(
        [row["relevance"] for row in rows if row["depth"] == 0],
        [row["relevance"] for row in rows if row["depth"]],
    )
    assert rows[-1]["eta"] != pytest.approx(plain[-1])
    assert summary(tmp_path)["calibration"].eta == rows[-1]["eta"]
