"""``fcwseo seeds``: seeds files from the results of search engines."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fcwseo.crawling.seeds import RankedSeed, merge_ranking_files, write_seeds
from fcwseo.crawling.settings import load_settings
from fcwseo_cli.live_options import Contact
from fcwseo_cli.output import say

app = typer.Typer(no_args_is_help=True, help="Make seeds files from the results of search engines.")


@app.callback()
def _group() -> None:
    """Make seeds files from the results of search engines."""


@app.command()
def merge(
    rankings: Annotated[
        list[Path],
        typer.Argument(metavar="RANKING...", help="Results of a search engine: one URL a line, best first."),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Seeds file to write.")],
) -> None:
    """Merge ranked lists of URLs into a seeds file.

    URLs that all lists contain come first (priority 1), then those of fewer lists (2 and 3).
    """
    _tell(merge_ranking_files(rankings, out), out)


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words to search for.")],
    engine: Annotated[
        str, typer.Option(metavar="URL", help="Your search engine; it must answer like SearXNG.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Seeds file to write.")],
    pages: Annotated[int, typer.Option(min=1, max=20, help="Number of result pages to fetch.")] = 1,
    contact: Contact = None,
) -> None:
    """Query a search engine and write its results as seeds.

    URLs that all engines behind it found come first (priority 1), then those of fewer (2 and 3).
    """
    from fcwseo.uses.seed_search import ask_engine  # imported here: other commands need no network client

    settings = load_settings(given={"live": {"contact": contact}})
    seeds = ask_engine(engine, query, pages=pages, contact=settings.live.contact)
    write_seeds(seeds, out)
    _tell(seeds, out)


def _tell(seeds: Sequence[RankedSeed], out: Path) -> None:
    counts = Counter(seed.priority for seed in seeds)
    listed = ", ".join(f"{counts[priority]} of priority {priority}" for priority in sorted(counts))
    say(f"wrote {len(seeds)} seeds to {out}: {listed}")
