"""``run.json``: the configuration of a crawl, the versions of its software, and its end."""

from collections import deque
from collections.abc import Iterator
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from platform import python_version

import msgspec
from msgspec import Struct

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.run_directory.lines import now
from fcwseo.crawling.run_directory.log import NAME as LOG
from fcwseo.crawling.run_directory.log import Row, read_visits, visits_in
from fcwseo.crawling.run_directory.rules import RELEASES, RULES
from fcwseo.errors import InvalidRun
from fcwseo.evolution.radius import PATIENCE
from fcwseo.files import atomically
from fcwseo.relevance.loading import TOPICAL
from fcwseo.relevance.threshold import Calibration

NAME = "run.json"
_COPY = ".run.json"
RECRAWL = "recrawl"  # in place of the name of a strategy, for a recrawl


class Config(Struct, frozen=True, omit_defaults=True):
    """All settings that decide which pages a crawl visits and keeps, and in which order.

    The default relevance and patience are omitted from the file and from the hash, as in earlier versions.
    """

    strategy: str
    topic: str
    topic_hash: str
    web: str
    web_identity: str
    seeds: tuple[str, ...]
    seed: int
    width: int
    eta: float | None  # None: a running threshold
    relevance: str = TOPICAL
    relevance_hash: str = ""  # digest of the file of a plugin
    max_depth: int | None = None
    rehearsal: str = ""  # the settings of a rehearsed crawl
    patience: float = PATIENCE
    scope: str = ""  # of a closed web, if it is crawled in part

    @property
    def hash(self) -> str:
        """A digest of the configuration."""
        return blake2b(msgspec.json.encode(self, order="sorted"), digest_size=12).hexdigest()

    @property
    def plan(self) -> str:
        """A digest of the settings that decide which pages a crawl visits, without the web."""
        deciding: list[object] = [self.strategy, self.topic_hash, self.seeds, self.seed, self.width]
        if self.relevance != TOPICAL:
            deciding += [self.relevance, self.relevance_hash]
        if self.patience != PATIENCE:
            deciding.append(self.patience)
        if self.max_depth is not None:
            deciding.append(self.max_depth)
        return blake2b(msgspec.json.encode(deciding), digest_size=12).hexdigest()


class RunFile(Struct, frozen=True):
    """``run.json``. Each of ``budgets`` has the number of visits at which it took effect.

    ``web_path`` is the path of the web, ``calibration`` the eta in force at the end of the crawl.
    ``rules`` is the value of ``RULES`` when the run was made; release 0.1.0 wrote none, which is 0.
    ``sessions`` of a rehearsed crawl are what its clock went through in one piece: each has the number of
    visits at its start and the virtual seconds that it was given.
    """

    config: Config
    config_hash: str
    versions: dict[str, str]
    budgets: tuple[tuple[int, int], ...]
    started: str
    stop: str | None = None
    counts: dict[str, int] = {}
    calibration: Calibration | None = None
    web_path: str = ""
    rules: int = 0
    sessions: tuple[tuple[int, float], ...] = ()

    @property
    def budget(self) -> int:
        """The budget in force."""
        return self.budgets[-1][1]

    @property
    def has_our_rules(self) -> bool:
        """Whether this version of fcwseo chooses pages like the version that made the run."""
        return self.rules == RULES

    def eta_in_force(self, recomputed: Calibration) -> Calibration:
        """The threshold at the end: ``recomputed`` from the log, unless other rules recorded another."""
        return recomputed if self.has_our_rules or self.calibration is None else self.calibration

    @property
    def release(self) -> str:
        """The release that can continue the run.

        >>> config = Config("bfs", "", "", "", "", (), 0, 1, None)
        >>> RunFile(config, "", {}, (), "").release, RunFile(config, "", {}, (), "", rules=10**6).release
        ('fcwseo 0.1.0', 'a newer version of fcwseo')
        """
        known = RELEASES.get(self.rules) or self.versions.get("fcwseo")
        return f"fcwseo {known}" if known else "a newer version of fcwseo"


class _Maker(Struct, frozen=True):
    """The part of ``run.json`` that every version can read."""

    rules: int = 0
    versions: dict[str, str] = {}


