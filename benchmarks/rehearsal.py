"""Rehearsed crawls and the same crawls of a server: does the virtual clock foretell finds and seconds?

A server in a separate process serves the web on loopback (``fcwseo web serve``), and a live crawl requests
it. The rehearsal has the median latency of the server, measured before. For each width it prints the finds
(pages with the label of the topic) and the seconds of both, the difference of the finds as a share of the
budget, and the ratio of the seconds. A crawl of a busy machine is slower than its rehearsal.

    python benchmarks/rehearsal.py [--web generated-5000-3] [--pages 300] [--delay 1] [--widths 1 4 16 32]
        [--strategy fcwseo] [--patience 0.8] [--max-time 0] [--latency S]
"""

import argparse
import os
import sys
import tempfile
import time
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple
from urllib.parse import urlsplit

from serving import serving

from fcwseo.crawling.plan import Plan
from fcwseo.crawling.rehearsal import Rehearsal
from fcwseo.crawling.run_directory.log import PAGE, read_visits
from fcwseo.crawling.run_live import run_live
from fcwseo.crawling.run_rehearsed import run_rehearsed
from fcwseo.crawling.settings import LiveSettings
from fcwseo.evolution.radius import PATIENCE
from fcwseo.webs.generated import GeneratedWeb
from fcwseo.webs.opening import open_web

_PROBES = 40  # requests whose median is the latency
_LABEL = "rainstorm"


class Found(NamedTuple):
    """The outcome of a crawl."""

    finds: int
    pages: int
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--web", default="generated-5000-3")
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--delay", type=float, default=1.0)
    parser.add_argument("--widths", type=int, nargs="+", default=[1, 4, 16, 32])
    parser.add_argument("--strategy", default="fcwseo")
    parser.add_argument("--patience", type=float, default=PATIENCE)
    parser.add_argument("--max-time", type=float, default=0.0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds (0: measured)")
    given = parser.parse_args()
    web = open_web(given.web)
    if not isinstance(web, GeneratedWeb):
        sys.exit(f"{given.web} is not a generated web, whose labels judge the crawls")
    with tempfile.TemporaryDirectory(prefix="rehearsal-") as name, serving(given.web) as port:
        latency = given.latency or _latency(web, port)
        print(f"{given.web}, {given.pages} pages, delay {given.delay:g} s, {given.strategy}, ", end="")
        print(f"patience {given.patience:g}, latency {latency * 1000:.1f} ms, load {os.getloadavg()[0]:.1f}")
        print("width  finds: served rehearsed  gap/budget   seconds: served rehearsed  ratio")
        for width in given.widths:
            plan = Plan(max_pages=given.pages, strategy=given.strategy, width=width, patience=given.patience)
            served = _served(web, plan, given, port, Path(name) / f"{width}-served")
            rehearsed = _rehearsed(web, plan, given, latency, Path(name) / f"{width}-rehearsed")
            gap = (rehearsed.finds - served.finds) / given.pages
            ratio = rehearsed.seconds / served.seconds
            print(
                f"{width:5}  {served.finds:13} {rehearsed.finds:9}  {gap:+10.3f}   {served.seconds:15.1f} "
                f"{rehearsed.seconds:9.1f}  {ratio:5.2f}",
                flush=True,
            )


def _latency(web: GeneratedWeb, port: int) -> float:
    """The median response time of some pages, in seconds."""
    times = []
    for url in islice(web.urls(), _PROBES):
        parts = urlsplit(url)
        began = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", port)
        connection.request("GET", parts.path or "/", headers={"Host": parts.netloc})
        connection.getresponse().read()
        connection.close()
        times.append(time.perf_counter() - began)
    return median(times)


def _served(web: GeneratedWeb, plan: Plan, given: argparse.Namespace, port: int, out: Path) -> Found:
    live = LiveSettings(
        allow_private=True,
        connect_to=f"127.0.0.1:{port}",
        delay=given.delay,
        max_time=str(given.max_time),
        obey_meta=False,  # as on the closed web
    )
    result = run_live(live, web.topic(), web.seeds(_LABEL), out, plan)
    return _found(web, out, result.seconds)


def _rehearsed(web: GeneratedWeb, plan: Plan, given: argparse.Namespace, latency: float, out: Path) -> Found:
    rehearsal = Rehearsal(delay=given.delay, latency=latency)
    result = run_rehearsed(web, rehearsal, web.topic(), web.seeds(_LABEL), out, plan, max_time=given.max_time)
    return _found(web, out, result.seconds)


def _found(web: GeneratedWeb, run: Path, seconds: float) -> Found:
    pages = [row.final_url or row.url for row in read_visits(run) if row.outcome == PAGE]
    return Found(sum(_LABEL in web.labels(url) for url in pages), len(pages), seconds)


if __name__ == "__main__":
    main()
