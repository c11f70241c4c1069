"""Explain why a crawl followed a link, or has not followed it yet: replay the log up to that moment, and
query the strategy.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Protocol, runtime_checkable

from fcwseo.crawling.engine import SEEDS, LoggedVisit, Window, replay
from fcwseo.crawling.run_directory.log import PAGE, Row, another_page, read_visits, visits_in
from fcwseo.crawling.run_directory.rules import RULES
from fcwseo.crawling.run_directory.run_file import RECRAWL, RunFile, check_length, read_past, read_run_file
from fcwseo.crawling.run_directory.status import scale_of
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.errors import InvalidInput, InvalidRun, InvalidWeb
from fcwseo.loops import run_async
from fcwseo.pages import Link, Page, Visit
from fcwseo.pages.urls import canonical
from fcwseo.plugins import plugin_version
from fcwseo.relevance import load_relevance
from fcwseo.relevance.threshold import threshold_of
from fcwseo.relevance.topicality import Reading, Scale
from fcwseo.relevance.words import Matcher
from fcwseo.strategies.explanation import Explanation
from fcwseo.strategies.loading import load_strategy
from fcwseo.strategies.protocol import GivesReasons, Strategy, Takes, Tells, Turns
from fcwseo.uses.export import kept_pages
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic

LIVE = "live"  # a live crawl is replayed from its archive

_LONGEST = 200  # characters of a URL in an error message


class State(StrEnum):
    """The state of a link."""

    TAKEN = "taken"
    NAMED = "chosen, but the crawl stopped before fetching it"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class Parent:
    """A page that contains the link, its relevance, and the strategy's score of the link there."""

    url: str
    relevance: float
    anchor: str
    reasons: tuple[str, ...] = ()
    percentile: float | None = None
    topicality: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """The explanation of a link. ``parents`` are the pages with the link seen before it was followed.

    ``visit`` is its line of the log, None if it was not followed; ``reading`` reads the relevance of its
    page. ``explanation`` is that of FCWSEO, None for other strategies; ``reasons`` are lines of text from
    other strategies. ``limitation`` is the reason of an explanation from the log only, else empty.
    """

    url: str
    state: State
    strategy: str
    is_seed: bool
    parents: tuple[Parent, ...]
    anchor_concepts: tuple[str, ...]
    page_concepts: tuple[str, ...]
    visit: Row | None
    explanation: Explanation | None
    reasons: tuple[str, ...] = ()
    limitation: str = ""
    reading: Reading | None = None


@runtime_checkable
class Explains(Protocol):
    """A strategy that can explain the choice of a link that it just returned, or that waits.

    Requesting its links one by one gives the same links as requesting several at once.
    """

    def explain(self, url: str) -> Explanation | None:
        """Explain a link; None if it is not a candidate."""
        ...


@runtime_checkable
class Recalls(Protocol):
    """A strategy that can explain a choice that its log records."""

    def recall(self, url: str, rule: str, seats: int) -> Explanation | None:
        """Explain a link that was just taken, or waits, by the rule and the number of seats in the log."""
        ...


def explain(path: Path, url: str, *, web: ClosedWeb | None = None) -> Account:
    """Explain why the crawl in ``path`` followed a link, or did not. ``web`` is the crawled web, if it has
    moved.
    """
    address = canonical(url)
    if address is None:
        raise InvalidInput(f"{url[:_LONGEST]!r} is not a complete URL: give one such as http://host/path")
    file, topic = read_run_file(path), read_topic(path)
    check_length(path, file, visits=visits_in(path))
    account = _explained(path, file, topic, address, web)
    named = {parent.url for parent in account.parents}
    etas = {row.final_url: row.eta for row in read_visits(path) if row.final_url and row.final_url in named}
    return _read(account, scale_of(path), etas)


def _read(account: Account, scale: Scale, etas: Mapping[str, float | None]) -> Account:
    """The account with the readings of all relevances in it, each by the threshold of its visit."""
    parents = []
    for parent in account.parents:
        reading = scale.reading(parent.relevance, etas.get(parent.url))
        parents.append(replace(parent, percentile=reading.percentile, topicality=str(reading.topicality)))
    visit = account.visit
    has_page = visit is not None and visit.final_url is not None
    found = scale.reading(visit.relevance, visit.eta) if visit is not None and has_page else None
    return replace(account, parents=tuple(parents), reading=found)


