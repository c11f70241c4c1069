"""Choosing, of all relations there is evidence for, the ones that make a hierarchy with the topic on top."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations.find import merged
from fcwseo_ontology.relations.statements import Decisions
from fcwseo_ontology.terms.extract import Term

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
# Only an expert is as sure as this.
DECIDED = 1.0


def hang(terms: Sequence[Term], edges: Iterable[Edge], *, decided: Decisions) -> tuple[Edge, ...]:
    """The edges of a hierarchy without cycles in which everything hangs on the first term, the topic.

    ``decided`` holds what an expert said of child, parent and relation. A term that he lets hang nowhere, not
    even below the topic, is left without an edge.
    """
    topic = terms[0].key
    labels = {term.key: term.label for term in terms}
    wanted = _below_topic(_without_doubles(edges, topic, labels), topic)
    kept = _acyclic(_as_decided(wanted, decided), topic, labels)
    left_out: set[str] = set()
    while True:
        hung = [edge for edge in kept if edge.parent not in left_out]
        hung += _by_default(terms, hung, decided)
        lost = labels.keys() - {edge.child for edge in hung} - {topic}
        if lost <= left_out:
            return tuple(hung)
        left_out |= lost


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
        if child not in first and child not in (stands, topic):
            first = {one: stands if other == child else other for one, other in first.items()}
            first[child] = stands
            found[child] = edge
    return [replace(edge, child=child, parent=first[child]) for child, edge in found.items()]


def _below_topic(edges: Sequence[Edge], topic: str) -> list[Edge]:
    """The edges, those above the topic turned round: the root has no parent.

    Of what is wider than the topic, or causes it, only the nearest is told; the rest lies above that.
    """
    kinds = _parents(edge for edge in edges if edge.relation is Relation.IS_A)
    upward = [edge for edge in edges if edge.child == topic]
    result = [edge for edge in edges if edge.child != topic]
    for edge in upward:
        nearer = (one.parent for one in upward if one.relation is edge.relation)
        if not any(edge.parent in _above(one, kinds) for one in nearer):
            said = f"{_TURNED.get(edge.relation, 'named in the topic')}: {edge.evidence}"
            result.append(Edge(edge.parent, topic, Relation.RELATED, said, edge.confidence))
    return result


_TURNED = {
    Relation.IS_A: "wider than the topic",
    Relation.PART_OF: "the topic is a part of it",
    Relation.ATTRIBUTE_OF: "the topic is an attribute of it",
    Relation.INDUCE: "a cause of the topic",
}


def _parents(edges: Iterable[Edge]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for edge in edges:
        found.setdefault(edge.child, []).append(edge.parent)
    return found


def _above(name: str, parents: Mapping[str, Sequence[str]]) -> dict[str, None]:
    """All that lies above a concept, nearest first."""
    found: dict[str, None] = {}
    queue = [name]
    for here in queue:
        new = [parent for parent in parents.get(here, ()) if parent not in found and parent != name]
        found.update(dict.fromkeys(new))
        queue += new
    return found


def _as_decided(edges: Iterable[Edge], decided: Decisions) -> list[Edge]:
    """The edges with the expert's put in and taken out. What he wants is the only edge between its ends."""
    own = [Edge(*key, "decided by an expert", DECIDED) for key, keep in decided.items() if keep]
    taken = {(edge.child, edge.parent) for edge in own}
    left = [
        edge
        for edge in edges
        if (edge.child, edge.parent) not in taken and (edge.child, edge.parent, edge.relation) not in decided
    ]
    return own + left


def _acyclic(edges: Iterable[Edge], topic: str, labels: Mapping[str, str]) -> list[Edge]:
    """The edges, surest first, but for those that would close a cycle or only repeat what is there."""
    parents: dict[str, list[str]] = {}
    kept: list[Edge] = []
    for edge in sorted(edges, key=lambda edge: _order(edge, topic)):
        closes = edge.child == topic or edge.child in (edge.parent, *_above(edge.parent, parents))
        if closes and edge.confidence == DECIDED:
            pair = f"{labels[edge.child]!r} cannot hang on {labels[edge.parent]!r}"
            raise InvalidInput(f"{pair}: that closes a cycle, or puts something above the topic")
        if not closes and (edge.confidence == DECIDED or _adds(edge, kept)):
            kept.append(edge)
            parents.setdefault(edge.child, []).append(edge.parent)
    return kept


def _order(edge: Edge, topic: str) -> tuple[bool, int, bool, float, int, str, str]:
    """The expert's edges first, then by rank and confidence; short names before long ones, which inherit.

    An attribute that the topic has is told of the topic, even if something else has it too.
    """
    elsewhere = edge.relation is Relation.ATTRIBUTE_OF and edge.parent != topic
    rank, length = RANK[edge.relation], len(edge.child.split())
    return edge.confidence < DECIDED, rank, elsewhere, -edge.confidence, length, edge.child, edge.parent


def _adds(edge: Edge, kept: Sequence[Edge]) -> bool:
    """Whether an edge says more than what its child has already, or inherits from what it is a kind of."""
    before = [other for other in kept if other.child == edge.child]
    if any(other.parent == edge.parent or other.relation is Relation.SYNONYM for other in before):
        return False
    if edge.relation is Relation.RELATED and before and edge.confidence < BY_ORDER:
        return False
    if sum(other.relation is edge.relation for other in before) >= PARENTS[edge.relation]:
        return False
    wider = _above(edge.child, _parents(other for other in kept if other.relation is Relation.IS_A))
    if edge.relation is Relation.IS_A:
        return edge.parent not in wider
    return not any(other.child in wider and other.parent == edge.parent for other in kept)


def _by_default(terms: Sequence[Term], hung: Iterable[Edge], decided: Decisions) -> list[Edge]:
    """An edge to the topic for everything that hangs nowhere, unless the expert took it away."""
    topic, *others = terms
    hanging = {edge.child for edge in hung}
    found = []
    for term in others:
        if term.key not in hanging and decided.get((term.key, topic.key, Relation.RELATED), True):
            both = (term.documents & topic.documents).bit_count()
            said = f"{both} of its {term.df} documents speak of {topic.label}"
            share = both / term.df if term.df else 0.0
            found.append(Edge(term.key, topic.key, Relation.RELATED, said, round(0.3 * share, 3)))
    return found
