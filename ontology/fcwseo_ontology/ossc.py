"""OSSC, ontology-based semantic similarity, and the weights of feature words.

J. Liu, X. Li, Q. Zhang, G. Zhong, A novel focused crawler combining Web space evolution and domain ontology,
2022 ("paper 001"), section 4, Eq. (1) to (3). The paper takes four of the five factors from a work that is
not available; they are re-derived here from the same family of measures.

G is the undirected graph of all edges, H the order given by the edges, with the topic on top.

* IF_Dis = a / (a + shortest path in G), a = 1.6
* IF_Den = (edges at C1 + edges at C2) / (2 * most edges at any concept)
* IF_Dep = 2 * level(LCA) / (level(C1) + level(C2)), the deepest common ancestor in H
* IF_Coi = common ancestors / all ancestors of the two, each concept being its own ancestor
* IF_Rel = mean value of the edges along the shortest path, the best of several

``related`` edges are in G and not in H: a concept only related to the topic shares no ancestor with it, so
IF_Dep and IF_Coi are 0. Such an edge has the smallest value, which falls with its confidence. The level of a
concept with several parents is the longest way up; otherwise an ancestor could be deeper than its descendant,
and IF_Dep exceed 1.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from fcwseo_ontology.errors import InvalidInput
from fcwseo_ontology.model import Concept, Edge, Ontology, Relation
from fcwseo_ontology.relations.hierarchy import find, levels, ordering, plain, subtree, top_down
from fcwseo_ontology.topic import Factors, FeatureWord, Topic

Matrix = NDArray[np.float64]
Indices = NDArray[np.intp]

# Eq. (1); RELATED is ours and continues 1, 1/2, 1/3, times the confidence of the edge.
VALUE = {
    Relation.SYNONYM: 1.0,
    Relation.INDUCE: 1 / 2,
    Relation.IS_A: 1 / 3,
    Relation.PART_OF: 1 / 3,
    Relation.ATTRIBUTE_OF: 1 / 3,
    Relation.RELATED: 1 / 4,
}
# Values are integers, in parts of 1, so that halves, thirds and confidences of three digits are exact.
_PARTS = 12_000
_GRAIN = 2.0**-32  # of the cost of an edge


class Distance(StrEnum):
    """IF_Dis: ``a / (a + dist)``, or linear down to 0 at the longest possible path."""

    DECAY = "decay"
    LINEAR = "linear"


class Density(StrEnum):
    """IF_Den: by the edges at the two concepts, or by the children of their common ancestor.

    The second is the same for every pair with the topic, so it does not distinguish feature words.
    """

    DEGREE = "degree"
    LCA = "lca"


@dataclass(frozen=True, slots=True)
class Adjustment:
    """The adjustment factors of Eq. (2), alpha (distance) to epsilon (relation). They sum to 1."""

    dis: float = 0.30
    den: float = 0.10
    dep: float = 0.20
    coi: float = 0.20
    rel: float = 0.20

    def __post_init__(self) -> None:
        shares = astuple(self)
        if min(shares) < 0 or not math.isclose(sum(shares), 1):
            raise InvalidInput(f"the five adjustment factors are 0 or more and sum to 1: got {shares}")


EVEN = Adjustment(0.2, 0.2, 0.2, 0.2, 0.2)


@dataclass(frozen=True, slots=True)
class Ossc:
    """Options of the similarity. ``a`` is the constant of IF_Dis.

    With ``synonym_is_identity`` two concepts joined by a synonym edge have similarity 1.
    """

    adjustment: Adjustment = Adjustment()
    distance: Distance = Distance.DECAY
    density: Density = Density.DEGREE
    a: float = 1.6
    synonym_is_identity: bool = True


DEFAULT = Ossc()


def similarity(ontology: Ontology, a: str, b: str, *, ossc: Ossc = DEFAULT) -> float:
    """Sem(a, b) of Eq. (2) for two concepts by name, in [0, 1] and symmetric."""
    graph = _Graph(ontology)
    row, column = graph.position(a), graph.position(b)
    return float(_similarities(graph, np.array([row]), ossc)[0][0, column])


def factors(ontology: Ontology, a: str, b: str, *, ossc: Ossc = DEFAULT) -> Factors:
    """The five factors of two concepts by name."""
    graph = _Graph(ontology)
    row, column = graph.position(a), graph.position(b)
    parts = _factors(graph, np.array([row]), ossc)
    return Factors(*(float(part[0, column]) for part in parts))


def matrix(ontology: Ontology, *, ossc: Ossc = DEFAULT) -> Matrix:
    """Sem of all pairs, rows and columns in the order of ``ontology.concepts``."""
    graph = _Graph(ontology)
    return _similarities(graph, np.arange(len(graph.names)), ossc)[0]


def weights_of(ontology: Ontology, *, ossc: Ossc = DEFAULT) -> dict[str, float]:
    """Sem of the topic with each concept below it, by name."""
    graph = _Graph(subtree(ontology, ontology.topic))
    weights, _ = _similarities(graph, np.array([graph.position(ontology.topic)]), ossc)
    return dict(zip(graph.names, map(float, weights[0]), strict=True))


def topic_of(ontology: Ontology, *, label: str | None = None, ossc: Ossc = DEFAULT) -> Topic:
    """Return the feature words of an ontology, weighted by Eq. (3).

    Each word is the displayed label of a concept. Concepts with the same word become one, with the larger
    weight. A label shared by several words belongs to the word that it equals, else to the heaviest, so no
    text counts twice.

    Args:
        ontology: The ontology.
        label: The label of a concept: only the part below it is used.
        ossc: Options of the similarity.

    Returns:
        The topic, heaviest words first.

    Raises:
        InvalidTopic: If no concept has this label.

    >>> from fcwseo_ontology import load_ontology
    >>> topic_of(load_ontology("rainstorm"), label="flood").words[0].word
    'flood'
    """
    name = ontology.topic if label is None else find(ontology, label)[0]
    inside = subtree(ontology, name)
    graph = _Graph(inside)
    weights, parts = _similarities(graph, np.array([graph.position(name)]), ossc)
    level = levels(inside)
    words = [
        FeatureWord(
            concept.labels[0].text if concept.labels else concept.name,
            float(weights[0, i]),
            _texts(concept),
            level[concept.name],
            concept.name,
            Factors(*(float(part[0, i]) for part in parts)),
            keyness=concept.keyness,
        )
        for i, concept in enumerate(inside.concepts)
    ]
    words.sort(key=lambda word: (-word.weight, word.level, word.word, word.name))
    topic = next(word.word for word in words if word.name == name)
    return Topic(topic, _apart(words), inside)


def _texts(concept: Concept) -> tuple[str, ...]:
    return tuple(label.text for label in (*concept.labels, *concept.synonyms)) or (concept.name,)


def _apart(words: Sequence[FeatureWord]) -> tuple[FeatureWord, ...]:
    """The words, heaviest first, each label with only one of them."""
    merged: dict[str, FeatureWord] = {}
    for word in words:
        first = merged.setdefault(plain(word.word), word)
        merged[plain(word.word)] = replace(first, labels=first.labels + word.labels)
    owner = {key: key for key in merged}
    for key, word in merged.items():
        for text in word.labels:
            owner.setdefault(plain(text), key)
    return tuple(replace(word, labels=_own(word.labels, key, owner)) for key, word in merged.items())


def _own(labels: Sequence[str], key: str, owner: Mapping[str, str]) -> tuple[str, ...]:
    own = [text for text in labels if owner[plain(text)] == key]
    first = {text.casefold(): text for text in reversed(own)}
    return tuple(dict.fromkeys(first[text.casefold()] for text in own))


class _Graph:
    """An ontology as arrays: G as pairs of indices with values, H as the ancestors of each concept.

    Ancestors are bits, numbered by level and, within a level, by children. The highest bit shared by two
    concepts is therefore their deepest common ancestor.
    """

    def __init__(self, ontology: Ontology) -> None:
        self.names = [concept.name for concept in ontology.concepts]
        self.index = {name: i for i, name in enumerate(self.names)}
        ends = [(self.index[edge.child], self.index[edge.parent]) for edge in ontology.edges]
        parents = [self.index[edge.parent] for edge in ordering(ontology.edges)]
        level = levels(ontology)
        self.levels = np.array([level[name] for name in self.names])
        self.children = np.bincount(np.array(parents, dtype=np.intp), minlength=len(self.names))
        self.degrees = np.bincount(np.array(ends, dtype=np.intp).ravel(), minlength=len(self.names))
        self.synonyms = [
            pair for edge, pair in zip(ontology.edges, ends, strict=True) if edge.relation is Relation.SYNONYM
        ]
        self.ranks = np.lexsort((self.children, self.levels))
        self.ancestors = self._ancestors(ontology)
        self.tails, self.heads, self.values = _both_ways(ends, ontology.edges)

    def position(self, name: str) -> int:
        if name not in self.index:
            raise InvalidInput(f"the ontology has no concept named {name!r}")
        return self.index[name]

    def _ancestors(self, ontology: Ontology) -> NDArray[np.uint32]:
        """A row of bits for each concept, packed into words: itself and all its ancestors, by rank."""
        masks = {self.names[i]: 1 << rank for rank, i in enumerate(self.ranks)}
        for name, parents in top_down(ontology).items():
            for parent in parents:
                masks[name] |= masks[parent]
        width = len(masks) // 32 + 1
        packed = b"".join(masks[name].to_bytes(4 * width, "little") for name in self.names)
        return np.frombuffer(packed, dtype="<u4").reshape(len(masks), width)


def _both_ways(pairs: Sequence[tuple[int, int]], edges: Sequence[Edge]) -> tuple[Indices, Indices, Indices]:
    """The edges of G in both directions, sorted by target; of parallel edges the one with the largest
    value.
    """
    best: dict[tuple[int, int], int] = {}
    for (child, parent), edge in zip(pairs, edges, strict=True):
        value = max(_parts(edge), best.get((child, parent), 0))
        best[child, parent] = best[parent, child] = value
    ordered = sorted(best, key=lambda pair: pair[::-1])
    tails = np.array([tail for tail, _ in ordered], dtype=np.intp)
    heads = np.array([head for _, head in ordered], dtype=np.intp)
    return tails, heads, np.array([best[pair] for pair in ordered], dtype=np.intp)


def _parts(edge: Edge) -> int:
    """The value of an edge; that of a ``related`` edge is scaled by its confidence."""
    sure = edge.confidence if edge.relation is Relation.RELATED else 1.0
    return round(_PARTS * VALUE[edge.relation] * sure)


def _walks(graph: _Graph, rows: Indices) -> tuple[Matrix, Matrix]:
    """The lengths of the shortest paths in G from ``rows`` to all concepts, and the largest sum of values on
    such a path.

    Both are found at once: an edge costs 1 minus a small multiple of its value, so the best of several
    equally short paths is cheapest. Values are integers and the multiple is a power of 2, which keeps the
    sums exact.
    """
    costs = _costs_from(graph, int(rows[0]))[:, np.newaxis] if len(rows) == 1 else _costs(graph, rows)
    lengths = np.ceil(costs.T)
    grains = np.where(np.isinf(lengths), 0, lengths) - np.where(np.isinf(lengths), 0, costs.T)
    return lengths, grains / _GRAIN / _PARTS


def _costs(graph: _Graph, rows: Indices) -> Matrix:
    """The costs of the cheapest paths from ``rows``, of all rows at once: fast unless paths are long."""
    costs = np.full((len(graph.names), len(rows)), np.inf)
    costs[rows, np.arange(len(rows))] = 0
    heads, starts = np.unique(graph.heads, return_index=True)
    changed = len(heads) > 0
    while changed:
        onwards = costs[graph.tails] + (1 - _GRAIN * graph.values)[:, np.newaxis]
        reached = np.minimum(np.minimum.reduceat(onwards, starts, axis=0), costs[heads])
        changed = bool((reached < costs[heads]).any())
        costs[heads] = reached
    return costs


def _costs_from(graph: _Graph, row: int) -> Matrix:
    """The same from one concept, by the algorithm of Dijkstra: fast also for one long chain."""
    starts = np.searchsorted(graph.heads, np.arange(len(graph.names) + 1)).tolist()
    tails, values = graph.tails.tolist(), (1 - _GRAIN * graph.values).tolist()
    costs = [math.inf] * len(graph.names)
    costs[row] = 0.0
    queue = [(0.0, row)]
    while queue:
        cost, here = heappop(queue)
        if cost > costs[here]:
            continue
        for i in range(starts[here], starts[here + 1]):
            if cost + values[i] < costs[tails[i]]:
                costs[tails[i]] = cost + values[i]
                heappush(queue, (costs[tails[i]], tails[i]))
    return np.array(costs)


def _common(graph: _Graph, rows: Indices) -> tuple[Matrix, Matrix, Matrix]:
    """For each pair: the number of common ancestors, the level of the deepest, and its number of children."""
    shared = np.zeros((len(rows), len(graph.names)))
    highest = np.full(shared.shape, -1)
    for i, words in enumerate(graph.ancestors.T):
        both = np.bitwise_and.outer(words[rows], words)
        shared += np.bitwise_count(both)
        lengths = np.frexp(both.astype(np.float64))[1]
        highest = np.where(both > 0, 32 * i + lengths - 1, highest)
    deepest = graph.ranks[highest]
    none = highest < 0
    return shared, np.where(none, 0, graph.levels[deepest]), np.where(none, 0, graph.children[deepest])


def _factors(graph: _Graph, rows: Indices, ossc: Ossc) -> tuple[Matrix, Matrix, Matrix, Matrix, Matrix]:
    lengths, sums = _walks(graph, rows)
    shared, deepest, children = _common(graph, rows)
    if ossc.distance is Distance.DECAY:
        dis = ossc.a / (ossc.a + lengths)
    else:
        dis = np.clip(1 - lengths / max(2 * (graph.levels.max() - 1), 1), 0, 1)
    if ossc.density is Density.DEGREE:
        den = np.add.outer(graph.degrees[rows], graph.degrees) / max(2 * graph.degrees.max(), 1)
    else:
        den = children / max(graph.children.max(), 1)
    dep = 2 * deepest / np.add.outer(graph.levels[rows], graph.levels)
    sizes = np.bitwise_count(graph.ancestors).sum(axis=1)
    coi = shared / (np.add.outer(sizes[rows], sizes) - shared)
    rel = np.where(lengths > 0, sums / np.maximum(lengths, 1), 1.0)
    return dis, den, dep, coi, rel


def _similarities(graph: _Graph, rows: Indices, ossc: Ossc) -> tuple[Matrix, tuple[Matrix, ...]]:
    """Sem of ``rows`` with all concepts, and its factors."""
    parts = _factors(graph, rows, ossc)
    sem: Matrix = sum(
        (share * part for share, part in zip(astuple(ossc.adjustment), parts, strict=True)),
        start=np.zeros_like(parts[0]),
    )
    same = np.equal.outer(rows, np.arange(len(graph.names)))
    if ossc.synonym_is_identity:
        for pair in (*graph.synonyms, *(pair[::-1] for pair in graph.synonyms)):
            same[rows == pair[0], pair[1]] = True
    return np.where(same, 1.0, sem), parts
