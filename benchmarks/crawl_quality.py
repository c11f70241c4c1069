"""How much of what strategies fetch is on the topic: harvest area, judged by labels that no crawler sees.

    python benchmarks/crawl_quality.py [../shared] [--strategies ...] [--tasks given] [--sets 5] [--save]

Each strategy crawls each task from each of its seed sets. ``--tasks`` takes names of tasks, or of groups of
tasks: ``given`` (../shared/tasks), and those of topics.toml: ``development``, ``several-hosts``, ``unseen``,
``held-out``, and ``manuals`` (of webs that ``manuals.py`` makes). Topics are built from the documents of the
task; for weather it is the shipped one. Strategies are those of ``fcwseo compare``, with the oracle, and
those of ``ablations.py``. The last one is compared with the others: mean over tasks of the ratio of means,
difference with its 95 % interval over all pairs of task and seed set, and p by Holm's correction. Below the
table stands where it is behind on a single task. ``--save`` adds the figures to
benchmarks/results/crawl_quality.jsonl, with the commit they belong to.
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
from ablations import ABLATIONS, relevance_for
from msgspec import Struct, to_builtins
from tasks import Task, groups, load_task, names

from fcwseo.comparison.statistics import Key, compare_all
from fcwseo.crawling.engine import Window, crawl
from fcwseo.crawling.metrics import harvest_area
from fcwseo.evolution.objectives import Lambdas, priority
from fcwseo.links.paper_evidence import estimate
from fcwseo.pages import Page, Visit
from fcwseo.relevance import Relevance
from fcwseo.strategies import ORACLE
from fcwseo.strategies.loading import load_strategy
from fcwseo.strategies.oracle import Oracle
from fcwseo.strategies.protocol import Strategy

BEHIND = 0.05  # p from which on a difference on one task is worth a line
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


def run(shared: Path, name: str, strategy: str, seed_set: int, repeat: int) -> Crawled:
    task = load_task(shared, name)
    relevance = relevance_for(strategy, task.topic)
    found: list[bool] = []
    errors: list[tuple[float, float]] = []

    def record(visit: Visit) -> None:
        if isinstance(visit.outcome, Page):
            found.append(task.is_relevant(visit.outcome.url))
            if visit.link.objectives is not None and visit.link.predicted is not None:
                _, f2, f3, f4 = visit.link.objectives[:4]
                f1 = estimate(np.array([f2]), np.array([f3]))[0]
                eq10 = priority(np.array([[f1, f2, f3, f4]]), Lambdas())[0]
                errors.append((abs(visit.link.predicted - visit.relevance), abs(eq10 - visit.relevance)))

    chosen = made(strategy, task, relevance, Random(repeat))
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


def made(strategy: str, task: Task, relevance: Relevance, rng: Random) -> Strategy:
    if strategy == ORACLE:
        return Oracle(lambda url: task.is_relevant(task.web.resolve(url) or url), relevance)
    return (ABLATIONS.get(strategy) or load_strategy(strategy))(task.topic, relevance, rng)


def table(rows: list[Crawled], strategies: list[str], tasks: list[str]) -> None:
    def mean(strategy: str, task: str, key: str = "area") -> float:
        values = [getattr(row, key) for row in rows if row.is_of(strategy, task)]
        return float(np.mean([np.nan if value is None else value for value in values]))

    best = strategies[-1]
    areas = {
        name: {(row.task, row.seed_set, row.repeat): row.area for row in rows if row.strategy == name}
        for name in strategies
    }
    versus = compare_all(areas, seed=0)[best]
    heads = ["strategy", *tasks, "mean", f"{best} / it", "difference", "p", "early", "late", "ms"]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for name in strategies:
        cells = [mean(name, task) for task in tasks]
        ratio = np.mean([mean(best, task) / max(mean(name, task), 1e-9) for task in tasks])
        rest = [np.mean([mean(name, task, key) for task in tasks]) for key in ("early", "late", "ms")]
        against = ("", "")
        if name in versus:
            difference, _, p, _, _ = versus[name]
            against = (f"{difference.mean:+.3f} [{difference.low:+.3f}, {difference.high:+.3f}]", f"{p:.3f}")
        figures = [f"{cell:.3f}" for cell in cells] + [f"{np.mean(cells):.3f}", f"{ratio:.3f}", *against]
        figures += [f"{rest[0]:.3f}", f"{rest[1]:.3f}", f"{rest[2]:.1f}"]
        print(f"| {name} | {' | '.join(figures)} |")
    own, eq10 = (np.mean([mean(best, task, key) for task in tasks]) for key in ("error", "error_of_priority"))
    print(f"\nabsolute error of {best}'s prediction {own:.4f}, of Eq. (10) on the same links {eq10:.4f}")


def behind(rows: list[Crawled], strategies: list[str], tasks: list[str]) -> None:
    """Where the last strategy is behind another on one task, by area, early, late or in all.

    p is not corrected.
    """
    *others, best = strategies
    for key, task, other in product(("area", "early", "late", "harvest_rate"), tasks, others):
        pairs: dict[str, dict[Key, float]] = {
            name: {
                (task, row.seed_set, row.repeat): getattr(row, key) for row in rows if row.is_of(name, task)
            }
            for name in (other, best)
        }
        difference = compare_all(pairs, seed=0)[best][other].difference
        if difference.mean < 0 and difference.p < BEHIND:
            print(f"behind {other} on {task}, {key}: {difference.mean:+.3f}, p {difference.p:.3f}")


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
    parser.add_argument("shared", type=Path, nargs="?", default=Path("../shared"))
    parser.add_argument(
        "--strategies", nargs="*", default=["bfs", "best-first", "ops", "ache", "greedy", "fcwseo"]
    )
    parser.add_argument("--tasks", nargs="*", default=["given"])
    parser.add_argument("--sets", type=int, default=5)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--save", action="store_true")
    arguments = parser.parse_args()
    tasks = [name for task in arguments.tasks for name in (names(task) if task in groups() else [task])]
    belongs = commit()
    with ProcessPoolExecutor(arguments.workers) as pool:
        runs = [
            pool.submit(run, arguments.shared, task, strategy, number, repeat)
            for task in tasks
            for strategy in arguments.strategies
            for number in range(arguments.sets)
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
