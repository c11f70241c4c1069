"""Real servers on loopback for the tests of the live web, friendly and hostile.

A server answers by host and path, and writes down what it was asked and when. Hosts are virtual: the client
dials the server whatever the name.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fcwseo.live.client import Client
from fcwseo.live.guards import GuardedBackend, Resolver
from fcwseo.live.parsers import Job, page_in
from fcwseo.live.politeness import Politeness
from fcwseo.live.robots import Robots
from fcwseo.live.slots import Slots
from fcwseo.live.web import LiveWeb
from fcwseo.pages import Failure, Page, Why
from fcwseo.webs.warc.exchange import Exchange

HTML = "Content-Type: text/html"
Speak = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Request:
    at: float
    host: str
    path: str
    headers: dict[str, str]

    @property
    def url(self) -> str:
        return f"http://{self.host}{self.path}"


def answer(body: str | bytes = "", *headers: str, status: str = "200 OK") -> bytes:
    """A whole answer, as it goes over the wire; HTML unless its headers say otherwise.

    >>> answer("rain", status="404 Not Found").splitlines()[0]
    b'HTTP/1.1 404 Not Found'
    """
    data = body.encode() if isinstance(body, str) else body
    typed = any(header.lower().startswith("content-type") for header in headers)
    lines = [f"HTTP/1.1 {status}", *headers, *(() if typed else (HTML,)), f"Content-Length: {len(data)}"]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data


def moved(to: str, status: str = "302 Found") -> bytes:
    return answer("", f"Location: {to}", status=status)


GONE = answer("no such page", status="404 Not Found")


class Server:
    """Answers by URL: bytes, a coroutine that writes what it likes, or several answers, one after the other.

    What is not among them is gone.
    """

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.answers = dict(answers)
        self.requests: list[Request] = []
        self.port = 0

    def asked(self, *, robots: bool = False) -> list[str]:
        """What was asked for, in order, with or without robots.txt."""
        return [request.url for request in self.requests if robots or request.path != "/robots.txt"]

    def times(self, host: str) -> list[float]:
        return [request.at for request in self.requests if request.host == host]

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                headers: dict[str, str] = {}
                while (header := await reader.readline()).strip():
                    name, _, value = header.decode("latin-1").partition(":")
                    headers[name.lower()] = value.strip()
                path = line.split()[1].decode("latin-1")
                request = Request(time.monotonic(), headers.get("host", ""), path, headers)
                self.requests.append(request)
                await self._speak(request, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client went away, or the test is over
        finally:
            writer.close()

    async def _speak(self, request: Request, writer: asyncio.StreamWriter) -> None:
        found = self.answers.get(request.url, GONE)
        if isinstance(found, list):
            found = found.pop(0) if len(found) > 1 else found[0]
        if isinstance(found, bytes):
            writer.write(found)
            await writer.drain()
        else:
            await found(writer)
            writer.close()


@asynccontextmanager
async def serving(answers: Mapping[str, Any]) -> AsyncIterator[Server]:
    server = Server(answers)
    listening = await asyncio.start_server(server.handle, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()


@contextmanager
def serving_apart(answers: Mapping[str, Any]) -> Iterator[Server]:
    """The same in a thread of its own, for crawls that have a loop of their own."""
    server = Server(answers)
    ready, done = threading.Event(), threading.Event()

    async def listen() -> None:
        listening = await asyncio.start_server(server.handle, "127.0.0.1", 0)
        server.port = listening.sockets[0].getsockname()[1]
        ready.set()
        while not done.is_set():  # noqa: ASYNC110 (another thread sets it)
            await asyncio.sleep(0.01)
        listening.close()

    thread = threading.Thread(target=asyncio.run, args=(listen(),))
    thread.start()
    ready.wait()
    try:
        yield server
    finally:
        done.set()
        thread.join()


class Here:
    """A parser in this process: most pages of most tests stall nobody."""

    async def __aenter__(self) -> None:
        pass

    async def __aexit__(self, *error: object) -> None:
        pass

    async def parse(self, job: Job) -> Page | Failure:
        return page_in(job) or Failure(job.url, Why.NOT_HTML, "does not look like a page")


class Notebook:
    """A recorder that keeps the exchanges in a list."""

    def __init__(self) -> None:
        self.exchanges: list[Exchange] = []

    def record(self, exchange: Exchange) -> None:
        self.exchanges.append(exchange)


@asynccontextmanager
async def live(
    server: Server,
    *,
    delay: float = 0.0,
    address_delay: float = 0.0,
    ceiling: float = 60.0,
    private: bool = True,
    robots: Robots | None = None,
    folder: Path | None = None,
    slots: int = 100,
    dial: bool = True,
    lookup: Callable[[str], Awaitable[list[str]]] | None = None,
    **choices: Any,
) -> AsyncIterator[LiveWeb]:
    """The live web, except that every host is the server, and nothing waits longer than a test may."""
    resolver = Resolver(private=private, lookup=lookup)
    there = ("127.0.0.1", server.port) if dial else None
    client = Client(
        GuardedBackend(resolver, connect_to=there),
        agent="fcwseo/test",
        plain=dial,
        trusted=choices.pop("trusted", None),
    )
    given = Slots()
    given.limit(slots)
    workers = choices.pop("workers", None) or Here()
    web = LiveWeb(
        client,
        resolver,
        slots=given,
        politeness=Politeness(delay=delay, address_delay=address_delay, ceiling=ceiling),
        robots=robots or Robots(folder / "robots.jsonl" if folder else None),
        workers=workers,
        **{"one_address": dial, "deadline": 5.0, "backoff": 0.01, **choices},
    )
    async with web:
        yield web
