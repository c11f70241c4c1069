"""What the crawlers of papers 000 and 003 cost: CPU time of the strategy alone for each page.

    python benchmarks/text_model_cost.py [--strategies vsm ssrm svsm sdvsm word2vec bsvsm]

On the weather task of wikispeedia, parsed before. The pages of the web, their relevance and the log are not
counted. First the time that WordNet takes to load. Vectors are not kept from one run to the next here, so
that the encoders have all to encode; the first hundred pages of a crawl warm up and are not counted.
"""

import argparse
import asyncio
import os
import time
from collections.abc import Sequence
from random import Random
from tempfile import TemporaryDirectory

from tasks import add_data_option, load_task

from fcwseo.crawling.engine import Window, crawl
from fcwseo.pages import Link, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo.relevance.models.semantic import the_wordnet
from fcwseo.strategies import STRATEGIES
from fcwseo.strategies.protocol import Strategy, Turns

WARM_UP = 100


class Timed:
    """A strategy, and the CPU time it took for each visit."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.times: list[float] = []

    def observe(self, visit: Visit) -> None:
        began = time.process_time()
        self._strategy.observe(visit)
        self.times.append(time.process_time() - began)

    def next(self, n: int, turns: Turns) -> Sequence[Link]:
        began = time.process_time()
        links = self._strategy.next(n, turns)
        self.times[-1] += time.process_time() - began
        return links


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument(
        "--strategies", nargs="*", default=["vsm", "ssrm", "svsm", "sdvsm", "word2vec", "elmo", "bsvsm"]
    )
    parser.add_argument("--pages", type=int, default=400)
    arguments = parser.parse_args()
    task = load_task(tuple(arguments.data), "weather")
    topic, web, seeds = task.topic, task.web, task.seed_sets[0]
    began = time.process_time()
    the_wordnet()
    print(f"WordNet is loaded in {time.process_time() - began:.2f} s")
    with TemporaryDirectory() as vectors:
        kept, os.environ["FCWSEO_CACHE"] = os.environ.get("FCWSEO_CACHE"), vectors
        for name in arguments.strategies:
            relevance = TopicalRelevance(topic)
            began = time.process_time()
            timed = Timed(STRATEGIES[name](topic, relevance, Random(0)))
            made = time.process_time() - began
            window = Window(timed, seeds, relevance=relevance, budget=arguments.pages, width=1)
            asyncio.run(crawl(web, window, record=lambda visit: None))
            times = sorted(timed.times[WARM_UP:])
            mean, most = sum(times) / len(times), times[int(0.99 * len(times))]
            print(
                f"{name:10} made in {made:5.2f} s, {1000 * mean:6.2f} ms a page, "
                f"99 of 100 pages below {1000 * most:.1f} ms",
                flush=True,
            )
        if kept is not None:
            os.environ["FCWSEO_CACHE"] = kept


if __name__ == "__main__":
    main()
