"""Bytes -> ``Page``, once. The only place that knows an HTML parser.

The fast way is one walk over selectolax's (Lexbor's) tree. beautifulsoup4 is the slow, obvious twin: the
oracle of the tests, and the way of pages that would stall every C parser. Both walks find the same things
in the same order (``_Found``); one function makes a page of them.

Label groups as in Table 2 of Liu, Li, Zhang and Zhong, "A novel focused crawler combining Web space
evolution and domain ontology" (2022). A text belongs to the best group among its ancestors.
"""

import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2b
from itertools import product
from typing import NamedTuple

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PreformattedString, Tag
from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser, LexborNode

from fcwseo.pages import Link, Page
from fcwseo.pages.charset import decode
from fcwseo.pages.urls import canonical, resolver
from fcwseo_ontology.corpus.tokens import SOFT_HYPHEN

# Part of the key under which parsed pages are kept: raise it with every change of what ``parse`` returns.
PARSER_VERSION = "5"

_OTHER = 4
_GROUP = {
    **dict.fromkeys(("title", "h1"), 0),
    **dict.fromkeys(("h2", "h3"), 1),
    **dict.fromkeys(("h4", "h5", "h6", "strong", "b"), 2),
    **dict.fromkeys(("p", "td", "li"), 3),
}
_BLOCKS = frozenset(
    "html head body title address article aside blockquote caption center dd details dialog dir div dl dt "
    "fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol "
    "optgroup option p pre section select summary table tbody td textarea tfoot th thead tr ul".split()
)
_UNSEEN = frozenset(("script", "style", "noscript", "noframes", "noembed", "template"))
_BOILERPLATE = frozenset(("nav", "footer", "aside", "menu", "form", "select"))
_SOURCE = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
_SPECIAL = frozenset((*_SOURCE, "meta", "base", "link", "img", "html", "time"))
_KIND = {
    **{f"h{level}": str(level) for level in range(1, 7)},
    **dict.fromkeys(("li", "dt", "dd", "option"), "l"),
    "blockquote": "q",
    "pre": "c",
}
_KINDS = "p123456lqc"  # paragraph, headings, item of a list, quotation, code
# Where pages say when they were published; the first that they say anything in counts.
_DATES = (
    *("article:published_time", "datepublished", "citation_publication_date", "dcterms.issued"),
    *("dc.date.issued", "dcterms.created", "dc.date", "dcterms.date", "pubdate", "publishdate", "date"),
)
_DATE_RANK = {name: rank for rank, name in enumerate(_DATES)}
_TIME_RANK = len(_DATES)


class _Place(NamedTuple):
    """What holds for the text inside of an element: its label group, and what kind of text it is."""

    group: int
    boilerplate: bool
    kind: str

    def inside(self, tag: str) -> "_Place":
        """What holds inside of an element in this place."""
        group = min(self.group, _GROUP.get(tag, _OTHER))
        if tag not in _BLOCKS:
            return _Place(group, self.boilerplate, self.kind)
        kind = _KIND.get(tag) or ("p" if self.kind.isdigit() else self.kind)
        return _Place(group, self.boilerplate or tag in _BOILERPLATE, kind)


# Places are numbered, so that the walk moves between them by a look into a table.
_PLACES = [_Place(*place) for place in product(range(_OTHER + 1), (False, True), _KINDS)]
_NUMBER = {place: number for number, place in enumerate(_PLACES)}
_GROUP_OF = [place.group for place in _PLACES]
_SHADED = frozenset(number for number, place in enumerate(_PLACES) if place.boilerplate)
_HEADED = frozenset(number for number, place in enumerate(_PLACES) if place.kind.isdigit())
_OUTSIDE = _NUMBER[_Place(_OTHER, False, "p")]


class _Rule(NamedTuple):
    """What a tag means to the walk: ``inside[place]`` is the place inside of it."""

    block: bool
    special: bool
    inside: tuple[int, ...]


