"""The link table: known links with their features, in columns.

One row per known URL, numbered in the order of discovery. Observing a page costs time in proportion to its
links; a query over all rows is one operation on whole columns.
"""

import re
from collections.abc import Sequence
from operator import add
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats, Rows
from fcwseo.links.evidence.lists import Lists
from fcwseo.links.evidence.outcomes import Outcomes
from fcwseo.links.evidence.repeats import Repeats, unlinked
from fcwseo.links.evidence.siblings import Siblings
from fcwseo.links.evidence.vectors import LANGUAGES, Blending, Meanings
from fcwseo.links.evidence.words import LinkWords, Rarities, RowWords, Theme, WordOutcomes
from fcwseo.links.frontier import Seen
from fcwseo.links.objective_table import KnownLinks
from fcwseo.pages import Link, Page, Visit
from fcwseo.pages.urls import host
from fcwseo.relevance.protocol import Relevance
from fcwseo.relevance.threshold import LEAST

NEAR = 80  # characters of context on each side of an anchor
CAP = 2.0  # cap of relevance, as a multiple of the running threshold
NAME = 8  # last words of a URL that describe its page


_NOT_A_WORD = re.compile(r"[\W_]+")
_KIND = re.compile(r"\.\w{1,5}$")


class LinkTable:
    """Known links with their features. Rows are those of ``known``; open links may be followed."""

    def __init__(self, relevance: Relevance) -> None:
        self.known = KnownLinks(relevance)
        rarities = Rarities(relevance.matcher.shares)
        self._relevance = relevance
        self._near, self._of_near = LinkWords(rarities), WordOutcomes(rarities)
        self._anchors, self._addresses = RowWords(), RowWords()
        self._of_addresses = WordOutcomes(rarities)
        self._rarities = rarities
        self._of_texts = WordOutcomes(rarities)  # outcomes by the words of the pages themselves
        self._theme = Theme(relevance)
        self._meanings = Meanings(relevance, rarities)
        self._blending = Blending()
        self._siblings = Siblings(self.known.graph)
        self._lists = Lists()
        self._repeats = Repeats(self.known.graph)
        self.host = Column(np.int32)
        self._section = Column(np.int32)
        self._place = Column(np.int32)
        self._hosts: dict[str, int] = {}
        self._sections: dict[str, int] = {}
        self._places: dict[tuple[int, str], int] = {}
        self._of_host = Outcomes()
        self._of_section = Outcomes()
        self._of_place = Outcomes()
        self._best = Column(np.float64)
        self._names = Column(np.float64)
        self._context = Column(np.float64)
        self._address = Column(np.float64)
        self._new: dict[int, Sequence[int]] = {}  # words of the URLs found last
        self._cap = 1.0
        self.outcome = 0.0  # of the last page: its capped relevance times the share of its own text
        self.pages, self._total, self._list_total = 0, 0.0, 0.0

    @property
    def mean(self) -> float:
        """The mean of the learned values of the fetched pages."""
        return self._total / self.pages if self.pages else 0.0

    def observe(self, visit: Visit) -> Sequence[int]:
        """Add the outcome and the links of a page. Returns the rows of its links."""
        page = visit.outcome
        seen = self.known.observe(visit)
        if not isinstance(page, Page):
            return ()
        self._grow()
        if visit.step:
            self._cap = CAP * visit.eta if visit.eta > LEAST else 1.0  # LEAST is not an estimate
            counts, own = self.capped(visit.relevance), self._own_share(visit, page, seen)
            learnt = own * self._blended(page, counts)
            self.outcome = own * counts
            self._add_to_lists(self.row(visit.link.target), self.outcome)
            self._learn(self.row(visit.link.target), seen.page, learnt)
            self._take_in_text(page, learnt)
            self._take_in_parent(np.array(seen.targets, np.intp), visit.relevance)
            self._siblings.link(seen.page, seen.open)
        rows = [self.row(link.target) for link in page.links]
        self._lists.link(seen.page, page.url, page.links, rows, seen.new)
        self._take_in_places(page, seen.page, rows)
        self._take_in_contexts(page, rows)
        return seen.targets

    def capped(self, relevance: float) -> float:
        """Capped relevance, the target of predictions and of paginations: a page that names the topic in
        every line is no better than a page that is clearly about it.
        """
        return min(relevance, self._cap)

    def are_open(self, rows: Rows) -> NDArray[np.bool_]:
        flags: NDArray[np.bool_] = np.frombuffer(self.known.frontier.open_flags, np.bool_)[rows]
        return flags

    def follow(self, row: int, predicted: float, objectives: Sequence[float]) -> Link:
        return self.known.frontier.follow(row, predicted, tuple(objectives))

    def row(self, url: str) -> int:
        return self.known.frontier.number(url)

    @property
    def open(self) -> Rows:
        """Take these links out of the open ones and return them."""
        return self.known.open

    def sections(self, rows: Rows) -> NDArray[np.int32]:
        """The number of the section of each row: its host and the first folder of its URL."""
        sections: NDArray[np.int32] = self._section.values[rows]
        return sections

    def pagination_value(self, rows: Rows) -> Floats:
        """Mean relevance of pages found through the list that each row continues; 0 without a list."""
        return self._lists.pagination_value(rows, self._list_total / max(self.pages, 1))

    def evidence(self, rows: Rows) -> Floats:
        """The features of the rows, a column for each of ``EVIDENCE``."""
        f2, _, _ = self.known.objectives(rows)
        mean, parents = self.mean, self.known.parents(rows)
        texts = self._of_texts.values(mean)
        words, topical = self._near.best(rows, self._of_near.values(mean), texts)
        columns = (
            f2,
            self._best.values[rows],
            self._names.values[rows],
            self._context.values[rows],
            self._address.values[rows],
            self._addresses.mean(rows, self._of_addresses.values(mean), self._rarities.values),
            np.log1p(parents),
            words,
            topical,
            self._anchors.most(rows, texts),
            self._theme.of(self._anchors.of(rows)),
            self._meanings.near_topic(rows),
            self._meanings.alike(rows),
            self._siblings.above(rows, mean, parents),
            self._of_place.above(self._place.values[rows], mean),
            self._of_host.above(self.host.values[rows], mean),
            self._of_section.above(self._section.values[rows], mean),
            np.log(self.known.rank.values[rows]),
        )
        return np.column_stack(columns)

    def _grow(self) -> None:
        """Add rows for the new URLs of this page."""
        size = len(self.known.frontier)
        urls = [self.known.frontier.url(number) for number in range(len(self.host.values), size)]
        hosts = [host(url) if "//" in url else "" for url in urls]
        self.host.extend([self._hosts.setdefault(name, len(self._hosts)) for name in hosts])
        sections = map(_section, urls)
        self._section.extend([self._sections.setdefault(name, len(self._sections)) for name in sections])
        names, queries = zip(*map(self._words_of, urls), strict=True) if urls else ((), ())
        self._address.extend(list(map(self._relevance.of_words, map(add, names, queries))))
        self._new = dict(zip(range(size - len(urls), size), names, strict=True))
        self._addresses.add(range(size - len(urls), size), [words[-NAME:] for words in names])
        for column in (self._best, self._names, self._context):
            column.fill(size, 0.0)

    def _words_of(self, url: str) -> tuple[list[int], list[int]]:
        """The words of the path of a URL, and those of its query."""
        name, query = _parts(url)
        return self._relevance.matcher.words(name), self._relevance.matcher.words(query) if query else []

    def _blended(self, page: Page, counts: float) -> float:
        """The outcome of a page: capped relevance, blended with its nearness to the topic if known."""
        nearness = self._meanings.of_page(page)
        if nearness is None:
            return counts
        return self.capped(self._blending.add(counts, nearness, self._meanings.weight))

    def _own_share(self, visit: Visit, page: Page, seen: Seen) -> float:
        """The share of the text of a page that other pages do not repeat, as far as is known."""
        here = int(self.host.values[seen.page])
        paths = dict.fromkeys(link.tag_path for link in page.links)
        places = [self._places.setdefault((here, path), len(self._places)) for path in paths]
        link, targets = self.row(visit.link.target), frozenset(seen.targets)
        own = self._repeats.own_share(seen.page, link, page.text, targets, here, places)
        return own * unlinked(page)

    def _learn(self, link: int, row: int, relevance: float) -> None:
        """Learn the outcome of a page; a redirected link passes its features on to its page."""
        for column in (self._best, self._names, self._context):
            column.values[row] = max(column.values[row], column.values[link])
        self.pages += 1
        self._total += relevance
        self._of_host.add(self.host.values[row], relevance)
        self._of_section.add(self._section.values[row], relevance)
        self._of_place.add(self._place.values[link], relevance)
        self._of_near.add(self._near.of(link), relevance)
        address = np.unique(self._addresses.of(np.array([row])))
        self._of_addresses.add(address[address > 0], relevance)
        self._meanings.learn(link, relevance)
        self._siblings.learn(link, relevance)

    def _add_to_lists(self, link: int, relevance: float) -> None:
        """Learn for paginations, without blending, since their value is compared with predicted relevance."""
        self._list_total += relevance
        self._lists.learn(link, self._siblings.parents(link), relevance)

    def _take_in_text(self, page: Page, relevance: float) -> None:
        numbers, counts = self._relevance.matcher.count_page(page)
        self._of_texts.add(numbers + 1, relevance)
        self._theme.add(numbers, counts, relevance)

    def _take_in_parent(self, targets: Rows, relevance: float) -> None:
        self._best.values[targets] = np.maximum(self._best.values[targets], relevance)

    def _take_in_places(self, page: Page, number: int, rows: Sequence[int]) -> None:
        """The position of the first link to each row: the host and the tags around the link."""
        here, first = int(self.host.values[number]), len(self._place.values)
        self._place.fill(len(self.host.values), self._places.setdefault((here, ""), len(self._places)))
        for link, row in zip(reversed(page.links), reversed(rows), strict=True):
            if row >= first:
                self._place.values[row] = self._places.setdefault((here, link.tag_path), len(self._places))

    def _take_in_contexts(self, page: Page, rows: Sequence[int]) -> None:
        """Add the contexts of links, except of followed links and of links with enough contexts."""
        told = [
            (row, link)
            for link, row in zip(page.links, rows, strict=True)
            if self.known.frontier.is_open(row) and self._near.has_room(row)
        ]
        open_rows = [row for row, _ in told]
        at = np.array(open_rows, np.intp)
        anchors = [self.known.anchors.of(link.anchor, page.language) for _, link in told]
        np.maximum.at(self._names.values, at, [anchor.names for anchor in anchors])
        self._anchors.add(open_rows, [anchor.words for anchor in anchors])
        near = [self._relevance.matcher.words(_near(link), page.language) for _, link in told]
        np.maximum.at(self._context.values, at, list(map(self._relevance.of_words, near)))
        self._near.add(open_rows, near)
        if page.language[:2] in LANGUAGES:
            names = [
                self._new.get(row, ())[-NAME:] for row in open_rows
            ]  # only at first: seeds have no parents
            self._meanings.add(open_rows, [anchor.words for anchor in anchors], near, names)


