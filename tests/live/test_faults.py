"""No response of a server ends a crawl: each is a page or a failure with a reason."""

import asyncio
import gzip
import ssl
import sys
import threading
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trustme
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from h2.exceptions import ProtocolError
from helpers.commands import run
from helpers.servers import Server, answer, live, moved, serving, serving_apart
from hpack import Encoder
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.live import web as live_web
from fcwseo.live.parsers import Job, Workers
from fcwseo.live.politeness import Politeness
from fcwseo.live.web import LiveWeb, retry_after
from fcwseo.pages import Failure, Page, Why, bodies
from fcwseo.pages.sitemaps import is_sitemap
from fcwseo_ontology.topic import topic_of_words

Speak2 = Callable[[H2Connection, int], bytes]
A = "http://a.example/"
GOOD = [f"http://good.example/{n}" for n in range(5)]
PAGE = answer("<title>rain</title><p>It rained all day.")


def busy(*headers: str) -> bytes:
    return answer("", *headers, status="503 Service Unavailable")


BROKEN_PARSER = """
from fcwseo.live import parsers

real = parsers.page_in

def page_in(job):
    if "broken" in job.url:
        raise ZeroDivisionError("a bug")
    return real(job)

parsers.page_in = page_in
parsers.main()
"""


async def _fetched(answers: dict[str, Any], url: str, **choices: Any) -> Page | Failure:
    async with serving(answers) as server, live(server, **choices) as web:
        return await web.fetch(url)


def fetched(answers: dict[str, Any], url: str = A, **choices: Any) -> Page | Failure:
    return asyncio.run(_fetched(answers, url, **choices))


def crawled(server: Server, out: Path, bad: Sequence[str]) -> dict[str, str]:
    """The outcomes of a crawl of the bad URLs and the good ones, by URL."""
    settings = LiveSettings(
        allow_private=True, connect_to=f"127.0.0.1:{server.port}", delay=0.0, address_delay=0.0, workers=1
    )
    topic = topic_of_words("rain", {"rain": 1.0})
    run_live(settings, topic, [*bad, *GOOD], out, Plan(strategy="bfs", max_pages=100, width=4))
    return {row.url: row.outcome for row in read_visits(out)}


# The net around one fetch


def test_an_unexpected_error_is_a_failure_of_its_link_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(value: str) -> float:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(live_web, "retry_after", broken)
    bad = ["http://a.example/1", "http://b.example/2", "http://c.example/3"]
    answers = {url: busy("Retry-After: 1") for url in bad} | dict.fromkeys(GOOD, PAGE)
    with serving_apart(answers) as server:
        found = crawled(server, tmp_path / "run", bad)
        asked = len(server.requests)
        assert crawled(server, tmp_path / "run", bad) == found  # continued: nothing is asked again
        assert len(server.requests) == asked
    assert found == dict.fromkeys(bad, "internal") | dict.fromkeys(GOOD, "page")
    assert summary(tmp_path / "run")["counts"]["internal"] == 3
    code, out, said = run("status", tmp_path / "run")
    assert code == 0 and "internal" in out and f"report {tmp_path / 'run' / 'errors.log'}" in said
    (detail,) = {row.detail for row in read_visits(tmp_path / "run") if row.outcome == "internal"}
    assert detail.startswith("ZeroDivisionError in ") and "test_faults, line " in detail
    log = (tmp_path / "run" / "errors.log").read_text()
    assert log.count("Traceback (most recent call last)") == 1
    assert "ZeroDivisionError: a bug" in log and "http://a.example/1" in log


def test_a_crawl_without_unexpected_errors_has_no_log_of_them(tmp_path: Path) -> None:
    with serving_apart(dict.fromkeys(GOOD, PAGE)) as server:
        crawled(server, tmp_path / "run", [])
    assert not (tmp_path / "run" / "errors.log").exists()