def read_run_file(path: Path) -> RunFile:
    """``run.json`` of a run directory.

    Raises:
        InvalidRun: If it is missing or cannot be read.
    """
    found = run_file_if_any(path) if path.is_dir() else None
    if found is None:
        if read_copy(path) is not None:
            raise InvalidRun(f"{path / NAME} is missing: 'fcwseo repair' restores it from its copy")
        raise InvalidRun(f"{path} is not a run directory: it has no {NAME}")
    return found


def run_file_if_any(path: Path) -> RunFile | None:
    """``run.json`` of a folder; None if it has none.

    Raises:
        InvalidRun: If it cannot be read.
    """
    file = path / NAME
    try:
        return msgspec.json.decode(file.read_bytes(), type=RunFile)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise _unreadable(file, error) from error


def read_copy(path: Path) -> RunFile | None:
    """The hidden copy of ``run.json``, as it was when the crawl last began; None if it cannot be read."""
    try:
        return msgspec.json.decode((path / _COPY).read_bytes(), type=RunFile)
    except (OSError, ValueError, RecursionError):
        return None


def write_copy(path: Path, file: RunFile) -> None:
    """Write a hidden copy of ``run.json`` without its end, for a repair."""
    begun = msgspec.structs.replace(file, stop=None, counts={}, calibration=None)
    atomically(path / _COPY, msgspec.json.encode(begun))


def contents(path: Path) -> dict[str, bytes]:
    """``run.json`` of a run directory and its copy, by name; a refused crawl leaves them as they were."""
    return {name: (path / name).read_bytes() for name in (NAME, _COPY) if (path / name).exists()}


