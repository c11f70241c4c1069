"""The page of one crawl: its counts are those of the run directory, its links lead to records, attacks do not
run.
"""

import json
import re
import shlex
import shutil
import subprocess
from collections import Counter
from html import unescape
from pathlib import Path

import msgspec
import pytest
from helpers.browser import CHROMIUM, boxes, said_in_console
from helpers.pages_alone import is_alone
from helpers.runs import lines, small_run

from fcwseo.comparison.report.crawl import report_run, run_page
from fcwseo.comparison.report.crawl.coverage import ITSELF, branches, coverage
from fcwseo.comparison.report.crawl.hosts import by_host, host_section
from fcwseo.comparison.report.crawl.left import left_section
from fcwseo.comparison.report.crawl.objectives import against, points_of
from fcwseo.comparison.report.crawl.reading import Crawl, KeptPage, read_kept, read_lines, sample, seconds
from fcwseo.comparison.report.crawl.records import Records
from fcwseo.crawling.run_directory.log import Row
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.evolution.fronts import best_fronts
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.topic import FeatureWord, Topic, topic_of_words

pytestmark = pytest.mark.slow

HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'</script>"


def crawl_in(run: Path) -> Crawl:
    return Crawl(read_lines(run), read_kept(run), read_topic(run), f"fcwseo explain {shlex.quote(str(run))}")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of 60 pages, with rules and seats in its log."""
    out = tmp_path_factory.mktemp("crawl") / "run"
    small_run(out, topic=load_topic("rainstorm"))
    rows = lines(out / "visits.jsonl")
    for at, row in enumerate(rows):
        row["rule"] = "seed" if row["parent"] is None else ("value", "fronts", "fronts", "list")[at % 4]
        row |= {} if row["rule"] == "seed" else {"seat": [1 + at % 5, 4]}
    (out / "visits.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return out


@pytest.fixture(scope="module")
def text(run: Path) -> str:
    return report_run(run).read_text()


def cells(text: str, title: str) -> list[list[str]]:
    """The rows of the first table of a section, as text."""
    part = text[text.index(f"<h2>{title}</h2>") :]
    body = part[part.index("<tbody>") : part.index("</tbody>")]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    return [[unescape(re.sub(r"<small>.*?</small>|<[^>]+>", "", cell)) for cell in row] for row in rows]


def test_the_page_stands_alone(text: str) -> None:
    assert is_alone(text)


def test_every_link_within_the_page_leads_somewhere_and_ids_are_unique(text: str) -> None:
    ids = Counter(re.findall(r' id="([^"]+)"', text))
    assert set(ids.values()) == {1}
    targets = set(re.findall(r'href="#([^"]+)"', text))
    assert targets and targets <= set(ids)
    assert {name.partition("-")[0] for name in targets} == {"visit", "concept", "host"}


# Concept coverage


def test_the_coverage_is_a_recount_of_the_kept_pages(run: Path, text: str) -> None:
    topic = read_topic(run)
    assert topic.ontology is not None
    step = {row["url"]: row["step"] for row in lines(run / "visits.jsonl") if row["kept"]}
    shown = {row[0]: row for row in cells(text, "Concepts")}
    found = 0
    for branch in branches(topic):
        pages = [page for page in lines(run / "pages.jsonl") if branch.words & set(page["concepts"])]
        if not pages:
            assert branch.name not in shown and branch.name in text[text.index("Nothing was found for") :]
            continue
        found += 1
        hosts = {page["final_url"].split("/")[2] for page in pages}
        met = {word for page in pages for word in page["concepts"]} & branch.words
        assert shown[branch.name][2:] == [
            f"{len(pages):,}",
            f"{len(hosts):,}",
            f"{len(met)} of {len(branch.words)}",
            f"{max(page['relevance'] for page in pages):.3f}",
            f"visit {max(step[page['url']] for page in pages):,}",
        ]
    assert found == len(shown) > 1


def edge(child: str, parent: str) -> Edge:
    return Edge(child, parent, Relation.IS_A)


def small_topic(*edges: Edge) -> Topic:
    names = dict.fromkeys(name for one in edges for name in (one.child, one.parent))
    concepts = tuple(Concept(name, (Label(name),)) for name in names)
    words = tuple(FeatureWord(f"the {name}", 1.0, (name,), name=name) for name in names)
    return Topic("bee", words, Ontology("bee", concepts, edges))


def test_a_branch_is_a_child_of_the_topic_with_all_that_lies_below_it() -> None:
    topic = small_topic(edge("hive", "bee"), edge("mite", "bee"), edge("frame", "hive"), edge("pest", "mite"),
                        edge("frame", "mite"), edge("lost", "nowhere"))  # fmt: skip
    found = {branch.name: set(branch.words) for branch in branches(topic)}
    assert found == {
        ITSELF: {"the bee"},
        "the hive": {"the hive", "the frame"},
        "the mite": {"the mite", "the frame", "the pest"},
        "other words": {"the lost", "the nowhere"},
    }


def line(step: int, url: str, **more: object) -> Row:
    fields: dict[str, object] = {
        "step": step, "url": url, "final_url": url, "parent": None, "anchor": "", "depth": 0,
        "outcome": "page", "detail": "", "status": 200, "relevance": 0.5, "predicted": None,
        "objectives": None, "kept": True, "digest": None, "at": f"2026-01-01T00:00:{step:02d}.000+00:00",
    }  # fmt: skip
    return msgspec.convert(fields | more, Row)


def test_pages_count_once_for_a_branch_and_for_none_without_its_words() -> None:
    topic = small_topic(edge("hive", "bee"), edge("mite", "bee"), edge("frame", "hive"))
    rows = [line(1, "http://a.example/1"), line(2, "http://b.example/2", relevance=0.9),
            line(3, "http://b.example/3"), line(4, "http://c.example/4", kept=False)]  # fmt: skip
    words = {"1": ("the hive", "the frame"), "2": ("the frame",), "3": ("unknown",), "4": ("the mite",)}
    kept = {row.url: KeptPage(row.url, concepts=words[row.url[-1]]) for row in rows}
    found = coverage(Crawl(rows, kept, topic, "explain"), topic)
    hive = found.of_branch["the hive"]
    assert (hive.pages, hive.hosts, hive.best, hive.last) == (2, {"a.example", "b.example"}, rows[1], rows[1])
    assert found.of_branch["the mite"].pages == found.of_branch[ITSELF].pages == 0
    assert found.of_word["the frame"].pages == 2 and found.of_word["the hive"].pages == 1


def test_a_topic_of_words_has_a_branch_for_each(tmp_path: Path) -> None:
    topic = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5})
    small_run(tmp_path / "run", topic=topic, max_pages=20)
    text = report_run(tmp_path / "run").read_text()
    assert "words of the topic" in text and "none: a list of weighted words" in text
    names = {row[0] for row in cells(text, "Concepts")}
    assert names and names <= {"rainstorm", "flood"}


# Choices and objectives


def test_the_shares_of_the_rules_are_those_of_the_log(run: Path, text: str) -> None:
    rows = lines(run / "visits.jsonl")
    words = {"a seed": "seed", "best value": "value", "fronts and NFCS": "fronts", "best pagination": "list"}
    shown = cells(text, "Who chose")
    assert [words[row[0]] for row in shown] == ["seed", "value", "fronts", "list"]
    for name, _, share, links, pages, kept, *_ in shown:
        chosen = [row for row in rows if row["rule"] == words[name]]
        assert (share, links) == (f"{len(chosen) / len(rows):.1%}", f"{len(chosen):,}")
        assert pages == f"{sum(row['outcome'] == 'page' for row in chosen):,}"
        assert kept == f"{sum(row['kept'] for row in chosen):,}"
    assert sum(int(row[3].replace(",", "")) for row in shown) == len(rows)
    assert "Served seats over the crawl" in text


def test_the_rules_of_a_real_crawl_are_shown(tmp_path: Path) -> None:
    small_run(tmp_path / "run", max_pages=40)
    counts = Counter(row["rule"] for row in lines(tmp_path / "run" / "visits.jsonl"))
    assert counts["seed"] and counts["value"] and counts["fronts"]
    shown = cells(report_run(tmp_path / "run").read_text(), "Who chose")
    names = {"seed": "a seed", "value": "best value", "fronts": "fronts and NFCS", "list": "best pagination"}
    assert {row[0]: row[3] for row in shown} == {names[rule]: f"{count:,}" for rule, count in counts.items()}


def test_without_rules_in_the_log_the_page_says_so(tmp_path: Path) -> None:
    small_run(tmp_path / "run", strategy="bfs", max_pages=20)
    text = report_run(tmp_path / "run").read_text()
    assert "does not say by which rules" in text and "Served seats" not in text
    assert "does not choose by several objectives" in text and "does not predict" in text


def test_the_front_of_a_stage_holds_the_links_that_no_other_dominates(run: Path, text: str) -> None:
    rows = [row for row in read_lines(run) if row.objectives]
    stage = rows[: round(len(rows) / 4)]
    front = {
        at
        for at, row in enumerate(stage)
        if not any(
            all(a >= b for a, b in zip(other.objectives or (), row.objectives or (), strict=True))
            and other.objectives != row.objectives
            for other in stage
        )
    }
    assert set(best_fronts(points_of(stage), 1)[0].tolist()) == front
    assert f">{len(stage)} links, " in text and f">front: {len(front)}<" in text
    assert against(points_of(rows)) in (1, 2, 3)


# Hosts, time and size


def test_the_hosts_are_those_of_the_log(run: Path, text: str) -> None:
    rows = lines(run / "visits.jsonl")
    shown = {row[0]: row for row in cells(text, "Hosts")}
    for name, row in shown.items():
        of = [one for one in rows if (one["final_url"] or one["url"]).split("/")[2] == name]
        pages, kept = sum(one["outcome"] == "page" for one in of), sum(one["kept"] for one in of)
        assert [row[2], row[3], row[5]] == [f"{pages:,}", f"{kept:,}", f"{len(of) - pages:,}"]
    found = by_host(read_lines(run), seconds(read_lines(run)))
    assert sum(host.counts.total() for host in found.values()) == len(rows)
    assert all(host.strip.highest <= host.counts.total() for host in found.values())


def test_what_was_archived_and_what_failed_is_told_by_host() -> None:
    record = {"file": "a.warc.gz", "offset": 0, "length": 1150}
    rows = [
        line(1, "http://a.example/1", warc=record, final_url="http://b.example/1"),
        line(2, "http://b.example/2", warc=record, kept=False),
        line(3, "http://b.example/3", outcome="not_html", detail="application/pdf; x", kept=False),
        line(4, "http://b.example/4", outcome="timeout", kept=False, status=None),
    ]
    crawl = Crawl(rows, {}, None, "fcwseo explain run")
    found = by_host(rows, seconds(rows))
    shown = cells(host_section(crawl, found, Records(crawl, frozenset(found))), "Hosts")
    assert [row[:1] + row[2:] for row in shown] == [
        ["b.example", "2", "1", "0.50", "2", "20.0", "0.500", "2.3 kB"],
    ]
    assert found["b.example"].failures == {"not_html": 1, "timeout": 1}
    left = left_section(crawl)
    assert "application/pdf" in left and "text/html" in left


def test_time_is_the_virtual_clock_where_there_is_one() -> None:
    real = [line(step, "http://a.example/") for step in (1, 4)]
    assert seconds(real) == [0.0, 3.0]
    assert seconds([msgspec.structs.replace(row, clock=10.0 * row.step) for row in real]) == [0.0, 30.0]
    assert seconds([msgspec.structs.replace(row, at="soon") for row in real]) == [1.0, 4.0]
    assert list(sample(range(10), 3)) == [0, 3, 6]


def test_the_pause_between_two_sessions_is_no_time_of_the_crawl() -> None:
    rows = [line(step, "http://a.example/") for step in (1, 4, 6)]
    later = [msgspec.structs.replace(row, at=f"2100{row.at[4:]}") for row in rows]
    assert seconds([*rows, *later]) == [0.0, 3.0, 5.0, 5.0, 8.0, 10.0] and seconds([]) == []


def test_the_command_of_a_record_explains_its_page(run: Path, text: str) -> None:
    command = shlex.split(unescape(re.findall(r"<code>(fcwseo explain .*?)</code>", text)[0]))
    assert command[:3] == ["fcwseo", "explain", str(run)]
    assert command[3] in {row["url"] for row in lines(run / "visits.jsonl")}


def large_crawl(count: int) -> Crawl:
    """A crawl of many pages, on a thousand hosts; every second one is kept."""
    topic = small_topic(edge("hive", "bee"), edge("mite", "bee"), edge("frame", "hive"))
    rules, rows, kept = ("value", "fronts", "list"), [], {}
    for step in range(1, count + 1):
        url, at = f"http://h{step * 7919 % 1000}.example/{step}", (step * 2654435761 % 1000) / 1000
        rows.append(
            line(step, url, relevance=at, predicted=at / 2, objectives=(at, 1 - at, at * at, 0.5),
                 depth=step % 9, kept=step % 2 == 0, clock=float(step), at="",
                 rule=rules[step % 3], seat=(step % 20, 8))
        )  # fmt: skip
        if step % 2 == 0:
            kept[url] = KeptPage(url, f"Page {step}", "en", "2020-01-01", ("the hive",) if step % 4 else ())
    return Crawl(rows, kept, topic, "fcwseo explain run")


def test_branches_without_a_page_are_named(run: Path) -> None:
    text = run_page(read_run_file(run), large_crawl(40))
    (missing,) = re.findall(r"Nothing was found for: (.*?)\.</p>", text)
    assert missing.split(", ") == ["the mite", ITSELF]
    assert [row[0] for row in cells(text, "Concepts")] == ["the hive"]


def test_the_page_of_a_large_crawl_is_no_larger_than_that_of_a_tenth_of_it(run: Path) -> None:
    file = read_run_file(run)
    small, large = (len(run_page(file, large_crawl(count))) for count in (3000, 30_000))
    assert large < 2_000_000 and large < 1.3 * small
    assert "of a sample of 2,000<" in run_page(file, large_crawl(9000))  # of the front of a stage


# Hostile runs


def hostile_crawl(run: Path) -> Crawl:
    """A crawl of which every text that the web, or an ontology, has written is an attack."""
    crawl, url = crawl_in(run), f"http://a.example/{HOSTILE}"
    bad = {
        "url": url,
        "final_url": url,
        "anchor": HOSTILE,
        "detail": HOSTILE,
        "relevance": 1.0,
        "rule": HOSTILE,
    }
    rows = [msgspec.structs.replace(row, **bad, parent=row.parent and url) for row in crawl.rows]
    words = (FeatureWord(HOSTILE, 1.0, (HOSTILE,), name="x"), FeatureWord(f"{HOSTILE}2", 0.5, (), name="y"))
    graph = Ontology("x", (), (Edge("y", "x", Relation.IS_A),))
    page = KeptPage(url, HOSTILE, HOSTILE, HOSTILE, (HOSTILE, f"{HOSTILE}2", "unknown" + HOSTILE))
    return Crawl(rows, {url: page}, Topic(HOSTILE, words, graph), f"explain {HOSTILE}")


def test_hostile_texts_are_only_text(run: Path) -> None:
    text = run_page(read_run_file(run), hostile_crawl(run))
    assert is_alone(text) and unescape(text).count(HOSTILE) > 10


def test_a_damaged_record_of_a_page_is_left_out(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "run"))
    with (copy / "pages.jsonl").open("ab") as file:
        file.write(b'{"url": 3}\n[[[[\n\xff\n{"url": "http://half.example/"}')
    assert read_kept(copy) == read_kept(run)
    (copy / "topic" / "topic.json").write_text("{")
    assert "The topic of this run cannot be read" in report_run(copy).read_text()


# In a browser


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_a_browser_shows_it_on_a_desk_and_on_a_phone_in_the_dark(run: Path, tmp_path: Path) -> None:
    page = report_run(run)
    assert said_in_console(page, tmp_path / "profile") == []
    for width in (1400, 390):
        found = boxes(page, tmp_path, width=width)
        assert found["console"] == [] and found["width"] == width
        assert found["scrolls"] <= width  # nothing makes the whole page scroll sideways
        assert found["pictures"] > 10 and found["flat"] == 0 and found["cut"] == found["collide"] == 0
        assert found["dark"] != found["light"] and found["opened"]


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_in_a_browser_no_text_of_a_large_crawl_is_cut(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text(run_page(read_run_file(run), large_crawl(110_000)))
    found = boxes(page, tmp_path, width=1400)
    assert found["console"] == [] and found["cut"] == found["collide"] == found["flat"] == 0


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")
def test_in_a_browser_nothing_hostile_runs(run: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text(run_page(read_run_file(run), hostile_crawl(run)))
    assert said_in_console(page, tmp_path / "profile") == []
    assert subprocess.run([str(CHROMIUM), "--version"], capture_output=True, check=True).returncode == 0
