"""A continued crawl asks again for links that failed for a reason that may have passed."""

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from helpers.commands import run
from helpers.fakes import EVERY, TESTED, Past, RememberedWeb, SmallWeb, as_past, crawled, folded, targets
from helpers.hostile import hang_up
from helpers.runs import log
from helpers.servers import answer, serving_apart

from fcwseo.crawling.engine import SEEDS, LoggedVisit, Stop, Window, replay
from fcwseo.crawling.polite import crawl_politely
from fcwseo.crawling.rehearsal import Rehearsal, RehearsedWeb
from fcwseo.crawling.run_directory.status import summary
from fcwseo.errors import InvalidRun
from fcwseo.live.slots import Slots
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.pages.urls import host
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.strategies.protocol import AT_ONCE, AtOnce
from fcwseo.uses.explain import explain
from fcwseo.webs.clock import run_virtually
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.protocol import Web
from fcwseo_ontology.topic import topic_of_words


class Failing:
    """A web of which some links fail, until they are mended."""

    def __init__(self, web: Web, failures: dict[str, Failure] | None = None) -> None:
        self._web = web
        self.failures = failures or {}
        self.share = 0  # of all links, one in so many fails

    async def fetch(self, url: str) -> Page | Failure:
        if self.share and crc32(url.encode()) % self.share == 0:
            return Failure(url, Why.TIMEOUT)
        return self.failures.get(url) or await self._web.fetch(url)


class Watched(BreadthFirst):
    """Breadth first; what it observes is written down."""

    def __init__(self) -> None:
        super().__init__()
        self.observed: list[Visit] = []

    def observe(self, visit: Visit) -> None:
        self.observed.append(visit)
        super().observe(visit)


TREE = SmallWeb({"s": "a b c", "a": "d", "b": "e f", "c": "g", "e": "h", **dict.fromkeys("dfgh", "")})


def down(*urls: str, why: Why = Why.UNREACHABLE, detail: str = "") -> dict[str, Failure]:
    return {url: Failure(url, why, detail) for url in urls}


def window(strategy: BreadthFirst | None = None, *, width: int = 1, max_depth: int | None = None) -> Window:
    return Window(
        strategy or BreadthFirst(),
        ["s"],
        relevance=lambda page: 0.5,
        budget=100,
        width=width,
        max_depth=max_depth,
    )


def continued(
    web: Web, before: list[Visit], *, strategy: BreadthFirst | None = None, max_depth: int | None = None
) -> list[Visit]:
    """The visits of a crawl that is continued by its log and asks again."""
    again = window(strategy, max_depth=max_depth)
    assert folded(again, as_past(before, budget=100)) == before
    again.retry_failed()
    return crawled(web, again)[1]


# The engine


def test_a_link_that_failed_is_asked_again_and_its_links_are_followed() -> None:
    _, before = crawled(Failing(TREE, down("b")), window())
    assert targets(before) == "s a b c d g"
    after = continued(TREE, before)
    assert targets(after) == "b e f h"
    assert [visit.retry for visit in after] == [Why.UNREACHABLE, None, None, None]
    assert [visit.link.depth for visit in after] == [1, 2, 2, 3]
    assert [visit.step for visit in after] == [7, 8, 9, 10]


def test_without_being_told_it_asks_for_no_link_again() -> None:
    _, before = crawled(Failing(TREE, down("b")), window())
    again = window()
    folded(again, as_past(before, budget=100))
    assert crawled(TREE, again) == (Stop.EXHAUSTED, [])


def test_only_failures_that_may_have_passed_are_asked_again_in_the_order_of_the_log() -> None:
    failures = (
        down("b", why=Why.SERVER_ERROR)
        | down("c", why=Why.ROBOTS, detail="forbidden by robots.txt")
        | down("d", why=Why.ROBOTS, detail="robots.txt: status 503")
        | down("a", why=Why.TIMEOUT)
    )
    web = SmallWeb({**TREE.links, "s": "d a b c gone"})
    _, before = crawled(Failing(web, failures), window())
    assert targets(continued(web, before)) == "d a"


