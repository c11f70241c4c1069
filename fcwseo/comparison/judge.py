"""Judges, which decide which pages of a web are relevant, independently of the crawlers if possible.

The relevant pages of the whole web are determined before the crawls, so their number is known as well.
"""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fcwseo.crawling.run_directory.log import Row
from fcwseo.errors import InvalidInput
from fcwseo.pages import Page
from fcwseo.relevance import Relevance, TopicalRelevance, load_relevance
from fcwseo.relevance.loading import TOPICAL
from fcwseo.relevance.threshold import RunningThreshold
from fcwseo.webs.opening import answer
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic

LABELS, TOPIC, RELEVANCE = "labels", "topic", "relevance"
"""The kinds of judges in results. The last is circular: it judges by the relevance of the crawlers."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Decides whether a visited page is relevant. ``pages`` are all relevant pages of the web, and
    ``subtopics`` their labels, among those that make a page relevant.
    """

    kind: str
    goes_by: tuple[str, ...]
    pages: frozenset[str]
    eta: float = 0.0
    subtopics: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def is_relevant(self, row: Row) -> bool:
        """Whether a visited page is relevant. If judged by the crawl's relevance, all crawls have the same
        threshold.
        """
        if self.kind == RELEVANCE:
            return row.relevance >= self.eta
        return (row.final_url or row.url) in self.pages


def by_labels(web: ClosedWeb, labels: tuple[str, ...]) -> Judge:
    """The pages with one of the labels."""
    wanted = frozenset(labels)
    carried = {url: web.labels(url) for url in web.urls()}
    known = {label for found in carried.values() for label in found}
    for label in labels:
        if label not in known:
            near = difflib.get_close_matches(label, sorted(known), n=1)
            hint = f": did you mean {near[0]!r}?" if near else "; fcwseo web info lists the labels"
            raise InvalidInput(f"no page of {web.name} has the label {label!r}{hint}")
    subtopics = {url: own for url, found in carried.items() if (own := wanted.intersection(found))}
    return Judge(LABELS, labels, frozenset(subtopics), subtopics=subtopics)


def by_topic(web: ClosedWeb, topic: Topic, seeds: Sequence[str], *, eta: float | None) -> Judge:
    """The pages with a relevance of at least eta to a topic held out from the crawlers."""
    return _by_relevance(TOPIC, web, topic, TopicalRelevance(topic), seeds, eta)


def by_own_relevance(
    web: ClosedWeb, topic: Topic, seeds: Sequence[str], *, eta: float | None, relevance: str = TOPICAL
) -> Judge:
    """The pages that are relevant by the crawlers' own relevance, which is circular."""
    return _by_relevance(RELEVANCE, web, topic, load_relevance(relevance)(topic, None), seeds, eta)


def _by_relevance(
    kind: str, web: ClosedWeb, topic: Topic, relevance: Relevance, seeds: Sequence[str], eta: float | None
) -> Judge:
    pages = (answer(web, url) for url in web.urls())
    found = {page.url: relevance(page) for page in pages if isinstance(page, Page)}
    bar, how = (eta, "") if eta is not None else _from_seeds(web, found, seeds)
    relevant = frozenset(url for url, value in found.items() if value >= bar)
    return Judge(kind, (f"{topic.name}, relevance from {bar:.4g}{how}",), relevant, bar)


def _from_seeds(web: ClosedWeb, relevance: Mapping[str, float], seeds: Sequence[str]) -> tuple[float, str]:
    """The initial threshold of a crawl from all the seeds, and its method."""
    threshold = RunningThreshold()
    for url in dict.fromkeys(web.resolve(seed) for seed in seeds):
        if url is not None and url in relevance:
            threshold.add(relevance[url], is_seed=True)
    found = threshold.calibration()
    return found.eta, f", {found.method}"
