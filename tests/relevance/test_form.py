"""The form of a page: menus hardly count against it, unless its list goes on."""

import pytest

from fcwseo.pages import Link, Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.form import form, prose
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.8})
URL = "http://a.example/tag/rain"
TEXT = "rainstorm flood " * 10
MENU = tuple(Link(f"http://a.example/{n}", URL, anchor="rainstorm flood") for n in range(9))
SECOND = Link(f"{URL}/page/2", URL, anchor="2")


def page(*links: Link, text: str = TEXT) -> Page:
    return Page(URL, "", text, links, ("", "", "", text, ""), "en")


def test_a_page_is_hardly_worse_for_its_menu() -> None:
    relevance = TopicalRelevance(TOPIC)
    assert prose(page(*MENU)) < 0.2
    assert relevance(page()) > relevance(page(*MENU)) > 0.3 * relevance(page())


def test_a_list_of_links_that_goes_on_is_no_document() -> None:
    assert TopicalRelevance(TOPIC)(page(*MENU, SECOND)) < 0.001 * TopicalRelevance(TOPIC)(page(*MENU))


def test_an_article_that_goes_on_is_a_document() -> None:
    assert form(page(SECOND, text=TEXT * 20)) > 0.99


@pytest.mark.parametrize(
    "link",
    [
        Link(URL, URL, anchor="1"),  # to itself
        Link("http://a.example/tag/wind/page/2", URL, anchor="2"),  # of another list
        Link(f"{URL}/page/2", URL, anchor="Two dead in the flood"),  # named as an article
    ],
)
def test_these_links_continue_no_list(link: Link) -> None:
    assert form(page(*MENU, link, text=2 * TEXT)) > 0.3


def test_a_page_that_is_all_links_is_not_relevant() -> None:
    assert form(page(*MENU, *MENU)) == 0.0
