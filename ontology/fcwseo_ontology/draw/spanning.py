"""A spanning tree of an ontology: each concept once, below its parent nearest to the root."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fcwseo_ontology.errors import InvalidOntology
from fcwseo_ontology.model import Edge, Ontology, Relation


@dataclass(frozen=True, slots=True)
class Spanning:
    """A spanning tree. ``order`` is breadth-first; ``level`` counts from 1; ``via`` is the edge to the
    parent.

    A concept without an edge is below the root without ``via``, so that the drawing is complete.
    """

    root: str
    order: tuple[str, ...]
    level: Mapping[str, int]
    children: Mapping[str, tuple[str, ...]]
    via: Mapping[str, Edge]


def spanning_tree(ontology: Ontology) -> Spanning:
    """The spanning tree by shortest paths; of equally near parents the first edge decides, ``related`` last.

    >>> from fcwseo_ontology.model import Concept
    >>> abc = tuple(Concept(name, ()) for name in "abc")
    >>> edges = Edge("c", "b", Relation.IS_A), Edge("b", "a", Relation.IS_A), Edge("c", "a", Relation.PART_OF)
    >>> spanning_tree(Ontology("a", abc, edges)).children["a"]
    ('b', 'c')
    """
    names = [concept.name for concept in ontology.concepts]
    _check(ontology, names)
    ordering = [edge for edge in ontology.edges if edge.relation is not Relation.RELATED]
    level = {ontology.topic: 1}
    _spread(level, [ontology.topic], _below(ordering))
    ordered = dict(level)
    below = _below(ontology.edges)
    _spread(level, list(level), below)
    parented = {edge.child for edge in ontology.edges}
    for name in sorted(names, key=parented.__contains__):
        if name not in level:
            level[name] = 2
            _spread(level, [name], below)
    return _tree(ontology, level, ordered)


def _check(ontology: Ontology, names: list[str]) -> None:
    known = set(names)
    if ontology.topic not in known:
        raise InvalidOntology(
            f"the topic {ontology.topic!r} is not a concept of the ontology: name one that is"
        )
    for edge in ontology.edges:
        for end in (edge.child, edge.parent):
            if end not in known:
                words = f"{edge.child!r} {edge.relation} {edge.parent!r}"
                raise InvalidOntology(
                    f"the edge {words} names {end!r}, which is not a concept: add it or drop the edge"
                )


def _below(edges: Iterable[Edge]) -> dict[str, list[Edge]]:
    below: dict[str, list[Edge]] = {}
    for edge in edges:
        below.setdefault(edge.parent, []).append(edge)
    return below


def _spread(level: dict[str, int], queue: list[str], below: Mapping[str, list[Edge]]) -> None:
    for parent in queue:
        for edge in below.get(parent, ()):
            if edge.child not in level:
                level[edge.child] = level[parent] + 1
                queue.append(edge.child)


def _tree(ontology: Ontology, level: Mapping[str, int], ordered: Mapping[str, int]) -> Spanning:
    via: dict[str, Edge] = {}
    for edge in ontology.edges:
        firm = edge.relation is not Relation.RELATED or edge.child not in ordered
        if firm and edge.child not in via and level[edge.child] == level[edge.parent] + 1:
            via[edge.child] = edge
    children: dict[str, list[str]] = {name: [] for name in level}
    for edge in via.values():
        children[edge.parent].append(edge.child)
    children[ontology.topic] += [name for name in level if name not in via and name != ontology.topic]
    order = [ontology.topic]
    for name in order:
        order.extend(children[name])
    below = {name: tuple(names) for name, names in children.items()}
    return Spanning(ontology.topic, tuple(order), level, below, via)
