"""How much of what strategies fetch is on the topic: harvest area, judged by labels that no crawler sees.

    python benchmarks/crawl_quality.py [../shared] [--strategies ...] [--tasks ...] [--sets 5] [--save]

Each strategy crawls each task (a web, a topic, labels, a budget) from each of its seed sets. Topics are built
from the documents of the task; for weather it is the shipped one. ``--save`` adds the figures to
benchmarks/results/crawl_quality.jsonl, with the commit they belong to.
"""

import argparse
import asyncio
import json
import os
import subprocess
import time
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from relevance import TASKS, topic_of_task

from fcwseo.engine import Window, crawl
from fcwseo.metrics import harvest_area
from fcwseo.pages import Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo.seeds import read_seed_sets
from fcwseo.strategies.loading import load_strategy
from fcwseo.web import ClosedWeb
from fcwseo.webs import open_web
from fcwseo_ontology.topic import Topic

STRATEGIES = ["bfs", "best-first", "fcwseo-paper", "greedy", "fcwseo"]
RESULTS = Path(__file__).parent / "results" / "crawl_quality.jsonl"


@cache
def opened(path: Path) -> ClosedWeb:
    return open_web(str(path))


@cache
def topic_at(path: Path) -> Topic:
    return topic_of_task(path)


def run(shared: Path, name: str, strategy: str, seed_set: int, seed: int) -> dict[str, object]:
    """One crawl, measured."""
    folder = shared / "tasks" / name
    task = json.loads((folder / "task.json").read_text())
    web, topic = opened(shared / "webs" / task["web"]), topic_at(folder)
    relevance = TopicalRelevance(topic)
    seeds = read_seed_sets(folder / "seeds.txt")[seed_set]
    found: list[bool] = []
    predicted: list[tuple[float, float]] = []

    def record(visit: Visit) -> None:
        if isinstance(visit.outcome, Page):
            found.append(not set(task["relevant"]).isdisjoint(web.labels(visit.outcome.url)))
            if visit.link.predicted is not None:
                predicted.append((visit.link.predicted, visit.relevance))

    chosen = load_strategy(strategy)(topic, relevance, Random(seed))
    window = Window(chosen, seeds, relevance=relevance, budget=task["max_pages"], width=1)
    began = time.process_time()
    asyncio.run(crawl(web, window, record=record))
    return {
        "task": name,
        "strategy": strategy,
        "seed_set": seed_set,
        "area": harvest_area(found, budget=task["max_pages"]),
        "found": sum(found),
        "error": float(np.mean([abs(p - r) for p, r in predicted])) if predicted else None,
        "ms": 1000 * (time.process_time() - began) / max(1, len(found)),
    }


def table(rows: list[dict[str, object]], strategies: list[str], tasks: list[str]) -> None:
    def mean(strategy: str, task: str, key: str = "area") -> float:
        values = [row[key] for row in rows if (row["strategy"], row["task"]) == (strategy, task)]
        return float(np.mean([value for value in values if isinstance(value, float)] or [np.nan]))

    best = strategies[-1]
    print(
        f"{'harvest area':14}"
        + "".join(f"{task:>14}" for task in tasks)
        + f"{'mean':>8}{f'{best} / it':>14}{'ms':>6}"
    )
    for strategy in strategies:
        areas = [mean(strategy, task) for task in tasks]
        ratio = np.mean([mean(best, task) / mean(strategy, task) for task in tasks])
        cost = np.mean([mean(strategy, task, "ms") for task in tasks])
        cells = "".join(f"{area:14.3f}" for area in areas)
        print(f"{strategy:14}{cells}{np.mean(areas):8.3f}{ratio:14.2f}{cost:6.1f}")


def commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, nargs="?", default=Path("../shared"))
    parser.add_argument(
        "--strategies", nargs="*", default=["bfs", "best-first", "fcwseo-paper", "greedy", "fcwseo"]
    )
    parser.add_argument("--tasks", nargs="*", default=list(TASKS))
    parser.add_argument("--sets", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    runs: list[Future[dict[str, object]]] = []
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for task in arguments.tasks:
            for strategy in arguments.strategies:
                runs += [
                    pool.submit(run, arguments.shared, task, strategy, number, arguments.seed)
                    for number in range(arguments.sets)
                ]
        rows = [future.result() for future in runs]
    table(rows, arguments.strategies, arguments.tasks)
    print("last column but one: mean over tasks of the ratio; ms: CPU time a page")
    if arguments.save:
        RESULTS.parent.mkdir(exist_ok=True)
        with RESULTS.open("a") as out:
            out.writelines(
                json.dumps({"commit": commit(), "seed": arguments.seed} | row) + "\n" for row in rows
            )


if __name__ == "__main__":
    main()
