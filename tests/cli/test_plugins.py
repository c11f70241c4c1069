"""Plugins through the command line: what a user does with a strategy of their own, and does wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.commands import Fcwseo, write_crawl
from helpers.runs import log

GOOD = """\
from collections import deque
from fcwseo import Page

class Mine:
    def __init__(self, topic, relevance, rng):
        self.seen = {}
        self.queue = deque()

    def observe(self, visit):
        if isinstance(visit.outcome, Page):
            for link in visit.outcome.links:
                if link.target not in self.seen:
                    self.seen[link.target] = visit.step
                    self.queue.append(link)

    def next(self, n, turns):
        return [self.queue.popleft() for _ in range(min(n, len(self.queue)))]
"""
OBSERVE, NEXT = GOOD.splitlines().index("    def observe(self, visit):") + 1, len(GOOD.splitlines()) - 1


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A strategy in the current folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mine.py"
    path.write_text(GOOD)
    return path


@pytest.fixture
def crawl(own: Path) -> list[str | Path]:
    """The arguments of a crawl of 20 pages by that strategy, except the run directory."""
    command = write_crawl(own.parent, pages=300)
    return [*command, "--max-pages", "20", "--strategy", "mine.py:Mine", "--out"]


def replaced(old: str, new: str) -> Callable[[str], str]:
    assert old in GOOD
    return lambda source: source.replace(old, new)


def test_the_strategies_are_listed(fcwseo: Fcwseo) -> None:
    found = json.loads(fcwseo("strategies", "--json").out)
    assert {"name", "summary", "reference", "needs", "package"} == found[0].keys()
    outcome = fcwseo("strategies")
    assert outcome.code == 0 and all(record["name"] in outcome.out for record in found)
    assert "needs labels of the web" in outcome.out


def test_the_links_of_a_users_strategy_have_their_depth(fcwseo: Fcwseo, crawl: list[str | Path]) -> None:
    fcwseo(*crawl, "run", "--max-pages", "100")
    rows = log(Path("run"))
    depths = {row["final_url"]: row["depth"] for row in rows}
    assert {row["depth"] for row in rows} > {0, 1}
    assert all(row["depth"] == depths[row["parent"]] + 1 for row in rows if row["parent"])


UNUSABLE = [
    (
        lambda source: "x = 1\n\nclass Mine:\n    def next(self:\n",
        "mine.py:4 cannot be imported: SyntaxError",
    ),
    (
        lambda source: f"import os\nimport no_such_package\n{source}",
        "mine.py:2 cannot be imported: ModuleNot",
    ),
    (replaced("class Mine", "class Other"), "mine.py has no 'Mine'; it has: Other"),
    (lambda source: "Mine = 3", "'Mine' of mine.py is a int: give a class"),
    (replaced("def next", "def following"), "mine.py:4: Mine has no method next(n, turns)"),
    (replaced("self.seen = {}", "self.seen = {}['seen']"), "mine.py:6: Mine raised KeyError: 'seen'"),
    (replaced(", relevance, rng", ""), "mine.py:4: Mine raised TypeError"),
]


@pytest.mark.parametrize(("edit", "said"), UNUSABLE)
def test_a_strategy_that_cannot_be_used_is_refused_before_anything_is_written(
    fcwseo: Fcwseo, own: Path, crawl: list[str | Path], edit: Callable[[str], str], said: str
) -> None:
    own.write_text(edit(GOOD))
    outcome = fcwseo(*crawl, "run")
    assert outcome.code == 4 and said in outcome.err and len(outcome.err.splitlines()) == 1
    assert not Path("run").exists()


LAST = "        return [self.queue.popleft() for _ in range(min(n, len(self.queue)))]\n"
FAILING = [
    (
        1,
        f"        if len(self.seen) > 40: 1 / 0\n{LAST}",
        "Mine.next raised ZeroDivisionError: division by zero",
    ),
    (1, f"        if len(self.seen) > 40: raise SystemExit(3)\n{LAST}", "Mine.next raised SystemExit: 3"),
]
WRONG = [
    ("None", "returned None where a list of links is expected"),
    ("[3]", "returned a int where"),
    ("3", "returned a int where"),
    ("list(self.queue)", "links, but at most 1"),
    ("[type(self.queue[0])('http://elsewhere.example/', '')]", "not a link of an observed page"),
    ("[self.queue[0]]", "twice"),
]


@pytest.mark.parametrize(
    ("code", "body", "said"),
    [
        *FAILING,
        *((4, f"        if len(self.seen) > 40: return {wrong}\n{LAST}", said) for wrong, said in WRONG),
    ],
)
def test_a_strategy_that_fails_leaves_a_run_that_can_be_continued(
    fcwseo: Fcwseo, own: Path, crawl: list[str | Path], code: int, body: str, said: str
) -> None:
    own.write_text(GOOD.replace(LAST, body))
    outcome = fcwseo(*crawl, "run")
    line = NEXT + 1 if code == 1 else NEXT
    assert outcome.code == code and len(outcome.err.splitlines()) == 1, outcome.err
    assert said in outcome.err and f"mine.py:{line}: Mine.next" in outcome.err
    begun = log(Path("run"))
    assert begun and json.loads(Path("run", "run.json").read_text())["stop"] is None
    own.write_text(GOOD)
    assert fcwseo(*crawl, "run").code == 0
    assert fcwseo(*crawl, "whole").code == 0
    assert log(Path("run")) == log(Path("whole")) and log(Path("run"))[: len(begun)] == begun


def test_an_error_in_observe_is_named_and_traced_with_v_only(
    fcwseo: Fcwseo, own: Path, crawl: list[str | Path]
) -> None:
    own.write_text(GOOD.replace("visit.step", "visit.number"))
    outcome = fcwseo(*crawl, "run")
    assert outcome.code == 1 and f"mine.py:{OBSERVE + 4}: Mine.observe raised AttributeError" in outcome.err
    assert "Traceback" not in outcome.err
    traced = fcwseo("-v", *crawl, "run")
    assert traced.code == 1 and "Traceback" in traced.err and "visit.number" in traced.err


@pytest.mark.slow
def test_a_comparison_names_the_line_too(fcwseo: Fcwseo, own: Path, crawl: list[str | Path]) -> None:
    own.write_text(GOOD.replace(LAST, f"        1 / 0\n{LAST}"))
    given = (
        "compare",
        *crawl[1:-5],
        "--strategies",
        "bfs",
        "--strategy",
        "mine.py:Mine",
        "--max-pages",
        "20",
    )
    outcome = fcwseo(*given, "--out", "c")
    assert outcome.code == 1 and f"mine.py:{NEXT + 1}: Mine.next raised ZeroDivisionError" in outcome.err


def test_explain_shows_the_reasons_of_a_users_strategy(
    fcwseo: Fcwseo, own: Path, crawl: list[str | Path]
) -> None:
    reasons = "    def reasons(self, url):\n        return [f'found at step {self.seen[url]}']\n"
    own.write_text(f"{GOOD}\n{reasons}")
    fcwseo(*crawl, "run")
    row = log(Path("run"))[-1]
    said = fcwseo("explain", "run", row["url"])
    step = next(other["step"] for other in log(Path("run")) if other["final_url"] == row["parent"])
    assert said.code == 0 and f"mine.py:Mine: found at step {step}" in said.out
    assert json.loads(fcwseo("explain", "run", row["url"], "--json").out)["reasons"] == [
        f"found at step {step}"
    ]
    own.write_text(f"{GOOD}\n{reasons.replace('url]', 'None]')}")
    failed = fcwseo("explain", "run", row["url"])
    assert failed.code == 1 and "Mine.reasons raised KeyError" in failed.err


# A relevance of one's own

JUDGE = """\
class Judge:
    def __init__(self, topic):
        self.words = list(topic.weights)

    def __call__(self, page):
        return sum(word in page.text for word in self.words) / len(self.words)
