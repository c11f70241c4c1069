"""Measures of a judged crawl, by name.

To add a measure, write a function of a ``JudgedRun`` and name it in ``MEASURES``. It is then part of
``results.json``, ``table.csv`` and, if it has a ``head``, of the tables of the report. ``fcwseo compare
--measures list`` prints them.

The subtopics of a page are its labels among those of the judge; no crawler sees them.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from fcwseo.crawling import metrics
from fcwseo.errors import InvalidInput
from fcwseo.pages.urls import host
from fcwseo.suggestions import nearest

ALPHA = 0.5
"""The factor by which the gain of a page falls with each earlier page of the same subtopic."""

Value = int | float | None
Subtopics = frozenset[str]


class JudgedRun(Struct, frozen=True):
    """The pages of a crawl in the order of their visits, and the verdict of a judge on each.

    ``subtopics`` are those of every relevant page of the web, empty if the judge has none; ``requests`` and
    ``bytes`` are the costs of the crawl, None if unknown.
    """

    urls: Sequence[str]
    relevance: Sequence[float]  # R(p), the crawler's own
    predicted: Sequence[float | None]  # the relevance that the strategy expected
    relevant: Sequence[int]  # 1 if the judge calls the page relevant, else 0
    total: int  # relevant pages of the web
    budget: int
    subtopics: Mapping[str, Subtopics] = {}
    requests: int | None = None
    bytes: int | None = None


class Measure(NamedTuple):
    """A function of a judged run, and how reports show it."""

    of: Callable[[JudgedRun], Value]
    meaning: str
    reference: str = ""
    head: str = ""  # of its column in reports; a measure without a head is only in results.json and table.csv
    digits: int = 3
    best: Callable[[Iterable[float]], float] | None = None  # the best value of a column
    most: float = 1.0  # no value is larger


def harvest_rate_at(run: JudgedRun, n: int) -> float:
    """Relevant pages among the first n / n; a crawl that ended early found no more.

    >>> harvest_rate_at(_example(), 2), harvest_rate_at(_example(), 8)
    (0.5, 0.375)
    """
    return sum(run.relevant[:n]) / n


def recall_at(run: JudgedRun, n: int) -> float:
    """Relevant pages among the first n / relevant pages of the web.

    >>> recall_at(_example(), 2), recall_at(_example(), 4)
    (0.25, 0.75)
    """
    return metrics.recall(run.relevant[:n], total=run.total)


def mean_harvest(run: JudgedRun) -> float:
    """The mean harvest rate over 20 checkpoints."""
    return metrics.harvest_area(run.relevant, budget=run.budget)


def target_recall(run: JudgedRun) -> float:
    """Relevant pages found / the largest number within the budget."""
    return metrics.target_recall(run.relevant, total=run.total, budget=run.budget)


def subtopic_recall(run: JudgedRun, n: int | None = None) -> float | None:
    """Subtopics of the first n pages / subtopics of the relevant pages of the web.

    >>> subtopic_recall(_example(), 1), subtopic_recall(_example())
    (0.5, 1.0)
    """
    known = _union(run.subtopics.values())
    return len(_union(_found(run, n)) & known) / len(known) if known else None


def alpha_ndcg(run: JudgedRun, n: int | None = None) -> float | None:
    """Discounted gain of the first n pages / that of the best order: a page is worth, for each of its
    subtopics, half as much after each earlier page of that subtopic.

    >>> round(alpha_ndcg(_example()), 3), alpha_ndcg(_example(), 1)
    (0.629, 0.5)
    """
    best = _discounted(_best_gains(run.subtopics.values(), n or run.budget))
    return _discounted(_gains(_found(run, n))) / best if best else None


def max_ndcg(run: JudgedRun) -> float | None:
    """The mean over subtopics of the discounted gain that their relevant pages, found in whatever order,
    allow a search engine; / the same with all relevant pages of the web.

    >>> round(max_ndcg(_example()), 3)
    0.699
    """
    known = Counter(subtopic for own in run.subtopics.values() for subtopic in own)
    found = Counter(subtopic for own in _found(run, None) for subtopic in own)
    best = sum(_discounted([1.0] * count) for count in known.values())
    return sum(_discounted([1.0] * found[name]) for name in known) / best if best else None


def relevant_hosts(run: JudgedRun) -> int:
    """Hosts of the relevant pages.

    >>> relevant_hosts(_example())
    2
    """
    return len(_by_host(run))


def effective_hosts(run: JudgedRun) -> float | None:
    """The effective number of hosts: exp of the entropy of the relevant pages over hosts.

    >>> round(effective_hosts(_example()), 3)
    1.89
    """
    shares = _shares(run)
    return math.exp(-sum(share * math.log(share) for share in shares)) if shares else None


def largest_share(run: JudgedRun) -> float | None:
    """The largest share of the relevant pages on one host.

    >>> round(largest_share(_example()), 3)
    0.667
    """
    return max(_shares(run), default=None)


def _example() -> JudgedRun:
    """Three of four relevant pages, on two hosts, of two subtopics: the first page of both is not found."""
    urls = ["http://a.example/1", "http://a.example/2", "http://b.example/3", "http://a.example/4"]
    subtopics = {urls[0]: {"x"}, urls[2]: {"x"}, urls[3]: {"y"}, "http://c.example/": {"x", "y"}}
    return JudgedRun(
        urls=urls,
        relevance=[0.5] * 4,
        predicted=[None] * 4,
        relevant=[1, 0, 1, 1],
        total=4,
        budget=4,
        subtopics={url: frozenset(own) for url, own in subtopics.items()},
    )


def _found(run: JudgedRun, n: int | None) -> Iterator[Subtopics]:
    """The subtopics of each of the first n pages."""
    return (run.subtopics.get(url, frozenset()) for url in run.urls[: n or run.budget])


def _union(sets: Iterable[Subtopics]) -> Subtopics:
    return frozenset().union(*sets)


def _gains(pages: Iterable[Subtopics]) -> Iterator[float]:
    """The gain of each page, given those before it."""
    seen: Counter[str] = Counter()
    for own in pages:
        yield sum((1 - ALPHA) ** seen[name] for name in own)
        seen.update(own)


def _best_gains(pages: Iterable[Subtopics], n: int) -> Iterator[float]:
    """The gains of the greedy order; pages of the same subtopics are interchangeable."""
    left, seen = Counter(own for own in pages if own), Counter[str]()
    for _ in range(min(n, left.total())):
        gain, own = max(
            (sum((1 - ALPHA) ** seen[name] for name in own), tuple(sorted(own)))
            for own, count in left.items()
            if count
        )
        left[frozenset(own)] -= 1
        seen.update(own)
        yield gain


def _discounted(gains: Iterable[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


def _by_host(run: JudgedRun) -> "Counter[str]":
    """Relevant pages by host."""
    return Counter(host(url) for url, hit in zip(run.urls, run.relevant, strict=True) if hit)


def _shares(run: JudgedRun) -> list[float]:
    counts = _by_host(run)
    return [count / counts.total() for count in counts.values()]


_LIU = "Liu, Li, Zhang, Zhong 2022, section 7.2"
_CHAKRABARTI = "Chakrabarti, van den Berg, Dom 1999"
_MENCZER = "Menczer, Pant, Srinivasan 2004"

MEASURES: Mapping[str, Measure] = {
    "harvest_rate": Measure(
        lambda run: harvest_rate_at(run, run.budget),
        "relevant pages among the first n / n, at n = budget; checkpoints have it at every 5 %",
        _CHAKRABARTI,
        "HR",
        best=max,
    ),
    "harvest_area": Measure(
        mean_harvest, "mean harvest rate over 20 checkpoints", _MENCZER, "Area", best=max
    ),
    "precision": Measure(
        lambda run: metrics.harvest_rate(run.relevant), "relevant pages / fetched pages", _CHAKRABARTI
    ),
    "recall": Measure(
        lambda run: recall_at(run, run.budget),
        "relevant pages among the first n / relevant pages of the web, at n = budget; also at checkpoints",
        _MENCZER,
        "Recall",
        best=max,
    ),
    "target_recall": Measure(
        target_recall,
        "relevant pages found / the largest number within the budget",
        "Pant, Srinivasan, Menczer 2004",
        "Target recall",
    ),
    "average_relevance": Measure(
        lambda run: metrics.average_relevance(run.relevance),
        "mean of the crawler's own relevance",
        _LIU,
        "AR",
        best=max,
    ),
    "sd": Measure(
        lambda run: metrics.standard_deviation(run.relevance),
        "standard deviation of the crawler's own relevance",
        _LIU,
        "SD",
        best=min,
    ),
    "average_similarity": Measure(
        lambda run: metrics.average_similarity(run.relevance, run.relevant),
        "mean relevance of the relevant pages",
        "paper 000",
        "AS",
    ),
    "absolute_error": Measure(
        lambda run: metrics.absolute_error(run.relevance, run.predicted),
        "mean absolute error of predicted relevance",
        "paper 000",
        "AE",
    ),
    "sum_of_information": Measure(
        lambda run: metrics.sum_of_information(run.relevance),
        "sum of the relevance of all pages",
        "paper 004",
        "Info",
        digits=1,
        most=math.inf,
    ),
    "subtopic_recall": Measure(
        subtopic_recall,
        "subtopics found / subtopics of the relevant pages of the web",
        "Zhai, Cohen, Lafferty 2003",
        "Subtopics",
    ),
    "alpha_ndcg": Measure(
        alpha_ndcg,
        "gain of new and repeated subtopics, discounted by rank / that of the best order",
        "Clarke et al. 2008",
        "alpha-nDCG",
    ),
    "max_ndcg": Measure(
        max_ndcg,
        "mean over subtopics of the DCG that the pages found allow / that of all relevant pages",
        "Pezzuti, MacAvaney, Tonellotto 2025",
        "maxNDCG",
    ),
    "hosts": Measure(
        lambda run: len(set(map(host, run.urls))),
        "hosts of the pages",
        "Kontogiannis et al. 2021",
        "Hosts",
        digits=0,
        most=math.inf,
    ),
    "relevant_hosts": Measure(
        relevant_hosts,
        "hosts of the relevant pages",
        "Kontogiannis et al. 2021",
        digits=0,
        most=math.inf,
    ),
    "effective_hosts": Measure(
        effective_hosts,
        "effective number of hosts: exp of the entropy of the relevant pages over hosts",
        "Hill 1973 (order 1)",
        digits=1,
        most=math.inf,
    ),
    "largest_share": Measure(
        largest_share, "largest share of the relevant pages on one host", "Berger, Parker 1970"
    ),
    "requests": Measure(
        lambda run: run.requests,
        "links followed: pages and failures",
        "Gauquier, Manolescu, Senellart 2026",
        digits=0,
        most=math.inf,
    ),
    "bytes": Measure(
        lambda run: run.bytes,
        "bytes archived; of live crawls only",
        "Gauquier, Manolescu, Senellart 2026",
        digits=0,
        most=math.inf,
    ),
}


def measure_names(names: Iterable[str]) -> tuple[str, ...]:
    """Check that all names are measures, and return them.

    >>> measure_names(["recal"])
    Traceback (most recent call last):
    fcwseo_ontology.errors.InvalidInput: no measure is called 'recal': did you mean 'recall'?
    """
    found = tuple(names)
    for name in found:
        if name not in MEASURES:
            raise InvalidInput(f"no measure is called {name!r}{nearest(name, MEASURES)}")
    return found


def measures_of(run: JudgedRun) -> dict[str, Value]:
    """The value of every measure for a run; None where a measure does not apply.

    >>> run = JudgedRun(["http://a/", "http://b/"], [0.5, 0.0], [None, None], [1, 0], total=1, budget=2)
    >>> found = measures_of(run)
    >>> found["harvest_rate"], found["recall"], found["hosts"], found["absolute_error"]
    (0.5, 1.0, 2, None)
    """
    return {name: measure.of(run) for name, measure in MEASURES.items()}


def written(name: str, value: Value) -> str:
    """A value of a measure with its number of digits, a dash for None.

    >>> written("harvest_rate", 0.5), written("hosts", 12.0), written("absolute_error", None)
    ('0.500', '12', '-')
    """
    return "-" if value is None else f"{value:,.{MEASURES[name].digits}f}"
