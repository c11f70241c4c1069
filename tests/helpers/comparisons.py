"""Small comparisons to look at."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from fcwseo.comparison.compare import Comparison, compare
from fcwseo.comparison.conclusions import summarise
from fcwseo.comparison.experiment import Experiment, make_experiment
from fcwseo.comparison.results import Results, RunResult
from fcwseo.webs.generated import GeneratedWeb

WEB = GeneratedWeb(0, 300)
BUDGET = 40


def write_seeds(folder: Path, *, sets: int = 2) -> Path:
    """A file with alternative seed sets: relevant pages of the web, three each."""
    urls = [url for url in WEB.urls() if "rainstorm" in WEB.labels(url)]
    path = folder / "seeds.txt"
    path.write_text("\n\n".join("\n".join(urls[3 * i : 3 * i + 3]) for i in range(sets)) + "\n")
    return path


def small_experiment(
    folder: Path, *, sets: int = 2, task: dict[str, Any] | None = None, **choices: Any
) -> Experiment:
    """Two strategies, so many seed sets, 40 pages, judged by labels; or whatever the choices say."""
    fixed = {
        "web": WEB.name,
        "topic": "rainstorm",
        "seeds": [str(write_seeds(folder, sets=sets))],
        "relevant": ["rainstorm"],
    }
    given = {"strategies": ["bfs", "best-first"], "max_pages": BUDGET, **choices}
    return make_experiment({"tasks": [{**fixed, **(task or {})}], **given}, where="a test")


def finished(comparison: Comparison) -> Results:
    assert comparison.results is not None
    return comparison.results


def small_comparison(folder: Path, **choices: Any) -> Results:
    return finished(compare(small_experiment(folder, **choices), folder / "c", workers=1))


def timeless(folder: Path) -> dict[str, Any]:
    """``results.json`` without times."""
    results: dict[str, Any] = msgspec.json.decode((folder / "results.json").read_bytes())
    for run in results["runs"]:
        del run["seconds"]
    return results


def many_strategies(
    experiment: Experiment, results: Results, names: Sequence[str], *, tasks: int = 1
) -> Results:
    """Results with so many strategies and tasks, made from the runs of the best: each is worse than the one
    before it.
    """
    first, task = results.summary[0].strategy, results.tasks[0]
    found: list[RunResult] = []
    for number, (at, name) in itertools.product(range(tasks), enumerate(names)):
        share = (1 - at / len(names) / 1.2) * (1 - number / 10)
        named = f"{task.name}-{number}" if number else task.name
        found += [_scaled(run, name, named, share) for run in results.runs if run.strategy == first]
    known = [msgspec.structs.replace(task, name=name, web=name) for name in {run.task: 0 for run in found}]
    made = summarise(experiment, known, found, {}, {}, {})
    return msgspec.structs.replace(made, hosts=dict.fromkeys(names, results.hosts[first]))


def _scaled(run: RunResult, name: str, task: str, share: float) -> RunResult:
    points = [
        msgspec.structs.replace(point, harvest_rate=point.harvest_rate * share, recall=point.recall * share)
        for point in run.checkpoints
    ]
    area = run.harvest_area * share
    ends = {"harvest_rate": points[-1].harvest_rate, "recall": points[-1].recall}
    measures = {**run.measures, **ends, "harvest_area": area}
    return msgspec.structs.replace(run, strategy=name, task=task, checkpoints=points, measures=measures)
