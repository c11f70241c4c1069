"""Many slow hosts and few slots: the rate of requests as a share of the rate that the pauses allow.

A server in a separate process serves virtual hosts on loopback and logs the time of each request. With a
pause of ``--delay`` seconds, each of ``--hosts`` hosts accepts 1 / delay requests per second: that is the
ideal. The strategy, breadth first, ignores turns, so sixteen widths of links may be chosen before theirs. It
also prints the shortest pause of any host, the CPU time of a page, and the memory of the crawl and its
parsers at page 2,000 and at page 20,000, or at the end.

    python benchmarks/politeness.py [--hosts 200] [--delay 1] [--width 64] [--seconds 30]
    python benchmarks/politeness.py --delay 0.01 --latency 0 --seconds 600 --pages 20000    # for the memory
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.live.web import LiveWeb
from fcwseo_ontology.topic import topic_of_words

_PAGES = 100_000  # of each host
_WORDS = "heavy rain brought a flood to the valley and the river rose by two metres in one night".split()


def serve(hosts: int, latency: float, pipe: Connection) -> None:
    asyncio.run(_serve(hosts, latency, pipe))


async def _serve(hosts: int, latency: float, pipe: Connection) -> None:
    seen: list[tuple[float, str]] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                path = line.split()[1].decode()
                host = ""
                while (header := await reader.readline()) not in (b"\r\n", b""):
                    if header.lower().startswith(b"host:"):
                        host = header.split(b":", 1)[1].strip().decode()
                seen.append((time.monotonic(), host))
                await asyncio.sleep(latency)
                status, body = (
                    (404, b"") if path == "/robots.txt" else (200, page(hosts, host, path).encode())
                )
                head = (
                    f"HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
                )
                writer.write(head.encode() + body)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    pipe.send(server.sockets[0].getsockname()[1])
    while not pipe.poll():  # noqa: ASYNC110 (another process sets it)
        await asyncio.sleep(0.05)
    pipe.send((seen, time.process_time()))


def page(hosts: int, host: str, path: str) -> str:
    """Each page leads to the next of its host, and to the same number on two others."""
    number = int(path.strip("/") or 0)
    own = int(host.removeprefix("h").removesuffix(".example"))
    there = [(own, number + 1), (own, number + 2), *(((own * k + k) % hosts, number) for k in (2, 3))]
    links = "".join(f"<a href='http://h{h}.example/{n % _PAGES}'>rain {n}</a> " for h, n in there)
    words = Random(f"{host}{path}").choices(_WORDS, k=340)  # near-duplicates would be treated as a trap
    lines = (" ".join(words[start : start + 17]) for start in range(0, 340, 17))
    text = "".join(f"<p>{line}.</p>" for line in lines)
    return f"<title>{host} {number}</title>{text}{links}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--pages", type=int, default=10**6, help="also stop after this many pages")
    parser.add_argument("--latency", type=float, default=0.02)
    parser.add_argument("--strategy", default="bfs")
    parser.add_argument("--eta", type=float, default=1.0, help="relevance from which pages are kept")
    given = parser.parse_args()
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=serve, args=(given.hosts, given.latency, theirs), daemon=True
    )
    process.start()
    port = ours.recv()
    out = Path(tempfile.mkdtemp())
    memory: dict[int, int] = {}  # by the number of pages

    def look(run: RunDirectory, web: LiveWeb) -> None:
        memory[len(run.harvest)] = _resident()

    live = LiveSettings(
        allow_private=True,
        connect_to=f"127.0.0.1:{port}",
        delay=given.delay,
        max_time=str(given.seconds),
        waiting=16 * given.width,
    )
    topic = topic_of_words("rain", {"rain": 1.0, "flood": 0.8})
    seeds = [f"http://h{number}.example/0" for number in range(given.hosts)]
    began = time.process_time()
    result = run_live(
        live,
        topic,
        seeds,
        out / "run",
        Plan(max_pages=given.pages, strategy=given.strategy, width=given.width, eta=given.eta),
        progress=look,
    )
    cpu = {"crawler": time.process_time() - began, "parsers": _of_children()}
    ours.send("end")
    seen, cpu["server"] = ours.recv()
    shutil.rmtree(out)
    print(json.dumps(_measured(given, seen, result.counts["pages"], cpu, memory), indent=1))


def _resident() -> int:
    """Bytes of this process and its children, except the server."""
    own = os.getpid()
    children = [int(pid) for pid in Path(f"/proc/{own}/task/{own}/children").read_text().split()]
    servers = {process.pid for process in multiprocessing.active_children()}
    pids = [own, *(pid for pid in children if pid not in servers)]
    files = [Path(f"/proc/{pid}/statm").read_text().split() for pid in pids]
    return sum(int(fields[1]) for fields in files if fields) * resource.getpagesize()


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _measured(
    given: argparse.Namespace,
    seen: list[tuple[float, str]],
    pages: int,
    cpu: dict[str, float],
    memory: dict[int, int],
) -> dict[str, object]:
    """The rate without the first seconds, in which robots.txt files are read and connections made."""
    start, end = seen[0][0] + 5 * given.delay, seen[0][0] + given.seconds - given.delay
    counted = sum(start <= at < end for at, _ in seen)
    by_host: defaultdict[str, list[float]] = defaultdict(list)
    for at, host in seen:
        by_host[host].append(at)
    gaps = [b - a for times in by_host.values() for a, b in pairwise(times)]
    ideal = given.hosts / given.delay
    return {
        "pages": pages,
        "requests per second": round(counted / (end - start), 1),
        "ideal": ideal,
        "of the ideal": round(counted / (end - start) / ideal, 3),
        "shortest pause": round(min(gaps), 4),
        "CPU ms per page": {name: round(1000 * spent / max(1, pages), 2) for name, spent in cpu.items()},
        "MB at page": {at: round(memory[at] / 1e6) for at in _near(memory, (200, 2_000, 20_000))},
        "load": os.getloadavg()[0],
    }


def _near(memory: dict[int, int], wanted: Sequence[int]) -> list[int]:
    """The measurements of memory nearest to these numbers of pages."""
    return sorted({min(memory, key=lambda at: abs(at - number)) for number in wanted})


if __name__ == "__main__":
    main()
