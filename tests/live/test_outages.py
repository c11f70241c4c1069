"""Outages of our own network, a stopped process, too many open files, killed parsers: no page is lost."""

import asyncio
import resource
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import environment, finish, start
from helpers.runs import log
from helpers.servers import Server, answer, live, serving, serving_apart

from fcwseo.live.guards import Resolver, UnknownHost
from fcwseo.live.outages import Outages
from fcwseo.live.parsers import Job, Workers
from fcwseo.pages import Failure, Page, Why

A = "http://a.example/"
PAGE = answer("<title>rain</title><p>It rained all day.")


def quick(probe: Callable[[str], Awaitable[bool]]) -> Outages:
    """Outages with pauses that a test has the time for."""
    return Outages(probe, first=0.02, longest=0.1, patience=0.5)


class Network:
    """A switch in front of a server: off, it drops each connection without an answer."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.is_on = True
        self.tried = 0
        self._answers = answers

    def answers(self) -> dict[str, Any]:
        async def speak(writer: asyncio.StreamWriter, said: bytes) -> None:
            self.tried += 1
            if self.is_on:
                writer.write(said)
                await writer.drain()

        def speaking(said: bytes) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
            return lambda writer: speak(writer, said)

        hosts = {"/".join(url.split("/", 3)[:3]) for url in self._answers}
        robots = {f"{host}/robots.txt": answer("", status="404 Not Found") for host in hosts}
        return {url: speaking(said) for url, said in (robots | self._answers).items()}

    async def off(self, seconds: float) -> None:
        self.is_on = False
        await asyncio.sleep(seconds)
        self.is_on = True


def sites(count: int, pages: int = 1) -> list[str]:
    return [f"http://h{host}.example/{page}" for host in range(count) for page in range(pages)]


def test_an_outage_costs_no_page_and_few_requests() -> None:
    """Fifty hosts; the network drops connections for two seconds."""
    urls = sites(50, 2)

    async def main() -> tuple[list[Page | Failure], int, str]:
        network = Network(dict.fromkeys(urls, PAGE))
        async with (
            serving(network.answers()) as server,
            live(server, delay=0.01, outages=quick, deadline=2.0) as web,
        ):
            first = [await web.fetch(url) for url in urls[:3]]
            outage = asyncio.create_task(network.off(2.0))
            rest = [asyncio.create_task(web.fetch(url)) for url in urls[3:]]
            await asyncio.sleep(1.0)
            said, tried = web.why_waiting(), network.tried
            await asyncio.sleep(0.5)
            tried = network.tried - tried
            found = first + [await task for task in rest]
            await outage
            return found, tried, said

    found, tried, said = asyncio.run(main())
    assert [type(outcome) for outcome in found] == [Page] * len(urls)
    assert said.startswith("no host answers for ") and tried <= 15


def test_a_host_that_is_down_alone_is_at_fault() -> None:
    async def main() -> tuple[Page | Failure, Page | Failure]:
        network = Network({f"{A}1": PAGE, "http://dead.example/": PAGE})
        answers = network.answers()

        async def nothing(writer: asyncio.StreamWriter) -> None:
            pass

        answers["http://dead.example/"] = nothing
        async with serving(answers) as server, live(server, outages=quick) as web:
            return await web.fetch(f"{A}1"), await web.fetch("http://dead.example/")

    good, dead = asyncio.run(main())
    assert isinstance(good, Page)
    assert isinstance(dead, Failure) and dead.why is Why.UNREACHABLE


def test_if_nobody_ever_answered_nobody_is_waited_for_long() -> None:
    async def main() -> tuple[Page | Failure, float]:
        begun = time.monotonic()
        async with live(Server({}), outages=quick) as web:  # port 0
            return await web.fetch(A), time.monotonic() - begun

    outcome, seconds = asyncio.run(main())
    assert isinstance(outcome, Failure) and outcome.why is Why.ROBOTS and seconds < 10


@pytest.mark.parametrize(("error", "waits"), [(socket.EAI_AGAIN, True), (socket.EAI_NONAME, False)])
def test_a_name_server_that_fails_for_now_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, error: int, waits: bool
) -> None:
    """EAI_AGAIN is no answer, and EAI_NONAME is one."""
    urls = sites(20)
    asked: list[str] = []

    async def main() -> list[Page | Failure]:
        with_network = asyncio.Event()
        with_network.set()

        async def lookup(name: str) -> list[str]:
            asked.append(name)
            if not with_network.is_set() or (not waits and name == "h7.example"):
                raise UnknownHost(f"{name} has no IP address", is_temporary=error == socket.EAI_AGAIN)
            return ["127.0.0.1"]

        async with serving({}) as server:
            pages = [url.replace(".example", f".example:{server.port}") for url in urls]
            server.answers = dict.fromkeys(pages, PAGE)
            async with live(server, dial=False, lookup=lookup, outages=quick) as web:
                first = await web.fetch(pages[0])
                if waits:
                    with_network.clear()
                    asyncio.get_running_loop().call_later(0.7, with_network.set)
                return [first, *await asyncio.gather(*(web.fetch(url) for url in pages[1:]))]

    found = asyncio.run(main())
    lost = [outcome.url for outcome in found if isinstance(outcome, Failure)]
    assert len(lost) == (0 if waits else 1)
    if not waits:
        assert Counter(asked)["h7.example"] <= 4


def test_the_errors_of_the_name_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async def failing(error: int) -> bool:
        def ask(*given: Any, **more: Any) -> Any:
            raise socket.gaierror(error, "a failure")

        monkeypatch.setattr(socket, "getaddrinfo", ask)
        with pytest.raises(UnknownHost) as caught:
            await Resolver()("a.example")
        return caught.value.is_temporary

    assert asyncio.run(failing(socket.EAI_AGAIN)) is True
    assert asyncio.run(failing(socket.EAI_NONAME)) is False


# The object itself, on a clock of its own


def test_a_verdict_waits_for_an_answer_and_probes_with_growing_pauses() -> None:
    async def main() -> tuple[bool, list[str], float]:
        probed: list[str] = []
        times: list[float] = []

        async def probe(origin: str) -> bool:
            probed.append(origin)
            times.append(time.monotonic())
            return len(probed) > 5

        outages = Outages(probe, first=0.02, longest=0.08)
        for number in range(20):
            outages.is_good(f"http://h{number}.example")
        began = time.monotonic()
        found = await asyncio.gather(*(outages.is_ours(f"http://x{n}.example", began) for n in range(30)))
        await outages.close()
        return all(found), probed, times[-1] - times[-2]

    ours, probed, last = asyncio.run(main())
    assert ours and len(probed) == 6 and len(set(probed)) == 6, "one host after the other"
    assert last >= 0.08


def test_after_an_answer_of_somebody_the_host_is_at_fault_and_nobody_is_probed() -> None:
    async def main() -> bool:
        async def probe(origin: str) -> bool:
            raise AssertionError

        outages = Outages(probe)
        began = time.monotonic()
        outages.answered()
        return await outages.is_ours("http://b.example", began - 1)

    assert asyncio.run(main()) is False


def test_a_stop_of_the_process_is_seen_from_the_clock() -> None:
    async def main() -> list[bool]:
        now = [0.0]

        async def probe(origin: str) -> bool:
            return True

        outages = Outages(probe, now=lambda: now[0])
        outages.start()
        now[0] = 0.6
        before = outages.was_stopped_since(0.0)
        now[0] = 9.0
        found = [before, outages.was_stopped_since(0.5), outages.was_stopped_since(9.5)]
        await outages.close()
        return found

    assert asyncio.run(main()) == [False, True, False]


# Whole crawls


def crawl(server: Server, out: Path, *more: str) -> list[str | Path]:
    where = ("--connect-to", f"127.0.0.1:{server.port}", "--allow-private", "--strategy", "bfs")
    return ["crawl", "--topic", "rainstorm", "--out", out, "--max-pages", "1000", *where, *more]


def linked(hosts: int, pages: int) -> dict[str, bytes]:
    """Pages on many hosts; the first links to all."""
    urls = sites(hosts, pages)
    all_links = "".join(f"<a href={url}>rain</a>" for url in urls)
    return {url: answer(f"<p>rain {url}{all_links if url == urls[0] else ''}") for url in urls}


def visits(out: Path) -> int:
    try:
        return (out / "visits.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def wait_for(out: Path, count: int, process: "subprocess.Popen[str]") -> None:
    while visits(out) < count:
        assert process.poll() is None
        time.sleep(0.02)


@pytest.mark.slow
def test_a_process_that_was_stopped_loses_no_page(tmp_path: Path) -> None:
    out, pages = tmp_path / "run", linked(6, 8)

    async def slowly(writer: asyncio.StreamWriter, said: bytes) -> None:
        await asyncio.sleep(0.3)
        writer.write(said)
        await writer.drain()

    def slow(said: bytes) -> Callable[[asyncio.StreamWriter], Awaitable[None]]:
        return lambda writer: slowly(writer, said)

    with serving_apart({url: slow(said) for url, said in pages.items()}) as server:
        settings = environment(FCWSEO_LIVE__DEADLINE="3")
        command = crawl(server, out, "--seeds", sites(1)[0], "--delay", "0", "--width", "4")
        process = start(command, env=settings)
        wait_for(out, 8, process)
        process.send_signal(signal.SIGSTOP)
        time.sleep(5)
        process.send_signal(signal.SIGCONT)
        code, _, said = finish(process)
    assert code == 0, said
    assert Counter(row["outcome"] for row in log(out)) == {"page": 48}


@pytest.mark.slow
@pytest.mark.parametrize("limit", [64, 256])
def test_few_open_files_lose_no_page(tmp_path: Path, limit: int) -> None:
    out, pages = tmp_path / "run", linked(150, 1)

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    with serving_apart(pages) as server:
        command = crawl(server, out, "--seeds", sites(1)[0], "--delay", "0", "--width", "32")
        process = start(command, preexec_fn=few)
        code, _, said = finish(process)
    assert code == 0, said
    assert Counter(row["outcome"] for row in log(out)) == {"page": 150}


@pytest.mark.slow
def test_the_end_of_the_terminal_ends_a_crawl_in_order(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with serving_apart(linked(2, 60)) as server:
        process = start(crawl(server, out, "--seeds", sites(1)[0], "--delay", "0.1"))
        wait_for(out, 3, process)
        process.send_signal(signal.SIGHUP)
        code, _, said = finish(process)
    assert code == 11 and "stopped: interrupted" in said


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.02, 0.1, 0.2])
def test_two_interruptions_end_with_13_and_without_a_traceback(tmp_path: Path, pause: float) -> None:
    """Or more than two: a busy machine may deliver two of them as one."""
    out = tmp_path / "run"
    with serving_apart(linked(2, 60)) as server:
        process = start(crawl(server, out, "--seeds", sites(1)[0], "--delay", "0.3"))
        wait_for(out, 3, process)
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            time.sleep(pause)
        code, _, said = finish(process)
    assert "Traceback" not in said and "Exception ignored" not in said
    assert code == 13, said


# Parsers


DYING_PARSER = """
import os, signal
from pathlib import Path
from fcwseo.live import parsers

