"""What an expert decides on the edges of an ontology: a table that is written, marked and read back.

A row says of a child and a parent, by labels, how the child hangs on it. As ``synonym`` one of them may be
new: it becomes another label of the other.
"""

import csv
import io
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from fcwseo_ontology.corpus.tokens import key, language_of, words
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.files import write_table
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation
from fcwseo_ontology.relations.hierarchy import below, first_cycle, plain
from fcwseo_ontology.relations.kinds import Kinds
from fcwseo_ontology.relations.statements import Decisions, Names, reachable
from fcwseo_ontology.terms.extract import NO, YES, Term

COLUMNS = ("child", "parent", "relation", "confidence", "evidence", "keep")
NEEDED = ("child", "parent", "relation", "keep")
SAID = "decided by an expert"


@dataclass(frozen=True, slots=True)
class Decision:
    """What an expert says of an edge, by labels: ``keep`` it, as this relation, or not."""

    child: str
    parent: str
    relation: Relation
    keep: bool


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
    try:
        table.fieldnames = [name.strip().lower() for name in table.fieldnames or ()]
        if missing := [name for name in NEEDED if name not in table.fieldnames]:
            raise InvalidInput(f"{path} has no column {missing[0]!r}: expected {', '.join(COLUMNS)}")
        found = [(_decision(row, f"{path}, line {table.line_num}"), table.line_num) for row in table]
    except csv.Error as error:
        raise InvalidInput(f"{path}, line {table.line_num}: {error}") from error
    _agree(((decision, line) for decision, line in found if decision is not None), path)
    return tuple(decision for decision, _ in found if decision is not None)


def _agree(found: Iterable[tuple[Decision, int]], path: Path) -> None:
    """Raises InvalidInput where an edge is both kept and dropped."""
    first: dict[tuple[str, str, Relation], bool] = {}
    for one, line in found:
        edge = plain(one.child), plain(one.parent), one.relation
        if first.setdefault(edge, one.keep) != one.keep:
            said = f"{one.child!r} {one.relation} {one.parent!r}"
            raise InvalidInput(f"{path}, line {line}: {said} is both kept and dropped; decide once")


def _decision(row: Mapping[str, str | None], where: str) -> Decision | None:
    child, parent, relation, keep = ((row[name] or "").strip() for name in NEEDED)
    if not keep:
        return None
    if keep.casefold() not in YES + NO:
        raise InvalidInput(f"{where}: keep is {keep!r}; write yes, no or nothing")
    if relation not in list(Relation):
        raise InvalidInput(f"{where}: {relation!r} is no relation; choose of {', '.join(Relation)}")
    if not child or not parent:
        raise InvalidInput(f"{where}: a relation needs a child and a parent")
    for label in (child, parent) if relation == Relation.SYNONYM else ():
        if not any(map(str.isalpha, label)):
            raise InvalidInput(f"{where}: {label!r} has no letter, so it is no label")
    return Decision(child, parent, Relation(relation), keep.casefold() in YES)


Placed = Mapping[Decision, tuple[str, str]]
"""The child and the parent of decisions, by their nodes."""


def on_nodes(decisions: Iterable[Decision], terms: Iterable[Term], names: Names) -> Placed:
    """The decisions on terms, and on what terms are said to be. Only terms are synonyms of each other."""
    keys = {term.key for term in terms}
    found = {one: (_node(one.child, keys, names), _node(one.parent, keys, names)) for one in decisions}
    return {
        one: pair
        for one, pair in found.items()
        if (keys.issuperset(pair) if one.relation is Relation.SYNONYM else all(pair))
    }


def _node(label: str, keys: Container[str], names: Names) -> str:
    """The term with a label, or what a term is said to be by this name; nothing if it is neither.

    Of the same stem may be both, as "pollination" and "pollinator".
    """
    parts = words(label)
    node = names.find(parts) if parts else ""
    if node in names.labels:
        return node
    found = key(label, language_of(label))
    return found if found in keys else ""


def on_concepts(placed: Placed, concepts: Iterable[Term], kinds: Kinds) -> Placed:
    """Those of the decisions whose ends are concepts, by the names of these."""
    names = {concept.key for concept in concepts}
    stands = {node: one.name for one in kinds.classes if not one.terms for node in one.nodes}
    found = {
        one: (stands.get(child, child), stands.get(parent, parent)) for one, (child, parent) in placed.items()
    }
    return {one: pair for one, pair in found.items() if names.issuperset(pair)}


