"""Pages that are asked for again: which have changed since?"""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.commands import run
from helpers.servers import Server, answer, serving_apart

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run_directory.log import read_visits
from fcwseo.crawling.run_directory.rules import RULES
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.errors import InvalidRun
from fcwseo.live.traps import Limits
from fcwseo.uses.explain import explain
from fcwseo.uses.recrawl import changes, counted, recrawl
from fcwseo_ontology.topic import topic_of_words

pytestmark = pytest.mark.slow

A = "http://a.example/"
TOPIC = topic_of_words("rain", {"rain": 1.0})
NAMES = ("etag", "dated", "plain", "menu", "new", "lost")


def page(text: str, *headers: str, menu: str = "home") -> bytes:
    story = (
        f"{text}, and so many more words that this is the main text of the page, whatever stands above it."
    )
    nav = f"<nav><a href=/>{menu}</a></nav>"
    return answer(f"<title>rain</title>{nav}<main><p>{story}</p></main>", *headers)


def answers() -> dict[str, Any]:
    return {
        A: answer("<title>rain</title><p>rain " + "".join(f"<a href=/{name}>rain</a> " for name in NAMES)),
        f"{A}etag": page("rain, by its tag", 'ETag: "v1"'),
        f"{A}dated": page("rain, by its date", "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT"),
        f"{A}plain": page("rain, and no word of its version"),
        f"{A}menu": page("rain below a menu"),
        f"{A}new": page("rain of yesterday"),
        f"{A}lost": page("rain that is lost"),
    }


def later(server: Server) -> None:
    """Some pages have changed."""
    same = answer("", status="304 Not Modified").replace(b"Content-Length: 0\r\n", b"")
    server.answers |= {f"{A}etag": same, f"{A}dated": same}
    server.answers[f"{A}menu"] = page("rain below a menu", menu="home news shop")
    server.answers[f"{A}new"] = page("rain of today")
    del server.answers[f"{A}lost"]
    server.requests.clear()


def settings(server: Server) -> LiveSettings:
    return LiveSettings(allow_private=True, connect_to=f"127.0.0.1:{server.port}", delay=0.0, workers=1)


def crawled(server: Server, out: Path) -> Path:
    run_live(settings(server), TOPIC, [A], out, Plan(max_pages=7, strategy="bfs", eta=0.0))
    return out


def test_only_what_has_changed_is_fetched_and_named(tmp_path: Path) -> None:
    with serving_apart(answers()) as server:
        first = crawled(server, tmp_path / "run")
        later(server)
        result = recrawl(first, tmp_path / "again", settings(server))
    found = changes(first, tmp_path / "again")
    assert {change.url.removeprefix(A): change.change for change in found} == {
        "": "unchanged",
        "etag": "unchanged",
        "dated": "unchanged",
        "plain": "unchanged",
        "menu": "unchanged",
        "new": "changed",
        "lost": "gone",
    }
    assert counted(found) == {"unchanged": 5, "changed": 1, "gone": 1}
    assert result.stop is Stop.EXHAUSTED and all(change.before < change.at for change in found)
    asked = {request.path: request.headers for request in server.requests}
    assert asked["/etag"]["if-none-match"] == '"v1"'
    assert asked["/dated"]["if-modified-since"] == "Thu, 01 Jan 2026 00:00:00 GMT"
    assert not {"if-none-match", "if-modified-since"} & asked["/plain"].keys()


def test_a_page_of_an_older_run_has_not_changed_because_the_parser_has(tmp_path: Path) -> None:
    with serving_apart(answers()) as server:
        first = crawled(server, tmp_path / "run")
        later(server)
        recrawl(first, tmp_path / "again", settings(server))
    ours = changes(first, tmp_path / "again")
    log, file = first / "visits.jsonl", first / "run.json"
    rows = [json.loads(line) | {"digest": "of another parser"} for line in log.read_text().splitlines()]
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert counted(changes(first, tmp_path / "again"))["changed"] > counted(ours)["changed"]
    file.write_text(json.dumps(json.loads(file.read_text()) | {"rules": RULES - 1}))
    assert changes(first, tmp_path / "again") == ours


