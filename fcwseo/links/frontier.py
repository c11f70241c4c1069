"""The frontier: known links that have not been followed. URLs are numbered once; a known link is a row of
columns, not an object.
"""

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from fcwseo.pages import Link, Page, Visit

_LONGEST_ANCHOR = 200


class Seen(NamedTuple):
    """The result of a visit: the open links of its page, each once, and the new ones among them.

    ``page`` is the number of the page, -1 without a page, and ``targets`` are the numbers of its targets,
    each once.
    """

    open: list[int]
    new: range
    page: int = -1
    targets: Sequence[int] = ()


class Frontier:
    """Known URLs by number, in the order of discovery.

    A URL is represented by the first link to it. It is open until it is followed, or until a redirect ends at
    it: no URL is returned twice.
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._urls: list[str] = []
        self._open = bytearray()
        self._source = array("l")
        self._depth = array("l")
        self._anchor: list[str] = []
        self._anchors: dict[str, str] = {}

    def observe(self, visit: Visit) -> Seen:
        if not isinstance(visit.outcome, Page):
            return Seen([], range(0))
        page = visit.outcome
        source = self._number(page.url, source=-1, depth=visit.link.depth, anchor="")
        self._open[source] = False
        first = len(self._urls)
        numbers: dict[int, None] = {}
        for link in page.links:
            numbers[
                self._number(link.target, source=source, depth=visit.link.depth + 1, anchor=link.anchor)
            ] = None
        numbers.pop(source, None)  # a page is not its own parent
        still_open = [number for number in numbers if self._open[number]]
        return Seen(still_open, range(first, len(self._urls)), source, list(numbers))

    def __len__(self) -> int:
        return len(self._urls)

    def number(self, url: str) -> int:
        """The number of a known URL."""
        return self._numbers[url]

    def find(self, url: str) -> int | None:
        """The number of a URL; None if it is not known."""
        return self._numbers.get(url)

    def url(self, number: int) -> str:
        return self._urls[number]

    def is_open(self, number: int) -> bool:
        return bool(self._open[number])

    @property
    def open_flags(self) -> bytes:
        """Whether each number is open."""
        return bytes(self._open)

    def follow(
        self, number: int, predicted: float | None = None, objectives: tuple[float, ...] | None = None
    ) -> Link:
        """Return the link to an open URL, and close the URL."""
        self._open[number] = False
        return Link(
            self._urls[number],
            self._urls[self._source[number]],
            self._anchor[number],
            depth=self._depth[number],
            predicted=predicted,
            objectives=objectives,
        )

    def _number(self, url: str, *, source: int, depth: int, anchor: str) -> int:
        number = self._numbers.get(url)
        if number is None:
            number = self._numbers[url] = len(self._urls)
            self._urls.append(url)
            self._open.append(True)
            self._source.append(source)
            self._depth.append(depth)
            anchor = anchor[:_LONGEST_ANCHOR]
            self._anchor.append(self._anchors.setdefault(anchor, anchor))
        return number
