"""The values of a corpus: documents, and the problems met while reading them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

FILE = re.compile(r".*[/\\]([^/\\]+\.\w{2,6}(?::\d+)?)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Document:
    """A document to learn terms from; ``language`` is a two-letter code.

    >>> Document("d1", "Flash floods", "Heavy rain fell.", keywords=("flood",)).language
    'en'
    """

    id: str
    title: str
    text: str
    keywords: tuple[str, ...] = ()
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Problem:
    """A record or file that could not be read as it is, and how that was handled.

    ``where`` is the file, with the number of the line where one is known. What was not ``skipped`` was read,
    but not as it is: with a guessed encoding, say.
    """

    where: str
    message: str
    skipped: bool = True


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in the order in which they were read, and the problems met on the way.

    ``menus``: most documents shared lines of menus or notices, which were left out, so they are web pages.

    >>> len(Corpus((Document("d1", "Flash floods", "Heavy rain fell."),)).documents)
    1
    """

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...] = ()
    menus: bool = False


def bare(name: str) -> str:
    """The name of a document; that of a file is without its folder.

    >>> bare("http://a.example/b.html"), bare("/home/me/bees/a.txt")
    ('http://a.example/b.html', 'a.txt')
    """
    file = None if "://" in name else FILE.fullmatch(name)
    return file[1] if file else name


def cited(documents: Sequence[Document]) -> str:
    """Where something stands, by the name of the first document.

    >>> page, file = Document("http://a.example/b.html", "", ""), Document("/home/me/bees/a.txt", "", "")
    >>> cited([page]), cited([file, page])
    ('in http://a.example/b.html', 'in 2 documents, such as a.txt')
    """
    name = bare(documents[0].id)
    return f"in {name}" if len(documents) == 1 else f"in {len(documents)} documents, such as {name}"
