"""Turns: one request at a time for each host, with a pause that the server sees."""

import asyncio
import time
from itertools import pairwise

import pytest
from helpers.servers import Server, answer, live, serving

from fcwseo.live.politeness import HostTooSlow, HostTurns, Politeness
from fcwseo.live.web import LiveWeb
from fcwseo.pages import Failure, Page, Why
from fcwseo.webs.clock import run_virtually

HOSTS = [f"http://h{n}.example/" for n in range(3)]
PAGE = answer("<p>rain")


def robots(text: str) -> bytes:
    return answer(f"User-agent: *\n{text}", "Content-Type: text/plain")


async def all_of(web: LiveWeb, urls: list[str]) -> list[Page | Failure]:
    return list(await asyncio.gather(*(web.fetch(url) for url in urls)))


def gaps(server: Server, host: str) -> list[float]:
    return [later - earlier for earlier, later in pairwise(server.times(host))]


def test_each_host_is_asked_once_at_a_time_with_a_pause() -> None:
    at_once: dict[str, int] = {}

    async def slowly(writer: asyncio.StreamWriter) -> None:
        at_once["now"] = at_once.get("now", 0) + 1
        at_once["most"] = max(at_once.get("most", 0), at_once["now"])
        await asyncio.sleep(0.02)
        at_once["now"] -= 1
        writer.write(PAGE)
        await writer.drain()

    async def main() -> tuple[Server, float]:
        urls = [f"{host}{n}" for host in HOSTS for n in range(4)]
        async with serving(dict.fromkeys(urls, slowly)) as server, live(server, delay=0.15) as web:
            began = time.monotonic()
            assert all(isinstance(page, Page) for page in await all_of(web, urls))
            return server, time.monotonic() - began

    server, seconds = asyncio.run(main())
    for number in range(3):
        assert min(gaps(server, f"h{number}.example")) >= 0.15
    assert at_once["most"] > 1  # hosts do not wait for each other
    assert seconds < 3 * 5 * 0.17


def test_hosts_at_one_address_take_turns_too() -> None:
    async def lookup(name: str) -> list[str]:
        return ["127.0.0.1"]

    async def main() -> Server:
        async with serving({}) as server:
            hosts = [f"http://h{n}.example:{server.port}/" for n in range(3)]
            for host in hosts:
                server.answers[host] = PAGE
            async with live(server, dial=False, lookup=lookup, delay=0.1, address_delay=0.1) as web:
                assert all(isinstance(page, Page) for page in await all_of(web, hosts))
            return server

    times = [request.at for request in asyncio.run(main()).requests]
    assert len(times) == 6 and min(later - earlier for earlier, later in pairwise(times)) >= 0.099


def test_the_pause_that_robots_txt_wants_is_kept() -> None:
    async def main() -> Server:
        answers = {f"{HOSTS[0]}{n}": PAGE for n in range(3)}
        answers |= {f"{HOSTS[0]}robots.txt": robots("Crawl-delay: 0.3")}
        async with serving(answers) as server, live(server, delay=0.01) as web:
            await all_of(web, [f"{HOSTS[0]}{n}" for n in range(3)])
            return server

    first, *others = gaps(asyncio.run(main()), "h0.example")
    assert first < 0.3 <= min(others)


def test_a_host_that_wants_too_long_a_pause_is_left_alone_and_named() -> None:
    async def main() -> tuple[Page | Failure, list[str]]:
        answers = {HOSTS[0]: PAGE, f"{HOSTS[0]}robots.txt": robots("Crawl-delay: 3600")}
        async with serving(answers) as server, live(server) as web:
            return await web.fetch(HOSTS[0]), server.asked()

    outcome, asked = asyncio.run(main())
    assert isinstance(outcome, Failure) and outcome.why is Why.DEFERRED
    assert "h0.example demands 3600 s between requests" in outcome.detail
    assert asked == []


