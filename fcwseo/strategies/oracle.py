"""An upper bound: a crawler that is told of each known link whether the page behind it is relevant.

Only for webs that are known as a whole and judged. It follows relevant links first, and while it knows of
none what a crawler without labels would: the links of the largest comprehensive priority. It is greedy, so a
luckier path may now and then find a little more.
"""

from collections.abc import Callable, Sequence

from fcwseo.pages import Link, Visit
from fcwseo.priority import Priorities
from fcwseo.ranking import Ranking
from fcwseo.relevance import Relevance


class Oracle:
    """``judge`` says of the address of a link whether it leads to a relevant page, redirects followed."""

    def __init__(self, judge: Callable[[str], bool], relevance: Relevance) -> None:
        self._judge = judge
        self._priorities = Priorities(relevance)
        self._relevant = Ranking(self._priorities.is_open)
        self._asked = 0

    def observe(self, visit: Visit) -> None:
        self._priorities.observe(visit)
        frontier = self._priorities.frontier
        new = range(self._asked, len(frontier))
        self._asked = len(frontier)
        relevant = [number for number in new if self._judge(frontier.url(number))]
        self._relevant.put(relevant, [1.0] * len(relevant))

    def next(self, n: int) -> Sequence[Link]:
        links = [self._priorities.follow(number) for number in self._relevant.top(n)]
        return links + [self._priorities.follow(number) for number in self._priorities.top(n - len(links))]
