"""``fcwseo weights``: what the texts of a link weigh."""

from pathlib import Path
from typing import Annotated

import typer

from fcwseo.strategies.rivals.fitting import TEXTS
from fcwseo.uses.fit_weights import Method, fit_weights
from fcwseo_cli.output import print_json, print_table

app = typer.Typer(no_args_is_help=True, help="What the texts of a link weigh.")


@app.callback()
def _group() -> None:
    """What the texts of a link weigh."""


@app.command()
def fit(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run directory.")],
    method: Annotated[Method, typer.Option(help="How they are found.")] = Method.LEAST_SQUARES,
    scorer: Annotated[
        str, typer.Option(help="topical, word2vec, elmo or bsvsm; else what the crawl used.")
    ] = "",
    web: Annotated[str, typer.Option(metavar="WEB", help="The web that was crawled.")] = "",
    seed: Annotated[int, typer.Option(help="For the hybrid algorithm.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Fit the weights of parent text, anchor, title and context to the links that a crawl followed.

    The error is the mean absolute one on links that were held out.
    """
    rows = fit_weights(run, method=method, scorer=scorer, web=web, seed=seed)
    if json:
        print_json(
            [
                {"name": row.name, "weights": dict(zip(TEXTS, row.weights, strict=True)), "error": row.error}
                for row in rows
            ]
        )
        return
    print_table(("weights", *TEXTS, "error"), [(row.name, *row.weights, row.error) for row in rows])
