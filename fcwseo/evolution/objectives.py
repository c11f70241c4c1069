"""The objectives of a seat: its value, the good links that wait at its host, and the novelty of the host.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, sections 5.4 and 6.1.

The paper has four objectives of a link (``fcwseo.evolution.paper_objectives``); the value of a link is
predicted from them and from all other evidence, so they are not objectives again. The others are those of the
choice that a polite crawler makes, among hosts: a host with many good links is worth a visit now, and a
host that gave few pages is worth a look. All are maximised and scaled to [0, 1].
"""

from collections.abc import Mapping

import numpy as np

from fcwseo.columns import Floats, Rows
from fcwseo.evolution.bank import Bank

NAMES = ("value", "good links waiting", "novelty")
GOOD = 0.5  # value from which a link is good
LEAST = 0.2  # what a page counts at least as served, however little relevant


class Served:
    """The pages that each host has served, each counted by its relevance, from a fifth to one.

    >>> served = Served()
    >>> served.add(7, relevance=0.1, eta=0.1), served.add(7, relevance=0.0, eta=0.1)
    (None, None)
    >>> served.of(7), served.of(8)
    (0.7, 0.0)
    """

    def __init__(self) -> None:
        self._pages: dict[int, float] = {}

    def add(self, host: int, *, relevance: float, eta: float) -> None:
        """Add a page. Twice the threshold counts as fully relevant."""
        counts = 1.0 if relevance >= 2 * eta else relevance / (2 * eta)
        self._pages[host] = self._pages.get(host, 0.0) + max(LEAST, counts)

    def of(self, host: int) -> float:
        """The pages of a host."""
        return self._pages.get(host, 0.0)


def good_links(hosts: Rows, values: Floats) -> Mapping[int, int]:
    """The number of good links that wait at each host; hosts without one are left out.

    >>> good_links(np.array([7, 7, 3, 3]), np.array([1.0, 0.5, 0.9, 0.4]))
    {3: 1, 7: 2}
    """
    found, counts = np.unique(hosts[values >= GOOD], return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def objectives(seats: Rows, bank: Bank, waiting: Mapping[int, int], served: Served) -> Floats:
    """The objectives of some seats of a bank, a row for each.

    >>> bank = Bank(np.array([7, 3]), np.array([0, 2]), np.array([1.0, 0.9]))
    >>> objectives(np.array([0, 1]), bank, {7: 1, 3: 5}, Served()).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    hosts = bank.hosts[seats].tolist()
    queues = np.log1p([waiting.get(host, 0) for host in hosts])
    novelty = 1 / np.sqrt(1 + np.array([served.of(host) for host in hosts]))
    return scaled(np.column_stack((bank.values[seats], queues, novelty)))


def scaled(points: Floats) -> Floats:
    """Scale each objective to [0, 1]; one that is the same everywhere is 0.

    >>> scaled(np.array([[1.0, 0.5], [3.0, 0.5], [2.0, 0.5]])).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]]
    """
    low, high = points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)
    shares: Floats = (points - low) / np.where(high > low, high - low, 1.0)
    return shares
