"""Late binding: a link is chosen when a slot is free and its host may be asked."""

import asyncio
import json
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.fakes import EVERY, TESTED, SmallWeb
from helpers.patient import Patient
from helpers.runs import SEEDS, WEB, left_at, lines, plan_of, small_run

from fcwseo.crawling.engine import Stop, Window
from fcwseo.crawling.polite import crawl_politely
from fcwseo.crawling.rehearsal import Rehearsal, RehearsedWeb
from fcwseo.crawling.run import Result
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_rehearsed import run_rehearsed
from fcwseo.errors import InvalidRun
from fcwseo.live.slots import Slots
from fcwseo.pages import Link, Page, Visit
from fcwseo.pages.urls import host
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies import Factory
from fcwseo.strategies.best_first import BestFirst
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.protocol import Strategy, Takes, Turns
from fcwseo.webs.clock import run_virtually

FILES = ("visits.jsonl", "metrics.jsonl", "pages.jsonl")


def made(strategy: Strategy | Callable[[], Strategy]) -> Factory:
    return lambda topic, relevance, rng: strategy() if callable(strategy) else strategy


def rehearsed(out: Path, strategy: str = "", **choices: Any) -> Result:
    """A rehearsed crawl of 60 pages by a patient strategy, or whatever the choices say."""
    given = {"max_pages": 60, "width": 8, "rehearsal": Rehearsal(), "strategy": strategy or "mine", **choices}
    plan, rehearsal = plan_of(given), given.pop("rehearsal")
    given.setdefault("factory", TESTED[strategy] if strategy else made(Patient))
    return run_rehearsed(WEB, rehearsal, WEB.topic(), SEEDS, out, plan, **given)


def written(run: Path) -> list[bytes]:
    return [(run / name).read_bytes() for name in FILES]


def visits(run: Path) -> list[dict[str, Any]]:
    return lines(run / "visits.jsonl")


HOSTS, EACH = 6, 8

# Every page of a host links to the next ones of its host; the first page links to all hosts.
SMALL = SmallWeb(
    {
        f"http://h{host}/{number}": " ".join(
            [f"http://h{host}/{number + 1}", f"http://h{host}/{number + 2}"]
            + [f"http://h{other}/0" for other in range(HOSTS) if (host, number) == (0, 0) != (other, 0)]
        )
        for host in range(HOSTS)
        for number in range(EACH)
    }
)


def crawled(strategy: Strategy, *, width: int, budget: int = 1000) -> tuple[Stop, list[Visit], float]:
    """A polite crawl of the small web: why it ended, its visits, and the virtual second of its end."""
    visits: list[Visit] = []

    async def main() -> tuple[Stop, float]:
        slots = Slots()
        web = RehearsedWeb(SMALL, Rehearsal(), slots=slots)
        window = Window(strategy, ["http://h0/0"], relevance=lambda page: 0.5, budget=budget, width=width)
        stop = await crawl_politely(web, window, record=visits.append, slots=slots, turns=web.turns)
        return stop, asyncio.get_running_loop().time()

    stop, seconds = run_virtually(main())
    return stop, visits, seconds


# What a strategy sees


def test_links_are_chosen_in_the_turn_of_their_host(tmp_path: Path) -> None:
    strategy = Patient()
    rehearsed(tmp_path / "run", factory=made(strategy))
    assert len(strategy.waits) >= 60 and set(strategy.waits) == {0.0}


class Counting(Patient):
    """Counts the pages that it saw before each choice."""

    def __init__(self) -> None:
        super().__init__()
        self.seen, self.before = 0, list[int]()

    def observe(self, visit: Visit) -> None:
        super().observe(visit)
        self.seen += visit.step > 0 and isinstance(visit.outcome, Page)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        self.before.append(self.seen)
        return super().next(n, turns)


def test_what_is_left_is_seen_at_each_choice(tmp_path: Path) -> None:
    strategy = Counting()
    rehearsed(tmp_path / "run", factory=made(strategy), max_time=500.0)
    free, pages, seconds, _ = zip(*strategy.calls, strict=True)
    assert pages == tuple(60 - seen for seen in strategy.before)
    assert pages[0] == 60 and 1 <= pages[-1] <= 8  # the last ones were in flight together
    assert seconds[0] == 500.0 and sorted(seconds, reverse=True) == list(seconds) and seconds[-1] < 495
    assert set(free) <= set(range(1, 9))


def test_without_a_time_no_seconds_are_left_to_see(tmp_path: Path) -> None:
    strategy = Patient()
    rehearsed(tmp_path / "run", factory=made(strategy))
    assert {seconds for _, _, seconds, _ in strategy.calls} == {None}


@pytest.mark.parametrize(("delay", "latency"), [(1.0, 0.2), (5.0, 1.0)])
def test_a_turn_is_a_pause_and_a_response(tmp_path: Path, delay: float, latency: float) -> None:
    strategy = Patient()
    rehearsed(tmp_path / "run", factory=made(strategy), rehearsal=Rehearsal(delay=delay, latency=latency))
    first, last = strategy.calls[0][3], strategy.calls[-1][3]
    assert first == delay and delay + latency / 3 < last < delay + 3 * latency


