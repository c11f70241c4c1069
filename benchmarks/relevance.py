"""How well page relevance separates the pages of a label from the others: AUC and average precision.

    python benchmarks/relevance.py [--tasks given] [--kinds vsm ssrm svsm] [--others 1200]
    python benchmarks/relevance.py --built 80 120 [--tasks weather sports]

Topics: the shipped one for weather, otherwise an ontology built from the task's documents. The documents are
pages of the same web and are left out. Pages are judged in a random order, since relevance learns from what
it has seen: a page is judged once, as in a crawl. Beside it the equations of paper 001, with both norms; the
text models of other papers can be named too. ``--others`` takes only so many pages without the label. The
last column is the CPU time of judging, per 2,000 words of main text (a Chinese character is half a word).

With ``--built`` all topics are built from documents, of so many terms each; twelve of them, if ``--tasks``
names no others. Words weigh their OSSC, their keyness alone, or, as in a crawl, both. Of at most 200 pages
with the label and 500 others it prints the average precision of the pages, of their titles alone by the
cosine, and of the titles by ``named_by``; and how the weights of words rank with what the labels say of them
(Spearman; log odds; words on at least three of the pages).
"""

import argparse
import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr
from tasks import Data, Task, add_data_option, available, listed, load_task, names

from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models.sdvsm import Sdvsm
from fcwseo.relevance.models.semantic import PRINTED, SemanticModel
from fcwseo.relevance.models.ssrm import ssrm
from fcwseo.relevance.models.svsm import svsm
from fcwseo.relevance.models.vsm import Vsm
from fcwseo.relevance.paper import PaperRelevance, TopicNorm
from fcwseo.relevance.weights import judging_weights
from fcwseo.relevance.words import Matcher, TokenCache
from fcwseo.webs.frozen import FrozenWeb
from fcwseo_ontology.ossc import topic_of
from fcwseo_ontology.topic import FeatureWord, Topic

KINDS: dict[str, Callable[[Topic], Callable[[Page], float]]] = {
    "topical": TopicalRelevance,
    "full norm": PaperRelevance,
    "support norm": lambda topic: PaperRelevance(topic, norm=TopicNorm.SUPPORT),
}
COSINE = partial(svsm, level_correction=False)
TEXT_MODELS: dict[str, Callable[[Topic], Callable[[Page], float]]] = {
    "vsm": lambda topic: Vsm(topic).of_page,
    "ssrm": lambda topic: SemanticModel(topic, ssrm).of_page,
    "svsm": lambda topic: SemanticModel(topic, svsm).of_page,
    "sdvsm": lambda topic: Sdvsm(SemanticModel(topic, svsm)).of_page,
    "ssrm-printed": lambda topic: SemanticModel(topic, ssrm, match=PRINTED).of_page,
    "svsm-printed": lambda topic: SemanticModel(topic, COSINE, match=PRINTED).of_page,
}
TWELVE = (
    "weather", "sports", "computing", "containers-zh", "astronomy", "bird", "food", "railway", "music",
    "plant", "python", "安全",
)  # fmt: skip
LABELLED, OTHERS = 200, 500  # pages, with --built
HAN = re.compile("[\u3400-\u9fff]")


def auc(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    """The probability that a positive page scores higher than another; ties count half."""
    _, place, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[place]
    n = int(positive.sum())
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * (len(scores) - n)))


