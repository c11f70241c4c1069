"""Topics built from whole web pages, their menus included: which words weigh most, to be read blind.

The pages are those of frozen webs, as text that a browser would show, in no way cleaned: 25 with a label,
drawn by a generator seeded with the name. ``manuals.py`` makes those in German, Italian, Dutch and Russian.
"""

import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from random import Random

from fcwseo_ontology.corpus.documents import Document
from fcwseo_ontology.corpus.tokens import language_of
from fcwseo_ontology.files import write_table
from quality.builds import build
from quality.checkouts import Checkout, Failed
from quality.data import Subject, located
from quality.readings import KEY

PAGES = 25
HEAVIEST = 40
SHEET = ("id", "subject", "language", "word", "verdict")
HIDDEN = frozenset(("script", "style", "noscript", "template"))
BLOCKS = frozenset(
    "address article aside blockquote br dd div dl dt figcaption footer form h1 h2 h3 h4 h5 h6 header hr li "
    "main nav ol option p pre section table td th title tr ul".split()
)


@dataclass(frozen=True, slots=True)
class Site:
    """Pages of a web with one of the labels; ``topic`` is what they are about, in their language."""

    name: str
    language: str
    web: str
    labels: frozenset[str]
    topic: str


SITES = (
    Site("spatial-en", "en", "rdocs", frozenset(("view:Spatial",)), "spatial data"),
    Site("learning-en", "en", "uci", frozenset(("host:cml.ics.uci.edu",)), "machine learning"),
    Site("containers-zh", "zh", "linuxcn", frozenset(("tag:Docker", "tag:Kubernetes", "tag:容器")), "容器"),
    Site("kernel-zh", "zh", "linuxcn", frozenset(("tag:内核",)), "内核"),
    Site("notation-de", "de", "lilypond-de", frozenset(("part:notation",)), "Notation"),
    Site("spreadsheet-de", "de", "lo-de", frozenset(("module:scalc",)), "Tabelle"),
    Site("notation-it", "it", "lilypond-it", frozenset(("part:notation",)), "notazione"),
    Site("notation-nl", "nl", "lilypond-nl", frozenset(("part:learning",)), "muziek"),
    Site("images-ru", "ru", "gimp-ru", frozenset(("under:filters",)), "изображение"),
)
# On these nothing was chosen, and no word of theirs was looked at before it was read blind.
UNSEEN = (
    Site("hydrology-en", "en", "rdocs", frozenset(("view:Hydrology",)), "hydrology"),
    Site("charts-zh", "zh", "lo-zh", frozenset(("module:schart",)), "图表"),
    Site("notation-es", "es", "lilypond-es", frozenset(("part:notation",)), "notación"),
    Site("slides-it", "it", "lo-it", frozenset(("module:simpress",)), "presentazione"),
    Site("images-fr", "fr", "gimp-fr", frozenset(("under:filters",)), "image"),
    Site("database-ru", "ru", "lo-ru", frozenset(("module:sdatabase",)), "база данных"),
)


class _Shown(HTMLParser):
    """Collects what a browser would show."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in HIDDEN
        if tag in BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in HIDDEN and self._hidden > 0
        if tag in BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(" ".join(f"|{data}|".split())[1:-1])


def shown(html: str) -> str:
    """All text of a page, menus included, a line for each block.

    >>> shown("<title>Rain</title><nav><a>Home</a> <a>News</a></nav><script>x</script><p>Rain falls.")
    'Rain\\nHome News\\nRain falls.'
    """
    parser = _Shown()
    parser.feed(html)
    parser.close()
    lines = (" ".join(line.split()) for line in "".join(parser.pieces).split("\n"))
    return "\n".join(line for line in lines if line)


def subject_of(data: Sequence[Path], site: Site) -> Subject | None:
    """The drawn pages of a site as documents, if its web is there."""
    path = located(data, f"webs/{site.web}/pages.jsonl.gz")
    if path is None:
        return None
    found = sorted(_labelled(path, site.labels))
    if len(found) < PAGES:
        raise SystemExit(
            f"{path} has {len(found)} pages labelled {', '.join(sorted(site.labels))}, not {PAGES}"
        )
    texts = [(url, shown(html)) for url, html in Random(site.name).sample(found, PAGES)]
    documents = (Document(url, "", text, language=language_of(text)) for url, text in texts)
    return Subject(site.name, site.topic, tuple(documents))


def _labelled(path: Path, labels: frozenset[str]) -> Iterator[tuple[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            page = json.loads(line)
            if not labels.isdisjoint(page["labels"]) and page.get("html"):
                yield page["url"], page["html"]


def heaviest(data: Sequence[Path], checkouts: Sequence[Checkout]) -> Iterator[tuple[Site, str, list[str]]]:
    """The heaviest words of each site, by each version; none where a version builds nothing."""
    for site in (*SITES, *UNSEEN):
        subject = subject_of(data, site)
        for checkout in checkouts if subject else ():
            assert subject is not None
            try:
                words = build(checkout, subject).words[:HEAVIEST]
            except Failed as error:
                print(f"{checkout.name} builds nothing of {site.name}: {error}", file=sys.stderr)
                words = ()
            yield site, checkout.name, [word for word, _ in words]


def write_words(
    folder: Path, name: str, found: Sequence[tuple[Site, str, Sequence[str]]], rng: Random
) -> tuple[Path, Path]:
    """Write a sheet of words, those of one site together and shuffled, and its key."""
    rows: list[tuple[object, ...]] = []
    keys: list[tuple[object, ...]] = []
    for site in dict.fromkeys(site for site, _, _ in found):
        own = [(version, words) for other, version, words in found if other == site]
        order = sorted({word for _, words in own for word in words})
        rng.shuffle(order)
        numbers = {word: number for number, word in enumerate(order, len(rows) + 1)}
        rows += [(numbers[word], site.topic, site.language, word, "") for word in order]
        keys += [
            (numbers[word], version, site.name, len(words))
            for version, words in own
            for word in sorted(words)
        ]
    folder.mkdir(parents=True, exist_ok=True)
    sheet, answers = folder / f"{name}.sheet.csv", folder / f"{name}.key.csv"
    write_table(sheet, SHEET, rows)
    write_table(answers, KEY, keys)
    return sheet, answers
