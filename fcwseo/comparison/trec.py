"""Runs and judgements in the formats of TREC, for ``ir_measures``.

A crawl is a ranking in the order of fetching. Its query is the task, the seed set and the repeat.
``qrels.txt`` lists the relevant pages of the web, and the irrelevant visited pages.
"""

from collections.abc import Sequence
from pathlib import Path

from fcwseo.comparison.experiment import Order
from fcwseo.comparison.judge import Judge
from fcwseo.comparison.judged import page_url, visited
from fcwseo.files import atomically, io_error


def write_trec(runs: Sequence[tuple[Order, Judge]], folder: Path) -> None:
    """Write ``NAME.run`` for each strategy, and one ``qrels.txt``."""
    lines: dict[str, list[str]] = {}
    judged: dict[str, dict[str, int]] = {}
    for order, judge in runs:
        case = order.case
        query = f"{case.task.name}-{case.seed_set}-{case.repeat}".replace(" ", "_")
        rows = visited(order.out, max_pages=order.plan.max_pages)
        name = order.out.parent.name
        lines.setdefault(name, []).extend(run_lines(query, [page_url(row) for row in rows], name))
        known = judged.setdefault(query, dict.fromkeys(sorted(judge.pages), 1))
        for row in rows:
            known.setdefault(page_url(row), int(judge.is_relevant(row)))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise io_error(folder, error) from error
    for name, ranking in lines.items():
        _write(folder / f"{name}.run", ranking)
    qrels = [f"{query} 0 {url} {grade}" for query, known in judged.items() for url, grade in known.items()]
    _write(folder / "qrels.txt", qrels)


def forget_trec(folder: Path) -> None:
    """Delete the rankings and judgements of an earlier comparison."""
    try:
        for path in (*folder.glob("*.run"), folder / "qrels.txt"):
            path.unlink(missing_ok=True)
    except OSError as error:
        raise io_error(folder, error) from error


def run_lines(query: str, urls: Sequence[str], name: str) -> list[str]:
    """The lines of a run file; the score falls with the rank.

    >>> run_lines("weather-0-0", ["http://a.example/", "http://b.example/"], "bfs")
    ['weather-0-0 Q0 http://a.example/ 1 2 bfs', 'weather-0-0 Q0 http://b.example/ 2 1 bfs']
    """
    return [
        f"{query} Q0 {url} {rank} {len(urls) - rank + 1} {name}" for rank, url in enumerate(urls, start=1)
    ]


def _write(path: Path, lines: Sequence[str]) -> None:
    atomically(path, "".join(f"{line}\n" for line in lines).encode())
