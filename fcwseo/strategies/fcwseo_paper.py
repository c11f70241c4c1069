"""Algorithm 1 (FCWSEO) made executable, and the same without an ontology (FCWSE).

J. Liu, X. Li, Q. Zhang, G. Zhong: A novel focused crawler combining Web space evolution and domain ontology,
2022, section 6.3.

A round follows all links of the seeds' pages whose priority exceeds tau. When all of them have an outcome,
the downloaded links are sorted into fronts, NFCS chooses 2k, the k with the best anchors test the bank of
seeds, and the radius grows. The choice is therefore made among pages that have already been fetched.

The circles around the bank and P_t are the paper's. It does not say what happens when a bank runs dry, the
stagnation of a crawl: the bank is then filled by the rules of ``fcwseo.evolution.paper_bank.Rule``. A round
without a page is not followed by an update, which rule 4 would undo.

A calibrated tau is a quantile of E over the links of the round, since E drifts: at first all pages are seeds,
their links have relevant parents, and PageRank is nearly even. With a tau fixed at that time, few links would
pass later, and rule 5, which is not in the paper, would do nine tenths of the crawling.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random

import numpy as np

from fcwseo.columns import Floats
from fcwseo.errors import InvalidInput
from fcwseo.evolution.nfcs import select
from fcwseo.evolution.paper_bank import Entry, Reserve, RetrievedBank, Rule, SeedBank, UpdateCase, entries
from fcwseo.evolution.paper_objectives import F1Mode, Lambdas, Objectives, priority
from fcwseo.evolution.paper_radius import Radius, Schedule, Search, Surroundings, mean_distance
from fcwseo.links.paper_table import KnownWeb
from fcwseo.pages import Link, Page, Visit
from fcwseo.relevance.paper import PaperRelevance, TopicNorm
from fcwseo.strategies.protocol import Turns
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import FeatureWord, Topic

LookAhead = Callable[[str], float]

_FEWEST_SEEDS = 4
_TAU = 0.2  # the paper's
_MOST_SORTED = 2000  # number of links sorted into fronts, those of the largest E


@dataclass(frozen=True, slots=True)
class PaperParameters:
    """PaperParameters of Algorithm 1, with the paper's values if it gives any."""

    k: int = 30  # seeds in the bank; with fewer given seeds their number, but at least 4
    p_t: float = 0.3  # probability that a seed yields to a test link that it dominates
    tau: float | None = None  # links with a smaller E wait in the reserve; None: calibrated; 0.2 with SUPPORT
    tau_quantile: float = 0.5  # calibrated: this quantile of E over the links of the round
    d: float = 0.85  # damping of PageRank
    lambdas: Lambdas = field(default_factory=Lambdas)  # the weights of E
    norm: TopicNorm = TopicNorm.FULL  # the norm of the cosine
    schedule: Schedule = Schedule.PAPER  # how the radius changes
    search: Search = Search.PER_REPLACEMENT  # how often distances are computed
    f1_mode: F1Mode = F1Mode.PREDICTED  # where F1 comes from before the page is fetched


PAPER = PaperParameters()