def test_a_request_rate_is_a_pause() -> None:
    async def main() -> Page | Failure:
        answers = {HOSTS[0]: PAGE, f"{HOSTS[0]}robots.txt": robots("Request-rate: 1/1h")}
        async with serving(answers) as server, live(server) as web:
            return await web.fetch(HOSTS[0])

    outcome = asyncio.run(main())
    assert isinstance(outcome, Failure) and "3600 s" in outcome.detail


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_a_busy_host_is_asked_again_when_it_says(status: str) -> None:
    async def main() -> tuple[Page | Failure, Server]:
        busy = answer("", "Retry-After: 1", status=status)
        async with serving({HOSTS[0]: [busy, PAGE]}) as server, live(server) as web:
            return await web.fetch(HOSTS[0]), server

    outcome, server = asyncio.run(main())
    assert isinstance(outcome, Page)
    assert gaps(server, "h0.example")[-1] >= 1.0


def test_all_links_of_a_busy_host_wait() -> None:
    async def main() -> Server:
        busy = answer("", "Retry-After: 1", status="429 Too Many Requests")
        async with serving({HOSTS[0]: [busy, PAGE], f"{HOSTS[0]}b": PAGE}) as server, live(server) as web:
            await all_of(web, [HOSTS[0], f"{HOSTS[0]}b"])
            return server

    _, first, *others = asyncio.run(main()).requests
    assert min(request.at for request in others) - first.at >= 1.0


def test_a_host_that_asks_for_an_hour_is_left_alone() -> None:
    async def main() -> tuple[list[Page | Failure], Server]:
        busy = answer("", "Retry-After: 3600", status="503 Service Unavailable")
        async with serving({HOSTS[0]: busy}) as server, live(server) as web:
            return await all_of(web, [HOSTS[0], f"{HOSTS[0]}b"]), server

    outcomes, server = asyncio.run(main())
    assert [getattr(outcome, "why", None) for outcome in outcomes] == [Why.DEFERRED] * 2
    assert server.asked() == [HOSTS[0]]


def test_a_host_that_has_recovered_is_left_alone_no_longer_than_the_first_time() -> None:
    async def main() -> float:
        at_once = answer("", "Retry-After: 0", status="503 Service Unavailable")
        answers = {
            HOSTS[0]: [at_once, at_once, PAGE],
            f"{HOSTS[0]}b": answer(status="503 Service Unavailable"),
        }
        async with serving(answers) as server, live(server) as web, asyncio.timeout(60):
            assert isinstance(await web.fetch(HOSTS[0]), Page)
            again = asyncio.create_task(web.fetch(f"{HOSTS[0]}b"))
            while f"{HOSTS[0]}b" not in server.asked() or not web.waiting():  # noqa: ASYNC110 (a server sets it)
                await asyncio.sleep(0.01)
            seconds = web.waiting()["h0.example"]
            again.cancel()
            return seconds

    assert 0 < asyncio.run(main()) <= 2  # after three overloads in a row it would be 8


