"""Is A better than B? Over all tasks, with the task as the unit of a mean and the web as the unit of a test.

    python benchmarks/yardstick.py A B [C ...] [--tasks KIND|GROUP|WEB|NAME ...] [--sets 3] [--repeats 1]
    python benchmarks/yardstick.py fcwseo greedy
    python benchmarks/yardstick.py fcwseo fcwseo:explore=0 --tasks "many hosts"
    python benchmarks/yardstick.py fcwseo fcwseo@v0.1.0
    python benchmarks/yardstick.py fcwseo without-form without-examples without-keyness

A is compared with each of the others. Each is a strategy of ``fcwseo compare`` or ``ablations.py``, with
settings after a colon (``width``, or parameters of fcwseo), and the commit whose code crawls after an @; left
out, the strategy is fcwseo and the code that of this folder. A commit must have the modules that
``task_crawls.py`` imports.

Paired differences are averaged over the repeats and seed sets of a task, then over the tasks of a web; the
interval, p and the smallest detectable difference are by Student's t over webs. Without a web: the same over
the others. The same over tasks is printed beside it. ``docs/yardstick.md`` says why, ``declared.toml`` what
was declared before.

Crawls are kept in ``--results`` (``kept_crawls.py``); those that are there are not done again.
"""

import argparse
import os
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
from kept_crawls import HERE, Kept, Runner, Side, digest, git
from msgspec import Struct
from tasks import add_data_option, available, kind, listed, names

from fcwseo.comparison.measures import MEASURES, measure_names
from fcwseo.comparison.statistics import (
    TESTED,
    Estimate,
    Key,
    Unit,
    Versus,
    compare_two,
    corrected,
    estimate,
    sample,
)
from fcwseo.errors import InvalidInput

DECLARED = HERE / "declared.toml"


class Declared(Struct, frozen=True, forbid_unknown_fields=True):
    """``declared.toml``."""

    measure: str
    strategy: str
    tasks: str
    sets: int
    primary: str
    others: tuple[str, ...]


def side(text: str) -> Side:
    """What a word of the command line means.

    >>> side("greedy"), side("fcwseo:k=10,explore=0.2@abc")
    (Side(strategy='greedy', settings={}, commit=''), \
Side(strategy='fcwseo', settings={'k': 10.0, 'explore': 0.2}, commit='abc'))
    """
    rest, _, commit = text.partition("@")
    strategy, _, settings = rest.rpartition(":") if "=" in rest else (rest, "", "")
    pairs = (part.partition("=") for part in settings.split(",") if part)
    try:
        return Side(strategy or "fcwseo", {name: float(value) for name, _, value in pairs}, commit)
    except ValueError:
        raise SystemExit(f"{text!r}: a setting is NAME=NUMBER") from None


def values(rows: Iterable[Kept], measure: str) -> dict[Key, float]:
    """A measure of the crawls to which it applies; ``with_documents`` is one, too."""
    found = (
        (row, row.with_documents if measure == "with_documents" else row.measures[measure]) for row in rows
    )
    return {(row.task, row.seed_set, row.repeat): float(value) for row, value in found if value is not None}


def webs() -> dict[str, str]:
    return {name: entry.web for name, entry in listed().tasks.items()}


def by_task(ours: Mapping[Key, float]) -> dict[str, float]:
    return {
        task: estimate(sample({key: ours[key] for key in ours if key[0] == task}, {}).values.values()).mean
        for task in dict.fromkeys(key[0] for key in ours)
    }


def print_tasks(found: Mapping[str, list[Kept]], tasks: Sequence[str], measure: str) -> None:
    columns = {name: by_task(values(rows, measure)) for name, rows in found.items()}
    documents = {name: by_task(values(rows, "with_documents")) for name, rows in found.items()}
    more = [f"{name}, with documents" for name in found] if measure == "harvest_area" else []
    print_row("task", "web", "kind", *found, *more)
    print_row(*["---"] * (3 + len(found) + len(more)))
    for task in tasks:
        figures = [*columns.values(), *(documents.values() if more else ())]
        cells = [figure(own.get(task)) for own in figures]
        print_row(task, webs()[task], kind(task), *cells)


