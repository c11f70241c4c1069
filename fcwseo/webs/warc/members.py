"""Makes WARC 1.1 records (ISO 28500:2017), each gzipped by itself as a member of a ``.warc.gz`` file."""

import base64
import gzip
import ipaddress
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2b, sha1
from importlib.metadata import version
from typing import NamedTuple
from uuid import UUID

import msgspec

from fcwseo.webs.warc.records import OUTCOME_FIELD, PLAN_FIELD, ArchivedOutcome, ArchivedPlan

HTTP_RESPONSE = "application/http; msgtype=response"
HTTP_REQUEST = "application/http; msgtype=request"
_FIELDS = "application/warc-fields"
_BREAK = re.compile(rb"[\r\n\0]+")
_CONTROL = re.compile(r"[\x00-\x20\x7f]+")
_LONGEST_URL = 8000  # characters of a URL in a header: readers fail at headers of 32 KiB

Headers = Sequence[tuple[str, str]]


class Member(NamedTuple):
    """A gzipped record. ``digest`` is the digest of its body if later records may refer to it, else ""."""

    id: str
    zipped: bytes
    digest: str = ""


def make_member(kind: str, headers: Headers, block: bytes, content_type: str, *, digest: str = "") -> Member:
    """A record of a WARC-Type with these headers and this block. Its ID is a digest of its content.

    >>> import zlib
    >>> record = make_member("resource", [("WARC-Target-URI", "http://a.example/")], b"rain", "text/plain")
    >>> zlib.decompress(record.zipped, 31).split(b"\\r\\n")[:2]
    [b'WARC/1.1', b'WARC-Type: resource']
    """
    block_digest = digest_of(block)
    content = f"{kind}\n{headers}\n{block_digest}".encode()
    name = f"<urn:uuid:{UUID(bytes=blake2b(content, digest_size=16).digest(), version=4)}>"
    lines = [
        "WARC/1.1",
        *(
            f"{key}: {value}"
            for key, value in (
                ("WARC-Type", kind),
                ("WARC-Record-ID", name),
                *headers,
                ("WARC-Block-Digest", block_digest),
                ("Content-Type", content_type),
                ("Content-Length", str(len(block))),
            )
        ),
    ]
    head = "\r\n".join(lines).encode("utf-8", "replace")
    return Member(name, gzip.compress(head + b"\r\n\r\n" + block + b"\r\n\r\n", 6, mtime=0), digest)


def warcinfo(name: str, plan: ArchivedPlan | None = None) -> bytes:
    """The gzipped record at the start of the file ``name``."""
    fields = f"software: fcwseo/{version('fcwseo')}\r\nformat: WARC file version 1.1\r\n"
    if plan is not None:
        fields += f"{PLAN_FIELD}: {msgspec.json.encode(plan).decode()}\r\n"
    headers = [("WARC-Date", date(datetime.now(UTC))), ("WARC-Filename", name)]
    return make_member("warcinfo", headers, fields.encode(), _FIELDS).zipped


def metadata(outcome: ArchivedOutcome, concurrent: str) -> Member:
    """The record of an outcome; ``concurrent`` is the ID of the record of the response, or "".

    Its block contains the whole URL; the header is shortened, since a refused link may be very long.
    """
    headers = [
        ("WARC-Target-URI", header_safe(outcome.url)[:_LONGEST_URL]),
        ("WARC-Date", date(datetime.now(UTC))),
        *([("WARC-Concurrent-To", concurrent)] if concurrent else []),
    ]
    encoded = msgspec.json.encode(outcome)
    fields = f"outcome: {outcome.outcome}\r\n{OUTCOME_FIELD}: ".encode() + encoded + b"\r\n"
    return make_member("metadata", headers, fields, _FIELDS)


def http_head(head: bytes) -> bytes:
    """Status line and headers of a response, as an HTTP/1 head.

    Stored bodies are never chunked, so Transfer-Encoding gets another name.
    """
    first, *rest = (_BREAK.sub(b" ", line) for line in head.split(b"\r\n"))
    protocol, _, status = first.partition(b" ")
    lines = [(protocol if protocol.startswith(b"HTTP/1") else b"HTTP/1.1") + b" " + status]
    for line in rest:
        name, colon, _ = line.partition(b":")
        is_chunked = name.strip().lower() == b"transfer-encoding"
        if colon and name.strip():
            lines.append(b"X-Archive-Orig-" + line.lstrip() if is_chunked else line)
    return b"\r\n".join(lines) + b"\r\n\r\n"


def ip_header(peer: str) -> Headers:
    """The header with the IP address of a server; none if ``peer`` is not an IP address."""
    try:
        return (("WARC-IP-Address", str(ipaddress.ip_address(peer))),)
    except ValueError:
        return ()


def header_safe(url: str) -> str:
    """The URL with blanks and control characters escaped.

    >>> header_safe("http://a.example/b c")
    'http://a.example/b%20c'
    """
    return _CONTROL.sub("%20", url)


def digest_of(data: bytes) -> str:
    """The digest of a body or block, as WARC headers state it.

    >>> digest_of(b"rain")
    'sha1:7PWBPSZPZO6RYZM3EURDBNEIE36FMN4I'
    """
    return f"sha1:{base64.b32encode(sha1(data).digest()).decode()}"


def date(when: datetime) -> str:
    """The time in UTC, as WARC headers state it."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
