"""A run directory of the crawler as a corpus: the pages that it kept, the most relevant ones.

A run is told by its ``run.json`` and ``pages.jsonl``. Of each line of the latter ``url``, ``title``,
``text``, ``lang``, ``relevance`` and ``near_dup_of`` are read. A document is named by its URL, so that
evidence says which page it is from.
"""

import heapq
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from fcwseo_ontology.corpus.documents import Document, Problem
from fcwseo_ontology.corpus.records import document_of

MOST_PAGES = 1000
"""Pages that are taken of one run. More would take long and add little: they are less and less relevant."""

PAGES = "pages.jsonl"

logger = logging.getLogger(__name__)


def is_run(path: Path) -> bool:
    """Whether the path is a run directory.

    >>> is_run(Path("no such run"))
    False
    """
    return (path / "run.json").is_file() and (path / PAGES).is_file()


def run_documents(run: Path, *, most: int = MOST_PAGES) -> Iterator[Document | Problem]:
    """The most relevant kept pages, in the order in which they were found, and the lines that are damaged.

    Near-duplicates are left out, and so is the torn last line of a crawl that is still going on.
    """
    best: list[tuple[float, int, Document]] = []
    total = pages = 0
    for number, line in enumerate(_lines(run / PAGES), 1):
        where = f"{run / PAGES}:{number}"
        page = _page(line)
        if page is None:
            yield Problem(where, "not a kept page; skipped")
            continue
        total += 1
        if page["near_dup_of"] is not None:
            continue
        found = _document(page, where)
        if isinstance(found, Problem):
            yield found
            continue
        pages += 1
        # Of equally relevant pages the first: the heap drops the least, so the number counts backwards.
        entry = (page["relevance"], -number, found)
        (heapq.heappush if len(best) < most else heapq.heappushpop)(best, entry)
    if not total:
        yield Problem(str(run), "the run kept no page; skipped")
        return
    chosen = ", the most relevant" if pages > most else ""
    logger.info("%s is a run: took %d of the %d pages that it kept%s", run, len(best), total, chosen)
    yield from (document for _, _, document in sorted(best, key=lambda entry: -entry[1]))


def _lines(file: Path) -> Iterator[bytes]:
    with file.open("rb") as lines:
        yield from (line for line in lines if line.endswith(b"\n"))


def _page(line: bytes) -> dict[str, Any] | None:
    try:
        page = json.loads(line)
        return {"title": "", "text": "", "lang": "", "near_dup_of": None, **page} | {
            "url": str(page["url"]),
            "relevance": float(page["relevance"]),
        }
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None


def _document(page: dict[str, Any], where: str) -> Document | Problem:
    names = {"id": "url", "title": "title", "text": "text", "lang": "lang"}
    return document_of({ours: [str(page[theirs] or "")] for ours, theirs in names.items()}, where)
