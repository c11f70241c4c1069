"""How far does one page, or one corpus, walk through the modules of the program?

Four walks are traced, each call of a Python function of our three packages (fcwseo, fcwseo_ontology,
fcwseo_cli) by ``sys.setprofile``:

- ``live page``: page 61 of a live crawl of a generated web that is served on loopback, one fetch at a time:
  from the question for the next link until the page is logged and archived, and the loop asks again. Of the
  first three kept pages from page 61 on it is the one that runs through the most functions, which is one
  before which the links are scored anew.
- ``parser process``: the body of that page to a ``Page``, as a parser process does it.
- ``closed page``: the same as ``live page``, of a crawl of the generated web itself.
- ``corpus``: the shipped corpus -> ontology -> OWL file -> weights of the topic.

The columns:

- ``modules``, ``functions``: that run at least once. A lambda, a comprehension and a generator expression
  are functions of their own, as Python 3.11 runs them: compare counts of one version of Python only.
- ``calls``: of a function of one module from another module. The caller is the nearest function of ours on
  the stack, whatever library lies between; what the event loop starts has no caller. A coroutine or a
  generator is called once, however often it is resumed. Tasks that are older than the walk, such as the one
  that shows the progress, are left out: the clock decides when they run.
- ``distinct``: of these calls, counted once for each module that calls and each function that is called.
- ``changes``: the path through the modules. It begins in the module that the walk begins in. Then it follows
  the calls in the order of time; a call is only followed the first time (distinct as above), so a loop that
  makes the same calls again and again adds nothing. It changes whenever a followed call enters another module
  than the followed call before it. That a function returns to its caller is not on the path.
- ``returns``: the changes into a module that the path was in before, so changes less modules on the path.

At 4d942b6 a live page counts 38 modules, 341 functions, 546 (177) calls, 144 changes and 106 returns. The
review of that commit, which does not say on which page nor how it folds loops, counts 38, 344, 565 (180), 148
and 110; both enter ``frontier`` 9 times, ``linkwords`` 8, ``meaning`` 7, ``matching`` 7, ``known_links`` 5. A
parser process counts 6, 29, 18 (7), 6 and 0 here, and 6, 27, 23 (8), 6 and 0 there; a corpus 26, 417,
14703 (84), 64 and 40 here, and 26, 409, 15630 (76), 56 and 30 there, where it was another corpus.

At 0.2.0 a live page counts 47, 351, 366 (182), 154 and 107: a third fewer calls, but no fewer changes, since
the files are smaller. Two returns in five are into ``links.evidence`` and ``columns``: the table of evidence
asks each kind of evidence twice, when a page is observed and when links are scored.

    python benchmarks/walk.py [--before FOLDER]    # FOLDER: another checkout, counted beside this one
    python benchmarks/walk.py --tree FOLDER        # another checkout alone
    python benchmarks/walk.py --path "live page"   # each followed call, and which modules call which most
"""

import argparse
import asyncio
import dis
import inspect
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from importlib import import_module
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FrameType
from typing import Any, NamedTuple

PACKAGES = frozenset(("fcwseo", "fcwseo_ontology", "fcwseo_cli"))
FOLDERS = (".", "ontology", "cli")  # of a checkout, in which these packages lie
PAGE = 61
KEPT = 3  # pages of which the fullest walk is counted
SEED, PAGES = 1, 5000  # of the generated web
LABEL = "rainstorm"  # of the topic and of the shipped corpus
TERMS = 80
_COLUMNS = ("modules", "functions", "calls", "distinct", "changes", "returns")
_EVENT_LOOP = asyncio.Handle._run.__code__
_RESUMABLE = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class Function(NamedTuple):
    module: str
    name: str


class Call(NamedTuple):
    caller: Function | None  # None: the event loop, or this program
    callee: Function


