"""Hosts and pace: how many pages, errors and bytes came when, and from which hosts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

from fcwseo.comparison.report.crawl.reading import Crawl, sort_of, where
from fcwseo.comparison.report.crawl.records import Records, anchor_id
from fcwseo.comparison.report.crawl.strips import KEY, Strip, stacked
from fcwseo.comparison.report.shell import key, section, table
from fcwseo.comparison.report.svg import Axes, drawing, ticks
from fcwseo.crawling.run_directory.log import PAGE, Row

_SHOWN, _PARTS = 30, 60
_WIDTH, _HEIGHT = 640, 300
_FAILURES = 3  # outcomes named in a row


@dataclass
class Host:
    """What a host gave."""

    strip: Strip
    counts: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    stored: int = 0
    first: float = 0.0
    last: float = 0.0
    best: Row | None = None

    @property
    def pages(self) -> int:
        """Pages, kept or not."""
        return self.counts["kept"] + self.counts["left"]

    def add(self, row: Row, at: float) -> None:
        """Add a visit, at a number of seconds since the first one."""
        if not self.counts:
            self.first = at
        self.last = at
        sort = sort_of(row)
        self.counts[sort] += 1
        self.strip.add(at, sort)
        self.stored += row.warc.length if row.warc else 0
        if row.outcome != PAGE:
            self.failures[row.outcome] += 1
        elif self.best is None or row.relevance > self.best.relevance:
            self.best = row


def by_host(rows: Sequence[Row], times: Sequence[float]) -> dict[str, Host]:
    """The hosts of a crawl; the best, those with the most kept pages, first."""
    end = times[-1] if times else 1.0
    found: dict[str, Host] = {}
    for row, at in zip(rows, times, strict=True):
        name = where(row)
        if name not in found:
            found[name] = Host(Strip(end))
        found[name].add(row, at)
    order = sorted(found, key=lambda name: (-found[name].counts["kept"], -found[name].pages, name))
    return {name: found[name] for name in order}


def shown_hosts(hosts: dict[str, Host]) -> list[str]:
    """The hosts that have a row."""
    return list(hosts)[:_SHOWN]


def host_section(crawl: Crawl, hosts: dict[str, Host], records: Records) -> str:
    """The table of the hosts."""
    shown = shown_hosts(hosts)
    has_bytes = any(host.stored for host in hosts.values())
    heads = ["Host", "Over time", "Pages", "Kept", "Share", "No page", "Pages a minute", "Best page"]
    rows = []
    for name in shown:
        host = hosts[name]
        row = [
            f"{escape(name)}{_failures(host)}",
            host.strip.drawn(f"Pages of {name} over time"),
            f"{host.pages:,}",
            f"{host.counts['kept']:,}",
            f"{host.counts['kept'] / host.pages:.2f}" if host.pages else "-",
            f"{host.counts['none']:,}",
            _pace(host),
            records.link(host.best, f"{host.best.relevance:.3f}") if host.best else "-",
        ]
        rows.append([*row, _size(host.stored)] if has_bytes else row)
    ids = [anchor_id("host", name) for name in shown]
    some = (
        f"{len(shown)} of {len(hosts):,} hosts, those with most kept pages first. "
        if len(hosts) > len(shown)
        else ""
    )
    said = "" if has_bytes else " The log of this crawl has no bytes, as nothing was archived."
    note = f"{some}Each picture has its own height and spans the whole crawl.{said}"
    body = table([*heads, "Archived"] if has_bytes else heads, rows, kind="named strips", ids=ids)
    return section("Hosts", key(KEY), body, note=note, wide=True)


def _failures(host: Host) -> str:
    named = ", ".join(f"{count:,} {why}" for why, count in host.failures.most_common(_FAILURES))
    return f"<small>{escape(named)}</small>" if named else ""


def _pace(host: Host) -> str:
    passed = host.last - host.first
    return f"{(host.pages - 1) / passed * 60:,.1f}" if passed > 0 and host.pages > 1 else "-"


def _size(size: int) -> str:
    """A size in readable units.

    >>> _size(0), _size(2_300), _size(4_500_000)
    ('-', '2.3 kB', '4.5 MB')
    """
    if not size:
        return "-"
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"


def pace_section(crawl: Crawl, times: Sequence[float]) -> str:
    """Pages a minute over time."""
    if not times or times[-1] <= 0:
        return ""
    strip = Strip(times[-1], _PARTS)
    for row, at in zip(crawl.rows, times, strict=True):
        strip.add(at, sort_of(row))
    unit, name = (60.0, "minutes") if times[-1] > 600 else (1.0, "seconds")
    each = times[-1] / _PARTS
    axes = Axes(
        52, _WIDTH - 30, 34, _HEIGHT - 46, ticks(0, times[-1] / unit), ticks(0, strip.highest / each * 60)
    )
    width = axes.x(times[-1] / unit) - axes.left
    top = axes.y(strip.highest / each * 60)
    bars = stacked(strip, axes.left, top, width, axes.bottom - top, strip.highest)
    picture = drawing(
        axes.drawn(name, "Links a minute"),
        *bars,
        width=_WIDTH,
        height=_HEIGHT,
        title="Links a minute over time",
    )
    virtual = crawl.rows[-1].clock is not None
    clock = (
        "Seconds of the virtual clock of the rehearsal."
        if virtual
        else "Time since the first visit, without pauses of over ten minutes."
    )
    stored = sum(row.warc.length for row in crawl.rows if row.warc)
    size = f" {_size(stored)} were archived." if stored else ""
    pace = len(crawl.pages) / times[-1] * 60
    note = f"{clock} The crawl took {_lasting(times[-1])}: {pace:,.0f} pages a minute.{size}"
    return section("Pace", key(KEY), f'<div class="plot">{picture}</div>', note=note)


def _lasting(passed: float) -> str:
    """A duration.

    >>> _lasting(41.2), _lasting(7200)
    ('41 s', '120 min')
    """
    return f"{passed:.0f} s" if passed < 600 else f"{passed / 60:,.0f} min"
