"""Hierarchies that others wrote: ENVO and SWEET from their OWL files, and the clusters of hazard profiles."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from rdflib import OWL, RDF, RDFS, Graph, URIRef

from fcwseo_ontology.corpus.tokens import key, stem, words
from quality.data import Documents, located
from quality.measures import Pair, among

EXACT = URIRef("http://www.geneontology.org/formats/oboInOwl#hasExactSynonym")


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """``names`` of each class, the label first, and pairs of a class and its parent."""

    names: Mapping[str, tuple[str, ...]]
    parents: frozenset[Pair]


@dataclass(frozen=True, slots=True)
class GoldTerm:
    """A class that a corpus names: how it is written there, commonest first, and the documents as bits."""

    key: str
    forms: tuple[str, ...]
    documents: int


@dataclass(frozen=True, slots=True)
class Gold:
    """What of a hierarchy is found in a corpus; ``pairs`` are child and ancestor by the keys of terms."""

    terms: tuple[GoldTerm, ...]
    pairs: frozenset[Pair]


def of_owl(paths: Sequence[Path]) -> Hierarchy:
    """The named classes of all files together, with exact synonyms."""
    graph = Graph()
    for path in paths:
        if path.suffix == ".gz":
            graph.parse(data=gzip.decompress(path.read_bytes()), format="nt")
        else:
            graph.parse(path, format="xml")
    classes = sorted({one for one in graph.subjects(RDF.type, OWL.Class) if isinstance(one, URIRef)})
    names = {
        str(one): (
            *sorted(map(str, graph.objects(one, RDFS.label))),
            *sorted(map(str, graph.objects(one, EXACT))),
        )
        for one in classes
    }
    parents = {
        (str(child), str(parent))
        for child, parent in graph.subject_objects(RDFS.subClassOf)
        if isinstance(child, URIRef) and isinstance(parent, URIRef)
    }
    return Hierarchy({name: texts for name, texts in names.items() if texts}, frozenset(parents))


def of_profiles(paths: Sequence[Path]) -> Hierarchy:
    """A hazard lies below its cluster, and a cluster below its type. These are shelves rather than kinds."""
    names: dict[str, tuple[str, ...]] = {}
    parents = set()
    for node in (node for path in paths for node in json.loads(path.read_text(encoding="utf-8"))["nodes"]):
        names[node["id"]] = (node["label"], *node["altLabels"])
        for child, parent in (("id", "clusterId"), ("clusterId", "typeId")):
            if node[parent]:
                names.setdefault(node[parent], (node[parent.replace("Id", "Name")],))
                parents.add((node[child], node[parent]))
    return Hierarchy(names, frozenset(parents))


@dataclass(frozen=True, slots=True)
class GoldSource:
    """A hierarchy by its files, and the corpora in which its classes are sought."""

    name: str
    files: tuple[str, ...]
    read: Callable[[Sequence[Path]], Hierarchy]
    corpora: tuple[str, ...]


GOLD = (
    GoldSource(
        "ENVO",
        ("envo-environmental_hazards.owl", "envo-process-hierarchy.owl"),
        of_owl,
        ("floods", "hazards"),
    ),
    GoldSource("SWEET", ("sweet_all.nt.gz",), of_owl, ("floods",)),
    GoldSource("HIPs", ("hips.json",), of_profiles, ("hazards",)),
)


def read(data: Sequence[Path], source: GoldSource) -> Hierarchy | None:
    """The hierarchy, if all its files are there."""
    paths = [located(data, f"ontologies/{name}") for name in source.files]
    there = [path for path in paths if path is not None]
    return source.read(there) if len(there) == len(paths) else None


def found_in(hierarchy: Hierarchy, documents: Documents) -> Gold:
    """The classes that English documents name; classes of one name are one term.

    >>> from fcwseo_ontology.corpus.documents import Document
    >>> kinds = Hierarchy({"1": ("flooding",), "2": ("hazard",), "3": ("flash flood",)},
    ...     frozenset({("3", "1"), ("1", "2")}))
    >>> gold = found_in(kinds, (Document("d", "Floods", "Flash floods are hazards, and so are floods."),))
    >>> sorted(gold.pairs)
    [('flash flood', 'flood'), ('flash flood', 'hazard'), ('flood', 'hazard')]
    >>> gold.terms[1]
    GoldTerm(key='flood', forms=('floods',), documents=1)
    """
    keys = {one: [key(name) for name in texts] for one, texts in hierarchy.names.items()}
    terms = {
        term.key: term for term in written({some for every in keys.values() for some in every}, documents)
    }
    named = {one: next((some for some in every if some in terms), "") for one, every in keys.items()}
    inside = {one for one, name in named.items() if name}
    pairs = {(named[child], named[above]) for child, above in among(hierarchy.parents, inside)}
    chosen = sorted({named[one] for one in inside})
    return Gold(tuple(terms[one] for one in chosen), frozenset((a, b) for a, b in pairs if a != b))


def written(keys: AbstractSet[str], documents: Documents) -> Iterator[GoldTerm]:
    """The keys that stand in the documents, with their forms there, in lower case."""
    longest = max((one.count(" ") + 1 for one in keys), default=0)
    forms: dict[str, Counter[str]] = {}
    places: Counter[str] = Counter()
    for number, document in enumerate(documents):
        here: dict[str, None] = {}
        for text in (document.title, document.text, *document.keywords):
            parts = words(text)
            stems = [stem(part) for part in parts]
            for start, end in windows(len(parts), longest):
                one = " ".join(stems[start:end])
                if one in keys:
                    here[one] = None
                    forms.setdefault(one, Counter())[" ".join(parts[start:end])] += 1
        for one in here:
            places[one] |= 1 << number
    for one, counted in forms.items():
        ordered = sorted(counted, key=lambda form: (-counted[form], form))
        yield GoldTerm(one, tuple(ordered), places[one])


def windows(length: int, longest: int) -> Iterator[tuple[int, int]]:
    """The ends of all runs of up to ``longest`` words.

    >>> list(windows(2, 3))
    [(0, 1), (0, 2), (1, 2)]
    """
    for start in range(length):
        for end in range(start + 1, min(start + longest, length) + 1):
            yield start, end
