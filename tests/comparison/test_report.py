"""Reports: pages that stand alone and let nothing else run, tables for a paper, figures that are SVG."""

import csv
import io
import re
import xml.etree.ElementTree as ET
from html import unescape
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from helpers.browser import CHROMIUM, boxes, said_in_console
from helpers.comparisons import WEB, many_strategies, small_comparison, small_experiment
from helpers.pages_alone import is_alone
from helpers.runs import small_run
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.comparison.report import report_comparison, report_run, write_comparison
from fcwseo.comparison.report.crawl import run_page
from fcwseo.comparison.report.crawl.reading import Crawl
from fcwseo.comparison.report.curves import curves, draw_curves, draw_multiples, single_runs
from fcwseo.comparison.report.grids import draw_matrix
from fcwseo.comparison.report.marks import chosen_marks, marks_of, plain
from fcwseo.comparison.report.svg import spread, ticks
from fcwseo.comparison.report.tables import Spent, headline, table_csv, table_md, table_tex
from fcwseo.comparison.results import Results, read_results
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.errors import InvalidRun
from fcwseo.strategies import STRATEGIES

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


def test_a_hostile_comparison_is_only_text(results: Results, tmp_path: Path) -> None:
    """Names of webs, topics, tasks, hosts and strategies are texts of others."""
    bad = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'</script>"
    plain_name, worse = results.summary[1].strategy, f"mine.py:{bad}"
    rows = [
        msgspec.structs.replace(row, strategy=worse) if row.strategy == plain_name else row
        for row in results.summary
    ]
    first = msgspec.structs.replace(rows[0], versus={worse: rows[0].versus[plain_name]})
    runs = [
        msgspec.structs.replace(run, task=bad, strategy=worse if run.strategy == plain_name else run.strategy)
        for run in results.runs
    ]
    hosts = {worse if name == plain_name else name: counts for name, counts in results.hosts.items()}
    hosts = {
        name: [msgspec.structs.replace(one, host=bad) for one in counts] for name, counts in hosts.items()
    }
    task = msgspec.structs.replace(results.tasks[0], name=bad, web=bad, topic=bad, judged_by=(bad,))
    changed = msgspec.structs.replace(
        results,
        web=bad,
        topic=bad,
        tasks=[task],
        runs=runs,
        summary=[first, rows[1]],
        hosts=hosts,
        notes=[bad],
    )
    page = write_comparison(changed, {}, tmp_path)
    assert is_alone(page.read_text()) and bad in unescape(page.read_text())


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
    picture = ET.fromstring(draw_curves(found, "Recall", marks=plain(found)))
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
    for p, said in (
        (0.2, "not shown which is best"),
        (0.01, "beats all others"),
        (None, "One task: not tested"),
    ):
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


# Many strategies


EVERYONE = (
    "oracle",
    *(name for name in STRATEGIES if name != "bfs"),
    "mine.py:MyVeryLongStrategyName",
    "bfs",
)


@pytest.fixture(scope="module")
def many(folder: Path, results: Results) -> Results:
    """Every built-in strategy and one of a user, over three tasks of five seed sets."""
    return many_strategies(small_experiment(folder.parent, sets=5), results, EVERYONE, tasks=3)


