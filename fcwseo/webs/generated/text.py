"""The text and the HTML of the pages of a generated web."""

from functools import lru_cache

from fcwseo.webs.generated.calendar import YEAR, day_links, day_url
from fcwseo.webs.generated.cards import Card, Cards, page_url
from fcwseo.webs.generated.layout import Host, Layout, related
from fcwseo.webs.generated.links import Links, link_html
from fcwseo.webs.generated.words import OFTEN, OFTEN_ENGLISH


class Writer:
    """Writes pages and days of calendars as HTML."""

    def __init__(self, layout: Layout, cards: Cards) -> None:
        self._layout, self._card, self._links = layout, cards.card, Links(layout, cards)
        self._frame = lru_cache(1 << 11)(self._make_frame)

    def page(self, card: Card) -> str:
        """The HTML of a page."""
        host, focus = card.host, card.focus
        sentences, links = self._sentences(card), self._links.in_text(card)
        description = sentences[0]
        for n, link in enumerate(links[:12]):
            sentences[n % len(sentences)] += f" {link}."
        half = len(sentences) // 2 + 1
        below = map(self._card, self._links.structure(card))
        entries = [link_html(host, there.url, there.name) for there in below]
        listed = "".join(f"<li>{item}</li>" for item in entries + links[12:])
        content = (
            f"{self._breadcrumbs(card)}<h1>{card.title}</h1>\n<p>{' '.join(sentences[:half])}</p>\n"
            f"<h2>{focus[2].capitalize()} and {focus[3]}</h2>\n<p>{' '.join(sentences[half:])}</p>\n"
            f"<ul>{listed}</ul>"
        )
        return self._document(host, card.title, content, meta=_meta(host, focus, description))

    def day(self, host: Host, day: int) -> str:
        """A day of an endless calendar: almost only links to other days."""
        draws = self._layout.draw(f"day {day} of", host.start, 12)
        words = OFTEN[host.theme]
        plan = " ".join(words[draw % 1024] if draw % 5 == 0 else OFTEN_ENGLISH[draw % 1024] for draw in draws)
        links = [link_html(host, url, anchor) for anchor, url in day_links(host, day)]
        title = f"Calendar {day // YEAR}, day {day % YEAR + 1}"
        content = f"<h1>{title}</h1>\n<p>{plan.capitalize()}.</p>\n<p>{' | '.join(links)}</p>"
        return self._document(host, title, content)

    def _sentences(self, card: Card) -> list[str]:
        """The text: words of the page's focus, of its topic, of plain English, and sometimes of another
        topic.
        """
        strength, other, length, pace, *draws = self._layout.draw("text", card.source, 364)
        draws = draws[: 70 + length % 290]
        if card.source != card.page:
            for change in self._layout.draw("changes", card.page, 6):
                draws[change % len(draws)] = change
        focus = 1024 * (strength % 5)
        topical = focus + 1024 * (1 + strength // 5 % 9)

        def words(draws: list[int], about: int, limit: int) -> list[str]:
            table, plain = OFTEN[about], OFTEN_ENGLISH
            return [
                plain[n % 1024] if n >= limit else table[n % 1024] if n >= focus else card.focus[n % 6]
                for n in draws
            ]

        text = words(draws, card.topic, topical)
        if other % 3 == 0:
            text[40:110] = words(draws[40:110], related(card.topic, other // 3), 2 * topical)
        step = 8 + pace % 9
        return [" ".join(text[n : n + step]).capitalize() + "." for n in range(0, len(text), step)]

    def _breadcrumbs(self, card: Card) -> str:
        """The link up the host's tree."""
        if card.local == 0:
            return ""
        parent = self._card(card.host.start + (card.local - 1) // card.host.branch)
        return f"<p>{link_html(card.host, parent.url, parent.short)} / {card.short}</p>\n"

    def _make_frame(self, host: Host) -> tuple[str, str]:
        """The HTML above and below the text, the same on every page of a host."""
        sections = [self._card(host.start + n) for n in range(1, min(6, host.size))]
        items = [link_html(host, f"{host.origin}/", "home")]
        items += [link_html(host, card.url, card.short) for card in sections]
        if host.has_calendar:
            items.append(link_html(host, day_url(host, 2020 * YEAR + host.salt % (5 * YEAR)), "calendar"))
        if host.salt % 6 == 0:
            about = page_url(host, host.size + 1, host.theme, "about us")  # a dead link
            items.append(link_html(host, about, "about us"))
        menu = "".join(f"<li>{item}</li>" for item in items)
        partner = self._card(self._links.partner(host))
        part_of = link_html(host, partner.url, partner.name)
        footer = f"{host.name.title()}. All rights reserved. Part of {part_of}"
        if host.salt & 1:
            return f"<nav><ul>{menu}</ul></nav>\n<main>", f"</main>\n<footer><p>{footer}</p></footer>"
        menu, footer = f'<div class="menu"><ul>{menu}</ul></div>', f'<div class="footer">{footer}</div>'
        return f"{menu}\n<div>", f"</div>\n{footer}"

    def _document(self, host: Host, title: str, content: str, *, meta: str = "") -> str:
        above, below = self._frame(host)
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f"<title>{title} - {host.name.title()}</title>\n{meta}</head>\n"
            f"<body>\n{above}\n{content}\n{below}\n</body>\n</html>\n"
        )


def _meta(host: Host, focus: tuple[str, ...], description: str) -> str:
    keywords = f'<meta name="keywords" content="{", ".join(focus)}">\n' if host.salt & 16 else ""
    return keywords + (f'<meta name="description" content="{description}">\n' if host.salt & 32 else "")
