"""The demo: an ontology is built, and the built-in web is crawled for rainstorms by several strategies,
judged by labels that none of them sees.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fcwseo.crawling import run_crawl
from fcwseo.files import atomically, trouble
from fcwseo.generated import GeneratedWeb
from fcwseo.metrics import average_relevance, harvest_area, harvest_rate, recall, standard_deviation
from fcwseo.runlog import PAGE, read_visits
from fcwseo.urls import host
from fcwseo_ontology.build import build_ontology
from fcwseo_ontology.corpus import read_corpus
from fcwseo_ontology.draw import html_page
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.owl import write_owl
from fcwseo_ontology.pictures import hasse_of
from fcwseo_ontology.shipped import shipped_corpus, shipped_ontology
from fcwseo_ontology.wordnet import load_wordnet

COMPARED = ("bfs", "best-first", "ops", "fcsa", "on-its", "moaco", "fcwseo")
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


def build_demo_ontology(out: Path) -> Path:
    """An ontology built from the shipped corpus, as a file and as a page to look at."""
    corpus = read_corpus([shipped_corpus(_LABEL)])
    ontology = build_ontology(corpus, topic=_LABEL, terms=60, wordnet=load_wordnet())
    weights = {word.name: word.weight for word in topic_of(ontology).words}
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise trouble(out, error) from error
    write_owl(ontology, out / "built.owl")
    page = html_page(ontology, weights=weights, hasse=hasse_of(ontology, corpus))
    atomically(out / "ontology.html", page.encode())
    return out / "built.owl"


def run_demo(out: Path, *, progress: Callable[[str], None] = lambda name: None) -> list[DemoRow]:
    """Build an ontology, then crawl for the shipped topic with each strategy, into folders below ``out``.

    Crawls that are there already are taken as they are.
    """
    progress(f"building an ontology from the shipped corpus: {build_demo_ontology(out)}")
    web = GeneratedWeb(0, 10_000)
    topic = topic_of(shipped_ontology(_LABEL))
    total = sum(_LABEL in web.labels(url) for url in web.urls())
    rows = []
    for name in COMPARED:
        progress(f"crawling {_BUDGET} pages of a generated web of {len(web)} with {name}")
        result = run_crawl(
            web, topic, web.seeds(_LABEL), out / name, strategy=name, max_pages=_BUDGET, width=8
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
