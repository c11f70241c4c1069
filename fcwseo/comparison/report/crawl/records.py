"""Records of pages: what is known of a visit, where other parts of the page lead to."""

import shlex
from hashlib import blake2b
from html import escape

from fcwseo.comparison.report.crawl.reading import Crawl, page_url, where
from fcwseo.comparison.report.shell import section
from fcwseo.crawling.run_directory.log import PAGE, Row

_MOST, _MOST_WORDS, _LONGEST = 600, 12, 200


def anchor_id(kind: str, name: str) -> str:
    """The id of an element of the page: letters and digits, whatever the name is.

    >>> anchor_id("host", 'a"<b>')
    'host-ece30cee341d'
    """
    return f"{kind}-{blake2b(name.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"


def address(url: str) -> str:
    """A URL as an HTML link, if it is an http URL."""
    shown = escape(url)
    is_web = url.startswith(("http://", "https://"))
    return f'<a href="{shown}" rel="noreferrer">{shown}</a>' if is_web else shown


class Records:
    """Collects the visits that the page refers to, each of which gets a record at its end."""

    def __init__(self, crawl: Crawl, hosts: frozenset[str]) -> None:
        self._crawl, self._hosts = crawl, hosts
        self.concepts: set[str] = set()  # those with a row on the page
        self._rows: dict[int, Row] = {}

    def link(self, row: Row, text: str) -> str:
        """A link to the record of a visit; only text once there are too many records."""
        if row.step not in self._rows and len(self._rows) >= _MOST:
            return escape(text)
        self._rows[row.step] = row
        return f'<a href="#visit-{row.step}">{escape(text)}</a>'

    def host(self, name: str) -> str:
        """A link to the row of a host, if it has one."""
        shown = escape(name)
        return f'<a href="#{anchor_id("host", name)}">{shown}</a>' if name in self._hosts else shown

    def concept(self, word: str) -> str:
        """A link to the row of a concept, if it has one."""
        shown = escape(word)
        return f'<a href="#{anchor_id("concept", word)}">{shown}</a>' if word in self.concepts else shown

    def section(self) -> str:
        """All records, in the order of the visits."""
        if not self._rows:
            return ""
        by_url = {page_url(row): row for row in self._rows.values()}
        shown = "".join(self._record(row, by_url) for _, row in sorted(self._rows.items()))
        note = (
            f"The {len(self._rows):,} visits that this page refers to, of {len(self._crawl.rows):,}. The "
            "command prints more: the features of the link and its rivals at that moment."
        )
        return section(
            "Records", f"<details><summary>Show the records</summary>{shown}</details>", note=note, wide=True
        )

    def _record(self, row: Row, by_url: dict[str, Row]) -> str:
        parent = by_url.get(row.parent or "")
        if row.parent is None:
            came = "a seed"
        elif parent is None:
            came = address(row.parent)
        else:
            came = f'<a href="#visit-{parent.step}">{escape(row.parent)}</a>'
        command = f"{self._crawl.command} {shlex.quote(row.url)}"
        facts = {
            "page": address(page_url(row)),
            "host": self.host(where(row)),
            "came from": came,
            "anchor": escape(row.anchor[:_LONGEST]) or "-",
            "depth": f"{row.depth}",
            "fetched": escape(moment(row.at))
            if row.clock is None
            else f"after {row.clock:,.1f} virtual seconds",
            "chosen": escape(_choice(row)),
            "objectives": escape(_objectives(row)),
            "outcome": escape(_outcome(row)),
            "concepts": self._concepts(row),
            "more": f"<code>{escape(command)}</code>",
        }
        shown = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts.items() if value)
        title = escape(self._crawl.title(row))
        return f'<article id="visit-{row.step}"><h3>{title}</h3><dl>{shown}</dl></article>'

    def _concepts(self, row: Row) -> str:
        page = self._crawl.kept.get(row.url)
        return ", ".join(map(self.concept, page.concepts[:_MOST_WORDS])) if page else ""


def moment(at: str) -> str:
    """A time for people.

    >>> moment("2026-11-18T16:59:22.304+00:00"), moment("soon")
    ('2026-11-18 16:59:22 UTC', 'soon')
    """
    is_time = len(at) > 19 and at[10] == "T" and at.endswith(("+00:00", "Z"))
    return f"{at[:10]} {at[11:19]} UTC" if is_time else at


RULES = {
    "seed": "a seed",
    "value": "best value",
    "fronts": "fronts and NFCS",
    "list": "best pagination",
    "log": "an earlier log",
    "": "no rule in the log",
}
"""The rules of a choice in words."""


def _choice(row: Row) -> str:
    rule = RULES.get(row.rule, row.rule) if row.rule else ""
    seat = f"place {row.seat[0]} by value, {row.seat[1]} seats served" if row.seat else ""
    return ", ".join(text for text in (f"visit {row.step:,}", rule, seat) if text)


def _objectives(row: Row) -> str:
    values = zip(("F1", "F2", "F3", "F4"), row.objectives or (), strict=False)
    return ", ".join(f"{name} {value:.3f}" for name, value in values)


def _outcome(row: Row) -> str:
    if row.outcome != PAGE:
        return f"{row.outcome} {row.detail[:_LONGEST]}".strip()
    guess = "" if row.predicted is None else f", predicted {row.predicted:.3f}"
    return f"{'kept' if row.kept else 'left out'}, relevance {row.relevance:.3f}{guess}"