def test_on_a_closed_web_every_host_may_be_asked_and_the_pages_left_are_known(tmp_path: Path) -> None:
    strategy = Patient()
    small_run(tmp_path / "run", factory=made(strategy), strategy="mine", max_pages=20)
    assert strategy.calls[0] == (1, 20, None, 0.0)
    assert {pages for _, pages, _, _ in strategy.calls} == set(range(1, 21))
    assert all(row.get("took") is None for row in visits(tmp_path / "run"))


# Idle slots


def test_a_strategy_that_leaves_slots_idle_is_asked_when_a_turn_comes(tmp_path: Path) -> None:
    """One seat: a crawl of width 8 waits for the best host, which takes as long as its turns."""
    result = rehearsed(tmp_path / "run", factory=made(Patient(seats=1)), max_pages=30)
    times = [row["clock"] for row in visits(tmp_path / "run")]
    assert result.stop is Stop.BUDGET and result.seconds > 10
    assert max(later - sooner for sooner, later in pairwise(times)) < 3  # a pause and a response, or two


def test_more_seats_are_faster(tmp_path: Path) -> None:
    def taken(seats: int) -> float:
        return rehearsed(tmp_path / str(seats), factory=made(Patient(seats))).seconds

    assert taken(1) > 1.5 * taken(4) > 2 * taken(16)


@pytest.mark.parametrize("width", [1, 4, 32])
@pytest.mark.parametrize("strategy", [BreadthFirst, BestFirst, Patient])
def test_it_ends_when_no_link_is_left(strategy: Callable[[], Strategy], width: int) -> None:
    stop, found, _ = crawled(strategy(), width=width)
    pages = {visit.link.target for visit in found if isinstance(visit.outcome, Page)}
    assert stop is Stop.EXHAUSTED and pages == set(SMALL.urls())
    assert len({visit.link.target for visit in found}) == len(found)


def test_hosts_are_served_at_once() -> None:
    """A crawl takes little longer than its longest host; with one seat, longer."""
    _, _, one = crawled(Patient(1), width=HOSTS)
    _, _, all_of_them = crawled(Patient(HOSTS), width=HOSTS)
    assert EACH < all_of_them < 3 * EACH and one > 1.3 * all_of_them


class Reluctant(BreadthFirst):
    """Returns nothing at first, although links wait: it wants its host to have paused."""

    def __init__(self) -> None:
        super().__init__()
        self.refused = 0

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        if turns.wait(host(SEEDS[0])) > 0:
            self.refused += 1
            return ()
        return super().next(1, turns)


def test_nothing_now_is_not_the_end(tmp_path: Path) -> None:
    strategy = Reluctant()
    result = rehearsed(tmp_path / "run", factory=made(strategy), max_pages=20)
    assert result.stop is Stop.BUDGET and strategy.refused > 3


# Strategies that ignore turns


