"""The bank: a seat for each host, held by its best waiting link, its elite.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 6.3.

In the paper the bank has up to 30 seats, held by fetched pages; a page competes for the seat of the page that
is nearest in the graph of links, and the links of the bank are followed (``fcwseo.evolution.paper_bank``).
Here a seat belongs to a host, and links that wait compete for it before they are fetched: a link competes
only with the links of its own host. The host is the distance that a polite crawl pays for: it answers one
request at a time. On a web of one host the seats belong to its sections, the first folders of its URLs.
"""

from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from fcwseo.columns import Floats, Rows

SIZE = 256  # most seats


class Bank(NamedTuple):
    """The seats, best elite first; of equal elites the one found first."""

    hosts: Rows  # the host, or section, of each seat
    elites: Rows  # the index of its elite among the waiting links
    values: Floats  # the value of its elite

    @property
    def size(self) -> int:
        """The number of seats."""
        return len(self.hosts)


def bank(hosts: Rows, values: Floats, *, size: int = SIZE) -> Bank:
    """The bank of waiting links, each with its host and its value.

    >>> found = bank(np.array([7, 7, 3, 4]), np.array([0.2, 0.9, 0.5, 0.9]), size=2)
    >>> found.hosts.tolist(), found.elites.tolist(), found.values.tolist()
    ([7, 4], [1, 3], [0.9, 0.9])
    """
    order = np.lexsort((-values, hosts))
    elites = order[np.diff(hosts[order], prepend=-1) > 0]
    elites = elites[np.lexsort((elites, -values[elites]))][:size]
    return Bank(hosts[elites], elites, values[elites])


def relative(worth: ArrayLike, best: float = -inf) -> Floats:
    """The values of links: their worth as a share of that of the best, which may be another. Negative worth
    is shifted to 0.

    >>> relative([0.4, 0.1, 0.0]).tolist(), relative([0.3, -0.1]).tolist(), relative([0.0, 0.0]).tolist()
    ([1.0, 0.25, 0.0], [1.0, 0.0], [1.0, 1.0])
    >>> relative([0.4, 0.1], best=0.8).tolist()
    [0.5, 0.125]
    """
    shifted = np.asarray(worth, np.float64)
    lowest = min(0.0, float(shifted.min(initial=0.0)))
    shifted = shifted - lowest
    best = max(float(shifted.max(initial=0.0)), best - lowest)
    values: Floats = shifted / best if best > 0 else np.ones(len(shifted))
    return values