def _near(link: Link) -> str:
    """The anchor of a link with its context, its title, and the section heading above it.

    >>> _near(Link("http://a.org/", "", anchor="floods", context="Heavy rain may lead to floods in cities."))
    'Heavy rain may lead to floods in cities.'
    """
    place = link.context.find(link.anchor)
    near = (
        f"{link.anchor} {link.context[: 2 * NEAR]}"
        if place < 0
        else link.context[max(0, place - NEAR) : place + len(link.anchor) + NEAR]
    )
    return f"{near} {link.title} {link.heading}" if link.title or link.heading else near


def _section(url: str) -> str:
    """The host and the first folder of a URL.

    >>> [_section(url) for url in ("http://a.org/~ann/papers/1.html", "http://a.org/1.html?x=/2/3")]
    ['a.org/~ann', 'a.org']
    """
    site, *folders = url.partition("://")[2].partition("?")[0].split("/", 2)
    return f"{site}/{folders[0]}" if len(folders) > 1 else site


def _parts(url: str) -> tuple[str, str]:
    """The words of a URL's path, without the file extension, and those of its query.

    >>> _parts("http://a.org/wp/Flash_flood%20risk.htm?id=2")
    (' wp Flash flood risk', 'id 2')
    """
    path, _, query = url.partition("://")[2].partition("/")[2].partition("?")
    return _words(f"/{_KIND.sub('', path)}"), _words(query)


def _words(text: str) -> str:
    return _NOT_A_WORD.sub(" ", unquote(text))
