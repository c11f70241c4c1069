"""The share of a page's text that is its own: lists repeat whole posts, and print versions whole pages.

A line of the main text that is a link belongs to the page that it leads to: a list of titles has little text.
A text that stands on two pages belongs to the page that consists of it. So a post keeps its text, whether it
is fetched before or after the lists that repeat it, and the lists lose it. Of two pages that hold little
besides the text, it belongs to the one fetched first.

Most posts of a list are fetched later or never. But a page that was found to repeat two smaller ones to which
it links is a list, and the smaller ones are documents. From both, the tag paths of links tell lists from
documents on a host, and further lists are recognised when they are fetched.
"""

from collections.abc import Collection, Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column, Floats
from fcwseo.links.graph import LinkGraph
from fcwseo.pages import Page

SHORTEST = 32  # characters of a passage; shorter lines are headings and items of menus
BEGINNING = 64  # characters of a passage that identify it, so that an excerpt is recognised
SLOTS = 1 << 19  # passages in the store
LARGER = 2.0  # times the text from which a page is a list of another, and not a version of it
PART = 0.2  # share of a document that a list repeats at least
LITTLE = 500.0  # characters; whether less text is repeated says nothing
FREE = 0.5  # share of repeated or linked text that costs nothing: notices, captions, references
FEWEST = 2  # documents that a list repeats
DOUBT = 1.0  # strength of the doubt whether a tag path tells lists from documents, as a number of pages
TELLING = 0.5  # difference of the shares of lists and documents with a tag path from which it tells

_NO_PAGE = -1

_Keys = NDArray[np.uint64]


class Passages:
    """The page to which each passage belongs. Memory is bounded: a passage may take the slot of an older one.

    >>> passages = Passages()
    >>> keys, lengths = read("Rain fell all night in the whole valley.\\nShort.")
    >>> lengths.tolist(), passages.holders(keys).tolist()
    ([40.0], [-1])
    >>> passages.give(keys, 7)
    >>> passages.holders(keys).tolist()
    [7]
    """

    def __init__(self) -> None:
        self._keys = np.zeros(SLOTS, np.uint64)
        self._holders = np.full(SLOTS, _NO_PAGE, np.int32)

    def holders(self, keys: _Keys) -> NDArray[np.int32]:
        slots = keys % np.uint64(SLOTS)
        return np.where(self._keys[slots] == keys, self._holders[slots], _NO_PAGE)

    def give(self, keys: _Keys, page: int) -> None:
        """From now on these passages belong to this page."""
        slots = keys % np.uint64(SLOTS)
        self._keys[slots] = keys
        self._holders[slots] = page


def read(text: str) -> tuple[_Keys, Floats]:
    """The passages of a text, each once: a key made of its beginning, and its length."""
    lines = {line[:BEGINNING]: len(line) for line in text.split("\n") if len(line) >= SHORTEST}
    keys = b"".join(blake2b(line.encode("utf-8", "replace"), digest_size=8).digest() for line in lines)
    return np.frombuffer(keys, "<u8").astype(np.uint64), np.array(list(lines.values()), np.float64)


def unlinked(page: Page) -> float:
    """The share of the main text that is no link of a line of its own, from half of the text on in full.

    >>> from fcwseo.pages import Link
    >>> links = (Link("http://a.org/b", "http://a.org/", anchor="Flood in town"),)
    >>> unlinked(Page("http://a.org/", text="Flood in town", links=links))
    0.0
    >>> unlinked(Page("http://a.org/", text="After a night of rain: Flood in town", links=links))
    1.0
    """
    anchors = {link.anchor for link in page.links}
    lines = page.text.split("\n")
    rest = sum([len(line) for line in lines if line not in anchors])
    return min(1.0, rest / max(1, sum(map(len, lines))) / (1 - FREE)) if page.text else 1.0


