"""Choosing, of all relations there is evidence for, the ones that make a hierarchy with the topic on top."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations import merged
from fcwseo_ontology.terms import Term

# What orders most is hung first; within a rank the surer edge.
RANK = {
    Relation.SYNONYM: 0,
    Relation.IS_A: 1,
    Relation.PART_OF: 2,
    Relation.ATTRIBUTE_OF: 2,
    Relation.INDUCE: 2,
    Relation.RELATED: 3,
}
# At most so many parents of one relation; an attribute needs one owner.
PARENTS = {
    Relation.SYNONYM: 1,
    Relation.IS_A: 3,
    Relation.PART_OF: 2,
    Relation.ATTRIBUTE_OF: 1,
    Relation.INDUCE: 3,
    Relation.RELATED: 2,
}
# An edge below this comes from the order of documents alone; it counts where nothing else is known.
BY_ORDER = 0.4

Decisions = Mapping[tuple[str, str], tuple[Relation, bool]]


def hang(terms: Sequence[Term], edges: Iterable[Edge], *, decided: Decisions) -> tuple[Edge, ...]:
    """The edges of a hierarchy without cycles in which everything hangs on the first term, the topic.

    ``decided`` holds by child and parent what an expert said: the relation, and whether it is one. What he
    lets hang nowhere, not even below the topic, is left without an edge.
    """
    topic = terms[0].key
    labels = {term.key: term.label for term in terms}
    wanted = _below_topic(_without_doubles(edges, topic, labels), topic)
    kept = _acyclic(_as_decided(wanted, decided), topic)
    return (*kept, *_below_topic_by_default(terms, kept, decided))


def _without_doubles(edges: Iterable[Edge], topic: str, labels: Mapping[str, str]) -> list[Edge]:
    """What is said of a synonym is said of what it means; its own place is beside that."""
    edges = list(edges)
    synonyms = _synonyms((edge for edge in edges if edge.relation is Relation.SYNONYM), topic)
    means = {edge.child: edge.parent for edge in synonyms}
    moved = []
    for edge in edges:
        child, parent = (means.get(one, one) for one in (edge.child, edge.parent))
        if edge.relation is not Relation.SYNONYM and child != parent:
            of = [labels[one] for one in (edge.child, edge.parent) if one in means]
            said = f"{edge.evidence} (said of {', '.join(of)})" if of else edge.evidence
            moved.append(replace(edge, child=child, parent=parent, evidence=said))
    return [*synonyms, *merged(moved)]


def _synonyms(edges: Iterable[Edge], topic: str) -> list[Edge]:
    """Each synonym beside the one concept that stands for all that mean the same."""
    first: dict[str, str] = {}
    found: dict[str, Edge] = {}
    for edge in edges:
        child, parent = (edge.parent, edge.child) if edge.child == topic else (edge.child, edge.parent)
        stands = first.get(parent, parent)
        if child not in first and child != stands:
            first = {one: stands if other == child else other for one, other in first.items()} | {
                child: stands
            }
            found[child] = edge
    return [replace(edge, child=child, parent=first[child]) for child, edge in found.items()]


def _below_topic(edges: Sequence[Edge], topic: str) -> list[Edge]:
    """The edges, those above the topic turned round: the root has no parent."""
    above = _reduced([edge for edge in edges if edge.child == topic], edges)
    turned = [
        replace(edge, child=edge.parent, parent=topic, relation=Relation.RELATED, evidence=_turned(edge))
        for edge in above
    ]
    return [*(edge for edge in edges if edge.child != topic), *turned]


def _turned(edge: Edge) -> str:
    said = {
        Relation.IS_A: "wider than the topic",
        Relation.PART_OF: "the topic is a part of it",
        Relation.ATTRIBUTE_OF: "the topic is an attribute of it",
        Relation.INDUCE: "a cause of the topic",
    }.get(edge.relation, "named in the topic")
    return f"{said}: {edge.evidence}"


def _reduced(some: Iterable[Edge], edges: Iterable[Edge]) -> list[Edge]:
    """Of several kinds that a concept is, those that do not follow from the others."""
    kinds: dict[str, list[str]] = {}
    for edge in edges:
        if edge.relation is Relation.IS_A:
            kinds.setdefault(edge.child, []).append(edge.parent)
    result = []
    some = list(some)
    for edge in some:
        others = (
            other.parent
            for other in some
            if other.child == edge.child and other.relation is edge.relation and other.parent != edge.parent
        )
        if not any(edge.parent in _above(other, kinds) for other in others):
            result.append(edge)
    return result


def _above(name: str, parents: Mapping[str, Sequence[str]]) -> dict[str, None]:
    """All that lies above a concept, nearest first."""
    found: dict[str, None] = {}
    queue = [name]
    for here in queue:
        new = [parent for parent in parents.get(here, ()) if parent not in found and parent != name]
        found.update(dict.fromkeys(new))
        queue += new
    return found


def _as_decided(edges: Sequence[Edge], decided: Decisions) -> list[Edge]:
    """The edges with the expert's put in and taken out; his come first and are sure."""
    own = [
        Edge(child, parent, relation, "decided by an expert", 1.0)
        for (child, parent), (relation, keep) in decided.items()
        if keep
    ]
    gone = {(*pair, relation) for pair, (relation, keep) in decided.items() if not keep}
    taken = {(edge.child, edge.parent) for edge in own}
    left = [
        edge
        for edge in edges
        if (edge.child, edge.parent) not in taken and (edge.child, edge.parent, edge.relation) not in gone
    ]
    return own + left


