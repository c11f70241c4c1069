"""Weights of the four texts of a link: full text of the parent, anchor, title and context.

W. Huang et al.: A semantic and intelligent focused crawler based on BERT semantic vector space model and
hybrid algorithm, IEEE Access, 2024, equations 5 to 9 and algorithm 1. The hybrid algorithm (HA) is a genetic
algorithm whose rates follow the entropy of its population, and then simulated annealing.

Its fitness is the reciprocal length of a residual that is linear in the weights. The best weights are
therefore a least-squares problem in a box, which ``least_squares`` solves exactly: HA is never better.
"""

from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from math import exp, inf, log2
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fcwseo.columns import Floats

Weights = tuple[float, float, float, float]

TEXTS = ("full", "anchor", "title", "context")
EQUAL: Weights = (0.25, 0.25, 0.25, 0.25)


class Pairs(NamedTuple):
    """Followed links: the similarities of their four texts, and the true similarity of the page."""

    texts: Floats  # a row of four for each
    truth: Floats

    def halves(self) -> tuple["Pairs", "Pairs"]:
        """Split into the first links, for training, and the last, for testing."""
        middle = len(self.truth) // 2
        return Pairs(self.texts[:middle], self.truth[:middle]), Pairs(
            self.texts[middle:], self.truth[middle:]
        )


def pairs_of(texts: ArrayLike, truth: ArrayLike) -> Pairs:
    """Texts with their relevances, each with the true relevance of its page."""
    return Pairs(np.asarray(texts, np.float64).reshape(-1, 4), np.asarray(truth, np.float64))


def mean_absolute_error(weights: Weights, pairs: Pairs) -> float:
    """The mean absolute error of the prediction, as in figure 3.

    >>> mean_absolute_error((1.0, 0.0, 0.0, 0.0), pairs_of([[1, 0, 0, 0], [0, 1, 0, 0]], [0.5, 0.0]))
    0.25
    """
    return float(np.abs(pairs.truth - pairs.texts @ np.array(weights)).mean()) if len(pairs.truth) else 0.0


def fitness(weights: Weights, pairs: Pairs) -> float:
    """Equation 6."""
    return float(_Fitness(pairs)(np.array([weights]))[0])


def least_squares(pairs: Pairs) -> Weights:
    """The best weights in [0, 1]: the best point of all faces of the box.

    On a face some weights are 0, some 1, and the others free. If the free weights have many solutions, one of
    them is on a smaller face, which is examined as well.

    >>> least_squares(pairs_of(np.eye(4), [0.5, 2.0, -1.0, 0.25]))
    (0.5, 1.0, 0.0, 0.25)
    """
    target = _Fitness(pairs)
    points = [_best_of_face(target, face) for face in product((0.0, 1.0, None), repeat=4)]
    inside = np.array([point for point in points if point.min() >= 0 and point.max() <= 1])
    return _weights(inside[np.argmax(target(inside))])


class _Fitness:
    """Equation 6 for many weights at once, from the products of the columns."""

    def __init__(self, pairs: Pairs) -> None:
        self.products = pairs.texts.T @ pairs.texts
        self.targets = pairs.texts.T @ pairs.truth
        self._constant = float(pairs.truth @ pairs.truth)

    def __call__(self, weights: Floats) -> Floats:
        squares = self._constant - 2 * weights @ self.targets
        squares = squares + ((weights @ self.products) * weights).sum(axis=1)
        return np.asarray(1 / np.sqrt(np.maximum(squares, 1e-12)))


def _best_of_face(target: _Fitness, face: tuple[float | None, ...]) -> Floats:
    point = np.array([0.0 if value is None else value for value in face])
    free = [place for place, value in enumerate(face) if value is None]
    if free:
        rest = target.targets[free] - target.products[free] @ point
        point[free] = np.linalg.lstsq(target.products[np.ix_(free, free)], rest, rcond=None)[0]
    return point


class Selection(StrEnum):
    """How the next generation is selected."""

    WHEEL = "wheel"  # one turn of a roulette wheel per individual; the best individual stays
    PRINTED = "printed"  # equation 7: an individual stays if its share reaches a random number; few do


class Mutation(StrEnum):
    """How weights mutate."""

    PRINTED = "printed"  # equation 9: all four weights grow by the same random number
    SIGNED = "signed"  # each moves a little, up or down


@dataclass(frozen=True, slots=True)
class Hybrid:
    """The parameters of HA, with the paper's values if it gives any.

    At its temperatures nearly every worse neighbour is accepted: ``start=0.05`` and ``end=5e-5`` fit the
    size of the fitness.
    """

    population: int = 50
    generations: int = 3000
    crossover: tuple[float, float] = (0.3, 0.7)
    mutation: tuple[float, float] = (0.1, 0.5)
    steepness: float = 9.903438  # a
    start: float = 100.0
    cooling: float = 0.99
    end: float = 0.1
    step: float = 0.05  # of a neighbour
    selects: Selection = Selection.WHEEL
    mutates: Mutation = Mutation.PRINTED


CORRECTED = Hybrid(start=0.05, end=5e-5, mutates=Mutation.SIGNED)


