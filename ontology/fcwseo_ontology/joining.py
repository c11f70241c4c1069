"""A built ontology joined with one that its user has made.

Concepts that share a label, whatever its ending, are one concept; the name and the preferred labels are the
user's. So are the edges between two concepts that he has joined: a built edge gives way to his, to one that
says it already, and to none where it would close a cycle. Of his concepts those are taken that hang on the
topic, those that the corpus has, too, and what lies between these.
"""

import logging
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fcwseo_ontology.corpus.documents import Corpus
from fcwseo_ontology.corpus.tokens import key, language_of
from fcwseo_ontology.decisions import bearers_of, hanging, same, spelling, with_context
from fcwseo_ontology.errors import InvalidTopic
from fcwseo_ontology.model import Concept, Edge, Label, Ontology, Relation, identifier
from fcwseo_ontology.relations.hierarchy import ORDERING, below, find, ordering, plain
from fcwseo_ontology.terms.focus import occurrences

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Own:
    """An ontology of the user's own. ``name`` says where it is from; ``ontology.topic`` is empty if it has no
    one root.
    """

    ontology: Ontology
    name: str

    def topic_concept(self, topic: str) -> str | None:
        """The name of the concept with this label."""
        try:
            return find(self.ontology, topic)[0]
        except InvalidTopic:
            return bearers_of(self.ontology.concepts).get(same(Label(topic, "")))

    def spoken(self, topic: str, corpus: Corpus) -> str:
        """The label of the topic that the corpus has: the given one, or another one of the same concept."""
        name = self.topic_concept(topic)
        concept = next((one for one in self.ontology.concepts if one.name == name), None)
        if concept is None:
            return topic
        texts = dict.fromkeys([topic, *(label.text for label in (*concept.labels, *concept.synonyms))])
        return next((text for text in texts if _stands(text, corpus)), topic)


def _stands(label: str, corpus: Corpus) -> bool:
    languages = dict.fromkeys([language_of(label), *(document.language for document in corpus.documents)])
    return any(
        any(occurrences(corpus, [key(label, language)], language).values())
        for language in languages
        if language != "zh" or language_of(label) == "zh"
    )


def joined(built: Ontology, own: Own, *, topic: str) -> Ontology:
    """Both ontologies in one, below the concept labelled ``topic`` in either.

    >>> bee = Concept("bee", (Label("bee"),), (), "corpus")
    >>> mite = Concept("mite", (Label("mites"),), (), "corpus")
    >>> built = Ontology("bee", (bee, mite), (Edge("mite", "bee", Relation.RELATED),))
    >>> pest, own_mite = Concept("Pest", (Label("pest"),)), Concept("Mite", (Label("mite"),))
    >>> own = Own(Ontology("Pest", (pest, own_mite), (Edge("Mite", "Pest", Relation.IS_A),)), "pests.owl")
    >>> both = joined(built, own, topic="bee")
    >>> [(concept.name, concept.source) for concept in both.concepts]
    [('bee', 'corpus'), ('Mite', 'pests.owl; corpus'), ('Pest', 'pests.owl')]
    >>> [(edge.child, edge.relation.value, edge.parent) for edge in both.edges]
    [('Mite', 'is-a', 'Pest'), ('Pest', 'related', 'bee')]
    """
    root = own.topic_concept(topic)
    matches = _matches(built, own.ontology, root)
    names = _names(built, own.ontology, matches)
    wanted = _wanted(own.ontology, root, matches.values())
    top = names[built.topic]
    concepts = _concepts(built, own, names, wanted)
    edges = _edges(built, own, names, wanted, top)
    left_out = len(own.ontology.concepts) - len(wanted)
    logger.info(
        "joined %s: %d of its concepts are in the corpus, too, %d are only in it, %d were left out",
        *(own.name, len({*matches.values()}), len(wanted - {*matches.values()}), left_out),
    )
    hung = hanging(concepts, edges, topic=top, said=f"named in {own.name}")
    return with_context(replace(built, topic=top, concepts=concepts, edges=hung))


def _matches(built: Ontology, own: Ontology, root: str | None) -> dict[str, str]:
    """The own concept that each built one is, if any: with the very label, or else with another ending.

    Among homonyms those below the topic come first.
    """
    near = below(own.edges, root) if root else []
    place = {name: at for at, name in enumerate(near)}
    concepts = sorted(own.concepts, key=lambda one: (place.get(one.name, len(place)), one.name))
    found: dict[str, str] = {}
    for alike in (same, spelling):
        bearers = bearers_of(concepts, alike=alike)
        for concept in built.concepts:
            labels = [alike(label) for label in (*concept.labels, *concept.synonyms)]
            match = next((bearers[label] for label in labels if label in bearers), None)
            if match is not None:
                found[concept.name] = match
    if root is not None:
        found[built.topic] = root
    return found


def _names(built: Ontology, own: Ontology, matches: Mapping[str, str]) -> dict[str, str]:
    """What each built concept is called in the joined ontology."""
    taken = {concept.name for concept in own.concepts}
    names = dict(matches)
    for concept in built.concepts:
        if concept.name not in names:
            names[concept.name] = identifier(concept.name, taken) if concept.name in taken else concept.name
            taken.add(names[concept.name])
    return names