def _explained(path: Path, file: RunFile, topic: Topic, address: str, web: ClosedWeb | None) -> Account:
    if file.config.strategy == RECRAWL:
        raise InvalidRun(
            f"{path} is a recrawl, which fetched the kept pages of another crawl in their order: "
            "give the directory of that crawl"
        )
    if not file.has_our_rules:
        return _from_log(path, file, topic, address)
    there = web or _web_of(path, file)
    if not _is_live(file) and there.identity != file.config.web_identity:
        raise InvalidRun(f"{there.name} is not the web that {path} crawled: name the crawled web (--web)")
    row = _row(path, address)
    link = row.url if row else address
    watch, page = run_async(_replayed(path, file, topic, there, link, row))
    if not (row or watch.parents or watch.is_seed):
        raise InvalidInput(f"the crawl in {path} never saw {link}: no visited page links to it")
    named = State.NAMED if watch.is_named else State.WAITING
    anchors = "\n".join(parent.anchor for parent in watch.parents)
    return Account(
        url=link,
        state=State.TAKEN if row else named,
        strategy=file.config.strategy,
        is_seed=watch.is_seed,
        parents=tuple(watch.parents),
        anchor_concepts=_concepts(topic, anchors),
        page_concepts=_concepts(topic, f"{page.title}\n{page.text}", page.language),
        visit=row,
        explanation=watch.explanation,
        reasons=watch.reasons,
    )


def _from_log(path: Path, file: RunFile, topic: Topic, url: str) -> Account:
    """The account of a link in a run by other rules, whose strategy state this version cannot rebuild."""
    row = _row(path, url)
    if row is None:
        raise InvalidRun(
            f"{path} was made by rules {file.rules}, not {RULES}, so only links that it followed can be "
            f"explained, and {url} is not one: explain it with {file.release}"
        )
    pages = (page for page in kept_pages(path) if row.final_url and page["final_url"] == row.final_url)
    relevance = {other.final_url: other.relevance for other in read_visits(path) if other.outcome == PAGE}
    return Account(
        url=row.url,
        state=State.TAKEN,
        strategy=file.config.strategy,
        is_seed=row.parent is None,
        parents=(Parent(row.parent, relevance.get(row.parent, 0.0), row.anchor),) if row.parent else (),
        anchor_concepts=_concepts(topic, row.anchor),
        page_concepts=tuple(next(pages, {}).get("concepts") or ()),
        visit=row,
        explanation=None,
        limitation=(
            f"from the log only: the run was made by rules {file.rules}, not {RULES}, so the state of the "
            f"strategy cannot be rebuilt; {file.release} says more"
        ),
    )


def _web_of(path: Path, file: RunFile) -> ClosedWeb:
    try:
        return open_web(str(path) if _is_live(file) else file.web_path or file.config.web)
    except InvalidWeb as error:
        raise InvalidRun(f"the web that {path} crawled has moved ({error}): give --web") from error


def _is_live(file: RunFile) -> bool:
    """Whether the run crawled the live web; a frozen web may have the name ``live`` as well."""
    return file.config.web == LIVE and not file.web_path


def _row(path: Path, url: str) -> Row | None:
    """The visit that followed a link, or else the one that ended at its page."""
    ended = None
    for row in read_visits(path):
        if row.url == url:
            return row
        if row.final_url == url:
            ended = row
    return ended


async def _replayed(
    path: Path, file: RunFile, topic: Topic, web: ClosedWeb, link: str, row: Row | None
) -> tuple["_Watch", Page]:
    """The strategy at the moment at which it returned the link, or at the end; and the page of the link."""
    config = file.config
    if plugin_version(config.relevance) != config.relevance_hash:
        raise InvalidRun(f"{config.relevance} has changed since {path} was crawled: bring it back")
    relevance = load_relevance(config.relevance)(topic, None)
    factory = load_strategy(config.strategy, patience=config.patience)
    strategy = factory(topic, relevance, Random(config.seed))
    watch = _Watch(strategy, link, row)
    window = Window(
        watch,
        config.seeds,
        relevance=relevance,
        budget=file.budgets[0][1],
        width=config.width,
        threshold=threshold_of(config.eta, lambda: relevance.scale),
        max_depth=config.max_depth,
    )
    await replay(window, _past(path, file, web, watch))
    watch.ask()
    page = await web.fetch(link) if row and row.outcome == PAGE else None
    return watch, page if isinstance(page, Page) else Page(link)


