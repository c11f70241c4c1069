"""A web that is computed, not stored: the embedded default for the demo, for tests, for crawls of any size.

Every page is a function of the web's seed and the page's number, so a web of ten million pages costs what
one of a hundred does. The pages lie in *rounds*. Each round holds one *community* of hosts for every topic,
and one of portals. Neighbouring rounds and neighbouring topics (the topics form a ring) link to each other
more than distant ones. Every third community is *hidden*: no page of its topic links into it from outside,
only its gateways do, pages of a far topic. That makes a tunnel.

Chance is the output of SHAKE-128 for a key that names what is decided, so no decision depends on another
one, nor on the process, nor on the platform. Zipf sizes come from roots: see ``_Cut``.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import shake_128
from itertools import chain, islice
from math import gcd, isqrt
from struct import unpack
from typing import NamedTuple

from fcwseo.errors import InvalidSeeds, InvalidWeb
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.parse import parse
from fcwseo.webs.generated_words import (
    ENGLISH,
    JOINTS,
    NAME_ENDINGS,
    NEUTRAL_NAMES,
    UNTOPICAL,
    VAGUE,
    VOCABULARIES,
)
from fcwseo.webs.protocol import Course
from fcwseo_ontology.topic import Topic, topic_of_words

_VERSION = 1  # raised with every change of the pages: a crawl is not continued on another web
_LABELS = tuple(VOCABULARIES)
_WORDS = (*VOCABULARIES.values(), UNTOPICAL)
_NONE = len(_LABELS)  # the number of the topic of pages that have none
_FULL = 1 << 16  # one more than the largest number drawn

# How far a link or a stray page goes on a ring: near steps are common, far ones rare.
_STEPS = (1, 1, 1, 1, 1, 2, 2, 3)

# Of 64 links in a text, up to here they stay in the host, the community, the topic, among related topics.
_IN_HOST, _IN_COMMUNITY, _IN_TOPIC, _IN_RELATED = 26, 41, 46, 56

_ADDRESS = re.compile(r"(http://(?:[a-z]+\.)?[a-z]+([0-9]{1,18})\.example)(/.*)")
_LAST_NUMBER = re.compile(r"([0-9]{1,18})[^0-9]*\Z")
_MOVED = re.compile(r"/(old|go)/(0|[1-9][0-9]{0,17})")
_DAY = re.compile(r"/calendar/([2-9][0-9]{3}|[1-9][0-9]{4,17})-([0-9]{3})\.html")
_YEAR = 365


def _root(number: int, power: int) -> int:
    """The largest integer whose ``power`` is not above ``number``."""
    root: int = round(number ** (1 / power))
    while root**power > number:
        root -= 1
    while (root + 1) ** power <= number:
        root += 1
    return root


class _Cut(NamedTuple):
    """A stretch of pages cut into parts whose sizes fall with their rank like rank ** (1 / power - 1).

    >>> cut = _Cut(100, 4, 2)
    >>> [cut.start(part) for part in range(5)]
    [0, 50, 70, 86, 100]
    >>> [cut.part(page) for page in (0, 49, 50, 99)]
    [0, 0, 1, 3]
    """

    length: int
    parts: int
    power: int

    def start(self, part: int) -> int:
        return _root(self.length**self.power * part // self.parts, self.power)

    def part(self, page: int) -> int:
        part: int = (self.parts * (page + 1) ** self.power - 1) // self.length**self.power
        return part


class _Community(NamedTuple):
    """The hosts of one topic in one round."""

    round: int
    topic: int
    start: int
    size: int
    hosts: _Cut


class _Host(NamedTuple):
    """``theme`` is the topic that its name, menu and anchors speak of; a liar's pages have another one."""

    community: _Community
    number: int
    start: int
    size: int
    salt: int
    theme: int
    origin: str
    name: str

    @property
    def branch(self) -> int:
        """Page n of a host lists the pages n * branch + 1 to n * branch + branch."""
        return 4 + self.salt % 8

    @property
    def is_liar(self) -> bool:
        return self.theme != self.community.topic

    @property
    def has_calendar(self) -> bool:
        return self.number == 0 and (self.community.topic + 3 * self.community.round) % 5 == 0