class Hasty(BreadthFirst):
    """Ignores the turns; counts the links in hand that have to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.named: list[str] = []

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links = super().next(n, turns)
        self.named += [link.target for link in links]
        return links


@pytest.mark.parametrize("width", [1, 4, 32])
def test_few_links_are_chosen_before_their_turn(tmp_path: Path, width: int) -> None:
    strategy = Hasty()
    rehearsed(tmp_path / "run", factory=made(strategy), width=width)
    assert len(strategy.named) - len(visits(tmp_path / "run")) <= 3 * width


@pytest.mark.parametrize("name", EVERY)
def test_every_strategy_crawls_politely(tmp_path: Path, name: str) -> None:
    result = rehearsed(tmp_path / "run", name, width=16, max_pages=40)
    assert result.stop is Stop.BUDGET and result.counts["pages"] == 40
    asked: dict[str, list[float]] = {}
    for row in visits(tmp_path / "run"):
        if row["outcome"] == "page":
            asked.setdefault(host(row["final_url"]), []).append(row["clock"])
    assert all(later - sooner >= 1.0 for times in asked.values() for sooner, later in pairwise(times))
    assert max(Counter(row["url"] for row in visits(tmp_path / "run")).values()) == 1


# The log, and going on


@pytest.mark.parametrize("name", ["", "bfs", "fcwseo"])
def test_the_log_says_which_links_were_taken_before_each_visit(tmp_path: Path, name: str) -> None:
    rehearsed(tmp_path / "run", name)
    rows = visits(tmp_path / "run")
    topic = WEB.topic()
    strategy = TESTED[name](topic, TopicalRelevance(topic), Random(0)) if name else Patient()
    taken: set[str] = set()
    for row in rows:
        assert not taken & set(row["took"]) and len(set(row["took"])) == len(row["took"])
        taken |= set(row["took"])
        assert row["url"] in taken
        assert ("asked" in row) is not isinstance(strategy, Takes)


def without_session(run: Path) -> Path:
    """A run that ended, so that its clock is not where it was: only the log is left of it."""
    file = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(file | {"stop": "interrupted"}))
    return run


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "bfs", "fcwseo"])
@pytest.mark.parametrize("max_time", [0.0, 9.0])
def test_killed_at_any_visit_it_goes_on_to_the_same_end(tmp_path: Path, name: str, max_time: float) -> None:
    whole = rehearsed(tmp_path / "whole", name, max_time=max_time, max_pages=40)
    for count in range(0, len(visits(tmp_path / "whole")), 1 if name == "" and not max_time else 9):
        left = left_at(tmp_path / "whole", tmp_path / str(count), count, rest=b'{"step":')
        assert rehearsed(left, name, max_time=max_time, max_pages=40).stop is whole.stop
        assert written(left) == written(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", "bfs", "fcwseo"])
def test_a_crawl_that_ended_goes_on_exactly_as_its_log_says(tmp_path: Path, name: str) -> None:
    """The log alone, without the clock: no visit is repeated, and what was in hand is fetched."""
    rehearsed(tmp_path / "whole", name, max_pages=40)
    rows = visits(tmp_path / "whole")
    for count in range(1, len(rows), 9):
        left = without_session(left_at(tmp_path / "whole", tmp_path / str(count), count))
        taken = [url for row in rows[:count] for url in row["took"]]
        in_hand = [url for url in taken if url not in {row["url"] for row in rows[:count]}]
        rehearsed(left, name, max_pages=60)
        again = visits(left)
        assert again[:count] == rows[:count]
        urls = [row["url"] for row in again]
        assert len(set(urls)) == len(urls)
        if not name:  # the others may have chosen many links of one host
            assert set(in_hand) <= set(urls[count:])
        assert again[count]["clock"] > rows[count - 1]["clock"]
        assert rehearsed(left, name, max_pages=60).counts["pages"] == 60  # and its log is whole: it ends


@pytest.mark.slow
def test_a_continued_crawl_may_be_killed_and_continued_again(tmp_path: Path) -> None:
    rehearsed(tmp_path / "first", max_pages=25)
    before = len(visits(tmp_path / "first"))
    rehearsed(tmp_path / "first", max_pages=60)
    for count in range(before, len(visits(tmp_path / "first")), 6):
        left = left_at(tmp_path / "first", tmp_path / str(count), count)
        rehearsed(left, max_pages=60)
        assert written(left) == written(tmp_path / "first")


class Interrupting(Patient):
    """Presses Ctrl-C at its tenth choice."""

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        if len(self.calls) == 10:
            signal.raise_signal(signal.SIGINT)
        return super().next(n, turns)


def test_a_repetition_may_be_interrupted_and_changes_nothing(tmp_path: Path) -> None:
    rehearsed(tmp_path / "run")
    killed = left_at(tmp_path / "run", tmp_path / "killed", 30)
    before = written(killed)
    assert rehearsed(killed, factory=made(Interrupting)).stop is Stop.INTERRUPTED
    assert written(killed)[0] == before[0] and summary(killed)["counts"]["visits"] == 30
    assert rehearsed(killed).stop is Stop.BUDGET
    urls = [row["url"] for row in visits(killed)]
    assert len(set(urls)) == len(urls) and urls[:30] == [row["url"] for row in visits(tmp_path / "run")][:30]


def test_an_interrupted_rehearsal_goes_on(tmp_path: Path) -> None:
    assert rehearsed(tmp_path / "run", factory=made(Interrupting)).stop is Stop.INTERRUPTED
    before = visits(tmp_path / "run")
    assert rehearsed(tmp_path / "run").counts["pages"] == 60
    assert visits(tmp_path / "run")[: len(before)] == before


def test_a_log_of_another_strategy_is_refused(tmp_path: Path) -> None:
    rehearsed(tmp_path / "run")
    killed = left_at(tmp_path / "run", tmp_path / "killed", 20)
    with pytest.raises(InvalidRun, match="does not follow from this configuration"):
        rehearsed(killed, factory=made(Patient(seats=1)))
    ended = without_session(left_at(tmp_path / "run", tmp_path / "ended", 20))
    with pytest.raises(InvalidRun, match="a strategy with a method take, which this one lacks"):
        rehearsed(ended, factory=made(BreadthFirst))


def test_a_web_that_changed_is_refused(tmp_path: Path) -> None:
    rehearsed(tmp_path / "run")
    killed = left_at(tmp_path / "run", tmp_path / "killed", 20)
    log = killed / "visits.jsonl"
    page = next(row for row in visits(killed) if row["outcome"] == "page")
    log.write_bytes(log.read_bytes().replace(page["digest"].encode(), b"0" * 24))
    with pytest.raises(InvalidRun, match="is not the page that"):
        rehearsed(killed)
