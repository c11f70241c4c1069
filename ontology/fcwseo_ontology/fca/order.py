"""The order of the concepts that introduce an object or an attribute; all other concepts are contracted.

R. Godin, H. Mili, Building and maintaining analysis-level class hierarchies using Galois lattices. OOPSLA
1993 (there the Galois sub-hierarchy); A. Berry, A. Gutierrez, M. Huchard, A. Napoli, A. Sigayret, Hermes: a
simple and efficient algorithm for building the AOC-poset of a binary relation. Annals of Mathematics and
Artificial Intelligence 72, 2014. A concept introduces an object when no smaller concept has it, and an
attribute when no larger concept has it. A concept that introduces neither is only a meet or join of others,
for which nothing has a name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fcwseo_ontology.bits import bits
from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.fca.lattice import FormalConcept, Lattice


@dataclass(frozen=True, slots=True)
class Introducer:
    """A formal concept with the objects and attributes that appear first in it."""

    concept: FormalConcept
    objects: tuple[str, ...]
    attributes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IntroducerOrder:
    """The introducers, most objects first; ``uppers[i]`` are the nearest ones above introducer ``i``."""

    introducers: tuple[Introducer, ...]
    uppers: tuple[tuple[int, ...], ...]
    contracted: int

    @property
    def covers(self) -> tuple[tuple[int, int], ...]:
        """The edges (lower, upper), as positions in ``introducers``."""
        return tuple((lower, upper) for lower, uppers in enumerate(self.uppers) for upper in uppers)


def introducer_order(lattice: Lattice) -> IntroducerOrder:
    """The AOC poset of a whole lattice. Raises InvalidInput for an iceberg, which lacks its lower concepts.

    >>> from fcwseo_ontology.fca.context import Context
    >>> from fcwseo_ontology.fca.engines import concept_lattice
    >>> rain, ice = ["wet", "falls"], ["wet", "cold"]
    >>> table = Context.of({"rain": rain, "ice": ice, "snow": ["wet", "falls", "cold"]})
    >>> found = introducer_order(concept_lattice(table))
    >>> [(one.objects, one.attributes) for one in found.introducers]
    [((), ('wet',)), (('rain',), ('falls',)), (('ice',), ('cold',)), (('snow',), ())]
    >>> found.uppers, found.contracted
    (((), (0,), (0,), (1, 2)), 0)
    """
    if lattice.capped or lattice.support:
        raise InvalidInput(f"the concept lattice is not whole ({lattice.capped}): take fewer terms")
    context = lattice.context
    by_intent = {concept.intent: at for at, concept in enumerate(lattice.concepts)}
    by_extent = {concept.extent: at for at, concept in enumerate(lattice.concepts)}
    objects: dict[int, list[str]] = {}
    attributes: dict[int, list[str]] = {}
    for name, row in zip(context.objects, context.rows, strict=True):
        objects.setdefault(by_intent[row], []).append(name)
    for name, column in zip(context.attributes, context.columns, strict=True):
        attributes.setdefault(by_extent[column], []).append(name)
    kept = sorted(objects.keys() | attributes.keys())
    introducers = tuple(
        Introducer(lattice.concepts[at], tuple(objects.get(at, ())), tuple(attributes.get(at, ())))
        for at in kept
    )
    return IntroducerOrder(introducers, _nearest(lattice, kept), len(lattice.concepts) - len(kept))


def _nearest(lattice: Lattice, kept: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """For each kept concept the lowest of the kept ones above it. Upper concepts stand before lower ones."""
    number = {at: place for place, at in enumerate(kept)}
    above = [0] * len(lattice.concepts)  # the kept concepts above each concept, as a bit mask
    for at, uppers in enumerate(lattice.uppers):
        for upper in uppers:
            above[at] |= above[upper] | (1 << number[upper] if upper in number else 0)
    nearest = []
    for at in kept:
        farther = 0
        for place in bits(above[at]):
            farther |= above[kept[place]]
        nearest.append(tuple(bits(above[at] & ~farther)))
    return tuple(nearest)
