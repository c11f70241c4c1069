"""What a comparison found, as ``results.json`` says it. Measures are functions of logs and a judgement."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from fcwseo.comparison.experiment import Case
from fcwseo.comparison.judge import Judge
from fcwseo.comparison.times import read_times
from fcwseo.crawling.metrics import (
    absolute_error,
    average_relevance,
    average_similarity,
    checkpoints,
    harvest_area,
    harvest_rate,
    recall,
    standard_deviation,
    sum_of_information,
    target_recall,
)
from fcwseo.crawling.run_directory import PAGE, Row, read_visits
from fcwseo.errors import InvalidRun
from fcwseo.pages.urls import host


class Point(Struct, frozen=True):
    """A checkpoint of a run."""

    n: int
    relevant: int
    harvest_rate: float
    average_relevance: float
    sd: float
    recall: float


class RunResult(Struct, frozen=True):
    """The measures of one crawl. ``harvest_rate`` is by the budget, ``precision`` by the pages it got."""

    strategy: str
    task: str
    seed_set: int
    repeat: int
    pages: int
    relevant: int
    seconds: float
    harvest_rate: float
    harvest_area: float
    precision: float
    average_relevance: float
    sd: float
    average_similarity: float
    absolute_error: float | None
    sum_of_information: float
    recall: float
    target_recall: float
    hosts: int
    relevant_hosts: int
    checkpoints: list[Point]


class VersusResult(Struct, frozen=True):
    """Harvest area against another's: ratio and difference of the means, the latter with its 95 % interval,
    p after Holm's correction and before, effect size, share of pairs won.
    """

    ratio: float | None
    p: float
    p_uncorrected: float
    difference: float
    ci95: tuple[float, float]
    effect_size: float
    wins: float


class Summary(Struct, frozen=True):
    """A strategy over all of its runs: means, and the 95 % interval of the harvest area."""

    strategy: str
    runs: int
    independent: int
    harvest_rate: float
    harvest_area: float
    ci95: tuple[float, float]
    precision: float
    average_relevance: float
    sd: float
    average_similarity: float
    absolute_error: float | None
    sum_of_information: float
    recall: float
    target_recall: float
    hosts: float
    relevant_hosts: float
    versus: dict[str, VersusResult]


class TaskResult(Struct, frozen=True):
    """What was crawled for what, and who judged: ``judge`` is labels, topic or relevance (circular)."""

    name: str
    web: str
    topic: str
    judge: str
    judged_by: tuple[str, ...]
    pages: int
    relevant: int
    seed_sets: int


class HostCount(Struct, frozen=True):
    """How many pages of a host a strategy visited, and how many of them are relevant; over all runs."""

    host: str
    pages: int
    relevant: int


class Results(Struct, frozen=True):
    """``results.json``. The strategies of ``summary`` stand in the order of their harvest area."""

    web: str
    topic: str
    max_pages: int
    judge: str
    repeats: int
    seed: int
    tasks: list[TaskResult]
    runs: list[RunResult]
    summary: list[Summary]
    hosts: dict[str, list[HostCount]]
    skipped: dict[str, str]
    notes: list[str]


def visited(run: Path, *, max_pages: int) -> list[Row]:
    """The pages of a run in the order of their visits."""
    return [row for row in read_visits(run) if row.outcome == PAGE][:max_pages]


def page_url(row: Row) -> str:
    return row.final_url or row.url


def measure(case: Case, run: Path, judge: Judge, *, max_pages: int) -> RunResult:
    """All measures of a run."""
    rows = visited(run, max_pages=max_pages)
    urls = [page_url(row) for row in rows]
    relevant = [int(judge.is_relevant(row)) for row in rows]
    relevance = [row.relevance for row in rows]
    total = max(len(judge.pages), sum(relevant))
    return RunResult(
        strategy=case.strategy,
        task=case.task.name,
        seed_set=case.seed_set,
        repeat=case.repeat,
        pages=len(rows),
        relevant=sum(relevant),
        seconds=read_times(run).seconds,
        harvest_rate=sum(relevant) / max_pages,
        harvest_area=harvest_area(relevant, budget=max_pages),
        precision=harvest_rate(relevant),
        average_relevance=average_relevance(relevance),
        sd=standard_deviation(relevance),
        average_similarity=average_similarity(relevance, relevant),
        absolute_error=absolute_error(relevance, [row.predicted for row in rows]),
        sum_of_information=sum_of_information(relevance),
        recall=recall(relevant, total=total),
        target_recall=target_recall(relevant, total=total, budget=max_pages),
        hosts=len({host(url) for url in urls}),
        relevant_hosts=len({host(url) for url, hit in zip(urls, relevant, strict=True) if hit}),
        checkpoints=[_point(n, relevant, relevance, total) for n in checkpoints(max_pages)],
    )


def _point(n: int, relevant: Sequence[int], relevance: Sequence[float], total: int) -> Point:
    """A run that ended early keeps its count: what was not fetched was not found."""
    found = sum(relevant[:n])
    return Point(
        n=n,
        relevant=found,
        harvest_rate=found / n,
        average_relevance=average_relevance(relevance[:n]),
        sd=standard_deviation(relevance[:n]),
        recall=recall(relevant[:n], total=total),
    )


def mean_of(runs: Sequence[RunResult], name: str) -> float:
    return float(np.mean([getattr(run, name) for run in runs]))


def count_hosts(rows: Sequence[Row], judge: Judge) -> tuple["Counter[str]", "Counter[str]"]:
    """Pages and relevant pages by host."""
    hosts = [(host(page_url(row)), judge.is_relevant(row)) for row in rows]
    return Counter(where for where, _ in hosts), Counter(where for where, hit in hosts if hit)


def read_results(folder: Path) -> Results:
    """``results.json`` of a comparison directory."""
    file = folder / "results.json"
    try:
        return msgspec.json.decode(file.read_bytes(), type=Results)
    except OSError as error:
        raise InvalidRun(f"cannot read {file}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise InvalidRun(f"{file} is not the result of a comparison: {error}") from error
