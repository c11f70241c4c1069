"""Strategies by name: built in, ``path/to/file.py:Name``, ``module:Name``, or an entry point in the group
``fcwseo.strategies``. Strategies with an encoder accept a model (``bsvsm:MODEL``).
"""

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from inspect import getdoc
from typing import NamedTuple

from fcwseo.errors import FcwseoError, InvalidStrategy
from fcwseo.evolution.radius import PATIENCE
from fcwseo.plugins import Kind, entry_points_of, load_plugin
from fcwseo.strategies import ORACLE, ORACLE_ENTRY, STRATEGIES
from fcwseo.strategies.guarded import guarded
from fcwseo.strategies.protocol import Factory
from fcwseo.strategies.rivals.semantic import MODELLED, with_model
from fcwseo.tables import Table

KIND = Kind("strategy", "fcwseo.strategies", InvalidStrategy)


class StrategyRecord(NamedTuple):
    """An entry in the list of strategies: summary, reference, requirements and package."""

    name: str
    summary: str
    reference: str
    needs: str
    package: str


def load_strategy(name: str, *, patience: float = PATIENCE) -> Factory:
    """The factory of a strategy; ``patience`` concerns strategies that choose among hosts.

    Raises:
        InvalidStrategy: If the strategy is unknown or cannot be imported.

    >>> load_strategy("bfs") is STRATEGIES["bfs"]
    True
    """
    if name in STRATEGIES:
        entry = STRATEGIES[name]
        return entry if patience == PATIENCE or entry.patient is None else entry.patient(patience)
    role, _, model = name.partition(":")
    if model and role in MODELLED:
        return with_model(role, model)
    if name == ORACLE:
        return ORACLE_ENTRY
    return guarded(load_plugin(name, KIND, STRATEGIES))


def strategies() -> Table[StrategyRecord]:
    """List all strategies: the built-in ones, then those of installed packages. Returns: A record for each
    strategy: name, summary, reference, needs ...

    >>> [record.name for record in strategies()[:3]]
    ['bfs', 'best-first', 'ops']
    """
    return Table(StrategyRecord, [*_built_in(), *_installed()])


def _built_in() -> Iterator[StrategyRecord]:
    for name, entry in {**STRATEGIES, ORACLE: ORACLE_ENTRY}.items():
        reference = f"{entry.reference}; re-derived" if entry.re_derived else entry.reference
        yield StrategyRecord(name, entry.summary, reference, entry.needs, "fcwseo")


def _installed() -> Iterator[StrategyRecord]:
    for name, point in entry_points_of(KIND).items():
        if name not in STRATEGIES:  # built-in strategies take precedence
            package = point.dist.name if point.dist else point.value.partition(".")[0].partition(":")[0]
            yield StrategyRecord(name, _summary(point), "", "", package)


def _summary(point: EntryPoint) -> str:
    """The first line of the docstring, or the error if the strategy cannot be loaded."""
    try:
        said = getdoc(load_plugin(point.name, KIND, STRATEGIES).thing)
    except FcwseoError as error:
        return str(error)
    return (said or "").partition("\n")[0]
