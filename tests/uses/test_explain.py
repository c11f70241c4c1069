"""Why a link was taken, or was not."""

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.fakes import ENCODED, TESTED
from helpers.runs import BUDGET, SEEDS, WEB, lines, on_disk, small_run
from helpers.webs import frozen_web
from helpers.wordnets import small_wordnet

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.rehearsal import Rehearsal
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_rehearsed import run_rehearsed
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.evolution.seating import Rule
from fcwseo.links.evidence.names import EVIDENCE
from fcwseo.pages import Page
from fcwseo.relevance.models import semantic
from fcwseo.relevance.models.sdvsm import FIRST_GRAPH
from fcwseo.strategies import STRATEGIES
from fcwseo.strategies.candidates import OBJECTIVES
from fcwseo.strategies.explanation import Explanation
from fcwseo.uses.explain import State, explain
from fcwseo.uses.export import kept_pages
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import answer, make_web
from fcwseo_ontology.topic import topic_of_words


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Finished runs: by strategy, and one that is wide."""
    folder = tmp_path_factory.mktemp("runs")
    for name in ("fcwseo", "bfs"):
        small_run(folder / name, strategy=name)
    small_run(folder / "wide", strategy="fcwseo", width=8)
    return {name: folder / name for name in ("fcwseo", "bfs", "wide")}


def waiting(run: Path) -> str:
    """A link that was seen and not followed."""
    rows = lines(run / "visits.jsonl")
    followed = {row["url"] for row in rows} | {row["final_url"] for row in rows}
    pages = [answer(WEB, row["url"]) for row in rows if row["outcome"] == "page"]
    links = [link for page in pages if isinstance(page, Page) for link in page.links]
    return next(link.target for link in links if link.target not in followed)


@pytest.mark.parametrize("name", ["fcwseo", "wide"])
def test_every_link_that_was_taken_is_explained_as_it_was_logged(runs: dict[str, Path], name: str) -> None:
    rows = lines(runs[name] / "visits.jsonl")
    for row in rows[:: len(rows) // 8]:
        account = explain(runs[name], row["url"], web=WEB)
        told = account.explanation
        assert account.state is State.TAKEN and account.visit is not None and told is not None
        assert account.visit.step == row["step"]
        assert [told.objectives[key] for key in OBJECTIVES[:4]] == row["objectives"]
        assert min(1.0, max(0.0, told.predicted)) == pytest.approx(row["predicted"])
        assert account.is_seed == (row["url"] in SEEDS)
        if row["parent"] is not None:
            assert (row["parent"], row["anchor"]) in [(p.url, p.anchor) for p in account.parents]


def test_the_evidence_adds_up(runs: dict[str, Path]) -> None:
    row = lines(runs["fcwseo"] / "visits.jsonl")[-1]
    told = explain(runs["fcwseo"], row["url"], web=WEB).explanation
    assert told is not None
    assert tuple(piece.name for piece in told.evidence) == EVIDENCE
    added = sum(piece.adds for piece in told.evidence)
    assert told.level + told.correction + added == pytest.approx(told.predicted)
    assert tuple(told.objectives) == OBJECTIVES
    assert told.rank <= 2 or told.rule == Rule.FRONTS
    assert 1 <= told.seat.place <= told.seat.size and 1 <= told.rank <= told.candidates


def test_what_a_link_is_judged_by(runs: dict[str, Path]) -> None:
    row = lines(runs["fcwseo"] / "visits.jsonl")[-1]
    told = explain(runs["fcwseo"], row["url"], web=WEB).explanation
    assert told is not None
    plain = replace(told, predicted=0.1, objectives=told.objectives | {"pagination": 0.0})
    assert plain.judged_by == "ranked by predicted relevance"
    listed = replace(plain, objectives=told.objectives | {"pagination": 0.2})
    assert listed.judged_by == "ranked by the outcome of its pagination"


def test_the_choice_is_told_in_sentences(runs: dict[str, Path]) -> None:
    rows = lines(runs["fcwseo"] / "visits.jsonl")
    last = {row["rule"]: row["url"] for row in rows}
    assert {"seed", "value", "fronts"} <= set(last)
    said = {rule: tuple(told(runs["fcwseo"], url).lines) for rule, url in last.items()}
    assert said["seed"][1] == "taken as a seed: seeds come first"
    assert said["value"][1] == "taken as the elite of its host, seat 1 of 1; seated by value"
    seated = (
        r"taken as the elite of its host; seated by fronts: front \d+ among \d+ hosts near the last seat "
    )
    assert re.fullmatch(seated + r"\(\d+ good links wait there, [\d.]+ pages served\)", said["fronts"][1])
    assert all(
        re.fullmatch(r"value [01]\.\d\d of the best link's, ranked by .*: rank .*", of[0])
        for of in said.values()
    )
    waits = told(runs["fcwseo"], waiting(runs["fcwseo"]))
    elite = replace(waits, seat=replace(waits.seat, is_elite=True, place=9, size=30, seats=0))
    assert [*elite.lines][1] == "waits as the elite of its host, place 9 of 30 in the bank"
    unseated = replace(elite, seat=replace(elite.seat, seats=7, last=0.63))
    assert [*unseated.lines][1] == "not seated: the last of 7 seats has 0.63"
    behind = replace(elite, seat=replace(elite.seat, is_elite=False))
    assert [*behind.lines][1] == "waits behind the elite of its host, which has place 9 of 30 in the bank"


def told(run: Path, url: str) -> Explanation:
    found = explain(run, url, web=WEB).explanation
    assert found is not None
    return found


def test_a_rehearsed_crawl_is_explained_by_the_seats_of_its_log(tmp_path: Path) -> None:
    topic, servers = WEB.topic(), Rehearsal()
    plan = Plan(max_pages=40, width=8)
    run_rehearsed(WEB, servers, topic, SEEDS, tmp_path / "run", plan, max_time=30)
    rows = lines(tmp_path / "run" / "visits.jsonl")
    seated = [row for row in rows if row["rule"] in ("value", "fronts") and row["seat"]]
    assert {row["rule"] for row in seated} == {"value", "fronts"}
    for row in [*seated[:3], *seated[-3:]]:
        why = told(tmp_path / "run", row["url"])
        assert min(1.0, max(0.0, why.predicted)) == pytest.approx(row["predicted"])
        assert (why.rule, why.seat.place, why.seat.seats) == (row["rule"], *row["seat"])
    counts = Counter(row["rule"] for row in rows if row["outcome"] == "page")
    assert summary(tmp_path / "run")["chosen_by"] == counts


def test_a_link_that_waits_has_a_rank(runs: dict[str, Path]) -> None:
    url = waiting(runs["fcwseo"])
    account = explain(runs["fcwseo"], url, web=WEB)
    assert account.state is State.WAITING and account.visit is None and account.parents
    assert account.explanation is not None
    assert 1 <= account.explanation.rank <= account.explanation.candidates
    assert account.page_concepts == ()


def test_ranks_are_those_by_which_a_longer_crawl_goes_on(runs: dict[str, Path], tmp_path: Path) -> None:
    """What is taken next stood near the top when it waited."""
    shutil.copytree(runs["fcwseo"], tmp_path / "run")
    before = len(lines(tmp_path / "run" / "visits.jsonl"))
    small_run(tmp_path / "run", strategy="fcwseo", max_pages=BUDGET + 1)
    following = lines(tmp_path / "run" / "visits.jsonl")[before]["url"]
    told = explain(runs["fcwseo"], following, web=WEB).explanation
    assert told is not None and told.rank <= told.candidates / 4


def test_relevance_is_read_by_the_threshold_of_its_visit(runs: dict[str, Path], tmp_path: Path) -> None:
    """And not by that of the end, which is on the scale of what the crawl has learnt by then."""
    run = Path(shutil.copytree(runs["bfs"], tmp_path / "run"))
    file = json.loads((run / "run.json").read_text())
    file["calibration"]["eta"] = 0.999
    (run / "run.json").write_text(json.dumps(file))
    rows = [row for row in lines(run / "visits.jsonl") if row["outcome"] == "page" and row["parent"]]
    by_page = {row["final_url"]: row for row in lines(run / "visits.jsonl") if row["outcome"] == "page"}
    for row in rows[:: len(rows) // 6]:
        account = explain(run, row["url"], web=WEB)
        assert account.reading is not None
        assert (account.reading.topicality == "on topic") == row["kept"]
        for parent in account.parents:
            assert (parent.topicality == "on topic") == by_page[parent.url]["kept"]
    assert {page["topicality"] for page in kept_pages(run)} == {"on topic"}
    assert summary(run)["kept"].topicality == "on topic"


def test_a_strategy_that_cannot_tell_leaves_the_facts_of_the_log(runs: dict[str, Path]) -> None:
    row = next(row for row in lines(runs["bfs"] / "visits.jsonl") if row["kept"] and row["anchor"])
    account = explain(runs["bfs"], row["url"], web=WEB)
    assert account.explanation is None and account.parents and account.page_concepts
    assert account.visit is not None and account.visit.relevance == row["relevance"]
    assert explain(runs["bfs"], waiting(runs["bfs"]), web=WEB).state is State.WAITING


def test_a_page_that_was_reached_by_a_redirect(runs: dict[str, Path]) -> None:
    rows = lines(runs["bfs"] / "visits.jsonl")
    urls = {row["url"] for row in rows}
    moved = next(row for row in rows if row["final_url"] and row["final_url"] not in urls)
    account = explain(runs["bfs"], moved["final_url"], web=WEB)
    assert account.url == moved["url"] and account.visit is not None and account.visit.step == moved["step"]


def test_a_dead_link(runs: dict[str, Path]) -> None:
    row = next(row for row in lines(runs["fcwseo"] / "visits.jsonl") if row["outcome"] == "gone")
    account = explain(runs["fcwseo"], row["url"], web=WEB)
    assert account.visit is not None and account.visit.outcome == "gone" and account.page_concepts == ()


def test_a_link_that_was_never_seen(runs: dict[str, Path]) -> None:
    with pytest.raises(InvalidInput, match=r"never saw http://nowhere\.example/") as caught:
        explain(runs["fcwseo"], "http://nowhere.example", web=WEB)
    assert caught.value.exit_code == 4


@pytest.mark.parametrize("url", ["nowhere.example/a", "https://[bad", "ftp://a.example/", ""])
def test_what_is_no_address(runs: dict[str, Path], url: str) -> None:
    with pytest.raises(InvalidInput, match="is not a complete URL"):
        explain(runs["fcwseo"], url, web=WEB)


def test_nothing_is_changed(runs: dict[str, Path]) -> None:
    before = on_disk(runs["fcwseo"])
    explain(runs["fcwseo"], SEEDS[0])
    assert on_disk(runs["fcwseo"]) == before


def test_another_web_is_refused(runs: dict[str, Path]) -> None:
    with pytest.raises(InvalidRun, match="is not the web that"):
        explain(runs["fcwseo"], SEEDS[0], web=GeneratedWeb(0, 401))


def test_a_web_that_has_moved_is_named(tmp_path: Path) -> None:
    make_web(GeneratedWeb(0, 60), tmp_path / "web")
    seeds = GeneratedWeb(0, 60).seeds("rainstorm")
    small_run(tmp_path / "run", web=FrozenWeb(tmp_path / "web"), seeds=seeds, max_pages=10)
    assert explain(tmp_path / "run", seeds[0]).is_seed
    (tmp_path / "web").rename(tmp_path / "moved")
    with pytest.raises(InvalidRun, match=r"has moved .* give --web"):
        explain(tmp_path / "run", seeds[0])
    assert explain(tmp_path / "run", seeds[0], web=FrozenWeb(tmp_path / "moved")).is_seed


def test_a_web_may_be_called_live(tmp_path: Path) -> None:
    make_web(GeneratedWeb(0, 60), tmp_path / "live")
    seeds = GeneratedWeb(0, 60).seeds("rainstorm")
    small_run(tmp_path / "run", web=FrozenWeb(tmp_path / "live"), seeds=seeds, max_pages=10)
    assert explain(tmp_path / "run", seeds[0]).is_seed


def test_a_run_without_its_topic(runs: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(runs["bfs"], tmp_path / "run")
    (tmp_path / "run" / "topic" / "topic.json").unlink()
    with pytest.raises(InvalidRun, match="repeat the crawl command"):
        explain(tmp_path / "run", SEEDS[0], web=WEB)


def test_a_log_that_was_shortened_is_not_believed(runs: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(runs["bfs"], tmp_path / "run")
    (tmp_path / "run" / "visits.jsonl").write_bytes(b"")
    with pytest.raises(InvalidRun, match=r"has 0 visits, but there were .*: the log is damaged"):
        explain(tmp_path / "run", SEEDS[0], web=WEB)


@pytest.mark.parametrize("strategy", sorted(STRATEGIES.keys() - ENCODED))
def test_every_strategy_can_be_asked(tmp_path: Path, strategy: str) -> None:
    small_run(tmp_path / "run", strategy=strategy, max_pages=15, width=3)
    url = lines(tmp_path / "run" / "visits.jsonl")[-1]["url"]
    assert explain(tmp_path / "run", url, web=WEB).state is State.TAKEN


TELLING = ["vsm", "ssrm", "svsm", "sdvsm", "fcmrps", "fcmrps-13", "keyword-table"]


@pytest.mark.parametrize("strategy", TELLING)
def test_tell_agrees_with_the_prediction(tmp_path: Path, strategy: str) -> None:
    small_run(tmp_path / "run", strategy=strategy, max_pages=40)
    taken = [row for row in lines(tmp_path / "run" / "visits.jsonl") if row["url"] not in SEEDS]
    for row in taken[:: len(taken) // 4]:
        parents = explain(tmp_path / "run", row["url"], web=WEB).parents
        told = [float(parent.reasons[0].rpartition(": ")[2]) for parent in parents]
        most = 4.0 if strategy.startswith("keyword") else 1.0
        assert max(told) / most == pytest.approx(row["predicted"], abs=1e-4)


def test_the_four_texts_of_a_link_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STRATEGIES, "bsvsm", TESTED["bsvsm"])
    small_run(tmp_path / "run", strategy="bsvsm", max_pages=40)
    row = next(row for row in lines(tmp_path / "run" / "visits.jsonl") if row["predicted"] < 1)
    reasons = [parent.reasons[0] for parent in explain(tmp_path / "run", row["url"], web=WEB).parents]
    assert all(reason.startswith("full ") and "x 0.250, anchor" in reason for reason in reasons)
    assert max(float(reason.rpartition(": ")[2]) for reason in reasons) == pytest.approx(
        row["predicted"], abs=1e-4
    )


def test_a_term_that_was_taken_from_a_page_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the seeds speak of shops, half of a river; only those have a link to the last page."""
    monkeypatch.setattr(semantic, "the_wordnet", small_wordnet)
    shop, river = "shop shop price amazon order order delivery", "amazon amazon river jungle water fish"
    urls = [f"http://a.example/{number}" for number in range(FIRST_GRAPH + 2)]
    last = "http://a.example/last"
    texts = [shop if number % 2 else f'{river} <a href="{last}">amazon</a>' for number in range(len(urls))]
    pages = dict(zip(urls, (f"<p>{text}</p>" for text in texts), strict=True))
    web = frozen_web(tmp_path / "web", {**pages, last: "<p>amazon</p>"})
    words = {"shop": 1.0, "price": 0.9, "order": 0.8, "delivery": 0.7, "amazon": 0.6}
    topic = topic_of_words("shops", words)
    small_run(tmp_path / "run", web=web, topic=topic, seeds=urls, strategy="sdvsm")
    parents = explain(tmp_path / "run", last, web=web).parents
    assert not any("taken" in reason for reason in parents[0].reasons)  # there was no graph yet
    assert parents[-1].reasons[-1] == (
        "removed from page and anchor: 'amazon' is ambiguous, "
        "and of its disambiguation terms the page contains none: 0.000 of 0.500"
    )
