"""Crawls of one task, for ``yardstick.py``: an order on stdin, a line of JSON for each crawl on stdout.

It runs in a process of its own, with whichever version of fcwseo the path of Python names, and judges
nothing: that is done by the version that the yardstick belongs to.
"""

import asyncio
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import msgspec
from ablations import ABLATIONS, EARLIER, relevance_for
from msgspec import Struct
from tasks import Task, load_task

from fcwseo.crawling.engine import Window, crawl
from fcwseo.errors import FcwseoError
from fcwseo.pages import Page, Visit
from fcwseo.relevance import Relevance
from fcwseo.strategies import ORACLE, Factory
from fcwseo.strategies.fcwseo import Fcwseo, FcwseoParameters
from fcwseo.strategies.loading import load_strategy
from fcwseo.strategies.oracle import Oracle
from fcwseo.strategies.protocol import Strategy
from fcwseo_ontology.topic import Topic

Settings = dict[str, float]


class Wanted(Struct, frozen=True):
    """A crawl: a strategy of the command line or of ``ablations.py``, or the oracle, with its settings.

    ``width`` is a setting of the crawl, all others are parameters of fcwseo.
    """

    strategy: str
    settings: Settings
    seed_set: int
    repeat: int


class Order(Struct, frozen=True):
    """Crawls of one task."""

    data: list[str]
    task: str
    crawls: list[Wanted]


class Crawled(Struct, frozen=True):
    """What a crawl visited: pages in their order, with the relevance that it saw and expected."""

    wanted: Wanted
    urls: list[str]
    relevance: list[float]
    predicted: list[float | None]
    requests: int
    seconds: float  # of a processor


def carry_out(task: Task, wanted: Wanted) -> Crawled:
    visits: list[Visit] = []
    settings = dict(wanted.settings)
    width = int(settings.pop("width", 1))
    topic = task.earlier_topic if wanted.strategy == EARLIER else task.topic
    relevance = relevance_for(wanted.strategy, topic)
    strategy = made(wanted.strategy, settings, task, topic, relevance, Random(wanted.repeat))
    seeds = task.seed_sets[wanted.seed_set]
    began = time.process_time()
    window = Window(strategy, seeds, relevance=relevance, budget=task.max_pages, width=width)
    asyncio.run(crawl(task.web, window, record=visits.append))
    pages = [(visit, visit.outcome) for visit in visits if isinstance(visit.outcome, Page)]
    return Crawled(
        wanted=wanted,
        urls=[page.url for _, page in pages],
        relevance=[round(visit.relevance, 6) for visit, _ in pages],
        predicted=[visit.link.predicted for visit, _ in pages],
        requests=len(visits),
        seconds=round(time.process_time() - began, 3),
    )


def made(
    name: str, settings: Settings, task: Task, topic: Topic, relevance: Relevance, rng: Random
) -> Strategy:
    if name == ORACLE:
        return Oracle(lambda url: task.is_find(task.web.resolve(url) or url), relevance)
    return _factory(name, settings)(topic, relevance, rng)


def _factory(name: str, settings: Settings) -> Factory:
    if not settings:
        return ABLATIONS.get(name) or load_strategy(name)
    if name != "fcwseo":
        raise SystemExit(f"{name} has no parameters {[*settings]}: only fcwseo has")
    plain = FcwseoParameters()
    as_typed = {key: type(getattr(plain, key))(value) for key, value in settings.items()}
    return partial(Fcwseo, parameters=replace(plain, **as_typed))


def main() -> None:
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    task = load_task(tuple(Path(folder) for folder in order.data), order.task)
    for wanted in order.crawls:
        try:
            found = carry_out(task, wanted)
        except FcwseoError as error:
            raise SystemExit(f"{wanted.strategy}: {error}") from None
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
