"""Who says which pages of a web are relevant: someone other than what guides the crawlers, if at all possible.

A judgement is made before the crawls are looked at: the addresses of all the relevant pages of the web. So it
also says how many there are to be found.
"""

import difflib
from collections.abc import Callable

from fcwseo.errors import InvalidInput
from fcwseo.pages import Page
from fcwseo.relevance import WordRelevance
from fcwseo.web import ClosedWeb
from fcwseo.webs import answer
from fcwseo_ontology.topic import Topic

LABELS, TOPIC, RELEVANCE = "labels", "topic", "relevance"
"""The kinds of judges, as results name them. The last is circular: it judges by what guides the crawlers."""

Judgement = frozenset[str]


def by_labels(web: ClosedWeb, labels: tuple[str, ...]) -> Judgement:
    """The pages that carry one of the labels."""
    wanted = frozenset(labels)
    carried = {url: web.labels(url) for url in web.urls()}
    known = {label for found in carried.values() for label in found}
    for label in labels:
        if label not in known:
            near = difflib.get_close_matches(label, sorted(known), n=1)
            hint = f": did you mean {near[0]!r}?" if near else "; fcwseo web info shows which there are"
            raise InvalidInput(f"no page of {web.name} carries the label {label!r}{hint}")
    return frozenset(url for url, found in carried.items() if not wanted.isdisjoint(found))


def by_topic(web: ClosedWeb, topic: Topic, *, eta: float) -> Judgement:
    """The pages whose relevance to the topic is eta or more."""
    return _by_relevance(web, WordRelevance(topic), eta)


def _by_relevance(web: ClosedWeb, relevance: Callable[[Page], float], eta: float) -> Judgement:
    pages = (answer(web, url) for url in web.urls())
    return frozenset(page.url for page in pages if isinstance(page, Page) and relevance(page) >= eta)
