"""Fetches a few pages of the live web as a crawl would, for ``fcwseo topic test``."""

from collections.abc import Sequence

from fcwseo.crawling.run_live import check, live_web
from fcwseo.crawling.settings import LiveSettings
from fcwseo.errors import InvalidInput
from fcwseo.live.robots import Robots
from fcwseo.live.slots import Slots
from fcwseo.live.traps import Limits
from fcwseo.loops import run_async
from fcwseo.pages import Failure, Page
from fcwseo.pages.urls import canonical


def fetch_pages(live: LiveSettings, urls: Sequence[str]) -> list[Page | Failure]:
    """Fetch each URL, one after the other."""
    check(live)
    asked = [canonical(url) for url in urls]
    for given, url in zip(urls, asked, strict=True):
        if url is None:
            raise InvalidInput(f"{given!r} is not an http URL")
    return run_async(_fetch_pages(live, [url for url in asked if url is not None]))


async def _fetch_pages(live: LiveSettings, urls: Sequence[str]) -> list[Page | Failure]:
    slots = Slots()
    slots.limit(1)
    found: list[Page | Failure] = []
    async with live_web(live, Limits(), slots=slots, robots=Robots()) as web:
        for url in urls:
            found.append(await web.fetch(url))
            slots.finish(url)
    return found