real = parsers.page_in

def page_in(job):
    killed = Path("KILLED")
    count = len(killed.read_text()) if killed.exists() else 0
    if count < TIMES:
        killed.write_text("x" * (count + 1))
        os.kill(os.getpid(), signal.SIGKILL)
    return real(job)

parsers.page_in = page_in
parsers.main()
"""


@pytest.mark.parametrize("times", [0, 1, 2, 3])
def test_a_page_whose_parser_is_killed_is_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    code = DYING_PARSER.replace("KILLED", str(tmp_path / "killed")).replace("TIMES", str(times))
    (tmp_path / "parser.py").write_text(code)
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} {tmp_path / 'parser.py'} 10 1073741824\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))

    async def main() -> Page | Failure:
        async with Workers(1) as workers:
            return await workers.parse(Job(b"<p>rain", A, "text/html", 200, ""))

    outcome = asyncio.run(main())
    if times < 3:
        assert isinstance(outcome, Page)
    else:
        assert outcome == Failure(A, Why.KILLED, "the parser process was killed 3 times")


def test_a_parser_that_fails_to_start_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    starts: list[int] = []
    real = asyncio.create_subprocess_exec

    async def flaky(*given: Any, **more: Any) -> Any:
        starts.append(1)
        if len(starts) < 3:
            raise OSError("no process")
        return await real(*given, **more)

    async def main() -> Page | Failure:
        monkeypatch.setattr(asyncio, "create_subprocess_exec", flaky)
        async with Workers(1) as workers:
            return await workers.parse(Job(b"<p>rain", A, "text/html", 200, ""))

    assert isinstance(asyncio.run(main()), Page) and len(starts) == 3


def test_a_host_that_never_answers_is_at_fault_though_other_hosts_answer_late() -> None:
    """Nothing else is requested any more, and the host that answered last answers the first probe late."""
    probed: list[str] = []

    async def probe(origin: str) -> bool:
        probed.append(origin)
        return origin == "http://good.example" and len(probed) > 1

    async def main() -> list[bool]:
        outages = quick(probe)
        outages.is_good("http://good.example")
        found: list[bool] = []
        while not found or found[-1]:
            began = time.monotonic()
            outages._answered_at = float("-inf")
            probed.clear()
            found.append(await outages.is_ours("http://bad.example", began))
        await outages.close()
        return found

    assert asyncio.run(main()) == [True, True, True, False]


def test_a_host_that_fails_is_not_the_first_to_be_probed() -> None:
    probed: list[str] = []

    async def probe(origin: str) -> bool:
        probed.append(origin)
        return True

    async def main() -> bool:
        outages = quick(probe)
        outages.is_good("http://good.example")
        found = await outages.is_ours("http://bad.example", time.monotonic())
        await outages.close()
        return found

    assert (asyncio.run(main()), probed) == (False, ["http://good.example"])
