"""A small writer of SVG: elements as text, axes with round numbers, labels that do not overlap.

Colours are attributes, so that a file is self-contained; a page may override them by class.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

INK, SOFT, LINE = "#22303c", "#5f6c78", "#d9dde1"
_FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Helvetica, Arial, sans-serif"


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element. A trailing underscore marks Python's keywords, other underscores become hyphens; None omits
    an attribute.

    >>> tag("text", escape("a < b"), x=1.50, font_size=12, class_="soft")
    '<text x="1.5" font-size="12" class="soft">a &lt; b</text>'
    """
    given = {
        key.rstrip("_").replace("_", "-"): value for key, value in attributes.items() if value is not None
    }
    written = "".join(f' {key}="{_value(value)}"' for key, value in given.items())
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".") if "." in f"{value:.2f}" else f"{value:.2f}"
    return escape(str(value))


def text(
    content: str, x: float, y: float, *, anchor: str = "start", size: int = 12, **attributes: object
) -> str:
    """A text element."""
    chosen = {"fill": INK, "class_": "ink"} | attributes
    return tag("text", escape(content), x=float(x), y=float(y), text_anchor=anchor, font_size=size, **chosen)


def drawing(*children: str, width: int, height: int, title: str, **attributes: object) -> str:
    """A complete picture, with a title for screen readers."""
    return tag(
        "svg",
        tag("title", escape(title)),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=title,
        font_family=_FONT,
        **attributes,
    )


def ticks(low: float, high: float, *, about: int = 5) -> list[float]:
    """Round numbers that span from low to high.

    >>> ticks(0, 0.87), ticks(0, 400)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 100.0, 200.0, 300.0, 400.0])
    """
    span = max(high - low, 1e-9)
    rough = span / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(step * i, 10) for i in range(first, last + 1)]


def number(value: float) -> str:
    """The shortest text of a tick.

    >>> number(0.25), number(15000.0), number(2.0)
    ('0.25', '15,000', '2')
    """
    return f"{value:,.0f}" if value == round(value) else f"{value:.6g}"


def spread(wanted: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """Positions near the given ones, in the same order, at least ``gap`` apart, from low to high if they fit.

    >>> spread([10, 11, 50], gap=5, low=0, high=100)
    [8.0, 13.0, 50.0]
    """

    def inside(middle: float, count: int) -> float:
        half = gap * (count - 1) / 2
        return max(min(middle, high - half), low + half)

    blocks: list[tuple[float, list[int]]] = []  # the middle of a block, and its members
    for i in sorted(range(len(wanted)), key=lambda i: wanted[i]):
        middle, members = inside(wanted[i], 1), [i]
        while blocks and middle - blocks[-1][0] < gap * (len(members) + len(blocks[-1][1])) / 2:
            before, others = blocks.pop()
            both = len(others) + len(members)
            middle = inside((before * len(others) + middle * len(members)) / both, both)
            members = others + members
        blocks.append((middle, members))
    places = [0.0] * len(wanted)
    for middle, members in blocks:
        for at, i in enumerate(members):
            places[i] = round(middle + gap * (at - (len(members) - 1) / 2), 2)
    return places


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes of a plot: position in the picture and ranges of numbers. ``log`` is for the x axis."""

    left: float
    right: float
    top: float
    bottom: float
    x_ticks: Sequence[float]
    y_ticks: Sequence[float]
    log: bool = False

    def x(self, value: float) -> float:
        """The horizontal place of a value."""
        low, high = self.x_ticks[0], self.x_ticks[-1]
        if self.log:
            low, high, value = math.log10(low), math.log10(high), math.log10(max(value, 1e-9))
        return self.left + (value - low) / ((high - low) or 1) * (self.right - self.left)

    def y(self, value: float) -> float:
        """The vertical place of a value."""
        low, high = self.y_ticks[0], self.y_ticks[-1]
        return self.bottom - (value - low) / ((high - low) or 1) * (self.bottom - self.top)

    def drawn(self, x_label: str, y_label: str) -> str:
        """Grid, numbers and names of the axes."""
        parts = [
            tag("line", x1=self.left, x2=self.right, y1=self.y(v), y2=self.y(v), stroke=LINE, class_="grid")
            + text(number(v), self.left - 8, self.y(v) + 4, anchor="end", fill=SOFT, class_="soft")
            for v in self.y_ticks
        ]
        parts += [
            tag(
                "line",
                x1=self.x(v),
                x2=self.x(v),
                y1=self.bottom,
                y2=self.bottom + 4,
                stroke=LINE,
                class_="grid",
            )
            + text(number(v), self.x(v), self.bottom + 18, anchor="middle", fill=SOFT, class_="soft")
            for v in self.x_ticks
        ]
        middle = (self.left + self.right) / 2
        parts.append(text(x_label, middle, self.bottom + 36, anchor="middle", fill=SOFT, class_="soft"))
        parts.append(text(y_label, self.left - 8, self.top - 12, fill=INK, size=13, font_weight=600))
        return "".join(parts)
