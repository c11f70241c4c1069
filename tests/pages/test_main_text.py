"""Which blocks of a page are its main text."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.pages.html.main_text import main_blocks
from fcwseo.pages.html.names import beside
from fcwseo.pages.html.raw_page import Block, Element
from fcwseo.pages.html.roles import HEADING_ROLES, OUTSIDE, ROLES
from fcwseo.pages.parse import parse

URL = "http://a.example/"
SENTENCE = "The river rose by two metres in one night and flooded the old town."
OTHER = "Nobody here has seen anything like this before, says a reader of this page."
ARTICLE = f"<div class=text><p>{SENTENCE}</p><p>{SENTENCE} Again.</p><p>{SENTENCE} And again.</p></div>"


def text(html: str) -> str:
    return parse(f"<body>{html}</body>", URL).text


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attributes",
    [
        "class=comments-area",
        "class='wide commentList'",
        "id=comments",
        "class=jp-relatedposts",
        "class=relatedContent",
        "class=newsletter-signup",
        "class=cookie_consent",
        "class=breadcrumbs",
        "class=share-buttons",
        "class=kommentare",
        "class=ähnliche-themen",
        "class=articulos-relacionados",
        "class=commentaires",
        "class=condividi",
        "class=tuijian",
        "class=相关新闻",
        "class=entry-meta",
        "role=complementary",
        "hidden",
        "style='display: none'",
    ],
)
def test_what_is_beside_the_text_by_its_name_is_not_in_it(attributes: str) -> None:
    assert OTHER in text(f"{ARTICLE}<div><p>{OTHER}</p></div>".replace("</div><div>", ""))
    assert text(f"{ARTICLE[:-6]}<div {attributes}><p>{OTHER}</p></div></div>") == text(ARTICLE)


@pytest.mark.parametrize(
    "attributes",
    ["class=has-sidebar", "class=metal", "class=tag-newsletter", "class=adept", "class=text", "id=radio"],
)
def test_other_names_are_not_beside_the_text(attributes: str) -> None:
    assert OTHER in text(f"{ARTICLE[:-6]}<div {attributes}><p>{OTHER}</p></div></div>")


def test_the_id_of_a_section_is_a_word_of_its_title() -> None:
    for section in ("<section id=comments>", "<div class=section id=comments>"):
        assert OTHER in text(f"{ARTICLE[:-6]}{section}<p>{OTHER}</p>")


def test_a_name_on_the_whole_page_is_not_of_a_part() -> None:
    assert beside("body", {"class": "sidebar"}) == beside("main", {"id": "comments"}) == ""


def test_a_long_name_costs_no_more_than_a_short_one() -> None:
    assert beside("div", {"class": "x" * 1_000_000 + " comments"}) == ""


# --- doubts -----------------------------------------------------------------------------------------------


def test_a_name_of_the_whole_layout_is_ignored_but_not_the_names_inside() -> None:
    html = f"<div class=sidebar-layout>{ARTICLE}<div class=comments><p>{OTHER}</p></div></div>"
    assert text(html) == text(ARTICLE)


def test_the_posts_of_a_forum_may_be_called_comments() -> None:
    posts = "".join(f"<div class=comment><p>{SENTENCE} {number}</p></div>" for number in range(20))
    found = text(f"<div>{posts}<div class=newsletter><p>{OTHER}</p></div></div>")
    assert found.count("river") == 20 and OTHER not in found


def test_a_page_in_a_form_is_not_a_form() -> None:
    assert text(f"<form>{ARTICLE}<div class=comments><p>{OTHER}</p></div></form>") == text(ARTICLE)


def test_a_page_that_uses_most_names_in_a_sense_of_its_own_is_kept_whole() -> None:
    names = (
        "comment related share cookie newsletter promo popular signature popup disqus similar recirc teaser "
        "upsell social advert sponsor banner consent login paywall modal overlay announcement byline caption"
    ).split()
    html = "".join(f"<div class={name}><p>{SENTENCE} {name}</p></div>" for name in names)
    assert text(html).count("river") == len(names)


# --- the main element -------------------------------------------------------------------------------------


def test_what_stands_before_and_after_the_main_element_is_not_in_the_text() -> None:
    long = "<div class=text>" + f"<p>{SENTENCE}</p>" * 9 + "</div>"
    assert text(f"<div class=top><p>{OTHER}</p></div>{long}<div class=end>{OTHER}</div>") == text(long)


def test_a_heading_directly_above_belongs_to_the_text() -> None:
    assert text(f"<p>{OTHER[:40]}</p><h1>Floods</h1>{ARTICLE}") == f"Floods\n{text(ARTICLE)}"


def test_parts_alike_belong_together() -> None:
    short = f"<div class='post odd'><p>{OTHER}</p></div>"
    long = "<div class='post even'>" + f"<p>{SENTENCE}</p>" * 9 + "</div>"
    assert OTHER in text(short + long + short)
    assert OTHER not in text(short.replace("post", "box") + long + short.replace("post", "box"))


def test_paragraphs_around_the_longest_part_belong_to_the_text() -> None:
    long = "<div class=box>" + f"<p>{SENTENCE}</p>" * 9 + "</div>"
    assert text(f"<div><p>{OTHER}</p>{long}<p>{OTHER}</p></div>").count(OTHER) == 2
    assert OTHER not in text(f"<div class=top><p>{OTHER}</p></div>{long}")


def test_short_lines_and_cells_in_the_main_element_belong_to_the_text() -> None:
    html = (
        f"<div><p>{SENTENCE}</p><ul><li>rain<li>hail</ul><p>{SENTENCE}</p><table><tr><td>snow</table></div>"
    )
    assert text(html).split("\n") == [SENTENCE, "rain", "hail", SENTENCE, "snow"]


def test_the_path_to_the_page_does_not() -> None:
    path = "<a href=x>home</a> / rain and hail and snow"
    html = f"<div><div>{path}</div><h1>Floods</h1><p>{SENTENCE}</p><div>{path}</div></div>"
    assert text(html).split("\n") == ["Floods", SENTENCE, "home / rain and hail and snow"]


def test_a_list_of_links_does_not() -> None:
    html = f"<div><p>{SENTENCE}</p><ul><li><a href=x>rain</a></ul><p>{SENTENCE}</p></div>"
    assert text(html) == f"{SENTENCE}\n{SENTENCE}"
    assert len(parse(html, URL).links) == 1


# --- the twin ---------------------------------------------------------------------------------------------

HEADING = min(HEADING_ROLES)
TEXTS = ("rain", "hail " * 15, "storm " * 60, "雨" * 25)


@st.composite
def documents(draw: st.DrawFn) -> tuple[list[Block], list[Element]]:
    elements = [(0, "", "", "")]
    for number in range(1, draw(st.integers(1, 12))):
        parent = draw(st.integers(max(0, number - 4), number - 1))
        name = draw(st.sampled_from(("", "", "", "comment", "footer")))
        elements.append(
            (parent, name, draw(st.sampled_from(("div", "p", "td"))), draw(st.sampled_from("ab")))
        )
    places = sorted(draw(st.lists(st.integers(0, len(elements) - 1), min_size=1, max_size=12)))
    blocks = []
    for place in places:
        words = draw(st.sampled_from(TEXTS))
        linked = draw(st.sampled_from((0, 0, len(words) // 4, len(words))))
        blocks.append((words, linked, draw(st.sampled_from((OUTSIDE, HEADING))), place))
    return blocks, elements


def slowly(blocks: Sequence[Block], elements: Sequence[Element]) -> list[Block]:
    """The main text as the docstrings say it, element by element from each block upwards."""

    def around(number: int) -> list[int]:
        path = [number]
        while path[-1]:
            path.append(elements[path[-1]][0])
        return path

    def size(numbers: Sequence[int], element: int) -> int:
        return sum(len(blocks[n][0]) for n in numbers if element in around(blocks[n][3]))

    def first_name(element: int, ignored: Sequence[str]) -> tuple[int, str]:
        named = [(e, elements[e][1]) for e in around(element) if elements[e][1] not in ("", *ignored)]
        return named[-1] if named else (0, "")

    long = [
        n
        for n, (words, linked, _, _) in enumerate(blocks)
        if linked < 0.4 * len(words) and len(words) + 2 * words.count("雨") >= 60
    ]
    if not long:
        return list(blocks)
    ignored: list[str] = []
    while True:
        taken = {name: 0 for _, name, _, _ in elements if name}
        for n in long:
            if name := first_name(blocks[n][3], ignored)[1]:
                taken[name] += len(blocks[n][0])
        if sum(taken.values()) <= 0.7 * size(long, 0):
            break
        ignored.append(max(taken, key=lambda name: taken[name]))
    rest = [n for n in long if not first_name(blocks[n][3], ignored)[1]]
    total = size(rest, 0)
    main = 0
    for e in range(1, len(elements)):
        parent, _, tag, classes = elements[e]
        if size(rest, e) < 0.75 * total:
            continue
        twins = [
            t
            for t, twin in enumerate(elements)
            if t not in (0, e) and (twin[0], *twin[2:]) == (parent, tag, classes)
        ]
        if sum(size(rest, t) for t in twins) > 0.05 * total:
            break
        if tag != "p":
            own = [n for n in rest if next(x for x in around(blocks[n][3]) if elements[x][2] != "p") == main]
            if size(own, 0) > 0.1 * total:
                break
            main = e
    may = [not first_name(block[3], ignored)[1] for block in blocks]
    in_main = [
        main in around(block[3]) and says and block[1] < 0.4 * len(block[0])
        for block, says in zip(blocks, may, strict=True)
    ]
    kept = [
        n
        for n, block in enumerate(blocks)
        if in_main[n] or (may[n] and block[2] in HEADING_ROLES and n + 1 in long and in_main[n + 1])
    ]
    first = min((n for n in kept if n in long or blocks[n][2] in HEADING_ROLES), default=len(blocks))
    return [blocks[n] for n in kept if n >= first or not blocks[n][1]]


@given(documents())
def test_the_main_text_is_as_the_slow_twin_says(document: tuple[list[Block], list[Element]]) -> None:
    blocks, elements = document
    assert ROLES[HEADING].kind.isdigit()
    assert list(main_blocks(blocks, elements)) == slowly(blocks, elements)
