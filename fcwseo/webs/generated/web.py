"""A computed web.

Every page is a function of the web's seed and the page's number, so a web of ten million pages costs no more
than one of a hundred. Pages are divided into *rounds*. Each round has one *community* of hosts for every
topic, and one of portals. Neighbouring rounds and neighbouring topics (the topics form a ring) link to each
other more than distant ones. Every third community is *hidden*: no page of its topic links into it from
outside, only its gateways, pages of a far topic. The path through a gateway is a tunnel.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice

from fcwseo.errors import InvalidSeeds, InvalidWeb
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.parse import parse
from fcwseo.webs.generated.calendar import find_day
from fcwseo.webs.generated.cards import Cards
from fcwseo.webs.generated.layout import NO_TOPIC, Layout, is_hidden
from fcwseo.webs.generated.text import Writer
from fcwseo.webs.generated.words import TOPICS, VOCABULARIES
from fcwseo.webs.protocol import ArchivedOrder
from fcwseo_ontology.topic import Topic, topic_of_words

_VERSION = 1  # increased with every change of the pages: a crawl is not continued on a different web
_MOVED = re.compile(r"/(old|go)/(0|[1-9][0-9]{0,17})")


class GeneratedWeb:
    """A web of ``pages`` pages, the same for the same ``seed``. Raises ``InvalidWeb`` if it is too small.

    >>> web = GeneratedWeb(seed=1, pages=1000)
    >>> url = web.seeds("rainstorm")[0]
    >>> web.labels(url), web.html(url) is None, url in web
    (('rainstorm',), False, True)
    """

    obeyed = False
    archived_order = ArchivedOrder()
    problems: tuple[str, ...] = ()

    def __init__(self, seed: int = 0, pages: int = 10_000) -> None:
        if not isinstance(pages, int) or not isinstance(seed, int):
            raise InvalidWeb(f"a generated web needs whole numbers, not {pages!r} pages and seed {seed!r}")
        if pages <= NO_TOPIC:
            raise InvalidWeb(f"a generated web of {pages} pages is too small: ask for {NO_TOPIC + 1} or more")
        self.name = self.spec = f"generated-{pages}-{seed}"
        self._seed, self._pages = seed, pages
        self._layout = Layout(seed, pages)
        self._cards = Cards(self._layout)
        self._writer = Writer(self._layout, self._cards)

    def __reduce__(self) -> tuple[type["GeneratedWeb"], tuple[int, int]]:
        return GeneratedWeb, (self._seed, self._pages)

    def __repr__(self) -> str:
        return f"GeneratedWeb {self.name!r}: {len(self):,} pages"

    @property
    def identity(self) -> str:
        """Name and version; webs of equal identity have equal pages."""
        return f"{self.name}-{_VERSION}"

    def __len__(self) -> int:
        """The number of real pages, without days of calendars and URLs that redirect."""
        return self._pages

    def __contains__(self, url: object) -> bool:
        """Whether a fetch returns a page, possibly after redirects."""
        return isinstance(url, str) and self.resolve(url) is not None

    def url(self, number: int) -> str:
        """The URL of a page by its number. Raises ``IndexError`` unless 0 <= number < len(web)."""
        if not 0 <= number < self._pages:
            raise IndexError(f"{self.name} has no page {number}")
        return self._cards.card(number).url

    def urls(self) -> Iterator[str]:
        """The URLs of all real pages, by number."""
        return (self._cards.card(number).url for number in range(self._pages))

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic of a page, for the judge. Days of calendars and dead links have no label."""
        card = self._cards.find(self._follow(url))
        return () if card is None or card.topic == NO_TOPIC else (TOPICS[card.topic],)

    def html(self, url: str) -> str | None:
        """The HTML of the page at a URL, without following redirects; None if there is no page."""
        card = self._cards.find(url)
        if card is not None:
            return self._writer.page(card)
        day = find_day(self._layout, url)
        return None if day is None else self._writer.day(*day)

    def redirect(self, url: str) -> str | None:
        """The URL that a moved page redirects to; None if it has not moved. Some pages moved twice."""
        found = self._layout.find_host(url)
        moved = _MOVED.fullmatch(found[1]) if found else None
        if not found or not moved or int(moved[2]) >= found[0].size:
            return None
        host, local = found[0], int(moved[2])
        return f"{host.origin}/go/{local}" if moved[1] == "old" else self._cards.card(host.start + local).url

    def resolve(self, url: str) -> str | None:
        """The URL of the page that a link leads to, after redirects; None if the link is dead."""
        final = self._follow(url)
        return final if self._cards.find(final) or find_day(self._layout, final) else None

    def seeds(self, label: str, count: int = 5) -> list[str]:
        """Up to ``count`` pages of one community of the topic: the home pages of its hosts, then others.

        Raises ``InvalidSeeds`` if no page is about ``label``.

        >>> GeneratedWeb(0, 1000).seeds("music", 2) == GeneratedWeb(0, 1000).seeds("music")[:2]
        True
        """
        if label not in TOPICS:
            raise InvalidSeeds(
                f"no page of {self.name} is about {label!r}: choose one of {', '.join(TOPICS)}"
            )
        topic = TOPICS.index(label)
        visible = (n for n in range(1, self._layout.rounds.parts) if not is_hidden(n, topic))
        community = self._layout.community(next(visible, 0), topic)
        homes = (community.home(number) for number in range(community.hosts.parts))
        others = (n for n in range(community.start, community.start + community.size))
        on_topic = (n for n in chain(homes, others) if self._cards.card(n).topic == topic)
        chosen = dict.fromkeys(islice(on_topic, 2 * max(0, count)))  # home pages occur twice
        return [self._cards.card(number).url for number in islice(chosen, max(0, count))]

    async def fetch(self, url: str) -> Page | Failure:
        """The page at the end of the redirects; ``GONE`` on a host of this web, else ``OUTSIDE``."""
        final = self._follow(url)
        html = self.html(final)
        if html is not None:
            return parse(html, final)
        return Failure(url, Why.GONE if self._layout.find_host(final) else Why.OUTSIDE)

    def topic(self) -> Topic:
        """A topic as a user might define it: the more frequent half of the words about rainstorms."""
        words = VOCABULARIES["rainstorm"][:36]
        return topic_of_words("rainstorm", {word: round((1 + n) ** -0.5, 3) for n, word in enumerate(words)})

    def _follow(self, url: str) -> str:
        """The URL at the end of the redirects, which never form a loop."""
        while (target := self.redirect(url)) is not None:
            url = target
        return url
