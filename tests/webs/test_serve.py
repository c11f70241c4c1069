"""Serving: a web over HTTP; the Host header selects the host."""

import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import BinaryIO

import pytest
from helpers.webs import WarcResponse, frozen_web, write_lines, write_warc

from fcwseo.errors import InvalidInput
from fcwseo.pages.parse import parse
from fcwseo.webs import serve
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.serve import ServedRequest, logged, make_server

A, B = "http://a.example/", "https://b.example/"
PAGES = {
    A: "<title>A</title>",
    B: "<title>B</title>",
    f"{A}q?b=2&c=%C3%A9": "<title>query</title>",
    f"{A}caf%C3%A9": "<title>café</title>",
    f"{A}x;y=1": "<title>semicolon</title>",
}


@contextmanager
def serving(
    web: FrozenWeb | GeneratedWeb, log: Callable[[ServedRequest], None] = lambda asked: None
) -> Iterator[HTTPConnection]:
    with make_server(web, 0, log=log) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        connection = HTTPConnection("127.0.0.1", server.server_port, timeout=20)
        try:
            yield connection
        finally:
            connection.close()
            server.shutdown()
            thread.join()


class Client:
    """Asks over one connection, which must stay open."""

    def __init__(self, connection: HTTPConnection) -> None:
        self.connection = connection

    def __call__(self, host: str, path: str = "/", method: str = "GET") -> tuple[int, str, HTTPResponse]:
        self.connection.request(method, path, headers={"Host": host})
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode(), answer


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    redirects = {f"{A}old": f"{A}caf%C3%A9", f"{A}away": "http://c.example/"}
    web = frozen_web(tmp_path_factory.mktemp("web"), PAGES, redirects=redirects, gone={f"{A}gone": 410})
    with serving(web) as connection:
        yield Client(connection)


def test_the_host_header_selects_the_host(ask: Client) -> None:
    assert ask("a.example")[:2] == (200, "<title>A</title>")
    assert ask("b.example")[:2] == (200, "<title>B</title>")
    assert ask("A.Example:80")[:2] == (200, "<title>A</title>")
    assert ask("c.example")[0] == 404
    assert ask("a.example:8080")[0] == 404


def test_pages_are_sent_as_html_in_utf_8(ask: Client) -> None:
    status, body, answer = ask("a.example", "/caf%c3%a9")
    assert (status, body) == (404, "no such page")  # another spelling, and this web is strict
    status, body, answer = ask("a.example", "/caf%C3%A9")
    assert (status, body) == (200, "<title>café</title>")
    assert answer.getheader("Content-Type") == "text/html; charset=utf-8"
    assert answer.getheader("Content-Length") == str(len(body.encode()))


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/q?c=%C3%A9&b=2&utm_source=x", "query"),
        ("/x;y=1", "semicolon"),
        ("/a/../x;y=1", "semicolon"),
        ("/?fbclid=1", "A"),
    ],
)
def test_addresses_are_looked_up_in_their_canonical_form(ask: Client, path: str, title: str) -> None:
    assert ask("a.example", path)[:2] == (200, f"<title>{title}</title>")


def test_redirects_say_where_to(ask: Client) -> None:
    status, body, answer = ask("a.example", "/old")
    assert (status, body, answer.getheader("Location")) == (301, "", f"{A}caf%C3%A9")
    assert ask("a.example", "/away")[2].getheader("Location") == "http://c.example/"


def test_what_is_gone_and_what_never_was(ask: Client) -> None:
    assert ask("a.example", "/gone")[:2] == (410, "gone")
    assert ask("a.example", "/none")[:2] == (404, "no such page")


@pytest.mark.parametrize("path", ["/", "/old", "/gone", "/none"])
def test_a_browser_runs_no_script_of_a_page_and_guesses_no_type(ask: Client, path: str) -> None:
    headers = ask("a.example", path)[2].headers
    assert headers["Content-Security-Policy"] == "sandbox"
    assert headers["X-Content-Type-Options"] == "nosniff"


