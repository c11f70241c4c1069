"""Decodes the bytes of a page, as browsers do.

The encoding is taken from the byte order mark, the header, the meta element, or else detected.
"""

import codecs
import re

from charset_normalizer import from_bytes

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]+)", re.IGNORECASE)
_META = re.compile(
    rb"<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*[\"']?\s*([A-Za-z0-9._:-]+)", re.IGNORECASE
)
# The encodings that the WHATWG standard uses for these labels.
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
# Python's text codecs that the web does not use; some of them raise in spite of errors="replace".
_NOT_OF_THE_WEB = frozenset(
    ("idna", "mbcs", "oem", "punycode", "raw-unicode-escape", "undefined", "unicode-escape")
)
# Encodings of pages that do not declare one.
_LIKELY = [
    *("gb18030", "big5hkscs", "cp932", "euc_jp", "cp949"),
    *("cp1252", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp874"),
]
_BREAK = re.compile(rb"[<>\r\n]+")
_ASCII = bytes(range(0x80))
_SAMPLE = 1 << 15


def decode(body: bytes, content_type: str = "") -> str:
    """The text of ``body``; bytes that cannot be decoded become U+FFFD.

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
    # The meta element was found as ASCII, so the page is not in UTF-16 even if it says so.
    return "utf-8" if encoding.startswith("utf-16") else encoding


def _known(match: re.Match[bytes] | None) -> str:
    """The codec that a declaration names; "" if there is no such codec for pages."""
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
    # ASCII looks the same in every encoding and would only weaken the detection.
    sample = b"\n".join(part for part in _BREAK.split(body) if not part.isascii())[:_SAMPLE]
    if 10 * len(sample.translate(None, _ASCII)) < 3 * len(sample):
        return "cp1252"  # a few accented Latin letters: too little evidence for another encoding
    best = from_bytes(sample, cp_isolation=_LIKELY).best()
    return best.encoding if best else "cp1252"


def _is_mostly_utf8(body: bytes) -> bool:
    """Whether at most one letter in ten is broken, as where a page was cut off."""
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    letters = len(text) - len(text.encode("ascii", "ignore"))
    return letters > 10 * broken
