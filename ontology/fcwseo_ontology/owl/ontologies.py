"""Ontologies as OWL: written with owlready2, read and checked with rdflib.

The form of an edge (child C, parent P):

* is-a          C subClassOf P
* part-of       C subClassOf (part_of some P)
* attribute-of  P subClassOf (has_attribute some C)
* induce        P subClassOf (induces some C)
* synonym       C equivalentClass P
* related       C skos:related P, which claims no order

Evidence and confidence of each edge are annotations of its axiom. Labels are rdfs:label, synonyms
skos:altLabel, the topic is the dcterms:subject of the ontology. What a concept is in the formal context of a
built ontology is its fcwseo:intent, so that the concept lattice can be drawn again. The word counts of its
documents are one literal, see ``documents``.
"""

import io
import logging
import re
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from rdflib import OWL, RDF, RDFS, SKOS, XSD, Graph, Literal
from rdflib.namespace import DCTERMS

from fcwseo_ontology.errors import InvalidOntology, InvalidTopic
from fcwseo_ontology.files import write_bytes
from fcwseo_ontology.model import Concept, DocumentCounts, Edge, Label, Ontology, Relation
from fcwseo_ontology.owl.classes import OURS, SAFE_NAME, VOCABULARY, Classes, classes_of
from fcwseo_ontology.owl.documents import packed, unpacked
from fcwseo_ontology.owl.rdf import parse
from fcwseo_ontology.owl.syntaxes import serialised, writable
from fcwseo_ontology.relations.hierarchy import (
    below,
    find,
    first_cycle,
    ordering,
    plain,
    subtree,
    without_cycles,
)

PREFIXES = {
    "dcterms": str(DCTERMS),
    "fcwseo": str(VOCABULARY),
    "owl": str(OWL),
    "rdf": str(RDF),
    "rdfs": str(RDFS),
    "skos": str(SKOS),
    "xsd": str(XSD),
}
LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")
NOT_IN_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

logger = logging.getLogger(__name__)


def read_owl(path: Path, *, topic: str | None = None) -> Ontology:
    """Read an ontology from a file in any RDF syntax.

    Nothing is fetched. Cycles are broken at their weakest edge, with a warning in the log.

    Args:
        path: The file.
        topic: The label of a concept: only the part below it is read. Without it, the root is the topic named
            in the file, else the only concept without a parent.

    Returns:
        The ontology.

    Raises:
        InvalidOntology: If the file cannot be read, or contains no class.
        InvalidTopic: If no concept has this label, or several concepts could be the root.

    >>> from tempfile import mkdtemp
    >>> from fcwseo_ontology import load_ontology
    >>> file = Path(mkdtemp(), "rain.owl")
    >>> write_owl(load_ontology("rainstorm"), file)
    >>> len(read_owl(file).concepts)
    208
    """
    whole = read_classes(path)
    if topic is None:
        return whole if whole.topic else replace(whole, topic=_only_root(path, whole))
    try:
        bearers = find(whole, topic)
    except InvalidTopic as error:
        raise InvalidTopic(f"{path}: {error}") from error
    if len(bearers) > 1:
        logger.warning("%s: %r is %s; took the first", path, topic, " and ".join(bearers))
    return subtree(whole, bearers[0])


def read_classes(path: Path) -> Ontology:
    """All classes in a file; ``topic`` is empty if the file names none."""
    found = classes_of(parse(path))
    if not found.concepts:
        raise InvalidOntology(
            f"{path} contains no class: an ontology of OWL classes or SKOS concepts was expected"
        )
    edges, dropped = without_cycles(found.edges)
    for edge, cycle in dropped:
        logger.warning("%s: dropped %s of the cycle %s", path, _spoken(edge), " > ".join(cycle))
    return Ontology(found.topic or "", found.concepts, tuple(edges), documents=_documents(path, found))


def _documents(path: Path, found: Classes) -> tuple[DocumentCounts, ...]:
    try:
        return unpacked(found.documents) if found.documents else ()
    except InvalidOntology as error:
        raise InvalidOntology(f"{path}: {error}; remove fcwseo:documents from the file") from error


def write_owl(ontology: Ontology, path: Path) -> None:
    """Write an ontology as OWL, in the syntax that the suffix of the file names.

    ``read_owl`` reads it, and has an example.
    Concepts, edges and further labels are sorted. The same ontology always gives the same bytes. The file
    appears complete or not at all.

    Args:
        ontology: The ontology.
        path: The file to write.

    Raises:
        InvalidOntology: If the ontology is broken.
        InvalidInput: If the file cannot be written, or its suffix names no syntax.
    """
    writable(path)
    _refuse_broken(ontology)
    write_bytes(path, serialised(_triples(ontology), path, PREFIXES))


class Severity(StrEnum):
    """How serious a finding is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem of an ontology. An ontology with an error is broken."""

    severity: Severity
    kind: str
    concept: str
    text: str


def check(path: Path) -> list[Finding]:
    """Find the problems of an ontology file, errors first. Raises InvalidOntology for an unreadable file."""
    return _findings(classes_of(parse(path)))