def hybrid(pairs: Pairs, rng: Random, *, parameters: Hybrid | None = None) -> Weights:
    """Return the weights found by the hybrid algorithm."""
    parameters = parameters or Hybrid()
    target = _Fitness(pairs)
    return anneal(_evolved(target, rng, parameters), target, rng, parameters=parameters)[0]


def _evolved(target: _Fitness, rng: Random, p: Hybrid) -> Weights:
    """The best individual that ever lived."""
    people = first_population(p.population, rng)
    best, best_fit = EQUAL, -inf
    for generation in range(1, p.generations + 1):
        fit = target(people)
        leader = int(np.argmax(fit))
        if fit[leader] > best_fit:
            best, best_fit = _weights(people[leader]), float(fit[leader])
        chosen = _selected(fit, rng, p.selects)
        people, fit = people[chosen], fit[chosen]
        u = unlikeness(people, generation)
        people = _crossed(people, _chances(fit, _rate(p.crossover, u, p.steepness)), rng)
        fit = target(people)
        people = _mutated(people, _chances(fit, _rate(p.mutation, u, p.steepness)), rng, p.mutates)
        if p.selects is Selection.WHEEL:
            people[0] = best
    return best


def first_population(size: int, rng: Random) -> Floats:
    """Random individuals without duplicates; all are drawn again if half are duplicates."""
    while True:
        found = dict.fromkeys(tuple(rng.random() for _ in range(4)) for _ in range(size))
        if len(found) > size / 2:
            break
    while len(found) < size:
        found[tuple(rng.random() for _ in range(4))] = None
    return np.array(list(found))


def _selected(fit: Floats, rng: Random, selection: Selection) -> list[int]:
    shares = fit / fit.sum()
    if selection is Selection.WHEEL:
        return rng.choices(range(len(fit)), weights=shares.tolist(), k=len(fit))
    kept = [number for number, share in enumerate(shares) if rng.random() <= share]
    kept = kept or [int(np.argmax(fit))]
    return [kept[number % len(kept)] for number in range(len(fit))]  # the population keeps its size


def unlikeness(people: Floats, generation: int) -> float:
    """U(t) of equation 8: the entropy of the population, in classes of weights with the same tenths.

    >>> unlikeness(np.zeros((4, 4)), 1), unlikeness(np.diag([0.2, 0.4, 0.6, 0.8]), 1)
    (-1.0, 1.0)
    """
    _, counts = np.unique(np.round(people, 1), axis=0, return_counts=True)
    shares = counts / len(people)
    entropy = abs(float(-(shares * np.log2(shares)).sum()))
    return 2 * entropy / (log2(1 + generation) * log2(len(people))) - 1


def _rate(bounds: tuple[float, float], u: float, steepness: float) -> float:
    least, most = bounds
    return (most - least) / (1 + exp(-steepness * u)) + least


def _chances(fit: Floats, rate: float) -> Floats:
    """The rate of change of an individual: it falls with the fitness above the mean, to 0 for the best."""
    above = fit.max() - fit.mean()
    if above <= 0:
        return np.full(len(fit), rate)
    return np.where(fit >= fit.mean(), rate * (fit.max() - fit) / above, rate)


def _crossed(people: Floats, chances: Floats, rng: Random) -> Floats:
    crossed = people.copy()
    for j in range(0, len(people) - 1, 2):
        k, share = j + 1, rng.random()
        if rng.random() <= chances[j]:
            crossed[j] = share * people[j] + (1 - share) * people[k]
        if rng.random() <= chances[k]:
            crossed[k] = share * people[k] + (1 - share) * people[j]
    return crossed


def _mutated(people: Floats, chances: Floats, rng: Random, mutation: Mutation) -> Floats:
    mutated = people.copy()
    for number, chance in enumerate(chances):
        if rng.random() <= chance:
            if mutation is Mutation.PRINTED:
                mutated[number] += rng.random()
            else:
                mutated[number] += [rng.gauss(0.0, 0.1) for _ in range(4)]
    return np.clip(mutated, 0.0, 1.0)


def anneal(
    start: Weights, target: "_Fitness | Pairs", rng: Random, *, parameters: Hybrid | None = None
) -> tuple[Weights, int]:
    """Algorithm 1: the best weights on a walk from ``start``, and the number of weights tried."""
    p = parameters or Hybrid()
    objective = _Fitness(target) if isinstance(target, Pairs) else target
    current = best = np.array(start)
    power = best_power = float(objective(current[np.newaxis])[0])
    temperature, trials = p.start, 0
    while temperature > p.end:
        near = np.clip(current + [rng.uniform(-p.step, p.step) for _ in range(4)], 0.0, 1.0)
        new = float(objective(near[np.newaxis])[0])
        if new > power or rng.random() < exp((new - power) / temperature):
            current, power = near, new
        if new > best_power:
            best, best_power = near, new
        temperature *= p.cooling
        trials += 1
    return _weights(best), trials


def _weights(values: Floats) -> Weights:
    full, anchor, title, context = (float(value) for value in values)
    return full, anchor, title, context
