"""Tolerant parsers of BibTeX and RIS: each record as its line and its fields, by lower-cased name.

A record that cannot be parsed is returned as :class:`Broken`; parsing continues with the next record. Time is
linear in the length of the text, also for malformed text.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Fields = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Entry:
    """A record: the line on which it starts, and its fields."""

    line: int
    fields: Fields


@dataclass(frozen=True, slots=True)
class Broken:
    """A record that cannot be parsed, and why."""

    line: int
    message: str


ENTRY = re.compile(r"@\s*([A-Za-z]+)\s*([{(])")
NEXT_ENTRY = re.compile(r"^[ \t]*@\s*[A-Za-z]+\s*[{(]", re.MULTILINE)
NAME = re.compile(r"[\s,]*([^\s,={}\"#]+)\s*=\s*")
BARE = re.compile(r"[^\s,#{}\"]+")
JOIN = re.compile(r"\s*#\s*")
LONGEST_MACRO = 1000  # characters, and parts of a value: macros that use macros grow exponentially


def bibtex(text: str) -> Iterator[Entry | Broken]:
    r"""Yield the entries of a BibTeX file, values as plain text. The key of an entry is its field ``id``.

    >>> list(bibtex('@article{k, title = {The {\\"O}resund {F}lood}, year = 2020}'))
    [Entry(line=1, fields={'id': ['k'], 'title': ['The Öresund Flood'], 'year': ['2020']})]
    """
    macros: dict[str, str] = {}
    starts = [found.start() for found in NEXT_ENTRY.finditer(text)] + [len(text)]
    position = line = 0
    upcoming = 0
    for found in ENTRY.finditer(text):
        if found.start() < position:
            continue  # inside the previous entry
        line += text.count("\n", position, found.start())
        position = found.start()
        while starts[upcoming] <= position and starts[upcoming] < len(text):
            upcoming += 1
        # A line that begins an entry ends the previous one: a missing brace loses one entry, not the file
        end = _closing(text, found.end() - 1, starts[upcoming])
        body = text[found.end() : end]
        if end is None:
            yield Broken(line + 1, f"@{found[1]}: a brace is not closed")
            end = starts[upcoming]
        elif found[1].lower() == "string":
            macros |= {name: raw[:LONGEST_MACRO] for name, raw in _values(body, macros)}
        elif found[1].lower() not in ("comment", "preamble"):
            yield Entry(line + 1, _fields(body, macros))
        line += text.count("\n", position, end)
        position = end


def _closing(text: str, start: int, stop: int) -> int | None:
    """The index of the bracket that closes the one at ``start``; an escaped bracket does not count."""
    closing = "}" if text[start] == "{" else ")"
    depth = 0
    for found in re.compile(r"\\.|[{}()]", re.DOTALL).finditer(text, start + 1, stop):
        if found[0] == closing and depth == 0:
            return found.start()
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
    return None


def _fields(body: str, macros: Mapping[str, str]) -> Fields:
    name, _, rest = body.partition(",")
    fields: Fields = {"id": [name.strip()]}
    for field, raw in _values(rest, macros):
        fields.setdefault(field, [plain(raw)])
    return fields


def _values(body: str, macros: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each ``name = value`` up to the first syntax error.

    A value is a braced, quoted or bare part, or several joined by ``#``.
    """
    position = 0
    while found := NAME.match(body, position):
        position = found.end()
        parts = []
        while position < len(body):
            part, position = _value(body, position, macros)
            parts.append(part)
            joined = JOIN.match(body, position)
            if not joined:
                break
            position = joined.end()
        yield found[1].lower(), "".join(parts[:LONGEST_MACRO])


def _value(body: str, position: int, macros: Mapping[str, str]) -> tuple[str, int]:
    if body[position] == "{":
        end = _closing(body, position, len(body))
    elif body[position] == '"':
        end = _closing_quote(body, position)
    elif bare := BARE.match(body, position):
        return macros.get(bare[0].lower(), bare[0]), bare.end()
    else:
        return "", len(body)
    end = len(body) if end is None else end
    return body[position + 1 : end], end + 1


def _closing_quote(body: str, start: int) -> int | None:
    depth = 0
    for found in re.compile(r"\\.|[{}\"]", re.DOTALL).finditer(body, start + 1):
        if found[0] == '"' and depth <= 0:
            return found.start()
        depth += {"{": 1, "}": -1}.get(found[0], 0)
    return None


ACCENTS = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
}
SYMBOLS = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "i": "i",
    "textendash": "-",
    "textemdash": " - ",
    "textquoteright": "'",
    "textquotesingle": "'",
    "textdegree": "°",
    "alpha": "\u03b1",
    "beta": "\u03b2",
    "mu": "\u03bc",
    "times": "\u00d7",
}
ACCENTED = re.compile(
    r"\\(?:([`'^~=.\"])\s*|([urHvdck])(?:\s+|(?=[{\\])))(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))"
)
COMMAND = re.compile(r"\\([A-Za-z]+)\*?\s*")
ESCAPED = re.compile(r"\\([^A-Za-z])")


def plain(text: str) -> str:
    r"""Return LaTeX as plain text: accents composed, symbols resolved, commands and braces dropped.

    >>> plain("Andr{\\'e} \\v{C}ern\\'y {\\&} \\emph{Sch{\\\"u}\\ss ler}:~a $k$-{NN} study")
    'André Černý & Schüßler: a k-NN study'
    """
    if "\\" in text:
        text = ACCENTED.sub(lambda found: (found[3] or found[4]) + ACCENTS[found[1] or found[2]], text)
        text = COMMAND.sub(lambda found: SYMBOLS.get(found[1], " "), text)
        text = ESCAPED.sub(lambda found: found[1] if found[1] in "&%_#$" else " ", text)
    text = re.sub(r"---?", "-", text.replace("~", " "))
    return unicodedata.normalize("NFC", " ".join(re.sub(r"[{}]|(?<!\\)\$", "", text).split()))


TAG = re.compile(r"\s*([A-Z][A-Z0-9])( {1,3})-(?:\s+(.*))?$")
TAGS = frozenset(
    "TY TI T1 T2 T3 AB N1 N2 KW ER AU A1 A2 PY Y1 DA JO JF JA VL IS SP EP SN DO LA ID AN UR PB".split()
)


def ris(text: str) -> Iterator[Entry | Broken]:
    """Yield the records of a RIS file. Any line ending is accepted, and ``ER`` may be missing.

    >>> list(ris("TY  - JOUR\\rTI  - Flash\\r  floods\\rKW  - rain\\rKW  - flood\\rER  - \\r"))
    [Entry(line=1, fields={'ty': ['JOUR'], 'ti': ['Flash floods'], 'kw': ['rain', 'flood']})]
    """
    fields: Fields = {}
    begin = 0
    last: list[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        found = TAG.match(line)
        # One space before the dash is wrong but common. Then only known tags count: "UK - based" is text
        tag = found[1] if found and (len(found[2]) > 1 or found[1] in TAGS) else None
        if tag in ("TY", "ER") and fields:
            yield Entry(begin, fields)
            fields, last = {}, None
        if found and tag and tag != "ER":
            begin = begin if fields else number
            last = fields.setdefault(tag.lower(), [])
            last.append((found[3] or "").strip())
        elif last and line.strip() and not tag:
            last[-1] = f"{last[-1]} {line.strip()}".strip()
    if fields:
        yield Entry(begin, fields)
