"""The demo: the built-in web, crawled for rainstorms by every strategy, judged by labels that none of them
sees.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fcwseo.crawling import run_crawl
from fcwseo.generated import GeneratedWeb
from fcwseo.metrics import average_relevance, harvest_area, harvest_rate, recall, standard_deviation
from fcwseo.runlog import PAGE, read_visits
from fcwseo.strategies import STRATEGIES
from fcwseo.urls import host

_BUDGET = 1000
_LABEL = "rainstorm"


@dataclass(frozen=True, slots=True)
class DemoRow:
    strategy: str
    pages: int
    relevant: int
    harvest_rate: float
    harvest_area: float
    recall: float
    average_relevance: float
    sd: float
    hosts: int
    seconds: float


def run_demo(out: Path, *, progress: Callable[[str], None] = lambda name: None) -> list[DemoRow]:
    """Crawl with each strategy into a folder of its own below ``out``; crawls that are there are taken as
    they are.
    """
    web = GeneratedWeb(0, 10_000)
    total = sum(_LABEL in web.labels(url) for url in web.urls())
    rows = []
    for name in STRATEGIES:
        progress(name)
        result = run_crawl(
            web, web.topic(), web.seeds(_LABEL), out / name, strategy=name, max_pages=_BUDGET, width=8
        )
        rows.append(_measured(web, out, name, total, result.seconds))
    return rows


def _measured(web: GeneratedWeb, out: Path, name: str, total: int, seconds: float) -> DemoRow:
    pages = [row for row in read_visits(out / name) if row.outcome == PAGE]
    urls = [row.final_url or row.url for row in pages]
    relevant = [_LABEL in web.labels(url) for url in urls]
    relevance = [row.relevance for row in pages]
    return DemoRow(
        strategy=name,
        pages=len(pages),
        relevant=sum(relevant),
        harvest_rate=harvest_rate(relevant),
        harvest_area=harvest_area(relevant, budget=_BUDGET),
        recall=recall(relevant, total=total),
        average_relevance=average_relevance(relevance),
        sd=standard_deviation(relevance),
        hosts=len({host(url) for url in urls}),
        seconds=round(seconds, 1),
    )
