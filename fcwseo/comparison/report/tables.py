"""The table of a comparison: for reading (Markdown), for computing (CSV) and for a paper (LaTeX)."""

import csv
import io
from collections.abc import Mapping, Sequence

from msgspec import Struct

from fcwseo.comparison.measures import MEASURES, written
from fcwseo.comparison.report.names import label, mark_notes, marked
from fcwseo.comparison.results import Results, Summary
from fcwseo.strategies import ORACLE

_JUDGES = {
    "labels": "labels of the web; crawlers see only the text of pages",
    "topic": "a held-out description of the topic",
    "relevance": "the relevance that guides the crawlers (circular)",
}
_ESCAPES = str.maketrans(
    {
        "&": r"\&",
        "%": r"\%",
        "_": r"\_",
        "#": r"\#",
        "$": r"\$",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "\\": r"\textbackslash{}",
    }
)


_MOST_NAMED = 6  # strategies in a sentence


class Spent(Struct, frozen=True):
    """The mean wall and processor seconds of a strategy's crawls."""

    seconds: float
    cpu_seconds: float


Times = Mapping[str, Spent]


def caption(results: Results) -> str:
    """A caption: budget, web, topic and judge."""
    sets = sum(task.seed_sets for task in results.tasks)
    tasks = f"{len(results.tasks)} tasks, " if len(results.tasks) > 1 else ""
    return (
        f"{results.max_pages:,} pages of {results.web} for {results.topic}; {tasks}{sets} seed "
        f"set{'s' if sets != 1 else ''}, {results.repeats} repeat{'s' if results.repeats != 1 else ''}. "
        f"Judged by {_JUDGES[results.judge]}."
    )


def leader(results: Results) -> Summary:
    """The best crawler, which an oracle is not."""
    return next((row for row in results.summary if row.strategy != ORACLE), results.summary[0])


def interval(row: Summary) -> str:
    """The interval of the harvest area; a single run, or identical repeats, have no interval."""
    low, high = row.ci95
    return f"[{low:.3f}, {high:.3f}]" if row.independent > 1 else "-"


def headline(results: Results) -> str:
    """The result in one sentence, no stronger than the statistics allow."""
    first = leader(results)
    others = [row for row in results.summary if row is not first and row.strategy != ORACLE]
    range_ = f" {interval(first)}" if first.independent > 1 else ""
    name, area = label(first.strategy), f"harvest area {first.harvest_area:.3f}{range_}"
    if not others:
        return f"{name}: {area}."
    p_values = {row.strategy: versus_p(first, row) for row in others}
    if all(p is None for p in p_values.values()):
        return (
            f"{name} is ahead ({area}). One task: not tested, so this describes these crawls and says "
            "nothing of other tasks."
        )
    unclear = [label(other) for other, p in p_values.items() if p is None or p >= 0.05]
    proven = [label(other) for other in p_values if label(other) not in unclear]
    if not unclear:
        return f"{name} beats all others: {area}, and each difference is significant (p < 0.05)."
    if not proven:
        return f"{name} is ahead ({area}). {_undecided(first, others)}"
    return (
        f"{name} is ahead ({area}). Shown (p < 0.05): it is ahead of {_listed(proven)}. Not shown: whether "
        f"it is also ahead of {_listed(unclear)}."
    )


def _undecided(first: Summary, others: Sequence[Summary]) -> str:
    """What a comparison without a significant difference shows: how large one can be."""
    found = [first.versus[row.strategy] for row in others if row.strategy in first.versus]
    sizes = [versus.detectable for versus in found if versus.detectable is not None]
    said = "No difference to another crawler is significant, so it is not shown which is best"
    if not sizes:
        return f"{said}."
    return f"{said}; a difference of {max(sizes):.3f} would have been shown in four of five such comparisons."


def _listed(names: Sequence[str]) -> str:
    """Names, the first six in full.

    >>> _listed(["bfs", "ops"]), _listed(list("abcdefgh"))
    ('bfs, ops', 'a, b, c, d, e, f and 2 more')
    """
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def versus_p(row: Summary, other: Summary) -> float | None:
    """The p of their difference; None if not tested."""
    return row.versus[other.strategy].p if other.strategy in row.versus else None


def legend(results: Results) -> list[str]:
    """The legend of the columns."""
    lines = [
        "HR: relevant pages / budget. Area: mean harvest rate over 20 checkpoints, with its 95 % interval "
        "(Student's t over webs, over the tasks of one web, or over the seed sets of one task). AR, SD: mean "
        "and standard deviation of the crawler's own relevance. p: paired difference in area from the best "
        "crawler, Holm's correction over all pairs; one task is not tested. "
        "CPU: processor seconds of a crawl."
    ]
    return lines + mark_notes(row.strategy for row in results.summary)


