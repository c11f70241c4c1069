"""Public class ``Run``: a run directory as tables, with search, explain, export and report."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from fcwseo.crawling.repair import Repaired
from fcwseo.crawling.repair import repair as _repair
from fcwseo.crawling.run_directory.checkpoints import Checkpoint, read_checkpoints
from fcwseo.crawling.run_directory.log import Row, read_visits
from fcwseo.crawling.run_directory.run_file import read_run_file
from fcwseo.crawling.run_directory.status import summary
from fcwseo.crawling.run_directory.topic import read_topic
from fcwseo.door.arguments import (
    AnyPath,
    AnyWeb,
    count_of,
    path_of,
    share_of,
    spec_of,
    text_of,
    unusable,
    web_of,
)
from fcwseo.door.progress import shown
from fcwseo.door.topics import Topic
from fcwseo.tables import Table, html_facts
from fcwseo.uses.explain import Account
from fcwseo.uses.export import Choice, KeptPage, export, format_of, kept_pages
from fcwseo.uses.search import Hit, search

T = TypeVar("T")


class Run:
    """A run directory, finished, running or killed, to read.

    Args:
        path: The run directory.

    >>> import fcwseo as f
    >>> from tempfile import mkdtemp
    >>> web = f.open_web("generated-500-0")
    >>> run = f.crawl(web=web, topic="rainstorm", seeds=web.seeds("rainstorm"), max_pages=50, out=mkdtemp())
    >>> run.visits[0].step, run.pages[0].relevance > 0, run.metrics[-1].n
    (1, True, 50)
    >>> [hit.score > 0 for hit in run.search("flood")[:1]]
    [True]
    """

    def __init__(self, path: AnyPath) -> None:
        self.path = path_of(path, "path")
        self._read: dict[str, tuple[object, Any]] = {}
        read_run_file(self.path)

    def __fspath__(self) -> str:
        """The path of the directory: a run can be given wherever a path can."""
        return str(self.path)

    # --- tables -------------------------------------------------------------------------------------------

    @property
    def visits(self) -> Table[Row]:
        """The log: a record for each followed link."""
        return self._once("visits.jsonl", lambda: Table(Row, read_visits(self.path), times=("at",)))

    @property
    def pages(self) -> Table[KeptPage]:
        """The kept pages with their text."""
        return self._once(
            "pages.jsonl",
            lambda: Table(
                KeptPage,
                (msgspec.convert(page, KeptPage) for page in kept_pages(self.path)),
                times=("fetched_at",),
            ),
        )

    @property
    def metrics(self) -> Table[Checkpoint]:
        """Harvest rate and other measures, at every 5 % of the budget."""
        return self._once("metrics.jsonl", lambda: Table(Checkpoint, list(read_checkpoints(self.path))))

    def _once(self, name: str, read: Callable[[], Table[T]]) -> Table[T]:
        """Read a file once, and again when it has changed."""
        file = self.path / name
        found = file.stat() if file.exists() else None
        state = (found.st_size, found.st_mtime_ns) if found else None
        if name not in self._read or self._read[name][0] != state:
            self._read[name] = (state, read())
        table: Table[T] = self._read[name][1]
        return table

    # --- status -------------------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """Return the progress of the crawl, its stop reason, and what a resume would do.

        Returns:
            The dictionary that ``fcwseo status --json`` prints.
        """
        log, file = self.path / "visits.jsonl", self.path / "run.json"
        state = [path.stat().st_mtime_ns for path in (log, file) if path.exists()]
        if self._read.get("status", (None,))[0] != state:
            self._read["status"] = (state, msgspec.to_builtins(summary(self.path)))
        return dict(self._read["status"][1])

    @property
    def counts(self) -> dict[str, int]:
        """Visits, pages, relevant pages, and failures by reason."""
        return dict(self.status()["counts"])

    @property
    def relevant(self) -> int:
        """Number of relevant pages found."""
        return self.counts["relevant"]

    @property
    def harvest_rate(self) -> float:
        """The share of relevant pages among the visited ones."""
        return float(self.status()["harvest_rate"])

    @property
    def stop(self) -> str | None:
        """The stop reason, such as ``"budget"``; None while the crawl runs, or if it was killed."""
        stop = self.status()["stop"]
        return None if stop is None else str(stop)

    @property
    def topic(self) -> Topic:
        """The topic of the crawl."""
        return Topic(read_topic(self.path))

    # --- uses ---------------------------------------------------------------------------------------------

    def search(self, query: str, *, limit: int = 10) -> Table[Hit]:
        """Search the kept pages; the ontology adds synonyms to the query.

        Args:
            query: Words; those in double quotes form a phrase.
            limit: Maximum number of pages.

        Returns:
            The matching pages, best first.

        Raises:
            InvalidInput: If the query contains no word.
        """
        return Table(Hit, search(self.path, text_of(query, "query"), limit=count_of(limit, "limit")))

    def explain(self, url: str, *, web: AnyWeb | None = None) -> Account:
        """Explain why the crawl followed a link, or did not.

        Args:
            url: The URL of the link.
            web: The crawled web, if it has moved since.

        Returns:
            An account of the link: features, objectives, rank, parents and matching concepts.

        Raises:
            InvalidInput: If the crawl never saw the link.

        >>> import fcwseo as f
        >>> from tempfile import mkdtemp
        >>> web = f.open_web("generated-500-0")
        >>> seeds = web.seeds("rainstorm")
        >>> run = f.crawl(web=web, topic="rainstorm", seeds=seeds, max_pages=20, out=mkdtemp())
        >>> run.explain(run.visits[-1].url).strategy
        'fcwseo'
        """
        from fcwseo.uses.explain import explain

        return explain(self.path, text_of(url, "url"), web=None if web is None else web_of(web))

    def export(
        self,
        path: AnyPath,
        *,
        format: str | None = None,
        min_relevance: float = 0.0,
        skip_near_duplicates: bool = False,
    ) -> Path:
        """Write the kept pages to a file or folder.

        Args:
            path: The file or folder to write. Its suffix sets the format: ``.jsonl``, ``.parquet``, ``.csv``,
                ``.warc.gz``.
            format: The format, if the suffix does not set it; ``"markdown"`` and ``"hf"`` write folders.
            min_relevance: Export only pages of at least this relevance.
            skip_near_duplicates: Export only the first page of each group of near-duplicates.

        Returns:
            The written path.

        Raises:
            InvalidInput: If the suffix is unknown, or the path exists.

        >>> import fcwseo as f
        >>> from tempfile import mkdtemp
        >>> web, folder = f.open_web("generated-500-0"), mkdtemp()
        >>> seeds = web.seeds("rainstorm")
        >>> run = f.crawl(web=web, topic="rainstorm", seeds=seeds, max_pages=20, out=f"{folder}/run")
        >>> run.export(f"{folder}/rain.csv").exists()
        True
        """
        out = path_of(path, "path")
        form = format_of(out) if format is None else text_of(format, "format")
        choice = Choice(share_of(min_relevance, "min_relevance"), skip_near_duplicates)
        export(self.path, form, out, choice=choice)
        return out

    def report(self, path: AnyPath | None = None) -> Path:
        """Write the report: one self-contained HTML page.

        Args:
            path: The file to write; without it, ``report.html`` in the run directory.

        Returns:
            The path of the page.
        """
        from fcwseo.comparison.report.crawl.page import report_run

        return report_run(self.path, None if path is None else path_of(path, "path"))

    def recrawl(
        self,
        out: AnyPath,
        *,
        width: int | None = None,
        contact: str | None = None,
        allow_private: bool | None = None,
        connect_to: str | None = None,
        delay: float | None = None,
        max_time: str | float | None = None,
        config: AnyPath | None = None,
        progress: bool | Callable[[str], None] = True,
    ) -> "Table[Any]":
        """Fetch the kept pages from the live web again.

        Args:
            out: The run directory of the recrawl.
            width: Number of concurrent fetches (32).
            contact: Your mail address or a URL, sent to servers.
            allow_private: Whether to connect to private IP addresses as well.
            connect_to: Connect to this address for every host.
            delay: Seconds between requests to a host (1).
            max_time: Stop after this time.
            config: A TOML file of settings; arguments take precedence.
            progress: True shows a line in a terminal or notebook; a function is called with each line.

        Returns:
            A record for each requested page: unchanged, changed, gone ...

        Raises:
            InvalidInput: If a setting cannot be used, such as a missing contact.
            InvalidRun: If the run kept no page.
        """
        from fcwseo.crawling.settings import POLITE_WIDTH, load_settings
        from fcwseo.uses.recrawl import Change, changes, recrawl

        live = {
            "contact": contact,
            "allow_private": allow_private,
            "connect_to": connect_to,
            "delay": delay,
            "max_time": None if max_time is None else str(max_time),
        }
        settings = load_settings(
            None if config is None else path_of(config, "config"),
            given={"crawl": {"width": width}, "live": live},
            where="the call",
        )
        again = path_of(out, "out")
        with shown(progress) as show:
            recrawl(
                self.path,
                again,
                settings.live,
                width=settings.crawl.width or POLITE_WIDTH,
                limits=settings.traps,
                progress=lambda run, web: show(f"{run.visits:,} pages requested; {web.why_waiting()}"),
            )
        return Table(Change, changes(self.path, again), times=("before", "at"))

    def fit_weights(
        self, *, method: str = "least-squares", scorer: str = "", web: AnyWeb | None = None, seed: int = 0
    ) -> "Table[Any]":
        """Fit the weights of parent text, anchor, title and context to the followed links.

        Args:
            method: ``"least-squares"`` (exact), ``"ha"`` (the hybrid algorithm) or ``"ha-corrected"``.
            scorer: ``"topical"``, ``"word2vec"``, ``"elmo"`` or ``"bsvsm"``; without it, the scorer of the
                strategy.
            web: The crawled web, if it has moved since.
            seed: Seed of the random numbers of the hybrid algorithm.

        Returns:
            Equal and fitted weights, each with its mean absolute error on held-out links.

        Raises:
            InvalidInput: If the method or scorer is unknown, or the run has too few links.
        """
        from fcwseo.uses.fit_weights import Fitted, Method, fit_weights

        if method not in [*Method]:
            raise unusable("method", method, f"one of {', '.join(Method)} is needed")
        found = fit_weights(
            self.path,
            method=Method(method),
            scorer=text_of(scorer, "scorer"),
            web="" if web is None else spec_of(web),
            seed=count_of(seed, "seed", least=0),
        )
        return Table(Fitted, found)

    # --- display ------------------------------------------------------------------------------------------

    def _facts(self) -> Mapping[str, Any]:
        status = self.status()
        return {
            "strategy": status["strategy"],
            "topic": status["topic"],
            "web": status["web"],
            "pages": f"{status['counts']['pages']:,} of {status['max_pages']:,}",
            "relevant": f"{status['counts']['relevant']:,}",
            "harvest rate": status["harvest_rate"],
            "stopped": status["stop"] or "not yet",
        }

    def __repr__(self) -> str:
        counts, stop = self.counts, self.stop
        ended = f"stopped: {stop}" if stop else "not stopped"
        return (
            f"Run {str(self.path)!r}: {counts['pages']:,} pages, {counts['relevant']:,} relevant "
            f"({self.harvest_rate:.3f}), {ended}"
        )

    def _repr_html_(self) -> str:
        return html_facts(f"Run {self.path}", self._facts())


def open_run(path: AnyPath) -> Run:
    """Open the run directory of a crawl.

    Args:
        path: The run directory.

    Returns:
        The run.

    Raises:
        InvalidRun: If the folder is not a run directory.

    >>> import fcwseo as f
    >>> f.open_run("nowhere")
    Traceback (most recent call last):
    fcwseo.errors.InvalidRun: nowhere is not a run directory: it has no run.json
    """
    return Run(path)


def repair(path: AnyPath, *, dry_run: bool = False) -> Repaired:
    """Save what is whole of a run that a disk or a power cut has damaged; the same crawl continues it.

    Args:
        path: The run directory.
        dry_run: Whether only to say what would be done.

    Returns:
        What was found, what is saved, and what is lost.

    Raises:
        InvalidRun: If the folder is not a run directory, or if ``run.json`` and its copy are lost.

    >>> import fcwseo as f
    >>> from tempfile import mkdtemp
    >>> web = f.open_web("generated-500-0")
    >>> seeds = web.seeds("rainstorm")
    >>> run = f.crawl(web=web, topic="rainstorm", seeds=seeds, max_pages=20, out=mkdtemp())
    >>> found = f.repair(run.path, dry_run=True)
    >>> found.visits == len(run.visits), found.damage
    (True, ())
    """
    return _repair(path_of(path, "path"), dry_run=dry_run)