def test_a_second_failure_is_logged_but_not_observed_and_may_be_asked_again() -> None:
    _, first = crawled(Failing(TREE, down("b", "c")), window())
    watched = Watched()
    second = continued(Failing(TREE, down("b", why=Why.TIMEOUT)), first, strategy=watched)
    assert targets(second) == "b c g"
    assert second[0].outcome == Failure("b", Why.TIMEOUT) and second[0].retry is Why.UNREACHABLE
    assert [visit.link.target for visit in watched.observed].count("b") == 1
    third = continued(TREE, first + second)
    assert targets(third) == "b e f h" and third[0].retry is Why.TIMEOUT
    assert folded(window(), as_past(first + second + third, budget=100)) == first + second + third


def test_another_failure_than_before_is_the_last() -> None:
    _, first = crawled(Failing(TREE, down("b")), window())
    second = continued(Failing(TREE, down("b", why=Why.GONE)), first)
    assert targets(second) == "b" and continued(TREE, first + second) == []


def test_a_page_that_was_reached_meanwhile_is_a_duplicate() -> None:
    web = SmallWeb({"s": "old p", "p": ""}, moved={"old": "p"})
    _, first = crawled(Failing(web, down("old")), window())
    watched = Watched()
    second = continued(web, first, strategy=watched)
    assert second[0].outcome == Failure("old", Why.DUPLICATE, "p")
    assert [visit.link.target for visit in watched.observed].count("old") == 1


def test_the_greatest_depth_holds_for_a_link_asked_again() -> None:
    _, first = crawled(Failing(TREE, down("b")), window(max_depth=1))
    assert targets(continued(TREE, first, max_depth=1)) == "b"


def test_a_log_that_asks_again_for_a_link_that_did_not_fail_is_refused() -> None:
    _, visits = crawled(TREE, window())
    past = as_past(visits, budget=100)
    with pytest.raises(InvalidRun, match="visit 4 of the log, to a, does not follow"):
        folded(window(), [*past[:3], past[1]._replace(is_retry=True)])


def test_a_crawl_killed_while_it_asks_again_goes_on_at_that_link() -> None:
    _, first = crawled(Failing(TREE, down("b", "c")), window())
    second = continued(TREE, first)
    assert targets(second) == "b c e f g h"
    for count in range(len(second) + 1):
        assert continued(TREE, first + second[:count]) == second[count:]


# The contract of strategies


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("width", [1, 4])
def test_every_strategy_learns_from_a_page_that_came_late(name: str, width: int) -> None:
    remembered = RememberedWeb(400)
    web = Failing(remembered)
    web.share = 3
    past: Past = []
    whole: list[Visit] = []
    for budget, share in ((30, 3), (50, 4), (90, 0)):  # asked twice again
        web.share = share
        again = remembered.window(name, budget=30, width=width)
        assert folded(again, past) == whole
        again.budget = budget
        unanswered = again.retry_failed() if past else 0
        stop, visits = crawled(web, again)
        assert stop is Stop.BUDGET and again.pages == budget
        retried = [visit for visit in visits if visit.retry]
        assert len(retried) == unanswered and (not past or unanswered > 3)
        past += as_past(visits, budget=budget)
        whole += visits
    assert any(isinstance(visit.outcome, Failure) for visit in whole if visit.retry)
    reached = [visit.outcome.url for visit in whole if isinstance(visit.outcome, Page)]
    assert len(set(reached)) == len(reached)
    first = [visit.link.target for visit in whole if not visit.retry]
    assert len(set(first)) == len(first)
    late = {visit.outcome.url for visit in whole if visit.retry and isinstance(visit.outcome, Page)}
    assert name == "bfs" or any(visit.link.source in late for visit in whole)
    resumed = remembered.window(name, budget=30, width=width)
    assert folded(resumed, past) == whole
    resumed.budget = 120
    assert crawled(web, resumed)[0] is Stop.BUDGET


def test_a_seed_that_came_late_is_not_counted_twice() -> None:
    """After the last seed, the links of all seeds are candidates of fcwseo at once."""
    topic = topic_of_words("rain", {"rainstorm": 1.0})
    strategy = TESTED["fcwseo"](topic, TopicalRelevance(topic), Random(0))
    seeds = [f"http://{name}.example/" for name in "abc"]
    start = Page(SEEDS, links=tuple(Link(seed, SEEDS) for seed in seeds))
    strategy.observe(Visit(0, Link(SEEDS, SEEDS, depth=-1), start))
    a, b, c = strategy.next(3, AT_ONCE)

    def page(link: Link, anchor: str) -> Page:
        return Page(link.target, title=anchor, links=(Link(f"{link.target}1", link.target, anchor),))

    strategy.observe(Visit(1, a, Failure(a.target, Why.TIMEOUT)))
    strategy.observe(Visit(2, a, page(a, "cheese"), retry=Why.TIMEOUT))
    strategy.observe(Visit(3, b, page(b, "cheese")))
    strategy.observe(Visit(4, c, page(c, "rainstorm"), 1.0))
    assert [link.target for link in strategy.next(1, AT_ONCE)] == [f"{c.target}1"]


