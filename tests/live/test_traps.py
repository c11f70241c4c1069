"""Traps are left after at most 150 requests, and honest deep sites lose no page."""

from collections import Counter, deque
from pathlib import Path
from random import Random

import pytest
from helpers.deep_sites import HONEST, TOPIC, TRAPS, Make, prose
from helpers.servers import Request, Server, answer, serving_apart

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.live.traps import Limits, Seen, Shares, group_of, trap_in
from fcwseo.pages import Page
from fcwseo.pages.parse import parse
from fcwseo_ontology.topic import topic_of_words

MOST = 150


def crawled(
    make: Make, *, order: str = "first", most: int = 20_000, limits: Limits | None = None
) -> list[str]:
    """The paths that a crawl of one site requests: breadth first, depth first, or at random."""
    limits = limits or Limits()
    shares, rng = Shares(limits), Random(0)
    waiting, known, asked = deque(["/"]), {"/"}, list[str]()
    while waiting and len(asked) < most:
        if order == "random":
            waiting.rotate(rng.randrange(len(waiting)))
        path = waiting.pop() if order == "last" else waiting.popleft()
        url = f"http://site.example{path}"
        if trap_in(url, limits) or shares.used_up(url):
            continue
        shares.begin(url)
        asked.append(path)
        if (html := make(path)) is None:
            continue
        found = parse(html.encode(), url)
        assert found is not None
        shares.add(found, relevant=TOPIC in found.text)
        for link in found.links:
            there = link.target.removeprefix("http://site.example")
            if there not in known:
                known.add(there)
                waiting.append(there)
    return asked


@pytest.mark.parametrize("order", ["first", "last", "random"])
@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_gets_few_requests(name: str, order: str) -> None:
    asked = crawled(TRAPS[name], order=order, most=1000)
    assert 1 < len(asked) <= MOST


@pytest.mark.parametrize("name", [name for name in TRAPS if name != "same depth"])
def test_without_the_share_of_odd_urls_a_trap_gets_more(name: str) -> None:
    """So that the test above can fail."""
    most = max(
        len(crawled(TRAPS[name], order=o, most=400, limits=Limits(nothing_new=0))) for o in ("first", "last")
    )
    assert most > MOST


@pytest.mark.slow
@pytest.mark.parametrize("order", ["first", "last", "random"])
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_site_loses_no_page(name: str, order: str) -> None:
    make, pages = HONEST[name]
    asked = Counter(crawled(make, order=order))
    assert {path for path in pages if path not in asked} == set()
    assert sum(asked.values()) <= 3 * len(pages), "the facets of the shop are left"


def test_a_share_grows_with_what_is_new_and_relevant() -> None:
    def asked(relevant: bool, new: bool) -> int:
        shares = Shares(Limits(nothing_new=20, same_text=0.0))
        for number in range(2000):
            url = f"http://a.example/find?q={number}"
            if shares.used_up(url):
                return number
            shares.begin(url)
            shares.add(
                Page(url, text=prose(number if new else "same"), digest=str(number)), relevant=relevant
            )
        return 2000

    assert asked(relevant=True, new=True) == 2000
    assert asked(relevant=True, new=False) < asked(relevant=False, new=True) < 100


@pytest.mark.parametrize(
    ("path", "group"),
    [
        ("rain/17.html", ""),
        ("rain.html", ""),
        ("a/7/c/d/e.html", "a.example/a/#/ (deep)"),
        ("a/b/e.html", "a.example/a/b/ (deep)"),
        ("find?b=1&a=2", "a.example/find?a&b"),
        ("find/7?q=", "a.example/find/#?q"),
        ("2026/11/17/rain.html", "a.example/#/#/ (date)"),
        ("news/20261117.html", "a.example/news/ (date)"),
        ("s/0a1b2c3d4e5f/rain.html", "a.example/s/*/ (session)"),
        ("rain;jsessionid=7f/a", "a.example/*/ (session)"),
    ],
)
def test_odd_urls_and_their_groups(path: str, group: str) -> None:
    assert group_of(f"http://a.example/{path}") == group


def test_a_text_is_new_on_its_own_host() -> None:
    seen = Seen()
    text = prose("story")
    assert seen.is_new(Page("http://a.example/1", text=text))
    assert not seen.is_new(Page("http://a.example/2", text=text))
    assert seen.is_new(Page("http://b.example/1", text=text))
    lines = [prose(n, 8) for n in range(40)]
    assert seen.is_new(Page("http://a.example/3", text="\n".join(lines)))
    assert not seen.is_new(Page("http://a.example/4", text="\n".join(lines[::-3])))
    assert not seen.is_new(Page("http://a.example/5", text="")) and not seen.is_new(
        Page("http://a.example/6")
    )


class Sites(dict[str, object]):
    """A host for each trap; its pages are made when they are asked for."""

    def get(self, url: str, default: object = None) -> object:
        name, _, path = url.removeprefix("http://").partition("/")
        make = TRAPS.get(name.partition(".")[0].replace("-", " "))
        return default if make is None or path == "robots.txt" else answer(make(f"/{path}") or "")


@pytest.mark.slow
def test_a_live_crawl_leaves_traps(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with serving_apart({}) as server:
        server.answers = Sites()
        live = LiveSettings(
            allow_private=True,
            connect_to=f"127.0.0.1:{server.port}",
            delay=0.0,
            address_delay=0.0,
            waiting=16,
        )
        seeds = [f"http://{name.replace(' ', '-')}.example/" for name in TRAPS]
        plan = Plan(strategy="bfs", max_pages=1000, width=4)
        result = run_live(live, topic_of_words("rain", {"rain": 1.0}), seeds, out, plan)
        asked = asked_of(server)
    assert str(result.stop) == "exhausted"
    assert all(1 < count <= MOST for count in asked.values()), asked
    refused = [row for row in read_visits(out) if row.outcome == "refused"]
    assert any("brought nothing new" in row.detail for row in refused)


def asked_of(server: Server) -> Counter[str]:
    def is_page(request: Request) -> bool:
        return request.path != "/robots.txt"

    return Counter(request.host for request in server.requests if is_page(request))
