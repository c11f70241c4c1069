"""Recognises HTML that would stall or break a parser, before it is parsed."""

import re

_SHORT = 32_000  # characters; attributes of a shorter page cannot take long
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
_FORMATTING = tuple("a b big code em font i nobr s small strike strong tt u".split())
_FEW_TAGS = 2_000  # too few for formatting to be repeated often
_MOST_REPEATS = 300_000  # tags times formatting elements left open


def is_hostile(html: str) -> bool:
    """Whether parsers written in C would need quadratic time for a page.

    This is so if a tag has thousands of attributes, tags are nested a thousand deep, formatting elements stay
    open before very many tags (each of which repeats them), or there are thousands of options.

    >>> is_hostile("<div>" * 50_000), is_hostile("<div>text</div>" * 50_000)
    (True, False)
    """
    tags = html.count("<")
    if tags > _FEW_TAGS and _repeats_formatting(html, tags):
        return True
    if len(html) < _SHORT:
        return False
    return (_LOOKS_LONG.search(html) is not None and _has_giant_tag(html)) or (
        tags > _MOST_OPTIONS and _has_many_options(html)
    )


def _repeats_formatting(html: str, tags: int) -> bool:
    """Whether tags are nested too deep, or open formatting elements are repeated too often."""
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
    return tags * sum(open_tags.get(name, 0) for name in _FORMATTING) > _MOST_REPEATS


def _has_giant_tag(html: str) -> bool:
    """Whether a tag has too many attributes. A quoted text, such as a long data URL, counts as one."""
    tags = (tag.group() for tag in _WHOLE_TAG.finditer(html))
    names = (_QUOTED.sub(" ", tag).replace("/", " ").split() for tag in tags if len(tag) > _MOST_ATTRIBUTES)
    return any(len(parts) > _MOST_ATTRIBUTES for parts in names)


def _has_many_options(html: str) -> bool:
    return html.lower().count("<option") > _MOST_OPTIONS


def repaired(html: str) -> str:
    """HTML that html.parser reads in linear time.

    It would stop at ``<![`` with an unknown word, and search to the end of the page for each unclosed tag
    after the last ``>``. Such tags are removed.
    """
    last = html.rfind(">") + 1
    open_tag = _OPEN_TAG.search(html, last)
    whole = html[: open_tag.start()] if open_tag else html
    return encodable(whole).replace("<![", "<! [")


def encodable(html: str) -> str:
    """The text without lone surrogates, which parsers written in C reject."""
    return html.encode("utf-8", "ignore").decode()
