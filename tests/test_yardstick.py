"""The yardstick of the benchmarks: its list of tasks, what counts as a find, and what was declared."""

import tomllib
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from helpers.webs import frozen_web
from kept_crawls import Side
from task_crawls import Wanted, carry_out
from tasks import Task, available, listed, names
from yardstick import DECLARED, Declared, share_between_webs, side

from fcwseo.comparison.measures import MEASURES
from fcwseo.crawling.metrics import harvest_area
from fcwseo.strategies.loading import load_strategy

URLS = [f"http://a.example/{number}" for number in range(8)]


@pytest.fixture
def task(tmp_path: Path) -> Task:
    """A chain of eight pages, of which the even ones are relevant, and the first two of these documents."""
    pages = {url: f"<p>rain</p><a href='{after}'>next</a>" for url, after in pairwise(URLS)}
    pages[URLS[-1]] = "<p>rain</p>"
    web = frozen_web(tmp_path / "w", pages, labels={url: ["rain"] for url in URLS[::2]})
    return Task("t", web, frozenset({"rain"}), (URLS[0], URLS[2]), 8, [[URLS[0]]], topic="rainstorm")


def test_documents_of_a_topic_are_relevant_but_no_finds(task: Task) -> None:
    crawled = carry_out(task, Wanted("bfs", {}, 0, 0))
    assert crawled.urls == URLS and crawled.requests == 8
    assert [task.has_label(url) for url in crawled.urls] == [True, False] * 4
    assert [task.is_find(url) for url in crawled.urls] == [False] * 4 + [True, False] * 2
    with_documents = harvest_area([task.has_label(url) for url in URLS], budget=8)
    assert harvest_area([task.is_find(url) for url in URLS], budget=8) < with_documents


def test_every_listed_task_has_a_known_web_and_few_documents() -> None:
    found = listed()
    assert {entry.web for entry in found.tasks.values()} == set(found.webs)
    for name, entry in found.tasks.items():
        assert entry.budget > 0 and bool(entry.folder) != bool(entry.relevant), name
        assert (entry.documents == 0) == bool(entry.topic), name


def test_tasks_are_named_by_kind_web_group_or_name() -> None:
    assert names("weather") == ["weather"] and len(names()) == len(listed().tasks)
    assert {listed().tasks[name].web for name in names("many hosts")} == {"rdocs", "uci"}
    assert names("narrow") == [name for name in names("rdocs") if name.endswith("-narrow")]
    assert names("weather", "wikispeedia").count("weather") == 1
    with pytest.raises(SystemExit, match="'wether' is no task"):
        names("wether")


def test_tasks_without_a_web_are_left_out_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "webs" / "uci").mkdir(parents=True)
    assert available((tmp_path,), ["weather", "statistics"]) == ["statistics"]
    assert "left out" in (err := capsys.readouterr().err) and "weather" in err
    with pytest.raises(SystemExit, match="no task is left"):
        available((tmp_path,), ["weather"])


def test_what_is_declared_can_be_run() -> None:
    declared = msgspec.convert(tomllib.loads(DECLARED.read_text(encoding="utf-8")), Declared)
    assert declared.measure in MEASURES and declared.primary not in declared.others
    for name in (declared.strategy, declared.primary, *declared.others):
        load_strategy(name)


def test_a_side_is_a_strategy_settings_and_a_commit() -> None:
    assert side("fcwseo:explore=0@abc") == Side("fcwseo", {"explore": 0.0}, "abc")
    assert side("@abc") == Side("fcwseo", {}, "abc") and side("width=4") == Side("fcwseo", {"width": 4.0})
    with pytest.raises(SystemExit, match="NAME=NUMBER"):
        side("fcwseo:width=wide")


def test_the_variance_between_webs_is_told_from_that_between_their_tasks() -> None:
    wikispeedia, linuxcn = names("wikispeedia")[:4], names("linuxcn")[:4]
    apart = {(name, 0, 0): 1.0 + i / 100 for i, name in enumerate(wikispeedia)}
    apart |= {(name, 0, 0): i / 100 for i, name in enumerate(linuxcn)}
    mixed = {(name, 0, 0): float(i % 2) for i, name in enumerate([*wikispeedia, *linuxcn])}
    share = share_between_webs(apart)
    assert share is not None and share > 0.99 and share_between_webs(mixed) == 0.0
    assert share_between_webs({("weather", 0, 0): 1.0, ("python", 0, 0): 2.0}) is None
