"""Measures of ontologies and of readings, as functions of pairs, weights and verdicts.

K. Dellschaft, S. Staab, On how to perform a gold standard based evaluation of ontology learning, ISWC 2006
(taxonomic precision and recall over the common semantic cotopy). J. Cohen, A coefficient of agreement for
nominal scales, 1960. E. B. Wilson, Probable inference, the law of succession, and statistical inference,
1927.
"""

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall; ``found`` and ``right`` are counts.

    >>> score = Score.of({"a", "b"}, {"b", "c", "d", "e"})
    >>> score.found, score.right, score.precision, score.recall, round(score.f, 3)
    (2, 1, 0.5, 0.25, 0.333)
    """

    found: int
    right: int
    precision: float
    recall: float

    @classmethod
    def of(cls, found: AbstractSet[Item], gold: AbstractSet[Item]) -> "Score":
        right = len(found & gold)
        return cls(len(found), right, share(right, len(found)), share(right, len(gold)))

    @property
    def f(self) -> float:
        return harmonic(self.precision, self.recall)


def share(part: float, whole: float) -> float:
    """A part of a whole; 0 of nothing."""
    return part / whole if whole else 0.0


def harmonic(one: float, other: float) -> float:
    """The harmonic mean.

    >>> harmonic(1, 0.5), harmonic(0, 0)
    (0.6666666666666666, 0.0)
    """
    return share(2 * one * other, one + other)


def closure(pairs: Iterable[Pair]) -> frozenset[Pair]:
    """All pairs of a child and an ancestor; a cycle makes nothing its own ancestor.

    >>> sorted(closure([("flash flood", "flood"), ("flood", "hazard")]))
    [('flash flood', 'flood'), ('flash flood', 'hazard'), ('flood', 'hazard')]
    """
    parents: dict[str, dict[str, None]] = {}
    for child, parent in pairs:
        parents.setdefault(child, {})[parent] = None
    found = set()
    for child in parents:
        queue, seen = [*parents[child]], {*parents[child]}
        for one in queue:
            new = [parent for parent in parents.get(one, ()) if parent not in seen]
            seen.update(new)
            queue += new
        found |= {(child, above) for above in seen if above != child}
    return frozenset(found)


def among(pairs: Iterable[Pair], terms: AbstractSet[str]) -> frozenset[Pair]:
    """Child and ancestor where both are terms, whatever lies between them.

    >>> sorted(among([("flash flood", "flood"), ("flood", "hazard")], {"flash flood", "hazard"}))
    [('flash flood', 'hazard')]
    """
    return frozenset(pair for pair in closure(pairs) if pair[0] in terms and pair[1] in terms)


def judgeable(found: AbstractSet[Pair], gold: AbstractSet[Pair]) -> frozenset[Pair]:
    """The found pairs whose child has a parent in the gold; of other children the gold says nothing.

    >>> sorted(judgeable({("flood", "event"), ("rain", "water")}, {("flood", "hazard")}))
    [('flood', 'event')]
    """
    children = {child for child, _ in gold}
    return frozenset(pair for pair in found if pair[0] in children)


def cotopy_score(found: AbstractSet[Pair], gold: AbstractSet[Pair]) -> tuple[float, float, float]:
    """Taxonomic precision, recall and F over the common semantic cotopy of two sets of child-ancestor pairs.

    The cotopy of a term is all that lies above or below it, without the term itself. A term without one in
    the hierarchy that is judged has no precision, and is left out of the mean.

    >>> gold = {("flash flood", "flood"), ("flash flood", "hazard"), ("flood", "hazard")}
    >>> cotopy_score({("flash flood", "flood")}, gold)
    (1.0, 0.3333333333333333, 0.5)
    """
    ours, theirs = cotopies(found), cotopies(gold)
    precision, recall = _taxonomic(ours, theirs), _taxonomic(theirs, ours)
    return precision, recall, harmonic(precision, recall)


def cotopies(pairs: AbstractSet[Pair]) -> dict[str, frozenset[str]]:
    """What lies above or below each term.

    >>> sorted(cotopies({("flash flood", "flood")})["flood"])
    ['flash flood']
    """
    sets: dict[str, set[str]] = {}
    for child, above in pairs:
        sets.setdefault(child, set()).add(above)
        sets.setdefault(above, set()).add(child)
    return {term: frozenset(others) for term, others in sets.items()}


def _taxonomic(judged: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> float:
    nothing: frozenset[str] = frozenset()
    shares = [len(near & other.get(term, nothing)) / len(near) for term, near in judged.items()]
    return mean(shares)


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing.

    >>> mean([1, 2]), mean([])
    (1.5, 0.0)
    """
    return math.fsum(values) / len(values) if values else 0.0


def variation(values: Sequence[float]) -> float:
    """The coefficient of variation: the standard deviation over the mean.

    >>> variation([1, 1]), variation([1, 3])
    (0.0, 0.5)
    """
    middle = mean(values)
    return share(math.sqrt(mean([(value - middle) ** 2 for value in values])), middle)


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which a part of the values lies, in a line between two neighbours.

    >>> percentile([3, 1, 2], 0.5), percentile([0, 10], 0.9)
    (2.0, 9.0)
    """
    ordered = sorted(values)
    at = part * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def agreement(one: Sequence[Hashable], other: Sequence[Hashable]) -> tuple[float, float]:
    """The share of verdicts on which two readers agree, and Cohen's kappa, which is 1 at full agreement.

    >>> agreement(["right", "right", "wrong", "wrong"], ["right", "wrong", "wrong", "wrong"])
    (0.75, 0.5)
    """
    total = len(one)
    same = share(sum(a == b for a, b in zip(one, other, strict=True)), total)
    counts, others = Counter(one), Counter(other)
    by_chance = share(sum(count * others[kind] for kind, count in counts.items()), total**2)
    return same, (same - by_chance) / (1 - by_chance) if by_chance < 1 else 1.0


def wilson(right: float, total: int, z: float = 1.96) -> tuple[float, float]:
    """The ends of the 95 % interval of a share.

    >>> [round(end, 2) for end in wilson(9, 10)], wilson(0, 0)
    ([0.6, 0.98], (0.0, 1.0))
    """
    if not total:
        return 0.0, 1.0
    rate = right / total
    middle = (rate + z * z / (2 * total)) / (1 + z * z / total)
    half = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total**2)) / (1 + z * z / total)
    return max(0.0, middle - half), min(1.0, middle + half)