"""


@pytest.fixture
def judged(crawl: list[str | Path]) -> list[str | Path]:
    """The arguments of a crawl that a user's relevance guides, except the run directory."""
    Path("judge.py").write_text(JUDGE)
    return [*crawl[:-3], "--relevance", "judge.py:Judge", "--out"]


def test_a_users_relevance_judges_the_pages_and_stays_with_the_run(
    fcwseo: Fcwseo, judged: list[str | Path]
) -> None:
    assert fcwseo(*judged, "run").code == 0
    assert json.loads(Path("run", "run.json").read_text())["config"]["relevance"] == "judge.py:Judge"
    fcwseo(*judged[:-3], "--out", "usual")
    assert log(Path("run")) != log(Path("usual"))
    assert fcwseo(*judged, "run", "--max-pages", "30").code == 0
    assert len(log(Path("run"))) >= 30
    outcome = fcwseo(*judged[:-3], "--out", "run")
    assert outcome.code == 4 and "a different relevance" in outcome.err
    assert fcwseo("explain", "run", log(Path("run"))[-1]["url"]).code == 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("judge.py:Jury", "judge.py has no 'Jury'; it has: Judge"),
        ("jugde.py:Judge", "cannot read the relevance jugde.py: No such file"),
        ("topicl", "there is no relevance 'topicl': did you mean 'topical'?"),
        (
            "no_such_module:Judge",
            "relevance no_such_module:Judge cannot be imported: ModuleNotFoundError",
        ),
    ],
)
@pytest.mark.parametrize("command", ["crawl", "compare"])
def test_a_relevance_that_is_not_there_is_refused(
    fcwseo: Fcwseo, judged: list[str | Path], command: str, name: str, said: str
) -> None:
    chosen = ["--strategies", "bfs"] if command == "compare" else []
    outcome = fcwseo(command, *judged[1:-2], name, *chosen, "--out", "run")
    assert outcome.code == 4 and said in outcome.err and len(outcome.err.splitlines()) == 1
    assert not Path("run").exists()


