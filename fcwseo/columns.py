"""Growable columns of numbers, and names for array types."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

Floats = NDArray[np.float64]
AnyFloats = NDArray[np.floating[Any]]  # single or double
Rows = NDArray[np.intp]  # row numbers of a table


class Column:
    """An array that grows at its end, at amortised constant cost per value.

    ``values`` may be changed in place. Growing replaces it by another array.

    >>> column = Column(np.int32)
    >>> column.extend([3, 1])
    >>> column.extend([4])
    >>> column.values
    array([3, 1, 4], dtype=int32)
    """

    def __init__(self, dtype: DTypeLike) -> None:
        self._room: NDArray[Any] = np.empty(16, dtype)
        self.values = self._room[:0]

    def extend(self, values: ArrayLike) -> None:
        """Append values."""
        values = np.asarray(values)
        before = len(self.values)
        size = before + values.size
        if size > self._room.size:
            room = np.empty(max(size, 2 * self._room.size), self._room.dtype)
            room[:before] = self.values
            self._room = room
        self._room[before:size] = values
        self.values = self._room[:size]

    def fill(self, size: int, value: float) -> None:
        """Append ``value`` until the column has at least ``size`` values."""
        if size > len(self.values):
            self.extend(np.full(size - len(self.values), value, self._room.dtype))
