"""Whether exploring pays if relevant pages form separate clusters: harvest area on generated webs.

    python benchmarks/clusters.py [--kinds easy tunnel lie hub] [--seeds 4] [--strategies ...] [--pages 2000]

Each web has about 20,000 pages on 300 hosts; 30 hosts are relevant, ten clusters of three. A cluster is
reached only by tunnels: a page of another cluster -> a page of an ordinary host -> one of another ordinary
host -> the cluster. A crawl starts from five pages of one cluster. Kinds of webs: ``easy`` (one cluster of 30
hosts), ``tunnel``, ``lie`` (anchors of links to 15 % of the ordinary hosts name the topic), ``hub`` (some
ordinary pages link to many relevant pages of several clusters), ``unequal`` (one cluster, of hosts that
differ in size and in the share of their pages on topic). All webs are generated independently.

The webs are ours and make hosts the unit of a cluster, which suits exploring: a gain here shows that
exploring works on such webs, not that real webs are like this. URLs contain no information, and there are no
lists. ``clusters`` is the share of clusters of which a tenth of the pages was fetched. The last strategy is
compared with the others by Student's t over kinds of webs, whose webs are averaged.
"""

import argparse
import asyncio
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import exp, log
from random import Random

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: the crawls already share the cores

import numpy as np
from ablations import ABLATIONS, relevance_for

from fcwseo.comparison.statistics import compare_all
from fcwseo.crawling.engine import Window, crawl
from fcwseo.crawling.metrics import harvest_area
from fcwseo.pages import Failure, Link, Page, Visit, Why
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies.loading import load_strategy
from fcwseo.webs.generated.words import ENGLISH, VAGUE, VOCABULARIES
from fcwseo_ontology.load import load_topic

KINDS = ("easy", "tunnel", "lie", "hub", "unequal")
ONE = ("easy", "unequal")  # kinds of webs with one cluster
HOSTS, RELEVANT, CLUSTERS = 300, 30, 10
SIZES = (50, 84)  # pages of a host
ON_TOPIC = 0.9  # of the pages of a relevant host
UNEQUAL_SIZES = (25, 600)  # of the hosts of unequal webs, by the logarithm
UNEQUAL_SHARES = (0.15, 0.9)  # of the pages of a relevant host of an unequal web that are on topic
LIARS = 0.15  # of the ordinary hosts
FRIENDS = 8  # ordinary hosts that a host links to
BRANCH, IN_HOST, IN_CLUSTER, TO_FRIENDS = 4, 4, 3, 3  # links; the first make a tree of each host
TUNNELS, ENTRANCES, EXITS = 6, 4, 3  # out of each cluster; pages that a tunnel begins and ends with
HUBS, HUB_CLUSTERS, HUB_PAGES = 40, 4, 5  # clusters that a hub links to, and pages of each
LENGTHS = (100, 200)  # words of a page
FOCUS, THEME, STRAY = (0.1, 0.3), 0.2, 0.005  # shares of the page's own words, its host's, and the topic's
PLAIN = 0.25  # share of anchors without information
NEAR = 15  # words on each side of an anchor that are its context

TOPIC = load_topic("rainstorm")
TOPICAL = tuple(word.word for word in TOPIC.words)
IS_TOPICAL = TopicalRelevance(TOPIC).of_text  # above 0 for every page with a word of the topic
PLAIN_WORDS, *THEMES = (
    [word for word in words if not IS_TOPICAL(word)]
    for words in (ENGLISH, *(words for name, words in VOCABULARIES.items() if name != "rainstorm"))
)


@dataclass(frozen=True, slots=True)
class Host:
    number: int
    pages: range
    theme: list[str]
    cluster: int | None  # None: an ordinary host
    lies: bool


@dataclass(frozen=True, slots=True)
class Crawled:
    kind: str
    seed: int
    strategy: str
    area: float
    clusters: float