class Walk(NamedTuple):
    """The calls of a walk in the order of time, and what was walked."""

    name: str
    subject: str
    calls: Sequence[Call]

    @property
    def followed(self) -> list[Call]:
        """The calls between modules, each the first time that the calling module makes it."""
        crossing = (call for call in self.calls if call.caller and call.caller.module != call.callee.module)
        first: dict[tuple[str, Function], Call] = {}
        for call in crossing:
            assert call.caller is not None
            first.setdefault((call.caller.module, call.callee), call)
        return list(first.values())

    @property
    def path(self) -> list[str]:
        """The modules in the order of the path, neighbours different.

        >>> crawl, fetch, parse = map(Function, ("engine", "web", "web"), ("crawl", "fetch", "parse"))
        >>> again = [Call(crawl, fetch), Call(fetch, parse), Call(parse, crawl)] * 2
        >>> Walk("", "", again).path
        ['engine', 'web', 'engine']
        """
        followed = self.followed
        start = [call.caller.module for call in followed[:1] if call.caller]
        return [module for module, _ in groupby([*start, *(call.callee.module for call in followed)])]

    def counts(self) -> dict[str, int]:
        functions = {call.callee for call in self.calls}
        crossing = [call for call in self.calls if call.caller and call.caller.module != call.callee.module]
        path = self.path
        return {
            "modules": len({function.module for function in functions}),
            "functions": len(functions),
            "calls": len(crossing),
            "distinct": len(self.followed),
            "changes": len(path),
            "returns": len(path) - len(set(path)),
        }


# --- tracing ----------------------------------------------------------------------------------------------


class Tracer:
    """Writes down the calls of this thread from ``start`` to ``stop``."""

    def __init__(self) -> None:
        self._calls: list[Call] = []
        self._older: set[asyncio.Task[Any]] = set()

    def start(self) -> None:
        self._calls = []
        current = _current_task()
        self._older = asyncio.all_tasks() - {current} if current is not None else set()
        sys.setprofile(self._trace)

    def stop(self) -> list[Call]:
        sys.setprofile(None)
        return self._calls

    def _trace(self, frame: FrameType, event: str, argument: object) -> None:
        if event != "call" or not _is_ours(frame) or _is_resumed(frame):
            return
        if not self._older or _current_task() not in self._older:
            self._calls.append(Call(_caller(frame), _function(frame)))


def _current_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0] in PACKAGES


def _is_resumed(frame: FrameType) -> bool:
    """Whether a coroutine or a generator goes on, rather than begins."""
    code = frame.f_code
    return bool(code.co_flags & _RESUMABLE) and frame.f_lasti > _beginning(code)


@cache
def _beginning(code: CodeType) -> int:
    return next(step.offset for step in dis.get_instructions(code) if step.opname == "RESUME")


def _caller(frame: FrameType) -> Function | None:
    above = frame.f_back
    while above is not None and above.f_code is not _EVENT_LOOP:
        if _is_ours(above):
            return _function(above)
        above = above.f_back
    return None


def _function(frame: FrameType) -> Function:
    return Function(frame.f_globals["__name__"], frame.f_code.co_qualname)


def traced(work: Callable[[], object]) -> list[Call]:
    tracer = Tracer()
    tracer.start()
    try:
        work()
    finally:
        calls = tracer.stop()
    return calls


# --- where things are: the only lines to change when modules are renamed ----------------------------------


def found(name: str, *modules: str) -> Any:
    """A public name of the first of these modules that has it."""
    for module in modules:
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError):
            continue
    raise ImportError(f"{name} is in none of {', '.join(modules)}: say in {__file__} where it is now")


def generated_web() -> Any:
    return found("GeneratedWeb", "fcwseo")(SEED, PAGES)


def new_server(web: Any) -> Any:
    return found("make_server", "fcwseo.webs.serve", "fcwseo.serve")(web, 0)


def hero() -> Any:
    return found("Fcwseo", "fcwseo.strategies.fcwseo")