def test_a_recrawl_is_continued_and_follows_no_links(tmp_path: Path) -> None:
    with serving_apart(answers()) as server:
        first = crawled(server, tmp_path / "run")
        server.answers[A] = page("rain <a href=/unknown>rain</a>")
        recrawl(first, tmp_path / "again", settings(server))
        asked = len(server.requests)
        recrawl(first, tmp_path / "again", settings(server))
        assert len(server.requests) == asked
    assert f"{A}unknown" not in [row.url for row in read_visits(tmp_path / "again")]


def test_a_recrawl_judges_by_a_threshold_of_its_own_or_by_the_given_one(tmp_path: Path) -> None:
    """The final one of a running threshold is on the scale of what that crawl had learnt by then."""
    with serving_apart(answers()) as server:
        run_live(settings(server), TOPIC, [A], tmp_path / "running", Plan(max_pages=7, strategy="bfs"))
        for run_path in (tmp_path / "running", crawled(server, tmp_path / "given")):
            recrawl(run_path, run_path.with_suffix(".again"), settings(server))
    etas = [read_run_file(tmp_path / f"{name}.again").config.eta for name in ("running", "given")]
    assert etas == [None, 0.0]


def test_a_recrawl_has_the_limits_of_its_settings(tmp_path: Path) -> None:
    deep = f"{A}{'/'.join(map(str, range(30)))}"
    (tmp_path / "deep.toml").write_text("[traps]\npath_depth = 0\n")
    with serving_apart({deep: page("rain, deep down")}) as server:
        limits = Limits(path_depth=0)
        run_live(settings(server), TOPIC, [deep], tmp_path / "run", Plan(max_pages=1, eta=0.0), limits=limits)
        where = ("--allow-private", "--connect-to", f"127.0.0.1:{server.port}", "--delay", "0")
        again = ("recrawl", tmp_path / "run", *where, "--out")
        _, _, without = run(*again, tmp_path / "a")
        _, _, given = run(*again, tmp_path / "b", "--config", tmp_path / "deep.toml")
    assert ("1 refused" in without, "1 unchanged" in given) == (True, True), (without, given)


def test_a_recrawl_cannot_be_explained(tmp_path: Path) -> None:
    with serving_apart(answers()) as server:
        first = crawled(server, tmp_path / "run")
        recrawl(first, tmp_path / "again", settings(server))
    with pytest.raises(InvalidRun, match=r"again is a recrawl, .*: give the directory of that crawl"):
        explain(tmp_path / "again", A)
    assert explain(first, A).is_seed


def test_what_cannot_be_asked_for_again(tmp_path: Path) -> None:
    with serving_apart(answers()) as server:
        first = crawled(server, tmp_path / "run")
        with pytest.raises(InvalidRun, match="not a run directory"):
            recrawl(tmp_path / "none", tmp_path / "again", settings(server))
        with pytest.raises(InvalidRun, match="is not a recrawl"):
            changes(first, first)
        with pytest.raises(InvalidRun, match="another"):
            recrawl(first, first, settings(server))
        run_live(settings(server), TOPIC, [A], tmp_path / "bare", Plan(max_pages=1, strategy="bfs", eta=1.0))
        with pytest.raises(InvalidRun, match="kept no page"):
            recrawl(tmp_path / "bare", tmp_path / "again", settings(server))
    assert not (tmp_path / "again").exists()


def test_the_command(tmp_path: Path) -> None:
    with serving_apart(answers()) as server:
        first = crawled(server, tmp_path / "run")
        later(server)
        where = ("--allow-private", "--connect-to", f"127.0.0.1:{server.port}", "--delay", "0", "--json")
        code, out, said = run("recrawl", first, "--out", tmp_path / "again", *where)
    assert code == 0, said
    assert "5 unchanged" in said and len(json.loads(out)) == 7
