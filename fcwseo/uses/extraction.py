"""After a crawl: the Markdown of its kept pages by a library, from the stored HTML.

Pages are extracted in parser processes, which are killed at their limits; a page that fails keeps our own
Markdown, and a warning says how many do and why the first does. ``pages.jsonl`` is replaced as a whole. An
interrupted extraction is continued by the same command; until then, a file in the run directory says that it
is unfinished.
"""

import asyncio
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from fcwseo.crawling.engine import Stop
from fcwseo.crawling.run import restoring_interrupts, stop_on_signals
from fcwseo.crawling.run_directory.kept import NAME
from fcwseo.crawling.run_directory.lines import line_of
from fcwseo.crawling.run_directory.status import EXTRACTING
from fcwseo.errors import InvalidInput
from fcwseo.files import io_error, lock, whole_lines
from fcwseo.live.parsers import TextJob, Workers
from fcwseo.loops import run_async
from fcwseo.pages import Failure
from fcwseo.pages.extractors import TRAFILATURA, Extracted
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.protocol import ClosedWeb
from fcwseo.webs.warc.read import read_records

_LOG = logging.getLogger(__name__)

_MADE_BY = "text_extractor"  # the field of a kept page that names the extractor of its Markdown, if not ours
_TEXTS = ".extracted"
_NEW = ".pages.jsonl"
_UTF_8 = "text/html; charset=utf-8"


class Html(NamedTuple):
    """Where the HTML of pages is stored."""

    archive: Path | None = None
    generated: GeneratedWeb | None = None

    def jobs(self, wanted: Mapping[str, str]) -> Iterator[TextJob]:
        """The pages with the wanted URLs, each once."""
        if self.generated is not None:
            pages = ((url, self.generated.html(url)) for url in wanted)
            yield from (TextJob(html.encode(), url, _UTF_8) for url, html in pages if html)
        if self.archive is not None:
            seen: set[str] = set()
            for record in read_records(self.archive, []):
                if record.url in wanted and record.url not in seen and not record.redirect:
                    seen.add(record.url)
                    body, kind = record.body, record.content_type
                    if isinstance(body, str):
                        body, kind = body.encode("utf-8", "replace"), _UTF_8
                    yield TextJob(body, record.url, kind)


def stored_html(web: ClosedWeb | None, run: Path) -> Html:
    """The HTML of a web; of the live web, in the archive of the run.

    Raises:
        InvalidInput: If the web stores no HTML.
    """
    if web is None:
        return Html(archive=run / "warc")
    if isinstance(web, FrozenWeb):
        return Html(archive=web.path)
    if isinstance(web, GeneratedWeb):
        return Html(generated=web)
    raise InvalidInput(f"{web.name} stores no HTML to extract text from: use the text extractor 'own'")


def extract_kept(run: Path, html: Html, workers: Workers) -> Stop | None:
    """Replace the Markdown of the kept pages of a run.

    Returns:
        None if all were tried. A first Ctrl-C keeps the texts extracted so far; a second one drops them.
    """
    try:
        with lock(run, "crawling"), restoring_interrupts():
            wanted = {page["final_url"]: page["id"] for page in _lines(run) if page.get(_MADE_BY) is None}
            stop = _extracted(run, wanted, html, workers) if wanted else None
            if stop is None:
                (run / EXTRACTING).unlink(missing_ok=True)
            return stop
    except OSError as error:
        raise io_error(error.filename or run, error) from error


def _extracted(run: Path, wanted: Mapping[str, str], html: Html, workers: Workers) -> Stop | None:
    (run / EXTRACTING).touch()
    try:
        return run_async(_extract(run, wanted, html, workers))
    except (asyncio.CancelledError, KeyboardInterrupt):
        return Stop.FORCED
    finally:
        (run / _TEXTS).unlink(missing_ok=True)
        (run / _NEW).unlink(missing_ok=True)


class _Texts:
    """Extracted texts in a file, found by URL."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w+b")
        self._starts: dict[str, int] = {}

    def __enter__(self) -> "_Texts":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._starts)

    def add(self, url: str, text: Extracted) -> None:
        """Add the text of a page."""
        self._starts[url] = self._file.seek(0, os.SEEK_END)
        self._file.write(line_of(text))

    def get(self, url: str) -> Extracted | None:
        """The text of a page, if there is one."""
        if url not in self._starts:
            return None
        self._file.seek(self._starts[url])
        return msgspec.json.decode(self._file.readline(), type=Extracted)


async def _extract(run: Path, wanted: Mapping[str, str], html: Html, workers: Workers) -> Stop | None:
    stop = stop_on_signals()
    with _Texts(run / _TEXTS) as texts:
        failures = await _extract_all(html.jobs(wanted), texts, workers, stop)
        _replace(run, texts)
        if stop.is_set():
            return Stop.INTERRUPTED
        if ours := len(wanted) - len(texts):
            _LOG.warning(_ours(ours, len(wanted), failures))
    return None


async def _extract_all(
    jobs: Iterator[TextJob], texts: _Texts, workers: Workers, stop: asyncio.Event
) -> list[Failure]:
    failures: list[Failure] = []

    async def work() -> None:
        for job in jobs:  # shared by all
            if stop.is_set():
                return
            found = await workers.extract(job)
            if isinstance(found, Extracted):
                texts.add(job.url, found)
            else:
                failures.append(found)

    async with workers, asyncio.TaskGroup() as group:
        for _ in range(workers.count):
            group.create_task(work())
    return failures


def _ours(ours: int, tried: int, failures: Sequence[Failure]) -> str:
    """How many pages keep our own Markdown, and why the first does.

    >>> from fcwseo.pages import Why
    >>> _ours(2, 9, [Failure("http://a.example/", Why.NOT_HTML, "has no main text")])
    '2 of 9 pages keep our own Markdown, since trafilatura made none; http://a.example/: has no main text'
    """
    line = f"{ours} of {tried} pages keep our own Markdown, since trafilatura made none; "
    if not failures:
        return line + "their HTML is not stored"
    return line + f"{failures[0].url}: {failures[0].detail}"


def _lines(run: Path) -> Iterator[dict[str, Any]]:
    path = run / NAME
    if path.exists():
        with path.open("rb") as lines:
            for line in whole_lines(lines):
                yield msgspec.json.decode(line, type=dict[str, Any])


def _replace(run: Path, texts: _Texts) -> None:
    """Write ``pages.jsonl`` anew, with the extracted texts."""
    with (run / _NEW).open("wb") as file:
        for page in _lines(run):
            text = texts.get(page["final_url"])
            file.write(line_of(page if text is None else _with_text(page, text)))
        file.flush()
        os.fsync(file.fileno())
    (run / _NEW).replace(run / NAME)


def _with_text(page: Mapping[str, Any], text: Extracted) -> dict[str, Any]:
    said = {
        "author": text.author or None,
        "site_name": text.site_name or None,
        "license": text.license or None,
    }
    return {**page, "markdown": text.markdown, **said, _MADE_BY: TRAFILATURA}
