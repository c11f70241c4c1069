"""The comprehensive priority of known links, by hand, and its terms on one scale."""

from collections.abc import Sequence

import numpy as np
import pytest

from fcwseo.crawling.engine import SEEDS
from fcwseo.evolution.paper_objectives import Lambdas
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies.rivals.priority import SEED, Priorities
from fcwseo_ontology.topic import topic_of_words

JUDGE = TopicalRelevance(topic_of_words("rain", {"rainstorm": 1.0, "flood": 1.0}))
RAIN = JUDGE.of_text("rainstorm")


def page(url: str, *links: tuple[str, str]) -> Page:
    return Page(url, links=tuple(Link(target, url, anchor) for target, anchor in links))


def started(seeds: str, lambdas: Lambdas | None = None) -> Priorities:
    priorities = Priorities(JUDGE, lambdas=lambdas)
    first = page(SEEDS, *((seed, "") for seed in seeds.split()))
    priorities.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), first))
    return priorities


def seen(priorities: Priorities, step: int, found: Page, relevance: float) -> Sequence[int]:
    number = priorities.frontier.number(found.url)
    return priorities.observe(Visit(step, priorities.follow(number), found, relevance))


def names(priorities: Priorities, numbers: Sequence[int]) -> str:
    return " ".join(priorities.frontier.url(number) for number in numbers)


def test_the_objectives_of_a_link_on_two_pages() -> None:
    priorities = started("s t")
    links = seen(priorities, 1, page("s", ("a", "more"), ("a", "rainstorm"), ("b", "")), 0.6)
    assert names(priorities, links) == "a b"
    seen(priorities, 2, page("t", ("a", "")), 0.2)
    f1, f2, f3, f4 = priorities.objectives([priorities.frontier.number("a")])[0]
    assert f2 == pytest.approx(0.4)  # the mean over two pages, though one of them has two links there
    assert f3 == pytest.approx(RAIN)  # the best of three anchors
    assert f1 == pytest.approx((0.4 + RAIN) / 2)
    assert f4 == 1.0  # two pages link there, one of them by a relevant anchor


def test_f1_of_a_page_is_its_own_relevance() -> None:
    priorities = started("s")
    seen(priorities, 1, page("s", ("a", "")), 0.6)
    assert priorities.objectives([priorities.frontier.number("s")])[0, 0] == 0.6


def test_seeds_come_first() -> None:
    priorities = started("s t")
    seen(priorities, 1, page("s", ("a", "rainstorm"), ("t", "")), 1.0)
    assert names(priorities, priorities.top(9)) == "t a"
    assert priorities.value(priorities.frontier.number("t")) == SEED


def test_each_objective_is_measured_by_its_deviation() -> None:
    """Relevances a hundred times smaller rank links in the same way: no term swamps another."""

    def order(scale: float) -> str:
        priorities = started("s t u", Lambdas(0.0, 0.5, 0.0, 0.5))
        seen(priorities, 1, page("s", ("a", ""), ("b", "")), 0.9 * scale)
        seen(priorities, 2, page("t", *((name, "") for name in "abcdefgh")), 0.3 * scale)
        seen(priorities, 3, page("u", ("c", ""), ("h", ""), ("i", "")), 0.7 * scale)
        return names(priorities, priorities.top(20))

    assert order(1.0) == order(0.01)
    assert order(1.0).startswith("a b")


def test_an_objective_that_is_the_same_for_all_links_does_not_count() -> None:
    priorities = started("s")
    seen(priorities, 1, page("s", ("a", ""), ("b", "")), 0.5)
    assert np.isfinite(priorities.values([2, 3])).all()


def test_news_of_a_link_changes_its_place() -> None:
    priorities = started("s t u", Lambdas(0.0, 1.0, 0.0, 0.0))
    seen(priorities, 1, page("s", ("a", "")), 0.5)
    seen(priorities, 2, page("t", ("b", "")), 0.4)
    assert names(priorities, priorities.top(9)) == "u a b"
    seen(priorities, 3, page("u", ("a", "")), 0.1)  # the mean of a falls to 0.3
    assert names(priorities, priorities.top(9)) == "b a"


def test_put_back_until_there_is_news() -> None:
    priorities = started("s t", Lambdas(0.0, 1.0, 0.0, 0.0))
    seen(priorities, 1, page("s", ("a", ""), ("b", "")), 0.5)
    priorities.put_back(priorities.frontier.number("a"))
    assert names(priorities, priorities.top(9)) == "t b a"
    seen(priorities, 2, page("t", ("a", "")), 0.9)
    assert names(priorities, priorities.top(9)) == "a b"


def test_a_failure_adds_nothing() -> None:
    priorities = started("s")
    link = priorities.follow(priorities.frontier.number("s"))
    assert priorities.observe(Visit(1, link, Failure("s", Why.GONE))) == ()
    assert priorities.best() is None


def test_what_is_followed_says_what_was_expected() -> None:
    priorities = started("s")
    seen(priorities, 1, page("s", ("a", "rainstorm")), 0.5)
    link = priorities.follow(priorities.frontier.number("a"))
    assert link.objectives is not None
    assert link.predicted == link.objectives[0] == pytest.approx((0.5 + RAIN) / 2)
