"""Sites for tests of traps: honest deep ones, and traps of several sorts. Pages are made on request."""

from collections.abc import Callable
from itertools import islice
from random import Random
from urllib.parse import parse_qsl

Make = Callable[[str], str | None]
"""From path and query to HTML; None if there is no such page."""

RNG = Random(0)
WORDS = ["".join(RNG.choices("abcdefghijklmnopqrstuvwxyz", k=RNG.randint(3, 9))) for _ in range(1500)]
TOPIC = "rain"


def prose(seed: object, count: int = 60) -> str:
    """Words in an order of their own for each seed; about every tenth is on the topic."""
    rng = Random(str(seed))
    return " ".join(TOPIC if rng.random() < 0.1 else word for word in rng.choices(WORDS, k=count))


def page(title: str, text: str, links: list[str]) -> str:
    anchors = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return f"<title>{title}</title><h1>{title}</h1><p>{text}</p><ul>{anchors}</ul>"


def _arguments(path: str) -> dict[str, str]:
    return dict(parse_qsl(path.partition("?")[2].replace("&amp;", "&")))


# Honest sites. Each has a list of the pages that must not be lost.

ARTICLES, TOPICS, PRODUCTS = 400, 300, 2000


def wiki(path: str) -> str | None:
    """Articles below folders of folders and behind a query, with their histories."""
    if path == "/":
        return page("wiki", prose("wiki"), [wiki_url(n) for n in range(0, ARTICLES, 20)])
    number = next((n for n in range(ARTICLES) if wiki_url(n) == path), None)
    if number is None:
        return None
    return page(f"Article {number}", prose(path), [wiki_url(n) for n in range(number + 1, number + 21)])


def wiki_url(number: int) -> str:
    words = Random(number).choices(WORDS, k=4)
    return f"/w/{'/'.join(words)}/{number}" if number % 2 else f"/index.php?title={words[0]}_{number}"


def forum(path: str) -> str | None:
    """Topics of several pages each, in six boards of several pages."""
    given = _arguments(path)
    if path == "/":
        return page("forum", prose("forum"), [f"/viewforum.php?f={f}" for f in range(6)])
    if path.startswith("/viewforum.php"):
        start, board = int(given.get("start", 0)), int(given["f"])
        topics = list(islice((t for t in range(TOPICS) if t % 6 == board), start, start + 20))
        links = [forum_url(t, 0) for t in topics]
        more = [f"/viewforum.php?f={board}&start={start + 20}"] if len(topics) == 20 else []
        return page("board", " ".join(prose(t, 6) for t in topics), links + more)
    if path.startswith("/viewtopic.php"):
        number, start = int(given["t"]), int(given.get("start", 0))
        if number >= TOPICS or start >= 10 * (number % 4 + 1):
            return None
        return page("topic", prose(path), [forum_url(number, start + 10)])
    return None


def forum_url(number: int, start: int) -> str:
    more = f"&start={start}" if start else ""
    return f"/viewtopic.php?f={number % 6}{more}&t={number}"  # names in the order of canonical URLs


def shop(path: str) -> str | None:
    """Products in categories of several pages, and facets of every category in any combination."""
    given = _arguments(path)
    if path == "/":
        return page("shop", prose("shop"), [f"/shop?category={c}" for c in range(20)])
    if path.startswith("/product/"):
        number = int(path.rpartition("/")[2])
        return page(f"Product {number}", prose(path, 40), [f"/shop?category={number % 20}"])
    if not path.startswith("/shop") or "category" not in given:
        return None
    start = int(given.pop("page", 0)) * 20
    category = int(given.pop("category"))
    facets = [f"{name}={value}" for name in ("colour", "size", "price", "sort") for value in range(6)]
    products = [n for n in range(category, PRODUCTS, 20) if hash_of(n, given)]
    chosen = "".join(f"&{name}={value}" for name, value in given.items())
    links = [f"/product/{n}" for n in products[start : start + 20]]
    more = [f"/shop?category={category}&page={start // 20 + 1}{chosen}"] if products[start + 20 :] else []
    refine = [f"/shop?category={category}{chosen}&{f}" for f in facets if f.partition("=")[0] not in given]
    lines = "</p><p>".join(f"{prose(f'/product/{n}', 8)}" for n in products[start : start + 20])
    return page("category", lines, links + more + refine)


def hash_of(number: int, facets: dict[str, str]) -> bool:
    return all(Random(f"{number} {name}").randrange(6) == int(value) for name, value in facets.items())


HONEST: dict[str, tuple[Make, list[str]]] = {
    "wiki": (wiki, [wiki_url(n) for n in range(ARTICLES)]),
    "forum": (
        forum,
        [forum_url(t, start) for t in range(TOPICS) for start in range(0, 10 * (t % 4 + 1), 10)],
    ),
    "shop": (shop, [f"/product/{n}" for n in range(PRODUCTS)]),
}


# Traps


def facets(path: str) -> str:
    """A list of the same thirty things, filtered by five facets in any combination and order."""
    given = _arguments(path)
    rng = Random(path)
    things = "</p><p>".join(prose(n, 8) for n in rng.sample(range(30), 10))
    more = [f"{name}={value}" for name in "abcde" for value in range(8) if name not in given]
    here = path if "?" in path else f"{path}?x=1"
    return page("things", things, [f"{here}&{rest}" for rest in more])


def named_facets(path: str) -> str:
    """Facets in the path."""
    given = [part for part in path.split("/") if part]
    more = [f"{name}-{value}" for name in ("colour", "size", "sort", "view") for value in range(9)]
    return page(
        "things", f"Rain things: {', '.join(given)}", [f"{path.rstrip('/')}/{part}/" for part in more]
    )


def depth(path: str) -> str:
    """Each folder has three more, named by words, and says so."""
    names = Random(path).sample(WORDS, 3)
    said = f"The rain of the folder {path} is the rain of its {path.count('/')} parents."
    return page(path, said, [f"{path.rstrip('/')}/{name}/" for name in names])


def same_depth(path: str) -> str:
    """The folder a in the folder a ..., and a link to a page in each."""
    return page("a", f"rain {path}", [f"{path.rstrip('/')}/a/", f"{path.rstrip('/')}/b{path.count('/')}/"])


def calendar(path: str) -> str:
    """Every day links to the next ones, of this and of the next year; no day has an event."""
    numbers = [int(part) for part in path.split("/") if part.isdecimal()] or [2026, 1, 1]
    year, month, day = [*numbers, 1, 1][:3]
    days = [(year, month, day % 28 + 1), (year, month % 12 + 1, day), (year + 1, month, day)]
    said = f"{WORDS[day]} {WORDS[30 + month]}: no rain is known of this day. Come back soon."
    return page("calendar", said, [f"/{y}/{m:02}/{d:02}/" for y, m, d in days])


def sessions(path: str) -> str:
    """Ten honest pages below a session that is another one in each link."""
    rng = Random(path)
    links = [f"/s{rng.randbytes(6).hex()}/page{n}.html" for n in range(10)]
    return page("page", prose(path[-6:]), links)


def session_query(path: str) -> str:
    rng = Random(path)
    links = [f"/page{n}.html?sid={rng.randbytes(6).hex()}" for n in range(10)]
    return page("page", prose(path.partition("?")[0]), links)


TRAPS: dict[str, Make] = {
    "facets": facets,
    "named facets": named_facets,
    "depth": depth,
    "same depth": same_depth,
    "calendar": calendar,
    "sessions": sessions,
    "session query": session_query,
}
