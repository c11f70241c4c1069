"""RFC 9309 against a real server: which answers allow what, and how rules are read, kept and asked for."""

import asyncio
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from helpers.servers import Server, answer, live, moved, serving
from protego import Protego

from fcwseo.live.robots import LARGEST, TOKEN, Robots
from fcwseo.pages import Failure, Page, Why

A = "http://a.example/"
ROBOTS = f"{A}robots.txt"
PAGE = answer("<title>rain</title><p>It rained.")
TEXT = "Content-Type: text/plain"


def rules(text: str | bytes) -> bytes:
    return answer(text, TEXT)


FORBID = rules("User-agent: *\nDisallow: /")


def fetched(
    robots: object, url: str = A, others: Mapping[str, object] | None = None
) -> tuple[Page | Failure, list[str]]:
    async def main() -> tuple[Page | Failure, list[str]]:
        pages = {A: PAGE, f"{A}x": PAGE, ROBOTS: robots, **(others or {})}
        async with serving(pages) as server, live(server, deadline=1.0) as web:
            return await web.fetch(url), server.asked(robots=True)

    return asyncio.run(main())


def why(outcome: Page | Failure) -> Why | None:
    return outcome.why if isinstance(outcome, Failure) else None


# 2.2.1 and 2.2.2: groups and rules; the rest is the parser's, see the cases below


def test_what_is_forbidden_is_not_asked_for() -> None:
    outcome, asked = fetched(rules("User-agent: *\nDisallow: /x"), f"{A}x")
    assert (why(outcome), asked) == (Why.ROBOTS, [ROBOTS])
    outcome, asked = fetched(rules("User-agent: *\nDisallow: /x"), A)
    assert (why(outcome), asked) == (None, [ROBOTS, A])


def test_our_own_group_counts_more_than_that_of_all() -> None:
    text = "User-agent: *\nDisallow: /\n\nUser-agent: FCWSEO\nDisallow: /x"
    assert why(fetched(rules(text))[0]) is None
    assert why(fetched(rules(text), f"{A}x")[0]) is Why.ROBOTS


# 2.3.1.1 successful access


def test_rules_are_followed() -> None:
    assert why(fetched(FORBID)[0]) is Why.ROBOTS


# 2.3.1.2 redirects: at least five are followed, also to other hosts


@pytest.mark.parametrize("hops", [1, 5])
def test_five_redirects_are_followed(hops: int) -> None:
    there = [f"http://b{n}.example/r" for n in range(hops)]
    chain = dict(zip(there, [*(moved(url) for url in there[1:]), FORBID], strict=True))
    assert why(fetched(moved(there[0]), others=chain)[0]) is Why.ROBOTS


def test_rules_behind_a_redirect_are_those_of_the_first_host() -> None:
    outcome, asked = fetched(moved("http://b.example/r"), others={"http://b.example/r": FORBID})
    assert why(outcome) is Why.ROBOTS and asked == [ROBOTS, "http://b.example/r"]


def test_endless_redirects_are_no_rules() -> None:
    assert why(fetched(moved(ROBOTS))[0]) is None


# 2.3.1.3 unavailable: 4xx allows everything


@pytest.mark.parametrize(
    "status", ["400 Bad Request", "401 No", "403 Forbidden", "404 No", "410 Gone", "418 Tea"]
)
def test_no_file_allows_everything(status: str) -> None:
    assert why(fetched(answer("User-agent: *\nDisallow: /", TEXT, status=status))[0]) is None


# 2.3.1.4 unreachable: 5xx and failed connections forbid everything


@pytest.mark.parametrize("status", ["500 Oh", "502 Bad", "504 Late", "503 Busy", "429 Slow down"])
def test_a_failing_server_forbids_everything(status: str) -> None:
    outcome, asked = fetched(answer("", "Retry-After: 0", status=status))
    assert why(outcome) is Why.ROBOTS and status[:3] in getattr(outcome, "detail", "")
    assert asked == [ROBOTS] * 3  # it was asked again


async def hang_up(writer: asyncio.StreamWriter) -> None:
    pass


