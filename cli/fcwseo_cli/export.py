"""``fcwseo export`` and ``fcwseo search``: the kept pages of a crawl, in other formats and by query."""

from pathlib import Path
from typing import Annotated

import typer

from fcwseo.uses.export import FORMATS, Choice
from fcwseo.uses.export import export as export_run
from fcwseo.uses.search import search as search_run
from fcwseo_cli.output import print_json, print_table, say

_TITLE = 200  # printed characters of a title

RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def export(
    run: RunPath,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="|".join(FORMATS),
            help="Output format (in csv, ' precedes what a spreadsheet would run).",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="PATH", help="File or folder to write.")],
    min_relevance: Annotated[
        float, typer.Option(min=0, max=1, help="Only pages of at least this relevance.")
    ] = 0.0,
    skip_near_duplicates: Annotated[
        bool, typer.Option("--skip-near-duplicates", help="Only the first of each group of near-duplicates.")
    ] = False,
) -> None:
    """Export the kept pages of a crawl to a file or folder."""
    count = export_run(run, form, out, choice=Choice(min_relevance, skip_near_duplicates))
    say(f"wrote {count:,} pages to {out}")


def search(
    run: RunPath,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words to search for.")],
    limit: Annotated[int, typer.Option(min=1, help="Number of pages to show.")] = 10,
    json: Json = False,
) -> None:
    """Search the kept pages of a crawl, synonyms included.

    The ontology of the topic adds the synonyms of each concept in the query.
    """
    found = search_run(run, query, limit=limit)
    if json:
        print_json([hit._asdict() for hit in found])
        return
    print_table(
        ("page", "score", "relevance"),
        [
            (
                f"{hit.title[:_TITLE]}\n{hit.url}\n{hit.snippet}\n",
                hit.score,
                f"{hit.relevance:.3f} {hit.topicality}",
            )
            for hit in found
        ],
    )
    say(f"{len(found)} pages")
