"""A little language of test webs: pages and redirects in a line each, written as folders and archives."""

import gzip
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from fcwseo.webs.frozen import FrozenWeb


def write_lines(folder: Path, lines: Iterable[bytes], *, meta: str | None = None) -> Path:
    """A folder with these lines as its pages, whatever they are."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pages.jsonl.gz").write_bytes(gzip.compress(b"".join(line + b"\n" for line in lines), mtime=0))
    if meta is not None:
        (folder / "meta.json").write_text(meta, encoding="utf-8")
    return folder


def write_web(
    folder: Path,
    pages: Mapping[str, str],
    *,
    redirects: Mapping[str, str] | None = None,
    labels: Mapping[str, list[str]] | None = None,
    gone: Mapping[str, int] | None = None,
    **meta: Any,
) -> Path:
    """A folder with ``pages`` (HTML by address), what they redirect to, what is gone, and ``meta``."""
    fields: list[dict[str, Any]] = [
        {"url": url, "html": html} | ({"labels": labels[url]} if labels and url in labels else {})
        for url, html in pages.items()
    ]
    fields += [
        {"url": url, "html": "", "status": 301, "redirect": to} for url, to in (redirects or {}).items()
    ]
    fields += [{"url": url, "html": "gone", "status": status} for url, status in (gone or {}).items()]
    return write_lines(folder, [json.dumps(line).encode() for line in fields], meta=json.dumps(meta))


def frozen_web(folder: Path, pages: Mapping[str, str], **others: Any) -> FrozenWeb:
    """The same, opened."""
    return FrozenWeb(write_web(folder, pages, **others))


@dataclass(frozen=True, slots=True)
class WarcResponse:
    """What a server said, for an archive."""

    url: str
    body: bytes | str = b""
    status: str = "200 OK"
    content_type: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


def warc_bytes(answers: Iterable[WarcResponse], *, zipped: bool = True) -> bytes:
    """A WARC with these answers, each followed by the request for it."""
    file = io.BytesIO()
    writer = WARCWriter(file, gzip=zipped)
    writer.write_record(writer.create_warcinfo_record("test.warc", {"software": "a test"}))
    for answer in answers:
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        headers = [("Content-Type", answer.content_type), *answer.headers]
        http = StatusAndHeaders(answer.status, headers, protocol="HTTP/1.1")
        record = writer.create_warc_record(
            answer.url, "response", payload=io.BytesIO(body), length=len(body), http_headers=http
        )
        writer.write_record(record)
        ask = StatusAndHeaders("GET / HTTP/1.1", [("Host", "a.example")], is_http_request=True)
        writer.write_record(writer.create_warc_record(answer.url, "request", http_headers=ask))
    return file.getvalue()


def write_warc(path: Path, answers: Iterable[WarcResponse]) -> Path:
    path.write_bytes(warc_bytes(answers, zipped=path.suffix == ".gz"))
    return path


def write_wacz(path: Path, archives: Mapping[str, bytes]) -> Path:
    """A WACZ with these WARCs in its archive folder, and what else stands in one."""
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("datapackage.json", "{}")
        file.writestr("pages/pages.jsonl", '{"format": "json-pages-1.0"}\n')
        for name, content in archives.items():
            file.writestr(f"archive/{name}", content)
    return path
