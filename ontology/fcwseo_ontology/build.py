"""From a corpus to an ontology: terms, their relations, and of these a hierarchy with the topic on top.

The topic is the root. So what is wider than the topic, or causes it, hangs below it as ``related``: "flood"
below "flash flood". Everything else keeps the relation that there is evidence for; a concept that nothing is
known of hangs below the topic, as ``related`` too. Nothing becomes a kind of another for want of something
better.
"""

from collections.abc import Iterable, Mapping, Sequence

from fcwseo_ontology.corpus.boilerplate import without_boilerplate
from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key, language_of
from fcwseo_ontology.decisions import Decision, decided, without
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.joining import Own, joined
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, identifier
from fcwseo_ontology.relations.find import find_relations
from fcwseo_ontology.relations.hang import Decisions, hang
from fcwseo_ontology.relations.kinds import shown_like_heads
from fcwseo_ontology.relations.wordnet import WordNet
from fcwseo_ontology.terms.extract import Term
from fcwseo_ontology.terms.focus import occurrences, topical_terms


def build_ontology(
    corpus: Corpus,
    *,
    topic: str,
    terms: int = 80,
    wordnet: WordNet | None = None,
    keep: Mapping[str, bool] | None = None,
    relations: Sequence[Decision] | None = None,
    own: Own | None = None,
) -> Ontology:
    """Build the ontology of a topic from the best ``terms`` of a corpus and the relations between them.

    If the topic is a side issue of the corpus, only terms that co-occur with it are taken. Text shared word
    by word by half of the documents is skipped as boilerplate.

    Args:
        corpus: The documents.
        topic: The label of the root; documents must contain it.
        terms: Number of terms to take.
        wordnet: WordNet, for more relations.
        keep: An expert's decisions on terms: labels and whether to keep them.
        relations: An expert's decisions on edges.
        own: An ontology of the user's own to join the built one with.

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
    spoken = topic if own is None else own.spoken(topic, corpus)
    chosen = choose_terms(corpus, topic=spoken, limit=terms, keep=keep or {})
    on_terms, on_others = _apart(relations or (), chosen)
    found = find_relations(chosen, corpus, wordnet=wordnet, topic=chosen[0].key)
    built = _ontology(chosen, hang(chosen, found, decided=on_terms))
    if own is None:
        return decided(built, on_others)
    unwanted = [label for label, yes in (keep or {}).items() if not yes]
    return decided(without(joined(built, own, topic=topic), unwanted), relations or ())


def choose_terms(corpus: Corpus, *, topic: str, limit: int, keep: Mapping[str, bool]) -> list[Term]:
    """The topic, then the terms that an expert wants, then the best others, without those he does not want.

    ``limit`` counts what nobody decided on; an expert may want more.
    """
    wanted = {_key(label): (label, yes) for label, yes in keep.items()}
    root, *terms = topical_terms(corpus, topic, limit=limit + len(keep))
    found = {term.key: term for term in terms}
    kept = [
        found.get(one) or _asked_for(corpus, label)
        for one, (label, yes) in wanted.items()
        if yes and one != root.key
    ]
    others = [term for term in terms if term.key not in wanted]
    return [root, *shown_like_heads([*kept, *others[: max(0, limit - len(kept))]])]


def _asked_for(corpus: Corpus, label: str) -> Term:
    """A term that was not among the candidates."""
    language = language_of(label)
    stems = key(label, language)
    return Term(label, stems, (), language, occurrences(corpus, [stems], language)[stems], 0.0)


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
    return Concept(name, (label,), synonyms, source="corpus", frequency=term.documents.bit_count())


def _apart(decisions: Iterable[Decision], terms: Sequence[Term]) -> tuple[Decisions, list[Decision]]:
    """The decisions on terms, by keys, and those on anything else."""
    keys = {term.key for term in terms}
    found, others = {}, []
    for decision in decisions:
        child, parent = _key(decision.child), _key(decision.parent)
        if {child, parent} <= keys:
            found[child, parent, decision.relation] = decision.keep
        else:
            others.append(decision)
    return found, others


def _key(label: str) -> str:
    return key(label, language_of(label))
