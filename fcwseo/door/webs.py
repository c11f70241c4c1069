"""Closed webs as users ask for them: opened, described, written down, imported."""

from pathlib import Path
from typing import Any

from fcwseo.door.arguments import AnyPath, AnyWeb, web_of
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
    return opening.open_web(str(source))


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
    opening.make_web(GeneratedWeb(seed, pages), Path(out))
    return FrozenWeb(Path(out))


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
    opening.import_web(Path(source), Path(out), base=base)
    return FrozenWeb(Path(out))
