"""Strategies by name, from files and from packages."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest
from helpers.commands import run, write_crawl
from helpers.runs import log, small_run
from helpers.sources import IS_TREE, NO_TREE, TREE

from fcwseo.errors import InvalidStrategy
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies import STRATEGIES, loading
from fcwseo.strategies.loading import load_strategy, strategy_version
from fcwseo.webs.generated import GeneratedWeb


def test_names_of_ours_and_of_nobody() -> None:
    assert load_strategy("bfs") is STRATEGIES["bfs"]
    with pytest.raises(InvalidStrategy, match=r"no strategy 'dfs': did you mean 'bfs'.*file.py:Name"):
        load_strategy("dfs")


def test_a_package_names_its_strategies(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("theirs", "fcwseo.strategies.bfs:BreadthFirst", loading.GROUP),
        EntryPoint("broken", "no_such_package:Thing", loading.GROUP),
        EntryPoint("bfs", "no_such_package:Thing", loading.GROUP),  # what is built in counts more
    ]
    monkeypatch.setattr(loading, "entry_points", lambda group: [p for p in points if p.group == group])
    assert load_strategy("theirs").__name__ == "BreadthFirst"
    assert load_strategy("bfs") is STRATEGIES["bfs"]
    with pytest.raises(InvalidStrategy, match="'broken' of no_such_package:Thing cannot be loaded"):
        load_strategy("broken")
    with pytest.raises(InvalidStrategy, match=r"there are: bfs, .*broken, theirs"):
        load_strategy("none")


def test_a_file_is_read_again_when_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    web = GeneratedWeb(0, 300)
    for answer in (1, 2):
        path.write_text(f"def make(topic, relevance, rng):\n    return {answer}\n")
        factory = load_strategy(f"{path}:make")
        assert factory(web.topic(), TopicalRelevance(web.topic()), Random(0)) == answer  # type: ignore[comparison-overlap]
    assert strategy_version("bfs") == "" != strategy_version(f"{path}:make")
    before = strategy_version(f"{path}:make")
    path.write_text("make = int\n")
    assert strategy_version(f"{path}:make") != before


def test_a_file_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    for source in ("raise SystemExit(3)", "def f(:", "import no_such_module"):
        path.write_text(source)
        with pytest.raises(InvalidStrategy, match=r"faulty\.py fails when it is imported: "):
            load_strategy(f"{path}:Mine")
    assert not [name for name in sys.modules if name.startswith("fcwseo_own_faulty")]


@pytest.mark.slow
@pytest.mark.skipif(not IS_TREE, reason=NO_TREE)
def test_the_example_crawls_like_a_built_in_one(tmp_path: Path) -> None:
    example = TREE / "examples" / "own_strategy.py"
    small_run(tmp_path / "a", strategy=f"{example}:AnchorFirst")
    small_run(tmp_path / "b", strategy="bfs")
    assert len(log(tmp_path / "a")) >= 60 and log(tmp_path / "a") != log(tmp_path / "b")
    code, _, err = run(
        *write_crawl(tmp_path, pages=300),
        *("--max-pages", "20", "--strategy", f"{example}:AnchorFirst", "--out", tmp_path / "c"),
    )
    assert code == 0, err
    code, _, err = run(
        *write_crawl(tmp_path, pages=300),
        *("--max-pages", "20", "--strategy", f"{example}:Nothing", "--out", tmp_path / "d"),
    )
    assert code == 4 and "has no 'Nothing'; it has: AnchorFirst" in err and len(err.splitlines()) == 1