def print_webs(found: Mapping[str, list[Kept]], tasks: Sequence[str], measure: str) -> None:
    """The mean over the tasks of each web, and that over webs."""
    groups: dict[str, list[str]] = {}
    for task in tasks:
        groups.setdefault(webs()[task], []).append(task)
    print_row("strategy", *(f"{web} ({len(own)})" for web, own in groups.items()), "mean over webs")
    print_row(*["---"] * (2 + len(groups)))
    for name, rows in found.items():
        means = by_task(values(rows, measure))
        cells = [[means[task] for task in own if task in means] for own in groups.values()]
        of_webs = [fmean(own) for own in cells if own]
        whole = fmean(of_webs) if of_webs else None
        print_row(name, *(f"{fmean(own):.3f}" if own else "-" for own in cells), figure(whole))


def figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def interval(found: Estimate) -> str:
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def p_of(p: float | None) -> str:
    return "one task: not tested" if p is None else "< .001" if p < 0.001 else f"{p:.3f}"


def print_versus(name: str, found: Mapping[str, Versus], corrected_p: Mapping[str, float | None]) -> None:
    print_row(f"{name} against", "ratio", "difference [95 %]", "over", "p", "Holm", "detectable", "won")
    print_row(*["---"] * 8)
    for other, versus in found.items():
        n = versus.difference.n
        over = f"{n} {versus.unit}{'s' if n > 1 else ''}"
        p = None if versus.p is None else versus.difference.p
        won = f"{versus.wins:.0%} of {versus.unit}s"
        ratio, least = figure(versus.ratio), figure(versus.detectable)
        print_row(
            other, ratio, interval(versus.difference), over, p_of(p), p_of(corrected_p[other]), least, won
        )


def print_over_tasks(name: str, found: Mapping[str, Versus], shares: Mapping[str, float | None]) -> None:
    """To be read beside the test, not instead of it."""
    print_row(f"{name} against, over tasks", "difference [95 %]", "p", "detectable", "won", "between webs")
    print_row(*["---"] * 6)
    for other, versus in found.items():
        p, won = p_of(versus.p), f"{versus.wins:.0%} of {versus.difference.n} tasks"
        share = shares[other]
        between = "-" if share is None else f"{share:.0%}"
        print_row(other, interval(versus.difference), p, figure(versus.detectable), won, between)
    print(
        "\nAs if the tasks of a web were independent: it says nothing of other webs. Not corrected. Between "
        "webs: the part of the variance between tasks."
    )


def share_between_webs(differences: Mapping[Key, float]) -> float | None:
    """The part of the variance between the means of tasks that lies between webs, by analysis of variance;
    None if no web has two tasks.
    """
    by_web: dict[str, list[float]] = {}
    for task, value in by_task(differences).items():
        by_web.setdefault(webs()[task], []).append(value)
    n = sum(map(len, by_web.values()))
    if len(by_web) < 2 or n == len(by_web):
        return None
    mean = fmean(value for own in by_web.values() for value in own)
    within = sum((value - fmean(own)) ** 2 for own in by_web.values() for value in own) / (n - len(by_web))
    between = sum(len(own) * (fmean(own) - mean) ** 2 for own in by_web.values()) / (len(by_web) - 1)
    size = (n - sum(len(own) ** 2 for own in by_web.values()) / n) / (len(by_web) - 1)
    of_webs = max(0.0, (between - within) / size)
    return of_webs / (of_webs + within) if of_webs + within else None


def print_robustness(name: str, other: str, versus: Versus, differences: Mapping[Key, float]) -> None:
    own = sample(differences, webs()).values
    print(f"\n{name} against {other}, by {versus.unit}:\n")
    print_row(f"without this {versus.unit}", "its own difference", "difference [95 %] of the others", "p")
    print_row(*["---"] * 4)
    for left_out, found in versus.without.items():
        p = p_of(found.p) if found.n > 1 else "-"
        print_row(left_out, f"{own[left_out]:+.3f}", interval(found), p)


def print_row(*cells: str) -> None:
    print(f"| {' | '.join(cells)} |")


