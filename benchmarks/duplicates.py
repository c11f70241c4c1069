"""Time, memory and recall of the detection of near-duplicates.

python benchmarks/duplicates.py
"""

import time
import tracemalloc
from random import Random

from fcwseo.pages import Page
from fcwseo.pages.duplicates import Duplicates

_WORDS = [f"w{number}ord" for number in range(20_000)]


def page(number: int, words: list[str]) -> Page:
    return Page(f"http://example.com/{number}", text=" ".join(words), digest=f"{number:024}")


def milliseconds(rng: Random, length: int, count: int) -> float:
    pages = [page(number, rng.choices(_WORDS, k=length)) for number in range(count)]
    seen = Duplicates()
    start = time.perf_counter()
    for one in pages:
        seen.first(one, one.digest)
    return (time.perf_counter() - start) / count * 1000


def kilobytes(rng: Random, count: int) -> float:
    seen = Duplicates()
    tracemalloc.start()
    for number in range(count):
        seen.first(page(number, rng.choices(_WORDS, k=100)), f"{number:024}")
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / count / 1000


def found(rng: Random, resemblance: float, tries: int) -> float:
    """The share of pages of this resemblance detected as near-duplicates."""
    hits = 0
    for _ in range(tries):
        words = rng.choices(_WORDS, k=600)
        same = round(600 * 2 * resemblance / (1 + resemblance))
        seen = Duplicates()
        seen.first(page(0, words), "0")
        hits += seen.first(page(1, words[:same] + rng.choices(_WORDS, k=600 - same)), "1") is not None
    return hits / tries


def main() -> None:
    rng = Random(1)
    for length in (200, 2_000, 20_000):
        print(f"a page of {length:,} words: {milliseconds(rng, length, 100):.2f} ms")
    print(f"memory per page: {kilobytes(rng, 5_000):.1f} KB")
    for resemblance in (0.5, 0.7, 0.8, 0.9, 0.95):
        print(
            f"pages that share {resemblance:.0%} of their shingles: {found(rng, resemblance, 200):.0%} found"
        )


if __name__ == "__main__":
    main()
