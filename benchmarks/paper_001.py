"""Tables 3, 4 and 5 of Liu, Li, Zhang and Zhong (2022), with the published numbers beside ours.

    python benchmarks/paper_001.py COMPARISON

COMPARISON is what ``fcwseo compare`` made of paper_001.toml (tables 3 and 4) or of paper_001_tau.toml (table
5). HR is the share of pages that carry a label of the task; in table 5, as in the paper, of pages whose
relevance by the paper's own cosine is eta or more.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np

from fcwseo.comparison.experiment import Experiment, Task
from fcwseo.comparison.judged import page_url, visited
from fcwseo.comparison.times import read_times
from fcwseo.crawling.run_directory.log import Row
from fcwseo.pages import Page
from fcwseo.relevance.paper import PaperRelevance, TopicNorm
from fcwseo.webs.opening import answer, open_web
from fcwseo_ontology.load import load_topic

PAGES = (1000, 3000, 5000, 7000, 9000, 11000, 13000, 15000)
TAUS = ("tau_10", "tau_15", "tau_20", "tau_25")

TABLE_3 = {  # HR, AR, SD after 1,000, 3,000, ... pages, as published
    "bfs": ".184 .412 .266 .222 .379 .286 .144 .286 .256 .103 .270 .254 "
    ".095 .309 .279 .086 .278 .265 .076 .255 .253 .066 .226 .255",
    "ops": ".744 .601 .226 .783 .641 .186 .790 .674 .149 .674 .606 .210 "
    ".573 .583 .207 .515 .576 .210 .480 .563 .204 .443 .563 .202",
    "fcsa": ".796 .710 .183 .752 .682 .171 .826 .707 .156 .820 .699 .172 "
    ".693 .633 .203 .701 .648 .199 .680 .646 .197 .706 .663 .195",
    "on-its": ".673 .688 .509 .727 .729 .536 .779 .731 .441 .831 .714 .361 "
    ".823 .725 .315 .796 .717 .320 .768 .723 .359 .780 .721 .385",
    "moaco": ".619 .717 .282 .678 .752 .216 .695 .770 .185 .720 .780 .170 "
    ".725 .775 .160 .716 .774 .150 .732 .777 .143 .742 .778 .137",
    "fcwseo-paper": ".434 .715 .166 .548 .730 .161 .627 .749 .179 .667 .765 .172 "
    ".763 .784 .165 .804 .791 .160 .806 .815 .159 .811 .822 .157",
}
TABLE_4 = {"fcwse": ".783 .714 .164", "fcwseo-paper": ".811 .822 .157"}  # after 15,000 pages
TABLE_5 = {0.6: ".643 .779 .871 -", 0.65: ".536 .724 .835 -", 0.7: ".468 .695 .811 -"}


class Crawl(NamedTuple):
    """A run of the comparison, as columns."""

    strategy: str
    task: Task
    rows: list[Row]
    relevant: list[bool]
    cpu_seconds: float


def crawls(folder: Path) -> Iterator[Crawl]:
    experiment = msgspec.json.decode((folder / "experiment.json").read_bytes(), type=Experiment)
    for task in experiment.tasks:
        web, wanted = open_web(task.web), set(task.relevant)
        for run in sorted((folder / "runs" / task.name).glob("*/*-*")):
            strategy = msgspec.json.decode((run / "run.json").read_bytes())["config"]["strategy"]
            rows = visited(run, max_pages=experiment.max_pages)
            relevant = [not wanted.isdisjoint(web.labels(page_url(row))) for row in rows]
            yield Crawl(strategy.rpartition(":")[2], task, rows, relevant, read_times(run).cpu_seconds)


def measures(crawl: Crawl, n: int) -> str:
    """HR, AR and SD after n pages."""
    relevance = [row.relevance for row in crawl.rows[:n]]
    found = (np.mean(crawl.relevant[:n]), np.mean(relevance), np.std(relevance))
    return " ".join(short(float(value)) for value in found)


def short(value: float) -> str:
    """
    >>> short(0.5), short(1.0)
    ('.500', '1.000')
    """
    return f"{value:.3f}".removeprefix("0")


def line(cells: Sequence[str]) -> None:
    print("| " + " | ".join(cells) + " |")


def head(cells: Sequence[str]) -> None:
    line(cells)
    line(["---"] * len(cells))


def table_3(found: Sequence[Crawl]) -> None:
    head(["N", *(crawl.strategy for crawl in found)])
    published = {name: text.split() for name, text in TABLE_3.items()}
    for at, n in enumerate(PAGES):
        if any(len(crawl.rows) >= n for crawl in found):
            line([f"{n:,}", *(measures(crawl, n) if len(crawl.rows) >= n else "-" for crawl in found)])
        theirs = (published.get(crawl.strategy, []) for crawl in found)
        line([f"{n:,} published", *(" ".join(values[3 * at : 3 * at + 3]) or "-" for values in theirs)])
    line(["CPU s", *(f"{crawl.cpu_seconds:.0f}" for crawl in found)])


def table_4(found: Sequence[Crawl]) -> None:
    head(["crawler", "pages", "HR AR SD", "published, 15,000 pages"])
    for crawl in found:
        if crawl.strategy in TABLE_4:
            count = len(crawl.rows)
            line([crawl.strategy, f"{count:,}", measures(crawl, count), TABLE_4[crawl.strategy]])


def table_5(found: Sequence[Crawl]) -> None:
    by_name = {crawl.strategy: crawl for crawl in found}
    scores = {name: paper_relevance(by_name[name]) for name in TAUS}
    head(["HR", *(f"tau {name[-2:]} %" for name in TAUS)])
    for eta, published in TABLE_5.items():
        line([f"eta {eta}", *(short(float(np.mean(scores[name] >= eta))) for name in TAUS)])
        line([f"eta {eta} published", *published.split()])
    line(["by labels", *(short(float(np.mean(by_name[name].relevant))) for name in TAUS)])
    line(["pages", *(f"{len(by_name[name].rows):,}" for name in TAUS)])


def paper_relevance(crawl: Crawl) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    web = open_web(crawl.task.web)
    relevance = PaperRelevance(load_topic(crawl.task.topic), norm=TopicNorm.SUPPORT)
    pages = (answer(web, page_url(row)) for row in crawl.rows)
    return np.array([relevance.of_page(page) for page in pages if isinstance(page, Page)])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("comparison", type=Path)
    found = list(crawls(parser.parse_args().comparison))
    if set(TAUS) <= {crawl.strategy for crawl in found}:
        table_5(found)
        return
    order = [*TABLE_3, "fcwse", "fcwseo"]
    found = sorted(
        (crawl for crawl in found if crawl.strategy in order), key=lambda c: order.index(c.strategy)
    )
    table_3(found)
    print()
    table_4(found)


if __name__ == "__main__":
    main()
