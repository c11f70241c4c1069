"""Strategies by name, from files and from packages."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from random import Random

import pytest
from helpers.commands import run, write_crawl
from helpers.runs import log, small_run
from helpers.sources import IS_TREE, NO_TREE, TREE

import fcwseo
from fcwseo import plugins
from fcwseo.crawling.engine import SEEDS
from fcwseo.errors import InvalidStrategy
from fcwseo.pages import Link, Page, Visit
from fcwseo.plugins import plugin_version
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies import ORACLE, STRATEGIES, loading
from fcwseo.strategies.loading import load_strategy
from fcwseo.strategies.protocol import AT_ONCE, Takes
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0})
BEGIN = Visit(0, Link(SEEDS, SEEDS, depth=-1), Page(SEEDS, links=(Link("a", SEEDS), Link("b", SEEDS))))
SOURCE = """\
class Mine:
    def __init__(self, topic, relevance, rng):
        self.links = []

    def observe(self, visit):
        self.links += visit.outcome.links

    def next(self, n, turns):
        return self.links[:n]
"""


def test_names_of_ours_and_of_nobody() -> None:
    assert load_strategy("bfs") is STRATEGIES["bfs"]
    with pytest.raises(InvalidStrategy, match=r"no strategy 'dfs': did you mean 'bfs'.*file.py:Name"):
        load_strategy("dfs")


POINTS = [
    EntryPoint("theirs", "fcwseo.strategies.bfs:BreadthFirst", loading.KIND.group),
    EntryPoint("broken", "no_such_package:Thing", loading.KIND.group),
    EntryPoint("bfs", "no_such_package:Thing", loading.KIND.group),  # what is built in counts more
]


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two packages with strategies, one of which cannot be loaded."""
    monkeypatch.setattr(plugins, "entry_points", lambda group: [p for p in POINTS if p.group == group])


@pytest.mark.usefixtures("installed")
def test_a_package_names_its_strategies() -> None:
    made = load_strategy("theirs")
    with pytest.raises(InvalidStrategy, match="BreadthFirst raised TypeError"):  # it takes nothing
        made(TOPIC, TopicalRelevance(TOPIC), Random(0))
    assert load_strategy("bfs") is STRATEGIES["bfs"]
    with pytest.raises(InvalidStrategy, match="'broken' of no_such_package:Thing cannot be loaded"):
        load_strategy("broken")
    with pytest.raises(InvalidStrategy, match=r"there are: bfs, .*broken, theirs"):
        load_strategy("none")


@pytest.mark.usefixtures("installed")
def test_all_strategies_are_listed() -> None:
    found = {record.name: record for record in fcwseo.strategies()}
    assert found.keys() == {*STRATEGIES, ORACLE, "theirs", "broken"}
    assert all(found[name].summary == entry.summary for name, entry in STRATEGIES.items())
    assert found["word2vec"].needs.startswith("fcwseo[embeddings]") and "labels" in found[ORACLE].needs
    assert "paper 001" in found["fcwseo"].reference and found["moaco"].reference.endswith("re-derived")
    assert found["theirs"].package == "fcwseo" and "cannot be loaded" in found["broken"].summary
    assert fcwseo.strategies().to_pandas().name[0] == "bfs"


def test_every_strategy_is_described_in_a_line() -> None:
    for entry in STRATEGIES.values():
        assert entry.summary.endswith(".") and len(entry.summary) <= 90
        assert "\n" not in f"{entry.reference}{entry.needs}"


def test_a_module_names_a_strategy() -> None:
    strategy = load_strategy("fcwseo.strategies.greedy:greedy")(TOPIC, TopicalRelevance(TOPIC), Random(0))
    assert strategy.next(1, AT_ONCE) == []
    for name, said in (
        ("no_such_module:Mine", "cannot be imported: ModuleNotFoundError: No module named 'no_such_module'"),
        ("fcwseo.pages:Mine", "module fcwseo.pages has no 'Mine'"),
        ("fcwseo.pages:__name__", "is a str: give a class"),
        ("a b:Mine", "there is no strategy 'a b:Mine'"),
    ):
        with pytest.raises(InvalidStrategy, match=said):
            load_strategy(name)


def test_a_file_is_read_again_when_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    named = []
    for count in (1, 2):
        path.write_text(SOURCE.replace("[:n]", f"[:{count}]"))
        strategy = load_strategy(f"{path}:Mine")(TOPIC, TopicalRelevance(TOPIC), Random(0))
        strategy.observe(BEGIN)
        named.append(len(strategy.next(5, AT_ONCE)))
    assert named == [1, 2]
    assert plugin_version("bfs") == "" != plugin_version(f"{path}:Mine")
    before = plugin_version(f"{path}:Mine")
    path.write_text("Mine = int\n")
    assert plugin_version(f"{path}:Mine") != before


def test_a_file_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    for source in ("raise SystemExit(3)", "def f(:", "import no_such_module"):
        path.write_text(source)
        with pytest.raises(InvalidStrategy, match=r"faulty\.py:1 cannot be imported: "):
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


TAKING = """\
class Mine:
    def __init__(self, topic, relevance, rng):
        self.links = {}

    def observe(self, visit):
        self.links |= {link.target: link for link in visit.outcome.links}

    def next(self, n, turns):
        return [self.links.pop(url) for url in list(self.links)[:n]]

    def take(self, url):
        return {TAKEN}
"""


def taking(folder: Path, taken: str) -> Takes:
    path = folder / "taking.py"
    path.write_text(TAKING.replace("{TAKEN}", taken))
    strategy = load_strategy(f"{path}:Mine")(TOPIC, TopicalRelevance(TOPIC), Random(0))
    strategy.observe(BEGIN)
    assert isinstance(strategy, Takes)
    return strategy


def test_a_strategy_of_a_user_may_take_links_of_a_log(tmp_path: Path) -> None:
    strategy = taking(tmp_path, "self.links.pop(url, None)")
    assert strategy.take("nowhere") is None
    link = strategy.take("a")
    assert link is not None and (link.target, link.depth) == ("a", 0)


def test_only_a_strategy_with_take_takes(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SOURCE)
    strategy = load_strategy(f"{tmp_path / 'mine.py'}:Mine")(TOPIC, TopicalRelevance(TOPIC), Random(0))
    assert not isinstance(strategy, Takes)


@pytest.mark.parametrize(
    ("taken", "message"),
    [("self.links['b']", "returned b for a"), ("3", "returned a int for a")],
)
def test_a_take_that_errs_is_named(tmp_path: Path, taken: str, message: str) -> None:
    with pytest.raises(InvalidStrategy, match=message):
        taking(tmp_path, taken).take("a")
