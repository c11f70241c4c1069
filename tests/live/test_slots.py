"""A crawl whose fetches wait for their hosts: slots, budget, and the log that says what was asked for."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from helpers.fakes import SmallWeb, as_past, folded, targets

from fcwseo.crawling.engine import Stop, Window
from fcwseo.crawling.polite import crawl_politely
from fcwseo.live.slots import Slots
from fcwseo.pages import Failure, Link, Page, Visit
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.protocol import Turns

HOSTS = 8
EACH = 12


def link(number: int, host: int) -> str:
    return f"http://h{host}/{number}"


# Every page of a host links to the next ones of that host; the first links to all hosts.
WIDE = SmallWeb(
    {
        link(0, 0): " ".join(link(0, host) for host in range(1, HOSTS)) + f" {link(1, 0)}",
        **{
            link(number, host): f"{link(number + 1, host)} {link(number + 2, host)}"
            for host in range(HOSTS)
            for number in range(EACH)
            if (number, host) != (0, 0)
        },
    }
)


class PoliteWeb:
    """A web whose hosts are asked one at a time with a pause, as the live web's are."""

    def __init__(self, web: SmallWeb, slots: Slots, *, pause: float = 0.01, requests: int = 1) -> None:
        self._web, self._slots, self._pause, self._requests = web, slots, pause, requests
        self._locks = {f"h{host}": asyncio.Lock() for host in range(HOSTS)}
        self._next = dict.fromkeys(self._locks, 0.0)
        self.asked: list[str] = []
        self.turn = pause
        self.at_work = self.most_at_work = 0

    async def fetch(self, url: str) -> Page | Failure:
        host = url.split("/")[2]
        for _ in range(self._requests):
            self._slots.release(url)
            async with self._locks[host]:
                await asyncio.sleep(max(0.0, self._next[host] - time.monotonic()))
                async with self._slots.slot(url):
                    await self._request(url)
                self._next[host] = time.monotonic() + self._pause
        return await self._web.fetch(url)

    def wait(self, host: str) -> float:
        left = self._next[host] - time.monotonic()
        return max(left, self._pause) if self._locks[host].locked() else max(0.0, left)

    def soonest(self) -> float | None:
        return min((wait for host in self._locks if (wait := self.wait(host)) > 0), default=None)

    async def _request(self, url: str) -> None:
        self.asked.append(url)
        self.at_work += 1
        self.most_at_work = max(self.most_at_work, self.at_work)
        await asyncio.sleep(0.001)
        self.at_work -= 1


