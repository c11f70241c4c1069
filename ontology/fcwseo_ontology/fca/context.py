"""Formal contexts: which object has which attribute.

B. Ganter, R. Wille, Formal Concept Analysis: Mathematical Foundations. Springer, 1999. Sets of objects and
sets of attributes are Python integers, bit ``i`` standing for the ``i``-th of them, so that an intersection
is one ``&``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from fcwseo_ontology.bits import bits
from fcwseo_ontology.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Context:
    """``rows[i]`` holds the attributes of object ``i``; ``columns[j]`` the objects that have attribute ``j``.

    >>> table = Context.of({"D1": ["T1", "T2", "T4"], "D2": ["T2", "T3", "T4"], "D3": ["T1", "T2", "T3"]})
    >>> table.attributes, table.rows
    (('T1', 'T2', 'T4', 'T3'), (7, 14, 11))
    >>> table.names_of_objects(table.extent(0b100))
    ('D1', 'D2')
    """

    objects: tuple[str, ...]
    attributes: tuple[str, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.rows) != len(self.objects):
            raise InvalidInput(
                f"a context of {len(self.objects)} objects needs as many rows: got {len(self.rows)}"
            )
        for kind, names in (("object", self.objects), ("attribute", self.attributes)):
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise InvalidInput(
                    f"the {kind} {twice!r} stands twice in the context: give each another name"
                )
        for row in self.rows:
            if row < 0 or row >> len(self.attributes):
                raise InvalidInput(
                    f"a row names an attribute beyond the {len(self.attributes)} of the context"
                )
        object.__setattr__(self, "columns", _transposed(self.rows, len(self.attributes)))

    @classmethod
    def of(cls, incidence: Mapping[str, Iterable[str]], *, attributes: Sequence[str] = ()) -> Self:
        """The context of ``{object: its attributes}``: documents and terms, or terms and features.

        With ``attributes`` only these count, in this order; without, all, as they come.
        """
        columns = dict.fromkeys(attributes or (name for names in incidence.values() for name in names))
        masks = {name: 1 << position for position, name in enumerate(columns)}
        rows = tuple(_union(masks.get(name, 0) for name in names) for names in incidence.values())
        return cls(tuple(incidence), tuple(columns), rows)

    @classmethod
    def of_postings(cls, objects: Sequence[str], postings: Mapping[str, Iterable[int]]) -> Self:
        """The context of an inverted index ``{attribute: positions of the objects that have it}``.

        >>> Context.of_postings(["D1", "D2"], {"T1": [0], "T2": [0, 1]}).rows
        (3, 2)
        """
        rows = [0] * len(objects)
        for position, members in enumerate(postings.values()):
            for member in members:
                rows[member] |= 1 << position
        return cls(tuple(objects), tuple(postings), tuple(rows))

    @property
    def all_objects(self) -> int:
        return (1 << len(self.objects)) - 1

    @property
    def all_attributes(self) -> int:
        return (1 << len(self.attributes)) - 1

    def extent(self, attributes: int) -> int:
        """The objects that have all of the attributes."""
        objects = self.all_objects
        for position in bits(attributes):
            objects &= self.columns[position]
        return objects

    def intent(self, objects: int) -> int:
        """The attributes that all of the objects have."""
        attributes = self.all_attributes
        for position in bits(objects):
            attributes &= self.rows[position]
        return attributes

    def names_of_objects(self, objects: int) -> tuple[str, ...]:
        return tuple(self.objects[position] for position in bits(objects))

    def names_of_attributes(self, attributes: int) -> tuple[str, ...]:
        return tuple(self.attributes[position] for position in bits(attributes))


def _union(masks: Iterable[int]) -> int:
    result = 0
    for mask in masks:
        result |= mask
    return result


def _transposed(rows: Sequence[int], width: int) -> tuple[int, ...]:
    # Bytes that are changed in place: setting single bits of long integers would copy them each time.
    columns = [bytearray(len(rows) // 8 + 1) for _ in range(width)]
    for i, row in enumerate(rows):
        for j in bits(row):
            columns[j][i >> 3] |= 1 << (i & 7)
    return tuple(int.from_bytes(column, "little") for column in columns)
