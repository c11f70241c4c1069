"""The main text of a page: which of its blocks of text belong to what the page was written for.

A block of text is long or short, and is in links or not, as in jusText (J. Pomikalek: Removing boilerplate
and duplicate content from Web corpora, 2011). Elements beside the main text are known by their names
(``names.beside``). The main text is in the smallest element that contains most of the other long blocks, as
in Readability (2009). Time is linear in the number of blocks and elements.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress, pairwise

from fcwseo.pages.html.raw_page import Block, Element
from fcwseo.pages.html.roles import HEADING_ROLES

_LONG = 60  # characters; a block at least this long is a long text
_LINKED = 0.4  # share of the characters in links from which a block is a list of links
_LEAST = 0.3  # share of the long blocks that must remain without the elements beside the main text
_DOUBTS = 6  # names that a page may use in a sense of its own
_MOST = 0.75  # share of the remaining long blocks that the main element contains
_OWN = 0.1  # the same share of the paragraphs around the main element, from which these belong to the text
_ALIKE = 0.05  # the same share of elements like the main element, from which these belong to the text
_HOLDERS = frozenset("body div section article main center form td".split())  # of whole texts
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def main_blocks(blocks: Sequence[Block], elements: Sequence[Element]) -> Sequence[Block]:
    """The blocks of the main text; all blocks if none is long.

    These are the blocks inside the main element, except lists of links and what is beside the main text. A
    heading also belongs to the main text if it stands directly above a long block of it. Short blocks with
    links, such as the path to the page, do not if they come before the first heading or long block.

    >>> elements = [(0, "", "", ""), (0, "", "div", "text"), (0, "-footer", "div", "footer")]
    >>> rain, about = ("Rain. " * 20, 0, 0, 1), ("About us. " * 20, 0, 0, 2)
    >>> main_blocks([rain, about], elements) == [rain]
    True
    """
    long = [
        linked < _LINKED * len(text) and (len(text) >= _LONG or _is_long(text))
        for text, linked, _, _ in blocks
    ]
    if True not in long:
        return blocks
    outside = _elements_beside(elements, _weights(compress(blocks, long), elements))
    rest = [block for block in compress(blocks, long) if not outside[block[3]]]
    inside = _inside(elements, _main_element(elements, rest))
    kept = [
        inside[element] and not outside[element] and linked < _LINKED * len(text)
        for text, linked, _, element in blocks
    ]
    for number, (says, below) in enumerate(pairwise(kept)):
        if below and not says and long[number + 1] and not outside[blocks[number][3]]:
            kept[number] = blocks[number][2] in HEADING_ROLES
    for number, (_, linked, role, _) in enumerate(blocks):
        if kept[number]:
            if long[number] or role in HEADING_ROLES:
                break
            kept[number] = not linked
    return list(compress(blocks, kept))


def _is_long(text: str) -> bool:
    """Whether a text is long; a Chinese character counts as three Latin ones."""
    return not text.isascii() and len(text) + 2 * len(_CHINESE.findall(text)) >= _LONG


def _weights(blocks: Iterable[Block], elements: Sequence[Element]) -> list[int]:
    """The number of characters of the blocks inside each element."""
    weights = [0] * len(elements)
    for text, _, _, element in blocks:
        weights[element] += len(text)
    for number in range(len(elements) - 1, 0, -1):  # an element comes after the one around it
        if weight := weights[number]:
            weights[elements[number][0]] += weight
    return weights


def _elements_beside(elements: Sequence[Element], weights: Sequence[int]) -> list[bool]:
    """For each element whether it is in an element beside the main text.

    If too little would remain, the page uses a name in a sense of its own: "sidebar" for its layout, or
    "comment" for the posts of a forum. The name with most text is then ignored, and so on.
    """
    ignored: list[str] = []
    while len(ignored) <= _DOUBTS:
        outside = [False] * len(elements)
        taken: dict[str, int] = {}
        for number, (parent, name, _, _) in enumerate(elements):
            if outside[parent]:
                outside[number] = True
            elif name and name not in ignored:
                outside[number] = True
                taken[name] = taken.get(name, 0) + weights[number]
        if sum(taken.values()) <= (1 - _LEAST) * weights[0]:
            return outside
        ignored.append(max(taken, key=taken.__getitem__))
    return [False] * len(elements)


def _main_element(elements: Sequence[Element], blocks: Sequence[Block]) -> int:
    """The smallest element that contains most of the long blocks.

    The search ends at an element that has paragraphs of its own, or several parts alike, such as sections.
    """
    weights = _weights(blocks, elements)
    total = weights[0]
    large = [number for number, weight in enumerate(weights) if weight >= _MOST * total]  # one in another
    own = _own_weights(elements, blocks)
    alike = _weights_alike(elements, weights, frozenset(large))
    main = 0
    for number in large[1:]:
        element = elements[number]
        if alike[_likeness(element)] - weights[number] > _ALIKE * total:
            break
        if element[2] in _HOLDERS:
            if own[main] > _OWN * total:
                break
            main = number
    return main


def _own_weights(elements: Sequence[Element], blocks: Sequence[Block]) -> Counter[int]:
    """The number of characters of the blocks that are in an element, but in no smaller holder of texts."""
    holder = list(range(len(elements)))
    for number, (parent, _, tag, _) in enumerate(elements):
        if tag not in _HOLDERS:
            holder[number] = holder[parent]
    own: Counter[int] = Counter()
    for text, _, _, element in blocks:
        own[holder[element]] += len(text)
    return own


def _weights_alike(
    elements: Sequence[Element], weights: Sequence[int], parents: frozenset[int]
) -> Counter[tuple[int, str, str]]:
    """The number of characters in parts alike of each of the parents."""
    alike: Counter[tuple[int, str, str]] = Counter()
    for element, weight in zip(elements, weights, strict=True):
        if weight and element[0] in parents:
            alike[_likeness(element)] += weight
    return alike


def _likeness(element: Element) -> tuple[int, str, str]:
    """Parts of one element are alike if they have the same tag and the same first class."""
    parent, _, tag, classes = element
    return parent, tag, classes.strip().partition(" ")[0]


def _inside(elements: Sequence[Element], main: int) -> list[bool]:
    """For each element whether it is the main element or inside it."""
    inside = [False] * len(elements)
    inside[main] = True
    for number in range(main + 1, len(elements)):
        inside[number] = inside[elements[number][0]]
    return inside
