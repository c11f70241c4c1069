"""Public functions for seeds: read files, merge rankings, query a search engine. This module is
``fcwseo.seeds``.

>>> import fcwseo as f
>>> [seed.url for seed in f.seeds.merge([["http://a.example/", "http://b.example/"], ["http://b.example/"]])]
['http://b.example/', 'http://a.example/']
"""

from collections.abc import Sequence
from os import PathLike

from fcwseo.crawling.seeds import RankedSeed, merge_rankings, read_seed_sets, write_seeds
from fcwseo.door.arguments import AnyPath, AnySeeds, count_of, items_of, path_of, seeds_of, text_of

__all__ = ["merge", "read", "search"]


def read(given: AnySeeds, *, seed_set: int = 1) -> list[str]:
    """Read all URLs from files and URLs.

    Args:
        given: A file, a URL, or a list of them.
        seed_set: Number of the seed set, if a file has several.

    Returns:
        The URLs, each once.

    Raises:
        InvalidSeeds: If a file cannot be read, or a line is not a URL.

    >>> read("http://a.example")
    ['http://a.example/']
    """
    return seeds_of(given, seed_set=count_of(seed_set, "seed_set"))


def merge(rankings: Sequence[AnyPath | Sequence[str]], *, out: AnyPath | None = None) -> list[RankedSeed]:
    """Merge the rankings of several search engines: URLs in more rankings come first.

    Args:
        rankings: Lists of URLs, or files of them, best first.
        out: A seeds file to write.

    Returns:
        The seeds with their priority, best first.

    Raises:
        InvalidSeeds: If there are no seeds to write.

    >>> [(seed.url, seed.priority) for seed in merge([["http://a.example/"], ["http://a.example/"]])]
    [('http://a.example/', 1)]
    """
    given = items_of(rankings, "rankings", "a list of rankings, each a file or a list of URLs,")
    found = merge_rankings([_ranking(one) for one in given])
    if out is not None:
        write_seeds(found, path_of(out, "out"))
    return found


def _ranking(given: AnySeeds) -> list[str]:
    """The URLs of a ranking, best first; for a file, the URLs of all its sets."""
    if isinstance(given, str | PathLike) and "://" not in str(given):
        return [url for urls in read_seed_sets(path_of(given, "rankings")) for url in urls]
    return seeds_of(given)


def search(
    query: str, *, engine: str, pages: int = 1, contact: str = "", out: AnyPath | None = None
) -> list[RankedSeed]:
    """Query a search engine with the API of SearXNG.

    Args:
        query: Words to search for.
        engine: The URL of the search engine.
        pages: Number of result pages to fetch.
        contact: Your mail address or a URL; required for an engine on the public web.
        out: A seeds file to write.

    Returns:
        The seeds with their priority, best first.

    Raises:
        InvalidInput: If the engine does not answer.
    """
    from fcwseo.uses.seed_search import ask_engine

    found = ask_engine(
        text_of(engine, "engine"),
        text_of(query, "query"),
        pages=count_of(pages, "pages"),
        contact=text_of(contact, "contact"),
    )
    if out is not None:
        write_seeds(found, path_of(out, "out"))
    return found
