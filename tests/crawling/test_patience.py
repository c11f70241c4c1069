"""Patience, from the plan of a crawl to its choices."""

from pathlib import Path

import pytest
from helpers.runs import SEEDS, WEB, lines

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.rehearsal import Rehearsal
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_rehearsed import run_rehearsed
from fcwseo.errors import InvalidInput, InvalidRun


def seconds(run: Path, patience: float, *, strategy: str = "fcwseo") -> float:
    """The virtual seconds of a crawl of sixty pages."""
    plan = Plan(strategy=strategy, max_pages=60, width=32, patience=patience)
    run_rehearsed(WEB, Rehearsal(), WEB.topic(), SEEDS, run, plan)
    found = summary(run)["clock"]
    assert isinstance(found, float)
    return found


def test_the_patient_wait_for_the_best_link(tmp_path: Path) -> None:
    assert seconds(tmp_path / "strict", 1.0) > 1.5 * seconds(tmp_path / "any", 0.0)
    rules = [row.get("rule") for row in lines(tmp_path / "strict" / "visits.jsonl")]
    assert "fronts" not in rules


def test_a_run_is_continued_with_its_patience_only(tmp_path: Path) -> None:
    seconds(tmp_path / "run", 0.9)
    with pytest.raises(InvalidRun, match="patience"):
        seconds(tmp_path / "run", 0.8)


def test_patience_says_nothing_to_other_strategies(tmp_path: Path) -> None:
    first, second = (seconds(tmp_path / str(patience), patience, strategy="bfs") for patience in (1.0, 0.0))
    assert first == second


@pytest.mark.parametrize("patience", [-0.1, 1.1])
def test_patience_lies_between_0_and_1(patience: float) -> None:
    with pytest.raises(InvalidInput, match="patience lies between 0 and 1"):
        Plan(max_pages=1, patience=patience)
