"""Blogs whose lists repeat whole posts: how many posts on a topic does a crawl find, whatever the lists show?

    python benchmarks/blogs.py [--strategies fcwseo ops] [--seeds 3]

A post stands on its own page, and again on the pages of its category, month, author and tags, and in the list
of all posts. The same blogs are made three times: their lists repeat posts whole, in part (the first
paragraph), or show titles only. Only posts have labels. The table gives the posts on the topic that a crawl
found, the share of its pages that were lists, and the posts found as a share of those found where lists show
titles only.
"""

import argparse
import asyncio
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from statistics import fmean
from typing import NamedTuple

from ablations import ABLATIONS

from fcwseo.crawling.engine import Window, crawl
from fcwseo.pages import Failure, Page, Visit, Why
from fcwseo.pages.parse import parse
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies import STRATEGIES
from fcwseo.webs.generated.words import OFTEN, OFTEN_ENGLISH, TOPICS, VOCABULARIES
from fcwseo.webs.protocol import ArchivedOrder
from fcwseo_ontology.topic import Topic, topic_of_words

LABEL = "rainstorm"
SHOWN = ("whole", "part", "titles")  # what lists repeat of a post
BUDGET = 400  # pages

_ON_LIST = 20  # posts
_CATEGORIES = {  # topics of the posts of a category, by their number of lots
    "weather": {LABEL: 4, "climate": 4, "rivers": 1},
    "outdoors": {LABEL: 1, "travel": 3, "farming": 2, "rivers": 2},
    "town": {LABEL: 1, "finance": 2, "medicine": 2, "music": 1, "film": 1},
    "table": {"cooking": 5, "farming": 1},
    "games": {"sport": 4, "computing": 2, "film": 1},
    "earth": {LABEL: 1, "geology": 4, "climate": 1},
}
_AUTHORS = ("ann", "bea", "carl", "dora")
_FIRST_YEAR = 2012
_PARAGRAPHS = {  # how the template of a blog shows a post on a list
    0: '<article><h2><a href="{url}">{title}</a></h2>{text}<p class="meta">{meta}</p></article>',
    1: '<div class="post"><div class="name"><a href="{url}">{title}</a></div>{text}<div>{meta}</div></div>',
    2: '<div class="entry"><h3>{title}</h3>{text}<p><a href="{url}">permalink</a> {meta}</p></div>',
}


class Post(NamedTuple):
    """A post: what it is about, where it is listed, and its text."""

    number: int
    blog: int
    topic: str
    title: str
    paragraphs: tuple[str, ...]
    url: str
    lists: tuple[str, ...]  # URLs of the first pages of its lists
    meta: str


