"""Choices: which rule chose how many links and what they were worth, and how many seats were served."""

from collections.abc import Sequence
from html import escape
from statistics import fmean

from fcwseo.comparison.report.crawl.reading import Crawl, sample
from fcwseo.comparison.report.crawl.records import RULES
from fcwseo.comparison.report.shell import key, section, table
from fcwseo.comparison.report.svg import Axes, drawing, tag, ticks
from fcwseo.crawling.run_directory.log import PAGE, Row

_MOST, _WIDTH, _HEIGHT = 900, 640, 300
_COLOURS = {"value": "s0", "fronts": "s1", "list": "s2"}


def rule_section(crawl: Crawl) -> str:
    """Links and pages by the rule of their choice."""
    if not any(row.rule for row in crawl.rows):
        note = "The log of this crawl does not say by which rules links were chosen."
        return section("Who chose", note=note)
    rows, total = [], len(crawl.rows)
    for rule, chosen in _by_rule(crawl.rows).items():
        pages = [row for row in chosen if row.outcome == PAGE]
        kept = sum(row.kept for row in pages)
        guesses = [row.predicted for row in pages if row.predicted is not None]
        rows.append(
            [
                f'<span class="{_COLOURS.get(rule, "s7")}">{escape(RULES.get(rule, rule))}</span>',
                _share(len(chosen) / total, _COLOURS.get(rule, "s7")),
                f"{len(chosen) / total:.1%}",
                f"{len(chosen):,}",
                f"{len(pages):,}",
                f"{kept:,}",
                f"{kept / len(pages):.3f}" if pages else "-",
                f"{fmean(row.relevance for row in pages):.3f}" if pages else "-",
                f"{fmean(guesses):.3f}" if guesses else "-",
            ]
        )
    heads = ("Rule", "", "Share", "Links", "Pages", "Kept", "Kept / pages", "Relevance", "Predicted")
    note = (
        "Every link has one rule. Half of the seats are given by value; the others by fronts and NFCS, among "
        "hosts that are worth nearly as much. Relevance and prediction are means over the pages."
    )
    return section("Who chose", table(heads, rows, kind="named strips"), note=note, wide=True)


def _by_rule(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.rule, []).append(row)
    order = list(RULES)
    return dict(sorted(found.items(), key=lambda item: order.index(item[0]) if item[0] in order else 99))


def _share(share: float, colour: str) -> str:
    return tag(
        "svg",
        tag("rect", x=0, y=2, width=100, height=10, rx=2, class_="track"),
        tag("rect", x=0, y=2, width=100 * share, height=10, rx=2),
        viewBox="0 0 100 14",
        width=100,
        height=14,
        aria_hidden="true",
        class_=f"bar {colour}",
    )


def seat_section(crawl: Crawl) -> str:
    """The number of served seats and the places of the hosts that were chosen, over the crawl."""
    seated = [(row, row.seat) for row in crawl.rows if row.seat]
    if not seated:
        return ""
    highest = max(max(seat) for _, seat in seated)
    axes = Axes(52, _WIDTH - 30, 34, _HEIGHT - 46, ticks(0, len(crawl.rows)), ticks(0, highest))
    shown = sample(seated, _MOST)
    line = " ".join(f"{axes.x(row.step):.1f},{axes.y(seat[1]):.1f}" for row, seat in shown)
    dots = [
        tag(
            "circle",
            cx=axes.x(row.step),
            cy=axes.y(seat[0]),
            r=2.5,
            fill_opacity=0.55,
            class_=f"dot {_COLOURS.get(row.rule, 's7')}",
        )
        for row, seat in shown
    ]
    picture = drawing(
        axes.drawn("visits", "Seats"),
        tag("polyline", points=line, fill="none", stroke_width=1.6, class_="line s7"),
        *dots,
        width=_WIDTH,
        height=_HEIGHT,
        title="Served seats over the crawl",
    )
    cut = f" {len(shown):,} of {len(seated):,} visits are drawn." if len(shown) < len(seated) else ""
    note = (
        "Line: seats of the bank that were served, as pace or radius asked for. Dots: the place of the "
        f"chosen host by value, 1 being the best.{cut}"
    )
    colours = key([("s0", "by value"), ("s1", "by fronts and NFCS"), ("s2", "by pagination")])
    return section("Seats", colours, f'<div class="plot">{picture}</div>', note=note)
