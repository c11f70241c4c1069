"""Compare strategies: an experiment in, a comparison directory out.

Every crawl is a run directory below ``runs/``. Finished crawls are reused, so the same call again resumes,
and a call with more strategies or repeats runs only the new crawls. The judge may change: the logs do not
depend on it.
"""

import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from statistics import fmean
from types import FrameType, MappingProxyType
from typing import Any, NamedTuple

import msgspec

from fcwseo.comparison.conclusions import summarise
from fcwseo.comparison.experiment import Case, Experiment, Order, Task, cases, check_seeds, seed_sets
from fcwseo.comparison.judge import Judge, by_labels, by_own_relevance, by_topic
from fcwseo.comparison.judged import measure
from fcwseo.comparison.measures import MEASURES, Value
from fcwseo.comparison.report.comparison import report_comparison, write_comparison
from fcwseo.comparison.report.names import label
from fcwseo.comparison.report.tables import Spent, headline
from fcwseo.comparison.results import Results, RunResult, TaskResult, read_results
from fcwseo.comparison.times import Times, read_times
from fcwseo.comparison.trec import forget_trec, write_trec
from fcwseo.comparison.workers import run_orders
from fcwseo.crawling.engine import Stop
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import crawl_config
from fcwseo.crawling.run_directory.run_file import is_finished
from fcwseo.crawling.settings import seconds
from fcwseo.errors import InvalidInput, InvalidRun, MissingExtra
from fcwseo.files import atomically, io_error, lock
from fcwseo.plugins import plugin_version
from fcwseo.relevance.loading import TOPICAL, load_relevance
from fcwseo.strategies import ORACLE
from fcwseo.strategies.loading import load_strategy
from fcwseo.tables import Table, html_facts, html_table
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.topic import Topic

_LOG = logging.getLogger(__name__)

Progress = Callable[[str], None]

_OWN = ("judge.json", "topic.json")  # files allowed in a new comparison directory
_SHOWN = ("strategy", "runs", "harvest_area", "harvest_rate", "recall", "average_relevance", "hosts")
_COLUMNS = [(name, Value) for name in MEASURES]

# Records of a table of strategies, and of a table of crawls: all measures are fields.
StrategyRow = msgspec.defstruct(
    "StrategyRow",
    [("strategy", str), ("runs", int), *_COLUMNS, ("ci95_low", float), ("ci95_high", float)],
    module=__name__,
    frozen=True,
)
RunRow = msgspec.defstruct(
    "RunRow",
    [("strategy", str), ("task", str), ("seed_set", int), ("repeat", int), *_COLUMNS, ("seconds", float)],
    module=__name__,
    frozen=True,
)


@dataclass(frozen=True, repr=False)
class Comparison:
    """A comparison directory and its results.

    Attributes:
        path: The directory, with ``results.json``, tables, figures and ``report.html``.
        results: The results; None if the comparison was interrupted. done: Number of finished crawls. crawls:
            Number of crawls. others: Number of other crawls in the directory, from earlier comparisons.
    """

    path: Path
    results: Results | None
    done: int
    crawls: int
    others: int = 0

    @property
    def table(self) -> Table[Any]:
        """A record of mean measures for each strategy, best first.

        Raises:
            InvalidRun: If the comparison was interrupted.
        """
        rows = [
            StrategyRow(row.strategy, row.runs, **row.measures, ci95_low=row.ci95[0], ci95_high=row.ci95[1])
            for row in self._found.summary
        ]
        return Table(StrategyRow, rows)

    @property
    def runs(self) -> Table[Any]:
        """A record of measures for each crawl."""
        rows = [
            RunRow(run.strategy, run.task, run.seed_set, run.repeat, **run.measures, seconds=run.seconds)
            for run in self._found.runs
        ]
        return Table(RunRow, rows)

    @property
    def headline(self) -> str:
        """The result in one sentence, no stronger than the statistics allow."""
        return headline(self._found)

    def report(self) -> Path:
        """Write tables, figures and the HTML page again; return the path of the page."""
        return report_comparison(self.path)

    @property
    def _found(self) -> Results:
        if self.results is None:
            raise InvalidRun(
                f"{self.path} was interrupted: {self.done} of {self.crawls} crawls are done; "
                "the same call resumes it"
            )
        return self.results

    def __repr__(self) -> str:
        found = "interrupted" if self.results is None else self.headline
        return f"Comparison {str(self.path)!r}: {self.done} of {self.crawls} crawls; {found}"

    def _repr_html_(self) -> str:
        facts = {"crawls": f"{self.done} of {self.crawls}"}
        if self.results is None:
            return html_facts(f"Comparison {self.path}", facts)
        facts |= {"web": self.results.web, "topic": self.results.topic, "found": self.headline}
        rows = [[getattr(row, name) for name in _SHOWN] for row in self.table]
        return html_facts(f"Comparison {self.path}", facts) + html_table(_SHOWN, rows)


