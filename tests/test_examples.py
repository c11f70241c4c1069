"""The examples run, and do what they say. They are not part of the wheel."""

import re
import subprocess
import sys

import pytest
from helpers.sources import IS_TREE, NO_TREE, TREE


@pytest.mark.slow
@pytest.mark.skipif(not IS_TREE, reason=NO_TREE)
def test_a_strategy_of_ones_own_beats_breadth_first() -> None:
    program = TREE / "examples" / "own_strategy.py"
    printed = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True).stdout
    breadth, anchors = (float(line.split()[-1]) for line in printed.splitlines())
    assert 0 < breadth < anchors <= 1


@pytest.mark.slow
@pytest.mark.skipif(not IS_TREE, reason=NO_TREE)
def test_a_relevance_of_ones_own_decides_which_pages_are_kept() -> None:
    program = TREE / "examples" / "own_relevance.py"
    printed = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True).stdout
    (usual, on_topic), (own, own_on_topic) = [
        map(int, re.findall(r"\d+", line)) for line in printed.splitlines()
    ]
    assert usual != own and on_topic > 0.8 * usual and own_on_topic > 0.8 * own
