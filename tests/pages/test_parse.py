"""Parsing: what a page says, by the fast way and by the slow one, whatever the page does."""

import gzip
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any, Protocol

import pytest
from bs4 import BeautifulSoup
from bs4.element import NavigableString
from helpers import hostile_pages
from helpers.generators import broken_html, tag_soup, well_formed_html
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fcwseo.pages import Page
from fcwseo.pages.html.hostile import is_hostile
from fcwseo.pages.markdown import markdown
from fcwseo.pages.parse import parse, parse_slowly
from fcwseo.pages.urls import canonical

URL = "http://a.example/d/page.html"
WEBS = Path(__file__).parents[3] / "shared" / "webs"
WORD = re.compile(r"w\d+w")
SENTENCE = "The river rose last night after the heavy rain that fell on the hills above the town."


class Reader(Protocol):
    def __call__(self, html: str, url: str = URL) -> Page: ...


def fast(html: str, url: str = URL) -> Page:
    return parse(html, url)


def slow(html: str, url: str = URL) -> Page:
    return parse_slowly(html, url)


@pytest.fixture(params=[fast, slow])
def read(request: pytest.FixtureRequest) -> Reader:
    """Both ways: each must show everything below."""
    reader: Reader = request.param
    return reader


# --- label groups -----------------------------------------------------------------------------------------

GROUPS = {
    0: ("h1",),
    1: ("h2", "h3"),
    2: ("h4", "h5", "h6", "strong", "b"),
    3: ("p", "li"),
    4: ("div", "span", "i", "pre", "blockquote", "dd", "a", "unknown"),
}


@pytest.mark.parametrize(("group", "tag"), [(group, tag) for group, tags in GROUPS.items() for tag in tags])
def test_the_text_of_a_tag_is_in_its_group(read: Reader, group: int, tag: str) -> None:
    page = read(f"<body><{tag}>heavy  rain</{tag}></body>")
    assert page.groups == tuple("heavy rain" if number == group else "" for number in range(5))


def test_title_keywords_and_description_are_in_the_first_group(read: Reader) -> None:
    page = read(
        "<head><title> Rain\n today </title><meta name=Keywords content='flood, storm'>"
        "<META NAME=description CONTENT='About  rivers'><meta name=author content=Ann></head>x"
    )
    assert page.title == "Rain today"
    assert sorted(page.groups[0].split()) == sorted("Rain today flood, storm About rivers".split())
    assert page.groups[1:] == ("", "", "", "x")


def test_a_cell_is_in_the_group_of_paragraphs(read: Reader) -> None:
    assert read("<table><tbody><tr><td>rain</td></tr></tbody></table>").groups[3] == "rain"


@pytest.mark.parametrize(
    ("html", "group"),
    [
        ("<p><strong>rain</strong></p>", 2),
        ("<strong><span>rain</span></strong>", 2),
        ("<h1><b>rain</b></h1>", 0),
        ("<h3><a href=x><i>rain</i></a></h3>", 1),
        ("<ul><li><h2>rain</h2></li></ul>", 1),
        ("<ul><li><div>rain</div></li></ul>", 3),
        ("<h4><strong>rain</strong></h4>", 2),
        ("<table><tbody><tr><td><p>rain</p></td></tr></tbody></table>", 3),
    ],
)
def test_the_best_group_among_the_ancestors_counts(read: Reader, html: str, group: int) -> None:
    assert [number for number, text in enumerate(read(html).groups) if text] == [group]


def test_what_follows_a_tag_is_outside_of_its_group_again(read: Reader) -> None:
    page = read("<div>a <b>b <h2>c</h2> d</b> e</div><p>f</p>g")
    assert page.groups == ("", "c", "b d", "f", "a e g")


def test_letters_that_touch_are_one_word_also_across_tags(read: Reader) -> None:
    assert read("<p>rain<i>storm</i></p><p>flood</p>").groups[3] == "rainstorm flood"
    assert read("<div>one</div><div>two</div>three<br>four").groups[4] == "one two three four"


def test_a_soft_hyphen_is_no_part_of_a_word(read: Reader) -> None:
    page = read(
        "<title>Rain\xadstorm</title><p>Stark&shy;regen&#173;karte <a href=x>Hoch\xad&shy;wasser</a>\xad</p>"
    )
    assert page.title == "Rainstorm" and page.text.endswith("Starkregenkarte Hochwasser")
    assert page.links[0].anchor == "Hochwasser" and page.links[0].context == "Starkregenkarte Hochwasser"
    links = read("<a href=x><img alt='Hoch&shy;wasser'></a><a href=y title='Stark\xadregen'></a>").links
    assert [link.anchor for link in links] == ["Hochwasser", "Starkregen"]


