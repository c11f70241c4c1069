"""``fcwseo ontology`` and ``fcwseo topic``: build, show, weigh and check an ontology; score documents."""

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from fcwseo.crawling.fit import LEAST_AUC
from fcwseo.crawling.settings import LiveSettings, load_settings
from fcwseo.errors import InvalidInput
from fcwseo.files import atomically
from fcwseo.pages import Failure, Page
from fcwseo.relevance.topicality import Reading, Topicality
from fcwseo.uses.calibrate import Judged, judge_pages, page_of, propose
from fcwseo_cli.live_options import AllowPrivate, ConnectTo, Contact
from fcwseo_cli.output import Ticker, print_json, print_table, say, visible
from fcwseo_ontology.build import build as build_with_report
from fcwseo_ontology.build import candidates
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.decisions import read_relations, write_relations
from fcwseo_ontology.draw import html_page, tree_lines
from fcwseo_ontology.draw.data import as_json
from fcwseo_ontology.draw.pictures import hasse_of
from fcwseo_ontology.files import creatable
from fcwseo_ontology.load import findings_of, load_ontology, load_own, load_topic
from fcwseo_ontology.ossc import topic_of, weights_of
from fcwseo_ontology.owl.ontologies import Severity, write_owl
from fcwseo_ontology.owl.syntaxes import writable
from fcwseo_ontology.relations.wordnet import load_wordnet
from fcwseo_ontology.report import BuildReport
from fcwseo_ontology.terms.choose import Wishes
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
Background = Annotated[
    list[Path] | None,
    typer.Option("--background", metavar="B", help="Documents about other topics; repeatable."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


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
    terms: Annotated[
        int, typer.Option(min=1, help="Number of terms to take; sentences may name kinds of them besides.")
    ] = 80,
    min_df: Annotated[
        int | None,
        typer.Option(
            "--min-df", min=1, help="Documents that must have a term. [default: 2, or 1 below 40 documents]"
        ),
    ] = None,
    whole_corpus: Annotated[
        bool,
        typer.Option("--whole-corpus", help="Take terms from all documents, also if few name the topic."),
    ] = False,
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
    report: Annotated[
        bool, typer.Option("--report", help="Print what the concept lattice did for the hierarchy.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="With --report: print JSON.")] = False,
) -> None:
    """Build a domain ontology from a corpus.

    --review and --relations write tables for an expert. Mark rows with yes or no, then run the same command.
    """
    if json and not report:
        raise InvalidInput("--json prints the report: give --report too")
    writable(out)
    for path in (out, review, relations):
        if path is not None:
            creatable(path)
    own = None if with_file is None else load_own(with_file)
    documents = _read(corpus)
    wishes = Wishes(topic, terms, min_df, whole_corpus)
    reviewed = review is not None and review.exists()
    if review is not None and not reviewed:
        shown = candidates(documents, wishes, own=own)
        write_review(shown, review, taken=1 + terms)  # the topic stands before the terms
        say(f"wrote the candidate terms to {review}: write yes or no under keep, then run the command again")
    decided = relations is not None and relations.exists()
    keep = read_review(review) if review is not None and reviewed else None
    built = build_with_report(
        documents,
        replace(wishes, keep=keep),
        wordnet=load_wordnet(),
        relations=read_relations(relations) if relations is not None and decided else (),
        own=own,
        tell=say,
    )
    ontology = built.ontology
    write_owl(ontology, out)
    if relations is not None and not decided:
        write_relations(ontology, relations)
        say(f"wrote the relations to {relations}: write yes or no under keep, then run the command again")
    say(f"wrote {len(ontology.concepts)} concepts and {len(ontology.edges)} relations to {out}")
    if json:
        print_json(dataclasses.asdict(built.report))
    elif report:
        _print_report(built.report)


def _print_report(report: BuildReport) -> None:
    """The sizes, then what came of the lattice, each with its names."""
    sizes = [
        ("terms", report.terms),
        ("objects of the formal context", report.objects),
        ("attributes", report.attributes),
        ("incidences", report.incidences),
        ("concepts of the lattice", report.concepts),
        ("covers", report.covers),
        (f"engine: {report.engine}", ""),
        ("concepts contracted, as they introduce nothing", report.contracted),
        ("is-a edges of the order", report.is_a),
        ("edges that no single source states", len(report.unstated)),
        ("classes that the lattice names", len(report.named)),
        ("redundant edges dropped", len(report.redundant)),
        ("groups of terms of equal extent, proposed as synonyms", len(report.synonyms)),
        ("pairs that statements between terms alone would lack", len(report.lacking)),
    ]
    print_table(("concept lattice", ""), sizes)
    lists = {
        "edges that no single source states": [f"{low} is-a {high}" for low, high in report.unstated],
        "classes that the lattice names": [f"{one.label}: {', '.join(one.members)}" for one in report.named],
        "redundant edges dropped": [f"{low} is-a {high}" for low, high in report.redundant],
        "terms of equal extent": [", ".join(group) for group in report.synonyms],
        "pairs that statements between terms alone would lack": [
            f"{low} is-a {high}" for low, high in report.lacking
        ],
    }
    for title, found in lists.items():
        if found:
            print_table((title,), [(one,) for one in found])


def _read(paths: list[Path]) -> Corpus:
    ticker = Ticker()
    corpus = read_corpus(paths, progress=lambda n: ticker(lambda: f"{n:,} documents"))
    ticker.close()
    skipped = [problem for problem in corpus.problems if problem.skipped]
    for name, problems in (
        ("skipped", skipped),
        ("read with care", [problem for problem in corpus.problems if not problem.skipped]),
    ):
        for problem in problems[:10]:
            say(f"{name}: {problem.where}: {problem.message.removesuffix('; skipped')}")
        if len(problems) > 10:
            say(f"{name}: {len(problems) - 10} more")
    if corpus.problems:
        say(f"read {len(corpus.documents)} documents; skipped {len(skipped)} records or files")
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
    source, frequency, keyness, intent (what it is, by the formal context) and weight; an edge has child and
    parent (names of concepts), relation, confidence and evidence.
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
    """Print the feature words with their weights, factors and keyness.

    Keyness is how much more frequent a word is in the corpus than elsewhere. Relevance multiplies OSSC by it.
    """
    words = topic_of(load_ontology(file, topic=topic)).words
    rows = [
        {
            "word": word.word,
            "weight": word.weight,
            "labels": list(word.labels),
            "level": word.level,
            "factors": dataclasses.asdict(word.factors) if word.factors else {},
            "keyness": word.keyness or None,
        }
        for word in words
    ]
    if json:
        print_json(rows)
        return
    names = ("dis", "den", "dep", "coi", "rel")
    table = [
        (w.word, w.weight, w.level, *(getattr(w.factors, name, 0.0) for name in names), w.keyness or "")
        for w in words
    ]
    print_table(("word", "weight", "level", *names, "keyness"), table)


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
    background: Background = None,
    contact: Contact = None,
    allow_private: AllowPrivate = None,
    connect_to: ConnectTo = None,
    label: Label = None,
    json: Json = False,
) -> None:
    """Score documents for a topic, and explain the scores.

    Prints the concepts that match, the most similar documents of the topic, the form of the page (a factor of
    its relevance), and its percentile among --background.
    """
    topic = load_topic(file, label=label)
    urls = [doc for doc in docs if doc.startswith(("http://", "https://"))]
    paths = [Path(doc) for doc in docs if doc not in urls]
    pages = [page_of(document) for document in (_read(paths).documents if paths else ())]
    if urls:
        live = {"contact": contact, "allow_private": allow_private, "connect_to": connect_to}
        pages += _pages(load_settings(given={"live": live}).live, urls)
    tested = judge_pages(topic, pages, _read(background).documents if background else ())
    if json:
        print_json(msgspec.to_builtins(tested))
    else:
        print_table(("document", "relevance", "form", "concepts", "nearest documents"), map(_row_of, tested))
    if tested and all(one.topicality is Topicality.OFF for one in tested):
        say("no document is nearer to this topic than an ordinary page")


def _row_of(one: Judged) -> tuple[str, str, float, str, str]:
    reading = Reading(one.relevance, one.percentile, one.topicality)
    nearest = ", ".join(f"{name} ({cosine:.2f})" for name, cosine in one.nearest)
    return one.doc, str(reading), one.form, ", ".join(one.concepts[:8]), nearest


def _pages(live: LiveSettings, urls: Sequence[str]) -> list[Page]:
    """Fetch URLs and return their pages; a failure is an error."""
    from fcwseo.uses.fetch import fetch_pages  # imported here: other commands need no network client

    found = fetch_pages(live, urls)
    for url, page in zip(urls, found, strict=True):
        if isinstance(page, Failure):
            raise InvalidInput(f"{url} returned no page: {page.why} {page.detail}".rstrip())
    pages = [page for page in found if isinstance(page, Page)]
    return [msgspec.structs.replace(page, url=url) for url, page in zip(urls, pages, strict=True)]


@topic_app.command()
def calibrate(
    file: TopicName,
    positive: Annotated[
        list[Path] | None, typer.Option(metavar="P", help="Documents about the topic; repeatable.")
    ] = None,
    background: Background = None,
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
        facts = {**msgspec.to_builtins(calibration), "tau": found.tau}
        print_json(facts | {"positive": msgspec.to_builtins(found.positive)})
        return
    rows: list[tuple[str, object]] = [("eta", calibration.eta), ("method", calibration.method)]
    rows += [("tau", found.tau)] if found.tau is not None else []
    rows += [("positives", calibration.positives), ("background", calibration.background)]
    if separation is not None:
        rows += [("AUC", separation.auc), ("F1", separation.f1)]
        rows += [("precision", separation.precision), ("recall", separation.recall)]
        rows += [("separation", separation.word)]
    rows += [("median positive", str(found.positive))] if found.positive is not None else []
    print_table(("topic", file), rows)
    if separation is not None and separation.auc < LEAST_AUC:
        say("the documents are no nearer to this topic than the background")
