"""``pages.jsonl``: the kept pages of a crawl, with their text and their matching concepts."""

from bisect import bisect_left
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from fcwseo.crawling.run_directory.lines import append_line, cut
from fcwseo.crawling.run_directory.log import Row
from fcwseo.files import sync
from fcwseo.pages import Page
from fcwseo.pages.duplicates import Duplicates
from fcwseo.pages.markdown import markdown
from fcwseo.relevance.words import Matcher, TokenCache
from fcwseo_ontology.topic import Topic

NAME = "pages.jsonl"
OBJECTIVES = ("f1", "f2", "f3", "f4")
OF_EXTRACTOR = ("author", "site_name", "license", "text_extractor")  # fields that another extractor fills in


class KeptPages:
    """The kept pages of a crawl.

    Args:
        path: The run directory.
        topic: The topic whose words are recorded.
        token_cache: A cache of tokenised pages.
        logged: Number of kept pages in the log. A page beyond them has no visit and is cut off.
    """

    def __init__(self, path: Path, topic: Topic, token_cache: TokenCache | None, *, logged: int) -> None:
        self._matcher, self._words = Matcher(topic, token_cache), topic.words
        self._duplicates = Duplicates()
        self._count = 0
        self._on_disk = cut(path / NAME, logged, is_whole=is_kept_page)
        self._file = (path / NAME).open("ab", buffering=0)

    def __len__(self) -> int:
        return self._count

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def sync(self) -> None:
        """Return when all added pages are on the disk."""
        sync(self._file)

    def add(self, row: Row, page: Page) -> None:
        """Add a kept page and the line of its visit; it is written unless it is already on disk."""
        self._count += 1
        name = page_id(page.url)
        first = self._duplicates.first(page, name)
        if self._count > self._on_disk:
            append_line(self._file, self._fields(name, row, page, near_duplicate_of=first))

    def _fields(self, name: str, row: Row, page: Page, *, near_duplicate_of: str | None) -> dict[str, object]:
        return {
            "id": name,
            "url": row.url,
            "final_url": page.url,
            "title": page.title,
            "text": page.text,
            "markdown": markdown(page),
            "lang": page.language,
            "date": page.date or None,
            "relevance": row.relevance,
            "objectives": row.objectives and dict(zip(OBJECTIVES, row.objectives, strict=False)),
            "concepts": self._concepts(page),
            "parent": row.parent,
            "anchor": row.anchor,
            "depth": row.depth,
            "digest": page.digest,
            "near_dup_of": near_duplicate_of,
            "fetched_at": row.at,
            "status": page.status,
            "warc": row.warc,
            **dict.fromkeys(OF_EXTRACTOR),
        }

    def _concepts(self, page: Page) -> list[str]:
        """The topic words on a page, heaviest first."""
        numbers, often = self._matcher.count_page(page)
        features = bisect_left(numbers, self._matcher.size)
        counts = dict(zip(numbers[:features].tolist(), often[:features].tolist(), strict=True))
        found = sorted(counts, key=lambda number: (-self._words[number].weight * counts[number], number))
        return [self._words[number].word for number in found]


class _Line(Struct):
    """The fields by which a whole line is told from a damaged one."""

    id: str
    final_url: str
    text: str
    markdown: str


def is_kept_page(line: bytes) -> bool:
    """Whether a line of ``pages.jsonl`` is whole.

    >>> is_kept_page(b"no JSON"), is_kept_page(bytes(100))
    (False, False)
    """
    try:
        line.decode()
        page = msgspec.json.decode(line, type=_Line)
    except (ValueError, RecursionError):
        return False
    return page.id == page_id(page.final_url)


def page_id(url: str) -> str:
    """The id of a page in ``pages.jsonl``: always the same for the same URL.

    >>> page_id("http://a.example/")
    'b829ea546dbe4f731eef14d7'
    """
    return blake2b(url.encode(), digest_size=12).hexdigest()