@pytest.fixture(scope="module")
def crowded(many: Results, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Their page."""
    spent = {name: Spent(1.0, 0.1 + at) for at, name in enumerate(EVERYONE)}
    return write_comparison(many, spent, tmp_path_factory.mktemp("many"))


def test_of_many_strategies_few_are_in_colour_and_the_bounds_are_grey(many: Results) -> None:
    marks = marks_of(many)
    assert many.summary[-1].strategy == "bfs" and len(marks.numbers) == len(EVERYONE)
    ranked = [row.strategy for row in many.summary if row.strategy not in ("oracle", "bfs")]
    worst = next(name for name in reversed(ranked) if ":" not in name)
    assert set(marks.named) == {
        "oracle",
        "bfs",
        *ranked[:2],
        worst,
        "fcwseo",
        "mine.py:MyVeryLongStrategyName",
    }
    assert marks.references == {"oracle", "bfs"} and not marks.references & marks.faint
    colours = [marks.numbers[name] for name in marks.named if name not in marks.references]
    assert len({number % 8 for number in colours}) == len(colours) and 7 not in colours
    few = chosen_marks(["oracle", "fcwseo", "ops", "bfs"])
    assert few.faint == frozenset() and few.references == {"oracle", "bfs"}


def test_figures_name_those_in_colour_and_draw_all(many: Results) -> None:
    marks = marks_of(many)
    picture = ET.fromstring(draw_curves(curves(many, "harvest_rate"), "HR", marks=marks))
    of_kind = [(node.attrib.get("class", "").split(), node.attrib) for node in picture.iter()]
    names = [given for kinds, given in of_kind if "name" in kinds]
    assert len(names) == len(EVERYONE) == sum("line" in kinds for kinds, _ in of_kind)
    assert sum("display" not in given for given in names) == len(marks.named)
    heights = sorted(float(given["y"]) for given in names if "display" not in given)
    assert all(b - a >= 11.9 for a, b in pairwise(heights))


def test_few_seed_sets_give_single_runs_and_five_a_band(many: Results, results: Results) -> None:
    assert all(row.independent == 3 for row in many.summary)
    assert all(spot.low is None for spots in curves(many, "recall").values() for spot in spots)
    lines = single_runs(many, "recall", marks_of(many))
    assert {name: len(runs) for name, runs in lines.items()} == dict.fromkeys(marks_of(many).named, 15)
    assert single_runs(results, "recall", marks_of(results)) == {}  # five seed sets have a band


def test_each_task_has_a_small_picture_of_the_means(many: Results, results: Results) -> None:
    pictures = draw_multiples(many, marks_of(many))
    assert [ET.fromstring(picture).attrib["aria-label"].split(": ")[1] for picture in pictures] == [
        task.name for task in many.tasks
    ]
    assert draw_multiples(results, marks_of(results)) == []


def test_columns_that_say_nothing_are_left_out(many: Results, crowded: Path) -> None:
    text = crowded.read_text()
    table = text[text.index("<h2>Summary</h2>") : text.index("<h2>How sure it is</h2>")]
    heads = re.findall(r'<th scope="col"><button type="button">(.*?)</button>', table)
    equal = {row.measures["average_relevance"] for row in many.summary}
    assert len(equal) == 1 and "AR" not in heads and {"Strategy", "Area", "HR", "Recall"} <= set(heads)
    assert "<dt>HR</dt>" in table and "<dt>AR</dt>" not in table  # the key is beside the table


def test_the_matrix_of_many_strategies_has_small_cells(many: Results, results: Results) -> None:
    large = ET.fromstring(draw_matrix(many.summary))
    assert float(large.attrib["width"]) < 1000
    assert float(ET.fromstring(draw_matrix(results.summary)).attrib["height"]) < 250


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_in_a_browser_names_neither_collide_nor_are_cut(crowded: Path, tmp_path: Path) -> None:
    for width in (1400, 390):
        found = boxes(crowded, tmp_path, width=width)
        assert found["console"] == [] and found["scrolls"] <= width and found["dark"] != found["light"]
        assert found["chips"] == len(EVERYONE) and found["pictures"] > len(EVERYONE)
        assert max(found["names"]) == 7 and max(found["all"]["names"]) == len(EVERYONE)
        for seen in (found, found["all"]):  # at first, and after a click on every strategy
            assert seen["collide"] == 0 and seen["cut"] == 0


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_a_browser_opens_the_pages_without_a_complaint(tmp_path: Path) -> None:
    broken = tmp_path / "broken.html"
    broken.write_text("<html><script>nothing()</script></html>")
    assert said_in_console(broken, tmp_path / "profile")
    small_comparison(tmp_path)
    run = next((tmp_path / "c" / "runs").glob("*/bfs/0-0"))
    for page in (tmp_path / "c" / "report.html", report_run(run)):
        assert said_in_console(page, tmp_path / "profile") == []
