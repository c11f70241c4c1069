"""How well the running threshold of a crawl separates relevant pages from others, by labels.

    python benchmarks/calibration.py [--tasks given] [--sets 3]

Precision, recall and F1 of the kept pages of crawls of 400 pages, and the F1 of the best threshold in
hindsight. Means over the seed sets.
"""

import argparse
import tempfile
from pathlib import Path

import numpy as np
from tasks import add_data_option, available, load_task, names

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.crawling.run_directory.log import PAGE, read_visits


def measured(kept: list[bool], relevance: list[float], relevant: list[bool]) -> list[float]:
    flags, values, truth = np.array(kept), np.array(relevance), np.array(relevant)
    right = int((flags & truth).sum())
    scores = [
        2 * int((truth & (values >= eta)).sum()) / ((values >= eta).sum() + truth.sum()) for eta in values
    ]
    f1 = 2 * right / (flags.sum() + truth.sum())
    return [right / max(1, flags.sum()), right / max(1, truth.sum()), f1, max(scores)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", nargs="*", default=["given"])
    add_data_option(parser)
    parser.add_argument("--sets", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'task':14} {'strategy':9} {'precision':>9} {'recall':>7} {'F1':>6} {'hindsight':>9}")
    for name in available(tuple(arguments.data), names(*arguments.tasks)):
        task = load_task(tuple(arguments.data), name)
        for strategy in ("fcwseo", "bfs"):
            figures = []
            for seeds in task.seed_sets[: arguments.sets]:
                with tempfile.TemporaryDirectory() as out:
                    run_crawl(task.web, task.topic, seeds, Path(out), Plan(max_pages=400, strategy=strategy))
                    rows = [row for row in read_visits(Path(out)) if row.outcome == PAGE]
                truth = [task.has_label(row.final_url or row.url) for row in rows]
                figures.append(measured([row.kept for row in rows], [row.relevance for row in rows], truth))
            precision, recall, f1, best = np.mean(figures, axis=0)
            print(f"{name:14} {strategy:9} {precision:9.2f} {recall:7.2f} {f1:6.2f} {best:9.2f}", flush=True)


if __name__ == "__main__":
    main()