def by_nodes(placed: Placed) -> Decisions:
    """What is decided on each child, parent and relation."""
    return {(*pair, one.relation): one.keep for one, pair in placed.items()}


def same(label: Label) -> str:
    """What labels of one concept have in common, whatever their endings.

    >>> same(Label("Flash floods")) == same(Label("flash-flood", "")), same(Label("山洪 灾害", "zh"))
    (True, '山洪灾害')
    """
    language = (label.language or language_of(label.text)).partition("-")[0].lower()
    if language in ("zh", "ja"):  # as it stands: cutting it into words needs an extra
        return "".join(label.text.lower().split())
    return key(label.text, language)


def spelling(label: Label) -> str:
    """What labels have in common that differ by case and hyphens alone."""
    return plain(label.text)


def decided(ontology: Ontology, decisions: Sequence[Decision]) -> Ontology:
    """The ontology with the decisions of an expert carried out, one after the other.

    An edge that is wanted is the only one between its ends. What no longer hangs anywhere hangs below the
    topic as ``related``; when that edge is dropped too, the concept goes. Raises InvalidInput for a wanted
    edge of unknown labels, or one that closes a cycle.

    >>> bee, drone = Concept("bee", (Label("bee"),)), Concept("drone", (Label("drone"),))
    >>> bees = Ontology("bee", (bee, drone), (Edge("drone", "bee", Relation.RELATED),))
    >>> said = Decision("drones", "bee", Relation.IS_A, True), Decision("imme", "bee", Relation.SYNONYM, True)
    >>> better = decided(bees, said)
    >>> [edge.relation.value for edge in better.edges], better.concepts[0].synonyms[0].text
    (['is-a'], 'imme')
    """
    found = ontology
    for decision in decisions:
        found = _kept(found, decision) if decision.keep else _dropped(found, decision)
    return found if found.edges == ontology.edges else with_context(found)


def _kept(ontology: Ontology, decision: Decision) -> Ontology:
    child, parent = (bearer(ontology.concepts, text) for text in (decision.child, decision.parent))
    if parent is not None and child in (None, parent) and decision.relation is Relation.SYNONYM:
        return _with_synonym(ontology, parent, decision.child) if child is None else ontology
    if parent is None and child is not None and decision.relation is Relation.SYNONYM:
        return _with_synonym(ontology, child, decision.parent)
    if child is None or parent is None:
        unknown = decision.parent if parent is None else decision.child
        raise InvalidInput(f"no term is {unknown!r}, so nothing can hang on it: add it to the terms first")
    others = tuple(edge for edge in ontology.edges if {edge.child, edge.parent} != {child, parent})
    edges = (*others, Edge(child, parent, decision.relation, SAID))
    if child in (ontology.topic, parent) or first_cycle(edges):
        pair = f"{decision.child!r} cannot hang on {decision.parent!r}"
        raise InvalidInput(f"{pair}: that closes a cycle, or puts something above the topic")
    hung = hanging(ontology.concepts, edges, topic=ontology.topic, said=SAID)
    return replace(ontology, edges=hung)


def _with_synonym(ontology: Ontology, name: str, text: str) -> Ontology:
    def named(concept: Concept) -> Concept:
        told = language_of(text)
        language = concept.labels[0].language if told == "en" else told  # a word or two do not tell it
        return replace(concept, synonyms=(*concept.synonyms, Label(" ".join(text.split()), language)))

    concepts = (named(one) if one.name == name else one for one in ontology.concepts)
    return replace(ontology, concepts=tuple(concepts))


def _dropped(ontology: Ontology, decision: Decision) -> Ontology:
    child, parent = (bearer(ontology.concepts, text) for text in (decision.child, decision.parent))
    if child is None or parent is None:
        return ontology
    if child == parent:
        return _without_synonym(ontology, child, decision.child)
    unwanted = child, parent, decision.relation
    edges = [edge for edge in ontology.edges if (edge.child, edge.parent, edge.relation) != unwanted]
    hanging = {edge.child for edge in edges}
    if len(edges) < len(ontology.edges) and child not in hanging:
        if (parent, decision.relation) == (ontology.topic, Relation.RELATED):
            return _without_concept(ontology, child)
        edges.append(Edge(child, ontology.topic, Relation.RELATED, SAID))
    return replace(ontology, edges=ordered(edges))


