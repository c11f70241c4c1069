"""Pages made to stall a parser, and the links that stand in them.

As a program it parses them one after the other and prints a line of JSON for each, so that a test can end
what it cannot interrupt.
"""

import json
import sys
from collections.abc import Callable, Iterable

from fcwseo.pages.html.hostile import is_hostile
from fcwseo.pages.parse import parse

URL = "http://a.example/"
LINK = "<a href=/x>x</a>"


def _giant_tag(attributes: Iterable[str]) -> str:
    return f"<html><body><div {' '.join(attributes)}>{LINK}</div>"


def _unclosed(tag: str, count: int) -> str:
    return "".join(f"{tag}<a href=/x{i}>x{i}" for i in range(count))


def _named(count: int) -> str:
    """Long texts in elements with names of their own, each beside the main text."""
    names = "comment related share cookie newsletter promo popular signature popup disqus".split()
    return "".join(
        f"<div class='{'-' * 150}{names[i % 10]}{i} {'aB' * 50}'>{'rain ' * 20}</div>" for i in range(count)
    )


def _numbers() -> range:
    return range(200_000)


ONE = ["/x"]


def _many(count: int) -> list[str]:
    return [f"/x{i}" for i in range(count)]


# The HTML of a page, and where its links lead.
CASES: dict[str, tuple[Callable[[], str], list[str]]] = {
    "attributes": (lambda: _giant_tag(f"a{i}=v{i}" for i in _numbers()), ONE),
    "attributes with > in quotes": (lambda: _giant_tag(f'a{i}=">"' for i in _numbers()), ONE),
    "attributes parted by slashes": (lambda: "<p " + "/".join(f"a{i}" for i in _numbers()) + ">" + LINK, ONE),
    "attributes that touch": (lambda: "<p " + "".join(f"a{i}='v'" for i in _numbers()) + ">" + LINK, ONE),
    "nested div": (lambda: "<div>" * 50_000 + LINK + "</div>" * 50_000, ONE),
    "nested in capitals": (lambda: "<DIV\n>" * 10_000 + LINK, ONE),
    "nested tables": (lambda: "<table><tr><td>" * 5_000 + LINK, ONE),
    "nested lists": (lambda: "".join(f"<ul><li><a href=/x{i}>x</a>" for i in range(5_000)), _many(5_000)),
    "an unknown declaration": (lambda: "<div>" * 10_000 + "<![rain[ x ]]>" + LINK, ONE),
    "an unclosed declaration": (lambda: LINK + "<div>" * 10_000 + "<![rain[", ONE),
    "unclosed b and a": (lambda: _unclosed("<b>", 30_000), _many(30_000)),
    "unclosed li": (lambda: _unclosed("<li>", 5_000), _many(5_000)),
    "unclosed b with attributes": (lambda: "".join(f"<p><b id={i}>x" for i in range(5_000)) + LINK, ONE),
    "options": (lambda: f"<select>{'<option>x</option>' * 20_000}</select>{LINK}", ONE),
    "NUL bytes": (lambda: "<p>a\0b<a href=/x\0y>x\0</a>" * 5_000, ["/xy"] * 5_000),
    "nothing but <": (lambda: LINK + "<" * 500_000, ONE),
    "tags that never end": (lambda: LINK + "<a " * 200_000, ONE),
    "tags that never end, nested": (lambda: "<div>" * 10_000 + LINK + "<a " * 200_000, ONE),
    "a quote that never ends": (lambda: LINK + '<a href="' + "x" * 1_000_000, ONE),
    "comments that never end": (lambda: LINK + "<!--" * 200_000, ONE),
    "elements beside the main text": (lambda: _named(20_000) + LINK, ONE),
    "elements nested beside the main text": (
        lambda: ("<div class=comment>" * 900 + "rain " * 20 + "</div>" * 900) * 50 + LINK,
        ONE,
    ),
    "end tags": (lambda: "</div>" * 200_000 + LINK, ONE),
}


def main(names: list[str]) -> None:
    for name in names:
        html = CASES[name][0]()
        page = parse(html, URL)
        facts = {
            "hostile": is_hostile(html),
            "links": [link.target.removeprefix("http://a.example") for link in page.links],
        }
        print(json.dumps([name, facts]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(CASES))
