"""A relevance of one's own: how much of the topic a page names early, by the weights of the words.

    python examples/own_relevance.py
    fcwseo crawl --relevance examples/own_relevance.py:NamedEarly ...
    fcwseo compare --relevance examples/own_relevance.py:NamedEarly ...

A relevance is made of the topic, and is called with each page that was fetched.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import fcwseo as f
from fcwseo import Page
from fcwseo_ontology import Topic

EARLY = 500  # characters


class NamedEarly:
    """The share of the topic's weight that the title and the first characters of a page name."""

    def __init__(self, topic: Topic) -> None:
        self._weights = topic.weights
        self._all = sum(self._weights.values())

    def __call__(self, page: Page) -> float:
        text = f"{page.title} {page.text[:EARLY]}".lower()
        return sum(weight for word, weight in self._weights.items() if word in text) / self._all


def main() -> None:
    web = f.GeneratedWeb(seed=0, pages=5000)
    for relevance in ("topical", f"{__file__}:NamedEarly"):
        with TemporaryDirectory() as folder:
            run = f.crawl(
                web=web,
                topic=web.topic(),
                seeds=web.seeds("rainstorm"),
                relevance=relevance,
                max_pages=400,
                out=Path(folder, "run"),
            )
            kept = [page.final_url for page in run.pages]
        right = sum("rainstorm" in web.labels(url) for url in kept)
        print(f"{relevance.rpartition(':')[2]:12} kept {len(kept)}, {right} of them on the topic")


if __name__ == "__main__":
    main()
