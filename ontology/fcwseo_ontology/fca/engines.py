"""The concept lattice of a context, by the engine that fits its size.

The library ``concepts`` (S. Bank) finds the neighbours of each concept as C. Lindig, Fast Concept Analysis,
in Working with Conceptual Structures: Contributions to ICCS 2000; it is the reference for contexts of up to
40,000 cells. ``lattice`` on bit masks gives the same lattice, and gives it in time for larger contexts.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.lattice import FormalConcept, Lattice, lattice

MOST_CELLS = 40_000
"""Objects times attributes up to which ``concepts`` takes less than a second on contexts of terms."""


class Engine(StrEnum):
    """Which program computes a lattice."""

    CONCEPTS = "concepts"
    BIT_MASKS = "bit masks"


def engine_for(context: Context) -> Engine:
    """
    >>> engine_for(Context.of({"D1": ["rain"]})).value, engine_for(Context((), (), ())).value
    ('concepts', 'bit masks')
    """
    cells = len(context.objects) * len(context.attributes)
    return Engine.CONCEPTS if 0 < cells <= MOST_CELLS else Engine.BIT_MASKS


def concept_lattice(context: Context) -> Lattice:
    """All formal concepts of a context and their cover relation; both engines give the same value.

    >>> found = concept_lattice(Context.of({"D1": ["rain"], "D2": ["rain", "flood"]}))
    >>> [(bin(concept.extent), bin(concept.intent)) for concept in found.concepts], found.uppers
    ([('0b11', '0b1'), ('0b10', '0b11')], ((), (0,)))
    """
    if engine_for(context) is Engine.BIT_MASKS:
        return lattice(context)
    width = range(len(context.attributes))
    table = [tuple(bool(row >> j & 1) for j in width) for row in context.rows]
    # Numbers as names, because the library wants names of objects and of attributes apart.
    names = [f"o{i}" for i in range(len(context.objects))], [f"a{j}" for j in width]
    found = list(_library().Context(*names, table).lattice)
    concepts = {one: FormalConcept(_mask(one.extent), _mask(one.intent)) for one in found}
    ordered = sorted(found, key=lambda one: (-len(one.extent), concepts[one].intent))
    position = {one: at for at, one in enumerate(ordered)}
    uppers = tuple(tuple(sorted(position[upper] for upper in one.upper_neighbors)) for one in ordered)
    return Lattice(context, tuple(concepts[one] for one in ordered), uppers, support=0)


def to_concepts(context: Context) -> Any:
    """The same context as a ``concepts.Context``, to look at and to draw: some hundred concepts at most.

    >>> drawn = to_concepts(Context.of({"D1": ["rain"], "D2": ["rain", "flood"]}))
    >>> len(drawn.lattice), "digraph" in drawn.lattice.graphviz().source
    (2, True)
    """
    if not context.objects or not context.attributes:
        raise InvalidInput("a context without objects or without attributes has no lattice to draw")
    width = range(len(context.attributes))
    table = [tuple(bool(row >> j & 1) for j in width) for row in context.rows]
    shared = set(context.objects) & set(context.attributes)  # the library wants the two kinds of names apart
    objects = [f"{name} (object)" if name in shared else name for name in context.objects]
    return _library().Context(objects, context.attributes, table)


def _mask(names: Iterable[str]) -> int:
    return sum(1 << int(name[1:]) for name in names)


def _library() -> Any:
    import concepts  # imported here: reading an ontology needs no lattice

    return concepts