@pytest.mark.parametrize(
    ("code", "value", "said"),
    [
        (1, "[][0]", "judge.py:6: Judge.__call__ raised IndexError"),
        (4, "page.url", "judge.py:5: Judge.__call__ returned 'http://"),
        (4, "2", "judge.py:5: Judge.__call__ returned 2 for http://"),
        (4, "float('nan')", "judge.py:5: Judge.__call__ returned nan for http://"),
    ],
)
def test_a_relevance_that_fails_leaves_a_run_that_can_be_continued(
    fcwseo: Fcwseo, judged: list[str | Path], code: int, value: str, said: str
) -> None:
    sum_ = "sum(word in page.text for word in self.words) / len(self.words)"
    Path("judge.py").write_text(JUDGE.replace(sum_, value))
    outcome = fcwseo(*judged, "run")
    assert outcome.code == code and said in outcome.err and len(outcome.err.splitlines()) == 1
    assert Path("run", "run.json").exists() and log(Path("run")) == []


@pytest.mark.slow
def test_a_comparison_says_which_relevance_its_crawlers_used(
    fcwseo: Fcwseo, judged: list[str | Path]
) -> None:
    given = ["compare", *judged[1:-3], "--relevant", "rainstorm", "--strategies", "bfs,best-first"]
    outcome = fcwseo(*given, *judged[-3:], "c")
    assert outcome.code == 0 and "judged pages by the relevance judge.py:Judge" in outcome.err
    own = json.loads(Path("c", "results.json").read_text())
    assert fcwseo(*given, "--out", "c").code == 0  # beside them: crawls by another relevance are others
    usual = json.loads(Path("c", "results.json").read_text())
    assert (own["relevance"], usual["relevance"]) == ("judge.py:Judge", "topical")
    assert own["judge"] == usual["judge"] == "labels" and own["tasks"] == usual["tasks"]
    (same,) = {tuple(r["harvest_rate"] for r in x["runs"] if r["strategy"] == "bfs") for x in (own, usual)}
    assert same
    assert own["runs"][0]["average_relevance"] != usual["runs"][0]["average_relevance"]
