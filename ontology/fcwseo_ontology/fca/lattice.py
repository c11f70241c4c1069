"""Formal concepts, their order, and the order of the terms alone.

The concepts are found from the greatest extent downwards, the next one always being the one with most
objects, so whatever is cut off is an exact iceberg: G. Stumme, R. Taouil, Y. Bastide, N. Pasquier, L. Lakhal,
Computing iceberg concept lattices with Titanic. Data & Knowledge Engineering 42, 2002. The neighbours follow
from counting: L. Nourine, O. Raynaud, A fast algorithm for building lattices. Information Processing Letters
71, 1999. The order of terms is that of their attribute concepts, with the subsumption of M. Sanderson, B.
Croft, Deriving concept hierarchies from text. SIGIR 1999, where strict inclusion is too strict.
"""

import heapq
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.fca.context import Context


@dataclass(frozen=True, slots=True)
class FormalConcept:
    """Objects and attributes that determine each other, as bit masks of a context."""

    extent: int
    intent: int


@dataclass(frozen=True, slots=True)
class Lattice:
    """The concepts with at least ``support`` objects, most objects first; ``uppers[i]`` covers concept ``i``.

    ``capped`` is empty, or says in words which cap struck and from which support on the lattice is complete.
    """

    context: Context
    concepts: tuple[FormalConcept, ...]
    uppers: tuple[tuple[int, ...], ...]
    support: int
    capped: str = ""

    @property
    def covers(self) -> tuple[tuple[int, int], ...]:
        """The Hasse edges (lower, upper), as positions in ``concepts``."""
        return tuple((lower, upper) for lower, uppers in enumerate(self.uppers) for upper in uppers)


def lattice(
    context: Context,
    *,
    support: int = 0,
    most: int = 100_000,
    seconds: float = 60.0,
    clock: Callable[[], float] = time.monotonic,
) -> Lattice:
    """The concepts of at least ``support`` objects with their cover relation.

    More than ``most`` concepts, or more than ``seconds``, raise the support as far as needed and say so.

    >>> table = Context.of({"D1": ["rain"], "D2": ["rain", "flood"]})
    >>> found = lattice(table)
    >>> [(table.names_of_objects(concept.extent), bin(concept.intent)) for concept in found.concepts]
    [(('D1', 'D2'), '0b1'), (('D2',), '0b11')]
    >>> found.covers
    ((1, 0),)
    """
    if support < 0 or most < 1:
        raise InvalidInput(f"support must be 0 or more and most 1 or more: got {support} and {most}")
    search = _Search(context, max(support, 1))
    end = clock() + seconds
    while search.queue:
        if clock() > end:
            search.stop(f"{seconds:g} seconds")
            break
        search.step()
        if len(search.done) + len(search.queue) > 2 * most:
            search.shrink(most)
    search.shrink(most)
    if support == 0 and not search.struck:
        search.add_empty(most)
    return search.result(support)


@dataclass(eq=False, slots=True)
class _Waiting:
    """A concept that was found and not yet descended from; the heap gives the largest extent first."""

    minus_objects: int
    intent: int
    extent: int
    candidates: Sequence[int]
    uppers: list[int]

    def __lt__(self, other: "_Waiting") -> bool:
        if self.minus_objects != other.minus_objects:
            return self.minus_objects < other.minus_objects
        return self.intent < other.intent


