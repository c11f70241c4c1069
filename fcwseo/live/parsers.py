"""Parses pages in processes that can be killed, so that no page blocks a crawl or exhausts its memory.

Each page has limits of CPU seconds, which the kernel counts, and of memory. A worker that exceeds them dies,
its page is a ``Failure``, and a new worker replaces it.
"""

import asyncio
import resource
import signal
import sys
import traceback
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from types import TracebackType
from typing import BinaryIO, Protocol, Self

import msgspec
from msgspec import Struct
from selectolax.lexbor import SelectolaxError

from fcwseo.errors import NoParser
from fcwseo.live.unexpected import ParserError, place_of
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.charset import decode
from fcwseo.pages.extractors import Extracted, extract
from fcwseo.pages.responses import read_page

_PATIENCE = 6  # limit of wall time: a multiple of the CPU seconds, since machines may be busy,
_SLACK = 20.0  # plus these seconds,
_START = 60.0  # plus these seconds for a new process
_TRIES = 3  # parses of a page whose process is killed from outside
_KILLED = tuple(-number for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
_ENDING = 0.2  # seconds in which a process that closed its output ends
_STARTS = 3  # tries to start a process,
_BEFORE_START = 0.5  # and seconds between them
_LENGTH = 8  # bytes
_READY = b"fcwseo\n"  # the first message of a process


class Job(Struct, frozen=True, tag="page"):
    """A page to parse."""

    body: bytes
    url: str
    content_type: str
    status: int
    robots_tag: str


class TextJob(Struct, frozen=True, tag="text"):
    """A page whose text is to be extracted as Markdown."""

    body: bytes
    url: str
    content_type: str


class Reply(Struct, frozen=True):
    """The page or the text of a job, None if there is none; or the place and the traceback of an unexpected
    error.
    """

    page: Page | None = None
    text: Extracted | None = None
    place: str = ""
    trace: str = ""


class Parser(Protocol):
    """Parses responses to pages."""

    async def parse(self, job: Job) -> Page | Failure: ...
    async def __aenter__(self) -> object: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Workers:
    """A pool of parser processes, started on demand."""

    def __init__(self, count: int = 2, *, seconds: float = 10.0, memory: int = 1 << 30) -> None:
        self.count = count
        self._seconds = seconds
        self._memory = memory
        self._idle: asyncio.Queue[Process | None] = asyncio.Queue()
        for _ in range(count):
            self._idle.put_nowait(None)
        self._alive: dict[int, Process] = {}
        self._starting: set[asyncio.Task[Process]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.gather(*self._starting, return_exceptions=True)
        for process in list(self._alive.values()):
            await self._end(process)

    async def parse(self, job: Job) -> Page | Failure:
        """The page of a job, or a failure. If somebody else kills the process, the page is parsed again.

        Raises ``ParserError`` if the parser raised an unexpected error.
        """
        reply = await self._reply(job)
        if isinstance(reply, Failure):
            return reply
        if reply.place:
            raise ParserError(reply.place, reply.trace)
        return reply.page or Failure(job.url, Why.NOT_HTML, "does not look like a page")

    async def extract(self, job: TextJob) -> Extracted | Failure:
        """The text of a job, or a failure, also if the library raised an error."""
        reply = await self._reply(job)
        if isinstance(reply, Failure):
            return reply
        if reply.place:
            return Failure(job.url, Why.INTERNAL, reply.place)
        return reply.text or Failure(job.url, Why.NOT_HTML, "has no main text")

    async def _reply(self, job: Job | TextJob) -> Reply | Failure:
        """The reply of a process; if it was killed, that of another one, and of a third."""
        for _ in range(_TRIES):
            reply = await self._ask(job)
            if not isinstance(reply, Failure) or reply.why is not Why.KILLED:
                break
        return reply

    async def _ask(self, job: Job | TextJob) -> Reply | Failure:
        process = await self._idle.get()
        try:
            if process is None or process.returncode is not None:
                process = await self._started()
            async with asyncio.timeout(self._seconds * _PATIENCE + _SLACK):
                answer = await _ask(process, msgspec.msgpack.encode(job))
        except (TimeoutError, OSError, asyncio.IncompleteReadError):
            code = None if process is None else await self._fate(process)
            process = None
            if code in _KILLED:
                return Failure(job.url, Why.KILLED, f"the parser process was killed {_TRIES} times")
            return Failure(job.url, Why.PARSE_TIMEOUT, f"more than {self._seconds:g} s, or too much memory")
        except asyncio.CancelledError:
            if process is not None:
                await asyncio.shield(self._end(process))
            process = None
            raise
        finally:
            self._idle.put_nowait(process)
        return msgspec.msgpack.decode(answer, type=Reply)

    async def _started(self) -> Process:
        """A new process; a start that failed is repeated."""
        for _ in range(_STARTS - 1):
            try:
                return await self._start_whole()
            except NoParser:
                await asyncio.sleep(_BEFORE_START)
        return await self._start_whole()

    async def _start_whole(self) -> Process:
        """A new process. The start goes on if this is cancelled, so that the process can be ended."""
        starting = asyncio.create_task(self._start())
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        return await asyncio.shield(starting)

    async def _start(self) -> Process:
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "fcwseo.live.parsers"),
                *(str(self._seconds), str(self._memory)),
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                start_new_session=True,  # Ctrl-C is for the crawl, which stops its workers itself
            )
            self._alive[process.pid] = process
            assert process.stdout is not None
            async with asyncio.timeout(_START):
                await process.stdout.readexactly(len(_READY))
        except (OSError, asyncio.IncompleteReadError) as error:  # a timeout is an OSError, too
            raise NoParser(
                "a parser process does not start (no memory, or a broken installation?): "
                f"'{sys.executable} -m fcwseo.live.parsers 10 {self._memory}' shows why"
            ) from error
        return process

    async def _fate(self, process: Process) -> int | None:
        """How a process ended that does not answer; None if it had to be ended."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_ENDING):
                await process.wait()
        code = process.returncode
        await self._end(process)
        return code

    async def _end(self, process: Process) -> None:
        self._alive.pop(process.pid, None)
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _ask(process: Process, message: bytes) -> bytes:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(len(message).to_bytes(_LENGTH) + message)
    await process.stdin.drain()
    length = int.from_bytes(await process.stdout.readexactly(_LENGTH))
    return await process.stdout.readexactly(length)


def page_in(job: Job) -> Page | None:
    """Parse a job in this process."""
    return read_page(
        job.body, job.url, content_type=job.content_type, status=job.status, robots_tag=job.robots_tag
    )


# --- inside the process -----------------------------------------------------------------------------------


def work(jobs: BinaryIO, pages: BinaryIO, *, seconds: float, memory: int) -> None:
    """Parse jobs until the input ends."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (memory, hard))
    decoder: msgspec.msgpack.Decoder[Job | TextJob] = msgspec.msgpack.Decoder(Job | TextJob)
    encoder = msgspec.msgpack.Encoder()
    pages.write(_READY)
    pages.flush()
    while head := jobs.read(_LENGTH):
        job = decoder.decode(jobs.read(int.from_bytes(head)))
        _limit_cpu(seconds)
        answer = encoder.encode(_reply(job))
        pages.write(len(answer).to_bytes(_LENGTH) + answer)
        pages.flush()


def _reply(job: Job | TextJob) -> Reply:
    try:
        if isinstance(job, TextJob):
            return Reply(text=extract(decode(job.body, job.content_type), job.url))
        return Reply(page_in(job))
    except (MemoryError, SelectolaxError):  # the process ends: selectolax had no memory, either
        raise
    except Exception as error:
        return Reply(place=place_of(error), trace=traceback.format_exc())


def _limit_cpu(seconds: float) -> None:
    """Limit the CPU seconds from now on; the kernel kills a process that exceeds them."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 1, hard))


def main() -> None:
    """Run a parser process: jobs on stdin, pages on stdout."""
    try:
        work(sys.stdin.buffer, sys.stdout.buffer, seconds=float(sys.argv[1]), memory=int(sys.argv[2]))
    except (MemoryError, BrokenPipeError):
        sys.exit(1)


if __name__ == "__main__":
    main()
