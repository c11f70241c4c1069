"""Crawler traps: endless calendars, sessions in paths, facets of facets.

Some traps are visible in the URL. Others are visible in the visits: too many pages of one host or of one part
of a site, or too many near-duplicates there.
"""

import re
from collections import Counter
from typing import Annotated

from msgspec import Meta, Struct

from fcwseo.pages import Page
from fcwseo.pages.duplicates import RecentPages
from fcwseo.pages.urls import host

_Count = Annotated[int, Meta(ge=0)]
_Share = Annotated[float, Meta(ge=0, le=1)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits from which a URL is treated as a trap. Numbers of pages are those of one crawl; 0 means no
    limit.
    """

    url_length: _Count = 2_000
    path_depth: _Count = 20
    repeats: _Count = 4
    parameters: _Count = 20
    queries_per_path: _Count = 500
    pages_per_host: _Count = 0
    pages_per_prefix: _Count = 5_000
    same_text: _Share = 0.9


_SAMPLE = 30  # pages below a prefix before near-duplicates count


def trap_in(url: str, limits: Limits) -> str:
    """The sign of a trap in a URL; empty if there is none.

    >>> trap_in("http://a.example/x/y/x/y/x/y/x/y/", Limits())
    "'x' occurs 4 times in the path"
    >>> trap_in("http://a.example/2026/11/17/", Limits())
    ''
    """
    if len(url) > limits.url_length > 0:
        return f"{len(url)} characters long"
    path, _, query = url.partition("?")
    segments = [segment for segment in path.split("/")[3:] if segment]
    if len(segments) > limits.path_depth > 0:
        return f"{len(segments)} segments deep"
    if segments and limits.repeats > 0:
        segment, times = Counter(segments).most_common(1)[0]
        if times >= limits.repeats:
            return f"{segment[:40]!r} occurs {times} times in the path"
    parameters = query.count("&") + 1
    return f"{parameters} parameters" if parameters > limits.parameters > 0 else ""


_NUMBER = re.compile(r"\d+")


def prefix_of(url: str) -> str:
    """The part of a site that contains a URL: host and first two folders, without numbers.

    >>> prefix_of("http://a.example/cal/2026/11/17.html?day=1"), prefix_of("http://a.example/x.html")
    ('a.example/cal/#/', 'a.example/')
    """
    folders = url.partition("?")[0].split("/")[3:-1]
    return "/".join([host(url), *(_NUMBER.sub("#", folder) for folder in folders[:2]), ""])


class Shares:
    """The number of pages of each host and each part of a site, and of near-duplicates among them."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._hosts: Counter[str] = Counter()
        self._prefixes: Counter[str] = Counter()
        self._repeated: Counter[str] = Counter()
        self._queries: Counter[str] = Counter()
        self._texts: dict[str, RecentPages] = {}

    def add(self, page: Page) -> None:
        """Count a page, and whether it is a near-duplicate of one of the last pages there."""
        prefix = prefix_of(page.url)
        self._hosts[host(page.url)] += 1
        self._prefixes[prefix] += 1
        if prefix not in self._texts:
            self._texts[prefix] = RecentPages()
        self._repeated[prefix] += self._texts[prefix].has(page)
        path, question, _ = page.url.partition("?")
        if question:
            self._queries[path] += 1

    def used_up(self, url: str) -> str:
        """The limit that a URL would exceed; empty if none."""
        limits, prefix = self._limits, prefix_of(url)
        if self._hosts[host(url)] >= limits.pages_per_host > 0:
            return f"{limits.pages_per_host} pages of {host(url)} were visited"
        pages = self._prefixes[prefix]
        if pages >= limits.pages_per_prefix > 0:
            return f"{pages} pages below {prefix} were visited"
        if pages >= _SAMPLE and self._repeated[prefix] > limits.same_text * pages > 0:
            return f"{self._repeated[prefix]} of {pages} pages below {prefix} are near-duplicates"
        path, question, _ = url.partition("?")
        if question and self._queries[path] >= limits.queries_per_path > 0:
            return f"{limits.queries_per_path} queries of {path} were visited"
        return ""
