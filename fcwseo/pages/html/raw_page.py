"""The values that both walks over a page collect, in document order, before a ``Page`` is built."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from fcwseo.pages.html.dates import META_RANK, NO_DATE, TIME_RANK, iso_date
from fcwseo.pages.html.names import beside
from fcwseo.pages.html.roles import GROUP_OF, LINK_ATTRIBUTE

_PATH_LENGTH = 8  # tags of a tag path, counted from the link upwards

Block = tuple[str, int, int, int]
"""A run of text between two block-level tags: the text, the number of its characters inside links, the number
of its role, and the number of the element that contains it.
"""


Element = tuple[int, str, str, str]
"""A block-level element: the number of the one around it, the name by which it is beside the main text or "",
its tag and its class. Number 0 is the document.
"""


class RawLink(Struct):
    """A link as written in the page; ``block`` is the number of the block of text that contains it."""

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
    anchors: list[RawLink] = field(default_factory=list)
    title: str = ""
    base: str = ""
    canonical: str = ""
    robots: str = ""
    language: str = ""
    date: tuple[int, str] = NO_DATE  # its rank, and the day

    def add_element(
        self, tag: str, attributes: dict[str, str | None], path: Sequence[str], open_anchor: RawLink | None
    ) -> RawLink | None:
        """Read the attributes of a special element; return the link that is open inside it."""
        if tag in LINK_ATTRIBUTE:
            href = attributes.get(LINK_ATTRIBUTE[tag])
            if href is None:
                return open_anchor
            tag_path = f"{'/'.join(path[1 - _PATH_LENGTH :])}/{tag}"
            anchor = RawLink(href.strip(), attributes, tag_path, len(self.blocks))
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
        return len(self.elements) - 1

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