class _Ready(NamedTuple):
    """A task with everything prepared for its crawls."""

    facts: TaskResult
    judge: Judge
    orders: list[Order]
    todo: list[Order]


def compare(
    experiment: Experiment,
    out: Path,
    *,
    workers: int | None = None,
    trec: bool = False,
    files: Mapping[str, bytes] = MappingProxyType({}),
    progress: Progress = lambda text: None,
) -> Comparison:
    """Run all crawls that are not finished, measure them, and write the results and the report.

    ``files``, such as topics of the experiment, are written into the directory first.
    """
    _check_oracle(experiment)
    load_relevance(experiment.relevance)
    skipped = _missing(experiment.strategies)
    _make(out)
    with lock(out, "comparing"):
        for name, content in files.items():
            atomically(out / name, content)
        return _compare(experiment, out, workers, skipped, progress, trec=trec)


def open_comparison(path: str | Path) -> Comparison:
    """Open a finished comparison directory.

    Args:
        path: The directory.

    Returns:
        The comparison.

    Raises:
        InvalidRun: If it contains no results.

    >>> open_comparison("nowhere")
    Traceback (most recent call last):
    fcwseo.errors.InvalidRun: cannot read nowhere/results.json: No such file or directory
    """
    if not isinstance(path, str | os.PathLike):
        raise InvalidRun(f"{path!r} is not a path: give a comparison directory")
    results = read_results(Path(path))
    return Comparison(Path(path), results, len(results.runs), len(results.runs))


def _compare(
    experiment: Experiment,
    out: Path,
    workers: int | None,
    skipped: dict[str, str],
    progress: Progress,
    *,
    trec: bool,
) -> Comparison:
    ready = [_prepare(experiment, task, out, skipped, progress) for task in experiment.tasks]
    if other := _replaced(experiment, out):
        _LOG.warning(
            f"the results and the report of the earlier comparison in {out}, "
            f"with other {other}, are replaced; its crawls are kept"
        )
    _describe(experiment, out)
    todo = [order for task in ready for order in task.todo]
    crawls = sum(len(task.orders) for task in ready)
    left, more = _run(todo, crawls, workers or os.cpu_count() or 1, progress)
    if left:
        return Comparison(out, None, crawls - left, crawls)
    skipped |= more
    if len(skipped) == len(experiment.strategies):
        raise MissingExtra(next(iter(skipped.values())))
    results = _measured(experiment, ready, skipped)
    write_comparison(results, _times(ready, skipped), out)
    forget_trec(out / "trec")
    if trec:
        done = [
            (order, task.judge)
            for task in ready
            for order in task.orders
            if order.case.strategy not in skipped
        ]
        write_trec(done, out / "trec")
    return Comparison(out, results, crawls, crawls, _others(out, ready))


