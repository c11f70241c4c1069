"""Crawler traps: endless calendars, sessions in paths, facets of facets.

Some traps are visible in the URL. Others are visible in the visits: too many pages of one host or of one part
of a site, or too many near-duplicates there.

Facets, calendars, sessions and folders in folders have odd URLs: with a query, a date, a session or several
folders. Honest sites have them as well, so the odd URLs of a host are divided into groups of the same form.
The share of a group grows with what it has brought that is new: much with a new page that is relevant, little
with any other new page. A group that has brought less than it has cost is left once its host has wasted
``nothing_new`` requests; groups that have not proved themselves are left at twice as many.
"""

import re
from collections import Counter, defaultdict
from typing import Annotated
from zlib import crc32

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
    queries_per_path: _Count = 0
    pages_per_host: _Count = 0
    pages_per_prefix: _Count = 5_000
    same_text: _Share = 0.9
    nothing_new: _Count = 50


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
_DATE = re.compile(r"\b(?:19|20)\d\d[-/_.]?(?:0?[1-9]|1[0-2])(?:[-/_.]?\d{1,2})?\b")
_SESSION = re.compile(r"(?=.*\d)(?=.*[a-z])[0-9a-z]{8,}|[0-9a-f]{12,}|.*(?:sess|sid).*=.*", re.IGNORECASE)
_ODD_DEPTH = 2  # folders


def prefix_of(url: str) -> str:
    """The part of a site that contains a URL: host and first two folders, without numbers and sessions.

    >>> prefix_of("http://a.example/cal/2026/11/17.html?day=1"), prefix_of("http://a.example/x.html")
    ('a.example/cal/#/', 'a.example/')
    """
    folders = url.partition("?")[0].split("/")[3:-1]
    return "/".join([host(url), *map(_form, folders[:2]), ""])


def group_of(url: str) -> str:
    """The group of an odd URL; empty if the URL is not odd.

    >>> [group_of(f"http://a.example/{path}") for path in ("rain/7.html", "shop?b=1&a=2", "2026/11/17/")]
    ['', 'a.example/shop?a&b', 'a.example/#/#/ (date)']
    """
    path, question, query = url.partition("?")
    segments = [segment for segment in path.split("/")[3:] if segment]
    if question:
        names = {part.partition("=")[0] for part in query.split("&")}
        return f"{'/'.join([host(url), *map(_form, segments)])}?{'&'.join(sorted(names))}"
    if any(map(_SESSION.fullmatch, segments)):
        return f"{prefix_of(url)} (session)"
    if _DATE.search("/".join(segments)):
        return f"{prefix_of(url)} (date)"
    folders = len(segments) - (not path.endswith("/"))
    return f"{prefix_of(url)} (deep)" if folders >= _ODD_DEPTH else ""


def _form(segment: str) -> str:
    """A folder without what differs from page to page."""
    return "*" if _SESSION.fullmatch(segment) else _NUMBER.sub("#", segment)