# Politely

HOSTS = SmallWeb(
    {
        "http://h0/": " ".join(f"http://h{host}/{page}" for host in range(4) for page in range(3)),
        **{f"http://h{host}/{page}": f"http://h{host}/{page}/x" for host in range(4) for page in range(3)},
        **{f"http://h{host}/{page}/x": "" for host in range(4) for page in range(3)},
    }
)


class FailingHosts(SmallWeb):
    """A small web of which some hosts do not answer."""

    def __init__(self, web: SmallWeb, hosts: Sequence[str]) -> None:
        super().__init__(web.links)
        self.hosts = hosts

    async def fetch(self, url: str) -> Page | Failure:
        return Failure(url, Why.UNREACHABLE) if host(url) in self.hosts else await super().fetch(url)


async def entries_of(past: Past) -> AsyncIterator[LoggedVisit]:
    for entry in past:
        yield entry


class Busy(AtOnce):
    """Hosts have turns, and h1 must wait for its turn."""

    def wait(self, host: str) -> float:
        return 1.0 if host == "h1" else 0.0


def test_a_host_that_must_wait_is_not_asked_again_before_its_turn() -> None:
    def start() -> Window:
        return Window(BreadthFirst(), ["http://h0/"], relevance=lambda page: 0.5, budget=99, width=4)

    _, first = crawled(FailingHosts(HOSTS, ["h1", "h2"]), start())
    again = start()
    folded(again, as_past(first, budget=99))
    assert again.retry_failed() == 6
    assert [link.target for link in again.ask(9, Busy(turn=1.0))] == ["http://h2/0"]
    assert [link.target for link in again.ask(2)] == ["http://h1/0", "http://h1/1"]
    assert set(again.in_flight) == {"http://h2/0", "http://h1/0", "http://h1/1"}


def test_a_polite_crawl_keeps_the_pauses_of_hosts_that_are_asked_again() -> None:
    def session(web: SmallWeb, before: list[Visit]) -> tuple[list[Visit], list[tuple[str, float]]]:
        visits: list[Visit] = []
        times: list[tuple[str, float]] = []

        async def main() -> None:
            slots = Slots()
            rehearsed = RehearsedWeb(web, Rehearsal(delay=2.0), slots=slots)
            again = Window(BreadthFirst(), ["http://h0/"], relevance=lambda page: 0.5, budget=99, width=4)
            await replay(again, entries_of(as_past(before, budget=99)))
            again.retry_failed()

            def record(visit: Visit) -> None:
                visits.append(visit)
                times.append((host(visit.link.target), asyncio.get_running_loop().time()))

            await crawl_politely(rehearsed, again, record=record, slots=slots, turns=rehearsed.turns)

        run_virtually(main())
        return visits, times

    first, _ = session(FailingHosts(HOSTS, ["h1", "h2"]), [])
    assert sum(isinstance(visit.outcome, Failure) for visit in first) == 6
    second, times = session(HOSTS, first)
    retried = [visit.link.target for visit in second if visit.retry]
    assert sorted(map(host, retried[:2])) == ["h1", "h2"] and len(retried) == 6
    assert {visit.link.target for visit in second} - set(retried) == {
        f"http://h{number}/{page}/x" for number in (1, 2) for page in range(3)
    }
    for name in ("h1", "h2"):
        assert [url for url in retried if host(url) == name] == [f"http://{name}/{page}" for page in range(3)]
        at = [when for where, when in times if where == name]
        assert all(later - earlier > 1.0 for earlier, later in pairwise(at))  # the pause, but for answers
    again = Window(BreadthFirst(), ["http://h0/"], relevance=lambda page: 0.5, budget=99, width=4)
    assert folded(again, as_past(first + second, budget=99)) == first + second


