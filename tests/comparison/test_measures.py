"""Measures of diversity: against those of TREC, and by their laws."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.comparison.measures import (
    MEASURES,
    JudgedRun,
    alpha_ndcg,
    effective_hosts,
    largest_share,
    max_ndcg,
    relevant_hosts,
    subtopic_recall,
)

Relevant = Mapping[str, frozenset[str]]


def crawled(urls: list[str], subtopics: Relevant, *, budget: int = 20) -> JudgedRun:
    relevant = [int(url in subtopics) for url in urls]
    return JudgedRun(
        urls=urls,
        relevance=[0.5] * len(urls),
        predicted=[None] * len(urls),
        relevant=relevant,
        total=len(subtopics),
        budget=budget,
        subtopics=subtopics,
    )


pages = st.lists(st.integers(0, 29), unique=True, min_size=1, max_size=20)
judged = st.dictionaries(
    st.integers(0, 29), st.frozensets(st.sampled_from("abcd"), min_size=1), min_size=1, max_size=25
)


def named(found: Mapping[int, frozenset[str]]) -> Relevant:
    return {f"http://h{number % 4}.example/{number}": own for number, own in found.items()}


def addresses(found: list[int]) -> list[str]:
    return [f"http://h{number % 4}.example/{number}" for number in found]


# Of sets that each hold the one before, or of one subtopic each, the ideal order knows no ties that matter.
untied = st.sampled_from(["abcd", ["a", "ab", "abc", "abcd"]]).flatmap(
    lambda sets: st.dictionaries(
        st.integers(0, 29), st.sampled_from(sets).map(frozenset), min_size=1, max_size=25
    )
)


@given(pages, untied)
def test_diversity_is_that_of_ndeval(visited: list[int], relevant: dict[int, frozenset[str]]) -> None:
    """Up to 20 pages: ndeval knows no more. Both fill up the ideal order greedily, and of several pages of
    the same gain may take different ones; where that makes no difference they agree.
    """
    pyndeval = pytest.importorskip("pyndeval")
    run = crawled(addresses(visited), named(relevant))
    numbers = {name: str(number) for number, name in enumerate("abcd")}
    qrels = [
        pyndeval.SubtopicQrel("1", numbers[name], url, 1)
        for url, own in run.subtopics.items()
        for name in sorted(own)
    ]
    scored = [pyndeval.ScoredDoc("1", url, float(-rank)) for rank, url in enumerate(run.urls)]
    found = pyndeval.ndeval(
        qrels, scored, measures=["strec@10", "strec@20", "alpha-nDCG@10", "alpha-nDCG@20"]
    )
    for n in (10, 20):
        assert subtopic_recall(run, n) == pytest.approx(found["1"][f"strec@{n}"], abs=1e-6)
        assert alpha_ndcg(run, n) == pytest.approx(found["1"][f"alpha-nDCG@{n}"], abs=1e-5)


@given(pages, judged)
def test_shares_lie_between_their_bounds(visited: list[int], relevant: dict[int, frozenset[str]]) -> None:
    run = crawled(addresses(visited), named(relevant))
    for measure in (subtopic_recall, max_ndcg):
        value = measure(run)
        assert value is not None and 0 <= value <= 1 + 1e-9
    every = crawled([*run.subtopics], run.subtopics, budget=30)
    assert subtopic_recall(every) == max_ndcg(every) == pytest.approx(1.0)
    hosts, share = effective_hosts(run), largest_share(run)
    if sum(run.relevant):
        assert hosts is not None and share is not None
        assert 1 - 1e-9 <= hosts <= relevant_hosts(run) + 1e-9 and 1 / hosts <= share + 1e-9
    else:
        assert hosts is None and share is None


def test_evenness_pays_in_max_ndcg() -> None:
    """Four pages of two subtopics are worth more than four of one."""
    relevant = {f"http://{name}.example/{i}": frozenset(name) for name in "ab" for i in range(4)}
    of_one, of_both = (
        [f"http://{name}.example/{i}" for name, i in some]
        for some in ([("a", 0), ("a", 1), ("a", 2), ("a", 3)], [("a", 0), ("b", 0), ("a", 1), ("b", 1)])
    )
    narrow, even = max_ndcg(crawled(of_one, relevant)), max_ndcg(crawled(of_both, relevant))
    assert narrow is not None and even is not None and narrow < even


def test_without_subtopics_there_is_no_diversity_to_measure() -> None:
    run = JudgedRun(["http://a.example/"], [0.5], [None], [1], total=1, budget=2)
    assert subtopic_recall(run) is None and alpha_ndcg(run) is None and max_ndcg(run) is None


def test_every_measure_says_what_it_is_and_where_it_is_from() -> None:
    assert all(measure.meaning and measure.reference for measure in MEASURES.values())
