"""Reads a sitemap as a page whose links are the URLs that the sitemap lists.

No XML parser is needed: URLs are in ``<loc>`` elements, and a regular expression that finds them neither
expands entities nor loads external files.
"""

import re
import zlib
from hashlib import blake2b
from html import unescape

from fcwseo.pages import Link, Page
from fcwseo.pages.urls import canonical

# Possessive quantifiers: with others, the time would double with each comment before the root element.
_ROOT = re.compile(
    rb"\A\s*+(?:<\?xml[^>]{0,200}\?>\s*+)?+(?:<!--(?:(?!-->).){0,5000}+-->\s*+)*+<(?:\w{1,20}:)?"
    rb"(urlset|sitemapindex)\b",
    re.DOTALL,
)
_LOC = re.compile(
    r"<(?:\w{1,20}:)?loc\s*>\s*(?:<!\[CDATA\[\s*)?([^<>\s]{1,4000})\s*(?:\]\]>)?\s*</(?:\w{1,20}:)?loc\s*>"
)
_OTHER = re.compile(r"<(image|video):loc\b")
MOST = 50_000  # URLs of a sitemap, by its standard


def is_sitemap(body: bytes) -> bool:
    """Whether a body is a sitemap or an index of sitemaps.

    >>> is_sitemap(b'<?xml version="1.0"?><urlset xmlns="x"><url/></urlset>'), is_sitemap(b"<html>")
    (True, False)
    """
    return _ROOT.match(body[:20_000].removeprefix(b"\xef\xbb\xbf")) is not None


def inflated(body: bytes, *, largest: int) -> bytes:
    """A gzipped body decompressed, up to ``largest`` bytes; any other body unchanged.

    >>> import gzip
    >>> inflated(gzip.compress(b"<urlset/>"), largest=6), inflated(b"<urlset/>", largest=6)
    (b'<urlse', b'<urlset/>')
    """
    if not body.startswith(b"\x1f\x8b"):
        return body
    try:
        return zlib.decompressobj(zlib.MAX_WBITS + 16).decompress(body, largest)
    except zlib.error:
        return body


def read_sitemap(body: bytes, url: str) -> Page:
    """The page of a sitemap. An index of sitemaps links to the sitemaps.

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