class ClusterWeb:
    """Hosts, pages and links are generated at once, texts on demand. Pages are numbered."""

    def __init__(self, kind: str, seed: int) -> None:
        self._key = f"{kind} {seed}"
        rng = Random(self._key)
        hosts = _hosts(kind, rng)
        self._host = [host for host in hosts for _ in host.pages]
        self._urls = [f"http://site{host.number}.example/n{page}" for page, host in enumerate(self._host)]
        self._pages = {url: page for page, url in enumerate(self._urls)}
        ordinary = [host for host in hosts if host.cluster is None]
        members: list[list[int]] = [[] for _ in range(1 if kind in ONE else CLUSTERS)]
        for host in hosts:
            if host.cluster is not None:
                share = rng.uniform(*UNEQUAL_SHARES) if kind == "unequal" else ON_TOPIC
                members[host.cluster] += [page for page in host.pages if rng.random() < share]
        self._relevant = {page for cluster in members for page in cluster}
        self._links = _links(hosts, ordinary, rng)
        if kind not in ONE:
            _dig(self._links, ordinary, members, rng)
        if kind == "hub":
            _add_hubs(self._links, ordinary, members, rng)
        self.clusters = [{self._urls[page] for page in cluster} for cluster in members]  # relevant pages
        self.seeds = [self._urls[page] for page in rng.sample(members[0], 5)]

    def urls(self) -> Iterator[str]:
        return iter(self._urls)

    def resolve(self, url: str) -> str | None:
        return url if url in self._pages else None

    async def fetch(self, url: str) -> Page | Failure:
        page = self._pages.get(url)
        return Failure(url, Why.OUTSIDE) if page is None else self._page(page)

    def _page(self, page: int) -> Page:
        """The words of a page, with its links at equal distances."""
        url, rng = self._urls[page], Random(f"{self._key} text {page}")
        words, targets = self._words(page, rng), list(dict.fromkeys(self._links[page]))
        rng.shuffle(targets)  # the position of a link does not reveal a tunnel
        links, text = [], []
        for position, target in enumerate(targets):
            begin, end = (len(words) * n // len(targets) for n in (position, position + 1))
            anchor = rng.choice(VAGUE) if rng.random() < PLAIN else self._name(target)
            around = (*words[max(0, begin - NEAR) : begin], anchor, *words[begin : begin + NEAR])
            links.append(Link(self._urls[target], url, anchor, " ".join(around), position, "p"))
            text += [anchor, *words[begin:end]]
        title, body = " ".join(self._focus(page)[:2]), " ".join(text)
        return Page(url, title, body, tuple(links), groups=(title, "", "", "", body), language="en")

    def _words(self, page: int, rng: Random) -> list[str]:
        own = rng.uniform(*FOCUS)
        pools = (self._focus(page), self._host[page].theme, TOPICAL, PLAIN_WORDS)
        shares = (own, THEME, STRAY, 1 - own - THEME - STRAY)
        drawn = rng.choices(pools, shares, k=rng.randint(*LENGTHS))
        return [pool[int(len(pool) * rng.random() ** 2)] for pool in drawn]  # the first words most often

    def _focus(self, page: int) -> list[str]:
        """The focus of a page: words of the topic, or of the theme of its host."""
        words = TOPICAL if page in self._relevant else self._host[page].theme
        return Random(f"{self._key} focus {page}").sample(words, 12)

    def _name(self, page: int) -> str:
        """The text of informative anchors of a page: its title, unless its host is misleading."""
        lie = Random(f"{self._key} lie {page}").sample(TOPICAL, 2)
        return " ".join(lie if self._host[page].lies else self._focus(page)[:2])


def _hosts(kind: str, rng: Random) -> list[Host]:
    """The pages in an order that does not reveal the relevant ones."""
    clusters = 1 if kind in ONE else CLUSTERS
    places = [n % clusters if n < RELEVANT else None for n in range(HOSTS)]
    rng.shuffle(places)
    hosts, start = [], 0
    for number, cluster in enumerate(places):
        pages = range(start, start + _size(kind, rng))
        lies = kind == "lie" and cluster is None and rng.random() < LIARS
        hosts.append(Host(number, pages, rng.choice(THEMES), cluster, lies))
        start = pages.stop
    return hosts


def _size(kind: str, rng: Random) -> int:
    """The number of pages of a host."""
    if kind != "unequal":
        return rng.randint(*SIZES)
    least, most = map(log, UNEQUAL_SIZES)
    return round(exp(rng.uniform(least, most)))


def _links(hosts: list[Host], ordinary: list[Host], rng: Random) -> list[list[int]]:
    """The links of all pages, except tunnels and hubs: no link leads into a cluster from outside."""
    links = []
    for host in hosts:
        friends = rng.sample([other for other in ordinary if other is not host], FRIENDS)
        allies = [other for other in hosts if other.cluster == host.cluster and other is not host]
        near, far = (0, TO_FRIENDS) if host.cluster is None else (IN_CLUSTER, 1)
        for local, page in enumerate(host.pages):
            others = [*rng.choices(allies, k=near), *rng.choices(friends, k=far)]
            targets = [host.pages[0], *host.pages[BRANCH * local + 1 : BRANCH * local + 1 + BRANCH]]
            targets += rng.choices(host.pages, k=IN_HOST) + [rng.choice(other.pages) for other in others]
            rng.shuffle(targets)
            links.append([target for target in targets if target != page])
    return links


def _dig(links: list[list[int]], ordinary: list[Host], clusters: list[list[int]], rng: Random) -> None:
    """Tunnels, one from each cluster to the next, the others to any."""
    for here, cluster in enumerate(clusters):
        others = [there for there in range(len(clusters)) if there != here]
        ends = [(here + 1) % len(clusters), *rng.choices(others, k=TUNNELS - 1)]
        for end in ends:
            first, second = (rng.choice(host.pages) for host in rng.sample(ordinary, 2))
            for page in rng.sample(cluster, ENTRANCES):
                links[page].append(first)
            links[first].append(second)
            links[second] += rng.sample(clusters[end], EXITS)


def _add_hubs(links: list[list[int]], ordinary: list[Host], clusters: list[list[int]], rng: Random) -> None:
    for host in rng.sample(ordinary, HUBS):
        hub = links[rng.choice(host.pages)]
        for cluster in rng.sample(clusters, HUB_CLUSTERS):
            hub += rng.sample(cluster, HUB_PAGES)


made_web = lru_cache(1)(ClusterWeb)


def run(kind: str, seed: int, strategy: str, pages: int) -> Crawled:
    web, relevance = made_web(kind, seed), relevance_for(strategy, TOPIC)
    visits: list[Visit] = []
    chosen = (ABLATIONS.get(strategy) or load_strategy(strategy))(TOPIC, relevance, Random(seed))
    window = Window(chosen, web.seeds, relevance=relevance, budget=pages, width=1)
    asyncio.run(crawl(web, window, record=visits.append))
    found = [visit.outcome.url for visit in visits if isinstance(visit.outcome, Page)]
    reached = [10 * len(cluster.intersection(found)) >= len(cluster) for cluster in web.clusters]
    relevant = set().union(*web.clusters)
    area = harvest_area([url in relevant for url in found], budget=pages)
    return Crawled(kind, seed, strategy, area, sum(reached) / len(reached))


def table(rows: Sequence[Crawled], strategies: Sequence[str], kinds: Sequence[str]) -> None:
    def mean(strategy: str, kind: str, key: str = "area") -> float:
        return float(np.mean([getattr(r, key) for r in rows if (r.strategy, r.kind) == (strategy, kind)]))

    best = strategies[-1]
    areas = {name: {(r.kind, r.seed, 0): r.area for r in rows if r.strategy == name} for name in strategies}
    versus = compare_all(areas, {})[best]
    heads = ["strategy", *kinds, "mean", f"{best} / it", "difference", "p", "clusters"]
    print(f"| {' | '.join(heads)} |")
    print("|---" * len(heads) + "|")
    for name in strategies:
        cells = [mean(name, kind) for kind in kinds]
        ratio = np.mean([mean(best, kind) / max(mean(name, kind), 1e-9) for kind in kinds])
        against = ("", "")
        if name in versus:
            found = versus[name]
            low, high = found.difference.low, found.difference.high
            p = "not tested" if found.p is None else f"{found.p:.3f}"
            against = (f"{found.difference.mean:+.3f} [{low:+.3f}, {high:+.3f}]", p)
        clusters = " ".join(f"{mean(name, kind, 'clusters'):.2f}" for kind in kinds)
        figures = [f"{cell:.3f}" for cell in (*cells, np.mean(cells), ratio)]
        print(f"| {' | '.join([name, *figures, *against, clusters])} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="*", choices=KINDS, default=KINDS)
    parser.add_argument("--seeds", type=int, default=4)
    compared = ["ops", "greedy", "alternating-by-chance", "fcwseo"]
    parser.add_argument("--strategies", nargs="*", default=compared)
    parser.add_argument("--pages", type=int, default=2000)
    given = parser.parse_args()
    runs = product(given.kinds, range(given.seeds), given.strategies, [given.pages])
    with ProcessPoolExecutor() as pool:
        rows = list(pool.map(run, *zip(*runs, strict=True)))
    table(rows, given.strategies, given.kinds)


if __name__ == "__main__":
    main()
