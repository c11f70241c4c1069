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
from hashlib import blake2b
from typing import NamedTuple

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PreformattedString, Tag
from selectolax.lexbor import LexborHTMLParser, LexborNode

from fcwseo.charset import decode
from fcwseo.pages import Link, Page
from fcwseo.urls import Resolver, canonical

# Part of the key under which parsed pages are kept: raise it with every change of what ``parse`` returns.
PARSER_VERSION = "1"

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
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_SOURCE = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
_SPECIAL = frozenset((*_SOURCE, "meta", "base", "link", "img", "html"))


class _Rule(NamedTuple):
    """What a tag means to the walk. Tags that are never entered have none; unknown ones are plain."""

    block: bool
    special: bool
    group: int
    boilerplate: bool
    heading: bool


_PLAIN = _Rule(False, False, _OTHER, False, False)
_RULES: dict[str, _Rule | None] = {
    **{
        tag: _Rule(
            tag in _BLOCKS, tag in _SPECIAL, _GROUP.get(tag, _OTHER), tag in _BOILERPLATE, tag in _HEADINGS
        )
        for tag in sorted({*_GROUP, *_BLOCKS, *_SPECIAL})
    },
    **dict.fromkeys((*_UNSEEN, "br", "-comment", "-document", "")),
}

_PATH_LENGTH = 8  # tags of a tag path, counted from the link upwards
_REACH = 200  # characters of context on each side of an anchor


class _Anchor:
    """A link as it stands in the page; ``block`` is the number of the block of text that it stands in."""

    __slots__ = ("attributes", "block", "href", "pieces", "tag_path")

    def __init__(self, href: str, attributes: dict[str, str | None], tag_path: str, block: int) -> None:
        self.href = href
        self.attributes = attributes
        self.tag_path = tag_path
        self.block = block
        self.pieces: list[str] = []


