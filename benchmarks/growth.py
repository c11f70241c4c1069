"""Memory and speed of a long crawl: breadth-first over a large generated web, by the code of ``fcwseo
crawl``.

    python benchmarks/growth.py [--pages 300000] [--web-pages 1000000]

Prints pages/s and memory at every tenth of the crawl, then the ratio of the last tenth to the first, and
the peak.
"""

import argparse
import resource
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.run import run_crawl
from fcwseo.crawling.run_directory.writing import RunDirectory
from fcwseo.webs.generated import GeneratedWeb


class Meter:
    """Pages/s of each tenth, in CPU time: the machine may be shared."""

    def __init__(self, pages: int) -> None:
        self.step = pages // 10
        self.rates: list[float] = []
        self._last = time.process_time()

    def __call__(self, run: RunDirectory) -> None:
        pages = len(run.harvest)
        if pages < self.step * (len(self.rates) + 1):
            return
        now = time.process_time()
        self.rates.append(self.step / (now - self._last))
        self._last = now
        print(f"{pages:9,} pages  {self.rates[-1]:7.0f} pages/CPU-s  {peak():7.0f} MB", flush=True)


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--pages", default=300_000, type=int)
    arguments.add_argument("--web-pages", default=1_000_000, type=int)
    options: Any = arguments.parse_args()
    web = GeneratedWeb(0, options.web_pages)
    meter = Meter(options.pages)
    out = Path(tempfile.mkdtemp())
    try:
        run_crawl(
            web,
            web.topic(),
            web.seeds("rainstorm"),
            out / "run",
            Plan(max_pages=options.pages, strategy="bfs"),
            progress=meter,
        )
    finally:
        shutil.rmtree(out)
    print(f"last tenth / first tenth {meter.rates[-1] / meter.rates[0]:.2f}; peak {peak():.0f} MB")


if __name__ == "__main__":
    main()
