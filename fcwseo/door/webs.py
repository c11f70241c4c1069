"""Closed webs as users ask for them: opened, described, written down, imported."""

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
            ``generated-PAGES-SEED``, a web made up on the spot.

    Raises:
        InvalidWeb: If there is no web, or a damaged one.

    >>> len(open_web("generated-500-0"))
    500
    """
    return opening.open_web(str(path_of(source, "source")))


def describe_web(web: AnyWeb) -> dict[str, Any]:
    """Count the pages, hosts, links and labels of a web.

    Args:
        web: A web, or what ``open_web`` opens it by.

    Returns:
        What ``fcwseo web info --json`` prints.

    >>> describe_web("generated-500-0")["pages"]
    500
    """
    return opening.describe(web_of(web))


def make_web(out: AnyPath, *, pages: int = 10_000, seed: int = 0) -> FrozenWeb:
    """Write a generated web down as a frozen one, with ``seeds.txt`` for rainstorms.

    Args:
        out: The folder to write.
        pages: How many pages.
        seed: The same seed gives the same web.

    Raises:
        InvalidInput: If the folder exists.
    """
    folder = path_of(out, "out")
    opening.make_web(GeneratedWeb(count_of(seed, "seed", least=0), count_of(pages, "pages")), folder)
    return FrozenWeb(folder)


def import_web(source: AnyPath, out: AnyPath, *, base: str | None = None) -> FrozenWeb:
    """Make a frozen web of an archive, a folder of HTML files or the mirror of a site.

    Args:
        source: A ``.warc.gz``, a ``.wacz``, or a folder.
        out: The folder to write.
        base: The address that the files of a folder lie below.

    Raises:
        InvalidWeb: If there is no page in it.
        InvalidInput: If the folder to write exists.
    """
    folder = path_of(out, "out")
    below = None if base is None else text_of(base, "base")
    opening.import_web(path_of(source, "source"), folder, base=below)
    return FrozenWeb(folder)


@contextmanager
def serve_web(web: AnyWeb, *, port: int = 0, log: AnyPath | None = None) -> Iterator[str]:
    """Serve a web as real HTTP on 127.0.0.1 while a ``with`` block runs; hosts are told apart by their names.

    Args:
        web: A frozen or generated web, or what ``open_web`` opens it by.
        port: The port to listen on; 0 takes any free one.
        log: A file to which a line of JSON is appended for each request.

    Returns:
        The address, as ``connect_to`` of ``crawl`` takes it.

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
