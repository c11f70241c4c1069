"""The scope of a crawl: URLs of allowed domains that match the include patterns and no exclude pattern."""

import json
import re
from collections.abc import Iterator, Sequence

from fcwseo.errors import InvalidInput
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.urls import canonical, host
from fcwseo.webs.protocol import ArchivedOrder, ClosedWeb


class Scope:
    """Patterns may match anywhere in a URL. A domain includes its subdomains.

    >>> scope = Scope(include=["example"], exclude=["[.]pdf$"])
    >>> scope.why_not("http://a.example/b.pdf"), scope.why_not("http://a.example/")
    ("matches '[.]pdf$'", '')
    >>> Scope(domains=["b.example"]).why_not("http://a.example/")
    'is outside of b.example'
    """

    def __init__(
        self, *, include: Sequence[str] = (), exclude: Sequence[str] = (), domains: Sequence[str] = ()
    ) -> None:
        self._domains = [_domain(name) for name in domains]
        self.identity = ""  # all of it as text
        self._include = [_compiled(pattern) for pattern in include]
        self._exclude = [_compiled(pattern) for pattern in exclude]
        if self:
            parts = {"include": include, "exclude": exclude, "domains": self._domains}
            self.identity = json.dumps({name: sorted({*part}) for name, part in parts.items() if part})

    def why_not(self, url: str) -> str:
        """The reason why a URL is excluded; empty if it is not."""
        for pattern in self._exclude:
            if pattern.search(url):
                return f"matches {pattern.pattern!r}"
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return "matches no include pattern"
        name = _without_port(host(url))
        if self._domains and not any(name == d or name.endswith(f".{d}") for d in self._domains):
            return f"is outside of {', '.join(self._domains)}"
        return ""

    def __bool__(self) -> bool:
        """Whether it excludes anything."""
        return bool(self._include or self._exclude or self._domains)


def domains_of(seeds: Sequence[str]) -> tuple[str, ...]:
    """The domains of seeds, without ``www``: of ``www.gov.example``, all of ``gov.example``.

    >>> domains_of(["http://www.a.example/x", "http://b.example:8080/", "http://a.example/"])
    ('a.example', 'b.example')
    """
    names = (_without_port(host(seed)).removeprefix("www.") for seed in seeds)
    return tuple(dict.fromkeys(names))


class ScopedWeb:
    """A closed web without the pages outside of a scope. Its identity is that of the whole web; the scope is
    part of the configuration of a crawl by itself.
    """

    def __init__(self, web: ClosedWeb, scope: Scope) -> None:
        self._web, self.scope = web, scope
        self.name, self.spec, self.obeyed = web.name, web.spec, web.obeyed
        self.identity, self.problems = web.identity, web.problems
        self.archived_order = ArchivedOrder()  # the order of another crawl

    async def fetch(self, url: str) -> Page | Failure:
        """The page at a URL, or a failure."""
        if why := self.scope.why_not(url):
            return Failure(url, Why.EXCLUDED, why)
        found = await self._web.fetch(url)
        if isinstance(found, Page) and (why := self.scope.why_not(found.url)):
            return Failure(url, Why.EXCLUDED, f"redirected to {found.url}, which {why}")
        return found

    def __len__(self) -> int:
        return sum(1 for _ in self.urls())

    def __contains__(self, url: str) -> bool:
        """Whether there is such a page, also out of scope: the log says why such a seed is excluded."""
        return url in self._web

    def urls(self) -> Iterator[str]:
        """The URLs of its pages in scope."""
        return (url for url in self._web.urls() if not self.scope.why_not(url))

    def resolve(self, url: str) -> str | None:
        """The URL of the page in scope that a link leads to, after redirects; None if there is none."""
        there = None if self.scope.why_not(url) else self._web.resolve(url)
        return None if there is None or self.scope.why_not(there) else there

    def labels(self, url: str) -> tuple[str, ...]:
        """The labels of a page; empty if there is no such page."""
        return self._web.labels(url)


def _domain(name: str) -> str:
    plain = name.strip().strip(".").lower()
    if not plain or any(char in plain for char in "/:@ *"):
        raise InvalidInput(f"{name!r} is not a domain, as in example.org")
    address = canonical(f"http://{plain}/")
    if address is None:
        raise InvalidInput(f"{name!r} is not a domain, as in example.org")
    return host(address)


def _without_port(name: str) -> str:
    return name if name.endswith("]") else name.partition(":")[0]


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InvalidInput(f"{pattern!r} is not a regular expression: {error}") from error