class _Card(NamedTuple):
    """A page without its text.

    Others link to it by its ``name`` or its ``short`` name. On a liar's host these do not fit the ``title``.

    ``source`` is the page whose text this one repeats: itself, unless it is a near-duplicate.
    """

    page: int
    host: _Host
    local: int
    topic: int
    source: int
    focus: tuple[str, ...]
    title: str
    short: str
    name: str
    url: str


def _zipf(words: tuple[str, ...]) -> tuple[str, ...]:
    """1024 words, each as often as its rank allows: a draw from them follows Zipf's law.

    >>> drawn = _zipf(("often", "seldom", "rare"))
    >>> [drawn.count(word) for word in ("often", "seldom", "rare")]
    [436, 327, 261]
    """
    sums = [0.0]
    for rank in range(len(words)):
        sums.append(sums[-1] + 1 / (rank + 3))
    ends = [round(1024 * partial / sums[-1]) for partial in sums]
    return tuple(word for rank, word in enumerate(words) for _ in range(ends[rank + 1] - ends[rank]))


_TOPICAL = tuple(_zipf(words) for words in _WORDS)
_PLAIN = _zipf(ENGLISH)


def _spread(number: int, offset: int) -> int:
    """A sequence that fills the range of a draw evenly: multiples of the golden section, shifted."""
    return (number * 40503 + offset) % _FULL


def _step(draw: int) -> int:
    return _STEPS[draw % 8] if draw & 8 else -_STEPS[draw % 8]


def _related(topic: int, draw: int) -> int:
    """A topic near this one on the ring; the topicless are near to all."""
    return draw % _NONE if topic == _NONE else (topic + _step(draw)) % _NONE


def _is_hidden(round_: int, topic: int) -> bool:
    return topic != _NONE and round_ > 0 and (round_ + topic) % 3 == 1


