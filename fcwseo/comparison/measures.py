"""Measures of a judged crawl, by name.

To add a measure, write a function of a ``JudgedRun`` and name it in ``MEASURES``. It then stands in
``results.json``, ``table.csv`` and, if it has a ``head``, in the tables of the report.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from fcwseo.crawling.metrics import (
    absolute_error,
    average_relevance,
    average_similarity,
    harvest_area,
    harvest_rate,
    recall,
    standard_deviation,
    sum_of_information,
    target_recall,
)
from fcwseo.pages.urls import host

Value = int | float | None


class JudgedRun(Struct, frozen=True):
    """The pages of a crawl in the order of their visits, and the verdict of a judge on each."""

    urls: Sequence[str]
    relevance: Sequence[float]  # R(p), the crawler's own
    predicted: Sequence[float | None]  # the relevance that the strategy expected
    relevant: Sequence[int]  # 1 if the judge calls the page relevant, else 0
    total: int  # relevant pages of the web
    budget: int


class Measure(NamedTuple):
    """A function of a judged run, and how reports show it."""

    of: Callable[[JudgedRun], Value]
    meaning: str
    head: str = ""  # of its column in reports; without one it is only in results.json and table.csv
    digits: int = 3
    best: Callable[[Iterable[float]], float] | None = None  # which value of a column is the best


MEASURES: Mapping[str, Measure] = {
    "harvest_rate": Measure(
        lambda run: sum(run.relevant) / run.budget, "relevant pages / budget", "HR", best=max
    ),
    "harvest_area": Measure(
        lambda run: harvest_area(run.relevant, budget=run.budget),
        "mean harvest rate over 20 checkpoints",
        "Area",
        best=max,
    ),
    "precision": Measure(lambda run: harvest_rate(run.relevant), "relevant pages / fetched pages"),
    "recall": Measure(
        lambda run: recall(run.relevant, total=run.total),
        "relevant pages found / relevant pages of the web",
        "Recall",
        best=max,
    ),
    "target_recall": Measure(
        lambda run: target_recall(run.relevant, total=run.total, budget=run.budget),
        "relevant pages found / as many as the budget allows",
        "Target recall",
    ),
    "average_relevance": Measure(
        lambda run: average_relevance(run.relevance),
        "mean of the crawler's own relevance",
        "AR",
        best=max,
    ),
    "sd": Measure(
        lambda run: standard_deviation(run.relevance),
        "standard deviation of the crawler's own relevance",
        "SD",
        best=min,
    ),
    "average_similarity": Measure(
        lambda run: average_similarity(run.relevance, run.relevant),
        "mean relevance of the relevant pages",
        "AS",
    ),
    "absolute_error": Measure(
        lambda run: absolute_error(run.relevance, run.predicted),
        "mean distance of predicted and true relevance",
        "AE",
    ),
    "sum_of_information": Measure(
        lambda run: sum_of_information(run.relevance), "sum of the relevance of all pages", "Info", digits=1
    ),
    "hosts": Measure(lambda run: len(set(map(host, run.urls))), "hosts of the pages", "Hosts", digits=0),
    "relevant_hosts": Measure(
        lambda run: len({host(url) for url, hit in zip(run.urls, run.relevant, strict=True) if hit}),
        "hosts of the relevant pages",
    ),
}


def measures_of(run: JudgedRun) -> dict[str, Value]:
    """The value of every measure for a run; None where a measure does not apply.

    >>> run = JudgedRun(["http://a/", "http://b/"], [0.5, 0.0], [None, None], [1, 0], total=1, budget=2)
    >>> found = measures_of(run)
    >>> found["harvest_rate"], found["recall"], found["hosts"], found["absolute_error"]
    (0.5, 1.0, 2, None)
    """
    return {name: measure.of(run) for name, measure in MEASURES.items()}


def mean_measures(runs: Sequence[Mapping[str, Value]]) -> dict[str, Value]:
    """The mean of every measure over runs; runs to which a measure does not apply are left out.

    >>> mean_measures([{"recall": 0.5}, {"recall": 1.0}])["recall"]
    0.75
    """
    return {name: _mean([run.get(name) for run in runs]) for name in MEASURES}


def _mean(values: Sequence[Value]) -> Value:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def written(name: str, value: Value) -> str:
    """A value of a measure with its number of digits, a dash for None.

    >>> written("harvest_rate", 0.5), written("hosts", 12.0), written("absolute_error", None)
    ('0.500', '12', '-')
    """
    return "-" if value is None else f"{value:,.{MEASURES[name].digits}f}"
