"""The lattice drawn beside an ontology: of documents and terms, or of concepts and their superconcepts."""

from collections.abc import Sequence

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key, words
from fcwseo_ontology.draw import Hasse, HasseNode
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.lattice import FormalConcept, lattice
from fcwseo_ontology.model import Concept, Ontology
from fcwseo_ontology.relations.hierarchy import ordering

_MOST_CONCEPTS = 300  # largest size of a readable lattice
_MOST_TERMS = 40


def hasse_of(ontology: Ontology, corpus: Corpus | None = None) -> Hasse:
    """The Hasse diagram of documents x terms if there is a corpus, else of concepts x their superconcepts."""
    context = _superconcepts(ontology) if corpus is None else _occurrences(ontology, corpus)
    drawn = lattice(context, most=_MOST_CONCEPTS)
    nodes = tuple(_node(context, concept) for concept in drawn.concepts)
    return Hasse(nodes, tuple(drawn.covers))


def _node(context: Context, concept: FormalConcept) -> HasseNode:
    return HasseNode(_named(context.objects, concept.extent), _named(context.attributes, concept.intent))


def _named(names: Sequence[str], mask: int) -> tuple[str, ...]:
    return tuple(name for number, name in enumerate(names) if mask >> number & 1)


def _shown(concept: Concept) -> str:
    return concept.labels[0].text if concept.labels else concept.name


def _superconcepts(ontology: Ontology) -> Context:
    shown = {concept.name: _shown(concept) for concept in ontology.concepts}
    parents: dict[str, list[str]] = {}
    for edge in ordering(ontology.edges):
        parents.setdefault(edge.child, []).append(edge.parent)
    above: dict[str, list[str]] = {}
    for name in shown:
        reached, queue = {name: None}, [name]
        while queue:
            for parent in parents.get(queue.pop(), ()):
                if parent not in reached:
                    reached[parent] = None
                    queue.append(parent)
        above[shown[name]] = [shown[ancestor] for ancestor in reached]
    return Context.of(above)


def _occurrences(ontology: Ontology, corpus: Corpus) -> Context:
    """The most frequent concepts, in the documents whose text contains one of their labels."""
    concepts = sorted(ontology.concepts, key=lambda concept: (-concept.frequency, concept.name))[:_MOST_TERMS]
    table: dict[str, list[str]] = {}
    for document in corpus.documents:
        language = document.language
        text = f" {key(' '.join(words(f'{document.title} {document.text}', language)), language)} "
        table[document.id] = [
            _shown(concept)
            for concept in concepts
            if any(f" {key(label.text, language)} " in text for label in (*concept.labels, *concept.synonyms))
        ]
    return Context.of(table)