def _wanted(own: Ontology, root: str | None, matched: Iterable[str]) -> set[str]:
    """The own concepts that are taken."""
    root = root or own.topic or None
    found = {*matched, *(below(own.edges, root) if root else ())}
    parents = _parents(own.edges, ORDERING)
    children = _parents((replace(edge, child=edge.parent, parent=edge.child) for edge in own.edges), ORDERING)
    return found | (_reached(found, parents) & _reached(found, children))


def _reached(start: Iterable[str], steps: Mapping[str, Sequence[str]]) -> set[str]:
    found = set(start)
    queue = sorted(found)
    for name in queue:
        new = [one for one in steps.get(name, ()) if one not in found]
        found.update(new)
        queue += dict.fromkeys(new)
    return found


def _concepts(
    built: Ontology, own: Own, names: Mapping[str, str], wanted: Iterable[str]
) -> tuple[Concept, ...]:
    """The built concepts in their order, then those that are only the user's."""
    mine = {concept.name: concept for concept in own.ontology.concepts}
    groups: dict[str, list[Concept]] = {}
    for concept in built.concepts:
        groups.setdefault(names[concept.name], []).append(concept)
    found = [
        _merged(mine[name], group, own.name) if name in mine else replace(group[0], name=name)
        for name, group in groups.items()
    ]
    only = sorted(set(wanted) - groups.keys())
    return (*found, *(replace(mine[name], source=mine[name].source or own.name) for name in only))


def _merged(own: Concept, built: Sequence[Concept], file: str) -> Concept:
    """The user's concept, with what the corpus says of it. His labels without a language may be in any."""
    known = {label.language for label in own.labels}
    labels, texts = list(own.labels), {plain(label.text) for label in own.labels}
    synonyms: list[Label] = []
    for label in (*own.synonyms, *(label for one in built for label in (*one.labels, *one.synonyms))):
        if plain(label.text) in texts:
            continue
        texts.add(plain(label.text))
        first = label not in own.synonyms and not {label.language, ""} & known
        if first:
            known.add(label.language)
        (labels if first else synonyms).append(label)
    sources = dict.fromkeys([own.source or file, *(one.source for one in built if one.source)])
    return replace(
        built[0],
        name=own.name,
        labels=tuple(labels),
        synonyms=tuple(synonyms),
        source="; ".join(sources),
        frequency=max(one.frequency for one in built),
        keyness=max(one.keyness for one in built),
    )


def _edges(built: Ontology, own: Own, names: Mapping[str, str], wanted: set[str], top: str) -> list[Edge]:
    """The user's edges, and the built ones that go with them."""
    kept = _unique([_below_topic(edge, top) for edge in _stated(own, wanted, top)])
    pairs = {frozenset((edge.child, edge.parent)) for edge in kept}
    placed = {edge.child for edge in ordering(kept)}
    moved = [replace(edge, child=names[edge.child], parent=names[edge.parent]) for edge in built.edges]
    for edge in sorted(_unique(moved), key=_strength):
        default = edge.relation is Relation.RELATED and edge.parent == top and edge.child in placed
        if frozenset((edge.child, edge.parent)) not in pairs and not default and _adds(edge, kept, top):
            kept.append(edge)
    return kept


def _stated(own: Own, wanted: set[str], top: str) -> Iterator[Edge]:
    for edge in own.ontology.edges:
        if edge.child in wanted and edge.parent in wanted:
            yield replace(edge, evidence=edge.evidence or f"stated in {own.name}")
    if own.ontology.topic in wanted - {top}:
        yield Edge(own.ontology.topic, top, Relation.RELATED, f"the topic of {own.name}")


def _below_topic(edge: Edge, top: str) -> Edge:
    """The root has no parent: what is wider than the topic hangs on it as ``related``."""
    if edge.child != top:
        return edge
    said = f"the topic is {edge.relation} of it: {edge.evidence}"
    return Edge(edge.parent, top, Relation.RELATED, said, edge.confidence)


def _unique(edges: Iterable[Edge]) -> list[Edge]:
    """The surest of each, the first among equals."""
    found: dict[tuple[str, str, Relation], Edge] = {}
    for edge in edges:
        known = found.setdefault((edge.child, edge.parent, edge.relation), edge)
        if edge.confidence > known.confidence:
            found[edge.child, edge.parent, edge.relation] = edge
    return list(found.values())


def _strength(edge: Edge) -> tuple[bool, float, str, str, str]:
    return edge.relation is Relation.RELATED, -edge.confidence, edge.child, edge.parent, edge.relation


def _adds(edge: Edge, kept: Sequence[Edge], top: str) -> bool:
    """Whether an edge neither closes a cycle nor says what follows from others."""
    if edge.child in (edge.parent, top):
        return False
    if edge.relation is Relation.RELATED:
        return True
    if edge.child in _reached([edge.parent], _parents(kept, ORDERING)):
        return False
    kinds = (Relation.IS_A, Relation.SYNONYM)
    return edge.relation not in kinds or edge.parent not in _reached([edge.child], _parents(kept, kinds))


def _parents(edges: Iterable[Edge], relations: Container[Relation]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for edge in edges:
        if edge.relation in relations:
            found.setdefault(edge.child, []).append(edge.parent)
    return found