@pytest.mark.parametrize("tag", ["script", "style", "noscript", "template", "noframes", "noembed", "iframe"])
def test_what_nobody_sees_is_in_no_group(read: Reader, tag: str) -> None:
    page = read(f"<body>seen <{tag}>never</{tag}><!-- never -->rain</body>")
    assert page.groups == ("", "", "", "", "seen rain")
    assert page.text == "seen rain"


def seen_words(html: str) -> Counter[str]:
    """By an oracle that knows nothing of groups and blocks."""
    unseen = ("script", "style", "noscript", "iframe")
    texts = BeautifulSoup(html, "html5lib").find_all(string=lambda text: type(text) is NavigableString)
    return Counter(word for text in texts if not text.find_parent(unseen) for word in WORD.findall(text))


@settings(max_examples=200, deadline=None)
@given(tag_soup())
def test_every_text_is_in_exactly_one_group(html: str) -> None:
    """Before each tag stands a word unlike all others."""
    numbers = count()
    html = re.sub("<", lambda _: f" w{next(numbers)}w <", html)
    assert Counter(WORD.findall(" ".join(parse(html, URL).groups))) == seen_words(html)


# --- links ------------------------------------------------------------------------------------------------


def targets(page: Page) -> list[str]:
    return [link.target for link in page.links]


def test_links_stand_in_their_order_with_their_places(read: Reader) -> None:
    page = read(
        "<html><body><p>See <a href=b.html>more  <b>rain</b></a> and <a href='/c?x=1&amp;y=2#z'>c</a>.</p>"
    )
    first, second = page.links
    assert (first.target, first.source, first.anchor) == ("http://a.example/d/b.html", URL, "more rain")
    assert (first.position, first.tag_path, first.nofollow) == (0, "html/body/p/a", False)
    assert (second.target, second.anchor, second.position) == ("http://a.example/c?x=1&y=2", "c", 1)
    assert first.context == second.context == "See more rain and c."


def test_the_same_target_twice_is_two_links(read: Reader) -> None:
    assert targets(read("<a href=x>a</a><a href=x>b</a>")) == ["http://a.example/d/x"] * 2


@pytest.mark.parametrize(
    ("html", "anchor"),
    [
        ("<a href=x title=T>text <img alt=A></a>", "text"),
        ("<a href=x title=T><img alt=' an  image '></a>", "an image"),
        ("<a href=x title=T><span><img alt=''><img alt=second></span></a>", "second"),
        ("<a href=x title=' a  title '><img></a>", "a title"),
        ("<a href=x title=T> \n </a>", "T"),
        ("<a href=x></a>", ""),
        ("<img alt=outside><a href=x></a><img alt=outside>", ""),
        ("<a href=x>Heavy<br>rain</a>", "Heavy rain"),
        ("<a href=x><div>Heavy</div><div>rain</div></a>", "Heavy rain"),
        ("<a href=x>&lt;rain&gt; &amp; caf&eacute;</a>", "<rain> & café"),
        ("<a href=x><script>never</script>rain<!-- no --></a>", "rain"),
    ],
)
def test_an_anchor_is_its_text_or_its_image_or_its_title(read: Reader, html: str, anchor: str) -> None:
    (link,) = read(html).links
    assert link.anchor == anchor


def test_areas_and_frames_are_links(read: Reader) -> None:
    page = read("<map><area href=a alt='A place'><area alt=none></map><iframe src=b title=B>never</iframe>")
    assert [(link.target[-1], link.anchor) for link in page.links] == [("a", "A place"), ("b", "B")]
    assert page.links[0].tag_path.endswith("map/area")


def test_frames_of_a_frameset_are_links() -> None:
    html = "<html><frameset cols=1,2><frame src=menu.html><frame src=main.html></frameset></html>"
    assert targets(parse(html, URL)) == ["http://a.example/d/menu.html", "http://a.example/d/main.html"]


@pytest.mark.parametrize(
    "href",
    ["", " ", "#top", "mailto:a@b.example", "javascript:void(0)", "tel:1", "ftp://a.example/", "http://"],
)
def test_what_leads_to_no_other_page_is_no_link(read: Reader, href: str) -> None:
    assert read(f"<a href='{href}'>x</a><a name=x>y</a><a>z</a>").links == ()


