"""Names and colours of strategies in tables and figures."""

from collections.abc import Iterable

from fcwseo.strategies import ORACLE, RE_DERIVED

_NOTES = {
    "†": "re-derived: of these methods only abstracts and summaries could be read",
    "‡": "upper bound: sees the labels of the pages behind known links, and is not a crawler",
}

# Distinct with any kind of colour vision (after Okabe and Ito); the second round is dashed.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a6761d", "#5b4fc4", "#7a9a01", "#6b7280")
DASHES = ("", "7 3", "2 3", "9 3 2 3")


def label(strategy: str) -> str:
    """The name of a strategy in a figure; a user's strategy without its path.

    >>> label("examples/own_strategy.py:AnchorFirst"), label("bfs")
    ('AnchorFirst', 'bfs')
    """
    path, colon, name = strategy.rpartition(":")
    return name if colon and path.endswith(".py") else strategy


def marked(strategy: str) -> str:
    """The name with one dagger for a re-derived method, with two for an upper bound.

    >>> marked("moaco"), marked("oracle"), marked("bfs")
    ('moaco†', 'oracle‡', 'bfs')
    """
    return label(strategy) + _mark(strategy)


def _mark(strategy: str) -> str:
    return "†" if strategy in RE_DERIVED else "‡" if strategy == ORACLE else ""


def mark_notes(strategies: Iterable[str]) -> list[str]:
    """The meaning of the marks of these strategies.

    >>> mark_notes(["bfs", "oracle"])
    ['‡ upper bound: sees the labels of the pages behind known links, and is not a crawler.']
    """
    marks = {_mark(strategy) for strategy in strategies}
    return [f"{mark} {note}." for mark, note in _NOTES.items() if mark in marks]


def colour(number: int) -> str:
    """The colour of a line; the colours recur."""
    return COLOURS[number % len(COLOURS)]


def dash(number: int) -> str:
    """The dash pattern of a line; empty for the first round of colours."""
    return DASHES[number // len(COLOURS) % len(DASHES)]