async def _past(path: Path, file: RunFile, web: ClosedWeb, watch: "_Watch") -> AsyncIterator[LoggedVisit]:
    """The log up to the return of the link."""
    for budget, row in read_past(path, file):
        if watch.is_named:
            return
        outcome = await web.fetch(row.url) if row.outcome == PAGE else row.failure
        if (outcome.digest if isinstance(outcome, Page) else None) != row.digest:
            raise another_page(path, row)
        watch.seats = row.seat[1] if row.seat else watch.seats
        yield LoggedVisit(budget, row.url, outcome, row.requested)


class _Watch:
    """A strategy, watched until it returns a link."""

    def __init__(self, strategy: Strategy, url: str, row: Row | None = None) -> None:
        self._strategy = strategy
        self._url, self._row = url, row
        self.seats = 0  # served by the last choice
        self.is_named = self.is_seed = False
        self.parents: list[Parent] = []
        self.explanation: Explanation | None = None
        self.reasons: tuple[str, ...] = ()
        if isinstance(strategy, Takes):
            self.take = self._take  # only then is the watch itself a strategy that takes

    def observe(self, visit: Visit) -> None:
        self._strategy.observe(visit)
        if not self.is_named and isinstance(visit.outcome, Page):
            self._look_for_link(visit.outcome, visit.relevance)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        if not isinstance(self._strategy, Explains):
            links = self._strategy.next(n, turns)
            if any(link.target == self._url for link in links):
                self.is_named = True
                self._ask_for_reasons()
            return links
        named: list[Link] = []
        while len(named) < n and (links := self._strategy.next(1, turns)):
            named += links
            if links[0].target == self._url:
                self.is_named = True
                self.explanation = self._strategy.explain(self._url)
        return named

    def _take(self, url: str) -> Link | None:
        """Take a link of the log; its reasons are those of the moment before."""
        assert isinstance(self._strategy, Takes)
        if url != self._url:
            return self._strategy.take(url)
        if not isinstance(self._strategy, Recalls):
            self.ask()
        link = self._strategy.take(url)
        self.is_named = True
        if isinstance(self._strategy, Recalls) and self._row is not None:
            seats = self._row.seat[1] if self._row.seat else 0
            self.explanation = self._strategy.recall(url, self._row.rule, seats)
        return link

    def ask(self) -> None:
        """Request the explanation of a waiting link."""
        if self.is_named or not (self.parents or self.is_seed):
            return
        if isinstance(self._strategy, Recalls):
            self.explanation = self._strategy.recall(self._url, "", self.seats)
        elif isinstance(self._strategy, Explains):
            self.explanation = self._strategy.explain(self._url)
        else:
            self._ask_for_reasons()

    def _ask_for_reasons(self) -> None:
        if isinstance(self._strategy, GivesReasons):
            self.reasons = tuple(self._strategy.reasons(self._url))

    def _look_for_link(self, page: Page, relevance: float) -> None:
        links = {link.anchor: link for link in page.links if link.target == self._url}
        if page.url == SEEDS:
            self.is_seed = bool(links)
        else:
            self.parents += [
                Parent(page.url, relevance, link.anchor, self._lines_of(page, link))
                for link in links.values()
            ]

    def _lines_of(self, page: Page, link: Link) -> tuple[str, ...]:
        return tuple(self._strategy.tell(page, link)) if isinstance(self._strategy, Tells) else ()


def _concepts(topic: Topic, text: str, language: str = "") -> tuple[str, ...]:
    """The feature words of a text, the most frequent first."""
    found = Matcher(topic).features(text, language)
    return tuple(topic.words[number].word for number in sorted(found, key=lambda number: -found[number]))
