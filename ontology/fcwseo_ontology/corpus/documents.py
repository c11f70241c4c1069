"""Documents to build an ontology from, read from whatever people have them in.

A bad record is a :class:`Problem`, named and counted, and never the end of the reading.
"""

import codecs
import csv
import io
import json
import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from charset_normalizer import from_bytes

from fcwseo_ontology.corpus.bibliography import Broken, Entry, Fields, bibtex, ris
from fcwseo_ontology.corpus.boilerplate import shared_runs, without
from fcwseo_ontology.corpus.tokens import HAN, STEMMERS, WORD, language_of
from fcwseo_ontology.errors import InvalidCorpus, MissingExtra

MEGABYTE = 1 << 20
LONGEST_RECORD = 16 * MEGABYTE  # a line, or a file that is one document
LARGEST_FILE = 128 * MEGABYTE  # that is read as a whole
LONGEST_TITLE = 200  # characters of a first line that may be the title of a text file
PAGES = 500  # of a PDF file

TITLE = ("title", "ti", "t1", "article title", "document title", "primary title")
ABSTRACT = ("abstract", "ab", "n2", "abstract note", "summary", "description")
TEXT = ("text", "body", "content", "full text", "fulltext")
KEYWORDS = ("keywords", "keyword", "kw", "author keywords", "author_keywords", "de", "tags", "manual tags")
LANGUAGE = ("lang", "language", "la", "langid")
ID = ("id", "key", "doi", "do", "pmid", "an", "url", "ur")

LANGUAGES = {
    "eng": "en",
    "english": "en",
    "chi": "zh",
    "zho": "zh",
    "chinese": "zh",
    "中文": "zh",
    "german": "de",
    "deutsch": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "portuguese": "pt",
    "dutch": "nl",
    "russian": "ru",
    "japanese": "ja",
    "korean": "ko",
}


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str
    text: str
    keywords: tuple[str, ...] = ()
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Problem:
    """``where``: the file, and the line in it where there is one."""

    where: str
    what: str


@dataclass(frozen=True, slots=True)
class Corpus:
    documents: tuple[Document, ...]
    problems: tuple[Problem, ...] = ()


def read_corpus(paths: Sequence[Path], *, progress: Callable[[int], None] | None = None) -> Corpus:
    """All documents of the files and folders, in their order; folders by name, without hidden files.

    ``progress`` is told the number of documents after each. A document that comes twice is kept once.
    """
    documents: dict[tuple[str, str], Document] = {}
    problems: list[Problem] = []
    for found in (found for path in paths for found in _found(path)):
        if isinstance(found, Problem):
            problems.append(found)
            continue
        first = documents.setdefault((found.title, found.text), found)
        if first is not found:
            problems.append(Problem(found.id, f"has the same title and text as {first.id}; left out"))
        elif progress:
            progress(len(documents))
    if not documents:
        raise InvalidCorpus(_nothing(paths, problems))
    return Corpus(tuple(documents.values()), tuple(problems))


def corpus_of_texts(texts: Sequence[str]) -> Corpus:
    """A corpus of texts that are at hand already.

    >>> [document.id for document in corpus_of_texts(["Bees fly.", "Bees sleep."]).documents]
    ['text 1', 'text 2']
    """
    return Corpus(
        tuple(
            Document(f"text {number}", "", text, language=language_of(text))
            for number, text in enumerate(dict.fromkeys(texts), start=1)
        )
    )


def without_boilerplate(corpus: Corpus) -> Corpus:
    """The corpus without runs of words that half of its documents share: the menus and notices of a site."""
    documents = corpus.documents
    runs = shared_runs([f"{document.title}\n{document.text}" for document in documents])
    if not runs:
        return corpus
    bare = (
        replace(document, title=without(document.title, runs), text=without(document.text, runs))
        for document in documents
    )
    return replace(corpus, documents=tuple(bare))


def _nothing(paths: Sequence[Path], problems: Sequence[Problem]) -> str:
    where = ", ".join(map(str, paths)) or "nothing"
    if not problems:
        return f"no document in {where}: give files or folders of {' '.join(READERS)}"
    more = f" ({len(problems) - 1} more problems)" if len(problems) > 1 else ""
    return f"no document could be read from {where}: {problems[0].where}: {problems[0].what}{more}"


