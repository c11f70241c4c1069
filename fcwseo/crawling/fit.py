"""Whether seeds fit the topic of a crawl.

Before a crawl of a closed web, the seeds are compared with a sample of its pages. A live crawl compares them
with the smallest threshold as soon as all of them have an outcome.
"""

from collections.abc import Sequence
from statistics import median

import numpy as np

from fcwseo.loops import run_async
from fcwseo.pages import Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.threshold import LEAST, separation
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic

SAMPLE = 50  # pages of a closed web, evenly spaced
FEWEST = 10  # sampled pages
LEAST_AUC = 0.75  # probability that a seed is above a sampled page
CERTAIN = 0.05  # relevance of seeds that need no comparison: a whole web may be about the topic

UNFIT = "the seeds are no nearer to this topic than ordinary pages: see what matches with `fcwseo topic test`"


def seeds_fit(web: ClosedWeb, topic: Topic, seeds: Sequence[str]) -> bool:
    """Whether the seeds are nearer to the topic than other pages of the web, by our own relevance.

    >>> from fcwseo.webs.generated import GeneratedWeb
    >>> from fcwseo_ontology.topic import topic_of_words
    >>> web = GeneratedWeb(0, 300)
    >>> bees = topic_of_words("bees", {"bee": 1.0, "honey": 0.5})
    >>> [seeds_fit(web, topic, web.seeds("rainstorm")) for topic in (web.topic(), bees)]
    [True, False]
    """
    found = {web.resolve(seed) for seed in seeds}
    known = [url for url in web.urls() if url not in found]
    others = known if len(known) <= SAMPLE else [known[n * len(known) // SAMPLE] for n in range(SAMPLE)]
    ordinary = _pages(web, others)
    start = _pages(web, [url for url in web.urls() if url in found])
    if len(ordinary) < FEWEST or not start:
        return True
    relevance = TopicalRelevance(topic)
    for page in (*ordinary, *start):
        relevance(page)
    ups, downs = (np.array([relevance.of_page(page) for page in side]) for side in (start, ordinary))
    return float(np.median(ups)) >= CERTAIN or separation(ups, downs, LEAST).auc >= LEAST_AUC


def _pages(web: ClosedWeb, urls: Sequence[str]) -> list[Page]:
    async def fetched() -> list[Page]:
        found = [await web.fetch(url) for url in urls]
        return [page for page in found if isinstance(page, Page)]

    return run_async(fetched())


class SeedsWatch:
    """Watches the visits of a crawl until all seeds have an outcome.

    >>> from fcwseo.pages import Link
    >>> watch = SeedsWatch(["a", "b"])
    >>> [watch.are_off(Visit(1, Link(url, "", depth=0), Page(url), 0.001)) for url in ("a", "b", "c")]
    [False, True, False]
    """

    def __init__(self, seeds: Sequence[str]) -> None:
        self._waiting = {*seeds}
        self._relevance: list[float] = []

    def are_off(self, visit: Visit) -> bool:
        """Whether this visit is the last of the seeds, and their median page is off the topic."""
        if visit.link.target not in self._waiting:
            return False
        self._waiting.remove(visit.link.target)
        if isinstance(visit.outcome, Page):
            self._relevance.append(visit.relevance)
        return not self._waiting and bool(self._relevance) and median(self._relevance) < LEAST
