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
    return _WEB_NAMES.get(codec.name, codec.name) if codec._is_text_encoding else ""


def _detected(body: bytes) -> str:
    try:
        body.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        best = from_bytes(body[:_SAMPLE]).best()
        return best.encoding if best else "cp1252"
