"""What an ontology is made of here: concepts, typed edges, and one root, the topic."""

from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    """How a concept hangs on its parent (paper 001, section 3). ``RELATED`` only co-occurs and orders
    nothing.
    """

    SYNONYM = "synonym"
    IS_A = "is-a"
    PART_OF = "part-of"
    ATTRIBUTE_OF = "attribute-of"
    INDUCE = "induce"
    RELATED = "related"


@dataclass(frozen=True, slots=True)
class Label:
    text: str
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Concept:
    """``name`` is a stable ASCII identifier; ``labels`` are the preferred ones, one a language, the first
    is shown.
    """

    name: str
    labels: tuple[Label, ...]
    synonyms: tuple[Label, ...] = ()
    source: str = ""
    frequency: int = 0


@dataclass(frozen=True, slots=True)
class Edge:
    """``child`` hangs on ``parent``; ``evidence`` says in words why, ``confidence`` in [0, 1] how surely."""

    child: str
    parent: str
    relation: Relation
    evidence: str = ""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Ontology:
    """``topic`` is the name of the root concept. A concept may have several parents; there is no cycle."""

    topic: str
    concepts: tuple[Concept, ...]
    edges: tuple[Edge, ...]