class Watched(BreadthFirst):
    """Counts what it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.named: list[str] = []

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links = super().next(n, turns)
        self.named += [link.target for link in links]
        return links


def window(budget: int, width: int, strategy: BreadthFirst | None = None) -> Window:
    strategy = strategy or BreadthFirst()
    return Window(strategy, [link(0, 0)], relevance=lambda page: 0.5, budget=budget, width=width)


def crawled(
    crawl_window: Window, *, waiting: int = 50, stop_after: int = 0, **choices: Any
) -> tuple[Stop, list[Visit], PoliteWeb]:
    visits: list[Visit] = []

    async def main() -> tuple[Stop, PoliteWeb]:
        slots, stop = Slots(), asyncio.Event()
        web = PoliteWeb(WIDE, slots, **choices)

        def record(visit: Visit) -> None:
            visits.append(visit)
            if len(visits) == stop_after:
                stop.set()

        crawl = crawl_politely(
            web, crawl_window, record=record, slots=slots, turns=web, waiting=waiting, stop=stop
        )
        return await crawl, web

    stop, web = asyncio.run(main())
    return stop, visits, web


def test_everything_is_visited_once() -> None:
    stop, visits, web = crawled(window(1000, 4))
    assert stop is Stop.EXHAUSTED
    names = [visit.link.target for visit in visits]
    assert len(set(names)) == len(names) == len(web.asked) and set(WIDE.links) <= set(names)


@pytest.mark.parametrize("requests", [1, 2])
@pytest.mark.parametrize("width", [1, 3, 8])
def test_width_and_budget_are_kept(width: int, requests: int) -> None:
    stop, visits, web = crawled(window(30, width), requests=requests)
    pages = [visit for visit in visits if isinstance(visit.outcome, Page)]
    assert stop is Stop.BUDGET and len(pages) == 30
    assert web.most_at_work <= width
    if requests == 1:  # nothing was asked for that was not visited
        assert sorted(web.asked) == sorted(visit.link.target for visit in visits)


def test_what_waits_keeps_no_slot_from_others() -> None:
    """Each host takes EACH pauses and some; with two slots for all of them it takes hardly longer."""
    began = time.monotonic()
    crawled(window(1000, 2), pause=0.04)
    assert EACH * 0.04 < time.monotonic() - began < 0.5 * HOSTS * EACH * 0.04


def test_only_so_many_wait() -> None:
    strategy = Watched()
    _, visits, _ = crawled(window(40, 2, strategy), waiting=3)
    assert len(strategy.named) <= len(visits) + 2 + 3


def test_the_log_says_what_was_asked_for_and_is_folded_exactly() -> None:
    for cut in (1, 5, 17, 40):
        _, visits, _ = crawled(window(40, 3))
        assert all(visit.requested is not None for visit in visits)
        first, again = Watched(), Watched()
        left, right = window(40, 3, first), window(40, 3, again)
        assert folded(left, as_past(visits[:cut], budget=40)) == visits[:cut]
        assert folded(right, as_past(visits[:cut], budget=40)) == visits[:cut]
        assert first.named == again.named and list(left.in_flight) == list(right.in_flight)


@pytest.mark.parametrize("cut", [0, 3, 20])
def test_a_crawl_that_was_left_is_continued(cut: int) -> None:
    _, visits, _ = crawled(window(1000, 3), stop_after=cut or 10_000)
    visits = visits[:cut]
    resumed = window(1000, 3)
    folded(resumed, as_past(visits, budget=1000))
    stop, rest, web = crawled(resumed)
    assert stop is Stop.EXHAUSTED
    assert Counter(targets(visits + rest).split()).most_common(1)[0][1] == 1
    assert set(WIDE.links) <= set(targets(visits + rest).split())
    assert set(web.asked).isdisjoint(visit.link.target for visit in visits)


def test_a_larger_budget_begins_with_what_waited() -> None:
    _, visits, _ = crawled(window(20, 3))
    larger = window(1000, 3)
    folded(larger, as_past(visits, budget=20))
    waiting = list(larger.in_flight)
    larger.budget = 1000
    _, rest, _ = crawled(larger)
    assert waiting and set(waiting) <= {visit.link.target for visit in rest}


def test_when_it_is_stopped_what_waits_is_left() -> None:
    stop, visits, web = crawled(window(1000, 3), stop_after=10, pause=0.02)
    assert stop is Stop.INTERRUPTED
    assert 10 <= len(visits) <= 10 + 3 and len(web.asked) == len(visits)


def test_an_error_of_the_web_ends_the_crawl() -> None:
    class Broken(PoliteWeb):
        async def fetch(self, url: str) -> Page | Failure:
            if url == link(0, 3):
                raise RuntimeError("broken")
            return await super().fetch(url)

    async def main() -> None:
        slots = Slots()
        web = Broken(WIDE, slots)
        await crawl_politely(web, window(100, 3), record=lambda visit: None, slots=slots, turns=web)

    with pytest.raises(RuntimeError, match="broken"):
        asyncio.run(main())


def test_slots_are_given_in_order_and_come_back() -> None:
    async def main() -> list[str]:
        slots = Slots()
        order: list[str] = []

        async def at_work(name: str) -> None:
            async with slots.slot(name):
                order.append(name)
                await asyncio.sleep(0)
            slots.finish(name)

        tasks = [asyncio.create_task(at_work(name)) for name in "abcd"]
        await asyncio.sleep(0)
        assert order == []  # there is none yet
        tasks[1].cancel()
        slots.limit(1)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(slots) == 0
        return order

    assert asyncio.run(main()) == ["a", "c", "d"]
