"""The lattice that is drawn beside an ontology: the one that its kinds come from, where a context made them.

An ontology of somebody else has no context; its concepts and what is above them make one. With a corpus the
lattice is that of documents and terms.
"""

from collections.abc import Sequence

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key, words
from fcwseo_ontology.draw import Hasse, HasseNode
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.engines import concept_lattice
from fcwseo_ontology.fca.lattice import FormalConcept, lattice
from fcwseo_ontology.model import Concept, Ontology
from fcwseo_ontology.relations.hierarchy import ordering

_MOST_CONCEPTS = 300  # largest size of a readable lattice
_MOST_TERMS = 40


def hasse_of(ontology: Ontology, corpus: Corpus | None = None) -> Hasse:
    """The Hasse diagram of documents x terms where there is a corpus, else of what the concepts are."""
    context = context_of(ontology) if corpus is None else _occurrences(ontology, corpus)
    made = corpus is None and any(concept.intent for concept in ontology.concepts)
    drawn = concept_lattice(context) if made else lattice(context, most=_MOST_CONCEPTS)
    nodes = tuple(_node(context, concept) for concept in drawn.concepts)
    return Hasse(nodes, tuple(drawn.covers))


def _node(context: Context, concept: FormalConcept) -> HasseNode:
    return HasseNode(_named(context.objects, concept.extent), _named(context.attributes, concept.intent))


def _named(names: Sequence[str], mask: int) -> tuple[str, ...]:
    return tuple(name for number, name in enumerate(names) if mask >> number & 1)


def _shown(concept: Concept) -> str:
    return concept.labels[0].text if concept.labels else concept.name


def _shown_apart(ontology: Ontology) -> dict[str, str]:
    """The labels by name; of concepts with one label, each but the first with its name."""
    taken: set[str] = set()
    found = {}
    for concept in ontology.concepts:
        label = _shown(concept)
        found[concept.name] = f"{label} ({concept.name})" if label in taken else label
        taken.add(found[concept.name])
    return found


def context_of(ontology: Ontology) -> Context:
    """The formal context that the kinds of an ontology come from, by labels.

    >>> from fcwseo_ontology.model import Edge, Label, Relation
    >>> bee = Concept("Bee", (Label("bee"),), intent=("Bee",))
    >>> drone = Concept("Drone", (Label("drone"),), intent=("Bee", "Drone"))
    >>> hive = Ontology("Bee", (bee, drone), (Edge("Drone", "Bee", Relation.IS_A),))
    >>> context_of(hive).objects, context_of(hive).rows
    (('bee', 'drone'), (1, 3))
    """
    shown = _shown_apart(ontology)
    made = [concept for concept in ontology.concepts if concept.intent]
    if not made:
        return _superconcepts(ontology)
    rows = {shown[concept.name]: [shown[one] for one in concept.intent] for concept in made}
    return Context.of(rows, attributes=list(rows))


def _superconcepts(ontology: Ontology) -> Context:
    shown = _shown_apart(ontology)
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
