"""PageRank, against the solution of its equations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fcwseo.links import pagerank
from fcwseo.links.graph import LinkGraph
from fcwseo.links.pagerank import Form, PageRank

Anchors = dict[int, dict[int, float]]  # the relevance of the anchor by page and target

WEBS = st.dictionaries(
    st.integers(0, 9),
    st.dictionaries(st.integers(0, 9), st.sampled_from([0, 0.25, 1]), max_size=4),
    max_size=10,
)
DAMPING = 0.85


def graph_of(anchors: Anchors) -> LinkGraph:
    graph = LinkGraph()
    for source, links in anchors.items():
        graph.add(source, list(links), list(links.values()))
    return graph


def solved(anchors: Anchors, size: int, form: Form, omega: float) -> NDArray[np.float64]:
    """The fixed point of the equation, by a dense solver."""
    passes = np.zeros((size, size))
    for source, links in anchors.items():
        total = sum(1 + omega * share for share in links.values())
        for target, share in links.items():
            passes[target, source] = (1 + omega * share) / (total if form is Form.STOCHASTIC else len(links))
    return np.linalg.solve(np.eye(size) - DAMPING * passes, np.full(size, 1 - DAMPING))


def closed(share: float) -> LinkGraph:
    """50 pages with five links each, all among them."""
    chance = np.random.default_rng(0)
    graph = LinkGraph()
    for source in range(50):
        graph.add(source, chance.choice(50, 5, replace=False).tolist(), [share] * 5)
    return graph


@given(WEBS, st.sampled_from([(Form.STOCHASTIC, 0), (Form.STOCHASTIC, 1), (Form.STOCHASTIC, 7)]))
def test_the_stochastic_form_is_the_solution(anchors: Anchors, choice: tuple[Form, float]) -> None:
    graph = graph_of(anchors)
    rank = PageRank(graph, form=choice[0], omega=choice[1])
    rank.observe()
    rank.recompute()
    assert np.allclose(rank.values, solved(anchors, graph.size, *choice), atol=2e-5)
    assert rank.largest == rank.values.max(initial=1 - DAMPING)


@given(WEBS, st.sampled_from([0, 0.05]))
def test_the_form_of_the_paper_is_the_solution(anchors: Anchors, omega: float) -> None:
    graph = graph_of(anchors)
    rank = PageRank(graph, form=Form.PAPER, omega=omega)
    rank.observe()
    rank.recompute()
    exact = solved(anchors, graph.size, Form.PAPER, omega)
    assert np.allclose(rank.values, exact, rtol=1e-4)  # .8925 ** 100 of a loop is left after all sweeps


@pytest.mark.parametrize(("form", "omega"), [(Form.PAPER, 0), (Form.STOCHASTIC, 0), (Form.STOCHASTIC, 9)])
def test_in_a_closed_web_the_mean_is_one(form: Form, omega: float) -> None:
    rank = PageRank(closed(1.0), form=form, omega=omega)
    rank.observe()
    rank.recompute()
    assert rank.values.mean() == pytest.approx(1, abs=1e-4)
    assert rank.scaled.max() == 1


def test_a_large_omega_would_diverge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were it not refused: after some sweeps more the values are larger still, and by far."""
    with pytest.raises(ValueError, match=r"may diverge in the form of the paper: choose less than 0\.176"):
        PageRank(closed(1.0), form=Form.PAPER, omega=1)
    monkeypatch.setattr(pagerank, "_check", lambda *_: None)
    monkeypatch.setattr(pagerank, "_SWEEPS", 20)
    rank = PageRank(closed(1.0), form=Form.PAPER, omega=1)
    rank.observe()
    means = []
    for _ in range(3):
        rank.recompute()
        means.append(rank.values.mean())
    assert means[0] > 1000
    assert means[1] / means[0] == pytest.approx((2 * DAMPING) ** 20, rel=0.01)
    assert means[2] > 1e12


