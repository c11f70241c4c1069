"""Extracts classes from a graph of triples: their labels, and the edges between them.

It supports OWL and RDFS classes, SKOS concepts, and the conventions of OBO ontologies (numeric names, special
labels and synonyms, definitions by intersection). Obsolete classes are skipped.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import unquote

from rdflib import OWL, RDF, RDFS, SKOS, BNode, Graph, Literal, Namespace, URIRef
from rdflib.namespace import DCTERMS
from rdflib.term import Node

from fcwseo_ontology.model import Concept, Edge, Label, Relation, identifier

OURS = "urn:fcwseo:"
VOCABULARY = Namespace(f"{OURS}vocabulary#")
OBO = Namespace("http://purl.obolibrary.org/obo/")
OBO_IN_OWL = Namespace("http://www.geneontology.org/formats/oboInOwl#")
SKOS_XL = Namespace("http://www.w3.org/2008/05/skos-xl#")  # labels that are nodes
SKOS_THES = Namespace("http://purl.org/iso25964/skos-thes#")  # kinds of broader, ISO 25964

PREFERRED = (RDFS.label, SKOS.prefLabel, SKOS_XL.prefLabel)
ALTERNATIVE = (
    SKOS.altLabel,
    SKOS_XL.altLabel,
    SKOS.hiddenLabel,
    OBO_IN_OWL.hasExactSynonym,
    OBO_IN_OWL.hasNarrowSynonym,
    OBO_IN_OWL.hasRelatedSynonym,
    OBO_IN_OWL.hasBroadSynonym,
    OBO.IAO_0000118,
)
BUILT_IN = tuple(str(space) for space in (OWL, RDF, RDFS, SKOS))
SAFE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")

# Properties by the letters of their names: "A property some B" makes A the child of B,
# ...
TO_PARENT = {
    "partof": Relation.PART_OF,
    "bfo0000050": Relation.PART_OF,
    "attributeof": Relation.ATTRIBUTE_OF,
    "propertyof": Relation.ATTRIBUTE_OF,
    "qualityof": Relation.ATTRIBUTE_OF,
    "ro0000080": Relation.ATTRIBUTE_OF,
    "inducedby": Relation.INDUCE,
    "causedby": Relation.INDUCE,
    "triggeredby": Relation.INDUCE,
    "resultof": Relation.INDUCE,
    "ro0002354": Relation.INDUCE,
    "ro0002404": Relation.INDUCE,
    "ro0002427": Relation.INDUCE,
}
# ... or B the child of A.
TO_CHILD = {
    "haspart": Relation.PART_OF,
    "bfo0000051": Relation.PART_OF,
    "hasattribute": Relation.ATTRIBUTE_OF,
    "hasproperty": Relation.ATTRIBUTE_OF,
    "hasquality": Relation.ATTRIBUTE_OF,
    "ro0000086": Relation.ATTRIBUTE_OF,
    "induces": Relation.INDUCE,
    "causes": Relation.INDUCE,
    "triggers": Relation.INDUCE,
    "resultsin": Relation.INDUCE,
    "ro0002411": Relation.INDUCE,
    "ro0002418": Relation.INDUCE,
}

Target = tuple[Node | None, Node | None]
Annotations = dict[tuple[Node | None, Node | None, Target], tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Classes:
    """The classes of a graph as concepts, sorted by name, and problems. There may be cycles.

    ``documents`` are packed word counts.
    """

    concepts: tuple[Concept, ...]
    edges: tuple[Edge, ...]
    topic: str | None
    unlabelled: tuple[str, ...]
    dangling: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]
    documents: str = ""


def classes_of(graph: Graph) -> Classes:
    """The named classes of a graph; equivalent ones are merged."""
    alive = _alive(graph)
    annotations = _annotations(graph)
    same = _merged(graph, alive, annotations)
    names = _names(dict.fromkeys(same[iri] for iri in alive))
    members: dict[URIRef, list[URIRef]] = {}
    for iri in alive:
        members.setdefault(same[iri], []).append(iri)
    concepts = {
        name: replace(_concept(graph, name, members[iri]), intent=_intent(graph, members[iri], names, same))
        for iri, name in names.items()
    }
    edges: dict[tuple[str, str, Relation], Edge] = {}
    for child, parent, relation, evidence, confidence in _stated(graph, alive, annotations):
        lower, upper = names[same[child]], names[same[parent]]
        if lower != upper:
            edges.setdefault((lower, upper, relation), Edge(lower, upper, relation, evidence, confidence))
    heads = sorted(graph.subjects(RDF.type, OWL.Ontology), key=str)
    documents = [str(text) for head in heads for text in graph.objects(head, VOCABULARY.documents)]
    return Classes(
        tuple(concepts[name] for name in sorted(concepts)),
        tuple(edges[key] for key in sorted(edges)),
        _topic(graph, names, same),
        tuple(sorted(name for iri, name in names.items() if not _labels(graph, members[iri], PREFERRED))),
        tuple(sorted(_dangling(graph, alive, names, same))),
        tuple(sorted(str(iri) for iri in graph.objects(None, OWL.imports))),
        min(documents, default=""),
    )


def _topic(graph: Graph, names: Mapping[URIRef, str], same: Mapping[URIRef, URIRef]) -> str | None:
    """The topic that a file names: the subject of the ontology, or the only top concept of a SKOS scheme."""
    heads = graph.subjects(RDF.type, OWL.Ontology)
    subjects = {iri for head in heads for iri in graph.objects(head, DCTERMS.subject)}
    tops = {*graph.objects(None, SKOS.hasTopConcept), *graph.subjects(SKOS.topConceptOf)}
    named, top = (sorted({first for iri, first in same.items() if iri in some}) for some in (subjects, tops))
    found = named or (top if len(top) == 1 else [])
    return names[found[0]] if found else None


def _alive(graph: Graph) -> dict[URIRef, None]:
    """The classes in use, sorted."""
    kinds = (OWL.Class, RDFS.Class, SKOS.Concept)
    found: set[Node] = {subject for kind in kinds for subject in graph.subjects(RDF.type, kind)}
    found |= set(graph.subjects(RDFS.subClassOf))
    found |= {child for said in (SKOS.broader, SKOS.narrower) for child in graph.subjects(said)}
    found |= {
        other
        for said, label in _NAMED
        for other in graph.objects(None, said)
        if (other, label, None) in graph
    }
    return dict.fromkeys(
        iri
        for iri in sorted(node for node in found if isinstance(node, URIRef))
        if not str(iri).startswith(BUILT_IN) and not _obsolete(graph, iri)
    )


def _obsolete(graph: Graph, iri: URIRef) -> bool:
    if any(str(value) in ("true", "1") for value in graph.objects(iri, OWL.deprecated)):
        return True
    return any(str(label).startswith("obsolete ") for label in graph.objects(iri, RDFS.label))


def _merged(graph: Graph, alive: Collection[URIRef], annotations: Annotations) -> dict[URIRef, URIRef]:
    """For each class the first of its plainly stated equivalents.

    A statement with evidence is an edge between two concepts and merges nothing.
    """
    first = {iri: iri for iri in alive}

    def root(iri: URIRef) -> URIRef:
        while first[iri] != iri:
            iri = first[iri]
        return iri

    for one in alive:
        for other in graph.objects(one, OWL.equivalentClass):
            plain = (one, OWL.equivalentClass, (other, None)) not in annotations
            if plain and isinstance(other, URIRef) and other in first:
                low, high = sorted((root(one), root(other)))
                first[high] = low
    return {iri: root(iri) for iri in alive}


def _names(iris: Iterable[URIRef]) -> dict[URIRef, str]:
    names: dict[URIRef, str] = {}
    taken: set[str] = set()
    for iri in iris:
        local = _local(iri)
        free = SAFE_NAME.fullmatch(local) and local not in taken
        names[iri] = local if free else identifier(local, taken)
        taken.add(names[iri])
    return names


def _local(iri: Node) -> str:
    return unquote(re.split(r"[#/:]", str(iri).rstrip("#/:"))[-1]) or str(iri)


def _concept(graph: Graph, name: str, iris: list[URIRef]) -> Concept:
    preferred = _labels(graph, iris, PREFERRED) or [Label(_as_words(_local(iris[0])), "")]
    shown = {str(language) for iri in iris for language in graph.objects(iri, VOCABULARY.shown)}
    preferred.sort(
        key=lambda label: (label.language not in shown, label.language != "en", label.language, label.text)
    )
    labels = {label.language: label for label in reversed(preferred)}
    others = [label for label in preferred if label not in labels.values()]
    synonyms = sorted(
        {*others, *_labels(graph, iris, ALTERNATIVE)}, key=lambda label: (label.language, label.text)
    )
    stated = sorted({str(value) for iri in iris for value in graph.objects(iri, DCTERMS.source)})
    source = "; ".join(stated) or ("" if iris[0].startswith(OURS) else str(iris[0]))
    counted = [str(value) for iri in iris for value in graph.objects(iri, VOCABULARY.frequency)]
    frequency = max((int(value) for value in counted if re.fullmatch("[0-9]{1,15}", value)), default=0)
    said = [_number(value) for iri in iris for value in graph.objects(iri, VOCABULARY.keyness)]
    first = [label for label in preferred if labels[label.language] is label]
    keyness = max(said, default=0.0)
    return Concept(name, tuple(first), tuple(synonyms), source, frequency, keyness=keyness)


def _intent(
    graph: Graph, iris: Iterable[URIRef], names: Mapping[URIRef, str], same: Mapping[URIRef, URIRef]
) -> tuple[str, ...]:
    """The concepts that the formal context says it is, as far as they are in the graph."""
    said = (value for iri in iris for value in graph.objects(iri, VOCABULARY.intent))
    known = (same[value] for value in said if isinstance(value, URIRef) and value in same)
    return tuple(sorted({names[iri] for iri in known}))


def _labels(graph: Graph, iris: Iterable[URIRef], predicates: Iterable[Node]) -> list[Label]:
    """All labels under these predicates, those of the first predicate first."""
    given = [value for iri in iris for predicate in predicates for value in graph.objects(iri, predicate)]
    values = [
        value
        for one in given
        for value in ([one] if isinstance(one, Literal) else graph.objects(one, SKOS_XL.literalForm))
    ]
    texts = [(" ".join(str(value).split()), value) for value in values if isinstance(value, Literal)]
    return list(dict.fromkeys(Label(text, value.language or "") for text, value in texts if text))


def _as_words(local: str) -> str:
    """A readable form of a name without a label.

    >>> _as_words("LandBreeze_Front")
    'land breeze front'
    """
    return " ".join(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", local).split()).lower() or local


def _annotations(graph: Graph) -> Annotations:
    """Evidence and confidence of each statement with our annotations."""
    found: Annotations = {}
    for axiom, confidence in graph.subject_objects(VOCABULARY.confidence):
        statement = (
            graph.value(axiom, OWL.annotatedSource),
            graph.value(axiom, OWL.annotatedProperty),
            _target(graph, graph.value(axiom, OWL.annotatedTarget)),
        )
        evidence = graph.value(axiom, VOCABULARY.evidence)
        found[statement] = (str(evidence) if evidence is not None else "", _share(confidence))
    return found


def _share(value: Node) -> float:
    try:
        share = float(str(value))
    except ValueError:
        return 1.0
    return share if 0 <= share <= 1 else 1.0


def _number(value: Node) -> float:
    """A number of 0 or more; 0 for anything else."""
    try:
        number = float(str(value))
    except ValueError:
        return 0.0
    return number if 0 <= number < math.inf else 0.0


def _target(graph: Graph, node: Node | None) -> Target:
    """The object of a statement: a class, or the class and the property of a restriction."""
    if not isinstance(node, BNode):
        return node, None
    fillers = (OWL.someValuesFrom, OWL.allValuesFrom, OWL.onClass)
    filler = next((value for kind in fillers if (value := graph.value(node, kind)) is not None), None)
    return filler, graph.value(node, OWL.onProperty)


_UPWARD = {
    RDFS.subClassOf: Relation.IS_A,
    OWL.equivalentClass: Relation.SYNONYM,
    SKOS.broader: Relation.IS_A,
    SKOS_THES.broaderGeneric: Relation.IS_A,
    SKOS_THES.broaderInstantial: Relation.IS_A,
    SKOS_THES.broaderPartitive: Relation.PART_OF,
    SKOS.related: Relation.RELATED,
}
_NARROWER = {
    SKOS.narrower: Relation.IS_A,
    SKOS_THES.narrowerGeneric: Relation.IS_A,
    SKOS_THES.narrowerInstantial: Relation.IS_A,
    SKOS_THES.narrowerPartitive: Relation.PART_OF,
}
_NAMED = (  # what these point at is a class if it has a label
    (RDFS.subClassOf, RDFS.label),
    (SKOS.broader, SKOS.prefLabel),
    (SKOS.narrower, SKOS.prefLabel),
)

Statement = tuple[URIRef, URIRef, Relation, str, float]


def _stated(graph: Graph, alive: Collection[URIRef], annotations: Annotations) -> Iterator[Statement]:
    """Each statement between two classes as child, parent, relation, evidence and confidence."""
    for iri, predicate, target in _statements(graph, alive):
        other, restricted = target
        if not isinstance(other, URIRef) or other not in alive:
            continue
        known = annotations.get((iri, predicate, target))
        evidence, confidence = known or ("", 1.0)
        if restricted is not None:
            key = re.sub(r"[^a-z0-9]", "", _local(restricted).lower())
            said = "" if known else _said(graph, restricted)
            if key in TO_CHILD:
                yield other, iri, TO_CHILD[key], evidence or said, confidence
            else:
                yield iri, other, TO_PARENT.get(key, Relation.RELATED), evidence or said, confidence
        elif predicate in _NARROWER:
            yield other, iri, _NARROWER[predicate], evidence, confidence
        elif predicate != OWL.equivalentClass or known:
            yield iri, other, _UPWARD[predicate], evidence, confidence


def _statements(graph: Graph, alive: Iterable[URIRef]) -> Iterator[tuple[URIRef, URIRef, Target]]:
    """The statements of each class. A class equivalent to an intersection is below each part of it."""
    for iri in alive:
        for predicate in (*_UPWARD, *_NARROWER):
            for value in graph.objects(iri, predicate):
                parts = graph.value(value, OWL.intersectionOf) if isinstance(value, BNode) else None
                if parts is None:
                    yield iri, predicate, _target(graph, value)
                else:
                    yield from ((iri, RDFS.subClassOf, _target(graph, part)) for part in _items(graph, parts))


def _items(graph: Graph, parts: Node) -> list[Node]:
    try:
        return list(graph.items(parts))
    except ValueError:  # a circular list
        return []


def _said(graph: Graph, prop: Node) -> str:
    return min(map(str, graph.objects(prop, RDFS.label)), default=_as_words(_local(prop)))


def _dangling(
    graph: Graph, alive: Collection[URIRef], names: Mapping[URIRef, str], same: Mapping[URIRef, URIRef]
) -> Iterator[tuple[str, str]]:
    """Classes whose parent is not described anywhere in the graph."""
    for iri in alive:
        for predicate in (RDFS.subClassOf, SKOS.broader):
            for parent in graph.objects(iri, predicate):
                described = (parent, None, None) in graph or str(parent).startswith(BUILT_IN)
                if isinstance(parent, URIRef) and not described:
                    yield names[same[iri]], str(parent)
