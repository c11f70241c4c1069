"""The cost of choosing the next links, and of PageRank and distances in a growing graph.

    python benchmarks/selection.py [--links 10000 100000 1000000] [--pages 10000 100000] [--repeats 5]

Chooses 60 links by four objectives. Link-like objectives are skewed and tie often; in the third kind all have
one decimal. Times are CPU milliseconds, the median of the repeats, also as a ratio to one sort of 10,000 rows
by pymoo. Before anything is timed, the fronts must be those of pymoo, and the points of NFCS those of a
version that computes all distances anew.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fcwseo.evolution.fronts import best_fronts, fronts
from fcwseo.evolution.nfcs import nfcs, select
from fcwseo.links.graph import LinkGraph
from fcwseo.links.pagerank import PageRank

Q = 60
SORTED = 10_000
LINKS_PER_PAGE = 10

Table = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(description="Times of choosing links, of PageRank and of distances.")
    parser.add_argument("--links", nargs="*", type=int, default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--pages", nargs="*", type=int, default=[10_000, 100_000])
    parser.add_argument("--repeats", type=int, default=5)
    options: Any = parser.parse_args()
    for kind in KINDS.values():
        agree(kind(SORTED))
    choosing(options.links, options.repeats)
    for pages in options.pages:
        growing(pages)


def choosing(sizes: list[int], repeats: int) -> None:
    print(f"{'objectives':12} {'':8} {'links':>10} {'first fronts':>14} {'CPU ms':>8} {'ratio':>8}")
    for name, kind in KINDS.items():
        table = kind(SORTED)
        sort = median(lambda table=table: fronts(table), repeats)  # type: ignore[misc]
        print(f"{name:12} {'':8} {SORTED:10,} {'one sort':>14} {sort:8.1f} {1:8.2f}")
        for size in sizes:
            for dtype in (np.float64, np.float32):
                table = kind(size).astype(dtype)
                held = " ".join(str(len(front)) for front in best_fronts(table, Q)[:3])
                spent = median(lambda table=table: select(table, Q, random.Random(0)), repeats)  # type: ignore[misc]
                print(f"{name:12} {dtype.__name__:8} {size:10,} {held:>14} {spent:8.1f} {spent / sort:8.2f}")


def agree(table: Table) -> None:
    """End the program unless the fast functions agree with the slow ones."""
    found, every = best_fronts(table, Q), fronts(table)
    if [front.tolist() for front in found] != [front.tolist() for front in every[: len(found)]]:
        raise SystemExit("the best fronts are not those of pymoo")
    points = table[:2000]
    if nfcs(points, Q, random.Random(0)) != slow_nfcs(points):
        raise SystemExit("NFCS does not agree with its definition")


def slow_nfcs(points: Table) -> list[int]:
    chosen = list(dict.fromkeys(points.argmax(axis=0).tolist()))
    while len(chosen) < Q:
        squares = sum((points[:, None, i] - points[None, chosen, i]) ** 2 for i in range(points.shape[1]))
        near = np.asarray(squares).min(axis=1)
        near[chosen] = -1
        chosen.append(int(near.argmax()))
    return chosen


def growing(pages: int) -> None:
    """A graph that grows page by page; most new links lead to known pages."""
    chance = np.random.default_rng(0)
    graph = LinkGraph()
    rank = PageRank(graph)
    adding, observing, spent_at = 0.0, 0.0, []
    for page in range(pages):
        targets = np.unique(chance.integers(0, 4 * page + LINKS_PER_PAGE, LINKS_PER_PAGE)).tolist()
        shares = chance.random(len(targets)).tolist()
        begin = time.process_time()
        graph.add(page, targets, shares)
        middle = time.process_time()
        rank.observe()
        end = time.process_time()
        adding, observing = adding + middle - begin, observing + end - middle
        if (page + 1) % (pages // 10) == 0:
            spent_at.append(observing)
    tenths = np.diff([0, *spent_at]) / (pages // 10) * 1e6
    print(f"\n{pages:,} pages, {graph.size:,} known, {len(graph.targets):,} links")
    print(
        f"  adding a page {adding / pages * 1e6:.0f} us, PageRank of it {observing / pages * 1e6:.0f} us CPU"
    )
    print(f"  PageRank by tenths of the crawl: {' '.join(f'{tenth:.0f}' for tenth in tenths)} us")
    print(f"  all values anew from the last {median(rank.recompute, 1):.1f} ms")
    sources = list(range(0, pages, pages // 30))
    print(f"  distances from 30 pages, first {median(lambda: graph.distances(sources), 1):.1f} ms", end="")
    print(f", again {median(lambda: graph.distances(sources), 5):.1f} ms", end="")
    print(f", within 1 link {median(lambda: graph.distances(sources, within=1), 5):.1f} ms")


def median(work: Callable[[], object], repeats: int) -> float:
    """CPU milliseconds."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        times.append((time.process_time() - begin) * 1000)
    return statistics.median(times)


def uniform(n: int) -> Table:
    return np.random.default_rng(0).random((n, 4))


def link_like(n: int) -> Table:
    """Link-like objectives: siblings share a parent, most anchors have no topic word, most targets have one
    link.
    """
    chance = np.random.default_rng(0)
    parents = n // 20 + 1
    parent = chance.beta(0.6, 3, parents).round(3)[chance.integers(0, parents, n)]
    anchor = np.where(chance.random(n) < 0.8, 0, chance.choice([0.1, 0.18, 0.25, 0.32, 0.45, 0.7], n))
    page = np.clip(0.5 * parent + 0.4 * anchor + chance.normal(0, 0.08, n), 0, 1).round(3)
    rank = chance.pareto(1.5, n) + 1
    rank = np.where(chance.random(n) < 0.5, 1, rank) / rank.max()
    return np.column_stack([page, parent, anchor, rank])


KINDS: dict[str, Callable[[int], Table]] = {
    "uniform": uniform,
    "link-like": link_like,
    "one decimal": lambda n: link_like(n).round(1),
}


if __name__ == "__main__":
    main()
