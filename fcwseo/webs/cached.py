"""A cache for a web that computes its pages, so that several crawls compute each page once."""

from collections.abc import Iterator, Sequence

from fcwseo.pages import Failure, Page
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.protocol import ArchivedOrder, ClosedWeb

_MOST = 30_000  # responses; a few hundred megabytes


class CachedWeb:
    """A web with a cache of its latest responses."""

    def __init__(self, web: ClosedWeb, *, most: int = _MOST) -> None:
        self._web = web
        self._most = most
        self._answers: dict[str, Page | Failure] = {}

    async def fetch(self, url: str) -> Page | Failure:
        answer = self._answers.pop(url, None) or await self._web.fetch(url)
        self._answers[url] = answer  # the most recently used is last
        if len(self._answers) > self._most:
            del self._answers[next(iter(self._answers))]
        return answer

    @property
    def name(self) -> str:
        return self._web.name

    @property
    def spec(self) -> str:
        return self._web.spec

    @property
    def obeyed(self) -> bool:
        return self._web.obeyed

    @property
    def archived_order(self) -> ArchivedOrder:
        return self._web.archived_order

    @property
    def problems(self) -> Sequence[str]:
        return self._web.problems

    @property
    def identity(self) -> str:
        return self._web.identity

    def __len__(self) -> int:
        return len(self._web)

    def __contains__(self, url: str) -> bool:
        return url in self._web

    def urls(self) -> Iterator[str]:
        return self._web.urls()

    def resolve(self, url: str) -> str | None:
        return self._web.resolve(url)

    def labels(self, url: str) -> tuple[str, ...]:
        return self._web.labels(url)


def for_many_crawls(web: ClosedWeb) -> ClosedWeb:
    """A web for the crawls of a comparison. The pages of a generated web are cached in memory; on the archive
    of a live crawl no strategy follows the archived order, not even the one that crawled.
    """
    if isinstance(web, FrozenWeb):
        web.forget_order()
    return CachedWeb(web) if isinstance(web, GeneratedWeb) else web
