"""``fcwseo explain``: why a crawl followed a link, or did not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from fcwseo.strategies.explanation import Explanation
from fcwseo.uses.explain import Account, State
from fcwseo.uses.explain import explain as explain_link
from fcwseo.webs.opening import open_web
from fcwseo_cli.output import print_json, print_table, visible

_MOST = 10  # printed parents and concepts
_LONGEST = 200  # printed characters of an anchor, as many as the log stores


def explain(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run directory.")],
    url: Annotated[str, typer.Argument(metavar="URL", help="URL of the link.")],
    web: Annotated[
        str | None, typer.Option(metavar="WEB", help="The crawled web, if it has moved since.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Explain why a crawl followed a link, or did not.

    Prints the features of the link, its objectives, rank and seat, its parents and matching concepts.
    """
    account = explain_link(run, url, web=open_web(web) if web else None)
    if json:
        print_json(msgspec.to_builtins(account))
        return
    for line in _lines(account):
        print(visible(line))
    for reason in account.reasons:
        print(visible(f"{account.strategy}: {reason}"))
    if account.parents:
        rows: list[tuple[str, str, str]] = [
            (parent.url, parent.anchor[:_LONGEST], f"{parent.relevance:.3f} {parent.topicality}")
            for parent in account.parents[:_MOST]
        ]
        if len(account.parents) > _MOST:
            rows.append((f"... and {len(account.parents) - _MOST:,} more links (--json has all)", "", ""))
        pages = len({parent.url for parent in account.parents})  # which may link there more than once
        print_table((f"parents ({pages})", "anchor", "relevance"), rows)
    for parent in account.parents[:_MOST]:
        for reason in parent.reasons:
            print(visible(f"{account.strategy}, on {parent.url}: {reason}"))
    if account.explanation is not None:
        _print_explanation(account.explanation)


def _lines(account: Account) -> Iterator[str]:
    visit, explanation = account.visit, account.explanation
    yield account.url
    if visit is None:
        place = f", at rank {explanation.rank:,} of {explanation.candidates:,}" if explanation else ""
        yield f"{account.state}{place if account.state is State.WAITING else ''}"
    else:
        yield f"{account.state} at step {visit.step:,} by {account.strategy}, depth {visit.depth}"
        if visit.final_url is None:
            yield f"it gave no page: {visit.outcome} {visit.detail}".rstrip()
        else:
            expected = "nothing" if visit.predicted is None else f"{visit.predicted:.3f}"
            kept = "kept" if visit.kept else "not kept"
            yield f"predicted {expected}, true relevance {account.reading}, {kept}"
            if visit.kept or not account.limitation:
                yield f"concepts of the page: {_some(account.page_concepts)}"
    if account.is_seed:
        yield "it is a seed"
    yield f"concepts of the anchors: {_some(account.anchor_concepts)}"
    if account.limitation:
        yield account.limitation
    elif (
        explanation is None and not account.reasons and not any(parent.reasons for parent in account.parents)
    ):
        yield f"{account.strategy} does not say more"


def _some(concepts: tuple[str, ...]) -> str:
    return ", ".join(concepts[:_MOST]) or "none"


def _print_explanation(why: Explanation) -> None:
    rows = [(piece.name, piece.value, f"{piece.adds:+.3f}") for piece in why.evidence]
    total = [
        ("level of all pages", "", f"{why.level:+.3f}"),
        ("correction", "", f"{why.correction:+.3f}"),
        ("predicted", "", f"{why.predicted:+.3f}"),
    ]
    if not 0 <= why.predicted <= 1:
        total.append(("F1: cut to [0, 1]", "", f"{why.objectives['F1']:+.3f}"))
    print_table(("evidence", "value", "adds"), [*rows, *total])
    print_table(("objective", "value"), list(why.objectives.items()))
    for line in why.lines:
        print(line)
