"""Reads pages from HTTP responses, the same way for new responses and archived ones."""

import re

import msgspec

from fcwseo.pages import Page
from fcwseo.pages.parse import parse
from fcwseo.pages.sitemaps import inflated, is_sitemap, read_sitemap

LARGEST = 10 << 20  # bytes of a decoded body
_TYPES = ("html", "xml")
_BEGINNINGS = (b"<!doctype html", b"<head", b"<title", b"<body", b"<h1", b"<p>", b"<div", b"<table", b"<a ")
_AGENT = re.compile(r"\A\s*([A-Za-z_-]+)\s*:(.*)\Z", re.DOTALL)
_VALUED = frozenset(("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"))


def is_readable(url: str, content_type: str) -> bool:
    """Whether a body with this content type can be a page or a sitemap; one without a type can.

    >>> [is_readable("http://a.example/", kind) for kind in ("text/html; charset=utf-8", "image/png")]
    [True, False]
    """
    kind = content_type.partition(";")[0].strip().lower()
    if url.partition("?")[0].endswith(".xml.gz"):
        return True
    return not kind or (any(name in kind for name in _TYPES) and not kind.startswith("image/"))


def is_page(body: bytes, content_type: str) -> bool:
    """Whether a body of unknown or general type looks like HTML.

    >>> is_page(b"%PDF-1.7", ""), is_page(b" <!doctype html><p>", ""), is_page(b"<rss>", "text/xml")
    (False, True, False)
    """
    kind = content_type.partition(";")[0].strip().lower()
    if "html" in kind:
        return True
    start = body[:2048].lstrip(b"\xef\xbb\xbf\r\n\t ").lower()
    return b"<html" in start or (not kind and start.startswith(_BEGINNINGS))


def read_page(body: bytes, url: str, *, content_type: str, status: int, robots_tag: str) -> Page | None:
    """Parse a page or sitemap from a response body; None if the body is neither.

    ``robots_tag`` is the header X-Robots-Tag.
    """
    if is_sitemap(body := inflated(body, largest=5 * LARGEST)):
        return read_sitemap(body, url)
    if not is_page(body, content_type):
        return None
    page = parse(body, url, content_type=content_type, status=status)
    nofollow, noindex = robots_directives(robots_tag)
    if nofollow or noindex:
        page = msgspec.structs.replace(
            page, nofollow=page.nofollow or nofollow, noindex=page.noindex or noindex
        )
    return page


def robots_directives(tag: str, *, token: str = "fcwseo") -> tuple[bool, bool]:
    """Whether X-Robots-Tag demands nofollow, and whether noindex, from the crawler named ``token``.

    Rules for another named crawler are skipped.

    >>> robots_directives("noindex, nofollow"), robots_directives("otherbot: noindex")
    ((True, True), (False, False))
    >>> robots_directives("none")
    (True, True)
    """
    said: set[str] = set()
    for_us = True
    for part in tag.lower().split(","):
        named = _AGENT.match(part)
        if named and named[1] not in _VALUED:
            for_us = named[1] == token
            part = named[2]
        if for_us:
            said.add(part.strip())
    return not said.isdisjoint(("nofollow", "none")), not said.isdisjoint(("noindex", "none"))


def obeying(page: Page) -> Page:
    """The page without the links that it asks crawlers not to follow.

    >>> from fcwseo.pages import Link
    >>> links = (Link("b", "a"), Link("c", "a", nofollow=True))
    >>> [link.target for link in obeying(Page("a", links=links)).links]
    ['b']
    """
    if page.nofollow:
        return msgspec.structs.replace(page, links=())
    if any(link.nofollow for link in page.links):
        return msgspec.structs.replace(page, links=tuple(link for link in page.links if not link.nofollow))
    return page
