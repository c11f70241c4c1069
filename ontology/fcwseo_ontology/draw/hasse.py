"""A Hasse diagram for the page: the concepts of a lattice and their cover relation."""

from collections.abc import Sequence
from dataclasses import dataclass

from fcwseo_ontology.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class HasseNode:
    """A formal concept: its objects and their common attributes, as labels."""

    extent: tuple[str, ...]
    intent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hasse:
    """Formal concepts and the cover relation as pairs of indices, the lower (smaller extent) first."""

    nodes: tuple[HasseNode, ...]
    covers: tuple[tuple[int, int], ...]


def levels(hasse: Hasse) -> list[int]:
    """The depth of each concept below the top, by the longest path.

    >>> nodes = HasseNode(("x", "y"), ()), HasseNode(("x",), ("m",)), HasseNode((), ("m", "n"))
    >>> levels(Hasse(nodes, ((2, 1), (1, 0))))
    [0, 1, 2]
    """
    uppers = neighbours(len(hasse.nodes), hasse.covers)
    lowers = neighbours(len(hasse.nodes), [(upper, lower) for lower, upper in hasse.covers])
    waiting = [len(above) for above in uppers]
    level = [0] * len(hasse.nodes)
    ready = [node for node, above in enumerate(waiting) if not above]
    for upper in ready:
        for lower in lowers[upper]:
            level[lower] = max(level[lower], level[upper] + 1)
            waiting[lower] -= 1
            if not waiting[lower]:
                ready.append(lower)
    if len(ready) < len(hasse.nodes):
        raise InvalidInput("the covers of the Hasse diagram form a cycle: give each pair as (lower, upper)")
    return level


def reduced(hasse: Hasse) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The labels of each concept: objects of no lower concept, attributes of no upper concept."""
    above = neighbours(len(hasse.nodes), hasse.covers)
    below = neighbours(len(hasse.nodes), [(upper, lower) for lower, upper in hasse.covers])
    labels = []
    for node, uppers, lowers in zip(hasse.nodes, above, below, strict=True):
        objects = {item for lower in lowers for item in hasse.nodes[lower].extent}
        attributes = {item for upper in uppers for item in hasse.nodes[upper].intent}
        own_objects = tuple(item for item in node.extent if item not in objects)
        labels.append((own_objects, tuple(item for item in node.intent if item not in attributes)))
    return labels


def neighbours(count: int, pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The neighbours of each concept, above and below."""
    near: list[list[int]] = [[] for _ in range(count)]
    for one, other in pairs:
        if not (0 <= one < count and 0 <= other < count):
            raise InvalidInput(
                f"the cover ({one}, {other}) names a concept that the Hasse diagram does not have"
            )
        near[one].append(other)
    return near