def _rule(tag: str) -> _Rule:
    inside = tuple(_NUMBER[place.inside(tag)] for place in _PLACES)
    return _Rule(tag in _BLOCKS, tag in _SPECIAL, inside)


_PLAIN = _rule("span")
_RULES: dict[str | None, _Rule | None] = {
    **{tag: _rule(tag) for tag in sorted({*_GROUP, *_BLOCKS, *_SPECIAL})},
    **dict.fromkeys((*_UNSEEN, "br", "-comment", "-document", None)),  # not entered
}

_PATH_LENGTH = 8  # tags of a tag path, counted from the link upwards
_LONG = 60  # characters from which on a block says something
_REACH = 200  # characters of context on each side of an anchor


class _Anchor(Struct):
    """A link as it stands in the page; ``block`` is the number of the block of text that it stands in."""

    href: str
    attributes: dict[str, str | None]
    tag_path: str
    block: int
    pieces: list[str] = []


# A run of text between two block-level tags: the text, how many characters of it are inside links, and its
# place.
_Block = tuple[str, int, int]


@dataclass(slots=True)
class _Found:
    """What a walk over a page finds, in document order."""

    groups: list[list[str]] = field(default_factory=lambda: [[], [], [], [], []])
    blocks: list[_Block] = field(default_factory=list)
    anchors: list[_Anchor] = field(default_factory=list)
    title: str = ""
    base: str = ""
    canonical: str = ""
    robots: str = ""
    language: str = ""
    date: tuple[int, str] = (_TIME_RANK + 1, "")

    def special(
        self, tag: str, attributes: dict[str, str | None], path: Sequence[str], open_anchor: _Anchor | None
    ) -> _Anchor | None:
        """Take in an element that says something by its attributes; the link that is open inside of it."""
        if tag in _SOURCE:
            href = attributes.get(_SOURCE[tag])
            if href is None:
                return open_anchor
            tag_path = f"{'/'.join(path[1 - _PATH_LENGTH :])}/{tag}"
            anchor = _Anchor(href.strip(), attributes, tag_path, len(self.blocks))
            if anchor.href and anchor.href[0] != "#":
                self.anchors.append(anchor)
            return anchor
        if tag == "img":
            if open_anchor is not None and attributes.get("alt"):
                open_anchor.attributes.setdefault("alt", attributes["alt"])
        elif tag == "meta":
            self._meta(attributes)
        elif tag == "link":
            if not self.canonical and "canonical" in (attributes.get("rel") or "").lower().split():
                self.canonical = (attributes.get("href") or "").strip()
        elif tag == "base":
            self.base = self.base or (attributes.get("href") or "").strip()
        elif tag == "time":
            self.dated(_TIME_RANK, attributes.get("datetime"))
        else:
            self.language = attributes.get("lang") or attributes.get("xml:lang") or ""
        return open_anchor

    def dated(self, rank: int, text: str | None) -> None:
        """Take in a date that the page says; the one of the best rank counts, and the first of these."""
        if rank < self.date[0] and (date := iso_date(text or "")):
            self.date = rank, date

    def _meta(self, attributes: dict[str, str | None]) -> None:
        """Keywords, description and robots count as often as they are given, the language once."""
        name = (attributes.get("name") or "").lower()
        if name in ("keywords", "description"):
            self.groups[0] += (attributes.get("content") or "").split()
        elif name == "robots":
            self.robots += f",{(attributes.get('content') or '').lower()}"
        elif not name and (attributes.get("http-equiv") or "").lower() == "content-language":
            self.language = self.language or (attributes.get("content") or "")
        else:
            key = name or (attributes.get("property") or attributes.get("itemprop") or "").lower()
            if (rank := _DATE_RANK.get(key)) is not None:
                self.dated(rank, attributes.get("content"))

    def close(self, pieces: list[str], places: list[int], linked: int) -> str:
        """Close a block: its pieces of text, the place of each, how much of it is inside links. Gives its
        text.
        """
        text = " ".join((pieces[0] if len(pieces) == 1 else "".join(pieces)).split())
        if text:
            first = places[0]
            self.blocks.append((text, linked, first))
            if places.count(first) == len(places):
                self.groups[_GROUP_OF[first]].append(text)
            else:
                self._scatter(pieces, [_GROUP_OF[place] for place in places])
        return text

    def _scatter(self, pieces: list[str], kinds: list[int]) -> None:
        """Neighbours of one group stay one text: ``rain<i>storm</i>`` is one word."""
        start = 0
        for i in range(1, len(kinds) + 1):
            if i == len(kinds) or kinds[i] != kinds[start]:
                self.groups[kinds[start]] += "".join(pieces[start:i]).split()
                start = i


