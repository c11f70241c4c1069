"""How often 95 % intervals hold the true difference: ``python benchmarks/intervals.py [CASES]``.

Differences between two crawlers are simulated as an effect of the web, one of the task, and one of the seed
set (three to a task, of half a task's deviation), around a true difference of 0. ``share`` is the part of the
variance between task means that lies between webs. All effects are normal, have long tails (Laplace), are
skewed (gamma) or very skewed (exponential: a large gain on few webs, little on most). The last rows are the
tasks of ``tasks.toml``, without the manuals and with them.

Compared are Student's t over the means of webs (what the yardstick uses), t over the means of tasks, t over
seed sets as if all were independent (pooled), the percentile bootstrap over the means of tasks and of webs,
and cluster-robust errors (CR2, with Satterthwaite's degrees of freedom; Bell and McCaffrey 2002). Width is
the mean width of an interval against that of t over webs.
"""

import sys
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from fcwseo.comparison.statistics import Key, estimate, sample

Table = NDArray[np.float64]
Ends = tuple[float, float]

SETS = 3
SHARES = (0.0, 0.2, 0.5, 0.8)
WEBS: dict[str, tuple[int, ...]] = {
    "7 tasks of 7 webs": (1,) * 7,
    "7 tasks of 5 webs": (2, 2, 1, 1, 1),
    "7 tasks of 3 webs": (3, 3, 1),
    "12 tasks of 5 webs": (4, 3, 2, 2, 1),
    "20 tasks of 6 webs": (8, 4, 3, 2, 2, 1),
    "30 tasks of 7 webs": (12, 5, 4, 3, 2, 2, 2),
    "39 tasks of 4 webs": (20, 10, 6, 3),
    "48 tasks of 7 webs": (20, 10, 6, 3, 3, 3, 3),
}
SHAPES: dict[str, Callable[[np.random.Generator, int | tuple[int, ...]], Table]] = {
    "normal": lambda rng, size: rng.normal(0, 1, size),
    "long tails": lambda rng, size: rng.laplace(0, 1 / np.sqrt(2), size),
    "skewed": lambda rng, size: rng.gamma(4, 0.5, size) - 2,
    "very skewed": lambda rng, size: rng.exponential(1, size) - 1,
}


def simulated(rng: np.random.Generator, shape: str, webs: Sequence[int], share: float) -> list[Table]:
    """For each web a table of differences: tasks by seed sets."""
    draw = SHAPES[shape]
    return [
        np.sqrt(share) * draw(rng, 1)
        + np.sqrt(1 - share) * draw(rng, (tasks, 1))
        + draw(rng, (tasks, SETS)) / 2
        for tasks in webs
    ]


def ours(found: Sequence[Table]) -> Ends:
    """As the yardstick has it."""
    values: dict[Key, float] = {}
    places: dict[str, str] = {}
    for web, table in enumerate(found):
        for (task, seed_set), value in np.ndenumerate(table):
            values[(f"{web}-{task}", seed_set, 0)] = float(value)
            places[f"{web}-{task}"] = str(web)
    _, low, high, _, _ = estimate(sample(values, places).values.values(), limits=(-np.inf, np.inf))
    return low, high


def student(values: Table) -> Ends:
    _, low, high, _, _ = estimate(values.tolist(), limits=(-np.inf, np.inf))
    return low, high


def percentile(values: Table, rng: np.random.Generator) -> Ends:
    means = values[rng.integers(0, len(values), (999, len(values)))].mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def cluster_robust(found: Sequence[Table]) -> Ends:
    """CR2 for a mean over tasks; the degrees of freedom as if tasks were independent."""
    groups = [table.mean(axis=1) for table in found]
    sizes = np.array([len(group) for group in groups])
    n, mean = int(sizes.sum()), float(np.concatenate(groups).mean())
    sums = np.array([(group - mean).sum() for group in groups])
    spread = np.sqrt((sums**2 / (1 - sizes / n)).sum()) / n
    member = np.repeat(np.eye(len(sizes)), sizes, axis=0)
    u = (member - sizes / n) / np.sqrt(1 - sizes / n)
    roots = np.linalg.eigvalsh(u.T @ u)
    half = float(stdtrit(roots.sum() ** 2 / (roots**2).sum(), 0.975) * spread)
    return mean - half, mean + half


def intervals(found: Sequence[Table], rng: np.random.Generator) -> dict[str, Ends]:
    tasks = np.concatenate([table.mean(axis=1) for table in found])
    return {
        "t, webs": ours(found),
        "t, tasks": student(tasks),
        "t, pooled": student(np.concatenate([table.ravel() for table in found])),
        "bootstrap, tasks": percentile(tasks, rng),
        "bootstrap, webs": percentile(np.array([table.mean() for table in found]), rng),
        "CR2": cluster_robust(found),
    }


def main() -> None:
    cases = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    inside: dict[str, dict[str, list[float]]] = {shape: {} for shape in SHAPES}
    head = True
    for number, (layout, webs) in enumerate(WEBS.items()):
        for share in SHARES:
            for shape in SHAPES:
                rng = np.random.default_rng([number, int(100 * share), [*SHAPES].index(shape)])
                found = [intervals(simulated(rng, shape, webs, share), rng) for _ in range(cases)]
                if head:
                    head = False
                    heads = [*found[0], "width of t, tasks", "width of CR2"]
                    print(f"| tasks | share | effects | {' | '.join(heads)} |")
                    print("|---|---:|---|" + "---:|" * len(heads))
                rates = {
                    name: float(np.mean([one[name][0] <= 0 <= one[name][1] for one in found]))
                    for name in found[0]
                }
                wide = {name: np.mean([one[name][1] - one[name][0] for one in found]) for name in found[0]}
                widths = [wide[name] / wide["t, webs"] for name in ("t, tasks", "CR2")]
                cells = [f"{rate:.3f}" for rate in rates.values()] + [f"{width:.2f}" for width in widths]
                print(f"| {layout} | {share} | {shape} | {' | '.join(cells)} |", flush=True)
                for name, rate in rates.items():
                    inside[shape].setdefault(name, []).append(rate)
    for shape, of_shape in inside.items():
        ranges = [f"{min(rates):.3f} to {max(rates):.3f}" for rates in of_shape.values()]
        print(f"| **all** | | {shape} | {' | '.join(ranges)} | | |")


if __name__ == "__main__":
    main()
