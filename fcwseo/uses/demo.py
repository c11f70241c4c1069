"""The demo: build an ontology, crawl the built-in web for rainstorms, and compare FCWSEO with its rivals,
judged by labels that no crawler sees.
"""

from collections.abc import Callable
from pathlib import Path

from fcwseo.comparison.compare import Comparison, compare
from fcwseo.comparison.experiment import make_experiment
from fcwseo.files import atomically, io_error
from fcwseo.webs.generated import GeneratedWeb
from fcwseo_ontology.build import build_ontology
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.draw import html_page
from fcwseo_ontology.draw.pictures import hasse_of
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.owl.ontologies import write_owl
from fcwseo_ontology.relations.wordnet import load_wordnet
from fcwseo_ontology.shipped import shipped_corpus

_LABEL = "rainstorm"
STRATEGIES = ("fcwseo", "bfs", "ops", "fcsa", "on-its", "moaco")
"""The strategies of the paper's comparison."""


def build_demo_ontology(out: Path) -> Path:
    """Build an ontology from the shipped corpus, and write it as OWL and as a page."""
    corpus = read_corpus([shipped_corpus(_LABEL)])
    ontology = build_ontology(corpus, topic=_LABEL, terms=60, wordnet=load_wordnet())
    weights = {word.name: word.weight for word in topic_of(ontology).words}
    write_owl(ontology, out / "built.owl")
    page = html_page(ontology, weights=weights, hasse=hasse_of(ontology))
    atomically(out / "ontology.html", page.encode())
    return out / "built.owl"


def run_demo(
    out: Path,
    *,
    max_pages: int = 1000,
    workers: int | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> Comparison:
    """Build an ontology, crawl for its topic with each strategy, and write ``report.html`` into ``out``.

    Finished crawls are reused; the comparison is in ``out/comparison``.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise io_error(out, error) from error
    ontology = build_demo_ontology(out)
    progress(f"built an ontology from the shipped corpus: {ontology}")
    web = GeneratedWeb(0, 10_000)
    task = {
        "name": _LABEL,
        "web": web.name,
        "topic": str(ontology),
        "seeds": web.seeds(_LABEL),
        "relevant": [_LABEL],
    }
    values = {"tasks": [task], "strategies": STRATEGIES, "max_pages": max_pages}
    experiment = make_experiment(values, where="the demo")
    found = compare(experiment, out / "comparison", workers=workers, progress=progress)
    if found.results:
        atomically(out / "report.html", (out / "comparison" / "report.html").read_bytes())
    return found
