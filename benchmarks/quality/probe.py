"""Runs one piece of work with the ``fcwseo_ontology`` that Python finds, and prints what came of it as JSON.

    python benchmarks/quality/probe.py < job.json

Every checkout is measured through this program in a process of its own, so that all are measured alike. It
needs nothing but the checkout. Modules are sought where older versions had them too, and a build gets only
the options that the version knows.
"""

import importlib
import inspect
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

Job = Mapping[str, Any]

PLACES = {  # of what is needed, newest first
    "documents": ("corpus.documents", "corpus"),
    "wordnet": ("relations.wordnet", "wordnet"),
    "build": ("build",),
    "ossc": ("ossc",),
}


def _module(name: str) -> ModuleType:
    """A module of the ontology, wherever this version has it."""
    for place in PLACES[name]:
        try:
            return importlib.import_module(f"fcwseo_ontology.{place}")
        except ModuleNotFoundError as error:
            if error.name is None or not error.name.startswith("fcwseo_ontology"):
                raise
    raise SystemExit(f"this fcwseo_ontology has none of the modules {', '.join(PLACES[name])}")


def corpus_of(documents: Sequence[Mapping[str, Any]]) -> Any:
    module = _module("documents")
    made = (
        module.Document(
            one["id"], one["title"], one["text"], keywords=tuple(one["keywords"]), language=one["language"]
        )
        for one in documents
    )
    return module.Corpus(tuple(made))


def built(job: Job) -> dict[str, Any]:
    """The ontology of a corpus, its words with their weights, and the seconds that building it took."""
    build, corpus = _module("build").build_ontology, corpus_of(job["documents"])
    options = {
        "topic": job["topic"],
        "terms": job["terms"],
        "keep": dict.fromkeys(job["keep"], True),
        "whole_corpus": job["whole_corpus"],
        "wordnet": _module("wordnet").load_wordnet(),
    }
    known = inspect.signature(build).parameters
    options = {name: value for name, value in options.items() if name in known}
    began, cpu = time.perf_counter(), time.process_time()
    ontology = build(corpus, **options)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    words = _module("ossc").topic_of(ontology).words
    return {
        "topic": ontology.topic,
        "concepts": [[one.name, _texts(one), one.source] for one in ontology.concepts],
        "edges": [[one.child, one.parent, one.relation.value] for one in ontology.edges],
        "words": [[one.word, one.weight, getattr(one, "keyness", 0.0), one.name] for one in words],
        "seconds": seconds,
        "cpu": cpu,
    }


def _texts(concept: Any) -> list[str]:
    return [label.text for label in (*concept.labels, *concept.synonyms)]


def about(job: Job) -> dict[str, bool]:
    """What the figures depend on besides the checkout."""
    return {"wordnet": _module("wordnet").load_wordnet() is not None}


WORK: dict[str, Callable[[Job], Any]] = {
    "about": about,
    "build": built,
}


def main() -> None:
    job = json.load(sys.stdin)
    try:
        answer = {"answer": WORK[job["work"]](job)}
    except Exception as error:  # whatever another version raises is a finding, not an end
        answer = {"failed": f"{type(error).__name__}: {error}"}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
