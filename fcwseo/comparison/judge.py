"""Who says which pages of a web are relevant: someone other than what guides the crawlers, if possible.

A judgement is made before the crawls are looked at: the addresses of all the relevant pages of the web. So it
also says how many there are to be found.
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
"""The kinds of judges, as results name them. The last is circular: it judges by what guides the crawlers."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Says of a visited page whether it is relevant. ``pages`` are all that are, of the whole web, and
    ``subtopics`` their labels, among those that make a page relevant.
    """

    kind: str
    goes_by: tuple[str, ...]
    pages: frozenset[str]
    eta: float = 0.0
    subtopics: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def is_relevant(self, row: Row) -> bool:
        """By the crawl's own relevance, the threshold is one for all crawls, whatever each of them kept."""
        if self.kind == RELEVANCE:
            return row.relevance >= self.eta
        return (row.final_url or row.url) in self.pages


def by_labels(web: ClosedWeb, labels: tuple[str, ...]) -> Judge:
    """The pages that carry one of the labels."""
    wanted = frozenset(labels)
    carried = {url: web.labels(url) for url in web.urls()}
    known = {label for found in carried.values() for label in found}
    for label in labels:
        if label not in known:
            near = difflib.get_close_matches(label, sorted(known), n=1)
            hint = f": did you mean {near[0]!r}?" if near else "; fcwseo web info shows which there are"
            raise InvalidInput(f"no page of {web.name} carries the label {label!r}{hint}")
    subtopics = {url: own for url, found in carried.items() if (own := wanted.intersection(found))}
    return Judge(LABELS, labels, frozenset(subtopics), subtopics=subtopics)


def by_topic(web: ClosedWeb, topic: Topic, seeds: Sequence[str], *, eta: float | None) -> Judge:
    """The pages whose relevance to a topic, held out from the crawlers, is eta or more."""
    return _by_relevance(TOPIC, web, topic, TopicalRelevance(topic), seeds, eta)


def by_own_relevance(
    web: ClosedWeb, topic: Topic, seeds: Sequence[str], *, eta: float | None, relevance: str = TOPICAL
) -> Judge:
    """The pages that the crawlers call relevant: circular, for want of a better judge."""
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
    """The threshold that a crawl from all the seeds would begin with, and how it was found."""
    threshold = RunningThreshold()
    for url in dict.fromkeys(web.resolve(seed) for seed in seeds):
        if url is not None and url in relevance:
            threshold.add(relevance[url], is_seed=True)
    found = threshold.calibration()
    return found.eta, f", {found.method}"
