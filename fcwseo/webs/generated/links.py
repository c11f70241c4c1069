"""The links of the pages of a generated web, and their anchors."""

from fcwseo.webs.generated.cards import Card, Cards, page_url
from fcwseo.webs.generated.layout import (
    FULL,
    NO_TOPIC,
    Community,
    Host,
    Layout,
    is_hidden,
    related,
    root,
    step,
)
from fcwseo.webs.generated.words import OFTEN, OFTEN_ENGLISH, VAGUE, WORDS

# Of 64 links in a text, cumulative numbers within the host, the community, the topic, and related topics.
_IN_HOST, _IN_COMMUNITY, _IN_TOPIC, _IN_RELATED = 26, 41, 46, 56


class Links:
    """The links of each page, except those of its host's menu."""

    def __init__(self, layout: Layout, cards: Cards) -> None:
        self._layout, self._cards = layout, cards

    def structure(self, card: Card) -> list[int]:
        """The links that make every page reachable: down the host's tree, to hosts, portals and tunnels."""
        host, local, community = card.host, card.local, card.host.community
        first = local * host.branch + 1
        targets = [host.start + n for n in range(first, min(first + host.branch, host.size))]
        if local == 0:
            below = range(3 * host.number + 1, min(3 * host.number + 4, community.hosts.parts))
            targets += [community.home(number) for number in below]
        if community.topic == NO_TOPIC and host.number == 0:
            targets += self._directory(host, local)
        if host.number < 2 and local == min(1, host.size - 1):
            targets += self._tunnel(community)
        return targets

    def partner(self, host: Host) -> int:
        """The home page that a host's footer links to: a larger host, the portal of its round or of the one
        above.
        """
        community = host.community
        if host.number > 0:
            return community.home((host.number - 1) // 3)
        above = community.round if community.topic != NO_TOPIC else max(0, (community.round - 1) // 2)
        return self._layout.community(above, NO_TOPIC).start

    def in_text(self, card: Card) -> list[str]:
        """The links in a text, with a word before and after each. Their number follows a power law."""
        source = self._cards.card(card.source)
        share = self._layout.draw("degree", source.page, 1)[0] + 1
        count = min(80, root(3**5 * FULL**3 // share**3, 5))  # 3 * (share / FULL) ** -0.6
        draws = self._layout.draw("links", source.page, 9 * count)
        links = []
        for n in range(0, 9 * count, 9):
            target = self._cards.card(self._aim(source, draws[n : n + 5]))
            fate, anchor, before, after = draws[n + 5 : n + 9]
            context = OFTEN_ENGLISH if anchor & 1 else OFTEN[target.topic]
            link = link_html(card.host, _perhaps_dead(target, fate), _anchor(source, target, anchor >> 1))
            links.append(f"{OFTEN_ENGLISH[before % 1024]} {link} {context[after % 1024]}")
        return links

    def _directory(self, host: Host, local: int) -> list[int]:
        """The links of a round's portal: to portals on its home page, to visible communities on others."""
        layout, round_ = self._layout, host.community.round
        below = range(2 * round_ + 1, min(2 * round_ + 3, layout.rounds.parts)) if local == 0 else ()
        targets = [layout.community(n, NO_TOPIC).start for n in below]
        for topic in range(NO_TOPIC):
            if (topic + 1) % host.size == local and not is_hidden(round_, topic):
                community = layout.community(round_, topic)
                targets += [community.home(n) for n in range(min(3, community.hosts.parts))]
        return targets

    def _tunnel(self, community: Community) -> list[int]:
        """The links by which a community begins or ends a tunnel.

        A tunnel leads from a visible community to a community of a far topic, the gateway, and from there
        into the hidden community of the first topic in the next round.
        """
        below, topic = community.round + 1, community.topic
        if topic == NO_TOPIC or below >= self._layout.rounds.parts:
            return []
        start_of = self._layout.community
        entrance = [start_of(below - 1, (topic + 6) % NO_TOPIC).start] if is_hidden(below, topic) else []
        hidden = (topic - 6) % NO_TOPIC
        return entrance + ([start_of(below, hidden).start] if is_hidden(below, hidden) else [])

    def _aim(self, card: Card, draws: tuple[int, ...]) -> int:
        """The target of a link in the text: usually near, rarely far, with a preference for popular pages."""
        kind, way, where, who, which = draws
        layout, community, kind = self._layout, card.host.community, kind % 64
        if kind < _IN_HOST:
            return card.host.start + _aim_in_host(card, way, which)
        if kind >= _IN_RELATED:
            round_ = layout.rounds.part(way * layout.pages >> 16)
            community = layout.visible(round_, where % (NO_TOPIC + 1))
        elif kind >= _IN_TOPIC:
            community = layout.visible(community.round, related(card.topic, where))
        elif kind >= _IN_COMMUNITY:
            community = layout.visible((community.round + step(where)) % layout.rounds.parts, card.topic)
        number = community.hosts.parts * who**3 >> 48
        start, end = community.home(number), community.home(number + 1)
        return start + ((end - start) * which**2 >> 32)


def _aim_in_host(card: Card, way: int, which: int) -> int:
    """A nearby page, or a popular one."""
    if way & 1:
        return (card.local + step(way >> 1)) % card.host.size
    return card.host.size * which**3 >> 48


def _perhaps_dead(target: Card, fate: int) -> str:
    """The URL in a link: of 64 links, three are dead, three have moved, and the others are correct."""
    kind, host = fate % 64, target.host
    if kind < 3:
        return page_url(host, host.size + 2 + fate // 64 % 40, target.topic, target.name)
    if kind < 6:
        return f"{host.origin}/{'old' if kind == 3 else 'go'}/{target.local}"
    return target.url


def _anchor(card: Card, target: Card, draw: int) -> str:
    """The anchor: usually the name of the target; 24 of 128 are vague, 12 name the linking page's topic."""
    kind, rest = draw % 128, draw // 128
    if kind < 24:
        return VAGUE[rest % 8]
    if kind < 36:
        return f"{card.focus[rest % 6]} {WORDS[card.topic][rest % 16]}"
    return target.short if kind < 70 else target.name


def link_html(host: Host, url: str, anchor: str) -> str:
    """A link as written on a page of ``host``. Half of the hosts write links to themselves as paths."""
    if host.salt & 4 and url.startswith(f"{host.origin}/"):
        url = url[len(host.origin) :]
    return f'<a href="{url}">{anchor}</a>'
