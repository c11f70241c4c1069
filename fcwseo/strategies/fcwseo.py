"""FCWSEO: predict what links are worth before fetching them, and choose among hosts by web space evolution.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022. Unlike Algorithm 1 (``fcwseo_paper``), it scores links before following them. The worth of a link is
predicted from its evidence, and the predictor learns from every page.

The choice is made among hosts. A bank has a seat for each host, held by its best waiting link. The crawl
serves as many seats as its pace or its radius asks for: half of them by value, the others by fronts and NFCS
among the hosts near the last seat. A link is taken when a slot is free and a host with a served seat may be
asked; other hosts are left alone, however ready they are. If every host may be asked at any time, as on a
closed web without a clock, a generation is two links: the best one, and one by fronts and NFCS among the
seats that are worth nearly as much.
"""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.bank import bank, relative
from fcwseo.evolution.objectives import Served, good_links
from fcwseo.evolution.pace import Pace
from fcwseo.evolution.radius import NEAR, PATIENCE, Radius, inner
from fcwseo.evolution.seating import Rule, Seating, by_fronts, seating
from fcwseo.links.evidence.lists import LATER
from fcwseo.links.evidence.predictor import Predictor
from fcwseo.links.evidence.table import LinkTable
from fcwseo.pages import Link, Page, Visit
from fcwseo.pages.urls import host
from fcwseo.relevance.protocol import Relevance
from fcwseo.strategies.candidates import Candidates, Snapshot
from fcwseo.strategies.explanation import Explanation, Space, explanation
from fcwseo.strategies.protocol import Turns
from fcwseo_ontology.topic import Topic

TRIED = 0.1  # share of the pages after which a crawl may say that its time is too short
SHORT = 0.8  # share of the pages below which it says so

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FcwseoParameters:
    """Parameters of FCWSEO.

    Args:
        patience: From 0 (any host that may be asked) to 1 (only ever the best link); for crawls without a
            limit of time.
        generation: Pages until links are scored again.
        alternate: Where every host may be asked at any time, each ``alternate``-th link is chosen by fronts
            (0: none).
        later: Weight of the relevance reached through a pagination.
    """

    patience: float = PATIENCE
    generation: int = 2
    alternate: int = 2
    later: float = LATER


class Choice(NamedTuple):
    """A chosen link, with its evidence and the web space at that time."""

    row: int
    evidence: Floats
    worth: float
    rule: Rule
    seats: int
    space: Space


@dataclass
class _Seeds:
    """The seeds: those that wait, and the number without an outcome."""

    waiting: dict[int, None] = field(default_factory=dict)
    due: int = 0


