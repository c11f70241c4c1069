"""Weights of the four texts: the hybrid algorithm of paper 003, and the exact solution."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.strategies.rivals import fitting
from fcwseo.strategies.rivals.fitting import (
    CORRECTED,
    EQUAL,
    Hybrid,
    Mutation,
    Pairs,
    Selection,
    anneal,
    first_population,
    fitness,
    hybrid,
    least_squares,
    mean_absolute_error,
    pairs_of,
    unlikeness,
)
from fcwseo.uses.fit_weights import Method, fit_weights, fitted, web_of
from fcwseo.webs.generated import GeneratedWeb


def links(seed: int = 0, count: int = 300) -> Pairs:
    chance = np.random.default_rng(seed)
    texts = chance.random((count, 4)) * [0.6, 0.5, 0.4, 0.6]
    truth = texts @ [0.25, 0.05, 0.0, 0.3] + chance.normal(0, 0.05, count)
    return pairs_of(texts, np.clip(truth, 0, 1))


SHORT = Hybrid(population=20, generations=60)


def test_annealing_tries_688_neighbours() -> None:
    assert anneal(EQUAL, links(), Random(0))[1] == 688
    assert anneal(EQUAL, links(), Random(0), parameters=CORRECTED)[1] == 688


def test_annealing_at_the_right_temperatures_finds_more() -> None:
    found = [anneal(EQUAL, links(), Random(0), parameters=p)[0] for p in (Hybrid(), CORRECTED)]
    printed, corrected = (fitness(weights, links()) for weights in found)
    assert fitness(EQUAL, links()) <= printed < corrected


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(0, 8)] * 5), min_size=1, max_size=8),
    st.lists(st.tuples(*[st.floats(0, 1)] * 4), min_size=1, max_size=20),
)
def test_no_weights_are_better_than_least_squares(
    rows: list[tuple[int, ...]], others: list[tuple[float, float, float, float]]
) -> None:
    """Also where columns are the same, or nothing."""
    pairs = pairs_of([[value / 8 for value in row[:4]] for row in rows], [row[4] / 8 for row in rows])
    best = least_squares(pairs)
    assert all(0 <= weight <= 1 for weight in best)
    assert all(fitness(best, pairs) >= fitness(other, pairs) * (1 - 1e-6) for other in others)


@pytest.mark.parametrize("selects", Selection)
@pytest.mark.parametrize("mutates", Mutation)
def test_least_squares_is_never_worse_than_the_hybrid(selects: Selection, mutates: Mutation) -> None:
    for seed in range(3):
        parameters = Hybrid(population=20, generations=60, selects=selects, mutates=mutates)
        found = hybrid(links(seed), Random(seed), parameters=parameters)
        assert all(0 <= weight <= 1 for weight in found)
        assert fitness(least_squares(links(seed)), links(seed)) >= fitness(found, links(seed))
        assert hybrid(links(seed), Random(seed), parameters=parameters) == found


def test_the_corrected_hybrid_comes_near_the_exact_solution() -> None:
    parameters = Hybrid(population=20, generations=200, start=0.05, end=5e-5, mutates=Mutation.SIGNED)
    found = hybrid(links(), Random(0), parameters=parameters)
    assert fitness(found, links()) > 0.99 * fitness(least_squares(links()), links())


@pytest.mark.slow
def test_both_beat_equal_weights_on_links_held_out() -> None:
    train, test = links(count=400).halves()
    assert len(train.truth) == len(test.truth) == 200
    for method in (Method.LEAST_SQUARES, Method.HA_CORRECTED):
        found = fitted(train, method, Random(0))
        assert mean_absolute_error(found, test) < mean_absolute_error(EQUAL, test)


def test_the_first_population_has_no_twins() -> None:
    class Repeating(Random):
        """Draws the same individual twice, once."""

        drawn = 0

        def random(self) -> float:
            self.drawn += 1
            return 0.5 if self.drawn <= 8 else super().random()

    people = first_population(10, Repeating(0))
    assert len(people) == 10 == len(np.unique(people, axis=0))


def test_rates_follow_the_entropy() -> None:
    alike, unlike = np.zeros((8, 4)), np.random.default_rng(0).random((8, 4))
    assert unlikeness(alike, 1) == -1.0
    assert unlikeness(unlike, 1) == 1.0
    assert unlikeness(unlike, 100) < 0  # as generations pass
    least, most = fitting._rate((0.3, 0.7), -1.0, 9.9), fitting._rate((0.3, 0.7), 1.0, 9.9)
    assert 0.3 < least < 0.301 and 0.699 < most < 0.7


def test_the_best_individual_does_not_change() -> None:
    chances = fitting._chances(np.array([1.0, 2.0, 4.0]), 0.5)
    assert chances.tolist()[0] == 0.5 and chances[2] == 0.0
    assert fitting._chances(np.ones(3), 0.5).tolist() == [0.5] * 3


# From a crawl


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    web = GeneratedWeb(0, 400)
    out = tmp_path_factory.mktemp("runs") / "run"
    run_crawl(web, web.topic(), web.seeds("rainstorm"), out, Plan(max_pages=80, strategy="best-first"))
    return out


@pytest.mark.parametrize("method", [Method.LEAST_SQUARES, Method.HA_CORRECTED])
def test_weights_from_a_crawl_beat_equal_ones(
    run: Path, method: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "fcwseo.uses.fit_weights.CORRECTED", Hybrid(population=20, generations=100, start=0.05, end=5e-5)
    )
    equal, found = fit_weights(run, method=method)
    assert equal.weights == EQUAL and found.name == method
    assert found.error < equal.error


def test_a_run_without_links_to_learn_from(tmp_path: Path) -> None:
    web = GeneratedWeb(0, 400)
    run_crawl(web, web.topic(), web.seeds("rainstorm"), tmp_path / "run", Plan(max_pages=8, strategy="bfs"))
    with pytest.raises(InvalidRun, match="fitting needs at least 20"):
        fit_weights(tmp_path / "run")


def test_another_web_is_refused(run: Path) -> None:
    with pytest.raises(InvalidRun, match="is not the page that"):
        fit_weights(run, web="generated-300-7")


def test_an_unknown_scorer_is_refused(run: Path) -> None:
    with pytest.raises(InvalidInput, match="there are: topical, word2vec"):
        fit_weights(run, scorer="magic")


def test_a_web_that_is_not_known_by_name_has_to_be_named(run: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    copy.mkdir()
    (copy / "run.json").write_text((run / "run.json").read_text().replace("generated-400-0", "weather"))
    with pytest.raises(InvalidRun, match="name the web that it crawled, weather, with --web"):
        web_of(copy)
