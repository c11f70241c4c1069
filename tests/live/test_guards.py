"""Restricted connections, and URLs that are not requested."""

import asyncio
from collections.abc import Callable
from random import Random

import pytest
from helpers.servers import answer, live, moved, serving

from fcwseo.errors import InvalidInput
from fcwseo.live import guards
from fcwseo.live.guards import is_public
from fcwseo.live.scope import Scope
from fcwseo.live.traps import Limits, Shares, trap_in
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.urls import canonical

PAGE = answer("<title>rain</title><p>It rained.")
A = "http://a.example/"
WORDS = "rain flood river dam storm cloud hail wind valley bridge road night city alarm".split()


SPELLINGS = [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "017700000001",
    "0",
    "localhost",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "169.254.169.254",
    "10.1.2.3",
    "192.168.1.1",
    "[fe80::1]",
    "[fd00::1]",
]


@pytest.mark.parametrize("host", SPELLINGS)
def test_no_spelling_of_a_private_address_is_accepted(host: str) -> None:
    async def main() -> tuple[Page | Failure, list[str]]:
        async with serving({}) as server, live(server, dial=False, private=False) as web:
            url = canonical(f"http://{host}:{server.port}/")
            assert url is not None
            return await web.fetch(url), server.asked(robots=True)

    outcome, asked = asyncio.run(main())
    assert isinstance(outcome, Failure) and outcome.why is Why.REFUSED and asked == []
    assert "is not a public IP address" in outcome.detail


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("224.0.0.1", False),
        ("240.0.0.1", False),
        ("255.255.255.255", False),
        ("100.64.0.1", False),
        ("192.0.2.1", False),
        ("ff02::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("::ffff:8.8.8.8", True),
        ("fec0::1", False),
        ("192.0.0.8", False),
        ("192.0.0.9", False),
        ("3fff::1", False),
        ("5f00::1", False),
        ("64:ff9b:1::8.8.8.8", False),
        ("::8.8.8.8", False),
        ("168.63.129.16", False),
        ("168.63.129.17", True),
        ("::ffff:168.63.129.16", False),
        ("2001:0:4136:e378:8000:63bf:80ff:fffe", False),  # Teredo around 127.0.0.1
    ],
)
def test_what_is_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_name_with_a_private_address_is_refused() -> None:
    async def lookup(name: str) -> list[str]:
        return ["10.0.0.7"]

    async def main() -> Page | Failure:
        async with serving({}) as server, live(server, dial=False, private=False, lookup=lookup) as web:
            return await web.fetch("http://intranet.example/")

    outcome = asyncio.run(main())
    assert isinstance(outcome, Failure)
    assert (outcome.why, "intranet.example (10.0.0.7)" in outcome.detail) == (Why.REFUSED, True)


def test_the_connection_goes_to_the_checked_address() -> None:
    """The first answer is harmless, each later one is not: only what was looked at is ever dialled."""
    answers = iter([["192.0.2.1"], *[["127.0.0.1"]] * 99])

    async def lookup(name: str) -> list[str]:
        return next(answers)

    async def main() -> tuple[Page | Failure, list[str]]:
        async with serving({A: PAGE}) as server:
            async with live(server, dial=False, private=False, lookup=lookup) as web:
                outcome = await web.fetch(f"http://a.example:{server.port}/")
            return outcome, server.asked(robots=True)

    outcome, asked = asyncio.run(main())
    assert isinstance(outcome, Failure) and outcome.why is Why.REFUSED and asked == []


def test_a_redirect_to_a_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loopback, where the test's server is, passes for public here."""
    monkeypatch.setattr(guards, "is_public", lambda address: address == "127.0.0.1")

    async def lookup(name: str) -> list[str]:
        return ["127.0.0.1"] if name == "a.example" else [name]

    async def main() -> tuple[Page | Failure, list[str]]:
        async with serving({}) as server, live(server, dial=False, private=False, lookup=lookup) as web:
            url = f"http://a.example:{server.port}/"
            server.answers[url] = moved("http://10.0.0.1/secret")
            return await web.fetch(url), server.asked()

    outcome, asked = asyncio.run(main())
    assert isinstance(outcome, Failure) and outcome.why is Why.REFUSED
    assert "redirected to http://10.0.0.1/secret" in outcome.detail and len(asked) == 1


@pytest.mark.parametrize("port", [1, 22, 25, 6000, 6667, 10080])
def test_ports_of_other_services_are_not_dialled(port: int) -> None:
    """Neither for a link, nor for a redirect of a page or of robots.txt."""
    url = f"http://b.example:{port}/"

    async def main() -> tuple[list[Page | Failure], list[str]]:
        answers = {
            f"{A}away": moved(url),
            url: PAGE,
            "http://c.example/robots.txt": moved(f"{url}robots.txt"),
        }
        async with serving(answers) as server, live(server) as web:
            found = [await web.fetch(each) for each in (url, f"{A}away", "http://c.example/")]
            return found, server.asked(robots=True)

    outcomes, asked = asyncio.run(main())
    assert [isinstance(outcome, Failure) and outcome.why for outcome in outcomes] == [Why.REFUSED] * 3
    assert all(f"port {port} " in getattr(outcome, "detail", "") for outcome in outcomes)
    assert asked == [f"{A}robots.txt", f"{A}away", "http://c.example/robots.txt"]


