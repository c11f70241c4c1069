"""How well page relevance separates the pages of a label from the others: AUC and average precision.

    python benchmarks/relevance.py [--tasks given] [--kinds vsm ssrm svsm] [--others 1200]

Topics: the shipped one for weather, otherwise an ontology built from the task's documents. The documents are
pages of the same web and are left out. Pages are judged in a random order, since relevance learns from what
it has seen: a page is judged once, as in a crawl. Beside it the equations of paper 001, with both norms; the
text models of other papers can be named too. ``--others`` takes only so many pages without the label. The
last column is the CPU time of judging, per 2,000 words of main text (a Chinese character is half a word).
"""

import argparse
import asyncio
import re
import time
from collections.abc import Callable
from functools import partial
from random import Random

import numpy as np
from numpy.typing import NDArray
from tasks import add_data_option, available, load_task, names

from fcwseo.pages import Page
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models.sdvsm import Sdvsm
from fcwseo.relevance.models.semantic import PRINTED, SemanticModel
from fcwseo.relevance.models.ssrm import ssrm
from fcwseo.relevance.models.svsm import svsm
from fcwseo.relevance.models.vsm import Vsm
from fcwseo.relevance.paper import PaperRelevance, TopicNorm
from fcwseo.webs.frozen import FrozenWeb
from fcwseo_ontology.topic import Topic

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
    parser.add_argument("--tasks", nargs="*", default=["given"])
    add_data_option(parser)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=KINDS | TEXT_MODELS)
    parser.add_argument("--others", type=int)
    arguments = parser.parse_args()
    print(f"{'task':14} {'relevance':12} {'AUC':>6} {'AP':>6} {'ms / 2,000 words':>17}")
    for name in available(tuple(arguments.data), names(*arguments.tasks)):
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
