"""No response of a server ends a crawl: each is a page or a failure with a reason."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import run
from helpers.servers import Server, answer, live, moved, serving, serving_apart
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.live import web as live_web
from fcwseo.live.politeness import Politeness
from fcwseo.live.web import retry_after
from fcwseo.pages import Failure, Page, Why
from fcwseo_ontology.topic import topic_of_words

A = "http://a.example/"
GOOD = [f"http://good.example/{n}" for n in range(5)]
PAGE = answer("<title>rain</title><p>It rained all day.")


def busy(*headers: str) -> bytes:
    return answer("", *headers, status="503 Service Unavailable")


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
