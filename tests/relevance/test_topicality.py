"""A relevance that people can read."""

from pathlib import Path
from statistics import median

import pytest
from helpers.runs import SEEDS, WEB, lines, small_run
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.run_directory.status import scale_of, summary
from fcwseo.relevance.topicality import FEWEST_ORDINARY, Scale, Topicality, stands_out
from fcwseo_ontology.topic import topic_of_words

shares = st.floats(0, 1)


@given(st.lists(shares, min_size=FEWEST_ORDINARY), shares, shares)
def test_more_relevance_never_reads_as_less(ordinary: list[float], one: float, other: float) -> None:
    scale, order = Scale(0.3, ordinary), [*Topicality]
    low, high = (scale.reading(relevance) for relevance in sorted((one, other)))
    assert low.percentile is not None and high.percentile is not None
    assert 0 <= low.percentile <= high.percentile <= 100
    assert order.index(low.topicality) <= order.index(high.topicality)


def test_few_ordinary_pages_make_no_percentile() -> None:
    assert Scale(0.1, [0.0] * (FEWEST_ORDINARY - 1)).percentile(0.1) is None
    assert Scale(0.1, [0.0] * FEWEST_ORDINARY).percentile(0.1) == 100


@pytest.mark.parametrize("eta", [0.0, 0.01])
def test_a_page_without_words_of_the_topic_is_off_it(eta: float) -> None:
    assert Scale(eta).topicality(0.0) is Topicality.OFF


def test_the_status_reads_seeds_and_kept_pages(tmp_path: Path) -> None:
    small_run(tmp_path)
    facts = summary(tmp_path)
    pages = [row for row in lines(tmp_path / "visits.jsonl") if row["outcome"] == "page"]
    assert facts["seeds"].relevance == median(row["relevance"] for row in pages if row["depth"] == 0)
    assert facts["kept"].relevance == median(row["relevance"] for row in pages if row["kept"])
    assert facts["seeds"].topicality is facts["kept"].topicality is Topicality.ON
    assert stands_out(facts["seeds"])
    assert facts["kept"] == scale_of(tmp_path).reading(facts["kept"].relevance)


def test_seeds_off_the_topic_do_not_stand_out(tmp_path: Path) -> None:
    small_run(tmp_path, topic=topic_of_words("bees", {"honey bee": 1.0, "queen": 0.1}))
    seeds = summary(tmp_path)["seeds"]
    assert seeds.topicality is Topicality.OFF and not stands_out(seeds)


def test_a_run_without_pages_is_read_as_well(tmp_path: Path) -> None:
    small_run(tmp_path, seeds=[SEEDS[0]], max_pages=1)
    facts = summary(tmp_path)
    assert facts["seeds"].percentile is None and SEEDS[0] in WEB