def write_run_file(path: Path, file: RunFile) -> None:
    """Write ``run.json`` of a run directory."""
    atomically(path / NAME, msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n")


def next_run_file(
    before: RunFile | None, config: Config, budget: int, *, visits: int, pages: int, max_time: float = 0.0
) -> RunFile:
    """``run.json`` of a crawl that begins or continues; ``before`` unchanged if its pages exceed ``budget``.

    Args:
        before: The present ``run.json`` of the directory, if any.
        config: The crawl.
        budget: Its budget, in pages.
        visits: Number of visits in the log.
        pages: Number of pages among them.
        max_time: The virtual seconds given to a rehearsed crawl (0: no limit).
    """
    first = ((0, max_time),) if config.rehearsal else ()
    if before is None:
        versions = {"fcwseo": version("fcwseo"), "python": python_version()}
        return RunFile(config, config.hash, versions, ((0, budget),), now(), rules=RULES, sessions=first)
    if budget < pages:
        return before
    budgets = tuple(entry for entry in before.budgets if entry[0] <= visits)
    if budget != budgets[-1][1]:
        budgets = (*budgets, (visits, budget))
    sessions = tuple(entry for entry in before.sessions if entry[0] <= visits)
    was_killed = before.stop is None and budgets == before.budgets
    if first and not (was_killed and sessions[-1][1] == max_time):
        sessions = (*sessions, (visits, max_time))
    return msgspec.structs.replace(before, budgets=budgets, sessions=sessions, stop=None)


def read_past(path: Path, file: RunFile) -> Iterator[tuple[int, Row]]:
    """The visits of a run directory, each with the budget at that time."""
    budgets = deque(file.budgets)
    _, budget = budgets.popleft()
    for number, row in enumerate(read_visits(path)):
        while budgets and number >= budgets[0][0]:
            _, budget = budgets.popleft()
        yield budget, row


def check_continuable(path: Path, file: RunFile, config: Config) -> None:
    """Check that the run in ``path`` is the crawl ``config``, chosen by the rules of this version.

    Raises:
        InvalidRun: If it is not.
    """
    if not file.has_our_rules:
        raise InvalidRun(
            f"{path} was made by rules {file.rules} and this version follows rules {RULES}: "
            f"continue it with {file.release}, or use another --out (all other commands read it)"
        )
    if file.config != config:
        raise InvalidRun(_what_differs(path, file.config, config))


def check_length(path: Path, file: RunFile, *, visits: int, may_lack: int = 0) -> None:
    """Check that the log is as long as at the end of the crawl: continuing a shorter one would lose the rest.

    ``may_lack`` is the number of visits at the end that it may lack, unless it lacks all.

    Raises:
        InvalidRun: If it is shorter.
    """
    counted = file.counts.get("visits", 0)
    if visits < counted - (may_lack if visits else 0):
        raise InvalidRun(
            f"{path / LOG} has {visits} visits, but there were {counted} when the crawl ended: "
            "the log is damaged: restore it, or continue with the rest after 'fcwseo repair'"
        )


def is_finished(path: Path, config: Config, *, budget: int) -> bool:
    """Whether a directory contains that crawl, finished.

    Raises:
        InvalidRun: If it contains another crawl, or a longer one.
    """
    file = run_file_if_any(path)
    if file is None:
        return False
    check_continuable(path, file, config)
    if file.budget > budget:
        raise InvalidRun(
            f"{path} contains a longer crawl ({file.budget} pages, now {budget}): name another folder"
        )
    check_length(path, file, visits=visits_in(path))
    ends = (Stop.BUDGET, Stop.EXHAUSTED, *((Stop.TIME,) if config.rehearsal else ()))
    return file.stop in ends and file.budget == budget


def _unreadable(file: Path, error: Exception) -> InvalidRun:
    """The error about a damaged ``run.json``, or about one in the format of a newer version."""
    try:
        maker = msgspec.json.decode(file.read_bytes(), type=_Maker)
    except (OSError, ValueError, RecursionError):
        maker = _Maker()
    if maker.rules > RULES:
        made_by = maker.versions.get("fcwseo", "")
        return InvalidRun(
            f"{file} was written by a newer version of fcwseo{made_by and f' ({made_by})'}, in a format that "
            f"{version('fcwseo')} cannot read: use that version"
        )
    return InvalidRun(f"{file} cannot be read ({error}): 'fcwseo repair' restores it, or use another --out")


def _what_differs(path: Path, before: Config, now: Config) -> str:
    """The error about another configuration. A rehearsal and another web change other settings as well, so
    they come first.
    """
    order = ("rehearsal", "web", "web_identity", *Config.__struct_fields__)
    name = next(name for name in order if getattr(before, name) != getattr(now, name))
    what = name.removesuffix("_hash").removesuffix("_identity")
    was, given = _compared(name, getattr(before, name), getattr(now, name))
    return (
        f"{path} contains a crawl with a different {what} ({was}, now {given}): "
        "use another --out, or repeat the original command"
    )


def _compared(name: str, before: object, now: object) -> tuple[str, str]:
    """Two values of a setting as short texts: of long ones only what differs.

    >>> _compared("seeds", ("http://a.example/", "http://b.example/"), ("http://a.example/",))
    ('2 seeds', '1')
    >>> _compared("seeds", ("http://a.example/", "http://b.example/"), ("http://a.example/", "http://c.example/"))
    ('seed 2 is "http://b.example/"', '"http://c.example/"')
    >>> _compared("rehearsal", '{"delay":2.0,"latency":0.2}', '{"delay":3.0,"latency":0.2}')
    ('delay 2.0', '3.0')
    >>> _compared("rehearsal", "", '{"delay":3.0}')
    ('none', 'one')
    """
    if name == "rehearsal" and not (before and now):
        return ("one", "none") if before else ("none", "one")
    if name in ("rehearsal", "scope") and before and now:
        was, given = (msgspec.json.decode(str(value), type=dict[str, object]) for value in (before, now))
        part = next((key for key in {**was, **given} if was.get(key) != given.get(key)), "")
        return f"{part} {_shown(was.get(part))}", _shown(given.get(part))
    if isinstance(before, tuple) and isinstance(now, tuple):
        if len(before) != len(now):
            return f"{len(before)} {name}", str(len(now))
        number = next(n for n, (one, other) in enumerate(zip(before, now, strict=True)) if one != other)
        return f"seed {number + 1} is {_shown(before[number])}", _shown(now[number])
    return _shown(before), _shown(now)


def _shown(value: object) -> str:
    return f"{msgspec.json.encode(value).decode():.200}"
