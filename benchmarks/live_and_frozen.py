"""The same crawl of a frozen web, directly and over HTTP: harvest, and politeness to hosts.

A server in a separate process serves the web (``fcwseo web serve --log``), and a live crawl requests it. For
each width it prints the harvest area of both (the mean of the harvest rate over the curve, judged by one
threshold), the number of visits in the same order, the number of pages requested more than once, and the
shortest pause between two requests to one host. The last two come from the log of the server.

    python benchmarks/live_and_frozen.py ../shared/webs/uci --seeds http://www.ics.uci.edu/ [--widths 1 8]
        [--topic words.json] [--pages 500] [--delay 0] [--strategies best-first fcwseo] [--eta 0.02]

With ``--sets 5`` it crawls from each of the first five seed sets of a seeds file, and prints the mean
difference of the areas with its standard error.
"""

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from serving import serving

from fcwseo.crawling.metrics import harvest_area
from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.crawling.run_directory.log import PAGE, read_visits
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.seeds import gather_seeds
from fcwseo.crawling.settings import LiveSettings
from fcwseo.webs.opening import open_web
from fcwseo_ontology.load import load_topic
from fcwseo_ontology.topic import Topic, topic_of_words

_WORDS = {
    "learning": 1.0,
    "machine learning": 1.0,
    "neural network": 0.8,
    "classifier": 0.7,
    "data mining": 0.7,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("web", type=Path)
    parser.add_argument("--seeds", nargs="+", required=True)
    parser.add_argument("--topic", default="")
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--waiting", type=int, default=0)
    parser.add_argument("--widths", type=int, nargs="+", default=[1, 8])
    parser.add_argument("--strategies", nargs="+", default=["best-first", "fcwseo"])
    parser.add_argument("--eta", type=float, default=0.02)
    parser.add_argument("--sets", type=int, default=1)
    given = parser.parse_args()
    topic = load_topic(given.topic) if given.topic else topic_of_words("learning", _WORDS)
    with (
        tempfile.TemporaryDirectory(prefix="live-and-frozen-") as name,
        serving(given.web, log=Path(name) / "log.jsonl") as port,
    ):
        for strategy in given.strategies:
            for width in given.widths:
                differences = []
                for number in range(1, given.sets + 1):
                    out = Path(name) / f"{strategy}-{width}-{number}"
                    seeds = gather_seeds(given.seeds, seed_set=number)
                    found = _compared(given, topic, seeds, strategy, width, port, out)
                    print(json.dumps(found), flush=True)
                    differences.append(found["live"] - found["frozen"])
                if given.sets > 1:
                    error = stdev(differences) / len(differences) ** 0.5
                    print(f"{strategy}, width {width}: live - frozen {mean(differences):+.3f} +- {error:.3f}")


def _compared(
    given: argparse.Namespace,
    topic: Topic,
    seeds: list[str],
    strategy: str,
    width: int,
    port: int,
    out: Path,
) -> dict[str, Any]:
    log = out.parent / "log.jsonl"
    log.write_bytes(b"")
    run_crawl(
        open_web(str(given.web)),
        topic,
        seeds,
        out / "frozen",
        Plan(max_pages=given.pages, strategy=strategy, width=width, eta=given.eta),
    )
    live = LiveSettings(
        allow_private=True,
        connect_to=f"127.0.0.1:{port}",
        delay=given.delay,
        obey_meta=False,
        waiting=given.waiting,
    )
    run_live(
        live,
        topic,
        seeds,
        out / "live",
        Plan(max_pages=given.pages, strategy=strategy, width=width, eta=given.eta),
    )
    closed, lively = (_pages(out / name) for name in ("frozen", "live"))
    asked = [json.loads(line) for line in log.read_text().splitlines()]
    return {
        "strategy": strategy,
        "width": width,
        "frozen": round(_area(closed, given.pages), 3),
        "live": round(_area(lively, given.pages), 3),
        "the same in order": sum(a == b for (a, _), (b, _) in zip(closed, lively, strict=False)),
        "the same": len({url for url, _ in closed} & {url for url, _ in lively}),
        "requests": len(asked),
        "pages requested again": sum(n - 1 for n in Counter(map(_page, _pages_of(asked))).values()),
        "shortest pause": round(_shortest_pause(asked), 4),
    }


def _pages(run: Path) -> list[tuple[str, bool]]:
    return [(row.final_url or "", row.kept) for row in read_visits(run) if row.outcome == PAGE]


def _area(pages: list[tuple[str, bool]], budget: int) -> float:
    return harvest_area([kept for _, kept in pages], budget=budget)


def _pages_of(asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in asked if line["status"] == 200]


def _page(line: dict[str, Any]) -> str:
    return f"{line['scheme']}://{line['host']}{line['path']}"


def _shortest_pause(asked: list[dict[str, Any]]) -> float:
    times: defaultdict[str, list[float]] = defaultdict(list)
    for line in asked:
        times[line["host"]].append(float(line["at"]))
    return min((b - a for found in times.values() for a, b in pairwise(found)), default=0.0)


if __name__ == "__main__":
    main()
