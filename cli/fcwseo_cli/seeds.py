"""``fcwseo seeds``: where crawls start."""

from pathlib import Path
from typing import Annotated

import typer

from fcwseo.seeds import merge_ranking_files
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
    seeds = merge_ranking_files(rankings, out)
    counts = [sum(seed.priority == priority for seed in seeds) for priority in range(1, len(rankings) + 1)]
    told = ", ".join(f"{count} of priority {priority}" for priority, count in enumerate(counts, start=1))
    say(f"wrote {len(seeds)} seeds to {out}: {told}")
