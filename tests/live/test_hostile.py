"""Servers that mean harm, or are broken: each ends within its deadline, with the right failure, and takes no
memory to speak of.
"""

import asyncio
import gzip
import re
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import environment, run, start
from helpers.hostile import BOMBS, CASES, PAGE, bomb, everything, good_hosts, host_of, traps
from helpers.servers import Here, Notebook, Server, answer, live, moved, serving, serving_apart

from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.errors import NoParser
from fcwseo.live.parsers import Job, Workers
from fcwseo.pages import Failure, Page, Why

pytestmark = pytest.mark.slow

A = "http://a.example/"
GENEROUS = 20  # times the deadline, for machines that are busy with other things


def fetched(
    page: bytes | Callable[[asyncio.StreamWriter], Awaitable[None]] | list[bytes], **choices: Any
) -> Page | Failure:
    """The outcome of fetching a page with this response."""
    return asyncio.run(_fetched({A: page}, A, **choices))


async def _fetched(answers: dict[str, object], url: str, **choices: Any) -> Page | Failure:
    async with serving(answers) as server, live(server, **choices) as web:
        return await web.fetch(url)


@pytest.mark.parametrize("name", CASES)
def test_each_case_ends_in_time_with_the_right_failure(name: str) -> None:
    case = CASES[name]
    answers = {f"{host_of(name)}{path}": said for path, said in case.answers().items()}
    deadline = 1.0 if case.why is Why.TIMEOUT else 10.0  # the others end by themselves
    began = time.process_time()
    fetch = _fetched(answers, f"{host_of(name)}/", deadline=deadline)
    outcome = asyncio.run(asyncio.wait_for(fetch, GENEROUS * deadline))
    assert (outcome.why if isinstance(outcome, Failure) else None) is case.why, outcome
    assert time.process_time() - began < GENEROUS * deadline


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (answer("", "X-Big: " + "x" * 70_000), Why.UNREADABLE),
        (b"garbage\r\n\r\n", Why.UNREACHABLE),
        (b"\x00\x01\x02\x03" * 50, Why.UNREACHABLE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n", Why.UNREACHABLE),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef", Why.UNREACHABLE),
        (answer(b"%PDF-1.7", "Content-Type: application/pdf"), Why.NOT_HTML),
        (answer(b"\x89PNG\r\n", "Content-Type: image/png"), Why.NOT_HTML),
        (answer(b"%PDF-1.7 <paper>", "Content-Type: "), Why.NOT_HTML),
        (answer(b"<svg/>", "Content-Type: image/svg+xml"), Why.NOT_HTML),
        (answer(b"<rss><channel/></rss>", "Content-Type: application/rss+xml"), Why.NOT_HTML),
        (answer("gone", status="410 Gone"), Why.GONE),
        (answer("no", status="403 Forbidden"), Why.GONE),
        (answer("oh", status="500 Internal Server Error"), Why.SERVER_ERROR),
        (answer("", status="204 No Content").replace(b"Content-Length: 0\r\n", b""), None),
        (answer("", "Location: ", status="302 Found"), Why.GONE),
        (moved("file:///etc/passwd"), Why.REFUSED),
        (moved("javascript:alert(1)"), Why.REFUSED),
        (moved("gopher://a.example/"), Why.REFUSED),
        (moved(A), Why.REDIRECTS),
    ],
)
def test_what_is_no_page_says_why(page: bytes, why: Why | None) -> None:
    outcome = fetched(page)
    assert (outcome.why if isinstance(outcome, Failure) else None) is why


def test_bombs_are_small_on_the_wire() -> None:
    assert max(len(bomb(encoding)) for encoding in BOMBS) < 200_000


def test_the_length_that_counts_is_that_of_what_was_packed() -> None:
    body = gzip.compress(b"<title>rain</title>" + b"<p>It rained." * 10_000)
    page = fetched(answer(body, "Content-Encoding: gzip"))
    assert isinstance(page, Page) and page.title == "rain"


