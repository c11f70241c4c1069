"""Public functions: compare strategies."""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import cast

from fcwseo.comparison.compare import Comparison
from fcwseo.comparison.compare import compare as carry_out
from fcwseo.comparison.experiment import make_experiment, read_experiment
from fcwseo.crawling.rehearsal import Rehearsal, rehearsal_of, times_of
from fcwseo.door.arguments import AnyPath, AnySeeds, AnyWeb, count_of, items_of, path_of, seed_names, spec_of
from fcwseo.door.progress import shown
from fcwseo.door.topics import AnyTopic, topic_of
from fcwseo.errors import InvalidInput
from fcwseo.loops import awaitable
from fcwseo_ontology.topic import encoded


def compare(
    *,
    out: AnyPath,
    web: AnyWeb | None = None,
    topic: AnyTopic | None = None,
    seeds: AnySeeds | None = None,
    strategies: str | Sequence[str] | None = None,
    max_pages: int | None = None,
    repeats: int | None = None,
    seed: int | None = None,
    relevant: str | Sequence[str] = (),
    judge_topic: AnyTopic | None = None,
    judge_eta: float | None = None,
    eta: float | None = None,
    relevance: str | None = None,
    width: int | None = None,
    rehearse: bool | Rehearsal = False,
    delay: float | None = None,
    latency: float | None = None,
    max_time: str | float | None = None,
    experiment: AnyPath | None = None,
    workers: int | None = None,
    trec: bool = False,
    progress: bool | Callable[[str], None] = True,
) -> Comparison:
    """Let strategies crawl the same web from the same seeds, and compare what they find.

    The same call again resumes an interrupted comparison.

    Args:
        out: The comparison directory; an existing one is continued.
        web: A web, a folder, an archive, or ``generated-PAGES-SEED``.
        topic: A ``Topic``, an ``Ontology``, a file, a dictionary of weighted words, or a shipped name.
        seeds: Where to start: a file with all its seed sets, URLs, or a list of them.
        strategies: One name or several, or ``"all"`` (eight telling ones); ``"mine.py:Mine"`` is your own.
        max_pages: Number of pages that each crawl visits (1000).
        repeats: Number of crawls per strategy and seed set (1).
        seed: Seed of the random numbers (0).
        relevant: One or more labels of the web; pages with any of them are relevant.
        judge_topic: A topic that judges pages if no labels are given; no crawler sees it.
        judge_eta: Relevance to ``judge_topic`` from which a page is relevant.
        eta: Relevance from which a crawler keeps a page; without it, each crawl uses a running threshold.
        relevance: How all crawlers judge pages (``"topical"``); ``"mine.py:Mine"`` is your own.
        width: Number of concurrent fetches (32 in a rehearsal, else 1).
        rehearse: Whether all crawls are polite, on a virtual clock; a ``Rehearsal`` describes the servers.
        delay: Seconds between requests to a host of a rehearsal (1).
        latency: Median of the response times of a rehearsal, in seconds (0.2).
        max_time: Virtual seconds of each rehearsed crawl, or text such as ``"10m"``.
        experiment: A TOML file with these arguments, in place of web, topic and seeds.
        workers: Number of processes (one per core).
        trec: Whether to write TREC run and qrels files as well.
        progress: True shows a line in a terminal or notebook; a function is called with each line.

    Returns:
        The comparison: ``table``, ``runs``, ``headline``, ``results`` and the path of its directory.

    Raises:
        InvalidInput: If the web, the topic, the seeds or a strategy cannot be used.

    >>> import fcwseo as f
    >>> from tempfile import mkdtemp
    >>> web, chosen = f.open_web("generated-500-0"), ["best-first", "bfs"]
    >>> seeds = web.seeds("rainstorm")
    >>> found = f.compare(
    ...     web=web, topic="rainstorm", seeds=seeds, strategies=chosen, max_pages=50, workers=1, out=mkdtemp()
    ... )
    >>> sorted(row.strategy for row in found.table)
    ['best-first', 'bfs']
    """
    times = times_of(delay=delay, latency=latency)
    if times and rehearse is False and experiment is None:
        raise InvalidInput(f"{next(iter(times))} applies to a rehearsal only: omit it, or rehearse")
    chosen = {
        "strategies": None if strategies is None else _names(strategies, "strategies"),
        "max_pages": None if max_pages is None else count_of(max_pages, "max_pages"),
        "repeats": None if repeats is None else count_of(repeats, "repeats"),
        "seed": seed,
        "width": width,
        "eta": eta,
        "relevance": relevance,
        "rehearsal": None if rehearse is False else rehearsal_of(rehearse, delay=delay, latency=latency),
        "max_time": None if max_time is None else str(max_time),
    }
    given = {name: value for name, value in chosen.items() if value is not None}
    folder = path_of(out, "out")
    topics = {"topic": topic, "judge_topic": judge_topic}
    files: dict[str, bytes] = {}
    if experiment is not None:
        if (web, topic, seeds) != (None, None, None):
            raise InvalidInput(
                f"{experiment} already sets web, topic and seeds: leave out either these or the experiment"
            )
        wanted = read_experiment(path_of(experiment, "experiment"), times, **given)
    else:
        _check_needed(web, topic, seeds)
        task = {
            "web": spec_of(cast(AnyWeb, web)),
            "seeds": tuple(seed_names(cast(AnySeeds, seeds))),
            "relevant": _names(relevant, "relevant"),
            "judge_eta": judge_eta,
            **{name: _topic_name(one, name, folder, files) for name, one in topics.items()},
        }
        wanted = make_experiment({"tasks": [task], **given}, where="the call")
    number = None if workers is None else count_of(workers, "workers")
    with shown(progress) as show:
        return carry_out(wanted, folder, workers=number, trec=trec, files=files, progress=show)


acompare = awaitable(compare)
acompare.__name__ = acompare.__qualname__ = "acompare"
acompare.__doc__ = """Awaitable ``compare``, with the same arguments.

Cancelling it ends the crawls cleanly; the same call resumes them.

>>> import asyncio, fcwseo as f
>>> asyncio.run(f.acompare(web="generated-500-0", out="nowhere"))
Traceback (most recent call last):
fcwseo_ontology.errors.InvalidInput: a comparison needs web, topic and seeds, or an experiment: give topic
"""


def _check_needed(web: object, topic: object, seeds: object) -> None:
    for name, value in (("web", web), ("topic", topic), ("seeds", seeds)):
        if value is None:
            raise InvalidInput(f"a comparison needs web, topic and seeds, or an experiment: give {name}")


def _names(given: str | Sequence[str], name: str) -> tuple[str, ...]:
    """A list of names; a single name may be given as text."""
    if isinstance(given, str):
        return (given,)
    return tuple(items_of(given, name, "a list of names"))


def _topic_name(topic: AnyTopic | None, name: str, out: Path, files: dict[str, bytes]) -> str | None:
    """The name with which worker processes load a topic. A topic that is not a file is written to the
    directory.
    """
    if topic is None:
        return None
    if isinstance(topic, str | PathLike):
        return str(path_of(topic, name))
    file = "topic.json" if name == "topic" else "judge.json"
    files[file] = encoded(topic_of(topic))
    return str(out / file)