class _Block(NamedTuple):
    """A run of text between two block-level tags; ``linked`` counts its characters inside links."""

    text: str
    linked: int
    boilerplate: bool
    heading: bool


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

    def special(
        self, tag: str, attributes: dict[str, str | None], path: Sequence[str], open_anchor: _Anchor | None
    ) -> _Anchor | None:
        """Take in an element that says something by its attributes; the link that is open inside of it."""
        if tag in _SOURCE:
            href = attributes.get(_SOURCE[tag])
            if href is None:
                return open_anchor
            anchor = _Anchor(href, attributes, "/".join(path[-_PATH_LENGTH:]), len(self.blocks))
            self.anchors.append(anchor)
            return anchor
        if tag == "img":
            if open_anchor is not None and attributes.get("alt"):
                open_anchor.attributes.setdefault("alt", attributes["alt"])
        elif tag == "html":
            self.language = attributes.get("lang") or attributes.get("xml:lang") or ""
        else:
            self._head(tag, attributes)
        return open_anchor

    def _head(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Of base, canonical link and language the first counts; keywords, description and robots all."""
        href = (attributes.get("href") or "").strip()
        content = attributes.get("content") or ""
        name = (attributes.get("name") or "").lower()
        if tag == "base":
            self.base = self.base or href
        elif tag == "link":
            if "canonical" in (attributes.get("rel") or "").lower().split():
                self.canonical = self.canonical or href
        elif name in ("keywords", "description"):
            self.groups[0] += content.split()
        elif name == "robots":
            self.robots += f",{content.lower()}"
        elif (attributes.get("http-equiv") or "").lower() == "content-language":
            self.language = self.language or content

    def close(
        self, pieces: list[str], kinds: list[int], linked: int, boilerplate: bool, heading: bool
    ) -> str:
        """Close a block: its pieces of text, the group of each, how much of it is inside links. Gives its
        text.
        """
        text = " ".join((pieces[0] if len(pieces) == 1 else "".join(pieces)).split())
        if text:
            self.blocks.append(_Block(text, linked, boilerplate, heading))
            if kinds.count(kinds[0]) == len(kinds):
                self.groups[kinds[0]].append(text)
            else:
                self._scatter(pieces, kinds)
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
    found = _walk_soup(_whole_tags(html), "html.parser") if is_hostile(html) else _walk_tree(html)
    return _page(found, url, status)


def parse_slowly(html: str, url: str, *, builder: str = "html.parser") -> Page:
    """The same by beautifulsoup4 with any of its builders: slow and obvious."""
    return _page(_walk_soup(html.replace("\0", ""), builder), url, 200)


# --- what would stall a C parser --------------------------------------------------------------------------

_HARMLESS = 20_000  # characters in which nothing can take long
_MOST_ATTRIBUTES = 2_000
_DEEPEST = 400
_LOOKS_LONG = re.compile(r"<[A-Za-z](?:[^>]{600}|(?:[^\"'>]*+(?:\"[^\"]*+\"|'[^']*+')){50})")
_WHOLE_TAG = re.compile(r"<[A-Za-z][^\"'>]*+(?:\"[^\"]*+(?:\"|\Z)[^\"'>]*+|'[^']*+(?:'|\Z)[^\"'>]*+)*+")
_OPEN_TAG = re.compile(r"<[A-Za-z/!?]")
_QUOTED = re.compile(r"\"[^\"]*+\"|'[^']*+'")
_NESTING_TAG = re.compile(  # all but void tags and those that their like closes
    r"<(/?)(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|"
    r"li|p|td|th|tr|dt|dd|option|thead|tbody|tfoot|colgroup|body|html|head)\b)[a-z]",
    re.IGNORECASE,
)


def is_hostile(html: str) -> bool:
    """Whether a tag holds thousands of attributes, or tags are nested hundreds deep.

    Every C parser at hand takes time in the square of either. A short page cannot take long.

    >>> is_hostile("<div>" * 50_000), is_hostile("<div>text</div>" * 50_000)
    (True, False)
    """
    if len(html) < _HARMLESS:
        return False
    return (_LOOKS_LONG.search(html) is not None and _has_giant_tag(html)) or (
        _may_be_deep(html) and _is_deep(html)
    )


def _has_giant_tag(html: str) -> bool:
    """Counts what separates attributes, outside of quotes: a long data URL is one attribute."""
    tags = (tag.group() for tag in _WHOLE_TAG.finditer(html))
    names = (_QUOTED.sub(" ", tag).replace("/", " ").split() for tag in tags if len(tag) > _MOST_ATTRIBUTES)
    return any(len(parts) > _MOST_ATTRIBUTES for parts in names)


def _whole_tags(html: str) -> str:
    """Without tags at the end that are never closed: they mean nothing, and html.parser reads on for each
    of them.
    """
    last = html.rfind(">") + 1
    open_tag = _OPEN_TAG.search(html, last)
    return html[: open_tag.start()] if open_tag else html


def _may_be_deep(html: str) -> bool:
    """A cheap upper bound: every tag that is not an end tag is taken to stay open."""
    depth = 0
    for start in range(0, len(html), 4096):
        tags, ends = html.count("<", start, start + 4096), html.count("</", start, start + 4096)
        if depth + tags > _DEEPEST:
            return True
        depth += tags - 2 * ends
    return False


def _is_deep(html: str) -> bool:
    depth = 0
    for end in _NESTING_TAG.findall(html):
        depth = max(depth - 1, 0) if end else depth + 1
        if depth > _DEEPEST:
            return True
    return False


# --- the fast walk ----------------------------------------------------------------------------------------


def _walk_tree(html: str) -> _Found:
    """One walk over Lexbor's tree. One long loop, because a call for each node would cost as much as the
    walk.
    """
    found = _Found()
    pieces: list[str] = []
    kinds: list[int] = []
    path: list[str] = []
    stack: list[tuple[LexborNode, int, bool, bool, _Anchor | None]] = []
    group, boilerplate, heading, linked = _OTHER, False, False, 0
    anchor: _Anchor | None = None
    rules, close = _RULES, found.close
    parser = _lexbor(html)
    node = parser.root
    while node is not None:
        tag = node.tag or ""
        if tag == "-text":
            text = node.text_content
            if text and (pieces or not text.isspace()):
                pieces.append(text)
                kinds.append(group)
                if anchor is not None:
                    anchor.pieces.append(text)
                    linked += len(text)
        elif (rule := rules.get(tag, _PLAIN)) is not None:
            block, special, best, shaded, headed = rule
            if block and pieces:
                close(pieces, kinds, linked, boilerplate, heading)
                pieces, kinds, linked = [], [], 0
                if anchor is not None:
                    anchor.pieces.append(" ")
            child = node.first_child if tag != "iframe" else None
            path.append(tag)
            inside = found.special(tag, node.attributes, path, anchor) if special else anchor
            if child is not None:
                stack.append((node, group, boilerplate, heading, anchor))
                anchor = inside
                if best < group:
                    group = best
                if block:
                    boilerplate = boilerplate or shaded
                    heading = headed
                node = child
                continue
            path.pop()
        elif tag == "br" and pieces:
            pieces.append(" ")
            kinds.append(group)
        following = node.next
        while following is None and stack:
            tag = path.pop()
            if pieces and tag in _BLOCKS:
                text = close(pieces, kinds, linked, boilerplate, heading)
                pieces, kinds, linked = [], [], 0
                if tag == "title":
                    found.title = found.title or text
                if anchor is not None:
                    anchor.pieces.append(" ")
            node, group, boilerplate, heading, anchor = stack.pop()
            following = node.next
        node = following
    return found


def _lexbor(html: str) -> LexborHTMLParser:
    try:
        return LexborHTMLParser(html)
    except UnicodeEncodeError:  # half of a surrogate pair, which only JSON can bring
        return LexborHTMLParser(html.encode("utf-8", "replace").decode())


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


class _Place(NamedTuple):
    """What holds for the text inside of an element."""

    group: int = _OTHER
    boilerplate: bool = False
    heading: bool = False
    anchor: _Anchor | None = None


class _SoupWalk:
    """The state of a slow walk: the places that are open, and the block of text that is being read."""

    def __init__(self) -> None:
        self.found = _Found()
        self.path: list[str] = []
        self.places = [_Place()]
        self.pieces: list[str] = []
        self.kinds: list[int] = []
        self.linked = 0

    def start(self, tag: str, attributes: dict[str, str | None]) -> None:
        block, special, group, boilerplate, heading = _RULES.get(tag) or _PLAIN
        if block:
            self.close()
        elif tag == "br":
            self._append(" ")
        self.path.append(tag)
        outer = self.places[-1]
        place = _Place(
            min(group, outer.group),
            boilerplate or outer.boilerplate,
            heading if block else outer.heading,
            self.found.special(tag, attributes, self.path, outer.anchor) if special else outer.anchor,
        )
        self.places.append(place)

    def text(self, text: str) -> None:
        if self.pieces or not text.isspace():
            self._append(text)
            if anchor := self.places[-1].anchor:
                anchor.pieces.append(text)
                self.linked += len(text)

    def end(self, tag: str) -> None:
        if tag in _BLOCKS:
            text = self.close()
            if tag == "title":
                self.found.title = self.found.title or text
        self.path.pop()
        self.places.pop()

    def _append(self, text: str) -> None:
        if self.pieces or text != " ":
            self.pieces.append(text)
            self.kinds.append(self.places[-1].group)

    def close(self) -> str:
        if not self.pieces:
            return ""
        place = self.places[-1]
        text = self.found.close(self.pieces, self.kinds, self.linked, place.boilerplate, place.heading)
        self.pieces, self.kinds, self.linked = [], [], 0
        if place.anchor:
            place.anchor.pieces.append(" ")
        return text


# --- what was found -> page -------------------------------------------------------------------------------

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")


def _page(found: _Found, url: str, status: int) -> Page:
    groups = tuple(map(" ".join, found.groups))
    text = _main_text(found.blocks)
    return Page(
        url=url,
        title=found.title,
        text=text,
        links=_links(found, url),
        groups=groups,  # type: ignore[arg-type]
        language=_language(found.language, text or found.title),
        canonical=(canonical(found.canonical, url) or "") if found.canonical else "",
        nofollow="nofollow" in found.robots or "none" in found.robots,
        noindex="noindex" in found.robots or "none" in found.robots,
        digest=blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest(),
        status=status,
    )


def _links(found: _Found, url: str) -> tuple[Link, ...]:
    resolve = Resolver(canonical(found.base, url) or url if found.base else url)
    links: list[Link] = []
    block, cursor = -1, 0
    for anchor in found.anchors:
        href = anchor.href.strip()
        if not href or href[0] == "#" or (target := resolve(href)) is None:
            continue
        text = " ".join("".join(anchor.pieces).split())
        context = ""
        if anchor.block < len(found.blocks):
            if anchor.block != block:
                block, cursor = anchor.block, 0
            context, cursor = _context(found.blocks[block].text, text, cursor)
        said = anchor.attributes
        words = text or " ".join((said.get("alt") or said.get("title") or "").split())
        nofollow = "rel" in said and "nofollow" in (said["rel"] or "")
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


def _main_text(blocks: Sequence[_Block]) -> str:
    """The blocks that say something: long ones that are not mostly links, what stands right between two of
    them, and the headings above them; everything when there is no such block. After the idea of jusText
    (Pomikalek, 2011).
    """
    good = [_says_something(block) for block in blocks]
    if not any(good):
        return "\n".join(block.text for block in blocks)
    kept = list(good)
    for i, block in enumerate(blocks):
        if good[i] or block.boilerplate:
            continue
        after = i + 1 < len(blocks) and good[i + 1]
        between = after and i > 0 and good[i - 1]
        kept[i] = between or (after and block.heading)
    return "\n".join(block.text for block, keep in zip(blocks, kept, strict=True) if keep)


def _says_something(block: _Block) -> bool:
    length = len(block.text)
    # A Chinese character says about as much as three Latin ones.
    weight = length + 2 * len(_CHINESE.findall(block.text)) if not block.text.isascii() else length
    return not block.boilerplate and weight >= 60 and block.linked < 0.4 * length


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
