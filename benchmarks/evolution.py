"""Does web space evolution decide, and what does each part of it bring? Polite crawls on a virtual clock.

    python benchmarks/evolution.py [--kinds generated unequal rdocs uci] [--sets 2] [--pages 300 500]
        [--times 0 20 80 320] [--rules fcwseo by-value ...] [--width 32] [--delay 1] [--slow-hosts .1]

Each rule is FCWSEO with one part exchanged for its plain counterpart; the predictor is kept. ``by-value``
and ``by-chance`` fill the seats of fronts and NFCS in the plain way, ``tolerance-steered`` steers the radius
by the pace, not the number of seats, ``fixed-...`` have no pace at all (a number of seats, or a tolerance),
``radius-fixed`` never widens, ``all-links`` has a seat for each link instead of each host. ``strict-1`` is
the strict crawl at width 1, ``fcwseo-1`` FCWSEO at width 1, ``greedy`` any ready host.

A cell is a kind of web, a budget of pages and one of seconds (0: none). Printed for each rule: finds as a
share of the budget, and as a share of the best fixed setting of each cell; pages that value order would not
have taken at that moment; hosts, and the largest share of one; seconds; the areas under the curve of finds
over pages and over time (hypervolumes of two objectives: finds, and pages or seconds saved; seconds up to
the limit, or to the slowest rule). Crawls are kept in ``--results``; those that are there are not done again.
"""

import argparse
import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import process_time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy

import msgspec
import numpy as np
from ablations import SeatsByChance, SeatsByValue
from clusters import TOPIC, ClusterWeb
from msgspec import Struct
from tasks import add_data_option, load_task

from fcwseo.crawling.engine import Window
from fcwseo.crawling.polite import crawl_politely
from fcwseo.crawling.rehearsal import Rehearsal, RehearsedWeb
from fcwseo.evolution.bank import bank
from fcwseo.live.slots import Slots
from fcwseo.pages import Page, Visit
from fcwseo.pages.urls import host
from fcwseo.relevance import Relevance, TopicalRelevance
from fcwseo.strategies import Factory
from fcwseo.strategies.explanation import Space
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo.strategies.greedy import Greedy
from fcwseo.strategies.protocol import Turns
from fcwseo.webs.clock import VirtualClock, run_virtually
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.generated.words import VOCABULARIES
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic, topic_of_words

HERE = Path(__file__).parent
GENERATED = ((3, "rainstorm"), (4, "cooking"), (5, "geology"), (6, "music"), (7, "rainstorm"))
TASKS = {"rdocs": "databases-r", "uci": "machine learning"}
STEP = 1.03  # by which a steered tolerance changes with each page


class FixedSeats(Fcwseo):
    """A number of seats, whatever the time."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random, *, seats: int) -> None:
        super().__init__(topic, relevance, rng)
        self._fixed = seats

    def _seats(self, space: Space, turns: Turns) -> int:
        return self._fixed


class FixedTolerance(SeatsByValue):
    """Every host whose elite is worth at least a share of the best link, whatever the time."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random, *, least: float) -> None:
        super().__init__(topic, relevance, rng)
        self._least = least

    def _seats(self, space: Space, turns: Turns) -> int:
        return max(1, int(np.count_nonzero(space.bank.values >= self._least)))


