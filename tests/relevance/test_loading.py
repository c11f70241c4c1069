"""The relevance of a crawl by name: built in, from a file, from a package."""

import json
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from helpers.runs import SEEDS, WEB, kept, log, small_run

import fcwseo
from fcwseo import plugins
from fcwseo.comparison.judge import by_own_relevance
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import Origin, crawl_config
from fcwseo.errors import InvalidRelevance, InvalidRun, PluginFailed
from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance, load_relevance, loading
from fcwseo.relevance.words import TokenCache
from fcwseo.uses.explain import explain
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5})
RAIN = Page("http://a.example/", title="Rain", groups=("a flood", "", "", "", ""))
OWN = """\
class Titles:
    def __init__(self, topic):
        self.topic = topic

    def __call__(self, page):
        return float(self.topic.name in page.title.lower())

def half(topic):
    return lambda page: 0.5
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    return path


def relevance_of(name: str) -> float:
    return load_relevance(name)(TOPIC, None)(RAIN)


def test_a_plugin_decides_the_relevance_of_pages_and_fcwseo_that_of_texts(own: Path) -> None:
    relevance, usual = load_relevance(f"{own}:Titles")(TOPIC, TokenCache()), TopicalRelevance(TOPIC)
    for number in range(20):
        page = Page(f"http://a.example/{number}", title="Rain" * (number % 2), text="flood " * number)
        usual(page)
        assert relevance(page) == number % 2
    words = usual.matcher.words("the rainstorm")
    assert relevance.of_text("the rainstorm") == usual.of_text("the rainstorm") > 0
    assert relevance.phrase("a flood") == usual.phrase("a flood")
    assert relevance.of_words(words) == usual.of_words(words)
    assert relevance.named_by(words) == usual.named_by(words)
    assert list(relevance.weights) == list(usual.weights)


def test_a_function_makes_one_too(own: Path) -> None:
    assert relevance_of(f"{own}:half") == 0.5


def test_a_package_names_a_relevance(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("theirs", "fcwseo.relevance.paper:PaperRelevance", loading.KIND.group)]
    monkeypatch.setattr(plugins, "entry_points", lambda group: [p for p in points if p.group == group])
    assert 0 < relevance_of("theirs") < 1
    assert relevance_of("theirs") == relevance_of("fcwseo.relevance.paper:PaperRelevance")
    with pytest.raises(InvalidRelevance, match="there is no relevance 'their': did you mean 'theirs'"):
        relevance_of("their")


@pytest.mark.parametrize("value", ["1.5", "-0.1", "float('nan')", "float('inf')", "None", "'0.5'", "[0.5]"])
def test_a_number_outside_of_0_to_1_is_refused(own: Path, value: str) -> None:
    own.write_text(OWN.replace("float(self.topic.name in page.title.lower())", value))
    with pytest.raises(InvalidRelevance, match=r"mine\.py:5: Titles\.__call__ returned .* from 0 to 1"):
        relevance_of(f"{own}:Titles")


def test_an_error_names_the_line(own: Path) -> None:
    own.write_text(OWN.replace("page.title", "page.heading").replace("lambda page: 0.5", "3"))
    with pytest.raises(PluginFailed, match=r"mine\.py:6: Titles\.__call__ raised AttributeError"):
        relevance_of(f"{own}:Titles")
    with pytest.raises(InvalidRelevance, match=r"mine\.py:8: half does not return a function"):
        relevance_of(f"{own}:half")
    own.write_text(OWN.replace("lambda page: 0.5", "lambda page: 1 / 0"))
    with pytest.raises(PluginFailed, match=r"mine\.py:9: half raised ZeroDivisionError"):
        relevance_of(f"{own}:half")


def test_a_crawl_is_judged_and_continued_by_its_own_relevance(tmp_path: Path, own: Path) -> None:
    name, run = f"{own}:half", tmp_path / "run"
    small_run(run, relevance=name, strategy="best-first", max_pages=30)
    assert {row["relevance"] for row in log(run) if row["outcome"] == "page"} == {0.5}
    assert len(kept(run)) == 30  # each reaches half of the seeds' median
    config = json.loads((run / "run.json").read_text())["config"]
    assert config["relevance"] == name and config["relevance_hash"]
    small_run(run, relevance=name, strategy="best-first")
    small_run(tmp_path / "whole", relevance=name, strategy="best-first")
    assert log(run) == log(tmp_path / "whole")
    with pytest.raises(InvalidRun, match="a different relevance"):
        small_run(run, strategy="best-first")
    last = log(run)[-1]["url"]
    assert explain(run, last, web=WEB).parents[0].relevance == 0.5
    own.write_text(f"{OWN}\n# edited")
    with pytest.raises(InvalidRun, match="a different relevance"):
        small_run(run, relevance=name, strategy="best-first")
    with pytest.raises(InvalidRun, match=r"mine.py:half has changed since"):
        explain(run, last, web=WEB)


def test_a_comparison_in_python_takes_one_too(tmp_path: Path, own: Path) -> None:
    found = fcwseo.compare(
        web=WEB.name,
        topic="rainstorm",
        seeds=SEEDS,
        strategies=["bfs"],
        relevance=f"{own}:half",
        max_pages=20,
        workers=1,
        out=tmp_path / "c",
    )
    assert found.results is not None and found.results.relevance == f"{own}:half"
    assert found.table[0].average_relevance == 0.5


def test_the_configuration_of_other_crawls_is_as_it_was() -> None:
    """By this hash and this digest runs of older versions are known again."""
    config = crawl_config(Origin("small", "12"), TOPIC, ["http://a.example/"], Plan(max_pages=9, seed=3))
    assert (config.hash, config.plan) == ("72220ffba91bee05b5f6c77d", "30d6d4c9724eee1c3cdd1cb2")


def test_the_circular_judge_judges_as_the_crawlers_do(own: Path) -> None:
    judge = by_own_relevance(WEB, WEB.topic(), SEEDS, eta=0.5, relevance=f"{own}:half")
    assert len(judge.pages) == len(WEB)
    with pytest.raises(InvalidRelevance, match="no relevance"):
        by_own_relevance(WEB, WEB.topic(), SEEDS, eta=0.5, relevance="none")
