"""Improved PageRank: links with topical anchors pass on more.

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 5.3, equations 8 and 9.

The value of a page is (1 - d) plus d times the sum of what its parents pass on. A parent p with C links and
the value PR(p) passes on through a link whose anchor has the relevance R(a),

- in the form of the paper, PR(p) / C * (1 + omega R(a)). A page may pass on more than it has. With an omega
of (1 - d) / d or more, values may diverge, so omega must be smaller; - in the stochastic form PR(p) times the
link's share of the sum of (1 + omega R(a)) over the page's links. It converges for every omega, and is the
default.

Link targets that are not downloaded yet have a value but pass on nothing.
"""

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from fcwseo.columns import Column
from fcwseo.links.graph import LinkGraph

_TOLERANCE = 1e-6
_SWEEPS = 100
# All values are recomputed after this number of downloads, and later after this share of all downloads.
_DOWNLOADS = 500
_PART = 0.1


class Form(StrEnum):
    """How the relevance of anchors affects the values."""

    STOCHASTIC = "stochastic"
    PAPER = "paper"


_OMEGA = {Form.STOCHASTIC: 1.0, Form.PAPER: 0.15}


class PageRank:
    """The values of all pages of a growing graph.

    Call ``observe`` after adding pages. A new page passes on its value to its targets at once, and they to
    theirs when all values are recomputed: first after 500 downloads, later after a growth by a tenth, so that
    the cost of a page hardly depends on the size of the graph.

    >>> graph = LinkGraph()
    >>> rank = PageRank(graph)
    >>> graph.add(0, [1, 2], [1.0, 0.0])
    >>> rank.observe()
    >>> rank.values.round(3), rank.scaled.round(3)
    (array([0.15 , 0.235, 0.192]), array([0.638, 1.   , 0.819]))
    """

    def __init__(
        self,
        graph: LinkGraph,
        *,
        damping: float = 0.85,
        form: Form = Form.STOCHASTIC,
        omega: float | None = None,
    ) -> None:
        self._graph = graph
        self._damping = damping
        self._form = form
        self._omega = _OMEGA[form] if omega is None else omega
        _check(self._damping, form, self._omega)
        self._weights = Column(np.float64)
        self._values = Column(np.float64)
        self.values: NDArray[np.float64] = self._values.values  # as of the last ``observe``; do not modify
        self._pages = 0
        self._next = _DOWNLOADS
        self.largest = 1 - damping  # of all values

    @property
    def scaled(self) -> NDArray[np.float64]:
        """The values as shares of the largest."""
        scaled: NDArray[np.float64] = self.values / self.largest
        return scaled

    def observe(self) -> None:
        """Update the values for the pages added to the graph."""
        self._values.fill(self._graph.size, 1 - self._damping)
        self.values = self._values.values
        while self._pages < len(self._graph.pages):
            self._pass_on(self._pages)
            self._pages += 1
            if self._pages == self._next:
                self.recompute()
                self._next += max(_DOWNLOADS, int(_PART * self._pages))

    def recompute(self) -> None:
        """Recompute all values, starting from the present ones."""
        pages = self._graph.pages[: self._pages]
        ends = self._graph.ends[: self._pages + 1]
        targets, values = self._graph.targets[: ends[-1]], self.values
        for _ in range(_SWEEPS):
            passed = self._weights.values * np.repeat(values[pages], np.diff(ends))
            new = 1 - self._damping + self._damping * np.bincount(targets, passed, values.size)
            change = np.abs(new - values).max(initial=0)
            values[:] = new
            if change < _TOLERANCE:
                break
        self.largest = float(values.max(initial=1 - self._damping))

    def _pass_on(self, place: int) -> None:
        links = slice(*self._graph.ends[place : place + 2])
        weights = link_weights(self._graph.shares[links], self._form, self._omega)
        self._weights.extend(weights)
        targets = self._graph.targets[links]
        values = self.values
        values[targets] += self._damping * values[self._graph.pages[place]] * weights
        self.largest = max(self.largest, float(values[targets].max(initial=0)))


def link_weights(shares: NDArray[np.float32], form: Form, omega: float) -> NDArray[np.float64]:
    """The share of a page's value that each of its links passes on, by the relevance of the anchors.

    >>> link_weights(np.array([1, 0], np.float32), Form.STOCHASTIC, 1.0)
    array([0.66666667, 0.33333333])
    >>> link_weights(np.array([1, 0], np.float32), Form.PAPER, 0.15)
    array([0.575, 0.5  ])
    """
    raised = 1 + omega * shares.astype(np.float64)
    weights: NDArray[np.float64] = raised / (raised.sum() if form is Form.STOCHASTIC else max(shares.size, 1))
    return weights


def _check(damping: float, form: Form, omega: float) -> None:
    if not 0 < damping < 1:
        raise ValueError(f"damping must be between 0 and 1, not {damping}")
    if not 0 <= omega < np.inf:
        raise ValueError(f"omega must not be negative, and not {omega}")
    if form is Form.PAPER and omega >= (1 - damping) / damping:
        limit = (1 - damping) / damping
        raise ValueError(
            f"omega {omega} may diverge in the form of the paper: "
            f"choose less than {limit:.3f}, or the stochastic form"
        )
