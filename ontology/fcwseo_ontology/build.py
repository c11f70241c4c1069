"""From a corpus to an ontology, as in section 3 of paper 001: documents, terms, a formal context, its concept
lattice, and of that a hierarchy with the topic on top.

The objects of the context are terms, and its attributes are what a term is said to be. The order of the
lattice is the hierarchy of kinds; parts, attributes and effects are added to it. The topic is the root. So
what is wider than the topic, or causes it, hangs below it as ``related``: "flood" below "flash flood".
Everything else keeps the relation that there is evidence for; a concept that nothing is known of hangs below
the topic, as ``related`` too. Nothing becomes a kind of another for want of something better.
"""

import csv
import io
import logging
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fcwseo_ontology.corpus.boilerplate import without_boilerplate
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key, language_of, words
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.engines import concept_lattice
from fcwseo_ontology.fca.order import introducer_order
from fcwseo_ontology.files import write_table
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation, identifier
from fcwseo_ontology.relations.features import as_decided
from fcwseo_ontology.relations.find import find_relations
from fcwseo_ontology.relations.hang import hang
from fcwseo_ontology.relations.heads import shown_like_heads
from fcwseo_ontology.relations.kinds import Kinds, formal_context, kinds_of
from fcwseo_ontology.relations.said import what_is_said
from fcwseo_ontology.relations.statements import Decisions, Names, believed
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.report import BuildReport, report_of
from fcwseo_ontology.terms.choose import Wishes, choose
from fcwseo_ontology.terms.counts import with_documents
from fcwseo_ontology.terms.extract import NO, YES, Term
from fcwseo_ontology.terms.focus import occurrences
from fcwseo_ontology.terms.keyness import with_keyness
from fcwseo_ontology.terms.reading import read

logger = logging.getLogger(__name__)

COLUMNS = ("child", "parent", "relation", "confidence", "evidence", "keep")


@dataclass(frozen=True, slots=True)
class Decision:
    """What an expert says of an edge, by labels: ``keep`` it, as this relation, or not."""

    child: str
    parent: str
    relation: Relation
    keep: bool


@dataclass(frozen=True, slots=True)
class Built:
    """An ontology and what the concept lattice did for it."""

    ontology: Ontology
    report: BuildReport


def build_ontology(
    corpus: Corpus,
    *,
    topic: str,
    terms: int = 80,
    wordnet: WordNet | None = None,
    keep: Mapping[str, bool] | None = None,
    relations: Sequence[Decision] | None = None,
    minimum_df: int | None = None,
    whole_corpus: bool = False,
    tell: Callable[[str], None] = lambda note: None,
) -> Ontology:
    """Build the ontology of a topic from the best ``terms`` of a corpus and the relations between them.

    If the topic is a side issue of the corpus, only terms that co-occur with it are taken, unless the whole
    corpus is asked for. Lines and runs of words that many documents share are skipped as boilerplate.

    Args:
        corpus: The documents.
        topic: The label of the root; documents must contain it.
        terms: Number of terms to take, besides kinds of them that sentences name.
        wordnet: WordNet, for more relations.
        keep: An expert's decisions on terms: labels and whether to keep them.
        relations: An expert's decisions on edges.
        minimum_df: Number of documents that must contain a term: by default 2, or 1 below 40 documents.
        whole_corpus: Take terms from all documents, even if few of them name the topic.
        tell: Called with each sentence on how the terms were chosen.

    Returns:
        The ontology. The same input always returns the same ontology.

    Raises:
        InvalidInput: If ``terms`` is below 1, or no document contains the topic.

    >>> from fcwseo_ontology import read_corpus
    >>> from fcwseo_ontology.shipped import shipped_corpus
    >>> corpus = read_corpus([shipped_corpus("rainstorm")])
    >>> len(build_ontology(corpus, topic="rainstorm", terms=20).concepts) > 10
    True
    """
    if terms < 1:
        raise InvalidInput(f"an ontology needs at least 1 term: got {terms}")
    wishes = Wishes(topic, terms, minimum_df, whole_corpus, keep)
    return build(corpus, wishes, wordnet=wordnet, relations=relations or (), tell=tell).ontology


def build(
    corpus: Corpus,
    wishes: Wishes,
    *,
    wordnet: WordNet | None = None,
    relations: Sequence[Decision] = (),
    tell: Callable[[str], None] = lambda note: None,
) -> Built:
    """The same, with a report: from documents to what is said of terms, and by a lattice to their kinds."""
    corpus = without_boilerplate(corpus)
    reading = read(corpus)
    chosen = choose(corpus, wishes, reading=reading)
    for note in chosen.notes:
        tell(note)
    terms = shown_like_heads(chosen.terms)
    said = what_is_said(terms, reading, corpus, wordnet)
    decided = _decided(relations, terms, said.names)
    beliefs = believed(as_decided(said.statements, decided))
    context = formal_context(terms, beliefs, phrases=said.phrases)
    lattice = concept_lattice(context)
    order = introducer_order(lattice)
    kinds = kinds_of(terms, order, beliefs, said.names)
    typed = find_relations(said.known, corpus, beliefs=beliefs, topic=terms[0].key)
    concepts = [*terms, *_classes(kinds, corpus)]
    edges = hang(concepts, [*kinds.edges, *typed], decided=_by_class(decided, kinds))
    report = report_of(terms, lattice, order, kinds, beliefs, said.names)
    for line in report.lines():
        logger.debug("%s", line)
    ontology = with_keyness(_ontology(concepts, edges, context), chosen.corpus)
    return Built(with_documents(ontology, chosen.corpus), report)