def budget(pages: int) -> dict[str, Any]:
    """The argument that says so; it was another one before there were plans."""
    try:
        plan = found("Plan", "fcwseo.crawling.plan")
    except ImportError:
        return {"max_pages": pages}
    return {"plan": plan(max_pages=pages)}


def crawl_live(web: Any, out: Path, *, pages: int, port: int) -> None:
    live = {"allow_private": True, "connect_to": f"127.0.0.1:{port}", "delay": 0.0, "address_delay": 0.0}
    run_live = found("run_live", "fcwseo.crawling.run_live", "fcwseo.live.crawling")
    settings = found("LiveSettings", "fcwseo.crawling.settings", "fcwseo.config")
    run_live(settings(**live), web.topic(), web.seeds(LABEL), out, **budget(pages))


def crawl_closed(web: Any, out: Path, *, pages: int) -> None:
    run_crawl = found("run_crawl", "fcwseo.crawling.run", "fcwseo.crawling")
    run_crawl(web, web.topic(), web.seeds(LABEL), out, **budget(pages))


def parse_job(body: bytes, url: str) -> Callable[[], object]:
    """What a parser process does with the body of an answer."""
    places = ("fcwseo.live.parsers", "fcwseo.live.workers")
    job, parse = found("Job", *places), found("page_in", *places)
    return lambda: parse(job(body, url, "text/html; charset=utf-8", 200, ""))


def corpus_to_weights(owl: Path) -> Callable[[], object]:
    shipped = found("shipped_corpus", "fcwseo_ontology.shipped")(LABEL)
    read = found("read_corpus", "fcwseo_ontology.corpus.read", "fcwseo_ontology.corpus")
    build = found("build_ontology", "fcwseo_ontology.build")
    write = found("write_owl", "fcwseo_ontology.owl.ontologies", "fcwseo_ontology.owl")
    load_topic = found("load_topic", "fcwseo_ontology.load")

    def work() -> None:
        write(build(read([shipped]), topic=LABEL, terms=TERMS), owl)
        load_topic(str(owl))

    return work


# --- the walks --------------------------------------------------------------------------------------------


@contextmanager
def served(web: Any) -> Iterator[int]:
    """The port of a server of this web."""
    server = new_server(web)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield int(server.server_port)
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def pages_traced() -> Iterator[dict[int, list[Call]]]:
    """The calls from one question for the next link to another, for each page from page 61 on.

    Failures between two pages belong to neither.
    """
    strategy, tracer = hero(), Tracer()
    walks: dict[int, list[Call]] = {}
    ask, observe = strategy.next, strategy.observe
    settled, pages = True, 0  # settled: a visit came since the last question

    @wraps(ask)
    def asked(self: Any, *args: Any, **named: Any) -> Any:
        nonlocal settled
        if settled:
            walks.setdefault(pages, tracer.stop())  # a failure would be the second walk of that page
            settled = False
            if pages >= PAGE - 1:
                tracer.start()
        return ask(self, *args, **named)

    @wraps(observe)
    def observed(self: Any, visit: Any) -> Any:
        nonlocal settled, pages
        settled = True
        pages += visit.step > 0 and hasattr(visit.outcome, "links")
        return observe(self, visit)

    strategy.next, strategy.observe = asked, observed
    try:
        yield walks
    finally:
        tracer.stop()
        strategy.next, strategy.observe = ask, observe


def fullest(walks: dict[int, list[Call]], run: Path, name: str) -> tuple[Walk, str]:
    """Of the first kept pages of a run the walk with the most functions, and the URL of its page."""
    visits = [json.loads(line) for line in (run / "visits.jsonl").read_text("utf-8").splitlines()]
    pages = [visit for visit in visits if visit["outcome"] == "page"]
    kept = [number for number in sorted(walks) if number >= PAGE and pages[number - 1]["kept"]][:KEPT]
    best = max(kept, key=lambda number: len({call.callee for call in walks[number]}))
    url = pages[best - 1]["final_url"]
    return Walk(name, f"page {best}, {url}", walks[best]), url


