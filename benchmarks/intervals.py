"""How often 95 % intervals hold the true difference: ``python benchmarks/intervals.py [CASES]``.

For 5, 10 and 20 seed sets and differences of several shapes. Beside it the percentile bootstrap and Student's
interval, and how wide the intervals are against Student's (median and 90 % point).
"""

import math
import sys
from collections.abc import Callable

import numpy as np

from fcwseo.comparison.statistics import estimate

Draw = Callable[[np.random.Generator, int], np.ndarray]

SHAPES: dict[str, tuple[Draw, float]] = {
    "normal": (lambda rng, n: rng.normal(0.05, 0.05, n), 0.05),
    "bounded": (lambda rng, n: rng.beta(2, 5, n) - rng.beta(2, 3, n), 2 / 7 - 2 / 5),
    "uniform": (lambda rng, n: rng.uniform(-0.1, 0.2, n), 0.05),
    "long tails": (lambda rng, n: rng.laplace(0.05, 0.05, n), 0.05),
    "skewed": (lambda rng, n: rng.gamma(4, 0.02, n), 0.08),
    "very skewed": (lambda rng, n: rng.exponential(0.05, n), 0.05),
}
STUDENT = {5: 2.776, 10: 2.262, 20: 2.093}


def percentile(data: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    means = data[rng.integers(0, len(data), (1999, len(data)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    print("| n | differences | ours | percentile | Student | width, median | width, 90 % |")
    print("|---:|---|---:|---:|---:|---:|---:|")
    for n, point in STUDENT.items():
        for name, (draw, true) in SHAPES.items():
            rng = np.random.default_rng(0)
            inside, widths = np.zeros(3), []
            for case in range(cases):
                data = draw(rng, n)
                found = estimate(list(data), seed=case, limits=(-math.inf, math.inf), resamples=1999)
                half = point * float(np.std(data, ddof=1)) / math.sqrt(n)
                student = (found.mean - half, found.mean + half)
                ranges = ((found.low, found.high), percentile(data, rng), student)
                inside += [low <= true <= high for low, high in ranges]
                widths.append((found.high - found.low) / (2 * half))
            rates = " | ".join(f"{rate:.3f}" for rate in inside / cases)
            print(f"| {n} | {name} | {rates} | {np.median(widths):.2f} | {np.quantile(widths, 0.9):.2f} |")


if __name__ == "__main__":
    main()
