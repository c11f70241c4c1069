"""How much of what strategies fetch is on the topic, task by task: harvest area early, late and in all, the
error of the prediction, and time.

    python benchmarks/crawl_quality.py [--strategies ...] [--tasks given] [--sets 5] [--save]

Each strategy crawls each task from each of its seed sets; documents of a topic are no finds. ``--tasks``
takes names, groups, webs and kinds of webs of ``tasks.toml``. Strategies are those of ``fcwseo compare``,
with the oracle, and those of ``ablations.py``. The last one is compared with the others: ratio of means and
difference with its 95 % interval, over webs, and p by Holm's correction; a single task is not tested. Below
the table stands where it is behind on a single task. ``--save`` adds the figures to
benchmarks/results/crawl_quality.jsonl, with the commit they belong to. Whether a change is kept is decided
by ``yardstick.py``.
"""

import argparse
import asyncio
import json
import os
import subprocess
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
from ablations import relevance_for
from msgspec import Struct, to_builtins
from task_crawls import made
from tasks import Data, add_data_option, available, listed, load_task, names

from fcwseo.comparison.statistics import compare_all
from fcwseo.crawling.engine import Window, crawl
from fcwseo.crawling.metrics import harvest_area
from fcwseo.evolution.paper_objectives import Lambdas, priority
from fcwseo.links.paper_evidence import estimate
from fcwseo.pages import Page, Visit

BEHIND = 0.02  # a difference on one task that is worth a line
RESULTS = Path(__file__).parent / "results" / "crawl_quality.jsonl"


class Crawled(Struct, frozen=True):
    task: str
    strategy: str
    seed_set: int
    repeat: int
    area: float  # harvest area
    early: float  # the same over the first quarter of the budget
    late: float  # the share of relevant pages among the last quarter
    harvest_rate: float  # relevant pages of the whole crawl, as a part of its budget
    error: float | None  # mean difference of predicted and true relevance
    error_of_priority: float | None  # the same for Eq. (10), with F1 by the plain estimate, on the same links
    ms: float  # CPU time a page

    def is_of(self, strategy: str, task: str) -> bool:
        return (self.strategy, self.task) == (strategy, task)


def run(data: Data, name: str, strategy: str, seed_set: int, repeat: int) -> Crawled:
    task = load_task(data, name)
    relevance = relevance_for(strategy, task.topic)
    found: list[bool] = []
    errors: list[tuple[float, float]] = []

    def record(visit: Visit) -> None:
        if isinstance(visit.outcome, Page):
            found.append(task.is_find(visit.outcome.url))
            if visit.link.objectives is not None and visit.link.predicted is not None:
                _, f2, f3, f4 = visit.link.objectives[:4]
                f1 = estimate(np.array([f2]), np.array([f3]))[0]
                eq10 = priority(np.array([[f1, f2, f3, f4]]), Lambdas())[0]
                errors.append((abs(visit.link.predicted - visit.relevance), abs(eq10 - visit.relevance)))

    chosen = made(strategy, {}, task, task.topic, relevance, Random(repeat))
    window = Window(chosen, task.seed_sets[seed_set], relevance=relevance, budget=task.max_pages, width=1)
    began = time.process_time()
    asyncio.run(crawl(task.web, window, record=record))
    quarter = task.max_pages // 4
    return Crawled(
        task=name,
        strategy=strategy,
        seed_set=seed_set,
        repeat=repeat,
        area=harvest_area(found, budget=task.max_pages),
        early=harvest_area(found[:quarter], budget=quarter),
        late=sum(found[-quarter:]) / quarter,
        harvest_rate=sum(found) / task.max_pages,
        error=float(np.mean([own for own, _ in errors])) if errors else None,
        error_of_priority=float(np.mean([eq10 for _, eq10 in errors])) if errors else None,
        ms=1000 * (time.process_time() - began) / max(1, len(found)),
    )


