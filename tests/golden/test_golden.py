"""Crawls visit and keep the same pages as when they were recorded: a refactoring moves nothing."""

from hashlib import blake2b

import pytest
from helpers.fakes import TESTED
from helpers.sources import IS_TREE, NO_TREE

from golden import crawls, recorded

pytestmark = pytest.mark.skipif(not IS_TREE, reason=NO_TREE)

FIRST_DIGEST = "8e83b59184ca04f859742fb5"


IN_QUICK = ("generated/1", "frozen/4", "live/1")  # each web and each width once


@pytest.mark.parametrize(
    "group",
    [pytest.param(group, marks=[] if group in IN_QUICK else pytest.mark.slow) for group in crawls.GROUPS],
)
def test_crawls_are_those_recorded(group: str) -> None:
    wanted = {key: value for key, value in recorded.expected().items() if key.startswith(f"{group}/")}
    assert recorded.computed(group) == wanted


def test_the_first_recording_is_never_edited() -> None:
    assert blake2b(recorded.FIRST.read_bytes(), digest_size=12).hexdigest() == FIRST_DIGEST


def test_every_change_has_a_reason() -> None:
    for reason, changed in recorded.sections(recorded.CHANGES.read_text()):
        assert changed
        assert len(reason.split()) >= 5, f"no reason is given for {', '.join(changed)}"
        assert "REASON" not in reason


def test_every_strategy_is_recorded() -> None:
    names = {key.rpartition("/")[2] for key in recorded.expected()}
    assert names == {*TESTED, "oracle"}


def test_a_difference_is_noticed() -> None:
    rows = [{"url": "a", "relevance": 0.123456}]
    fields = ("url", "relevance")
    assert crawls.digest(rows, fields) == crawls.digest([{"url": "a", "relevance": 0.1234560001}], fields)
    assert crawls.digest(rows, fields) != crawls.digest([{"url": "a", "relevance": 0.123457}], fields)
    assert crawls.digest(rows * 2, fields) != crawls.digest(rows, fields)
    assert recorded.differences({"live/1/bfs": "0 1"}, {"live/1/bfs": "0 2"}) == ["- `live/1/bfs`: `0 1`"]
