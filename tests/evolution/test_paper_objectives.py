"""Priority, estimate, and the evidence that objectives are made of."""

import asyncio
import math

import numpy as np
import pytest
from helpers.fakes import SmallWeb
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.errors import InvalidInput
from fcwseo.evolution.paper_objectives import Lambdas, Objectives, priority
from fcwseo.links.paper_evidence import Evidence, estimate
from fcwseo.pages import Failure, Page
from fcwseo.relevance.paper import PaperRelevance
from fcwseo.strategies.fcwseo_paper import look_ahead
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 0.8, "flood": 0.6})
values = st.floats(0, 1)
objectives = st.tuples(values, values, values, values).map(lambda row: Objectives(*row))


def test_priority_by_hand() -> None:
    rows = np.array([[0.5, 0.4, 0.2, 1.0]])
    assert priority(rows, Lambdas()) == pytest.approx([0.15 + 0.06 + 0.07 + 0.2])


@given(objectives)
def test_priority_lies_between_the_worst_and_the_best_objective(row: Objectives) -> None:
    score = priority(np.array([row]), Lambdas())[0]
    assert min(row) - 1e-12 <= score <= max(row) + 1e-12


@given(objectives, objectives)
def test_dominance(here: Objectives, there: Objectives) -> None:
    rows = np.array([here, there])
    assert here.dominates(there) == bool((rows[0] >= rows[1]).all() and (rows[0] > rows[1]).any())
    assert not (here.dominates(there) and there.dominates(here))


def test_the_estimate_before_learning() -> None:
    assert estimate(np.array([0.2, 1.0]), np.array([0.6, 1.0])) == pytest.approx([0.4, 1.0])


def row(evidence: Evidence, number: int) -> list[float]:
    return [round(value, 6) for value in evidence.rows([number], np.array([0.5]))[0]]


def test_f2_is_the_mean_over_parents_and_f3_the_best_anchor() -> None:
    evidence = Evidence(PaperRelevance(TOPIC))
    assert evidence.link(7, 0.9, "flood", "rainstorm") == pytest.approx(0.8)
    assert evidence.link(7, 0.1, "flood") == pytest.approx(0.6)
    assert row(evidence, 7) == [0.65, 0.5, 0.8, 0.5]


def test_f1_is_known_once_the_page_is() -> None:
    evidence = Evidence(PaperRelevance(TOPIC))
    evidence.link(3, 0.4, "flood")
    evidence.visit(3, 3, 0.125)
    assert row(evidence, 3) == [0.125, 0.4, 0.6, 0.5]


def test_nothing_is_known_of_a_new_link() -> None:
    assert row(Evidence(PaperRelevance(TOPIC)), 9) == [0, 0, 0, 0.5]


def test_what_spoke_for_a_link_speaks_for_the_page_that_it_is_redirected_to() -> None:
    evidence = Evidence(PaperRelevance(TOPIC))
    evidence.link(1, 0.4, "rainstorm")
    evidence.link(2, 0.8, "flood")
    evidence.visit(1, 2, 1.0)
    assert row(evidence, 2) == [1.0, 0.6, 0.8, 0.5]


def test_f3_follows_as_words_become_common() -> None:
    relevance = PaperRelevance(TOPIC)
    evidence = Evidence(relevance)
    evidence.link(1, 0.0, "rainstorm and flood")
    evidence.link(2, 0.0, "flood", "rainstorm and flood")
    before = row(evidence, 1)[2]
    for count in range(400):
        relevance(Page(str(count), groups=("flood", "", "", "", "")))
        evidence.refresh()
    assert relevance.of_text("rainstorm and flood") < before
    rain, flood = math.log(400.01), math.log(1.01)  # at the 256th page or later the second is what it is now
    assert row(evidence, 1)[2] == pytest.approx(
        (0.8 * rain + 0.6 * flood) / math.hypot(rain, flood), abs=1e-3
    )
    assert row(evidence, 2)[2] == row(evidence, 1)[2]
    assert evidence.link(3, 0.0, "flood and rainstorm") == pytest.approx(row(evidence, 1)[2])


def test_an_oracle_sees_what_is_behind_a_link() -> None:
    class TextWeb(SmallWeb):
        async def fetch(self, url: str) -> Page | Failure:
            page = await super().fetch(url)
            return Page(page.url, groups=(url, "", "", "", "")) if isinstance(page, Page) else page

    relevance = PaperRelevance(TOPIC)
    see = look_ahead(TextWeb({"flood": "", "fog": ""}), relevance)
    assert [see("flood"), see("fog"), see("rainstorm")] == pytest.approx([0.6, 0.0, 0.0])
    assert relevance.pages == 0


def test_a_web_that_takes_its_time_is_no_oracle() -> None:
    class SlowWeb(SmallWeb):
        async def fetch(self, url: str) -> Page | Failure:
            await asyncio.sleep(0)
            return Page(url)

    with pytest.raises(InvalidInput, match="small did not answer at once"):
        look_ahead(SlowWeb({}), PaperRelevance(TOPIC))("a")
