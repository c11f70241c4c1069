"""The cost of a page: CPU time of a whole crawl step (page from the web, relevance, strategy).

    python benchmarks/strategy_cost.py [--strategies fcwseo bfs] [--pages 20000]

First on the frozen wikispeedia web, already parsed: milliseconds per page, and as a multiple of breadth-first
search in the same run. Then on a generated web: the last thousand pages against the first thousand.
"""

import argparse
import asyncio
import time
from random import Random

from tasks import add_data_option, load_task

from fcwseo.crawling.engine import Window, crawl
from fcwseo.pages import Page, Visit
from fcwseo.relevance import TopicalRelevance
from fcwseo.strategies import STRATEGIES
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.protocol import ClosedWeb
from fcwseo_ontology.topic import Topic


def clock(web: ClosedWeb, topic: Topic, seeds: list[str], strategy: str, pages: int) -> list[float]:
    """The CPU time at the end of each page."""
    relevance = TopicalRelevance(topic)
    chosen = STRATEGIES[strategy](topic, relevance, Random(0))
    window = Window(chosen, seeds, relevance=relevance, budget=pages, width=1)
    times = [time.process_time()]

    def record(visit: Visit) -> None:
        if isinstance(visit.outcome, Page):
            times.append(time.process_time())

    asyncio.run(crawl(web, window, record=record))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    parser.add_argument("--strategies", nargs="*", default=["bfs", "fcwseo"])
    parser.add_argument("--pages", type=int, default=20_000)
    arguments = parser.parse_args()
    task = load_task(tuple(arguments.data), "weather")
    topic, frozen, seeds = task.topic, task.web, task.seed_sets[0]
    generated = GeneratedWeb(0, 2 * arguments.pages)
    start = list(generated.seeds("rainstorm"))
    clock(frozen, topic, seeds, "bfs", 200)  # tables and caches are filled from now on
    for strategy in arguments.strategies:
        times = clock(frozen, topic, seeds, strategy, 1000)
        each = (times[-1] - times[0]) / (len(times) - 1)
        print(f"wikispeedia, 1,000 pages   {strategy:14} {1000 * each:6.2f} ms a page", flush=True)
    for strategy in arguments.strategies:
        times = clock(generated, topic, start, strategy, arguments.pages)
        first, last = times[1000] - times[0], times[-1] - times[-1001]
        print(
            f"generated, {len(times) - 1:,} pages   {strategy:14} first thousand {first:.2f} ms a page, "
            f"last {last:.2f}: {last / first:.2f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