def _found(path: Path) -> Iterator[Document | Problem]:
    try:
        path.stat()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InvalidCorpus(f"cannot read the corpus {path}: {why}") from error
    if not path.is_dir():
        yield from _documents(path)
        return
    unreadable: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=unreadable.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if Path(name).suffix.lower() in READERS and not name.startswith("."):
                try:
                    yield from _documents(Path(folder, name))
                except MissingExtra as error:
                    yield Problem(str(Path(folder, name)), str(error))
    for failure in unreadable:
        yield Problem(str(failure.filename), f"cannot be read: {failure.strerror}")


def _documents(path: Path) -> Iterator[Document | Problem]:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        yield Problem(str(path), f"is of an unknown kind; known are {' '.join(READERS)}")
        return
    try:
        if not path.is_file():  # a pipe would wait forever
            yield Problem(str(path), "is not a regular file")
            return
        if path.stat().st_size == 0:
            yield Problem(str(path), "is empty")
            return
        nothing = True
        for found in reader(path):
            nothing = False
            yield found
        if nothing:
            yield Problem(str(path), "has no record in it")
    except OSError as error:
        yield Problem(str(path), f"cannot be read: {error.strerror or error}")


def _document(fields: Fields, where: str) -> Document | Problem:
    """The document in the fields of a record, whatever they are called there."""
    title = " ".join(_first(fields, TITLE).split())
    text = "\n".join(
        part for part in (_first(fields, ABSTRACT).strip(), _first(fields, TEXT).strip()) if part
    )
    if not WORD.search(title) and not WORD.search(text):
        return Problem(where, "has neither a title nor an abstract or text")
    keywords = next((fields[name] for name in KEYWORDS if any(fields.get(name, ()))), [])
    return Document(
        id=_first(fields, ID) or where,
        title=title,
        text=text,
        keywords=tuple(dict.fromkeys(keyword for given in keywords for keyword in _split(given, keywords))),
        language=_language(_first(fields, LANGUAGE), f"{title}\n{text}"),
    )


def _first(fields: Fields, names: Sequence[str]) -> str:
    return next((value for name in names for value in fields.get(name, ()) if value.strip()), "")


def _split(given: str, all_given: Sequence[str]) -> list[str]:
    """Keywords in one string are parted by semicolons, bars or line ends, or else by commas."""
    parts = re.split(r"[;|\n]", given)
    if len(parts) == len(all_given) == 1:
        parts = re.split(r"[,\uff0c\u3001\uff1b]", given)
    return [" ".join(part.split()) for part in parts if part.strip()]


def _language(declared: str, text: str) -> str:
    """What the record says, unless the script says otherwise."""
    code = re.split(r"[-_ ,;]", declared.strip().lower())[0]
    code = LANGUAGES.get(code, code)
    told = language_of(text)
    if told in ("zh", "ja", "ko"):
        return told
    return code if code in STEMMERS or (code in ("zh", "ja") and HAN.search(text)) else told


def _jsonl(path: Path) -> Iterator[Document | Problem]:
    encoding, problems = _encoding(path)
    yield from problems
    with path.open(encoding=encoding, errors="replace") as file:
        number = 0
        while line := file.readline(LONGEST_RECORD):
            number += 1
            if len(line) == LONGEST_RECORD and not line.endswith("\n"):
                yield Problem(f"{path}:{number}", f"is longer than {LONGEST_RECORD // MEGABYTE} MB; left out")
                while (rest := file.readline(MEGABYTE)) and not rest.endswith("\n"):
                    pass
            elif line.strip():
                yield _json(line, f"{path}:{number}")


def _json(line: str, where: str) -> Document | Problem:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Problem(where, f"is not JSON: {str(error).splitlines()[0]}")
    if not isinstance(record, dict):
        return Problem(where, "is not a JSON object")
    return _document({str(name).lower(): _strings(value) for name, value in record.items()}, where)


