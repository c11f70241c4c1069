"""What servers said, for archives, and whether others accept what was written."""

import asyncio
import contextlib
import io
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from fastwarc.cli import main as fastwarc
from fastwarc.warc import ArchiveIterator
from warcio.checker import Checker

from fcwseo.pages import Failure, Page
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.warc.exchange import Exchange
from fcwseo.webs.warc.ranges import ByteRange
from fcwseo.webs.warc.write import Archive

NOON = datetime(2026, 7, 20, 12, 0, tzinfo=UTC)
A, B, C = (f"http://a.example/{name}" for name in "abc")
HTML = b"<title>Rain</title><p>It rained all day, and the river rose. <a href='/b'>More</a>"
OTHER = b"<title>Hail</title><p>It hailed all night, and the roofs broke."


def exchange(
    asked: str,
    url: str = "",
    *,
    body: bytes = HTML,
    status: int = 200,
    headers: Sequence[str] = ("Content-Type: text/html",),
    final: bool = True,
    truncated: str = "",
    decoded: int | None = None,
) -> Exchange:
    url = url or asked
    head = "\r\n".join((f"HTTP/1.1 {status} Fine", *headers, "", "")).encode()
    request = f"GET {url} HTTP/1.1\r\nHost: a.example\r\n\r\n".encode()
    length = len(body) if decoded is None else decoded
    return Exchange(asked, url, request, status, head, body, length, "127.0.0.1", NOON, final, truncated)


def moved(asked: str, url: str, there: str) -> Exchange:
    return exchange(asked, url, body=b"", status=301, headers=(f"Location: {there}",), final=False)


def keep(archive: Archive, outcome: Page | Failure, *exchanges: Exchange, asked: str = "") -> ByteRange:
    for one in exchanges:
        archive.record(one)
    return archive.commit(asked or outcome.url, outcome)


def check(folder: Path) -> None:
    """Both checkers accept every file, with every digest."""
    for path in sorted(folder.glob("*.warc.gz")):
        checker = Checker(type("Arguments", (), {"verbose": False, "inputs": [str(path)]})())
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            checker.process_all()
        assert checker.exit_value in (0, None), said.getvalue()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            fastwarc(["check", "-q", str(path)], standalone_mode=False)
        for record in ArchiveIterator(str(path), parse_http=False):
            record.freeze()
            assert record.verify_block_digest()


def fetch(web: FrozenWeb, url: str) -> Page | Failure:
    return asyncio.run(web.fetch(url))
