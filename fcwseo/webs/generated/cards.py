"""The topic, names and URL of each page of a generated web."""

import re
from functools import lru_cache
from typing import NamedTuple

from fcwseo.webs.generated.layout import FULL, NO_TOPIC, Host, Layout, related, spread
from fcwseo.webs.generated.words import JOINTS, OFTEN, WORDS

_LAST_NUMBER = re.compile(r"([0-9]{1,18})[^0-9]*\Z")


class Card(NamedTuple):
    """A page without its text.

    Links to it use its ``name`` or its ``short`` name. On a misleading host these do not fit the ``title``.

    ``source`` is the page whose text this one repeats: itself, unless it is a near-duplicate.
    """

    page: int
    host: Host
    local: int
    topic: int
    source: int
    focus: tuple[str, ...]
    title: str
    short: str
    name: str
    url: str


class Cards:
    """The cards of all pages, by number or URL."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.card = lru_cache(1 << 14)(self._make_card)

    def find(self, url: str) -> Card | None:
        """The card of the page at a URL; None if there is no such page."""
        found = self._layout.find_host(url)
        if found is None:
            return None
        host, path = found
        number = _LAST_NUMBER.search(path)
        local = int(number[1]) if number else 0
        card = self.card(host.start + local) if local < host.size else None
        return card if card is not None and card.url == url else None

    def _make_card(self, page: int) -> Card:
        layout = self._layout
        host = layout.host_of(page)
        local, source = page - host.start, self._source(host, page)
        topic = self._topic(host if source == page else layout.host_of(source), source)
        start, step, style, *pair = layout.draw("card", source, 5)
        # Each round prefers its own part of a topic.
        words, corner, step = WORDS[topic], 7 * host.community.round + (start * start >> 26), 1 + step % 8
        focus = tuple([words[(corner + n * step) % len(words)] for n in range(6)])
        joint = JOINTS[style % 8]
        short, name = focus[0], f"{focus[0]} {joint} {focus[1]}"
        if style // 8 % 7 == 0:  # a title without words of the topic
            short, name = _phrase(OFTEN[NO_TOPIC], pair, joint)
        title = name.capitalize()
        if host.is_liar:
            short, name = _phrase(OFTEN[host.theme], pair, joint)
        if local == 0:
            short = name = host.name
        url = page_url(host, local, host.theme if host.is_liar else topic, name)
        return Card(page, host, local, topic, source, focus, title, short, name, url)

    def _topic(self, host: Host, page: int) -> int:
        """The topic of a page: that of its community, except for strays; its first and largest host
        has few.
        """
        topic, local = host.community.topic, page - host.start
        strays = 50 if topic == NO_TOPIC else (10, 16, 26)[min(host.number, 2)]
        if local < 2 or 100 * spread(local, host.salt) >= strays * FULL:
            return topic
        kind, which = self._layout.draw("stray", page, 2)
        return NO_TOPIC if kind % 5 < 3 and topic != NO_TOPIC else related(topic, which)

    def _source(self, host: Host, page: int) -> int:
        """The page of the same community that a near-duplicate repeats; one page in twenty is a
        near-duplicate.
        """
        community = host.community
        if page == host.start or not self._repeats(page):
            return page
        source = community.start + (self._layout.draw("source", page, 1)[0] * community.size >> 16)
        origin = self._layout.host_of(source)
        stray = self._topic(origin, source) != community.topic
        return origin.start if stray or self._repeats(source) else source

    def _repeats(self, page: int) -> bool:
        return spread(page, self._layout.offset) < FULL // 18


def page_url(host: Host, local: int, topic: int, name: str) -> str:
    """The URL of a page in the style of its host. Some styles contain words of the page, some do not."""
    if local == 0:
        return f"{host.origin}/"
    style = host.salt // 8 % 5
    if style == 0:
        return f"{host.origin}/node/{local}"
    if style == 1:
        return f"{host.origin}/article.php?id={local}"
    slug = name.replace(" ", "-")
    if style == 2:
        return f"{host.origin}/{local}/{slug}"
    section = WORDS[topic][host.salt // 64 % 8].replace(" ", "-")
    page = f"{slug}-{local}" if style == 3 else f"{local}"
    return f"{host.origin}/{section}/{page}.html"


def _phrase(words: tuple[str, ...], draws: list[int], joint: str) -> tuple[str, str]:
    """A phrase, short and in full."""
    short, other = (words[draw % 1024] for draw in draws)
    return short, f"{short} {joint} {other}"
