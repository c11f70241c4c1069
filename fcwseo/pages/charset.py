"""Bytes of a page -> text: byte order mark, then header, then meta, then detection, as browsers do."""

import codecs
import re

from charset_normalizer import from_bytes

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]+)", re.IGNORECASE)
_META = re.compile(
    rb"<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9._:-]+)", re.IGNORECASE
)
# What the encoding standard of the web reads under these labels.
_WEB_NAMES = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "utf-7": "cp1252",
}
# Python's own text codecs that are no encodings of pages: some fail on what they cannot read.
_NOT_OF_THE_WEB = frozenset(
    ("idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
)
# What pages are written in that do not say what they are written in.
_LIKELY = [
    *("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"),
    *("cp1252", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp874"),
]
_BREAK = re.compile(rb"[<>\r\n]+")
_ASCII = bytes(range(0x80))
_SAMPLE = 1 << 15


def decode(body: bytes, content_type: str = "") -> str:
    """The text of ``body``, whatever its encoding; what cannot be read becomes U+FFFD.

    >>> decode("Überflutung".encode("latin-1"), "text/html; charset=ISO-8859-1")
    'Überflutung'
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(encoding, "replace")
    encoding = _known(_DECLARED.search(content_type.encode("ascii", "replace"))) or _from_meta(body)
    return body.decode(encoding or _detected(body), "replace")


def _from_meta(body: bytes) -> str:
    encoding = _known(_META.search(body[:4096]))
    # A page whose meta element can be read as ASCII is not in UTF-16, whatever the element says.
    return "utf-8" if encoding.startswith("utf-16") else encoding


def _known(match: re.Match[bytes] | None) -> str:
    """The name of the codec that a declaration means, or nothing if there is no such codec for text."""
    if match is None:
        return ""
    try:
        codec = codecs.lookup(match.group(1).decode("ascii"))
    except (LookupError, UnicodeError):
        return ""
    is_of_the_web = codec._is_text_encoding and codec.name not in _NOT_OF_THE_WEB
    return _WEB_NAMES.get(codec.name, codec.name) if is_of_the_web else ""


def _detected(body: bytes) -> str:
    try:
        body.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        if _is_mostly_utf8(body):
            return "utf-8"
    # Lines that are plain ASCII look the same in every encoding, and only blur the picture.
    telling = b"\n".join(part for part in _BREAK.split(body) if not part.isascii())[:_SAMPLE]
    if 10 * len(telling.translate(None, _ASCII)) < 3 * len(telling):
        return "cp1252"  # Latin letters with accents here and there: too little to tell more
    best = from_bytes(telling, cp_isolation=_LIKELY).best()
    return best.encoding if best else "cp1252"


def _is_mostly_utf8(body: bytes) -> bool:
    """One broken letter, as where a page was cut off, does not make it another encoding."""
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    letters = len(text) - len(text.encode("ascii", "ignore"))
    return letters > 10 * broken