def _without_synonym(ontology: Ontology, name: str, text: str) -> Ontology:
    """The preferred labels stay."""
    unwanted = same(Label(text, ""))
    concepts = (
        replace(one, synonyms=tuple(label for label in one.synonyms if same(label) != unwanted))
        if one.name == name
        else one
        for one in ontology.concepts
    )
    return replace(ontology, concepts=tuple(concepts))


def _without_concept(ontology: Ontology, name: str) -> Ontology:
    concepts = tuple(concept for concept in ontology.concepts if concept.name != name)
    edges = [edge for edge in ontology.edges if name not in (edge.child, edge.parent)]
    said = "what it hung on was dropped by an expert"
    return replace(
        ontology, concepts=concepts, edges=hanging(concepts, edges, topic=ontology.topic, said=said)
    )


def without(ontology: Ontology, labels: Iterable[str]) -> Ontology:
    """The ontology without the concepts with these preferred labels; the topic stays.

    >>> concepts = Concept("bee", (Label("bee"),)), Concept("fly", (Label("fly"),))
    >>> [one.name for one in without(Ontology("bee", concepts, ()), ["flies", "bees"]).concepts]
    ['bee']
    """
    unwanted = {same(Label(text, "")) for text in labels}
    names = [one.name for one in ontology.concepts if unwanted & {same(label) for label in one.labels}]
    for name in names:
        if name != ontology.topic:
            ontology = _without_concept(ontology, name)
    return with_context(ontology) if names else ontology


def with_context(ontology: Ontology) -> Ontology:
    """The ontology with the formal context of its edges, is-a and synonym, if it has a formal context.

    >>> bee, drone = Concept("bee", (Label("bee"),), intent=("bee",)), Concept("drone", (Label("drone"),))
    >>> bees = Ontology("bee", (bee, drone), (Edge("drone", "bee", Relation.IS_A),))
    >>> [one.intent for one in with_context(bees).concepts]
    [('bee',), ('bee', 'drone')]
    """
    if not any(concept.intent for concept in ontology.concepts):
        return ontology
    parents: dict[str, list[str]] = {}
    for edge in ontology.edges:
        if edge.relation in (Relation.IS_A, Relation.SYNONYM):
            parents.setdefault(edge.child, []).append(edge.parent)
        if edge.relation is Relation.SYNONYM:
            parents.setdefault(edge.parent, []).append(edge.child)
    concepts = (replace(one, intent=tuple(sorted(reachable(one.name, parents)))) for one in ontology.concepts)
    return replace(ontology, concepts=tuple(concepts))


def bearers_of(concepts: Iterable[Concept], *, alike: Callable[[Label], str] = same) -> dict[str, str]:
    """The concept that each label means, by what is ``alike`` in labels of one concept.

    A preferred label counts before a synonym, the first before others.

    >>> bearers_of([Concept("x", (Label("drone"),), (Label("bees"),)), Concept("y", (Label("bee"),))])
    {'drone': 'x', 'bee': 'y'}
    """
    concepts = tuple(concepts)
    found: dict[str, str] = {}
    for texts in (
        ((concept.name, concept.labels) for concept in concepts),
        ((concept.name, concept.synonyms) for concept in concepts),
    ):
        for name, labels in texts:
            for label in labels:
                found.setdefault(alike(label), name)
    return found


def bearer(concepts: Sequence[Concept], text: str) -> str | None:
    """The concept that a label means: the one with this very label, or else with another ending.

    >>> concepts = Concept("x", (Label("pollination"),)), Concept("y", (Label("pollinator"),))
    >>> bearer(concepts, "Pollinator"), bearer(concepts, "pollinators"), bearer(concepts, "hive")
    ('y', 'x', None)
    """
    label = Label(text, "")
    exact = bearers_of(concepts, alike=spelling).get(spelling(label))
    return exact if exact is not None else bearers_of(concepts).get(same(label))


def hanging(concepts: Iterable[Concept], edges: Iterable[Edge], *, topic: str, said: str) -> tuple[Edge, ...]:
    """The edges, and one to the topic for whatever they leave without a way to it."""
    edges = list(edges)
    inside = set(below(edges, topic))
    children = {edge.child for edge in edges}
    for concept in sorted(concepts, key=lambda one: (one.name in children, one.name)):
        if concept.name not in inside:
            edges.append(Edge(concept.name, topic, Relation.RELATED, said, 0.0))
            inside.update(below(edges, concept.name))
    return ordered(edges)


def ordered(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """The edges in the order in which a file has them."""
    return tuple(sorted(edges, key=lambda edge: (edge.child, edge.parent, edge.relation)))
