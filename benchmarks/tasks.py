"""The list of tasks that benchmarks crawl: a web, a topic, the labels that make a page relevant, a budget,
and seed sets. ``tasks.toml`` names them.

The folders with ``webs/`` and ``tasks/`` are named by ``--data``, or else by the environment variable
``BENCHMARK_DATA`` (with ``:`` between them); ``../shared`` and ``manuals``, which ``manuals.py`` makes, by
default. Tasks whose web lies in none of them are left out, with a word about it.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from fcwseo.crawling.seeds import read_seed_sets
from fcwseo.pages import Page
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.opening import open_web
from fcwseo_ontology.build import build_ontology
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.model import Ontology
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.relations.wordnet import load_wordnet
from fcwseo_ontology.topic import Topic

LIST = Path(__file__).parent / "tasks.toml"
SETS, SEEDS = 5, 5  # of the tasks whose seeds are drawn

Data = tuple[Path, ...]


class WebFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """A web of the list: its kind, and where its pages print the labels."""

    kind: str
    printed: str


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A task as the list has it."""

    group: str
    web: str
    budget: int
    documents: int
    relevant: tuple[str, ...] = ()
    folder: str = ""
    seeds: str = "seeds.txt"
    topic: str = ""


class Listed(Struct, frozen=True, forbid_unknown_fields=True):
    """``tasks.toml``."""

    webs: dict[str, WebFacts]
    tasks: dict[str, Entry]


class Task:
    """A task whose web is open. ``documents`` are the pages that its topic is built from: they are relevant,
    but no finds.
    """

    def __init__(
        self,
        name: str,
        web: FrozenWeb,
        relevant: frozenset[str],
        documents: tuple[str, ...],
        max_pages: int,
        seed_sets: list[list[str]],
        *,
        folder: Path | None = None,
        topic: str = "",
    ) -> None:
        self.name, self.web, self.relevant, self.max_pages = name, web, relevant, max_pages
        self.documents, self.seed_sets = documents, seed_sets
        self._folder, self._topic = folder, topic

    @cached_property
    def topic(self) -> Topic:
        return load_topic(self._topic) if self._topic else topic_of(self.ontology())

    @property
    def earlier_file(self) -> Path:
        """The file that ``earlier_topics.py`` wrote, in the folder that ``BENCHMARK_TOPICS`` names."""
        file = topic_file(Path(os.environ.get("BENCHMARK_TOPICS", "topics")), self.name)
        if not file.exists():
            raise SystemExit(f"there is no {file}: write it with earlier_topics.py")
        return file

    @property
    def earlier_topic(self) -> Topic:
        """The topic that ``earlier_topics.py`` wrote, with the word counts of the task's documents."""
        from fcwseo_ontology.terms.counts import with_documents  # which earlier commits do not have

        topic = load_topic(str(self.earlier_file))
        if topic.ontology is None or topic.documents or not self.documents:
            return topic
        with tempfile.TemporaryDirectory() as folder:
            counted = with_documents(topic.ontology, read_corpus([self._texts(Path(folder))]))
        return replace(topic, ontology=counted)

    def ontology(self, *, terms: int = 80) -> Ontology:
        """The ontology of the documents, also where the topic is a shipped one."""
        name = self.name
        if self._folder is not None:
            name = json.loads((self._folder / "task.json").read_text())["topic"]
        with tempfile.TemporaryDirectory() as folder:
            return _built(self._texts(Path(folder)), name, terms)

    def _texts(self, folder: Path) -> Path:
        """The folder of the documents; those of a drawn task are written into ``folder``."""
        if self._folder is not None:
            return self._folder / "docs"
        for number, url in enumerate(self.documents):
            page = asyncio.run(self.web.fetch(url))
            assert isinstance(page, Page)
            text = f"{page.title}\n\n{page.text}"
            (folder / f"{number:02}.txt").write_text(text, encoding="utf-8")
        return folder

    def has_label(self, url: str) -> bool:
        return not self.relevant.isdisjoint(self.web.labels(url))

    def is_find(self, url: str) -> bool:
        """Whether a page counts: it has a label of the task and is no document of the topic."""
        return self.has_label(url) and url not in self._known

    @cached_property
    def _known(self) -> frozenset[str | None]:
        return frozenset(self.web.resolve(url) for url in self.documents)


