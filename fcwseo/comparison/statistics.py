"""Are two crawlers really different? Paired differences, Student's t over webs or tasks, Holm's correction.

Two runs are a pair when task, seed set and repeat are the same. Neither repeats, nor seed sets, nor tasks of
the same web are independent, so differences are averaged step by step: over repeats, over the seed sets of a
task, over the tasks of a web. The unit of inference is the largest one of which there are two: the web, or,
where all tasks lie on one web, the task. With one task there is nothing to test: its seed sets say how much
its own figures vary, not what another task would show.

Student, "The probable error of a mean", Biometrika 6, 1908; Donald and Lang, "Inference with
difference-in-differences and other panel data", Review of Economics and Statistics 89, 2007 (t over the means
of clusters); Cohen, "Statistical power analysis for the behavioral sciences", 1988; Holm, "A simple
sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979. How often the
intervals hold the true difference is simulated by ``benchmarks/intervals.py``.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.special import nctdtr, stdtr, stdtrit

ALPHA, POWER = 0.05, 0.8
"""Level of tests and intervals, and the power of the smallest detectable difference."""

FEW = 10
"""With fewer seed sets than this, a report says that they are few."""

_SAME = 1e-12  # values nearer to each other do not vary

Name = TypeVar("Name")
Key = tuple[str, int, int]
"""Which run it is: task, seed set, repeat."""


class Unit(StrEnum):
    """What an interval is over, the widest first."""

    WEB = "web"
    TASK = "task"
    SEED_SET = "seed set"
    REPEAT = "repeat"


TESTED = (Unit.WEB, Unit.TASK)
"""Units over which differences are tested. An interval over others describes a single task."""


class Sample(NamedTuple):
    """Values of a unit, one for each, by name."""

    unit: Unit
    values: dict[str, float]


class Estimate(NamedTuple):
    """A mean with its 95 % interval, the chance of such a mean if the true one were 0, and how many
    independent values it rests on.
    """

    mean: float
    low: float
    high: float
    p: float
    n: int


class Versus(NamedTuple):
    """One crawler against another: difference and ratio of their means, what the difference is tested over,
    p corrected for all that was compared (None: not tested), the smallest difference that would have been
    detected (None: unknown), the effect in standard deviations of the difference, the share of units won (a
    tie is half), and the difference without each of the webs or tasks in turn.
    """

    difference: Estimate
    ratio: float | None
    unit: Unit
    p: float | None
    detectable: float | None
    effect: float
    wins: float
    without: dict[str, Estimate]


def estimate(values: Iterable[float], *, limits: tuple[float, float] = (-1.0, 1.0)) -> Estimate:
    """Mean and Student's interval of independent values that lie within ``limits``.

    One value says nothing of the others: its interval is all that is possible.

    >>> found = estimate([0.1, 0.3, 0.2, 0.25, 0.15])
    >>> round(found.mean, 3), found.low < 0.2 < found.high, found.p < 0.05
    (0.2, True, True)
    >>> estimate([0.4])
    Estimate(mean=0.4, low=-1.0, high=1.0, p=1.0, n=1)
    """
    data = np.asarray([*values], dtype=float)
    n, mean = len(data), float(np.mean(data))
    if n == 1:
        return Estimate(mean, *limits, 1.0, 1)
    error = float(np.std(data, ddof=1)) / math.sqrt(n)
    if error <= _SAME:  # always the same: what is left is a coin that fell n times on one side
        return Estimate(mean, mean, mean, 1.0 if abs(mean) <= _SAME else min(1.0, 2.0 ** (1 - n)), n)
    half = float(stdtrit(n - 1, 1 - ALPHA / 2)) * error
    p = 2 * float(stdtr(n - 1, -abs(mean) / error))
    return Estimate(mean, max(limits[0], mean - half), min(limits[1], mean + half), p, n)


def detectable(values: Iterable[float]) -> float | None:
    """The smallest true mean that a t-test over as many values, varying as much, finds in 80 % of cases.

    None for a single value, and for values that do not vary: nothing is known of how others would.

    >>> round(detectable([0.1, 0.3, 0.2, 0.25, 0.15]), 3), detectable([0.4])
    (0.133, None)
    """
    data = np.asarray([*values], dtype=float)
    n = len(data)
    error = float(np.std(data, ddof=1)) / math.sqrt(n) if n > 1 else 0.0
    if error <= _SAME:
        return None
    point = float(stdtrit(n - 1, 1 - ALPHA / 2))
    low, high = 0.0, 1.0
    while _power(high, n - 1, point) < POWER:
        high *= 2
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if _power(middle, n - 1, point) >= POWER else (middle, high)
    return high * error


def _power(shift: float, freedom: int, point: float) -> float:
    """How often t lies beyond its critical point if the true mean is so many standard errors from 0. What
    lies beyond the opposite point is neglected.
    """
    return 1 - float(nctdtr(freedom, shift, point))


def sample(values: Mapping[Key, float], webs: Mapping[str, str]) -> Sample:
    """Values of runs averaged to independent ones. ``webs`` names the web of each task; a task that it does
    not name has a web of its own.

    Repeats stand for themselves only where there is nothing else, and only if they vary.

    >>> runs = {("a", 0, 0): 1.0, ("a", 0, 1): 3.0, ("a", 1, 0): 5.0}
    >>> sample(runs, {})
    Sample(unit=<Unit.SEED_SET: 'seed set'>, values={'a 0': 2.0, 'a 1': 5.0})
    >>> runs |= {("b", 0, 0): 7.0}
    >>> webs = {"a": "w", "b": "w"}
    >>> sample(runs, webs).values, sample(runs | {("c", 0, 0): 1.0}, webs).values
    ({'a': 3.5, 'b': 7.0}, {'w': 5.25, 'c': 1.0})
    """
    sets = _grouped(((task, number), value) for (task, number, _), value in sorted(values.items()))
    tasks = _grouped((task, value) for (task, _), value in sets.items())
    by_web = _grouped((webs.get(task, task), value) for task, value in tasks.items())
    if len(by_web) > 1:
        return Sample(Unit.WEB, by_web)
    if len(tasks) > 1:
        return Sample(Unit.TASK, tasks)
    if len(sets) > 1:
        return Sample(Unit.SEED_SET, {f"{task} {number}": value for (task, number), value in sets.items()})
    repeats = {str(repeat): value for (_, _, repeat), value in sorted(values.items())}
    vary = max(repeats.values()) - min(repeats.values()) > _SAME
    return Sample(Unit.REPEAT, repeats if vary else dict([*repeats.items()][:1]))


def _grouped(pairs: Iterable[tuple[Name, float]]) -> dict[Name, float]:
    """The mean of the values of each name."""
    groups: dict[Name, list[float]] = {}
    for name, value in pairs:
        groups.setdefault(name, []).append(value)
    return {name: float(np.mean(own)) for name, own in groups.items()}


def leave_one_out(
    values: Mapping[str, float], *, limits: tuple[float, float] = (-1.0, 1.0)
) -> dict[str, Estimate]:
    """For each name the estimate without it: a finding that rests on one web does not survive this.

    >>> {name: found.mean for name, found in leave_one_out({"a": 0.0, "b": 0.1, "c": 0.5}).items()}["c"]
    0.05
    """
    if len(values) < 2:
        return {}
    return {
        name: estimate((value for other, value in values.items() if other != name), limits=limits)
        for name in values
    }


def compare_all(
    measured: Mapping[str, Mapping[Key, float]], webs: Mapping[str, str]
) -> dict[str, dict[str, Versus]]:
    """Everyone against everyone: ``measured`` gives the runs of each crawler with what was measured there.

    Only runs that both have are compared. The p-values are corrected over all pairs of crawlers.
    """
    names = list(measured)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    pairs = [(a, b) for a, b in pairs if measured[a].keys() & measured[b].keys()]
    found = corrected([compare_two(measured[a], measured[b], webs) for a, b in pairs])
    table: dict[str, dict[str, Versus]] = {name: {} for name in names}
    for (a, b), versus in zip(pairs, found, strict=True):
        table[a][b] = versus
        table[b][a] = _turned(versus)
    return table


def compare_two(
    ours: Mapping[Key, float], theirs: Mapping[Key, float], webs: Mapping[str, str], *, most: float = 1.0
) -> Versus:
    """The difference between two crawlers over the runs that both have; p is not corrected. No value is
    below 0 or above ``most``.

    >>> ours, theirs = {("a", 0, 0): 9.0, ("b", 0, 0): 5.0}, {("a", 0, 0): 1.0, ("b", 0, 0): 2.0}
    >>> found = compare_two(ours, theirs, {}, most=10)
    >>> found.difference.mean, found.difference.high, found.without["a"].mean
    (5.5, 10, 3.0)
    """
    both = sorted(ours.keys() & theirs.keys())
    unit, values = sample({key: ours[key] - theirs[key] for key in both}, webs)
    limits = (-most, most)
    found = estimate(values.values(), limits=limits)
    above, below = (_mean(sample({key: side[key] for key in both}, webs)) for side in (ours, theirs))
    differences = [*values.values()]
    wins = float(np.mean([0.5 if abs(d) <= _SAME else float(d > 0) for d in differences]))
    return Versus(
        difference=found,
        ratio=above / below if below > 0 else None,
        unit=unit,
        p=found.p if unit in TESTED else None,
        detectable=detectable(differences) if unit in TESTED else None,
        effect=effect_size(differences),
        wins=wins,
        without=leave_one_out(values, limits=limits) if unit in TESTED else {},
    )


def _mean(found: Sample) -> float:
    return float(np.mean([*found.values.values()]))


def corrected(found: Sequence[Versus]) -> list[Versus]:
    """The same with p corrected for all that were tested."""
    after = iter(holm([versus.p for versus in found if versus.p is not None]))
    return [versus if versus.p is None else versus._replace(p=next(after)) for versus in found]


def _turned(versus: Versus) -> Versus:
    return versus._replace(
        difference=_negative(versus.difference),
        ratio=1 / versus.ratio if versus.ratio else None,
        effect=-versus.effect,
        wins=1 - versus.wins,
        without={name: _negative(found) for name, found in versus.without.items()},
    )


def _negative(found: Estimate) -> Estimate:
    return found._replace(mean=-found.mean, low=-found.high, high=-found.low)


def effect_size(differences: Sequence[float]) -> float:
    """Hedges' g of paired differences: their mean in standard deviations, less the bias of small samples; 0
    where they do not vary.

    >>> round(effect_size([0.1, 0.2, 0.3]), 3)
    1.128
    """
    n = len(differences)
    spread = float(np.std(differences, ddof=1)) if n > 1 else 0.0
    if spread <= _SAME:
        return 0.0
    half = (n - 1) / 2
    unbiased = math.exp(math.lgamma(half) - math.lgamma(half - 0.5)) / math.sqrt(half) if n > 2 else 0.0
    return float(np.mean(differences)) / spread * unbiased


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: the chance of any false discovery stays below the level.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    after = [0.0] * len(p_values)
    worst = 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[index]))
        after[index] = worst
    return after
