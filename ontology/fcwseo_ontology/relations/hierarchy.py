"""Walks over an ontology: what lies below a concept, how deep it lies, which concept bears a label."""

import difflib
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.model import Concept, Edge, Ontology, Relation

# From the surest to the least sure; RELATED orders nothing and is not among them.
ORDERING = (Relation.SYNONYM, Relation.IS_A, Relation.PART_OF, Relation.ATTRIBUTE_OF, Relation.INDUCE)


def ordering(edges: Iterable[Edge]) -> list[Edge]:
    """The edges that put their child below their parent."""
    return [edge for edge in edges if edge.relation in ORDERING]


def top_down(ontology: Ontology) -> dict[str, list[str]]:
    """The parents of each concept in the order; every parent stands before its children."""
    parents: dict[str, list[str]] = {concept.name: [] for concept in ontology.concepts}
    for edge in ordering(ontology.edges):
        parents[edge.child].append(edge.parent)
    return {name: parents[name] for name in TopologicalSorter(parents).static_order()}


def levels(ontology: Ontology) -> dict[str, int]:
    """The level of each concept: 1 for the topic, else one more than its deepest parent.

    Counting the deepest parent keeps every concept deeper than all that lies above it. What has no parent in
    the order is counted as hanging directly below the topic.
    """
    found: dict[str, int] = {}
    for name, parents in top_down(ontology).items():
        without = 1 if name == ontology.topic else 2
        found[name] = max((found[parent] + 1 for parent in parents), default=without)
    return found


def below(edges: Iterable[Edge], name: str) -> list[str]:
    """The concept and all that hangs on it by any relation, directly or through others, nearest first."""
    children: dict[str, list[str]] = {}
    for edge in edges:
        children.setdefault(edge.parent, []).append(edge.child)
    found = {name: None}
    queue = [name]
    for parent in queue:
        new = [child for child in dict.fromkeys(children.get(parent, ())) if child not in found]
        found |= dict.fromkeys(new)
        queue += new
    return queue


def subtree(ontology: Ontology, name: str) -> Ontology:
    """The concept as topic of an ontology of its own: with all that hangs on it, and the edges between them.

    Something that is only related to the topic may stand above it elsewhere; here nothing stands above the
    topic. The documents are kept for the topic of the whole ontology only, since they are about it.
    """
    inside = set(below(ontology.edges, name))
    concepts = tuple(
        replace(concept, intent=tuple(one for one in concept.intent if one in inside))
        for concept in ontology.concepts
        if concept.name in inside
    )
    edges = (edge for edge in ontology.edges if edge.child in inside and edge.parent in inside)
    kept = (edge for edge in edges if edge.child != name or edge.relation not in ORDERING)
    documents = ontology.documents if name == ontology.topic else ()
    return Ontology(name, concepts, tuple(kept), documents=documents)


def find(ontology: Ontology, label: str) -> list[str]:
    """The names of the concepts with this label, best first.

    A preferred label counts before a synonym and a synonym before a name; among equals the concept with more
    below it comes first. Case, hyphens and underscores do not matter. Raises InvalidTopic with what comes
    near.
    """
    wanted = plain(label)
    kinds = [_bearers(ontology.concepts, wanted, kind) for kind in (_preferred, _synonyms, _names)]
    found = next((names for names in kinds if names), [])
    if not found:
        raise InvalidTopic(f"no concept is labelled {label!r}{_suggestion(ontology.concepts, wanted)}")
    return sorted(found, key=lambda name: (-len(below(ontology.edges, name)), name))


def plain(text: str) -> str:
    """A label as it is compared.

    >>> plain("  Flash-Flood ")
    'flash flood'
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.replace("-", " ").replace("_", " ").split())


def without_cycles(edges: Sequence[Edge]) -> tuple[list[Edge], list[tuple[Edge, list[str]]]]:
    """The edges without their cycles, and each edge that was dropped with the cycle it closed.

    Of every cycle the edge of least confidence goes; among equals the one whose relation says least.
    """
    kept = dict.fromkeys(edges)
    dropped = []
    while cycle := first_cycle(kept):
        steps = set(zip(cycle[1:], cycle, strict=False))
        inside = [edge for edge in ordering(kept) if (edge.child, edge.parent) in steps]
        weakest = min(inside, key=_strength)
        del kept[weakest]
        dropped.append((weakest, cycle))
    return list(kept), dropped


def first_cycle(edges: Iterable[Edge]) -> list[str]:
    """The names along one cycle, each above the next, the first again at the end; empty if there is none."""
    parents: dict[str, list[str]] = {}
    for edge in ordering(edges):
        parents.setdefault(edge.child, []).append(edge.parent)
    try:
        TopologicalSorter(parents).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _strength(edge: Edge) -> tuple[float, int, str, str]:
    return edge.confidence, -ORDERING.index(edge.relation), edge.child, edge.parent


def _preferred(concept: Concept) -> list[str]:
    return [label.text for label in concept.labels]


def _synonyms(concept: Concept) -> list[str]:
    return [label.text for label in concept.synonyms]


def _names(concept: Concept) -> list[str]:
    return [concept.name]


def _bearers(concepts: Iterable[Concept], wanted: str, texts: Callable[[Concept], list[str]]) -> list[str]:
    return [concept.name for concept in concepts if wanted in map(plain, texts(concept))]


def _suggestion(concepts: Iterable[Concept], wanted: str) -> str:
    known = {plain(text): text for concept in concepts for text in _synonyms(concept) + _preferred(concept)}
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.6)
    near += [text for text in known if wanted in text.split() and text not in near][: 3 - len(near)]
    return f"; near it: {', '.join(repr(known[text]) for text in near)}" if near else ""
