"""Public functions: open, describe, make, import and serve closed webs."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from fcwseo.door.arguments import AnyPath, AnyWeb, count_of, path_of, text_of, unusable, web_of
from fcwseo.webs import opening
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb


def open_web(source: AnyPath) -> FrozenWeb | GeneratedWeb:
    """Open a closed web.

    Args:
        source: A folder, a ``.warc.gz``, a ``.wacz``, a run directory of a live crawl, or
            ``generated-PAGES-SEED``, a web generated in memory.

    Returns:
        The web, for ``crawl`` and ``compare``.

    Raises:
        InvalidWeb: If the source is not a web, or is damaged.

    >>> len(open_web("generated-500-0"))
    500
    """
    return opening.open_web(str(path_of(source, "source")))


def describe_web(web: AnyWeb) -> dict[str, Any]:
    """Count the pages, hosts, links and labels of a web.

    Args:
        web: A web, or an argument of ``open_web``.

    Returns:
        The dictionary that ``fcwseo web info --json`` prints.

    Raises:
        InvalidWeb: If there is no such web.

    >>> describe_web("generated-500-0")["pages"]
    500
    """
    return opening.describe(web_of(web))


def make_web(out: AnyPath, *, pages: int = 10_000, seed: int = 0) -> FrozenWeb:
    """Write a generated web as a frozen web, with ``seeds.txt`` for rainstorms.

    Args:
        out: The folder to write.
        pages: Number of pages.
        seed: The same seed returns the same web.

    Returns:
        The web in the folder.

    Raises:
        InvalidInput: If the folder exists.

    >>> import fcwseo as f
    >>> from tempfile import mkdtemp
    >>> len(f.make_web(f"{mkdtemp()}/web", pages=500))
    500
    """
    folder = path_of(out, "out")
    opening.make_web(GeneratedWeb(count_of(seed, "seed", least=0), count_of(pages, "pages")), folder)
    return FrozenWeb(folder)


def import_web(source: AnyPath, out: AnyPath, *, base: str | None = None) -> FrozenWeb:
    """Make a frozen web from an archive, a folder of HTML files or the mirror of a site.

    Args:
        source: A ``.warc.gz``, a ``.wacz``, or a folder.
        out: The folder to write.
        base: The base URL of the files of a folder.

    Returns:
        The web in the folder.

    Raises:
        InvalidWeb: If the source contains no page.
        InvalidInput: If the folder to write exists.

    >>> import fcwseo as f
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> site = Path(mkdtemp(), "a.example")
    >>> site.mkdir()
    >>> _ = (site / "index.html").write_text("<title>Rain</title><p>It rains.")
    >>> list(f.import_web(site.parent, f"{mkdtemp()}/web").urls())
    ['http://a.example/index.html']
    """
    folder = path_of(out, "out")
    below = None if base is None else text_of(base, "base")
    opening.import_web(path_of(source, "source"), folder, base=below)
    return FrozenWeb(folder)


@contextmanager
def serve_web(web: AnyWeb, *, port: int = 0, log: AnyPath | None = None) -> Iterator[str]:
    """Serve a web over HTTP on 127.0.0.1 during a ``with`` block. The Host header of a request selects the
    host.

    Args:
        web: A frozen or generated web, or an argument of ``open_web``.
        port: The port to listen on; 0 picks a free one.
        log: A file; each request appends a line of JSON to it.

    Returns:
        The address, for the argument ``connect_to`` of ``crawl``.

    Raises:
        InvalidInput: If the port is taken, or the web cannot be served.

    >>> import fcwseo as f
    >>> from tempfile import mkdtemp
    >>> web = f.open_web("generated-500-0")
    >>> with f.serve_web(web) as address:
    ...     live = {"connect_to": address, "allow_private": True, "delay": 0}
    ...     seeds, out = web.seeds("rainstorm"), mkdtemp()
    ...     run = f.crawl(topic="rainstorm", seeds=seeds, out=out, max_pages=2, **live)
    >>> run.stop, address.startswith("127.0.0.1:")
    ('budget', True)
    """
    from fcwseo.webs.serve import logged, make_server

    served = web_of(web)
    if not isinstance(served, FrozenWeb | GeneratedWeb):
        raise unusable("web", web, "only a frozen or a generated web can be served")
    number = count_of(port, "port", least=0)
    with (
        logged(None if log is None else path_of(log, "log")) as tell,
        make_server(served, number, log=tell) as server,
    ):
        thread = Thread(target=server.serve_forever, name="fcwseo-serve", daemon=True)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
