"""Thresholds proposed from documents about a topic and others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.uses.calibrate import calibrate, propose
from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.topic import topic_of_words

values = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=30)


def f1(positives: list[float], background: list[float], eta: float) -> float:
    found, wrong = sum(v >= eta for v in positives), sum(v >= eta for v in background)
    return 2 * found / (found + wrong + len(positives))


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
