"""The generated web: the same everywhere, cheap at any size, with all that a crawler should meet."""

import asyncio
import hashlib
import os
import pickle
import random
import re
import subprocess
import sys
import time
import tracemalloc
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from functools import cached_property
from itertools import islice, pairwise
from statistics import median
from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcwseo.errors import InvalidSeeds, InvalidWeb
from fcwseo.pages import Failure, Page, Why
from fcwseo.pages.urls import canonical, host
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.generated.words import ENGLISH, UNTOPICAL, VOCABULARIES

LINK = re.compile(r'<a href="([^"]*)">([^<]*)</a>')
RAIN = ("rainstorm",)


def links_of(web: GeneratedWeb, url: str) -> list[tuple[str, str]]:
    """Targets and anchors, as they stand in the HTML."""
    html = web.html(url)
    assert html is not None
    return [(urljoin(url, href), anchor) for href, anchor in LINK.findall(html)]


def final(web: GeneratedWeb, url: str) -> str:
    while target := web.redirect(url):
        url = target
    return url


def main_text(html: str) -> str:
    """The paragraphs, without markup."""
    return re.sub("<[^>]*>", " ", " ".join(re.findall("<p>(.*?)</p>", html))).lower()


class Whole:
    """A small web, looked at completely: pages, labels and the links among its real pages."""

    def __init__(self, seed: int, pages: int) -> None:
        self.web = GeneratedWeb(seed, pages)
        self.urls = list(self.web.urls())
        self.labels = {url: self.web.labels(url) for url in self.urls}
        self.raw = {url: links_of(self.web, url) for url in self.urls}

    @cached_property
    def links(self) -> dict[str, list[str]]:
        ends = {url: [final(self.web, target) for target, _ in raw] for url, raw in self.raw.items()}
        return {url: [t for t in dict.fromkeys(all_) if t in self.labels] for url, all_ in ends.items()}

    def distances(self, starts: list[str], expand: Callable[[str], bool] = lambda _: True) -> dict[str, int]:
        found, queue = dict.fromkeys(starts, 0), deque(starts)
        while queue:
            url = queue.popleft()
            for target in self.links[url] if expand(url) else ():
                if target not in found:
                    found[target] = found[url] + 1
                    queue.append(target)
        return found

    def on_topic(self, url: str) -> bool:
        return self.labels[url] == RAIN


@pytest.fixture(scope="module")
def whole() -> Whole:
    return Whole(seed=0, pages=2000)


# The same everywhere

