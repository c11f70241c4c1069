"""``results.json``: the results of a comparison as values, written and read.

In the file, the measures of a run, and the mean measures of a strategy, are fields beside the others.
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from fcwseo.comparison.measures import MEASURES, Value
from fcwseo.errors import InvalidRun
from fcwseo.relevance.loading import TOPICAL


class CurvePoint(Struct, frozen=True):
    """The curves of a run at one checkpoint."""

    n: int
    relevant: int
    harvest_rate: float
    average_relevance: float
    sd: float
    recall: float


class RunResult(Struct, frozen=True):
    """One crawl and its measures, by the names of ``MEASURES``. A rehearsed one has points on its virtual
    ``clock``: seconds, and the relevant pages found by then.
    """

    strategy: str
    task: str
    seed_set: int
    repeat: int
    pages: int
    relevant: int
    seconds: float
    measures: dict[str, Value]
    checkpoints: list[CurvePoint]
    clock: list[tuple[float, int]] = []

    @property
    def harvest_area(self) -> float:
        """The mean harvest rate over the checkpoints."""
        return self.measures["harvest_area"] or 0.0


class VersusResult(Struct, frozen=True):
    """Harvest area against another's: ratio and difference of the means, the latter with its 95 % interval,
    what it is over (webs, tasks, or the seed sets of one task), p after Holm's correction and before (None:
    one task is not tested), the smallest detectable difference, effect size, share of units won, and the
    difference ``without`` each of the webs or tasks in turn.
    """

    ratio: float | None
    p: float | None
    p_uncorrected: float | None
    difference: float
    ci95: tuple[float, float]
    effect_size: float
    wins: float
    unit: str = ""
    detectable: float | None = None
    without: dict[str, float] = {}


class Summary(Struct, frozen=True):
    """A strategy over all its runs: mean measures, and the 95 % interval of the harvest area over a number of
    ``independent`` webs, tasks or seed sets.
    """

    strategy: str
    runs: int
    independent: int
    measures: dict[str, Value]
    ci95: tuple[float, float]
    versus: dict[str, VersusResult]

    @property
    def harvest_area(self) -> float:
        """The mean harvest rate over the checkpoints."""
        return self.measures["harvest_area"] or 0.0


class TaskResult(Struct, frozen=True):
    """A task in results: web, topic and judge; ``judge`` is labels, topic or relevance (circular)."""

    name: str
    web: str
    topic: str
    judge: str
    judged_by: tuple[str, ...]
    pages: int
    relevant: int
    seed_sets: int


class HostCount(Struct, frozen=True):
    """Pages of a host that a strategy visited, and relevant ones among them, over all runs."""

    host: str
    pages: int
    relevant: int


class Results(Struct, frozen=True):
    """``results.json``. The strategies of ``summary`` are sorted by harvest area. ``relevance`` is the one
    used by all crawlers, not the judge of the comparison.
    """

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
    relevance: str = TOPICAL


def encode_results(results: Results) -> bytes:
    """The content of ``results.json``."""
    fields: dict[str, Any] = msgspec.to_builtins(results)
    for row in (*fields["runs"], *fields["summary"]):
        row |= row.pop("measures")
    return msgspec.json.format(msgspec.json.encode(fields), indent=1) + b"\n"


def read_results(folder: Path) -> Results:
    """Read ``results.json`` of a comparison directory.

    Raises ``InvalidRun`` if the file is missing or is not the result of a comparison.
    """
    file = folder / "results.json"
    try:
        fields = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
        for row in (*fields.get("runs", ()), *fields.get("summary", ())):
            row["measures"] = {name: row.pop(name) for name in MEASURES if name in row}
        return msgspec.convert(fields, Results)
    except OSError as error:
        raise InvalidRun(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, RecursionError, AttributeError, TypeError) as error:
        raise InvalidRun(f"{file} is not the result of a comparison: {error}") from error