def test_spaces_around_an_address_do_not_count(read: Reader) -> None:
    assert targets(read("<a href='\n b.html\t'>x</a>")) == ["http://a.example/d/b.html"]


def test_of_two_equal_attributes_the_first_counts(read: Reader) -> None:
    assert targets(read("<a HREF=one href=two>x</a>")) == ["http://a.example/d/one"]


@pytest.mark.parametrize(
    ("rel", "nofollow"),
    [
        ("nofollow", True),
        ("noopener NoFollow", True),
        ("noopener", False),
        ("", False),
        ("ugc\nnofollow", True),
    ],
)
def test_a_link_may_ask_not_to_be_followed(read: Reader, rel: str, nofollow: bool) -> None:
    (link,) = read(f"<a rel='{rel}' href=x>x</a>").links
    assert link.nofollow is nofollow


def test_the_tag_path_counts_from_the_link_upwards(read: Reader) -> None:
    html = (
        "<html><body>" + "<div>" * 20 + "<ul><li><a href=x>x</a></li></ul>" + "</div>" * 20 + "</body></html>"
    )
    (link,) = read(html).links
    assert link.tag_path == "div/div/div/div/div/ul/li/a"


def test_the_context_is_what_stands_around_in_the_same_block(read: Reader) -> None:
    far = "far " * 100
    html = f"<p>other block</p><p>{far}near before <a href=x>the link</a> near after {far}</p><p>other</p>"
    (link,) = read(html).links
    before, _, after = link.context.partition("near before the link near after")
    assert set(before.split()) == set(after.split()) == {"far"}
    assert 180 <= len(before) <= 205 and 180 <= len(after) <= 205


def test_the_contexts_of_equal_anchors_differ(read: Reader) -> None:
    far = "far " * 150
    one, two = read(f"<p>first <a href=x>here</a> {far} second <a href=y>here</a></p>").links
    assert one.context.startswith("first here") and "second" not in one.context
    assert two.context.endswith("second here") and "first" not in two.context


# --- what a page says of itself ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("<base href=/other/>", "http://a.example/other/b"),
        ("<base href='http://b.example/x/y'>", "http://b.example/x/b"),
        ("<base target=_top><base href=/first/><base href=/second/>", "http://a.example/first/b"),
        ("<base href='mailto:a@b.example'>", "http://a.example/d/b"),
        ("<base href=''>", "http://a.example/d/b"),
    ],
)
def test_links_are_seen_from_the_base(read: Reader, base: str, expected: str) -> None:
    page = read(f"<head>{base}<link rel=canonical href=b></head><body><a href=b>x</a></body>")
    assert targets(page) == [expected]
    assert page.canonical == expected
    assert page.url == page.links[0].source == URL


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<link rel=canonical href='/One?b=1&amp;a=2#x'>", "http://a.example/One?a=2&b=1"),
        ("<link rel='nofollow Canonical' href=http://b.example/>", "http://b.example/"),
        ("<link rel=canonical href=/1><link rel=canonical href=/2>", "http://a.example/1"),
        ("<link rel=stylesheet href=/1>", ""),
        ("<link rel=canonical>", ""),
        ("<link rel=canonical href='javascript:x'>", ""),
    ],
)
def test_a_page_may_name_its_canonical_address(read: Reader, link: str, expected: str) -> None:
    page = read(f"<head>{link}</head>")
    assert page.canonical == expected
    assert page.links == ()


@pytest.mark.parametrize(
    ("meta", "noindex", "nofollow"),
    [
        ("<meta name=robots content=noindex>", True, False),
        ("<meta name=ROBOTS content='index, NOFOLLOW'>", False, True),
        ("<meta name=robots content=none>", True, True),
        ("<meta name=robots content=noindex><meta name=robots content=nofollow>", True, True),
        ("<meta name=robots content='index,follow'>", False, False),
        ("<meta name=description content='noindex'>", False, False),
        ("", False, False),
    ],
)
def test_a_page_may_ask_not_to_be_kept_or_followed(
    read: Reader, meta: str, noindex: bool, nofollow: bool
) -> None:
    page = read(f"<head>{meta}</head><a href=x>x</a>")
    assert (page.noindex, page.nofollow) == (noindex, nofollow)


