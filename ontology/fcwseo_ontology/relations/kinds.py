"""The hierarchy of kinds, read off the concept lattice of terms and what they are said to be.

Objects of the context are terms, and what several of them are said to be; an attribute is "is X" for each
such X. What X is, everything is that is X: the context is closed. Its lattice puts a term below another when
it has all attributes of that, whoever states them, and makes a class of what several terms are, even if no
term names it. R. Wille, Restructuring lattice theory: an approach based on hierarchies of concepts, in
Ordered Sets, 1982.

A class is an object too, because the corpus does not name all that it holds: if all parasites of a corpus are
mites, a parasite is still no mite.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from fcwseo_ontology.corpus.background import Kind, background_of_terms
from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.order import Introducer, IntroducerOrder
from fcwseo_ontology.model import Edge, Relation
from fcwseo_ontology.relations.statements import Belief, Beliefs, Names, Source, reachable, sources_of
from fcwseo_ontology.terms.extract import Term

LEAST_SUPPORT = 2
"""Terms that must be X before X becomes a class without being a term."""
MOST_SUPPORT = 0.4
"""Share of the terms above which X says nothing of them."""


@dataclass(frozen=True, slots=True)
class KindClass:
    """A class of the hierarchy by its name. ``terms`` are of equal extent, the name first; ``nodes`` too.

    Without ``terms`` it is a class that the lattice names.
    """

    name: str
    label: str
    terms: tuple[str, ...]
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Kinds:
    """The classes, most terms first, and their edges: is-a, and synonym for terms of equal extent."""

    classes: tuple[KindClass, ...]
    edges: tuple[Edge, ...]

    @property
    def named(self) -> dict[str, str]:
        """The classes that the lattice names, with their labels."""
        return {one.name: one.label for one in self.classes if not one.terms}


def formal_context(
    terms: Sequence[Term], beliefs: Beliefs, *, phrases: Container[str], unwanted: Container[str] = ()
) -> Context:
    """Terms and classes, and which of them each is, itself included.

    What is no term is a class from two terms on, so far as it is not nearly all of them, and nothing below it
    has the same terms. A name of several words that only ends terms must be one of ``phrases``, which the
    corpus uses as names; one word that is among these is a class of one term already. What is ``unwanted`` is
    no class, and its terms are all that is above it.
    """
    above = {term.key: reachable(term.key, beliefs) for term in terms}
    members: dict[str, set[str]] = {}
    for key, nodes in above.items():
        for node in nodes:
            members.setdefault(node, set()).add(key)
    sources = sources_of(beliefs)
    classes = {
        node: reachable(node, beliefs)
        for node, inside in members.items()
        if node not in above
        and node not in unwanted
        and _may_be_class(node, len(inside), len(terms), sources[node], phrases)
    }
    kept = dict(above)
    for node in sorted(classes, key=lambda node: (-len(classes[node]), node)):
        rivals = kept.keys() - above.keys() if _is_word(node, sources[node], phrases) else kept.keys()
        same = (one for one in rivals if node in kept[one] and members[one] == members[node])
        if Source.EXPERT in sources[node] or not any(same):
            kept[node] = classes[node]
    return Context.of(kept, attributes=list(kept))


def _is_word(node: str, sources: frozenset[Source], phrases: Container[str]) -> bool:
    """Whether a node is a name in WordNet, or a single word of which the corpus names kinds."""
    return node in phrases and (" " not in node or sources == {Source.WORDNET})


def _may_be_class(
    node: str, count: int, terms: int, sources: frozenset[Source], phrases: Container[str]
) -> bool:
    """Whether something that is no term may be a class; an expert's word is enough."""
    if Source.EXPERT in sources:
        return True
    words = node.removeprefix("~").split()
    if len(words) == 1 and background_of_terms("en").kinds.get(words[0]) in (Kind.GENERIC, Kind.STOP):
        return False
    whole = len(words) == 1 or sources != {Source.HEAD} or node in phrases
    alone = sources != {Source.WORDNET} and _is_word(node, sources, phrases)
    least = 1 if alone else LEAST_SUPPORT
    return whole and least <= count <= MOST_SUPPORT * terms


def kinds_of(terms: Sequence[Term], order: IntroducerOrder, beliefs: Beliefs, names: Names) -> Kinds:
    """The introducers as classes, and the order as edges with their evidence."""
    rank = {term.key: (at > 0, -term.df, at) for at, term in enumerate(terms)}  # the topic is the first term
    classes = tuple(_class(one, rank, names) for one in order.introducers)
    edges = [_edge(classes[lower], classes[upper], beliefs, names) for lower, upper in order.covers]
    same = [edge for one in classes for edge in _synonyms(one, beliefs)]
    return Kinds(classes, (*edges, *same))


def _class(introducer: Introducer, rank: Mapping[str, tuple[bool, int, int]], names: Names) -> KindClass:
    """A class is named by a term, if one introduces it."""
    terms = sorted((one for one in introducer.objects if one in rank), key=rank.__getitem__)
    nodes = tuple(dict.fromkeys((*terms, *sorted(introducer.objects))))
    return KindClass(nodes[0], names.labels[nodes[0]], tuple(terms), nodes)


def _edge(child: KindClass, parent: KindClass, beliefs: Beliefs, names: Names) -> Edge:
    chain = _chain(child.nodes, parent.nodes, beliefs)
    confidence, reasons = 1.0, []
    for below, belief in chain:
        confidence *= belief.trust
        reasons.append(belief.said if below in child.nodes else f"{names.labels[below]}: {belief.said}")
    return Edge(child.name, parent.name, Relation.IS_A, "; ".join(reasons), round(confidence, 3))


def _synonyms(one: KindClass, beliefs: Beliefs) -> Iterable[Edge]:
    for other in one.terms[1:]:
        chain = _chain([other], [one.name], beliefs)
        said = "; ".join(belief.said for _, belief in chain)
        yield Edge(other, one.name, Relation.SYNONYM, said, min(belief.trust for _, belief in chain))


def _chain(starts: Iterable[str], ends: Iterable[str], beliefs: Beliefs) -> list[tuple[str, Belief]]:
    """The shortest way of beliefs from one of the starts to one of the ends; of such the surest."""
    ends = set(ends)
    best: dict[str, tuple[float, list[tuple[str, Belief]]]] = {start: (1.0, []) for start in starts}
    front = list(best)
    while front and not ends & set(front):
        found: dict[str, tuple[float, list[tuple[str, Belief]]]] = {}
        for node in front:
            trust, way = best[node]
            for above, belief in beliefs.get(node, {}).items():
                product = trust * belief.trust
                if above not in best and product > found.get(above, (0.0, []))[0]:
                    found[above] = (product, [*way, (node, belief)])
        best.update(found)
        front = list(found)
    reached = [best[node] for node in front if node in ends]
    return max(reached, key=lambda one: one[0], default=(0.0, []))[1]