def table(rows: list[Crawled], strategies: list[str], tasks: list[str]) -> None:
    def mean(strategy: str, task: str, key: str = "area") -> float:
        values = [getattr(row, key) for row in rows if row.is_of(strategy, task)]
        return float(np.mean([np.nan if value is None else value for value in values]))

    best = strategies[-1]
    areas = {
        name: {(row.task, row.seed_set, row.repeat): row.area for row in rows if row.strategy == name}
        for name in strategies
    }
    versus = compare_all(areas, {name: entry.web for name, entry in listed().tasks.items()})[best]
    heads = ["strategy", *tasks, "mean of tasks", f"{best} / it", "difference", "p", "early", "late", "ms"]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for name in strategies:
        cells = [mean(name, task) for task in tasks]
        rest = [np.mean([mean(name, task, key) for task in tasks]) for key in ("early", "late", "ms")]
        against = ("", "", "")
        if name in versus:
            found = versus[name]
            low, high = found.difference.low, found.difference.high
            against = (
                "-" if found.ratio is None else f"{found.ratio:.3f}",
                f"{found.difference.mean:+.3f} [{low:+.3f}, {high:+.3f}]",
                "not tested" if found.p is None else f"{found.p:.3f}",
            )
        figures = [f"{cell:.3f}" for cell in cells] + [f"{np.mean(cells):.3f}", *against]
        figures += [f"{rest[0]:.3f}", f"{rest[1]:.3f}", f"{rest[2]:.1f}"]
        print(f"| {name} | {' | '.join(figures)} |")
    own, eq10 = (np.mean([mean(best, task, key) for task in tasks]) for key in ("error", "error_of_priority"))
    print(f"\nabsolute error of {best}'s prediction {own:.4f}, of Eq. (10) on the same links {eq10:.4f}")


def behind(rows: list[Crawled], strategies: list[str], tasks: list[str]) -> None:
    """Where the last strategy is behind another on one task, by area, early, late or in all. Not tested."""
    *others, best = strategies
    for key, task, other in product(("area", "early", "late", "harvest_rate"), tasks, others):
        means = [
            np.mean([getattr(row, key) for row in rows if row.is_of(name, task)]) for name in (best, other)
        ]
        if means[0] < means[1] - BEHIND:
            print(f"behind {other} on {task}, {key}: {means[0] - means[1]:+.3f}")


def commit() -> str:
    """The commit of the code, marked if something but results was changed since."""
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(exclude)benchmarks/results")
    return git("describe", "--always") + ("-dirty" if changed else "")


def git(*command: str) -> str:
    root = Path(__file__).parents[1]
    done = subprocess.run(["git", *command], capture_output=True, text=True, check=False, cwd=root)
    return done.stdout.strip()


def line(belongs: str, row: Crawled) -> str:
    facts = {
        key: round(fact, 4) if isinstance(fact, float) else fact for key, fact in to_builtins(row).items()
    }
    return json.dumps({"commit": belongs} | facts, ensure_ascii=False) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument(
        "--strategies", nargs="*", default=["bfs", "best-first", "ops", "ache", "greedy", "fcwseo"]
    )
    parser.add_argument("--tasks", nargs="*", default=["given"])
    parser.add_argument("--sets", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    data = tuple(arguments.data)
    tasks = available(data, names(*arguments.tasks))
    belongs = commit()
    with ProcessPoolExecutor(arguments.workers) as pool:
        runs = [
            pool.submit(run, data, task, strategy, number, repeat)
            for task in tasks
            for strategy in arguments.strategies
            for number in range(min(arguments.sets, len(load_task(data, task).seed_sets)))
            for repeat in range(arguments.repeats)
        ]
        rows = [future.result() for future in runs]
    table(rows, arguments.strategies, tasks)
    behind(rows, arguments.strategies, tasks)
    if arguments.save:
        RESULTS.parent.mkdir(exist_ok=True)
        with RESULTS.open("a", encoding="utf-8") as out:
            out.writelines(line(belongs, row) for row in rows)


if __name__ == "__main__":
    main()
