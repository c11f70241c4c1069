"""The examples run, and do what they say. They are not part of the wheel."""

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
