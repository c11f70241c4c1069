"""Comparisons of strategies as users ask for them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from fcwseo.comparison.compare import Comparison
from fcwseo.comparison.compare import compare as carry_out
from fcwseo.comparison.experiment import Experiment, make_experiment, read_experiment
from fcwseo.door.arguments import AnyPath, AnySeeds, AnyWeb, seed_names, spec_of
from fcwseo.door.progress import shown
from fcwseo.door.topics import AnyTopic, topic_of
from fcwseo.errors import InvalidInput
from fcwseo.files import atomically, io_error
from fcwseo.loops import awaitable
from fcwseo_ontology.topic import encoded


def compare(
    *,
    out: AnyPath,
    web: AnyWeb | None = None,
    topic: AnyTopic | None = None,
    seeds: AnySeeds | None = None,
    strategies: Sequence[str] | None = None,
    max_pages: int | None = None,
    repeats: int | None = None,
    seed: int | None = None,
    relevant: Sequence[str] = (),
    judge_topic: AnyPath | None = None,
    judge_eta: float | None = None,
    eta: float | None = None,
    width: int | None = None,
    experiment: AnyPath | None = None,
    workers: int | None = None,
    trec: bool = False,
    progress: bool | Callable[[str], None] = True,
) -> Comparison:
    """Let strategies crawl the same web from the same seeds, and compare what they find.

    The same call again goes on with a comparison that was interrupted.

    Args:
        out: The comparison directory; one that exists is continued.
        web: A web, a folder, an archive, or ``generated-PAGES-SEED``.
        topic: A ``Topic``, an ``Ontology``, a file, a dictionary of weighted words, or a shipped name.
        seeds: Where to start: a file with all of its seed sets, URLs, or a list of them.
        strategies: Their names (all crawlers); ``"mine.py:Mine"`` is one of your own.
        max_pages: How many pages each crawl visits (1000).
        repeats: How often each strategy crawls from each seed set (1).
        seed: The seed of all chance (0).
        relevant: Labels of the web: pages with one of them are relevant.
        judge_topic: A topic that judges where there are no labels; no crawler sees it.
        judge_eta: Relevance to it from which a page is relevant.
        eta: Relevance from which a crawler keeps a page; without it, each crawl finds a threshold.
        width: How many fetches may be in flight (1).
        experiment: A TOML file that says all this, in place of web, topic and seeds.
        workers: How many processes crawl (as many as there are cores).
        trec: Whether run and qrels files are written, too.
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
    chosen = {
        "strategies": None if strategies is None else tuple(strategies),
        "max_pages": max_pages,
        "repeats": repeats,
        "seed": seed,
        "width": width,
        "eta": eta,
    }
    given = {name: value for name, value in chosen.items() if value is not None}
    if experiment is not None:
        if (web, topic, seeds) != (None, None, None):
            raise InvalidInput(f"{experiment} says what web, topic and seeds are: leave these or it out")
        wanted = read_experiment(Path(experiment), **given)
    else:
        wanted = _experiment(web, topic, seeds, Path(out), relevant, judge_topic, judge_eta, given)
    with shown(progress) as show:
        return carry_out(wanted, Path(out), workers=workers, trec=trec, progress=show)


acompare = awaitable(compare)
acompare.__doc__ = """``compare`` to be awaited, with the arguments of ``compare``.

Cancelling it ends the crawls in good order; the same call goes on.

>>> import asyncio, fcwseo as f
>>> asyncio.run(f.acompare(web="generated-500-0", out="nowhere"))
Traceback (most recent call last):
fcwseo_ontology.errors.InvalidInput: a comparison without an experiment needs web, topic and seeds: give topic
"""


def _experiment(
    web: AnyWeb | None,
    topic: AnyTopic | None,
    seeds: AnySeeds | None,
    out: Path,
    relevant: Sequence[str],
    judge_topic: AnyPath | None,
    judge_eta: float | None,
    given: Mapping[str, object],
) -> Experiment:
    for name, value in (("web", web), ("topic", topic), ("seeds", seeds)):
        if value is None:
            raise InvalidInput(
                f"a comparison needs {'' if name == 'seeds' else 'a '}{name}, or an experiment"
            )
    assert web is not None and topic is not None and seeds is not None
    task = {
        "web": spec_of(web),
        "topic": _topic_name(topic, out),
        "seeds": tuple(seed_names(seeds)),
        "relevant": tuple(relevant),
        "judge_topic": None if judge_topic is None else str(judge_topic),
        "judge_eta": judge_eta,
    }
    return make_experiment({"tasks": [task], **given}, where="the call")


def _topic_name(topic: AnyTopic, out: Path) -> str:
    """What worker processes load the topic by: one that is no file is written to the directory."""
    if isinstance(topic, str | Path):
        return str(topic)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise io_error(out, error) from error
    atomically(out / "topic.json", encoded(topic_of(topic)))
    return str(out / "topic.json")
