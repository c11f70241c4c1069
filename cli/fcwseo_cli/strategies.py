"""``fcwseo strategies``, ``new`` and ``weights``: list strategies, begin one, fit weights of texts."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from fcwseo.door.scaffolds import new_strategy
from fcwseo.strategies.loading import StrategyRecord
from fcwseo.strategies.loading import strategies as list_strategies
from fcwseo.strategies.rivals.fitting import TEXTS
from fcwseo.uses.fit_weights import Method, fit_weights
from fcwseo_cli.output import print_json, print_table, say, visible


def strategies(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the strategies, their papers, and what each needs."""
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


new_app = typer.Typer(no_args_is_help=True, help="Write the files of a new strategy.")


@new_app.callback()
def _new() -> None:
    """Write the files of a new strategy."""


@new_app.command()
def strategy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Words joined by '-', such as my-first.")],
    folder: Annotated[Path, typer.Option(metavar="FOLDER", help="Folder to write to.")] = Path(),
) -> None:
    """Write a strategy that runs, and a test of it.

    The name my-first becomes the file my_first.py with the class MyFirst, and test_my_first.py.
    """
    made = new_strategy(name, folder)
    say(f"wrote {made.path} and {made.test}")
    say("try it:\n  fcwseo web make web --pages 2000")
    say(
        "  fcwseo compare --web web --topic rainstorm --seeds web/seeds.txt --relevant rainstorm "
        f"--strategies bfs,ops --strategy {shlex.quote(made.strategy)} --out comparison"
    )


weights_app = typer.Typer(no_args_is_help=True, help="Fit the weights of the texts around a link.")


@weights_app.callback()
def _weights() -> None:
    """Fit the weights of the texts around a link."""


@weights_app.command()
def fit(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")],
    method: Annotated[Method, typer.Option(help="Method of fitting.")] = Method.LEAST_SQUARES,
    scorer: Annotated[
        str, typer.Option(help="Scorer: topical, word2vec, elmo or bsvsm.  [default: that of the crawl]")
    ] = "",
    web: Annotated[str, typer.Option(metavar="WEB", help="The crawled web, if it has moved since.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of the random numbers of the hybrid algorithm.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Fit the weights of the texts around a link.

    The texts are parent page, anchor, title and context of the links that a crawl followed. The error is the
    mean absolute error on held-out links.
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