def walks_of_pages(folder: Path) -> list[Walk]:
    web, pages = generated_web(), PAGE + 3 * KEPT
    with served(web) as port, pages_traced() as walks:
        crawl_live(web, folder / "live", pages=pages, port=port)
    live, url = fullest(walks, folder / "live", "live page")
    parsing = Walk("parser process", url, traced(parse_job(web.html(url).encode(), url)))
    with pages_traced() as walks:
        crawl_closed(web, folder / "closed", pages=pages)
    closed, _ = fullest(walks, folder / "closed", "closed page")
    return [live, parsing, closed]


def all_walks() -> list[Walk]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        corpus = Walk("corpus", LABEL, traced(corpus_to_weights(folder / "topic.owl")))
        return [*walks_of_pages(folder), corpus]


# --- what is printed --------------------------------------------------------------------------------------


def in_tree(tree: Path) -> list[Walk]:
    """The walks of another checkout, in a process that imports it."""
    folders = [str((tree / folder).resolve()) for folder in FOLDERS]
    assert (tree / "fcwseo").is_dir(), f"{tree} is no checkout: it has no folder fcwseo"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(folders)}
    command = [sys.executable, __file__, "--json"]
    done = subprocess.run(command, env=environment, cwd=tree, stdout=subprocess.PIPE, check=True)
    return [_walk(*fields) for fields in json.loads(done.stdout)]


def _walk(name: str, subject: str, calls: Iterable[Sequence[Any]]) -> Walk:
    return Walk(name, subject, [Call(a and Function(*a), Function(*b)) for a, b in calls])


def table(columns: dict[str, list[Walk]]) -> str:
    """A line for each walk of each tree."""
    lines = [f"{'walk':16}{'tree':10}" + "".join(f"{name:>11}" for name in _COLUMNS)]
    for walks in zip(*columns.values(), strict=True):
        for tree, walk in zip(columns, walks, strict=True):
            numbers = walk.counts()
            line = "".join(f"{numbers[name]:11,}" for name in _COLUMNS)
            lines.append(f"{walk.name:16}{tree:10}{line}  {walk.subject}")
    return "\n".join(lines)


def path(walk: Walk) -> str:
    """Each followed call, the changes of module with a ``>``, then the modules by how often they are entered,
    and the pairs of modules by their distinct calls.
    """
    lines, before = [], walk.path[0]
    for caller, callee in walk.followed:
        mark = ">" if callee.module != before else " "
        origin = f"{caller.module}.{caller.name}" if caller else ""
        lines.append(f"{mark} {callee.module}.{callee.name:40} from {origin}")
        before = callee.module
    entered = Counter(walk.path)
    pairs = Counter((call.caller.module, call.callee.module) for call in walk.followed if call.caller)
    lines += [f"{count:4} entries of {module}" for module, count in entered.most_common()]
    lines += [f"{count:4} calls {caller} -> {callee}" for (caller, callee), count in pairs.most_common()]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="How far a page, or a corpus, walks through the modules.")
    parser.add_argument("--tree", type=Path, help="a checkout to count in place of this one")
    parser.add_argument("--before", type=Path, help="a checkout to count beside it")
    parser.add_argument("--path", metavar="WALK", help="print the path of a walk, such as 'live page'")
    parser.add_argument("--json", action="store_true", help="print all calls of all walks")
    given = parser.parse_args()
    if given.json:
        json.dump(all_walks() if given.tree is None else in_tree(given.tree), sys.stdout)
        return
    tree: Path = given.tree or Path(__file__).parent.parent
    trees = {"before": given.before} if given.before else {}
    columns = {name: in_tree(folder) for name, folder in {**trees, "now": tree}.items()}
    print(table(columns))
    for walk in columns["now"]:
        if walk.name == given.path:
            print(f"\n{path(walk)}")


if __name__ == "__main__":
    main()
