"""Bodies as HTTP carries them -> as they were written. Archives keep what came over the wire, or what it
meant, under the same headers; so a body that is not packed as its headers say is taken as it is.
"""

import re
import zlib

_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")
_LARGEST = 64 << 20  # what a small body may swell to


def unpacked(body: bytes, *, transfer: str, content: str, largest: int = _LARGEST) -> bytes | None:
    """The body without its transfer and content encodings, at most ``largest`` bytes of it; None if one of
    them cannot be read.

    >>> unpacked(b"4\\r\\nrain\\r\\n0\\r\\n\\r\\n", transfer="chunked", content="")
    b'rain'
    """
    if "chunked" in transfer.lower():
        body = _joined(body)
    for name in reversed(content.lower().split(",")):
        match name.strip():
            case "gzip" | "x-gzip":
                body = _inflated(body, largest, zlib.MAX_WBITS + 32)
            case "deflate":
                body = _inflated(body, largest, zlib.MAX_WBITS + 32, -zlib.MAX_WBITS)
            case "br" | "zstd" | "compress" if not body.lstrip().startswith(b"<"):
                return None
    return body


def _joined(body: bytes) -> bytes:
    chunks: list[bytes] = []
    position = 0
    while chunk := _CHUNK.match(body, position):
        end = chunk.end() + int(chunk[1], 16)
        chunks.append(body[chunk.end() : end])
        position = end + len(b"\r\n")
    return b"".join(chunks) if position else body


def _inflated(body: bytes, largest: int, *formats: int) -> bytes:
    for bits in formats:
        try:
            return zlib.decompressobj(bits).decompress(body, largest)
        except zlib.error:
            continue
    return body