def said(client: Client, request: str) -> bytes:
    """All that comes back, byte by byte."""
    with socket.create_connection(("127.0.0.1", client.connection.port), timeout=20) as raw:
        raw.sendall(f"{request} HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: raw.recv(10_000), b""))


@pytest.mark.parametrize("path", ["/caf%C3%A9", "/old", "/none"])
def test_a_head_is_an_answer_without_its_body(ask: Client, path: str) -> None:
    date = re.compile(rb"Date: .*\r\n")
    head, end, _ = date.sub(b"", said(ask, f"GET {path}")).partition(b"\r\n\r\n")
    assert date.sub(b"", said(ask, f"HEAD {path}")) == head + end


def test_one_connection_serves_many_requests(ask: Client) -> None:
    ask("a.example")
    before = ask.connection.sock
    for _ in range(20):
        assert ask("a.example")[0] == 200
        assert ask("b.example", "/none")[0] == 404
    assert ask.connection.sock is before


def test_many_connections_are_served_at_once(ask: Client) -> None:
    """One that says nothing keeps nobody waiting."""
    with socket.create_connection(("127.0.0.1", ask.connection.port)):
        other = HTTPConnection("127.0.0.1", ask.connection.port, timeout=20)
        assert Client(other)("b.example")[0] == 200
        other.close()


@pytest.mark.parametrize(
    "request_line",
    [
        b"GET / HTTP/1.0\r\n\r\n",
        b"GET nonsense HTTP/1.1\r\nHost: [\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: \xff\r\n\r\n",
    ],
)
def test_unusual_requests_get_a_response(ask: Client, request_line: bytes) -> None:
    with socket.create_connection(("127.0.0.1", ask.connection.port), timeout=20) as raw:
        raw.sendall(request_line)
        assert raw.recv(100).startswith((b"HTTP/1.1 404", b"HTTP/1.0 404", b"HTTP/1.1 400"))


def test_a_client_that_goes_away_is_nothing_to_speak_of(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(frozen_web(tmp_path, PAGES)) as connection:
        before = threading.active_count()
        with socket.create_connection(("127.0.0.1", connection.port)) as raw:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # ends with a reset
            raw.sendall(b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
            raw.recv(100)
        assert Client(connection)("a.example")[0] == 200
        connection.close()
        while threading.active_count() > before:
            time.sleep(0.01)
    assert capfd.readouterr().err == ""


def test_methods_that_change_something_are_refused(ask: Client) -> None:
    assert ask("a.example", "/", "DELETE")[0] == 501


def test_a_loose_web_leads_to_the_address_of_the_page(tmp_path: Path) -> None:
    web = frozen_web(tmp_path, {"https://a.example/dir/index.html": "<p>dir"}, loose_urls=True)
    with serving(web) as connection:
        ask = Client(connection)
        for path in ("/dir", "/dir/", "/%64ir/home.php"):
            status, _, answer = ask("a.example", path)
            assert (status, answer.getheader("Location")) == (301, "http://a.example/dir/index.html")
        assert ask("a.example", "/dir/index.html")[:2] == (200, "<p>dir")


def test_who_says_which_scheme_was_meant_is_answered_for_that_one(tmp_path: Path) -> None:
    web = frozen_web(tmp_path, {"https://a.example/": "<p>a", "http://b.example/": "<p>b"}, loose_urls=True)
    with serving(web) as connection:
        for host, said, there in (("a", "http", "https://a.example/"), ("b", "https", "http://b.example/")):
            connection.request("GET", "/", headers={"Host": f"{host}.example", "X-Forwarded-Proto": said})
            answer = connection.getresponse()
            assert (answer.status, answer.getheader("Location"), answer.read()) == (301, there, b"")
        assert Client(connection)("a.example")[:2] == (200, "<p>a")


def test_a_redirect_without_a_status_is_still_one(tmp_path: Path) -> None:
    lines = [
        b'{"url": "http://a.example/", "html": "home"}',
        b'{"url": "http://a.example/old", "redirect": "/"}',
    ]
    with serving(FrozenWeb(write_lines(tmp_path, lines))) as connection:
        status, _, answer = Client(connection)("a.example", "/old")
        assert (status, answer.getheader("Location")) == (301, A)


def test_a_page_counts_more_than_a_redirect_from_its_address(tmp_path: Path) -> None:
    """As after a redirect that sets a session: both have one canonical address."""
    answers = [
        WarcResponse(A, "", "302 Found", headers=(("Location", "/?PHPSESSID=1"),)),
        WarcResponse(f"{A}?PHPSESSID=1", "<title>home</title>"),
    ]
    with serving(FrozenWeb(write_warc(tmp_path / "a.warc.gz", answers))) as connection:
        assert Client(connection)("a.example")[:2] == (200, "<title>home</title>")


def test_an_archived_page_in_another_encoding_is_sent_in_utf_8(tmp_path: Path) -> None:
    latin = WarcResponse(A, "<p>Überflutung".encode("latin-1"), content_type="text/html; charset=latin-1")
    with serving(FrozenWeb(write_warc(tmp_path / "a.warc.gz", [latin]))) as connection:
        assert Client(connection)("a.example")[:2] == (200, "<p>Überflutung")


def test_a_generated_web_is_served_as_it_is() -> None:
    web = GeneratedWeb(3, 200)
    urls = list(web.urls())[:10]
    moved = next(target for url in web.urls() for target in _targets(web, url) if web.redirect(target))
    with serving(web) as connection:
        ask = Client(connection)
        for url in urls:
            host, _, path = url.removeprefix("http://").partition("/")
            assert ask(host, f"/{path}")[:2] == (200, web.html(url))
        host, _, path = moved.removeprefix("http://").partition("/")
        status, _, answer = ask(host, f"/{path}")
        assert (status, answer.getheader("Location")) == (301, web.redirect(moved))
        assert ask("nowhere.example")[0] == 404


def _targets(web: GeneratedWeb, url: str) -> list[str]:
    html = web.html(url)
    assert html is not None
    return [link.target for link in parse(html, url).links]


@pytest.mark.parametrize("port", [lambda taken: taken, lambda _: 70_000], ids=["taken", "no port"])
def test_a_port_that_cannot_be_had_is_an_error(port: Callable[[int], int]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = port(taken.getsockname()[1])
        with pytest.raises(
            InvalidInput, match=f"cannot listen on port {number} of 127.0.0.1.*choose another"
        ):
            make_server(GeneratedWeb(0, 100), number)


def test_each_request_is_a_line_of_the_log(tmp_path: Path) -> None:
    began = time.time()
    with (
        logged(tmp_path / "log.jsonl") as tell,
        serving(frozen_web(tmp_path / "web", PAGES), tell) as connection,
    ):
        ask = Client(connection)
        ask("a.example"), ask("a.example", "/none")
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [(line["host"], line["path"], line["status"]) for line in lines] == [
        ("a.example", "/", 200),
        ("a.example", "/none", 404),
    ]
    assert began <= lines[0]["at"] <= lines[1]["at"] <= time.time()
    with pytest.raises(InvalidInput, match="cannot write"), logged(tmp_path / "none" / "log"):
        pass


def test_the_lines_of_the_log_are_written_one_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that fails is cut off where it began: with it would go what another thread has written."""
    writing = threading.Semaphore()
    together: list[bytes] = []

    def slowly(file: BinaryIO, line: bytes) -> None:
        if not writing.acquire(blocking=False):
            together.append(line)
            return
        time.sleep(0.02)
        writing.release()

    monkeypatch.setattr(serve, "append", slowly)
    with logged(tmp_path / "log.jsonl") as tell, ThreadPoolExecutor(8) as threads:
        list(threads.map(tell, [ServedRequest(0.0, "http", "a.example", f"/{n}", 200, "") for n in range(8)]))
    assert together == []


def test_it_listens_on_loopback_only() -> None:
    with make_server(GeneratedWeb(0, 100), 0) as server:
        assert server.server_address[0] == "127.0.0.1"
