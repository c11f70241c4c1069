"""``fcwseo seeds``: where crawls start."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fcwseo.crawling.seeds import RankedSeed, merge_ranking_files, write_seeds
from fcwseo.crawling.settings import load_settings
from fcwseo_cli.live_options import Contact
from fcwseo_cli.output import say

app = typer.Typer(no_args_is_help=True, help="Where crawls start.")


@app.callback()
def _group() -> None:
    """Where crawls start."""


@app.command()
def merge(
    rankings: Annotated[
        list[Path], typer.Argument(metavar="RANKING...", help="Results of search engines: a URL a line.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The seeds file to write.")],
) -> None:
    """Merge ranked lists into seeds: first what all engines name, then what fewer do."""
    _tell(merge_ranking_files(rankings, out), out)


@app.command()
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for.")],
    engine: Annotated[
        str, typer.Option(metavar="URL", help="A search engine of yours that answers as SearXNG does.")
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The seeds file to write.")],
    pages: Annotated[int, typer.Option(min=1, max=20, help="Of results.")] = 1,
    contact: Contact = None,
) -> None:
    """Ask a search engine for seeds: first what all engines behind it name, then what fewer do."""
    from fcwseo.uses.seed_search import ask_engine  # the network is loaded by those who use it

    settings = load_settings(given={"live": {"contact": contact}})
    seeds = ask_engine(engine, query, pages=pages, contact=settings.live.contact)
    write_seeds(seeds, out)
    _tell(seeds, out)


def _tell(seeds: Sequence[RankedSeed], out: Path) -> None:
    counts = Counter(seed.priority for seed in seeds)
    told = ", ".join(f"{counts[priority]} of priority {priority}" for priority in sorted(counts))
    say(f"wrote {len(seeds)} seeds to {out}: {told}")
