"""Markdown of kept pages by a library that keeps tables, links and emphasis: trafilatura (Barbaresi, 2021).

Page text, from which relevance and digests are computed, stays our own: it must not change with a library.
"""

from importlib.util import find_spec

from msgspec import Struct

from fcwseo.errors import MissingExtra

OWN, TRAFILATURA = EXTRACTORS = ("own", "trafilatura")


class Extracted(Struct, frozen=True):
    """A page as Markdown, and what it says about itself; empty if it says nothing."""

    markdown: str
    author: str = ""
    site_name: str = ""
    license: str = ""


def check_extractor(name: str) -> None:
    """Raise ``MissingExtra`` if an extractor is not installed, or cannot be imported."""
    if name != TRAFILATURA:
        return
    if find_spec("trafilatura") is None:
        raise MissingExtra(
            "the text extractor 'trafilatura' is not installed: pip install 'fcwseo[text]', or use 'own'"
        )
    try:
        from trafilatura import extract_with_metadata  # noqa: F401
    except Exception as error:  # of this library or of one that it needs
        cause = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        raise MissingExtra(
            f"the text extractor 'trafilatura' cannot be imported: {cause}; "
            "mend it with pip install 'fcwseo[text]', or use 'own'"
        ) from error


def extract(html: str, url: str) -> Extracted | None:
    """A page by trafilatura; None if it finds no main text. It may raise anything."""
    from trafilatura import extract_with_metadata

    found = extract_with_metadata(
        html,
        url=url,
        output_format="markdown",
        include_comments=False,
        include_formatting=True,
        include_links=True,
        include_tables=True,
        fast=True,
    )
    if found is None or not found.text:
        return None
    return Extracted(_body(found.text), found.author or "", found.sitename or "", found.license or "")


def _body(markdown: str) -> str:
    """Markdown without front matter.

    >>> _body("---\\ntitle: Rain\\n---\\nIt rains."), _body("It rains.")
    ('It rains.', 'It rains.')
    """
    return markdown.partition("\n---\n")[2] if markdown.startswith("---\n") else markdown
