"""The fast walk: one loop over the tree of selectolax (Lexbor)."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from fcwseo.pages.html.hostile import encodable
from fcwseo.pages.html.raw_page import RawLink, RawPage
from fcwseo.pages.html.roles import BLOCKS, OUTSIDE, PLAIN, RULES
from fcwseo_ontology.corpus.tokens import SOFT_HYPHEN


def walk_tree(html: str) -> RawPage:
    """Collect a page in one walk over Lexbor's tree.

    One long loop, because a call for each node would cost as much as the walk.
    """
    raw = RawPage()
    pieces: list[str] = []
    roles: list[int] = []
    path: list[str] = []
    stack: list[tuple[LexborNode, int, RawLink | None, int]] = []
    role, linked, element = OUTSIDE, 0, 0
    anchor: RawLink | None = None
    rules, plain, add_block, enter = RULES.get, PLAIN, raw.add_block, raw.enter
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
                roles.append(role)
                if anchor is not None:
                    anchor.pieces.append(text)
                    linked += len(text)
        elif tag is not None and (rule := rules(tag, plain)) is not None:
            block, special, inside = rule
            if block and pieces:
                add_block(pieces, roles, linked, element)
                pieces, roles, linked = [], [], 0
                if anchor is not None:
                    anchor.pieces.append(" ")
            opened = anchor
            if special and (anchor is not None or tag != "img"):
                opened = raw.add_element(tag, node.attributes, path, element, anchor)
            child = node.first_child
            if child is not None and tag != "iframe":
                stack.append((node, role, anchor, element))
                path.append(tag)
                if block:
                    element = enter(tag, node.attributes, element)
                role = inside[role]
                anchor = opened
                node = child
                continue
        elif tag == "br" and pieces:
            pieces.append(" ")
            roles.append(role)
            if anchor is not None:
                anchor.pieces.append(" ")
        following = node.next
        while following is None and stack:
            tag = path.pop()
            if pieces and tag in BLOCKS:
                text = add_block(pieces, roles, linked, element)
                pieces, roles, linked = [], [], 0
                if tag == "title":
                    raw.title = raw.title or text
                if anchor is not None:
                    anchor.pieces.append(" ")
            node, role, anchor, element = stack.pop()
            following = node.next
        node = following
    return raw


def _lexbor(html: str) -> LexborHTMLParser:
    try:
        return LexborHTMLParser(html)
    except UnicodeEncodeError:  # a lone surrogate, possible only in text from JSON
        return LexborHTMLParser(encodable(html))