_TOKENS = re.compile(r"[\u3040-\u9fff]|\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
_BEGINNING = 4_000  # characters of a page that are looked at
_WORDS = 3  # per shingle
_BITS = 27  # of the index of a stored shingle
_FEWEST_NEW, _NEW_SHARE = 3, 0.12  # of these, in a new page


class Seen:
    """The texts of each host, to tell whether a page brings a new one: 16 megabytes, however many there are.

    A text without numbers and words of its URL is divided into lines, and these into shingles of three words.
    A list of known lines in another order is nothing new; nor is a text that only names its own URL.

    >>> seen = Seen()
    >>> rain = "It rained all day in the valley, and the river rose."
    >>> texts = enumerate((f"{rain} 1", f"{rain} 2", "Snow"))
    >>> [seen.is_new(Page(f"http://a.example/{n}", text=text)) for n, text in texts]
    [True, False, False]
    """

    def __init__(self) -> None:
        self._bits = bytearray(1 << _BITS - 3)

    def is_new(self, page: Page) -> bool:
        """Whether the text of a page is new on its host; it is known from now on."""
        shingles = self._shingles(page)
        unseen = sum(self._add(number) for number in shingles)
        return unseen >= max(_FEWEST_NEW, _NEW_SHARE * len(shingles))

    def _shingles(self, page: Page) -> set[int]:
        own = frozenset(_LETTERS.findall(page.url.lower()))
        start = crc32(host(page.url).encode())
        found: set[int] = set()
        for line in page.text[:_BEGINNING].lower().split("\n"):
            words = [_plain(word, own) for word in _TOKENS.findall(line)]
            for at in range(max(1, len(words) - _WORDS + 1)):
                found.add(crc32(" ".join(words[at : at + _WORDS]).encode("utf-8", "replace"), start))
        return found

    def _add(self, number: int) -> bool:
        """Store a shingle; whether it was not stored before."""
        place, bit = divmod(number & (1 << _BITS) - 1, 8)
        was = self._bits[place] >> bit & 1
        self._bits[place] |= 1 << bit
        return not was


def _plain(word: str, own: frozenset[str]) -> str:
    return "#" if any(map(str.isdecimal, word)) else "@" if word in own else word


_CREDIT_NEW, _CREDIT_RELEVANT = 0.5, 5.0  # requests that a new page is worth, and a new relevant one
_TRIAL = 5  # requests of a group before it can be poor


class _Groups:
    """What the odd URLs of a host have cost and brought."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()
        self._credit: defaultdict[str, float] = defaultdict(float)
        self._wasted = 0.0

    def begin(self, group: str) -> None:
        """Count a request."""
        self._change(group, 1, 0.0)

    def credit(self, group: str, worth: float) -> None:
        """Count what a page was worth."""
        self._change(group, 0, worth)

    def why_left(self, group: str, most: int) -> str:
        """The reason not to request a URL of a group; empty if there is none."""
        asked = self._asked[group]
        is_poor = asked >= _TRIAL and self._credit[group] < asked
        has_proved = self._credit[group] > asked
        if (is_poor and self._wasted >= most) or (not has_proved and self._wasted >= 2 * most):
            return f"{self._wasted:.0f} requests of this host to URLs such as {group} brought nothing new"
        return ""

    def _change(self, group: str, asked: int, worth: float) -> None:
        self._wasted -= self._loss(group)
        self._asked[group] += asked
        self._credit[group] += worth
        self._wasted += self._loss(group)

    def _loss(self, group: str) -> float:
        return max(0.0, self._asked[group] - self._credit[group])


class Shares:
    """The number of pages of each host and each part of a site, and of near-duplicates among them."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._hosts: Counter[str] = Counter()
        self._prefixes: Counter[str] = Counter()
        self._repeated: Counter[str] = Counter()
        self._queries: Counter[str] = Counter()
        self._texts: dict[str, RecentPages] = {}
        self._groups: defaultdict[str, _Groups] = defaultdict(_Groups)
        self._seen = Seen()

    def begin(self, url: str) -> None:
        """Count a request, before its answer is known."""
        if group := group_of(url):
            self._groups[host(url)].begin(group)

    def add(self, page: Page, *, link_url: str = "", relevant: bool = True) -> None:
        """Count a page: whether it is a near-duplicate of one of the last pages, and whether it is new."""
        worth = (_CREDIT_RELEVANT if relevant else _CREDIT_NEW) if self._seen.is_new(page) else 0.0
        for url in {page.url: None, link_url or page.url: None} if worth else ():
            if group := group_of(url):
                self._groups[host(url)].credit(group, worth)
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
        if why := self._wasted(url):
            return why
        path, question, _ = url.partition("?")
        if question and self._queries[path] >= limits.queries_per_path > 0:
            return f"{limits.queries_per_path} queries of {path} were visited"
        return ""

    def _wasted(self, url: str) -> str:
        """The reason why the group of an odd URL is left; empty if there is none."""
        most, groups = self._limits.nothing_new, self._groups.get(host(url))
        group = group_of(url)
        return groups.why_left(group, most) if groups is not None and group and most else ""