def _others(out: Path, ready: Sequence[_Ready]) -> int:
    """Number of crawls in the directory that are not part of this comparison."""
    own = {order.out for task in ready for order in task.orders}
    return sum(file.parent not in own for file in out.glob("runs/*/*/*/run.json"))


def _check_oracle(experiment: Experiment) -> None:
    blind = [task.name for task in experiment.tasks if not task.relevant]
    if ORACLE in experiment.strategies and blind:
        raise InvalidInput(
            f"{ORACLE} reads labels, and {blind[0]} has none: name them (--relevant) or leave {ORACLE} out"
        )


def _missing(strategies: Sequence[str]) -> dict[str, str]:
    """The strategies that need a missing extra, with their messages. An unknown strategy is an error."""
    missing: dict[str, str] = {}
    for name in strategies:
        if name == ORACLE:
            continue
        try:
            load_strategy(name)
        except MissingExtra as error:
            missing[name] = str(error)
    return missing


def _make(out: Path) -> None:
    """Create the comparison directory, or check that it is one."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        names = sorted(path.name for path in out.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise io_error(out, error) from error
    unexpected = [name for name in names if name not in _OWN]
    if unexpected and "experiment.json" not in unexpected:
        raise InvalidRun(
            f"{out} is not empty and not a comparison (it contains {unexpected[0]}): name another folder"
        )


def _replaced(experiment: Experiment, out: Path) -> str:
    """What differs in the earlier comparison of which the results are there; empty if it is the same."""
    if not (out / "results.json").exists():
        return ""
    try:
        earlier = msgspec.json.decode((out / "experiment.json").read_bytes(), type=dict[str, Any])
    except (OSError, ValueError):
        earlier = {}
    wanted = msgspec.json.decode(msgspec.json.encode(experiment), type=dict[str, Any])
    return ", ".join(name.replace("_", " ") for name in wanted if earlier.get(name) != wanted[name])


def _describe(experiment: Experiment, out: Path) -> None:
    """Write the experiment, after all checks."""
    text = msgspec.json.format(msgspec.json.encode(experiment), indent=2)
    atomically(out / "experiment.json", text + b"\n")


def _prepare(
    experiment: Experiment, task: Task, out: Path, skipped: dict[str, str], progress: Progress
) -> _Ready:
    progress(f"{task.name}: opening {task.web}")
    web = open_web(task.web, progress=lambda n: progress(f"parsing {task.web} once: {n:,} pages"))
    topic = load_topic(task.topic)
    sets = seed_sets(task)
    check_seeds(sets, [any(seed in web for seed in seeds) for seeds in sets], task)
    progress(f"{task.name}: judging {len(web):,} pages")
    judge = _judge(web, topic, task, sets, experiment)
    facts = TaskResult(
        task.name, web.name, topic.name, judge.kind, judge.goes_by, len(web), len(judge.pages), len(sets)
    )
    own = msgspec.structs.replace(experiment, tasks=(task,))
    orders = [_order(experiment, case, out) for case in cases(own) if case.strategy not in skipped]
    return _Ready(facts, judge, orders, [order for order in orders if not _is_done(order, web, topic)])


def _judge(
    web: ClosedWeb, topic: Topic, task: Task, sets: Sequence[Sequence[str]], experiment: Experiment
) -> Judge:
    seeds = [seed for seeds in sets for seed in seeds]
    if task.relevant:
        return by_labels(web, task.relevant)
    if task.judge_topic:
        bar = experiment.eta if task.judge_eta is None else task.judge_eta
        judge = by_topic(web, load_topic(task.judge_topic), seeds, eta=bar)
    else:
        judge = by_own_relevance(web, topic, seeds, eta=experiment.eta, relevance=experiment.relevance)
    if not judge.pages:
        raise InvalidInput(
            f"no page of {web.name} is relevant by {judge.goes_by[0]}: nothing can be compared"
        )
    return judge


def _order(experiment: Experiment, case: Case, out: Path) -> Order:
    name = re.sub(r"[^\w.-]+", "-", case.strategy).strip("-.")
    if version := plugin_version(case.strategy):  # an edited strategy is a different one
        name = f"{name.rpartition('-')[2]}-{version}"
    if case.strategy == ORACLE:  # so is one that reads other labels
        name = f"{name}-{_digest(case.task.relevant)}"
    if experiment.relevance != TOPICAL:  # another relevance of pages makes a different crawl
        name = f"{name}-{_digest([experiment.relevance, plugin_version(experiment.relevance)])}"
    if experiment.rehearsal is not None:  # other servers make a different crawl, and so does another time
        times = [experiment.rehearsal.identity, experiment.max_time, str(experiment.width_in_force)]
        name = f"{name}-rehearsed-{_digest(times)}"
    plan = Plan(
        strategy=case.strategy,
        max_pages=experiment.max_pages,
        seed=experiment.seed + case.repeat,
        width=experiment.width_in_force,
        eta=experiment.eta,
        relevance=experiment.relevance,
    )
    return Order(
        case,
        out / "runs" / case.task.name / name / f"{case.seed_set}-{case.repeat}",
        plan,
        experiment.rehearsal,
        seconds(experiment.max_time),
    )


def _digest(names: Sequence[str]) -> str:
    return blake2b(msgspec.json.encode(sorted(names)), digest_size=4).hexdigest()


def _is_done(order: Order, web: ClosedWeb, topic: Topic) -> bool:
    config = crawl_config(web, topic, order.case.seeds, order.plan, rehearsal=order.rehearsal)
    return is_finished(order.out, config, budget=order.plan.max_pages)


def _run(todo: Sequence[Order], crawls: int, workers: int, progress: Progress) -> tuple[int, dict[str, str]]:
    """Run the crawls. Returns the number of unfinished ones, and the strategies that lack an extra."""
    left, missing = len(todo), dict[str, str]()
    try:
        with _interrupted_once(), closing(run_orders(todo, workers=workers)) as endings:
            for ended in endings:
                if ended.stop in (Stop.INTERRUPTED, Stop.FORCED):
                    return left, missing
                left -= 1
                if ended.missing:
                    missing[ended.order.case.strategy] = ended.missing
                progress(
                    f"{crawls - left} of {crawls} crawls done, the last by {label(ended.order.case.strategy)}"
                )
    except KeyboardInterrupt:
        pass
    return left, missing


@contextmanager
def _interrupted_once() -> Iterator[None]:
    """Let SIGTERM end a comparison like Ctrl-C. Further signals are ignored, so that all workers are told to
    end; each ends after its present visit.
    """

    def interrupt(number: int, frame: FrameType | None) -> None:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    if (
        threading.current_thread() is not threading.main_thread()
    ):  # signals are handled in the main thread only
        yield
        return
    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _times(ready: Sequence[_Ready], skipped: dict[str, str]) -> dict[str, Spent]:
    """The mean times of each strategy, separate from the results, which are reproducible."""
    times: dict[str, list[Times]] = {}
    for task in ready:
        for order in task.orders:
            if order.case.strategy not in skipped:
                times.setdefault(order.case.strategy, []).append(read_times(order.out))
    return {
        name: Spent(fmean(t.seconds for t in own), fmean(t.cpu_seconds for t in own))
        for name, own in times.items()
    }


def _measured(experiment: Experiment, ready: Sequence[_Ready], skipped: dict[str, str]) -> Results:
    runs: list[RunResult] = []
    judges: dict[str, Judge] = {}
    paths: dict[str, list[tuple[Path, str]]] = {}
    for task in ready:
        judges[task.facts.name] = task.judge
        for order in task.orders:
            if order.case.strategy not in skipped:
                runs.append(measure(order.case, order.out, task.judge, max_pages=order.plan.max_pages))
                paths.setdefault(order.case.strategy, []).append((order.out, task.facts.name))
    return summarise(experiment, [task.facts for task in ready], runs, paths, judges, skipped)
