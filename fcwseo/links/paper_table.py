"""The known web of Algorithm 1: links, their graph, and their objectives."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Floats
from fcwseo.links.frontier import Frontier
from fcwseo.links.graph import LinkGraph
from fcwseo.links.pagerank import PageRank
from fcwseo.links.paper_evidence import Evidence
from fcwseo.pages import Page, Visit
from fcwseo.relevance.paper import PaperRelevance


class KnownWeb:
    """Links and pages by the numbers of the frontier.

    The virtual page of the first visit, which links to the seeds, is in the graph. A redirect is a link. A
    seed has no parents and no anchors: it is its own parent, and its title is its anchor.
    """

    def __init__(self, relevance: PaperRelevance, *, damping: float) -> None:
        self.frontier = Frontier()
        self.graph = LinkGraph()
        self._rank = PageRank(self.graph, damping=damping)
        self._relevance = relevance
        self._evidence = Evidence(relevance)
        self._targets: dict[int, Sequence[int]] = {}

    def observe(self, visit: Visit) -> int | None:
        """Add a visit. Returns the number of its page, if there is one."""
        seen = self.frontier.observe(visit)
        page = visit.outcome
        if not isinstance(page, Page):
            return None
        if not self._targets:
            self._add(seen.page, seen.targets, [0.0] * len(seen.targets))
            return seen.page
        link = self.frontier.number(visit.link.target)
        relevance = self._relevance(page)
        self._evidence.visit(link, seen.page, relevance)
        if visit.link.depth == 0:
            self._evidence.link(seen.page, relevance, page.title)
        if link != seen.page:
            self._add(link, [seen.page], [0.0])
        anchors = self._anchors(page, seen.page)
        self._add(
            seen.page, list(anchors), [self._evidence.link(to, relevance, *anchors[to]) for to in anchors]
        )
        self._evidence.refresh()
        return seen.page

    def open_links(self, page: int) -> list[int]:
        """The open links of a page."""
        return [target for target in self._targets[page] if self.frontier.is_open(target)]

    def is_exhausted(self, page: int) -> bool:
        return not any(self.frontier.is_open(target) for target in self._targets[page])

    def rows(self, numbers: Sequence[int]) -> Floats:
        """F1 to F4 of each link; F1 is estimated if the page is unknown."""
        at: NDArray[np.int64] = np.asarray(numbers, np.int64)
        return self._evidence.rows(at, self._rank.values[at] / self._rank.largest)

    def _anchors(self, page: Page, number: int) -> dict[int, list[str]]:
        anchors: dict[int, list[str]] = {}
        for link in page.links:
            anchors.setdefault(self.frontier.number(link.target), []).append(link.anchor)
        anchors.pop(number, None)
        return anchors

    def _add(self, source: int, targets: Sequence[int], shares: Sequence[float]) -> None:
        if source not in self._targets:  # a page whose URL redirected before is already in the graph
            self.graph.add(source, targets, shares)
            self._rank.observe()
        self._targets[source] = targets