def _built(documents: Path, name: str, terms: int) -> Ontology:
    return build_ontology(read_corpus([documents]), topic=name, terms=terms, wordnet=load_wordnet())


def topic_file(folder: Path, name: str) -> Path:
    """The file of a task's topic."""
    return folder / f"{name}.json"


@cache
def listed() -> Listed:
    return msgspec.convert(tomllib.loads(LIST.read_text(encoding="utf-8")), Listed)


def kind(name: str) -> str:
    """The kind of web of a task."""
    return listed().webs[listed().tasks[name].web].kind


def names(*wanted: str) -> list[str]:
    """The tasks that are named, or whose group, web or kind is; all if nothing is named."""
    found: list[str] = []
    for word in wanted or [*listed().webs]:
        of_word = [
            name
            for name, entry in listed().tasks.items()
            if word in (name, entry.group, entry.web, kind(name))
        ]
        if not of_word:
            raise SystemExit(f"{word!r} is no task, group, web or kind of web in {LIST}")
        found += [name for name in of_word if name not in found]
    return found


def add_data_option(parser: argparse.ArgumentParser) -> None:
    given = os.environ.get("BENCHMARK_DATA", os.pathsep.join(("../shared", "manuals")))
    parser.add_argument(
        "--data", nargs="+", type=Path, default=[Path(folder) for folder in given.split(os.pathsep)]
    )


def available(data: Data, tasks: Iterable[str]) -> list[str]:
    """The tasks whose webs are there; those that are left out are named on stderr."""
    found = [name for name in tasks if _folder(data, "webs", listed().tasks[name].web)]
    missing = [name for name in tasks if name not in found]
    if missing:
        print(
            f"left out, as their webs are not in {[*map(str, data)]}: {', '.join(missing)}", file=sys.stderr
        )
    if not found:
        raise SystemExit("no task is left: name the folder of the webs with --data")
    return found


def _folder(data: Data, *parts: str) -> Path | None:
    return next((there for folder in data if (there := folder.joinpath(*parts)).exists()), None)


@cache
def load_task(data: Data, name: str) -> Task:
    entry = listed().tasks[name]
    web = _opened(data, entry.web)
    return _of_folder(data, name, entry, web) if entry.folder else _drawn(name, entry, web)


def _of_folder(data: Data, name: str, entry: Entry, web: FrozenWeb) -> Task:
    folder = _folder(data, "tasks", entry.folder)
    if folder is None:
        raise SystemExit(f"there is no folder tasks/{entry.folder} in {[*map(str, data)]}")
    facts = json.loads((folder / "task.json").read_text())
    documents = () if entry.topic else tuple(facts["examples"])
    assert len(documents) == entry.documents, f"{name} has {len(documents)} documents"
    seed_sets = [list(seeds) for seeds in read_seed_sets(folder / entry.seeds)]
    relevant = frozenset(facts["relevant"])
    return Task(name, web, relevant, documents, entry.budget, seed_sets, folder=folder, topic=entry.topic)


def _drawn(name: str, entry: Entry, web: FrozenWeb) -> Task:
    relevant = frozenset(entry.relevant)
    pages = sorted(url for url in web.urls() if not relevant.isdisjoint(web.labels(url)))
    rng = Random(name)
    documents = rng.sample(pages, entry.documents)
    seed_sets = [rng.sample(pages, SEEDS) for _ in range(SETS)]
    return Task(name, web, relevant, tuple(documents), entry.budget, seed_sets)


@cache
def _opened(data: Data, name: str) -> FrozenWeb:
    path = _folder(data, "webs", name)
    assert path is not None, f"{name} is not there"
    web = open_web(str(path))
    assert isinstance(web, FrozenWeb)
    return web