class SteeredTolerance(FixedTolerance):
    """The tolerance widens behind the pace and narrows ahead of it."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random) -> None:
        super().__init__(topic, relevance, rng, least=0.8)
        self._began: tuple[float, int] | None = None
        self._ahead = True

    def _seats(self, space: Space, turns: Turns) -> int:
        if turns.seconds_left is not None and turns.pages_left is not None:
            began, pages = self._began = self._began or (turns.seconds_left, turns.pages_left)
            self._ahead = turns.pages_left / pages <= turns.seconds_left / began
        return super()._seats(space, turns)

    def observe(self, visit: Visit) -> None:
        super().observe(visit)
        tolerance = (1 - self._least) * (1 / STEP if self._ahead else STEP)
        self._least = 1 - min(max(tolerance, 0.005), 1.0)


class RadiusFixed(Fcwseo):
    """The radius never widens."""

    def _radius_now(self, turns: Turns) -> float:
        return 1 - self._parameters.patience


class AllLinks(Fcwseo):
    """Every link has a seat."""

    def _space_of(self, snapshot, waiting):  # type: ignore[no-untyped-def]
        found = super()._space_of(snapshot, waiting)
        return found._replace(bank=bank(np.arange(len(waiting)), found.values))


def _patient(patience: float) -> Factory:
    return partial(Fcwseo, parameters=FcwseoParameters(patience=patience))


RULES: dict[str, Factory] = {
    "fcwseo": Fcwseo,
    "by-value": SeatsByValue,
    "by-chance": SeatsByChance,
    "tolerance-steered": SteeredTolerance,
    "radius-fixed": RadiusFixed,
    "all-links": AllLinks,
    "strict-1": _patient(1.0),
    "fcwseo-1": Fcwseo,
    "greedy": Greedy,
    **{f"fixed-{seats}-seats": partial(FixedSeats, seats=seats) for seats in (1, 4, 8, 16, 32)},
    **{f"fixed-{least:g}-of-best": partial(FixedTolerance, least=least) for least in (0.8, 0.5, 0.35, 0.0)},
}
FIXED = [name for name in RULES if name.startswith("fixed")]
ONE_WIDE = ("strict-1", "fcwseo-1")
UNPACED = ("radius-fixed", *ONE_WIDE)  # meaningful only without a limit of time


class Crawled(Struct, frozen=True):
    """A crawl: a line of the results."""

    rule: str
    kind: str
    number: int  # of the seed set, or of the web
    pages: int
    time: float
    setting: str
    visited: int
    finds: int
    hosts: int
    most: int  # pages of one host
    seconds: float
    rules: dict[str, int]
    others: int  # pages that value order would not have taken
    area: float  # under finds over pages
    found_at: list[float]  # seconds
    cpu: float

    @property
    def key(self) -> tuple[object, ...]:
        return self.rule, self.kind, self.number, self.pages, self.time, self.setting


class Case(Struct, frozen=True):
    """A web with a topic, seeds and a judge."""

    web: ClosedWeb
    topic: Topic
    seeds: list[str]
    is_find: Callable[[str], bool]


def case(kind: str, number: int, data: tuple[Path, ...]) -> Case:
    if kind == "generated":
        seed, label = GENERATED[number]
        web = GeneratedWeb(seed, 5000)
        words = {word: round((1 + n) ** -0.5, 3) for n, word in enumerate(VOCABULARIES[label][:36])}
        return Case(web, topic_of_words(label, words), web.seeds(label), lambda url: label in web.labels(url))
    if kind in ("unequal", "easy", "tunnel", "lie", "hub"):
        cluster = ClusterWeb(kind, number)
        relevant = set().union(*cluster.clusters)
        return Case(cluster, TOPIC, cluster.seeds, relevant.__contains__)  # type: ignore[arg-type]
    task = load_task(data, TASKS.get(kind, kind))
    return Case(task.web, task.topic, task.seed_sets[number], task.is_find)


def rehearse(
    here: Case, rule: str, *, pages: int, width: int, seconds: float, servers: Rehearsal
) -> list[tuple[float, Visit]]:
    """The visits of a crawl, each with its second."""
    relevance = TopicalRelevance(here.topic)
    strategy = RULES[rule](here.topic, relevance, Random(0))
    window = Window(strategy, here.seeds, relevance=relevance, budget=pages, width=width)
    visits: list[tuple[float, Visit]] = []

    async def crawl() -> None:
        loop, stop, slots = asyncio.get_running_loop(), asyncio.Event(), Slots()
        web = RehearsedWeb(here.web, servers, slots=slots)
        if seconds:
            loop.call_later(seconds, stop.set)
        await crawl_politely(
            web,
            window,
            record=lambda visit: visits.append((loop.time(), visit)),
            slots=slots,
            turns=web.turns,
            ends=seconds or None,
            stop=stop,
        )

    run_virtually(crawl(), VirtualClock())
    return visits


def crawled(
    here: Case, rule: str, kind: str, number: int, *, pages: int, time: float, width: int, servers: Rehearsal
) -> Crawled:
    began = process_time()
    width = 1 if rule in ONE_WIDE else width
    visits = rehearse(here, rule, pages=pages, width=width, seconds=time, servers=servers)
    fetched = [(at, visit, visit.outcome.url) for at, visit in visits if isinstance(visit.outcome, Page)]
    found = np.array([here.is_find(url) for _, _, url in fetched], float)
    curve = np.append(np.cumsum(found), np.full(pages - len(found), found.sum()))
    hosts = Counter(host(url) for _, _, url in fetched)
    links = [visit.link for _, visit, _ in fetched]
    return Crawled(
        rule=rule,
        kind=kind,
        number=number,
        pages=pages,
        time=time,
        setting=f"{width if rule not in ONE_WIDE else 1} {servers.identity}",
        visited=len(fetched),
        finds=int(found.sum()),
        hosts=len(hosts),
        most=max(hosts.values(), default=0),
        seconds=visits[-1][0] if visits else 0.0,
        rules=dict(sorted(Counter(str(link.rule) for link in links).items())),
        others=sum(link.seat is not None and link.seat[0] > max(link.seat[1], 1) for link in links),
        area=float(curve.sum()) / pages**2,
        found_at=[round(at, 3) for (at, _, _), is_find in zip(fetched, found, strict=True) if is_find],
        cpu=round(process_time() - began, 2),
    )


class Results:
    """Crawls that are kept, a line each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = path.read_bytes().splitlines() if path.exists() else []
        self.rows = {row.key: row for row in (msgspec.json.decode(line, type=Crawled) for line in lines)}

    def keep(self, row: Crawled) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(row) + b"\n")
        self.rows[row.key] = row


