"""Whose text a page has, against texts whose owner is plain."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.engine import SEEDS
from fcwseo.links.evidence import repeats
from fcwseo.links.evidence.repeats import FREE, LITTLE, SHORTEST, Passages, read
from fcwseo.links.evidence.table import LinkTable
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo_ontology.topic import topic_of_words

TOPIC = topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.8})
NAMES = ["list0", "list1", "list2", *(f"post{n}" for n in range(30)), *"abc", "print/a", "hub", "new", "book"]
LIST_PATH, POST_PATH, MENU = "main/article/h2/a", "main/p/a", "nav/ul/li/a"


def url(name: str) -> str:
    return f"http://a.example/{name}"


def text(name: str, *, paragraphs: int = 3) -> list[str]:
    rng = Random(name)
    return [" ".join(f"w{rng.randrange(9999)}" for _ in range(40)) for _ in range(paragraphs)]


class Told:
    """The outcomes that a table learns from pages of relevance 0.5, each a share of it."""

    def __init__(self) -> None:
        self.table = LinkTable(TopicalRelevance(TOPIC))
        seeds = tuple(Link(url(name), SEEDS) for name in NAMES)
        self.table.observe(Visit(0, Link(SEEDS, SEEDS), Page(SEEDS, links=seeds)))

    def tell(self, name: str, lines: list[str], links: list[str], path: str) -> float:
        others = [Link(url(link), url(name), link, tag_path=path) for link in links]
        others.append(Link(url("home"), url(name), "home", tag_path=MENU))
        page = Page(url(name), text="\n".join(lines), links=tuple(others))
        self.table.observe(Visit(1, Link(url(name), SEEDS), page, 0.5))
        return self.table.outcome / 0.5

    def list(self, number: int) -> float:
        """A list that repeats ten posts whole and links to them."""
        names = [f"post{10 * number + n}" for n in range(10)]
        lines = [line for name in names for line in text(name)]
        return self.tell(f"list{number}", lines, names, LIST_PATH)

    def post(self, number: int) -> float:
        name = f"post{number}"
        return self.tell(name, text(name), ["list0", "list1", "list2"], POST_PATH)


def test_a_post_keeps_its_text_though_its_list_came_first() -> None:
    told = Told()
    assert told.list(0) == 1.0  # not known yet
    assert [told.post(number) for number in range(4)] == [1.0] * 4


def test_a_list_of_known_posts_has_no_text_of_its_own() -> None:
    told = Told()
    told.tell("hub", ["Links to some posts of this blog."], [f"post{n}" for n in range(10)], MENU)
    assert [told.post(number) for number in range(10)] == [1.0] * 10
    assert told.list(0) == 0.0


def test_a_list_of_unknown_posts_is_recognised_by_the_lists_before() -> None:
    told = Told()
    assert told.list(0) == told.list(1) == 1.0
    assert told.post(0) == told.post(10) == 1.0
    assert told.table._repeats._kinds.listness(0) == 0.0  # it repeats one page: a quotation does so, too
    assert told.post(1) == told.post(11) == 1.0
    assert told.table._repeats._kinds.listness(0) == 1.0
    assert told.list(2) < 0.5
    assert told.tell("new", text("new"), [], POST_PATH) == 1.0


def test_a_page_that_does_not_link_to_what_it_repeats_is_no_list() -> None:
    told = Told()
    lines = [line for n in range(10) for line in text(f"post{n}")]
    told.tell("book", lines, ["post99"], LIST_PATH)
    assert [told.post(number) for number in range(4)] == [1.0] * 4
    assert told.table._repeats._kinds.listness(0) == 0.0


def test_a_print_version_counts_little_and_notices_cost_nothing() -> None:
    told = Told()
    notice = text("notice", paragraphs=1)
    assert told.tell("a", text("a") + notice, [], POST_PATH) == 1.0
    assert told.tell("print/a", text("a") + notice, [], POST_PATH) == 0.0
    assert told.tell("b", text("b") + notice, [], POST_PATH) == 1.0
    mixed = text("c", paragraphs=1) + text("a")
    own = len(mixed[0]) / sum(map(len, mixed))
    assert told.tell("c", mixed, [], POST_PATH) == pytest.approx(own / (1 - FREE)) and own < FREE


def test_titles_belong_to_the_pages_that_they_link_to() -> None:
    told = Told()
    titles = [f"post{n}" for n in range(30)]
    assert told.tell("hub", titles, titles, LIST_PATH) == 0.0
    assert told.tell("a", text("a") + titles, titles, LIST_PATH) == 1.0


def test_little_text_says_nothing() -> None:
    told = Told()
    short = ["This page has moved to another address."]
    assert len(short[0]) < LITTLE
    assert told.tell("a", short, [], POST_PATH) == told.tell("b", short, [], POST_PATH) == 1.0


def test_an_excerpt_is_recognised_by_its_beginning() -> None:
    (whole, _), (cut, lengths) = read(text("a")[0]), read(f"{text('a')[0][:90]} [...]")
    assert whole.tolist() == cut.tolist() and lengths.tolist() == [96.0]


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 9)), max_size=40))
def test_passages_have_the_holder_given_last(gifts: list[tuple[int, int]]) -> None:
    passages, plain = Passages(), dict[int, int]()
    for key, page in gifts:
        passages.give(np.array([key + 1], np.uint64), page)
        plain[key + 1] = page
    asked = range(1, 40)
    found = passages.holders(np.array(asked, np.uint64)).tolist()
    assert found == [plain.get(key, -1) for key in asked]


def test_the_store_of_passages_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeats, "SLOTS", 8)
    passages = Passages()
    for number in range(100):
        keys, _ = read(f"passage {number} ".ljust(SHORTEST, "x"))
        passages.give(keys, number)
        assert passages.holders(keys).tolist() == [number]
    assert len(passages._keys) == 8