def versus_first(row: Summary, best: Summary) -> str:
    """The p-value of a strategy against the best one, as it is printed."""
    p = versus_p(row, best)
    if p is None:
        return "-"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def table_md(results: Results, times: Times) -> str:
    """The results as a Markdown table, with notes."""
    heads = ("Strategy", "HR", "Area", "95 %", "Recall", "AR", "SD", "Hosts", "p", "CPU s")
    rows = [_cells(row, results, times) for row in results.summary]
    best = best_of(results.summary)
    lines = [_md_row(heads), _md_row(["---", *["---:"] * (len(heads) - 1)])]
    for at, cells in enumerate(rows):
        lines.append(_md_row([f"**{cell}**" if (at, name) in best else cell for name, cell in cells.items()]))
    notes = [f"- {note}" for note in results.notes]
    return (
        "\n".join([f"**{caption(results)}**", "", *lines, "", *legend(results), "", *notes]).rstrip() + "\n"
    )


def _cells(row: Summary, results: Results, times: Times) -> dict[str, str]:
    def of(name: str) -> str:
        return written(name, row.measures.get(name))

    spent = times.get(row.strategy)
    return {
        "strategy": marked(row.strategy),
        "harvest_rate": of("harvest_rate"),
        "harvest_area": of("harvest_area"),
        "ci95": interval(row),
        "recall": of("recall"),
        "average_relevance": of("average_relevance"),
        "sd": of("sd"),
        "hosts": of("hosts"),
        "p": versus_first(row, leader(results)),
        "cpu": f"{spent.cpu_seconds:.1f}" if spent else "-",
    }


def best_of(summary: Sequence[Summary]) -> set[tuple[int, str]]:
    """The rows with the best printed value of a column (of SD, the lowest), without an oracle."""
    best: set[tuple[int, str]] = set()
    asked = [at for at, row in enumerate(summary) if row.strategy != ORACLE]
    for name, measure in MEASURES.items():
        values = {at: written(name, summary[at].measures.get(name)) for at in asked}
        numbers = {at: float(value.replace(",", "")) for at, value in values.items() if value != "-"}
        if measure.best is not None and numbers:
            top = measure.best(numbers.values())
            best |= {(at, name) for at, value in numbers.items() if value == top}
    return best


def _md_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def table_csv(results: Results, times: Times) -> str:
    """Every measure of every strategy, unrounded."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    names = ("strategy", "runs", "independent")
    writer.writerow([*names, *MEASURES, "ci95_low", "ci95_high", "p_versus_best", "seconds", "cpu_seconds"])
    for row in results.summary:
        versus = row.versus.get(leader(results).strategy)
        spent = times.get(row.strategy)
        more = (
            versus.p if versus else None,
            *((spent.seconds, spent.cpu_seconds) if spent else (None, None)),
        )
        measures = [row.measures.get(name) for name in MEASURES]
        writer.writerow([row.strategy, row.runs, row.independent, *measures, *row.ci95, *more])
    return file.getvalue()


def table_tex(results: Results, times: Times) -> str:
    r"""A table for a paper: needs ``\usepackage{booktabs}``."""
    best = best_of(results.summary)
    rows = [
        " & ".join(
            rf"\textbf{{{_tex(cell)}}}" if (at, name) in best else _tex(cell)
            for name, cell in _cells(row, results, times).items()
        )
        + r" \\"
        for at, row in enumerate(results.summary)
    ]
    heads = r"Strategy & HR & Area & 95\,\% & Recall & AR & SD & Hosts & $p$ & CPU (s) \\"
    text = _tex(" ".join([caption(results), *legend(results)]))
    lines = [
        "% needs \\usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{text}}}",
        rf"  \label{{tab:{_label(results)}}}",
        r"  \begin{tabular}{lrrlrrrrrr}",
        r"    \toprule",
        f"    {heads}",
        r"    \midrule",
        *(f"    {row}" for row in rows),
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _tex(text: str) -> str:
    return (
        text.translate(_ESCAPES)
        .replace("†", r"\textsuperscript{\dag}")
        .replace("‡", r"\textsuperscript{\ddag}")
        .replace("< ", "$<$ ")
    )


def _label(results: Results) -> str:
    return "".join(
        letter if letter.isalnum() and letter.isascii() else "-" for letter in label(results.tasks[0].name)
    )
