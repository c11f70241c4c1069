"""``fcwseo ontology`` and ``fcwseo topic``: build, look at, weigh and check an ontology; try a topic on
documents.
"""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.console import Console

from fcwseo.crawling.settings import LiveSettings, load_settings
from fcwseo.errors import InvalidInput
from fcwseo.files import atomically
from fcwseo.pages import Failure, Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.uses.calibrate import propose
from fcwseo_cli.live_options import AllowPrivate, ConnectTo, Contact
from fcwseo_cli.output import Ticker, print_json, print_table, say, visible
from fcwseo_ontology.build import build_ontology, choose_terms, read_relations, write_relations
from fcwseo_ontology.corpus.boilerplate import without_boilerplate
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.draw import html_page, tree_lines
from fcwseo_ontology.draw.pictures import hasse_of
from fcwseo_ontology.load import load_ontology, load_topic
from fcwseo_ontology.ossc import topic_of, weights_of
from fcwseo_ontology.owl.ontologies import Severity, write_owl
from fcwseo_ontology.owl.ontologies import check as check_owl
from fcwseo_ontology.relations.wordnet import HOW_TO_GET, load_wordnet
from fcwseo_ontology.terms.extract import read_review, write_review

app = typer.Typer(no_args_is_help=True, help="Build, look at, weigh and check domain ontologies.")
topic_app = typer.Typer(no_args_is_help=True, help="Try a topic on documents.")

OntologyName = Annotated[
    str, typer.Argument(metavar="FILE", help="An ontology in any RDF syntax, or the name of a shipped one.")
]
Label = Annotated[
    str | None, typer.Option("--topic", metavar="LABEL", help="Only what lies below this concept.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_MORE_CANDIDATES = 3  # times as many terms as wanted are shown to the expert


@app.command()
def build(
    corpus: Annotated[
        list[Path],
        typer.Argument(metavar="CORPUS...", help=".jsonl .bib .ris .csv files, folders of .txt .md .html"),
    ],
    topic: Annotated[str, typer.Option(metavar="TEXT", help="The root of the ontology.")],
    out: Annotated[Path, typer.Option(metavar="FILE.owl", help="The ontology to write.")],
    terms: Annotated[int, typer.Option(min=1, help="How many terms to take.")] = 80,
    review: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Terms: written if it is not there, else obeyed.")
    ] = None,
    relations: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Edges: written if it is not there, else obeyed.")
    ] = None,
) -> None:
    """Build a domain ontology from a corpus."""
    documents = _read(corpus)
    wordnet = load_wordnet()
    obeyed = review is not None and review.exists()
    if review is not None and not obeyed:
        candidates = choose_terms(
            without_boilerplate(documents), topic=topic, limit=terms * _MORE_CANDIDATES, keep={}
        )
        write_review(candidates, review, taken=1 + terms)  # the topic stands before the terms
        say(f"wrote the candidate terms to {review}: mark what to keep and run the same command again")
    decided = relations is not None and relations.exists()
    ontology = build_ontology(
        documents,
        topic=topic,
        terms=terms,
        wordnet=wordnet,
        keep=read_review(review) if review is not None and obeyed else None,
        relations=read_relations(relations) if relations is not None and decided else None,
    )
    write_owl(ontology, out)
    if relations is not None and not decided:
        write_relations(ontology, relations)
        say(f"wrote the relations to {relations}: mark what to keep and run the same command again")
    say(f"wrote {len(ontology.concepts)} concepts and {len(ontology.edges)} relations to {out}")
    if wordnet is None:
        say(f"worked without WordNet, so fewer relations were found: {HOW_TO_GET}")


def _read(paths: list[Path]) -> Corpus:
    ticker = Ticker()
    corpus = read_corpus(paths, progress=lambda n: ticker(lambda: f"{n:,} documents"))
    ticker.close()
    for problem in corpus.problems[:10]:
        say(f"{problem.where}: {problem.message}")
    if len(corpus.problems) > 10:
        say(f"... and {len(corpus.problems) - 10} more problems")
    return corpus


@app.command()
def show(
    file: OntologyName,
    topic: Label = None,
    html: Annotated[Path | None, typer.Option(metavar="OUT", help="Write one self-contained page.")] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(metavar="CORPUS", help="Draw the lattice of these documents and the terms."),
    ] = None,
) -> None:
    """Draw an ontology: a tree in the terminal, or a page with graph and lattice."""
    ontology = load_ontology(file, topic=topic)
    weights = weights_of(ontology)
    if html is None:
        Console().print(tree_lines(ontology, weights))
        return
    hasse = hasse_of(ontology, _read(corpus) if corpus else None)
    atomically(html, html_page(ontology, weights=weights, hasse=hasse).encode())
    say(f"wrote {html}")


