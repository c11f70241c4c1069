"""Opens webs by name, describes them, and writes them as frozen webs."""

import gzip
import json
import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fcwseo.errors import InvalidInput, InvalidWeb
from fcwseo.files import io_error
from fcwseo.pages import Page
from fcwseo.pages.charset import decode
from fcwseo.pages.urls import canonical, host
from fcwseo.webs.frozen import FrozenWeb, PageCounter
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.protocol import ClosedWeb
from fcwseo.webs.warc.read import is_archive, read_meta, read_records

_GENERATED = re.compile(r"generated-(\d{1,12})-(\d{1,18})")
_HTML = (".html", ".htm", ".xhtml", ".shtml", ".php")


def open_web(name: str, *, progress: PageCounter | None = None) -> FrozenWeb | GeneratedWeb:
    """Open the web with a name: a folder, a .warc.gz, a .wacz, the run of a live crawl, or
    ``generated-PAGES-SEED``.
    """
    if match := _GENERATED.fullmatch(name):
        return GeneratedWeb(int(match[2]), int(match[1]))
    path = Path(name)
    return FrozenWeb(path / "warc" if _is_run(path) else path, progress=progress)


def _is_run(path: Path) -> bool:
    return (path / "run.json").is_file() and (path / "warc").is_dir()


def describe(web: ClosedWeb, *, progress: PageCounter | None = None) -> dict[str, Any]:
    """Count pages, hosts, links and labels of a web, for ``fcwseo web info``.

    Links are distinct pairs of a page and another page of this web.
    """
    hosts: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    links = 0
    for number, url in enumerate(web.urls(), start=1):
        hosts[host(url)] += 1
        labels.update(web.labels(url))
        page = answer(web, url)
        if isinstance(page, Page):
            targets = {web.resolve(target) for target in {link.target for link in page.links}}
            links += len(targets - {None, page.url})
        if progress is not None:
            progress(number)
    return {
        "name": web.name,
        "pages": len(web),
        "hosts": len(hosts),
        "links": links,
        "labels": dict(sorted(labels.items(), key=lambda entry: (-entry[1], entry[0]))),
    }


def answer(web: ClosedWeb, url: str) -> object:
    """The response of a closed web; its coroutine never waits, so it needs no event loop."""
    try:
        web.fetch(url).send(None)
    except StopIteration as answer:
        return answer.value
    raise InvalidWeb(f"{web.name} did not answer at once")


def make_web(web: GeneratedWeb, out: Path, *, progress: PageCounter | None = None) -> None:
    """Write a generated web as a frozen one: its pages, the redirects that they link to, and seeds."""
    meta = {
        "name": web.name,
        "title": "A generated web",
        "licence": "MIT",
        "language": "en",
        "loose_urls": False,
    }
    seeds = "\n".join(web.seeds("rainstorm")) + "\n"
    _write_web(out, _generated_records(web, progress), meta, {"seeds.txt": seeds})


def _generated_records(web: GeneratedWeb, progress: PageCounter | None) -> Iterator[dict[str, Any]]:
    moved: dict[str, None] = {}
    for number, url in enumerate(web.urls(), start=1):
        yield {"url": url, "html": web.html(url), "labels": list(web.labels(url))}
        page = answer(web, url)
        if isinstance(page, Page):
            moved |= {link.target: None for link in page.links if web.redirect(link.target)}
        if progress is not None:
            progress(number)
    while moved:
        url, _ = moved.popitem()
        target = web.redirect(url)
        yield {"url": url, "html": "", "status": 301, "redirect": target}
        if target is not None and web.redirect(target):
            moved[target] = None