def print_declared(
    declared: Declared, first: str, others: Sequence[str], measure: str, tasks: Sequence[str], sets: int
) -> None:
    """Whether this is the comparison that was declared, and since when it has been."""
    since = git("log", "-1", "--format=%h of %cd", "--date=iso", "--", str(DECLARED))
    changed = git("status", "--porcelain", "--", str(DECLARED))
    same = (
        measure == declared.measure
        and first == declared.strategy
        and sets == declared.sets
        and {*tasks} == {*listed().tasks}
    )
    for other in others:
        role = "primary" if other == declared.primary else "secondary" if other in declared.others else ""
        stands = f"the declared {role} comparison" if same and role else "not a declared comparison"
        print(f"{first} against {other}: {stands}")
    uncommitted = "; CHANGED SINCE, not committed" if changed else ""
    print(f"declared at commit {since or '-'}{uncommitted}\n")


def report(
    found: Mapping[str, list[Kept]], tasks: Sequence[str], measure: str, declared: Declared, seconds: float
) -> None:
    first, *others = found
    ours = values(found[first], measure)
    theirs = {other: values(found[other], measure) for other in others}
    differences = {
        other: {key: value - own[key] for key, value in ours.items() if key in own}
        for other, own in theirs.items()
    }
    most = MEASURES[measure].most
    versus = {other: compare_two(ours, own, webs(), most=most) for other, own in theirs.items()}
    secondary = [other for other in others if other != declared.primary]
    after = dict(zip(secondary, corrected([versus[other] for other in secondary]), strict=True))
    p_values = {other: after[other].p if other in after else versus[other].p for other in others}
    print_tasks(found, tasks, measure)
    print()
    print_webs(found, tasks, measure)
    print()
    print_versus(first, versus, p_values)
    if all(own.unit is Unit.WEB for own in versus.values()):
        one_web = dict.fromkeys(webs(), "")
        print()
        over_tasks = {other: compare_two(ours, own, one_web, most=most) for other, own in theirs.items()}
        shares = {other: share_between_webs(differences[other]) for other in others}
        print_over_tasks(first, over_tasks, shares)
    for other in others:
        if versus[other].unit in TESTED:
            print_robustness(first, other, versus[other], differences[other])
    crawls = sum(row.seconds for rows in found.values() for row in rows)
    commits = ", ".join(dict.fromkeys(row.commit for rows in found.values() for row in rows))
    visited = digest(sorted(row.visited for rows in found.values() for row in rows))
    print(
        f"\nCommits {commits}; {sum(map(len, found.values()))} crawls, digest {visited}, "
        f"{crawls:.0f} s of processors.\nThis call: {seconds:.0f} s, {processor_seconds():.0f} s of "
        f"processors, load {os.getloadavg()[2]:.1f} on {os.cpu_count()} cores"
    )


def processor_seconds() -> float:
    """Of this process and of those that crawled for it."""
    user, system, of_user, of_system, _ = os.times()
    return user + system + of_user + of_system


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sides", nargs="+", metavar="A B", help="strategies, settings or commits")
    parser.add_argument("--tasks", nargs="*", default=[], help="names, groups, webs or kinds; all by default")
    declared = msgspec.convert(tomllib.loads(DECLARED.read_text(encoding="utf-8")), Declared)
    parser.add_argument("--sets", type=int, default=declared.sets)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--measure", default=declared.measure)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--results", type=Path, default=HERE / "results" / "yardstick.jsonl")
    add_data_option(parser)
    given = parser.parse_args()
    if len({*given.sides}) < max(2, len(given.sides)):
        parser.error("name two or more that differ")
    sides = {text: side(text) for text in given.sides}
    for one in sides.values():
        if one.commit and not git("rev-parse", "--verify", "--quiet", f"{one.commit}^{{commit}}"):
            parser.error(f"{one.commit} is no commit of this repository")
    try:
        (measure,) = measure_names([given.measure])
    except InvalidInput as error:
        parser.error(str(error))
    tasks = available(tuple(given.data), names(*given.tasks))
    first, *others = given.sides
    print_declared(declared, first, others, measure, tasks, given.sets)
    began = time.monotonic()
    runner = Runner(tuple(given.data), given.results, given.sets, given.repeats, given.workers)
    found = runner.run(sides, tasks)
    report(found, tasks, measure, declared, time.monotonic() - began)


if __name__ == "__main__":
    main()
