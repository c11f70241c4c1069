"""Seeds that do not fit the topic are reported before a crawl, and during a live one."""

import logging
from pathlib import Path
from random import Random

import pytest
from helpers.runs import SEEDS, WEB
from helpers.servers import Server, answer, serving_apart
from msgspec.structs import replace

import fcwseo
from fcwseo.crawling.fit import UNFIT, SeedsWatch, seeds_fit
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo_ontology.topic import topic_of_words

BEES = topic_of_words("bees", {"honey bee": 1.0, "queen": 0.1})


def test_seeds_about_the_topic_fit_and_others_do_not() -> None:
    others = Random(1).sample([url for url in WEB.urls() if not WEB.labels(url)], 5)
    assert seeds_fit(WEB, WEB.topic(), SEEDS)
    assert not seeds_fit(WEB, WEB.topic(), others)
    assert not seeds_fit(WEB, BEES, SEEDS)


def test_it_is_said_before_the_crawl_and_not_when_it_continues(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def said(topic: fcwseo.Topic, folder: str, pages: int) -> list[str]:
        caplog.clear()
        with caplog.at_level(logging.WARNING, "fcwseo"):
            fcwseo.crawl(web=WEB.name, topic=topic, seeds=SEEDS, max_pages=pages, out=tmp_path / folder)
        return [record.getMessage() for record in caplog.records]

    assert said(fcwseo.Topic(WEB.topic()), "fits", 8) == []
    assert said(fcwseo.Topic(BEES), "off", 8) == [UNFIT]
    assert said(fcwseo.Topic(BEES), "off", 9) == []


def test_a_live_crawl_says_it_once_when_all_seeds_have_an_outcome() -> None:
    def visit(url: str, relevance: float) -> Visit:
        return Visit(1, Link(url, "", depth=0), Page(url), relevance)

    dead = Visit(1, Link("c", "", depth=0), Failure("c", Why.GONE))
    off = SeedsWatch(["a", "b", "c"])
    assert [off.are_off(one) for one in (visit("a", 0.0), dead, visit("x", 0.0), visit("b", 0.001))] == [
        *(False, False, False),
        True,
    ]
    assert not off.are_off(visit("y", 0.0))
    on = SeedsWatch(["a"])
    assert not on.are_off(visit("a", 0.1))
    none = SeedsWatch(["c"])
    assert not none.are_off(dead)


def test_a_continued_live_crawl_says_it_too_and_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pages = {f"http://{name}.example/": answer(f"<p>Snow on the {name} hill.") for name in "abc"}
    seeds = list(pages)
    live = LiveSettings(allow_private=True, delay=0.0, min_free="0")

    def said(server: Server, count: int) -> list[str]:
        caplog.clear()
        there = replace(live, connect_to=f"127.0.0.1:{server.port}")
        with caplog.at_level(logging.WARNING, "fcwseo"):
            run_live(there, BEES, seeds, tmp_path / "run", Plan(strategy="bfs", max_pages=count, width=1))
        return [record.getMessage() for record in caplog.records]

    with serving_apart(pages) as server:
        assert said(server, 1) == []
        assert said(server, 3) == [UNFIT]
        server.answers = {}
        assert said(server, 4) == []
