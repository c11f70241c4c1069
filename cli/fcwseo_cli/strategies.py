"""``fcwseo strategies`` and ``weights``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from fcwseo.strategies.loading import StrategyRecord
from fcwseo.strategies.loading import strategies as list_strategies
from fcwseo.strategies.rivals.fitting import TEXTS
from fcwseo.uses.fit_weights import Method, fit_weights
from fcwseo_cli.output import print_json, print_table, visible


def strategies(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the strategies: what each does, who described it, and what it needs."""
    found = list_strategies()
    if json:
        print_json([record._asdict() for record in found])
        return
    width = max(len(record.name) for record in found) + 2
    for record in found:
        for head, text in zip((record.name, "", "", ""), _lines(record), strict=False):
            print(visible(f"{head:{width}}{text}"))


def _lines(record: StrategyRecord) -> Iterator[str]:
    yield record.summary
    if record.reference:
        yield f"  {record.reference}"
    if record.needs:
        yield f"  needs {record.needs}"
    if record.package != "fcwseo":
        yield f"  of the package {record.package}"


weights_app = typer.Typer(no_args_is_help=True, help="What the texts of a link weigh.")


@weights_app.callback()
def _weights() -> None:
    """What the texts of a link weigh."""


@weights_app.command()
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