def parse(body: bytes | str, url: str, *, content_type: str = "", status: int = 200) -> Page:
    """The page that ``body`` is, fetched from ``url`` (in canonical form).

    >>> page = parse("<title>Rain</title><p>See <a href='b.html'>more rain</a>.", "http://example.com/a.html")
    >>> page.title, page.links[0].target, page.links[0].anchor, page.links[0].context
    ('Rain', 'http://example.com/b.html', 'more rain', 'See more rain.')
    """
    html = body if isinstance(body, str) else decode(body, content_type)
    if "\0" in html:
        html = html.replace("\0", "")
    found = _walk_soup(_readable(html), "html.parser") if is_hostile(html) else _walk_tree(html)
    return _page(found, html, url, status)


def parse_slowly(html: str, url: str, *, builder: str = "html.parser") -> Page:
    """The same by beautifulsoup4 with any of its builders: slow and obvious."""
    html = html.replace("\0", "")
    return _page(_walk_soup(_encodable(html), builder), html, url, 200)


_ISO_DATE = re.compile(r"\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_JSON_DATE = re.compile(r'"datePublished"\s*:\s*"([^"<>]{4,40})"')


def iso_date(text: str) -> str:
    """The day that a text begins with, or nothing.

    >>> iso_date("2021-7-20T08:00:00+08:00"), iso_date("2021-13-40"), iso_date("yesterday")
    ('2021-07-20', '', '')
    """
    match = _ISO_DATE.match(text)
    try:
        return date(*map(int, match.groups())).isoformat() if match else ""
    except ValueError:
        return ""


# --- what would stall a C parser --------------------------------------------------------------------------

_HARMLESS = 32_000  # characters in which attributes cannot take long
_MOST_ATTRIBUTES = 2_000
_MOST_OPTIONS = 10_000
_DEEPEST = 1_000
_LOOKS_LONG = re.compile(r"<[A-Za-z](?:[^>]{600}|(?:[^\"'>]*+(?:\"[^\"]*+\"|'[^']*+')){50})")
_WHOLE_TAG = re.compile(r"<[A-Za-z][^\"'>]*+(?:\"[^\"]*+(?:\"|\Z)[^\"'>]*+|'[^']*+(?:'|\Z)[^\"'>]*+)*+")
_OPEN_TAG = re.compile(r"<[A-Za-z/!?]")
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_NEVER_DEEP = frozenset(
    "area base br col embed hr img input link meta param source track wbr "  # void
    "li p td th tr dt dd option thead tbody tfoot colgroup body html head".split()  # closed by their like
)
_FORMATTING = (
    "a",
    "b",
    "big",
    "code",
    "em",
    "font",
    "i",
    "nobr",
    "s",
    "small",
    "strike",
    "strong",
    "tt",
    "u",
)
_FEW_TAGS = 2_000  # so few cannot be tangled badly
_TANGLE = 300_000


def is_hostile(html: str) -> bool:
    """Whether a tag holds thousands of attributes, tags are nested hundreds deep, formatting is left open
    before very many tags (each of which repeats it), or there are very many options to select from.

    C parsers take time in the square of these.

    >>> is_hostile("<div>" * 50_000), is_hostile("<div>text</div>" * 50_000)
    (True, False)
    """
    tags = html.count("<")
    if tags > _FEW_TAGS and _is_tangled(html, tags):
        return True
    if len(html) < _HARMLESS:
        return False
    return (_LOOKS_LONG.search(html) is not None and _has_giant_tag(html)) or (
        tags > _MOST_OPTIONS and _has_many_options(html)
    )


def _is_tangled(html: str, tags: int) -> bool:
    open_tags: dict[str, int] = {}
    depth = 0
    for end, name in _TAG.findall(html):
        if name in _NEVER_DEEP or (name := name.lower()) in _NEVER_DEEP:
            continue
        if not end:
            open_tags[name] = open_tags.get(name, 0) + 1
            depth += 1
            if depth > _DEEPEST:
                return True
        elif open_tags.get(name):
            open_tags[name] -= 1
            depth -= 1
    return tags * sum(open_tags.get(name, 0) for name in _FORMATTING) > _TANGLE


def _has_giant_tag(html: str) -> bool:
    """Counts what separates attributes, outside of quotes: a long data URL is one attribute."""
    tags = (tag.group() for tag in _WHOLE_TAG.finditer(html))
    names = (_QUOTED.sub(" ", tag).replace("/", " ").split() for tag in tags if len(tag) > _MOST_ATTRIBUTES)
    return any(len(parts) > _MOST_ATTRIBUTES for parts in names)


def _has_many_options(html: str) -> bool:
    return html.lower().count("<option") > _MOST_OPTIONS


def _readable(html: str) -> str:
    """What html.parser can read: it gives up at ``<![`` with an unknown word, and reads on and on for each
    tag at the end that is never closed, which means nothing.
    """
    last = html.rfind(">") + 1
    open_tag = _OPEN_TAG.search(html, last)
    whole = html[: open_tag.start()] if open_tag else html
    return _encodable(whole).replace("<![", "<! [")


# --- the fast walk ----------------------------------------------------------------------------------------


def _walk_tree(html: str) -> _Found:
    """One walk over Lexbor's tree. One long loop, because a call for each node would cost as much as the
    walk.
    """
    found = _Found()
    pieces: list[str] = []
    places: list[int] = []
    path: list[str] = []
    stack: list[tuple[LexborNode, int, _Anchor | None]] = []
    place, linked = _OUTSIDE, 0
    anchor: _Anchor | None = None
    rules, plain, close = _RULES.get, _PLAIN, found.close
    parser = _lexbor(html)
    node = parser.root
    while node is not None:
        tag = node.tag
        if tag == "-text":
            text = node.text_content
            if text and SOFT_HYPHEN in text:
                text = text.replace(SOFT_HYPHEN, "")
            if text and (pieces or not text.isspace()):
                pieces.append(text)
                places.append(place)
                if anchor is not None:
                    anchor.pieces.append(text)
                    linked += len(text)
        elif tag is not None and (rule := rules(tag, plain)) is not None:
            block, special, inside = rule
            if block and pieces:
                close(pieces, places, linked)
                pieces, places, linked = [], [], 0
                if anchor is not None:
                    anchor.pieces.append(" ")
            opened = anchor
            if special and (anchor is not None or tag != "img"):
                opened = found.special(tag, node.attributes, path, anchor)
            child = node.first_child
            if child is not None and tag != "iframe":
                stack.append((node, place, anchor))
                path.append(tag)
                place = inside[place]
                anchor = opened
                node = child
                continue
        elif tag == "br" and pieces:
            pieces.append(" ")
            places.append(place)
            if anchor is not None:
                anchor.pieces.append(" ")
        following = node.next
        while following is None and stack:
            tag = path.pop()
            if pieces and tag in _BLOCKS:
                text = close(pieces, places, linked)
                pieces, places, linked = [], [], 0
                if tag == "title":
                    found.title = found.title or text
                if anchor is not None:
                    anchor.pieces.append(" ")
            node, place, anchor = stack.pop()
            following = node.next
        node = following
    return found


def _lexbor(html: str) -> LexborHTMLParser:
    try:
        return LexborHTMLParser(html)
    except UnicodeEncodeError:  # half of a surrogate pair, which only JSON can bring
        return LexborHTMLParser(_encodable(html))


def _encodable(html: str) -> str:
    """Without halves of surrogate pairs, as selectolax reads it."""
    return html.encode("utf-8", "ignore").decode()


# --- the slow walk ----------------------------------------------------------------------------------------


def _walk_soup(html: str, builder: str) -> _Found:
    """The same walk, told by events, over the tree of any builder of beautifulsoup4."""
    walk = _SoupWalk()
    with warnings.catch_warnings():  # of XML and of texts that look like addresses: pages may be anything
        warnings.simplefilter("ignore", UserWarning)
        if builder == "html.parser":  # which by itself keeps the last of several equal attributes
            soup = BeautifulSoup(html, builder, multi_valued_attributes=None, on_duplicate_attribute="ignore")
        else:
            soup = BeautifulSoup(html, builder, multi_valued_attributes=None)
    for event, node in _events(soup):
        if isinstance(node, NavigableString):
            walk.text(str(node))
        elif event == "start":
            walk.start(node.name, {name: str(value) for name, value in node.attrs.items()})
        else:
            walk.end(node.name)
    walk.close()
    return walk.found


def _events(soup: BeautifulSoup) -> Iterator[tuple[str, Tag | NavigableString]]:
    """Starts, texts and ends in document order, without recursion: pages may be nested as deep as they
    like.
    """
    stack: list[tuple[Tag, Iterator[object]]] = [(soup, iter(soup.contents))]
    while stack:
        tag, children = stack[-1]
        for node in children:
            if isinstance(node, Tag) and node.name not in _UNSEEN:
                yield "start", node
                stack.append((node, iter(node.contents if node.name != "iframe" else ())))
                break
            if isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
                yield "text", node
        else:
            stack.pop()
            if stack:
                yield "end", tag


class _SoupWalk:
    """The state of a slow walk: the elements that are open, and the block of text that is being read."""

    def __init__(self) -> None:
        self.found = _Found()
        self.path: list[str] = []
        self.places = [_PLACES[_OUTSIDE]]
        self.anchors: list[_Anchor | None] = [None]
        self.pieces: list[str] = []
        self.kinds: list[int] = []
        self.linked = 0

    def start(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag in _BLOCKS:
            self.close()
        elif tag == "br" and self.pieces:
            self._append(" ")
            if self.anchors[-1]:
                self.anchors[-1].pieces.append(" ")
        anchor = self.anchors[-1]
        if tag in _SPECIAL:
            anchor = self.found.special(tag, attributes, self.path, anchor)
        self.anchors.append(anchor)
        self.places.append(self.places[-1].inside(tag))
        self.path.append(tag)

    def text(self, text: str) -> None:
        text = text.replace(SOFT_HYPHEN, "")
        if self.pieces or not text.isspace():
            self._append(text)
            if anchor := self.anchors[-1]:
                anchor.pieces.append(text)
                self.linked += len(text)

    def end(self, tag: str) -> None:
        if tag in _BLOCKS:
            text = self.close()
            if tag == "title":
                self.found.title = self.found.title or text
        self.path.pop()
        self.places.pop()
        self.anchors.pop()

    def close(self) -> str:
        if not self.pieces:
            return ""
        text = self.found.close(self.pieces, self.kinds, self.linked)
        self.pieces, self.kinds, self.linked = [], [], 0
        if anchor := self.anchors[-1]:
            anchor.pieces.append(" ")
        return text

    def _append(self, text: str) -> None:
        self.pieces.append(text)
        self.kinds.append(_NUMBER[self.places[-1]])


# --- what was found -> page -------------------------------------------------------------------------------

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")


def _page(found: _Found, html: str, url: str, status: int) -> Page:
    base = (canonical(found.base, url) or url) if found.base else url
    groups = tuple(map(" ".join, found.groups))
    main = _main_blocks(found.blocks)
    text = "\n".join([block[0] for block in main])
    if "datePublished" in html and (said := _JSON_DATE.search(html)):  # as JSON-LD has it
        found.dated(_DATE_RANK["datepublished"], said[1])
    robots = set(found.robots.replace(",", " ").split())
    return Page(
        url=url,
        title=found.title,
        text=text,
        links=_links(found, url, base),
        groups=groups,  # type: ignore[arg-type]
        language=_language(found.language, text or found.title),
        canonical=(canonical(found.canonical, base) or "") if found.canonical else "",
        nofollow=not robots.isdisjoint(("nofollow", "none")),
        noindex=not robots.isdisjoint(("noindex", "none")),
        digest=blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest(),
        status=status,
        date=found.date[1],
        kinds="".join([_PLACES[block[2]].kind for block in main]),
    )


def _links(found: _Found, url: str, base: str) -> tuple[Link, ...]:
    resolve = resolver(base)
    blocks = found.blocks
    links: list[Link] = []
    block, cursor = -1, 0
    for anchor in found.anchors:
        target = resolve(anchor.href)
        if target is None:
            continue
        pieces = anchor.pieces
        text = " ".join((pieces[0] if len(pieces) == 1 else "".join(pieces)).split())
        context = ""
        if anchor.block < len(blocks):
            context = blocks[anchor.block][0]
            if len(context) > _REACH:
                cursor = cursor if anchor.block == block else 0
                block = anchor.block
                context, cursor = _context(context, text, cursor)
        said = anchor.attributes
        shown = said.get("alt") or said.get("title") or ""
        words = text or " ".join(shown.replace(SOFT_HYPHEN, "").split())
        nofollow = "rel" in said and "nofollow" in (said["rel"] or "").lower()
        links.append(Link(target, url, words, context, len(links), anchor.tag_path, nofollow))
    return tuple(links)


def _context(block: str, anchor: str, cursor: int) -> tuple[str, int]:
    """The words around an anchor, inside its block, and where the next anchor of the block is to be looked
    for.

    >>> _context("Rain fell. Rivers rose.", "Rivers", 0)
    ('Rain fell. Rivers rose.', 17)
    """
    start = block.find(anchor, cursor)
    start = cursor if start < 0 else start
    end = min(start + len(anchor), len(block))
    left, right = start - _REACH, end + _REACH
    left = block.rfind(" ", 0, left) + 1 if left > 0 else 0
    if right < len(block):
        right = block.find(" ", right)
        if right >= 0:
            return block[left:right], end
    return block[left:], end


def _main_blocks(blocks: Sequence[_Block]) -> Sequence[_Block]:
    """The blocks that say something: long ones that are not mostly links, what stands right between two of
    them, and the headings above them; everything when there is no such block. After the idea of jusText
    (Pomikalek, 2011).
    """
    good = [
        linked < 0.4 * len(text) and place not in _SHADED and (len(text) >= _LONG or _is_long(text))
        for text, linked, place in blocks
    ]
    if True not in good:
        return blocks
    kept = []
    before = False
    for block, says, after in zip(blocks, good, (*good[1:], False), strict=True):
        place = block[2]
        if says or (after and place not in _SHADED and (before or place in _HEADED)):
            kept.append(block)
        before = says
    return kept


def _is_long(text: str) -> bool:
    """A Chinese character says about as much as three Latin ones."""
    return not text.isascii() and len(text) + 2 * len(_CHINESE.findall(text)) >= _LONG


def _language(declared: str, text: str) -> str:
    """The two-letter language; scripts that leave no doubt count more than what the page declares."""
    sample = text[:2000]
    if not sample.isascii():
        if len(_HANGUL.findall(sample)) * 5 > len(sample):
            return "ko"
        if _KANA.search(sample) and len(_KANA.findall(sample)) * 20 > len(sample):
            return "ja"
        if len(_CHINESE.findall(sample)) * 5 > len(sample):
            return "zh"
    return re.split(r"[-_,;\s]", declared.strip().lower(), maxsplit=1)[0][:8]
