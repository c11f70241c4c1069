"""The values read from archives: stored pages, revisits, and the outcomes and plan of an archived crawl.

The JSON fields of ``ArchivedOutcome`` and ``ArchivedPlan`` are a stored format: they are never renamed.
"""

from msgspec import Struct

from fcwseo.pages import Requested
from fcwseo.pages.values import requested

OUTCOME_FIELD = "fcwseo-answer"  # the field of a metadata record that contains an ``ArchivedOutcome``
PLAN_FIELD = "fcwseo-plan"  # the field of a warcinfo record that contains an ``ArchivedPlan``
OUTCOME = "Fcwseo-Outcome"  # the header of the response that a crawl read a page from: PAGE or OBEYED
PAGE, OBEYED = "page", "obeyed"
SITEMAP = "sitemap"  # the tag path of links to the sitemaps of a host
DECODED = "Fcwseo-Decoded-Length"  # the header with the length of the decoded body that the crawl read


class Record(Struct, frozen=True):
    """A stored page, redirect or error response; ``where`` names file and position for messages.

    ``robots`` is the header X-Robots-Tag. ``outcome`` is ``PAGE`` if a crawl of ours read a page from this
    response, ``OBEYED`` if that crawl also obeyed nofollow and noindex, else "".
    """

    url: str
    body: bytes | str
    where: str
    labels: tuple[str, ...] = ()
    content_type: str = ""
    status: int = 200
    redirect: str = ""
    robots: str = ""
    outcome: str = ""


class ArchivedOutcome(Struct, frozen=True, omit_defaults=True):
    """The outcome of following a link to ``url``, as a crawl stored it in its archive.

    ``outcome`` is ``PAGE`` or a ``Why``. A page was found at ``final_url``; links to ``sitemaps`` of its host
    were added to it. ``asked`` and ``took`` are what was requested before the visit.
    """

    url: str
    outcome: str
    final_url: str = ""
    detail: str = ""
    sitemaps: tuple[str, ...] = ()
    asked: tuple[int, ...] | None = None
    took: tuple[str, ...] | None = None

    @property
    def requested(self) -> Requested | None:
        """The links requested from the strategy before the visit, if they depended on timing."""
        return requested(self.asked, self.took)


class ArchivedPlan(Struct, frozen=True):
    """A digest of the settings that decided which pages the archived crawl visited, and whether that crawl
    obeyed nofollow and noindex. ``width`` is its number of concurrent fetches; 0 in archives of 0.2.0.
    """

    digest: str
    obeyed: bool
    width: int = 0


class BodyInfo(Struct, frozen=True):
    """What the headers of a response say about its body."""

    status: int = 200
    content_type: str = ""
    location: str = ""
    transfer: str = ""
    encoding: str = ""
    robots: str = ""
    decoded: int = -1
    outcome: str = ""


class Revisit(Struct, frozen=True):
    """A response whose body equals that of an earlier one, identified by ``digest`` or URL (``original``).

    ``file`` and ``offset`` locate the earlier record, if the archive states them.
    """

    url: str
    info: BodyInfo
    where: str
    digest: str
    original: str
    file: str = ""
    offset: int = -1


class StoredBody(Struct, frozen=True):
    """The body of a response in an archive, with the URL, date and digest of its record."""

    url: str
    date: str
    digest: str
    body: bytes


Found = Record | ArchivedOutcome | ArchivedPlan | Revisit
