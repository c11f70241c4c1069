"""Tables: sequences of records with a short repr, an HTML view for notebooks, and data frames."""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, TypeVar, overload

from fcwseo.errors import MissingExtra

if TYPE_CHECKING:
    import pandas

T = TypeVar("T")

_SHOWN = 10  # records shown in a notebook
_LONGEST = 120  # characters shown of a cell
_STYLE = "text-align:left;vertical-align:top;max-width:32em;overflow-wrap:anywhere"


class Table(Sequence[T]):
    """A sequence of records of one kind. An index returns a record, a slice returns a table.

    Args:
        kind: The class of the records: a struct, a dataclass or a named tuple.
        records: The records.
        times: The fields that contain times as text; in a data frame they are datetimes.

    >>> from fcwseo.crawling.seeds import RankedSeed
    >>> table = Table(RankedSeed, [RankedSeed("http://a.example/", 1, 1.5)])
    >>> table
    Table of 1 RankedSeed: url, priority, rank
    >>> table[0].priority, len(table[1:])
    (1, 0)
    """

    def __init__(self, kind: type[T], records: Iterable[T], *, times: Sequence[str] = ()) -> None:
        self._kind = kind
        self._records = list(records)
        self._times = tuple(times)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the fields."""
        return columns_of(self._kind)

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> "Table[T]": ...
    def __getitem__(self, index: int | slice) -> "T | Table[T]":
        if isinstance(index, slice):
            return Table(self._kind, self._records[index], times=self._times)
        try:
            return self._records[index]
        except TypeError:
            raise TypeError(
                f"a table has rows, not {index!r}: table[0] is a row, table.to_pandas()['url'] a column"
            ) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._records == other._records

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Table of {len(self):,} {self._kind.__name__}: {', '.join(self.columns)}"

    def _repr_html_(self) -> str:
        rows = [[getattr(record, name) for name in self.columns] for record in self._records[:_SHOWN]]
        more = f"<p>{len(self):,} records</p>" if len(self) > _SHOWN else ""
        return html_table(self.columns, rows) + more

    def to_pandas(self) -> "pandas.DataFrame":
        """The table as a data frame, a row for each record; times become datetimes.

        Returns:
            A ``pandas.DataFrame``.

        Raises:
            MissingExtra: If pandas is not installed.
        """
        try:
            import pandas
        except ImportError:
            raise MissingExtra("a data frame needs pandas: pip install 'fcwseo[pandas]'") from None
        data = {name: [getattr(record, name) for record in self._records] for name in self.columns}
        frame = pandas.DataFrame(data, columns=list(self.columns))
        for name in self._times:
            frame[name] = pandas.to_datetime(frame[name], format="ISO8601", utc=True)
        return frame


def columns_of(kind: type) -> tuple[str, ...]:
    """The fields of a struct, a dataclass or a named tuple."""
    if dataclasses.is_dataclass(kind):
        return tuple(field.name for field in dataclasses.fields(kind))
    names: tuple[str, ...] = getattr(kind, "__struct_fields__", None) or kind._fields  # type: ignore[attr-defined]
    return names


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as HTML, with all text escaped.

    >>> "<b>" in html_table(["page"], [["<b>"]])
    False
    """
    head = "".join(f"<th style='{_STYLE}'>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_facts(title: str, facts: Mapping[str, object]) -> str:
    """A heading and a table of two columns as HTML, with all text escaped.

    >>> "&lt;i&gt;" in html_facts("<i>", {})
    True
    """
    rows = "".join(f"<tr><th style='{_STYLE}'>{escape(k)}</th>{_cell(v)}</tr>" for k, v in facts.items())
    return f"<p><b>{escape(title)}</b></p><table><tbody>{rows}</tbody></table>"


def _cell(value: Any) -> str:
    text = "" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."
    return f"<td style='{_STYLE}'>{escape(short)}</td>"
