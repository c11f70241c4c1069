"""Decodes the transfer and content encodings of HTTP bodies.

Archives store bodies encoded or decoded, under the same headers. So a body that is not encoded as its headers
say is returned unchanged.
"""

import io
import re
import zlib

from fastwarc.stream_io import BrotliReader, ZstdReader

_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r\n")
_LARGEST = 64 << 20  # bytes of a decoded body
_ENCODINGS = frozenset(("gzip", "x-gzip", "deflate", "br", "zstd", "compress"))
_MOST_LAYERS = 2  # of content encodings


def unpacked(body: bytes, *, transfer: str, content: str, largest: int = _LARGEST) -> bytes | None:
    """The body without its transfer and content encodings, cut off after ``largest`` bytes.

    Returns None if an encoding is not supported, if there are more than two, or if the body is damaged.

    >>> unpacked(b"4\\r\\nrain\\r\\n0\\r\\n\\r\\n", transfer="chunked", content="")
    b'rain'
    """
    if "chunked" in transfer.lower():
        body = _joined(body)
    names = [name for part in content.lower().split(",") if (name := part.strip()) in _ENCODINGS]
    if len(names) > _MOST_LAYERS:
        return None
    for name in reversed(names):
        plain = _decoded(body, name, largest)
        if plain is None:
            return None
        if plain is body:  # not encoded as its headers say: so are the layers inside
            break
        body = plain
    return body


def _decoded(body: bytes, encoding: str, largest: int) -> bytes | None:
    match encoding:
        case "gzip" | "x-gzip":
            return _inflated(body, largest, zlib.MAX_WBITS + 32)
        case "deflate":
            return _inflated(body, largest, zlib.MAX_WBITS + 32, -zlib.MAX_WBITS)
        case "br" if not _is_markup(body):
            return _expanded(BrotliReader(io.BytesIO(body)), largest)
        case "zstd" if not _is_markup(body):
            return _expanded(ZstdReader(io.BytesIO(body)), largest)
        case "compress" if not _is_markup(body):
            return None
    return body


def _is_markup(body: bytes) -> bool:
    return not body or body.lstrip().startswith(b"<")


def _expanded(reader: BrotliReader | ZstdReader, largest: int) -> bytes | None:
    """The decoded body, as far as it can be read; None if nothing can."""
    pieces: list[bytes] = []
    left = largest
    try:
        while left and (piece := reader.read(min(left, 1 << 16))):
            pieces.append(piece)
            left -= len(piece)
    except OSError:
        return b"".join(pieces) if pieces else None
    return b"".join(pieces)


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
