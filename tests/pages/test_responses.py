"""From what servers sent to pages: sitemaps, conditions, certificates."""

import asyncio
import gzip
import ssl
import time

import pytest
import trustme
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from helpers.servers import Notebook, Server, answer, live, moved, serving

from fcwseo.live.client import Validators
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.responses import robots_directives
from fcwseo.pages.sitemaps import MOST, is_sitemap, read_sitemap
from fcwseo.pages.urls import canonical

A = "http://a.example/"
PAGE = answer("<title>rain</title><p>It rained.")


def targets(xml: str | bytes) -> list[str]:
    page = read_sitemap(xml if isinstance(xml, bytes) else xml.encode(), f"{A}map.xml")
    return [link.target.removeprefix(A) for link in page.links]


# Sitemaps


def test_addresses_are_links_once_each_in_order() -> None:
    xml = """<?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://x">
      <url><loc> http://a.example/b </loc><lastmod>2026-01-01</lastmod></url>
      <url><loc>http://a.example/a?x=1&amp;y=2</loc><image:image><image:title>x</image:title></image:image></url>
      <url><loc><![CDATA[http://a.example/c]]></loc></url>
      <url><loc>http://a.example/b</loc></url>
      <url><loc>mailto:someone@a.example</loc></url>
      <url><loc></loc></url>
    </urlset>"""
    assert is_sitemap(xml.encode())
    assert targets(xml) == ["b", "a?x=1&y=2", "c"]


def test_a_prefix_and_a_mark_do_no_harm() -> None:
    xml = b"\xef\xbb\xbf<s:urlset xmlns:s='x'><s:url><s:loc>/b</s:loc></s:url></s:urlset>"
    assert is_sitemap(xml) and targets(xml) == ["b"]


LAUGHS = (
    "<?xml version='1.0'?><!DOCTYPE urlset [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY a{n} '{f'&a{n - 1 if n > 1 else str()};' * 10}'>" for n in range(1, 10))
    + "<!ENTITY file SYSTEM 'file:///etc/passwd'>]><urlset><url><loc>http://a.example/&a9;</loc></url>"
    "<url><loc>http://a.example/&file;</loc></url></urlset>"
)


def test_entities_are_not_expanded() -> None:
    began = time.process_time()
    assert all("root:" not in target and len(target) < 40 for target in targets(LAUGHS))
    assert time.process_time() - began < 1


@pytest.mark.parametrize("xml", ["<loc>" * 200_000, "<urlset>" + "<loc> " * 200_000, "<!--" * 100_000])
def test_broken_sitemaps_take_no_time(xml: str) -> None:
    began = time.process_time()
    assert targets(xml) == []
    is_sitemap(xml.encode())
    assert time.process_time() - began < 2


def test_a_sitemap_has_so_many_addresses_and_no_more() -> None:
    xml = "<urlset>" + "".join(f"<url><loc>/{n}</loc></url>" for n in range(MOST + 10)) + "</urlset>"
    assert len(targets(xml)) == MOST


def test_a_packed_sitemap_is_fetched_and_read() -> None:
    xml = gzip.compress(b"<urlset><url><loc>http://a.example/b</loc></url></urlset>")

    async def main() -> Page | Failure:
        file = answer(xml, "Content-Type: application/octet-stream")
        async with serving({f"{A}map.xml.gz": file}) as server, live(server) as web:
            return await web.fetch(f"{A}map.xml.gz")

    page = asyncio.run(main())
    assert isinstance(page, Page) and [link.target for link in page.links] == [f"{A}b"]


@pytest.mark.parametrize(
    ("tag", "nofollow", "noindex"),
    [
        ("", False, False),
        ("noindex", False, True),
        ("NOINDEX, NOFOLLOW", True, True),
        ("otherbot: noindex, nofollow", False, False),
        ("otherbot: noindex, fcwseo: nofollow", True, False),
        ("unavailable_after: 25 Jun 2027 15:00:00 PST, noindex", False, True),
        ("max-snippet: 20, nofollow", True, False),
        ("none", True, True),
    ],
)
def test_x_robots_tag(tag: str, nofollow: bool, noindex: bool) -> None:
    assert robots_directives(tag) == (nofollow, noindex)


# Conditions


class EarlierVersion:
    """Knows one page."""

    def validators(self, url: str) -> Validators | None:
        return Validators('"v1"', "Thu, 01 Jan 2026 00:00:00 GMT") if url == A else None


def test_a_page_that_is_known_is_asked_for_on_condition() -> None:
    async def main() -> tuple[Page | Failure, Server]:
        same = answer("", status="304 Not Modified").replace(b"Content-Length: 0\r\n", b"")
        async with serving({A: same}) as server, live(server, earlier=EarlierVersion()) as web:
            return await web.fetch(A), server

    outcome, server = asyncio.run(main())
    assert outcome == Failure(A, Why.UNCHANGED)
    robots, page = server.requests
    assert page.headers["if-none-match"] == '"v1"'
    assert page.headers["if-modified-since"] == "Thu, 01 Jan 2026 00:00:00 GMT"
    assert "if-none-match" not in robots.headers


# Certificates