class Fcwseo:
    """Chooses links seat by seat.

    What it knows of links and hosts changes in ``observe`` and when a link is taken, never because ``next``
    is called: so a crawl is continued by observing its visits and taking its links in their order, at
    whatever speed. Only time is measured in ``next`` (``Pace``, and the warning that there is too little);
    a continued crawl begins that anew.
    """

    def __init__(
        self, topic: Topic, relevance: Relevance, rng: Random, *, parameters: FcwseoParameters | None = None
    ) -> None:
        self._parameters = parameters or FcwseoParameters()
        self._seed = rng.getrandbits(64)
        self._table = LinkTable(relevance)
        self._predictor = Predictor()
        self._candidates = Candidates(self._table, self._predictor, later=self._parameters.later)
        self._snapshot: Snapshot | None = None
        self._seeds = _Seeds()
        self._of_hosts, self._of_sections = Served(), Served()
        self._pace, self._radius = Pace(), Radius(patience=self._parameters.patience)
        self._in_flight: dict[str, Choice] = {}
        self._first_host = -1  # of the first page
        self._taken = 0  # links, without seeds
        self._space: Space | None = None  # of the waiting links, until they change
        self._seating: tuple[int, Seating] | None = None  # by the number of seats, in this space
        self._hosts: dict[int, str] = {}
        self._is_warned = False

    def observe(self, visit: Visit) -> None:
        """Learn from a page and add its links; score the candidates again after each generation."""
        links = self._table.observe(visit)
        choice = self._in_flight.pop(visit.link.target, None)
        self._space = self._seating = None
        page = visit.outcome
        if isinstance(page, Page):
            self._candidates.add(links)
        if visit.step == 0:
            self._seeds = _Seeds(dict.fromkeys(links), len(links))
            self._score()
            return
        is_last_seed = visit.link.depth == 0 and choice is not None and self._is_last_seed()
        if isinstance(page, Page) and choice is not None:
            self._learn(choice, visit, self._table.row(page.url))
            if self._table.pages % self._parameters.generation == 0 or is_last_seed:
                self._score()
                return
        if is_last_seed or not len(self._waiting()):
            self._score()

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        """At most ``n`` links whose hosts may be asked now, of the seats that are served."""
        links: list[Link] = []
        asked: set[str] = set()  # a host takes one request at a time
        while len(links) < n and (choice := self._choose(turns, asked)) is not None:
            links.append(self._take(choice))
            if turns.turn > 0:
                asked.add(self._host(choice.row))
        return links

    def take(self, url: str) -> Link | None:
        """The link to a URL that ``next`` returned in an earlier session; None if no such link waits."""
        row = self._table.known.frontier.find(url)
        if row is None or not self._table.known.frontier.is_open(row) or self._snapshot is None:
            return None
        rule = Rule.SEED if row in self._seeds.waiting else Rule.LOG
        return self._take(self._choice(row, rule, 0))

    def explain(self, url: str) -> Explanation | None:
        """Why a link was just taken, or its present rank if it waits; None for other links."""
        return self.recall(url, "", 0)

    def recall(self, url: str, rule: str, seats: int) -> Explanation | None:
        """The same, by the rule and the number of seats in a log, where the log is all that knows them."""
        row = self._table.row(url)
        if self._table.known.frontier.is_open(row):
            return explanation(row, self._preview(), None, seats)
        choice = self._in_flight.get(url)
        if choice is None:
            return None
        why = Rule(rule) if rule else choice.rule
        return explanation(row, choice.space, why, choice.seats or seats)

    # What is learned

    def _is_last_seed(self) -> bool:
        self._seeds.due -= 1
        return self._seeds.due == 0

    def _learn(self, choice: Choice, visit: Visit, row: int) -> None:
        here, section = int(self._table.host.values[row]), int(self._table.sections(np.array([row]))[0])
        if self._first_host < 0:
            self._first_host = here
        self._candidates.one_host &= here == self._first_host
        for served, key in ((self._of_hosts, here), (self._of_sections, section)):
            served.add(key, relevance=visit.relevance, eta=visit.eta)
        if visit.link.depth:  # seeds are served besides the seats
            self._pace.add_page()
        self._radius.add(is_relevant=visit.is_relevant)
        self._predictor.learn(choice.evidence, self._table.outcome)

    def _score(self) -> None:
        """Score the candidates of a new generation."""
        if len(self._table.open):
            self._snapshot = self._candidates.current()
        self._space = self._seating = None

    # The web space

    def _waiting(self) -> Rows:
        """The indices of the candidates that are still open."""
        if self._snapshot is None:
            return np.empty(0, np.intp)
        return np.flatnonzero(self._table.are_open(self._snapshot.rows))

    def _space_now(self) -> Space:
        if self._space is None:
            assert self._snapshot is not None
            self._space = self._space_of(self._snapshot, self._waiting())
        return self._space

    def _space_of(self, snapshot: Snapshot, waiting: Rows) -> Space:
        best = max((choice.worth for choice in self._in_flight.values()), default=-inf)
        hosts, values = snapshot.hosts[waiting], relative(snapshot.worth[waiting], best)
        served = self._of_sections if self._candidates.one_host else self._of_hosts
        return Space(snapshot, waiting, values, bank(hosts, values), good_links(hosts, values), served)

    def _preview(self) -> Space:
        snapshot = self._candidates.preview()
        return self._space_of(snapshot, np.arange(len(snapshot.rows)))

    # The choice

    def _choose(self, turns: Turns, asked: set[str]) -> Choice | None:
        """The next link; None if no served seat has a host that may be asked."""
        for row in self._open_seeds():
            if self._may_ask(row, turns, asked):
                return self._choice(row, Rule.SEED, 0)
        if self._snapshot is None or not len(self._waiting()):
            return None
        space = self._space_now()
        seats = self._seats(space, turns)
        for place, rule in self._order(space, seats, turns):
            row = space.row(place)
            if self._may_ask(row, turns, asked):
                return self._choice(row, rule, seats)
        return None

    def _open_seeds(self) -> Iterator[int]:
        """The seeds that wait; a redirect may have reached some."""
        return filter(self._table.known.frontier.is_open, self._seeds.waiting)

    def _order(self, space: Space, seats: int, turns: Turns) -> Sequence[tuple[int, Rule]]:
        """The served seats in their order, each with its rule."""
        if turns.turn == 0:
            return self._alternately(space)
        if self._seating is None or self._seating[0] != seats:
            self._seating = (seats, self._seated(space, seats))
        return self._seating[1].order

    def _alternately(self, space: Space) -> Sequence[tuple[int, Rule]]:
        """Every host may be asked: one seat by value, or by fronts among those near the best. The budget
        decides nothing here, so that a crawl whose budget was raised is the crawl of that budget.
        """
        turn = self._parameters.alternate
        near = np.flatnonzero(space.bank.values >= space.bank.values[0] - NEAR)
        if turn and self._taken % turn == turn - 1 and len(near) > 1:
            (place,) = self._pick(space.points(near), 1, self._rng())
            return [(int(near[place]), Rule.FRONTS)]
        return [(0, Rule.VALUE)]

    def _seated(self, space: Space, seats: int) -> Seating:
        return seating(space.bank, seats, space.points, self._rng(), pick=self._pick)

    def _rng(self) -> Random:
        """Randomness that depends on the seed and the number of pages only."""
        return Random(f"{self._seed} {self._table.pages}")

    def _radius_now(self, turns: Turns) -> float:
        return self._radius.value(budget=self._budget(turns))

    def _budget(self, turns: Turns) -> int:
        """The budget in pages; 0 if it is not known."""
        return 0 if turns.pages_left is None else self._table.pages + turns.pages_left

    def _pick(self, points: Floats, count: int, rng: Random) -> list[int]:
        return by_fronts(points, count, rng)

    def _seats(self, space: Space, turns: Turns) -> int:
        """The number of served seats: by the pace with a limit of time, else by the radius."""
        if turns.turn == 0:
            return 1
        if turns.seconds_left is None:
            return int(np.count_nonzero(space.bank.values >= 1 - inner(self._radius_now(turns))))
        left = max(1, (turns.pages_left or 0) - len(self._in_flight))
        wanted = self._pace.seats(left, turns.seconds_left, turn=turns.turn)
        self._warn(space, turns.seconds_left, turns)
        seats = min(wanted, space.bank.size)
        self._pace.advance(-turns.seconds_left, seats=seats, turn=turns.turn)
        return seats

    def _may_ask(self, row: int, turns: Turns, asked: set[str]) -> bool:
        name = self._host(row)
        return name not in asked and turns.wait(name) <= 0

    def _host(self, row: int) -> str:
        number = int(self._table.host.values[row])
        if number not in self._hosts:
            url = self._table.known.frontier.url(row)
            self._hosts[number] = host(url) if "//" in url else ""
        return self._hosts[number]

    def _choice(self, row: int, rule: Rule, seats: int) -> Choice:
        space = self._space_now()
        index = space.snapshot.find(row)
        if index is None:  # a link that this release would not have chosen
            rows = np.array([row])
            snapshot = self._candidates.snapshot(rows, self._table.evidence(rows), self._predictor.fit)
            space, index = self._space_of(snapshot, np.arange(1)), 0
        if rule is Rule.VALUE and space.snapshot.is_listed(index):
            rule = Rule.LIST
        evidence, worth = space.snapshot.evidence[index].copy(), float(space.snapshot.worth[index])
        return Choice(row, evidence, worth, rule, seats, space)

    def _warn(self, space: Space, seconds_left: float, turns: Turns) -> None:
        """Say once that the pace cannot be kept, and how many pages the time allows."""
        pages, hosts = self._table.pages, space.bank.size
        budget = self._budget(turns)
        possible = pages + int(hosts * seconds_left / self._pace.cost(turn=turns.turn))
        if self._is_warned or pages < TRIED * budget or possible > SHORT * budget:
            return
        self._is_warned = True
        _LOG.warning(
            "the time is too short for %d pages: it allows about %d, though all %d known hosts are served",
            budget,
            possible,
            hosts,
        )

    def _take(self, choice: Choice) -> Link:
        snapshot, row = choice.space.snapshot, choice.row
        index = snapshot.find(row)
        assert index is not None
        objectives = snapshot.objectives[index, :4].tolist()
        link = self._table.follow(row, objectives[0], objectives)
        seat = (choice.space.place(int(snapshot.hosts[index])), choice.seats)
        link = replace(link, rule=choice.rule.value, seat=seat if choice.seats else None)
        self._in_flight[link.target] = choice
        self._taken += row not in self._seeds.waiting
        self._seeds.waiting.pop(row, None)
        self._space = self._seating = None
        return link
