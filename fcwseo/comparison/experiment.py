"""An experiment as a value: strategies, tasks, repeats, budget and judge.

It is read from a TOML file::

    strategies = ["bfs", "best-first", "mine.py:Mine"]
    max_pages = 400
    repeats = 2

    [[tasks]]
    name = "weather"
    web = "webs/wikispeedia"
    topic = "rainstorm"
    seeds = ["seeds.txt"]              # each of the file's alternative seed sets is used
    relevant = ["Geography.Storms"]    # labels of the web; or judge_topic = "held-out.json"

Paths are relative to the file's folder.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from fcwseo.crawling.plan import MOST_PAGES, Plan
from fcwseo.crawling.rehearsal import Rehearsal
from fcwseo.crawling.seeds import gather_seeds, read_seed_sets
from fcwseo.crawling.settings import POLITE_WIDTH, seconds
from fcwseo.errors import InvalidInput, InvalidSeeds
from fcwseo.relevance.loading import TOPICAL
from fcwseo.strategies import STRATEGIES
from fcwseo.suggestions import nearest

MOST_REPEATS = 1000

TELLING = ("fcwseo", "greedy", "fcwseo-paper", "ache", "fcmrps", "ops", "shark", "bfs")
"""The strategies of a comparison that names none: the default, its predictor alone, Algorithm 1, those that
come nearest on webs with labels, a classic, and the lower bound.
"""
ALL = "all"  # stands for every built-in strategy

_Count = Annotated[int, Meta(ge=1)]
_Share = Annotated[float, Meta(ge=0, le=1)]
_Some = Annotated[tuple[str, ...], Meta(min_length=1)]


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """A web, a topic, seeds, and a judge.

    ``relevant`` are labels of the web. Without them a page is judged by ``judge_topic``, a description of the
    topic that no crawler sees; without both, by the crawlers' own relevance, which is circular.
    """

    web: str
    topic: str
    seeds: _Some
    name: str = ""
    relevant: tuple[str, ...] = ()
    judge_topic: str | None = None
    judge_eta: _Share | None = None


class Experiment(Struct, frozen=True, forbid_unknown_fields=True):
    """A comparison to run. Repeat ``r`` of every strategy uses the seed ``seed + r``.

    Without ``eta`` each crawl has its own running threshold. The judge has one threshold for all. All
    crawlers use ``relevance``. With ``rehearsal`` they crawl politely on a virtual clock, each for at most
    ``max_time`` virtual seconds.
    """

    tasks: Annotated[tuple[Task, ...], Meta(min_length=1)]
    strategies: _Some = TELLING
    max_pages: Annotated[int, Meta(ge=1, le=MOST_PAGES)] = 1000
    repeats: Annotated[int, Meta(ge=1, le=MOST_REPEATS)] = 1
    seed: int = 0
    width: _Count | None = None  # None: POLITE_WIDTH in a rehearsal, else 1
    eta: _Share | None = None
    relevance: str = TOPICAL
    rehearsal: Rehearsal | None = None
    max_time: str = "0"

    @property
    def width_in_force(self) -> int:
        """Number of concurrent fetches of each crawl."""
        return self.width or (1 if self.rehearsal is None else POLITE_WIDTH)


class Case(NamedTuple):
    """One crawl of an experiment."""

    task: Task
    strategy: str
    seed_set: int
    repeat: int
    seeds: tuple[str, ...]


class Order(NamedTuple):
    """A crawl to run, and its directory."""

    case: Case
    out: Path
    plan: Plan
    rehearsal: Rehearsal | None = None
    max_time: float = 0.0  # virtual seconds of a rehearsal (0: no limit)


def make_experiment(values: dict[str, Any], *, where: str) -> Experiment:
    """Make an experiment from plain values; ``where`` names their source in error messages.

    >>> task = {"web": "generated-500-0", "topic": "rainstorm", "seeds": ["http://a.example/"]}
    >>> make_experiment({"tasks": [task], "repeats": 3}, where="here").tasks[0].name
    'generated-500-0'
    """
    _check_keys(values, where)
    try:
        experiment = msgspec.convert(_with_all(values), Experiment)
    except msgspec.ValidationError as error:
        what, _, key = str(error).partition(" - at `$.")
        about = f"{key.rstrip('`')}: " if key else ""
        raise InvalidInput(f"{where} is not an experiment: {about}{what}") from error
    if seconds(experiment.max_time) and experiment.rehearsal is None:
        raise InvalidInput(f"{where} has a max_time, which only a rehearsal has: add --rehearse")
    tasks = tuple(_named(task, len(experiment.tasks)) for task in experiment.tasks)
    for what, names in (("tasks", [task.name for task in tasks]), ("strategies", experiment.strategies)):
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InvalidInput(f"{where} names the {what} {twice!r} twice: name each once")
    return msgspec.structs.replace(experiment, tasks=tasks)


def _with_all(values: dict[str, Any]) -> dict[str, Any]:
    """The values with every built-in strategy in place of ``all``.

    >>> _with_all({"strategies": ["mine.py:Mine", "all"]})["strategies"][:2]
    ['mine.py:Mine', 'bfs']
    """
    named = values.get("strategies")
    if not isinstance(named, list | tuple) or ALL not in named:
        return values
    others = [name for name in named if name != ALL and name not in STRATEGIES]
    return values | {"strategies": [*others, *STRATEGIES]}


def _check_keys(values: dict[str, Any], where: str) -> None:
    """Raise an error for an unknown key, with the most similar known key."""
    tasks = values.get("tasks")
    tables: list[tuple[str, type[Struct], dict[str, Any]]] = [("", Experiment, values)]
    for number, task in enumerate(tasks if isinstance(tasks, Sequence) else (), start=1):
        tables.append((f" in task {number}", Task, task if isinstance(task, dict) else {}))
    for inside, kind, table in tables:
        for key in table:
            if key not in kind.__struct_fields__:
                meant = nearest(key, kind.__struct_fields__)
                raise InvalidInput(f"{where} has an unknown key {key!r}{inside}{meant}")


def _named(task: Task, tasks: int) -> Task:
    name = task.name or Path(task.web).name
    if "/" in name or name.startswith(".") or not name:
        raise InvalidInput(f"a task cannot be named {task.name!r}: the name is also that of a folder")
    if tasks > 1 and not task.name:
        name = f"{name}-{Path(task.topic).stem}"
    return msgspec.structs.replace(task, name=name)


def read_experiment(path: Path, times: Mapping[str, float] | None = None, **given: object) -> Experiment:
    """Read the experiment in a TOML file; given values that are not None take precedence.

    ``times`` are settings of its rehearsal, whether the rehearsal is the file's or given.
    """
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InvalidInput(f"cannot read the experiment {path}: {error.strerror}") from error
    except ValueError as error:
        raise InvalidInput(f"{path} is not TOML: {error}") from error
    chosen = {name: value for name, value in given.items() if value is not None}
    rehearsal = _rehearsal(values.get("rehearsal"), chosen.get("rehearsal"), times or {}, path)
    if rehearsal is not None:
        chosen["rehearsal"] = rehearsal
    experiment = make_experiment(values | chosen, where=str(path))
    tasks = (
        experiment.tasks if "tasks" in chosen else tuple(_seen_from(path.parent, t) for t in experiment.tasks)
    )
    strategies = experiment.strategies
    if "strategies" not in chosen:
        strategies = tuple(_beside(path.parent, name) for name in strategies)
    relevance = experiment.relevance
    if "relevance" not in chosen:
        relevance = _beside(path.parent, relevance)
    return msgspec.structs.replace(experiment, tasks=tasks, strategies=strategies, relevance=relevance)


def _rehearsal(of_file: Any, given: Any, times: Mapping[str, float], path: Path) -> Any:
    """The rehearsal of the file with the settings that are given; None without one."""
    if of_file is None and given is None:
        if times:
            raise InvalidInput(
                f"{next(iter(times))} applies to a rehearsal only, and {path} has none: omit it, or rehearse"
            )
        return None
    if of_file is not None and not isinstance(of_file, dict):
        return of_file  # refused with the other values
    return {**(of_file or {}), **(given or {}), **times}


def _seen_from(folder: Path, task: Task) -> Task:
    return msgspec.structs.replace(
        task,
        web=_beside(folder, task.web),
        topic=_beside(folder, task.topic),
        seeds=tuple(_beside(folder, name) for name in task.seeds),
        judge_topic=_beside(folder, task.judge_topic) if task.judge_topic else None,
    )


def _beside(folder: Path, name: str) -> str:
    """The path relative to the folder if it exists; any other name is unchanged."""
    path, colon, thing = name.rpartition(":")
    if colon and path.endswith(".py"):
        return f"{_beside(folder, path)}:{thing}"
    whole, hash_sign, label = name.rpartition("#")
    if hash_sign and (folder / whole).is_file() and not (folder / name).exists():
        return f"{folder / whole}#{label}"
    return str(folder / name) if (folder / name).exists() else name


def seed_sets(task: Task) -> list[tuple[str, ...]]:
    """All seed sets of a task's files; URLs given directly form one more set."""
    urls = [name for name in task.seeds if name.lower().startswith(("http://", "https://"))]
    files = [name for name in task.seeds if name not in urls]
    sets = [tuple(dict.fromkeys(urls)) for name in files for urls in read_seed_sets(Path(name))]
    return [*sets, tuple(gather_seeds(urls))] if urls else sets


def cases(experiment: Experiment) -> Iterator[Case]:
    """All crawls; those compared with each other are adjacent."""
    for task in experiment.tasks:
        sets = seed_sets(task)
        for number in range(len(sets)):
            for repeat in range(experiment.repeats):
                for strategy in experiment.strategies:
                    yield Case(task, strategy, number, repeat, sets[number])


def check_seeds(sets: Sequence[Sequence[str]], known: Sequence[bool], task: Task) -> None:
    """Check that every seed set has a page of the web, by ``known``."""
    for number, (seeds, is_known) in enumerate(zip(sets, known, strict=True), start=1):
        if not is_known:
            raise InvalidSeeds(
                f"no seed in set {number} of {task.name} is a page of {task.web}; "
                f"the first of {len(seeds)} is {seeds[0]}"
            )
