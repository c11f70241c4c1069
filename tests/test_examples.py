"""The examples run, and do what they say. They are not part of the wheel."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.sources import IS_TREE, NO_TREE, TREE

import fcwseo as f

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not IS_TREE, reason=NO_TREE)]
EXAMPLES = TREE / "examples"


def printed_by(program: Path, folder: Path) -> str:
    """What a program prints that runs in a folder of its own."""
    command = [sys.executable, "-W", "error::RuntimeWarning", str(program)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_a_strategy_of_ones_own_beats_breadth_first(tmp_path: Path) -> None:
    printed = printed_by(EXAMPLES / "own_strategy.py", tmp_path)
    breadth, anchors = (float(line.split()[-1]) for line in printed.splitlines())
    assert 0 < breadth < anchors <= 1


def test_a_relevance_of_ones_own_decides_which_pages_are_kept(tmp_path: Path) -> None:
    printed = printed_by(EXAMPLES / "own_relevance.py", tmp_path)
    (usual, on_topic), (own, own_on_topic) = [
        map(int, re.findall(r"\d+", line)) for line in printed.splitlines()
    ]
    assert usual != own and on_topic > 0.8 * usual and own_on_topic > 0.8 * own


def test_the_first_crawl_as_a_script(tmp_path: Path) -> None:
    *_, ours, breadth = printed_by(EXAMPLES / "first_crawl.py", tmp_path).splitlines()
    assert ours.split()[0] == "fcwseo" and breadth.split()[0] == "bfs"
    assert float(ours.split()[1]) > float(breadth.split()[1]) > 0
    assert (tmp_path / "rainstorm.owl").exists() and (tmp_path / "run" / "report.html").exists()


def test_the_first_crawl_as_a_notebook(tmp_path: Path) -> None:
    from helpers.kernels import read_notebook, run_notebook

    results = run_notebook(read_notebook(EXAMPLES / "first_crawl.ipynb"), tmp_path)
    shown = [result["text/plain"] for result in results if result]
    for kind in ("Ontology", "Topic", "Run", "Comparison"):
        (found,) = [result for result in results if result and result["text/plain"].startswith(f"{kind} ")]
        assert found["text/html"] and len(found["text/plain"]) < 200
    assert any(text.startswith("Table of 2 StrategyRow") for text in shown)
    assert f.open_run(tmp_path / "run").counts["pages"] == 250  # those of crawl, then those of acrawl


def test_the_stored_notebook_has_no_output() -> None:
    cells = json.loads((EXAMPLES / "first_crawl.ipynb").read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code and all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


# Texts on disk, a web on disk, paths as strings; every table as a data frame.
TEN_LINES = """\
import fcwseo as f
onto = f.build_ontology("texts/", topic="rainstorm")
onto.save("rain.owl"); topic = onto.topic()
score = topic.score("A flash flood after heavy rain")
run = f.crawl(web="web1", topic=topic, seeds="web1/seeds.txt", max_pages=100, out="run")
rate, pages, visits = run.harvest_rate, run.pages.to_pandas(), run.visits.to_pandas()
hits = run.search("flood")[:3]; account = run.explain(visits.url[20])
written = run.export("kept.parquet"), run.report()
again = f.open_run("run")
compared = f.compare(web="web1", topic=topic, seeds="web1/seeds.txt", strategies=["fcwseo", "bfs"], out="cmp")
"""
CHECKS = """\
import pandas
assert 0 < score <= 1 and 0 < rate == again.harvest_rate <= 1
assert len(pages) == len(run.pages) == round(rate * 100) and len(visits) >= 100
assert pages.equals(again.pages.to_pandas()) and list(visits.step) == list(range(1, len(visits) + 1))
assert len(hits) == 3 and account.url == visits.url[20] and all(path.exists() for path in written)
assert list(pandas.read_parquet("kept.parquet").url) == list(pages.url)
assert {row.strategy for row in compared.table} == {"fcwseo", "bfs"}
"""


@pytest.fixture
def material(tmp_path: Path) -> Path:
    """A folder of texts and a web on disk."""
    texts = re.findall(r'^    "(.*)",$', (EXAMPLES / "first_crawl.py").read_text(), re.MULTILINE)
    (tmp_path / "texts").mkdir()
    for number, text in enumerate(texts):
        (tmp_path / "texts" / f"{number}.txt").write_text(text)
    f.make_web(tmp_path / "web1", pages=400)
    return tmp_path


def test_ten_lines_as_a_script(material: Path) -> None:
    program = material / "ten_lines.py"
    program.write_text(TEN_LINES + CHECKS)
    assert printed_by(program, material) == ""


def test_ten_lines_in_a_kernel(material: Path) -> None:
    from helpers.kernels import notebook_of, run_notebook

    *_, result = run_notebook(notebook_of(TEN_LINES, CHECKS, "compared.table"), material)
    assert result["text/html"].count("<tr") >= 3
