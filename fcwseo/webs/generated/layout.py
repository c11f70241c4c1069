"""The hosts of a generated web, their communities and rounds, and which of them are near each other.

Random numbers are the output of SHAKE-128 for a key that names the decision, so a decision depends on no
other, and not on the process or platform. Zipf sizes come from roots: see ``Cut``.
"""

import re
from functools import lru_cache
from hashlib import shake_128
from math import gcd, isqrt
from struct import unpack
from typing import NamedTuple

from fcwseo.webs.generated.words import NAME_ENDINGS, NEUTRAL_NAMES, TOPICS, WORDS

NO_TOPIC = len(TOPICS)  # topic number of pages without a topic
FULL = 1 << 16  # upper limit of random numbers, exclusive

# Steps of links and stray pages on a ring: near steps are common, far ones rare.
_STEPS = (1, 1, 1, 1, 1, 2, 2, 3)

_URL = re.compile(r"(http://(?:[a-z]+\.)?[a-z]+([0-9]{1,18})\.example)(/.*)")


def root(number: int, power: int) -> int:
    """The largest integer whose ``power`` does not exceed ``number``.

    >>> root(26, 3), root(27, 3)
    (2, 3)
    """
    found: int = round(number ** (1 / power))
    while found**power > number:
        found -= 1
    while (found + 1) ** power <= number:
        found += 1
    return found


class Cut(NamedTuple):
    """A range of pages divided into parts whose sizes fall with their rank like rank ** (1 / power - 1).

    >>> cut = Cut(100, 4, 2)
    >>> [cut.start(part) for part in range(5)]
    [0, 50, 70, 86, 100]
    >>> [cut.part(page) for page in (0, 49, 50, 99)]
    [0, 0, 1, 3]
    """

    length: int
    parts: int
    power: int

    def start(self, part: int) -> int:
        """The first page of a part."""
        return root(self.length**self.power * part // self.parts, self.power)

    def part(self, page: int) -> int:
        """The part of a page."""
        part: int = (self.parts * (page + 1) ** self.power - 1) // self.length**self.power
        return part


class Community(NamedTuple):
    """The hosts of one topic in one round."""

    round: int
    topic: int
    start: int
    size: int
    hosts: Cut

    def home(self, number: int) -> int:
        """The first page of a host."""
        return self.start + self.hosts.start(number)


class Host(NamedTuple):
    """A host. ``theme`` is the topic of its name, menu and anchors; pages of a misleading host have another
    topic.
    """

    community: Community
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


def spread(number: int, offset: int) -> int:
    """A sequence that fills the range of a draw evenly: multiples of the golden section, shifted."""
    return (number * 40503 + offset) % FULL


def step(draw: int) -> int:
    """A step on a ring, in either direction."""
    return _STEPS[draw % 8] if draw & 8 else -_STEPS[draw % 8]


def related(topic: int, draw: int) -> int:
    """A topic near this one on the ring; pages without a topic are near all topics."""
    return draw % NO_TOPIC if topic == NO_TOPIC else (topic + step(draw)) % NO_TOPIC


def is_hidden(round_: int, topic: int) -> bool:
    """Whether no page of the topic outside its community of this round links into it."""
    return topic != NO_TOPIC and round_ > 0 and (round_ + topic) % 3 == 1


class Layout:
    """The hosts of a web of ``pages`` pages, and their page numbers."""

    def __init__(self, seed: int, pages: int) -> None:
        self.seed, self.pages = seed, pages
        self.rounds = Cut(pages, max(1, min(2, pages // 50), isqrt(pages) // 8), 2)
        # Hosts are numbered by a shuffle of their first pages, so that names do not reveal the community.
        self._factor = pages * 5 // 8 + seed % 97
        while gcd(self._factor, pages) != 1:
            self._factor += 1
        self._inverse = pow(self._factor, -1, pages)
        self.offset = self.draw("offset", 0, 1)[0]
        # Caches of fixed size, which only save time.
        self._round = lru_cache(1 << 10)(self._make_round)
        self.community = lru_cache(1 << 10)(self._make_community)
        self._host = lru_cache(1 << 12)(self._make_host)

    def draw(self, purpose: str, number: int, count: int) -> tuple[int, ...]:
        """``count`` random numbers below 65536, always the same for this purpose and number."""
        key = f"{self.seed} {purpose} {number}".encode()
        return unpack(f"<{count}H", shake_128(key).digest(2 * count))

    def visible(self, round_: int, topic: int) -> Community:
        """The community of a round, or of the round before if it is hidden."""
        return self.community(round_ - is_hidden(round_, topic), topic)

    def host_of(self, page: int) -> Host:
        """The host of a page."""
        community, number = self._locate(page)
        return self._host(community.home(number))

    def find_host(self, url: str) -> tuple[Host, str] | None:
        """The host of a URL, and the path on it; None if this web has no such host."""
        match = _URL.fullmatch(url)
        if not match or int(match[2]) >= self.pages:
            return None
        host = self.host_of((int(match[2]) - self.seed) * self._inverse % self.pages)
        return (host, match[3]) if host.origin == match[1] else None

    def _make_round(self, round_: int) -> tuple[int, Cut]:
        """The first page of a round, and its division into communities of equal size."""
        begin = self.rounds.start(round_)
        return begin, Cut(self.rounds.start(round_ + 1) - begin, NO_TOPIC + 1, 1)

    def _make_community(self, round_: int, topic: int) -> Community:
        begin, cut = self._round(round_)
        start = cut.start(topic)
        size = cut.start(topic + 1) - start
        hosts = size // (7 + self.draw("hosts", begin + start, 1)[0] % 17)
        return Community(round_, topic, begin + start, size, Cut(size, max(1, min(2, size // 2), hosts), 3))

    def _locate(self, page: int) -> tuple[Community, int]:
        """The community of a page, and the number of its host there."""
        round_ = self.rounds.part(page)
        begin, cut = self._round(round_)
        community = self.community(round_, cut.part(page - begin))
        return community, community.hosts.part(page - community.start)

    def _make_host(self, start: int) -> Host:
        community, number = self._locate(start)
        size = community.home(number + 1) - start
        salt, *draws = self.draw("host", start, 5)
        theme = self._theme(community, number)
        origin, name = self._host_name(start, theme, draws)
        return Host(community, number, start, size, salt, theme, origin, name)

    def _theme(self, community: Community, number: int) -> int:
        """The topic that a host claims: its own, or, for one host in eight except the first, a
        related topic.
        """
        offset = self.offset + 24593 * (community.topic + 5 * community.round)
        if community.topic == NO_TOPIC or number == 0 or spread(number, offset) > FULL // 8:
            return community.topic
        return related(community.topic, offset >> 4)

    def _host_name(self, start: int, theme: int, draws: list[int]) -> tuple[str, str]:
        """The origin of a host and its name; every third host has a name unrelated to its theme."""
        prefix, neutral, first, last = draws
        word = NEUTRAL_NAMES[first % 12] if neutral % 3 == 0 else WORDS[theme][first % 12].split()[0]
        ending, prefix_word = NAME_ENDINGS[last % 12], ("www.", "www.", "", "portal.")[prefix % 4]
        code = (start * self._factor + self.seed) % self.pages
        return f"http://{prefix_word}{word}{ending}{code}.example", f"{word} {ending}"