Cell = tuple[str, int, float]  # kind, pages, time


def cells_of(rows: Iterable[Crawled]) -> dict[Cell, dict[str, list[Crawled]]]:
    """The crawls of each cell by rule."""
    found: dict[Cell, dict[str, list[Crawled]]] = {}
    for row in rows:
        found.setdefault((row.kind, row.pages, row.time), {}).setdefault(row.rule, []).append(row)
    return {cell: dict(sorted(rules.items())) for cell, rules in sorted(found.items())}


def harvest(rows: Sequence[Crawled]) -> float:
    return fmean(row.finds / row.pages for row in rows)


def over_time(row: Crawled, until: float) -> float:
    """The area under finds over time, as a share of the budget times the seconds."""
    return sum(max(0.0, until - at) for at in row.found_at) / (until * row.pages) if until else 0.0


def report(rows: Iterable[Crawled]) -> Iterator[str]:
    cells = cells_of(rows)
    for (kind, pages, time), rules in cells.items():
        until = time or max((row.seconds for own in rules.values() for row in own), default=0.0)
        yield f"\n{kind}, {pages} pages, {f'{time:g} s' if time else 'no limit of time'}\n"
        heads = "rule, crawls, harvest, others, fronts, hosts, most, seconds, over pages, over time"
        yield f"| {' | '.join(heads.split(', '))} |\n{'|---' * 10}|"
        for rule, own in rules.items():
            visited = max(1, sum(row.visited for row in own))
            cells_of_rule = (
                rule,
                str(len(own)),
                f"{harvest(own):.3f}",
                f"{sum(row.others for row in own) / visited:.1%}",
                f"{sum(row.rules.get('fronts', 0) for row in own) / visited:.1%}",
                f"{fmean(row.hosts for row in own):.0f}",
                f"{fmean(row.most / max(1, row.visited) for row in own):.1%}",
                f"{fmean(row.seconds for row in own):.0f}",
                f"{fmean(row.area for row in own):.3f}",
                f"{fmean(over_time(row, until) for row in own):.3f}",
            )
            yield f"| {' | '.join(cells_of_rule)} |"
    yield from compared(cells)