def test_ports_of_the_web_are_dialled() -> None:
    async def main() -> Page | Failure:
        url = "http://b.example:8080/"
        async with serving({url: PAGE}) as server, live(server) as web:
            return await web.fetch(url)

    assert isinstance(asyncio.run(main()), Page)


def test_credentials_do_not_cross_origins() -> None:
    async def main() -> list[dict[str, str]]:
        answers = {A: moved("http://user:secret@b.example/"), "http://b.example/": PAGE}
        async with serving(answers) as server, live(server) as web:
            assert isinstance(await web.fetch(A), Page)
            return [request.headers for request in server.requests]

    for headers in asyncio.run(main()):
        assert "authorization" not in headers and "secret" not in str(headers) and "referer" not in headers


# Traps


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (A + "x" * 2_000, "2017 characters long"),
        (A + "/".join("abcdefghijklmnopqrstu"), "21 segments deep"),
        (A + "a/b/a/b/a/b/a/b", "'a' occurs 4 times in the path"),
        (A + "?" + "&".join(f"p{n}=1" for n in range(21)), "21 parameters"),
        (A + "2026/11/17/rain.html?a=1&b=2", ""),
        (A, ""),
    ],
)
def test_traps_show_in_the_address(url: str, reason: str) -> None:
    assert trap_in(url, Limits()) == reason


def visited(limits: Limits, urls: Callable[[int], str], texts: Callable[[int], str], count: int) -> Shares:
    shares = Shares(limits)
    for number in range(count):
        shares.add(Page(urls(number), text=texts(number), digest=texts(number)))
    return shares


def test_a_part_of_a_site_has_its_share() -> None:
    shares = visited(Limits(pages_per_prefix=50), lambda n: f"{A}cal/{n}/x.html", str, 50)
    assert shares.used_up(f"{A}cal/99/x.html") == "50 pages below a.example/cal/#/ were visited"
    assert shares.used_up(f"{A}news/99/x.html") == ""


def test_a_host_has_its_share() -> None:
    shares = visited(Limits(pages_per_host=10), lambda n: f"{A}{n}", str, 10)
    assert shares.used_up(f"{A}new") == "10 pages of a.example were visited"
    assert shares.used_up("http://b.example/new") == ""


def test_pages_that_all_say_the_same_are_a_trap() -> None:
    same = visited(Limits(), lambda n: f"{A}trap/{n}", lambda n: "same", 40)
    assert same.used_up(f"{A}trap/new") == "39 of 40 pages below a.example/trap/ are near-duplicates"
    other = visited(Limits(), lambda n: f"{A}trap/{n}", str, 40)
    assert other.used_up(f"{A}trap/new") == ""


def test_pages_that_all_say_nearly_the_same_are_a_trap_too() -> None:
    rng = Random(0)
    story = " ".join(rng.choices(WORDS, k=200))
    shares = visited(Limits(), lambda n: f"{A}cal/{n}", lambda n: f"Day {n} of the year. {story}", 40)
    assert shares.used_up(f"{A}cal/new") == "39 of 40 pages below a.example/cal/ are near-duplicates"
    others = visited(Limits(), lambda n: f"{A}cal/{n}", lambda n: " ".join(rng.choices(WORDS, k=200)), 40)
    assert others.used_up(f"{A}cal/new") == ""


def test_queries_of_one_path_are_bounded() -> None:
    shares = visited(Limits(queries_per_path=20), lambda n: f"{A}find?q={n}", str, 20)
    assert shares.used_up(f"{A}find?q=new") == f"20 queries of {A}find were visited"
    assert shares.used_up(f"{A}find") == ""


def test_what_is_refused_says_why_and_is_not_asked_for() -> None:
    async def main() -> tuple[Page | Failure, list[str]]:
        async with serving({}) as server, live(server) as web:
            return await web.fetch(A + "a/a/a/a/"), server.asked(robots=True)

    outcome, asked = asyncio.run(main())
    assert outcome == Failure(A + "a/a/a/a/", Why.REFUSED, "'a' occurs 4 times in the path")
    assert asked == []


# Scope


def test_scope() -> None:
    async def main() -> list[Page | Failure]:
        scope = Scope(include=["a.example"], exclude=["[.]pdf$"])
        answers = {A: PAGE, f"{A}away": moved("http://b.example/")}
        async with serving(answers) as server, live(server, scope=scope) as web:
            urls = (A, f"{A}x.pdf", "http://b.example/", f"{A}away")
            outcomes = [await web.fetch(url) for url in urls]
            assert server.asked() == [A, f"{A}away"]
            return outcomes

    page, *failures = asyncio.run(main())
    assert isinstance(page, Page)
    assert all(isinstance(failure, Failure) and failure.why is Why.EXCLUDED for failure in failures)


def test_an_invalid_pattern_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"'\(' is not a regular expression"):
        Scope(include=["("])