def average_precision(scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> float:
    hits = positive[np.argsort(-scores, kind="stable")]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


@dataclass(frozen=True)
class Sample:
    """Pages in a random order, and which of them have the label."""

    pages: list[Page]
    positive: NDArray[np.bool_]


class Judged(NamedTuple):
    """Average precision of pages, titles, and titles by ``named_by``; the rank correlation of the words."""

    pages: float
    titles: float
    named: float
    words: float


def sample(task: Task) -> Sample:
    urls = [url for url in task.web.urls() if url not in task.documents]
    Random(0).shuffle(urls)
    labelled = [url for url in urls if task.has_label(url)][:LABELLED]
    others = [url for url in urls if not task.has_label(url)][:OTHERS]
    chosen = {*labelled, *others}
    urls = [url for url in urls if url in chosen]
    found = [asyncio.run(task.web.fetch(url)) for url in urls]
    pages = [page for page in found if isinstance(page, Page)]
    assert len(pages) == len(urls)
    return Sample(pages, np.isin(urls, labelled))


def only_ossc(topic: Topic) -> Topic:
    return replace(topic, words=tuple(replace(word, keyness=0.0) for word in topic.words))


def only_keyness(topic: Topic) -> Topic:
    """All words but the topic and its synonyms weigh the same, before their keyness counts."""
    mean = float(np.mean([word.weight for word in topic.words if word.weight < 1]))
    return replace(topic, words=tuple(replace(word, weight=_level(word, mean)) for word in topic.words))


def _level(word: FeatureWord, mean: float) -> float:
    return mean if word.weight < 1 else word.weight


WEIGHTS: dict[str, Callable[[Topic], Topic]] = {
    "OSSC": only_ossc,
    "keyness": only_keyness,
    "both": lambda topic: topic,
}


def judged(topic: Topic, pages: Sample, token_cache: TokenCache) -> Judged:
    relevance = TopicalRelevance(topic, token_cache)
    scores = np.array([relevance(page) for page in pages.pages])
    titles = [relevance.phrase(page.title, page.language) for page in pages.pages]
    told = np.array([title.relevance for title in titles])
    named = np.array([title.names for title in titles])
    return Judged(
        average_precision(scores, pages.positive),
        average_precision(told, pages.positive),
        average_precision(named, pages.positive),
        words_rank(topic, pages, relevance.matcher),
    )


def words_rank(topic: Topic, pages: Sample, matcher: Matcher) -> float:
    """Spearman's correlation of the weights of words with how much oftener pages with the label have them."""
    has = np.zeros((len(pages.pages), matcher.size), bool)
    for row, page in zip(has, pages.pages, strict=True):
        numbers, _ = matcher.count_page(page)
        row[numbers[numbers < matcher.size]] = True
    up, down = has[pages.positive].sum(axis=0), has[~pages.positive].sum(axis=0)
    most_up, most_down = pages.positive.sum(), (~pages.positive).sum()
    odds = np.log((up + 0.5) / (most_up - up + 0.5)) - np.log((down + 0.5) / (most_down - down + 0.5))
    seen = (up + down >= 3) & np.array([word.weight < 1 for word in topic.words])
    weights = judging_weights(topic)[seen]
    return float(spearmanr(weights, odds[seen]).statistic) if np.ptp(weights) else 0.0


def print_built(data: Data, wanted: list[str], sizes: list[int]) -> None:
    header = ("task", "terms", "weights", "pages", "titles", "named", "rank")
    print("{:20} {:>6} {:8} {:>6} {:>6} {:>6} {:>6}".format(*header))
    rows: dict[tuple[str, int, str], list[Judged]] = {}
    for name in available(data, wanted):
        task = load_task(data, name)
        pages = sample(task)
        for size in sizes:
            topic, token_cache = topic_of(task.ontology(terms=size)), TokenCache()
            for kind, weighed in WEIGHTS.items():
                found = judged(weighed(topic), pages, token_cache)
                for mean in ("mean", f"mean of {listed().tasks[name].web}"):
                    rows.setdefault((mean, size, kind), []).append(found)
                print_row(name, size, kind, found)
    for (name, size, kind), several in sorted(rows.items()):
        print_row(name, size, kind, Judged(*map(float, np.mean(several, axis=0))))


def print_row(name: str, size: int, kind: str, row: Judged) -> None:
    print(f"{name:20} {size:6} {kind:8} " + " ".join(f"{value:6.3f}" for value in row), flush=True)


async def judge(
    web: FrozenWeb, urls: list[str], relevance: Callable[[Page], float]
) -> tuple[list[float], float]:
    scores, words, seconds = [], 0.0, 0.0
    for url in urls:
        page = await web.fetch(url)
        assert isinstance(page, Page)
        words += len(page.text.split()) + len(HAN.findall(page.text)) / 2
        began = time.process_time()
        scores.append(relevance(page))
        seconds += time.process_time() - began
    return scores, seconds / words * 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", nargs="*")
    add_data_option(parser)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=KINDS | TEXT_MODELS)
    parser.add_argument("--others", type=int)
    parser.add_argument("--built", nargs="+", type=int, metavar="TERMS")
    arguments = parser.parse_args()
    if arguments.built:
        print_built(tuple(arguments.data), names(*(arguments.tasks or TWELVE)), arguments.built)
        return
    print(f"{'task':14} {'relevance':12} {'AUC':>6} {'AP':>6} {'ms / 2,000 words':>17}")
    for name in available(tuple(arguments.data), names(*(arguments.tasks or ["given"]))):
        task = load_task(tuple(arguments.data), name)
        urls = [url for url in task.web.urls() if url not in task.documents]
        Random(0).shuffle(urls)
        labelled = {url: task.has_label(url) for url in urls}
        others = set([url for url in urls if not labelled[url]][: arguments.others])
        urls = [url for url in urls if labelled[url] or url in others]
        positive = np.array([labelled[url] for url in urls])
        for kind in arguments.kinds:
            scores, seconds = asyncio.run(judge(task.web, urls, (KINDS | TEXT_MODELS)[kind](task.topic)))
            values = np.array(scores)
            figures = f"{auc(values, positive):6.3f} {average_precision(values, positive):6.3f}"
            print(f"{name:14} {kind:12} {figures} {1000 * seconds:17.2f}", flush=True)


if __name__ == "__main__":
    main()
