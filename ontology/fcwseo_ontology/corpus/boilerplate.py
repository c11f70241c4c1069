"""Boilerplate: lines and runs of words that many documents share, such as the menus and notices of a site.

On pages of a site with menus, lines of navigation and of code are none of the text either, whoever has them.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from fcwseo_ontology.corpus.documents import Corpus, Document
from fcwseo_ontology.corpus.tokens import HAN

RUN = 6  # tokens; a shorter run may be a phrase of the domain
FEWEST = 4  # documents that must share a run or a line
SHARE = 0.25  # of the documents must share a run
HAN_SHARE = 0.5  # the same for a run of Chinese characters, which is shorter
LINE_SHARE = 0.15  # of the documents must share a line
LONGEST_LINE = 12  # tokens; a longer line is a sentence
MOST = 0.5  # of the documents share lines if they are pages of sites with menus

SYMBOLS = 0.12  # of the characters of a line of code are no letters, digits or marks of prose
SHORT = 60  # tokens; the language of a shorter document is easily mistaken
FEW = 0.2  # of the documents are in a language that is none of the corpus's

_NAVIGATION = re.compile(
    r"\s*(?:\[.*\]|[<>\u00ab\u00bb\u2039\u203a\u2190\u2192|].*|.*[<>\u00ab\u00bb\u2039\u203a\u2190\u2192|])\s*"
)
_CODE = re.compile(r"\s*(?:[$#%>~]+\s|.*[{};\\]\s*$|.*(?:<-|->|==|::|:=|\w\(\)).*|\\\w)")
_SYMBOL = re.compile(r"[{}\[\]<>=\\$#_|&*+/^~`@%]")
_TOKEN = re.compile(rf"{HAN.pattern[:-1]}|(?:(?!{HAN.pattern})[^\W_])+")
_DIGITS = re.compile(r"\d+")


def without_boilerplate(corpus: Corpus) -> Corpus:
    """Return the corpus without the short lines and the runs of words that many of its documents share.

    >>> from fcwseo_ontology.corpus.read import corpus_of_texts
    >>> menu = "Home News Shop About Us Contact"
    >>> site = corpus_of_texts([f"{word} {menu}" for word in ("rain", "hail", "fog", "sun")])
    >>> [document.text for document in without_boilerplate(site).documents]
    ['rain ', 'hail ', 'fog ', 'sun ']
    """
    documents = [*map(_text, corpus.documents)]
    lines = shared_lines(documents)
    bare = [_without_lines(document, lines) for document in corpus.documents]
    runs = shared_runs([*map(_text, bare)])
    if runs:
        bare = [
            replace(document, title=without(document.title, runs), text=without(document.text, runs))
            for document in bare
        ]
    shorter = sum(old.text != new.text for old, new in zip(corpus.documents, bare, strict=True))
    menus = shorter >= max(FEWEST, MOST * len(bare))
    if menus:
        bare = _in_common_languages([replace(one, text=prose(one.text)) for one in bare])
    return replace(corpus, documents=tuple(bare), menus=menus)


def prose(text: str) -> str:
    """Return the lines of a page without those of navigation and of code.

    >>> prose("A cell is a field.\\n[ Up : Cells ]\\nx <- cells(3)\\n$ make cells\\nCells | Rows >\\nRows")
    'A cell is a field.\\nRows'
    """
    return "\n".join(line for line in text.split("\n") if _is_prose(line))


def _is_prose(line: str) -> bool:
    if len(line) < 30 * LONGEST_LINE and _NAVIGATION.fullmatch(line):
        return False
    return not _CODE.match(line) and len(_SYMBOL.findall(line)) <= SYMBOLS * len(line)


def _in_common_languages(documents: Sequence[Document]) -> list[Document]:
    """The documents, short ones of a rare language in the commonest: so few words hardly tell a language."""
    counts = Counter(document.language for document in documents)
    common = max(counts, key=lambda language: counts[language])
    rare = {language for language, count in counts.items() if count < FEW * len(documents)}
    return [
        replace(one, language=common)
        if one.language in rare and len(_TOKEN.findall(one.text)) < SHORT
        else one
        for one in documents
    ]


def _text(document: Document) -> str:
    return f"{document.title}\n{document.text}"


def shared_lines(texts: Sequence[str]) -> frozenset[str]:
    """Return the short lines that enough of the texts have, in lower case; all numbers are one.

    >>> sorted(shared_lines([f"Read more\\n{day} June 2018\\nRain on day {day} fell" for day in range(4)]))
    ['# june #', 'rain on day # fell', 'read more']
    """
    enough = max(FEWEST, LINE_SHARE * len(texts))
    if len(texts) < enough:
        return frozenset()
    documents = Counter(line for text in texts for line in dict.fromkeys(_short_lines(text)))
    return frozenset(line for line, count in documents.items() if count >= enough)


def _short_lines(text: str) -> Iterable[str]:
    for line in text.split("\n"):
        if 0 < len(line) < 30 * LONGEST_LINE and (plain := _plain(line)):
            yield plain


def _plain(line: str) -> str:
    """The words of a short line; nothing of a longer one."""
    tokens = _TOKEN.findall(_DIGITS.sub("#", line.lower()).replace("#", " 0 "))
    return " ".join(tokens).replace("0", "#") if len(tokens) <= LONGEST_LINE else ""


def _without_lines(document: Document, shared: frozenset[str]) -> Document:
    if not shared or "\n" not in document.text:
        return document
    lines = document.text.split("\n")
    kept = [line for line in lines if _plain(line) not in shared]
    return document if len(kept) == len(lines) else replace(document, text="\n".join(kept))


def shared_runs(texts: Sequence[str]) -> frozenset[tuple[str, ...]]:
    """Return the runs of six words that at least a quarter of the texts contain, and at least four texts.

    Of six Chinese characters, at least half of the texts.

    >>> shared_runs(["Home News Shop About Us Contact: rain"] * 3)
    frozenset()
    """
    if len(texts) < FEWEST:
        return frozenset()
    documents = Counter(run for text in texts for run in dict.fromkeys(_runs(_TOKEN.findall(text.lower()))))
    enough = max(FEWEST, SHARE * len(texts))
    return frozenset(
        run
        for run, count in documents.items()
        if count >= enough and (count >= HAN_SHARE * len(texts) or not any(map(HAN.match, run)))
    )


def _runs(tokens: Sequence[str]) -> list[tuple[str, ...]]:
    return list(zip(*(tokens[offset:] for offset in range(RUN)), strict=False))


def without(text: str, shared: frozenset[tuple[str, ...]]) -> str:
    """Return the text without the shared runs; what stood around one is parted by the end of a line.

    >>> runs = shared_runs(["Home News Shop About Us Contact"] * 4)
    >>> without("Heavy rain. Home News Shop About Us Contact: floods", runs)
    'Heavy rain. \\n: floods'
    """
    found = list(_TOKEN.finditer(text))
    kept, end = [], 0
    for start, run in enumerate(_runs([token[0].lower() for token in found])):
        if run in shared:
            kept.append(text[end : max(end, found[start].start())])
            end = max(end, found[start + RUN - 1].end())
    return "\n".join(filter(None, (*kept, text[end:])))
