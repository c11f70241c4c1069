"""The publication date that a page states."""

import re
from datetime import date

# The names of meta elements that hold a date, the most trusted first.
_META_NAMES = (
    *("article:published_time", "datepublished", "citation_publication_date", "dcterms.issued"),
    *("dc.date.issued", "dcterms.created", "dc.date", "dcterms.date", "pubdate", "publishdate", "date"),
)
META_RANK = {name: rank for rank, name in enumerate(_META_NAMES)}
JSON_RANK = META_RANK["datepublished"]  # of a date in JSON-LD
TIME_RANK = len(_META_NAMES)  # of a time element
NO_DATE = (TIME_RANK + 1, "")  # the rank of no date at all
_ISO_DATE = re.compile(r"\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_JSON_DATE = re.compile(r'"datePublished"\s*:\s*"([^"<>]{4,40})"')


def iso_date(text: str) -> str:
    """The date at the start of a text, as YYYY-MM-DD; "" if there is none.

    >>> iso_date("2021-7-20T08:00:00+08:00"), iso_date("2021-13-40"), iso_date("yesterday")
    ('2021-07-20', '', '')
    """
    match = _ISO_DATE.match(text)
    try:
        return date(*map(int, match.groups())).isoformat() if match else ""
    except ValueError:
        return ""


def json_date(html: str) -> str | None:
    """The value of ``datePublished`` in the JSON-LD of a page, unchanged; None if there is none.

    >>> json_date('<script>{"datePublished": "2021-07-20T08:00"}</script>')
    '2021-07-20T08:00'
    """
    if "datePublished" in html and (match := _JSON_DATE.search(html)):
        return match[1]
    return None
