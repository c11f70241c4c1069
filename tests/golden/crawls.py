"""Small crawls whose visits and kept pages are compared with digests recorded earlier.

Run as a program: prints a JSON object with the digests of the groups that its arguments name. The groups are
``WEB/WIDTH``; each key of the result is ``WEB/WIDTH/STRATEGY``.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from helpers.fakes import TESTED
from helpers.runs import lines
from helpers.servers import answer, moved, serving_apart
from helpers.webs import frozen_web
from helpers.wordnets import small_wordnet

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.settings import LiveSettings
from fcwseo.live.traps import Limits
from fcwseo.pages import Page
from fcwseo.relevance import Relevance
from fcwseo.relevance.models import semantic
from fcwseo.strategies import Factory
from fcwseo.strategies.oracle import Oracle
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic, topic_of_words

BUDGET = 70
CLOSED_GROUPS = [f"{web}/{width}" for web, width in product(("generated", "frozen"), (1, 4))]
LIVE_GROUP = "live/1"
GROUPS = [*CLOSED_GROUPS, LIVE_GROUP]
LIVE_STRATEGIES = ("fcwseo", "best-first")

VISIT = (
    *("step", "url", "final_url", "parent", "anchor", "depth", "outcome", "status", "relevance"),
    *("predicted", "objectives", "kept", "digest"),
)
KEPT = (
    *("id", "url", "final_url", "title", "text", "markdown", "lang", "date", "relevance", "objectives"),
    *("concepts", "parent", "anchor", "depth", "digest", "near_dup_of", "status"),
)

SITE = "http://site.example"
TOPIC_WORDS = {"rainstorm": 1.0, "flash flood": 0.8, "rainfall": 0.6, "inundation": 0.5}
_ON_TOPIC = "heavy rainstorm flash flood rainfall inundation river warning storm water damage rescue".split()
_OFF_TOPIC = "garden recipe bread football player season ticket music guitar concert paint house".split()


def digest(rows: Iterable[Mapping[str, Any]], fields: Iterable[str]) -> str:
    """A digest of these fields of the rows, floats rounded to six digits.

    >>> digest([{"a": 0.1 + 0.2, "b": 1}], "a") == digest([{"a": 0.3, "b": 2}], "a")
    True
    """
    text = json.dumps([[_rounded(row.get(name)) for name in fields] for row in rows], sort_keys=True)
    return blake2b(text.encode(), digest_size=12).hexdigest()


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list) else value


def digest_of_run(run: Path) -> str:
    """The digest of a run's visits and that of its kept pages."""
    return f"{digest(lines(run / 'visits.jsonl'), VISIT)} {digest(lines(run / 'pages.jsonl'), KEPT)}"


def factories(web: ClosedWeb) -> dict[str, Factory]:
    """Every strategy; those that need an encoder or WordNet use the tiny ones of the tests."""

    def oracle(topic: Topic, relevance: Relevance, rng: Random) -> Oracle:
        return Oracle(lambda url: "rainstorm" in web.labels(web.resolve(url) or ""), relevance)

    return {**TESTED, "oracle": oracle}


def closed_crawls(web: ClosedWeb, topic: Topic, seeds: list[str], width: int) -> Iterator[tuple[str, str]]:
    with TemporaryDirectory() as folder:
        for name, factory in factories(web).items():
            run = Path(folder, name)
            run_crawl(
                web, topic, seeds, run, Plan(max_pages=BUDGET, strategy=name, width=width), factory=factory
            )
            yield name, digest_of_run(run)


def generated(width: int) -> Iterator[tuple[str, str]]:
    web = GeneratedWeb(0, 300)
    yield from closed_crawls(web, web.topic(), web.seeds("rainstorm"), width)


def frozen(width: int) -> Iterator[tuple[str, str]]:
    """The HTML of another generated web, parsed as frozen webs are."""
    web = GeneratedWeb(4, 250)
    pages = {url: html for url in web.urls() if (html := web.html(url)) is not None}
    redirects = {url: there for url in asyncio.run(_targets(web)) if (there := web.redirect(url))}
    labels = {url: list(web.labels(url)) for url in pages}
    with TemporaryDirectory() as folder:
        written = frozen_web(Path(folder, "web"), pages, redirects=redirects, labels=labels, name="golden")
        yield from closed_crawls(written, web.topic(), web.seeds("rainstorm"), width)


async def _targets(web: GeneratedWeb) -> list[str]:
    """Where the links of the pages lead."""
    pages = [await web.fetch(url) for url in web.urls()]
    return [link.target for page in pages if isinstance(page, Page) for link in page.links]


def site(rng: Random) -> dict[str, Any]:
    """The answers of a one-host server: 120 pages, a third of them on the topic, redirects, dead links."""
    topical = [rng.random() < 0.35 for _ in range(120)]
    titles = [" ".join(rng.sample(_words(is_topical), 3)) for is_topical in topical]
    answers: dict[str, Any] = {
        f"{SITE}/robots.txt": answer("User-agent: *\nDisallow: /private/", "Content-Type: text/plain")
    }
    for number, is_topical in enumerate(topical):
        text = ". ".join(" ".join(rng.choices(_words(is_topical), k=9)) for _ in range(8))
        near = [there for there in range(120) if topical[there] == is_topical]
        targets = [*rng.sample(near, 5), *rng.sample(range(120), 3)]
        items = [f'<li><a href="/p{there}">{titles[there]}</a> {text[:40]}</li>' for there in targets]
        items.append(f'<li><a href="/gone{number}">gone</a> <a href="/old{number}">moved</a></li>')
        items.append(f'<li><a href="/private/{number}">private</a></li>')
        body = f"<main><h1>{titles[number]}</h1><p>{text}.</p><ul>{''.join(items)}</ul></main>"
        head = f"<title>{titles[number]}</title>"
        answers[f"{SITE}/p{number}"] = answer(f"<!doctype html><html lang=en>{head}{body}</html>")
        answers[f"{SITE}/old{number}"] = moved(f"/p{(number + 1) % 120}")
    return answers


def _words(is_topical: bool) -> list[str]:
    return _ON_TOPIC if is_topical else _OFF_TOPIC


def live(width: int) -> Iterator[tuple[str, str]]:
    topic = topic_of_words("rain", TOPIC_WORDS)
    with serving_apart(site(Random(0))) as server, TemporaryDirectory() as folder:
        settings = LiveSettings(
            allow_private=True, connect_to=f"127.0.0.1:{server.port}", delay=0.0, workers=1, waiting=1
        )
        for name in LIVE_STRATEGIES:
            run = Path(folder, name)
            run_live(
                settings,
                topic,
                [f"{SITE}/p0", f"{SITE}/p1"],
                run,
                Plan(max_pages=BUDGET, strategy=name, width=width),
                limits=Limits(same_text=0.0),
            )
            yield name, digest_of_run(run)


CRAWLS: dict[str, Callable[[int], Iterator[tuple[str, str]]]] = {
    "generated": generated,
    "frozen": frozen,
    "live": live,
}


def digests(group: str) -> dict[str, str]:
    """The digests of all crawls of a group."""
    web, _, width = group.partition("/")
    return {f"{group}/{name}": found for name, found in CRAWLS[web](int(width))}


if __name__ == "__main__":
    setattr(semantic, "the_wordnet", small_wordnet)  # noqa: B010 (a cached function by type)
    found = {key: value for group in sys.argv[1:] for key, value in digests(group).items()}
    json.dump(found, sys.stdout, indent=0)
