"""A crawl through an HTTP proxy: it is asked for everything, and private addresses in URLs are refused."""

import asyncio
from pathlib import Path

import pytest
from helpers.commands import run
from helpers.runs import log
from helpers.servers import answer, serving_apart

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run_live import check, run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.errors import InvalidInput
from fcwseo.live.client import Client
from fcwseo.live.guards import GuardedBackend, Resolver
from fcwseo.pages import Failure, Why
from fcwseo_ontology.topic import topic_of_words

A = "http://a.example/"


def test_a_crawl_goes_through_the_proxy_which_resolves_the_names(tmp_path: Path) -> None:
    pages = {A: answer("<p>rain <a href=http://10.0.0.1/>x</a><a href=http://localhost/>y</a>")}
    with serving_apart({}) as server:
        # a forward proxy is asked for absolute URLs
        server.answers = {f"http://a.example{url}": said for url, said in pages.items()}
        live = LiveSettings(contact="a@b.example", proxy=f"http://127.0.0.1:{server.port}", delay=0.0)
        topic = topic_of_words("rain", {"rain": 1.0})
        run_live(live, topic, [A], tmp_path / "run", Plan(strategy="bfs", max_pages=10))
        asked = [request.path for request in server.requests]
    assert asked == [f"{A}robots.txt", A]
    found = {row["url"]: row["outcome"] for row in log(tmp_path / "run")}
    assert found == {A: "page", "http://10.0.0.1/": "refused", "http://localhost/": "refused"}


def test_https_is_tunnelled_by_connect() -> None:
    async def main() -> tuple[Failure | object, bytes]:
        said: list[bytes] = []

        async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            said.append(await reader.readline())
            writer.close()

        listening = await asyncio.start_server(handle, "127.0.0.1", 0)
        proxy = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        async with Client(GuardedBackend(Resolver(private=True)), agent="fcwseo", proxy=proxy) as client:
            found = await client.get("https://a.example/")
        listening.close()
        return found, said[0]

    found, said = asyncio.run(main())
    assert said.startswith(b"CONNECT a.example:443 HTTP/1.1")
    assert isinstance(found, Failure) and found.why is Why.UNREACHABLE


@pytest.mark.parametrize("proxy", ["proxy.example:3128", "socks5://a.example:1", "http://"])
def test_what_is_no_proxy_is_refused(proxy: str) -> None:
    with pytest.raises(InvalidInput, match="is not the URL of an HTTP proxy"):
        check(LiveSettings(contact="a@b.example", proxy=proxy))


def test_through_a_proxy_only_private_seeds_need_no_contact() -> None:
    live = LiveSettings(allow_private=True, proxy="http://proxy.example:3128")
    check(live, ["http://10.0.0.1/", "http://localhost:8000/"])
    with pytest.raises(InvalidInput, match="needs a contact"):
        check(live, ["http://10.0.0.1/", A])


def test_the_command_says_which_guards_rest_with_the_proxy(tmp_path: Path) -> None:
    with serving_apart({f"http://a.example{A}": answer("<p>rain")}) as server:
        seeds = ("--topic", "rainstorm", "--seeds", A, "--out", tmp_path / "r", "--contact", "a@b.example")
        code, _, said = run("crawl", *seeds, "--proxy", f"http://127.0.0.1:{server.port}", "--delay", "0")
    assert code == 0 and "rest with it" in said
    code, _, said = run("crawl", *seeds, "--proxy", "http://a.example/", "--connect-to", "10.0.0.1:1")
    assert code == 4 and "omit one of them" in said
