"""Text files in any encoding: a byte order mark counts, then UTF-8, then a guess, which is reported."""

import codecs
import io
from pathlib import Path

from charset_normalizer import from_bytes

from fcwseo_ontology.corpus.documents import Problem
from fcwseo_ontology.corpus.tokens import CONTROL, ESCAPE

MEGABYTE = 1 << 20
SAMPLE = 1 << 16  # characters that tell whether a file is text
MOST_CONTROL = 0.05  # of the characters of a text control something

BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


def read_text(path: Path, limit: int, encoding: str | None = None) -> tuple[str, list[Problem]]:
    """Return the text of a file and the problems met; a file of more than ``limit`` bytes has no text.

    ``encoding`` is the declared one; without it, the encoding is detected.
    """
    if path.stat().st_size > limit:
        return "", [Problem(str(path), f"file larger than {limit // MEGABYTE} MB; skipped")]
    problems: list[Problem] = []
    if encoding is None:
        encoding, problems = detect_encoding(path)
    text = path.read_text(encoding=encoding, errors="replace")
    if _is_binary(text):
        return "", [Problem(str(path), "binary, no text; skipped")]
    return text, problems


def _is_binary(text: str) -> bool:
    """Whether the beginning has more control characters than a text."""
    sample = ESCAPE.sub("", text[:SAMPLE])
    return len(CONTROL.findall(sample)) > MOST_CONTROL * len(sample)


def codec_name(name: str) -> str | None:
    """Return the codec for a declared character set, or None if Python has none.

    Text declared as GB2312 or GBK mostly uses characters beyond it, so it is decoded as GB 18030.

    >>> codec_name("GB2312"), codec_name("latin-1"), codec_name("klingon")
    ('gb18030', 'iso8859-1', None)
    """
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return None
    return "gb18030" if codec in ("gb2312", "gbk") else codec


def detect_encoding(path: Path) -> tuple[str, list[Problem]]:
    """Return the encoding of a file, and a problem where it is a guess or some bytes do not fit it."""
    with path.open("rb") as file:
        head = file.read(4096)
        marked = next((name for mark, name in BYTE_ORDER_MARKS.items() if head.startswith(mark)), None)
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
        return "utf-8", [
            Problem(str(path), "some bytes are not UTF-8; replaced them by U+FFFD", skipped=False)
        ]
    guess = _guess(sample)
    advice = "if letters look wrong, save the file as UTF-8"
    message = f"not UTF-8; decoded as {guess}, which is a guess: {advice}"
    return guess, [Problem(str(path), message, skipped=False)]


def _guess(sample: bytes) -> str:
    """The most likely encoding; among equally likely ones, that of Western Europe."""
    matches = from_bytes(sample)
    best = matches.best()
    if best is None:
        return "cp1252"
    equal = [match for match in matches if (match.chaos, match.coherence) == (best.chaos, best.coherence)]
    western = any("cp1252" in match.could_be_from_charset for match in equal)
    return "cp1252" if western else codec_name(best.encoding) or "cp1252"


def _not_utf8(file: io.BufferedReader) -> bytes:
    """The bytes around the first one that is not UTF-8; empty if the file is UTF-8."""
    file.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    while chunk := file.read(MEGABYTE):
        try:
            decoder.decode(chunk)
        except UnicodeDecodeError as error:
            begin = max(0, error.start - 4096)
            return chunk[begin : begin + 32_768]
    return b""
