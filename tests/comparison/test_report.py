"""Reports: pages that stand alone and let nothing else run, tables for a paper, figures that are SVG."""

import csv
import io
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from helpers.browser import CHROMIUM, said_in_console
from helpers.comparisons import WEB, small_comparison
from helpers.pages_alone import is_alone
from helpers.runs import small_run
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.comparison.report import report_comparison, report_run
from fcwseo.comparison.report.crawl import run_page
from fcwseo.comparison.report.crawl.reading import Crawl
from fcwseo.comparison.report.curves import curves, draw_curves
from fcwseo.comparison.report.svg import spread, ticks
from fcwseo.comparison.report.tables import Spent, headline, table_csv, table_md, table_tex
from fcwseo.comparison.results import Results, read_results
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.errors import InvalidRun

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A comparison of two strategies from five seed sets."""
    out = tmp_path_factory.mktemp("comparison")
    small_comparison(out, sets=5)
    return out / "c"


@pytest.fixture(scope="module")
def results(folder: Path) -> Results:
    return read_results(folder)


def test_the_page_of_a_comparison_stands_alone(folder: Path, results: Results) -> None:
    text = (folder / "report.html").read_text()
    assert is_alone(text)
    assert headline(results).split(" (")[0] in text
    for row in results.summary:
        assert f"{row.harvest_area:.3f}" in text
    assert all(name in text for name in ("One task: not tested", "Who beats whom", "Recall against pages"))
    assert "<td>one task: not tested</td>" in text


def test_the_page_of_a_crawl_stands_alone(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    page = report_run(tmp_path / "run")
    text = page.read_text()
    assert page == tmp_path / "run" / "report.html" and is_alone(text)
    assert "Most relevant pages" in text and "mean absolute error" in text
    small_run(tmp_path / "bfs", strategy="bfs")
    assert "does not predict" in report_run(tmp_path / "bfs").read_text()


def test_the_report_of_a_crawl_that_has_no_page_yet(tmp_path: Path) -> None:
    small_run(tmp_path / "run")
    crawl = Crawl([], {}, read_topic(tmp_path / "run"), "fcwseo explain run")
    assert is_alone(run_page(read_run_file(tmp_path / "run"), crawl))


def test_a_report_is_written_again_from_the_results(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    report_comparison(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


def test_files_that_are_not_results_are_refused(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text('{"web": 1}')
    with pytest.raises(InvalidRun, match="is not the result of a comparison"):
        report_comparison(tmp_path)


def test_figures_are_svg(folder: Path) -> None:
    figures = sorted((folder / "figures").glob("*.svg"))
    names = "average-relevance harvest-rate hosts recall sd time who-beats-whom"
    assert [path.stem for path in figures] == names.split()
    for path in figures:
        root = ET.fromstring(path.read_text())
        assert root.tag.endswith("svg") and root.attrib["aria-label"]


def test_a_curve_goes_through_the_means(results: Results) -> None:
    found = curves(results, "recall")
    for name, spots in found.items():
        runs = [run for run in results.runs if run.strategy == name]
        for at, spot in enumerate(spots):
            mean = sum(run.checkpoints[at].recall for run in runs) / len(runs)
            assert spot.mean == pytest.approx(mean) and spot.low is not None and spot.high is not None
            assert spot.low <= spot.mean <= spot.high
    numbers = {name: at for at, name in enumerate(found)}
    picture = ET.fromstring(draw_curves(found, "Recall", numbers=numbers))
    lines = [node for node in picture.iter() if node.attrib.get("class", "").startswith("line ")]
    assert len(lines) == 2
    heights = [float(point.split(",")[1]) for point in lines[0].attrib["points"].split()]
    assert heights == sorted(heights, reverse=True)  # recall never falls, and y grows downwards


# Tables


def times(results: Results) -> dict[str, Spent]:
    return {row.strategy: Spent(2.0, 1.0) for row in results.summary}


def test_the_markdown_table(results: Results) -> None:
    table = table_md(results, times(results))
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")]
    assert len(rows) == 4 and len({len(row) for row in rows}) == 1
    best = results.summary[0]
    assert f"**{best.harvest_area:.3f}**" in table and f"[{best.ci95[0]:.3f}, {best.ci95[1]:.3f}]" in table
    assert "Judged by labels of the web" in table


def test_the_csv_table_is_unrounded(results: Results) -> None:
    rows = list(csv.DictReader(io.StringIO(table_csv(results, {}))))
    assert [float(row["harvest_area"]) for row in rows] == [row.harvest_area for row in results.summary]
    assert rows[0]["p_versus_best"] == "" and rows[1]["p_versus_best"] == ""


def test_the_latex_table(results: Results) -> None:
    renamed = msgspec.structs.replace(results.summary[1], strategy="moaco", versus={})
    table = table_tex(
        msgspec.structs.replace(results, summary=[results.summary[0], renamed], web="a_b & c"), {}
    )
    body = table[table.index(r"\midrule") : table.index(r"\bottomrule")]
    rows = [line for line in body.splitlines() if line.endswith(r"\\")]
    columns = re.search(r"\\begin{tabular}{(\w+)}", table)
    assert columns and [row.count("&") for row in rows] == [len(columns[1]) - 1] * 2
    assert r"a\_b \& c" in table and r"moaco\textsuperscript{\dag}" in table and "re-derived" in table
    assert table.count("{") == table.count("}")


def test_the_headline_claims_no_more_than_is_known(results: Results) -> None:
    first, second = results.summary
    versus = first.versus[second.strategy]
    for p, said in ((0.2, "significant"), (0.01, "beats all others"), (None, "One task: not tested")):
        changed = msgspec.structs.replace(
            first, versus={second.strategy: msgspec.structs.replace(versus, p=p)}
        )
        assert said in headline(msgspec.structs.replace(results, summary=[changed, second]))
    assert headline(msgspec.structs.replace(results, summary=[first])).startswith(f"{first.strategy}: ")


def test_hosts_are_those_of_the_runs(results: Results) -> None:
    for counts in results.hosts.values():
        assert sum(count.pages for count in counts) == 5 * 40
        assert all(0 <= count.relevant <= count.pages for count in counts)
    hosts = {url.split("/")[2] for url in WEB.urls()} | {"others"}
    assert {count.host for count in results.hosts["bfs"]} <= hosts


# The small writer of SVG


@given(st.floats(0, 1e6), st.floats(1e-3, 1e6))
def test_ticks_span_what_they_should(low: float, more: float) -> None:
    marks = ticks(low, low + more)
    slack = (marks[-1] - marks[0]) * 1e-6
    assert marks[0] <= low + slack and marks[-1] >= low + more - slack and 2 <= len(marks) <= 9


@given(st.lists(st.floats(0, 300), min_size=1, max_size=20))
def test_names_keep_apart(wanted: list[float]) -> None:
    places = spread(wanted, gap=15, low=0, high=300)
    ordered = sorted(places)
    assert all(b - a >= 14.97 for a, b in pairwise(ordered))
    assert ordered[0] >= -0.01 and ordered[-1] <= 300.01


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_a_browser_opens_the_pages_without_a_complaint(tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    broken.write_text("<html><script>nothing()</script></html>")
    assert said_in_console(broken, tmp_path / "profile")
    small_comparison(tmp_path)
    run = next((tmp_path / "c" / "runs").glob("*/bfs/0-0"))
    for page in (tmp_path / "c" / "report.html", report_run(run)):
        assert said_in_console(page, tmp_path / "profile") == []
