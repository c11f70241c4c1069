"""Are two crawlers really different? Paired differences, studentised bootstrap, Holm's correction.

Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 12 (the bootstrap-t interval);
Silverman and Young, "The bootstrap: to smooth or not to smooth?", Biometrika 74, 1987; Holm, "A simple
sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979.

Two runs are a pair when task, seed set and repeat are the same. Repeats on the same seeds are not independent
(without chance they are the same crawl), so the pairs of one task and seed set are averaged first, and seed
sets are what is resampled. The percentile interval is far too narrow for the five or ten of them that one
has. The studentised one covers what it should, but of five values it is now and then several times too wide;
drawn from slightly smoothed values (a share 1/n of the variance is noise) it does both well.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FEW = 10
"""With fewer independent pairs than this, a report says that they are few."""

_RESAMPLES = 9999
_RARE = 10  # resamples beyond the mean below which more are drawn, to tell how small p is
_ROUNDS = 10  # of resamples at most
_STUDENT = {2: 12.706, 3: 4.303}  # 97.5 % of Student's t for two and three values: too few to resample

Key = tuple[str, int, int]
"""Which run it is: task, seed set, repeat."""


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
    """One crawler against another: difference and ratio of their means, p corrected for all that was
    compared, the effect in standard deviations of the difference, and the share of pairs won (a tie is half).
    """

    difference: Estimate
    ratio: float | None
    p: float
    effect: float
    wins: float


def estimate(
    values: Sequence[float],
    *,
    seed: int,
    limits: tuple[float, float] = (-1.0, 1.0),
    resamples: int = _RESAMPLES,
) -> Estimate:
    """Mean and studentised bootstrap interval of independent values that lie within ``limits``.

    One value says nothing of the others: its interval is all that is possible.

    >>> found = estimate([0.1, 0.3, 0.2, 0.25, 0.15], seed=0)
    >>> round(found.mean, 3), found.low < 0.2 < found.high, found.p < 0.05
    (0.2, True, True)
    >>> estimate([0.4], seed=0)
    Estimate(mean=0.4, low=-1.0, high=1.0, p=1.0, n=1)
    """
    data = np.asarray(values, dtype=float)
    n, mean = len(data), float(np.mean(data))
    if n == 1:
        return Estimate(mean, *limits, 1.0, 1)
    error = float(np.std(data, ddof=1)) / math.sqrt(n)
    if error <= 1e-12:  # always the same: what is left is a coin that fell n times on one side
        return Estimate(mean, mean, mean, 1.0 if abs(mean) <= 1e-12 else min(1.0, 2.0 ** (1 - n)), n)
    if n in _STUDENT:
        low, high, p = -_STUDENT[n], _STUDENT[n], _p_of_few(mean / error, n)
    else:
        low, high, p = _studentised(data, mean, error, resamples, seed)
    return Estimate(mean, max(limits[0], mean - high * error), min(limits[1], mean - low * error), p, n)


def _studentised(
    data: NDArray[np.float64], mean: float, error: float, resamples: int, seed: int
) -> tuple[float, float, float]:
    """The 2.5 % and 97.5 % points of t over resamples, and the p of the mean being 0."""
    rng = np.random.default_rng(seed)
    t = _resampled(data - mean, error, resamples, rng)
    low, high = np.quantile(t, [0.025, 0.975], method="nearest")
    beyond, drawn = _beyond(t, mean / error), resamples
    while beyond.min() < _RARE and drawn < _ROUNDS * resamples:
        beyond += _beyond(_resampled(data - mean, error, resamples, rng), mean / error)
        drawn += resamples
    return float(low), float(high), min(1.0, 2 * (1 + int(beyond.min())) / (drawn + 1))


def _beyond(t: NDArray[np.float64], point: float) -> NDArray[np.intp]:
    """How many lie above a point, and how many below."""
    return np.array([np.sum(t >= point), np.sum(t <= point)], np.intp)


def _resampled(
    data: NDArray[np.float64], error: float, resamples: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """t of resamples of values whose mean is 0."""
    n = len(data)
    drawn = data[rng.integers(0, n, (resamples, n))] * math.sqrt(1 - 1 / n)
    drawn += rng.standard_normal((resamples, n)) * error  # of variance s^2 / n, so that s^2 is kept
    t: NDArray[np.float64] = drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / math.sqrt(n))
    return t


def _p_of_few(t: float, n: int) -> float:
    """Two-sided p of Student's t with one or two degrees of freedom, which have closed forms."""
    if n == 2:
        return 1 - 2 / math.pi * math.atan(abs(t))
    return 1 - abs(t) / math.sqrt(t * t + 2)


