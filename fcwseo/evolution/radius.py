"""The radius: how far the value of a host may lie below the best link while the host has a seat for nothing.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 6.3.

In the paper the radius is a distance in links, and doubles from round to round, however the crawl fares
(``fcwseo.evolution.paper_radius``). Here it is a distance in value. A crawl of pages without a limit of time
starts with a radius of 1 - patience, and it widens when a tenth of the budget has passed without a relevant
page. Idle slots are no reason to widen: they are the normal state of a focused polite crawl. With a limit of
time the number of seats follows the pace (``fcwseo.evolution.pace``), and the radius is a reading: 1 less the
value of the last seat.
"""

NEAR = 0.05  # how far below the last seat a host may be to get a seat by fronts and NFCS
PATIENCE = 0.8  # of crawls that set none
TENTH = 0.1  # share of the budget without a relevant page after which the radius widens


class Radius:
    """The radius of a crawl of pages.

    Each tenth of the budget without a relevant page multiplies the value that a seat needs by the patience
    once more; a relevant page restores the first radius.

    >>> radius = Radius(patience=0.8)
    >>> for _ in range(25):
    ...     radius.add(is_relevant=False)
    >>> round(radius.value(budget=1000), 2), round(radius.value(budget=100), 2)
    (0.2, 0.49)
    >>> radius.add(is_relevant=True)
    >>> round(radius.value(budget=100), 2)
    0.2
    """

    def __init__(self, *, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._since = 0  # pages since the last relevant one

    def add(self, *, is_relevant: bool) -> None:
        """Add a fetched page; ``is_relevant`` as its visit says."""
        self._since = 0 if is_relevant else self._since + 1

    def value(self, *, budget: int) -> float:
        """The radius, from 0 (only ever the best link) to 1 (any host)."""
        tenths = int(self._since / (TENTH * budget)) if budget > 0 else 0
        return 1.0 - self._patience ** (1 + tenths)


def inner(radius: float) -> float:
    """The inner part of a radius: about half of a small one, all of the largest. A crawl serves as many seats
    as there are hosts in it; fronts and NFCS may give some of them to hosts that lie up to ``NEAR`` farther
    out.

    >>> round(inner(0.2), 2), inner(0.0), inner(1.0)
    (0.11, 0.0, 1.0)
    """
    return radius / (2 - radius)