@pytest.mark.parametrize("omega", [0.15, 0.176])
def test_the_form_of_the_paper_below_its_limit(omega: float) -> None:
    """The worst case: all anchors fully relevant. Mean m solves m = (1 - d) + d (1 + omega) m."""
    rank = PageRank(closed(1.0), form=Form.PAPER, omega=omega)
    rank.observe()
    for _ in range(200):
        rank.recompute()
    assert rank.values.mean() == pytest.approx(0.15 / (1 - DAMPING * (1 + omega)), rel=0.01)


def test_each_form_has_its_omega() -> None:
    shares = {0: {1: 1.0, 2: 0.0}}
    by_paper, stochastic = (PageRank(graph_of(shares), form=form) for form in (Form.PAPER, Form.STOCHASTIC))
    by_paper.observe()
    stochastic.observe()
    assert by_paper.values == pytest.approx(solved(shares, 3, Form.PAPER, 0.15))
    assert stochastic.values == pytest.approx(solved(shares, 3, Form.STOCHASTIC, 1))


@pytest.mark.parametrize("wrong", [{"damping": 1.0}, {"damping": 0.0}, {"omega": -1.0}, {"omega": np.nan}])
def test_what_has_no_meaning_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must"):
        PageRank(LinkGraph(), **wrong)  # type: ignore[arg-type]


def test_an_unvisited_target_has_a_value_at_once() -> None:
    graph = LinkGraph()
    rank = PageRank(graph)
    graph.add(0, [1, 2], [1, 0])
    rank.observe()
    assert rank.values == pytest.approx([0.15, 0.15 + 0.85 * 0.15 * 2 / 3, 0.15 + 0.85 * 0.15 / 3])
    graph.add(1, [2], [0.5])
    rank.observe()
    assert rank.values[2] == pytest.approx(0.15 + 0.85 * (0.15 / 3 + rank.values[1]))
    assert rank.largest == rank.values[2]


def growing(pages: int) -> list[list[int]]:
    chance = np.random.default_rng(1)
    return [np.unique(chance.integers(0, 3 * page + 3, 4)).tolist() for page in range(pages)]


def test_in_between_values_are_near_the_solution() -> None:
    graph = LinkGraph()
    rank = PageRank(graph)
    for page, targets in enumerate(growing(1400)):
        graph.add(page, targets, [0.5] * len(targets))
        rank.observe()
    before = rank.values.copy()
    rank.recompute()
    assert np.corrcoef(before, rank.values)[0, 1] > 0.99
    assert rank.scaled.max() == 1


def test_it_does_not_matter_when_pages_are_observed() -> None:
    one, many = LinkGraph(), LinkGraph()
    each, late = PageRank(one), PageRank(many)
    for page, targets in enumerate(growing(1100)):
        for graph in (one, many):
            graph.add(page, targets, [0.25] * len(targets))
        each.observe()
    late.observe()
    assert each.values.tolist() == late.values.tolist()
    assert each.largest == late.largest


def test_all_values_are_computed_anew_less_and_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, when = LinkGraph(), list[int]()
    monkeypatch.setattr(PageRank, "recompute", lambda self: when.append(self._pages))
    rank = PageRank(graph)
    for page in range(12_000):
        graph.add(page, [page + 1], [0])
    rank.observe()
    assert when[:10] == list(range(500, 5001, 500))
    gaps = np.diff(when[10:])
    assert (np.diff(gaps) > 0).all()
    assert np.allclose(gaps / when[10:-1], 0.1, atol=0.001)


def test_recomputing_begins_from_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sweep is enough where nothing has changed."""
    rank = PageRank(closed(0.5))
    rank.observe()
    rank.recompute()
    settled = rank.values.copy()
    monkeypatch.setattr(pagerank, "_SWEEPS", 1)
    rank.recompute()
    assert np.abs(rank.values - settled).max() < 1e-6
