"""``fcwseo ontology`` and ``fcwseo topic``: build, show, weigh and check an ontology; score documents."""

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
from fcwseo_ontology.build import build_ontology, choose_terms
from fcwseo_ontology.corpus.boilerplate import without_boilerplate
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.decisions import read_relations, write_relations
from fcwseo_ontology.draw import html_page, tree_lines
from fcwseo_ontology.draw.data import as_json
from fcwseo_ontology.draw.pictures import hasse_of
from fcwseo_ontology.load import findings_of, load_ontology, load_own, load_topic
from fcwseo_ontology.ossc import topic_of, weights_of
from fcwseo_ontology.owl.ontologies import Severity, write_owl
from fcwseo_ontology.owl.syntaxes import writable
from fcwseo_ontology.relations.wordnet import HOW_TO_GET, load_wordnet
from fcwseo_ontology.terms.extract import read_review, write_review

app = typer.Typer(no_args_is_help=True, help="Build, show, weigh and check domain ontologies.")
topic_app = typer.Typer(
    no_args_is_help=True, help="Score documents for a topic, and calibrate its thresholds."
)

OntologyName = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="An ontology (OWL or SKOS) in any RDF syntax, or the name of a shipped one; FILE#LABEL: a part.",
    ),
]
TopicName = Annotated[
    str, typer.Argument(metavar="FILE", help="An ontology, a shipped topic, or weighted words.")
]
Label = Annotated[
    str | None,
    typer.Option("--topic", metavar="LABEL", help="Only the concepts below the one with this label."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_MORE_CANDIDATES = 3  # candidates in the review table for each term wanted


@app.command()
def build(
    corpus: Annotated[
        list[Path],
        typer.Argument(
            metavar="CORPUS...",
            help="Files .jsonl .bib .ris .csv .txt .md .html .pdf, folders of them, or runs (kept pages).",
        ),
    ],
    topic: Annotated[
        str, typer.Option(metavar="TEXT", help="Label of the root concept; documents must contain it.")
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE.owl", help="File to write: .owl .rdf .xml .ttl .nt or .jsonld.")
    ],
    terms: Annotated[int, typer.Option(min=1, help="Number of terms to take.")] = 80,
    review: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="Table of terms: written if missing, else its decisions apply."
        ),
    ] = None,
    relations: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="Table of relations: written if missing, else its decisions apply."
        ),
    ] = None,
    with_file: Annotated[
        str | None,
        typer.Option(
            "--with", metavar="FILE", help="Join it with an ontology (OWL or SKOS), whose edges win."
        ),
    ] = None,
) -> None:
    """Build a domain ontology from a corpus.

    --review and --relations write tables for an expert. Mark rows with yes or no, then run the same command.
    """
    writable(out)
    own = None if with_file is None else load_own(with_file)
    documents = _read(corpus)
    wordnet = load_wordnet()
    reviewed = review is not None and review.exists()
    if review is not None and not reviewed:
        bare = without_boilerplate(documents)
        spoken = topic if own is None else own.spoken(topic, bare)
        candidates = choose_terms(bare, topic=spoken, limit=terms * _MORE_CANDIDATES, keep={})
        write_review(candidates, review, taken=1 + terms)  # the topic stands before the terms
        say(f"wrote the candidate terms to {review}: write yes or no under keep, then run the command again")
    decided = relations is not None and relations.exists()
    ontology = build_ontology(
        documents,
        topic=topic,
        terms=terms,
        wordnet=wordnet,
        keep=read_review(review) if review is not None and reviewed else None,
        relations=read_relations(relations) if relations is not None and decided else None,
        own=own,
    )
    write_owl(ontology, out)
    if relations is not None and not decided:
        write_relations(ontology, relations)
        say(f"wrote the relations to {relations}: write yes or no under keep, then run the command again")
    say(f"wrote {len(ontology.concepts)} concepts and {len(ontology.edges)} relations to {out}")
    if wordnet is None:
        say(f"WordNet is not installed, so fewer relations were found: {HOW_TO_GET}")


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
    json: Json = False,
    html: Annotated[
        Path | None, typer.Option(metavar="OUT", help="Write a self-contained HTML page instead.")
    ] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(metavar="CORPUS", help="With --html: draw the concept lattice of these documents."),
    ] = None,
) -> None:
    """Show an ontology as a tree, as JSON, or as an HTML page.

    --json prints {topic, concepts, edges}. A concept has name, labels and synonyms (each text and language),
    source, frequency and weight; an edge has child, parent (names of concepts), relation, confidence and
    evidence.
    """
    if json and html is not None:
        raise InvalidInput("--json and --html are two ways to show an ontology: omit one")
    ontology = load_ontology(file, topic=topic)
    weights = weights_of(ontology)
    if json:
        print_json(as_json(ontology, weights))
        return
    if html is None:
        Console().print(tree_lines(ontology, weights))
        return
    hasse = hasse_of(ontology, _read(corpus) if corpus else None)
    atomically(html, html_page(ontology, weights=weights, hasse=hasse).encode())
    say(f"wrote {html}")


