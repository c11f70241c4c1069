"""Thresholds from examples, and those that a crawl finds on the way."""

import json
from pathlib import Path

import numpy as np
import pytest
from helpers.runs import SEEDS, left_at, log, small_run, whole
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.run_directory import read_run_file, summary
from fcwseo.relevance.threshold import LEAST, Given, OnTheWay, calibrate, propose, threshold_of
from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.topic import topic_of_words

values = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30)


def f1(positives: list[float], background: list[float], eta: float) -> float:
    found, wrong = sum(v >= eta for v in positives), sum(v >= eta for v in background)
    return 2 * found / (found + wrong + len(positives))


# Documents


@given(values, values)
def test_no_threshold_has_a_larger_f1(positives: list[float], background: list[float]) -> None:
    found = calibrate(positives, background)
    best = max(f1(positives, background, eta) for eta in positives + background)
    assert found.separation is not None
    assert found.separation.f1 == pytest.approx(best) == pytest.approx(f1(positives, background, found.eta))


@given(values, values)
def test_the_separation_by_its_definition(positives: list[float], background: list[float]) -> None:
    found = calibrate(positives, background)
    assert found.separation is not None
    wins = [(p > b) + (p == b) / 2 for p in positives for b in background]
    assert found.separation.auc == pytest.approx(np.mean(wins))
    passed = [v >= found.eta for v in positives]
    assert found.separation.recall == pytest.approx(np.mean(passed))
    assert found.separation.precision == pytest.approx(
        sum(passed) / max(1, sum(passed) + sum(v >= found.eta for v in background))
    )


def test_one_side_is_enough() -> None:
    ups = calibrate([0.2, 0.4, 0.9], [])
    assert ups.eta == pytest.approx(0.7 * 0.4) and ups.separation is None
    downs = calibrate([], [v / 100 for v in range(101)])
    assert downs.eta == pytest.approx(0.95) and downs.separation is None
    assert (downs.positives, downs.background) == (0, 101)


@pytest.mark.parametrize(
    ("positives", "background", "word"),
    [
        ([0.5, 0.6], [0.1, 0.2], "well"),
        ([0.15, 0.6], [0.1, 0.2, 0.1], "fairly"),
        ([0.1, 0.2], [0.1, 0.2], "poorly"),
    ],
)
def test_the_word_for_it(positives: list[float], background: list[float], word: str) -> None:
    separation = calibrate(positives, background).separation
    assert separation is not None and separation.word == word


TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.6})
WET = [Document(f"wet{i}", "Rainstorm", "A rainstorm brings a flood to the valley. " * i) for i in (1, 2, 3)]
DRY = [Document(f"dry{i}", "Football", f"The match ended after {i} goals in the rain.") for i in (1, 2, 3)]


def test_documents_about_a_topic_stand_out() -> None:
    proposal = propose(TOPIC, WET, DRY)
    found = proposal.calibration
    assert found.separation is not None and found.separation.f1 == 1.0 and found.separation.word == "well"
    assert 0 < found.eta < 1 and proposal.tau is not None and 0 < proposal.tau < 1


def test_no_tau_without_documents_about_the_topic() -> None:
    assert propose(TOPIC, [], DRY).tau is None


# On the way


def etas(seeds: list[float], others: list[float]) -> list[float]:
    threshold = OnTheWay()
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
    threshold = OnTheWay()
    assert threshold.calibration().method == "the least there is"
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
    assert isinstance(threshold, Given) and isinstance(threshold_of(None), OnTheWay)
    assert [threshold.add(value, is_seed=True) for value in (0.9, 0.1)] == [0.25, 0.25]
    assert threshold.calibration().method == "given"


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
