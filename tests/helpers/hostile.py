"""Servers that mean harm, or are broken, in every way that we know. Each case is a host of its own.

``CASES`` says what a host answers and what a crawl must make of it; ``good_hosts`` are those among which the
hostile ones hide. As a program it serves all of them on loopback, for a crawl by hand:

    PYTHONPATH=tests python -m helpers.hostile 8080
    fcwseo crawl ... --allow-private --connect-to 127.0.0.1:8080 --seeds http://drip.hostile.example/
"""

import asyncio
import gzip
import socket
import struct
import sys
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

import brotli
import zstandard

from fcwseo.pages import Why
from helpers.servers import HTML, Server, answer, moved

PAGE = answer("<title>rain</title><p>It rained.")
BOMB = bytes(64 << 20)  # 64 MiB of nothing

# --- what servers say, and how ----------------------------------------------------------------------------


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


async def stall_in_header(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Ty")
    await writer.drain()
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


async def slowly(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(0.3)
    writer.write(PAGE)
    await writer.drain()


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(BOMB, 9),
    "deflate": lambda: zlib.compress(BOMB, 9),
    "br": lambda: brotli.compress(BOMB, quality=5),
    "zstd": lambda: zstandard.compress(BOMB),
    "gzip, gzip": lambda: gzip.compress(gzip.compress(BOMB, 9), 9),
}


def bomb(encoding: str) -> bytes:
    return answer(BOMBS[encoding](), f"Content-Encoding: {encoding}")


# --- the cases --------------------------------------------------------------------------------------------


class HostileCase(NamedTuple):
    """What the paths of a host answer, and what is to come of asking for ``/``; None is a page."""

    why: Why | None
    answers: Callable[[], dict[str, Any]]


def at_root(said: Any, why: Why | None) -> HostileCase:
    return HostileCase(why, lambda: {"/": said})


def robots(said: Any, why: Why | None) -> HostileCase:
    return HostileCase(why, lambda: {"/": PAGE, "/robots.txt": said})


def rules(text: str | bytes, *, status: str = "200 OK") -> bytes:
    return answer(text, "Content-Type: text/plain", status=status)


def packed_rules() -> bytes:
    """Rules that are followed by nothing, and much of it."""
    body = gzip.compress(b"User-agent: *\nDisallow: /\n" + BOMB, 9)
    return answer(body, "Content-Type: text/plain", "Content-Encoding: gzip")


def chain(hops: int) -> dict[str, Any]:
    """So many redirects to a page."""
    return {f"/{n}" if n else "/": moved(f"/{n + 1}") for n in range(hops)} | {f"/{hops}": PAGE}


_COOKIES = [f"Set-Cookie: c{n}={'x' * 100}" for n in range(300)]

CASES: dict[str, HostileCase] = {
    "drip": at_root(drip, Why.TIMEOUT),
    "drip-headers": at_root(drip_headers, Why.TIMEOUT),
    "silence": at_root(stall, Why.TIMEOUT),
    "silence-in-header": at_root(stall_in_header, Why.TIMEOUT),
    "silence-in-body": at_root(stall_in_body, Why.TIMEOUT),
    "reset": at_root(reset, Why.UNREACHABLE),
    "hang-up": at_root(hang_up, Why.UNREACHABLE),
    "endless-header": at_root(endless_header, Why.UNREACHABLE),
    "endless-headers": at_root(endless_headers, Why.UNREACHABLE),
    "large-header": at_root(answer("", "X-Big: " + "x" * 70_000), Why.UNREADABLE),
    "endless-body": at_root(endless_body, Why.TOO_LARGE),
    "endless-chunks": at_root(endless_chunks, Why.TOO_LARGE),
    "too-short": at_root(PAGE.replace(b"Content-Length: ", b"Content-Length: 9"), Why.TIMEOUT),
    "two-lengths": at_root(answer("rain", "Content-Length: 3"), Why.UNREACHABLE),
    "no-http": at_root(b"\x00\x01\x02\x03" * 50, Why.UNREACHABLE),
    "loop": at_root(moved("/"), Why.REDIRECTS),
    "circle": HostileCase(Why.REDIRECTS, lambda: {"/": moved("/a"), "/a": moved("/b"), "/b": moved("/a")}),
    "ten-hops": HostileCase(None, lambda: chain(10)),
    "many-hops": HostileCase(Why.REDIRECTS, lambda: chain(300)),
    "to-file": at_root(moved("file:///etc/passwd"), Why.REFUSED),
    "bomb-gzip": HostileCase(Why.TOO_LARGE, lambda: {"/": bomb("gzip")}),
    "bomb-deflate": HostileCase(Why.TOO_LARGE, lambda: {"/": bomb("deflate")}),
    "bomb-br": HostileCase(Why.TOO_LARGE, lambda: {"/": bomb("br")}),
    "bomb-zstd": HostileCase(Why.TOO_LARGE, lambda: {"/": bomb("zstd")}),
    "bomb-in-bomb": HostileCase(Why.TOO_LARGE, lambda: {"/": bomb("gzip, gzip")}),
    "cookies": at_root(answer("<title>rain</title>", *_COOKIES), None),
    "no-such-charset": at_root(answer("<title>rain</title>", "Content-Type: text/html; charset=utf-9"), None),
    "other-charset": at_root(
        answer("<title>暴雨</title>".encode("gb18030"), "Content-Type: text/html; charset=utf-8"), None
    ),
    "picture": at_root(answer(b"\x89PNG\r\n", "Content-Type: image/png"), Why.NOT_HTML),
    "errors": at_root(answer("", status="500 Oh"), Why.SERVER_ERROR),
    "bursts": HostileCase(
        None, lambda: {"/": [answer("", status="500 Oh"), answer("", status="502 Oh"), PAGE]}
    ),
    "busy": at_root(answer("", "Retry-After: 3600", status="503 Busy"), Why.DEFERRED),
    "too-many": at_root(answer("", "Retry-After: 3600", status="429 Slow down"), Why.DEFERRED),
    "slow": at_root(slowly, None),
    "robots-forbid": robots(rules("User-agent: *\nDisallow: /"), Why.ROBOTS),
    "robots-with-mark": robots(rules(b"\xef\xbb\xbfUser-agent: *\nDisallow: /"), Why.ROBOTS),
    "robots-fail": robots(rules("", status="500 Oh"), Why.ROBOTS),
    "robots-silent": robots(stall, Why.ROBOTS),
    "robots-reset": robots(reset, Why.ROBOTS),
    "robots-gone": robots(rules("no", status="404 Not Found"), None),
    "robots-loop": robots(moved("/robots.txt"), None),
    "robots-huge": robots(rules("User-agent: *\nDisallow: /\n" + "# rain\n" * 1_600_000), Why.ROBOTS),
    "robots-bomb": HostileCase(Why.ROBOTS, lambda: {"/": PAGE, "/robots.txt": packed_rules()}),
    "robots-page": robots(PAGE, None),
    "robots-in-years": robots(rules("User-agent: *\nCrawl-delay: 99999999"), Why.DEFERRED),
}


def host_of(name: str) -> str:
    return f"http://{name}.hostile.example"


def traps() -> dict[str, Any]:
    """Hosts that never end: folders in folders, and a calendar whose days all say the same."""
    deep = {
        f"http://deep.trap.example/{'x/' * n}": answer(f"<a href=/{'x/' * (n + 1)}>x</a>") for n in range(30)
    }
    day = "Nothing is known of this day, as of all other days of this calendar, which goes on and on, " * 5
    days = {
        f"http://days.trap.example/{n}": answer(f"<title>Day {n}</title><p>{day} <a href=/{n + 1}>next</a>")
        for n in range(1000)
    }
    return deep | days


def good_hosts(count: int = 200, pages: int = 3) -> dict[str, Any]:
    """Virtual hosts that are as they should be."""
    return {
        f"http://h{host}.good.example/{page}": answer(
            f"<title>rain {host} {page}</title><p>Page {page} of host {host}. <a href=/{page + 1}>rain</a>"
        )
        for host in range(count)
        for page in range(pages)
    }


def everything() -> dict[str, Any]:
    """The answers of all hosts, hostile and good."""
    hostile = {
        f"{host_of(name)}{path}": said
        for name, case in CASES.items()
        for path, said in case.answers().items()
    }
    return hostile | traps() | good_hosts()


async def main(port: int) -> None:
    listening = await asyncio.start_server(Server(everything()).handle, "127.0.0.1", port)
    for name, case in CASES.items():
        print(f"{host_of(name)}/  # {case.why or 'a page'}")
    async with listening:
        await listening.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