async def _fetched_securely(*, trusted: bool, name: str) -> Page | Failure:
    ca = trustme.CA()
    ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ca.issue_cert("a.example").configure_cert(ours)
    client = ssl.create_default_context()
    if trusted:
        ca.configure_trust(client)

    async def lookup(host: str) -> list[str]:
        return ["127.0.0.1"]

    server = Server({})
    listening = await asyncio.start_server(server.handle, "127.0.0.1", 0, ssl=ours)
    server.port = listening.sockets[0].getsockname()[1]
    url = f"https://{name}:{server.port}/"
    server.answers[url.replace("https", "http")] = PAGE
    async with listening, live(server, dial=False, lookup=lookup, trusted=client) as web:
        return await web.fetch(url)


@pytest.mark.parametrize(
    ("trusted", "name", "is_page"),
    [(True, "a.example", True), (False, "a.example", False), (True, "b.example", False)],
)
def test_certificates_are_checked_against_the_name_that_was_asked_for(
    trusted: bool, name: str, is_page: bool
) -> None:
    outcome = asyncio.run(_fetched_securely(trusted=trusted, name=name))
    assert isinstance(outcome, Page) is is_page
    if isinstance(outcome, Failure):
        assert outcome.why is Why.ROBOTS and "certificate" in outcome.detail.lower()


def test_http_2_is_spoken_with_servers_that_offer_it() -> None:
    async def answer_in_frames(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = H2Connection(H2Configuration(client_side=False))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        while data := await reader.read(65536):
            for event in connection.receive_data(data):
                if isinstance(event, RequestReceived):
                    assert event.stream_id is not None
                    connection.send_headers(
                        event.stream_id, [(":status", "200"), ("content-type", "text/html")]
                    )
                    connection.send_data(event.stream_id, b"<title>rain</title>", end_stream=True)
            writer.write(connection.data_to_send())
        writer.close()

    async def main() -> tuple[Page | Failure, Notebook]:
        ca, book = trustme.CA(), Notebook()
        ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        ours.set_alpn_protocols(["h2"])
        ca.issue_cert("a.example").configure_cert(ours)
        client = ssl.create_default_context()
        ca.configure_trust(client)

        async def lookup(host: str) -> list[str]:
            return ["127.0.0.1"]

        listening = await asyncio.start_server(answer_in_frames, "127.0.0.1", 0, ssl=ours)
        url = f"https://a.example:{listening.sockets[0].getsockname()[1]}/"
        async with live(Server({}), dial=False, lookup=lookup, trusted=client, recorder=book) as web:
            outcome = await web.fetch(url)
        listening.close()
        return outcome, book

    page, book = asyncio.run(main())
    assert isinstance(page, Page) and page.title == "rain"
    assert book.exchanges[-1].response.startswith(b"HTTP/2 200")


@pytest.mark.parametrize("path", ["/a|b", "/%7Ea", "/a'b(c)?q=[1]", "/%e4%bd%a0?x={y}&z=%20"])
def test_the_requested_url_is_the_checked_url(path: str) -> None:
    url = canonical(f"http://a.example{path}")
    assert url is not None

    async def main() -> list[str]:
        async with serving({}) as server, live(server) as web:
            await web.fetch(url)
            return server.asked()

    assert asyncio.run(main()) == [url]


def test_credentials_are_never_sent() -> None:
    """Addresses lose them at the edge; servers that ask for some get none."""
    assert canonical("http://ann:secret@a.example/") == A
    asks = answer("", "WWW-Authenticate: Basic realm=x", "Set-Cookie: a=b", status="401 Unauthorized")

    async def main() -> Server:
        answers = {A: moved("http://ann:secret@b.example/"), "http://b.example/": asks}
        async with serving(answers) as server, live(server) as web:
            await web.fetch(A)
            await web.fetch(f"{A}again")
            return server

    server = asyncio.run(main())
    assert "http://b.example/" in server.asked()
    assert not any(
        {"authorization", "cookie", "referer"} & request.headers.keys() for request in server.requests
    )


# Pages that are reached more than once


def test_a_redirect_to_a_page_that_was_visited_is_not_followed() -> None:
    async def main() -> tuple[list[Page | Failure], list[str]]:
        answers = {A: PAGE, f"{A}old": moved(A), f"{A}older": moved(f"{A}old")}
        async with serving(answers) as server, live(server) as web:
            return [await web.fetch(url) for url in (A, f"{A}old", f"{A}older", f"{A}old")], server.asked()

    (page, *others), asked = asyncio.run(main())
    assert isinstance(page, Page)
    assert [(failure.why, failure.detail) for failure in others if isinstance(failure, Failure)] == [
        (Why.DUPLICATE, A)
    ] * 3
    assert asked == [A, f"{A}old", f"{A}older"]


def test_two_ways_to_a_page_at_once_fetch_it_once() -> None:
    async def slowly(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        writer.write(PAGE)
        await writer.drain()

    async def main() -> tuple[list[Page | Failure], list[str]]:
        async with serving({A: slowly, f"{A}old": moved(A)}) as server, live(server) as web:
            both = await asyncio.gather(web.fetch(A), web.fetch(f"{A}old"))
            return list(both), server.asked()

    outcomes, asked = asyncio.run(main())
    assert sum(isinstance(outcome, Page) for outcome in outcomes) == 1 and asked.count(A) == 1