@app.command()
def weights(file: OntologyName, topic: Label = None, json: Json = False) -> None:
    """Print the feature words with their OSSC weight and its five factors."""
    words = topic_of(load_ontology(file, topic=topic)).words
    rows = [
        {
            "word": word.word,
            "weight": word.weight,
            "labels": list(word.labels),
            "level": word.level,
            "factors": dataclasses.asdict(word.factors) if word.factors else {},
        }
        for word in words
    ]
    if json:
        print_json(rows)
        return
    names = ("dis", "den", "dep", "coi", "rel")
    table = [(w.word, w.weight, w.level, *(getattr(w.factors, name, 0.0) for name in names)) for w in words]
    print_table(("word", "weight", "level", *names), table)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An ontology.")], json: Json = False
) -> None:
    """Look for cycles, unlabelled or unreachable concepts and duplicate labels; exit 4 if it is broken."""
    findings = check_owl(file)
    if json:
        print_json([dataclasses.asdict(finding) for finding in findings])
    else:
        for finding in findings:
            print(visible(f"{finding.severity}: {finding.text}"))
        if not findings:
            say(f"{file}: nothing to complain about")
    if any(finding.severity is Severity.ERROR for finding in findings):
        raise typer.Exit(4)


@topic_app.command("test")
def topic_test(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="An ontology, a shipped topic, or weighted words.")
    ],
    docs: Annotated[
        list[str], typer.Argument(metavar="DOC|URL...", help="Documents, folders of them, addresses.")
    ],
    contact: Contact = None,
    allow_private: AllowPrivate = None,
    connect_to: ConnectTo = None,
    json: Json = False,
) -> None:
    """Say how relevant documents are to a topic, and which concepts matched."""
    topic = load_topic(file)
    relevance = TopicalRelevance(topic)
    urls = [doc for doc in docs if doc.startswith(("http://", "https://"))]
    paths = [Path(doc) for doc in docs if doc not in urls]
    texts = [
        (document.id, f"{document.title}\n{document.text}", document.language)
        for document in (_read(paths).documents if paths else ())
    ]
    if urls:
        live = {"contact": contact, "allow_private": allow_private, "connect_to": connect_to}
        texts += _pages(load_settings(given={"live": live}).live, urls)
    rows: list[dict[str, Any]] = []
    for name, text, language in texts:
        counts = relevance.matcher.features(text, language)
        found = [topic.words[number].word for number in sorted(counts, key=lambda number: -counts[number])]
        score = relevance.of_text(text, language)
        rows.append({"doc": name, "relevance": score, "concepts": found})
    if json:
        print_json(rows)
    else:
        table = [(row["doc"], row["relevance"], ", ".join(row["concepts"][:8])) for row in rows]
        print_table(("document", "relevance", "concepts"), table)


def _pages(live: LiveSettings, urls: Sequence[str]) -> list[tuple[str, str, str]]:
    """Addresses, what their pages say, and in which language; one that has no page is an error."""
    from fcwseo.uses.look import look_at  # the network is loaded by those who use it

    found = look_at(live, urls)
    for url, page in zip(urls, found, strict=True):
        if isinstance(page, Failure):
            raise InvalidInput(f"{url} gives no page: {page.why} {page.detail}".rstrip())
    return [
        (url, f"{page.title}\n{page.text}", page.language)
        for url, page in zip(urls, found, strict=True)
        if isinstance(page, Page)
    ]


@topic_app.command()
def calibrate(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="An ontology, a shipped topic, or weighted words.")
    ],
    positive: Annotated[
        list[Path] | None, typer.Option(metavar="P", help="Documents about the topic; may be repeated.")
    ] = None,
    background: Annotated[
        list[Path] | None, typer.Option(metavar="B", help="Documents about other things; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Propose eta and tau from documents about the topic and others, and say how well they separate."""
    if not (positive or background):
        raise InvalidInput("nothing to calibrate by: give documents with --positive, --background or both")
    ups, downs = (_read(paths).documents if paths else () for paths in (positive, background))
    found = propose(load_topic(file), ups, downs)
    calibration, separation = found.calibration, found.calibration.separation
    if json:
        print_json({**msgspec.to_builtins(calibration), "tau": found.tau})
        return
    rows: list[tuple[str, object]] = [("eta", calibration.eta), ("found by", calibration.method)]
    rows += [("tau", found.tau)] if found.tau is not None else []
    rows += [("positives", calibration.positives), ("background", calibration.background)]
    if separation is not None:
        rows += [("AUC", separation.auc), ("F1", separation.f1)]
        rows += [("precision", separation.precision), ("recall", separation.recall)]
        rows += [("they separate", separation.word)]
    print_table(("topic", file), rows)
