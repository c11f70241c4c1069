"""What the four texts of a link weigh, fitted to crawls: the hybrid algorithm of paper 003 (HA), the exact
solution, and 0.25 each, as figure 3 of the paper.

    python benchmarks/weights.py [--tasks weather sports computing] [--scorer topical]

A best-first crawl of each task is the source of the links. Weights are fitted to the first half and tested on
the second: the mean absolute error (MAE), as in the paper, and the root of the mean square, which is what all
of them minimise. The last columns compare with HA as published on the same held-out links: the difference of
the MAE, and its 95 % interval (bootstrap over links). Where that holds 0, the two tie.
"""

import argparse
import asyncio
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
from tasks import Data, add_data_option, available, load_task, names

from fcwseo.columns import Floats
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.strategies.rivals.fitting import EQUAL, Pairs, Weights, fitness
from fcwseo.uses.fit_weights import SCORERS, Method, fitted, training_pairs

DRAWS = 5000
HEAD = f"{'task':10} {'weights':14} {'full anchor title context':27} {'fitness':>8} {'MAE':>7} {'RMSE':>7}"


def harvested(data: Data, name: str, pages: int, scorer: str) -> Pairs:
    """The links that a best-first crawl of the task followed."""
    task = load_task(data, name)
    with TemporaryDirectory() as out:
        plan = Plan(max_pages=pages, strategy="best-first")
        run_crawl(task.web, task.topic, task.seed_sets[0], Path(out) / "run", plan)
        return asyncio.run(training_pairs(Path(out) / "run", task.web, SCORERS[scorer](task.topic)))


def misses(weights: Weights, pairs: Pairs) -> Floats:
    """By how much each link is mispredicted."""
    return np.asarray(np.abs(pairs.truth - pairs.texts @ np.array(weights)))


def interval(differences: Floats) -> tuple[float, float]:
    """Of their mean."""
    drawn = np.random.default_rng(0).integers(len(differences), size=(DRAWS, len(differences)))
    low, high = np.percentile(differences[drawn].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def row(task: str, name: str, weights: Weights, train: Pairs, test: Pairs, published: Weights) -> str:
    missed = misses(weights, test)
    differences = missed - misses(published, test)
    low, high = interval(differences)
    shown = " ".join(f"{weight:6.3f}" for weight in weights)
    return (
        f"{task:10} {name:14} {shown} {fitness(weights, train):8.4f} {missed.mean():7.4f} "
        f"{np.sqrt((missed**2).mean()):7.4f}   {differences.mean():+.5f} [{low:+.5f}, {high:+.5f}]"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--tasks", nargs="*", default=["weather", "sports", "computing"])
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--scorer", default="topical", choices=SCORERS)
    arguments = parser.parse_args()
    print(f"{HEAD}   MAE less that of HA")
    data = tuple(arguments.data)
    for task in available(data, names(*arguments.tasks)):
        train, test = harvested(data, task, arguments.pages, arguments.scorer).halves()
        began = time.process_time()
        found = {method.value: fitted(train, method, Random(0)) for method in Method}
        print(
            f"{task}: {len(train.truth)} links to fit, {len(test.truth)} held out, "
            f"{time.process_time() - began:.0f} s of CPU for the fits"
        )
        for name, weights in {"0.25 each": EQUAL, **found}.items():
            print(row(task, name, weights, train, test, found[Method.HA]), flush=True)


if __name__ == "__main__":
    main()
