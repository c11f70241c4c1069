"""A strategy of one's own, beside breadth-first search: prefer links whose anchor shares a word with the
topic.

    python examples/own_strategy.py
    fcwseo compare --strategies bfs,best-first --strategy examples/own_strategy.py:AnchorFirst ...

A strategy observes visits and names the links to follow next; everything else is the engine's.
"""

from collections import deque
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import fcwseo as f
from fcwseo import Link, Page, Turns, Visit
from fcwseo.relevance import Relevance
from fcwseo_ontology import Topic


class AnchorFirst:
    """Links with a word of the topic in their anchor first, each group in the order of discovery."""

    def __init__(self, topic: Topic, relevance: Relevance, rng: Random) -> None:
        self._relevance = relevance
        self._seen: set[str] = set()
        self._promising: deque[Link] = deque()
        self._others: deque[Link] = deque()

    def observe(self, visit: Visit) -> None:
        if not isinstance(visit.outcome, Page):
            return
        self._seen.add(visit.outcome.url)
        for link in visit.outcome.links:
            if link.target not in self._seen:
                self._seen.add(link.target)
                queue = self._promising if self._relevance.of_text(link.anchor) else self._others
                queue.append(link)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        for queue in (self._promising, self._others):
            while queue and len(links) < n:
                links.append(queue.popleft())
        return links


def harvest(web: f.GeneratedWeb, strategy: str, pages: int) -> float:
    """The share of pages that the web's own labels call relevant."""
    with TemporaryDirectory() as folder:
        run = f.crawl(
            web=web,
            topic=web.topic(),
            seeds=web.seeds("rainstorm"),
            strategy=strategy,
            max_pages=pages,
            out=Path(folder, "run"),
        )
        visited = [visit.final_url for visit in run.visits if visit.final_url]
    return sum("rainstorm" in web.labels(url) for url in visited) / len(visited)


def main() -> None:
    web = f.GeneratedWeb(seed=0, pages=5000)
    print(f"breadth-first  {harvest(web, 'bfs', 400):.3f}")
    print(f"anchor-first   {harvest(web, f'{__file__}:AnchorFirst', 400):.3f}")


if __name__ == "__main__":
    main()