# The command


def test_a_closed_web_is_not_asked_again(tmp_path: Path) -> None:
    command = ("crawl", "--topic", "rainstorm", "--seeds", "http://a.example/", "--web", "generated-300-0")
    code, _, said = run(*command, "--out", tmp_path / "run", "--retry-failed")
    assert code == 4 and "nothing to ask again, since a closed web always answers the same" in said
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_live_crawl_asks_again_for_what_did_not_answer(tmp_path: Path) -> None:
    """The host b drops connections, then it works. Afterwards everything reads the run as one whole."""
    a, b = "http://a.example/", "http://b.example/"
    rain = "<title>rain</title><p>It rained all day, a rainstorm with thunder and flood."
    links = f'<a href="{b}">rain</a><a href="{a}gone">rain</a><a href="{a}2">flood</a>'
    missing = answer("", status="404 Not Found")
    topic = tmp_path / "topic.json"
    topic.write_text(json.dumps({"name": "rain", "weights": {"rainstorm": 1.0, "rain": 1.0, "flood": 0.5}}))
    out = tmp_path / "run"
    with serving_apart({f"{b}robots.txt": missing, a: answer(rain + links), f"{a}2": answer(rain)}) as server:
        server.answers |= {f"{a}robots.txt": missing, b: hang_up}
        where = ("--allow-private", "--connect-to", f"127.0.0.1:{server.port}", "--delay", "0")
        command = ("crawl", "--topic", topic, "--seeds", a, "--out", out, *where, "--eta", "0")
        assert run(*command)[0] == 0
        before = log(out)
        assert summary(out)["counts"] | {"relevant": 2} == {
            "visits": 4, "pages": 2, "relevant": 2, "gone": 1, "unreachable": 1,
        }  # fmt: skip
        code, _, said = run(*command, "--retry-failed")  # still down
        assert code == 0 and "links that are asked again, since no answer had come: 1" in said
        assert summary(out)["counts"]["unreachable"] == 1 and summary(out)["counts"]["visits"] == 5
        server.answers[b] = answer(f'<title>rain</title><p>Floods and rain. <a href="{b}2">rain</a>')
        server.answers[f"{b}2"] = answer(rain.replace("all day", "at night"))
        asked = Counter(server.asked())
        assert run(*command)[0] == 0 and Counter(server.asked()) == asked  # without the option
        code, _, said = run(*command, "--retry-failed")
        assert code == 0, said
        rows = log(out)
        assert rows[: len(before)] == before
        assert [(row["url"], row["outcome"], row.get("retry")) for row in rows[4:]] == [
            (b, "unreachable", "unreachable"),
            (b, "page", "unreachable"),
            (f"{b}2", "page", None),
        ]
        counts = summary(out)["counts"]
        assert {**counts, "relevant": 0} == {"visits": 7, "pages": 4, "relevant": 0, "gone": 1}
        written = json.loads((out / "run.json").read_bytes())["counts"]
        assert {name: written[name] for name in counts} == counts
        asked = Counter(server.asked())
        code, _, said = run(*command, "--retry-failed")
        assert code == 0 and "since no answer had come: 0" in said, said
        assert Counter(server.asked()) == asked and log(out) == rows
    account = explain(out, b)
    assert account.visit is not None and account.visit.outcome == "page"
    assert [parent.url for parent in account.parents] == [a]
    assert explain(out, f"{b}2").parents[0].url == b
    for arguments in (("report", out), ("export", out, "--format", "jsonl", "--out", tmp_path / "x.jsonl")):
        code, _, said = run(*arguments)
        assert code == 0, said
    code, _, said = run("repair", out)
    assert code == 0 and "is whole: nothing to repair" in said
    web = FrozenWeb(out / "warc")
    followed = [url for url, _ in web.archived_order.visits]
    assert followed == [row["url"] for row in before][: len(followed)] and a in followed and b not in followed
    assert isinstance(asyncio.run(web.fetch(b)), Page)
    copy = tmp_path / "copy"
    shutil.copytree(out, copy)
    closed = ("crawl", "--topic", topic, "--seeds", a, "--out", tmp_path / "closed", "--width", "32")
    code, _, said = run(*closed, "--web", copy, "--eta", "0")
    assert code == 0 and summary(tmp_path / "closed")["counts"]["pages"] == 4, said
