"""Makes frozen webs of manuals in Debian packages: more sites and languages for measurements.

    apt-get download libreoffice-help-de postgresql-doc-15 gimp-help-ru
    apt-get download lilypond-doc-html-de lilypond-doc-html-it lilypond-doc-html-nl
    apt-get download lilypond-doc-html-es gimp-help-fr
    apt-get download libreoffice-help-it libreoffice-help-ru libreoffice-help-zh-cn
    for package in *.deb; do dpkg-deb -x $package raw; done
    python benchmarks/manuals.py raw manuals
    python benchmarks/yardstick.py fcwseo ops --tasks manual

Labels come from the sites: the module in the path, or the chapters above a page. They are locations rather
than topics, which favours crawlers that stay in one location. LilyPond's pages have long menus; they and the
packages of the last two lines serve ``ontology_quality.py``, and are left out where they are not unpacked.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from fcwseo.pages.charset import decode

LANGUAGES = ("de", "es", "it", "nl")  # of LilyPond
OFFICE = {
    "it": "it",
    "ru": "ru",
    "zh-CN": "zh",
}  # other folders of LibreOffice's help, and names of languages
MODULE = re.compile(r"[a-zA-Z-]+/text/([a-z]+)/")
ABOVE = re.compile(r'<(?:a accesskey="u"|link rel="up") href="([^"#]+)')

Labelled = tuple[str, str, list[str]]  # path, HTML and labels of a page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("raw", type=Path, help="folder of the unpacked packages")
    parser.add_argument("out", type=Path)
    given = parser.parse_args()
    share = given.raw / "usr" / "share"
    office = pages(share / "libreoffice" / "help")
    postgres = pages(share / "doc" / "postgresql-doc-15" / "html")
    gimp = pages(share / "gimp" / "2.0" / "help" / "ru")
    webs = given.out / "webs"
    others = {path: html for path, html in office.items() if path.partition("/")[0] in OFFICE}
    german = {path: html for path, html in office.items() if path not in others}
    write(webs / "lo-de", "http://help.libreoffice.example/", in_modules(german))
    for folder, language in OFFICE.items():
        own = {path: html for path, html in others.items() if path.startswith(f"{folder}/")}
        write(webs / f"lo-{language}", "http://help.libreoffice.example/", in_modules(own))
    gimp_fr = pages(share / "gimp" / "2.0" / "help" / "fr")
    write(webs / "gimp-fr", "http://docs.gimp.example/2.10/fr/", in_chapters(gimp_fr))
    write(webs / "pg", "http://www.postgresql.example/docs/15/", in_chapters(postgres))
    write(webs / "gimp-ru", "http://docs.gimp.example/2.10/ru/", in_chapters(gimp))
    lilypond = pages(share / "doc" / "lilypond" / "html" / "Documentation")
    for language in LANGUAGES if lilypond else ():
        own = {path: html for path, html in lilypond.items() if path.endswith(f".{language}.html")}
        write(webs / f"lilypond-{language}", "http://lilypond.example/doc/", in_parts(own))


def pages(folder: Path) -> dict[str, str]:
    """The HTML of all pages, by path."""
    found = sorted(path for path in folder.rglob("*.htm*") if path.is_file())
    return {path.relative_to(folder).as_posix(): decode(path.read_bytes()) for path in found}


def in_modules(found: dict[str, str]) -> Iterator[Labelled]:
    for path, html in found.items():
        module = MODULE.match(path)
        yield path, html, [f"module:{module[1]}" if module else "site"]


def in_parts(found: dict[str, str]) -> Iterator[Labelled]:
    for path, html in found.items():
        yield path, html, [f"part:{path.partition('/')[0]}"]


def in_chapters(found: dict[str, str]) -> Iterator[Labelled]:
    """The labels of a page: itself and the targets of its "up" links, except the index."""
    for path, html in found.items():
        chapters: list[str] = []
        here: str | None = path
        while here in found and here != "index.html" and here not in chapters:
            chapters.append(here)
            above = ABOVE.search(found[here])
            here = above[1] if above else None
        yield path, html, [f"under:{chapter.removesuffix('.html')}" for chapter in chapters]


def write(folder: Path, base: str, labelled: Iterable[Labelled]) -> None:
    """Write a web, unless it has no pages."""
    labelled = list(labelled)
    if not labelled:
        return
    folder.mkdir(parents=True)
    lines = [
        json.dumps({"url": base + quote(path), "html": html, "labels": labels})
        for path, html, labels in labelled
    ]
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    meta = {"name": folder.name, "loose_urls": True, "records": len(lines)}
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    print(f"{folder}: {len(lines):,} pages")


if __name__ == "__main__":
    main()