def test_a_link_that_failed_unexpectedly_claims_no_url(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another link to its target is requested."""

    def broken(value: str) -> float:
        raise ZeroDivisionError

    async def main() -> tuple[Page | Failure, Page | Failure]:
        answers = {A: [busy("Retry-After: 1"), PAGE], f"{A}b": moved(A)}
        async with serving(answers) as server, live(server) as web:
            with monkeypatch.context() as patched:
                patched.setattr(live_web, "retry_after", broken)
                first = await web.fetch(f"{A}b")
            return first, await web.fetch(A)

    first, second = asyncio.run(main())
    assert isinstance(first, Failure) and first.why is Why.INTERNAL
    assert isinstance(second, Page)


def test_an_unexpected_error_of_a_parser_is_a_failure_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A parser that fails for one page goes on with the next."""
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\nexec {sys.executable} -c '{BROKEN_PARSER}' 10 1073741824\n")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))
    bad = f"{A}broken"
    with serving_apart({bad: PAGE, **dict.fromkeys(GOOD, PAGE)}) as server:
        found = crawled(server, tmp_path / "run", [bad])
    assert found == {bad: "internal"} | dict.fromkeys(GOOD, "page")
    log = (tmp_path / "run" / "errors.log").read_text()
    assert "ZeroDivisionError in __main__, line " in log and "ZeroDivisionError: a bug" in log


# Retry-After

RETRY_AFTER = [
    "\u00b2",  # digits by str.isdigit
    "\u00b9\u00b3",
    "9" * 5000,
    "Thu, 01 Jan 2026 00:00:00 +99999999999999999999",
    "Thu, 99 Jan 99999 99:00:00 GMT",
]


@pytest.mark.parametrize("path", ["", "robots.txt"])
@pytest.mark.parametrize("value", RETRY_AFTER)
def test_no_retry_after_is_an_unexpected_error(value: str, path: str) -> None:
    outcome = fetched({A: PAGE, f"{A}{path}": busy(f"Retry-After: {value}")}, ceiling=0.05)
    assert isinstance(outcome, Failure)
    assert outcome.why in ((Why.DEFERRED,) if not path else (Why.DEFERRED, Why.ROBOTS))


@given(
    st.text(st.characters(max_codepoint=255))
    | st.from_regex(r"\A[A-Z][a-z]{2}, \d+ Jan \d+ [\d:]+ [+-]?\w+\Z")
)
def test_a_retry_after_is_seconds_or_nothing(value: str) -> None:
    seconds = retry_after(value, now=0.0)
    assert seconds is None or 0.0 <= seconds < float("inf")


def test_a_host_may_be_busy_for_ever() -> None:
    politeness = Politeness(ceiling=60.0, now=lambda: 0.0)
    for _ in range(2000):
        politeness.slow_down("a.example", None)
    assert politeness.wait("a.example") == 60.0
    for _ in range(2000):
        politeness.slow_down("b.example", 0.0)
    assert politeness.wait("b.example") == 0.0


# Bodies


def broken_gzip() -> bytes:
    """It unpacks to 10 MB before its checksum turns out to be wrong."""
    packed = bytearray(gzip.compress(bytes(10 << 20)))
    packed[-8] ^= 255
    return bytes(packed)


@pytest.mark.parametrize("count", [3, 12_000])
def test_a_body_of_many_layers_is_unreadable_at_once(count: int) -> None:
    """Each layer takes as long as the whole body."""
    layers = ",".join(["gzip"] * count)
    outcome = fetched({A: answer(broken_gzip(), f"Content-Encoding: {layers}")}, deadline=30.0)
    assert isinstance(outcome, Failure) and outcome.why is Why.UNREADABLE


def test_a_body_of_two_layers_is_read() -> None:
    body = gzip.compress(zlib.compress(b"<title>rain</title>"))
    page = fetched({A: answer(body, "Content-Encoding: deflate, identity, gzip")})
    assert isinstance(page, Page) and page.title == "rain"


def test_the_first_layer_that_is_not_there_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """A body that was stored decoded is not decoded any further."""
    tried: list[str] = []
    real = bodies._decoded

    def decoded(body: bytes, encoding: str, largest: int) -> bytes | None:
        tried.append(encoding)
        return real(body, encoding, largest)

    monkeypatch.setattr(bodies, "_decoded", decoded)
    assert bodies.unpacked(b"<p>rain", transfer="", content="deflate, gzip") == b"<p>rain"
    assert tried == ["gzip"]


def test_a_compressed_body_does_not_stop_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is decoded outside of the thread of the event loop."""
    threads: list[threading.Thread] = []
    real = bodies.unpacked

    def watched(*given: Any, **more: Any) -> bytes | None:
        threads.append(threading.current_thread())
        return real(*given, **more)

    monkeypatch.setattr("fcwseo.live.client.unpacked", watched)
    packed = gzip.compress(b"<title>rain</title>")
    assert isinstance(fetched({A: answer(packed, "Content-Encoding: gzip")}), Page)
    assert threads and threading.main_thread() not in threads


def test_a_page_that_begins_with_many_comments_is_a_page() -> None:
    async def main() -> Page | Failure:
        body = b"<!-- x -->\n" * 40 + b"<html><title>rain</title>"
        async with Workers(1, seconds=2.0) as workers:
            return await workers.parse(Job(body, A, "text/html", 200, ""))

    outcome = asyncio.run(main())
    assert isinstance(outcome, Page) and outcome.title == "rain"


def test_a_sitemap_that_begins_with_many_comments_is_a_sitemap() -> None:
    assert is_sitemap(b"<?xml version='1.0'?>\n" + b"<!-- x ->> -->\n" * 400 + b"<s:urlset>")
    assert not is_sitemap(b"<!-- x <urlset>" * 1000)


# HTTP/2

HEAD = [(":status", "200"), ("content-type", "text/html")]


def frame(kind: int, stream: int, payload: bytes, *, flags: int = 0) -> bytes:
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


def with_status(status: str) -> Speak2:
    def speak(connection: H2Connection, stream: int) -> bytes:
        connection.send_headers(stream, [(":status", status), ("content-type", "text/html")])
        connection.send_data(stream, b"<title>rain</title>", end_stream=True)
        return b""

    return speak


def then(rest: bytes) -> Speak2:
    def speak(connection: H2Connection, stream: int) -> bytes:
        connection.send_headers(stream, HEAD)
        connection.send_data(stream, b"<title>rain</title>")
        return rest

    return speak


BROKEN_FRAMES = {
    "the status is a word": with_status("abc"),
    "the status has 5,000 digits": with_status("9" * 5000),
    "the status is negative": with_status("-5"),
    "the status has five digits": with_status("20000"),
    "data on stream 0": then(frame(0, 0, b"rain")),
    "a second head": then(frame(1, 1, Encoder().encode(HEAD), flags=4)),
    "a window past 2^31": then(frame(8, 0, (2**31 - 1).to_bytes(4)) * 2),
    "a frame larger than agreed": then(frame(0, 1, bytes(1 << 20))),
    "a head that cannot be unpacked": then(frame(1, 1, b"\xff" * 20, flags=5)),
}


@asynccontextmanager
async def speaking(speak: Speak2, **choices: Any) -> AsyncIterator[tuple[LiveWeb, str]]:
    """A server of HTTP/2 that answers robots.txt properly, and anything else by ``speak``."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = H2Connection(H2Configuration(client_side=False, validate_outbound_headers=False))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        with suppress(OSError, ProtocolError):
            while data := await reader.read(65536):
                more = b""
                for event in connection.receive_data(data):
                    if not isinstance(event, RequestReceived) or event.stream_id is None:
                        continue
                    if (b":path", b"/robots.txt") in event.headers:
                        connection.send_headers(event.stream_id, [(":status", "404")], end_stream=True)
                    else:
                        more += speak(connection, event.stream_id)
                writer.write(connection.data_to_send())
                await writer.drain()
                await asyncio.sleep(0.2 if more else 0)  # the client has the head by then
                writer.write(more)
        writer.close()

    async def lookup(host: str) -> list[str]:
        return ["127.0.0.1"]

    ca, ours, client = (
        trustme.CA(),
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH),
        ssl.create_default_context(),
    )
    ours.set_alpn_protocols(["h2"])
    ca.issue_cert("a.example").configure_cert(ours)
    ca.configure_trust(client)
    listening = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=ours)
    url = f"https://a.example:{listening.sockets[0].getsockname()[1]}/"
    async with live(Server({}), dial=False, lookup=lookup, trusted=client, **choices) as web:
        yield web, url
    listening.close()


@pytest.mark.parametrize("name", BROKEN_FRAMES)
def test_a_server_that_breaks_http_2_is_unreachable(name: str) -> None:
    async def main() -> Page | Failure:
        async with speaking(BROKEN_FRAMES[name]) as (web, url):
            return await web.fetch(url)

    outcome = asyncio.run(main())
    assert isinstance(outcome, Failure) and outcome.why is Why.UNREACHABLE, outcome


def test_a_server_that_keeps_http_2_is_read() -> None:
    async def main() -> Page | Failure:
        async with speaking(with_status("200")) as (web, url):
            return await web.fetch(url)

    assert isinstance(asyncio.run(main()), Page)