def _strings(value: object) -> list[str]:
    """The texts and whole numbers in a value or list. Halves of surrogate pairs are replaced."""
    values = value if isinstance(value, list) else [value]
    plain = [part for part in values if isinstance(part, str | int) and not isinstance(part, bool)]
    return [str(part).encode("utf-8", "replace").decode() for part in plain]


def _bibliography(parse: Callable[[str], Iterator[Entry | Broken]]) -> "Reader":
    def read(path: Path) -> Iterator[Document | Problem]:
        text, problems = _whole(path, LARGEST_FILE)
        yield from problems
        for entry in parse(text):
            where = f"{path}:{entry.line}"
            yield Problem(where, entry.what) if isinstance(entry, Broken) else _document(entry.fields, where)

    return read


def _csv(path: Path) -> Iterator[Document | Problem]:
    text, problems = _whole(path, LARGEST_FILE)
    yield from problems
    header = text.lstrip().partition("\n")[0]
    table = csv.reader(io.StringIO(text.lstrip(), newline=""), delimiter=max(",;\t|", key=header.count))
    names: list[str] = []
    while True:
        try:
            row = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            yield Problem(f"{path}:{table.line_num}", str(error))
            continue
        if names and any(row):
            fields = {name: [value] for name, value in zip(names, row, strict=False)}
            yield _document(fields, f"{path}:{table.line_num}")
        elif not names:
            names = [" ".join(name.lower().split()) for name in row]
            if not {*names} & {*TITLE, *ABSTRACT, *TEXT}:
                found = ", ".join(name or "(empty)" for name in names[:20])
                yield Problem(str(path), f"has no column title, abstract or text; found: {found}")
                return


def _text(path: Path) -> Iterator[Document | Problem]:
    text, problems = _whole(path, LONGEST_RECORD)
    yield from problems
    if not problems or text:
        yield _titled(path, text)


def _titled(path: Path, text: str, fields: Fields | None = None) -> Document | Problem:
    """The first line is the title if none is given, it is short, and something follows."""
    record: Fields = {"id": [str(path)], "text": [text], **(fields or {})}
    first, _, rest = text.strip().partition("\n")
    if "title" not in record and len(first) <= LONGEST_TITLE and rest.strip():
        record |= {"title": [first], "text": [rest]}
    return _document(record, str(path))


FRONT_MATTER = re.compile(r"\A---\n(.*?)\n---\n", re.DOTALL)
MARKUP = (
    # What is not closed goes to the end: to look for the end from each beginning would take forever
    (re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.DOTALL | re.MULTILINE), ""),  # code
    (re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL), ""),
    (re.compile(r"</?[A-Za-z][^<>]*>"), ""),
    (re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])"), r"\1"),  # links and pictures
    (re.compile(r"^[ \t]*(?:#+|>|[-*+]|\d+\.)[ \t]+|^[-=|:*_ ]{3,}$", re.MULTILINE), "\n"),
    (re.compile(r"[`*|_]+"), " "),
)


def _markdown(path: Path) -> Iterator[Document | Problem]:
    text, problems = _whole(path, LONGEST_RECORD)
    yield from problems
    fields: Fields = {}
    if matter := FRONT_MATTER.match(text):
        text = text[matter.end() :]
        given = re.findall(r"^(title|keywords|tags|lang):[ \t]*(.+)$", matter[1], re.MULTILINE)
        fields = {name: [value.strip("\"'[] ")] for name, value in given}
    for pattern, replacement in MARKUP:
        text = pattern.sub(replacement, text)
    if not problems or text:
        yield _titled(path, text, fields)


CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([A-Za-z0-9_-]+)", re.IGNORECASE)
BLOCK = re.compile(
    r"</(?:p|div|h[1-6]|li|t[dhr]|section|article|blockquote|d[dt]|pre|title|caption)\s*>|<[bh]r\b",
    re.IGNORECASE,
)
NOT_TEXT = ("script", "style", "noscript", "template", "svg", "nav", "footer", "aside", "form", "iframe")


