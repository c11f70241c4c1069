"""Sets of small numbers as the bits of one long integer: documents of a term, attributes of an object."""

from collections.abc import Iterator


def bits(mask: int) -> Iterator[int]:
    """The positions of the bits that are set, lowest first.

    >>> list(bits(0b1101))
    [0, 2, 3]
    """
    text = bin(mask)
    last = len(text) - 1
    place = text.rfind("1")
    while place > 1:
        yield last - place
        place = text.rfind("1", 0, place)