class Repeats:
    """Pages by row, the number of a known URL, with the passages that belong to them."""

    def __init__(self, graph: LinkGraph) -> None:
        self._graph = graph
        self._passages = Passages()
        self._kinds = Kinds()
        self._rows = Column(np.int32)
        self._sizes = Column(np.float64)  # characters of all passages

    def own_share(
        self, row: int, link: int, text: str, targets: Collection[int], host: int, paths: Sequence[int]
    ) -> float:
        """Add a page and return the share of its text that is its own, as far as is known.

        ``link`` is the row of the link that led to it, ``targets`` the rows of its links, and ``paths`` the
        numbers of the tag paths of these links on its host.
        """
        page = len(self._rows.values)
        keys, lengths = read(text)
        size = float(lengths.sum())
        self._rows.extend([row])
        self._sizes.extend([size])
        self._kinds.add(host, paths)
        holders = self._passages.holders(keys)
        mine = holders == _NO_PAGE
        for other in np.unique(holders[~mine]).tolist():
            its, theirs = float(self._sizes.values[other]), holders == other
            same = float(lengths[theirs].sum())
            if size * LARGER <= its:  # it is this page that consists of the text
                mine |= theirs
                if same >= PART * size and self._links_to(other, row, link):
                    self._kinds.repeats(other, page)
            elif its * LARGER <= size and same >= PART * its and self._rows.values[other] in targets:
                self._kinds.repeats(page, other)
        self._passages.give(keys[mine], page)
        share = min(1.0, float(lengths[mine].sum()) / size / (1 - FREE)) if size > LITTLE else 1.0
        return share * (1 - self._kinds.listness(page))

    def _links_to(self, other: int, row: int, link: int) -> bool:
        return bool(np.isin((row, link), self._graph.links_of(int(self._rows.values[other]))).any())


class Kinds:
    """The kinds of pages: lists of others, documents, unknown. Pages are numbered in the order of addition.

    A document stays one, even if it repeats others: posts show the beginnings of related posts.

    >>> kinds = Kinds()
    >>> for path in (1, 1, 2, 2, 1, 2):  # of the links of a page, beside path 0, which all have
    ...     kinds.add(0, [0, path])
    >>> for page, other in ((0, 2), (0, 3), (1, 2), (1, 3)):  # lists and the documents that they repeat
    ...     kinds.repeats(page, other)
    >>> [round(kinds.listness(page), 2) for page in range(6)]
    [1.0, 1.0, 0.0, 0.0, 0.67, 0.0]
    """

    def __init__(self) -> None:
        self._hosts = Column(np.int32)
        self._paths: list[NDArray[np.int32]] = []
        self._repeated: dict[int, set[int]] = {}  # documents that each page repeats
        self._lists: set[int] = set()
        self._documents: set[int] = set()
        self._counts = {kind: _Counts() for kind in ("lists", "documents")}

    def add(self, host: int, paths: Sequence[int]) -> None:
        self._hosts.extend([host])
        self._paths.append(np.array(paths, np.int32))

    def repeats(self, page: int, other: int) -> None:
        """Record that ``page`` repeats ``other``, and links to it."""
        if other not in self._documents:
            self._documents.add(other)
            self._count("documents", other, 1)
            if other in self._lists:
                self._lists.remove(other)
                self._count("lists", other, -1)
        if page in self._documents or page in self._lists:
            return
        repeated = self._repeated.setdefault(page, set())
        repeated.add(other)
        if len(repeated) >= FEWEST:
            del self._repeated[page]
            self._lists.add(page)
            self._count("lists", page, 1)

    def listness(self, page: int) -> float:
        """From 0, a document or unknown, to 1, a list: known, or recognised by its most telling path."""
        if page in self._documents:
            return 0.0
        if page in self._lists:
            return 1.0
        host, paths = int(self._hosts.values[page]), self._paths[page]
        lists, documents = self._counts["lists"], self._counts["documents"]
        known = min(lists.pages(host), documents.pages(host))
        if not len(paths) or not known:
            return 0.0
        most = float((lists.shares(host, paths) - documents.shares(host, paths)).max())
        return max(0.0, most - TELLING) / (1 - TELLING) * known / (known + DOUBT)

    def _count(self, kind: str, page: int, sign: int) -> None:
        self._counts[kind].add(int(self._hosts.values[page]), self._paths[page], sign)


class _Counts:
    """The number of pages of one kind on each host, and how many of them have a link of each tag path."""

    def __init__(self) -> None:
        self._pages = Column(np.int32)
        self._with_path = Column(np.int32)

    def add(self, host: int, paths: NDArray[np.int32], sign: int) -> None:
        self._pages.fill(host + 1, 0)
        self._with_path.fill(int(paths.max(initial=-1)) + 1, 0)
        self._pages.values[host] += sign
        self._with_path.values[paths] += sign

    def pages(self, host: int) -> int:
        return int(self._pages.values[host]) if host < len(self._pages.values) else 0

    def shares(self, host: int, paths: NDArray[np.int32]) -> Floats:
        self._with_path.fill(int(paths.max()) + 1, 0)
        shares: Floats = self._with_path.values[paths] / self.pages(host)
        return shares
