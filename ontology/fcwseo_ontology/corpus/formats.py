"""Readers of file formats: each yields the documents of a file, and a problem for each bad record."""

import csv
import io
import json
import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from fcwseo_ontology.corpus.bibliography import Broken, Entry, Fields, bibtex, ris
from fcwseo_ontology.corpus.documents import Document, Problem
from fcwseo_ontology.corpus.encodings import MEGABYTE, codec_name, detect_encoding, read_text
from fcwseo_ontology.corpus.records import ABSTRACT, TEXT, TITLE, document_of, titled_document
from fcwseo_ontology.errors import MissingExtra

LONGEST_RECORD = 16 * MEGABYTE  # a line, or a file that is one document
LARGEST_FILE = 128 * MEGABYTE  # of a format that is parsed as a whole
PAGES = 500  # read of a PDF file

Reader = Callable[[Path], Iterator[Document | Problem]]


def _jsonl(path: Path) -> Iterator[Document | Problem]:
    encoding, problems = detect_encoding(path)
    yield from problems
    with path.open(encoding=encoding, errors="replace") as file:
        number = 0
        while line := file.readline(LONGEST_RECORD):
            number += 1
            if len(line) == LONGEST_RECORD and not line.endswith("\n"):
                yield Problem(
                    f"{path}:{number}", f"line longer than {LONGEST_RECORD // MEGABYTE} MB; skipped"
                )
                while (rest := file.readline(MEGABYTE)) and not rest.endswith("\n"):
                    pass
            elif line.strip():
                yield _json(line, f"{path}:{number}")


def _json(line: str, where: str) -> Document | Problem:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Problem(where, f"not JSON ({str(error).splitlines()[0]}); skipped")
    if not isinstance(record, dict):
        return Problem(where, "not a JSON object; skipped")
    return document_of({str(name).lower(): _strings(value) for name, value in record.items()}, where)


def _strings(value: object) -> list[str]:
    """The strings and integers of a value or list, with unpaired surrogates replaced."""
    values = value if isinstance(value, list) else [value]
    plain = [part for part in values if isinstance(part, str | int) and not isinstance(part, bool)]
    return [str(part).encode("utf-8", "replace").decode() for part in plain]


def _bibliography(parse: Callable[[str], Iterator[Entry | Broken]]) -> Reader:
    def read(path: Path) -> Iterator[Document | Problem]:
        text, problems = read_text(path, LARGEST_FILE)
        yield from problems
        for entry in parse(text):
            where = f"{path}:{entry.line}"
            if isinstance(entry, Broken):
                yield Problem(where, f"{entry.message}; skipped")
            else:
                yield document_of(entry.fields, where)

    return read


def _csv(path: Path) -> Iterator[Document | Problem]:
    text, problems = read_text(path, LARGEST_FILE)
    yield from problems
    header = text.lstrip().partition("\n")[0]
    table = csv.reader(io.StringIO(text.lstrip(), newline=""), delimiter=max(",;\t|", key=header.count))
    names: list[str] = []
    while True:
        before = table.line_num
        try:
            row = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            if table.line_num > before + 1:  # what follows is text of this field, not rows
                yield Problem(
                    f"{path}:{before + 1}", f"a quote is not closed ({error}); rest of the file skipped"
                )
                return
            yield Problem(f"{path}:{table.line_num}", f"{error}; row skipped")
            continue
        if names and any(row):
            fields = {name: [value] for name, value in zip(names, row, strict=False)}
            yield document_of(fields, f"{path}:{table.line_num}")
        elif not names:
            names = [" ".join(name.lower().split()) for name in row]
            if not {*names} & {*TITLE, *ABSTRACT, *TEXT}:
                found = ", ".join(name or "(empty)" for name in names[:20])
                yield Problem(str(path), f"no column title, abstract or text (found: {found}); skipped")
                return


def _text(path: Path) -> Iterator[Document | Problem]:
    text, problems = read_text(path, LONGEST_RECORD)
    yield from problems
    if not problems or text:
        yield titled_document(text, str(path))


FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
MARKUP = (
    # An unclosed mark extends to the end of the text: searching for a close from each open is quadratic
    (re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE), ""),  # code
    (re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL), ""),
    (re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    (re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"), r"\1"),  # links and pictures
    (re.compile(r"^[ \t]*(?:#+|>|[-*+]|\d+\.)[ \t]+|^[-=|:*_ ]{3,}$", re.MULTILINE), "\n"),
    (re.compile(r"[`*|_]+"), " "),
)


def _markdown(path: Path) -> Iterator[Document | Problem]:
    text, problems = read_text(path, LONGEST_RECORD)
    yield from problems
    fields: Fields = {}
    if matter := FRONT_MATTER.match(text):
        text = text[matter.end() :]
        given = re.findall(r"^(title|keywords|tags|lang):[ \t]*(.+)$", matter[1], re.MULTILINE)
        fields = {name: [value.strip("\"'[] ")] for name, value in given}
    for pattern, replacement in MARKUP:
        text = pattern.sub(replacement, text)
    if not problems or text:
        yield titled_document(text, str(path), fields)


CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_-]+)", re.IGNORECASE)
BLOCK = re.compile(
    r"</(?:p|div|h[1-6]|li|t[dhr]|section|article|blockquote|d[dt]|pre|title|caption)\s*>|<[bh]r\b",
    re.IGNORECASE,
)
NOT_TEXT = ("script", "style", "noscript", "template", "svg", "nav", "footer", "aside", "form", "iframe")
LONG_VALUE = re.compile(r"\"[^\"<>]{500,}\"|'[^'<>]{500,}'")  # an attribute, such as an inlined picture
LONG_TAG = re.compile(r"<[A-Za-z][^<>]{20000}")
NESTING = re.compile(
    r"<(/?)(?!(?:area|br|col|hr|img|input|link|meta|li|p|t[dhr]|d[dt]|option|wbr)\b)[a-z]", re.IGNORECASE
)
DEEPEST = 2000


def _deep(html: str) -> bool:
    """Whether tags are nested deeper than DEEPEST: parsing time grows with the square of the depth."""
    depth = 0
    for end in NESTING.findall(html):
        depth = max(depth - 1, 0) if end else depth + 1
        if depth > DEEPEST:
            return True
    return False


def _html(path: Path) -> Iterator[Document | Problem]:
    from selectolax.lexbor import LexborHTMLParser

    with path.open("rb") as file:
        named = CHARSET.search(file.read(4096))
    text, problems = read_text(path, LONGEST_RECORD, codec_name(named[1].decode()) if named else None)
    yield from problems
    if problems and not text:
        return
    text = LONG_VALUE.sub('""', text)
    if LONG_TAG.search(text) or _deep(text):
        yield Problem(str(path), "tags nested thousands deep, or with thousands of attributes; skipped")
        return
    # An empty line between blocks, so that no phrase extends from a heading into its paragraph
    page = LexborHTMLParser(BLOCK.sub(lambda found: f"\n\n{found[0]}", text))
    page.strip_tags([*NOT_TEXT])
    titles = [node.text().strip() for name in ("title", "h1") if (node := page.css_first(name))]
    html, meta = page.css_first("html"), page.css_first('meta[name="keywords" i]')
    fields = {
        "id": [str(path)],
        "title": [title for title in titles if title][:1],
        "text": [re.sub(r"[^\S\n]+", " ", page.body.text()) if page.body else ""],
        "keywords": [(meta.attributes.get("content") or "") if meta else ""],
        "lang": [(html.attributes.get("lang") or "") if html else ""],
    }
    yield document_of(fields, str(path))


def _pdf(path: Path) -> Iterator[Document | Problem]:
    try:
        import pypdf
    except ImportError as error:
        raise MissingExtra(f"{path}: PDF files need pypdf: pip install 'fcwseo[pdf]'") from error
    if path.stat().st_size > LARGEST_FILE:
        yield Problem(str(path), f"file larger than {LARGEST_FILE // MEGABYTE} MB; skipped")
        return
    log = logging.getLogger("pypdf")
    level = log.level
    log.setLevel(logging.CRITICAL)  # pypdf warns of every oddity, also in files that it reads
    try:
        file = pypdf.PdfReader(path)
        text = "\n\n".join(page.extract_text() for page in file.pages[:PAGES])
        title = (file.metadata.title if file.metadata else None) or ""
    except Exception as error:  # a broken PDF file may raise nearly anything
        yield Problem(str(path), f"not a readable PDF file ({error}); skipped")
        return
    finally:
        log.setLevel(level)
    text = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", text)
    yield titled_document(text, str(path), {"title": [title]} if title.strip() else None)


READERS: dict[str, Reader] = {
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".bib": _bibliography(bibtex),
    ".ris": _bibliography(ris),
    ".csv": _csv,
    ".tsv": _csv,
    ".txt": _text,
    ".md": _markdown,
    ".html": _html,
    ".htm": _html,
    ".pdf": _pdf,
}
