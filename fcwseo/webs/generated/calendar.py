"""A trap for crawlers: endless calendars, in which each day links to others."""

import re

from fcwseo.webs.generated.layout import Host, Layout

YEAR = 365  # days
_FIRST_YEAR = 2000
_DAY = re.compile(r"/calendar/([2-9][0-9]{3}|[1-9][0-9]{4,17})-([0-9]{3})\.html")
_STEPS = {"next day": 1, "next month": 30, "next year": YEAR, "previous day": -1}


def find_day(layout: Layout, url: str) -> tuple[Host, int] | None:
    """The host of a calendar page and its day, counted from the year 0; None for any other URL."""
    found = layout.find_host(url)
    match = _DAY.fullmatch(found[1]) if found and found[0].has_calendar else None
    if not found or not match or not 1 <= int(match[2]) <= YEAR:
        return None
    return found[0], int(match[1]) * YEAR + int(match[2]) - 1


def day_url(host: Host, day: int) -> str:
    """The URL of a day of a host's calendar."""
    return f"{host.origin}/calendar/{day // YEAR}-{day % YEAR + 1:03}.html"


def day_links(host: Host, day: int) -> list[tuple[str, str]]:
    """Anchor and URL of the links of a day. There is always a next day."""
    days = {anchor: day + step for anchor, step in _STEPS.items() if day + step >= _FIRST_YEAR * YEAR}
    return [(anchor, day_url(host, there)) for anchor, there in days.items()]
