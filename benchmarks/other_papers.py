"""The measures of papers 000, 002, 003 and 004 for the crawls of comparisons.

    fcwseo compare experiment.toml --out c
    python benchmarks/other_papers.py c [more comparisons]

A line for each strategy, the mean over tasks, seed sets and repeats. HR, or precision, is the share of pages
with a label of the task: after a quarter, half and all of the budget, and its mean over the crawl (area). The
others go by the vector space model, which judges in paper 000: AS is the mean similarity of relevant pages,
AE the mean difference of a page's similarity and the priority that its link had, AR the mean similarity of
all pages, sum their sum, as sum_of_info of paper 004.
"""

import argparse
import asyncio
from functools import cache
from pathlib import Path
from statistics import fmean

import msgspec

from fcwseo.comparison.experiment import Experiment, Task
from fcwseo.crawling.metrics import harvest_area
from fcwseo.crawling.run_directory.log import PAGE, read_visits
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.pages import Page
from fcwseo.relevance.models.vsm import Vsm
from fcwseo.webs.opening import open_web
from fcwseo_ontology.load import load_topic

MEASURES = ("HR 1/4", "HR 1/2", "HR", "area", "AS", "AE", "AR", "sum")


class Judge:
    """The verdicts of the labels and the vector space model on the pages of a task."""

    def __init__(self, task: Task) -> None:
        self._web, self._model = open_web(task.web), Vsm(load_topic(task.topic))
        self._labels = set(task.relevant)
        self.similarity = cache(self._similarity)

    def is_relevant(self, url: str) -> bool:
        return not self._labels.isdisjoint(self._web.labels(url))

    def _similarity(self, url: str) -> float:
        page = asyncio.run(self._web.fetch(url))
        assert isinstance(page, Page)
        return self._model.of_page(page)


def measured(run: Path, judge: Judge) -> list[float]:
    """The measures of one crawl, in their order."""
    budget = read_run_file(run).budgets[0][1]
    rows = [row for row in read_visits(run) if row.outcome == PAGE]
    found = [judge.is_relevant(row.final_url or row.url) for row in rows]
    similar = [judge.similarity(row.final_url or row.url) for row in rows]
    followed = [(row.predicted, s) for row, s in zip(rows, similar, strict=True) if row.parent is not None]
    missed = [abs(s - predicted) for predicted, s in followed if predicted is not None]
    return [
        sum(found[: budget // 4]) / (budget // 4),
        sum(found[: budget // 2]) / (budget // 2),
        sum(found) / budget,
        harvest_area(found, budget=budget),
        fmean([s for s, relevant in zip(similar, found, strict=True) if relevant] or [0.0]),
        fmean(missed or [float("nan")]),
        fmean(similar),
        sum(similar),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("comparisons", type=Path, nargs="+")
    rows: dict[str, dict[str, list[list[float]]]] = {}
    for folder in parser.parse_args().comparisons:
        experiment = msgspec.json.decode((folder / "experiment.json").read_bytes(), type=Experiment)
        for task in experiment.tasks:
            judge = Judge(task)
            for run in sorted((folder / "runs" / task.name).glob("*/*/")):
                found = rows.setdefault(run.parent.name, {}).setdefault(task.name, [])
                found.append(measured(run, judge))
    print(f"{'strategy':22} " + " ".join(f"{name:>7}" for name in MEASURES) + "  area by task")
    for strategy, by_task in rows.items():
        means = [[fmean(column) for column in zip(*runs, strict=True)] for runs in by_task.values()]
        whole = [fmean(column) for column in zip(*means, strict=True)]
        areas = " ".join(f"{task} {mean[3]:.3f}" for task, mean in zip(by_task, means, strict=True))
        print(f"{strategy:22} " + " ".join(f"{value:7.3f}" for value in whole) + f"  {areas}")


if __name__ == "__main__":
    main()
