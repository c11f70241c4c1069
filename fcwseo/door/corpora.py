"""Corpora in arguments: a folder, files, a run, or a list of texts."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fcwseo.door.arguments import AnyPath, items_of, path_of, unusable
from fcwseo.errors import InvalidCorpus

if TYPE_CHECKING:
    from fcwseo_ontology.corpus.documents import Corpus

AnyCorpus = AnyPath | os.PathLike[str] | Sequence[AnyPath | os.PathLike[str]]

_WANTED = "a folder, a file, a run, or a list of files or texts"


def corpus_of(given: AnyCorpus, name: str = "corpus") -> "Corpus":
    """The documents in the argument ``name``: a path, paths, or texts.

    >>> [document.text for document in corpus_of(["A queen bee is a bee."]).documents]
    ['A queen bee is a bee.']
    """
    from fcwseo_ontology.corpus.read import corpus_of_texts, read_corpus

    if isinstance(given, str | os.PathLike):
        return read_corpus([_path(given, name)])
    files, texts = _sorted_out(given, name)
    if texts and files:
        raise InvalidCorpus(f"{name} mixes files ({files[0]}) and texts: give either files or texts")
    if not (texts or files):
        raise InvalidCorpus(f"{name} is an empty list: give {_WANTED}")
    return corpus_of_texts(texts) if texts else read_corpus(files)


def _path(given: AnyPath | os.PathLike[str], name: str) -> Path:
    path = path_of(given, name)
    if isinstance(given, str) and not _is_path(given):
        raise InvalidCorpus(
            f"{name} is one text, or a file that does not exist: give texts as a list, [text]"
        )
    return path


def _sorted_out(given: Any, name: str) -> tuple[list[Path], list[str]]:
    """The files in a list, and the texts."""
    files, texts = list[Path](), list[str]()
    for number, one in enumerate(items_of(given, name, _WANTED)):
        if not isinstance(one, str | os.PathLike):
            raise unusable(f"{name}[{number}]", one, "a file or a text is needed")
        if isinstance(one, str) and not one.strip():
            raise InvalidCorpus(f"{name}[{number}] is an empty text: leave it out")
        if not isinstance(one, str) or _is_path(one):
            files.append(path_of(one, f"{name}[{number}]"))
        else:
            texts.append(one)
    return files, texts


def _is_path(text: str) -> bool:
    """Whether text names a file. A text contains spaces or is long; the name of a missing file must be an
    error and not a text.
    """
    try:
        return Path(text).exists() or not any(char.isspace() for char in text.strip())
    except (OSError, ValueError):  # too long for a path
        return False