def compared(cells: Mapping[Cell, Mapping[str, Sequence[Crawled]]]) -> Iterator[str]:
    """The figures that the engine is judged by."""
    without_time = {cell: rules for cell, rules in cells.items() if not cell[2]}
    for text, other in (("FCWSEO at width 1", "fcwseo-1"), ("the strict crawl at width 1", "strict-1")):
        if pairs := list(paired(without_time, "fcwseo", other)):
            finds = fmean(ours.finds / max(1, theirs.finds) for ours, theirs in pairs)
            seconds = fmean(ours.seconds / theirs.seconds for ours, theirs in pairs)
            share = f"finds {finds:.3f}, seconds {seconds:.2f} ({len(pairs)} pairs)"
            yield f"\nno limit of time, against {text}: {share}"
    for other in ("by-value", "by-chance", "tolerance-steered", "radius-fixed", "all-links", "greedy"):
        for kind in sorted({cell[0] for cell in cells} | {""}):
            own = {cell: rules for cell, rules in cells.items() if kind in ("", cell[0])}
            if pairs := list(paired(own, "fcwseo", other)):
                yield f"fcwseo less {other}, {kind or 'all'}: {interval(pairs)}"
    shares: dict[str, list[float]] = {}
    differences = []
    for (_, _, time), rules in cells.items():
        named = {name: rows for name, rows in rules.items() if name in (*FIXED, "fcwseo")}
        common = set.intersection(*({row.number for row in rows} for rows in named.values()), {*range(99)})
        if not time or not common or "fcwseo" not in named or len(named) < 2:
            continue
        found = {name: harvest([row for row in rows if row.number in common]) for name, rows in named.items()}
        best = max(value for name, value in found.items() if name in FIXED)
        differences.append(found["fcwseo"] - best)
        for name, value in found.items():
            shares.setdefault(name, []).append(value / best)
    if differences:
        yield (
            f"with a limit of time, against the best fixed setting of each of {len(differences)} cells: "
            f"difference {fmean(differences):+.3f}, worst {min(differences):+.3f}; as shares of it:"
        )
        for name, of_best in shares.items():
            yield f"  {name}: {fmean(of_best):.3f}, worst {min(of_best):.3f} ({len(of_best)} cells)"


def paired(
    cells: Mapping[Cell, Mapping[str, Sequence[Crawled]]], one: str, other: str
) -> Iterator[tuple[Crawled, Crawled]]:
    """Crawls by two rules of the same case in the same cell."""
    for rules in cells.values():
        theirs = {row.number: row for row in rules.get(other, ())}
        yield from ((row, theirs[row.number]) for row in rules.get(one, ()) if row.number in theirs)


def interval(pairs: Sequence[tuple[Crawled, Crawled]]) -> str:
    """The mean difference of harvest with its 95 % interval; the unit is the web with its seed set."""
    units: dict[tuple[str, int], list[float]] = {}
    for one, other in pairs:
        units.setdefault((one.kind, one.number), []).append((one.finds - other.finds) / one.pages)
    means = [fmean(own) for own in units.values()]
    if len(means) < 2:
        return f"{means[0]:+.4f} (one web or seed set)"
    from scipy.stats import t

    reach = float(t.ppf(0.975, len(means) - 1)) * stdev(means) / len(means) ** 0.5
    low, high = fmean(means) - reach, fmean(means) + reach
    return f"{fmean(means):+.4f} [{low:+.4f}, {high:+.4f}] ({len(means)} webs and seed sets)"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_data_option(parser)
    parser.add_argument("--kinds", nargs="*", default=["generated", "unequal", "rdocs", "uci"])
    parser.add_argument("--sets", type=int, default=2)
    parser.add_argument("--pages", type=int, nargs="*", default=[300, 500])
    parser.add_argument("--times", type=float, nargs="*", default=[0, 20, 80, 320])
    parser.add_argument("--rules", nargs="*", choices=RULES, default=[*RULES])
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument(
        "--slow-hosts", type=float, default=0.0, help="share of hosts with a Crawl-delay of 30 s"
    )
    parser.add_argument("--results", type=Path, default=HERE / "results" / "evolution.jsonl")
    parser.add_argument("--summary", action="store_true", help="crawl nothing")
    given = parser.parse_args()
    servers = Rehearsal(delay=given.delay, crawl_delay_hosts=given.slow_hosts)
    results = Results(given.results)
    wanted = list(product(given.kinds, range(given.sets), given.rules, given.pages, given.times))
    rows = []
    cases = cache(lambda kind, number: case(kind, number, tuple(given.data)))
    for kind, number, rule, pages, time in wanted:
        if (time and rule in UNPACED) or (not time and rule == "tolerance-steered"):
            continue
        width = 1 if rule in ONE_WIDE else given.width
        key = (rule, kind, number, pages, time, f"{width} {servers.identity}")
        if key not in results.rows and not given.summary:
            row = crawled(
                cases(kind, number),
                rule,
                kind,
                number,
                pages=pages,
                time=time,
                width=given.width,
                servers=servers,
            )
            results.keep(row)
        if key in results.rows:
            rows.append(results.rows[key])
    for line in report(rows):
        print(line)


if __name__ == "__main__":
    main()