SAMPLE = """
import hashlib
from fcwseo.webs.generated import GeneratedWeb
digest = hashlib.sha256()
for pages in (100, 5000, 1_000_000):
    web = GeneratedWeb(7, pages)
    for number in range(0, pages, pages // 20):
        url = web.url(number)
        digest.update(f"{url} {web.labels(url)} {web.html(url)}".encode())
    digest.update(" ".join(web.seeds("rainstorm")).encode())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_is_the_same_in_every_process() -> None:
    def sample(hash_seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", SAMPLE]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert sample("1") == sample("4242") != ""


def test_does_not_drift() -> None:
    """Results on this web are compared across versions: whoever changes it on purpose changes this too."""
    web = GeneratedWeb(0, 1000)
    digest = hashlib.sha256()
    for url in islice(web.urls(), 0, None, 50):
        digest.update(f"{url} {web.labels(url)} {web.html(url)}".encode())
    assert digest.hexdigest()[:16] == "dfe4b8da167de4a1"


def test_does_not_depend_on_what_was_asked_before() -> None:
    asked, fresh = GeneratedWeb(3, 2000), GeneratedWeb(3, 2000)
    for url in asked.urls():
        asked.html(url)
    assert all(asked.html(url) == fresh.html(url) for url in islice(fresh.urls(), 1900, None))


def test_another_seed_is_another_web() -> None:
    urls = [set(GeneratedWeb(seed, 500).urls()) for seed in (0, 1)]
    assert len(urls[0] & urls[1]) < 25


def test_pickles() -> None:
    web = GeneratedWeb(5, 300)
    copy = pickle.loads(pickle.dumps(web))
    assert (copy.name, len(copy), copy.html(copy.url(7))) == (web.name, len(web), web.html(web.url(7)))


# Cheap at any size


def cost(pages: int) -> float:
    """CPU seconds for a page, in a web that has made none yet."""
    web, rng = GeneratedWeb(1, pages), random.Random(0)
    urls = [web.url(rng.randrange(pages)) for _ in range(150)]
    began = time.process_time()
    for url in urls:
        web.html(url)
    return (time.process_time() - began) / len(urls)


def test_a_page_of_a_vast_web_costs_no_more_than_one_of_a_large_web() -> None:
    small, large = (min(cost(pages) for _ in range(3)) for pages in (10_000, 10_000_000))
    assert large < 5 * small  # in the small one some neighbours are still remembered
    large, vast = (min(cost(pages) for _ in range(3)) for pages in (10_000_000, 10**12))
    assert vast < 2 * large


def test_a_vast_web_needs_little_memory() -> None:
    tracemalloc.start()
    web = GeneratedWeb(1, 10_000_000)
    for number in range(0, 10_000_000, 100_000):
        assert web.html(web.url(number))
    assert web.seeds("rainstorm")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8_000_000


def test_the_memories_are_bounded() -> None:
    web = GeneratedWeb(1, 10_000_000)
    layout, cards, writer = web._layout, web._cards, web._writer
    memories = (layout._round, layout.community, layout._host, cards.card, writer._frame)
    assert all((memory.cache_info().maxsize or 0) <= 1 << 14 for memory in memories)
    assert sum(memory.cache_info().currsize for memory in memories) == 0


def test_addresses_come_one_by_one() -> None:
    web = GeneratedWeb(0, 10**9)
    assert [web.url(n) for n in range(3)] == list(islice(web.urls(), 3))
    assert len(web) == 10**9


# Addresses


@settings(deadline=None, max_examples=40)
@given(st.integers(-5, 10**6), st.integers(14, 10**7), st.floats(0, 1, exclude_max=True))
def test_every_page_is_found_by_its_address(seed: int, pages: int, where: float) -> None:
    web = GeneratedWeb(seed, pages)
    url = web.url(int(where * pages))
    assert canonical(url) == url
    assert url in web and web.redirect(url) is None
    assert web.labels(url) in [(), *((label,) for label in VOCABULARIES)]
    for target, anchor in links_of(web, url):
        assert anchor.strip() and canonical(target) == target
        assert (web.html(final(web, target)) is not None) == (target in web)


@pytest.mark.parametrize("pages", [14, 15, 27, 50, 99, 100, 101, 575, 576, 1000])
def test_there_are_as_many_pages_as_asked_for(pages: int) -> None:
    web = GeneratedWeb(2, pages)
    assert len(set(web.urls())) == len(web) == pages
    assert web.name == f"generated-{pages}-2"
    assert all(web.html(url) for url in web.urls())


def test_too_small_a_web_is_refused() -> None:
    with pytest.raises(InvalidWeb, match="14 or more"):
        GeneratedWeb(0, 13)


def test_a_number_without_page() -> None:
    with pytest.raises(IndexError):
        GeneratedWeb(0, 100).url(100)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda url: url + "x",
        lambda url: url.replace("http://", "https://"),
        lambda url: url.replace(".example", ".test"),
        lambda url: url.replace(".example", "9.example"),
        lambda url: url + "#top",
        lambda url: "",
        lambda url: "http://www.flood1.example",
        lambda url: url + "calendar/2020-000.html",
        lambda url: url + "calendar/2020-366.html",
        lambda url: url + "old/99999",
        lambda url: url + "go/00",
    ],
)
def test_other_urls_have_no_page(spoil: Callable[[str], str]) -> None:
    web = GeneratedWeb(0, 1000)
    for url in (web.url(0), web.url(500)):
        assert spoil(url) not in web
        assert (
            web.html(spoil(url)) is None and web.redirect(spoil(url)) is None and web.labels(spoil(url)) == ()
        )
    assert 7 not in web


def test_some_addresses_tell_the_topic_and_some_do_not(whole: Whole) -> None:
    rain = [url for url in whole.urls if whole.on_topic(url)]
    words = [word.replace(" ", "-") for word in VOCABULARIES["rainstorm"]]
    telling = sum(any(word in url for word in words) for url in rain)
    assert 0.3 < telling / len(rain) < 0.95


# Labels and topics


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("pages", "least", "most"), [(100, 0.04, 0.09), (1000, 0.05, 0.08)])
def test_a_small_share_is_on_topic(seed: int, pages: int, least: float, most: float) -> None:
    web = GeneratedWeb(seed, pages)
    labels = Counter(web.labels(url) for url in web.urls())
    assert least <= labels[RAIN] / pages <= most
    assert set(labels) <= {(), *((label,) for label in VOCABULARIES)}
    assert pages < 1000 or len(labels) == len(VOCABULARIES) + 1


def test_a_sample_of_a_million_pages_has_the_same_share() -> None:
    web = GeneratedWeb(4, 1_000_000)
    numbers = random.Random(0).sample(range(1_000_000), 3000)
    assert 0.05 < sum(web.labels(web.url(n)) == RAIN for n in numbers) / 3000 < 0.09


def test_the_topic_lies_in_many_clusters() -> None:
    web = GeneratedWeb(0, 10_000)
    on_topic = [url for url in web.urls() if web.labels(url) == RAIN]
    share = Counter(host(url) for url in on_topic)
    clusters: defaultdict[int, set[str]] = defaultdict(set)
    for number, url in enumerate(web.urls()):
        if share[host(url)] > 2:
            clusters[web._cards.card(number).host.community.start].add(host(url))
    large = [hosts for hosts in clusters.values() if len(hosts) > 1]
    assert len(large) >= 10
    assert max(share.values()) < len(on_topic) / 5


def test_the_words_tell_the_topic_but_not_too_easily(whole: Whole) -> None:
    weights = whole.web.topic().weights
    assert next(iter(weights)) == "rainstorm" and "flash flood" in weights

    def score(url: str) -> float:
        text = main_text(whole.web.html(url) or "")
        return sum(weight * text.count(word) for word, weight in weights.items()) / len(text)

    rng = random.Random(0)
    rain = [score(url) for url in rng.sample([u for u in whole.urls if whole.on_topic(u)], 100)]
    rest = [score(url) for url in rng.sample([u for u in whole.urls if not whole.on_topic(u)], 300)]
    wins = sum(r > o for r in rain for o in rest) / len(rain) / len(rest)
    assert 0.93 < wins < 0.9999


def test_texts_are_of_ordinary_length_and_follow_zipf(whole: Whole) -> None:
    texts = [main_text(whole.web.html(url) or "").split() for url in whole.urls[::10]]
    assert min(map(len, texts)) > 70 and max(map(len, texts)) < 500
    ranked = [count for _, count in Counter(word for text in texts for word in text).most_common()]
    assert ranked[0] > 4 * ranked[20] > 16 * ranked[400]


def test_vocabularies_are_words_that_need_no_escape() -> None:
    for words in (*VOCABULARIES.values(), UNTOPICAL, ENGLISH):
        assert len(set(words)) == len(words) >= 48
        assert all(re.fullmatch("[a-z]+( [a-z]+)*", word) for word in words)


# Seeds


@pytest.mark.parametrize(("seed", "pages"), [(0, 100), (9, 100), (1, 1000), (2, 1_000_000)])
def test_seeds_are_on_topic(seed: int, pages: int) -> None:
    web = GeneratedWeb(seed, pages)
    for label in VOCABULARIES:
        seeds = web.seeds(label)
        assert 2 <= len(seeds) <= 5 and len(set(seeds)) == len(seeds)
        assert pages == 100 or len(seeds) == 5
        assert all(web.labels(url) == (label,) for url in seeds)
        assert seeds == GeneratedWeb(seed, pages).seeds(label) and web.seeds(label, 1) == seeds[:1]
    assert web.seeds("music", 0) == []


def test_seeds_come_from_one_cluster(whole: Whole) -> None:
    seeds = whole.web.seeds("rainstorm")
    for seed in seeds:
        near = whole.distances([seed], whole.on_topic)
        assert all(near[other] <= 3 for other in seeds)


def test_seeds_of_an_unknown_label() -> None:
    with pytest.raises(InvalidSeeds, match=r"'snow'.*rainstorm"):
        GeneratedWeb(0, 100).seeds("snow")


# The graph


@pytest.mark.parametrize(("seed", "pages"), [(0, 100), (1, 100), (2, 250), (3, 700), (4, 2000)])
def test_nearly_everything_can_be_reached(seed: int, pages: int) -> None:
    whole = Whole(seed, pages)
    assert len(whole.distances(whole.web.seeds("rainstorm"))) >= 0.95 * pages


def test_every_page_can_be_reached_from_the_home_page_of_its_host(whole: Whole) -> None:
    by_host: dict[str, list[str]] = {}
    for url in whole.urls:
        by_host.setdefault(host(url), []).append(url)
    for pages in by_host.values():
        own = set(pages)
        assert pages[0].endswith(".example/")
        assert own <= whole.distances(pages[:1], own.__contains__).keys()


def test_sizes_and_degrees_are_skewed(whole: Whole) -> None:
    sizes = sorted(Counter(map(host, whole.urls)).values())
    assert len(sizes) > 100 and sizes[-1] > 5 * median(sizes)
    tenth = sizes[-len(sizes) // 10 :]
    assert sum(tenth) > 0.3 * len(whole.urls)

    incoming = sorted(Counter(t for targets in whole.links.values() for t in targets).values())
    assert incoming[-1] > 40 * median(incoming)
    assert sum(incoming[-len(incoming) // 100 :]) > 0.1 * sum(incoming)

    outgoing = sorted(len(targets) for targets in whole.links.values())
    assert outgoing[-1] > 4 * median(outgoing)
    assert sum(count > 25 for count in outgoing) > 0.01 * len(outgoing)  # hubs


def test_the_tail_of_the_in_degrees_is_a_power_law(whole: Whole) -> None:
    incoming = Counter(t for targets in whole.links.values() for t in targets).values()
    above = [sum(count >= least for count in incoming) for least in (10, 20, 40, 80)]
    assert all(1.3 < more / fewer < 12 for more, fewer in pairwise(above))


def test_likeness_decays_with_distance(whole: Whole) -> None:
    same, all_ = Counter[int](), Counter[int]()
    labelled = [url for url in whole.urls if whole.labels[url]]
    for start in random.Random(0).sample(labelled, 40):
        for url, distance in whole.distances([start]).items():
            same[distance] += whole.labels[url] == whole.labels[start]
            all_[distance] += 1
    likeness = [same[distance] / all_[distance] for distance in range(5)]
    assert likeness[1] > 0.5
    assert all(near > 1.3 * far for near, far in pairwise(likeness))


def test_related_topics_link_to_each_other_more_than_others(whole: Whole) -> None:
    ring = list(VOCABULARIES)
    steps = Counter[int]()
    for url, targets in whole.links.items():
        for target in targets:
            if whole.labels[url] and whole.labels[target]:
                apart = abs(ring.index(whole.labels[url][0]) - ring.index(whole.labels[target][0]))
                steps[min(apart, len(ring) - apart)] += 1
    assert steps[0] > 2 * steps[1] > 4 * steps[2] and steps[2] > steps[4]


@pytest.mark.parametrize(("seed", "pages"), [(0, 100), (5, 100), (1, 600), (2, 2000)])
def test_some_clusters_lie_behind_a_tunnel(seed: int, pages: int) -> None:
    whole = Whole(seed, pages)
    open_ = whole.distances(whole.web.seeds("rainstorm"), whole.on_topic)
    behind = [url for url in whole.urls if whole.on_topic(url) and url not in open_]
    everything = whole.distances(whole.web.seeds("rainstorm"))
    assert len(behind) >= 0.1 * sum(map(whole.on_topic, whole.urls))
    assert all(url in everything for url in behind)

    # From what is known to the entrance: over one or two pages of other topics.
    away = whole.distances([url for url in open_ if whole.on_topic(url)])
    assert 2 <= min(away[url] for url in behind if url.endswith(".example/")) <= 3


# What makes a crawler's life hard


def test_anchors_mostly_tell_the_truth_and_sometimes_lie(whole: Whole) -> None:
    others = {word for label, words in VOCABULARIES.items() if label != "rainstorm" for word in words}
    telling = [word for word in VOCABULARIES["rainstorm"] if word not in others and word not in ENGLISH]
    pattern = re.compile(rf"\b({'|'.join(telling)})\b")
    true = lies = 0
    for raw in whole.raw.values():
        for target, anchor in raw:
            end = final(whole.web, target)
            if end in whole.labels and pattern.search(anchor):
                true, lies = true + whole.on_topic(end), lies + (not whole.on_topic(end))
    assert 0.03 < lies / (true + lies) < 0.3


def test_some_anchors_say_nothing(whole: Whole) -> None:
    anchors = Counter(anchor for raw in whole.raw.values() for _, anchor in raw)
    assert (
        0.02
        < (anchors["more"] + anchors["here"] + anchors["see also"] + anchors["details"])
        / sum(anchors.values())
        < 0.2
    )


@pytest.mark.parametrize(("seed", "pages"), [(0, 100), (3, 100), (6, 1500)])
def test_some_hosts_lie(seed: int, pages: int) -> None:
    """Their menus speak of a topic that none of the pages behind them has."""
    whole = Whole(seed, pages)
    liars, hosts = 0, {host(url): url for url in whole.urls if url.endswith(".example/")}
    for home in hosts.values():
        menu = re.split("</nav>|</div>", whole.web.html(home) or "")[0]
        claims = [(urljoin(home, href), anchor) for href, anchor in LINK.findall(menu)]
        kept = [anchor in vocabulary(whole.labels[url]) for url, anchor in claims if whole.labels.get(url)][
            1:
        ]
        liars += bool(kept) and sum(kept) < len(kept) / 3
    assert 1 <= liars <= 0.2 * len(hosts)


def vocabulary(label: tuple[str, ...]) -> tuple[str, ...]:
    return (*VOCABULARIES[label[0]], *UNTOPICAL)


def test_menus_are_the_same_on_all_pages_of_a_host(whole: Whole) -> None:
    menus: defaultdict[str, set[str]] = defaultdict(set)
    for url in whole.urls:
        html = whole.web.html(url) or ""
        menus[host(url)].add(html.split("<body>")[1].split("<h1>")[0].split("<p>")[0])
    assert all(len(menu) == 1 for menu in menus.values())
    assert len({next(iter(menu)) for menu in menus.values()}) == len(menus)


def shingles(html: str) -> set[tuple[str, ...]]:
    words = main_text(html).split()
    return {tuple(words[n : n + 4]) for n in range(len(words) - 3)}


@pytest.mark.parametrize(("seed", "pages"), [(1, 100), (2, 100), (3, 1500)])
def test_some_pages_are_nearly_the_same_as_another(seed: int, pages: int) -> None:
    web = GeneratedWeb(seed, pages)
    titled: defaultdict[str, list[str]] = defaultdict(list)
    for url in web.urls():
        html = web.html(url) or ""
        titled[re.findall("<h1>(.*?)</h1>", html)[0]].append(url)
    near = set()
    for group in titled.values():
        texts = {url: shingles(web.html(url) or "") for url in group}
        for one in group:
            for other in group:
                likeness = len(texts[one] & texts[other]) / len(texts[one] | texts[other])
                if one != other and likeness > 0.5:
                    assert likeness < 1 and web.labels(one) == web.labels(other)
                    near.add(one)
    assert 0.02 <= len(near) / pages < 0.16  # originals are counted too


@pytest.mark.parametrize(("seed", "pages"), [(0, 100), (8, 100), (1, 1000)])
def test_some_links_are_dead_and_some_redirect(seed: int, pages: int) -> None:
    web = GeneratedWeb(seed, pages)
    links = [target for url in web.urls() for target, _ in links_of(web, url)]
    dead = [url for url in links if url not in web]
    moved = [url for url in links if web.redirect(url)]
    assert 0.005 < len(dead) / len(links) < 0.08 and 0.005 < len(moved) / len(links) < 0.08
    assert all(web.html(url) is None and web.labels(url) == () and not web.redirect(url) for url in dead)
    real = set(web.urls())
    assert all(web.html(url) is None and final(web, url) in real and url in web for url in moved)
    assert any(web.redirect(web.redirect(url) or "") for url in moved)  # moved twice
    assert all(web.labels(url) == web.labels(final(web, url)) for url in moved)


@pytest.mark.parametrize(("seed", "pages"), [(0, 100), (11, 100), (1, 1000), (2, 1_000_000)])
def test_calendars_have_no_end(seed: int, pages: int) -> None:
    web = GeneratedWeb(seed, pages)
    first = (links_of(web, web.url(number)) for number in range(min(pages, 5000)))
    day = next(target for links in first for target, anchor in links if anchor == "calendar")
    real, seen = set(islice(web.urls(), 5000)), set()
    for _ in range(800):
        assert day in web and day not in seen and day not in real and web.labels(day) == ()
        seen.add(day)
        day = next(target for target, anchor in links_of(web, day) if anchor == "next day")
    far = re.sub(r"\d+-\d+\.html", "123456789-365.html", day)
    following = next(target for target, anchor in links_of(web, far) if anchor == "next day")
    assert following in web and following.endswith("/123456790-001.html")


def test_a_calendar_has_a_first_day() -> None:
    web = GeneratedWeb(0, 100)
    origin = next(url for url in web.urls() if any(a == "calendar" for _, a in links_of(web, url)))
    first = urljoin(origin, "/calendar/2000-001.html")
    assert first in web and not any(anchor == "previous day" for _, anchor in links_of(web, first))
    assert urljoin(origin, "/calendar/1999-365.html") not in web


def test_labels_cannot_be_peeked_at(whole: Whole) -> None:
    """Pages of all topics are built alike: of the same tags, that hold but words and addresses."""
    built: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for url in whole.urls:
        for tag in re.findall("<[^>]*>", whole.web.html(url) or ""):
            built[whole.labels[url]].add(re.sub('(href|content)="[^"]*"', r'\1=""', tag))
    assert len({frozenset(tags) for tags in built.values()}) == 1
    (tags, *_) = built.values()
    assert not any("label" in tag or "topic" in tag for tag in tags)


# Fetching


def fetch(web: GeneratedWeb, url: str) -> Page | Failure:
    return asyncio.run(web.fetch(url))


def test_fetch_gives_the_page() -> None:
    web = GeneratedWeb(0, 1000)
    for number in (0, 1, 499, 999):
        url = web.url(number)
        page = fetch(web, url)
        assert isinstance(page, Page) and page.url == url
        assert page.title.lower() in (web.html(url) or "").lower()
        assert {link.target for link in page.links} == {target for target, _ in links_of(web, url)}
        assert page.language == "en" and len(page.text.split()) > 50


def test_fetch_follows_redirects() -> None:
    web = GeneratedWeb(0, 1000)
    for path in ("old/0", "go/0"):
        page = fetch(web, web.url(0) + path)
        assert isinstance(page, Page) and page.url == web.url(0)


def test_fetch_of_a_day() -> None:
    web = GeneratedWeb(0, 100)
    page = fetch(web, web.url(0) + "calendar/2024-060.html")
    assert isinstance(page, Page) and page.title.startswith("Calendar 2024, day 60")


def test_fetch_of_what_is_not_there() -> None:
    web = GeneratedWeb(0, 1000)
    gone, outside = web.url(0) + "nothing.html", "http://www.elsewhere.example/"
    assert fetch(web, gone) == Failure(gone, Why.GONE)
    assert fetch(web, outside) == Failure(outside, Why.OUTSIDE)
