"""Which strategies the figures of a comparison show in colour, and which stand behind them in grey."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fcwseo.comparison.results import Results
from fcwseo.strategies import ORACLE

MOST = 8  # strategies that are all shown
DEFAULT, LOWER = "fcwseo", "bfs"
_COLOURS = 7  # that can be told apart; the eighth is grey
_GREY, _FAINT = "#6b7280", "#c3cad1"


@dataclass(frozen=True)
class Marks:
    """How strategies are drawn.

    Attributes:
        numbers: The colour of each strategy, by number.
        faint: Strategies in faint grey, without a name, until a reader clicks them.
        references: Strategies in grey, with a name: the upper and the lower bound.
    """

    numbers: dict[str, int]
    faint: frozenset[str] = field(default_factory=frozenset)
    references: frozenset[str] = field(default_factory=frozenset)

    def classes(self, name: str) -> str:
        """The classes of the elements of a strategy, for the style and the script of a page."""
        more = (" ref" if name in self.references else "") + (" rest" if name in self.faint else "")
        return f"s{self.numbers[name]}{more}"

    def is_named(self, name: str) -> bool:
        """Whether the name stands in the figures at first."""
        return name not in self.faint

    def colour(self, name: str) -> str | None:
        """The colour of a grey strategy; None for those with a colour of their own."""
        if name in self.faint:
            return _FAINT
        return _GREY if name in self.references else None

    @property
    def named(self) -> list[str]:
        """The strategies that are named at first."""
        return [name for name in self.numbers if self.is_named(name)]


def plain(names: Iterable[str]) -> Marks:
    """All in colour.

    >>> plain(["a", "b"]).classes("b")
    's1'
    """
    return Marks({name: _number(at) for at, name in enumerate(names)})


def marks_of(results: Results) -> Marks:
    """All strategies if they are few; else the default, the two best, the worst and the user's own ones."""
    return chosen_marks([row.strategy for row in results.summary])


def chosen_marks(names: Sequence[str]) -> Marks:
    """The same for strategies from the best to the worst.

    >>> marks = chosen_marks(["oracle", *"abcdefghi", "fcwseo", "mine.py:Mine", "bfs"])
    >>> marks.named
    ['oracle', 'a', 'b', 'i', 'fcwseo', 'mine.py:Mine', 'bfs']
    >>> marks.classes("oracle"), marks.classes("a"), marks.classes("c")
    ('s12 ref', 's0', 's5 rest')
    """
    references = (
        frozenset(name for name in names if name in (ORACLE, LOWER)) if len(names) > 2 else frozenset()
    )
    others = [name for name in names if name not in references]
    if len(names) <= MOST:
        shown = others
    else:
        worst = [name for name in others if name != DEFAULT and ":" not in name][-1:]
        ahead = {*others[:2], *worst, *(name for name in others if name == DEFAULT or ":" in name)}
        shown = [name for name in others if name in ahead][:_COLOURS]
    rest = [name for name in others if name not in shown]
    order = [*shown, *rest, *(name for name in names if name in references)]
    colours = {name: _number(at) for at, name in enumerate(order)}
    return Marks({name: colours[name] for name in names}, frozenset(rest), references)


def _number(at: int) -> int:
    """The number of a colour: every eighth is left out, since it is grey.

    >>> [_number(at) for at in (0, 6, 7)]
    [0, 6, 8]
    """
    return at + at // _COLOURS
