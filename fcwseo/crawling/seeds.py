"""Seeds: URLs, or text files with one URL per line; blank lines separate seed sets, ``#`` begins a
comment.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from fcwseo.errors import InvalidSeeds
from fcwseo.files import atomically
from fcwseo.pages.urls import canonical

_LOG = logging.getLogger(__name__)


def read_seed_sets(path: Path) -> list[list[str]]:
    """The alternative seed sets of a file."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise InvalidSeeds(
            f"cannot read the seeds {path}: {error.strerror} (the URL of a seed begins with http://)"
        ) from error
    except UnicodeDecodeError as error:
        raise InvalidSeeds(f"{path} is not a text file in UTF-8: {error}") from error
    sets: list[list[str]] = [[]]
    for number, line in enumerate(lines, start=1):
        text = line.strip().partition(" #")[0].strip()
        if not text:
            sets.append([])
        elif not text.startswith("#"):
            sets[-1].append(_seed(text, f"{path}, line {number}"))
    sets = [urls for urls in sets if urls]
    if not sets:
        raise InvalidSeeds(f"{path} has no seeds: write one URL per line")
    return sets


def gather_seeds(given: Sequence[str], *, seed_set: int = 1) -> list[str]:
    """All seeds of files and URLs; a file with alternative sets contributes the set with this number."""
    seeds: dict[str, None] = {}
    for name in given:
        if "://" in name:
            seeds[_seed(name, "the seeds")] = None
            continue
        sets = read_seed_sets(Path(name))
        if not 1 <= seed_set <= len(sets):
            raise InvalidSeeds(f"{name} has {len(sets)} seed sets, so there is no set {seed_set}")
        if len(sets) > 1:
            _LOG.info("%s has %d alternative seed sets; using number %d", name, len(sets), seed_set)
        seeds |= dict.fromkeys(sets[seed_set - 1])
    if not seeds:
        raise InvalidSeeds("a crawl needs seeds: give a file or a URL")
    return list(seeds)


class RankedSeed(NamedTuple):
    """A seed. Priority 1 is for URLs in all rankings; ``rank`` is its mean rank, from 1, where it occurs."""

    url: str
    priority: int
    rank: float


def merge_rankings(rankings: Sequence[Sequence[str]]) -> list[RankedSeed]:
    """Merge the results of several search engines as in paper 002: URLs found by more engines come first,
    then those with a better mean rank.

    >>> [seed[:2] for seed in merge_rankings([["a", "b"], ["b", "c"], ["b", "a"]])]
    [('b', 1), ('a', 2), ('c', 3)]
    """
    ranks: dict[str, list[int]] = {}
    for ranking in rankings:
        for rank, url in enumerate(dict.fromkeys(ranking), start=1):
            ranks.setdefault(url, []).append(rank)
    seeds = [
        RankedSeed(url, len(rankings) + 1 - len(found), sum(found) / len(found))
        for url, found in ranks.items()
    ]
    return sorted(seeds, key=lambda seed: (seed.priority, seed.rank))


def merge_ranking_files(paths: Sequence[Path], out: Path) -> list[RankedSeed]:
    """Merge files of ranked URLs, best first, into a seeds file."""
    rankings = [[url for urls in read_seed_sets(path) for url in urls] for path in paths]
    seeds = merge_rankings(rankings)
    write_seeds(seeds, out)
    return seeds


def write_seeds(seeds: Sequence[RankedSeed], out: Path) -> None:
    """Write a seeds file, each seed with its priority."""
    if not seeds:
        raise InvalidSeeds("no result can be a seed")
    atomically(out, "".join(f"{seed.url} # priority {seed.priority}\n" for seed in seeds).encode())


def _seed(text: str, where: str) -> str:
    url = canonical(text)
    if url is None:
        raise InvalidSeeds(f"{where}: {text!r} is not an http URL")
    return url