def check_ontology(ontology: Ontology) -> list[Finding]:
    """Find the problems of an ontology in memory. Raises InvalidOntology if it cannot be written."""
    _refuse_broken(ontology)
    return _findings(classes_of(_triples(ontology)))


def _findings(found: Classes) -> list[Finding]:
    if not found.concepts:
        return [Finding(Severity.ERROR, "empty", "", "there is no class in the file")]
    edges, dropped = without_cycles(found.edges)
    cycles = [
        Finding(Severity.ERROR, "cycle", edge.child, f"a cycle of {len(cycle) - 1}: {' > '.join(cycle)}")
        for edge, cycle in dropped
    ]
    findings = [
        *cycles,
        *_unnamed(found),
        *_placed(found, edges),
        *_doubled(found.concepts),
        *_damaged(found),
    ]
    return sorted(
        findings, key=lambda one: (one.severity is Severity.WARNING, one.kind, one.concept, one.text)
    )


def _unnamed(found: Classes) -> Iterator[Finding]:
    """Missing labels, parents and imports."""
    for name in found.unlabelled:
        yield Finding(Severity.ERROR, "unlabelled", name, f"{name} has no label, so it matches no text")
    for name, parent in found.dangling:
        yield Finding(
            Severity.ERROR,
            "dangling parent",
            name,
            f"{name} has the parent {parent}, which is not in the file",
        )
    if found.imports:
        text = f"{len(found.imports)} imports are not followed, such as {found.imports[0]}"
        yield Finding(Severity.WARNING, "import", "", text)


def _placed(found: Classes, edges: list[Edge]) -> Iterator[Finding]:
    """Check that there is one root, and that every concept is below it."""
    roots = _roots(found, edges)
    topic = found.topic or (roots[0] if len(roots) == 1 else None)
    if topic is None:
        text = f"{len(roots)} concepts have no parent and the file names no topic"
        yield Finding(Severity.WARNING, "topic", "", text)
        return
    inside = set(below(edges, topic))
    for concept in found.concepts:
        if concept.name not in inside:
            yield Finding(Severity.ERROR, "unreachable", concept.name, f"{concept.name} is not below {topic}")


def _doubled(concepts: Iterable[Concept]) -> Iterator[Finding]:
    bearers: dict[tuple[str, str], list[str]] = {}
    for concept in concepts:
        for label in concept.labels:
            bearers.setdefault((plain(label.text), label.language), []).append(concept.name)
    for (text, _), names in bearers.items():
        if len(names) > 1:
            yield Finding(
                Severity.WARNING, "duplicate label", names[0], f"{text!r} is the label of {', '.join(names)}"
            )


def _damaged(found: Classes) -> Iterator[Finding]:
    try:
        unpacked(found.documents) if found.documents else ()
    except InvalidOntology as error:
        yield Finding(Severity.ERROR, "documents", "", str(error))


def _roots(found: Classes | Ontology, edges: Iterable[Edge]) -> list[str]:
    children = {edge.child for edge in ordering(edges)}
    return [concept.name for concept in found.concepts if concept.name not in children]


def _only_root(path: Path, whole: Ontology) -> str:
    roots = _roots(whole, whole.edges)
    if len(roots) == 1:
        return roots[0]
    shown = {concept.name: concept.labels[0].text for concept in whole.concepts}
    largest = sorted(roots, key=lambda name: (-len(below(whole.edges, name)), name))[:3]
    some = ", ".join(repr(shown[name]) for name in largest)
    raise InvalidTopic(
        f"{path} has {len(roots)} concepts without a parent: choose one by its label as the topic, as in "
        f"{str(path) + '#' + shown[largest[0]]!r}; the largest are {some}"
    )


def _spoken(edge: Edge) -> str:
    return f"{edge.child} {edge.relation} {edge.parent}"


def _refuse_broken(ontology: Ontology) -> None:
    """Raise an error for values that would change when written and read."""
    names = {concept.name for concept in ontology.concepts}
    if len(names) < len(ontology.concepts):
        raise InvalidOntology("two concepts of the ontology have the same name")
    if ontology.topic not in names:
        raise InvalidOntology(f"the topic {ontology.topic!r} is not a concept of the ontology")
    for concept in ontology.concepts:
        _refuse_broken_concept(concept)
        if not names.issuperset(concept.intent):
            raise InvalidOntology(f"the intent of {concept.name} names a concept that is not in the ontology")
    for edge in ontology.edges:
        if edge.child not in names or edge.parent not in names or edge.child == edge.parent:
            raise InvalidOntology(f"the edge {_spoken(edge)} does not join two concepts of the ontology")
        if not 0 <= edge.confidence <= 1:
            raise InvalidOntology(f"the confidence of {_spoken(edge)} is {edge.confidence}, not in [0, 1]")
    if len({(edge.child, edge.parent, edge.relation) for edge in ontology.edges}) < len(ontology.edges):
        raise InvalidOntology("an edge occurs twice in the ontology")
    if cycle := first_cycle(ontology.edges):
        raise InvalidOntology(f"the ontology has a cycle: {' > '.join(cycle)}")


