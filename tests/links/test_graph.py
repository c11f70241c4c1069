"""Distances in the graph of links, against a search written out."""

from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fcwseo.links.graph import LinkGraph

Links = dict[int, list[int]]


def webs(*, pages: int = 12) -> st.SearchStrategy[Links]:
    """Links by page; a page may link to itself, or to none."""
    numbers = st.integers(0, pages - 1)
    return st.dictionaries(numbers, st.lists(numbers, unique=True, max_size=4), max_size=pages)


def graph_of(links: Links) -> LinkGraph:
    graph = LinkGraph()
    for source, targets in links.items():
        graph.add(source, targets, [0.5] * len(targets))
    return graph


def from_one(links: Links, source: int) -> dict[int, int]:
    near: dict[int, set[int]] = {}
    for here, targets in links.items():
        for there in targets:
            near.setdefault(here, set()).add(there)
            near.setdefault(there, set()).add(here)
    found, queue = {source: 0}, deque([source])
    while queue:
        here = queue.popleft()
        for there in near.get(here, set()) - found.keys():
            found[there] = found[here] + 1
            queue.append(there)
    return found


def by_definition(links: Links, sources: list[int], size: int) -> tuple[list[int], list[int]]:
    each = [from_one(links, source) for source in sources]
    pairs = []
    for page in range(size):
        ways = [(found[page], place) for place, found in enumerate(each) if page in found]
        pairs.append(min(ways, default=(-1, -1)))
    return [distance for distance, _ in pairs], [place for _, place in pairs]


@given(webs(), st.lists(st.integers(0, 11), max_size=4))
def test_the_nearest_source(links: Links, sources: list[int]) -> None:
    graph = graph_of(links)
    sources = [source for source in sources if source < graph.size]
    found = graph.nearest(sources)
    assert (found.distance.tolist(), found.source.tolist()) == by_definition(links, sources, graph.size)
    assert graph.distances(sources).tolist() == found.distance.tolist()


@given(webs(), st.integers(0, 4))
def test_no_farther_than_asked(links: Links, within: int) -> None:
    graph = graph_of({99: [0], **links})
    everywhere = graph.nearest([0])
    some = graph.nearest([0], within=within)
    inside = everywhere.distance <= within
    assert some.distance.tolist() == np.where(inside, everywhere.distance, -1).tolist()
    assert some.source.tolist() == np.where(inside, everywhere.source, -1).tolist()


@given(webs())
def test_a_graph_that_grows_between_searches(links: Links) -> None:
    """The index of incoming links is older than the graph, and nothing is missed."""
    graph, so_far = LinkGraph(), dict[int, list[int]]()
    for source, targets in links.items():
        graph.add(source, targets, [0.0] * len(targets))
        so_far[source] = targets
        expected, _ = by_definition(so_far, [source], graph.size)
        assert graph.distances([source]).tolist() == expected


def test_a_large_graph_that_grows_between_searches() -> None:
    chance = np.random.default_rng(0)
    graph, links = LinkGraph(), dict[int, list[int]]()
    for source in range(300):
        links[source] = np.unique(chance.integers(0, 2 * source + 2, 3)).tolist()
        graph.add(source, links[source], [0.0] * len(links[source]))
        if source % 20 == 0:
            sources = [source, source // 2]
            expected, which = by_definition(links, sources, graph.size)
            assert graph.distances(sources).tolist() == expected
            assert graph.nearest(sources).source.tolist() == which


def test_links_are_followed_backwards() -> None:
    assert graph_of({0: [2], 1: [2], 3: [4]}).distances([0]).tolist() == [0, 2, 1, -1, -1]


def test_of_equally_near_sources_the_first_counts() -> None:
    graph = graph_of({0: [1], 2: [1]})
    assert graph.nearest([2, 0]).source.tolist() == [1, 0, 0]
    assert graph.nearest([0, 2, 0]).source.tolist() == [0, 0, 1]


def test_no_sources_and_no_pages() -> None:
    assert graph_of({0: [1]}).distances([]).tolist() == [-1, -1]
    assert LinkGraph().distances([]).tolist() == []


@pytest.mark.parametrize("source", [-1, 2])
def test_a_source_must_be_known(source: int) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        graph_of({0: [1]}).distances([source])


@pytest.mark.parametrize(
    ("source", "targets", "shares", "wrong"),
    [
        (1, [2, 3], [0.5], "2 links and 1 relevances"),
        (1, [2], [1.5], "outside 0 to 1"),
        (1, [2], [float("nan")], "outside 0 to 1"),
        (1, [2, 2], [0.5, 0.5], "twice"),
        (1, [-2], [0.5], "numbered from 0"),
        (-1, [2], [0.5], "numbered from 0"),
        (0, [2], [0.5], "already"),
    ],
)
def test_a_refused_page_leaves_the_graph_as_it_was(
    source: int, targets: list[int], shares: list[float], wrong: str
) -> None:
    graph = graph_of({0: [1]})
    with pytest.raises(ValueError, match=wrong):
        graph.add(source, targets, shares)
    assert (graph.size, graph.pages.tolist(), graph.targets.tolist()) == (2, [0], [1])
    graph.add(1, [2], [0.5])
    assert graph.distances([0]).tolist() == [0, 1, 2]


def test_links_stand_with_their_pages() -> None:
    graph = LinkGraph()
    graph.add(0, [1, 2], [0.25, 0.5])
    graph.add(2, [], [])
    graph.add(1, [0], [1.0])
    assert graph.pages.tolist() == [0, 2, 1]
    assert graph.ends.tolist() == [0, 2, 2, 3]
    assert graph.targets.tolist() == [1, 2, 0]
    assert graph.shares.tolist() == [0.25, 0.5, 1.0]