CHINESE = "暴雨引发洪水。城市道路被淹。居民被迫转移到安全地带。"


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=en-GB>rain", "en"),
        ("<html lang='DE'>Regen", "de"),
        ("<html xml:lang=fr_CA>pluie", "fr"),
        ("<head><meta http-equiv=Content-Language content='es, en'></head>lluvia", "es"),
        ("<html lang=en><head><meta http-equiv=content-language content=de></head>rain", "en"),
        ("<html>rain", ""),
        (f"<html lang=en>{CHINESE}", "zh"),
        ("<html lang=zh-CN>rain and storm", "zh"),
        ("<html>大雨による洪水で道路が冠水した。これは雨です。", "ja"),
        ("<html lang=en>폭우로 인한 홍수로 도로가 침수되었다", "ko"),
        (f"<html lang=en>A long English text that names one word: 雨. {SENTENCE}", "en"),
    ],
)
def test_the_language_is_declared_or_plain_from_the_script(read: Reader, html: str, language: str) -> None:
    assert read(html).language == language


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("\ufeff<p>Überflutung".encode("utf-16-le"), ""),
        ("<p>Überflutung".encode("latin-1"), "text/html; charset=ISO-8859-1"),
        ("<meta charset=windows-1252><p>Überflutung".encode("cp1252"), "text/html"),
        (f"<p>Überflutung</p><p>{SENTENCE}".encode(), ""),
        (f"<p>Überflutung</p><p>{SENTENCE}".encode("cp1252"), ""),
    ],
)
def test_bytes_are_read_in_their_encoding(body: bytes, content_type: str) -> None:
    assert parse(body, URL, content_type=content_type).groups[3].startswith("Überflutung")


def test_the_status_is_kept_and_equal_texts_have_equal_digests() -> None:
    one = parse(f"<p>{SENTENCE}</p>", URL, status=203)
    two = parse(f"<div><p>{SENTENCE}</p></div><footer>changed</footer>", "http://b.example/")
    assert one.status == 203
    assert one.digest == two.digest != parse(f"<p>{SENTENCE}!</p>", URL).digest


# --- main text --------------------------------------------------------------------------------------------


def test_the_main_text_is_apart_from_menus_and_footers(read: Reader) -> None:
    page = read(
        f"""<body><nav><p>{SENTENCE} in a menu</p></nav>
        <ul><li><a href=1>First of the links of a long list of links</a><li><a href=2>Second</a></ul>
        <h1>Floods</h1><p>{SENTENCE}</p><p>Short.</p><p>{SENTENCE} Again.</p><p>Too short.</p>
        <p><a href=3>{SENTENCE} And this is a link</a></p>
        <aside>{SENTENCE} in an aside</aside><form>{SENTENCE} in a form</form>
        <footer>{SENTENCE} in a footer</footer></body>"""
    )
    assert page.text == f"Floods\n{SENTENCE}\nShort.\n{SENTENCE} Again.\nToo short."


def test_a_page_without_long_texts_is_kept_whole(read: Reader) -> None:
    assert (
        read("<title>Rain</title><h1>Rain</h1><ul><li>one<li>two</ul>").text.split()
        == "Rain Rain one two".split()
    )


def test_a_chinese_sentence_is_long_with_fewer_letters(read: Reader) -> None:
    page = read(f"<div>{'雨' * 5}</div><div>{CHINESE}</div><footer>{CHINESE}</footer><div>{'雨' * 5}</div>")
    assert page.text == CHINESE


# --- the twin ---------------------------------------------------------------------------------------------


def said(page: Page, *, whole_paths: bool = True) -> dict[str, Any]:
    """Everything that a page says. How many equal tags a broken page opens again is left to the parsers."""
    links = page.links if whole_paths else tuple(replace(link, tag_path="") for link in page.links)
    names = ("title", "groups", "text", "language", "canonical", "noindex", "nofollow", "digest")
    return {"links": links} | {name: getattr(page, name) for name in names}


@settings(max_examples=300, deadline=None)
@given(well_formed_html())
def test_both_ways_say_the_same_of_well_formed_pages(html: str) -> None:
    assert said(parse(html, URL)) == said(parse_slowly(html, URL))


@settings(max_examples=200, deadline=None)
@given(tag_soup())
def test_both_ways_say_the_same_of_tag_soup(html: str) -> None:
    slowly = parse_slowly(html, URL, builder="html5lib")
    assert said(parse(html, URL), whole_paths=False) == said(slowly, whole_paths=False)