@app.command()
def weights(file: OntologyName, topic: Label = None, json: Json = False) -> None:
    """Print the feature words with OSSC weights and their five factors."""
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
def check(file: OntologyName, json: Json = False) -> None:
    """Check an ontology for errors; exit with 4 if there are any.

    Errors are cycles, concepts without a label, and unreachable concepts. Duplicate labels are warnings.
    """
    findings = findings_of(file)
    if json:
        print_json([dataclasses.asdict(finding) for finding in findings])
    else:
        for finding in findings:
            print(visible(f"{finding.severity}: {finding.text}"))
        if not findings:
            say(f"{file}: no problem found")
    if any(finding.severity is Severity.ERROR for finding in findings):
        raise typer.Exit(4)


@topic_app.command("test")
def topic_test(
    file: TopicName,
    docs: Annotated[
        list[str], typer.Argument(metavar="DOC|URL...", help="Documents, folders of documents, or URLs.")
    ],
    contact: Contact = None,
    allow_private: AllowPrivate = None,
    connect_to: ConnectTo = None,
    label: Label = None,
    json: Json = False,
) -> None:
    """Score documents for a topic, with the concepts that match."""
    topic = load_topic(file, label=label)
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
    """Fetch URLs and return each with the text and language of its page; a failure is an error."""
    from fcwseo.uses.fetch import fetch_pages  # imported here: other commands need no network client

    found = fetch_pages(live, urls)
    for url, page in zip(urls, found, strict=True):
        if isinstance(page, Failure):
            raise InvalidInput(f"{url} returned no page: {page.why} {page.detail}".rstrip())
    return [
        (url, f"{page.title}\n{page.text}", page.language)
        for url, page in zip(urls, found, strict=True)
        if isinstance(page, Page)
    ]


@topic_app.command()
def calibrate(
    file: TopicName,
    positive: Annotated[
        list[Path] | None, typer.Option(metavar="P", help="Documents about the topic; repeatable.")
    ] = None,
    background: Annotated[
        list[Path] | None, typer.Option(metavar="B", help="Documents about other topics; repeatable.")
    ] = None,
    label: Label = None,
    json: Json = False,
) -> None:
    """Propose the thresholds eta and tau of a topic from documents.

    Also prints how well eta separates documents about the topic from others.
    """
    if not (positive or background):
        raise InvalidInput("no documents to calibrate with: give --positive, --background or both")
    ups, downs = (_read(paths).documents if paths else () for paths in (positive, background))
    found = propose(load_topic(file, label=label), ups, downs)
    calibration, separation = found.calibration, found.calibration.separation
    if json:
        print_json({**msgspec.to_builtins(calibration), "tau": found.tau})
        return
    rows: list[tuple[str, object]] = [("eta", calibration.eta), ("method", calibration.method)]
    rows += [("tau", found.tau)] if found.tau is not None else []
    rows += [("positives", calibration.positives), ("background", calibration.background)]
    if separation is not None:
        rows += [("AUC", separation.auc), ("F1", separation.f1)]
        rows += [("precision", separation.precision), ("recall", separation.recall)]
        rows += [("separation", separation.word)]
    print_table(("topic", file), rows)