class BlogWeb:
    """Some blogs, the same for the same seed. ``shown`` is what lists repeat of a post: one of ``SHOWN``.

    >>> web = BlogWeb(0, "titles")
    >>> url = web.seeds()[0]
    >>> web.labels(url), url in web, len(web) > 1800
    (('rainstorm',), True, True)
    """

    obeyed = False
    archived_order = ArchivedOrder()
    problems: tuple[str, ...] = ()

    def __init__(self, seed: int, shown: str, *, blogs: int = 3, posts: int = 600) -> None:
        self.name = self.spec = self.identity = f"blogs-{blogs}-{posts}-{seed}-{shown}"
        self._seed, self._shown = seed, shown
        self._posts: dict[str, Post] = {}
        self._lists: dict[str, list[Post]] = {}  # posts by the URL of the list, the newest first
        self._hosts = [f"http://blog{number}.example" for number in range(blogs)]
        for blog in range(blogs):
            for number in reversed(range(posts)):
                post = self._post(blog, number, posts)
                self._posts[post.url] = post
                for url in post.lists:
                    self._lists.setdefault(url, []).append(post)
        self._pages = [url for first in self._lists for url in self._pages_of(first)]
        self._first = {url: first for first in self._lists for url in self._pages_of(first)}
        self._page = lru_cache(1 << 13)(lambda url: parse(self.html(url), url))

    def __len__(self) -> int:
        return len(self._posts) + len(self._pages)

    def __contains__(self, url: object) -> bool:
        return url in self._posts or url in self._first

    def urls(self) -> Iterator[str]:
        yield from self._posts
        yield from self._pages

    def resolve(self, url: str) -> str | None:
        return url if url in self else None

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic of a post; a list has none."""
        return (self._posts[url].topic,) if url in self._posts else ()

    def is_list(self, url: str) -> bool:
        return url in self._first

    def seeds(self, count: int = 5) -> list[str]:
        posts = [url for url, post in self._posts.items() if post.topic == LABEL]
        return Random(f"{self._seed} seeds").sample(posts, count)

    async def fetch(self, url: str) -> Page | Failure:
        return self._page(url) if url in self else Failure(url, Why.GONE)

    def html(self, url: str) -> str:
        """The page at a URL."""
        post = self._posts.get(url)
        blog = int(url.partition("://blog")[2].partition(".")[0])
        title, main = (post.title, self._main_of_post(post)) if post else self._main_of_list(url)
        head = f'<header><a href="{self._hosts[blog]}/">Blog {blog}</a></header>'
        body = f'{head}<div class="main">{main}</div>{self._sidebar(blog)}'
        return f'<html lang="en"><head><title>{title}</title></head><body>{body}</body></html>'

    def _post(self, blog: int, number: int, posts: int) -> Post:
        rng = Random(f"{self._seed} {blog} {number}")
        category = rng.choice([*_CATEGORIES])
        topic = rng.choices([*_CATEGORIES[category]], [*_CATEGORIES[category].values()])[0]
        words, often = VOCABULARIES[topic], OFTEN[TOPICS.index(topic)]
        share = rng.choice((0.1, 0.15, 0.2, 0.3))
        title = f"{rng.choice(OFTEN_ENGLISH)} {often[rng.randrange(1024)]} {rng.choice(OFTEN_ENGLISH)}"
        if rng.random() < 0.6:  # a title that says nothing
            title = " ".join(rng.choice(OFTEN_ENGLISH) for _ in range(3))
        paragraphs = tuple(
            " ".join(_sentence(rng, often, share) for _ in range(rng.randint(2, 4)))
            for _ in range(rng.randint(1, 4))
        )
        month = _FIRST_YEAR * 12 + 72 * number // posts
        day, author, host = f"{month // 12}/{month % 12 + 1:02}", rng.choice(_AUTHORS), self._hosts[blog]
        tags = dict.fromkeys(rng.choice(words[:12]).replace(" ", "-") for _ in range(rng.randint(0, 3)))
        named = {
            f"{host}/category/{category}/": category,
            f"{host}/{day}/": day,
            f"{host}/author/{author}/": author,
            **{f"{host}/tag/{tag}/": tag for tag in tags},
        }
        meta = ", ".join(f'<a href="{url}">{name}</a>' for url, name in named.items())
        slug = title.replace(" ", "-") if blog % 2 == 0 else f"p{number}"
        url = f"{host}/{day}/{slug}-{number}.html" if blog % 2 == 0 else f"{host}/{slug}.html"
        return Post(number, blog, topic, title, paragraphs, url, (f"{host}/", *named), meta)

    def _main_of_post(self, post: Post) -> str:
        rng = Random(f"{self._seed} {post.url}")
        siblings = self._lists[post.lists[1]]
        related = "".join(f"<li>{_link(other)}</li>" for other in rng.sample(siblings, min(3, len(siblings))))
        comments = "".join(
            f'<div class="comment"><p>{_sentence(rng, OFTEN_ENGLISH, 0.5)}</p></div>'
            for _ in range(rng.randrange(4))
        )
        text = "".join(f"<p>{paragraph}</p>" for paragraph in post.paragraphs)
        return (
            f'<h1>{post.title}</h1>{text}<p class="meta">{post.meta}</p>'
            f'<ul class="related">{related}</ul><div class="comments">{comments}</div>'
        )

    def _main_of_list(self, url: str) -> tuple[str, str]:
        first = self._first[url]
        pages = self._pages_of(first)
        page = pages.index(url)
        name = first.partition(".example/")[2].strip("/") or "all posts"
        posts = self._lists[first][_ON_LIST * page : _ON_LIST * (page + 1)]
        entries = "".join(map(self._entry, posts))
        near = range(max(0, page - 2), min(len(pages), page + 3))
        numbers = " ".join(f'<a href="{pages[n]}">{n + 1}</a>' for n in near if n != page)
        older = f'<a href="{pages[page + 1]}">older</a>' if page + 1 < len(pages) else ""
        return name, f'<h1>{name}</h1>{entries}<div class="pages">{numbers} {older}</div>'

    def _entry(self, post: Post) -> str:
        if self._shown == "titles":
            return f"<li>{_link(post)}</li>"
        shown = post.paragraphs if self._shown == "whole" else post.paragraphs[:1]
        text = "".join(f"<p>{paragraph}</p>" for paragraph in shown)
        return _PARAGRAPHS[post.blog % 3].format(url=post.url, title=post.title, text=text, meta=post.meta)

    def _sidebar(self, blog: int) -> str:
        host = self._hosts[blog]
        newest = "".join(f"<li>{_link(post)}</li>" for post in self._lists[f"{host}/"][:8])
        lists = [url for url in self._lists if url.startswith(host)]
        shown = "".join(f'<li><a href="{url}">{url[len(host) + 1 : -1]}</a></li>' for url in lists[1:])
        roll = "".join(
            f'<li><a href="{other}/">blog {n}</a></li>' for n, other in enumerate(self._hosts) if n != blog
        )
        return f'<div class="sidebar"><ul>{newest}</ul><ul>{shown}</ul><ul>{roll}</ul></div>'

    def _pages_of(self, first: str) -> list[str]:
        count = -(-len(self._lists[first]) // _ON_LIST)
        return [first, *(f"{first}page/{number}/" for number in range(2, count + 1))]


def _sentence(rng: Random, often: Sequence[str], share: float) -> str:
    words = [rng.choice(often if rng.random() < share else OFTEN_ENGLISH) for _ in range(rng.randint(8, 16))]
    return f"{' '.join(words).capitalize()}."


def _link(post: Post) -> str:
    return f'<a href="{post.url}">{post.title}</a>'


def topic() -> Topic:
    """The most frequent words about rainstorms."""
    words = VOCABULARIES[LABEL][:36]
    return topic_of_words(LABEL, {word: round((1 + n) ** -0.5, 3) for n, word in enumerate(words)})


class Found(NamedTuple):
    """The posts on the topic that a crawl found, and the share of its pages that were lists."""

    posts: int
    lists: float


def found(web: BlogWeb, strategy: str, budget: int = BUDGET) -> Found:
    """Crawl ``web``. Seeds are no finds."""
    relevance, seeds = TopicalRelevance(topic()), web.seeds()
    pages: list[str] = []

    def record(visit: Visit) -> None:
        if isinstance(visit.outcome, Page):
            pages.append(visit.outcome.url)

    chosen = (STRATEGIES | ABLATIONS)[strategy](topic(), relevance, Random(0))
    asyncio.run(crawl(web, Window(chosen, seeds, relevance=relevance, budget=budget, width=1), record=record))
    posts = sum(web.labels(url) == (LABEL,) for url in pages if url not in seeds)
    return Found(posts, fmean(map(web.is_list, pages)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--strategies", nargs="*", default=["fcwseo", "without-repeats", "ops", "bfs"])
    parser.add_argument("--seeds", type=int, default=3, help="webs")
    given = parser.parse_args()
    print("| strategy | lists show | posts found | of its pages lists | of those found with titles |")
    print("|---|---|---:|---:|---:|")
    for strategy in given.strategies:
        rows = {
            shown: [found(BlogWeb(seed, shown), strategy) for seed in range(given.seeds)] for shown in SHOWN
        }
        titles = fmean(one.posts for one in rows["titles"])
        for shown, ones in rows.items():
            posts, lists = fmean(one.posts for one in ones), fmean(one.lists for one in ones)
            print(f"| {strategy} | {shown} | {posts:.0f} | {lists:.0%} | {posts / titles:.2f} |", flush=True)


if __name__ == "__main__":
    main()