def independent(values: Mapping[Key, float]) -> list[float]:
    """One value for each task and seed set: the mean over its repeats.

    Where there is but one seed set, the repeats are all there is; they count if chance plays a part in them.

    >>> independent({("a", 0, 0): 1.0, ("a", 0, 1): 3.0, ("a", 1, 0): 5.0})
    [2.0, 5.0]
    >>> independent({("a", 0, 0): 1.0, ("a", 0, 1): 3.0}), independent({("a", 0, 0): 1.0, ("a", 0, 1): 1.0})
    ([1.0, 3.0], [1.0])
    """
    groups: dict[tuple[str, int], list[float]] = {}
    for (task, seed_set, _), value in sorted(values.items()):
        groups.setdefault((task, seed_set), []).append(value)
    if len(groups) == 1:
        (repeats,) = groups.values()
        return repeats if max(repeats) - min(repeats) > 1e-12 else repeats[:1]
    return [float(np.mean(repeats)) for repeats in groups.values()]


def compare_all(measured: Mapping[str, Mapping[Key, float]], *, seed: int) -> dict[str, dict[str, Versus]]:
    """Everyone against everyone: ``measured`` gives the runs of each crawler with what was measured there.

    Only runs that both have are compared. The p-values are corrected over all pairs of crawlers.
    """
    names = list(measured)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    pairs = [(a, b) for a, b in pairs if measured[a].keys() & measured[b].keys()]
    plain = [_versus(measured[a], measured[b], seed) for a, b in pairs]
    corrected = holm([versus.p for versus in plain])
    table: dict[str, dict[str, Versus]] = {name: {} for name in names}
    for (a, b), versus, p in zip(pairs, plain, corrected, strict=True):
        table[a][b] = versus._replace(p=p)
        table[b][a] = _turned(versus._replace(p=p))
    return table


def _versus(ours: Mapping[Key, float], theirs: Mapping[Key, float], seed: int) -> Versus:
    both = sorted(ours.keys() & theirs.keys())
    differences = independent({key: ours[key] - theirs[key] for key in both})
    found = estimate(differences, seed=seed)
    below = float(np.mean([theirs[key] for key in both]))
    ratio = float(np.mean([ours[key] for key in both])) / below if below > 0 else None
    wins = float(np.mean([0.5 if abs(d) <= 1e-12 else float(d > 0) for d in differences]))
    return Versus(found, ratio, found.p, effect_size(differences), wins)


def _turned(versus: Versus) -> Versus:
    mean, low, high, p, n = versus.difference
    ratio = 1 / versus.ratio if versus.ratio else None
    return Versus(Estimate(-mean, -high, -low, p, n), ratio, versus.p, -versus.effect, 1 - versus.wins)


def effect_size(differences: Sequence[float]) -> float:
    """Hedges' g of paired differences: their mean in standard deviations, less the bias of small samples; 0
    where they do not vary.

    >>> round(effect_size([0.1, 0.2, 0.3]), 3)
    1.128
    """
    n = len(differences)
    spread = float(np.std(differences, ddof=1)) if n > 1 else 0.0
    if spread <= 1e-12:
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
    corrected = [0.0] * len(p_values)
    worst = 0.0
    for rank, index in enumerate(order):
        worst = max(worst, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = worst
    return corrected
