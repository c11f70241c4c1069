"""The measures, against numbers worked out by hand, against slow twins, and by their laws."""

import json
import statistics
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.metrics import (
    Harvest,
    absolute_error,
    average_relevance,
    average_similarity,
    checkpoints,
    harvest_area,
    harvest_rate,
    recall,
    standard_deviation,
    sum_of_information,
    target_recall,
)
from fcwseo.crawling.run_directory.log import PAGE, read_visits

# Ten visits: the host, the outcome, R(p), and whether the page was kept.
TEN = """
a page      0.9 yes
b page      0.1 no
a gone      0.0 no
c page      0.5 yes
a page      0.3 yes
b page      0.0 no
b duplicate 0.0 no
a page      0.7 yes
a page      0.2 no
c page      0.5 yes
"""


@pytest.fixture
def harvest(tmp_path: Path) -> Harvest:
    """The ten visits, written as a log and read from it."""
    rows = []
    for step, (host, outcome, relevance, kept) in enumerate(map(str.split, TEN.split("\n")[1:-1]), start=1):
        url = f"http://{host}.example/{step}"
        page = {"final_url": url, "status": 200, "digest": f"{step}"} if outcome == "page" else {}
        fixed = {"parent": None, "anchor": "", "depth": 0, "detail": "", "at": ""}
        none = dict.fromkeys(("final_url", "status", "digest", "predicted", "objectives"))
        facts = {"step": step, "url": url, "outcome": outcome, "relevance": float(relevance)}
        rows.append({**fixed, **none, **facts, **page, "kept": kept == "yes"})
    (tmp_path / "visits.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    harvest = Harvest()
    for row in read_visits(tmp_path):
        if row.outcome == PAGE:
            harvest.add(row.final_url or "", row.relevance, row.kept)
    return harvest


def test_the_harvest_rate_of_ten_visits(harvest: Harvest) -> None:
    assert len(harvest) == 8
    assert harvest_rate(harvest.relevant) == 5 / 8


def test_average_relevance_and_deviation_of_ten_visits(harvest: Harvest) -> None:
    assert average_relevance(harvest.relevance) == pytest.approx(0.4)
    assert standard_deviation(harvest.relevance) == pytest.approx(0.2872281323)  # the root of 0.2425 - 0.16


def test_the_hosts_of_ten_visits(harvest: Harvest) -> None:
    assert harvest.hosts == {"a.example": 4, "b.example": 2, "c.example": 2}


def test_the_recall_of_ten_visits(harvest: Harvest) -> None:
    assert recall(harvest.relevant, total=20) == 0.25


def test_average_similarity_of_ten_visits(harvest: Harvest) -> None:
    """(0.9 + 0.5 + 0.3 + 0.7 + 0.5) / 5: the relevant pages only."""
    assert average_similarity(harvest.relevance, harvest.relevant) == pytest.approx(0.58)


def test_the_sum_of_information_of_ten_visits(harvest: Harvest) -> None:
    assert sum_of_information(harvest.relevance) == pytest.approx(3.2)


def test_the_absolute_error_of_ten_visits(harvest: Harvest) -> None:
    """Off by 0.1, 0.3, -0.1, 0, 0.2, and nothing predicted of the three others."""
    predicted = [1.0, None, 0.8, 0.2, 0.0, None, None, 0.7]
    assert absolute_error(harvest.relevance, predicted) == pytest.approx((0.1 + 0.3 + 0.1 + 0 + 0.2) / 5)
    assert absolute_error(harvest.relevance, [None] * 8) is None


def test_the_target_recall_of_ten_visits(harvest: Harvest) -> None:
    """Five were found; of 20 the budget could have brought all, of 8 no more than 8."""
    assert target_recall(harvest.relevant, total=20, budget=40) == 5 / 20
    assert target_recall(harvest.relevant, total=20, budget=8) == 5 / 8


def test_the_harvest_area_of_ten_visits(harvest: Harvest) -> None:
    """With a budget of 20 every page is a checkpoint; after the eighth the count stays at 5."""
    found = [1, 1, 2, 3, 3, 4, 4, 5, *[5] * 12]
    area = sum(Fraction(count, n) for n, count in enumerate(found, start=1)) / 20
    assert harvest_area(harvest.relevant, budget=20) == pytest.approx(float(area))
    by_hand = (5.379762 + 5 * (3.597740 - 2.717857)) / 20  # the first eight, and harmonic numbers
    assert float(area) == pytest.approx(by_hand, abs=1e-6)


def test_the_harvest_area_of_a_budget_below_20() -> None:
    """Of a budget of 4, the checkpoints fall on 1 (seven times), 2, 3 and 4: each still counts."""
    at = [1] * 7 + [2] * 5 + [3] * 5 + [4] * 3
    assert [max(1, round(4 * i / 20)) for i in range(1, 21)] == at
    expected = (7 * 1 + 5 * 1 / 2 + 5 * 1 / 3 + 3 * 2 / 4) / 20
    assert harvest_area([1, 0, 0, 1], budget=4) == pytest.approx(expected)


def test_the_measures_of_nothing() -> None:
    assert harvest_rate([]) == average_relevance([]) == standard_deviation([]) == 0.0
    assert harvest_area([], budget=100) == 0.0
    assert recall([], total=0) == recall([], total=5) == 0.0


# Laws

judgements = st.lists(st.integers(0, 1), max_size=120)
budgets = st.integers(1, 500)


@given(st.lists(st.floats(0, 1), min_size=1))
def test_mean_and_deviation_are_those_of_the_textbook(relevance: list[float]) -> None:
    assert average_relevance(relevance) == pytest.approx(statistics.fmean(relevance))
    assert standard_deviation(relevance) == pytest.approx(statistics.pstdev(relevance), abs=1e-9)


@given(budgets)
def test_checkpoints_rise_to_the_budget(budget: int) -> None:
    at = checkpoints(budget)
    assert at == sorted(set(at)) and at[0] >= 1 and at[-1] == budget
    assert len(at) == min(budget, 20)
    assert all(abs(n - budget * i / 20) <= 0.5 for i, n in enumerate(at, start=1)) or budget < 20


@given(judgements, budgets)
def test_the_area_lies_between_none_and_all(relevant: list[int], budget: int) -> None:
    relevant = relevant[:budget]
    area = harvest_area(relevant, budget=budget)
    so_far = [sum(relevant[:n]) / n for n in range(1, len(relevant) + 1)]
    assert 0.0 <= area <= max(so_far, default=0.0) + 1e-12
    assert harvest_area([0] * len(relevant), budget=budget) == 0.0
    assert harvest_area([1] * budget, budget=budget) == pytest.approx(1.0)


@given(judgements, st.integers(0, 100), budgets)
def test_an_early_end_keeps_its_count(relevant: list[int], more: int, budget: int) -> None:
    """What was not fetched was not found: it counts as if it had been fetched and was irrelevant."""
    early = harvest_area(relevant, budget=budget)
    assert harvest_area([*relevant, *[0] * more], budget=budget) == pytest.approx(early)


@given(judgements, budgets)
def test_one_more_relevant_page_is_never_worse(relevant: list[int], budget: int) -> None:
    more = harvest_area([*relevant, 1], budget=budget)
    assert more >= harvest_area(relevant, budget=budget)
    if len(relevant) < budget:
        assert more > harvest_area(relevant, budget=budget)


@given(judgements, budgets)
def test_finding_the_same_pages_earlier_is_never_worse(relevant: list[int], budget: int) -> None:
    early = harvest_area(sorted(relevant, reverse=True), budget=budget)
    late = harvest_area(sorted(relevant), budget=budget)
    assert late - 1e-12 <= harvest_area(relevant, budget=budget) <= early + 1e-12


@given(judgements)
def test_recall_of_everything_is_one(relevant: list[int]) -> None:
    total = sum(relevant)
    assert recall(relevant, total=total) == (1.0 if total else 0.0)
    assert 0.0 <= recall(relevant, total=total + 7) < 1.0
