"""Crawling tasks: a web, a topic, the labels that make a page relevant, a budget, and seed sets."""

import asyncio
import json
import tempfile
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from relevance import TASKS, topic_of_task

from fcwseo.crawling.seeds import read_seed_sets
from fcwseo.pages import Page
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.opening import open_web
from fcwseo_ontology.build import build_ontology
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.relations.wordnet import load_wordnet
from fcwseo_ontology.topic import Topic

TOPICS = Path(__file__).parent / "topics.toml"
DOCUMENTS, SETS, SEEDS = 25, 5, 5


@dataclass(frozen=True)
class Task:
    web: FrozenWeb
    topic: Topic
    relevant: frozenset[str]
    max_pages: int
    seed_sets: list[list[str]]

    def is_relevant(self, url: str) -> bool:
        return not self.relevant.isdisjoint(self.web.labels(url))


def groups() -> list[str]:
    return ["given", *_described()]


def names(group: str) -> list[str]:
    """``given``, or a group of ``topics.toml``."""
    return list(TASKS) if group == "given" else list(_described()[group])


@cache
def load_task(shared: Path, name: str) -> Task:
    if name in TASKS:
        return _given(shared, shared / "tasks" / name)
    (described,) = (topics[name] for topics in _described().values() if name in topics)
    web = _opened(shared / "webs" / described["web"])
    relevant = frozenset(described["relevant"])
    pages = sorted(url for url in web.urls() if not relevant.isdisjoint(web.labels(url)))
    rng = Random(name)
    documents = rng.sample(pages, DOCUMENTS)
    seed_sets = [rng.sample(pages, SEEDS) for _ in range(SETS)]
    return Task(web, _built(web, documents, name), relevant, described["max_pages"], seed_sets)


def _given(shared: Path, folder: Path) -> Task:
    task = json.loads((folder / "task.json").read_text())
    web = _opened(shared / "webs" / task["web"])
    seed_sets = [list(seeds) for seeds in read_seed_sets(folder / "seeds.txt")]
    return Task(web, topic_of_task(folder), frozenset(task["relevant"]), task["max_pages"], seed_sets)


def _built(web: FrozenWeb, urls: list[str], name: str) -> Topic:
    with tempfile.TemporaryDirectory() as folder:
        for number, url in enumerate(urls):
            page = asyncio.run(web.fetch(url))
            assert isinstance(page, Page)
            (Path(folder) / f"{number:02}.txt").write_text(f"{page.title}\n\n{page.text}", encoding="utf-8")
        corpus = read_corpus([Path(folder)])
        return topic_of(build_ontology(corpus, topic=name, wordnet=load_wordnet()))


@cache
def _described() -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads(TOPICS.read_text(encoding="utf-8"))


@cache
def _opened(path: Path) -> FrozenWeb:
    web = open_web(str(path))
    assert isinstance(web, FrozenWeb)
    return web
