"""A finished crawl under a judge: its pages, which of them are relevant, and its measures."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from fcwseo.comparison.experiment import Case
from fcwseo.comparison.judge import Judge
from fcwseo.comparison.measures import JudgedRun, measures_of
from fcwseo.comparison.results import CurvePoint, RunResult
from fcwseo.comparison.times import read_times
from fcwseo.crawling.metrics import average_relevance, checkpoints, recall, standard_deviation
from fcwseo.crawling.run_directory.log import PAGE, Row, read_visits
from fcwseo.pages.urls import host


def visited(run: Path, *, max_pages: int) -> list[Row]:
    """The pages of a run in the order of their visits."""
    return [row for row in read_visits(run) if row.outcome == PAGE][:max_pages]


def page_url(row: Row) -> str:
    """The URL of a page, after redirects."""
    return row.final_url or row.url


def judged_run(visits: Iterable[Row], judge: Judge, *, max_pages: int) -> JudgedRun:
    """The pages of a run, up to a budget, with the verdict of a judge on each."""
    rows = list(_until(visits, max_pages))
    pages = [row for row in rows if row.outcome == PAGE]
    relevant = [int(judge.is_relevant(row)) for row in pages]
    archived = [row.warc.length for row in rows if row.warc is not None]
    return JudgedRun(
        urls=[page_url(row) for row in pages],
        relevance=[row.relevance for row in pages],
        predicted=[row.predicted for row in pages],
        relevant=relevant,
        total=max(len(judge.pages), sum(relevant)),
        budget=max_pages,
        subtopics=judge.subtopics,
        requests=len(rows),
        bytes=sum(archived) if archived else None,
    )


def _until(visits: Iterable[Row], max_pages: int) -> Iterator[Row]:
    """The visits up to the last page of the budget."""
    pages = 0
    for row in visits:
        yield row
        pages += row.outcome == PAGE
        if pages == max_pages:
            return


def measure(case: Case, run: Path, judge: Judge, *, max_pages: int) -> RunResult:
    """All measures of a run, and its curves."""
    rows = list(_until(read_visits(run), max_pages))
    judged = judged_run(rows, judge, max_pages=max_pages)
    return RunResult(
        strategy=case.strategy,
        task=case.task.name,
        seed_set=case.seed_set,
        repeat=case.repeat,
        pages=len(judged.urls),
        relevant=sum(judged.relevant),
        seconds=read_times(run).seconds,
        measures=measures_of(judged),
        checkpoints=[_curve_point(judged, n) for n in checkpoints(max_pages)],
        clock=_on_the_clock(rows, judged.relevant),
    )


def _on_the_clock(rows: Sequence[Row], relevant: Sequence[int]) -> list[tuple[float, int]]:
    """Virtual seconds and the relevant pages found by then, at each checkpoint of the pages that a rehearsed
    crawl visited.
    """
    times = [row.clock for row in rows if row.outcome == PAGE and row.clock is not None]
    return [(times[n - 1], sum(relevant[:n])) for n in checkpoints(len(times))] if times else []


def _curve_point(run: JudgedRun, n: int) -> CurvePoint:
    """A run that ended early keeps its count: pages that were not fetched were not found."""
    relevant, relevance = run.relevant[:n], run.relevance[:n]
    return CurvePoint(
        n=n,
        relevant=sum(relevant),
        harvest_rate=sum(relevant) / n,
        average_relevance=average_relevance(relevance),
        sd=standard_deviation(relevance),
        recall=recall(relevant, total=run.total),
    )


def count_hosts(rows: Sequence[Row], judge: Judge) -> tuple["Counter[str]", "Counter[str]"]:
    """Pages and relevant pages by host."""
    hosts = [(host(page_url(row)), judge.is_relevant(row)) for row in rows]
    return Counter(where for where, _ in hosts), Counter(where for where, hit in hosts if hit)
