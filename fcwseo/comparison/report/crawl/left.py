"""Kept and left out: by depth, language, year and media type, and the outcomes of the links."""

from collections import Counter
from collections.abc import Iterable, Mapping
from html import escape

from fcwseo.comparison.report.crawl.reading import Crawl, sort_of
from fcwseo.comparison.report.crawl.strips import KEY, SORTS
from fcwseo.comparison.report.shell import key, section, table
from fcwseo.comparison.report.svg import tag
from fcwseo.crawling.run_directory.log import PAGE, Row, count_outcome
from fcwseo.pages import Why

_MOST, _WIDE, _LONGEST = 12, 300, 40


def left_section(crawl: Crawl) -> str:
    """What was kept and left out, by what the run knows of it."""
    depths: dict[str, Counter[str]] = {}
    for row in sorted(crawl.rows, key=lambda row: row.depth):
        depths.setdefault(f"{row.depth}", Counter())[sort_of(row)] += 1
    languages = Counter(page.lang or "unknown" for page in crawl.kept.values())
    years = Counter((page.date or "no date")[:4].replace("no d", "no date") for page in crawl.kept.values())
    kept = "of kept pages: the log does not have it of others"
    parts = [
        _part("By depth", "links between a seed and the page", depths),
        _part("By language", kept, _only_kept(languages.most_common())),
        _part("By year", kept, _only_kept(sorted(years.items(), reverse=True))),
        _part("By media type", "pages are HTML, and other types are left out", _types(crawl.rows)),
    ]
    return section(
        "Kept and left out", key(KEY), *parts, note="Kept pages, pages left out, and links without a page."
    )


def _only_kept(counts: Iterable[tuple[str, int]]) -> dict[str, Counter[str]]:
    return {name: Counter({"kept": count}) for name, count in counts}


def _types(rows: Iterable[Row]) -> dict[str, Counter[str]]:
    """HTML pages, and the content types of what is not a page.

    A crawl of a closed web has none of the latter.
    """
    found: dict[str, Counter[str]] = {}
    for row in rows:
        if row.outcome == PAGE:
            found.setdefault("text/html", Counter())[sort_of(row)] += 1
        elif row.outcome == Why.NOT_HTML:
            kind = row.detail.partition(";")[0].strip()[:_LONGEST] or "unknown"
            found.setdefault(kind, Counter())["none"] += 1
    return dict(sorted(found.items(), key=lambda item: -item[1].total())) if len(found) > 1 else {}


def _part(title: str, what: str, counts: Mapping[str, Counter[str]]) -> str:
    if not counts or (len(counts) == 1 and next(iter(counts)) in ("unknown", "no date")):
        return ""
    most = max(count.total() for count in counts.values())
    is_known = any(count["left"] or count["none"] for count in counts.values())
    sorts = list(SORTS) if is_known else ["kept"]
    rows = [
        [escape(name), _bar(count, most), *(f"{count[sort]:,}" for sort in sorts)]
        for name, count in list(counts.items())[:_MOST]
    ]
    cut = f", {_MOST} of {len(counts):,}" if len(counts) > _MOST else ""
    heads = (title, "", *("Kept", "Left out", "No page")[: len(sorts)])
    return f'<p class="note">{escape(what)}{cut}</p>{table(heads, rows, kind="bars strips")}'


def _bar(count: Counter[str], most: int) -> str:
    parts, x = [], 0.0
    for sort, colour in SORTS.items():
        width = count[sort] / most * _WIDE
        if width:
            parts.append(tag("rect", x=x, y=2, width=width, height=12, class_=f"fill {colour}"))
        x += width
    return tag(
        "svg",
        *parts,
        viewBox=f"0 0 {_WIDE} 16",
        width=160,
        height=16,
        preserveAspectRatio="none",
        aria_hidden="true",
        class_="wide-bar",
    )


def outcome_section(crawl: Crawl) -> str:
    """The outcomes of all links, with an example of each."""
    counts: Counter[str] = Counter()
    for row in crawl.rows:
        count_outcome(counts, row)
    example = {row.outcome: row.detail for row in reversed(crawl.rows) if row.detail}
    cells = [
        [escape(name), f"{count:,}", escape(example.get(name, "-")[:120])]
        for name, count in counts.most_common()
    ]
    return section("Outcomes of the links", table(("Outcome", "Links", "Such as"), cells, kind="named"))