def _classes(kinds: Kinds, corpus: Corpus) -> list[Term]:
    """The classes that the lattice names, in the form of terms: with the documents that name them."""
    stems = {name: key(label) for name, label in kinds.named.items()}
    found = occurrences(corpus, stems.values(), "en")
    return [
        Term(label, name, (label,), "en", found[stems[name]], 0.0, source="lattice")
        for name, label in kinds.named.items()
    ]


def _by_class(decided: Decisions, kinds: Kinds) -> Decisions:
    """The decisions by the names of the classes that stand for what was decided on."""
    named = {node: one.name for one in kinds.classes if not one.terms for node in one.nodes}
    return {
        (named.get(child, child), named.get(parent, parent), relation): keep
        for (child, parent, relation), keep in decided.items()
    }


def choose_terms(
    corpus: Corpus,
    *,
    topic: str,
    limit: int,
    keep: Mapping[str, bool],
    minimum_df: int | None = None,
    whole_corpus: bool = False,
) -> list[Term]:
    """The topic, the terms that an expert wants, the best others, and what these grow, for a review."""
    return shown_like_heads(choose(corpus, Wishes(topic, limit, minimum_df, whole_corpus, keep)).terms)


def _ontology(terms: Sequence[Term], edges: Sequence[Edge], context: Context) -> Ontology:
    """The terms and classes that hang somewhere as concepts, named in ASCII."""
    hanging = {edge.child for edge in edges} | {terms[0].key}
    names: dict[str, str] = {}
    for term in terms:
        if term.key in hanging:
            names[term.key] = identifier(term.label, set(names.values()))
    intents = {
        one: tuple(sorted(names[kind] for kind in context.names_of_attributes(row) if kind in names))
        for one, row in zip(context.objects, context.rows, strict=True)
    }
    concepts = tuple(
        _concept(term, names[term.key], intents[term.key]) for term in terms if term.key in names
    )
    typed = (
        Edge(names[edge.child], names[edge.parent], edge.relation, edge.evidence, edge.confidence)
        for edge in edges
        if edge.parent in names
    )
    ordered = sorted(typed, key=lambda edge: (edge.child, edge.parent, edge.relation))
    return Ontology(names[terms[0].key], concepts, tuple(ordered))


def _concept(term: Term, name: str, intent: tuple[str, ...]) -> Concept:
    others = {text.casefold(): text for text in term.variants if text.casefold() != term.label.casefold()}
    synonyms = tuple(Label(text, term.language) for text in others.values())
    label = Label(term.label, term.language)
    return Concept(name, (label,), synonyms, term.source, frequency=term.documents.bit_count(), intent=intent)


def write_relations(ontology: Ontology, path: Path) -> None:
    """The edges as a table for an expert, who writes yes or no into ``keep`` and may change or add lines."""
    labels = {concept.name: concept.labels[0].text for concept in ontology.concepts}
    rows = [
        (
            labels[edge.child],
            labels[edge.parent],
            edge.relation.value,
            f"{edge.confidence:g}",
            edge.evidence,
            "",
        )
        for edge in ontology.edges
    ]
    write_table(path, COLUMNS, rows)


def read_relations(path: Path) -> tuple[Decision, ...]:
    """The expert's decisions in such a table; lines without a yes or no are left to the program.

    Commas, semicolons or tabs may part the columns, as spreadsheets have it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidInput(f"cannot read the relations {path}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInput(f"the relations {path} are not UTF-8: save them as CSV in UTF-8") from error
    header, _, _ = text.partition("\n")
    table = csv.DictReader(io.StringIO(text), delimiter=max(",;\t", key=header.count))
    missing = [
        name for name in ("child", "parent", "relation", "keep") if name not in (table.fieldnames or ())
    ]
    if missing:
        raise InvalidInput(f"{path} has no column {missing[0]!r}: expected {', '.join(COLUMNS)}")
    try:
        found = [_decision(row, f"{path}, line {table.line_num}") for row in table]
    except csv.Error as error:
        raise InvalidInput(f"{path}, line {table.line_num}: {error}") from error
    return tuple(decision for decision in found if decision is not None)


def _decision(row: Mapping[str, str | None], where: str) -> Decision | None:
    child, parent, relation, keep = (
        (row[name] or "").strip() for name in ("child", "parent", "relation", "keep")
    )
    if not keep:
        return None
    if keep.casefold() not in YES + NO:
        raise InvalidInput(f"{where}: keep is {keep!r}; write yes, no or nothing")
    if relation not in list(Relation):
        raise InvalidInput(f"{where}: {relation!r} is no relation; choose of {', '.join(Relation)}")
    if not child or not parent:
        raise InvalidInput(f"{where}: a relation needs a child and a parent")
    return Decision(child, parent, Relation(relation), keep.casefold() in YES)


def _decided(decisions: Iterable[Decision], terms: Sequence[Term], names: Names) -> Decisions:
    """The decisions by nodes, on what is there; what is to be kept must be."""
    keys = {term.key for term in terms}
    found = {}
    for decision in decisions:
        nodes = [_node(label, keys, names) for label in (decision.child, decision.parent)]
        unknown = [
            label for label, node in zip((decision.child, decision.parent), nodes, strict=True) if not node
        ]
        if unknown and decision.keep:
            raise InvalidInput(
                f"no term is {unknown[0]!r}, so nothing can hang on it: add it to the terms first"
            )
        if not unknown:
            found[nodes[0], nodes[1], decision.relation] = decision.keep
    return found


def _node(label: str, keys: Container[str], names: Names) -> str:
    """The term with a label, or else what a term is said to be by this name; nothing if it is neither."""
    if _key(label) in keys:
        return _key(label)
    parts = words(label)
    node = names.find(parts) if parts else ""
    return node if node in names.labels else ""


def _key(label: str) -> str:
    return key(label, language_of(label))
