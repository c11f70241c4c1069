"""The starting weights of the predictor: the value of the features of a link before learning.

    python benchmarks/start_weights.py [--tasks given development] [--sets 3]

Ten times during a crawl, a snapshot of all waiting links is taken: their features, on one scale, and the
relevance of their pages, which no crawler sees. A ridge regression over the snapshots of all tasks, with
equal weight for each task, gives the weights; below them are those of each task alone. Only rounded weights
were copied to ``fcwseo/links/evidence/predictor.py``.
"""

import argparse
import asyncio
import os
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from random import Random

import numpy as np
from tasks import Data, Task, add_data_option, available, load_task, names

from fcwseo.columns import Floats
from fcwseo.crawling.engine import Window, crawl
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.links.evidence.predictor import START
from fcwseo.pages import Failure, Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.form import form
from fcwseo.strategies.fcwseo import Fcwseo
from fcwseo.webs.frozen import FrozenWeb

LOOKS = 10
STRENGTH = 0.05  # of the ridge, for features of deviation 1
USED = [EVIDENCE.index(name) for name in START]


class Sums:
    """Sums of products of features with features and with relevance, over equally weighted snapshots."""

    def __init__(self) -> None:
        self.within, self.across, self.looks = np.zeros((len(USED),) * 2), np.zeros(len(USED)), 0

    def add(self, evidence: Floats, relevance: Floats) -> None:
        z, y = _standard(evidence[:, USED]), _standard(relevance)
        self.within += z.T @ z / len(z)
        self.across += z.T @ y / len(z)
        self.looks += 1


def _standard(values: Floats) -> Floats:
    deviation = values.std(axis=0)
    standard: Floats = (values - values.mean(axis=0)) / np.where(deviation > 1e-9, deviation, np.inf)
    return standard


def looks(data: Data, name: str, sets: int) -> Sums:
    sums = Sums()
    for seeds in load_task(data, name).seed_sets[:sets]:
        _crawl(load_task(data, name), seeds, sums)
    return sums


def _crawl(task: Task, seeds: list[str], sums: Sums) -> None:
    relevance = TopicalRelevance(task.topic)
    strategy = Fcwseo(task.topic, relevance, Random(0))
    table = strategy._table
    marks = {task.max_pages * (i + 1) // (LOOKS + 1) for i in range(LOOKS)}

    def record(visit: Visit) -> None:
        if isinstance(visit.outcome, Page) and table.pages in marks:
            rows = table.known.open
            pages = [_fetched(task.web, table.known.frontier.url(row)) for row in rows.tolist()]
            there = np.array([isinstance(page, Page) for page in pages])
            true = [
                relevance.of_text(f"{page.title}\n{page.text}", page.language) * form(page)
                for page in pages
                if isinstance(page, Page)
            ]
            sums.add(table.evidence(rows[there]), np.array(true))

    window = Window(strategy, seeds, relevance=relevance, budget=task.max_pages, width=1)
    asyncio.run(crawl(task.web, window, record=record))


def _fetched(web: FrozenWeb, url: str) -> Page | Failure:
    """The page of a link, which a frozen web returns at once, also during a crawl."""
    try:
        web.fetch(url).send(None)
    except StopIteration as answer:
        found: Page | Failure = answer.value
        return found
    raise AssertionError(f"{web.name} did not answer at once")


def weights(sums: list[Sums]) -> Floats:
    within = np.sum([one.within / one.looks for one in sums], axis=0) / len(sums)
    across = np.sum([one.across / one.looks for one in sums], axis=0) / len(sums)
    solved: Floats = np.linalg.solve(within + STRENGTH * np.eye(len(USED)), across)
    return solved


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--tasks", nargs="*", default=["given", "development"])
    parser.add_argument("--sets", type=int, default=3)
    arguments = parser.parse_args()
    data = tuple(arguments.data)
    tasks = available(data, names(*arguments.tasks))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        sums = list(pool.map(looks, repeat(data), tasks, repeat(arguments.sets)))
    for name, some in [("all", sums), *zip(tasks, ([one] for one in sums), strict=True)]:
        print(f"{name:18}" + "".join(f"{value:8.2f}" for value in weights(some)))
    print(f"{'':18}" + "".join(f"{name[:7]:>8}" for name in START))


if __name__ == "__main__":
    main()
