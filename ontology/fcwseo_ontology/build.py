"""From a corpus to an ontology: terms, their relations, and of these a hierarchy with the topic on top.

The topic is the root. So what is wider than the topic, or causes it, hangs below it as ``related``: "flood"
below "flash flood". Everything else keeps the relation that there is evidence for; a concept that nothing is
known of hangs below the topic, as ``related`` too. Nothing becomes a kind of another for want of something
better.
"""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fcwseo_ontology.corpus.boilerplate import without_boilerplate
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key, language_of
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.files import write_table
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation, identifier
from fcwseo_ontology.relations.find import find_relations
from fcwseo_ontology.relations.hang import Decisions, hang
from fcwseo_ontology.relations.kinds import shown_like_heads
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.terms.choose import Wishes, choose
from fcwseo_ontology.terms.extract import NO, YES, Term

COLUMNS = ("child", "parent", "relation", "confidence", "evidence", "keep")


@dataclass(frozen=True, slots=True)
class Decision:
    """What an expert says of an edge, by labels: ``keep`` it, as this relation, or not."""

    child: str
    parent: str
    relation: Relation
    keep: bool


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
    corpus = without_boilerplate(corpus)
    found_terms = choose(corpus, Wishes(topic, terms, minimum_df, whole_corpus, keep))
    chosen = shown_like_heads(found_terms.terms)
    for note in found_terms.notes:
        tell(note)
    decided = _decided(relations or (), chosen)
    found = find_relations(chosen, corpus, wordnet=wordnet, topic=chosen[0].key)
    return _ontology(chosen, hang(chosen, found, decided=decided))


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


def _ontology(terms: Sequence[Term], edges: Sequence[Edge]) -> Ontology:
    """The terms that hang somewhere as concepts, named in ASCII."""
    hanging = {edge.child for edge in edges} | {terms[0].key}
    names: dict[str, str] = {}
    for term in terms:
        if term.key in hanging:
            names[term.key] = identifier(term.label, set(names.values()))
    concepts = tuple(_concept(term, names[term.key]) for term in terms if term.key in names)
    typed = (
        Edge(names[edge.child], names[edge.parent], edge.relation, edge.evidence, edge.confidence)
        for edge in edges
        if edge.parent in names
    )
    ordered = sorted(typed, key=lambda edge: (edge.child, edge.parent, edge.relation))
    return Ontology(names[terms[0].key], concepts, tuple(ordered))


def _concept(term: Term, name: str) -> Concept:
    others = {text.casefold(): text for text in term.variants if text.casefold() != term.label.casefold()}
    synonyms = tuple(Label(text, term.language) for text in others.values())
    label = Label(term.label, term.language)
    return Concept(name, (label,), synonyms, source=term.source, frequency=term.documents.bit_count())


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


def _decided(decisions: Iterable[Decision], terms: Sequence[Term]) -> Decisions:
    """The decisions by keys, on terms that are there; what is to be kept must be."""
    keys = {term.key for term in terms}
    found = {}
    for decision in decisions:
        child, parent = _key(decision.child), _key(decision.parent)
        unknown = [label for label in (decision.child, decision.parent) if _key(label) not in keys]
        if unknown and decision.keep:
            raise InvalidInput(
                f"no term is {unknown[0]!r}, so nothing can hang on it: add it to the terms first"
            )
        if not unknown:
            found[child, parent, decision.relation] = decision.keep
    return found


def _key(label: str) -> str:
    return key(label, language_of(label))
