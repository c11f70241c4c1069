"""Reading a corpus from files and folders of any supported format.

A bad record is reported as a :class:`Problem`; reading continues with the next record.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from fcwseo_ontology.corpus.documents import Corpus, Document, Problem
from fcwseo_ontology.corpus.formats import READERS
from fcwseo_ontology.corpus.runs import PAGES, is_run, run_documents
from fcwseo_ontology.corpus.tokens import FUNCTION_WORDS, STEMMERS, language_of, language_votes, printable
from fcwseo_ontology.errors import InvalidCorpus, MissingExtra

USUAL = 0.6  # of the documents have the language that the others are judged by


def read_corpus(paths: Sequence[Path], *, progress: Callable[[int], None] | None = None) -> Corpus:
    """Read all documents of the files and folders, in their order.

    Folders are read recursively, files by name, hidden files skipped. Of a run directory, the pages that were
    kept are read. A duplicate document is kept once.

    Args:
        paths: Files, folders and run directories.
        progress: Called with the number of documents after each document.

    Returns:
        The corpus, with the problems of skipped files and records.

    Raises:
        InvalidCorpus: If a path does not exist, or no document can be read.
        MissingExtra: If a PDF file is named and ``pypdf`` is not installed.

    >>> from fcwseo_ontology.shipped import shipped_corpus
    >>> read_corpus([shipped_corpus("rainstorm")]).documents[0].language
    'en'
    """
    documents: dict[tuple[str, str], Document] = {}
    problems: list[Problem] = []
    for found in (found for path in paths for found in _found(path)):
        if isinstance(found, Problem):
            problems.append(found)
            continue
        first = documents.setdefault((found.title, found.text), found)
        if first is not found:
            problems.append(Problem(found.id, f"duplicate of {first.id}; skipped"))
        elif progress:
            progress(len(documents))
    if not documents:
        raise InvalidCorpus(_no_document(paths, problems))
    return Corpus(_agreeing([*documents.values()]), tuple(problems))


def corpus_of_texts(texts: Sequence[str]) -> Corpus:
    """Return a corpus of strings; each document detects its language, duplicates are dropped.

    >>> [document.id for document in corpus_of_texts(["Bees fly.", "Bees sleep."]).documents]
    ['text 1', 'text 2']
    """
    return Corpus(
        tuple(
            Document(f"text {number}", "", text, language=language_of(text))
            for number, text in enumerate(dict.fromkeys(map(printable, texts)), start=1)
        )
    )


def _agreeing(documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents, with the language of most of them where their own few words hardly tell another one."""
    languages = Counter(document.language for document in documents)
    usual, count = languages.most_common(1)[0]
    if usual not in FUNCTION_WORDS or count < USUAL * len(documents):
        return tuple(documents)
    return tuple(_as_usual(document, usual) for document in documents)


def _as_usual(document: Document, usual: str) -> Document:
    text = f"{document.title}\n{document.text}"
    if document.language in (usual, *STEMMERS.keys() - FUNCTION_WORDS.keys()):
        return document
    votes = language_votes(text)
    hardly = votes.get(document.language, 0) <= 2 * votes[usual]
    told = document.language == language_of(text)  # and not declared
    return replace(document, language=usual) if told and hardly and votes[usual] else document


def _no_document(paths: Sequence[Path], problems: Sequence[Problem]) -> str:
    if not problems:
        where = ", ".join(map(str, paths)) or "an empty list of paths"
        return f"no document in {where}: pass a run, or files or folders of {' '.join(READERS)}"
    more = f" ({len(problems) - 1} more problems)" if len(problems) > 1 else ""
    return f"no document could be read: {problems[0].where}: {problems[0].message}{more}"


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
        if is_run(Path(folder)):
            yield from _kept(Path(folder))
            folders[:] = []
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if Path(name).suffix.lower() in READERS and not name.startswith("."):
                try:
                    yield from _documents(Path(folder, name))
                except MissingExtra as error:
                    yield Problem(str(Path(folder, name)), str(error))
    for failure in unreadable:
        yield Problem(str(failure.filename), f"cannot read it: {failure.strerror}; skipped")


def _kept(run: Path) -> Iterator[Document | Problem]:
    try:
        yield from run_documents(run)
    except OSError as error:
        yield Problem(str(run / PAGES), f"cannot read it: {error.strerror or error}; skipped")


def _documents(path: Path) -> Iterator[Document | Problem]:
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        yield Problem(str(path), f"unsupported suffix (supported: {' '.join(READERS)}); skipped")
        return
    try:
        if not path.is_file():  # reading a pipe could block forever
            yield Problem(str(path), "not a regular file; skipped")
            return
        if path.stat().st_size == 0:
            yield Problem(str(path), "empty file; skipped")
            return
        nothing = True
        for found in reader(path):
            nothing = False
            yield found
        if nothing:
            yield Problem(str(path), "no record in the file; skipped")
    except OSError as error:
        yield Problem(str(path), f"cannot read it: {error.strerror or error}; skipped")
