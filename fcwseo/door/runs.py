"""Runs: what a crawl left in its directory, as tables and as what one does with them."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

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
    """A run directory to read: also one of a crawl that is still running, or was killed.

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

    # --- tables -------------------------------------------------------------------------------------------

    @property
    def visits(self) -> Table[Row]:
        """The log: a record for every link that was followed."""
        return self._once("visits.jsonl", lambda: Table(Row, read_visits(self.path), times=("at",)))

    @property
    def pages(self) -> Table[KeptPage]:
        """The relevant pages that were kept, with their text."""
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

    # --- how it went --------------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """How far the crawl is, why it stopped, and what continuing it would do.

        Returns:
            What ``fcwseo status --json`` prints.
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
        """How many relevant pages were found."""
        return self.counts["relevant"]

    @property
    def harvest_rate(self) -> float:
        """The share of relevant pages among the visited ones."""
        return float(self.status()["harvest_rate"])

    @property
    def stop(self) -> str | None:
        """Why the crawl ended, such as ``"budget"``; None while it runs, or if it was killed."""
        stop = self.status()["stop"]
        return None if stop is None else str(stop)

    @property
    def topic(self) -> Topic:
        """The topic that was crawled for."""
        return Topic(read_topic(self.path))

    # --- what one does with it ----------------------------------------------------------------------------

    def search(self, query: str, *, limit: int = 10) -> Table[Hit]:
        """Search the kept pages; the ontology adds other words for the same concepts.

        Args:
            query: Words; those in double quotes form a phrase.
            limit: At most so many pages.

        Returns:
            The best pages first.

        Raises:
            InvalidInput: If the query has no word.
        """
        return Table(Hit, search(self.path, text_of(query, "query"), limit=count_of(limit, "limit")))

    def explain(self, url: str, *, web: AnyWeb | None = None) -> Account:
        """Say why the crawl took a link, or did not.

        Args:
            url: Where the link leads.
            web: The web that was crawled, if it has moved.

        Raises:
            InvalidInput: If the crawl never saw the link.
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
            path: What to write. Its suffix says in which format: ``.jsonl``, ``.parquet``, ``.csv``,
                ``.warc.gz``.
            format: The format, where the suffix does not say it: ``"markdown"`` and ``"hf"`` make folders.
            min_relevance: Take only pages that are at least so relevant.
            skip_near_duplicates: Take only the first of pages that say nearly the same.

        Returns:
            The path that was written.

        Raises:
            InvalidInput: If the suffix is unknown, or the path exists.
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
        from fcwseo.comparison.report.crawl import report_run

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
        """Ask the live web for the kept pages again.

        Args:
            out: The run directory of the recrawl.
            width: How many fetches may be in flight (1).
            contact: Who you are, for the operators of servers.
            allow_private: Whether private addresses may be asked too.
            connect_to: Ask this address for every host.
            delay: Seconds between two requests to a host (1).
            max_time: End after this time.
            config: A TOML file of settings; what is given here counts more.
            progress: True shows a line in a terminal or notebook; a function is called with each line.

        Returns:
            A record for each page that was asked for: what became of it.

        Raises:
            InvalidInput: If a setting cannot be used, such as a missing contact.
            InvalidRun: If the run kept no page.
        """
        from fcwseo.crawling.settings import load_settings
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
                width=settings.crawl.width,
                limits=settings.traps,
                progress=lambda run, web: show(f"{run.visits:,} pages asked for; {web.why_waiting()}"),
            )
        return Table(Change, changes(self.path, again), times=("before", "at"))

    def fit_weights(
        self, *, method: str = "least-squares", scorer: str = "", web: AnyWeb | None = None, seed: int = 0
    ) -> "Table[Any]":
        """Fit the weights of parent text, anchor, title and context to the links that the crawl followed.

        Args:
            method: ``"least-squares"`` (exact), ``"ha"`` (the hybrid algorithm) or ``"ha-corrected"``.
            scorer: ``"topical"``, ``"word2vec"``, ``"elmo"`` or ``"bsvsm"``; without it, the strategy's.
            web: The web that was crawled, if it is not found.
            seed: The seed of all chance in the hybrid algorithm.

        Returns:
            Equal weights and the fitted ones, each with the mean absolute error on links that were held out.

        Raises:
            InvalidInput: If there is no such method or scorer, or the run has too few links.
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

    # --- how it looks -------------------------------------------------------------------------------------

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

    Raises:
        InvalidRun: If there is no run.

    >>> import fcwseo as f
    >>> f.open_run("nowhere")
    Traceback (most recent call last):
    fcwseo.errors.InvalidRun: nowhere is not a run directory: it has no run.json
    """
    return Run(path)
