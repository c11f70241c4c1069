"""What the concept lattice did for an ontology, in numbers and names."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.engines import engine_for
from fcwseo_ontology.fca.lattice import Lattice
from fcwseo_ontology.fca.order import IntroducerOrder
from fcwseo_ontology.model import Relation
from fcwseo_ontology.relations.kinds import KindClass, Kinds
from fcwseo_ontology.relations.statements import Beliefs, Names, reachable
from fcwseo_ontology.terms.extract import Term

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class NamedClass:
    """A class that the lattice named, and the concepts directly below it, by labels."""

    label: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BuildReport:
    """Sizes of context and lattice, and by labels what came of them. Pairs are (child, parent).

    ``unstated``: is-a edges that no single source states. ``redundant``: statements that follow from others,
    so that they are no edges. ``synonyms``: terms of equal extent. ``lacking``: pairs of a term and one above
    it that the statements about pairs of terms alone, with all that follows from them, would lack.
    """

    engine: str
    terms: int
    objects: int
    attributes: int
    incidences: int
    concepts: int
    covers: int
    contracted: int
    is_a: int
    unstated: tuple[Pair, ...]
    named: tuple[NamedClass, ...]
    redundant: tuple[Pair, ...]
    synonyms: tuple[tuple[str, ...], ...]
    lacking: tuple[Pair, ...]

    def lines(self) -> Iterator[str]:
        """The stations from the context to the hierarchy, a line each."""
        yield (
            f"formal context: {self.objects} objects, {self.terms} of them terms, "
            f"{self.attributes} attributes, {self.incidences} incidences"
        )
        yield f"concept lattice: {self.concepts} concepts, {self.covers} covers, computed by {self.engine}"
        introducers = self.concepts - self.contracted
        yield (
            f"order: {introducers} concepts introduce a term or an attribute, "
            f"{self.contracted} others are contracted"
        )
        yield (
            f"hierarchy: {self.is_a} is-a edges, {len(self.unstated)} of which no single source states; "
            f"{len(self.named)} classes named by the lattice"
        )


def report_of(
    terms: Sequence[Term],
    lattice: Lattice,
    order: IntroducerOrder,
    kinds: Kinds,
    beliefs: Beliefs,
    names: Names,
) -> BuildReport:
    """The report of a lattice, its order, and the kinds that were read off it."""
    classes = kinds.classes
    edges = [(classes[lower], classes[upper]) for lower, upper in order.covers]
    covers = {(lower.name, upper.name) for lower, upper in edges}
    label = names.labels
    context = lattice.context
    return BuildReport(
        engine=engine_for(context).value,
        terms=len(terms),
        objects=len(context.objects),
        attributes=len(context.attributes),
        incidences=sum(row.bit_count() for row in context.rows),
        concepts=len(lattice.concepts),
        covers=len(lattice.covers),
        contracted=order.contracted,
        is_a=sum(edge.relation is Relation.IS_A for edge in kinds.edges),
        unstated=tuple((low.label, high.label) for low, high in edges if not _stated(low, high, beliefs)),
        named=tuple(
            NamedClass(one.label, tuple(low.label for low, high in edges if high is one))
            for one in classes
            if not one.terms
        ),
        redundant=tuple(sorted((label[low], label[high]) for low, high in _pairs(classes, beliefs) - covers)),
        synonyms=tuple(tuple(label[term] for term in one.terms) for one in classes if len(one.terms) > 1),
        lacking=tuple(sorted((label[low], label[high]) for low, high in _lacking(terms, context, beliefs))),
    )


def _stated(child: KindClass, parent: KindClass, beliefs: Beliefs) -> bool:
    return any(above in parent.nodes for node in child.nodes for above in beliefs.get(node, ()))


def _pairs(classes: Sequence[KindClass], beliefs: Beliefs) -> set[Pair]:
    """The beliefs between different classes, by the names of these."""
    name = {node: one.name for one in classes for node in one.nodes}
    stated = ((low, high) for low, parents in beliefs.items() for high in parents)
    known = ((name[low], name[high]) for low, high in stated if low in name and high in name)
    return {pair for pair in known if pair[0] != pair[1]}


def _lacking(terms: Sequence[Term], context: Context, beliefs: Beliefs) -> Iterator[Pair]:
    """Pairs of terms in the order that do not follow from the beliefs between terms."""
    keys = {term.key for term in terms}
    between = {
        low: [high for high in parents if high in keys] for low, parents in beliefs.items() if low in keys
    }
    for low, row in zip(context.objects, context.rows, strict=True):
        above = reachable(low, between) if low in keys else context.attributes
        for at, high in enumerate(context.attributes):
            if row >> at & 1 and high in keys and high not in above:
                yield low, high
