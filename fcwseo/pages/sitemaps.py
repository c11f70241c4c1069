"""Sitemaps as pages: the links of one are the addresses that it lists.

No XML parser is asked: addresses stand in ``<loc>`` elements, and a pattern that finds those neither expands
entities nor reads what they refer to. Sitemaps in plain text have an address a line.
"""

import re
import zlib
from hashlib import blake2b
from html import unescape

from fcwseo.pages import Link, Page
from fcwseo.pages.urls import canonical

_ROOT = re.compile(
    rb"\A\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,5000}?-->\s*)*<(?:\w{1,20}:)?"
    rb"(urlset|sitemapindex)\b",
    re.DOTALL,
)
_LOC = re.compile(
    r"<(?:\w{1,20}:)?loc\s*>\s*(?:<!\[CDATA\[\s*)?([^<>\s]{1,4000})\s*(?:\]\]>)?\s*</(?:\w{1,20}:)?loc\s*>"
)
_OTHER = re.compile(r"<(image|video):loc\b")
MOST = 50_000  # addresses of one sitemap, as its standard has it


def is_sitemap(body: bytes) -> bool:
    """
    >>> is_sitemap(b'<?xml version="1.0"?><urlset xmlns="x"><url/></urlset>'), is_sitemap(b"<html>")
    (True, False)
    """
    return _ROOT.match(body[:20_000].removeprefix(b"\xef\xbb\xbf")) is not None


def inflated(body: bytes, *, largest: int) -> bytes:
    """A sitemap that is kept packed, unpacked; anything else as it is."""
    if not body.startswith(b"\x1f\x8b"):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(body, largest)
    except zlib.error:
        return body


def read_sitemap(body: bytes, url: str) -> Page:
    """The page that a sitemap is. An index of sitemaps links to those.

    >>> xml = b"<urlset><url><loc>http://a.example/b?c=1&amp;d=2</loc></url></urlset>"
    >>> [link.target for link in read_sitemap(xml, "http://a.example/sitemap.xml").links]
    ['http://a.example/b?c=1&d=2']
    """
    text = body.decode("utf-8-sig", "replace")
    found: dict[str, None] = {}
    for match in _LOC.finditer(text):
        target = canonical(unescape(match[1]), url)
        if target is not None:
            found[target] = None
        if len(found) == MOST:
            break
    links = tuple(Link(target, url, position=i, tag_path="loc") for i, target in enumerate(found))
    return Page(url, links=links, noindex=True, digest=blake2b(body, digest_size=12).hexdigest())
