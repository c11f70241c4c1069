"""Weights of the four texts of a link, fitted to the followed links of a crawl and the relevance of their
pages.
"""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import NamedTuple

from fcwseo.crawling.run_directory.log import PAGE, Row, read_visits
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.errors import InvalidInput, InvalidRun
from fcwseo.loops import run_async
from fcwseo.pages import Link, Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models import encoders
from fcwseo.relevance.models.bsvsm import Bsvsm
from fcwseo.strategies.rivals.fitting import (
    CORRECTED,
    EQUAL,
    Pairs,
    Weights,
    hybrid,
    least_squares,
    mean_absolute_error,
    pairs_of,
)
from fcwseo.strategies.rivals.four_texts import TextRelevance, Texts
from fcwseo.webs.opening import open_web
from fcwseo.webs.protocol import Web
from fcwseo_ontology.topic import Topic

FEWEST = 20  # smallest number of links; fewer do not exceed noise

SCORERS: dict[str, Callable[[Topic], TextRelevance]] = {
    "topical": TopicalRelevance,
    "word2vec": lambda topic: Bsvsm(topic, encoders.word2vec()),
    "elmo": lambda topic: Bsvsm(topic, encoders.elmo()),
    "bsvsm": lambda topic: Bsvsm(topic, encoders.bsvsm()),
}


class Method(StrEnum):
    """A method of fitting."""

    LEAST_SQUARES = "least-squares"  # exact
    HA = "ha"  # the hybrid algorithm, as published
    HA_CORRECTED = "ha-corrected"  # with temperatures that fit the fitness, and weights that may also shrink


class Fitted(NamedTuple):
    """Weights, and their mean absolute error on held-out links."""

    name: str
    weights: Weights
    error: float


def fit_weights(
    run: Path, *, method: Method = Method.LEAST_SQUARES, scorer: str = "", web: str = "", seed: int = 0
) -> list[Fitted]:
    """Fit weights to the first half of the followed links of a crawl. Returns equal and fitted weights, both
    tested on the second half.

    ``scorer`` is the similarity; if empty, that of the crawl's strategy, or our own relevance.
    """
    pairs = run_async(training_pairs(run, web_of(run, web), _scorer(run, scorer)))
    if len(pairs.truth) < FEWEST:
        raise InvalidRun(f"{run} followed {len(pairs.truth)} links to pages: fitting needs at least {FEWEST}")
    train, test = pairs.halves()
    weights = fitted(train, method, Random(seed))
    return [
        Fitted("0.25 each", EQUAL, mean_absolute_error(EQUAL, test)),
        Fitted(method, weights, mean_absolute_error(weights, test)),
    ]


def fitted(pairs: Pairs, method: Method, rng: Random) -> Weights:
    """The weights fitted by a method."""
    if method is Method.LEAST_SQUARES:
        return least_squares(pairs)
    return hybrid(pairs, rng, parameters=CORRECTED if method is Method.HA_CORRECTED else None)


def web_of(run: Path, name: str = "") -> Web:
    """The web that a run crawled: the named one, the run's own archive, or a generated web."""
    if name:
        return open_web(name)
    if (run / "warc").is_dir():
        return open_web(str(run))
    crawled = read_run_file(run).config.web
    if not crawled.startswith("generated-"):
        raise InvalidRun(f"{run} has no archive: name the web that it crawled, {crawled}, with --web")
    return open_web(crawled)


async def training_pairs(run: Path, web: Web, relevance: TextRelevance) -> Pairs:
    """The links of a log that led to pages, in its order, without seeds, which have no texts."""
    full: dict[str, float] = {}
    texts: list[Texts] = []
    truth: list[float] = []
    for row in read_visits(run):
        if row.outcome != PAGE:
            continue
        page = await _page(run, web, row, row.url)
        found = await _texts(run, web, row, relevance, full)
        full[page.url] = relevance(page)
        if found is not None:
            texts.append(found)
            truth.append(full[page.url])
    return pairs_of(texts, truth)


async def _texts(
    run: Path, web: Web, row: Row, relevance: TextRelevance, full: dict[str, float]
) -> Texts | None:
    if row.parent is None or row.parent not in full:
        return None
    parent = await _page(run, web, row, row.parent)
    link = next(
        (link for link in parent.links if link.target == row.url), Link(row.url, parent.url, row.anchor)
    )
    return (
        full[row.parent],
        relevance.of_text(link.anchor),
        relevance.of_text(parent.title),
        relevance.of_text(link.context),
    )


async def _page(run: Path, web: Web, row: Row, url: str) -> Page:
    page = await web.fetch(url)
    if not isinstance(page, Page) or (url == row.url and page.digest != row.digest):
        raise InvalidRun(f"{url} is not the page that {run} visited: name the web that it crawled with --web")
    return page


def _scorer(run: Path, name: str) -> TextRelevance:
    strategy = read_run_file(run).config.strategy.removesuffix("-ha")
    name = name or (strategy if strategy in SCORERS else "topical")
    if name not in SCORERS:
        raise InvalidInput(f"there is no scorer {name!r}; there are: {', '.join(SCORERS)}")
    return SCORERS[name](read_topic(run))
