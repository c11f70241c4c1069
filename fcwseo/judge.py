"""Who says which pages of a web are relevant: someone other than what guides the crawlers, if possible.

A judgement is made before the crawls are looked at: the addresses of all the relevant pages of the web. So it
also says how many there are to be found.
"""

import difflib
from dataclasses import dataclass

from fcwseo.crawling import crawl_relevance
from fcwseo.errors import InvalidInput
from fcwseo.pages import Page
from fcwseo.relevance import Relevance, TopicalRelevance
from fcwseo.runlog import Row
from fcwseo.web import ClosedWeb
from fcwseo.webs import answer
from fcwseo_ontology.topic import Topic

LABELS, TOPIC, RELEVANCE = "labels", "topic", "relevance"
"""The kinds of judges, as results name them. The last is circular: it judges by what guides the crawlers."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Says of a visited page whether it is relevant. ``pages`` are all that are, of the whole web."""

    kind: str
    goes_by: tuple[str, ...]
    pages: frozenset[str]

    def is_relevant(self, row: Row) -> bool:
        return row.kept if self.kind == RELEVANCE else (row.final_url or row.url) in self.pages


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
    pages = frozenset(url for url, found in carried.items() if not wanted.isdisjoint(found))
    return Judge(LABELS, labels, pages)


def by_topic(web: ClosedWeb, topic: Topic, *, eta: float) -> Judge:
    """The pages whose relevance to a topic, held out from the crawlers, is eta or more."""
    return Judge(
        TOPIC, (f"{topic.name}, relevance from {eta}",), _relevant(web, TopicalRelevance(topic), eta)
    )


def by_own_relevance(web: ClosedWeb, topic: Topic, *, eta: float) -> Judge:
    """The pages that the crawlers keep: circular, for want of a better judge."""
    pages = _relevant(web, crawl_relevance(topic), eta)
    return Judge(RELEVANCE, (f"{topic.name}, relevance from {eta}",), pages)


def _relevant(web: ClosedWeb, relevance: Relevance, eta: float) -> frozenset[str]:
    pages = (answer(web, url) for url in web.urls())
    return frozenset(page.url for page in pages if isinstance(page, Page) and relevance(page) >= eta)
