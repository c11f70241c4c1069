"""The cost of parsing, compared with a bare walk over selectolax's tree, with beautifulsoup4, and with a
second crawl.

    python benchmarks/parse.py [WEB]

All times are CPU time of one process, interleaved in one run. The bare walk collects the title, the text of
each label group, and links with their anchors, and does nothing else: no canonical URLs, no context, no tag
paths, no main text, no language, no check for hostile pages. Results are compared before times are.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from fcwseo.crawling.engine import Window, crawl
from fcwseo.pages.parse import parse, parse_slowly
from fcwseo.strategies.bfs import BreadthFirst
from fcwseo.webs.frozen import FrozenWeb
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import make_web
from fcwseo.webs.warc.read import read_records

GROUP = {
    "title": 0,
    "h1": 0,
    "h2": 1,
    "h3": 1,
    "h4": 2,
    "h5": 2,
    "h6": 2,
    "strong": 2,
    "b": 2,
    "p": 3,
    "td": 3,
    "li": 3,
}
UNSEEN = {"script", "style", "noscript", "noframes", "noembed", "template", "iframe"}


def bare_walk(html: str) -> tuple[str, list[list[str]], list[tuple[str, str]]]:
    groups: list[list[str]] = [[], [], [], [], []]
    links: list[tuple[str, list[str]]] = []
    titles: list[list[str]] = []
    stack: list[tuple[LexborNode, int, list[str] | None]] = []
    group = 4
    anchor: list[str] | None = None
    parser = LexborHTMLParser(html)
    node = parser.root
    while node is not None:
        tag = node.tag
        if tag == "-text":
            text = node.text_content
            if text and not text.isspace():
                groups[group].append(text)
            if anchor is not None:
                anchor.append(text or "")
        elif tag not in UNSEEN:
            inside = anchor
            if tag == "a":
                href = node.attributes.get("href")
                if href is not None:
                    inside = []
                    links.append((href, inside))
            elif tag == "meta":
                said = node.attributes
                if (said.get("name") or "").lower() in ("keywords", "description"):
                    groups[0].append(said.get("content") or "")
            elif tag == "title":
                inside = []
                titles.append(inside)
            child = node.first_child
            if child is not None:
                stack.append((node, group, anchor))
                group = min(group, GROUP.get(tag or "", 4))
                anchor = inside
                node = child
                continue
        following = node.next
        while following is None and stack:
            node, group, anchor = stack.pop()
            following = node.next
        node = following
    title = next((text for title in titles if (text := " ".join("".join(title).split()))), "")
    texts = [[" ".join(text.split()) for text in group] for group in groups]
    return title, texts, [(href, " ".join("".join(text).split())) for href, text in links]


def cpu(page: tuple[str, str], *functions: Callable[[str, str], object]) -> list[int]:
    """CPU nanoseconds of each function on a page."""
    url, html = page
    times = [time.process_time_ns()]
    for function in functions:
        function(html, url)
        times.append(time.process_time_ns())
    return [end - start for start, end in pairwise(times)]


def total(pages: Iterable[tuple[str, str]], *functions: Callable[[str, str], object]) -> list[float]:
    """CPU milliseconds of each function on all pages, interleaved page by page."""
    return [sum(column) / 1e6 for column in zip(*(cpu(page, *functions) for page in pages), strict=True)]


def check_agreement(pages: list[tuple[str, str]]) -> None:
    """Check that the bare walk and the parser read the same title and the same letters in the same groups."""
    for url, html in pages:
        title, texts, _ = bare_walk(html)
        page = parse(html, url)
        assert page.title == title, url
        for found, group in zip(texts, page.groups, strict=True):
            assert "".join("".join(found).split()) == "".join(group.split()), url


def bfs(web: FrozenWeb) -> int:
    """Breadth-first over the whole web: every page is a seed."""
    seeds = list(web.urls())
    window = Window(BreadthFirst(), seeds, relevance=lambda page: 0.0, budget=len(web), width=1)
    asyncio.run(crawl(web, window, record=lambda visit: None))
    return window.pages


def timed_crawl(path: Path) -> tuple[int, float]:
    start = time.process_time()
    pages = bfs(FrozenWeb(path))
    return pages, time.process_time() - start


def measure(web: Path) -> None:
    records = read_records(web, [])
    pages = [(r.url, str(r.body)) for r in records if not r.redirect and r.status < 300]
    check_agreement(Random(0).sample(pages, min(500, len(pages))))
    bare, full = total(pages, lambda html, url: bare_walk(html), parse)
    few = Random(1).sample(pages, min(500, len(pages)))
    slow, fast = total(few, lambda html, url: parse_slowly(html, url), parse)
    print(f"{web.name}: {len(pages)} pages, CPU ms a page")
    print(f"  bare selectolax walk {bare / len(pages):8.3f}")
    print(f"  parse                {full / len(pages):8.3f}   {full / bare:.2f} times the bare walk")
    print(f"  beautifulsoup4       {slow / len(few):8.3f}   {slow / fast:.1f} times parse ({len(few)} pages)")


def measure_again(web: Path) -> None:
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FCWSEO_CACHE"] = cache
        count, first = timed_crawl(web)
        again, second = timed_crawl(web)
    assert count == again
    print(f"  bfs over {count} pages: {first:.1f} s, again {second:.1f} s: {first / second:.1f} times")


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("web", nargs="?", type=Path, help="a frozen web; without one, a generated one")
    options: Any = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        web = options.web or Path(folder) / "generated-5000-0"
        if options.web is None:
            make_web(GeneratedWeb(0, 5000), web)
        measure(web)
        measure_again(web)


if __name__ == "__main__":
    main()
