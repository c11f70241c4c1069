"""What parsing costs: against a bare walk over selectolax's tree, against beautifulsoup4, and the second
time.

    python benchmarks/parse.py [WEB]

All times are CPU time of one process, interleaved in one run. The bare walk collects the title, the text of
each label group, and links with their anchors, and does nothing else: no canonical URLs, no context, no tag
paths, no main text, no language, no check for hostile pages. Results are compared before times are.
"""

import argparse
import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from fcwseo.engine import Window, crawl
from fcwseo.frozen import FrozenWeb
from fcwseo.parse import parse, parse_slowly
from fcwseo.records import read_records
from fcwseo.strategies.bfs import BreadthFirst

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
    group, anchor = 4, None
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


def cpu(function: Callable[[str, str], object], pages: Iterable[tuple[str, str]]) -> float:
    start = time.process_time()
    for url, html in pages:
        function(html, url)
    return time.process_time() - start


def check_agreement(pages: list[tuple[str, str]]) -> None:
    """The bare walk and the parser read the same title and the same letters in the same groups."""
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


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("web", nargs="?", default="../shared/webs/uci", type=Path)
    arguments.add_argument("--sample", default=4000, type=int, help="pages for the comparison of parsers")
    options: Any = arguments.parse_args()
    records = [
        (r.url, str(r.body)) for r in read_records(options.web, []) if not r.redirect and r.status < 400
    ]
    pages = Random(0).sample(records, min(options.sample, len(records)))
    check_agreement(pages[:500])
    times: dict[str, list[float]] = {"bare": [], "parse": []}
    for _ in range(5):
        times["bare"].append(cpu(lambda html, url: bare_walk(html), pages))
        times["parse"].append(cpu(parse, pages))
    bare, full = min(times["bare"]), min(times["parse"])
    few = pages[:300]
    slow, fast = cpu(lambda html, url: parse_slowly(html, url), few), cpu(parse, few)
    print(f"{options.web.name}: {len(pages)} of {len(records)} pages, best of 5, CPU ms a page")
    print(f"  bare selectolax walk {1000 * bare / len(pages):8.3f}")
    print(f"  parse                {1000 * full / len(pages):8.3f}   {full / bare:.2f} times the bare walk")
    print(f"  beautifulsoup4       {1000 * slow / len(few):8.3f}   {slow / fast:.1f} times parse")
    del records, pages
    cache = tempfile.mkdtemp()
    os.environ["FCWSEO_CACHE"] = cache
    try:
        count, first = timed_crawl(options.web)
        again, second = timed_crawl(options.web)
    finally:
        shutil.rmtree(cache)
    assert count == again
    print(f"  bfs over {count} pages: {first:.1f} s, again {second:.1f} s: {first / second:.1f} times")


if __name__ == "__main__":
    main()
