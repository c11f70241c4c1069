"""Grids: pairwise differences of strategies, and pages by host."""

from collections.abc import Mapping, Sequence
from html import escape

from fcwseo.comparison.report.names import label
from fcwseo.comparison.report.svg import SOFT, drawing, tag, text
from fcwseo.comparison.results import HostCount, Summary, VersusResult

_BETTER, _WORSE, _FOUND = "#0072b2", "#d55e00", "#009e73"
_SIGNIFICANT = 0.05
_FEW, _READABLE = 9, 34  # names with slanted heads; width of a cell with a number
_CELLS = ((_FEW, (60, 30)), (20, (40, 26)), (10**6, (20, 20)))  # sizes of cells, by the number of names


def draw_matrix(summary: Sequence[Summary]) -> str:
    """The ratio of the harvest areas of row and column, bold if the difference is significant."""
    names = [row.strategy for row in summary]
    wide, high = next(size for most, size in _CELLS if len(names) <= most)
    left, top = 8 + _width(names), _slanted(names) if len(names) <= _FEW else 12 + _width(names)
    cells = [
        _versus_cell(row.strategy, other, row.versus.get(other), left + wide * x, top + high * y, wide, high)
        for y, row in enumerate(summary)
        for x, other in enumerate(names)
    ]
    return drawing(
        *_heads(names, left, top, wide, upright=len(names) > _FEW),
        *(
            text(_short(label(name)), left - 8, top + high * (y + 0.5) + 4, anchor="end")
            for y, name in enumerate(names)
        ),
        *cells,
        width=left + wide * len(names) + (round(0.8 * _width(names[-1:])) if len(names) <= _FEW else 16),
        height=top + high * len(names) + 12,
        title="Who beats whom: ratio of harvest areas, row by column",
        class_="matrix",
    )


def _versus_cell(
    name: str, other: str, versus: VersusResult | None, x: float, y: float, wide: float, high: float
) -> str:
    box = {"x": x + 1, "y": y + 1, "width": wide - 2, "height": high - 2, "rx": 4}
    if versus is None:
        return tag("rect", **box, fill="none", class_="self")
    is_real = versus.p is not None and versus.p < _SIGNIFICANT
    tested = "one task: not tested" if versus.p is None else f"p = {versus.p:.3g} (Holm)"
    fill = _BETTER if versus.difference > 0 else _WORSE
    low, up = versus.ci95
    shown = (
        f"{label(name)} against {label(other)}: difference {versus.difference:+.3f} [{low:+.3f}, {up:+.3f}], "
        f"{tested}, effect size {versus.effect_size:+.2f}, {versus.wins:.0%} of {versus.unit or 'pair'}s won"
    )
    ratio = "∞" if versus.ratio is None else f"{versus.ratio:.2f}"
    has_room = wide >= _READABLE
    written = text(
        f"{ratio}{'*' if is_real else ''}" if has_room else "*",
        x + wide / 2,
        y + high / 2 + 5,
        anchor="middle",
        size=12 if wide >= 48 else 10,
        font_weight=700 if is_real else 400,
    )
    strength = min(1.0, abs(versus.difference) * 2) if not has_room else 0.0
    return tag(
        "g",
        tag("title", escape(shown)),
        tag("rect", **box, fill=fill, opacity=round((0.42 if is_real else 0.1) + 0.4 * strength, 2)),
        written if has_room or is_real else "",
    )


def draw_hosts(
    hosts: Mapping[str, Sequence[HostCount]], names: Sequence[str], *, runs: Mapping[str, int]
) -> str:
    """Relevant pages and pages per run of each strategy on each host."""
    rows = [count.host for count in hosts[names[0]]]
    left, top, wide, high = 8 + _width(rows), _slanted(names), 78, 28
    most = max((count.relevant / runs[name] for name in names for count in hosts[name]), default=1.0) or 1.0
    cells = [
        _host_cell(name, count, runs[name], most, left + wide * x, top + high * y, wide, high)
        for x, name in enumerate(names)
        for y, count in enumerate(hosts[name])
    ]
    return drawing(
        *_heads(names, left, top, wide),
        *(text(_short(row), left - 10, top + high * y + 19, anchor="end") for y, row in enumerate(rows)),
        *cells,
        width=left + wide * len(names) + round(0.8 * _width(names[-1:])),
        height=top + high * len(rows) + 12,
        title="Relevant pages / pages by host, mean of the runs",
        class_="hosts",
    )


def _host_cell(
    name: str, count: HostCount, runs: int, most: float, x: float, y: float, wide: float, high: float
) -> str:
    relevant, pages = count.relevant / runs, count.pages / runs
    shown = f"{label(name)} on {count.host}: {relevant:.1f} relevant of {pages:.1f} pages a run"
    return tag(
        "g",
        tag("title", escape(shown)),
        tag(
            "rect",
            x=x + 1,
            y=y + 1,
            width=wide - 2,
            height=high - 2,
            rx=4,
            fill=_FOUND,
            opacity=0.06 + 0.54 * relevant / most,
        ),
        text(f"{relevant:.0f} / {pages:.0f}", x + wide / 2, y + 19, anchor="middle"),
    )


def _heads(names: Sequence[str], left: float, top: float, wide: float, *, upright: bool = False) -> list[str]:
    """The names of the columns, slanted, or upright where columns are narrow."""
    angle, shift = (-90, 4.0) if upright else (-32, -4.0)
    places = [(left + wide * x + wide / 2 + shift, top - 8) for x in range(len(names))]
    return [
        text(
            _short(label(name)), x, y, fill=SOFT, class_="soft", transform=f"rotate({angle} {x:.0f} {y:.0f})"
        )
        for name, (x, y) in zip(names, places, strict=True)
    ]


def _slanted(names: Sequence[str]) -> int:
    """The height of slanted heads."""
    return max(72, round(0.53 * _width(names)) + 20)


def _width(names: Sequence[str]) -> int:
    return max(60, round(7.8 * max(len(_short(label(name))) for name in names)) + 12)


def _short(name: str) -> str:
    return name if len(name) <= 34 else f"{name[:16]}…{name[-17:]}"
