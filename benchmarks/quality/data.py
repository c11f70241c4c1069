"""The corpora that ontologies are measured on: found in the folders of ``--data``, given as PATH=TOPIC, or,
as task:NAME, the pages that the topic of a task in ``tasks.toml`` is built from, or, as
label:WEB/LABEL=TOPIC, 25 pages with a label, drawn by a generator seeded with the topic.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from tasks import LIST, listed, load_task

from fcwseo.pages import Page
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.opening import open_web
from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.corpus.read import read_corpus
from fcwseo_ontology.corpus.tokens import key, language_of, words
from fcwseo_ontology.errors import InvalidCorpus

LABELLED = 25  # pages of a label

Documents = tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A corpus by name: where it lies, and its topic. A task's folder names its topic itself.

    ``whole``: all of it is on the topic, although its documents are too unlike each other to show it.
    """

    name: str
    path: str
    topic: str = ""
    whole: bool = False


SOURCES = {
    source.name: source
    for source in (
        Source("floods", "corpora/flash_floods_ccby.jsonl", "flash flood"),
        Source("security", "corpora/network_security_arxiv.jsonl", "network security"),
        Source("ir", "corpora/information_retrieval_acl.jsonl", "information retrieval"),
        Source("sports", "tasks/sports/docs"),
        Source("computing", "tasks/computing/docs"),
        Source("weather", "tasks/weather/docs"),
        Source("hazards", "corpora/hazard_profiles_undrr.jsonl", "hazard", whole=True),
        Source("bees", "corpora/bees", "beekeeping"),
        Source("disasters", "corpora/disaster_text_acl.jsonl", "disaster"),
        Source("databases-r", "tasks/databases-r/docs"),
        Source("web-r", "tasks/web-r/docs"),
        Source("spatial-guides-r", "tasks/spatial-guides-r/docs"),
        Source("containers-zh", "tasks/containers-zh/docs"),
        Source("education-zh", "corpora/csl_zh.jsonl", "教育"),
        Source("soil-zh", "corpora/csl_zh.jsonl", "土壤"),
    )
}
MAIN = ("floods", "security", "ir", "sports", "computing", "weather")  # rules were made on these
UNSEEN = ("databases-r", "web-r", "spatial-guides-r")
CHINESE = ("containers-zh", "education-zh", "soil-zh")


@dataclass(frozen=True, slots=True)
class Subject:
    """A corpus that has been read, and what an ontology of it is about."""

    name: str
    topic: str
    documents: Documents
    whole: bool = False


def located(data: Sequence[Path], path: str) -> Path | None:
    """Where a file or folder lies: in the data, or where its full path says. If nowhere, stderr has a word
    about it.
    """
    folders = [Path()] if Path(path).is_absolute() else data
    found = next((there for folder in folders if (there := folder / path).exists()), None)
    if found is None:
        print(f"left out: there is no {path} in {', '.join(map(str, data))}", file=sys.stderr)
    return found


def subjects(data: Sequence[Path], names: Sequence[str]) -> list[Subject]:
    """The corpora that are named and there. A name is one of ``SOURCES``, PATH=TOPIC, task:NAME or
    label:WEB/LABEL=TOPIC.
    """
    found = (_named(data, name) for name in names)
    return [subject for subject in found if subject is not None]


def _named(data: Sequence[Path], name: str) -> Subject | None:
    if name.startswith("task:"):
        return _of_task(data, name.removeprefix("task:"))
    if name.startswith("label:"):
        return _of_label(data, name.removeprefix("label:"))
    return _subject(data, _source(name))


def _of_task(data: Sequence[Path], name: str) -> Subject | None:
    """The pages of a task, by their main text."""
    if name not in listed().tasks:
        raise SystemExit(f"{name!r} is no task in {LIST}")
    if located(data, f"webs/{listed().tasks[name].web}") is None:
        return None
    task = load_task(tuple(data), name)
    return Subject(name, name, _documents(task.web, task.documents))


def _of_label(data: Sequence[Path], given: str) -> Subject | None:
    """Pages with a label, by their main text."""
    place, _, topic = given.rpartition("=")
    web_name, _, label = place.partition("/")
    if not (web_name and label and topic):
        raise SystemExit(f"label:{given} does not have the form label:WEB/LABEL=TOPIC")
    path = located(data, f"webs/{web_name}")
    if path is None:
        return None
    web = open_web(str(path))
    assert isinstance(web, FrozenWeb)
    pages = sorted(url for url in web.urls() if label in web.labels(url))
    if len(pages) < LABELLED:
        raise SystemExit(f"{path} has {len(pages)} pages labelled {label}, not {LABELLED}")
    return Subject(label, topic, _documents(web, Random(topic).sample(pages, LABELLED)))


def _documents(web: FrozenWeb, urls: Sequence[str]) -> Documents:
    pages = [asyncio.run(web.fetch(url)) for url in urls]
    found = ((page.url, page.title, page.text) for page in pages if isinstance(page, Page))
    return tuple(Document(url, title, text, language=language_of(text)) for url, title, text in found)


def _source(name: str) -> Source:
    path, joined, topic = name.rpartition("=")
    if joined:
        return Source(Path(path).stem, str(Path(path).resolve()), topic)
    if name not in SOURCES:
        raise SystemExit(
            f"{name!r} is no corpus: choose of {', '.join(SOURCES)}, or give PATH=TOPIC, task:NAME or "
            "label:WEB/LABEL=TOPIC"
        )
    return SOURCES[name]


def _subject(data: Sequence[Path], source: Source) -> Subject | None:
    path = located(data, source.path)
    if path is None:
        return None
    topic = source.topic or json.loads((path.parent / "task.json").read_text(encoding="utf-8"))["topic"]
    try:
        return Subject(source.name, topic, read_corpus([path]).documents, source.whole)
    except InvalidCorpus as error:
        raise SystemExit(str(error)) from error


def without_keywords(documents: Documents) -> Documents:
    return tuple(replace(document, keywords=()) for document in documents)


def stand_in(documents: Documents, avoid: AbstractSet[str]) -> str:
    """A word to name as the topic where there is none: the commonest, such as "the", of two letters or more.

    It is a part of none of the keys to ``avoid``, as a topic is no term, and what is wider hangs below it.

    >>> rain = Document("a", "", "The rain fell, and the hail fell.")
    >>> stand_in((rain,), {"hail"}), stand_in((rain,), {"the rain"})
    ('and', 'and')
    """
    language = main_language(documents)
    parts = {stem for one in avoid for stem in (one, *one.split())}
    texts = (dict.fromkeys(words(f"{one.title}\n{one.text}", language)) for one in documents)
    counts = Counter(word for text in texts for word in text)
    return min(
        (word for word in counts if len(word) > 1 and key(word, language) not in parts),
        key=lambda word: (-counts[word], word),
    )


def main_language(documents: Documents) -> str:
    """The language of most documents."""
    counts = Counter(document.language for document in documents)
    return max(counts, key=lambda language: counts[language])


def repeated(documents: Documents, number: int) -> Documents:
    """So many documents, each with a name of its own: the given ones again and again.

    >>> two = (Document("a", "", "Rain."), Document("b", "", "Hail."))
    >>> [document.id for document in repeated(two, 3)]
    ['a 1', 'b 1', 'a 2']
    """
    whole = len(documents)
    chosen = (divmod(at, whole) for at in range(number))
    return tuple(replace(documents[at], id=f"{documents[at].id} {turn + 1}") for turn, at in chosen)


def as_json(documents: Documents) -> list[dict[str, Any]]:
    """The documents as ``probe.py`` takes them."""
    return [asdict(document) for document in documents]
