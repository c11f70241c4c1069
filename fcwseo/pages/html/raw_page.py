"""The values that both walks over a page collect, in document order, before a ``Page`` is built."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from msgspec import Struct

from fcwseo.pages.html.dates import META_RANK, NO_DATE, TIME_RANK, iso_date
from fcwseo.pages.html.names import beside
from fcwseo.pages.html.roles import BLOCKS, GROUP_OF, LINK_ATTRIBUTE

_PATH_LENGTH = 8  # tags of a tag path, counted from the link upwards
_LONGEST_MARK = 24  # characters of a class or id in a tag path
_DIGITS = re.compile(r"[0-9]+")

Block = tuple[str, int, int, int]
"""A run of text between two block-level tags: the text, the number of its characters inside links, the number
of its role, and the number of the element that contains it.
"""


Element = tuple[int, str, str, str]
"""A block-level element: the number of the one around it, the name by which it is beside the main text or "",
its tag and its class. Number 0 is the document.
"""


class RawLink(Struct):
    """A link as written in the page; ``block`` is the number of the block of text that contains it.

    ``tag_path`` names the tags around it. Block-level tags carry the first of their classes, or else their
    id, with ``0`` for a number: ``div.posts/article#post-0/h2/a``.
    """

    href: str
    attributes: dict[str, str | None]
    tag_path: str
    block: int
    pieces: list[str] = []


@dataclass(slots=True)
class RawPage:
    """The texts, links and metadata of a page, in document order."""

    groups: list[list[str]] = field(default_factory=lambda: [[], [], [], [], []])
    blocks: list[Block] = field(default_factory=list)
    elements: list[Element] = field(default_factory=lambda: [(0, "", "", "")])
    attributes: list[dict[str, str | None]] = field(default_factory=lambda: [{}])  # of the elements
    paths: dict[int, tuple[str, ...]] = field(default_factory=lambda: {0: ()})  # names around links
    anchors: list[RawLink] = field(default_factory=list)
    title: str = ""
    base: str = ""
    canonical: str = ""
    robots: str = ""
    language: str = ""
    date: tuple[int, str] = NO_DATE  # its rank, and the day

    def add_element(
        self,
        tag: str,
        attributes: dict[str, str | None],
        path: Sequence[str],
        element: int,
        open_anchor: RawLink | None,
    ) -> RawLink | None:
        """Read the attributes of a special element; return the link that is open inside it.

        ``path`` names the tags around it, and ``element`` is the number of the block-level element.
        """
        if tag in LINK_ATTRIBUTE:
            href = attributes.get(LINK_ATTRIBUTE[tag])
            if href is None:
                return open_anchor
            anchor = RawLink(href.strip(), attributes, self._tag_path(tag, path, element), len(self.blocks))
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
            self.add_date(TIME_RANK, attributes.get("datetime"))
        else:
            self.language = attributes.get("lang") or attributes.get("xml:lang") or ""
        return open_anchor

    def enter(self, tag: str, attributes: dict[str, str | None], parent: int) -> int:
        """Add a block-level element; return its number."""
        self.elements.append((parent, beside(tag, attributes), tag, attributes.get("class") or ""))
        self.attributes.append(attributes)
        return len(self.elements) - 1

    def _tag_path(self, tag: str, path: Sequence[str], element: int) -> str:
        """The names of the elements around a link, without inline tags outside the innermost element."""
        inline, most = len(path), max(0, len(path) - _PATH_LENGTH)  # tags may be nested thousands deep
        while inline > most and path[inline - 1] not in BLOCKS:
            inline -= 1
        names = (*self._names(element), *path[inline:])[1 - _PATH_LENGTH :]
        return f"{'/'.join(names)}/{tag}"

    def _names(self, element: int) -> tuple[str, ...]:
        """The names of an element and of those around it, as many as a tag path has."""
        missing = []
        while element not in self.paths:
            missing.append(element)
            element = self.elements[element][0]
        names = self.paths[element]
        for number in reversed(missing):
            attributes, tag = self.attributes[number], self.elements[number][2]
            name = (
                _name(tag, attributes.get("class") or "", attributes.get("id") or "") if attributes else tag
            )
            names = self.paths[number] = (*names, name)[1 - _PATH_LENGTH :]
        return names

    def add_date(self, rank: int, text: str | None) -> None:
        """Add a date that the page states. The best rank wins; among equals, the first."""
        if rank < self.date[0] and (date := iso_date(text or "")):
            self.date = rank, date

    def _meta(self, attributes: dict[str, str | None]) -> None:
        """Collect a meta element. Keywords, description and robots accumulate; the first language counts."""
        name = (attributes.get("name") or "").lower()
        if name in ("keywords", "description"):
            self.groups[0] += (attributes.get("content") or "").split()
        elif name == "robots":
            self.robots += f",{(attributes.get('content') or '').lower()}"
        elif not name and (attributes.get("http-equiv") or "").lower() == "content-language":
            self.language = self.language or (attributes.get("content") or "")
        else:
            key = name or (attributes.get("property") or attributes.get("itemprop") or "").lower()
            if (rank := META_RANK.get(key)) is not None:
                self.add_date(rank, attributes.get("content"))

    def add_block(self, pieces: list[str], roles: list[int], linked: int, element: int) -> str:
        """Add a block of pieces of text, each with the number of its role; return its text.

        ``linked`` is the number of its characters inside links, ``element`` the number of the element.
        """
        text = " ".join((pieces[0] if len(pieces) == 1 else "".join(pieces)).split())
        if text:
            first = roles[0]
            self.blocks.append((text, linked, first, element))
            if roles.count(first) == len(roles):
                self.groups[GROUP_OF[first]].append(text)
            else:
                self._add_mixed_block(pieces, [GROUP_OF[role] for role in roles])
        return text

    def _add_mixed_block(self, pieces: list[str], groups: list[int]) -> None:
        """Add each piece to its group. Adjacent pieces of a group stay joined, as in ``rain<i>storm</i>``."""
        start = 0
        for i in range(1, len(groups) + 1):
            if i == len(groups) or groups[i] != groups[start]:
                self.groups[groups[start]] += "".join(pieces[start:i]).split()
                start = i


@lru_cache(1 << 14)
def _name(tag: str, classes: str, identifier: str) -> str:
    """
    >>> _name("div", "entry post-17", ""), _name("li", "", "comment-1234"), _name("p", "", "")
    ('div.entry', 'li#comment-0', 'p')
    """
    first = classes.split(maxsplit=1)
    if not first and not identifier:
        return tag
    mark = f".{first[0]}" if first else f"#{identifier}"
    return tag + _DIGITS.sub("0", mark[:_LONGEST_MARK])
