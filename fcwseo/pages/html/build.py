"""Builds a page from the values that a walk collected: main text, links with context, language, date."""

import re
from collections.abc import Sequence
from hashlib import blake2b

from fcwseo.pages.html.dates import JSON_RANK, json_date
from fcwseo.pages.html.main_text import main_blocks
from fcwseo.pages.html.raw_page import Block, RawPage
from fcwseo.pages.html.roles import HEADING_ROLES, ROLES
from fcwseo.pages.urls import canonical, resolver
from fcwseo.pages.values import Link, Page
from fcwseo_ontology.corpus.tokens import SOFT_HYPHEN

_LONGEST_HEADING = 100  # characters
_REACH = 200  # characters of context on each side of an anchor
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")


def build_page(raw: RawPage, html: str, url: str, status: int) -> Page:
    """Build a page from the values of a walk; ``html`` is searched only for a date in JSON-LD."""
    base = (canonical(raw.base, url) or url) if raw.base else url
    groups = tuple(map(" ".join, raw.groups))
    main = main_blocks(raw.blocks, raw.elements)
    text = "\n".join([block[0] for block in main])
    raw.add_date(JSON_RANK, json_date(html))
    robots = set(raw.robots.replace(",", " ").split())
    return Page(
        url=url,
        title=raw.title,
        text=text,
        links=_links(raw, url, base),
        groups=groups,  # type: ignore[arg-type]
        language=_language(raw.language, text or raw.title),
        canonical=(canonical(raw.canonical, base) or "") if raw.canonical else "",
        nofollow=not robots.isdisjoint(("nofollow", "none")),
        noindex=not robots.isdisjoint(("noindex", "none")),
        digest=blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest(),
        status=status,
        date=raw.date[1],
        kinds="".join([ROLES[block[2]].kind for block in main]),
    )


def _links(raw: RawPage, url: str, base: str) -> tuple[Link, ...]:
    resolve = resolver(base)
    blocks, headings = raw.blocks, _headings(raw.blocks)
    links: list[Link] = []
    block, cursor = -1, 0
    for anchor in raw.anchors:
        target = resolve(anchor.href)
        if target is None:
            continue
        pieces = anchor.pieces
        text = " ".join((pieces[0] if len(pieces) == 1 else "".join(pieces)).split())
        context = heading = ""
        if anchor.block < len(blocks):
            heading = headings[anchor.block]
            context = blocks[anchor.block][0]
            if len(context) > _REACH:
                cursor = cursor if anchor.block == block else 0
                block = anchor.block
                context, cursor = _context(context, text, cursor)
        attributes = anchor.attributes
        shown = attributes.get("alt") or attributes.get("title") or ""
        title = " ".join(shown.replace(SOFT_HYPHEN, "").split()) if shown else ""
        nofollow = "rel" in attributes and "nofollow" in (attributes["rel"] or "").lower()
        if not text or title == text:
            text, title = text or title, ""
        links.append(
            Link(
                target,
                url,
                text,
                context,
                len(links),
                anchor.tag_path,
                nofollow,
                heading=heading,
                title=title,
            )
        )
    return tuple(links)


def _headings(blocks: Sequence[Block]) -> list[str]:
    """The section heading above each block, h2 to h6, as far as it is short. h1 is the title of the page.

    >>> heading, text = next(role for role in HEADING_ROLES if ROLES[role].kind == "2"), ROLES.index((4, "p"))
    >>> _headings([("Floods", 0, heading, 0), ("See here.", 8, text, 0), ("See there.", 9, text, 0)])
    ['', 'Floods', 'Floods']
    """
    headings: list[str] = []
    above = ""
    for text, _, role, _ in blocks:
        if role not in HEADING_ROLES:
            headings.append(above)
            continue
        headings.append("")
        above = "" if ROLES[role].kind == "1" else text[:_LONGEST_HEADING]
    return headings


def _context(block: str, anchor: str, cursor: int) -> tuple[str, int]:
    """The text around an anchor in its block, and the offset from which to search for the next anchor.

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


def _language(declared: str, text: str) -> str:
    """The two-letter code of the language, by its script if that is unambiguous, else as declared."""
    sample = text[:2000]
    if not sample.isascii():
        if len(_HANGUL.findall(sample)) * 5 > len(sample):
            return "ko"
        if _KANA.search(sample) and len(_KANA.findall(sample)) * 20 > len(sample):
            return "ja"
        if len(_CHINESE.findall(sample)) * 5 > len(sample):
            return "zh"
    return re.split(r"[-_,;\s]", declared.strip().lower(), maxsplit=1)[0][:8]
