"""The slow walk, over beautifulsoup4: the oracle of the tests, and the parser of hostile pages."""

import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PreformattedString, Tag

from fcwseo.pages.html.raw_page import RawLink, RawPage
from fcwseo.pages.html.roles import BLOCKS, INVISIBLE, OUTSIDE, ROLE_NUMBER, ROLES, SPECIAL
from fcwseo_ontology.corpus.tokens import SOFT_HYPHEN


def walk_soup(html: str, builder: str) -> RawPage:
    """Collect a page from the tree of beautifulsoup4, built by any of its builders."""
    walk = _SoupWalk()
    with warnings.catch_warnings():  # about XML, and text that looks like a URL
        warnings.simplefilter("ignore", UserWarning)
        if builder == "html.parser":  # it would keep the last of several equal attributes
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
    return walk.raw


def _events(soup: BeautifulSoup) -> Iterator[tuple[str, Tag | NavigableString]]:
    """Starts, texts and ends of elements in document order. Not recursive, since pages may be nested deep."""
    stack: list[tuple[Tag, Iterator[object]]] = [(soup, iter(soup.contents))]
    while stack:
        tag, children = stack[-1]
        for node in children:
            if isinstance(node, Tag) and node.name not in INVISIBLE:
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
    """The state of a slow walk: the open elements and the current block of text."""

    def __init__(self) -> None:
        self.raw = RawPage()
        self.path: list[str] = []
        self.roles = [ROLES[OUTSIDE]]
        self.anchors: list[RawLink | None] = [None]
        self.pieces: list[str] = []
        self.numbers: list[int] = []
        self.linked = 0
        self.elements = [0]

    def start(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag in BLOCKS:
            self.close()
        elif tag == "br" and self.pieces:
            self._append(" ")
            if self.anchors[-1]:
                self.anchors[-1].pieces.append(" ")
        anchor = self.anchors[-1]
        if tag in SPECIAL:
            anchor = self.raw.add_element(tag, attributes, self.path, self.elements[-1], anchor)
        self.anchors.append(anchor)
        self.roles.append(self.roles[-1].inside(tag))
        self.path.append(tag)
        around = self.elements[-1]
        self.elements.append(self.raw.enter(tag, attributes, around) if tag in BLOCKS else around)

    def text(self, text: str) -> None:
        text = text.replace(SOFT_HYPHEN, "")
        if self.pieces or not text.isspace():
            self._append(text)
            if anchor := self.anchors[-1]:
                anchor.pieces.append(text)
                self.linked += len(text)

    def end(self, tag: str) -> None:
        if tag in BLOCKS:
            text = self.close()
            if tag == "title":
                self.raw.title = self.raw.title or text
        self.path.pop()
        self.elements.pop()
        self.roles.pop()
        self.anchors.pop()

    def close(self) -> str:
        if not self.pieces:
            return ""
        text = self.raw.add_block(self.pieces, self.numbers, self.linked, self.elements[-1])
        self.pieces, self.numbers, self.linked = [], [], 0
        if anchor := self.anchors[-1]:
            anchor.pieces.append(" ")
        return text

    def _append(self, text: str) -> None:
        self.pieces.append(text)
        self.numbers.append(ROLE_NUMBER[self.roles[-1]])