LONG_VALUE = re.compile(r"\"[^\"<>]{500,}\"|'[^'<>]{500,}'")  # of an attribute, such as a picture
LONG_TAG = re.compile(r"<[A-Za-z][^<>]{20000}")
NESTING = re.compile(
    r"<(/?)(?!(?:area|br|col|hr|img|input|link|meta|li|p|t[dhr]|d[dt]|option|wbr)\b)[a-z]", re.IGNORECASE
)
DEEPEST = 2000


def _deep(html: str) -> bool:
    """Whether tags are nested deep: the time of the parser grows with the square of the depth."""
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
    text, problems = _whole(path, LONGEST_RECORD, _known(named[1].decode()) if named else None)
    yield from problems
    if problems and not text:
        return
    text = LONG_VALUE.sub('""', text)
    if LONG_TAG.search(text) or _deep(text):
        yield Problem(str(path), "has tags nested thousands deep, or with thousands of attributes; left out")
        return
    # A line between blocks, so that no phrase goes from a heading into its paragraph
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
    yield _document(fields, str(path))


def _pdf(path: Path) -> Iterator[Document | Problem]:
    try:
        import pypdf
    except ImportError as error:
        raise MissingExtra(f"{path}: PDF files need pypdf: pip install 'fcwseo[pdf]'") from error
    if path.stat().st_size > LARGEST_FILE:
        yield Problem(str(path), f"is larger than {LARGEST_FILE // MEGABYTE} MB; left out")
        return
    log = logging.getLogger("pypdf")
    level = log.level
    log.setLevel(logging.CRITICAL)  # it reports each oddity of a file that it can read all the same
    try:
        file = pypdf.PdfReader(path)
        text = "\n\n".join(page.extract_text() for page in file.pages[:PAGES])
        title = (file.metadata.title if file.metadata else None) or ""
    except Exception as error:  # a broken PDF file raises nearly anything
        yield Problem(str(path), f"is not a PDF file that can be read: {error}")
        return
    finally:
        log.setLevel(level)
    text = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", text)
    yield _titled(path, text, {"title": [title]} if title.strip() else None)


Reader = Callable[[Path], Iterator[Document | Problem]]

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

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def _whole(path: Path, limit: int, encoding: str | None = None) -> tuple[str, list[Problem]]:
    if path.stat().st_size > limit:
        return "", [Problem(str(path), f"is larger than {limit // MEGABYTE} MB; left out")]
    problems: list[Problem] = []
    if encoding is None:
        encoding, problems = _encoding(path)
    return path.read_text(encoding=encoding, errors="replace"), problems


def _known(name: str) -> str | None:
    """The name of a codec, or nothing. Who says gb2312 mostly writes more than it has."""
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return None
    return "gb18030" if codec in ("gb2312", "gbk") else codec


def _encoding(path: Path) -> tuple[str, list[Problem]]:
    """By its mark, as UTF-8, or as a guess, which is told."""
    with path.open("rb") as file:
        head = file.read(4096)
        marked = next((name for mark, name in MARKS.items() if head.startswith(mark)), None)
        if marked:
            return marked, []
        if head.count(0) > len(head) / 4:
            return ("utf-16-be" if head[::2].count(0) > head[1::2].count(0) else "utf-16-le"), []
        sample = _not_utf8(file)
    if not sample:
        return "utf-8", []
    text = sample.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    if bad * 10 < sum(char > "\x7f" for char in text):
        return "utf-8", [Problem(str(path), "has bytes that are not UTF-8; they are left out")]
    guess = _guess(sample)
    return guess, [Problem(str(path), f"is not UTF-8; read as {guess}")]


def _guess(sample: bytes) -> str:
    """The likeliest encoding; among equally likely ones, that of Western Europe."""
    matches = from_bytes(sample)
    best = matches.best()
    if best is None:
        return "cp1252"
    equal = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    western = any("cp1252" in match.could_be_from_charset for match in equal)
    return "cp1252" if western else _known(best.encoding) or "cp1252"


def _not_utf8(file: io.BufferedReader) -> bytes:
    """The surroundings of the first bytes that are not UTF-8, or nothing."""
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    while chunk := file.read(MEGABYTE):
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError as error:
            begin = max(0, error.start - 4096)
            return chunk[begin : begin + 32_768]
    return b""