@settings(max_examples=300, deadline=None)
@given(broken_html())
def test_both_ways_say_the_same_of_broken_pages(html: str) -> None:
    slowly = parse_slowly(html, URL, builder="html5lib")
    assert said(parse(html, URL), whole_paths=False) == said(slowly, whole_paths=False)


def real_pages(web: str, count: int) -> Iterator[tuple[str, str]]:
    source = WEBS / web / "pages.jsonl.gz"
    if not source.is_file():
        pytest.skip(f"there is no web to compare on at {source}")
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, count * 100, 100):
            fields = json.loads(line)
            yield canonical(fields["url"]) or "", fields["html"]


@pytest.mark.parametrize("web", ["uci", "wikispeedia", "linuxcn"])
def test_both_ways_say_the_same_of_real_pages(web: str) -> None:
    for url, html in real_pages(web, 10):
        assert said(parse(html, url)) == said(parse_slowly(html, url, builder="html5lib")), url


# --- hostile pages ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def survived() -> dict[str, dict[str, Any]]:
    """The outcomes of the hostile pages, parsed in a process that can be killed; a stall takes hours."""
    command = [sys.executable, "-u", str(Path(hostile_pages.__file__))]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(command, capture_output=True, timeout=300, env=environment, text=True)
        output = done.stdout
    except subprocess.TimeoutExpired as stalled:
        output = (stalled.stdout or b"").decode()
    return dict(json.loads(line) for line in output.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile_pages.CASES)
def test_a_hostile_page_neither_stalls_nor_loses_links(
    name: str, survived: dict[str, dict[str, Any]]
) -> None:
    assert name in survived, f"stalled after {list(survived)[-1:]}"
    assert survived[name]["links"] == hostile_pages.CASES[name][1]


@pytest.mark.slow
def test_pages_that_would_stall_are_known_beforehand(survived: dict[str, dict[str, Any]]) -> None:
    stalling = ("attributes", "nested", "unclosed", "options")
    names = [name for name in hostile_pages.CASES if name.startswith(stalling)]
    assert [name for name in names if not survived[name]["hostile"]] == []


ROW = (
    "<tr><td class='a b'><p>Rain and <a href='/page{0}.html'>storm {0}</a><br><img src=x alt=''></td></tr>\n"
)


@pytest.mark.parametrize(
    "html",
    [
        "<html><body><table>" + "".join(ROW.format(i) for i in range(50_000)) + "</table></body></html>",
        "<p>Rain<br>storm<hr><li>flood\n" * 170_000,
        "<p>" + "rain < storm > flood & river. " * 170_000,
        f"<img src='data:image/png;base64,{'A' * 5_000_000}'><p>Rain",
        "<script>" + "if (a < b && c > d) { e('<br>') }\n" * 140_000 + "</script><p>Rain",
    ],
    ids=["a table", "tags without ends", "text with signs", "an image in an address", "a script"],
)
def test_an_ordinary_page_of_five_megabytes_goes_the_fast_way(html: str) -> None:
    assert len(html) > 4_500_000
    assert not is_hostile(html)


# --- anything at all --------------------------------------------------------------------------------------


def test_nothing_is_a_page_that_says_nothing(read: Reader) -> None:
    for html in ("", " \n", "\0", "<!-- -->", "<html></html>"):
        page = read(html)
        assert (page.title, page.text, page.links, page.groups) == ("", "", (), ("",) * 5)


def test_halves_of_surrogate_pairs_are_left_out(read: Reader) -> None:
    """They come from JSON, and can be written nowhere."""
    for html in (
        "<p>ra\ud800in <a href=/x\udc00y>st\ud83dorm</a>",
        "<p>" + "<div>" * 10_000 + "\ud800<a href=/xy>storm",
    ):
        page = read(html)
        assert page.links[0].target == "http://a.example/xy"
        assert page.links[0].anchor == "storm"
        "".join((*page.groups, page.text, page.links[0].context)).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0" * 1000,
        bytes(range(256)) * 100,
        b"\xff\xfe",
        b"\x89PNG\r\n\x1a\n" + bytes(1000),
        b"%PDF-1.4 \xe2\xe3",
    ],
)
def test_garbage_is_a_page_without_links(body: bytes) -> None:
    assert parse(body, URL).links == ()


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["", "text/html; charset=utf-16", "image/png"]))
def test_any_bytes_can_be_parsed(body: bytes, content_type: str) -> None:
    page = parse(body, URL, content_type=content_type)
    assert all(canonical(link.target) == link.target for link in page.links)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=50) | broken_html())
