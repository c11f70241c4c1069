from dataclasses import dataclass
@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str
    text: str
    keywords: tuple[str, ...] = ()
    language: str = "en"
@dataclass(frozen=True, slots=True)
class Problem:
    where: str
    what: str
@dataclass(frozen=True, slots=True)
class Corpus:
    documents: tuple[Document, ...]
    problems: tuple[Problem, ...] = ()