class GeneratedWeb:
    """A web of ``pages`` pages, the same for the same ``seed``.

    >>> web = GeneratedWeb(seed=1, pages=1000)
    >>> url = web.seeds("rainstorm")[0]
    >>> web.labels(url), web.html(url) is None, url in web
    (('rainstorm',), False, True)
    """

    obeyed = False
    course = Course()
    problems: tuple[str, ...] = ()

    def __init__(self, seed: int = 0, pages: int = 10_000) -> None:
        if pages <= _NONE:
            raise InvalidWeb(f"a generated web of {pages} pages is too small: ask for {_NONE + 1} or more")
        self.name = self.spec = f"generated-{pages}-{seed}"
        self._seed, self._pages = seed, pages
        self._rounds = _Cut(pages, max(1, min(2, pages // 50), isqrt(pages) // 8), 2)
        # Hosts are numbered by a shuffle of their first pages: their names do not give away the community.
        self._factor = pages * 5 // 8 + seed % 97
        while gcd(self._factor, pages) != 1:
            self._factor += 1
        self._inverse = pow(self._factor, -1, pages)
        self._offset = self._draw("offset", 0, 1)[0]
        # Short memories of fixed size. They only save time: what falls out is computed again.
        self._round = lru_cache(1 << 10)(self._make_round)
        self._community = lru_cache(1 << 10)(self._make_community)
        self._host = lru_cache(1 << 12)(self._make_host)
        self._card = lru_cache(1 << 14)(self._make_card)
        self._frame = lru_cache(1 << 11)(self._make_frame)

    def __reduce__(self) -> tuple[type["GeneratedWeb"], tuple[int, int]]:
        return GeneratedWeb, (self._seed, self._pages)

    @property
    def identity(self) -> str:
        return f"{self.name}-{_VERSION}"

    def __len__(self) -> int:
        """The number of real pages: the days of calendars and addresses that redirect are not counted."""
        return self._pages

    def __contains__(self, url: object) -> bool:
        """Whether a fetch gives a page, be it after redirects."""
        return isinstance(url, str) and self.resolve(url) is not None

    def url(self, number: int) -> str:
        """The address of a page, given its number: 0 to one less than the number of pages."""
        if not 0 <= number < self._pages:
            raise IndexError(f"{self.name} has no page {number}")
        return self._card(number).url

    def urls(self) -> Iterator[str]:
        return (self._card(number).url for number in range(self._pages))

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic of a page, as a judge sees it. Days of calendars and dead links have none."""
        card = self._find_card(self._follow(url))
        return () if card is None or card.topic == _NONE else (_LABELS[card.topic],)

    def html(self, url: str) -> str | None:
        card = self._find_card(url)
        if card is not None:
            return self._write(card)
        day = self._find_day(url)
        return None if day is None else self._write_day(*day)

    def redirect(self, url: str) -> str | None:
        """Where a moved page went. Some moved twice."""
        found = self._find_host(url)
        moved = _MOVED.fullmatch(found[1]) if found else None
        if not found or not moved or int(moved[2]) >= found[0].size:
            return None
        host, local = found[0], int(moved[2])
        return f"{host.origin}/go/{local}" if moved[1] == "old" else self._card(host.start + local).url

    def resolve(self, url: str) -> str | None:
        """The address of the page that a link leads to; None if it is dead."""
        final = self._follow(url)
        return final if self._find_card(final) or self._find_day(final) else None

    def seeds(self, label: str, count: int = 5) -> list[str]:
        """Up to ``count`` pages of one community of the topic: the home pages of its hosts, then others.

        >>> GeneratedWeb(0, 1000).seeds("music", 2) == GeneratedWeb(0, 1000).seeds("music")[:2]
        True
        """
        if label not in _LABELS:
            raise InvalidSeeds(
                f"no page of {self.name} is about {label!r}: choose one of {', '.join(_LABELS)}"
            )
        topic = _LABELS.index(label)
        visible = (n for n in range(1, self._rounds.parts) if not _is_hidden(n, topic))
        community = self._community(next(visible, 0), topic)
        homes = (self._home(community, number) for number in range(community.hosts.parts))
        others = (n for n in range(community.start, community.start + community.size))
        on_topic = (n for n in chain(homes, others) if self._card(n).topic == topic)
        chosen = dict.fromkeys(islice(on_topic, 2 * max(0, count)))  # homes come up twice
        return [self._card(index).url for index in islice(chosen, max(0, count))]

    async def fetch(self, url: str) -> Page | Failure:
        final = self._follow(url)
        html = self.html(final)
        if html is not None:
            return parse(html, final)
        return Failure(url, Why.GONE if self._find_host(final) else Why.OUTSIDE)

    def topic(self) -> Topic:
        """What a user who looks for rainstorms might say: the more frequent half of such pages' words."""
        words = VOCABULARIES["rainstorm"][:36]
        return topic_of_words("rainstorm", {word: round((1 + n) ** -0.5, 3) for n, word in enumerate(words)})

    # From addresses to pages

    def _find_host(self, url: str) -> tuple[_Host, str] | None:
        """The host of this web that an address names, and the path on it."""
        match = _ADDRESS.fullmatch(url)
        if not match or int(match[2]) >= self._pages:
            return None
        host = self._host_of((int(match[2]) - self._seed) * self._inverse % self._pages)
        return (host, match[3]) if host.origin == match[1] else None

    def _find_card(self, url: str) -> _Card | None:
        found = self._find_host(url)
        if found is None:
            return None
        host, path = found
        number = _LAST_NUMBER.search(path)
        local = int(number[1]) if number else 0
        card = self._card(host.start + local) if local < host.size else None
        return card if card is not None and card.url == url else None

    def _find_day(self, url: str) -> tuple[_Host, int] | None:
        """The host of a calendar and the day, counted from the year 0. There is always a next one."""
        found = self._find_host(url)
        match = _DAY.fullmatch(found[1]) if found and found[0].has_calendar else None
        if not found or not match or not 1 <= int(match[2]) <= _YEAR:
            return None
        return found[0], int(match[1]) * _YEAR + int(match[2]) - 1

    def _follow(self, url: str) -> str:
        """The address at the end of the redirects. They never go in a circle."""
        while (target := self.redirect(url)) is not None:
            url = target
        return url

    # From numbers to communities, hosts and pages

    def _draw(self, purpose: str, number: int, count: int) -> tuple[int, ...]:
        """``count`` random numbers below 65536, the same ones whenever drawn for this purpose and number."""
        key = f"{self._seed} {purpose} {number}".encode()
        return unpack(f"<{count}H", shake_128(key).digest(2 * count))

    def _make_round(self, round_: int) -> tuple[int, _Cut]:
        """Where a round begins, and how it is cut into communities of equal size."""
        begin = self._rounds.start(round_)
        return begin, _Cut(self._rounds.start(round_ + 1) - begin, _NONE + 1, 1)

    def _make_community(self, round_: int, topic: int) -> _Community:
        begin, cut = self._round(round_)
        start = cut.start(topic)
        size = cut.start(topic + 1) - start
        hosts = size // (7 + self._draw("hosts", begin + start, 1)[0] % 17)
        return _Community(round_, topic, begin + start, size, _Cut(size, max(1, min(2, size // 2), hosts), 3))

    def _visible(self, round_: int, topic: int) -> _Community:
        """The community of that round, or that of the round before if it is hidden."""
        return self._community(round_ - _is_hidden(round_, topic), topic)

    def _home(self, community: _Community, number: int) -> int:
        """The first page of a host."""
        return community.start + community.hosts.start(number)

    def _place(self, index: int) -> tuple[_Community, int]:
        """The community of a page, and the number of its host there."""
        round_ = self._rounds.part(index)
        begin, cut = self._round(round_)
        community = self._community(round_, cut.part(index - begin))
        return community, community.hosts.part(index - community.start)

    def _host_of(self, index: int) -> _Host:
        return self._host(self._home(*self._place(index)))

    def _make_host(self, start: int) -> _Host:
        community, number = self._place(start)
        size = self._home(community, number + 1) - start
        salt, *draws = self._draw("host", start, 5)
        theme = self._theme(community, number)
        origin, name = self._host_name(start, theme, draws)
        return _Host(community, number, start, size, salt, theme, origin, name)

    def _theme(self, community: _Community, number: int) -> int:
        """What a host claims to be about: the truth, or, for one in eight but the first, a related topic."""
        offset = self._offset + 24593 * (community.topic + 5 * community.round)
        if community.topic == _NONE or number == 0 or _spread(number, offset) > _FULL // 8:
            return community.topic
        return _related(community.topic, offset >> 4)

    def _host_name(self, start: int, theme: int, draws: list[int]) -> tuple[str, str]:
        """The host's address and what it calls itself; every third has a name that says nothing."""
        prefix, neutral, first, last = draws
        word = NEUTRAL_NAMES[first % 12] if neutral % 3 == 0 else _WORDS[theme][first % 12].split()[0]
        ending, prefix_word = NAME_ENDINGS[last % 12], ("www.", "www.", "", "portal.")[prefix % 4]
        code = (start * self._factor + self._seed) % self._pages
        return f"http://{prefix_word}{word}{ending}{code}.example", f"{word} {ending}"

    def _topic_by_place(self, host: _Host, index: int) -> int:
        """That of the community, but for strays: few in its first host, which is the largest."""
        topic, local = host.community.topic, index - host.start
        strays = 50 if topic == _NONE else (10, 16, 26)[min(host.number, 2)]
        if local < 2 or 100 * _spread(local, host.salt) >= strays * _FULL:
            return topic
        kind, which = self._draw("stray", index, 2)
        return _NONE if kind % 5 < 3 and topic != _NONE else _related(topic, which)

    def _source(self, host: _Host, index: int) -> int:
        """The page of the same community that a near-duplicate repeats: one in twenty does."""
        community = host.community
        if index == host.start or not self._repeats(index):
            return index
        source = community.start + (self._draw("source", index, 1)[0] * community.size >> 16)
        origin = self._host_of(source)
        stray = self._topic_by_place(origin, source) != community.topic
        return origin.start if stray or self._repeats(source) else source

    def _repeats(self, index: int) -> bool:
        return _spread(index, self._offset) < _FULL // 18

    def _make_card(self, index: int) -> _Card:
        host = self._host_of(index)
        local, source = index - host.start, self._source(host, index)
        topic = self._topic_by_place(host if source == index else self._host_of(source), source)
        start, step, style, *pair = self._draw("card", source, 5)
        # Each round speaks of its own corner of a topic most.
        words, corner, step = _WORDS[topic], 7 * host.community.round + (start * start >> 26), 1 + step % 8
        focus = tuple([words[(corner + n * step) % len(words)] for n in range(6)])
        joint = JOINTS[style % 8]
        short, name = focus[0], f"{focus[0]} {joint} {focus[1]}"
        if style // 8 % 7 == 0:  # a title that says nothing
            short, name = _phrase(_TOPICAL[_NONE], pair, joint)
        title = name.capitalize()
        if host.is_liar:
            short, name = _phrase(_TOPICAL[host.theme], pair, joint)
        if local == 0:
            short = name = host.name
        url = _url(host, local, host.theme if host.is_liar else topic, name)
        return _Card(index, host, local, topic, source, focus, title, short, name, url)

    # The links of a page

    def _structure(self, card: _Card) -> list[int]:
        """The links that make every page reachable: down the host's tree, to hosts, portals and tunnels."""
        host, local, community = card.host, card.local, card.host.community
        first = local * host.branch + 1
        targets = [host.start + n for n in range(first, min(first + host.branch, host.size))]
        if local == 0:
            below = range(3 * host.number + 1, min(3 * host.number + 4, community.hosts.parts))
            targets += [self._home(community, number) for number in below]
        if community.topic == _NONE and host.number == 0:
            targets += self._directory(host, local)
        if host.number < 2 and local == min(1, host.size - 1):
            targets += self._tunnel(community)
        return targets

    def _directory(self, host: _Host, local: int) -> list[int]:
        """What the portal of a round lists: portals on its home page, visible communities on others."""
        round_ = host.community.round
        below = range(2 * round_ + 1, min(2 * round_ + 3, self._rounds.parts)) if local == 0 else ()
        targets = [self._community(n, _NONE).start for n in below]
        for topic in range(_NONE):
            if (topic + 1) % host.size == local and not _is_hidden(round_, topic):
                community = self._community(round_, topic)
                targets += [self._home(community, n) for n in range(min(3, community.hosts.parts))]
        return targets

    def _tunnel(self, community: _Community) -> list[int]:
        """The two ends of a tunnel, if this community has them.

        From a visible community it leads to one of a far topic, the gateway, and from there into the hidden
        community that the topic of the first has in the next round.
        """
        below, topic = community.round + 1, community.topic
        if topic == _NONE or below >= self._rounds.parts:
            return []
        entrance = [self._community(below - 1, (topic + 6) % _NONE).start] if _is_hidden(below, topic) else []
        hidden = (topic - 6) % _NONE
        return entrance + ([self._community(below, hidden).start] if _is_hidden(below, hidden) else [])

    def _aim(self, card: _Card, draws: tuple[int, ...]) -> int:
        """The target of a link in the text: near ones are likely, far ones rare, popular pages preferred."""
        kind, way, where, who, which = draws
        community, kind = card.host.community, kind % 64
        if kind < _IN_HOST:
            return card.host.start + self._aim_in_host(card, way, which)
        if kind >= _IN_RELATED:
            round_ = self._rounds.part(way * self._pages >> 16)
            community = self._visible(round_, where % (_NONE + 1))
        elif kind >= _IN_TOPIC:
            community = self._visible(community.round, _related(card.topic, where))
        elif kind >= _IN_COMMUNITY:
            community = self._visible((community.round + _step(where)) % self._rounds.parts, card.topic)
        number = community.hosts.parts * who**3 >> 48
        start, end = self._home(community, number), self._home(community, number + 1)
        return start + ((end - start) * which**2 >> 32)

    def _aim_in_host(self, card: _Card, way: int, which: int) -> int:
        """A page nearby, or a popular one."""
        if way & 1:
            return (card.local + _step(way >> 1)) % card.host.size
        return card.host.size * which**3 >> 48

    def _text_links(self, card: _Card) -> list[str]:
        """The links in a text, with a word before and after. Their number follows a power law."""
        source = self._card(card.source)
        share = self._draw("degree", source.page, 1)[0] + 1
        count = min(80, _root(3**5 * _FULL**3 // share**3, 5))  # 3 * (share / _FULL) ** -0.6
        draws = self._draw("links", source.page, 9 * count)
        links = []
        for n in range(0, 9 * count, 9):
            target = self._card(self._aim(source, draws[n : n + 5]))
            fate, anchor, before, after = draws[n + 5 : n + 9]
            context = _PLAIN if anchor & 1 else _TOPICAL[target.topic]
            link = _link(card.host, _perhaps_gone(target, fate), _anchor(source, target, anchor >> 1))
            links.append(f"{_PLAIN[before % 1024]} {link} {context[after % 1024]}")
        return links

    # The text and the HTML of a page

    def _sentences(self, card: _Card) -> list[str]:
        """The text: words of the page's focus, of its topic, of plain English, at times of another topic."""
        strength, other, length, pace, *draws = self._draw("text", card.source, 364)
        draws = draws[: 70 + length % 290]
        if card.source != card.page:
            for change in self._draw("changes", card.page, 6):
                draws[change % len(draws)] = change
        focus = 1024 * (strength % 5)
        topical = focus + 1024 * (1 + strength // 5 % 9)

        def words(draws: list[int], about: int, limit: int) -> list[str]:
            table = _TOPICAL[about]
            return [
                _PLAIN[n % 1024] if n >= limit else table[n % 1024] if n >= focus else card.focus[n % 6]
                for n in draws
            ]

        text = words(draws, card.topic, topical)
        if other % 3 == 0:
            text[40:110] = words(draws[40:110], _related(card.topic, other // 3), 2 * topical)
        step = 8 + pace % 9
        return [" ".join(text[n : n + step]).capitalize() + "." for n in range(0, len(text), step)]

    def _make_frame(self, host: _Host) -> tuple[str, str]:
        """What stands on every page of a host, above and below the text."""
        sections = [self._card(host.start + n) for n in range(1, min(6, host.size))]
        items = [_link(host, f"{host.origin}/", "home")]
        items += [_link(host, card.url, card.short) for card in sections]
        if host.has_calendar:
            items.append(_link(host, _day_url(host, 2020 * _YEAR + host.salt % (5 * _YEAR)), "calendar"))
        if host.salt % 6 == 0:
            items.append(_link(host, _url(host, host.size + 1, host.theme, "about us"), "about us"))
        menu = "".join(f"<li>{item}</li>" for item in items)
        partner = self._card(self._partner(host))
        footer = f"{host.name.title()}. All rights reserved. Part of {_link(host, partner.url, partner.name)}"
        if host.salt & 1:
            return f"<nav><ul>{menu}</ul></nav>\n<main>", f"</main>\n<footer><p>{footer}</p></footer>"
        menu, footer = f'<div class="menu"><ul>{menu}</ul></div>', f'<div class="footer">{footer}</div>'
        return f"{menu}\n<div>", f"</div>\n{footer}"

    def _partner(self, host: _Host) -> int:
        """The home page of what a host belongs to: a larger host, the portal of its round, that above it."""
        community = host.community
        if host.number > 0:
            return self._home(community, (host.number - 1) // 3)
        above = community.round if community.topic != _NONE else max(0, (community.round - 1) // 2)
        return self._community(above, _NONE).start

    def _write(self, card: _Card) -> str:
        host, focus = card.host, card.focus
        sentences, links = self._sentences(card), self._text_links(card)
        description = sentences[0]
        for place, link in enumerate(links[:12]):
            sentences[place % len(sentences)] += f" {link}."
        half = len(sentences) // 2 + 1
        entries = [_link(host, there.url, there.name) for there in map(self._card, self._structure(card))]
        listed = "".join(f"<li>{item}</li>" for item in entries + links[12:])
        content = (
            f"{self._trail(card)}<h1>{card.title}</h1>\n<p>{' '.join(sentences[:half])}</p>\n"
            f"<h2>{focus[2].capitalize()} and {focus[3]}</h2>\n<p>{' '.join(sentences[half:])}</p>\n"
            f"<ul>{listed}</ul>"
        )
        return self._document(host, card.title, content, meta=_meta(host, focus, description))

    def _trail(self, card: _Card) -> str:
        """The way back up the host's tree."""
        if card.local == 0:
            return ""
        parent = self._card(card.host.start + (card.local - 1) // card.host.branch)
        return f"<p>{_link(card.host, parent.url, parent.short)} / {card.short}</p>\n"

    def _write_day(self, host: _Host, day: int) -> str:
        """A day of an endless calendar: hardly anything but the way to other days."""
        draws = self._draw(f"day {day} of", host.start, 12)
        words = _TOPICAL[host.theme]
        plan = " ".join(words[draw % 1024] if draw % 5 == 0 else _PLAIN[draw % 1024] for draw in draws)
        ways = {"next day": 1, "next month": 30, "next year": _YEAR, "previous day": -1}
        days = {way: day + step for way, step in ways.items() if day + step >= 2000 * _YEAR}
        links = [_link(host, _day_url(host, there), way) for way, there in days.items()]
        title = f"Calendar {day // _YEAR}, day {day % _YEAR + 1}"
        content = f"<h1>{title}</h1>\n<p>{plan.capitalize()}.</p>\n<p>{' | '.join(links)}</p>"
        return self._document(host, title, content)

    def _document(self, host: _Host, title: str, content: str, *, meta: str = "") -> str:
        above, below = self._frame(host)
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{title} - {host.name.title()}</title>\n{meta}</head>\n"
            f"<body>\n{above}\n{content}\n{below}\n</body>\n</html>\n"
        )


def _phrase(words: tuple[str, ...], draws: list[int], joint: str) -> tuple[str, str]:
    """A phrase, in short and in full."""
    short, other = (words[draw % 1024] for draw in draws)
    return short, f"{short} {joint} {other}"


def _url(host: _Host, local: int, topic: int, name: str) -> str:
    """The address of a page in the fashion of its host. Some tell what the page is about, some do not."""
    if local == 0:
        return f"{host.origin}/"
    fashion = host.salt // 8 % 5
    if fashion == 0:
        return f"{host.origin}/node/{local}"
    if fashion == 1:
        return f"{host.origin}/article.php?id={local}"
    slug = name.replace(" ", "-")
    if fashion == 2:
        return f"{host.origin}/{local}/{slug}"
    section = _WORDS[topic][host.salt // 64 % 8].replace(" ", "-")
    page = f"{slug}-{local}" if fashion == 3 else f"{local}"
    return f"{host.origin}/{section}/{page}.html"


def _day_url(host: _Host, day: int) -> str:
    return f"{host.origin}/calendar/{day // _YEAR}-{day % _YEAR + 1:03}.html"


def _perhaps_gone(target: _Card, fate: int) -> str:
    """The address that a link gives: of 64, three are dead, three have moved, the others are right."""
    kind, host = fate % 64, target.host
    if kind < 3:
        return _url(host, host.size + 2 + fate // 64 % 40, target.topic, target.name)
    if kind < 6:
        return f"{host.origin}/{'old' if kind == 3 else 'go'}/{target.local}"
    return target.url


def _link(host: _Host, url: str, anchor: str) -> str:
    """A link as it stands on a page of ``host``. Half of the hosts leave themselves out of their links."""
    if host.salt & 4 and url.startswith(f"{host.origin}/"):
        url = url[len(host.origin) :]
    return f'<a href="{url}">{anchor}</a>'


def _anchor(card: _Card, target: _Card, draw: int) -> str:
    """Mostly what the target is called; 24 of 128 say nothing, 12 speak of the linking page's topic."""
    kind, rest = draw % 128, draw // 128
    if kind < 24:
        return VAGUE[rest % 8]
    if kind < 36:
        return f"{card.focus[rest % 6]} {_WORDS[card.topic][rest % 16]}"
    return target.short if kind < 70 else target.name


def _meta(host: _Host, focus: tuple[str, ...], description: str) -> str:
    keywords = f'<meta name="keywords" content="{", ".join(focus)}">\n' if host.salt & 16 else ""
    return keywords + (f'<meta name="description" content="{description}">\n' if host.salt & 32 else "")