def test_texts_hold_no_spaces_but_single_ones(html: str) -> None:
    page = parse(html, URL)
    for text in (page.title, *page.groups, *page.text.split("\n"), *(link.anchor for link in page.links)):
        assert text == " ".join(text.split())


# Dates and kinds of lines


@pytest.mark.parametrize(
    ("html", "date"),
    [
        ('<meta property="article:published_time" content="2021-07-20T08:00:00+08:00">', "2021-07-20"),
        ('<meta name="DC.date.issued" content="2021/7/2">', "2021-07-02"),
        ('<meta itemprop="datePublished" content="2021-07-20">', "2021-07-20"),
        ('<meta name="date" content="1999-12-31"><time datetime="2021-07-20">today</time>', "1999-12-31"),
        ('<time datetime="2021-07-20T08:00">today</time><time datetime="2020-01-01">', "2021-07-20"),
        ('<script type="application/ld+json">{"datePublished" : "2021-07-20T08:00"}</script>', "2021-07-20"),
        (
            '<meta name="date" content="2000-01-01">'
            '<script type="application/ld+json">{"datePublished":"2021-07-20"}</script>',
            "2021-07-20",
        ),
        ('<meta name="date" content="2021-02-30"><time datetime="noon">', ""),
        ('<meta name="date"><time>2021-07-20</time>', ""),
    ],
)
def test_when_a_page_was_published(html: str, date: str) -> None:
    assert parse(html, URL).date == parse_slowly(html, URL).date == date


def test_every_line_of_the_main_text_has_its_kind() -> None:
    html = f"""<h2>Rain <b>now</b></h2><div>{SENTENCE}<ul><li>{SENTENCE} one<li><p>{SENTENCE} two</ul>
    <blockquote><p>{SENTENCE} said</blockquote><pre>{SENTENCE} code</pre>
    <h3><div>{SENTENCE}</div></h3></div>"""
    page = parse(html, URL)
    assert page.kinds == parse_slowly(html, URL).kinds == "2pllqcp"
    assert len(page.text.split("\n")) == len(page.kinds)
    assert markdown(page).split("\n\n") == [
        "## Rain now",
        SENTENCE,
        f"- {SENTENCE} one\n- {SENTENCE} two",
        f"> {SENTENCE} said",
        f"````\n{SENTENCE} code\n````",
        SENTENCE,
    ]


@given(tag_soup() | broken_html())
def test_kinds_are_as_many_as_lines(html: str) -> None:
    page = parse(html, URL)
    assert len(page.kinds) == (len(page.text.split("\n")) if page.text else 0)
    assert len(markdown(page).splitlines()) >= len(page.kinds)


def test_tag_paths_name_classes_and_ids_without_their_numbers(read: Reader) -> None:
    menu = '<div class="menu wide"><ul><li class="item-7"><a href="a">a</a></li></ul></div>'
    post = (
        '<article id="post-12"><h2><em><a href="b">b</a></em></h2><p class=""><a href="c">c</a></p></article>'
    )
    found = {link.anchor: link.tag_path for link in read(menu + post).links}
    assert found["a"].endswith("div.menu/ul/li.item-0/a")
    assert found["b"].endswith("article#post-0/h2/em/a")
    assert found["c"].endswith("article#post-0/p/a")


def test_a_link_knows_the_heading_above_it_and_the_title_that_its_anchor_lacks(read: Reader) -> None:
    html = """<h1>News</h1><p><a href="a" title="All of them">more</a></p>
        <h2>Floods</h2><p><a href="b" title="more">more</a></p><ul><li><a href="c">town</a></li></ul>
        <h3><a href="d">Rivers</a></h3><p><a href="e"><img alt="A river rises"> see</a>
        <a href="f"><img alt="A lake"></a></p>"""
    links = {link.target[-1]: link for link in read(html).links}
    headings = {"a": "", "b": "Floods", "c": "Floods", "d": "", "e": "Rivers", "f": "Rivers"}
    assert {name: link.heading for name, link in links.items()} == headings
    titles = {name: link.title for name, link in links.items() if link.title}
    assert titles == {"a": "All of them", "e": "A river rises"}
    assert links["f"].anchor == "A lake"
