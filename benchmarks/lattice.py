"""Speed of formal concept analysis, compared with ``concepts``, and on a corpus of 10,000 documents.

    python benchmarks/lattice.py

The contexts are generated: a document draws an exponential number of terms by Zipf's law. The small lattice
is built by both sides, covers included, and compared before its times are printed.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from fcwseo_ontology.fca.context import Context
from fcwseo_ontology.fca.engines import to_concepts
from fcwseo_ontology.fca.lattice import Lattice, attribute_order, lattice

T = TypeVar("T")


def zipf_context(documents: int, terms: int, *, mean: float, rng: Random) -> Context:
    """Documents of ``mean`` drawn terms on average; the term of rank r is drawn with weight 1/r."""
    names = [f"T{rank}" for rank in range(1, terms + 1)]
    weights = [1 / rank for rank in range(1, terms + 1)]
    lengths = [1 + int(rng.expovariate(1 / mean)) for _ in range(documents)]
    drawn = {f"D{i}": rng.choices(names, weights, k=length) for i, length in enumerate(lengths)}
    return Context.of(drawn, attributes=names)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def same(ours: Lattice, theirs: Any) -> bool:
    """Whether both lattices have the same concepts and the same covers, by the names of their objects."""
    extents = [frozenset(ours.context.names_of_objects(one.extent)) for one in ours.concepts]
    covers = {(extents[lower], extents[upper]) for lower, upper in ours.covers}
    other = {frozenset(one.extent) for one in theirs}
    other_covers = {
        (frozenset(one.extent), frozenset(up.extent)) for one in theirs for up in one.upper_neighbors
    }
    return set(extents) == other and covers == other_covers


def against_concepts(rng: Random, mean: float) -> None:
    context = zipf_context(200, 80, mean=mean, rng=rng)
    ours, fast = timed(lambda: lattice(context, seconds=600))
    theirs, slow = timed(lambda: to_concepts(context).lattice)
    if not same(ours, theirs):
        sys.exit("the two lattices differ")
    print(f"200 x 80: {len(ours.concepts)} concepts, {len(ours.covers)} covers, the same on both sides")
    print(f"  fcwseo {fast:.3f} s, concepts {slow:.1f} s: {slow / fast:.0f} times as fast")


def large(rng: Random, documents: int, mean: float) -> None:
    context = zipf_context(documents, 200, mean=mean, rng=rng)
    ones = sum(row.bit_count() for row in context.rows)
    print(f"{documents} x 200: {ones / documents:.1f} terms a document")
    order, seconds = timed(lambda: attribute_order(context, confidence=0.8))
    print(f"  order of terms {seconds:.2f} s, {len(order.edges)} edges")
    found, seconds = timed(lambda: lattice(context, support=documents // 100))
    print(f"  iceberg of 1 % {seconds:.1f} s, {len(found.concepts)} concepts, {len(found.covers)} covers")
    if found.capped:
        print(f"  {found.capped}")
    print(f"  peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for mean in (8, 12, 16):
        large(Random(options.seed), options.documents, mean)
    against_concepts(Random(options.seed), 8)


if __name__ == "__main__":
    main()
