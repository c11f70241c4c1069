"""Crawls of tasks, done with the code of any commit and kept, for ``yardstick.py``.

Each is a line of JSON. It has the commit, the digest of the code, of the seeds and of the visited URLs. A
crawl that is there is not done again.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path

import msgspec
from ablations import ABLATIONS, EARLIER
from msgspec import Struct
from task_crawls import Crawled, Order, Wanted
from tasks import Data, listed, load_task

from fcwseo.comparison.measures import MEASURES, JudgedRun, Value, measures_of

HERE = Path(__file__).parent
ROOT = HERE.parent
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


def key_of(data: Data, code: str, task: str, wanted: Wanted) -> str:
    """The digest of all that decides a crawl and its measures."""
    loaded, entry = load_task(data, task), listed().tasks[task]
    of_task = [task, loaded.web.identity, loaded.max_pages, sorted(loaded.relevant), entry.topic]
    seeds = loaded.seed_sets[wanted.seed_set]
    ablated = digest(ABLATED.read_text()) if wanted.strategy in ABLATIONS else ""
    if wanted.strategy == EARLIER:
        ablated = digest([ablated, loaded.earlier_file.read_text(encoding="utf-8")])
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
