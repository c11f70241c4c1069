"""Seeds: read from files, merged from rankings, asked of a search engine. ``fcwseo.seeds`` is this module.

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
    """The addresses that files and URLs name together.

    Args:
        given: A file, a URL, or a list of them.
        seed_set: Which of the alternative seed sets of a file.

    Raises:
        InvalidSeeds: If a file cannot be read, or a line is no address.

    >>> read("http://a.example")
    ['http://a.example/']
    """
    return seeds_of(given, seed_set=count_of(seed_set, "seed_set"))


def merge(rankings: Sequence[AnyPath | Sequence[str]], *, out: AnyPath | None = None) -> list[RankedSeed]:
    """Merge the rankings of several search engines: what more of them name comes first.

    Args:
        rankings: Lists of addresses, or files of them, best first.
        out: A seeds file to write.

    Returns:
        The seeds with their priority, best first.

    Raises:
        InvalidSeeds: If there are no seeds to write.
    """
    given = items_of(rankings, "rankings", "a list of rankings, each a file or a list of URLs,")
    found = merge_rankings([_ranking(one) for one in given])
    if out is not None:
        write_seeds(found, path_of(out, "out"))
    return found


def _ranking(given: AnySeeds) -> list[str]:
    """The URLs of a ranking, best first; of a file, those of all its sets."""
    if isinstance(given, str | PathLike) and "://" not in str(given):
        return [url for urls in read_seed_sets(path_of(given, "rankings")) for url in urls]
    return seeds_of(given)


def search(
    query: str, *, engine: str, pages: int = 1, contact: str = "", out: AnyPath | None = None
) -> list[RankedSeed]:
    """Ask a search engine that answers as SearXNG does.

    Args:
        query: What to look for.
        engine: The address of the search engine.
        pages: How many pages of results to ask for.
        contact: Who you are; an engine of the public web needs it.
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