def test_a_picture_is_not_even_downloaded() -> None:
    sent = 0

    async def picture(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n")
        while sent < 200 << 20:
            writer.write(bytes(1 << 16))
            await writer.drain()
            sent += 1 << 16

    outcome = fetched(picture)
    assert isinstance(outcome, Failure) and outcome.why is Why.NOT_HTML
    assert sent < 20 << 20


@pytest.mark.parametrize(("hops", "is_page"), [(10, True), (11, False), (300, False)])
def test_ten_redirects_are_followed(hops: int, is_page: bool) -> None:
    chain: dict[str, object] = {f"{A}{n}": moved(f"{A}{n + 1}") for n in range(hops)}
    outcome = asyncio.run(_fetched({**chain, f"{A}{hops}": PAGE}, f"{A}0"))
    if is_page:
        assert isinstance(outcome, Page) and outcome.url == f"{A}{hops}"
    else:
        assert isinstance(outcome, Failure) and outcome.why is Why.REDIRECTS


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_redirect_to_raw_letters_leads_where_a_browser_goes(encoding: str) -> None:
    there = moved("/b?q=?x").replace(b"?x", "Åx".encode(encoding))
    page = asyncio.run(_fetched({A: there, f"{A}b?q=%C3%85x": PAGE}, A))
    assert isinstance(page, Page) and page.url == f"{A}b?q=%C3%85x"


def test_the_deadline_is_that_of_all_redirects_together() -> None:
    """Each hop takes less than it, all of them more."""

    def slowly(to: str) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
        async def speak(writer: asyncio.StreamWriter) -> None:
            await asyncio.sleep(0.4)
            writer.write(moved(to))
            await writer.drain()

        return speak

    hops = {f"{A}{n}": slowly(f"{A}{n + 1}") for n in range(4)}
    outcome = asyncio.run(_fetched({**hops, f"{A}4": PAGE}, f"{A}0", deadline=1.0))
    assert isinstance(outcome, Failure) and outcome.why is Why.TIMEOUT


def test_cookies_are_not_kept() -> None:
    async def main() -> Server:
        flood = answer("<p>rain", *(f"Set-Cookie: c{n}={'x' * 100}" for n in range(300)))
        async with serving({A: flood, f"{A}b": PAGE}) as server, live(server) as web:
            assert isinstance(await web.fetch(A), Page)
            assert isinstance(await web.fetch(f"{A}b"), Page)
            return server

    assert all("cookie" not in request.headers for request in asyncio.run(main()).requests)


def test_a_server_that_lies_about_its_charset_is_read_all_the_same() -> None:
    page = fetched(answer("<title>café</title>".encode("latin-1"), "Content-Type: text/html; charset=utf-9"))
    assert isinstance(page, Page) and page.title == "café"


def test_what_failed_for_a_moment_is_asked_for_again() -> None:
    bad = answer("", status="502 Bad Gateway")
    assert isinstance(fetched([bad, bad, PAGE]), Page)


def test_every_hop_is_recorded_and_the_last_is_final() -> None:
    async def main() -> Notebook:
        book = Notebook()
        answers = {A: moved("/b"), f"{A}b": answer(gzip.compress(b"<p>rain"), "Content-Encoding: gzip")}
        async with serving(answers) as server, live(server, recorder=book) as web:
            assert isinstance(await web.fetch(A), Page)
        return book

    robots, first, last = asyncio.run(main()).exchanges
    assert (robots.link_url, robots.url, robots.status) == ("", f"{A}robots.txt", 404)
    assert (first.link_url, first.url, first.status, first.final) == (A, A, 302, False)
    assert (last.link_url, last.url, last.status, last.final) == (A, f"{A}b", 200, True)
    assert (gzip.decompress(last.body), last.decoded, last.peer) == (b"<p>rain", 7, "127.0.0.1")
    assert last.request.startswith(b"GET /b HTTP/1.1\r\nHost: a.example\r\n")
    assert b"\r\nUser-Agent: fcwseo/test\r\n" in last.request
    assert last.response.startswith(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html\r\n"
    )


# A crawl among them


def peak(process: subprocess.Popen[str]) -> int:
    """The kilobytes of memory that a process had at most, when it has ended. What ``wait4`` says of it counts
    the memory of the process that started it, too.
    """
    most = 0
    while process.poll() is None:
        status = Path(f"/proc/{process.pid}/status").read_text()
        most = max([most, *map(int, re.findall(r"VmHWM:\s*(\d+)", status))])
        time.sleep(0.05)
    return most


def test_a_crawl_finds_all_pages_of_the_good_hosts(tmp_path: Path) -> None:
    """All cases, traps and 200 virtual hosts at once: each hostile host fails as it should, and takes nothing
    from the others.
    """
    hostile = [f"{host_of(name)}/" for name in CASES]
    starts = [f"http://h{n}.good.example/0" for n in range(200)]
    (tmp_path / "seeds").write_text("\n".join([*hostile, "http://deep.trap.example/", *starts]))
    (tmp_path / "topic.json").write_text('{"name": "rain", "weights": {"rain": 1.0}}')
    files = ("--seeds", tmp_path / "seeds", "--topic", tmp_path / "topic.json", "--out", tmp_path / "run")
    numbers = ("--max-pages", "5000", "--width", "20", "--delay", "0", "--strategy", "bfs")
    with serving_apart(everything()) as server:
        where = ("--allow-private", "--connect-to", f"127.0.0.1:{server.port}")
        settings = environment(FCWSEO_LIVE__DEADLINE="10")
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": settings}
        process = start(["crawl", *files, *numbers, *where], **pipes)
        most = peak(process)
    rows = {row.url: row.outcome for row in read_visits(tmp_path / "run")}
    assert process.returncode == 0
    assert {rows.get(url) for url in good_hosts()} == {"page"}
    assert {name: rows.get(f"{host_of(name)}/") for name in CASES} == {
        name: str(case.why or "page") for name, case in CASES.items()
    }
    assert 0 < most < 400 << 10  # kilobytes


def test_a_calendar_that_says_the_same_each_day_is_left(tmp_path: Path) -> None:
    (tmp_path / "topic.json").write_text('{"name": "rain", "weights": {"rain": 1.0}}')
    topic = ("--topic", tmp_path / "topic.json", "--seeds", "http://days.trap.example/0")
    more = ("--max-pages", "500", "--delay", "0", "--strategy", "bfs", "--out", tmp_path / "run")
    with serving_apart(traps()) as server:
        code, _, said = run(
            "crawl", *topic, *more, "--allow-private", "--connect-to", f"127.0.0.1:{server.port}"
        )
    *pages, last = read_visits(tmp_path / "run")
    assert code == 0 and len(pages) == 30, said
    assert last.outcome == "refused" and "near-duplicates" in last.detail


# Parsers that stall

LONG = b"<p>" + b"<a href=/x>rain</a> " * 400_000


def test_a_page_that_stalls_its_parser_fails_alone() -> None:
    async def main() -> tuple[Page | Failure, Page | Failure]:
        async with Workers(1, seconds=0.0) as workers:
            long = await workers.parse(Job(LONG, A, "text/html", 200, ""))
            return long, await workers.parse(Job(b"<title>rain</title>", A, "text/html", 200, "noindex"))

    long, short = asyncio.run(main())
    assert isinstance(long, Failure) and long.why is Why.PARSE_TIMEOUT
    assert isinstance(short, Page) and (short.title, short.noindex) == ("rain", True)


def test_a_page_that_takes_too_much_memory_fails_alone() -> None:
    async def main() -> tuple[Page | Failure, Page | Failure]:
        async with Workers(1, memory=300 << 20) as workers:
            long = await workers.parse(Job(LONG, A, "text/html", 200, ""))
            return long, await workers.parse(Job(b"<title>rain</title>", A, "text/html", 200, ""))

    long, short = asyncio.run(main())
    assert isinstance(long, Failure) and long.why is Why.PARSE_TIMEOUT
    assert isinstance(short, Page)


@pytest.mark.parametrize("python", ["/bin/false", "/nowhere/python"])
def test_parsers_that_cannot_start_end_the_crawl_and_not_its_pages(
    monkeypatch: pytest.MonkeyPatch, python: str
) -> None:
    monkeypatch.setattr(sys, "executable", python)

    async def main() -> Page | Failure:
        async with Workers(1) as workers:
            return await workers.parse(Job(b"<title>rain</title>", A, "text/html", 200, ""))

    with pytest.raises(NoParser, match="does not start"):
        asyncio.run(main())


def test_workers_and_this_process_read_the_same() -> None:
    job = Job(PAGE, A, "text/html", 200, "nofollow")

    async def main() -> tuple[Page | Failure, Page | Failure]:
        async with Workers(1) as workers:
            return await workers.parse(job), await Here().parse(job)

    there, here = asyncio.run(main())
    assert there == here and isinstance(here, Page) and here.nofollow
