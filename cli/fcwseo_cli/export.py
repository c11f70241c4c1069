"""``fcwseo export`` and ``fcwseo search``: what a crawl kept, in other forms and by question."""

from pathlib import Path
from typing import Annotated

import typer

from fcwseo.uses.export import FORMATS, Choice
from fcwseo.uses.export import export as export_run
from fcwseo.uses.search import search as search_run
from fcwseo_cli.output import print_json, print_table, say

_TITLE = 200  # characters of a title that are shown

RunPath = Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def export(
    run: RunPath,
    form: Annotated[str, typer.Option("--format", metavar="|".join(FORMATS), help="Of what is written.")],
    out: Annotated[Path, typer.Option(metavar="PATH", help="The file or folder to write.")],
    min_relevance: Annotated[
        float, typer.Option(min=0, max=1, help="Only pages that are at least so relevant.")
    ] = 0.0,
    skip_near_duplicates: Annotated[
        bool, typer.Option("--skip-near-duplicates", help="Only the first of pages that say the same.")
    ] = False,
) -> None:
    """Write the kept pages of a crawl as JSON lines, Parquet, Markdown, CSV, WARC or a dataset folder."""
    count = export_run(run, form, out, choice=Choice(min_relevance, skip_near_duplicates))
    say(f"wrote {count:,} pages to {out}")


def search(
    run: RunPath,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Words; the ontology adds others.")],
    limit: Annotated[int, typer.Option(min=1, help="How many pages to show.")] = 10,
    json: Json = False,
) -> None:
    """Search the kept pages of a crawl; the topic's ontology says what else the words may be called."""
    found = search_run(run, query, limit=limit)
    if json:
        print_json([hit._asdict() for hit in found])
        return
    print_table(
        ("page", "score"),
        [(f"{hit.title[:_TITLE]}\n{hit.url}\n{hit.snippet}\n", hit.score) for hit in found],
    )
    say(f"{len(found)} pages")
