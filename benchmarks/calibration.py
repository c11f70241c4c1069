"""How well the eta that a crawl finds on the way tells relevant pages from others, by labels.

    python benchmarks/calibration.py [../shared] [--sets 3]

Precision, recall and F1 of what crawls of 400 pages keep, and the F1 of the best threshold in hindsight,
which no crawl can know. Means over the seed sets.
"""

import argparse
import json
import tempfile
from pathlib import Path

import numpy as np
from relevance import TASKS, topic_of_task

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.crawling.run_directory import PAGE, read_visits
from fcwseo.crawling.seeds import gather_seeds
from fcwseo.webs.opening import open_web


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
    parser.add_argument("shared", type=Path, nargs="?", default=Path("../shared"))
    parser.add_argument("--tasks", nargs="*", default=TASKS)
    parser.add_argument("--sets", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{'task':14} {'strategy':9} {'precision':>9} {'recall':>7} {'F1':>6} {'hindsight':>9}")
    for name in arguments.tasks:
        folder = arguments.shared / "tasks" / name
        task = json.loads((folder / "task.json").read_text())
        web, topic = open_web(str(arguments.shared / "webs" / task["web"])), topic_of_task(folder)
        for strategy in ("fcwseo", "bfs"):
            figures = []
            for number in range(1, arguments.sets + 1):
                seeds = gather_seeds([str(folder / "seeds.txt")], seed_set=number)
                with tempfile.TemporaryDirectory() as out:
                    run_crawl(web, topic, seeds, Path(out), Plan(max_pages=400, strategy=strategy))
                    rows = [row for row in read_visits(Path(out)) if row.outcome == PAGE]
                labels = [web.labels(row.final_url or row.url) for row in rows]
                truth = [not set(task["relevant"]).isdisjoint(found) for found in labels]
                figures.append(measured([row.kept for row in rows], [row.relevance for row in rows], truth))
            precision, recall, f1, best = np.mean(figures, axis=0)
            print(f"{name:14} {strategy:9} {precision:9.2f} {recall:7.2f} {f1:6.2f} {best:9.2f}", flush=True)


if __name__ == "__main__":
    main()
