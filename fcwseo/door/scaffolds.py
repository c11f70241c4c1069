"""Public function ``new_strategy``: writes the first files of a plugin."""

import re
import sys
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import NamedTuple

from fcwseo.door.arguments import AnyPath, path_of, text_of
from fcwseo.errors import InvalidInput
from fcwseo.files import io_error

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*")
_LONGEST = 60

_STRATEGY = '''\
"""{cls}, a strategy for fcwseo."""

import heapq
import random

import fcwseo as f
import fcwseo_ontology


class {cls}:
    """Links of the most relevant pages first; of equals, the one that was found first."""

    def __init__(self, topic: fcwseo_ontology.Topic, relevance: f.Relevance, rng: random.Random) -> None:
        self._known: set[str] = set()
        self._queue: list[tuple[float, int, f.Link]] = []

    def observe(self, visit: f.Visit) -> None:
        """Queue the new links of a page by the relevance of the page."""
        for link in visit.outcome.links if isinstance(visit.outcome, f.Page) else ():
            if link.target not in self._known:
                self._known.add(link.target)
                heapq.heappush(self._queue, (-visit.relevance, len(self._known), link))

    def next(self, n: int, turns: f.Turns) -> list[f.Link]:
        """At most n links, best first, each of them once."""
        return [heapq.heappop(self._queue)[-1] for _ in range(min(n, len(self._queue)))]
'''

_TEST = '''\
"""{cls} crawls a small generated web."""

from pathlib import Path

import fcwseo as f

{cls_upper} = f"{{Path(__file__).with_name('{module}.py')}}:{cls}"


def crawl(strategy: str, out: Path, max_pages: int = 200) -> f.Run:
    web = f.GeneratedWeb(seed=0, pages=2000)
    seeds = web.seeds("rainstorm")
    return f.crawl(web=web, topic=web.topic(), seeds=seeds, strategy=strategy, max_pages=max_pages, out=out)


def test_it_finds_more_than_breadth_first(tmp_path: Path) -> None:
    found = crawl({cls_upper}, tmp_path / "own")
    assert found.harvest_rate > crawl("bfs", tmp_path / "bfs").harvest_rate


def test_a_continued_crawl_is_the_same_crawl(tmp_path: Path) -> None:
    crawl({cls_upper}, tmp_path / "continued", max_pages=50)
    continued = crawl({cls_upper}, tmp_path / "continued", max_pages=100)
    at_once = crawl({cls_upper}, tmp_path / "at-once", max_pages=100)
    assert [visit.url for visit in continued.visits] == [visit.url for visit in at_once.visits]
'''


class Scaffold(NamedTuple):
    """The files of a new plugin, and its name for ``--strategy``."""

    path: Path
    test: Path
    strategy: str


def new_strategy(name: str, folder: AnyPath = ".") -> Scaffold:
    """Write a strategy that runs, and its test. Existing files are not changed.

    Args:
        name: Words of letters and digits, joined by ``-``. ``my-first`` becomes the file ``my_first.py`` and
            the class ``MyFirst``.
        folder: The folder to write to.

    Returns:
        The two files, and the argument ``strategy`` of ``crawl`` and ``compare``.

    Raises:
        InvalidInput: If the name is not a module name or is taken, or a file cannot be written.

    >>> import fcwseo as f
    >>> from tempfile import mkdtemp
    >>> made = f.new_strategy("my-first", mkdtemp())
    >>> made.path.name, made.test.name, made.strategy.endswith("my_first.py:MyFirst")
    ('my_first.py', 'test_my_first.py', True)
    """
    where = path_of(folder, "folder")
    words = _words(text_of(name, "name"))
    module, cls = "_".join(words), "".join(word.capitalize() for word in words)
    path, test = where / f"{module}.py", where / f"test_{module}.py"
    for file in (path, test):
        if file.exists():
            raise InvalidInput(f"{file} exists: choose another name, or move it away")
    _check_free(name, module, cls)
    names = {"cls": cls, "cls_upper": module.upper(), "module": module}
    _write(path, _STRATEGY.format_map(names))
    try:
        _write(test, _TEST.format_map(names))
    except BaseException:
        path.unlink()
        raise
    return Scaffold(path, test, f"{path}:{cls}")


def _words(name: str) -> list[str]:
    """The words of a name; ``MyFirst`` has two."""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise InvalidInput(
            f"{name!r} is not a name for a strategy: give words of letters and digits, joined by '-'"
        )
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).replace("_", "-").lower().split("-")


def _check_free(name: str, module: str, cls: str) -> None:
    if iskeyword(module) or iskeyword(cls):
        raise InvalidInput(f"{name!r} is a keyword of Python: choose another name, such as my-{name}")
    if module in sys.stdlib_module_names or find_spec(module) is not None:
        raise InvalidInput(
            f"{module}.py would hide the installed module {module!r}: choose another name, such as my-{name}"
        )


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise io_error(path, error) from error
