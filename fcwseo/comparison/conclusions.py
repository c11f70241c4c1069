"""From single runs to the results of a comparison: means, intervals, differences, and notes on their
validity.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from fcwseo.comparison.experiment import Experiment
from fcwseo.comparison.judge import LABELS, RELEVANCE, TOPIC, Judge
from fcwseo.comparison.judged import count_hosts, visited
from fcwseo.comparison.measures import MEASURES, Value
from fcwseo.comparison.results import HostCount, Results, RunResult, Summary, TaskResult, VersusResult
from fcwseo.comparison.statistics import FEW, Key, Versus, compare_all, estimate, sample
from fcwseo.relevance.loading import TOPICAL

_HOSTS = 15  # as many are named

Paths = Mapping[str, Sequence[tuple[Path, str]]]


def summarise(
    experiment: Experiment,
    tasks: Sequence[TaskResult],
    runs: Sequence[RunResult],
    paths: Paths,
    judges: Mapping[str, Judge],
    skipped: Mapping[str, str],
) -> Results:
    """The content of ``results.json``. ``paths`` are the run directories of each strategy, with their
    tasks.
    """
    by_strategy: dict[str, list[RunResult]] = {}
    for run in runs:
        by_strategy.setdefault(run.strategy, []).append(run)
    webs = {task.name: task.web for task in tasks}
    areas = {name: by_key(own, "harvest_area") for name, own in by_strategy.items()}
    versus = compare_all(areas, webs)
    summary = [_summary(name, own, versus[name], webs) for name, own in by_strategy.items()]
    return Results(
        web=", ".join(dict.fromkeys(task.web for task in tasks)),
        topic=", ".join(dict.fromkeys(task.topic for task in tasks)),
        max_pages=experiment.max_pages,
        judge=next(kind for kind in (RELEVANCE, TOPIC, LABELS) if kind in [task.judge for task in tasks]),
        repeats=experiment.repeats,
        seed=experiment.seed,
        tasks=list(tasks),
        runs=list(runs),
        summary=sorted(summary, key=lambda row: -row.harvest_area),
        hosts=_hosts(paths, judges, experiment.max_pages),
        skipped=dict(skipped),
        notes=[*_about_relevance(experiment.relevance), *_notes(tasks, runs, skipped)],
        relevance=experiment.relevance,
    )


def by_key(runs: Sequence[RunResult], measure: str) -> dict[Key, float]:
    """The values of a measure, of the runs to which it applies."""
    values = {(run.task, run.seed_set, run.repeat): run.measures.get(measure) for run in runs}
    return {key: float(value) for key, value in values.items() if value is not None}


def _summary(
    name: str, runs: Sequence[RunResult], versus: Mapping[str, Versus], webs: Mapping[str, str]
) -> Summary:
    found = estimate(sample(by_key(runs, "harvest_area"), webs).values.values(), limits=(0.0, 1.0))
    return Summary(
        strategy=name,
        runs=len(runs),
        independent=found.n,
        measures={measure: _mean(by_key(runs, measure), webs) for measure in MEASURES},
        ci95=(found.low, found.high),
        versus={other: _versus_result(entry) for other, entry in versus.items()},
    )


def _mean(values: Mapping[Key, float], webs: Mapping[str, str]) -> Value:
    """The mean over repeats, seed sets, tasks and webs, in turn; None if the measure never applies."""
    return fmean(sample(values, webs).values.values()) if values else None


def _versus_result(versus: Versus) -> VersusResult:
    found = versus.difference
    return VersusResult(
        ratio=versus.ratio,
        p=versus.p,
        p_uncorrected=None if versus.p is None else found.p,
        difference=found.mean,
        ci95=(found.low, found.high),
        effect_size=versus.effect,
        wins=versus.wins,
        unit=versus.unit,
        detectable=versus.detectable,
        without={name: own.mean for name, own in versus.without.items()},
    )


def _hosts(paths: Paths, judges: Mapping[str, Judge], max_pages: int) -> dict[str, list[HostCount]]:
    """The hosts with the most relevant pages found, and all others together."""
    pages: dict[str, Counter[str]] = {}
    relevant: dict[str, Counter[str]] = {}
    for name, runs in paths.items():
        pages[name], relevant[name] = Counter(), Counter()
        for run, task in runs:
            more, hits = count_hosts(visited(run, max_pages=max_pages), judges[task])
            pages[name] += more
            relevant[name] += hits
    found, seen = _together(relevant), _together(pages)
    named = sorted(seen, key=lambda where: (-found[where], -seen[where], where))[:_HOSTS]
    return {name: _counts(pages[name], relevant[name], named) for name in paths}


def _together(counts: Mapping[str, "Counter[str]"]) -> "Counter[str]":
    total: Counter[str] = Counter()
    for count in counts.values():
        total.update(count)
    return total


def _counts(pages: "Counter[str]", relevant: "Counter[str]", named: Sequence[str]) -> list[HostCount]:
    rows = [HostCount(where, pages[where], relevant[where]) for where in named]
    others = pages.total() - sum(row.pages for row in rows)
    rest = HostCount("others", others, relevant.total() - sum(row.relevant for row in rows))
    return [*rows, rest] if len(named) == _HOSTS else rows


def _about_relevance(name: str) -> list[str]:
    """A note on a relevance other than the default."""
    return [] if name == TOPICAL else [f"All crawlers judged pages by the relevance {name}."]


def _notes(tasks: Sequence[TaskResult], runs: Sequence[RunResult], skipped: Mapping[str, str]) -> list[str]:
    """Notes on the validity of the results."""
    notes: list[str] = []
    if any(task.judge == RELEVANCE for task in tasks):
        notes.append(
            "Circular: pages were judged by the relevance that guides the crawlers. "
            "For an independent judge, name labels of the web or a held-out topic."
        )
    notes += _notes_of_units(tasks, runs)
    short = {run.strategy: None for run in runs if run.pages < max(other.pages for other in runs)}
    if short:
        nothing = "no link or no time left" if any(run.clock for run in runs) else "no link left to follow"
        notes.append(f"Some runs ended before the budget, with {nothing}: {', '.join(short)}.")
    notes += [f"{name} was left out: {why}" for name, why in skipped.items()]
    return notes


def _notes_of_units(tasks: Sequence[TaskResult], runs: Sequence[RunResult]) -> list[str]:
    """A note on the units of the intervals, and on tests."""
    webs = len({task.web for task in tasks})
    if webs > 1:
        return [f"Intervals and p-values are by Student's t over {webs} webs, whose tasks are averaged."]
    if len(tasks) > 1:
        return [
            f"Intervals and p-values are by Student's t over {len(tasks)} tasks of one web: "
            "they do not hold for other webs."
        ]
    sets = len({run.seed_set for run in runs})
    if sets == 1:
        return [
            "One task: not tested. With one seed set, the intervals show only randomness of the crawlers."
        ]
    few = f" Few seed sets: {FEW} or more would be better." if sets < FEW else ""
    return [
        f"One task: not tested. The intervals are over its {sets} seed sets (repeats of one are averaged) "
        f"and do not hold for other tasks.{few}"
    ]
