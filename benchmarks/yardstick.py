"""Is A better than B? Over all tasks, with the task as the unit of a mean and the web as the unit of a test.

    python benchmarks/yardstick.py A B [C ...] [--tasks KIND|GROUP|WEB|NAME ...] [--sets 3] [--repeats 1]
    python benchmarks/yardstick.py fcwseo greedy
    python benchmarks/yardstick.py fcwseo fcwseo:explore=0 --tasks "many hosts"
    python benchmarks/yardstick.py fcwseo fcwseo@v0.1.0

A is compared with each of the others. Each is a strategy of ``fcwseo compare`` or ``ablations.py``, with
settings after a colon (``width``, or parameters of fcwseo), and the commit whose code crawls after an @; left
out, the strategy is fcwseo and the code that of this folder. A commit must have the modules that
``task_crawls.py`` imports.

Paired differences are averaged over the repeats and seed sets of a task, then over the tasks of a web; the
interval, p and the smallest detectable difference are by Student's t over webs. Without a web: the same over
the others. The same over tasks is printed beside it. ``docs/yardstick.md`` says why, ``declared.toml`` what
was declared before.

Crawls are kept in ``--results``, a line each, with the commit, the digest of the code, of the task and of the
visited URLs; those that are there are not done again.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path

import msgspec
from ablations import ABLATIONS
from msgspec import Struct
from task_crawls import Crawled, Order, Wanted
from tasks import Data, add_data_option, available, kind, listed, load_task, names

from fcwseo.comparison.measures import MEASURES, JudgedRun, Value, measure_names, measures_of
from fcwseo.comparison.statistics import (
    TESTED,
    Estimate,
    Key,
    Sample,
    Unit,
    Versus,
    compare_two,
    corrected,
    estimate,
    leave_one_out,
    sample,
)
from fcwseo.errors import InvalidInput

HERE = Path(__file__).parent
ROOT = HERE.parent
DECLARED = HERE / "declared.toml"
ABLATED = HERE / "ablations.py"
LATER_ROOMS = ("comparison", "uses", "door")  # which no crawl imports
PACKAGES = ("fcwseo", "ontology")


class Side(Struct, frozen=True):
    """A strategy, its settings and the commit whose code crawls, of which one at least is named."""

    strategy: str = "fcwseo"
    settings: dict[str, float] = {}
    commit: str = ""


class Kept(Struct, frozen=True):
    """A line of the results: a crawl and its measures. ``of`` is the digest of all that decides it."""

    of: str
    commit: str
    code: str  # digest of the code that crawled
    strategy: str
    settings: dict[str, float]
    task: str
    seed_set: int
    repeat: int
    seeds: str  # digest of the seeds
    visited: str  # digest of the visited URLs
    seconds: float
    with_documents: float  # harvest area if the documents of the topic counted
    measures: dict[str, Value]


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


# Code


@contextmanager
def code_of(commit: str) -> Iterator[Path]:
    """The folder of the packages of a commit; of none, this folder."""
    if not commit:
        yield ROOT
        return
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "archive", commit, *PACKAGES], cwd=ROOT, check=True, stdout=subprocess.PIPE
        )
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        yield Path(folder)


def digest_of_code(root: Path) -> str:
    """Of all files that a crawl may read."""
    digest = blake2b(digest_size=8)
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            inside = path.relative_to(root)
            later = inside.parts[0] == "fcwseo" and len(inside.parts) > 1 and inside.parts[1] in LATER_ROOMS
            if path.is_file() and "__pycache__" not in inside.parts and not later:
                digest.update(f"{inside}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def git(*command: str) -> str:
    done = subprocess.run(["git", *command], capture_output=True, text=True, check=False, cwd=ROOT)
    return done.stdout.strip()


def commit_of(commit: str) -> str:
    """The last commit, up to this one, that changed the code that crawls."""
    code = [*PACKAGES, *(f":(exclude)fcwseo/{room}" for room in LATER_ROOMS)]
    last = git("log", "-1", "--format=%h", commit or "HEAD", "--", *code)
    return last + ("-dirty" if not commit and git("status", "--porcelain", "--", *code) else "")


# Crawls


def key_of(data: Data, code: str, task: str, wanted: Wanted) -> str:
    """The digest of all that decides a crawl and its measures."""
    loaded, entry = load_task(data, task), listed().tasks[task]
    of_task = [task, loaded.web.identity, loaded.max_pages, sorted(loaded.relevant), entry.topic]
    seeds = loaded.seed_sets[wanted.seed_set]
    ablated = digest(ABLATED.read_text()) if wanted.strategy in ABLATIONS else ""
    return digest([code, ablated, of_task, loaded.documents, seeds, msgspec.to_builtins(wanted)])


def digest(value: object) -> str:
    return blake2b(msgspec.json.encode(value), digest_size=8).hexdigest()


def read_kept(path: Path) -> dict[str, Kept]:
    lines = path.read_bytes().splitlines() if path.exists() else []
    return {kept.of: kept for kept in (msgspec.json.decode(line, type=Kept) for line in lines)}


def judged(data: Data, name: str, crawled: Crawled) -> JudgedRun:
    """A crawl under the labels of its task; documents of the topic are no finds."""
    return JudgedRun(
        urls=crawled.urls,
        relevance=crawled.relevance,
        predicted=crawled.predicted,
        relevant=[int(load_task(data, name).is_find(url)) for url in crawled.urls],
        total=len(_subtopics(data, name)),
        budget=listed().tasks[name].budget,
        subtopics=_subtopics(data, name),
        requests=crawled.requests,
    )


@cache
def _subtopics(data: Data, name: str) -> Mapping[str, frozenset[str]]:
    task = load_task(data, name)
    return {
        url: frozenset(task.relevant.intersection(task.web.labels(url)))
        for url in task.web.urls()
        if task.is_find(url)
    }


def kept_of(data: Data, name: str, crawled: Crawled, code: str, commit: str) -> Kept:
    task, wanted = load_task(data, name), crawled.wanted
    run = judged(data, name, crawled)
    every = msgspec.structs.replace(run, relevant=[int(task.has_label(url)) for url in run.urls])
    seeds = task.seed_sets[wanted.seed_set]
    rounded = {
        measure: round(value, 5) if isinstance(value, float) else value
        for measure, value in measures_of(run).items()
    }
    return Kept(
        of=key_of(data, code, name, wanted),
        commit=commit,
        code=code,
        strategy=wanted.strategy,
        settings=wanted.settings,
        task=name,
        seed_set=wanted.seed_set,
        repeat=wanted.repeat,
        seeds=digest(seeds),
        visited=digest(crawled.urls),
        seconds=crawled.seconds,
        with_documents=round(MEASURES["harvest_area"].of(every) or 0.0, 5),
        measures=rounded,
    )


def crawled(order: Order, root: Path) -> Iterator[Crawled]:
    """Do an order in a process of its own, with the code of a folder."""
    path = os.pathsep.join(str(root / package) for package in ("", "ontology"))
    with subprocess.Popen(
        [sys.executable, str(HERE / "task_crawls.py")],
        env=os.environ | {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.write(msgspec.json.encode(order))
        process.stdin.close()
        for line in process.stdout:
            yield msgspec.json.decode(line, type=Crawled)
    if process.returncode:
        raise SystemExit(f"crawls of {order.task} failed with the code in {root}, see above")


def wanted_of(side_: Side, sets: int, repeats: int) -> list[Wanted]:
    return [
        Wanted(side_.strategy, side_.settings, seed_set, repeat)
        for seed_set in range(sets)
        for repeat in range(repeats)
    ]


class Runner:
    """Does the crawls that are not kept yet, a task at a time, and keeps them."""

    def __init__(self, data: Data, results: Path, sets: int, repeats: int, workers: int) -> None:
        self._data, self._results, self._sets, self._repeats = data, results, sets, repeats
        self._workers = workers
        self._kept = read_kept(results)

    def run(self, sides: Mapping[str, Side], tasks: Sequence[str]) -> dict[str, list[Kept]]:
        """The crawls of each side, by its name."""
        found: dict[str, list[Kept]] = {}
        for commit in dict.fromkeys(one.commit for one in sides.values()):
            own = {name: one for name, one in sides.items() if one.commit == commit}
            with code_of(commit) as root:
                code = digest_of_code(root)
                orders = [self._todo(code, task, own.values()) for task in tasks]
                self._do(orders, root, code, commit_of(commit))
            for name, one in own.items():
                found[name] = [self._kept[key] for task in tasks for key, _ in self._keys(code, task, one)]
        return {name: found[name] for name in sides}

    def _keys(self, code: str, task: str, one: Side) -> Iterator[tuple[str, Wanted]]:
        sets = min(self._sets, len(load_task(self._data, task).seed_sets))
        for wanted in wanted_of(one, sets, self._repeats):
            yield key_of(self._data, code, task, wanted), wanted

    def _todo(self, code: str, task: str, sides: Iterable[Side]) -> Order:
        crawls = [
            wanted for one in sides for key, wanted in self._keys(code, task, one) if key not in self._kept
        ]
        return Order([str(folder) for folder in self._data], task, crawls)

    def _do(self, orders: Sequence[Order], root: Path, code: str, commit: str) -> None:
        todo = [order for order in orders if order.crawls]
        left = sum(len(order.crawls) for order in todo)
        with ThreadPoolExecutor(self._workers) as pool:
            futures = {pool.submit(lambda order: [*crawled(order, root)], order): order for order in todo}
            for future in as_completed(futures):
                task = futures[future].task
                self._keep([kept_of(self._data, task, one, code, commit) for one in future.result()])
                left -= len(futures[future].crawls)
                print(f"{task}: done; {left} crawls left", file=sys.stderr, flush=True)

    def _keep(self, rows: Sequence[Kept]) -> None:
        self._results.parent.mkdir(parents=True, exist_ok=True)
        with self._results.open("ab") as file:
            file.writelines(msgspec.json.encode(row) + b"\n" for row in rows)
        self._kept |= {row.of: row for row in rows}


# What is printed


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
        cells = [f"{own[task]:.3f}" if task in own else "-" for own in figures]
        print_row(task, webs()[task], kind(task), *cells)


def print_groups(found: Mapping[str, list[Kept]], measure: str, groups: Mapping[str, Sequence[str]]) -> None:
    """Mean over tasks, and over webs, of each kind of web: to be read, not tested."""
    print_row("strategy", *(f"{name} ({len(own)})" for name, own in groups.items()), "mean over webs")
    print_row(*["---"] * (2 + len(groups)))
    for name, rows in found.items():
        means = by_task(values(rows, measure))
        cells = [[means[task] for task in own if task in means] for own in groups.values()]
        whole = mean_over_webs(values(rows, measure))
        print_row(name, *(f"{sum(own) / len(own):.3f}" if own else "-" for own in cells), f"{whole:.3f}")


def mean_over_webs(ours: Mapping[Key, float]) -> float:
    return estimate(sample(ours, webs()).values.values()).mean


def interval(found: Estimate) -> str:
    return f"{found.mean:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"


def p_of(p: float | None) -> str:
    return "one task: not tested" if p is None else "< .001" if p < 0.001 else f"{p:.3f}"


def print_versus(name: str, found: Mapping[str, Versus], corrected_p: Mapping[str, float | None]) -> None:
    print_row(f"{name} against", "ratio", "difference [95 %]", "over", "p", "Holm", "detectable", "won")
    print_row(*["---"] * 8)
    for other, versus in found.items():
        least = "-" if versus.detectable is None else f"{versus.detectable:.3f}"
        n = versus.difference.n
        over = f"{n} {versus.unit}{'s' if n > 1 else ''}"
        ratio = "-" if versus.ratio is None else f"{versus.ratio:.3f}"
        p = None if versus.p is None else versus.difference.p
        won = f"{versus.wins:.0%} of {versus.unit}s"
        print_row(
            other, ratio, interval(versus.difference), over, p_of(p), p_of(corrected_p[other]), least, won
        )


def print_over_tasks(name: str, found: Mapping[str, Versus]) -> None:
    """To be read beside the test, not instead of it."""
    print_row(f"{name} against, over tasks", "difference [95 %]", "p", "detectable", "won")
    print_row(*["---"] * 5)
    for other, versus in found.items():
        least = "-" if versus.detectable is None else f"{versus.detectable:.3f}"
        p, won = p_of(versus.p), f"{versus.wins:.0%} of {versus.difference.n} tasks"
        print_row(other, interval(versus.difference), p, least, won)
    print("\nAs if the tasks of a web were independent: it says nothing of other webs. Not corrected.")


def print_robustness(name: str, other: str, differences: Sample) -> None:
    print(f"\n{name} against {other}, by {differences.unit}:\n")
    print_row(
        f"without this {differences.unit}", "its own difference", "difference [95 %] of the others", "p"
    )
    print_row(*["---"] * 4)
    for left_out, found in leave_one_out(differences.values).items():
        p = p_of(found.p) if found.n > 1 else "-"
        print_row(left_out, f"{differences.values[left_out]:+.3f}", interval(found), p)


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
    versus = {other: compare_two(ours, own, webs()) for other, own in theirs.items()}
    secondary = [other for other in others if other != declared.primary]
    after = dict(zip(secondary, corrected([versus[other] for other in secondary]), strict=True))
    p_values = {other: after[other].p if other in after else versus[other].p for other in others}
    kinds: dict[str, list[str]] = {}
    for task in tasks:
        kinds.setdefault(kind(task), []).append(task)
    print_tasks(found, tasks, measure)
    print()
    print_groups(found, measure, kinds)
    print()
    print_versus(first, versus, p_values)
    if all(own.unit is Unit.WEB for own in versus.values()):
        one_web = dict.fromkeys(webs(), "")
        print()
        print_over_tasks(first, {other: compare_two(ours, own, one_web) for other, own in theirs.items()})
    for other, own in theirs.items():
        if versus[other].unit not in TESTED:
            continue
        differences = {key: ours[key] - own[key] for key in ours.keys() & own.keys()}
        print_robustness(first, other, sample(differences, webs()))
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
