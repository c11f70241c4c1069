"""Small pictures in tables: how much came when, as stacked bars without axes."""

from collections.abc import Iterable

from fcwseo.comparison.report.crawl.reading import BINS
from fcwseo.comparison.report.svg import tag

SORTS = {"kept": "s0", "left": "s7", "none": "s1"}
"""The parts of a bar with their colours: kept pages, pages left out, and links without a page."""
KEY = [("s0", "kept"), ("s7", "left out"), ("s1", "no page")]
_WIDTH, _HEIGHT = 144, 22


class Strip:
    """Counts of the parts of a crawl, from 0 to ``end``.

    >>> strip = Strip(10)
    >>> strip.add(0, "kept"), strip.add(10, "left"), strip.counts["left"][-1]
    (None, None, 1)
    """

    def __init__(self, end: float, bins: int = BINS) -> None:
        self._end, self._bins = end or 1.0, bins
        self.counts = {sort: [0] * bins for sort in SORTS}

    def add(self, at: float, sort: str, count: int = 1) -> None:
        """Add visits at a moment."""
        self.counts[sort][min(self._bins - 1, int(at / self._end * self._bins))] += count

    @property
    def highest(self) -> int:
        """The largest bar."""
        return max(map(sum, zip(*self.counts.values(), strict=True)))

    def drawn(self, title: str) -> str:
        """The picture; its bars are as high as the picture allows."""
        bars = stacked(self, 0, 0, _WIDTH, _HEIGHT, self.highest)
        base = tag("path", d=f"M0 {_HEIGHT - 0.5}h{_WIDTH}", class_="hair s7", fill="none")
        return tag(
            "svg",
            base,
            *bars,
            viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
            width=_WIDTH,
            height=_HEIGHT,
            role="img",
            aria_label=title,
            class_="strip",
        )


def stacked(strip: Strip, x: float, y: float, width: float, height: float, highest: float) -> Iterable[str]:
    """The bars of a strip in a box, one path for each part, kept pages at the bottom."""
    wide = width / len(next(iter(strip.counts.values())))
    base = [0.0] * len(next(iter(strip.counts.values())))
    for sort, name in SORTS.items():
        parts = []
        for at, count in enumerate(strip.counts[sort]):
            if count:
                high = count / (highest or 1) * height
                bottom = y + height - base[at]
                parts.append(
                    f"M{x + at * wide + 0.5:.1f} {bottom:.1f}v{-high:.1f}h{wide - 1:.1f}v{high:.1f}z"
                )
                base[at] += high
        if parts:
            yield tag("path", d="".join(parts), class_=f"fill {name}")