def _acyclic(edges: Sequence[Edge], topic: str) -> list[Edge]:
    """The edges, surest first, but for those that would close a cycle or only repeat what is there."""
    parents: dict[str, list[str]] = {}
    kept: list[Edge] = []
    for edge in sorted(edges, key=lambda edge: _order(edge, topic)):
        before = [other for other in kept if other.child == edge.child]
        if edge.child == topic or edge.child in (edge.parent, *_above(edge.parent, parents)):
            continue
        if edge.confidence == 1.0 or _adds(edge, before, kept):
            kept.append(edge)
            parents.setdefault(edge.child, []).append(edge.parent)
    return kept


def _order(edge: Edge, topic: str) -> tuple[bool, int, bool, float, int, str, str]:
    """The expert's edges first, then by rank and confidence; short names before long ones, which inherit.

    An attribute that the topic has is told of the topic, even if something else has it too.
    """
    elsewhere = edge.relation is Relation.ATTRIBUTE_OF and edge.parent != topic
    rank, length = RANK[edge.relation], len(edge.child.split())
    return edge.confidence < 1.0, rank, elsewhere, -edge.confidence, length, edge.child, edge.parent


def _adds(edge: Edge, before: Sequence[Edge], kept: Sequence[Edge]) -> bool:
    """Whether an edge says more than its child has, ``before``, or inherits from what it is a kind of."""
    if any(other.parent == edge.parent or other.relation is Relation.SYNONYM for other in before):
        return False
    if edge.relation is Relation.RELATED and before and edge.confidence < BY_ORDER:
        return False
    if sum(other.relation is edge.relation for other in before) >= PARENTS[edge.relation]:
        return False
    kinds: dict[str, list[str]] = {}
    for other in kept:
        if other.relation is Relation.IS_A:
            kinds.setdefault(other.child, []).append(other.parent)
    wider = _above(edge.child, kinds)
    if edge.relation is Relation.IS_A:
        return edge.parent not in wider
    return not any(other.child in wider and other.parent == edge.parent for other in kept)


def _below_topic_by_default(terms: Sequence[Term], kept: Sequence[Edge], decided: Decisions) -> list[Edge]:
    """An edge to the topic for everything that hangs nowhere, unless the expert took it away."""
    topic, *others = terms
    hanging = {edge.child for edge in kept}
    found = []
    for term in others:
        if term.key not in hanging and decided.get((term.key, topic.key)) != (Relation.RELATED, False):
            both, own = (term.documents & topic.documents).bit_count(), term.documents.bit_count()
            said = f"{both} of its {own} documents speak of {topic.label}"
            found.append(
                Edge(term.key, topic.key, Relation.RELATED, said, round(0.3 * both / max(own, 1), 3))
            )
    return found