class Clock:
    """A clock that one sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_slow_host_gets_a_longer_pause() -> None:
    async def main() -> list[float]:
        clock = Clock()
        politeness = Politeness(delay=1.0, now=clock)
        pauses = []
        for _ in range(12):
            clock.now += 100
            async with politeness.turn("slow.example") as turn:
                turn.begins()
                clock.now += 5.0
                turn.answered()
            pauses.append(politeness.pause("slow.example"))
        return pauses

    pauses = asyncio.run(main())
    assert pauses == sorted(pauses) and pauses[0] < 2 and 4.5 < pauses[-1] <= 5.0


def test_overload_doubles_the_pause_up_to_the_ceiling() -> None:
    async def main() -> list[float]:
        clock = Clock()
        politeness = Politeness(delay=1.0, ceiling=10.0, now=clock)
        waits = []
        for _ in range(5):
            politeness.slow_down("busy.example", None)
            waits.append(politeness._host("busy.example").gate.at - clock.now)
            clock.now += waits[-1]
        politeness.is_well("busy.example")
        politeness.slow_down("busy.example", None)
        return [*waits, politeness._host("busy.example").gate.at - clock.now]

    assert asyncio.run(main()) == [2, 4, 8, 10, 10, 2]


def test_nobody_waits_for_a_host_that_is_left_alone() -> None:
    async def main() -> None:
        politeness = Politeness()
        politeness.slow_down("busy.example", 1000.0)
        with pytest.raises(HostTooSlow, match="no request for 1000 s"):
            async with politeness.turn("busy.example"):
                pass

    asyncio.run(main())


def test_the_highest_expected_relevance_goes_first_then_the_earliest() -> None:
    async def main() -> list[str]:
        politeness = Politeness(delay=0.02)
        order: list[str] = []

        async def request(name: str, priority: float) -> None:
            async with politeness.turn("a.example", priority=priority):
                order.append(name)

        async with asyncio.TaskGroup() as group:
            for name, priority in (("first", 0.0), ("low", 0.1), ("high", 0.9), ("low too", 0.1)):
                group.create_task(request(name, priority))
            await asyncio.sleep(0.03)
            group.create_task(request("late and higher", 0.95))
        return order

    first, second, *others = asyncio.run(main())
    assert (first, second) == ("first", "high")
    assert others == ["late and higher", "low", "low too"]


def test_who_gives_up_waiting_holds_up_nobody() -> None:
    async def main() -> list[str]:
        politeness = Politeness(delay=0.02)
        order: list[str] = []

        async def request(name: str) -> None:
            async with politeness.turn("a.example", "10.0.0.1"):
                order.append(name)

        tasks = [asyncio.create_task(request(name)) for name in "abcd"]
        await asyncio.sleep(0.01)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return order

    assert asyncio.run(main()) == ["a", "c", "d"]


def test_turns_say_how_long_a_further_link_of_a_host_would_wait() -> None:
    async def main() -> list[float]:
        politeness = Politeness(delay=10.0, now=lambda: 100.0)
        turns, waits = HostTurns(politeness), []
        waits.append(turns.wait("a"))
        async with politeness.turn("a"):
            waits.append(turns.wait("a"))
        waits.append(turns.wait("a"))
        waiting = asyncio.create_task(politeness.turn("a").__aenter__())
        await asyncio.sleep(0)
        waits.append(turns.wait("a"))
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        return [*waits, turns.wait("b")]

    assert asyncio.run(main()) == [0.0, 10.0, 10.0, 20.0, 0.0]


def test_turns_come_one_after_the_other() -> None:
    """``soonest`` is the next turn of a host that pauses, also after it was postponed."""

    async def main() -> list[float | None]:
        politeness = Politeness(delay=10.0, now=asyncio.get_running_loop().time)
        turns = HostTurns(politeness)
        found = [turns.soonest()]
        for host in ("a", "b"):
            async with politeness.turn(host):
                found.append(turns.soonest())  # no turn comes before the end of a request
            await asyncio.sleep(4)
        found.append(turns.soonest())
        politeness.slow_down("a", 30.0)
        found.append(turns.soonest())
        await asyncio.sleep(7)
        found.append(turns.soonest())
        await asyncio.sleep(60)
        return [*found, turns.soonest()]

    assert run_virtually(main()) == [None, None, 6.0, 2.0, 6.0, 23.0, None]


def test_hosts_of_a_machine_wait_for_it() -> None:
    async def main() -> list[float]:
        politeness = Politeness(delay=3.0, address_delay=1.0, now=asyncio.get_running_loop().time)
        for host in ("a", "b"):
            async with politeness.turn(host, "10.0.0.1"):
                await asyncio.sleep(0)
            await asyncio.sleep(5)
        async with politeness.turn("a", "10.0.0.1"):
            found = [politeness.wait("b")]
        return [*found, politeness.wait("b"), politeness.wait("a"), politeness.wait("c")]

    assert run_virtually(main()) == [1.0, 1.0, 3.0, 0.0]


def test_a_host_that_is_left_alone_needs_no_waiting() -> None:
    politeness = Politeness(ceiling=60.0, now=lambda: 0.0)
    politeness.wants("a", 600.0)
    politeness.slow_down("b", 600.0)
    assert politeness.wait("a") == politeness.wait("b") == 0.0 and politeness.soonest() is None
    politeness.slow_down("c", 30.0)
    assert politeness.wait("c") == politeness.soonest() == 30.0


def test_turns_that_came_are_forgotten() -> None:
    """Also if nobody asks for the next one, as in a crawl that always has a link to choose."""

    async def main() -> int:
        politeness = Politeness(delay=1.0, now=asyncio.get_running_loop().time)
        for number in range(300):
            async with politeness.turn(f"h{number % 3}.example") as turn:
                turn.begins()
        return len(politeness._coming)

    assert run_virtually(main()) < 10