def import_web(
    source: Path, out: Path, *, base: str | None = None, progress: PageCounter | None = None
) -> list[str]:
    """Make a frozen web from a WARC, a WACZ, a folder of HTML files or the mirror of a site. Returns the
    problems of skipped records.

    The folders of a mirror are named after hosts. Other files have URLs below ``base``.
    """
    problems: list[str] = []
    if base is not None and canonical(base) is None:
        raise InvalidInput(f"{base!r} is not an http URL: give the base URL of the files")
    if not source.exists():
        raise InvalidWeb(f"{source} does not exist: give a .warc.gz, a .wacz or a folder of HTML files")
    source = source / "warc" if _is_run(source) else source
    if source.is_dir() and not (source / "pages.jsonl.gz").exists() and not is_archive(source):
        records, loose_urls = _file_records(source, base, problems), True
    else:
        records = _archive_records(source, problems)
        loose_urls = bool(read_meta(source).get("loose_urls"))
    _write_web(
        out,
        _counted(records, progress),
        {"name": out.name, "source": source.name, "loose_urls": loose_urls},
    )
    return problems


def _archive_records(source: Path, problems: list[str]) -> Iterator[dict[str, Any]]:
    for record in read_records(source, problems):
        body = record.body
        html = body if isinstance(body, str) else decode(body, record.content_type)
        fields: dict[str, Any] = {"url": record.url, "html": html, "labels": list(record.labels)}
        if record.status != 200:
            fields["status"] = record.status
        if record.redirect:
            fields["redirect"] = record.redirect
        yield fields


def _file_records(source: Path, base: str | None, problems: list[str]) -> Iterator[dict[str, Any]]:
    whole = source.resolve()
    for path in sorted(source.rglob("*")):
        if not path.is_file():
            continue
        if not path.resolve().is_relative_to(whole):
            problems.append(f"{path}: a symbolic link out of the folder")
            continue
        try:
            if not _is_html(path):
                continue
            body = path.read_bytes()
        except OSError as error:
            problems.append(f"{path}: {error.strerror}")
            continue
        url = _file_url(path.relative_to(source), base)
        if url is None:
            problems.append(f"{path}: its name is not usable in a URL")
            continue
        yield {"url": url, "html": decode(body)}


def _is_html(path: Path) -> bool:
    """Whether a file is HTML, by its name without the query of mirrors, or else by its first bytes."""
    if path.name.lower().partition("?")[0].endswith(_HTML) or path.suffix.lower() in _HTML:
        return True
    with path.open("rb") as file:
        return (
            file.read(1024).lstrip(b"\xef\xbb\xbf\r\n\t ").lower().startswith((b"<!doctype html", b"<html"))
        )


def _file_url(path: Path, base: str | None) -> str | None:
    if base is None:
        first, *rest = path.parts
        is_host = bool(rest) and "." in first
        base = f"http://{first}/" if is_host else "http://local.example/"
        path = Path(*rest) if is_host else path
    # Characters with a meaning in URLs are plain in file names: "C: or D?.html" is below the base too.
    name = quote(os.fsencode(path.as_posix()), safe="/~!$&'()*+,;=:@")
    return canonical(f"./{name}", base if base.endswith("/") else f"{base}/")


def _counted(records: Iterator[dict[str, Any]], progress: PageCounter | None) -> Iterator[dict[str, Any]]:
    for number, record in enumerate(records, start=1):
        yield record
        if progress is not None:
            progress(number)


def _write_web(
    out: Path, records: Iterator[dict[str, Any]], meta: dict[str, Any], files: dict[str, str] | None = None
) -> None:
    """Write a frozen web to a temporary folder and rename it when complete; nothing is overwritten."""
    if out.exists():
        raise InvalidInput(f"{out} already exists: name another folder")
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
        try:
            count, pages = _write_records(making / "pages.jsonl.gz", records)
            if pages == 0:
                raise InvalidWeb(f"no page was found, so {out} was not written")
            text = json.dumps(meta | {"records": count}, ensure_ascii=False, indent=1)
            for name, content in ({"meta.json": f"{text}\n"} | (files or {})).items():
                (making / name).write_text(content, encoding="utf-8")
            making.chmod(0o755)
            making.rename(out)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    except OSError as error:
        raise io_error(out, error) from error


def _write_records(path: Path, records: Iterator[dict[str, Any]]) -> tuple[int, int]:
    """Write records and return their number, and the number of pages among them. The same records give the
    same bytes: the file contains no time.
    """
    count = pages = 0
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            count += 1
            pages += "redirect" not in record and record.get("status", 200) < 300
    return count, pages
