"""Bytes -> ``Page``: the only door to the HTML parsers.

The fast way is one walk over the tree of selectolax (Lexbor). beautifulsoup4 is the slow, obvious twin: the
oracle of the tests, and the parser of pages that would stall every parser written in C. Both walks collect
the same things in the same order (``html.raw_page``); one function makes a page of them (``html.build``).
"""

from fcwseo.pages.charset import decode
from fcwseo.pages.html.build import build_page
from fcwseo.pages.html.hostile import encodable, is_hostile, repaired
from fcwseo.pages.html.soup import walk_soup
from fcwseo.pages.html.tree import walk_tree
from fcwseo.pages.values import Page

# Part of the key of the cache of parsed pages: raise it with every change of what ``parse`` returns.
PARSER_VERSION = "5"


def parse(body: bytes | str, url: str, *, content_type: str = "", status: int = 200) -> Page:
    """The page that ``body`` holds, fetched from ``url`` (in canonical form). Any input gives a page.

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
    """The same page by beautifulsoup4 with any of its builders: slow and obvious.

    >>> parse_slowly("<title>Rain</title>", "http://example.com/") == parse(
    ...     "<title>Rain</title>", "http://example.com/"
    ... )
    True
    """
    html = html.replace("\0", "")
    return build_page(walk_soup(encodable(html), builder), html, url, 200)
