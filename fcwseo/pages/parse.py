"""Parses HTML into a ``Page``. All other modules use the HTML parsers through this one.

``parse`` walks once over the tree of selectolax (Lexbor). beautifulsoup4 is the slow and simple alternative:
the oracle of the tests, and the parser of pages that would stall a parser written in C. Both walks collect
the same values in the same order (``html.raw_page``), and one function builds the page (``html.build``).
"""

from fcwseo.pages.charset import decode
from fcwseo.pages.html.build import build_page
from fcwseo.pages.html.hostile import encodable, is_hostile, repaired
from fcwseo.pages.html.soup import walk_soup
from fcwseo.pages.html.tree import walk_tree
from fcwseo.pages.values import Page

# Part of the key of the cache of parsed pages: increase it with every change of what ``parse`` returns.
PARSER_VERSION = "7"


def parse(body: bytes | str, url: str, *, content_type: str = "", status: int = 200) -> Page:
    """Parse ``body``, fetched from ``url`` (in canonical form). Never raises: any input gives a page.

    ``content_type`` is the header, which may declare the encoding. ``status`` is the HTTP status.

    >>> page = parse("<title>Rain</title><p>See <a href='b.html'>more rain</a>.", "http://example.com/a.html")
    >>> page.title, page.links[0].target, page.links[0].anchor, page.links[0].context
    ('Rain', 'http://example.com/b.html', 'more rain', 'See more rain.')
    """
    html = body if isinstance(body, str) else decode(body, content_type)
    if "\0" in html:
        html = html.replace("\0", "")
    raw = walk_soup(repaired(html), "html.parser") if is_hostile(html) else walk_tree(html)
    return build_page(raw, html, url, status)


def parse_slowly(html: str, url: str, *, builder: str = "html.parser") -> Page:
    """The same as ``parse`` by beautifulsoup4 with any of its builders: the oracle of the tests.

    >>> parse_slowly("<title>Rain</title>", "http://example.com/") == parse(
    ...     "<title>Rain</title>", "http://example.com/"
    ... )
    True
    """
    html = html.replace("\0", "")
    return build_page(walk_soup(encodable(html), builder), html, url, 200)