class _Search:
    """The descent: ``done`` by falling size, ``queue`` what was found below, ``known`` both by extent."""

    def __init__(self, context: Context, support: int) -> None:
        self.context = context
        self.support = support
        self.done: list[_Waiting] = []
        self.queue: list[_Waiting] = []
        self.known: dict[int, _Waiting] = {}
        self.struck = ""
        if len(context.objects) >= support:
            self._found(context.all_objects, range(len(context.attributes)))

    def step(self) -> None:
        """Descend from the largest waiting concept to all that lie directly or farther below it.

        Each attribute that is not in the intent leads to one concept below. That concept is a neighbour
        exactly when all the attributes it adds lead to it.
        """
        here = heapq.heappop(self.queue)
        position = len(self.done)
        self.done.append(here)
        columns, support = self.context.columns, self.support
        extent, intent = here.extent, here.intent
        reached: dict[int, int] = {}
        frequent = []
        for j in here.candidates:
            if not intent >> j & 1:
                below = extent & columns[j]
                if below.bit_count() >= support:
                    frequent.append(j)
                    reached[below] = reached.get(below, 0) | 1 << j
        for below, added in reached.items():
            lower = self.known.get(below) or self._found(below, frequent, intent)
            if lower.intent & ~intent == added:
                lower.uppers.append(position)

    def _found(self, extent: int, candidates: Sequence[int], intent: int = 0) -> _Waiting:
        # An attribute too rare in a larger extent cannot hold all of a smaller one: the candidates are
        # enough.
        columns = self.context.columns
        for j in candidates:
            if extent & columns[j] == extent:
                intent |= 1 << j
        waiting = _Waiting(-extent.bit_count(), intent, extent, candidates, [])
        self.known[extent] = waiting
        heapq.heappush(self.queue, waiting)
        return waiting

    def shrink(self, most: int) -> None:
        """Raise the support until at most ``most`` concepts are left."""
        if len(self.done) + len(self.queue) <= most:
            return
        sizes = sorted((-one.minus_objects for one in (*self.done, *self.queue)), reverse=True)
        self._raise(sizes[most] + 1, f"{most} concepts")

    def add_empty(self, most: int) -> None:
        """Put the concept without objects, if there is one, below all that have nothing below them.

        Left out of the descent it spares each concept the many attributes that none of its objects has.
        """
        if self.context.extent(self.context.all_attributes):
            self.support = 0
        elif len(self.done) >= most:
            self.struck = f"{most} concepts"
        else:
            covered = {upper for one in self.done for upper in one.uppers}
            lowest = [position for position in range(len(self.done)) if position not in covered]
            self.done.append(_Waiting(0, self.context.all_attributes, 0, (), lowest))
            self.support = 0

    def stop(self, why: str) -> None:
        """Leave it at what is complete: everything larger than the largest concept that still waits."""
        self._raise(1 - self.queue[0].minus_objects, why)

    def _raise(self, support: int, why: str) -> None:
        self.support, self.struck = support, why
        self.done = [one for one in self.done if -one.minus_objects >= support]
        self.queue = [one for one in self.queue if -one.minus_objects >= support]
        heapq.heapify(self.queue)
        self.known = {one.extent: one for one in (*self.done, *self.queue)}

    def result(self, asked: int) -> Lattice:
        concepts = tuple(FormalConcept(one.extent, one.intent) for one in self.done)
        uppers = tuple(tuple(one.uppers) for one in self.done)
        capped = ""
        if self.struck:
            capped = f"stopped at {self.struck}: complete from {self.support} objects on, not from {asked}"
        return Lattice(self.context, concepts, uppers, self.support, capped)


class Parents(StrEnum):
    """Whether a term keeps the closest of its smallest super-terms (a tree) or all of them."""

    CLOSEST = "closest"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Subsumption:
    """``child`` occurs almost only where ``parent`` occurs: in the share ``confidence`` of its objects."""

    child: str
    parent: str
    confidence: float


@dataclass(frozen=True, slots=True)
class TermOrder:
    """``edges`` are transitively reduced; ``equal`` groups terms of one extent, which are synonym candidates.

    Of such a group only the first takes part in ``edges``. A term without a parent hangs below the topic.
    """

    edges: tuple[Subsumption, ...]
    equal: tuple[tuple[str, ...], ...]
    roots: tuple[str, ...]


def attribute_order(
    context: Context, *, confidence: float = 1.0, parents: Parents = Parents.CLOSEST
) -> TermOrder:
    """The order of the attribute concepts, found without the lattice.

    ``a`` lies below ``b`` when ``a`` has fewer objects and at least the share ``confidence`` of them has
    ``b``; at 1.0 that is strict inclusion of extents. Sizes rise along every edge, so there is never a cycle
    to break. An attribute without objects says nothing and is left out.

    >>> order = attribute_order(Context.of({"D1": ["rain"], "D2": ["rain", "flood", "inundation"]}))
    >>> order.edges, order.equal, order.roots
    ((Subsumption(child='flood', parent='rain', confidence=1.0),), (('flood', 'inundation'),), ('rain',))
    """
    if not 0 < confidence <= 1:
        raise InvalidInput(f"a confidence lies above 0 and at 1 or below: got {confidence}")
    groups: dict[int, list[str]] = {}
    for name, column in zip(context.attributes, context.columns, strict=True):
        if column:
            groups.setdefault(column, []).append(name)
    extents = sorted(groups, key=int.bit_count)
    above = [_above(extents, i, confidence) for i in range(len(extents))]
    names = [groups[extent][0] for extent in extents]
    edges = tuple(
        Subsumption(names[i], names[j], share)
        for i in range(len(extents))
        for j, share in _nearest(extents, above, i, parents)
    )
    equal = tuple(tuple(group) for group in groups.values() if len(group) > 1)
    roots = tuple(name for name, higher in zip(names, above, strict=True) if not higher)
    return TermOrder(edges, equal, roots)


def _above(extents: Sequence[int], i: int, confidence: float) -> dict[int, float]:
    """The larger extents that hold enough of extent ``i``, with the share they hold."""
    extent, size = extents[i], extents[i].bit_count()
    shares = ((j, (extent & extents[j]).bit_count() / size) for j in range(i + 1, len(extents)))
    return {j: share for j, share in shares if share >= confidence and extents[j].bit_count() > size}


def _nearest(
    extents: Sequence[int], above: Sequence[dict[int, float]], i: int, parents: Parents
) -> list[tuple[int, float]]:
    """The parents of extent ``i``: of all above it those that lie above no other of them."""
    farther = {j for between in above[i] for j in above[between]}
    nearest = [(j, share) for j, share in above[i].items() if j not in farther]
    if parents is Parents.ALL or not nearest:
        return nearest
    return [
        max(nearest, key=lambda one: (extents[i] & extents[one[0]]).bit_count() / extents[one[0]].bit_count())
    ]
