"""Seeds from a search engine with the API of SearXNG: ``GET ...?q=QUERY&format=json``.

A metasearch engine lists the engines of each result, so its response contains several rankings.
"""

import asyncio
from collections.abc import Sequence
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from fcwseo.crawling.run_live import agent, check_contact
from fcwseo.crawling.seeds import RankedSeed, merge_rankings
from fcwseo.errors import InvalidInput
from fcwseo.live.client import Client, Response
from fcwseo.live.guards import GuardedBackend, Resolver
from fcwseo.loops import run_async
from fcwseo.pages import Failure, Why
from fcwseo.pages.urls import canonical

_PAUSE = 1.0  # seconds between two pages of results


class _Result(Struct, frozen=True):
    url: str = ""
    engine: str = ""
    engines: tuple[str, ...] = ()


class _Results(Struct, frozen=True):
    results: tuple[_Result, ...]


def ask_engine(endpoint: str, query: str, *, pages: int = 1, contact: str = "") -> list[RankedSeed]:
    """The first pages of results, by priority. A request to the public web needs a contact."""
    check_contact(contact)
    where = canonical(endpoint)
    if where is None:
        raise InvalidInput(f"{endpoint!r} is not an http URL of a search engine")
    if not query.strip():
        raise InvalidInput("a search needs a query")
    return merge_rankings(rankings(run_async(_ask(where, query, pages, contact))))


def rankings(results: Sequence[_Result]) -> list[list[str]]:
    """A ranked list for each engine in the results."""
    found: dict[str, list[str]] = {}
    for result in results:
        url = canonical(result.url)
        for engine in result.engines or (result.engine,) if url else ():
            found.setdefault(engine, []).append(url or "")
    return list(found.values())


async def _ask(endpoint: str, query: str, pages: int, contact: str) -> list[_Result]:
    resolver = Resolver(public=bool(contact), private=True)  # the user named it, so it may be private
    found: list[_Result] = []
    try:
        async with Client(GuardedBackend(resolver), agent=agent(contact)) as client:
            for number in range(1, pages + 1):
                if number > 1:
                    await asyncio.sleep(_PAUSE)
                more = "&" if "?" in endpoint else "?"
                asked = urlencode({"q": query, "format": "json", "pageno": number})
                results = _read(endpoint, await client.get(f"{endpoint}{more}{asked}"))
                found += results
                if not results:
                    break
    finally:
        resolver.close()
    return found


def _read(endpoint: str, response: Response | Failure) -> tuple[_Result, ...]:
    if isinstance(response, Failure) and response.why is Why.REFUSED and "contact" in response.detail:
        raise InvalidInput(f"{response.detail}: give a mail address or a URL as contact (--contact)")
    if isinstance(response, Failure):
        raise InvalidInput(f"{endpoint} does not answer: {response.why} {response.detail}".rstrip())
    if response.status == 403:
        raise InvalidInput(f"{endpoint} refuses (403): the settings of a SearXNG must allow JSON")
    if response.location:
        raise InvalidInput(f"{endpoint} redirects to {response.location[:200]}: give that URL")
    if response.status != 200 or response.failure is not None:
        raise InvalidInput(f"{endpoint} returned status {response.status} instead of results")
    try:
        return msgspec.json.decode(response.body, type=_Results).results
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{endpoint} does not respond like SearXNG: {error}") from error
