"""Seeds from a search engine, and pages looked at by their addresses."""

import json
from pathlib import Path

import pytest
from helpers.commands import environment, run
from helpers.servers import answer, serving_apart

from fcwseo.crawling.seeds import read_seed_sets
from fcwseo.errors import InvalidInput
from fcwseo.uses.seed_search import ask_engine

RESULTS = [
    {"url": "http://b.example/", "title": "b", "engines": ["one"], "score": 3.0},
    {"url": "http://a.example/", "title": "a", "engines": ["one", "two", "three"]},
    {"url": "javascript:alert(1)", "engines": ["one"]},
    {"url": "http://c.example/", "engine": "two", "engines": ["two", "three"]},
]


def json_answer(value: object, status: str = "200 OK") -> bytes:
    return answer(json.dumps(value), "Content-Type: application/json", status=status)


@pytest.mark.slow
def test_what_more_engines_name_comes_first(tmp_path: Path) -> None:
    with serving_apart({}) as server:
        host = f"http://127.0.0.1:{server.port}"
        server.answers[f"{host}/search?q=flash+flood&format=json&pageno=1"] = json_answer(
            {"results": RESULTS}
        )
        server.answers[f"{host}/search?q=flash+flood&format=json&pageno=2"] = json_answer({"results": []})
        seeds = ask_engine(f"{host}/search", "flash flood", pages=2)
        assert [(seed.url, seed.priority) for seed in seeds] == [
            ("http://a.example/", 1),
            ("http://c.example/", 2),
            ("http://b.example/", 3),
        ]
        code, _, said = run(
            *("seeds", "search", "flash flood", "--engine", f"{host}/search", "--out", tmp_path / "seeds")
        )
    assert code == 0 and "wrote 3 seeds" in said
    assert read_seed_sets(tmp_path / "seeds") == [[seed.url for seed in seeds]]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (json_answer({}), "does not respond like SearXNG"),
        (answer("<p>rain"), "does not respond like SearXNG"),
        (json_answer({"results": [1]}), "does not respond like SearXNG"),
        (answer("no", status="403 Forbidden"), "must allow JSON"),
        (answer("no", status="500 Oh"), "status 500"),
        (answer("", "Location: /new", status="302 Found"), "redirects to /new"),
    ],
)
def test_what_is_no_search_engine(said: bytes, message: str) -> None:
    with serving_apart({}) as server:
        host = f"http://127.0.0.1:{server.port}"
        server.answers[f"{host}/?q=rain&format=json&pageno=1"] = said
        with pytest.raises(InvalidInput, match=message):
            ask_engine(f"{host}/", "rain")


@pytest.mark.parametrize(
    ("endpoint", "query", "message"),
    [
        ("ftp://x/", "rain", "not an http URL"),
        ("http://127.0.0.1:1/", "rain", "does not answer"),
        ("http://127.0.0.1:1/", " ", "needs a query"),
    ],
)
def test_what_cannot_be_asked(endpoint: str, query: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        ask_engine(endpoint, query)


@pytest.mark.slow
def test_a_request_to_a_public_engine_contains_the_contact(tmp_path: Path) -> None:
    search = ("seeds", "search", "rain", "--out", tmp_path / "seeds", "--engine")
    code, _, said = run(*search, "http://93.184.215.14/")
    assert code == 4 and "on the public web, which is not crawled without a contact: give a mail" in said
    code, _, said = run(*search, "http://127.0.0.1:1/", "--contact", "me")
    assert code == 4 and "'me' is neither a mail address nor a URL" in said
    with serving_apart({}) as server:
        run(
            *(*search, f"http://127.0.0.1:{server.port}/"),
            env=environment(FCWSEO_LIVE__CONTACT="ann@example.com"),
        )
        (request,) = server.requests
    assert request.headers["user-agent"].endswith(" (+ann@example.com)")


@pytest.mark.slow
def test_a_topic_is_tested_on_pages_of_the_web(tmp_path: Path) -> None:
    (tmp_path / "topic.json").write_text('{"name": "rain", "weights": {"rainstorm": 1.0}}')
    (tmp_path / "doc.txt").write_text("A rainstorm.")
    rules = answer("User-agent: *\nDisallow: /no", "Content-Type: text/plain")
    page = answer("<title>Rainstorm</title><p>A rainstorm came over the valley.")
    with serving_apart({"http://a.example/": page, "http://a.example/robots.txt": rules}) as server:
        where = ("--allow-private", "--connect-to", f"127.0.0.1:{server.port}")
        docs = (tmp_path / "topic.json", "http://a.example/", tmp_path / "doc.txt")
        code, out, said = run("topic", "test", *docs, *where, "--json")
        assert code == 0, said
        rows = {row["doc"]: row for row in json.loads(out)}
        assert rows["http://a.example/"]["concepts"] == ["rainstorm"] and len(rows) == 2
        code, out, said = run("topic", "test", tmp_path / "topic.json", "http://a.example/no", *where)
        assert (code, out) == (4, "") and "robots forbidden" in said
    code, _, said = run("topic", "test", tmp_path / "topic.json", "http://a.example/")
    assert code == 4 and "needs a contact" in said
