"""Lists that go on: which links go on with which list, and what that is worth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.engine import SEEDS
from fcwseo.links.evidence.table import LinkTable
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.form import leads_on, list_of
from fcwseo_ontology.topic import topic_of_words

TAG = "http://a.example/tags/rain/"


class Told:
    """A table after the first page of a list, and then others."""

    def __init__(self, *links: tuple[str, str]) -> None:
        self.table = LinkTable(TopicalRelevance(topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.8})))
        self.step = 0
        self.tell(SEEDS, 0.0, ("", TAG))
        self.tell(TAG, 0.0, *links)

    def tell(self, url: str, relevance: float, *links: tuple[str, str]) -> None:
        found = tuple(Link(target, url, anchor) for anchor, target in links)
        self.table.observe(Visit(self.step, Link(url, SEEDS), Page(url, links=found), relevance))
        self.step += 1

    def pagination_value(self, url: str) -> float:
        return float(self.table.pagination_value(np.array([self.table.row(url)]))[0])


ARTICLES = [("A flood", f"http://a.example/{number}.html") for number in range(4)]
SECOND = f"{TAG}page/2/"


@pytest.mark.usefixtures("all_counts")
def test_a_link_that_goes_on_with_a_list_is_worth_what_the_list_led_to() -> None:
    told = Told(*ARTICLES, ("2", SECOND))
    assert told.pagination_value(SECOND) == 0, "nothing is known of the list yet"
    told.tell("http://a.example/0.html", 0.8)
    told.tell("http://a.example/1.html", 0.6)
    mean = (0.0 + 0.8 + 0.6) / 3
    assert told.pagination_value(SECOND) == pytest.approx(mean + (0.8 + 0.6 - 2 * mean) / (2 + 3))
    assert told.pagination_value("http://a.example/2.html") == 0, "an article is no page of the list"


@pytest.mark.usefixtures("all_counts")
def test_the_pages_of_a_list_share_what_it_led_to() -> None:
    told = Told(*ARTICLES, ("2", SECOND))
    told.tell("http://a.example/0.html", 0.8)
    told.tell(SECOND, 0.0, ("A storm", "http://a.example/9.html"), ("3", f"{TAG}page/3/"))
    mean = 0.8 / 3
    assert told.pagination_value(f"{TAG}page/3/") == pytest.approx(mean + (0.8 - mean) / (1 + 3))


@pytest.mark.usefixtures("all_counts")
def test_a_page_of_the_list_does_not_speak_against_it() -> None:
    told = Told(*ARTICLES, ("2", SECOND), ("3", f"{TAG}page/3/"))
    told.tell("http://a.example/0.html", 0.8)
    told.tell(SECOND, 0.0, ("New", "http://a.example/new.html"))
    mean = 0.8 / 3
    assert told.pagination_value(f"{TAG}page/3/") == pytest.approx(mean + (0.8 - mean) / (1 + 3))


def test_a_list_whose_last_page_brought_only_more_pages_of_it_is_worth_nothing() -> None:
    """A calendar that goes on for ever, say."""
    told = Told(*ARTICLES, ("2", SECOND))
    told.tell("http://a.example/0.html", 0.8)
    assert told.pagination_value(SECOND) > 0
    told.tell(SECOND, 0.0, *ARTICLES, ("3", f"{TAG}page/3/"))
    assert told.pagination_value(f"{TAG}page/3/") == 0


@pytest.mark.parametrize(
    ("anchor", "target"),
    [
        ("Two", SECOND),  # not an anchor that leads on
        ("2", "http://a.example/tags/sun/page/2/"),  # of another list
        ("2", "http://b.example/tags/rain/page/2/"),  # of another host
        ("2", TAG),  # the page itself
    ],
)
def test_what_goes_on_with_no_list(anchor: str, target: str) -> None:
    told = Told(*ARTICLES, (anchor, target))
    told.tell("http://a.example/0.html", 0.8)
    assert told.pagination_value(target) == 0


@pytest.mark.parametrize(
    "ends",
    [
        ("/", "/page/2", "/page/13/", "/7/"),
        ("/", "/?page=2", "?start=25"),
        ("/list.php?f=7", "/list.php?f=7&start=50", "/list.php?f=7&page=2"),
        ("/index.html", "/index2.html", "/index_3.html", "/page4.html", "/list-5.html"),
    ],
)
def test_pages_of_one_list(ends: tuple[str, ...]) -> None:
    assert len({list_of(f"http://a.example/x{end}") for end in ends}) == 1


def test_lists_are_distinguished_by_numbers_and_words() -> None:
    urls = ("/forum?f=7", "/forum?f=8", "/tags/%E5%AE%B9", "/tags/%E9%AE%B9", "/2004/rain/", "/2005/rain/")
    gbk = ("/tags/%C8%DD%C6%F7", "/tags/%D7%C0%C3%E6")
    posts = ("/", "/?p=123", "/4711", "/a/1234.html", "/a/1235.html")
    for several in (urls, gbk, posts):
        assert len({list_of(f"http://a.example{url}") for url in several}) == len(several)


@given(st.lists(st.text("abz-.%äc", min_size=1, max_size=5), max_size=4), st.integers(0, 10**6))
def test_a_number_at_the_end_makes_no_other_list(parts: list[str], number: int) -> None:
    url = "/".join(["http://a.example", *parts, "x"])
    assert leads_on(str(number))
    assert list_of(f"{url}/page/{number}/") == list_of(f"{url}?page={number}") == list_of(url)


@pytest.mark.parametrize("part", ["1", "/1", "-1", "/page", "?page=1", "%E5"])
def test_an_address_of_endless_length_is_no_list(part: str) -> None:
    """Nor does it take for ever to see that."""
    long = "http://a.example/" + part * (100_000 // len(part)) + "x"
    assert list_of(long) == long
