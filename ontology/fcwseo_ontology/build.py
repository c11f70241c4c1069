"""From a corpus to an ontology, as in section 3 of paper 001: documents, terms, a formal context, its concept
lattice, and of that a hierarchy with the topic on top.

The objects of the context are terms, and its attributes are what a term is said to be. The order of the
lattice is the hierarchy of kinds; parts, attributes and effects are added to it. The topic is the root. So
what is wider than the topic, or causes it, hangs below it as ``related``: "flood" below "flash flood".
Everything else keeps the relation that there is evidence for; a concept that nothing is known of hangs below
the topic, as ``related`` too. Nothing becomes a kind of another for want of something better.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from fcwseo_ontology.corpus.boilerplate import without_boilerplate
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key, words
from fcwseo_ontology.corpus.wordlists import singulars
from fcwseo_ontology.decisions import Decision, by_nodes, decided, on_concepts, on_nodes, without
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.engines import concept_lattice
from fcwseo_ontology.fca.order import introducer_order
from fcwseo_ontology.joining import Own, joined
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, identifier
from fcwseo_ontology.relations.features import as_decided
from fcwseo_ontology.relations.find import find_relations
from fcwseo_ontology.relations.hang import hang
from fcwseo_ontology.relations.heads import shown_like_heads
from fcwseo_ontology.relations.kinds import Kinds, formal_context, kinds_of
from fcwseo_ontology.relations.said import what_is_said
from fcwseo_ontology.relations.statements import Names, believed
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.report import BuildReport, report_of
from fcwseo_ontology.terms.choose import Wishes, choose
from fcwseo_ontology.terms.counts import with_documents
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.focus import occurrences
from fcwseo_ontology.terms.keyness import Keyness, with_keyness
from fcwseo_ontology.terms.reading import read

MORE_CANDIDATES = 3  # candidates shown to an expert for each term that is wanted

logger = logging.getLogger(__name__)


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
    own: Own | None = None,
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
        own: An ontology of the user's own to join the built one with.
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
    return build(corpus, wishes, wordnet=wordnet, relations=relations or (), own=own, tell=tell).ontology


def build(
    corpus: Corpus,
    wishes: Wishes,
    *,
    wordnet: WordNet | None = None,
    relations: Sequence[Decision] = (),
    own: Own | None = None,
    tell: Callable[[str], None] = lambda note: None,
) -> Built:
    """The same, with a report: from documents to what is said of terms, and by a lattice to their kinds."""
    corpus = without_boilerplate(corpus)
    reading = read(corpus)
    chosen = choose(corpus, _spoken(wishes, corpus, own), reading=reading)
    for note in chosen.notes:
        tell(note)
    terms = shown_like_heads(chosen.terms)
    keyness = Keyness(chosen.corpus)
    said = what_is_said(terms, reading, corpus, wordnet, keyness=keyness.stems("en"))
    placed = on_nodes(relations, terms, said.names)
    beliefs = believed(as_decided(said.statements, by_nodes(placed)), corpus.documents)
    context = formal_context(terms, beliefs, phrases=said.phrases, unwanted=_unwanted(wishes, said.names))
    lattice = concept_lattice(context)
    order = introducer_order(lattice)
    kinds = kinds_of(terms, order, beliefs, said.names)
    typed = find_relations(said.known, beliefs=beliefs, topic=terms[0].key)
    concepts = [*terms, *_classes(kinds, corpus)]
    placed = on_concepts(placed, concepts, kinds)
    edges = hang(concepts, [*kinds.edges, *typed], decided=by_nodes(placed))
    report = report_of(terms, lattice, order, kinds, beliefs, said.names)
    for line in report.lines():
        logger.debug("%s", line)
    found = with_keyness(_ontology(concepts, edges, context), keyness)
    rest = [decision for decision in relations if decision not in placed]
    whole = decided(found, rest) if own is None else _joined(found, own, wishes, relations)
    return Built(with_documents(whole, chosen.corpus), report)


def candidates(corpus: Corpus, wishes: Wishes, *, own: Own | None = None) -> list[Term]:
    """The terms that an expert is shown, the topic first: more than are wanted, and what sentences add."""
    corpus = without_boilerplate(corpus)
    more = replace(_spoken(wishes, corpus, own), terms=MORE_CANDIDATES * wishes.terms)
    return shown_like_heads(choose(corpus, more).terms)


def _spoken(wishes: Wishes, corpus: Corpus, own: Own | None) -> Wishes:
    """The wishes with the topic as the corpus calls it."""
    return wishes if own is None else replace(wishes, topic=own.spoken(wishes.topic, corpus))


def _unwanted(wishes: Wishes, names: Names) -> frozenset[str]:
    """The nodes that the expert wants no class of."""
    labels = (words(label) for label, yes in (wishes.keep or {}).items() if not yes)
    return frozenset(names.find(parts) for parts in labels if parts)


def _classes(kinds: Kinds, corpus: Corpus) -> list[Term]:
    """The classes that the lattice names, in the form of terms: with the documents that name them."""
    stems = {name: key(label) for name, label in kinds.named.items()}
    found = occurrences(corpus, stems.values(), "en")
    return [
        Term(label, name, (label,), "en", found[stems[name]], 0.0, source="lattice")
        for name, label in kinds.named.items()
    ]


def _joined(built: Ontology, own: Own, wishes: Wishes, relations: Sequence[Decision]) -> Ontology:
    """The ontology joined with the user's own; an expert decides on the concepts of both."""
    unwanted = [label for label, yes in (wishes.keep or {}).items() if not yes]
    return decided(without(joined(built, own, topic=wishes.topic), unwanted), relations)


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
    taken = {term.label.casefold() for term in terms if term.key in names}
    concepts = tuple(
        _concept(term, names[term.key], intents[term.key], taken) for term in terms if term.key in names
    )
    typed = (
        Edge(names[edge.child], names[edge.parent], edge.relation, edge.evidence, edge.confidence)
        for edge in edges
        if edge.parent in names
    )
    ordered = sorted(typed, key=lambda edge: (edge.child, edge.parent, edge.relation))
    return Ontology(names[terms[0].key], concepts, tuple(ordered))


def _concept(term: Term, name: str, intent: tuple[str, ...], taken: AbstractSet[str]) -> Concept:
    """The concept of a term; forms of it that are ``taken``, as labels of other concepts, are no synonyms."""
    own = term.label.casefold()
    others = {text.casefold(): text for text in term.variants if text.casefold() != own}
    free = (text for folded, text in others.items() if not taken & {*singulars(folded)} - {own})
    synonyms = tuple(Label(text, term.language) for text in free)
    label = Label(term.label, term.language)
    return Concept(name, (label,), synonyms, term.source, frequency=term.documents.bit_count(), intent=intent)