def _refuse_broken_concept(concept: Concept) -> None:
    if not SAFE_NAME.fullmatch(concept.name):
        raise InvalidOntology(f"the name {concept.name!r} is not plain ASCII: make a name with identifier()")
    languages = [label.language for label in concept.labels]
    if not concept.labels or len(set(languages)) < len(languages):
        raise InvalidOntology(
            f"the concept {concept.name} needs at least one label, and at most one per language"
        )
    for label in (*concept.labels, *concept.synonyms):
        if not label.text.strip() or not (label.language == "" or LANGUAGE.fullmatch(label.language)):
            raise InvalidOntology(f"the concept {concept.name} has a label without text or language: {label}")


def _triples(ontology: Ontology) -> Graph:
    import owlready2  # not at the top: reading does not need it

    world = owlready2.World()
    try:
        target = world.get_ontology(f"{OURS}topic:{ontology.topic}#")
        builder = _Builder(owlready2, target)
        classes = {concept.name: builder.add_concept(concept) for concept in ontology.concepts}
        for concept in ontology.concepts:
            classes[concept.name].intent = [classes[name] for name in sorted(set(concept.intent))]
        for edge in ontology.edges:
            builder.add_edge(edge, classes[edge.child], classes[edge.parent])
        target.metadata.subject.append(classes[ontology.topic])
        lines = io.BytesIO()
        target.save(lines, format="ntriples")
    finally:
        world.close()
    graph = Graph().parse(data=lines.getvalue(), format="nt")
    graph.remove((None, RDFS.subClassOf, OWL.Thing))
    if ontology.documents:
        graph.add((VOCABULARY.documents, RDF.type, OWL.AnnotationProperty))
        for head in list(graph.subjects(RDF.type, OWL.Ontology)):
            graph.add((head, VOCABULARY.documents, Literal(packed(ontology.documents))))
    return graph


class _Builder:
    """Builds an owlready2 ontology from our concepts and edges."""

    def __init__(self, owl: Any, target: Any) -> None:
        self.owl, self.target = owl, target
        ours, skos, dcterms = (target.get_namespace(str(space)) for space in (VOCABULARY, SKOS, DCTERMS))
        transitive = (owl.ObjectProperty, owl.TransitiveProperty)
        self.part_of = self._property(ours, "part_of", *transitive)
        self.has_attribute = self._property(ours, "has_attribute", owl.ObjectProperty)
        self.induces = self._property(ours, "induces", owl.ObjectProperty)
        self.evidence = self._property(ours, "evidence", owl.AnnotationProperty)
        self.confidence = self._property(ours, "confidence", owl.AnnotationProperty)
        self.related = self._property(skos, "related", owl.AnnotationProperty)
        for space, name in (
            (ours, "shown"),
            (ours, "frequency"),
            (ours, "intent"),
            (ours, "keyness"),
            (skos, "altLabel"),
        ):
            self._property(space, name, owl.AnnotationProperty)
        for name in ("source", "subject"):
            self._property(dcterms, name, owl.AnnotationProperty)

    def _property(self, space: Any, name: str, *kinds: Any) -> Any:
        with space:
            return types.new_class(name, kinds)

    def add_concept(self, concept: Concept) -> Any:
        with self.target:
            made: Any = types.new_class(concept.name, (self.owl.Thing,))
        made.label = [self._literal(label) for label in concept.labels]
        made.altLabel = [self._literal(label) for label in dict.fromkeys(concept.synonyms)]
        usual = min(concept.labels, key=lambda label: (label.language != "en", label.language))
        if concept.labels[0] != usual:
            made.shown = [concept.labels[0].language]
        if concept.source:
            made.source = [_clean(concept.source)]
        if concept.frequency:
            made.frequency = [concept.frequency]
        if concept.keyness:
            made.keyness = [float(concept.keyness)]
        return made

    def _literal(self, label: Label) -> Any:
        text = _clean(label.text)
        return self.owl.locstr(text, label.language) if label.language else text

    def add_edge(self, edge: Edge, child: Any, parent: Any) -> None:
        subject, predicate, value = self._axiom(edge.relation, child, parent)
        if edge.evidence:
            self.evidence[subject, predicate, value] = [_clean(edge.evidence)]
        self.confidence[subject, predicate, value] = [float(edge.confidence)]

    def _axiom(self, relation: Relation, child: Any, parent: Any) -> tuple[Any, Any, Any]:
        """State the edge, and return it as subject, predicate and value."""
        owl = self.owl
        match relation:
            case Relation.SYNONYM:
                child.equivalent_to.append(parent)
                return child, owl.owl_equivalentclass, parent
            case Relation.RELATED:
                child.related.append(parent)
                return child, self.related, parent
            case Relation.IS_A:
                subject, value = child, parent
            case Relation.PART_OF:
                subject, value = child, self.part_of.some(parent)
            case Relation.ATTRIBUTE_OF:
                subject, value = parent, self.has_attribute.some(child)
            case Relation.INDUCE:
                subject, value = parent, self.induces.some(child)
        subject.is_a.append(value)
        return subject, owl.rdfs_subclassof, value


def _clean(text: str) -> str:
    """The text with characters that XML excludes replaced."""
    return NOT_IN_XML.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