async def stall(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(20)


async def drip(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
    while True:
        writer.write(b"#")
        await writer.drain()
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("speak", [hang_up, stall, drip])
def test_a_broken_answer_forbids_everything(speak: object) -> None:
    began = time.monotonic()
    outcome, asked = fetched(speak)
    assert why(outcome) is Why.ROBOTS and A not in asked
    assert time.monotonic() - began < 5


def test_a_server_that_recovers_in_time_is_crawled() -> None:
    bad = answer("", status="500 Oh")
    assert why(fetched([bad, bad, rules("")])[0]) is None


def test_rules_that_could_not_be_had_are_asked_for_again_later() -> None:
    clock = [0.0]

    async def main() -> tuple[Page | Failure, Page | Failure, Page | Failure]:
        bad = answer("", status="500 Oh")
        robots = Robots(now=lambda: clock[0])
        answers = {A: PAGE, ROBOTS: [bad, bad, bad, rules("")]}
        async with serving(answers) as server, live(server, robots=robots) as web:
            first = await web.fetch(A)
            clock[0] = 60.0
            second = await web.fetch(A)
            assert len(server.requests) == 3  # for a while nothing is asked for
            clock[0] = 600.0
            return first, second, await web.fetch(A)

    first, second, third = asyncio.run(main())
    assert (why(first), why(second), why(third)) == (Why.ROBOTS, Why.ROBOTS, None)


def test_a_host_that_does_not_exist_is_unreachable() -> None:
    async def main() -> Page | Failure:
        async with serving({}) as server, live(server, dial=False) as web:
            return await web.fetch("http://nobody.invalid/")

    assert why(asyncio.run(main())) is Why.UNREACHABLE


# 2.3.1.5 parsing errors: what can be read counts


def test_what_cannot_be_read_is_passed_over() -> None:
    text = b"\xef\xbb\xbfUser-agent: *\n\xff\xfe\x00 garbage\n<html>\nDisallow: /x\n"
    assert why(fetched(rules(text), f"{A}x")[0]) is Why.ROBOTS
    assert why(fetched(rules(text))[0]) is None


# 2.4 caching: at most a day


def test_rules_hold_for_a_day_and_no_longer() -> None:
    clock = [0.0]

    async def main() -> list[int]:
        counts = []
        robots = Robots(now=lambda: clock[0])
        pages = {f"{A}{n}": PAGE for n in range(3)}
        async with serving({**pages, ROBOTS: rules("")}) as server, live(server, robots=robots) as web:
            for number, at in enumerate((0.0, 86_000.0, 87_000.0)):
                clock[0] = at
                assert why(await web.fetch(f"{A}{number}")) is None
                counts.append(sum(url == ROBOTS for url in server.asked(robots=True)))
        return counts

    assert asyncio.run(main()) == [1, 1, 2]


def test_rules_outlive_the_process(tmp_path: Path) -> None:
    async def main(server: Server) -> Page | Failure:
        async with live(server, folder=tmp_path) as web:
            return await web.fetch(f"{A}x")

    async def twice() -> tuple[Page | Failure, Page | Failure, list[str]]:
        async with serving({ROBOTS: rules("User-agent: *\nDisallow: /x\nSitemap: /map.xml")}) as server:
            first = await main(server)
            with (tmp_path / "robots.jsonl").open("ab") as file:
                file.write(b'{"origin": "http://\xff"}\n' + b"[" * 100_000 + b"\n")  # a foreign folder
                file.write(b'{"origin": "http://torn')
            return first, await main(server), server.asked(robots=True)

    first, second, asked = asyncio.run(twice())
    assert (why(first), why(second), asked) == (Why.ROBOTS, Why.ROBOTS, [ROBOTS])
    assert (tmp_path / "robots.jsonl").read_bytes().endswith(b"[\n")


# 2.5 limits: at least 500 KiB are read


def test_half_a_megabyte_is_read() -> None:
    last = b"Disallow: /x\n"
    head = b"User-agent: *\n"
    filler = b"#" * 99 + b"\n"
    room = LARGEST - len(head) - len(last)
    text = head + (filler * (room // 100 + 1))[: room - 1] + b"\n" + last
    assert len(text) == LARGEST >= 500 * 1024
    assert why(fetched(rules(text), f"{A}x")[0]) is Why.ROBOTS
    assert why(fetched(rules(text + b"Disallow: /\n"))[0]) is None


# Ours: the pause, the redirect of a page, meta robots


def test_the_rules_of_each_hop_count() -> None:
    async def main() -> tuple[Page | Failure, list[str]]:
        answers = {A: moved("http://b.example/x"), "http://b.example/robots.txt": FORBID}
        async with serving(answers) as server, live(server) as web:
            return await web.fetch(A), server.asked()

    outcome, asked = asyncio.run(main())
    assert (why(outcome), asked) == (Why.ROBOTS, [A])


@pytest.mark.parametrize(
    ("head", "header", "obey", "followed"),
    [
        ("", "X-A: b", True, 2),
        ("<meta name=robots content=nofollow>", "X-A: b", True, 0),
        ("<meta name=robots content=nofollow>", "X-A: b", False, 3),
        ("", "X-Robots-Tag: nofollow", True, 0),
        ("", "X-Robots-Tag: otherbot: nofollow", True, 2),
        ("", "X-Robots-Tag: fcwseo: none", True, 0),
    ],
)
def test_links_that_are_not_to_be_followed(head: str, header: str, obey: bool, followed: int) -> None:
    async def main() -> Page | Failure:
        body = f"{head}<a href=/b>b</a><a href=/c>c</a><a rel=nofollow href=/d>d</a>"
        async with serving({A: answer(body, header)}) as server, live(server, obey_meta=obey) as web:
            return await web.fetch(A)

    page = asyncio.run(main())
    assert isinstance(page, Page) and len(page.links) == followed


def test_tokens() -> None:
    assert TOKEN == "fcwseo"
    assert not Protego.parse("User-agent: fcwseo\nDisallow: /").can_fetch(A, TOKEN)