class FcwseoPaper:
    """FCWSEO as printed. It uses the paper's own relevance, whichever relevance judges the crawl.

    ``happened`` counts the cases of the update and the rules for dry banks.
    """

    def __init__(
        self,
        topic: Topic,
        rng: Random,
        *,
        parameters: PaperParameters = PAPER,
        look_ahead: LookAhead | None = None,
    ) -> None:
        if (parameters.f1_mode is F1Mode.ORACLE) != (look_ahead is not None):
            raise InvalidInput(
                "f1_mode oracle needs a closed web to look ahead in, and no other mode accepts one"
            )
        self.happened: Counter[UpdateCase | Rule] = Counter()
        self._parameters = parameters
        self._look_ahead = look_ahead
        self._rng = rng
        self._known = KnownWeb(PaperRelevance(topic, norm=parameters.norm), damping=parameters.d)
        self._bank = SeedBank(0, rng, p_t=parameters.p_t)
        self._surroundings = Surroundings(self._known.graph, parameters.search)
        self._radius = Radius(parameters.schedule, inf)
        self._tau = inf
        self._round: deque[tuple[int, Objectives | None]] = deque()  # links to follow in this round
        self._in_flight: set[str] = set()
        self._gained: list[int] = []  # pages of this round
        self._is_dry = False
        self._retrieved = RetrievedBank()
        self._reserve = Reserve()

    @property
    def seeds(self) -> list[str]:
        """The URLs of the pages in the bank, by seat."""
        return [self._known.frontier.url(number) for number in self._bank.numbers]

    def observe(self, visit: Visit) -> None:
        page = self._known.observe(visit)
        if not self._bank.size and page is not None:  # the virtual page that links to the seeds
            seeds = self._known.open_links(page)
            self._bank.size = max(_FEWEST_SEEDS, min(len(seeds), self._parameters.k))
            self._round.extend((seed, None) for seed in seeds)
            return
        self._in_flight.discard(visit.link.target)
        if page is not None:
            self._gained.append(page)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        links: list[Link] = []
        while len(links) < n:
            if self._round:
                number, objectives = self._round.popleft()
                if self._known.frontier.is_open(number):
                    predicted = objectives.f1 if objectives else None
                    links.append(self._known.frontier.follow(number, predicted, objectives))
                    self._in_flight.add(links[-1].target)
            elif self._in_flight or not self._turn():
                break
        return links

    def _turn(self) -> bool:
        """End a round and open the next, which may have no links. False if there is no next round."""
        gained, self._gained = self._gained, []
        if not self._bank.seeds:
            if not gained:
                return False
            self._begin(gained)
        elif gained:
            self._is_dry = False
            self._retrieve(gained)
            self._evolve()
        elif not self._is_dry and self._replace_bank():
            self._is_dry = True
        elif self._release():
            return True
        elif not self._replace_bank():
            self.happened[Rule.OVER] = 1
            return False
        self._expand()
        return True

    def _begin(self, seeds: list[int]) -> None:
        """Set bank and radius after the seeds are fetched. Surplus seeds become retrieved links."""
        self._bank.seeds = self._entries(seeds[: self._bank.size])
        self._retrieved.add(seeds[self._bank.size :])
        self._radius = Radius(self._parameters.schedule, mean_distance(self._known.graph, self._bank.numbers))

    def _calibrated(self, scores: Floats) -> float:
        if self._parameters.tau is not None:
            return self._parameters.tau
        if self._parameters.norm is TopicNorm.SUPPORT or not len(scores):
            return _TAU
        return float(np.quantile(scores, self._parameters.tau_quantile))

    def _expand(self) -> None:
        """Lines 4 to 10: the links of the bank's pages, best first; links below tau go to the reserve."""
        self._retrieved.expand(self._bank.numbers)
        links = self._links_of(self._bank.numbers)
        rows = self._predict(links)
        scores = priority(rows, self._parameters.lambdas)
        self._tau = self._calibrated(scores)
        for score, link, row in sorted(
            zip(scores.tolist(), links, rows.tolist(), strict=True), key=lambda entry: (-entry[0], entry[1])
        ):
            if score > self._tau or self._parameters.f1_mode is F1Mode.CHARGED:
                self._round.append((link, Objectives(*row)))
            else:
                self._reserve.put(link, score)

    def _retrieve(self, pages: list[int]) -> None:
        """Line 6. Pages fetched to compute E that fall below tau are marked: they are not test links, but are
        kept.
        """
        self._retrieved.add(pages)
        if self._parameters.f1_mode is F1Mode.CHARGED:
            self._retrieved.mark(
                entry.number for entry in self._entries(pages) if entry.priority <= self._tau
            )

    def _evolve(self) -> None:
        """Lines 11 to 13: choose test links, and let them challenge the bank."""
        k, radius = self._bank.size, self._radius.value
        unmarked = self._retrieved.unmarked
        chosen = self._select(unmarked, 2 * k)
        tests = sorted(chosen, key=lambda test: (-test.objectives.f3, -test.objectives.f1, test.number))[:k]
        self._retrieved.mark(test.number for test in tests)
        self._bank.seeds = self._entries(self._bank.numbers)
        self._surroundings.forget()
        for test in tests:
            near = self._surroundings.nearest(self._bank.numbers, test.number, radius=radius)
            self.happened[self._bank.challenge(test, near, radius=radius).case] += 1
        seeds = self._bank.numbers
        if self._retrieved.rest([test.number for test in tests if test.number not in seeds]):
            self.happened[Rule.LOSERS_UNMARKED] += 1
        if len(unmarked) < k:
            self._retrieved.unmark()
            self.happened[Rule.ALL_UNMARKED] += 1
        self._radius.advance(lambda: mean_distance(self._known.graph, seeds))

    def _replace_bank(self) -> bool:
        """Rule 4: the k best links that were never expanded take all seats of the bank."""
        best = self._select(self._retrieved.all, self._bank.size)
        if not best:
            return False
        self._bank.replace(best)
        self.happened[Rule.BANK_REPLACED] += 1
        return True

    def _release(self) -> bool:
        """Rule 5: the k best links of the reserve are followed."""
        links = self._reserve.take(self._bank.size, self._known.frontier.is_open)
        if not links:
            return False
        rows = self._predict(links).tolist()
        self._round.extend((link, Objectives(*row)) for link, row in zip(links, rows, strict=True))
        self.happened[Rule.RESERVE_RELEASED] += 1
        return True

    def _links_of(self, pages: Sequence[int]) -> list[int]:
        return list(dict.fromkeys(link for page in pages for link in self._known.open_links(page)))

    def _predict(self, links: list[int]) -> Floats:
        """F1 to F4 of links that have not been followed."""
        rows = self._known.rows(links)
        if self._look_ahead is not None:
            rows[:, 0] = [self._look_ahead(self._known.frontier.url(link)) for link in links]
        return rows

    def _select(self, pages: list[int], q: int) -> list[Entry]:
        """Select ``q`` of these pages by fronts and NFCS."""
        rows = self._known.rows(pages)
        best = np.argsort(-priority(rows, self._parameters.lambdas), kind="stable")[:_MOST_SORTED]
        return self._entries([pages[best[row]] for row in select(rows[best], q, self._rng)])

    def _entries(self, pages: list[int]) -> list[Entry]:
        exhausted = {page for page in pages if self._known.is_exhausted(page)}
        return entries(pages, self._known.rows(pages), self._parameters.lambdas, exhausted)


def without_ontology(topic: Topic) -> Topic:
    """The same feature words with equal weights and without synonyms.

    The knowledge of the ontology is left out: the similarity of words to the topic, and their synonyms. A
    topic does not record the corpus frequency of its words, so the weights are uniform (docs/adr/0005).

    >>> from fcwseo_ontology.topic import topic_of_words
    >>> without_ontology(topic_of_words("rain", {"rainstorm": 1.0, "flood": 0.5})).weights
    {'rainstorm': 1.0, 'flood': 1.0}
    """
    return Topic(topic.name, tuple(FeatureWord(word.word, 1.0, (word.word,)) for word in topic.words))


def look_ahead(web: ClosedWeb, relevance: PaperRelevance) -> LookAhead:
    """The relevance of the page behind a link, for F1Mode.ORACLE; only a closed web can provide it."""

    def relevance_of(url: str) -> float:
        try:
            web.fetch(url).send(None)
        except StopIteration as answer:
            return relevance.of_page(answer.value) if isinstance(answer.value, Page) else 0.0
        raise InvalidInput(f"{web.name} did not answer at once: only a closed web can be an oracle")

    return relevance_of
