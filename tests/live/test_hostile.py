"""Servers that mean harm, or are broken: each ends within its deadline, with the right failure, and takes no
memory to speak of.
"""

import asyncio
import gzip
import os
import socket
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
import zstandard
from commands import environment, start
from servers import HTML, Here, Notebook, Server, answer, live, moved, serving, serving_apart

from fcwseo.live.workers import Job, NoParser, Workers
from fcwseo.pages import Failure, Page, Why
from fcwseo.runlog import read_visits

A = "http://a.example/"
PAGE = answer("<title>rain</title><p>It rained.")
BOMB = bytes(64 << 20)  # 64 MiB of nothing


def fetched(
    page: bytes | Callable[[asyncio.StreamWriter], Awaitable[None]] | list[bytes], **choices: Any
) -> Page | Failure:
    """What comes of fetching a page that answers so."""
    return asyncio.run(_fetched({A: page}, A, **choices))


async def _fetched(answers: dict[str, object], url: str, **choices: Any) -> Page | Failure:
    async with serving(answers) as server, live(server, **choices) as web:
        return await web.fetch(url)


async def drip(writer: asyncio.StreamWriter) -> None:
    writer.write(f"HTTP/1.1 200 OK\r\n{HTML}\r\n\r\n".encode())
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def drip_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-A: b\r\n")
        await writer.drain()
        await asyncio.sleep(0.05)


async def stall(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def stall_in_body(writer: asyncio.StreamWriter) -> None:
    writer.write(f"HTTP/1.1 200 OK\r\n{HTML}\r\nContent-Length: 100\r\n\r\nhalf".encode())
    await writer.drain()
    await asyncio.sleep(30)


async def reset(writer: asyncio.StreamWriter) -> None:
    handle = writer.get_extra_info("socket")
    handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def hang_up(writer: asyncio.StreamWriter) -> None:
    pass


async def endless_header(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX-A: ")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


async def endless_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X-A: b\r\n" * 5000)
        await writer.drain()


async def endless_body(writer: asyncio.StreamWriter) -> None:
    writer.write(f"HTTP/1.1 200 OK\r\n{HTML}\r\n\r\n".encode())
    while True:
        writer.write(b"rain " * 20000)
        await writer.drain()


async def endless_chunks(writer: asyncio.StreamWriter) -> None:
    writer.write(f"HTTP/1.1 200 OK\r\n{HTML}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
    while True:
        writer.write(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        await writer.drain()


def cut_short() -> bytes:
    return PAGE.replace(b"Content-Length: ", b"Content-Length: 9")


BROKEN = {
    "a drip": (drip, Why.TIMEOUT),
    "a drip of headers": (drip_headers, Why.TIMEOUT),
    "silence": (stall, Why.TIMEOUT),
    "silence in the body": (stall_in_body, Why.TIMEOUT),
    "a reset": (reset, Why.UNREACHABLE),
    "hanging up": (hang_up, Why.UNREACHABLE),
    "an endless header": (endless_header, Why.UNREACHABLE),
    "endless headers": (endless_headers, Why.UNREACHABLE),
    "an endless body": (endless_body, Why.TOO_LARGE),
    "endless chunks": (endless_chunks, Why.TOO_LARGE),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_never_ends_is_ended(name: str) -> None:
    speak, why = BROKEN[name]
    began = time.monotonic()
    outcome = fetched(speak, deadline=1.0)
    assert isinstance(outcome, Failure) and outcome.why is why
    assert time.monotonic() - began < 4


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


def test_a_body_shorter_than_it_says_is_no_page() -> None:
    outcome = fetched(cut_short(), deadline=1.0)
    assert isinstance(outcome, Failure) and outcome.why in (Why.TIMEOUT, Why.UNREACHABLE)


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(BOMB, 9),
    "deflate": lambda: zlib.compress(BOMB, 9),
    "br": lambda: brotli.compress(BOMB, quality=5),
    "zstd": lambda: zstandard.compress(BOMB),
    "gzip, gzip": lambda: gzip.compress(gzip.compress(BOMB, 9), 9),
}


@pytest.mark.parametrize("encoding", BOMBS)
def test_bombs_do_not_go_off(encoding: str) -> None:
    page = answer(BOMBS[encoding](), f"Content-Encoding: {encoding}")
    assert len(page) < 200_000
    began = time.process_time()
    outcome = fetched(page)
    assert isinstance(outcome, Failure) and outcome.why is Why.TOO_LARGE
    assert time.process_time() - began < 2


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


def test_the_deadline_is_that_of_all_redirects_together() -> None:
    async def slowly(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.4)
        writer.write(moved(f"{A}next"))
        await writer.drain()

    began = time.monotonic()
    outcome = asyncio.run(_fetched({A: slowly, f"{A}next": stall}, A, deadline=1.0))
    assert isinstance(outcome, Failure) and outcome.why is Why.TIMEOUT
    assert time.monotonic() - began < 1.5


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
    assert (robots.asked, robots.url, robots.status) == ("", f"{A}robots.txt", 404)
    assert (first.asked, first.url, first.status, first.final) == (A, A, 302, False)
    assert (last.asked, last.url, last.status, last.final) == (A, f"{A}b", 200, True)
    assert (gzip.decompress(last.body), last.decoded, last.peer) == (b"<p>rain", 7, "127.0.0.1")
    assert last.request.startswith(b"GET /b HTTP/1.1\r\nHost: a.example\r\n")
    assert b"\r\nUser-Agent: fcwseo/test\r\n" in last.request
    assert last.response.startswith(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html\r\n"
    )


# A crawl among them


def test_a_crawl_reaches_its_budget_on_the_good_hosts(tmp_path: Path) -> None:
    good = [f"http://good.example/{n}" for n in range(30)]
    hostile = {f"http://bad{n}.example/": speak for n, (speak, _) in enumerate(BROKEN.values())}
    loops = {"http://loop.example/": moved("http://loop.example/")}
    traps = {f"http://trap.example/{'x/' * n}": answer(f"<a href=/{'x/' * (n + 1)}>x</a>") for n in range(9)}
    pages = {url: answer(f"<title>rain {url}</title><a href={url[:-1]}>x</a>") for url in good}
    (tmp_path / "seeds").write_text("\n".join([*hostile, *loops, "http://trap.example/", *good]))
    (tmp_path / "topic.json").write_text('{"name": "rain", "weights": {"rain": 1.0}}')
    files = ("--seeds", tmp_path / "seeds", "--topic", tmp_path / "topic.json", "--out", tmp_path / "run")
    numbers = ("--max-pages", "30", "--width", "20", "--delay", "0", "--strategy", "bfs")
    with serving_apart({**hostile, **loops, **traps, **pages}) as server:
        where = ("--allow-private", "--connect-to", f"127.0.0.1:{server.port}")
        settings = environment(FCWSEO_LIVE__DEADLINE="2")
        pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": settings}
        process = start(["crawl", *files, *numbers, *where], **pipes)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    rows = list(read_visits(tmp_path / "run"))
    assert process.returncode == 0 and sum(row.outcome == "page" for row in rows) == 30
    assert used.ru_maxrss < 400 << 10  # kilobytes


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


def test_parsers_that_cannot_start_end_the_crawl_and_not_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")

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
