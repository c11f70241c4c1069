"""From the fields of a record to a document, whatever the fields are called in its format."""

import re
from collections.abc import Sequence

from fcwseo_ontology.corpus.bibliography import Fields
from fcwseo_ontology.corpus.documents import Document, Problem
from fcwseo_ontology.corpus.tokens import HAN, STEMMERS, WORD, language_of, printable

LONGEST_TITLE = 200  # characters of a first line that may be the title of a text file

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


def document_of(fields: Fields, where: str) -> Document | Problem:
    """Return the document that a record describes, or a problem if the record has no text.

    ``where`` names the record; it is the id of a document that has none of its own.

    >>> document_of({"ti": ["Flash floods"], "kw": ["rain; flood"]}, "a.ris:1").keywords
    ('rain', 'flood')
    """
    fields = {name: [printable(value) for value in values] for name, values in fields.items()}
    title = " ".join(_first(fields, TITLE).split())
    text = "\n".join(
        part for part in (_first(fields, ABSTRACT).strip(), _first(fields, TEXT).strip()) if part
    )
    if not WORD.search(title) and not WORD.search(text):
        return Problem(where, "no title, abstract or text; skipped")
    keywords = next((fields[name] for name in KEYWORDS if any(fields.get(name, ()))), [])
    return Document(
        id=_first(fields, ID) or where,
        title=title,
        text=text,
        keywords=tuple(dict.fromkeys(keyword for given in keywords for keyword in _split(given, keywords))),
        language=_language(_first(fields, LANGUAGE), f"{title}\n{text}"),
    )


def titled_document(text: str, where: str, fields: Fields | None = None) -> Document | Problem:
    """Return the document of a plain text, its first line as title if that is short and more follows.

    A title in ``fields`` takes precedence.

    >>> titled_document("Floods\\n\\nRain fell.", "a.txt").title
    'Floods'
    """
    record: Fields = {"id": [where], "text": [text], **(fields or {})}
    first, _, rest = text.strip().partition("\n")
    if "title" not in record and len(first) <= LONGEST_TITLE and rest.strip():
        record |= {"title": [first], "text": [rest]}
    return document_of(record, where)


def _first(fields: Fields, names: Sequence[str]) -> str:
    return next((value for name in names for value in fields.get(name, ()) if value.strip()), "")


def _split(given: str, all_given: Sequence[str]) -> list[str]:
    """Split keywords in one string at semicolons, bars or line ends; if there are none, at commas."""
    parts = re.split(r"[;|\n]", given)
    if len(parts) == len(all_given) == 1:
        parts = re.split(r"[,\uff0c\u3001\uff1b]", given)
    return [" ".join(part.split()) for part in parts if part.strip()]


def _language(declared: str, text: str) -> str:
    """The declared language, unless the script of the text contradicts it."""
    code = re.split(r"[-_ ,;]", declared.strip().lower())[0]
    code = LANGUAGES.get(code, code)
    detected = language_of(text)
    if detected in ("zh", "ja", "ko"):
        return detected
    return code if code in STEMMERS or (code in ("zh", "ja") and HAN.search(text)) else detected
